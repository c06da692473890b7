package hfg

import (
	"regexp"
	"slices"
	"strconv"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// What is wrong with an army, all at once. Each judge names the clause it is of.

// listRules are what an army is judged by beside the rulebook.
type listRules struct {
	book       *armyBook
	year       int         // HFG-3.1
	points     int         // that were agreed; 0: no limit (HFG-3.2)
	train      int         // how many train elements an army may have (HFG-3.3)
	barricades int         // how many it may buy (HFG-6.9)
	permits    []provision // that its list allows (HFG-6.12)
}

// A listFault is something wrong with an army, or only odd, with its place in the file.
type listFault struct {
	play.Fault
	at *orders.Node
}

// A listJudge gathers what is wrong with an army.
type listJudge struct {
	*armyList
	listRules
	faults   []listFault
	cautions []listFault
}

// judged says what is wrong with an army, and what is only odd.
func (a *armyList) judged(by listRules) (faults, cautions []listFault) {
	j := &listJudge{armyList: a, listRules: by}
	for i := range a.elements {
		j.inUse(&a.elements[i])
		j.graded(&a.elements[i])
		j.dated(&a.elements[i])
		j.named(&a.elements[i])
	}
	j.commanded()
	j.generals()
	j.sizes()
	j.trains()
	j.ships()
	j.bought(a.defending, "defending", defender)
	j.bought(a.attacking, "attacking", attacker)
	j.priced()
	return j.faults, j.cautions
}

// refuse notes a fault at the first place that there is.
func (j *listJudge) refuse(clause, code string, at []*orders.Node, args ...phrase.Arg) *listFault {
	j.faults = append(j.faults, listFault{play.Fault{Clause: clause, Why: phrase.Say(code, args...)}, someNode(at)})
	return &j.faults[len(j.faults)-1]
}

// warn notes what is only odd.
func (j *listJudge) warn(clause, code string, at []*orders.Node, args ...phrase.Arg) {
	j.cautions = append(j.cautions, listFault{play.Fault{Clause: clause, Why: phrase.Say(code, args...)}, someNode(at)})
}

// someNode is the first node that there is.
func someNode(at []*orders.Node) *orders.Node {
	for _, n := range at {
		if n != nil {
			return n
		}
	}
	return nil
}

// where are places of a fault, the nearest first.
func where(at ...*orders.Node) []*orders.Node { return at }

// remedy tells what would be right.
func (f *listFault) remedy(code string, args ...phrase.Arg) { f.Remedy = phrase.Say(code, args...) }

// inUse refuses a type outside its years (HFG-2.2, HFG-3.1).
func (j *listJudge) inUse(e *listElement) {
	if j.gaps.year || e.troop.can(j.year) {
		return
	}
	d := &troops[e.troop]
	code := "hfg.list-not-yet"
	if j.year >= d.from {
		code = "hfg.list-no-more"
	}
	j.refuse("HFG-2.2", code, where(e.at), elementText(e.id), troopText(e.troop), phrase.Number("from", d.from), phrase.Number("to", d.to), phrase.Number("year", j.year))
}

// gradeClasses are the classes whose elements may have a grade (HFG-2.4).
var gradeClasses = map[grade][]class{
	brilliant: {staff}, inert: {staff},
	elite: {mounted, foot}, inferior: {mounted, foot, naval},
	horse: {artillery}, heavy: {artillery}, brass: {artillery},
	flagship: {naval},
}

// opposites are grades that no element has both of.
var opposites = [][2]grade{{brilliant, inert}, {elite, inferior}, {horse, heavy}}

// graded refuses grades that the element can't have (HFG-2.4).
func (j *listJudge) graded(e *listElement) {
	for _, g := range e.grades {
		light := e.troop == lightArtillery
		if !slices.Contains(gradeClasses[g], e.class()) || light || g == brass && e.troop != rifled {
			j.refuse("HFG-2.4", "hfg.list-grade", where(e.at), elementText(e.id), troopText(e.troop), gradeText(g)).
				remedy("hfg.list-leave-out", gradeText(g))
		}
	}
	for _, pair := range opposites {
		if e.is(pair[0]) && e.is(pair[1]) {
			j.refuse("HFG-2.4", "hfg.list-grades", where(e.at), elementText(e.id), phrase.Name("one", "grade", gradeWords[pair[0]]), phrase.Name("other", "grade", gradeWords[pair[1]]))
		}
	}
	if e.troop == submarine && j.year < submarinesSound && !e.is(inferior) && !j.gaps.year && !slices.Contains(j.gaps.ids, e.id) {
		j.refuse("HFG-18.5", "hfg.list-submarine", where(e.at), elementText(e.id), phrase.Number("year", submarinesSound)).
			remedy("order.write", phrase.Literal("text", "{submarine: inferior}"))
	}
}

// submarinesSound is the first year in which Submarines need not be inferior (HFG-18.5).
const submarinesSound = 1900

// nationYears are when troops of some nations were of a type, as the rulebook's descriptions
// have it (section 3.5 of the digest). It is advice: what else is listed is told, not refused.
var nationYears = map[troop]map[string][][2]int{
	pistols:     {"french": {{1701, 1730}}, "austrian": {{1701, 1751}}},
	muskets:     {"dutch": {{1701, 1794}}, "british": {{1701, 1785}}, "french": {{1754, 1791}}, "prussian": {{1701, 1807}}, "austrian": {{1741, 1807}}},
	bayonets:    {"swedish": {{1701, 1718}}, "british": {{1776, 1850}}, "french": {{1792, 1867}}, "prussian": {{1808, 1864}}, "austrian": {{1808, 1850}, {1864, 1866}}},
	stoicFoot:   {"sikh": {{1700, 1849}}},
	cuirassiers: {"prussian": {{1756, 1914}}},
}

// dated warns of a type that the nation had in other years only. Grenadiers in mass, who are
// elite Bayonets, are of any year.
func (j *listJudge) dated(e *listElement) {
	nation := j.nation
	for i := range j.commands {
		if c := &j.commands[i]; c.nation != "" && slices.Contains(c.all(), e.id) {
			nation = c.nation
		}
	}
	years := nationYears[e.troop][orders.Fold(nation)]
	if years == nil || j.gaps.year || e.troop == bayonets && e.is(elite) {
		return
	}
	if !slices.ContainsFunc(years, func(y [2]int) bool { return j.year >= y[0] && j.year <= y[1] }) {
		j.warn("HFG-2.2", "hfg.list-nation", where(e.at), elementText(e.id), troopText(e.troop), phrase.Literal("nation", nation), phrase.Literals("years", spans(years)))
	}
}

// spans writes years from one to another.
func spans(years [][2]int) []string {
	var all []string
	for _, y := range years {
		all = append(all, strconv.Itoa(y[0])+"-"+strconv.Itoa(y[1]))
	}
	return all
}

// gridPoint is how points of the map are called (section 6 of the digest): no element may be
// called so.
var gridPoint = regexp.MustCompile(`^[a-z][0-9]{1,2}$`)

// named refuses ids that mean something else in order files: keywords, types, grades, classes,
// grid points and pieces of terrain.
func (j *listJudge) named(e *listElement) {
	taken := vocabulary.Knows(e.id) || troopOf(e.id) != 0 || gridPoint.MatchString(e.id) || pieceName.MatchString(e.id)
	for _, words := range [][]string{gradeWords, classWords} {
		taken = taken || slices.Contains(words, e.id)
	}
	if taken {
		j.refuse("", "hfg.list-word", where(e.at), elementText(e.id))
	}
}

// commanded says that every element is of one command, and that commands have elements of the
// army alone (HFG-3.4, HFG-6.1).
func (j *listJudge) commanded() {
	in := map[string]*listCommand{}
	for i := range j.commands {
		c := &j.commands[i]
		for _, id := range c.all() {
			at := where(c.at["elements"], c.at[""])
			if id == c.general {
				at = where(c.at["general"], c.at[""])
			}
			e := j.element(id)
			switch other := in[id]; {
			case e == nil && !j.gaps.elements && !slices.Contains(j.gaps.ids, id):
				j.refuse("HFG-3.4", "hfg.list-unknown", at, elementText(id), commandText(c.id))
			case other == c:
				j.refuse("HFG-6.1", "hfg.list-named-twice", at, elementText(id), commandText(c.id))
			case other != nil:
				j.refuse("HFG-6.1", "hfg.list-two-commands", at, elementText(id), commandText(c.id), phrase.Literal("other", other.id))
			case e != nil && id != c.general && e.class() == staff && !c.vague:
				j.refuse("HFG-3.4", "hfg.list-second-general", at, elementText(id), commandText(c.id))
			}
			in[id] = c
		}
	}
	for i := range j.elements {
		if e := &j.elements[i]; in[e.id] == nil && !j.gaps.commands {
			j.refuse("HFG-3.4", "hfg.list-no-command", where(e.at), elementText(e.id))
		}
	}
}

// generals judges who leads (HFG-3.3, HFG-3.5).
func (j *listJudge) generals() {
	chiefs := 0
	for i := range j.commands {
		c := &j.commands[i]
		if c.rank == chief {
			if chiefs++; chiefs == 2 {
				j.refuse("HFG-3.3", "hfg.list-chiefs", where(c.at["kind"], c.at[""]), commandText(c.id))
			}
		}
		if c.aggression != unsaid && c.rank != ally && c.rank != 0 {
			j.refuse("HFG-6.15", "hfg.list-aggression", where(c.at["aggression"], c.at[""]), commandText(c.id)).
				remedy("hfg.list-leave-out-key", phrase.Keywords("key", []string{"aggression"}))
		}
		j.under(c)
		if e := j.element(c.general); e != nil {
			j.leads(c, e)
		}
	}
	if chiefs == 0 && !j.gaps.commands {
		j.refuse("HFG-3.3", "hfg.list-no-chief", where(j.at["commands"], j.at[""]))
	}
}

// under judges whom a general obeys: an army commander or the commander-in-chief (HFG-3.3).
func (j *listJudge) under(c *listCommand) {
	if c.under == "" {
		return
	}
	at := where(c.at["under"], c.at[""])
	above := j.command(c.under)
	switch {
	case above == nil && j.gaps.commands, above != nil && (above.rank == 0 || c.rank == 0): // it may be right
	case above == nil:
		j.refuse("HFG-3.3", "hfg.list-unknown-command", at, commandText(c.under))
	case c.rank == chief:
		j.refuse("HFG-3.3", "hfg.list-chief-under", at, commandText(c.id))
	case above == c, c.rank == armyLeader && above.rank != chief, above.rank != chief && above.rank != armyLeader:
		j.refuse("HFG-3.3", "hfg.list-under", at, commandText(c.id), phrase.Literal("other", c.under))
	}
}

// leads judges the element of a general (HFG-3.3).
func (j *listJudge) leads(c *listCommand, e *listElement) {
	at := where(c.at["general"], c.at[""])
	switch {
	case e.class() == naval:
		if c.rank != ally && c.rank != 0 {
			j.refuse("HFG-3.5", "hfg.list-flagship-ally", where(c.at["kind"], c.at[""]), commandText(c.id)).
				remedy("order.write", phrase.Literal("text", "kind: ag"))
		}
		if e.troop == flotilla || e.troop == submarine {
			j.refuse("HFG-3.5", "hfg.list-flagship", at, elementText(e.id), troopText(e.troop))
		}
	case e.class() != staff:
		j.refuse("HFG-3.3", "hfg.list-general", at, elementText(e.id), commandText(c.id))
	case e.troop == hq && c.rank == subordinate:
		j.refuse("HFG-3.3", "hfg.list-hq", at, elementText(e.id), commandText(c.id))
	case e.troop == potentate && !j.native:
		j.refuse("HFG-3.3", "hfg.list-potentate", at, elementText(e.id)).
			remedy("order.write", phrase.Literal("text", "native: yes"))
	}
}

// leastCommand is how many elements a general controls at least, himself included (HFG-3.4).
const leastCommand = 6

// sizes refuses commands that are too small (HFG-3.4). A flagship's has no least size.
func (j *listJudge) sizes() {
	for i := range j.commands {
		c := &j.commands[i]
		if e := j.element(c.general); c.vague || e == nil && c.general == "" || e != nil && e.class() == naval {
			continue
		}
		if n := len(c.all()); n < leastCommand {
			j.refuse("HFG-3.4", "hfg.list-small", where(c.at["elements"], c.at[""]), commandText(c.id), phrase.Number("n", n), phrase.Number("least", leastCommand)).
				remedy("hfg.list-add", phrase.Number("n", leastCommand-n))
		}
	}
}

// trains judges train elements: each is of the own command of the commander-in-chief or of an
// army commander, whose army may have so many (HFG-3.3, HFG-3.4, HFG-R11).
func (j *listJudge) trains() {
	for i := range j.commands {
		c, n := &j.commands[i], 0
		for _, id := range c.elements {
			e := j.element(id)
			if e == nil || e.class() != train {
				continue
			}
			if c.rank != chief && c.rank != armyLeader && c.rank != 0 {
				j.refuse("HFG-3.4", "hfg.list-train", where(c.at["elements"], c.at[""]), elementText(id), commandText(c.id))
				continue
			}
			if n++; n > j.train {
				j.refuse("HFG-3.3", "hfg.list-trains", where(c.at["elements"], c.at[""]), elementText(id), phrase.Number("most", j.train))
			}
		}
	}
}

// ships judges who leads the naval elements: the flagship all of them and nothing else, or the
// commander-in-chief (HFG-3.5, HFG-R12).
func (j *listJudge) ships() {
	var fleet *listCommand
	for i := range j.commands {
		c := &j.commands[i]
		if e := j.element(c.general); e != nil && e.class() == naval {
			if fleet != nil {
				j.refuse("HFG-3.5", "hfg.list-flagships", where(c.at["general"], c.at[""]), commandText(c.id), phrase.Literal("other", fleet.id))
				continue
			}
			fleet = c
		}
	}
	for i := range j.commands {
		c := &j.commands[i]
		for _, id := range c.elements {
			e := j.element(id)
			at := where(c.at["elements"], c.at[""])
			switch {
			case e == nil:
			case e.class() == naval && fleet != nil && c != fleet:
				j.refuse("HFG-3.5", "hfg.list-ship", at, elementText(id), commandText(fleet.id))
			case e.class() == naval && fleet == nil && c.rank != chief && !j.gaps.commands && len(j.gaps.ids) == 0 && !j.gaps.elements:
				j.refuse("HFG-3.5", "hfg.list-ship-chief", at, elementText(id))
			case e.class() != naval && c == fleet:
				j.refuse("HFG-3.5", "hfg.list-aboard", at, elementText(id), commandText(c.id))
			}
			if e != nil && e.is(flagship) {
				j.refuse("HFG-3.5", "hfg.list-flag-alone", at, elementText(id))
			}
		}
	}
}

// bought judges what the army would buy in a role (HFG-3.6, HFG-6.5 to HFG-6.12). What an
// attacker buys besides concealed positions is lost, which is no fault.
func (j *listJudge) bought(all []purchase, key string, as role) {
	for _, p := range all {
		d, at := provisions[p.what], where(p.at["number"], p.at[""], j.at[key], j.at[""])
		most := d.defender
		switch {
		case p.what == buysBarricade:
			most = j.barricades
		case as == attacker:
			most = d.attacker
		}
		if as == attacker && p.what != buysConcealed {
			j.warn("HFG-3.6", "hfg.list-lost", at, provisionText(p.what), phrase.Number("points", p.number*d.points))
			continue
		}
		if p.what != buysELF && !j.gaps.base && !slices.Contains(j.permits, p.what) {
			j.refuse("HFG-6.12", "hfg.list-permit", at, provisionText(p.what)).remedy("hfg.list-permitted", phrase.NamesOf("preparations", "preparation", j.permits, provision.String))
		}
		if p.number > most {
			j.refuse(d.clause, "hfg.list-prepared", at, provisionText(p.what), phrase.Number("n", p.number), phrase.Number("most", most)).
				remedy("order.write", phrase.Literal("text", orders.Number(most).Text))
		}
		if c := j.chief(); p.what == buysELF && c != nil {
			if e := j.element(c.general); e != nil && e.is(inert) {
				j.refuse("HFG-6.8", "hfg.list-elf-inert", at)
			}
		}
	}
}

// priced refuses an army that costs more than was agreed, in either role (HFG-3.2).
func (j *listJudge) priced() {
	if j.points == 0 || j.book == nil || j.gaps.dear() {
		return
	}
	own := j.book.price(j.armyList)
	if own > j.points {
		j.refuse("HFG-3.2", "hfg.list-dear", where(j.at["elements"], j.at[""]), phrase.Number("points", own), phrase.Number("most", j.points)).
			remedy("hfg.list-take-out", phrase.Number("n", own-j.points))
		return
	}
	for _, one := range []struct {
		key, code string
		all       []purchase
	}{{"defending", "hfg.list-dear-defending", j.defending}, {"attacking", "hfg.list-dear-attacking", j.attacking}} {
		if sum := own + spentOn(one.all); sum > j.points {
			j.refuse("HFG-3.2", one.code, where(j.at[one.key], j.at[""]), phrase.Number("points", sum), phrase.Number("own", own), phrase.Number("prepared", spentOn(one.all)), phrase.Number("most", j.points)).
				remedy("hfg.list-take-out", phrase.Number("n", sum-j.points))
		}
	}
}

// tellFaults gives faults to a reader, each at its place.
func tellFaults(r *orders.Reader, faults []listFault, top *orders.Node) {
	for _, f := range faults {
		r.RefuseWith(someNode(where(f.at, top)), f.Clause, f.Why, f.Remedy)
	}
}

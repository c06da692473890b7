package hfg

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"berthier/orders"
)

// armies is the built-in book.
func armies(t testing.TB) *armyBook {
	t.Helper()
	data, err := files.ReadFile("scenarios/armies.yaml")
	if err != nil {
		t.Fatal(err)
	}
	b, faults := readBook(data)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return b
}

// What the armies of the book cost with their preparations, what they count with the garrisons
// they buy, and how many dice they roll.
func TestBook(t *testing.T) {
	b := armies(t)
	for _, one := range []struct {
		id                                string
		price, defending, attacking, dice int
		eq                                string
	}{
		{"anglo-dutch-1704", 397, 2, 0, 3, "36"},
		{"french-1704", 383, 17, 0, 3, "41"},
		{"french-1812", 399, 0, 0, 4, "33"},
		{"russian-1812", 371, 25, 10, 3, "37"},
		{"union-1863", 379, 21, 0, 4, "30"},
		{"confederate-1863", 386, 14, 10, 4, "34"},
		{"british-1900", 378, 15, 0, 3, "25"},
		{"boer-1900", 362, 35, 20, 2, "29"},
	} {
		l, ok := b.list(one.id)
		if !ok {
			t.Errorf("there is no list %s", one.id)
			continue
		}
		is(t, one.id+" costs", b.price(l.army), one.price)
		is(t, one.id+" defending", spentOn(l.army.defending), one.defending)
		is(t, one.id+" attacking", spentOn(l.army.attacking), one.attacking)
		is(t, one.id+" equivalents", equivalents(l.army.eq()), one.eq)
		is(t, one.id+" dice", l.army.dice(), one.dice)
	}
	is(t, "lists", len(b.lists), 8)
	is(t, "pairs", len(b.pairs), 4)
}

// listed reads an army of a case and judges it by the Union's list of 1863. Parts of the army
// that the case doesn't give are sound.
func listed(t testing.TB, c listCase) ([]string, []string) {
	t.Helper()
	text := c.text()
	root, faults := orders.ParseNode([]byte(text))
	if len(faults) > 0 {
		t.Fatalf("%v\n%s", faults, text)
	}
	r := orders.NewReader(vocabulary)
	a := readArmy(r, r.Fields(root, armyKeys...))
	var cautions []listFault
	if len(r.Problems) == 0 {
		l := listRules{book: armies(t), year: 1863, points: c.points, train: 1, barricades: 6,
			permits: []provision{buysEntrenchment, buysRedoubt, buysBarricade, buysConcealed, buysStrongPoint, buysMinefield}}
		if c.year != 0 {
			l.year = c.year
		}
		if c.permits != nil {
			l.permits = c.permits
		}
		var wrong []listFault
		wrong, cautions = a.judged(l)
		tellFaults(r, wrong, root)
	}
	var told, odd []string
	r.Problems.Sort()
	for _, p := range r.Problems {
		if p.Line == 0 {
			t.Errorf("a fault without a place: %v", p)
		}
		told = append(told, strings.TrimSpace(p.Clause+" "+p.Why.Code))
	}
	for _, f := range cautions {
		odd = append(odd, f.Clause+" "+f.Why.Code)
	}
	return told, odd
}

// A listCase is an army with something in place of its sound parts.
type listCase struct {
	clause, name string
	elements     string // beside those of the sound command
	commands     string
	own          string // in the sound command besides
	general      string // its general's type
	more         string // keys besides
	whole        string // the whole army
	points, year int
	permits      []provision
	want         []string
	odd          []string
}

func (c *listCase) text() string {
	if c.whole != "" {
		return c.whole
	}
	general := c.general
	if general == "" {
		general = "cp"
	}
	return fmt.Sprintf("commands:\n  - {id: i, kind: c-in-c, general: gen-1, elements: [min-1..5%s]}\n%selements:\n  gen-1: %s\n  min-1..5: minie\n%s%s", c.own, c.commands, general, c.elements, c.more)
}

// listCases have an army with each fault that the rules forbid.
var listCases = []listCase{
	{clause: "HFG-2.2", name: "Repeaters in 1860 come too early, Smoothbore in 1870 too late", year: 1860, own: ", rep-1", elements: "  rep-1: repeaters\n", want: []string{"HFG-2.2 hfg.list-not-yet"}},
	{clause: "HFG-2.2", name: "Smoothbore of 1900 come too late", year: 1900, whole: "commands: [{id: i, kind: c-in-c, general: gen-1, elements: [art-1, rif-1..4]}]\nelements: {gen-1: cp, art-1: smoothbore, rif-1..4: rifles}\n", want: []string{"HFG-2.2 hfg.list-no-more"}},
	{clause: "HFG-2.2", name: "an unknown type", elements: "  x-1: tanks\n", want: []string{"order.unknown-troop"}},
	{clause: "HFG-2.2", name: "a garrison of a strong point isn't listed", elements: "  x-1: sp-garrison\n", want: []string{"order.unknown-troop"}},
	{clause: "HFG-2.2", name: "what the nation had in other years is only odd", year: 1850, more: "nation: french\n", whole: "nation: French\ncommands: [{id: i, kind: c-in-c, general: gen-1, elements: [mus-1..5]}]\nelements: {gen-1: cp, mus-1..5: muskets}\n", odd: slices.Repeat([]string{"HFG-2.2 hfg.list-nation"}, 5)},
	{clause: "HFG-2.4", name: "Light artillery is neither horse nor heavy", own: ", la-1", elements: "  la-1: {light-artillery: horse}\n", want: []string{"HFG-2.4 hfg.list-grade"}},
	{clause: "HFG-2.4", name: "a grade that the class hasn't", own: ", art-1", elements: "  art-1: {mixed: elite}\n", want: []string{"HFG-2.4 hfg.list-grade"}},
	{clause: "HFG-2.4", name: "brilliant foot", own: ", min-7", elements: "  min-7: {minie: brilliant}\n", want: []string{"HFG-2.4 hfg.list-grade"}},
	{clause: "HFG-2.4", name: "brass is for rifled guns", own: ", art-1", elements: "  art-1: {mixed: brass}\n", want: []string{"HFG-2.4 hfg.list-grade"}},
	{clause: "HFG-2.4", name: "elite and inferior at once", own: ", min-7", elements: "  min-7: {minie: [elite, inferior]}\n", want: []string{"HFG-2.4 hfg.list-grades"}},
	{clause: "HFG-2.4", name: "brilliant and inert at once", general: "{cp: [brilliant, inert]}", want: []string{"HFG-2.4 hfg.list-grades"}},
	{clause: "HFG-2.4", name: "horse and heavy at once", own: ", art-1", elements: "  art-1: {mixed: [horse, heavy]}\n", want: []string{"HFG-2.4 hfg.list-grades"}},
	{clause: "HFG-2.4", name: "a grade twice", own: ", art-1", elements: "  art-1: {mixed: [horse, horse]}\n", want: []string{"HFG-2.4 hfg.list-grade-twice"}},
	{clause: "HFG-2.4", name: "two types", own: ", art-1", elements: "  art-1: {mixed: horse, minie: elite}\n", want: []string{"HFG-2.4 hfg.list-one-type"}},
	{clause: "HFG-2.4", name: "an unknown grade", own: ", art-1", elements: "  art-1: {mixed: shiny}\n", want: []string{"order.unknown-grade"}},
	{clause: "HFG-18.5", name: "a Submarine of 1863 is inferior", own: ", sub-1", elements: "  sub-1: submarine\n", want: []string{"HFG-18.5 hfg.list-submarine"}},
	{clause: "HFG-18.5", name: "and is taken if it is", own: ", sub-1", elements: "  sub-1: {submarine: inferior}\n"},
	{clause: "HFG-3.2", name: "401 points of 400", points: 70, want: []string{"HFG-3.2 hfg.list-dear"}},
	{clause: "HFG-3.2", name: "too dear with what is bought in defence", points: 80, more: "defending: [{entrenchment: 1}]\n", want: []string{"HFG-3.2 hfg.list-dear-defending"}},
	{clause: "HFG-3.2", name: "too dear with what is bought in attack", points: 80, more: "attacking: [{concealed-position: 1}]\n", want: []string{"HFG-3.2 hfg.list-dear-attacking"}},
	{clause: "HFG-3.2", name: "just what was agreed", points: 71},
	{clause: "HFG-3.3", name: "two commanders-in-chief", commands: "  - {id: ii, kind: c-in-c, general: gen-2, elements: [min-6..10]}\n", elements: "  gen-2: cp\n  min-6..10: minie\n", want: []string{"HFG-3.3 hfg.list-chiefs"}},
	{clause: "HFG-3.3", name: "no commander-in-chief", whole: "commands: [{id: i, kind: sg, general: gen-1, elements: [min-1..5]}]\nelements: {gen-1: cp, min-1..5: minie}\n", want: []string{"HFG-3.3 hfg.list-no-chief"}},
	{clause: "HFG-3.3", name: "a general who is no staff", general: "minie", want: []string{"HFG-3.3 hfg.list-general"}},
	{clause: "HFG-3.3", name: "an Army HQ of a subordinate", commands: "  - {id: ii, kind: sg, general: gen-2, elements: [min-6..10]}\n", elements: "  gen-2: hq\n  min-6..10: minie\n", want: []string{"HFG-3.3 hfg.list-hq"}},
	{clause: "HFG-3.3", name: "a Native Potentate of a European army", general: "np", want: []string{"HFG-3.3 hfg.list-potentate"}},
	{clause: "HFG-3.3", name: "and of an army that says it is native", general: "np", more: "native: yes\n"},
	{clause: "HFG-3.3", name: "two train elements", own: ", pon-1, bal-1", elements: "  pon-1: pontoneers\n  bal-1: aeronauts\n", want: []string{"HFG-3.3 hfg.list-trains"}},
	{clause: "HFG-3.3", name: "a general under nobody there is", commands: "  - {id: ii, kind: sg, under: iii, general: gen-2, elements: [min-6..10]}\n", elements: "  gen-2: cp\n  min-6..10: minie\n", want: []string{"HFG-3.3 hfg.list-unknown-command"}},
	{clause: "HFG-3.3", name: "a general under a subordinate", commands: "  - {id: ii, kind: sg, general: gen-2, elements: [min-6..10]}\n  - {id: iii, kind: sg, under: ii, general: gen-3, elements: [min-11..15]}\n", elements: "  gen-2: cp\n  gen-3: cp\n  min-6..10: minie\n  min-11..15: minie\n", want: []string{"HFG-3.3 hfg.list-under"}},
	{clause: "HFG-3.3", name: "a commander-in-chief under somebody", whole: "commands: [{id: i, kind: c-in-c, under: ii, general: gen-1, elements: [min-1..5]}, {id: ii, kind: ac, general: gen-2, elements: [min-6..10]}]\nelements: {gen-1: cp, min-1..5: minie, gen-2: cp, min-6..10: minie}\n", want: []string{"HFG-3.3 hfg.list-chief-under"}},
	{clause: "HFG-3.3", name: "generals under an army commander", commands: "  - {id: ii, kind: ac, general: gen-2, elements: [min-6..10]}\n  - {id: iii, kind: sg, under: ii, general: gen-3, elements: [min-11..15]}\n", elements: "  gen-2: hq\n  gen-3: cp\n  min-6..10: minie\n  min-11..15: minie\n"},
	{clause: "HFG-R11", name: "each army of a side may have train", own: ", pon-1", commands: "  - {id: ii, kind: ac, general: gen-2, elements: [min-6..10, bal-1]}\n", elements: "  gen-2: cp\n  min-6..10: minie\n  pon-1: pontoneers\n  bal-1: aeronauts\n"},
	{clause: "HFG-3.4", name: "a command of five", whole: "commands: [{id: i, kind: c-in-c, general: gen-1, elements: [min-1..4]}]\nelements: {gen-1: cp, min-1..4: minie}\n", want: []string{"HFG-3.4 hfg.list-small"}},
	{clause: "HFG-3.4", name: "an element of no command", elements: "  min-7: minie\n", want: []string{"HFG-3.4 hfg.list-no-command"}},
	{clause: "HFG-3.4", name: "a command of elements that aren't listed", own: ", min-7", want: []string{"HFG-3.4 hfg.list-unknown"}},
	{clause: "HFG-3.4", name: "a second general in a command", own: ", gen-2", elements: "  gen-2: cp\n", want: []string{"HFG-3.4 hfg.list-second-general"}},
	{clause: "HFG-3.4", name: "train in a subordinate's command", commands: "  - {id: ii, kind: sg, general: gen-2, elements: [min-6..10, pon-1]}\n", elements: "  gen-2: cp\n  min-6..10: minie\n  pon-1: pontoneers\n", want: []string{"HFG-3.4 hfg.list-train"}},
	{clause: "HFG-3.4", name: "two commands of one name", commands: "  - {id: I, kind: sg, general: gen-2, elements: [min-6..10]}\n", elements: "  gen-2: cp\n  min-6..10: minie\n", want: []string{"HFG-3.4 hfg.list-command-twice"}},
	{clause: "HFG-6.1", name: "an element in two commands", commands: "  - {id: ii, kind: sg, general: gen-2, elements: [min-5..10]}\n", elements: "  gen-2: cp\n  min-6..10: minie\n", want: []string{"HFG-6.1 hfg.list-two-commands"}},
	{clause: "HFG-6.1", name: "an element twice in one", own: ", min-5", want: []string{"HFG-6.1 hfg.list-named-twice"}},
	{clause: "HFG-6.1", name: "two elements of one name", elements: "  Min-5: minie\n", want: []string{"HFG-6.1 hfg.list-twice"}},
	{clause: "HFG-3.5", name: "a Flotilla can't be the flagship", commands: "  - {id: fleet, kind: ag, general: flo-1, elements: [iro-1]}\n", elements: "  flo-1: flotilla\n  iro-1: ironclad\n", want: []string{"HFG-3.5 hfg.list-flagship"}},
	{clause: "HFG-3.5", name: "a flagship leads all ships, however few", commands: "  - {id: fleet, kind: ag, general: iro-1, elements: [flo-1]}\n", elements: "  flo-1: flotilla\n  iro-1: ironclad\n"},
	{clause: "HFG-R12", name: "a ship outside the flagship's command", own: ", flo-1", commands: "  - {id: fleet, kind: ag, general: iro-1, elements: []}\n", elements: "  flo-1: flotilla\n  iro-1: ironclad\n", want: []string{"HFG-3.5 hfg.list-ship"}},
	{clause: "HFG-3.5", name: "foot in the flagship's command", commands: "  - {id: fleet, kind: ag, general: iro-1, elements: [min-7]}\n", elements: "  iro-1: ironclad\n  min-7: minie\n", want: []string{"HFG-3.5 hfg.list-aboard"}},
	{clause: "HFG-3.5", name: "two flagships", commands: "  - {id: fleet, kind: ag, general: iro-1, elements: []}\n  - {id: squadron, kind: ag, general: iro-2, elements: []}\n", elements: "  iro-1..2: ironclad\n", want: []string{"HFG-3.5 hfg.list-flagships"}},
	{clause: "HFG-3.5", name: "a flagship is an ally", commands: "  - {id: fleet, kind: sg, general: iro-1, elements: []}\n", elements: "  iro-1: ironclad\n", want: []string{"HFG-3.5 hfg.list-flagship-ally"}},
	{clause: "HFG-3.5", name: "ships without a flagship are the commander-in-chief's", commands: "  - {id: ii, kind: sg, general: gen-2, elements: [min-6..10, flo-1]}\n", elements: "  gen-2: cp\n  min-6..10: minie\n  flo-1: flotilla\n", want: []string{"HFG-3.5 hfg.list-ship-chief"}},
	{clause: "HFG-3.5", name: "a flagship that leads nothing", own: ", iro-1", elements: "  iro-1: {ironclad: flagship}\n", want: []string{"HFG-3.5 hfg.list-flag-alone"}},
	{clause: "HFG-3.6", name: "what an attacker sets aside for redoubts is lost, which is no fault", more: "attacking: [{redoubt: 6}]\n", odd: []string{"HFG-3.6 hfg.list-lost"}},
	{clause: "HFG-6.5", name: "four strong points", more: "defending: [{strong-point: 4}]\n", want: []string{"HFG-6.5 hfg.list-prepared"}},
	{clause: "HFG-6.6", name: "four redoubts", more: "defending: [{redoubt: 4}]\n", want: []string{"HFG-6.6 hfg.list-prepared"}},
	{clause: "HFG-6.7", name: "seven entrenchments", more: "defending: [{entrenchment: 7}]\n", want: []string{"HFG-6.7 hfg.list-prepared"}},
	{clause: "HFG-6.8", name: "two linear features", more: "defending: [{elf: 2}]\n", want: []string{"HFG-6.8 hfg.list-prepared"}},
	{clause: "HFG-6.8", name: "a linear feature of an inert commander-in-chief", general: "{cp: inert}", more: "defending: [{elf: 1}]\n", want: []string{"HFG-6.8 hfg.list-elf-inert"}},
	{clause: "HFG-6.8", name: "a linear feature needs no permit", permits: []provision{}, more: "defending: [{elf: 1}]\n"},
	{clause: "HFG-6.9", name: "seven barricades", more: "defending: [{barricade: 7}]\n", want: []string{"HFG-6.9 hfg.list-prepared"}},
	{clause: "HFG-R29", name: "six barricades are taken", more: "defending: [{barricade: 6}]\n"},
	{clause: "HFG-6.10", name: "four concealed positions of a defender, three of an attacker", more: "defending: [{concealed-position: 4}]\nattacking: [{concealed-position: 3}]\n", want: []string{"HFG-6.10 hfg.list-prepared", "HFG-6.10 hfg.list-prepared"}},
	{clause: "HFG-6.11", name: "two minefields", more: "defending: [{naval-minefield: 2}]\n", want: []string{"HFG-6.11 hfg.list-prepared"}},
	{clause: "HFG-6.12", name: "a preparation that the list doesn't permit", permits: []provision{buysBarricade}, more: "defending: [{redoubt: 1}]\n", want: []string{"HFG-6.12 hfg.list-permit"}},
	{clause: "HFG-6.12", name: "a preparation bought in two places", more: "defending: [{redoubt: 1}, {redoubt: 1}]\n", want: []string{"HFG-6.6 hfg.list-bought-twice"}},
	{clause: "HFG-6.15", name: "an aggression of a subordinate", commands: "  - {id: ii, kind: sg, aggression: 2, general: gen-2, elements: [min-6..10]}\n", elements: "  gen-2: cp\n  min-6..10: minie\n", want: []string{"HFG-6.15 hfg.list-aggression"}},
	{clause: "HFG-6.15", name: "and of an ally", commands: "  - {id: ii, kind: ag, aggression: 2, general: gen-2, elements: [min-6..10]}\n", elements: "  gen-2: cp\n  min-6..10: minie\n"},
	{clause: "HFG-2.7", name: "names that mean something else in order files", own: ", k4, wood-1, elite, nearest", elements: "  k4: minie\n  wood-1: minie\n  elite: minie\n  nearest: minie\n", want: slices.Repeat([]string{"hfg.list-word"}, 4)},
	{clause: "HFG-2.7", name: "a name with a sign", elements: "  m!n: minie\n", want: []string{"hfg.list-id"}},
	{clause: "HFG-2.7", name: "a run that goes back", elements: "  m-5..2: minie\n", want: []string{"hfg.list-run"}},
	{clause: "HFG-3.1", name: "elements that are no map", whole: "commands: []\nelements: [min1]\n", want: []string{"HFG-3.1 hfg.list-elements"}},
}

func TestLists(t *testing.T) {
	for _, c := range listCases {
		clause(t, c.clause, c.name, func(t *testing.T) {
			told, odd := listed(t, c)
			if !slices.Equal(told, c.want) {
				t.Errorf("faults %q, want %q\n%s", told, c.want, c.text())
			}
			if !slices.Equal(odd, c.odd) {
				t.Errorf("cautions %q, want %q", odd, c.odd)
			}
		})
	}
	clause(t, "HFG-3.2", "the excess is told", func(t *testing.T) {
		c := listCase{points: 70}
		root, _ := orders.ParseNode([]byte(c.text()))
		r := orders.NewReader(vocabulary)
		faults, _ := readArmy(r, r.Fields(root, armyKeys...)).judged(listRules{book: armies(t), year: 1863, points: c.points})
		is(t, "points to take out", faults[0].Remedy.Args[0].Value.Num, 1)
	})
	clause(t, "HFG-3.9", "three commands roll three dice", func(t *testing.T) {
		l, _ := armies(t).list("russian-1812")
		is(t, "dice", l.army.dice(), 3)
	})
	clause(t, "HFG-3.8", "a Laager counts eight", func(t *testing.T) {
		e := listElement{troop: laager}
		is(t, "equivalents", equivalents(e.eq()), "8")
	})
	clause(t, "HFG-2.5", "elite Bayonets and an inferior Ironclad count two and a half", func(t *testing.T) {
		a := armyList{elements: []listElement{{troop: bayonets, grades: []grade{elite}}, {troop: ironclad, grades: []grade{inferior}}}}
		is(t, "equivalents", equivalents(a.eq()), "2½")
	})
	clause(t, "HFG-R8", "the garrison of a strong point that is bought counts one", func(t *testing.T) {
		a := armyList{defending: []purchase{{what: buysStrongPoint, number: 2}}}
		is(t, "equivalents", equivalents(a.eq()), "2")
	})
}

// The costs of grades: factors first, rounded up, then what is added, within 1 and 50.
func TestCosts(t *testing.T) {
	b := armies(t)
	for _, one := range []struct {
		troop  troop
		grades []grade
		want   int
	}{
		{muskets, nil, 9}, {bayonets, []grade{elite}, 15}, {bayonets, []grade{inferior}, 7}, {stoicFoot, []grade{elite}, 14},
		{smoothbore, []grade{heavy}, 15}, {hq, []grade{brilliant}, 44}, {commandParty, []grade{inert}, 8}, {spearmen, []grade{inferior}, 4},
	} {
		is(t, fmt.Sprint(one.troop, one.grades), b.cost(one.troop, one.grades), one.want)
	}
	b.points[hq] = 49
	is(t, "at most", b.cost(hq, []grade{brilliant}), 50)
	b.points[commandParty] = 2
	is(t, "at least", b.cost(commandParty, []grade{inert}), 1)
}

// A list in normal form is read back as the same list.
func TestListsWritten(t *testing.T) {
	b := armies(t)
	for i := range b.lists {
		text := b.lists[i].army.write(orders.Mapping()).Encode()
		root, faults := orders.ParseNode([]byte(text))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		r := orders.NewReader(vocabulary)
		back := readArmy(r, r.Fields(root, armyKeys...))
		if len(r.Problems) > 0 {
			t.Fatalf("%s: %v\n%s", b.lists[i].id, r.Problems, text)
		}
		if again := back.write(orders.Mapping()).Encode(); again != text {
			t.Errorf("%s is read back as\n%s\nnot\n%s", b.lists[i].id, again, text)
		}
	}
}

// A book is refused with every fault at its line, those of its lists too.
func TestBookFaults(t *testing.T) {
	data, _ := files.ReadFile("scenarios/armies.yaml")
	whole := string(data)
	for _, one := range []struct{ name, was, is, want string }{
		{"years of a pair", "lists: [french-1812, russian-1812]", "lists: [french-1812, union-1863]", "hfg.book-years"},
		{"no such list", "lists: [french-1812, russian-1812]", "lists: [french-1812, nobody]", "hfg.book-no-list"},
		{"one list", "lists: [french-1812, russian-1812]", "lists: [french-1812]", "hfg.book-two"},
		{"a pair twice", "{id: borodino,", "{id: blenheim,", "hfg.book-twice"},
		{"a list twice", "  - id: russian-1812", "  - id: french-1812", "hfg.book-twice"},
		{"a factor", "elite: 3/2", "elite: a lot", "order.want-number"},
		{"a factor by nought", "elite: 3/2", "elite: 3/0", "hfg.book-factor"},
		{"a cost", "muskets: 9", "muskets: 51", "order.want-number"},
		{"a type without a cost", "  muskets: 9\n", "", "order.missing-key"},
		{"a permit", "permits: [barricade]", "permits: [tunnels]", "order.unknown-word"},
		{"another system", "ruleset: hfg", "ruleset: napoleon", "play.ruleset-other"},
		{"a list that is too dear", "hart-d-1: {mixed: horse}", "hart-d-1: {mixed: horse}\n      x-1..3: minie", "hfg.list-no-command"},
	} {
		text := strings.Replace(whole, one.was, one.is, 1)
		if text == whole {
			t.Fatalf("%s: nothing to replace", one.name)
		}
		b, faults := readBook([]byte(text))
		if b != nil || len(faults) == 0 || faults[0].Line == 0 {
			t.Errorf("%s: faults %v", one.name, faults)
			continue
		}
		if !slices.ContainsFunc(faults, func(p orders.Problem) bool { return p.Why.Code == one.want }) {
			t.Errorf("%s: %v, want %s", one.name, faults, one.want)
		}
	}
}

// FuzzBook: whatever a file says, it is a book, or it is refused with places; and the judge of
// a list that can be read gives answers in words.
func FuzzBook(f *testing.F) {
	data, err := files.ReadFile("scenarios/armies.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	for _, c := range listCases {
		f.Add([]byte(c.text()))
	}
	book := armies(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		b, faults := readBook(data)
		if (b == nil) == (len(faults) == 0) {
			t.Fatalf("book %v with faults %v", b, faults)
		}
		root, problems := orders.ParseNode(data)
		if len(problems) > 0 || root == nil || root.Kind != orders.Map {
			return
		}
		r := orders.NewReader(vocabulary)
		a := readArmy(r, r.Fields(root, armyKeys...))
		wrong, odd := a.judged(listRules{book: book, year: 1863, points: 400, train: 1, barricades: 6})
		for _, one := range append(wrong, odd...) {
			if one.Why.Code == "" {
				t.Fatal("a fault without words")
			}
		}
		tellFaults(r, wrong, root)
		if len(r.Problems) == 0 {
			a.write(orders.Mapping()).Encode()
		}
	})
}

package hfg

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Bounds of what a list may say, far above any real army: a stranger's file must not make the
// program compute without end.
const (
	mostListed     = 200 // elements
	mostCommands   = 20
	mostAggression = 6
)

// armyKeys are those by which an army is written.
var armyKeys = []string{"nation", "native", "commands", "elements", "defending", "attacking"}

// readArmy reads an army from the keys of a map, among which more may stand. Faults go to the
// reader, each at its place.
func readArmy(r *orders.Reader, f orders.Fields) *armyList {
	a := &armyList{at: nodes{"": f.Node, "defending": f.Get("defending"), "attacking": f.Get("attacking")}}
	a.at["elements"], a.at["commands"] = r.Require(f, "elements"), r.Require(f, "commands")
	a.nation = readName(r, f.Get("nation"))
	if n := f.Get("native"); n != nil {
		a.native, _ = r.Bool(n)
	}
	a.gaps.elements, a.gaps.commands = a.at["elements"] == nil, a.at["commands"] == nil
	a.readElements(r, a.at["elements"])
	a.readCommands(r, a.at["commands"])
	a.defending = readPurchases(r, a.at["defending"])
	a.attacking = readPurchases(r, a.at["attacking"])
	return a
}

// readName reads a short text that is printed as a name; "" if there is none.
func readName(r *orders.Reader, n *orders.Node) string {
	if n == nil {
		return ""
	}
	return play.Loader{Reader: r}.Name(n)
}

// idForm is how elements and commands are called: letters, digits and hyphens, a letter first.
var idForm = regexp.MustCompile(`^[a-z][a-z0-9-]{0,23}$`)

// readID reads what something is called. Capitals make no difference.
func readID(r *orders.Reader, n *orders.Node) (string, bool) {
	text, ok := r.Text(n)
	if !ok {
		return "", false
	}
	text = strings.ToLower(text)
	if !idForm.MatchString(text) {
		r.Refuse(n, "", phrase.Say("hfg.list-id", phrase.Literal("name", text)))
		return "", false
	}
	return text, true
}

// runForm is how several elements are written in one word: min-a-1..5.
var runForm = regexp.MustCompile(`^(.*[^0-9])([0-9]{1,3})\.\.([0-9]{1,3})$`)

// readIDs reads one element, or several that are numbered: min-a-1..5.
func readIDs(r *orders.Reader, n *orders.Node) []string {
	text, ok := r.Text(n)
	if !ok {
		return nil
	}
	parts := runForm.FindStringSubmatch(text)
	if parts == nil {
		if one, ok := readID(r, n); ok {
			return []string{one}
		}
		return nil
	}
	low, _ := strconv.Atoi(parts[2])
	high, _ := strconv.Atoi(parts[3])
	if low >= high || high-low >= mostListed {
		r.Refuse(n, "", phrase.Say("hfg.list-run", phrase.Literal("name", text)))
		return nil
	}
	var all []string
	for i := low; i <= high; i++ {
		one := strings.ToLower(parts[1]) + strconv.Itoa(i)
		if !idForm.MatchString(one) {
			r.Refuse(n, "", phrase.Say("hfg.list-id", phrase.Literal("name", one)))
			return nil
		}
		all = append(all, one)
	}
	return all
}

// readElements reads {min-a-1..5: minie, art-1: {mixed: heavy}}.
func (a *armyList) readElements(r *orders.Reader, n *orders.Node) {
	if n == nil {
		return
	}
	if n.Kind != orders.Map {
		r.Refuse(n, "HFG-3.1", phrase.Say("hfg.list-elements"))
		a.gaps.elements = true
		return
	}
	for _, p := range n.Pairs {
		called := readIDs(r, p.Key)
		kind, grades, ok := readTroop(r, p.Value)
		a.gaps.elements = a.gaps.elements || len(called) == 0
		if !ok {
			a.gaps.ids = append(a.gaps.ids, called...)
		}
		for _, one := range called {
			same := func(e listElement) bool { return orders.Fold(e.id) == orders.Fold(one) }
			switch {
			case len(a.elements) >= mostListed:
				r.Refuse(p.Key, "", phrase.Say("hfg.list-many", phrase.Number("most", mostListed)))
				a.gaps.elements = true
				return
			case slices.ContainsFunc(a.elements, same):
				r.Refuse(p.Key, "HFG-6.1", phrase.Say("hfg.list-twice", elementText(one)))
			case kind != 0:
				a.elements = append(a.elements, listElement{id: one, troop: kind, grades: grades, at: p.Key})
			}
		}
	}
}

// readTroop reads a type with its grades: minie, {minie: inferior}, {mixed: [heavy]}; 0 is a type that can't be read, and of grades
// there are those that can.
func readTroop(r *orders.Reader, n *orders.Node) (troop, []grade, bool) {
	word, graded := n, (*orders.Node)(nil)
	if n.Kind == orders.Map {
		if len(n.Pairs) != 1 {
			r.Refuse(n, "HFG-2.4", phrase.Say("hfg.list-one-type"))
			return 0, nil, false
		}
		word, graded = n.Pairs[0].Key, n.Pairs[0].Value
	}
	named, ok := r.Pick(word, "troop", troopChoices)
	if !ok {
		return 0, nil, false
	}
	kind := troopOf(named)
	var grades []grade
	for _, item := range r.List(graded) {
		one, said := r.Pick(item, "grade", gradeChoices)
		g := grade(slices.Index(gradeWords, one))
		switch {
		case !said:
			ok = false
		case slices.Contains(grades, g):
			r.Refuse(item, "HFG-2.4", phrase.Say("hfg.list-grade-twice", gradeText(g)))
			ok = false
		default:
			grades = append(grades, g)
		}
	}
	slices.Sort(grades)
	return kind, grades, ok
}

// troopOf finds a type by its word; 0 if there is none.
func troopOf(word string) troop {
	for t := hq; t < troopsEnd; t++ {
		if troops[t].word == word {
			return t
		}
	}
	return 0
}

// The types that a list may have, and the grades, by the words of files. The garrison of a
// strong point comes with it (HFG-6.5).
var (
	troopChoices = func() (all []orders.Choice) {
		for t := hq; t < troopsEnd; t++ {
			if t != spGarrison {
				all = append(all, orders.Choice{ID: troops[t].word})
			}
		}
		return all
	}()
	gradeChoices = func() (all []orders.Choice) {
		for _, w := range gradeWords[1:] {
			all = append(all, orders.Choice{ID: w, Names: []string{vocabulary.Spell(w, "it")}})
		}
		return all
	}()
)

// commandKeys are those by which a command of a list is written.
var commandKeys = []string{"id", "kind", "general", "name", "nation", "under", "aggression", "elements"}

// readCommands reads [{id: i, kind: c-in-c, general: cp-1, elements: [min1, min2]}].
func (a *armyList) readCommands(r *orders.Reader, n *orders.Node) {
	items := r.List(n)
	if len(items) > mostCommands {
		r.Refuse(n, "HFG-3.4", phrase.Say("hfg.list-many-commands", phrase.Number("most", mostCommands)))
		a.gaps.commands = true
		return
	}
	for _, item := range items {
		f := r.Fields(item, commandKeys...)
		if item.Kind != orders.Map {
			a.gaps.commands = true
			continue
		}
		since := len(r.Problems)
		c := listCommand{aggression: unsaid, at: nodes{"": item, "id": r.Require(f, "id"), "kind": r.Require(f, "kind"), "general": r.Require(f, "general")}}
		for _, key := range []string{"under", "aggression", "elements"} {
			c.at[key] = f.Get(key)
		}
		if one, ok := readID(r, c.at["id"]); ok {
			if slices.ContainsFunc(a.commands, func(o listCommand) bool { return orders.Fold(o.id) == orders.Fold(one) }) {
				r.Refuse(c.at["id"], "HFG-3.4", phrase.Say("hfg.list-command-twice", commandText(one)))
			}
			c.id = one
		}
		if word, ok := r.Word(c.at["kind"], rankWords[1:]...); ok {
			c.rank = rank(slices.Index(rankWords, word))
		}
		c.general, _ = readID(r, c.at["general"])
		c.name, c.nation = readName(r, f.Get("name")), readName(r, f.Get("nation"))
		c.under, _ = readID(r, c.at["under"])
		if v, ok := r.Int(c.at["aggression"], 0, mostAggression); ok {
			c.aggression = v
		}
		for _, one := range r.List(c.at["elements"]) {
			c.elements = append(c.elements, readIDs(r, one)...)
		}
		c.vague = len(r.Problems) > since
		a.gaps.commands = a.gaps.commands || c.vague
		a.commands = append(a.commands, c)
	}
}

// readPurchases reads [{entrenchment: 2}, {concealed-position: 1}].
func readPurchases(r *orders.Reader, n *orders.Node) []purchase {
	if r.Is(n, "none") {
		return nil
	}
	var all []purchase
	for _, item := range r.List(n) {
		word, value := r.Only(item, provisionWords[1:]...)
		if word == "" {
			continue
		}
		what := provisionOf(word)
		if bought(all, what) > 0 {
			r.Refuse(item, provisions[what].clause, phrase.Say("hfg.list-bought-twice", provisionText(what)))
		} else if number, ok := r.Int(value, 1, mostListed); ok {
			all = append(all, purchase{what: what, number: number, at: nodes{"": item, "number": value}})
		}
	}
	return all
}

// The things that faults of lists name.
func elementText(id string) phrase.Arg { return phrase.Literal("element", id) }

func commandText(id string) phrase.Arg { return phrase.Literal("command", id) }

func gradeText(g grade) phrase.Arg { return phrase.Name("grade", "grade", gradeWords[g]) }

func troopText(t troop) phrase.Arg { return phrase.Name("type", "type", t.String()) }

func provisionText(p provision) phrase.Arg {
	return phrase.Name("preparation", "preparation", p.String())
}

package hfg

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// An armyBook is a file of army lists: what elements cost, and the armies that a set-up may
// choose. The rulebook leaves both to such a book.
type armyBook struct {
	points [troopsEnd]int     // of a plain element
	grades [gradesEnd]premium // what a grade changes
	pairs  []armyPair
	lists  []bookList
}

// gradesEnd is how long lists by grade are: index 0 is unused.
const gradesEnd = int(flagship) + 1

// A premium is what a grade does to the points of an element: a factor, rounded up, or points
// that are added.
type premium struct{ over, under, more int }

// An armyPair is two lists of historical opponents (HFG-3.1).
type armyPair struct {
	id    string
	lists [2]int // indices of the book's lists
}

// A bookList is an army of the book with what the rulebook's lists say beside it.
type bookList struct {
	id         string
	name       string
	year       int
	aggression int
	enemy      string // the list that it fought
	terrain    listTerrain
	permits    []provision // that may be bought (HFG-6.12)
	army       *armyList
}

// A listTerrain is what a list says of the ground of its battles (HFG-4.3).
type listTerrain struct {
	dry    bool // streams that no river is made of are gullies (HFG-4.9)
	atMost map[pieceKind]int
}

// book is the built-in book. It is part of the program, so a fault in it is a programmer's
// mistake.
var book = sync.OnceValue(func() *armyBook {
	data, err := files.ReadFile("scenarios/armies.yaml")
	if err != nil {
		panic("hfg: " + err.Error())
	}
	b, faults := readBook(data)
	if len(faults) > 0 {
		panic("hfg: armies.yaml: " + faults.Error())
	}
	return b
})

// list finds a list by its id.
func (b *armyBook) list(id string) (*bookList, bool) {
	i := slices.IndexFunc(b.lists, func(l bookList) bool { return l.id == id })
	if i < 0 {
		return nil, false
	}
	return &b.lists[i], true
}

// pair finds a pair by its id.
func (b *armyBook) pair(id string) (*armyPair, bool) {
	i := slices.IndexFunc(b.pairs, func(p armyPair) bool { return p.id == id })
	if i < 0 {
		return nil, false
	}
	return &b.pairs[i], true
}

// Bounds of what an element costs, by the rulebook (section 3.7 of the digest).
const (
	leastPoints = 1
	mostPoints  = 50
)

// cost is what an element costs: the points of its type, changed by its grades in their order.
func (b *armyBook) cost(t troop, graded []grade) int {
	n := b.points[t]
	for _, g := range graded {
		if p := b.grades[g]; p.under > 0 {
			n = (n*p.over + p.under - 1) / p.under
		}
	}
	for _, g := range graded {
		n += b.grades[g].more
	}
	return min(max(n, leastPoints), mostPoints)
}

// price is what the elements of an army cost together, without preparations (HFG-3.2).
func (b *armyBook) price(a *armyList) int {
	n := 0
	for i := range a.elements {
		n += b.cost(a.elements[i].troop, a.elements[i].grades)
	}
	return n
}

// A bookReader reads a book.
type bookReader struct {
	play.Loader
	*armyBook
}

// readBook reads a file of army lists, strictly: every fault is told with its place, those of
// the lists too.
func readBook(data []byte) (*armyBook, orders.Problems) {
	b := &armyBook{}
	faults := play.ReadScenario(data, func(l play.Loader, root *orders.Node) {
		if !l.Of(root, "hfg") {
			return
		}
		r := &bookReader{l, b}
		f := l.Fields(root, "ruleset", "kind", "points", "grades", "pairs", "lists")
		l.Word(l.Require(f, "kind"), "armies")
		r.costs(l.Require(f, "points"))
		r.premiums(l.Require(f, "grades"))
		for _, n := range l.List(l.Require(f, "lists")) {
			r.list(n)
		}
		for _, n := range l.List(f.Get("pairs")) {
			r.pair(n)
		}
	})
	if len(faults) > 0 {
		return nil, faults
	}
	return b, nil
}

// costs reads {muskets: 9}: every type that a list may have.
func (r *bookReader) costs(n *orders.Node) {
	if n == nil {
		return
	}
	words := make([]string, len(troopChoices))
	for i, c := range troopChoices {
		words[i] = c.ID
	}
	f := r.Fields(n, words...)
	for _, w := range words {
		r.points[troopOf(w)], _ = r.Int(r.Require(f, w), leastPoints, mostPoints)
	}
}

// premiums reads {elite: 3/2, heavy: 4}; a grade that isn't named costs nothing.
func (r *bookReader) premiums(n *orders.Node) {
	if n == nil {
		return
	}
	f := r.Fields(n, gradeWords[1:]...)
	for g, w := range gradeWords {
		value := f.Get(w)
		if value == nil {
			continue
		}
		over, under, divided := strings.Cut(value.Text, "/")
		if !divided {
			r.grades[g].more, _ = r.Int(value, -mostPoints, mostPoints)
			continue
		}
		a, err := strconv.Atoi(over)
		d, err2 := strconv.Atoi(under)
		if err != nil || err2 != nil || a < 1 || d < 1 || a > mostPoints || d > mostPoints {
			r.Refuse(value, "HFG-3.2", phrase.Say("hfg.book-factor", phrase.Literal("text", value.Text)))
			continue
		}
		r.grades[g].over, r.grades[g].under = a, d
	}
}

// pair reads {id: borodino, lists: [french-1812, russian-1812]}: two lists of one year
// (HFG-3.1).
func (r *bookReader) pair(n *orders.Node) {
	f := r.Fields(n, "id", "lists", "why", "prov")
	p := armyPair{id: r.Name(r.Require(f, "id"))}
	if _, twice := r.armyBook.pair(p.id); twice {
		r.Refuse(f.Get("id"), "", phrase.Say("hfg.book-twice", phrase.Literal("name", p.id)))
	}
	items := r.List(r.Require(f, "lists"))
	if len(items) != len(p.lists) {
		r.Refuse(n, "HFG-3.1", phrase.Say("hfg.book-two"))
		return
	}
	for i, item := range items {
		p.lists[i] = slices.IndexFunc(r.lists, func(l bookList) bool { return l.id == item.Text })
		if p.lists[i] < 0 {
			r.Refuse(item, "HFG-3.1", phrase.Say("hfg.book-no-list", phrase.Literal("list", item.Text)))
			return
		}
	}
	if a, b := r.lists[p.lists[0]], r.lists[p.lists[1]]; a.year != b.year || a.id == b.id {
		r.Refuse(f.Get("lists"), "HFG-3.1", phrase.Say("hfg.book-years", phrase.Number("one", a.year), phrase.Number("other", b.year)))
	}
	r.pairs = append(r.pairs, p)
}

// list reads a list and judges it.
func (r *bookReader) list(n *orders.Node) {
	f := r.Fields(n, append([]string{"id", "name", "year", "ap", "aggression", "enemy", "terrain", "permits", "prov", "why", "note"}, armyKeys...)...)
	if n.Kind != orders.Map {
		return
	}
	l := bookList{name: r.Name(r.Require(f, "name"))}
	l.id, _ = readID(r.Reader, r.Require(f, "id"))
	if _, twice := r.armyBook.list(l.id); twice {
		r.Refuse(f.Get("id"), "", phrase.Say("hfg.book-twice", phrase.Literal("name", l.id)))
	}
	l.year, _ = r.Int(r.Require(f, "year"), firstYear, lastYear)
	l.aggression, _ = r.Int(r.Require(f, "aggression"), 0, mostAggression)
	if enemy := f.Get("enemy"); enemy != nil {
		l.enemy, _ = r.Text(enemy)
	}
	points := usualPoints
	if v := f.Get("ap"); v != nil {
		points, _ = r.Int(v, leastArmy, mostArmy)
	}
	r.terrain(f.Get("terrain"), &l.terrain)
	for _, item := range r.List(f.Get("permits")) {
		if word, ok := r.Word(item, provisionWords[1:]...); ok {
			l.permits = append(l.permits, provisionOf(word))
		}
	}
	before := len(r.Problems)
	if l.army = readArmy(r.Reader, f); len(r.Problems) == before {
		faults, _ := l.army.judged(listRules{book: r.armyBook, year: l.year, points: points, train: usualTrain, barricades: provisions[buysBarricade].defender, permits: l.permits})
		tellFaults(r.Reader, faults, n)
	}
	r.lists = append(r.lists, l)
}

// terrain reads {climate: dry, at_most: {river: 1}} (HFG-4.3, HFG-4.9).
func (r *bookReader) terrain(n *orders.Node, t *listTerrain) {
	f := r.Fields(n, "climate", "at_most")
	if word, ok := r.Word(f.Get("climate"), "temperate", "dry"); ok {
		t.dry = word == "dry"
	}
	most := r.Fields(f.Get("at_most"), pieceWords[1:]...)
	t.atMost = map[pieceKind]int{}
	for k, w := range pieceWords {
		if v := most.Get(w); v != nil && k > 0 {
			t.atMost[pieceKind(k)], _ = r.Int(v, 0, mostOfKind)
		}
	}
}

// Bounds of armies (HFG-3.1, HFG-3.2, HFG-3.3).
const (
	firstYear   = 1701
	lastYear    = 1914
	leastArmy   = 100
	mostArmy    = 1000
	usualPoints = 400
	usualTrain  = 1
)

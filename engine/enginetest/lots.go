// Package enginetest is a game small enough to be seen through, for testing
// whatever deals with games: the office, the letters, the command line. It has
// all that a real ruleset has: hidden numbers, two kinds of decision, one of
// them simultaneous, dice, answers by default, a page with a picture, and an
// end.
//
// The game is called lots. Each side has units of hidden strength. In a round
// (LOT-1) every side secretly bids a unit, or none. Each unit bid throws a die
// and adds its strength; the highest total wins the round, a tie nobody
// (LOT-2). The side with the lowest total, if it is alone at that and has more
// than one unit, then discards a unit (LOT-3). What was bid and discarded only
// the owner learns. After the last round the side with the most rounds wins;
// sides that are level share the win (LOT-4).
package enginetest

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

//go:embed words/*.yaml
var words embed.FS

// Lots is the ruleset.
type Lots struct{}

// Kinds of decision.
const (
	Bid     = "bid"     // of all sides at once: which unit to bid
	Discard = "discard" // of one side: which unit to lose
)

// About implements [engine.Ruleset].
func (Lots) About() engine.About {
	return engine.About{
		ID:        "lots",
		Scenarios: []string{"two", "three"},
		Options:   []engine.Option{{Name: "rounds", Values: []string{"3", "1", "2", "5", "20"}, Clause: "LOT-4"}},
		Stops:     []string{Bid, Discard},
	}
}

// Words implements [engine.Ruleset].
func (Lots) Words() fs.FS {
	sub, err := fs.Sub(words, "words")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return sub
}

var keywords = orders.NewWords(map[string][]string{
	"bid": {"offri"}, "discard": {"scarta"}, "none": {"nessuno"}, "default": {"predefinito"}, "yes": {"sì"}, "no": {"no"},
})

type side struct {
	Side  engine.Side `yaml:"side"`
	Units []unit      `yaml:"units"`
	Won   int         `yaml:"won"`
	Bid   string      `yaml:"bid,omitempty"` // last unit bid
}

type unit struct {
	ID       string `yaml:"id"`
	Strength int    `yaml:"strength"`
}

// A Game is a position of lots.
type Game struct {
	Round   int         `yaml:"round"`
	Rounds  int         `yaml:"rounds"`
	Players []side      `yaml:"sides"`
	Discard engine.Side `yaml:"discard,omitempty"` // who must discard; "": all bid
	Over    bool        `yaml:"over,omitempty"`
}

// New implements [engine.Ruleset].
func (l Lots) New(s engine.Setup) (engine.Position, error) {
	var problems orders.Problems
	refuse := func(code string, args ...phrase.Arg) {
		problems = append(problems, orders.Problem{Why: phrase.Say(code, args...)})
	}
	g := &Game{Round: 1, Rounds: 3}
	names := []engine.Side{"red", "blue"}
	switch s.Scenario {
	case "", "two":
	case "three":
		names = append(names, "green")
	default:
		refuse("lots.no-scenario", phrase.Literal("name", s.Scenario))
	}
	for name, value := range s.Options {
		if name != "rounds" {
			refuse("lots.no-option", phrase.Literal("name", name))
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || !slices.Contains(l.About().Options[0].Values, value) {
			refuse("lots.no-value", phrase.Literal("name", name), phrase.Literal("value", value))
			continue
		}
		g.Rounds = n
	}
	if problems != nil {
		slices.SortFunc(problems, func(a, b orders.Problem) int {
			return strings.Compare(fmt.Sprint(a.Why), fmt.Sprint(b.Why))
		})
		return nil, problems
	}
	for i, name := range names {
		p := side{Side: name}
		for n := 1; n <= 4; n++ {
			p.Units = append(p.Units, unit{ID: strings.ToUpper(string(name[:1])) + "-" + strconv.Itoa(n), Strength: (n*3+i*2)%5 + 1})
		}
		g.Players = append(g.Players, p)
	}
	return g, nil
}

// Load implements [engine.Ruleset].
func (Lots) Load(data []byte) (engine.Position, error) {
	g := &Game{}
	if err := orders.Unmarshal(data, g); err != nil {
		return nil, fmt.Errorf("load lots: %w", err)
	}
	return g, nil
}

// Sides implements [engine.Position].
func (g *Game) Sides() []engine.Side {
	var all []engine.Side
	for _, p := range g.Players {
		all = append(all, p.Side)
	}
	return all
}

// Owed implements [engine.Position].
func (g *Game) Owed() []engine.Decision {
	var all []engine.Decision
	for _, p := range g.Players {
		switch {
		case g.Over:
		case g.Discard == p.Side:
			all = append(all, engine.Decision{Side: p.Side, Kind: Discard})
		case g.Discard == "":
			all = append(all, engine.Decision{Side: p.Side, Kind: Bid})
		}
	}
	return all
}

// An Answer names a unit, or none.
type Answer struct{ Kind, Unit string }

// Orders implements [engine.Answer].
func (a Answer) Orders() *orders.Node {
	unit := a.Unit
	if unit == "" {
		unit = "none"
	}
	return orders.Mapping().Set("orders", orders.Inline().Set(a.Kind, orders.Text(unit)))
}

func (g *Game) player(name engine.Side) *side {
	for i := range g.Players {
		if g.Players[i].Side == name {
			return &g.Players[i]
		}
	}
	return nil
}

func (p *side) unit(id string) (unit, bool) {
	for _, u := range p.Units {
		if u.ID == id {
			return u, true
		}
	}
	return unit{}, false
}

// Advance implements [engine.Position].
func (g *Game) Advance(answers map[engine.Side]engine.Answer, dice engine.Dice) ([]engine.Event, error) {
	owed := g.Owed()
	if len(answers) != len(owed) {
		return nil, fmt.Errorf("advance lots: %d answers to %d decisions", len(answers), len(owed))
	}
	for _, d := range owed {
		a, ok := answers[d.Side].(Answer)
		if !ok || a.Kind != d.Kind {
			return nil, fmt.Errorf("advance lots: no %s of %s", d.Kind, d.Side)
		}
		if _, ok := g.player(d.Side).unit(a.Unit); !ok && (a.Unit != "" || d.Kind == Discard) {
			return nil, fmt.Errorf("advance lots: %s has no unit %q", d.Side, a.Unit)
		}
	}
	if g.Discard != "" {
		return g.discard(answers[g.Discard].(Answer)), nil
	}
	return g.bid(answers, dice), nil
}

func told(say phrase.Phrase, to ...engine.Side) engine.Telling {
	return engine.Telling{To: to, Say: say}
}

func (g *Game) bid(answers map[engine.Side]engine.Answer, dice engine.Dice) []engine.Event {
	var events []engine.Event
	totals := make([]int, len(g.Players))
	for i := range g.Players {
		p := &g.Players[i]
		a := answers[p.Side].(Answer)
		p.Bid = a.Unit
		if a.Unit == "" {
			events = append(events, engine.Event{Clause: "LOT-1", Tellings: []engine.Telling{told(phrase.Say("lots.passed"), p.Side)}})
			continue
		}
		u, _ := p.unit(a.Unit)
		die := dice.Roll(6, phrase.Say("lots.for", phrase.Name("unit", "unit", u.ID), phrase.Number("round", g.Round)))
		totals[i] = die + u.Strength
		events = append(events, engine.Event{Clause: "LOT-2", Tellings: []engine.Telling{
			told(phrase.Say("lots.threw", phrase.Name("unit", "unit", u.ID), phrase.Number("die", die), phrase.Number("total", totals[i])), p.Side),
		}})
	}
	high, low := slices.Max(totals), slices.Min(totals)
	won, alone := -1, -1
	for i, t := range totals {
		if t == high {
			won = i
			if count(totals, high) > 1 {
				won = -1
				break
			}
		}
	}
	for i, t := range totals {
		if t == low && count(totals, low) == 1 {
			alone = i
		}
	}
	if won >= 0 {
		g.Players[won].Won++
		events = append(events, engine.Event{Clause: "LOT-2", Tellings: []engine.Telling{
			told(phrase.Say("lots.won", phrase.Name("side", "side", string(g.Players[won].Side)), phrase.Number("round", g.Round)), g.Sides()...),
		}})
	} else {
		events = append(events, engine.Event{Clause: "LOT-2", Tellings: []engine.Telling{
			told(phrase.Say("lots.tie", phrase.Number("round", g.Round)), g.Sides()...),
		}})
	}
	if alone >= 0 && len(g.Players[alone].Units) > 1 {
		g.Discard = g.Players[alone].Side
		return events
	}
	return append(events, g.next()...)
}

func count(all []int, n int) int {
	found := 0
	for _, v := range all {
		if v == n {
			found++
		}
	}
	return found
}

func (g *Game) discard(a Answer) []engine.Event {
	p := g.player(g.Discard)
	p.Units = slices.DeleteFunc(p.Units, func(u unit) bool { return u.ID == a.Unit })
	g.Discard = ""
	events := []engine.Event{{Clause: "LOT-3", Tellings: []engine.Telling{
		told(phrase.Say("lots.lost", phrase.Name("unit", "unit", a.Unit)), p.Side),
	}}}
	return append(events, g.next()...)
}

func (g *Game) next() []engine.Event {
	if g.Round == g.Rounds {
		g.Over = true
		return []engine.Event{{Clause: "LOT-4", Tellings: []engine.Telling{told(phrase.Say("lots.over"), g.Sides()...)}}}
	}
	g.Round++
	return nil
}

// Outcome implements [engine.Position].
func (g *Game) Outcome() (engine.Outcome, bool) {
	if !g.Over {
		return engine.Outcome{}, false
	}
	most := 0
	for _, p := range g.Players {
		most = max(most, p.Won)
	}
	o := engine.Outcome{Reason: phrase.Say("lots.most", phrase.Number("n", most)), Clause: "LOT-4"}
	for _, p := range g.Players {
		if p.Won == most && most > 0 {
			o.Winners = append(o.Winners, p.Side)
		}
	}
	return o, true
}

// Clone implements [engine.Position].
func (g *Game) Clone() engine.Position {
	c := *g
	c.Players = slices.Clone(g.Players)
	for i := range c.Players {
		c.Players[i].Units = slices.Clone(g.Players[i].Units)
	}
	return &c
}

// Marshal implements [engine.Position].
func (g *Game) Marshal() ([]byte, error) { return orders.Marshal(g) }

// A View is what a side sees of lots: its own units, and of the others how many
// rounds they won. The number of their units is hidden.
type View struct {
	Who    engine.Side `yaml:"side"`
	Round  int         `yaml:"round"`
	Rounds int         `yaml:"rounds"`
	Own    []unit      `yaml:"own"`
	Won    []tally     `yaml:"won"`
	All    []side      `yaml:"all,omitempty"` // for the GM alone
}

type tally struct {
	Side engine.Side `yaml:"side"`
	Won  int         `yaml:"won"`
}

// View implements [engine.Position].
func (g *Game) View(who engine.Side) engine.View {
	v := &View{Who: who, Round: g.Round, Rounds: g.Rounds}
	for _, p := range g.Players {
		v.Won = append(v.Won, tally{p.Side, p.Won})
		if p.Side == who {
			v.Own = slices.Clone(p.Units)
		}
		if who == engine.GM {
			p.Units = slices.Clone(p.Units)
			v.All = append(v.All, p)
		}
	}
	return v
}

// Side implements [engine.View].
func (v *View) Side() engine.Side { return v.Who }

// Marshal implements [engine.View].
func (v *View) Marshal() ([]byte, error) { return orders.Marshal(v) }

// Spell implements [engine.View].
func (v *View) Spell(kind, id, language string) string {
	italian := map[string]string{
		"side red": "rosso", "side blue": "blu", "side green": "verde", "stop bid": "offerta", "stop discard": "scarto",
	}
	if name, ok := italian[kind+" "+id]; ok && language == "it" {
		return name
	}
	return id
}

// Page implements [engine.View].
func (v *View) Page() engine.Page {
	page := engine.Page{Title: phrase.Say("lots.round", phrase.Number("round", v.Round), phrase.Number("rounds", v.Rounds))}
	won := engine.Table{Head: []engine.Column{{Head: phrase.Say("lots.side")}, {Head: phrase.Say("lots.rounds-won"), Right: true}}}
	scene := &engine.Scene{Name: "table", Alt: phrase.Say("lots.table"), Width: 100 * len(v.Won), Height: 100, Paper: "#f4efe0",
		Ground: []engine.Mark{{Shape: engine.Line, Points: []engine.Point{{X: 0, Y: 80}, {X: 100 * len(v.Won), Y: 80}}, Stroke: "#333333", Width: 10}}}
	for i, t := range v.Won {
		side := phrase.Value{Kind: "side", Text: string(t.Side)}
		won.Rows = append(won.Rows, []phrase.Value{side, {Kind: phrase.KindNumber, Num: t.Won}})
		at := engine.Point{X: 100*i + 50, Y: 50}
		scene.Marks = append(scene.Marks,
			engine.Mark{Shape: engine.Disc, Points: []engine.Point{at}, Radius: 10 + 5*t.Won, Fill: "#8899aa"},
			engine.Mark{Shape: engine.Label, Points: []engine.Point{{X: at.X, Y: 90}}, Text: side, Size: 12, Fill: "#000000"})
	}
	page.Sections = append(page.Sections, engine.Section{Heading: phrase.Say("lots.table"), Picture: scene, Tables: []engine.Table{won}})
	list := func(heading phrase.Phrase, units []unit) {
		t := engine.Table{Head: []engine.Column{{Head: phrase.Say("lots.unit")}, {Head: phrase.Say("lots.strength"), Right: true}}}
		for _, u := range units {
			t.Rows = append(t.Rows, []phrase.Value{{Kind: "unit", Text: u.ID}, {Kind: phrase.KindNumber, Num: u.Strength}})
		}
		page.Sections = append(page.Sections, engine.Section{Heading: heading, Tables: []engine.Table{t}})
	}
	if v.Who == engine.GM {
		for _, p := range v.All {
			list(phrase.Say("lots.units-of", phrase.Name("side", "side", string(p.Side))), p.Units)
		}
	} else {
		list(phrase.Say("lots.units"), v.Own)
	}
	return page
}

func (v *View) choices() []orders.Choice {
	var all []orders.Choice
	for _, u := range v.Own {
		all = append(all, orders.Choice{ID: u.ID})
	}
	return all
}

// Read implements [engine.Ruleset].
func (l Lots) Read(view engine.View, d engine.Decision, doc *orders.Document) (engine.Answer, orders.Problems) {
	v := view.(*View)
	r := orders.NewReader(keywords)
	if doc.Standing != nil {
		r.Refuse(doc.Standing, "LOT-1", phrase.Say("lots.no-standing"))
	}
	a := Answer{Kind: d.Kind}
	switch n := doc.Orders; {
	case n == nil:
		r.Refuse(doc.Root, "LOT-1", phrase.Say("lots.no-orders"))
	case r.Is(n, "default"):
		a = l.Default(view, d).(Answer)
	default:
		f := r.Fields(n, d.Kind)
		value := r.Require(f, d.Kind)
		switch {
		case value == nil:
		case r.Is(value, "none") && d.Kind == Bid:
		case value.Kind == orders.List:
			// A list is never right, and each of its items may be wrong too.
			r.Refuse(value, "LOT-1", phrase.Say("lots.one-unit"))
			for _, item := range value.Items {
				r.Pick(item, "unit", v.choices())
			}
		default:
			a.Unit, _ = r.Pick(value, "unit", v.choices())
		}
	}
	if len(r.Problems) > 0 {
		r.Problems.Sort()
		return nil, r.Problems
	}
	return a, nil
}

// Template implements [engine.Ruleset].
func (Lots) Template(view engine.View, d engine.Decision) *orders.Node {
	var ids []string
	for _, u := range view.(*View).Own {
		ids = append(ids, u.ID)
	}
	return orders.Mapping().Set("orders", orders.Text("default").Remark("{"+d.Kind+": "+strings.Join(ids, " | ")+"}"))
}

// Default implements [engine.Ruleset].
func (Lots) Default(view engine.View, d engine.Decision) engine.Answer {
	a := Answer{Kind: d.Kind}
	if d.Kind == Discard {
		a.Unit = view.(*View).Own[0].ID
	}
	return a
}

// Random implements [engine.Ruleset].
func (Lots) Random(view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
	own := view.(*View).Own
	return Answer{Kind: d.Kind, Unit: own[chance.IntN(len(own))].ID}
}

// Sensible gives up the first unit that it can.
func (l Lots) Sensible(view engine.View, d engine.Decision, _ *rand.Rand) engine.Answer {
	return l.Default(view, d)
}

// Check implements [engine.Checked]: each side has units of its own alone, each
// once and of its strength; there is a next round, and who must discard can.
func (g *Game) Check(was engine.Position) orders.Problems {
	var problems orders.Problems
	refuse := func(clause, code string, args ...phrase.Arg) {
		problems = append(problems, orders.Problem{Clause: clause, Why: phrase.Say(code, args...)})
	}
	before, ok := was.(*Game)
	if !ok || !slices.Equal(before.Sides(), g.Sides()) {
		refuse("LOT-1", "lots.other-sides")
		return problems
	}
	for _, p := range g.Players {
		said := map[string]bool{}
		for _, u := range p.Units {
			n, err := strconv.Atoi(strings.TrimPrefix(u.ID, strings.ToUpper(string(p.Side[:1]))+"-"))
			if err != nil || n < 1 || n > 4 || said[u.ID] || u.Strength < 1 || u.Strength > 9 {
				refuse("LOT-1", "lots.no-such-unit", phrase.Name("side", "side", string(p.Side)), phrase.Name("unit", "unit", u.ID))
			}
			said[u.ID] = true
		}
		if len(p.Units) == 0 || p.Won < 0 {
			refuse("LOT-3", "lots.no-units", phrase.Name("side", "side", string(p.Side)))
		}
	}
	if g.Round < 1 || g.Round > g.Rounds {
		refuse("LOT-4", "lots.no-round", phrase.Number("round", g.Round))
	}
	if g.Discard != "" && (g.player(g.Discard) == nil || len(g.player(g.Discard).Units) < 2) {
		refuse("LOT-3", "lots.no-discard")
	}
	return problems
}

// Option implements [engine.Optional]: the number of rounds can be changed.
func (l Lots) Option(name, value string) (*orders.Node, error) {
	if name != "rounds" || !slices.Contains(l.About().Options[0].Values, value) {
		return nil, fmt.Errorf("change option %s of lots to %s: there is no such value", name, value)
	}
	return orders.Mapping().Set("rounds", orders.Text(value)), nil
}

// Same tells whether two positions are the same, as their files tell.
func Same(a, b engine.Position) (bool, error) {
	x, errX := a.Marshal()
	y, errY := b.Marshal()
	return bytes.Equal(x, y), errors.Join(errX, errY)
}

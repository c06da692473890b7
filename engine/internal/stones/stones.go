// Package stones is a very small game with secrets, for testing what plays and
// checks rulesets. Each of two sides holds stones in two hands; only the total is
// open. Both throw secretly; who throws less, with a die added, pays a stone from
// the hand that it chooses. Who has none left loses.
//
// A ruleset of this package can be given faults, to see that they are found.
package stones

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Faults that a ruleset may have.
type Faults struct {
	LeakView     bool // the enemy's hands are in the view
	LeakPage     bool // on the page
	LeakRefusal  bool // in the faults of an order file
	LeakChoice   bool // in the order of what may be chosen
	Forget       bool // a position does not read back
	Share        bool // a clone shares the hands
	Greedy       bool // a random answer throws more than there is
	OddTemplate  bool // the template is not the default
	Misplaced    bool // a problem lies outside the file
	PanicOnThree bool // reading a throw of 3 panics
	Endless      bool // nobody ever pays
	Lose         bool // a stone gets lost on the way
	Overoffer    bool // one stone more is offered than there is
	Underoffer   bool // one stone less
}

// Rules are the ruleset.
type Rules struct{ Faults Faults }

var sides = []engine.Side{"red", "blue"}

func index(side engine.Side) int {
	if side == "blue" {
		return 1
	}
	return 0
}

type hands struct {
	Left  int `yaml:"left,omitempty"`
	Right int `yaml:"right,omitempty"`
}

// Position is a game of stones.
type Position struct {
	rules  Rules
	hands  []hands // by side
	turn   int
	payer  engine.Side
	secret int // not marshalled: only a fault uses it
}

type positionDoc struct {
	Turn  int         `yaml:"turn"`
	Red   hands       `yaml:"red"`
	Blue  hands       `yaml:"blue"`
	Payer engine.Side `yaml:"payer,omitempty"`
}

// About implements [engine.Ruleset].
func (r Rules) About() engine.About {
	return engine.About{ID: "stones", Scenarios: []string{"small"}, Options: []engine.Option{{Name: "stones", Values: []string{"3", "5"}, Clause: "STO-1.1"}}}
}

// New implements [engine.Ruleset].
func (r Rules) New(s engine.Setup) (engine.Position, error) {
	n := 3
	for name, value := range s.Options {
		if name != "stones" || value != "3" && value != "5" {
			return nil, orders.Problems{{Clause: "STO-1.1", Why: phrase.Say("stones.no-option", phrase.Literal("name", name), phrase.Literal("value", value))}}
		}
		n, _ = strconv.Atoi(value)
	}
	if s.Scenario != "" && s.Scenario != "small" {
		return nil, fmt.Errorf("new game: no scenario %q", s.Scenario)
	}
	return &Position{rules: r, turn: 1, hands: []hands{{n, 2}, {n, 2}}}, nil
}

// Load implements [engine.Ruleset].
func (r Rules) Load(data []byte) (engine.Position, error) {
	var d positionDoc
	if err := orders.Unmarshal(data, &d); err != nil {
		return nil, err
	}
	return &Position{rules: r, turn: d.Turn, hands: []hands{d.Red, d.Blue}, payer: d.Payer}, nil
}

// digest are the rules.
const digest = `# The game of stones
- **STO-1.1** Each side begins with 3 stones in the left hand (or 5, by option) and 2 in the right.
- **STO-2.1** Both throw a stone or more out of one hand, in secret.
- **STO-2.2** Who has thrown less, with a die added, pays a stone out of a hand of his choice.
- **STO-3.1** Who has no stone left loses.
`

// Clauses implements [engine.Documented].
func (r Rules) Clauses() []engine.Clause { return engine.ReadClauses(digest, "STO-") }

// GivenKeys implements cases.Stager.
func (r Rules) GivenKeys() []string { return []string{"stones"} }

// ScenarioFile implements cases.Stager: the game has no files.
func (r Rules) ScenarioFile(engine.Setup) ([]byte, error) { return nil, nil }

// Stage implements cases.Stager: {red: 4 1} are four stones left and one right.
func (r Rules) Stage(reader *orders.Reader, given orders.Fields, _ engine.Setup, _ *orders.Node) *orders.Node {
	all := given.Get("stones")
	f := reader.Fields(all, "red", "blue")
	over := orders.Mapping()
	for _, side := range sides {
		n := f.Get(string(side))
		text, ok := reader.Text(n)
		if !ok {
			continue
		}
		left, right, _ := strings.Cut(text, " ")
		_, noLeft := strconv.Atoi(left)
		_, noRight := strconv.Atoi(right)
		if noLeft != nil || noRight != nil {
			reader.Refuse(n, "STO-1.1", phrase.Say("stones.want-hands"))
			continue
		}
		over.Set(string(side), orders.Inline().Set("left", orders.Text(left)).Set("right", orders.Text(right)))
		over.Pairs[len(over.Pairs)-1].Key.Line = n.Line
		for _, pair := range over.Get(string(side)).Pairs {
			pair.Key.Line, pair.Value.Line = n.Line, n.Line
		}
	}
	return over
}

// PositionForm implements cases.Former.
func (r Rules) PositionForm() string {
	return `turn: 1   # from 1
red: {left: 3, right: 2}   # the stones of each hand
blue: {left: 3, right: 2}
payer: red   # who must pay; without it both throw
`
}

// Words implements [engine.Ruleset].
func (r Rules) Words() fs.FS { return fstest.MapFS{} }

// Sides implements [engine.Position].
func (p *Position) Sides() []engine.Side { return sides }

func (p *Position) total(i int) int { return p.hands[i].Left + p.hands[i].Right }

// Owed implements [engine.Position].
func (p *Position) Owed() []engine.Decision {
	if _, over := p.Outcome(); over {
		return nil
	}
	if p.payer != "" {
		return []engine.Decision{{Side: p.payer, Kind: "pay"}}
	}
	return []engine.Decision{{Side: "red", Kind: "throw", At: "table"}, {Side: "blue", Kind: "throw", At: "table"}}
}

// Outcome implements [engine.Position].
func (p *Position) Outcome() (engine.Outcome, bool) {
	for i := range sides {
		if p.total(i) == 0 {
			return engine.Outcome{Winners: []engine.Side{sides[1-i]}, Clause: "STO-3.1", Reason: phrase.Say("stones.out", phrase.Name("side", "side", string(sides[i])))}, true
		}
	}
	return engine.Outcome{}, false
}

// Clone implements [engine.Position].
func (p *Position) Clone() engine.Position {
	c := *p
	if !p.rules.Faults.Share {
		c.hands = append([]hands(nil), p.hands...)
	}
	return &c
}

// Marshal implements [engine.Position].
func (p *Position) Marshal() ([]byte, error) {
	d := positionDoc{Turn: p.turn, Red: p.hands[0], Blue: p.hands[1], Payer: p.payer}
	if p.rules.Faults.Forget {
		p.secret++
		d.Turn += p.secret
	}
	return orders.Marshal(d)
}

// Scramble moves stones of the other side between its hands.
func Scramble(position engine.Position, side engine.Side, chance *rand.Rand) engine.Position {
	p := position.(*Position)
	c := *p
	c.hands = append([]hands(nil), p.hands...)
	other := 1 - index(side)
	left := chance.IntN(p.total(other) + 1)
	c.hands[other] = hands{left, p.total(other) - left}
	return &c
}

// Advance implements [engine.Position].
func (p *Position) Advance(answers map[engine.Side]engine.Answer, dice engine.Dice) ([]engine.Event, error) {
	var events []engine.Event
	if p.payer != "" {
		a, ok := answers[p.payer].(answer)
		if !ok {
			return nil, fmt.Errorf("advance: no answer of %s", p.payer)
		}
		i := index(p.payer)
		if !p.rules.Faults.Endless {
			*p.hand(i, a.from)--
		}
		if p.rules.Faults.Lose && p.total(1-i) > 1 {
			p.hands[1-i] = hands{p.total(1-i) - 1, 0}
		}
		events = append(events, engine.Event{Clause: "STO-2.2", Tellings: []engine.Telling{
			{To: []engine.Side{p.payer}, Say: phrase.Say("stones.paid", phrase.Literal("from", a.from))},
			{To: []engine.Side{sides[1-i]}, Say: phrase.Say("stones.they-paid")},
		}})
		p.payer = ""
		p.turn++
		return events, nil
	}
	var sum [2]int
	for i, side := range sides {
		a, ok := answers[side].(answer)
		if !ok {
			return nil, fmt.Errorf("advance: no answer of %s", side)
		}
		die := dice.Roll(6, phrase.Say("stones.throw-die", phrase.Name("side", "side", string(side))))
		sum[i] = a.n + die
		events = append(events, engine.Event{Clause: "STO-2.1", Tellings: []engine.Telling{
			{To: sides, Say: phrase.Say("stones.threw", phrase.Name("side", "side", string(side)), phrase.Number("n", a.n), phrase.Numbers("dice", []int{die}))},
		}})
	}
	switch {
	case sum[0] < sum[1]:
		p.payer = "red"
	case sum[1] < sum[0]:
		p.payer = "blue"
	default:
		p.turn++
	}
	return events, nil
}

func (p *Position) hand(i int, name string) *int {
	if name == "left" {
		return &p.hands[i].Left
	}
	return &p.hands[i].Right
}

// View is what a side sees.
type View struct {
	side   engine.Side
	own    hands
	totals [2]int
	turn   int
	leak   hands
	faults Faults
}

// View implements [engine.Position].
func (p *Position) View(side engine.Side) engine.View {
	i := index(side)
	return &View{side: side, own: p.hands[i], totals: [2]int{p.total(0), p.total(1)}, turn: p.turn, leak: p.hands[1-i], faults: p.rules.Faults}
}

// Side implements [engine.View].
func (v *View) Side() engine.Side { return v.side }

// Spell implements [engine.View].
func (v *View) Spell(_, id, _ string) string { return id }

// Page implements [engine.View].
func (v *View) Page() engine.Page {
	cells := []phrase.Value{{Kind: phrase.KindNumber, Num: v.totals[0]}, {Kind: phrase.KindNumber, Num: v.totals[1]}}
	if v.faults.LeakPage {
		cells[0].Num = v.leak.Left
	}
	return engine.Page{Title: phrase.Say("stones.title", phrase.Number("turn", v.turn)), Sections: []engine.Section{{
		Heading: phrase.Say("stones.totals"),
		Tables:  []engine.Table{{Head: []engine.Column{{}, {}}, Rows: [][]phrase.Value{cells}}},
	}}}
}

// Marshal implements [engine.View].
func (v *View) Marshal() ([]byte, error) {
	d := struct {
		Side  engine.Side `yaml:"side"`
		Own   hands       `yaml:"own"`
		Red   int         `yaml:"red"`
		Blue  int         `yaml:"blue"`
		Enemy hands       `yaml:"enemy,omitempty"`
	}{Side: v.side, Own: v.own, Red: v.totals[0], Blue: v.totals[1]}
	if v.faults.LeakView {
		d.Enemy = v.leak
	}
	return orders.Marshal(d)
}

type answer struct {
	kind string
	from string
	n    int
}

// Orders implements [engine.Answer].
func (a answer) Orders() *orders.Node {
	what := orders.Inline().Set("from", orders.Text(a.from))
	if a.kind == "throw" {
		what.Set("n", orders.Number(a.n))
	}
	return orders.Mapping().Set("orders", orders.Inline().Set(a.kind, what))
}

func (v *View) of(hand string) int {
	if hand == "left" {
		return v.own.Left
	}
	return v.own.Right
}

func (v *View) fullest() string {
	if v.own.Right > v.own.Left {
		return "right"
	}
	return "left"
}

// Read implements [engine.Ruleset].
func (r Rules) Read(view engine.View, d engine.Decision, doc *orders.Document) (engine.Answer, orders.Problems) {
	v := view.(*View)
	if doc.Orders == nil {
		return r.Default(view, d), nil
	}
	reader := orders.NewReader(orders.NewWords())
	a := answer{kind: d.Kind}
	_, body := reader.Only(doc.Orders, d.Kind)
	f := reader.Fields(body, "from", "n")
	from := reader.Require(f, "from")
	a.from, _ = reader.Word(from, "left", "right")
	if d.Kind == "throw" {
		a.n, _ = reader.Int(reader.Require(f, "n"), 1, 10)
		if r.Faults.PanicOnThree && a.n == 3 {
			panic("three")
		}
		if a.from != "" && a.n > v.of(a.from) {
			args := []phrase.Arg{phrase.Number("n", v.of(a.from))}
			if r.Faults.LeakRefusal {
				args = append(args, phrase.Number("enemy", v.leak.Left))
			}
			reader.Refuse(f.Get("n"), "STO-2.1", phrase.Say("stones.too-many", args...))
			if r.Faults.Misplaced {
				reader.Problems[len(reader.Problems)-1].Line += 100
			}
		}
	} else if a.from != "" && v.of(a.from) == 0 {
		reader.Refuse(from, "STO-2.2", phrase.Say("stones.empty-hand", phrase.Literal("hand", a.from)))
	}
	if len(reader.Problems) > 0 {
		return nil, reader.Problems
	}
	return a, nil
}

// Template implements [engine.Ruleset].
func (r Rules) Template(view engine.View, d engine.Decision) *orders.Node {
	n := r.Default(view, d).Orders()
	if r.Faults.OddTemplate {
		n = orders.Mapping().Set("orders", orders.Inline().Set("pay", orders.Inline().Set("from", orders.Text("right"))))
	}
	n.Above = "one stone at least"
	for _, c := range r.choices(view, d, nil) {
		n.Above += "\n" + c.Shown
	}
	return n
}

// Choices implements [engine.Chooser].
func (r Rules) Choices(view engine.View, d engine.Decision, made []engine.Choice) []engine.Choice {
	list := r.choices(view, d, made)
	if r.Faults.LeakChoice && view.(*View).leak.Left%2 == 1 {
		slices.Reverse(list)
	}
	return list
}

func (r Rules) choices(view engine.View, d engine.Decision, made []engine.Choice) []engine.Choice {
	v := view.(*View)
	var list []engine.Choice
	for _, hand := range []string{"left", "right"} {
		n := v.of(hand)
		if len(made) > 0 || n == 0 {
			continue
		}
		c := engine.Choice{Of: hand, What: d.Kind, Shown: hand}
		if d.Kind == "throw" {
			c.Measure, c.Low, c.High = true, 1, n
			if r.Faults.Overoffer {
				c.High++
			}
			if r.Faults.Underoffer && n > 1 {
				c.High--
			}
			c.Shown = hand + ", max " + strconv.Itoa(n)
		}
		list = append(list, c)
	}
	return list
}

// Compose implements [engine.Chooser].
func (r Rules) Compose(view engine.View, d engine.Decision, made []engine.Choice) engine.Answer {
	if len(made) == 0 {
		return r.Default(view, d)
	}
	return answer{kind: d.Kind, from: made[0].Of, n: made[0].Value}.fit()
}

// Chosen implements [engine.Chooser].
func (r Rules) Chosen(view engine.View, d engine.Decision, given engine.Answer) []engine.Choice {
	a := given.(answer)
	return []engine.Choice{{Of: a.from, What: d.Kind, Measure: d.Kind == "throw", Value: a.n}}
}

// Default implements [engine.Ruleset].
func (r Rules) Default(view engine.View, d engine.Decision) engine.Answer {
	return answer{kind: d.Kind, from: view.(*View).fullest(), n: 1}.fit()
}

func (a answer) fit() answer {
	if a.kind == "pay" {
		a.n = 0
	}
	return a
}

// Random implements [engine.Ruleset].
func (r Rules) Random(view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
	v := view.(*View)
	a := answer{kind: d.Kind, from: []string{"left", "right"}[chance.IntN(2)]}
	if v.of(a.from) == 0 {
		a.from = v.fullest()
	}
	a.n = 1 + chance.IntN(v.of(a.from))
	if r.Faults.Greedy && d.Kind == "throw" {
		a.n = v.of(a.from) + 1
	}
	return a.fit()
}

// Sensible implements [engine.Ruleset]: it keeps the heaps even.
func (r Rules) Sensible(view engine.View, d engine.Decision, _ *rand.Rand) engine.Answer {
	return r.Default(view, d)
}

// Package faulty is the game of lots (package enginetest) with faults that can be
// chosen, to see that they are found by what plays and checks rulesets.
package faulty

import (
	"math/rand/v2"
	"slices"

	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Faults that a ruleset may have.
type Faults struct {
	LeakView    bool   // the others' units are in the view
	LeakPage    bool   // on the page
	LeakRefusal bool   // in the faults of an order file
	LeakChoice  bool   // in the order of what may be chosen
	Forget      bool   // a position does not read back
	Share       bool   // a clone shares what it has of the sides
	Greedy      bool   // a random answer bids what the side does not have
	OddTemplate bool   // the template is not the default
	Misplaced   bool   // a problem lies outside the file
	PanicOn     string // reading this bid panics
	Endless     bool   // the last round never comes
	Lose        bool   // a unit gets lost on the way
	Overoffer   bool   // a unit is offered that the side does not have
	Underoffer  bool   // no bid is not offered
}

// Rules are the game with faults. It implements [engine.Ruleset].
type Rules struct {
	enginetest.Lots
	faults Faults
}

// New gives the ruleset.
func New(faults Faults) Rules { return Rules{enginetest.New(), faults} }

type position struct {
	*enginetest.Game
	faults Faults
	looked int
}

func (r Rules) wrap(p engine.Position, err error) (engine.Position, error) {
	if err != nil {
		return nil, err
	}
	return &position{Game: p.(*enginetest.Game), faults: r.faults}, nil
}

// New implements [engine.Ruleset].
func (r Rules) New(s engine.Setup) (engine.Position, error) { return r.wrap(r.Lots.New(s)) }

// Load implements [engine.Ruleset].
func (r Rules) Load(data []byte) (engine.Position, error) { return r.wrap(r.Lots.Load(data)) }

// Sample implements [engine.Sampler].
func (r Rules) Sample(v engine.View, d engine.Decision, chance *rand.Rand) (engine.Position, error) {
	return r.wrap(r.Lots.Sample(sound(v), d, chance))
}

// Scramble changes units of the other sides: how many they have, and their strength.
func Scramble(p engine.Position, side engine.Side, chance *rand.Rand) engine.Position {
	c := p.Clone().(*position)
	for i := range c.Players {
		if other := &c.Players[i]; other.Side != side {
			if len(other.Units) > 2 { // one less could not discard
				other.Units = other.Units[:len(other.Units)-chance.IntN(2)]
			}
			for k := range other.Units {
				other.Units[k].Strength = 1 + chance.IntN(5)
			}
		}
	}
	return c
}

func (p *position) Clone() engine.Position {
	c := *p.Game
	if !p.faults.Share {
		c = *p.Game.Clone().(*enginetest.Game)
	}
	return &position{Game: &c, faults: p.faults}
}

func (p *position) Marshal() ([]byte, error) {
	c := *p.Game
	if p.faults.Forget {
		p.looked++
		c.Round += p.looked
	}
	return c.Marshal()
}

func (p *position) Advance(answers map[engine.Side]engine.Answer, dice engine.Dice) ([]engine.Event, error) {
	events, err := p.Game.Advance(answers, dice)
	if p.faults.Endless {
		p.Round, p.Over = 1, false
	}
	if first := &p.Players[0]; p.faults.Lose && len(first.Units) > 1 {
		first.Units = first.Units[1:]
	}
	return events, err
}

// A view knows what it should not: the strength of all units.
type view struct {
	*enginetest.View
	faults Faults
	secret int
}

func (p *position) View(side engine.Side) engine.View {
	v := &view{View: p.Game.View(side).(*enginetest.View), faults: p.faults}
	for _, other := range p.Players {
		for _, u := range other.Units {
			v.secret = 10*v.secret + u.Strength
		}
	}
	if p.faults.LeakView {
		v.Round += v.secret
	}
	return v
}

func (v *view) Page() engine.Page {
	page := v.View.Page()
	if v.faults.LeakPage {
		page.Title = phrase.Say("lots.round", phrase.Number("round", v.secret), phrase.Number("rounds", v.Rounds))
	}
	return page
}

// sound is the view as the sound ruleset knows it.
func sound(v engine.View) engine.View {
	if v, ok := v.(*view); ok {
		return v.View
	}
	return v
}

// unjudged is a bid in an order file that nobody has judged.
type unjudged string

// Orders implements [engine.Answer].
func (a unjudged) Orders() *orders.Node {
	return orders.Mapping().Set("orders", orders.Inline().Set(enginetest.Bid, orders.Text(string(a))))
}

// Read implements [engine.Ruleset].
func (r Rules) Read(v engine.View, d engine.Decision, doc *orders.Document) (engine.Answer, orders.Problems) {
	if r.faults.PanicOn != "" && doc.Orders != nil && doc.Orders.Get(enginetest.Bid) != nil && doc.Orders.Get(enginetest.Bid).Text == r.faults.PanicOn {
		panic(r.faults.PanicOn)
	}
	a, problems := r.Lots.Read(sound(v), d, doc)
	for i := range problems {
		p := &problems[i]
		if r.faults.LeakRefusal {
			p.Why.Args = append(p.Why.Args, phrase.Number("secret", v.(*view).secret))
		}
		if r.faults.Misplaced {
			p.Line += 100
		}
	}
	return a, problems
}

// Template implements [engine.Ruleset].
func (r Rules) Template(v engine.View, d engine.Decision) *orders.Node {
	if own := v.(*view).Own; r.faults.OddTemplate && d.Kind == enginetest.Bid {
		return unjudged(own[0].ID).Orders()
	}
	return r.Lots.Template(sound(v), d)
}

// Default implements [engine.Ruleset].
func (r Rules) Default(v engine.View, d engine.Decision) engine.Answer {
	return r.Lots.Default(sound(v), d)
}

// Random implements [engine.Ruleset].
func (r Rules) Random(v engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
	if r.faults.Greedy && d.Kind == enginetest.Bid {
		return unjudged("R-9")
	}
	return r.Lots.Random(sound(v), d, chance)
}

// Sensible implements [engine.Ruleset].
func (r Rules) Sensible(v engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
	return r.Lots.Sensible(sound(v), d, chance)
}

// Choices implements [engine.Chooser].
func (r Rules) Choices(v engine.View, d engine.Decision, made []engine.Choice) []engine.Choice {
	list := r.Lots.Choices(sound(v), d, made)
	switch {
	case d.Kind != enginetest.Bid || len(made) > 0:
	case r.faults.Overoffer:
		list = append(list, engine.Choice{Of: "R-9", What: enginetest.Bid})
	case r.faults.Underoffer:
		list = list[:len(list)-1]
	case r.faults.LeakChoice && v.(*view).secret%2 == 1:
		slices.Reverse(list)
	}
	return list
}

// Compose implements [engine.Chooser].
func (r Rules) Compose(v engine.View, d engine.Decision, made []engine.Choice) engine.Answer {
	return r.Lots.Compose(sound(v), d, made)
}

// Chosen implements [engine.Chooser].
func (r Rules) Chosen(v engine.View, d engine.Decision, a engine.Answer) []engine.Choice {
	return r.Lots.Chosen(sound(v), d, a)
}

// Cautions implements [engine.Cautious].
func (r Rules) Cautions(v engine.View, d engine.Decision, a engine.Answer) []engine.Caution {
	if _, ok := a.(unjudged); ok {
		return nil
	}
	return r.Lots.Cautions(sound(v), d, a)
}

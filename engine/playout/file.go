package playout

import (
	"math/rand/v2"
	"slices"

	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/shape"
	"berthier/orders"
)

// filing is what waits in a game in which answers are filed ahead.
type filing struct {
	game   Game
	chance *rand.Rand
	waits  map[engine.Side]*ahead.Filed
}

// answer answers what is owed: by what was filed ahead where that fits, else by a file, which
// may file something ahead itself. A file takes the place of all that waits; one that says
// nothing leaves what waits for any stop of a kind.
func (f filing) answer(m *Moment, choose Chooser) {
	m.Answers, m.Filed = make(map[engine.Side]engine.Answer, len(m.Owed)), map[engine.Side]bool{}
	for _, d := range m.Owed {
		view, waits := m.Position.View(d.Side), f.waits[d.Side]
		if !waits.None() {
			if o := waits.Answer(f.game.Rules, view, d, false); o.Answer != nil {
				m.Answers[d.Side], m.Filed[d.Side] = o.Answer, true
				continue
			}
		}
		a := choose(f.game.Rules, view, d, f.chance)
		m.Answers[d.Side] = a
		if f.game.File == nil {
			continue
		}
		if text := f.game.File(f.game.Rules, view, d, a, f.chance); text != "" {
			filed := ahead.File(f.game.Rules, m.Position, d.Side, text)
			f.waits[d.Side] = &filed
		} else if !waits.None() {
			sheet, _ := ahead.Sheet(f.game.Rules)
			waits.Void(sheet)
		}
	}
}

// asked are the stops that open for each side because something waits for them.
func (f filing) asked() map[engine.Side][]string {
	if len(f.waits) == 0 {
		return nil
	}
	sheet, _ := ahead.Sheet(f.game.Rules)
	asked := map[engine.Side][]string{}
	for side, waits := range f.waits {
		if kinds := waits.Kinds(sheet); len(kinds) > 0 {
			asked[side] = kinds
		}
	}
	return asked
}

// lapse drops what has lapsed where a game stands.
func (f filing) lapse(p engine.Position) {
	for side, waits := range f.waits {
		if waits.Lapsed(p) {
			delete(f.waits, side)
		}
	}
}

// longest is how many stops of a row are filed ahead at most.
const longest = 12

// Joined files the answers to the stops that follow at once with nothing in between: the
// questions that a letter asks together. With them it files what is given besides.
func Joined(choose Chooser, besides *orders.Node) Filer {
	return func(rules engine.Ruleset, view engine.View, d engine.Decision, a engine.Answer, chance *rand.Rand) string {
		row := orders.Items()
		for range longest {
			next, ok := engine.Follow(rules, view, d, a)
			if !ok {
				break
			}
			a = choose(rules, next.View, next.Decision, chance)
			row.Add(orders.Mapping().Set(next.Decision.Kind, a.Orders().Get("orders")))
			view, d = next.View, next.Decision
		}
		return filed(rules, view, row, besides)
	}
}

// worlds is in how many made-up worlds a side looks for what it may be asked next.
const worlds = 8

// Ahead files the answers to all stops of a row of its side: what it would answer if dice
// and enemies were as in some worlds that are made up from its view. In these the enemy is
// taken to have the policies of the side. With them it files what is given besides.
func Ahead(choose Chooser, besides *orders.Node) Filer {
	return func(rules engine.Ruleset, view engine.View, d engine.Decision, a engine.Answer, chance *rand.Rand) string {
		sampler, ok := rules.(engine.Sampler)
		if !ok {
			return ""
		}
		row := orders.Items()
		for range worlds {
			guessRow(rules, sampler, view, d, a, choose, chance, row)
		}
		return filed(rules, view, row, besides)
	}
}

// guessRow adds to a row what a side would answer in one made-up world, place by place, until
// others are asked and it is not; what another world has put there stays. Who is asked
// together with the side is guessed to be a fair player.
func guessRow(rules engine.Ruleset, sampler engine.Sampler, view engine.View, d engine.Decision, a engine.Answer, choose Chooser, chance *rand.Rand, row *orders.Node) {
	p, err := sampler.Sample(view, d, chance)
	if err != nil {
		return
	}
	minor, dice := answered(rules, view), NewDice(chance.Uint64())
	place := 0
	for steps := 0; place <= longest && steps < 4*longest; steps++ {
		given := map[engine.Side]engine.Answer{}
		own, others := false, false
		for _, owed := range p.Owed() {
			switch {
			case owed.Side == d.Side && place == 0:
				own, given[owed.Side] = true, a
			case owed.Side == d.Side:
				answer := choose(rules, p.View(d.Side), owed, chance)
				if place > len(row.Items) {
					row.Add(orders.Mapping())
				}
				if at := row.Items[place-1]; at.Get(owed.Kind) == nil {
					at.Set(owed.Kind, answer.Orders().Get("orders"))
				}
				own, given[owed.Side] = true, answer
			default:
				others = others || !slices.Contains(minor, owed.Kind)
				given[owed.Side] = rules.Sensible(p.View(owed.Side), owed, chance)
			}
		}
		if own {
			place++
		}
		if len(given) == 0 || others && !own {
			return
		}
		if _, err := p.Advance(given, dice); err != nil {
			return
		}
	}
}

// answered are the kinds of stops that the policies of a view's side answer.
func answered(rules engine.Ruleset, view engine.View) (kinds []string) {
	policied, ok := rules.(engine.Policied)
	if !ok {
		return nil
	}
	for _, p := range policied.Policies(view) {
		if !p.Asks() {
			kinds = append(kinds, p.Stops...)
		}
	}
	return kinds
}

// filed writes what is filed ahead as the office does.
func filed(rules engine.Ruleset, view engine.View, row, besides *orders.Node) string {
	all := orders.Mapping()
	if besides != nil {
		all = besides.Clone()
	}
	if len(row.Items) > 0 {
		all.Set(shape.Next, row)
	}
	if len(all.Pairs) == 0 {
		return ""
	}
	text, faults := ahead.Read(rules, view, all)
	if len(faults) > 0 {
		panic("playout: what the program writes does not read: " + faults.Error() + "\n" + all.Encode())
	}
	return text
}

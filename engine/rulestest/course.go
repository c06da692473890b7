package rulestest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/story"
	"berthier/orders/phrase"
)

// Course plays games and checks what is told of how they went. The tally is public: all sides,
// observers and the game master count the same, and whoever changes what a side can't see
// changes none of it, nor of the course that the side reads while the game goes on. Luck counts
// every die: the dice of all events are those that were rolled, but for purposes that bring
// nobody luck, which are named. All of it has words.
func Course(t *testing.T, rules engine.Ruleset, setups []Setup, games int, neutral ...string) {
	t.Helper()
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	chronicled, sampler := rules.(engine.Chronicled), rules.(engine.Sampler)
	words := map[string]map[string]string{"en": Catalogue(t, rules.Words(), "en"), "it": Catalogue(t, rules.Words(), "it")}
	told, sampled, dice := 0, 0, 0
	for i := range games {
		setup := setups[i%len(setups)]
		chance := rand.New(rand.NewPCG(uint64(i), 58))
		own := map[engine.Side][]story.Moment{}
		var whole []story.Moment
		_, err := playout.Run(rules, setup.Setup, uint64(4000+i), func(m playout.Moment) error {
			sides := m.Position.Sides()
			tally, err := sameTally(chronicled, m.Position)
			if err != nil {
				return fmt.Errorf("stop %d: %w", m.Number, err)
			}
			moment := story.Moment{After: tally}
			for _, e := range m.Events {
				moment.Told = append(moment.Told, e.Tellings[0].Say)
			}
			n, err := everyDie(chronicled, moment.Told, m.Rolls, neutral)
			if dice += n; err != nil {
				return fmt.Errorf("stop %d: %w", m.Number, err)
			}
			whole = append(whole, moment)
			for _, side := range sides {
				mine := story.Moment{After: tally}
				for _, e := range m.Events {
					if say, ok := e.For(side); ok {
						mine.Told = append(mine.Told, say)
					}
				}
				own[side] = append(own[side], mine)
			}
			for _, d := range m.Owed {
				if m.Number%7 != 0 {
					continue
				}
				other, err := sampler.Sample(m.Position.View(d.Side), d, chance)
				if err != nil {
					return err
				}
				twin := slices.Clone(own[d.Side])
				twin[len(twin)-1].After = chronicled.Tally(other.View(d.Side))
				sampled++
				if !reflect.DeepEqual(story.Course(chronicled, d.Side, engine.Tally{}, own[d.Side]), story.Course(chronicled, d.Side, engine.Tally{}, twin)) {
					return fmt.Errorf("stop %d: what %s can't see changes how the game went", m.Number, d.Side)
				}
			}
			if _, over := m.Position.Outcome(); !over {
				return nil
			}
			for _, side := range sides {
				sections := story.Course(chronicled, side, engine.Tally{}, whole)
				sections = append(sections, engine.Section{Gist: chronicled.Hidden(m.Position.View(engine.GM), side)})
				for _, s := range sections {
					told += len(s.Gist)
					if err := worded(words, s.Gist); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", setup.Name, err)
		}
	}
	t.Logf("%d lines told, %d made-up positions, %d dice", told, sampled, dice)
	if told == 0 || sampled == 0 {
		t.Errorf("%d lines told, %d made-up positions: nothing was tried", told, sampled)
	}
}

// sameTally gives the tally of a position, if everybody counts the same.
func sameTally(rules engine.Chronicled, p engine.Position) (engine.Tally, error) {
	want := rules.Tally(p.View(engine.GM))
	views := []engine.View{}
	for _, side := range p.Sides() {
		views = append(views, p.View(side))
	}
	if open, ok := p.(engine.Open); ok {
		views = append(views, open.Public())
	}
	for _, v := range views {
		if got := rules.Tally(v); !reflect.DeepEqual(got, want) {
			return want, fmt.Errorf("%s counts %v, and the game master %v", v.Side(), got, want)
		}
	}
	return want, nil
}

// everyDie compares the dice that events count for luck with those that were rolled.
func everyDie(rules engine.Recounter, told []phrase.Phrase, rolls []engine.Roll, neutral []string) (int, error) {
	counted, rolled := 0, 0
	for _, say := range told {
		f := rules.Recount(engine.GM, say)
		for _, t := range append([]engine.Test{{Dice: f.Dice, Need: f.Need, Good: f.Hits}}, f.Tests...) {
			if counted += t.Dice; t.Need < 0 || t.Good > t.Dice {
				return counted, fmt.Errorf("%s counts dice that can't be: %+v", say.Code, f)
			}
		}
	}
	for _, roll := range rolls {
		if !slices.Contains(neutral, roll.Purpose.Code) {
			rolled++
		}
	}
	if counted != rolled {
		return counted, fmt.Errorf("events count %d dice, and %d were rolled", counted, rolled)
	}
	return counted, nil
}

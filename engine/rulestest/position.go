package rulestest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
)

// damages is how many damages of every kind are tried at a moment. More than one
// takes long.
var damages = flag.Int("damages", 1, "how many damages of every kind to try at each moment")

// Damaged plays on from positions that were damaged in one place, in every way that
// there is: each is refused and the refusal names what is wrong, or it is a sound
// position from which the game goes on in order to its end. Observe gives a new observer
// for each game, as for [Defaults]. Short tests, and those under the race detector, try
// every fourth moment.
func Damaged(t *testing.T, rules engine.Ruleset, all []playout.Moment, observe func() playout.Observer) {
	var sound, refused [playout.Damages]atomic.Int32
	every := 1
	if testing.Short() || Race {
		every = 4
	}
	Spread(t, len(all), 2, func(i int) error {
		if i%every != 0 {
			return nil
		}
		text, err := all[i].Position.Marshal()
		if err != nil {
			return err
		}
		for kind := range playout.Damages {
			for n := range *damages {
				seed := uint64(i + n*len(all))
				damaged, done := playout.Damage(text, kind, rand.New(rand.NewPCG(seed, uint64(kind))))
				if damaged == "" {
					continue
				}
				played, err := damagedGame(rules, all[i].Position, damaged, seed, observe())
				switch {
				case err != nil:
					t.Errorf("%v at moment %d: %s\n%v", all[i].Owed, i, done, err)
				case played:
					sound[kind].Add(1)
				default:
					refused[kind].Add(1)
				}
			}
		}
		return nil
	})
	total := 0
	for kind := range playout.Damages {
		if sound[kind].Load()+refused[kind].Load() == 0 && !t.Failed() {
			t.Errorf("no position was damaged in way %d: the test shows nothing", kind)
		}
		total += int(refused[kind].Load())
	}
	if total == 0 && !t.Failed() {
		t.Error("nothing was refused: the test shows nothing")
	}
}

// damagedGame plays a game on from a damaged position, if that is sound.
func damagedGame(rules engine.Ruleset, was engine.Position, damaged string, seed uint64, observe playout.Observer) (sound bool, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	p, _, err := playout.Ruled(rules, was, []byte(damaged))
	if p == nil || err != nil {
		return false, err
	}
	_, err = playout.Game{Rules: rules, Start: p, Seed: seed}.Play(observe)
	return true, err
}

// Spoilt damages positions more roughly than [Damaged], in one to three places and also
// as text, each position so many times: whatever can be read can be looked at, written,
// and played on by default. Short tests try each once, those under the race detector none.
func Spoilt(t *testing.T, rules engine.Ruleset, all []playout.Moment, times int) {
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	if !FullSamples() {
		times = (times + 2) / 3
	}
	chance := rand.New(rand.NewPCG(1, 5))
	read, refused := 0, 0
	for _, m := range all {
		text, err := m.Position.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		for range times {
			spoilt := playout.Break(string(text), chance)
			p, err := rules.Load([]byte(spoilt))
			if err != nil {
				refused++
				continue
			}
			read++
			if err := survives(rules, p); err != nil {
				t.Errorf("%v\n%s", err, spoilt)
			}
		}
	}
	if read == 0 || refused == 0 {
		t.Errorf("%d were read, %d refused: the test shows nothing", read, refused)
	}
}

// survives looks at a position and plays it on for some stops.
func survives(rules engine.Ruleset, p engine.Position) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
		}
	}()
	for range 4 {
		for _, side := range append(slices.Clone(p.Sides()), engine.GM) {
			v := p.View(side)
			v.Page()
			if _, err := v.Marshal(); err != nil {
				return err
			}
		}
		answers := map[engine.Side]engine.Answer{}
		for _, d := range p.Owed() {
			rules.Template(p.View(d.Side), d)
			answers[d.Side] = rules.Default(p.View(d.Side), d)
		}
		if _, over := p.Outcome(); over {
			return nil
		}
		if _, err := p.Advance(answers, playout.NewDice(1)); err != nil {
			return err
		}
		if _, err := p.Marshal(); err != nil {
			return err
		}
	}
	return nil
}

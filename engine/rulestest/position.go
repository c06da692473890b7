package rulestest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
)

// damages is how many damages of every kind are tried at a moment. More than one
// is for an hour of one's own.
var damages = flag.Int("damages", 1, "how many damages of every kind to try at each moment")

// Damaged plays on from positions that were damaged in one place, in every way
// that there is: each is refused with what is wrong named, or is a sound position
// from which the game goes on to its end in order. Observe gives an observer of a
// game from its beginning, as for [Defaults]. Short tests try every fourth moment.
func Damaged(t *testing.T, rules engine.Ruleset, all []playout.Moment, observe func() playout.Observer) {
	var sound, refused [playout.Damages]atomic.Int32
	every := 1
	if testing.Short() {
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

// damagedGame plays a damaged position on, if it is sound.
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

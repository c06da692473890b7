package napoleon

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
)

// unitWord finds a unit's id in what is told.
var unitWord = regexp.MustCompile(`"([AP]-\d\d)"`)

// openly are the events by which everybody learns who a unit is, because it shows
// itself or is lost.
var openly = map[string]bool{
	"nap.leader-shown": true, "nap.leader-permits": true, "nap.eliminated": true, "nap.army-defeated": true,
	"nap.skirmish-shows": true, "nap.skirmish-hits": true,
}

// Two players who are apart are told of no unit of each other by name, unless the enemy
// is told of that unit as well, or both players fight in one place (NAP-R57).
func TestAlliesApartAreNotToldOfEachOther(t *testing.T) {
	games := 12
	if !fullSamples {
		games = 2
	}
	told, shared := 0, 0
	for i := range games {
		setup := engine.Setup{Options: map[string]string{"players": "3", "ally_vision": "none"}}
		if i%2 == 1 {
			setup.Options["edition"] = "3e"
		}
		var before map[engine.Side]string
		observe := func(m playout.Moment) error {
			now := map[engine.Side]string{}
			for _, side := range []engine.Side{"anglo-dutch", "prussian"} {
				view, err := m.Position.View(side).Marshal()
				if err != nil {
					return err
				}
				now[side] = string(view)
			}
			for _, e := range m.Events {
				french, _ := e.For("french")
				open, err := json.Marshal(french)
				if err != nil {
					return err
				}
				for side, own := range map[engine.Side]string{"anglo-dutch": "A", "prussian": "P"} {
					say, ok := e.For(side)
					if !ok || openly[say.Code] {
						continue
					}
					text, err := json.Marshal(say)
					if err != nil {
						return err
					}
					for _, found := range unitWord.FindAllStringSubmatch(string(text), -1) {
						id := found[1]
						if strings.HasPrefix(id, own) {
							continue
						}
						told++
						if strings.Contains(string(open), found[0]) {
							continue
						}
						if !strings.Contains(before[side], id+": {") && !strings.Contains(now[side], id+": {") {
							return fmt.Errorf("%s is told of %s by %s", side, id, say.Code)
						}
						shared++
					}
				}
			}
			before = now
			return nil
		}
		start := battleground(t, setup, uint64(i))
		if _, err := (playout.Game{Rules: New(), Start: start, Seed: uint64(i), MaxStops: 8000}).Play(observe); err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
	if told == 0 || shared == 0 {
		t.Errorf("%d units were named, %d to those who fought beside them: the test shows nothing", told, shared)
	}
}

// A side that is apart from its ally sees as little of the ally as of the enemy, on
// every page and picture and in every file.
func TestAlliesApartDoNotSeeEachOther(t *testing.T) {
	for i, setup := range threeSetups {
		if setup.Options["ally_vision"] != "none" {
			continue
		}
		for seed := range uint64(2) {
			start := battleground(t, setup, 100*uint64(i)+seed)
			check := playout.Properties{Rules: New(), Scramble: scramble, Leaks: 4, Answers: 1, Broken: 2, Every: 2}
			switch {
			case raceEnabled:
				check.Every = 20
			case !fullSamples:
				check.Every = 8
			}
			game := playout.Game{Rules: New(), Start: start, Seed: seed, MaxStops: 8000}
			stop := 0
			_, err := game.Play(func(m playout.Moment) error {
				if stop++; stop > 40 {
					return errPeace
				}
				return check.Observe(m)
			})
			if err != nil && !strings.Contains(err.Error(), errPeace.Error()) {
				t.Errorf("%v: %v", setup.Options, err)
			}
		}
	}
}

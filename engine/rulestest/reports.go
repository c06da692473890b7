package rulestest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/sheet"
	"berthier/engine/story"
	"berthier/orders/phrase"
)

// Reports plays games and checks what reports say beside the events and the position. Who is
// ahead is public: all sides and observers read the same. Whoever changes what a side can't see
// changes none of it, nor of what the side's last report and this one differ in. A story is
// made of what was told alone, its parts hold each event once, and all of it has words. Where full
// samples are taken, games are played until so many positions have been made up as [resampled]
// says.
func Reports(t *testing.T, rules engine.Ruleset, setups []Setup, games int) {
	t.Helper()
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	progress, recounter := rules.(engine.Scored), rules.(engine.Recounter)
	scores := scored{}
	words := map[string]map[string]string{"en": Catalogue(t, rules.Words(), "en"), "it": Catalogue(t, rules.Words(), "it")}
	ahead, stories, sampled := 0, 0, 0
	for i := 0; i < games || FullSamples() && sampled < resampled; i++ {
		setup := setups[i%len(setups)]
		chance := rand.New(rand.NewPCG(uint64(i), 14))
		last, owned := map[engine.Side]engine.Page{}, map[string]bool{}
		_, err := playout.Run(rules, setup.Setup, uint64(3000+i), func(m playout.Moment) error {
			sides := m.Position.Sides()
			want := progress.Progress(m.Position.View(sides[0]))
			views := []engine.View{}
			for _, side := range sides[1:] {
				views = append(views, m.Position.View(side))
			}
			if open, ok := m.Position.(engine.Open); ok {
				views = append(views, open.Public())
			}
			for _, v := range views {
				if got := progress.Progress(v); !reflect.DeepEqual(got, want) {
					return fmt.Errorf("stop %d: %s reads that %v, and %s that %v", m.Number, v.Side(), got, sides[0], want)
				}
			}
			if err := errors.Join(scores.check(progress, m.Position, views, want), ends(m.Position)); err != nil {
				return fmt.Errorf("stop %d: %w", m.Number, err)
			}
			if ahead += len(want); ahead > 0 {
				if err := worded(words, want); err != nil {
					return err
				}
			}
			for _, side := range sides {
				told := saidTo(side, m.Events)
				s := story.Of(recounter, side, told, phrase.Value{})
				if err := wholeStory(s, len(told)); err != nil {
					return fmt.Errorf("stop %d, %s: %w", m.Number, side, err)
				}
				owned[string(side)] = owned[string(side)] || slices.Contains(s.Own, true)
				if err := worded(words, s.Sentences); err != nil {
					return err
				}
				stories += len(s.Sentences)
			}
			for _, d := range m.Owed {
				view := m.Position.View(d.Side)
				page := view.Page()
				was := last[d.Side]
				last[d.Side] = page
				if m.Number%5 != 0 && !(FullSamples() && games == 1) {
					continue
				}
				for range twins() {
					if err := sameReport(rules, view, d, &was, &page, chance); err != nil {
						return fmt.Errorf("stop %d: %w", m.Number, err)
					}
					sampled++
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", setup.Name, err)
		}
		if len(owned) == 0 {
			t.Errorf("%s: no loss was marked as a side's own", setup.Name)
		}
	}
	t.Logf("%d made-up positions", sampled)
	if ahead == 0 || stories == 0 || sampled == 0 {
		t.Errorf("%d lines of who is ahead, %d sentences of stories, %d made-up positions: nothing was tried", ahead, stories, sampled)
	}
}

// sameReport makes up a position that a view does not tell from the true one, and compares what reports
// say of it: who is ahead, and what differs from the page of the report before.
func sameReport(rules engine.Ruleset, view engine.View, d engine.Decision, was, page *engine.Page, chance *rand.Rand) error {
	other, err := rules.(engine.Sampler).Sample(view, d, chance)
	if err != nil {
		return err
	}
	progress, seen := rules.(engine.Scored), other.View(d.Side)
	twin := seen.Page()
	if !reflect.DeepEqual(progress.Progress(view), progress.Progress(seen)) || !reflect.DeepEqual(sheet.Changes(was, page), sheet.Changes(was, &twin)) {
		return fmt.Errorf("what %s can't see changes its report", d.Side)
	}
	return nil
}

// resampled is how many made-up positions each of [Reports] and [Pictures] looks at where full
// samples are taken: together they are a thousand of each ruleset.
const resampled = 500

// twins is how many made-up positions are compared with each view that is looked at.
func twins() int {
	if FullSamples() {
		return 5
	}
	return 1
}

// saidTo is what a side is told of events.
func saidTo(side engine.Side, events []engine.Event) []phrase.Phrase {
	var told []phrase.Phrase
	for _, e := range events {
		if say, ok := e.For(side); ok {
			told = append(told, say)
		}
	}
	return told
}

// wholeStory tells what is wrong with the parts of a story of so many events.
func wholeStory(s story.Story, events int) error {
	at := 0
	for _, p := range s.Parts {
		if p.From != at || p.To <= p.From {
			return fmt.Errorf("a part goes from %d to %d after %d", p.From, p.To, at)
		}
		at = p.To
	}
	if at != events || len(s.Own) != events {
		return fmt.Errorf("the parts end at %d and marks at %d of %d events", at, len(s.Own), events)
	}
	return nil
}

// worded finds phrases of the ruleset that a catalogue lacks, or fills a place that it has not.
func worded(words map[string]map[string]string, all []phrase.Phrase) error {
	for _, p := range all {
		if err := wordedOne(words, p); err != nil {
			return err
		}
	}
	return nil
}

func wordedOne(words map[string]map[string]string, p phrase.Phrase) error {
	own := len(p.Code) < 6 || p.Code[:6] != "story." // those stand in the office's catalogues
	for language, catalogue := range words {
		if own && catalogue[p.Code] == "" {
			return fmt.Errorf("%s has no sentence in %s", p.Code, language)
		}
	}
	for _, a := range p.Args {
		for _, v := range append([]phrase.Value{a.Value}, a.Value.List...) {
			if v.Say != nil {
				if err := wordedOne(words, *v.Say); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

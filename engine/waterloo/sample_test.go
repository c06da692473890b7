package waterloo

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/cases"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// sampledSetups are set-ups of both scenarios, in which every value of every option
// occurs.
func sampledSetups() []rulestest.Setup {
	return append(slices.Clone(setups),
		rulestest.Setup{Name: "drill", Setup: engine.Setup{Scenario: "drill"}},
		rulestest.Setup{Name: "drill, three players", Setup: engine.Setup{Scenario: "drill", Options: map[string]string{"players": "3"}}},
		rulestest.Setup{Name: "three players, after the reveal", Setup: engine.Setup{Options: map[string]string{"players": "3", "artillery_after_reveal": "true",
			"attack_bank": "true", "entry_shift": "true", "command_values": "napoleon 3/0 wellington 2/5"}}},
	)
}

// Whatever a side sees when it is asked, positions can be made up that give exactly
// this view and can be played on.
func TestSamples(t *testing.T) {
	for i, setup := range sampledSetups() {
		t.Run(setup.Name, func(t *testing.T) {
			t.Parallel()
			check := playout.Properties{Rules: New(), Samples: 1, Every: 8}
			if !fullSamples {
				check.Every = 60
			}
			if _, err := playout.Run(New(), setup.Setup, 100*uint64(i)+1, check.Observe); err != nil {
				t.Error(err)
			}
		})
	}
}

// What waits beneath a reaction is worked out from what the side is asked: a position
// that is made up has the same frames as the true one, each at the same place.
func TestSamplesStandWhereTheGameDoes(t *testing.T) {
	if raceEnabled {
		return // nothing here runs side by side, and it takes long
	}
	w := &watch{chance: rand.New(rand.NewPCG(6, 18)), kinds: map[string]int{}, ways: map[string]bool{}}
	for _, setup := range sampledSetups() {
		_, err := playout.Run(New(), setup.Setup, 500, func(m playout.Moment) error { return w.see(m.Position.(*game)) })
		if err != nil {
			t.Errorf("%s: %v", setup.Name, err)
		}
	}
	for _, c := range rulestest.LoadCases(t, "waterloo", New()) {
		w.fault = nil
		cases.Run(map[string]engine.Ruleset{"waterloo": watched{New(), w}}, c)
		if w.fault != nil {
			t.Errorf("%s: %v", c.Place(c.Line), w.fault)
		}
	}
	for kind := range stops {
		if w.kinds[kind] < 2 {
			t.Errorf("of stops %s only %d were seen", kind, w.kinds[kind])
		}
	}
	if len(w.ways) < 6 {
		t.Errorf("commanders were placed in only %d ways: %v", len(w.ways), w.ways)
	}
}

// A watch looks at every stop of some games.
type watch struct {
	chance *rand.Rand
	kinds  map[string]int
	ways   map[string]bool
	fault  error
}

// see makes positions up for all who are asked.
func (w *watch) see(g *game) error {
	for _, d := range g.Owed() {
		if w.kinds[d.Kind]++; w.kinds[d.Kind] > 40 && w.kinds[d.Kind]%16 != 0 {
			continue // of the common ones some are enough
		}
		p, err := New().Sample(g.View(d.Side), d, w.chance)
		if err != nil {
			return err
		}
		s := p.(*game)
		truth, made := whereItStands(g), whereItStands(s)
		if truth != made {
			return fmt.Errorf("%s owes %s at%s, and what was made up stands at%s", d.Side, d.Kind, truth, made)
		}
		if err := conserved(s, s); err != nil {
			return err
		}
		if err := sameText(g.View(d.Side), s.View(d.Side)); err != nil {
			return err
		}
		text, err := s.Marshal()
		if err != nil {
			return err
		}
		if _, err := New().Load(text); err != nil {
			return err
		}
		if d.Kind == stopCommander {
			w.ways[truth] = true
		}
	}
	return nil
}

func sameText(a, b engine.View) error {
	x, err := a.Marshal()
	if err != nil {
		return err
	}
	y, err := b.Marshal()
	if err != nil {
		return err
	}
	if !bytes.Equal(x, y) {
		return fmt.Errorf("the side sees something else:\n%s\n%s", x, y)
	}
	return nil
}

// watched is the ruleset, but the watch looks at each of its positions after a step.
type watched struct {
	Ruleset
	watch *watch
}

func (r watched) New(setup engine.Setup) (engine.Position, error) {
	p, err := r.Ruleset.New(setup)
	return r.over(p), err
}

func (r watched) Load(text []byte) (engine.Position, error) {
	p, err := r.Ruleset.Load(text)
	return r.over(p), err
}

func (r watched) over(p engine.Position) engine.Position {
	if g, ok := p.(*game); ok {
		return watchedGame{g, r.watch}
	}
	return p
}

type watchedGame struct {
	*game
	watch *watch
}

func (g watchedGame) Clone() engine.Position { return watchedGame{g.game.Clone().(*game), g.watch} }

func (g watchedGame) Advance(answers map[engine.Side]engine.Answer, dice engine.Dice) ([]engine.Event, error) {
	events, err := g.game.Advance(answers, dice)
	if err == nil && g.watch.fault == nil {
		g.watch.fault = g.watch.see(g.game)
	}
	return events, err
}

// whereItStands writes what is going on in a game: each frame with its place.
func whereItStands(g *game) string {
	var b bytes.Buffer
	for i, f := range g.Flow {
		switch f := f.(type) {
		case *turnFrame:
			fmt.Fprintf(&b, "turn %d", f.Stage)
		case *roundFrame:
			fmt.Fprintf(&b, " round %d", f.Stage)
		case *entryFrame:
			if _, last := g.top().(*placeFrame); last && f.How != byMove && i == len(g.Flow)-2 {
				continue // it is over when the commander is placed
			}
			fmt.Fprintf(&b, " entry of %d, %d by %d", f.Unit, f.Stage, f.How)
		case *cavalryFrame:
			fmt.Fprintf(&b, " cavalry before %d after %v", f.Unit, f.Done)
		case *windowFrame:
			fmt.Fprintf(&b, " window %d", f.Window)
		default:
			fmt.Fprintf(&b, " %T", f)
		}
	}
	return b.String()
}

// From two positions that differ only in what a side can't see, the same positions are
// made up for that side, card for card.
func TestSamplesKnowNothingHidden(t *testing.T) {
	for i, setup := range sampledSetups() {
		t.Run(setup.Name, func(t *testing.T) {
			t.Parallel()
			chance := rand.New(rand.NewPCG(3, uint64(i)))
			changed, compared := 0, 0
			_, err := playout.Run(New(), setup.Setup, 900+uint64(i), func(m playout.Moment) error {
				if m.Number%3 != 0 || raceEnabled && m.Number%6 != 0 {
					return nil
				}
				truth, err := m.Position.Marshal()
				if err != nil {
					return err
				}
				for _, d := range m.Owed {
					other := scramble(m.Position, d.Side, chance)
					if text, err := other.Marshal(); err != nil || bytes.Equal(text, truth) {
						continue
					}
					changed++
					seed := chance.Uint64()
					var made [2][]byte
					for i, p := range []engine.Position{m.Position, other} {
						s, err := New().Sample(p.View(d.Side), d, rand.New(rand.NewPCG(seed, 1)))
						if err != nil {
							return err
						}
						if made[i], err = s.Marshal(); err != nil {
							return err
						}
					}
					if compared++; !bytes.Equal(made[0], made[1]) {
						return fmt.Errorf("%s owes %s: what %s can't see shows in what is made up:\n%s\n%s", d.Side, d.Kind, d.Side, made[0], made[1])
					}
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			if changed < 5 {
				t.Errorf("only %d positions were changed, %d compared", changed, compared)
			}
		})
	}
}

// In the positions made up, each card that a side has not seen is in a hidden hand with
// the same probability. Cards that were used, drawn for the initiative or lie open are
// in no hidden hand.
func TestSampledHandsAreEven(t *testing.T) {
	p, err := New().Load([]byte(`
ruleset: waterloo
scenario: waterloo
turn: 2
owed: [{side: french, kind: round}]
flow: [{turn: {stage: rounds, first: french, next: french, rounds: 1}}, {round: {camp: french, army: french, stage: steps}}]
cards:
  french: {hand: [F01, F02, F03]}
  anglo: {hand: [A10, A11, A12, A13, A14], used: [A01, A02], shown: [A03]}
  prussian: {hand: [P01], shown: [P02, P03]}
`))
	if err != nil {
		t.Fatal(err)
	}
	const tries = 8000
	chance := rand.New(rand.NewPCG(15, 19))
	held := map[string]int{}
	for range tries {
		s, err := New().Sample(p.View("french"), p.Owed()[0], chance)
		if err != nil {
			t.Fatal(err)
		}
		g := s.(*game)
		if n := len(g.Decks[anglo].Hand); n != 5 || len(g.Decks[prussian].Hand) != 1 || len(g.Decks[french].Hand) != 3 {
			t.Fatalf("hands of %d, %d and %d cards", len(g.Decks[french].Hand), n, len(g.Decks[prussian].Hand))
		}
		for _, a := range []army{anglo, prussian} {
			for _, c := range g.Decks[a].Hand {
				held[g.card(c).id]++
			}
		}
	}
	// 5 of 16 Anglo-Allied cards, 1 of 8 Prussian ones: within 5 standard deviations.
	for a, even := range map[army][2]int{anglo: {5, 16}, prussian: {1, 8}} {
		seen := 0
		g := p.(*game)
		for _, c := range g.deckOf(a) {
			id := g.card(c).id
			n, known := held[id], slices.Contains(g.Decks[a].Used, c) || slices.Contains(g.Decks[a].Shown, c)
			mean := tries * even[0] / even[1]
			off := n - mean
			switch {
			case known && n > 0:
				t.Errorf("%s was seen by all and is in a hand", id)
			case !known && off*off > 25*mean*(even[1]-even[0])/even[1]:
				t.Errorf("%s is in %d hands of %d, expected about %d", id, n, tries, mean)
			case !known:
				seen++
			}
		}
		if seen != even[1] {
			t.Errorf("%d cards of %s were drawn evenly, expected %d", seen, a, even[1])
		}
	}
}

// Positions are made up only for a side that owes the decision, and only from a view
// that some position gives.
func TestSampleRefuses(t *testing.T) {
	start, err := New().New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := start.Advance(nil, playout.NewDice(1)); err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 1))
	owed := start.Owed()[0]
	if _, err := New().Sample(start.View(owed.Side), owed, chance); err != nil {
		t.Errorf("the side that is asked: %v", err)
	}
	for name, view := range map[string]engine.View{
		"the game master":    start.View(engine.GM),
		"an onlooker":        start.(*game).Public(),
		"who is not asked":   start.View("anglo"),
		"who is not playing": start.View("prussian"),
	} {
		if _, err := New().Sample(view, owed, chance); err == nil {
			t.Errorf("a position was made up from the view of %s", name)
		}
	}
	many := start.View(owed.Side).(*View)
	many.Decks[anglo].Used = many.deckOf(anglo)
	if _, err := New().Sample(many, owed, chance); err == nil {
		t.Error("a position was made up with more cards than there are")
	}
}

package waterloo

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/playout"
)

// scramble is the [playout.Scrambler] of the game. Cards that the side does not see
// change places between hands and hidden reserves; other seats get other standing
// orders, have filed other steps and cards, and are asked something else (section 7 of
// the digest).
func scramble(position engine.Position, side engine.Side, chance *rand.Rand) engine.Position {
	g := position.Clone().(*game)
	for a := french; a <= prussian; a++ {
		if g.shared(a, armyOfSeat(side)) {
			continue
		}
		// For a side that sees neither, it makes no difference whether a card is in a hand or was never dealt.
		d := &g.Decks[a]
		hidden := append(g.unseen(a), d.Hand...)
		chance.Shuffle(len(hidden), func(i, j int) { hidden[i], hidden[j] = hidden[j], hidden[i] })
		n := len(d.Hand)
		d.Hand = nil
		for _, c := range hidden[:n] {
			d.Hand = add(d.Hand, c)
		}
	}
	for _, s := range g.Sides() {
		if s != side {
			g.standing[armyOfSeat(s)] = otherStanding(g.standing[armyOfSeat(s)])
		}
	}
	asked := slices.ContainsFunc(g.asks, func(d engine.Decision) bool { return d.Side == side })
	for i, f := range g.Flow {
		g.Flow[i] = g.disguised(f, side, asked)
	}
	for i := range g.asks {
		if g.asks[i].Side != side {
			g.asks[i].At = "elsewhere"
		}
	}
	return g
}

// otherStanding gives standing orders that differ from some others.
func otherStanding(s standing) standing {
	c := play.Clone(s)
	v := reflect.ValueOf(&c).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.CanSet() {
			f.SetZero()
		}
	}
	return c
}

// disguised is a copy of a frame in which everything is changed that the side does not
// know.
func (g *game) disguised(f frame, side engine.Side, asked bool) frame {
	switch f := f.(type) {
	case *roundFrame:
		c := play.Clone(*f)
		if f.seat(g) != side {
			c.Steps = append(c.Steps, step{End: true})
			c.Ending, c.Go, c.Idle = !c.Ending, !c.Go, !c.Idle
			c.Attack = &attack{Target: 1, With: []unitID{2}}
		}
		return &c
	case *moveFrame:
		c := play.Clone(*f)
		if g.seatOf(f.Army) != side {
			c.Moves = append(c.Moves, move{Unit: 3})
		}
		return &c
	case *battleFrame:
		c := play.Clone(*f)
		for r := attacking; r <= defending; r++ {
			if c.Stage == battleCommitting && g.seatOf(g.fighting(f, r)) != side {
				c.of(r).Filed = !c.of(r).Filed
				c.of(r).Cards = append(c.of(r).Cards, commit{Card: g.deckOf(g.fighting(f, r))[0]})
			}
		}
		if g.seatOf(g.fighting(f, attacking)) != side {
			c.Advance = advanceOrder{Said: !f.Advance.Said}
		}
		return &c
	case *windowFrame:
		c := play.Clone(*f)
		if !asked {
			c.Window = 1 + (c.Window % atRoundEnd)
			c.Held[french] = !c.Held[french]
		}
		return &c
	}
	return f
}

// The scrambler changes something; otherwise the leak test would show nothing.
func TestScrambleChangesWhatIsHidden(t *testing.T) {
	hands, filed, battles := 0, 0, 0
	chance := rand.New(rand.NewPCG(1, 1))
	_, err := playout.Run(New(), engine.Setup{}, 1, func(m playout.Moment) error {
		g := m.Position.(*game)
		s := scramble(g, "french", chance).(*game)
		if !slices.Equal(g.Decks[anglo].Hand, s.Decks[anglo].Hand) {
			hands++
		}
		if !reflect.DeepEqual(g.roundNow(), s.roundNow()) {
			filed++
		}
		if !reflect.DeepEqual(under[*battleFrame](g), under[*battleFrame](s)) {
			battles++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if hands < 20 || filed < 20 || battles < 5 {
		t.Errorf("only %d hands, %d rounds, %d battles were changed", hands, filed, battles)
	}
}

// What is hidden from a side changes nothing that it gets: view, page, pictures,
// decisions owed, templates, and the verdicts on good and broken order files.
func TestNothingHiddenShows(t *testing.T) {
	for i, setup := range setups {
		t.Run(setup.Name, func(t *testing.T) {
			t.Parallel()
			check := playout.Properties{Rules: New(), Scramble: scramble, Leaks: 1, Answers: 1, Broken: 3, Every: 4}
			if !fullSamples {
				check.Every = 40
			}
			if _, err := playout.Run(New(), setup.Setup, uint64(1000+i), check.Observe); err != nil {
				t.Error(err)
			}
		})
	}
}

// For a side, a game goes on in the same way whatever cards the others hold, as long as
// they do the same: whether somebody is asked must not depend on a hand (section 5.1).
// Both games are played to the next stop with the same answers of a side that holds its
// fire and files no cards.
func TestWindowsOpenWhateverIsHeld(t *testing.T) {
	chance := rand.New(rand.NewPCG(18, 15))
	compared := 0
	for seed := range uint64(4) {
		setup := setups[seed%3]
		_, err := playout.Run(New(), setup.Setup, seed, func(m playout.Moment) error {
			g := m.Position.(*game)
			if m.Number%7 != 0 || len(m.Owed) != 1 || m.Owed[0].Kind != stopRound {
				return nil
			}
			side := m.Owed[0].Side
			other := g.Clone().(*game)
			for a := french; a <= prussian; a++ {
				if g.shared(a, armyOfSeat(side)) || len(g.Decks[a].Hand) == 0 {
					continue
				}
				d := &other.Decks[a]
				hidden := append(g.unseen(a), d.Hand...)
				chance.Shuffle(len(hidden), func(i, j int) { hidden[i], hidden[j] = hidden[j], hidden[i] })
				n := len(d.Hand)
				d.Hand = nil
				for _, c := range hidden[:n] {
					d.Hand = add(d.Hand, c)
				}
			}
			answers := map[engine.Side]engine.Answer{side: m.Answers[side]}
			one := g.Clone()
			if _, err := one.Advance(answers, playout.NewDice(seed)); err != nil {
				return err
			}
			if _, err := other.Advance(answers, playout.NewDice(seed)); err != nil {
				return err
			}
			compared++
			if !slices.Equal(one.Owed(), other.Owed()) {
				t.Errorf("seed %d, stop %d: with other cards in enemy hands %v is owed, not %v", seed, m.Number, other.Owed(), one.Owed())
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if compared < 20 {
		t.Errorf("only %d stops were compared", compared)
	}
}

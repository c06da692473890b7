package waterloo

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"berthier/engine"
)

// Sample implements [engine.Sampler]. It makes up the cards in the hands that the side
// can't see, drawn evenly from those that it has not seen in this turn; how the enemy's
// card that the side interrupts will go on; and what the enemy has filed for later: it
// takes this to be nothing, so that he is asked. It does not guess standing orders of
// others, but takes them to have none.
func (Ruleset) Sample(view engine.View, owed engine.Decision, chance *rand.Rand) (engine.Position, error) {
	v, ok := view.(*View)
	if !ok || v.side == engine.GM || !slices.Contains(v.asks, owed) {
		return nil, fmt.Errorf("make up a position: %s owes no %s in this view", owed.Side, owed.Kind)
	}
	s := &sampler{game: v.Clone().(*game), side: v.side, chance: chance}
	if err := s.hands(); err != nil {
		return nil, err
	}
	s.flow(owed)
	s.game.asks = nil
	for _, side := range s.game.Sides() {
		if side == owed.Side || s.asked(side, owed.Kind) {
			s.game.ask(side, owed.Kind, owed.At)
		}
	}
	if m := under[*moveFrame](s.game); m != nil && s.game.roundNow().seat(s.game) != s.side {
		m.Moves = s.goesOn()
	}
	return s.game, nil
}

// A sampler is a game that is being made up: what a side sees, and what is drawn
// for the rest.
type sampler struct {
	game   *game
	side   engine.Side
	chance *rand.Rand
}

// hands deals the hands that the side can't see: all sets of cards that it has not seen in
// this turn are equally likely (WAT-4.2).
func (s *sampler) hands() error {
	for a := french; a <= prussian; a++ {
		d := &s.game.Decks[a]
		n, unseen := len(d.Hand), s.game.unseen(a)
		if s.game.shared(a, armyOfSeat(s.side)) && n > 0 {
			continue
		}
		if n > len(unseen) {
			return fmt.Errorf("make up a position: %s holds %d cards, and only %d are not to be seen", a, n, len(unseen))
		}
		d.Hand = nil
		for _, i := range s.chance.Perm(len(unseen))[:n] {
			d.Hand = add(d.Hand, unseen[i])
		}
	}
	return nil
}

// flow puts back that part of what is under way which is shown to nobody: where the round
// stands, and what waits under a reaction. The decision that is owed tells what that is.
func (s *sampler) flow(owed engine.Decision) {
	seen := s.game.Flow
	s.game.Flow = nil
	for _, f := range seen {
		switch f := f.(type) {
		case *moveFrame:
			if s.game.roundNow().seat(s.game) != s.side {
				f.Changed = len(f.Vacated) > 0
			}
		case *battleFrame:
			for r := attacking; r <= defending; r++ { // a side that has nothing to choose is not asked
				f.of(r).Filed = f.of(r).Filed || f.Stage == battleCommitting && !s.game.mayCommit(f, r)
			}
		case *cavalryFrame:
			s.game.push(&entryFrame{Unit: f.Unit, Stage: entryWindow})
		case *windowFrame:
			if f.Window == atEntered {
				s.game.push(&entryFrame{Unit: f.Unit, Stage: entryDone})
			}
		case *placeFrame:
			s.behind(f)
		}
		s.game.push(f)
	}
	if r := s.game.roundNow(); r != nil {
		r.Stage = s.stage(owed.Kind)
	}
}

// behind puts under a commander who is being placed what goes on afterwards, if a movement
// has driven him away. If an enemy moved, these are the reactions to the movement; if one
// of his own camp moved, those after the retreat of the cavalry that drove him away. In
// all other cases nothing follows when he is placed.
func (s *sampler) behind(f *placeFrame) {
	m, ok := s.game.top().(*moveFrame)
	if !ok || m.Unit == 0 {
		return
	}
	if s.game.lead(f.Commander).army.camp() != m.Army.camp() {
		s.game.push(&entryFrame{Unit: m.Unit, Stage: entryCavalry})
		return
	}
	c := &cavalryFrame{Unit: m.Unit}
	for _, a := range s.game.armiesIn(m.Army.camp().enemy()) {
		c.Done = append(c.Done, a)
		if s.rodeUp(a, s.game.Commanders[f.Commander].At) {
			break
		}
	}
	s.game.push(&entryFrame{Unit: m.Unit, Stage: entryWindow})
	s.game.push(c)
}

// rodeUp tells whether cavalry of an army stands next to a square.
func (s *sampler) rodeUp(a army, q square) bool {
	for id, u := range s.game.everyUnit() {
		if s.game.armyOf(id) == a && s.game.def(id).arm == cavalry && s.game.distance(u.At, q) <= 1 {
			return true
		}
	}
	return false
}

// stage is where the round stands while a decision is owed.
func (s *sampler) stage(kind string) roundStage {
	switch kind {
	case stopArmy:
		return roundOpening
	case stopRound:
		return roundSteps
	}
	if w, ok := s.game.top().(*windowFrame); ok {
		switch w.Window {
		case atRoundStart, atAfterBattle:
			return roundSteps
		case atAfterCard:
			return roundStrike
		case atRoundEnd:
			return roundOver
		}
	}
	if b := under[*battleFrame](s.game); b != nil && !b.Charge {
		return roundFought
	}
	return roundCarded
}

// asked tells whether another seat must answer the same decision at once; for an artillery
// window and for cards of a battle public facts tell this.
func (s *sampler) asked(side engine.Side, kind string) bool {
	switch kind {
	case stopBid:
		return slices.Contains(s.game.bidders(), side)
	case stopArmy:
		return campOfSeat(side) == alliedCamp
	case stopCommit:
		b := under[*battleFrame](s.game)
		for r := attacking; b != nil && r <= defending; r++ {
			if s.game.seatOf(s.game.fighting(b, r)) == side {
				return !b.of(r).Filed
			}
		}
	case stopArtillery, stopRevealed:
		w, ok := s.game.top().(*windowFrame)
		return ok && campOfSeat(side) == campOfSeat(s.side) &&
			slices.ContainsFunc(s.game.armiesOf(side), func(a army) bool { return w.opens(s.game, a) })
	}
	return false
}

// goesOn guesses how another side's card goes on: mostly as a fair player would move,
// otherwise in any way; sometimes the unit under way has come to where it was to go, and
// no other unit moves.
func (s *sampler) goesOn() []move {
	v := s.game.view(s.game.roundNow().seat(s.game))
	f := under[*moveFrame](v.game)
	stays := []move(nil)
	if f.Unit != 0 {
		stays = []move{{Unit: f.Unit}}
	}
	f.Moves = stays
	switch s.chance.IntN(4) {
	case 0:
		return stays
	case 1:
		return v.randomRest(s.chance)
	}
	if w, ok := saidTo[*onward](continueForm.Sensible(v, engine.Decision{}, s.chance)); ok {
		return w.moves
	}
	return stays
}

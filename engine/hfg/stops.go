package hfg

import (
	"maps"
	"slices"

	"berthier/engine"
	"berthier/engine/play"
)

// The stops of the turns by the kind of their decision (section 5 of the digest). Those of the
// preparation stand in prepare.go.
const (
	stopTurn = "turn" // HFG-S8
	stopFire = "fire" // HFG-S13
	// stopCombat is HFG-S11.
	stopCombat = "combat"
)

// stops by the kind of the decision.
var stops = func() map[string]play.Stop[*View, *battlefield] {
	all := map[string]play.Stop[*View, *battlefield]{stopDice: diceForm, stopTurn: turnForm, stopFire: fireForm,
		stopCombat: combatForm, stopDusk: duskForm, stopFace: faceForm, stopShot: shotForm, stopResult: closeForm}
	maps.Copy(all, prefaces[*View, *battlefield]())
	return all
}()

// asked lists who is asked now: in the preparation as it says, in a turn the phasing side for its dice, if
// it wants to be, and before its moves, and the other side before shots (HFG-S7, HFG-S8, HFG-S13).
func (g *game) asked() []engine.Decision {
	if g.Phase == preparing {
		return g.asks()
	}
	if q := g.Fray.Asks; q != nil {
		return []engine.Decision{g.puts(q)}
	}
	if g.Said {
		return nil
	}
	if g.Phase == dusk && !g.Said {
		return g.asksDusk()
	}
	if g.Phase == melee && g.Fray.Stage == 0 {
		return g.asksCombat()
	}
	var all []engine.Decision
	switch g.Phase {
	case casting:
		for _, seat := range g.seatsOf(g.phasing()) {
			if g.asksDice(seat) {
				all = append(all, engine.Decision{Side: seat, Kind: stopDice})
			}
		}
	case moving:
		for _, seat := range g.seatsOf(g.phasing()) {
			if g.thinks(seat) {
				all = append(all, engine.Decision{Side: seat, Kind: stopTurn})
			}
		}
	case shooting:
		for _, seat := range g.seats() {
			if g.asksFire(seat) {
				all = append(all, engine.Decision{Side: seat, Kind: stopFire})
			}
		}
	}
	return all
}

// thinks says whether a seat is asked for its turn: all are, and again those alone who have said that they want to be, or whose
// move was stopped by what it found (HFG-S8, HFG-R176).
func (g *game) thinks(seat engine.Side) bool {
	return !g.Again || len(g.Thinking) == 0 || slices.Contains(g.Thinking, string(seat))
}

// rethinks notes that a seat is asked again when the moves are made.
func (p *battlefield) rethinks(seat engine.Side) {
	p.More = true
	if p.several() && !slices.Contains(p.Thinking, string(seat)) {
		p.Thinking = append(p.Thinking, string(seat))
	}
}

// asksFire says whether a seat is asked whom it shoots at: in the enemy's turn, unless it has said that
// its policies count; in its own, if it has kept that for itself (HFG-S13, section 5.3 of the digest).
func (g *game) asksFire(seat engine.Side) bool {
	if g.sideOf(seat) == g.phasing() {
		return len(g.casesOf(seat, policyFire)) == 0 || g.keeps(seat, policyFire) || g.keeps(seat, policyAid)
	}
	return g.word(seat, policyReply) != "standing"
}

// The types of package play with which stops are declared, over this ruleset's view.
type (
	form[W any]               = play.Form[*View, *battlefield, W]
	keyed[W any]              = play.Field[*View, W]
	draft[W any]              = play.Draft[*View, W]
	rule[W any, T comparable] = play.Rule[*View, W, T]
	kind[T comparable]        = play.Kind[*View, T]
)

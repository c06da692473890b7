package hfg

import (
	"maps"

	"berthier/engine"
	"berthier/engine/play"
)

// The stops of the turns by the kind of their decision (section 5 of the digest). Those of the
// preparation stand in prepare.go.
const (
	stopTurn = "turn" // HFG-S8
	stopFire = "fire" // HFG-S13
)

// stops by the kind of the decision.
var stops = func() map[string]play.Stop[*View, *battlefield] {
	all := map[string]play.Stop[*View, *battlefield]{stopTurn: turnForm, stopFire: fireForm,
		stopFace: faceForm, stopShot: shotForm, stopResult: closeForm}
	maps.Copy(all, prefaces[*View, *battlefield]())
	return all
}()

// asked lists who is asked now: in the preparation as it says, in a turn the phasing side before
// its moves and the other side before shots (HFG-S8, HFG-S13).
func (g *game) asked() []engine.Decision {
	if g.Phase == preparing {
		return g.asks()
	}
	if g.Said {
		return nil
	}
	of, kind := noSide, ""
	switch g.Phase {
	case moving:
		of, kind = g.phasing(), stopTurn
	case shooting:
		of, kind = g.phasing().enemy(), stopFire
	default:
		return nil
	}
	var all []engine.Decision
	for _, seat := range g.seatsOf(of) {
		all = append(all, engine.Decision{Side: seat, Kind: kind})
	}
	return all
}

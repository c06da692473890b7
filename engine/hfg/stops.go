package hfg

import (
	"berthier/engine"
	"berthier/engine/play"
)

// The stops of section 5 of the digest by the kind of their decision.
const (
	stopTurn = "turn" // HFG-S8
	stopFire = "fire" // HFG-S13
)

// stops by the kind of the decision.
var stops = map[string]play.Stop[*View, *battlefield]{
	stopTurn: turnForm,
	stopFire: fireForm,
}

// asks lists who is asked now: the phasing side before its moves, the other side before shots
// (HFG-S8, HFG-S13).
func (g *game) asks() []engine.Decision {
	if g.Said {
		return nil
	}
	of, kind := noSide, ""
	switch g.Phase {
	case moving:
		if len(g.Moves) > 0 {
			return nil
		}
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

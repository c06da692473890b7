package hfg

import (
	"errors"
	"fmt"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// short is a battle that ends after some pairs of turns.
var short = []rulestest.Setup{{Name: "short", Setup: engine.Setup{Options: map[string]string{"sunset-pairs": "6"}}}}

// The digest of the rules covers everything that decides.
func TestSources(t *testing.T) { rulestest.Sources(t, New()) }

// Whole games come to their end, half of them with fair players: no position on the way is one that
// can't be, or that a ruling might not make of the one before.
func TestPlayouts(t *testing.T) {
	games := len(setups)
	if rulestest.FullSamples() {
		games = 2 * len(setups)
	}
	rulestest.Playouts(t, New(), setups, games, 2, func() playout.Observer {
		inOrder := rulestest.InOrder(conserved)
		return func(m playout.Moment) error { return errors.Join(sound(m.Position.(*game)), inOrder(m)) }
	}, func(i int, g *playout.Game) {
		if i%2 == 1 {
			g.Choose = engine.Ruleset.Sensible
		}
	})
}

// Whatever holds for every ruleset holds here, at some stops.
func TestProperties(t *testing.T) {
	rulestest.Properties(t, append(short, setups[2:]...), 3, playout.Properties{Rules: New(), Answers: 1, Broken: 2, Every: 20, Conserved: conserved})
}

// conserved checks that nobody comes back who was lost for good: in the night some do (HFG-20.12).
func conserved(before, after engine.Position) error {
	was, g := before.(*game), after.(*game)
	if was.prepared() || len(was.Elements) != len(g.Elements) || was.Phase == preparing || was.Nights != g.Nights {
		return nil
	}
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		switch was.Elements[e].Fate {
		case destroyed, spent, fled, left:
			if g.Elements[e].Fate != was.Elements[e].Fate {
				return fmt.Errorf("%s was %s and is back", g.def(e).id, fateWords[was.Elements[e].Fate])
			}
		}
	}
	return nil
}

// What reports say of who is ahead, of what happened and of what has changed tells nothing that is hidden.
func TestReportsTellNoMore(t *testing.T) { rulestest.Reports(t, New(), short, 1) }

// Pictures show what happened, and nothing that is hidden.
func TestPicturesTellNoMore(t *testing.T) {
	rulestest.Pictures(t, New(), short, 1, engine.Moved, engine.Attacked, engine.Fired, engine.Hit)
}

// Nor does what is drawn of an answer hang on it.
func TestSketchesShowNoMore(t *testing.T) {
	rulestest.Sketches(t, New(), short, 1, stopTurn)
}

// Policies in a position are read back.
func TestPolicyPositions(t *testing.T) {
	rulestest.PolicyPositions(t, New(), short[0].Setup, "{reply: default, press: \"no\", pursue: [{of: mounted, if: {beaten: routed}, do: max}, {else: min}]}")
}

// Each line of a template is a legal order once its # is taken away, and each word has its example.
func TestTemplatesTakeUncommenting(t *testing.T) {
	rulestest.Uncomment(t, "hfg", New(), append(shortGames(t), questions(t)...), 1)
}

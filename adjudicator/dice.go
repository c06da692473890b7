package adjudicator

import (
	"fmt"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
)

// scheme is the one of a game.
func (g *game) scheme() int { return max(g.Scheme, log.FirstScheme) }

// Normal is an answer in the form on which the dice of the game depend.
func Normal(t *turn, a engine.Answer) string { return log.NormalForm(t.game.scheme(), a) }

// AsNormal is an answer as its normal form says it: what the log has is what is
// carried out, and nothing else that the answer might hold.
func AsNormal(t *turn, decision engine.Decision, a engine.Answer) (engine.Answer, string, error) {
	text := Normal(t, a)
	if t.game.scheme() == log.FirstScheme {
		return a, text, nil
	}
	doc, problems := orders.Parse(text, nil)
	if len(problems) == 0 {
		var again engine.Answer
		if again, problems = t.rules.Read(t.view(decision.Side), decision, doc); len(problems) == 0 {
			if Normal(t, again) == text {
				return again, text, nil
			}
		}
	}
	return nil, "", fmt.Errorf("resolve %s: the answer of %s to %s does not read as itself", t.game.ID, decision.Side, decision.Kind)
}

// Opening finds the entry of the file of an answer in force, and the salt that opens
// its seal; none if the answer has no file, or says something else by now.
func Opening(t *turn, entry uint64, side engine.Side, normal string) (uint64, string, error) {
	if entry == 0 || t.game.scheme() == log.FirstScheme {
		return 0, "", nil
	}
	var f log.Taken
	e, err := t.entry(entry, &f)
	if err != nil {
		return 0, "", err
	}
	if e.Kind != log.KindTaken || e.Seat != side || f.Seal == "" || log.SealOf(f.Salt, normal) != f.Seal {
		return 0, "", nil
	}
	return entry, f.Salt, nil
}

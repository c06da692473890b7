package report

import (
	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/orders/phrase"
)

// introduce says in the first letter to a player what the game is: how it is won, how often he
// will be asked, what is written how, where he reads more.
func introduce(w *Writer, view engine.View, s *game.Seat) []phrase.Phrase {
	rules, ok := w.turn.Rules.(engine.Introducing)
	if !ok || w.turn.Game.Phase != game.Running {
		return nil
	}
	x := rules.Introduce(view)
	lines := append([]phrase.Phrase{}, x.Game...)
	pace, policies := w.turn.Game.Pace[s.Side], true
	if pace == "" || pace == engine.EveryDecision {
		pace, policies = engine.EveryDecision, false
	}
	if n := x.Letters[pace]; n > 0 {
		args := []phrase.Arg{phrase.Number("n", n)}
		if policies {
			args = append(args, phrase.Literal("policies", "yes"))
		}
		lines = append(lines, phrase.Say("letter.intro.asked", args...))
	}
	lines = append(lines, x.Signs...)
	var marks []phrase.Arg
	if s.Owes != nil {
		marks = append(marks, phrase.Number("stop", s.Owes.Stop))
	}
	lines = append(lines, phrase.Say("letter.intro.marks", marks...))
	if w.HelpURL != "" {
		return append(lines, phrase.Say("letter.intro.help", phrase.Literal("url", w.HelpURL)))
	}
	return append(lines, phrase.Say("letter.intro.help-by-letter"))
}

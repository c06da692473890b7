package templates

import "berthier/orders/phrase"

// chance sets what a report tells of the dice: the commitment and how they come from it
// in the first, the seed in the last.
func (s *sheet) chance(r *Report) {
	if r.Rolled == "" {
		return
	}
	s.heading("letter.dice.heading")
	code := "letter.dice.commitment"
	if r.Outcome != nil {
		code = "letter.dice.seed"
	}
	s.paragraph(code, phrase.Literal("game", r.Game))
	s.add(verbatimBlock{cleanLines(r.Rolled)})
	s.dice = append(s.dice, r.Rolled)
	if r.Scheme > 0 {
		s.paragraph("letter.dice.scheme", phrase.Number("scheme", r.Scheme))
	}
	if r.Luck {
		s.paragraph("letter.dice.luck")
	}
	if r.Fixed {
		s.paragraph("letter.dice.fixed")
	}
}

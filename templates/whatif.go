package templates

import (
	"strconv"
	"strings"

	"berthier/engine/whatif"
	"berthier/orders/phrase"
)

// whatIf tells what might follow from a draft, and what that was found from.
func (s *sheet) whatIf(spread *whatif.Spread) {
	s.heading("letter.whatif.heading")
	s.paragraph("letter.whatif.what", phrase.Number("n", spread.Runs))
	times := s.say("letter.whatif.times", phrase.Number("n", spread.Runs))
	list := func(what string, rows [][]string) {
		if len(rows) > 0 {
			s.add(tableBlock{heads: []string{times, s.say(what)}, right: []bool{true, false}, rows: rows})
		}
	}
	var rows [][]string
	for _, t := range spread.Told {
		var words []string
		if t.Say.Code != "" {
			sentence := s.sentence(t.Say)
			if t.Clause != "" {
				sentence += " [" + clean(t.Clause) + "]"
			}
			words = append(words, sentence)
		}
		if t.Others > 0 {
			words = append(words, s.say("letter.whatif.others", phrase.Number("n", t.Others)))
		}
		rows = append(rows, []string{strconv.Itoa(t.Times), strings.Join(words, " ")})
	}
	list("letter.whatif.told", rows)
	if spread.Rest > 0 {
		s.paragraph("letter.whatif.rest", phrase.Number("n", spread.Rest))
	}
	rows = nil
	for _, f := range spread.Filed {
		rows = append(rows, []string{strconv.Itoa(f.Answered), s.say("letter.whatif.answered", phrase.Literal("key", f.Key))})
		if f.Misfit > 0 {
			rows = append(rows, []string{strconv.Itoa(f.Misfit), s.say("letter.whatif.misfit", phrase.Literal("key", f.Key))})
		}
	}
	list("letter.whatif.filed", rows)
	rows = nil
	for _, e := range spread.Ends {
		sentence := s.sentence(e.Outcome.Reason)
		if len(e.Outcome.Winners) == 0 {
			sentence += " " + s.say("letter.whatif.draw")
		} else {
			sentence += " " + s.say("letter.whatif.winners", phrase.Names("winners", "side", sideIDs(e.Outcome.Winners)))
		}
		rows = append(rows, []string{strconv.Itoa(e.Times), sentence})
	}
	list("letter.whatif.ends", rows)
	if len(spread.Ends) == 0 {
		s.paragraph("letter.whatif.no-end")
	}
	rows = nil
	for _, n := range spread.Next {
		rows = append(rows, []string{strconv.Itoa(n.Times), sentenceCase(s.say("letter.whatif.stop", s.stop(n.Decision)...))})
	}
	list("letter.whatif.next", rows)
	if spread.Open > 0 {
		s.paragraph("letter.whatif.open", phrase.Number("n", spread.Open))
	}
	s.paragraph("letter.whatif.from")
}

package adjudicator

import (
	"fmt"

	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// standing gives the ruleset of a file that holds standing orders and no
// orders, if the game knows such: they count whether anything is owed or not.
func (v *visit) standing() (engine.Instructor, bool) {
	rules, ok := v.rules.(engine.Instructor)
	return rules, ok && v.game.Phase == running && v.doc.Orders == nil && v.doc.Standing != nil
}

// instruct puts the standing orders of a file in force, unless it is a draft,
// and confirms them. What is owed stays owed.
func (v *visit) instruct(s *seat, byGM bool, rules engine.Instructor, problems orders.Problems) error {
	given, faults := rules.ReadStanding(v.view(s.Side), v.doc)
	if problems = append(problems, faults...); len(problems) > 0 {
		problems.Sort()
		return v.refuse(s, byGM, problems)
	}
	n := templates.Notice{Subject: phrase.Say("office.standing.subject"), Texts: []string{given.Orders().Encode()}}
	if v.doc.Draft {
		v.done("draft", mail.Processed)
		n.Subject = phrase.Say("office.standing.draft-subject")
		n.Lines = append(n.Lines, phrase.Say("office.standing.draft"))
		v.confirmStanding(s, byGM, n)
		return nil
	}
	next := v.position.Clone()
	position, ok := next.(engine.Instructed)
	if !ok {
		return fmt.Errorf("take standing orders of %s: the position does not take them", v.game.ID)
	}
	if err := position.Instruct(s.Side, given); err != nil {
		return fmt.Errorf("take standing orders of %s: %w", v.game.ID, err)
	}
	v.done("standing", mail.Processed)
	if err := v.log(LogStanding, s, byGM, v.taken(s)); err != nil {
		return err
	}
	v.position, v.moved = next, true
	v.views = map[engine.Side]engine.View{}
	v.readings = nil
	snapshot, err := next.Marshal()
	if err != nil {
		return fmt.Errorf("take standing orders of %s: %w", v.game.ID, err)
	}
	v.remember(v.last.Seq, LogStanding, snapshot)
	n.Lines = append(n.Lines, phrase.Say("office.standing.what"))
	if s.Owes != nil && s.Owes.Answer == nil {
		n.Lines = append(n.Lines, phrase.Say("office.standing.owed", phrase.Within("stop", sayStop(s.Owes))))
	}
	if _, blind := v.blind(v.game.GM.Address); v.doc.Note != "" && !byGM && !blind {
		v.tellGM(phrase.Say("office.note.subject", sideName(s.Side)),
			phrase.Say("office.standing.note", sideName(s.Side), phrase.Literal("note", v.doc.Note)))
	}
	v.confirmStanding(s, byGM, n)
	return v.settle()
}

// confirmStanding answers whoever sent the file, and tells the player if the
// game master wrote for him.
func (v *visit) confirmStanding(s *seat, byGM bool, n templates.Notice) {
	may, to := v.mayAnswer(), v.intake.letter
	if byGM {
		if may {
			n.Heading = v.gmHeading()
			v.postGM("notice", to, v.office.words.Notice(n))
		}
		if v.doc.Draft {
			return
		}
		may, to = true, nil // he is told, however much the game master has written
		n.Lines = append([]phrase.Phrase{v.sayGave(s, "office.gm-stands")}, n.Lines...)
	}
	if !may {
		return
	}
	n.Heading, n.Owed = v.heading(s), v.owed(s, true)
	v.post(s, "notice", to, v.office.words.Notice(n))
}

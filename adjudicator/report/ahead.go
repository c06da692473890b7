package report

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/orders/phrase"
	"berthier/templates"
)

// filed is what a report tells a seat of what it has filed ahead and what waits; nothing if
// nothing does.
func filed(w *Writer, s *game.Seat) []engine.Section {
	lines := w.turn.Filed(s)
	if len(lines) == 0 || w.turn.Game.Phase != game.Running {
		return nil
	}
	section := engine.Section{Heading: phrase.Say("office.ahead.heading"), Lines: []phrase.Phrase{phrase.Say("office.ahead.what")}}
	for _, line := range lines {
		section.Lines = append(section.Lines, phrase.Say("office.ahead.line", phrase.Literal("line", line)))
	}
	return []engine.Section{section}
}

// sayFiled says what a file files ahead; nothing if it says nothing of that.
func sayFiled(w *Writer, text string) []phrase.Phrase {
	if text == "" {
		return nil
	}
	sheet, _ := ahead.Sheet(w.turn.Rules)
	f := ahead.Filed{Text: text}
	lines := game.SayFiled(f.Shown(sheet))
	if len(lines) == 0 {
		lines = append(lines, phrase.Say("office.ahead.cleared"))
	}
	return lines
}

// filedBy says what the answer in force of a seat files ahead, and what of that counts for nothing since a letter that was written
// later says something else.
func filedBy(w *Writer, s *game.Seat) (lines []phrase.Phrase) {
	if s.Owes == nil || s.Owes.Answer == nil {
		return nil
	}
	a := s.Owes.Answer
	switch files := a.Files; {
	case files == nil && a.Late:
		lines = append(lines, w.AtHis(s.Person, game.SayLate(a.Sent)))
		lines = append(lines, game.SayFiled(w.turn.Filed(s))...)
	case files == nil:
	case len(files.Used) == 0:
		return sayFiled(w, files.Text)
	default:
		sheet, _ := ahead.Sheet(w.turn.Rules)
		lines = game.SayFiled(files.Shown(sheet))
		var keys []string
		left := files.Waiting(sheet)
		for _, p := range ahead.Parse(sheet, files.Text) {
			if !slices.ContainsFunc(left, func(q ahead.Part) bool { return q.Key == p.Key }) && !slices.Contains(keys, p.Key) {
				keys = append(keys, p.Key)
			}
		}
		if len(keys) > 0 {
			lines = append(lines, phrase.Say("office.ahead.aside", phrase.Literals("keys", keys)))
		}
	}
	return lines
}

// filedNotice answers a letter that files something ahead and nothing else.
func filedNotice(w *Writer, s *game.Seat, v game.Verdict, owed *templates.Owed) templates.Notice {
	n := templates.Notice{Heading: w.Heading(s), Owed: owed, Subject: phrase.Say("office.ahead.subject"), Lines: sayFiled(w, v.File)}
	if v.Draft {
		n.Subject = phrase.Say("office.ahead.draft-subject")
		n.Lines = append([]phrase.Phrase{phrase.Say("office.ahead.draft")}, n.Lines...)
	} else if len(w.turn.Filed(s)) > 0 {
		n.Lines = append(n.Lines, phrase.Say("office.ahead.what"))
	}
	if v.Unread {
		n.Lines = append(n.Lines, phrase.Say("office.note.too-many"))
	}
	if owed != nil && !owed.Answered && !v.Draft {
		n.Lines = append(n.Lines, phrase.Say("office.standing.owed", phrase.Within("stop", game.SayStop(s.Owes))))
	}
	return n
}

// NoticeOf is the letter about standing orders, or about what was filed ahead, that came
// without an answer.
func NoticeOf(w *Writer, s *game.Seat, v game.Verdict, owed *templates.Owed) templates.Notice {
	if v.Kind == log.KindAhead {
		return filedNotice(w, s, v, owed)
	}
	n := w.Standing(s, v, owed)
	n.Lines = append(n.Lines, sayFiled(w, v.Ahead)...)
	return n
}

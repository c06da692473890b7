package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
)

// answer judges an order file for a seat, and takes it as its answer if it is
// good. The game master may answer for a seat.
func (req *request) answer(s *game.Seat, byGM bool) error {
	meant, faults := req.form().Meant(s)
	req.doc, req.problems = meant, append(req.problems, faults...)
	file := req.form()
	if file.Standing() {
		given, problems := file.Instructions(s, req.problems)
		if len(problems) > 0 {
			return req.refuse(s, byGM, problems)
		}
		return req.instruct(s, byGM, given)
	}
	if !byGM {
		if then := req.Foreseen(s.Side); then != nil {
			return beforehand(req, s, then)
		}
	}
	answer, problems := file.Orders(s, req.problems)
	if len(problems) > 0 {
		return req.refuse(s, byGM, problems)
	}
	return req.accept(s, byGM, answer)
}

// file is what was judged, in the form in which the game has it.
func (req *request) file(s *game.Seat, byGM bool, t log.Taken) game.File {
	f := game.File{Side: s.Side, ByGM: byGM, Letter: log.HexOf(req.intake.Mail.Digest), Taken: t}
	if req.doc.Instructs() || req.doc.Ahead != nil {
		f.Files = &game.Stamp{Sent: req.form().Sent(), Serial: req.doc.Serial}
	}
	return f
}

// keysOf are the keys that the writer of a file for a seat knows. The log is published when the game is over, but even then
// nobody else may have them.
func keysOf(req *request, s *game.Seat) []string {
	g, from := req.Game, req.intake.From
	all := []string{req.office.keys.Seat(g, s)}
	switch p := g.Master(from); {
	case g.GM.Address == from:
		all = append(all, req.office.keys.GM(g))
	case p != nil:
		all = append(all, req.office.keys.Master(g, *p))
	}
	if req.who.Gm {
		all = append(all, req.doc.Key) // it is proved, and may be the office's
	}
	return all
}

func (req *request) taken(s *game.Seat) log.Taken {
	hide := func(text string) string {
		for _, key := range keysOf(req, s) {
			text = intake.HideKey(text, key)
		}
		return text
	}
	t := log.Taken{File: hide(req.doc.Source), MessageID: req.intake.Mail.MessageID, Sent: req.intake.Written(), Final: req.doc.Final, Note: hide(req.doc.Note), Refiled: req.refiled}
	t.Ahead, _ = req.form().Ahead(s)
	if s.Owes != nil {
		t.SeatStop = s.Owes.Stop
	}
	return t
}

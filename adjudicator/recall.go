package adjudicator

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/report"
	"berthier/adjudicator/tally"
	"berthier/orders"
	"berthier/orders/phrase"
)

// mostRecalled is how many letters of his history a player gets for one that he
// writes: each holds up to [mostPictures] maps. For the others he writes again.
const mostRecalled = 4

// recall sends a player his history, from the letter that he asks for on: as many letters as
// one answer may hold and as he may have in this hour. Each counts as an answer of its
// own.
func recall(req *request, s *game.Seat) error {
	refs, err := req.kept.reports(req.Game, s)
	if err != nil {
		return err
	}
	var again []report.Sent
	for _, ref := range refs {
		again = append(again, report.Sent{Report: ref.Report, Stop: ref.Stop, At: ref.At})
	}
	list, err := req.letters.History(s, again)
	if err != nil {
		return err
	}
	first := 1
	if n := req.value("letter"); n != nil {
		r := orders.NewReader(game.Vocabulary)
		first, _ = r.Int(n, 1, len(list))
		if len(r.Problems) > 0 {
			return req.refuse(s, false, r.Problems)
		}
	}
	if !req.mayAnswer() { // counts the first of them
		return nil
	}
	n, most := 1, min(mostRecalled, len(list)-first+1)
	for n < most && req.office.counts.Answers.Room(req.intake.From, req.Now) >= tally.AnswerWeight && req.intake.mayAnswer("", tally.AnswerWeight) {
		req.intake.bill.Spend(req.intake.From, req.Now, tally.AnswerWeight)
		n++
	}
	sent := list[first-1 : first-1+n]
	if next := first + n; next <= len(list) {
		last := &sent[n-1]
		last.Lines = append(slices.Clone(last.Lines), phrase.Say("office.history.more", phrase.Number("next", next), phrase.Number("of", len(list))))
		last.Form = orders.Mapping().Set("game", orders.Text(req.Game.ID)).Set("key", orders.Text(req.office.keys.Seat(req.Game, s))).
			Set("command", orders.Text("history")).Set("letter", orders.Number(next)).FormIn(s.Person.Language).Encode()
	}
	for _, one := range sent {
		req.post(s, "notice", req.intake.Mail, req.office.words.Notice(one))
	}
	return nil
}

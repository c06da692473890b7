package adjudicator

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/report"
	"berthier/orders"
	"berthier/orders/phrase"
)

// mostRecalled is how many letters of his history a player gets for one that he
// writes: each holds up to [mostPictures] maps. For the others he writes again.
const mostRecalled = 4

// recall sends a player his history, from the letter that he asks for on: as many letters as
// one answer may hold and as he may have in this hour. Each counts as an answer of its
// own.
func (v *visit) recall(s *game.Seat) error {
	refs, err := v.kept.reports(v.Game, s)
	if err != nil {
		return err
	}
	var again []report.Sent
	for _, ref := range refs {
		again = append(again, report.Sent{Report: ref.Report, Stop: ref.Stop, At: ref.At})
	}
	list, err := v.letters.History(s, again)
	if err != nil {
		return err
	}
	first := 1
	if n := v.value("letter"); n != nil {
		r := orders.NewReader(game.Vocabulary)
		first, _ = r.Int(n, 1, len(list))
		if len(r.Problems) > 0 {
			return v.refuse(s, false, r.Problems)
		}
	}
	if !v.mayAnswer() { // this counts the first of them
		return nil
	}
	n, most := 1, min(mostRecalled, len(list)-first+1)
	for n < most && v.office.answers.Room(v.intake.From, v.Now) >= intake.AnswerWeight && v.intake.mayAnswer("", intake.AnswerWeight) {
		v.office.talks.Spend(v.intake.From, v.Now, intake.AnswerWeight)
		n++
	}
	sent := list[first-1 : first-1+n]
	if next := first + n; next <= len(list) {
		last := &sent[n-1]
		last.Lines = append(slices.Clone(last.Lines), phrase.Say("office.history.more", phrase.Number("next", next), phrase.Number("of", len(list))))
		last.Form = orders.Mapping().Set("game", orders.Text(v.Game.ID)).Set("key", orders.Text(v.office.keys.Seat(v.Game, s))).
			Set("command", orders.Text("history")).Set("letter", orders.Number(next)).Encode()
	}
	for _, one := range sent {
		v.post(s, "notice", v.intake.Mail, v.office.words.Notice(one))
	}
	return nil
}

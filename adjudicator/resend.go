package adjudicator

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
)

func reportsNote(game string, side engine.Side) string { return "reports " + game + " " + string(side) }

// reports lists the reports that a seat's present player had, the oldest first:
// also those that he had at another seat, before an exchange. What the one who
// sat here before him had is not his.
func (d *desk) reports(s *game.Seat) (refs []outbox.Ref, err error) {
	side, epoch := s.Side, s.Epoch
	err = d.office.read(func(tx store.Reader) error {
		had := func() error {
			all, err := outbox.Reports(tx, reportsNote(d.Game.ID, side))
			refs = append(slices.DeleteFunc(all, func(r outbox.Ref) bool { return r.Epoch != epoch }), refs...)
			return err
		}
		for _, x := range slices.Backward(d.Game.Exchanges) {
			i := slices.Index(x.Sides[:], side)
			if i < 0 || x.Epochs[i] != epoch {
				continue // of others, or of those who had the seat before him
			}
			if err := had(); err != nil {
				return err
			}
			side, epoch = x.Sides[1-i], x.Epochs[1-i]-1
		}
		return had()
	})
	return refs, err
}

// resend sends a past report again, the same letter to the byte: report: 3, or
// stop: 5 for the newest report of that stop, or the newest of all. Only the
// player who had it gets it.
func (v *visit) resend(s *game.Seat) error {
	refs, err := v.reports(s)
	if err != nil {
		return err
	}
	r := orders.NewReader(game.Vocabulary)
	number, wanted := r.Int(v.value("report"), 1, 1<<30)
	i := len(refs) - 1
	switch {
	case wanted:
		i = slices.IndexFunc(refs, func(ref outbox.Ref) bool { return ref.Report == number })
	case v.doc.Stop > 0:
		for i >= 0 && refs[i].Stop != v.doc.Stop {
			i--
		}
	}
	if i < 0 && len(r.Problems) == 0 {
		p := v.fault("report", phrase.Say("office.resend.none"))
		if len(refs) > 0 {
			p.Remedy = phrase.Say("office.resend.which", phrase.Number("first", refs[0].Report), phrase.Number("last", refs[len(refs)-1].Report))
		}
		r.Problems = append(r.Problems, p)
	}
	if len(r.Problems) > 0 {
		r.Problems.Sort()
		return v.refuse(s, false, r.Problems)
	}
	v.done("command: resend", mail.Processed)
	if !v.mayAnswer() {
		return nil
	}
	id, address, now := refs[i].Number, s.Person.Address, v.Now
	v.resent = true
	return v.office.read(func(tx store.Reader) error { return outbox.SendAgain(&v.also, tx, id, address, now) })
}

// reportTable lists the reports that a player can have again.
func (d *desk) reportTable(s *game.Seat) (engine.Table, bool, error) {
	refs, err := d.reports(s)
	t := engine.Table{Caption: phrase.Say("office.resend.caption"), Head: []engine.Column{
		{Head: phrase.Say("office.resend.report"), Right: true}, {Head: phrase.Say("office.resend.stop"), Right: true}, {Head: phrase.Say("office.resend.at")},
	}}
	for _, ref := range refs {
		at := d.letters.Moment(s.Person, ref.At)
		t.Rows = append(t.Rows, []phrase.Value{{Kind: phrase.KindNumber, Num: ref.Report}, {Kind: phrase.KindNumber, Num: ref.Stop}, {Kind: phrase.KindPhrase, Say: &at}})
	}
	return t, len(t.Rows) > 0, err
}

package adjudicator

import (
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
)

func reportsName(game string, side engine.Side) string { return "reports " + game + " " + string(side) }

// reports lists the reports that a seat's present player had, the oldest first, even
// those that he had at another seat, before an exchange. Reports of the player who
// had this seat before him are not his.
func (k kept) reports(g *game.State, s *game.Seat) (refs []outbox.Ref, err error) {
	side, epoch := s.Side, s.Epoch
	err = shelving{k.office}.readAll(k.game, func(tx store.Reader) error {
		had := func() error {
			all, err := outbox.Reports(tx, reportsName(k.game, side))
			refs = append(slices.DeleteFunc(all, func(r outbox.Ref) bool { return r.Epoch != epoch }), refs...)
			return err
		}
		for _, x := range slices.Backward(g.Exchanges) {
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

// resend sends an earlier report again, the same letter to the byte: report: 3, or
// stop: 5 for the newest report of that stop, or the newest report of all. Only the
// player who had it gets it.
func (req *request) resend(s *game.Seat) error {
	refs, err := req.kept.reports(req.Game, s)
	if err != nil {
		return err
	}
	r := orders.NewReader(game.Vocabulary)
	number, wanted := r.Int(req.value("report"), 1, 1<<30)
	i := len(refs) - 1
	switch {
	case wanted:
		i = slices.IndexFunc(refs, func(ref outbox.Ref) bool { return ref.Report == number })
	case req.doc.Stop > 0:
		for i >= 0 && refs[i].Stop != req.doc.Stop {
			i--
		}
	}
	if i < 0 && len(r.Problems) == 0 {
		p := req.fault("report", phrase.Say("office.resend.none"))
		if a, err := (shelving{req.office}).whereIs(req.Game.ID); err != nil {
			return err
		} else if a != nil && !a.Gone.IsZero() {
			p = req.fault("report", phrase.Say("office.resend.gone", phrase.Literal("on", a.Gone.Format(time.DateOnly))))
		}
		if len(refs) > 0 {
			p.Remedy = phrase.Say("office.resend.which", phrase.Number("first", refs[0].Report), phrase.Number("last", refs[len(refs)-1].Report))
		}
		r.Problems = append(r.Problems, p)
	}
	if len(r.Problems) > 0 {
		r.Problems.Sort()
		return req.refuse(s, false, r.Problems)
	}
	req.done("command: resend", mail.Processed)
	if !req.mayAnswer() {
		return nil
	}
	id, address, now := refs[i].Number, s.Person.Address, req.Now
	err = shelving{req.office}.readAll(req.Game.ID, func(tx store.Reader) error { return outbox.SendAgain(&req.also, tx, id, address, now) })
	req.resent = err == nil
	return err
}

package adjudicator

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A reportRef is where a report that was sent to a seat is kept.
type reportRef struct {
	Report int       `json:"report"` // as the seat counts its reports
	Row    uint64    `json:"row"`    // in the outbox
	Stop   int       `json:"stop"`   // of the seat: the last that it was asked at
	Epoch  int       `json:"epoch"`  // of the seat's key: tells whose report it was
	At     time.Time `json:"at"`
}

func reportsNote(game string, side engine.Side) string { return "reports " + game + " " + string(side) }

// postReport queues a report and keeps it, so that its player can have it again.
func (d *desk) postReport(s *game.Seat, letter templates.Letter) {
	r := &row{Seat: s.Side, Epoch: s.Epoch, Kind: "report", Name: s.Person.Name, Address: s.Person.Address, Letter: &letter, Report: s.Reports}
	r.list, r.ref = reportsNote(d.Game.ID, s.Side), reportRef{Report: s.Reports, Stop: s.Stops, Epoch: s.Epoch, At: d.Now}
	d.send(r, nil)
}

func readRefs(data []byte) (refs []reportRef, err error) {
	if data == nil {
		return nil, nil
	}
	if err := json.Unmarshal(data, &refs); err != nil {
		return nil, fmt.Errorf("read the list of reports: %w", err)
	}
	return refs, nil
}

// reports lists the reports that a seat's present player had, the oldest first:
// also those that he had at another seat, before an exchange. What the one who
// sat here before him had is not his.
func (d *desk) reports(s *game.Seat) (refs []reportRef, err error) {
	side, epoch := s.Side, s.Epoch
	err = d.office.read(func(tx store.Reader) error {
		had := func() error {
			all, err := readRefs(tx.Note(reportsNote(d.Game.ID, side)))
			refs = append(slices.DeleteFunc(all, func(r reportRef) bool { return r.Epoch != epoch }), refs...)
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
	r := orders.NewReader(vocabulary)
	number, wanted := r.Int(v.value("report"), 1, 1<<30)
	i := len(refs) - 1
	switch {
	case wanted:
		i = slices.IndexFunc(refs, func(ref reportRef) bool { return ref.Report == number })
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
	id, address, now := refs[i].Row, s.Person.Address, v.Now
	v.resent = true
	return v.office.read(func(tx store.Reader) error { return sendAgain(&v.also, tx, id, address, now) })
}

// sendAgain adds to a change that a letter is sent once more, unless it is on its way.
func sendAgain(c *store.Change, tx store.Reader, id uint64, address string, now time.Time) error {
	out, ok := c.OutgoingIn(tx, id)
	if !ok || !out.Due.IsZero() {
		return nil
	}
	r, err := unpackRow(out.Body)
	if err != nil || r.Letter == nil || r.Address != address {
		return err
	}
	r.State, r.Tries, r.Slow, r.Error, r.Again = "", 0, false, "", now
	body, _, err := r.pack()
	if err != nil {
		return err
	}
	out.Due, out.Body = now, body
	c.PutOutgoing(out)
	return nil
}

// reportTable lists the reports that a player can have again.
func (d *desk) reportTable(s *game.Seat) (engine.Table, bool, error) {
	refs, err := d.reports(s)
	t := engine.Table{Caption: phrase.Say("office.resend.caption"), Head: []engine.Column{
		{Head: phrase.Say("office.resend.report"), Right: true}, {Head: phrase.Say("office.resend.stop"), Right: true}, {Head: phrase.Say("office.resend.at")},
	}}
	for _, ref := range refs {
		at := d.office.sayMoment(s.Person, ref.At)
		t.Rows = append(t.Rows, []phrase.Value{{Kind: phrase.KindNumber, Num: ref.Report}, {Kind: phrase.KindNumber, Num: ref.Stop}, {Kind: phrase.KindPhrase, Say: &at}})
	}
	return t, len(t.Rows) > 0, err
}

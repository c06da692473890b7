package adjudicator

import (
	"fmt"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A Disputed is an event that a player disputes, as the log keeps it. The other
// side learns nothing of it: the event may be one that it knows nothing of.
type Disputed struct {
	Event    int    `json:"event"`    // as the player counts them
	Resolved uint64 `json:"resolved"` // log entry of the stop in which it happened
	Clause   string `json:"clause,omitempty"`
	Reason   string `json:"reason"`
}

// mostDisputes is how many disputes of one player may be open at once.
const mostDisputes = 20

// dispute takes down that a player disputes an event.
func (v *visit) dispute(s *game.Seat) error {
	r := orders.NewReader(game.Vocabulary)
	n := 0
	if node := v.value("event"); node != nil {
		n, _ = r.Int(node, 1, 1<<30)
	} else {
		r.RefuseWith(v.value("command"), "", phrase.Say("office.dispute.no-event"), phrase.Say("office.dispute.form"))
	}
	reason := ""
	if node := v.value("reason"); node != nil {
		text, _ := r.Text(node)
		reason = phrase.Clip(oneLine(text), longestReason)
	}
	if reason == "" {
		r.RefuseWith(v.value("command"), "", phrase.Say("office.dispute.no-reason"), phrase.Say("office.dispute.form"))
	}
	problems := r.Problems
	about := Disputed{Event: n, Reason: reason}
	var what game.News
	if len(problems) == 0 {
		c, t, err := v.past.Event(s, n)
		if err != nil {
			return err
		}
		about.Resolved, about.Clause, what = c.Seq, t.Clause, t
		open, mine, err := v.openDisputes(s)
		switch {
		case err != nil:
			return err
		case c.Seq == 0:
			problems = orders.Problems{v.fault("event", phrase.Say("office.dispute.no-such", phrase.Number("n", n)))}
		case slices.Contains(open, n):
			problems = orders.Problems{v.fault("event", phrase.Say("office.dispute.already", phrase.Number("n", n)))}
		case mine >= mostDisputes:
			problems = orders.Problems{v.fault("event", phrase.Say("office.dispute.many", phrase.Number("most", mostDisputes)))}
		}
	}
	if len(problems) > 0 {
		return v.refuse(s, false, problems)
	}
	v.done("command: dispute", mail.Processed)
	if err := v.Log(log.Entry{Kind: log.KindDispute, Seat: s.Side, By: "player", Letter: log.HexOf(v.intake.Mail.Digest), Data: about}); err != nil {
		return err
	}
	seq := v.Last.Seq
	v.Game.Disputes = append(slices.Clone(v.Game.Disputes), seq)
	mark := len(v.rows)
	taken := phrase.Say("office.dispute.taken")
	if v.TellWhoMayKnow(phrase.Say("office.dispute.subject-gm"), phrase.Say("office.dispute.gm", game.SideName(s.Side), phrase.Number("entry", int(seq)),
		phrase.Literal("reason", reason)), what.Numbered(), phrase.Say("office.dispute.do")) == 0 {
		taken = phrase.Say("office.dispute.nobody")
	}
	if v.mayAnswer() {
		news := slices.Clone(v.rows[mark:])
		v.rows = v.rows[:mark]
		v.post(s, "notice", v.intake.Mail, v.office.words.Notice(templates.Notice{
			Heading: v.heading(s), Subject: phrase.Say("office.dispute.subject", phrase.Number("n", n)),
			Lines: []phrase.Phrase{taken, what.Numbered()},
		}))
		v.rows = append(v.rows, news...)
	}
	return nil
}

// openDisputes lists the events that a player disputes, and how many disputes of his
// are open.
func (d *desk) openDisputes(s *game.Seat) (events []int, n int, err error) {
	for _, seq := range d.Game.Disputes {
		var about Disputed
		e, err := d.Entry(seq, &about)
		if err != nil {
			return nil, 0, err
		}
		if d.SideAt(s, seq) == e.Seat {
			events, n = append(events, about.Event), n+1
		}
	}
	return events, n, nil
}

// disputesNotice shows the open disputes: the event with its clause, what was
// rolled, and the position before and after.
func (d *desk) disputesNotice() (templates.Notice, error) {
	n := templates.Notice{Heading: d.gmHeading(), Subject: phrase.Say("office.disputes.subject")}
	if len(d.Game.Disputes) == 0 {
		n.Lines = append(n.Lines, phrase.Say("office.disputes.none"))
	}
	for _, seq := range d.Game.Disputes {
		var about Disputed
		e, err := d.Entry(seq, &about)
		if err != nil {
			return n, err
		}
		var r log.Resolved
		stop, err := d.Entry(about.Resolved, &r)
		if err != nil {
			return n, err
		}
		say := phrase.Say("office.disputes.unknown")
		for _, s := range d.Game.Seats {
			if d.SideAt(s, seq) != e.Seat {
				continue
			}
			_, t, err := d.past.Event(s, about.Event)
			if err != nil {
				return n, err
			}
			if t.Say.Code != "" {
				say = t.Numbered()
			}
		}
		n.Lines = append(n.Lines, phrase.Say("office.disputes.one", phrase.Number("entry", int(seq)), game.SideName(e.Seat), phrase.Number("stop", stop.Stop),
			phrase.Within("event", say), phrase.Literal("clause", about.Clause), phrase.Literal("reason", about.Reason)))
		if err := d.stopTables(&n, stop.Stop, about.Resolved, &r); err != nil {
			return n, err
		}
	}
	if len(d.Game.Disputes) > 0 {
		n.Lines = append(n.Lines, phrase.Say("office.dispute.do"))
	}
	return n, nil
}

// showStop adds how a stop was resolved, on the way to the present position.
func (d *desk) showStop(n *templates.Notice, stop int) error {
	trail, err := d.past.Branch()
	if err != nil {
		return err
	}
	at, r, err := d.past.Resolved(trail, func(e log.Entry, _ *log.Resolved) bool { return e.Stop == stop })
	if err != nil {
		return err
	}
	if at < 0 {
		n.Lines = append(n.Lines, phrase.Say("office.rule.not-resolved", phrase.Number("stop", stop)))
		return nil
	}
	return d.stopTables(n, stop, trail[at].Seq, r)
}

// stopTables adds what was ordered and rolled at a stop, and the position before and
// after it.
func (d *desk) stopTables(n *templates.Notice, stop int, seq uint64, r *log.Resolved) error {
	rolls := engine.Table{Caption: phrase.Say("office.stop.rolls", phrase.Number("stop", stop)), Head: []engine.Column{
		{Head: phrase.Say("office.stop.roll"), Right: true}, {Head: phrase.Say("office.stop.for")},
		{Head: phrase.Say("office.stop.sides"), Right: true}, {Head: phrase.Say("office.stop.result"), Right: true},
	}}
	for i, roll := range r.Rolls {
		purpose := roll.Purpose
		rolls.Rows = append(rolls.Rows, []phrase.Value{
			{Kind: phrase.KindNumber, Num: i + 1}, {Kind: phrase.KindPhrase, Say: &purpose},
			{Kind: phrase.KindNumber, Num: roll.Sides}, {Kind: phrase.KindNumber, Num: roll.Result},
		})
	}
	if len(rolls.Rows) > 0 {
		n.Tables = append(n.Tables, rolls)
	}
	given := engine.Table{Caption: phrase.Say("office.stop.orders", phrase.Number("stop", stop)), Head: []engine.Column{
		{Head: phrase.Say("office.seat.side")}, {Head: phrase.Say("office.show.by")}, {Head: phrase.Say("office.show.what")},
	}}
	for _, a := range r.Answers {
		given.Rows = append(given.Rows, []phrase.Value{{Kind: "side", Text: string(a.Decision.Side)}, text(a.By), text(oneLine(a.Orders))})
	}
	n.Tables = append(n.Tables, given)
	after, err := d.past.Checkpoint(seq)
	if err != nil {
		return err
	}
	for _, m := range []struct {
		when string
		seq  uint64
	}{{"before", after.Parent}, {"after", seq}} {
		if m.seq == 0 {
			continue
		}
		at, err := d.past.Checkpoint(m.seq)
		if err != nil {
			return err
		}
		n.Files = append(n.Files, templates.File{Name: fmt.Sprintf("%s-stop-%d-%s.yaml", d.Game.ID, stop, m.when), Type: "application/yaml", Data: at.Snapshot})
	}
	return nil
}

// Disputes gives the open disputes of a game as text for its game master, with the
// positions as files.
func (c *Clerk) Disputes(id string) (text string, files []templates.File, err error) {
	return c.lookNotice(id, func(d *desk) (templates.Notice, error) { return d.disputesNotice() })
}

// ShowStop gives how a stop of a game was resolved as text for its game master, with
// the positions before and after it as files.
func (c *Clerk) ShowStop(id string, stop int) (text string, files []templates.File, err error) {
	return c.lookNotice(id, func(d *desk) (templates.Notice, error) {
		n := templates.Notice{Heading: d.gmHeading(), Subject: phrase.Say("office.show.subject")}
		err := d.showStop(&n, stop)
		return n, err
	})
}

func (c *Clerk) lookNotice(id string, write func(*desk) (templates.Notice, error)) (text string, files []templates.File, err error) {
	err = c.office.look(intake.FoldGame(id), func(d *desk) error {
		n, err := write(d)
		if err != nil {
			return err
		}
		n.Heading.Reader.Language = templates.Languages[0]
		text, files = c.office.words.Notice(n).Text, n.Files
		return nil
	})
	return text, files, err
}

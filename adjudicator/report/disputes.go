package report

import (
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Disputes shows the open disputes: the event with its clause, what was
// rolled, and the position before and after.
func (m Master) Disputes() (templates.Notice, error) {
	n := templates.Notice{Heading: m.GMHeading(), Subject: phrase.Say("office.disputes.subject")}
	if len(m.turn.Game.Disputes) == 0 {
		n.Lines = append(n.Lines, phrase.Say("office.disputes.none"))
	}
	for _, seq := range m.turn.Game.Disputes {
		var about log.Disputed
		e, err := m.turn.Entry(seq, &about)
		if err != nil {
			return n, err
		}
		var r log.Resolved
		stop, err := m.turn.Entry(about.Resolved, &r)
		if err != nil {
			return n, err
		}
		say := phrase.Say("office.disputes.unknown")
		for _, s := range m.turn.Game.Seats {
			if m.turn.SideAt(s, seq) != e.Seat {
				continue
			}
			_, t, err := m.past.Event(s, about.Event)
			if err != nil {
				return n, err
			}
			if t.Say.Code != "" {
				say = t.Numbered()
			}
		}
		n.Lines = append(n.Lines, phrase.Say("office.disputes.one", phrase.Number("entry", int(seq)), game.SideName(e.Seat), phrase.Number("stop", stop.Stop),
			phrase.Within("event", say), phrase.Literal("clause", about.Clause), phrase.Literal("reason", about.Reason)))
		if err := m.stopTables(&n, stop.Stop, about.Resolved, &r); err != nil {
			return n, err
		}
	}
	if len(m.turn.Game.Disputes) > 0 {
		n.Lines = append(n.Lines, phrase.Say("office.dispute.do"))
	}
	return n, nil
}

// AddStop adds how a stop was resolved, on the way to the present position.
func (m Master) AddStop(n *templates.Notice, stop int) error {
	branch, err := m.past.Branch()
	if err != nil {
		return err
	}
	at, r, err := m.past.Resolved(branch, func(e log.Entry, _ *log.Resolved) bool { return e.Stop == stop })
	if err != nil {
		return err
	}
	if at < 0 {
		n.Lines = append(n.Lines, phrase.Say("office.rule.not-resolved", phrase.Number("stop", stop)))
		return nil
	}
	return m.stopTables(n, stop, branch[at].Seq, r)
}

// stopTables adds what was ordered and rolled at a stop, and the position before and
// after it.
func (m Master) stopTables(n *templates.Notice, stop int, seq uint64, r *log.Resolved) error {
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
		given.Rows = append(given.Rows, []phrase.Value{{Kind: "side", Text: string(a.Decision.Side)}, text(a.By), text(phrase.OneLine(a.Orders))})
	}
	n.Tables = append(n.Tables, given)
	after, err := m.past.Checkpoint(seq)
	if err != nil {
		return err
	}
	for _, one := range []struct {
		when string
		seq  uint64
	}{{"before", after.Parent}, {"after", seq}} {
		if one.seq == 0 {
			continue
		}
		at, err := m.past.Checkpoint(one.seq)
		if err != nil {
			return err
		}
		n.Files = append(n.Files, templates.File{Name: fmt.Sprintf("%s-stop-%d-%s.yaml", m.turn.Game.ID, stop, one.when), Type: "application/yaml", Data: at.Snapshot})
	}
	return nil
}

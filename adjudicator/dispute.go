package adjudicator

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// mostDisputes is how many disputes of one player may be open at once.
const mostDisputes = 20

// dispute takes down that a player disputes an event.
func (v *visit) dispute(s *game.Seat) error {
	n, reason, problems := v.form().Dispute()
	about := log.Disputed{Event: n, Reason: reason}
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
	if err := v.Do(game.Disputed{Side: s.Side, About: about, What: what.Numbered(), Letter: v.intake.reference()}); err != nil {
		return err
	}
	taken := phrase.Say("office.dispute.taken")
	if !v.SomebodyMayKnow() {
		taken = phrase.Say("office.dispute.nobody")
	}
	if v.mayAnswer() {
		v.post(s, "notice", v.intake.Mail, v.office.words.Notice(templates.Notice{
			Heading: v.letters.Heading(s), Subject: phrase.Say("office.dispute.subject", phrase.Number("n", n)),
			Lines: []phrase.Phrase{taken, what.Numbered()},
		}))
	}
	return nil
}

// openDisputes lists the events that a player disputes, and how many disputes of his
// are open.
func (d *desk) openDisputes(s *game.Seat) (events []int, n int, err error) {
	for _, seq := range d.Game.Disputes {
		var about log.Disputed
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

// Disputes gives the open disputes of a game as text for its game master, with the
// positions as files.
func (c *Clerk) Disputes(id string) (text string, files []templates.File, err error) {
	return c.lookNotice(id, func(d *desk) (templates.Notice, error) { return d.letters.Master().Disputes() })
}

// ShowStop gives how a stop of a game was resolved as text for its game master, with
// the positions before and after it as files.
func (c *Clerk) ShowStop(id string, stop int) (text string, files []templates.File, err error) {
	return c.lookNotice(id, func(d *desk) (templates.Notice, error) {
		n := templates.Notice{Heading: d.letters.GMHeading(), Subject: phrase.Say("office.show.subject")}
		err := d.letters.Master().AddStop(&n, stop)
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

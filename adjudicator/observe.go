package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// observe adds an observer, changes what he sees, or with view: none sends him
// away.
func (c *gmCommand) observe() error {
	o, problems := c.form().Observer()
	if len(problems) > 0 {
		return c.refuseGM(problems)
	}
	if err := c.Do(game.Observed{Observer: o, Letter: c.intake.reference()}); err != nil {
		return err
	}
	said := phrase.Say("office.observe.is-"+o.View, phrase.Literal("address", o.Person.Address), phrase.Literal("delay", timing.WriteDuration(o.Delay)))
	return c.sendGM(templates.Notice{Heading: c.gmHeading(), Subject: phrase.Say("office.observe.subject"), Lines: []phrase.Phrase{said}})
}

// toObserver queues a letter to an observer, to go out after a delay. Its hash
// is left out: it would tell when players write.
func (d *desk) toObserver(p log.Person, m game.Onlooking) {
	at := d.Now.Add(m.Delay)
	n := templates.Notice{Subject: m.Subject, Lines: m.Lines, Page: m.Page, Heading: templates.Heading{
		Reader: readerOf(p), Game: d.Game.ID, Title: d.Game.Title, System: d.Game.System, Side: m.Side, Spell: d.View(engine.GM).Spell, Now: at,
	}}
	letter := d.office.words.Notice(n)
	r := &outbox.Outgoing{Seat: engine.Public, Kind: "observer", Name: p.Name, Address: p.Address, Letter: &letter, Due: at}
	r.Game, r.Written = d.Game.ID, at
	r.Answers(nil, d.office.box.Thread(r.Game, engine.Side("observer "+p.Address), 0))
	d.rows = append(d.rows, r)
}

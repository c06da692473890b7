package adjudicator

import (
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Bounds of observers.
const (
	mostObservers = 20
	usualDelay    = 7 * 24 * time.Hour
	leastDelay    = time.Hour
)

// observe adds an observer, changes what he sees, or with view: none sends him
// away.
func (v *visit) observe() error {
	r := orders.NewReader(game.Vocabulary)
	o := game.Observer{View: game.ViewPublic, Person: log.Person{
		Name: intake.ReadName(r, v.value("name")), Language: intake.ReadLanguage(r, v.value("language"), templates.Languages), Zone: intake.ReadZone(r, v.value("zone")),
	}}
	address := v.value("address")
	if address == nil {
		r.Problems = append(r.Problems, v.fault("command", phrase.Say("office.observe.no-address")))
	}
	o.Person.Address = intake.ReadAddress(r, address)
	if n := v.value("view"); n != nil {
		o.View, _ = r.Word(n, game.ViewPublic, game.ViewFull, game.ViewNone)
	}
	delay := v.value("delay")
	if delay != nil {
		o.Delay, _ = intake.ReadDuration(r, delay)
	}
	switch {
	case len(r.Problems) > 0:
	case delay != nil && o.View != game.ViewFull:
		r.Refuse(delay, "", phrase.Say("office.observe.delay-what"))
	case delay != nil && o.Delay < leastDelay:
		r.Refuse(delay, "", phrase.Say("office.observe.delay", phrase.Literal("least", timing.WriteDuration(leastDelay))))
	case o.View == game.ViewFull && delay == nil:
		o.Delay = usualDelay
	}
	if v.Game.Plays(o.Person.Address) || mailbox.Same(v.Game.GM.Address, o.Person.Address) {
		r.Refuse(address, "", phrase.Say("office.observe.plays"))
	}
	i := slices.IndexFunc(v.Game.Observers, func(other *game.Observer) bool { return other.Person.Address == o.Person.Address })
	switch {
	case len(r.Problems) > 0:
	case o.View == game.ViewNone && i < 0:
		r.Refuse(address, "", phrase.Say("office.observe.nobody"))
	case i < 0 && len(v.Game.Observers) >= mostObservers:
		r.Refuse(v.value("command"), "", phrase.Say("office.observe.many", phrase.Number("most", mostObservers)))
	}
	if len(r.Problems) > 0 {
		return v.refuseGM(r.Problems)
	}
	if err := v.Log(log.Entry{Kind: log.KindObserver, By: "gm", Letter: log.HexOf(v.intake.Mail.Digest),
		Data: map[string]any{"view": o.View, "delay": o.Delay}, Private: map[string]any{"person": o.Person}}); err != nil {
		return err
	}
	said := phrase.Say("office.observe.is-"+o.View, phrase.Literal("address", o.Person.Address), phrase.Literal("delay", timing.WriteDuration(o.Delay)))
	if i >= 0 {
		v.Game.Observers = slices.Delete(v.Game.Observers, i, i+1)
	}
	if o.View != game.ViewNone {
		v.Game.Observers = append(v.Game.Observers, &o)
		v.Tell(engine.Public, o.Person, game.Onlooking{Side: engine.Public, Subject: phrase.Say("office.observe.welcome.subject"), Lines: []phrase.Phrase{
			phrase.Say("office.observe.you-"+o.View, phrase.Literal("delay", timing.WriteDuration(o.Delay)))}})
	}
	return v.sendGM(templates.Notice{Heading: v.gmHeading(), Subject: phrase.Say("office.observe.subject"), Lines: []phrase.Phrase{said}})
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

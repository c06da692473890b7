package adjudicator

import (
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/engine"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// What an observer may see.
const (
	viewPublic = "public" // what every side sees and was told, as soon as all of them were
	viewFull   = "full"   // everything, after a delay
	viewNone   = "none"   // nothing: he is no observer any more
)

// Bounds of observers.
const (
	mostObservers = 20
	usualDelay    = 7 * 24 * time.Hour
	leastDelay    = time.Hour
	mostUntold    = 2000 // public events that wait to be told
)

// An observer looks on. He gets letters and writes none: he takes part in
// nothing.
type observer struct {
	Person log.Person    `json:"person"`
	View   string        `json:"view"`
	Delay  time.Duration `json:"delay,omitempty"` // of the full view
	Told   []publicNews  `json:"told,omitempty"`  // that waits until all sides know it
}

// publicNews is an event that was told to all sides in the same words.
type publicNews struct {
	Entry uint64 `json:"entry"` // of the log
	Told  told   `json:"told"`
}

// observe adds an observer, changes what he sees, or with view: none sends him
// away.
func (v *visit) observe() error {
	r := orders.NewReader(vocabulary)
	o := observer{View: viewPublic, Person: log.Person{
		Name: readName(r, v.value("name")), Language: readLanguage(r, v.value("language")), Zone: readZone(r, v.value("zone")),
	}}
	address := v.value("address")
	if address == nil {
		r.Problems = append(r.Problems, v.fault("command", phrase.Say("office.observe.no-address")))
	}
	o.Person.Address = readAddress(r, address)
	if n := v.value("view"); n != nil {
		o.View, _ = r.Word(n, viewPublic, viewFull, viewNone)
	}
	delay := v.value("delay")
	if delay != nil {
		o.Delay, _ = readDuration(r, delay)
	}
	switch {
	case len(r.Problems) > 0:
	case delay != nil && o.View != viewFull:
		r.Refuse(delay, "", phrase.Say("office.observe.delay-what"))
	case delay != nil && o.Delay < leastDelay:
		r.Refuse(delay, "", phrase.Say("office.observe.delay", phrase.Literal("least", writeDuration(leastDelay))))
	case o.View == viewFull && delay == nil:
		o.Delay = usualDelay
	}
	if v.game.plays(o.Person.Address) || mailbox.Same(v.game.GM.Address, o.Person.Address) {
		r.Refuse(address, "", phrase.Say("office.observe.plays"))
	}
	i := slices.IndexFunc(v.game.Observers, func(other *observer) bool { return other.Person.Address == o.Person.Address })
	switch {
	case len(r.Problems) > 0:
	case o.View == viewNone && i < 0:
		r.Refuse(address, "", phrase.Say("office.observe.nobody"))
	case i < 0 && len(v.game.Observers) >= mostObservers:
		r.Refuse(v.value("command"), "", phrase.Say("office.observe.many", phrase.Number("most", mostObservers)))
	}
	if len(r.Problems) > 0 {
		return v.refuseGM(r.Problems)
	}
	if err := v.note(log.Entry{Kind: log.KindObserver, By: "gm", Letter: log.HexOf(v.intake.letter.Digest),
		Data: map[string]any{"view": o.View, "delay": o.Delay}, Private: map[string]any{"person": o.Person}}); err != nil {
		return err
	}
	said := phrase.Say("office.observe.is-"+o.View, phrase.Literal("address", o.Person.Address), phrase.Literal("delay", writeDuration(o.Delay)))
	if i >= 0 {
		v.game.Observers = slices.Delete(v.game.Observers, i, i+1)
	}
	if o.View != viewNone {
		v.game.Observers = append(v.game.Observers, &o)
		v.says(engine.Public, o.Person, onlooking{side: engine.Public, subject: phrase.Say("office.observe.welcome.subject"), lines: []phrase.Phrase{
			phrase.Say("office.observe.you-"+o.View, phrase.Literal("delay", writeDuration(o.Delay)))}})
	}
	return v.sendGM(templates.Notice{Heading: v.gmHeading(), Subject: phrase.Say("office.observe.subject"), Lines: []phrase.Phrase{said}})
}

// toObserver queues a letter to an observer, to go out after a delay. Its hash
// is left out: it would tell when players write.
func (d *desk) toObserver(p log.Person, m onlooking) {
	at := d.now.Add(m.delay)
	n := templates.Notice{Subject: m.subject, Lines: m.lines, Page: m.page, Heading: templates.Heading{
		Reader: readerOf(p), Game: d.game.ID, Title: d.game.Title, System: d.game.System, Side: m.side, Spell: d.view(engine.GM).Spell, Now: at,
	}}
	letter := d.office.words.Notice(n)
	r := &outbox.Outgoing{Seat: engine.Public, Kind: "observer", Name: p.Name, Address: p.Address, Letter: &letter, Due: at}
	r.Game, r.Written = d.game.ID, at
	r.Answers(nil, d.office.box.Thread(r.Game, engine.Side("observer "+p.Address), 0))
	d.rows = append(d.rows, r)
}

// observing tells whether an observer still has the right to a letter that was
// written for him.
func (g *game) observing(address string) bool {
	return slices.ContainsFunc(g.Observers, func(o *observer) bool { return o.Person.Address == address })
}

// A publicPage is what all sides see alike, after a log entry. The ground of its
// picture is left out: it never changes.
type publicPage struct {
	Entry uint64      `json:"entry"`
	Page  engine.Page `json:"page"`
}

// watched notes for the observers what a stop that was resolved has told and
// shown.
func (t *turn) watched(events []engine.Event) {
	public := false
	for _, o := range t.game.Observers {
		public = public || o.View == viewPublic
		for _, e := range events {
			for _, telling := range e.Tellings {
				if o.View == viewPublic && (len(o.Told) >= mostUntold || !t.toAll(telling.To)) {
					continue
				}
				o.Told = append(o.Told, publicNews{t.last.Seq, told{Clause: e.Clause, Say: telling.Say}})
				if o.View == viewFull {
					break // the first telling says most
				}
			}
		}
	}
	if open, ok := t.position.(engine.Open); ok && public && t.game.Shown == nil {
		t.game.Shown = &publicPage{t.last.Seq, withGround(open.Public().Page(), nil)}
	}
}

// withGround puts the grounds of another page's pictures into a page's, by name;
// nil takes them out.
func withGround(p engine.Page, from *engine.Page) engine.Page {
	p.Sections = slices.Clone(p.Sections)
	for i := range p.Sections {
		if p.Sections[i].Picture == nil {
			continue
		}
		picture := *p.Sections[i].Picture
		picture.Ground = nil
		if from != nil {
			for _, other := range from.Sections {
				if other.Picture != nil && other.Picture.Name == picture.Name {
					picture.Ground = other.Picture.Ground
				}
			}
		}
		p.Sections[i].Picture = &picture
	}
	return p
}

func (t *turn) toAll(sides []engine.Side) bool {
	for _, s := range t.game.Seats {
		if !slices.Contains(sides, s.Side) {
			return false
		}
	}
	return true
}

// tellObservers writes to the observers: the full view at once, to be sent after
// its delay; of the public one what every player who still gets reports has had
// in one, so that nobody learns from an onlooker what he is to learn later.
func (t *turn) tellObservers() {
	known := t.last.Seq
	for _, s := range t.game.Seats {
		if !s.Resigned {
			known = min(known, s.Upto)
		}
	}
	var shown *engine.Page
	open, ok := t.position.(engine.Open)
	if p := t.game.Shown; ok && p != nil && p.Entry <= known {
		now := open.Public().Page()
		page := withGround(p.Page, &now)
		if t.game.Phase != running {
			page = now // nothing comes after it
		}
		shown, t.game.Shown = &page, nil
	}
	for _, o := range t.game.Observers {
		n, page := len(o.Told), (*engine.Page)(nil)
		side, delay := engine.Public, time.Duration(0)
		if o.View == viewPublic {
			n, page = 0, shown
			for n < len(o.Told) && o.Told[n].Entry <= known {
				n++
			}
		}
		if n == 0 && page == nil {
			continue
		}
		var lines []phrase.Phrase
		for _, news := range o.Told[:n] {
			lines = append(lines, news.Told.Say)
		}
		o.Told = slices.Clone(o.Told[n:])
		if o.View == viewFull {
			p := t.view(engine.GM).Page()
			page, side, delay = &p, engine.GM, o.Delay
		}
		t.says(engine.Public, o.Person, onlooking{delay: delay, subject: phrase.Say("office.observe.news"), lines: lines, page: page, side: side})
	}
}

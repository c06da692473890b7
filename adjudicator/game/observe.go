package game

import (
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders/phrase"
)

// What an observer may see.
const (
	ViewPublic = "public" // what every side sees and was told, as soon as all of them were
	ViewFull   = "full"   // everything, after a delay
	ViewNone   = "none"   // nothing: he is no observer any more
)

const mostUntold = 2000 // public events that wait to be told

// An Observer looks on. He gets letters, but takes no part in the game and writes none.
type Observer struct {
	Person log.Person    `json:"person"`
	View   string        `json:"view"`
	Delay  time.Duration `json:"delay,omitempty"` // of the full view
	Since  int           `json:"since,omitempty"` // the entry of the log by which he got this view, and has had it without a break; 0: an earlier program let him look on
	Told   []publicNews  `json:"told,omitempty"`  // that waits until all sides know it
}

// Observed is that somebody is to look on, or with [ViewNone] no longer. It has been found that
// he may.
type Observed struct {
	Observer Observer
	Letter   Reference
}

func (x Observed) happen(t *Turn) error {
	o := x.Observer
	o.Since = int(t.Last.Seq) + 1
	if err := t.Log(log.Entry{Kind: log.KindObserver, By: log.ByGM, Letter: x.Letter.Digest,
		Data: map[string]any{"view": o.View, "delay": o.Delay}, Private: map[string]any{"person": o.Person}}); err != nil {
		return err
	}
	if i := slices.IndexFunc(t.Game.Observers, func(w *Observer) bool { return w.Person.Address == o.Person.Address }); i >= 0 {
		was := t.Game.Observers[i]
		if was.View == ViewFull {
			t.Game.saw(was.Person.Address, "")
		}
		if was.View == o.View {
			o.Since = was.Since
		}
		t.Game.Observers = slices.Delete(slices.Clone(t.Game.Observers), i, i+1)
	}
	if o.View != ViewNone {
		t.Game.Observers = append(t.Game.Observers, &o)
		t.Tell(engine.Public, o.Person, Onlooking{Side: engine.Public, Since: o.Since, Subject: phrase.Say("office.observe.welcome.subject"), Lines: []phrase.Phrase{
			phrase.Say("office.observe.you-"+o.View, phrase.Literal("delay", timing.WriteDuration(o.Delay)))}})
	}
	return nil
}

// publicNews is an event that was told to all sides in the same words.
type publicNews struct {
	Entry uint64 `json:"entry"` // of the log
	Told  News   `json:"told"`
}

// Observing tells whether somebody looks on.
func (g *State) Observing(address string) bool {
	return slices.ContainsFunc(g.Observers, func(o *Observer) bool { return o.Person.Address == address })
}

// StillSees tells whether an observer has the right to a letter that was written for him when he had had his view since an entry of the log
// ([Observer.Since]): to one with what is hidden only if he has had that view ever since.
func (g *State) StillSees(address string, since int, hidden bool) bool {
	return slices.ContainsFunc(g.Observers, func(o *Observer) bool {
		return o.Person.Address == address && (!hidden || o.Since == since)
	})
}

// A publicPage is what all sides see alike, after a log entry. The ground of its
// picture is left out: it never changes.
type publicPage struct {
	Entry uint64      `json:"entry"`
	Page  engine.Page `json:"page"`
}

// watched notes for the observers what a stop that was resolved has told and
// shown.
func watched(t *Turn, events []engine.Event) {
	public := false
	for _, o := range t.Game.Observers {
		public = public || o.View == ViewPublic
		for _, e := range events {
			for _, telling := range e.Tellings {
				if o.View == ViewPublic && (len(o.Told) >= mostUntold || !toAll(t, telling.To)) {
					continue
				}
				o.Told = append(o.Told, publicNews{t.Last.Seq, News{Clause: e.Clause, Say: telling.Say}})
				if o.View == ViewFull {
					break // the first telling says most
				}
			}
		}
	}
	if open, ok := t.Position.(engine.Open); ok && public && t.Game.Shown == nil {
		t.Game.Shown = &publicPage{t.Last.Seq, withGround(open.Public().Page(), nil)}
	}
}

// ForgetWatched drops what waits to be told and shown to observers of what happened after an entry of the log, to which the
// game goes back.
func ForgetWatched(g *State, to uint64) {
	for _, o := range g.Observers {
		o.Told = slices.DeleteFunc(slices.Clone(o.Told), func(n publicNews) bool { return n.Entry > to })
	}
	if g.Shown != nil && g.Shown.Entry > to {
		g.Shown = nil
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

func toAll(t *Turn, sides []engine.Side) bool {
	for _, s := range t.Game.Seats {
		if !slices.Contains(sides, s.Side) {
			return false
		}
	}
	return true
}

// tellObservers writes to the observers: the full view at once, to be sent after
// its delay; the public view only as far as every player who still gets reports has had
// it in a report, so that nobody learns from an observer what he is to learn later.
func tellObservers(t *Turn) {
	known := t.Last.Seq
	for _, s := range t.Game.Seats {
		if !s.Resigned {
			known = min(known, s.Upto)
		}
	}
	var shown *engine.Page
	open, ok := t.Position.(engine.Open)
	if p := t.Game.Shown; ok && p != nil && p.Entry <= known {
		now := open.Public().Page()
		page := withGround(p.Page, &now)
		if t.Game.Phase != Running {
			page = now // nothing comes after it
		}
		shown, t.Game.Shown = &page, nil
	}
	for _, o := range t.Game.Observers {
		n, page := len(o.Told), (*engine.Page)(nil)
		side, delay := engine.Public, time.Duration(0)
		if o.View == ViewPublic {
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
		if o.View == ViewFull {
			p := t.View(engine.GM).Page()
			page, side, delay = &p, engine.GM, o.Delay
		}
		t.Tell(engine.Public, o.Person, Onlooking{Delay: delay, Since: o.Since, Subject: phrase.Say("office.observe.news"), Lines: lines, Page: page, Side: side})
	}
}

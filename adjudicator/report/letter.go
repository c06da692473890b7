package report

import (
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/past"
	"berthier/engine"
	"berthier/orders"
	"berthier/templates"
)

// A Letter is what is to be sent, to whom, and what the office keeps of it.
type Letter struct {
	To     engine.Side // whose letter it is: a seat's, the game master's ([engine.GM]), an observer's ([engine.Public])
	Epoch  int         // which of those who had the seat, one after the other; of an observer, [game.Observer.Since]
	Person log.Person  // to whom it goes
	Kind   string      // report, accepted, refused, notice ...
	Text   templates.Letter

	Re       *game.Reference // the letter that it answers; nil: none
	Delay    time.Duration   // it is written and sent so much later
	Verdicts bool            // it tells what came of order files: the one that waits to do so need not
	Report   *Shown          // what it shows, if it is a report that the office keeps; else nil
	Dead     bool            // so many letters to its reader came back that it is not sent
}

// Shown is what is kept of a report.
type Shown struct {
	Number int         // of the report, as its player counts them
	Stop   int         // the last one that the seat was asked at
	Book   engine.Side // of the player
	PageNo uint64      // of the page in it
	Page   past.Page
}

// ToSeat is a letter to the player of a seat.
func (w *Writer) ToSeat(s *game.Seat, kind string, text templates.Letter) Letter {
	return Letter{To: s.Side, Epoch: s.Epoch, Person: s.Person, Kind: kind, Text: text, Dead: s.Failures >= game.MostBounces}
}

// ToMaster is a letter to somebody who looks after the game.
func (w *Writer) ToMaster(p log.Person, kind string, text templates.Letter) Letter {
	return Letter{To: engine.GM, Epoch: w.turn.Game.Epoch, Person: p, Kind: kind, Text: text}
}

// Tell writes the letters by which somebody is told something, of the game as it stood
// then.
func (w *Writer) Tell(e game.Told) ([]Letter, error) { return w.then(e).tell(e) }

func (w *Writer) tell(e game.Told) ([]Letter, error) {
	s := w.turn.Game.Seat(e.To)
	switch m := e.Message.(type) {
	case game.Notice:
		return []Letter{w.notice(e, s, m)}, nil
	case game.Report:
		l := sent(w, s, m.Happened, m.Taken)
		if k := m.Taken; k != nil {
			l.Re, l.Verdicts = &game.Reference{MessageID: k.Verdict.MessageID, References: k.Verdict.References}, true
		}
		return []Letter{l}, nil
	case game.Briefing:
		return history{w}.briefing(s)
	case game.WordAsked:
		return []Letter{w.ToSeat(s, "notice", w.Words.Notice(w.wordNotice(s)))}, nil
	case game.Judged:
		return judged(w, s, m)
	case game.Farewell:
		return []Letter{w.ToSeat(s, "notice", w.Words.Notice(w.farewell(s, m)))}, nil
	case game.Onlooking:
		return []Letter{w.onlooking(e.Person, m)}, nil
	}
	return nil, fmt.Errorf("write letter about %s: nobody knows how to tell %T", w.turn.Game.ID, e.Message)
}

// notice tells something in a few sentences: a seat, or somebody who looks after the game.
func (w *Writer) notice(e game.Told, s *game.Seat, m game.Notice) Letter {
	kind := m.Kind
	if kind == "" {
		kind = "notice"
	}
	n := templates.Notice{Subject: w.AtHis(e.Person, m.Subject), Texts: m.Texts}
	if m.Normal != "" {
		n.Normal = []*orders.Node{read(m.Normal)}
	}
	for _, line := range m.Lines {
		n.Lines = append(n.Lines, w.AtHis(e.Person, line))
	}
	if m.Release {
		n.Texts = []string{ReleaseForm(e.Person.Language, w.turn.Game.ID, w.Keys.Master(w.turn.Game, e.Person))}
	}
	if s == nil {
		switch key := w.Keys.Master(w.turn.Game, e.Person); {
		case m.Pass > 0:
			n.Form = w.form(key, "pass").Set("letter", orders.Number(m.Pass)).FormIn(e.Person.Language).Encode()
		case m.Key:
			n.Form = w.form(key, "status").FormIn(e.Person.Language).Encode()
		}
		n.Heading = masterHeading(w, e.Person, false)
		l := w.ToMaster(e.Person, kind, w.Words.Notice(n))
		l.Re = m.Re
		return l
	}
	n.Heading = w.Heading(s)
	if m.Owed {
		n.Owed = w.Owed(s, m.Template)
	}
	switch key := w.Keys.Seat(w.turn.Game, s); {
	case m.Reply:
		n.Form = w.form(key, "press").Set("reply", orders.Number(s.Letters)).FormIn(e.Person.Language).Encode() + orders.Keyword("text", e.Person.Language) + ": |\n  \n"
	case m.Again:
		n.Form = w.form(key, "rematch").FormIn(e.Person.Language).Encode()
	case m.Key && n.Owed == nil:
		n.Form = w.form(key, "status").FormIn(e.Person.Language).Encode()
	}
	l := w.ToSeat(s, kind, w.Words.Notice(n))
	l.Re = m.Re
	return l
}

// sent writes a report that the office keeps.
func sent(w *Writer, s *game.Seat, happened []game.News, file *game.Taken) Letter {
	page := w.turn.View(s.Side).Page()
	r := report(w, s, page, happened, file)
	r.Number = s.Reports + 1
	return kept(w, s, page, w.Words.Report(r))
}

// kept is a report that the office keeps: its player can have it again, what it shows
// is in the history of his seat, and the next report tells what has changed since. What
// could be said of the page in fewer words is not kept.
func kept(w *Writer, s *game.Seat, page engine.Page, text templates.Letter) Letter {
	l := w.ToSeat(s, "report", text)
	page.Sections = slices.Clone(page.Sections)
	for i := range page.Sections {
		page.Sections[i].Gist = nil
	}
	l.Report = &Shown{Number: s.Reports + 1, Stop: s.Stops, Book: s.BookOf(), PageNo: s.Pages + 1, Page: past.Page{
		At: w.turn.Now, Side: s.Side, SeatStop: s.Stops, Head: w.turn.Game.Head, Told: s.Told, Page: page,
	}}
	w.shown.pages[s.BookOf()] = l.Report
	return l
}

// lastShown is what the last report to a seat showed, if it can be compared with what the
// seat sees now; else nil.
func lastShown(w *Writer, s *game.Seat) *engine.Page {
	var page *past.Page
	if at := w.shown.pages[s.BookOf()]; at != nil && at.PageNo == s.Pages {
		page = &at.Page
	} else {
		var err error
		if page, err = w.past.LastPage(s); err != nil {
			w.Logger.Error("read what the last report showed", "game", w.turn.Game.ID, "err", err)
		}
	}
	if page == nil || page.Side != s.Side {
		return nil
	}
	return &page.Page
}

// onlooking is a letter to an observer, which goes out after a delay. Its hash
// is left out: it would tell when players write.
func (w *Writer) onlooking(p log.Person, m game.Onlooking) Letter {
	n := templates.Notice{Subject: m.Subject, Lines: m.Lines, Page: m.Page, Heading: templates.Heading{
		Reader: readerOf(p), Game: w.turn.Game.ID, Title: w.turn.Game.Title, System: w.turn.Game.System, Side: m.Side,
		Spell: w.turn.View(engine.GM).Spell, Now: w.turn.Now.Add(m.Delay),
	}}
	return Letter{To: engine.Public, Epoch: m.Since, Person: p, Kind: "observer", Text: w.Words.Notice(n), Delay: m.Delay}
}

// ReleaseForm is a letter with which a game master releases a game, in a language. It is framed, so
// that a program that answers by quoting what it gets releases nothing.
func ReleaseForm(language, game, key string) string {
	return orders.Frame(language, orders.Mapping().Set("game", orders.Text(game)).Set("key", orders.Text(key)).Set("command", orders.Text("release")).FormIn(language).Encode())
}

package report

import (
	"encoding/hex"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/engine/story"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Report is the whole report of a seat: what happened, as far as it was told, all of its
// position, and what it owes.
func (w *Writer) Report(s *game.Seat, happened []game.News) templates.Letter {
	r := report(w, s, w.turn.View(s.Side).Page(), happened, nil)
	r.Full = true
	return w.Words.Report(r)
}

// report is a report as the player of a seat wants it. It begins with what came of the file
// with which a stop was resolved; nil: of none. What can't be read or written of the position
// is left out: no report waits for that. Page is what the seat sees, and stays as it is.
func report(w *Writer, s *game.Seat, page engine.Page, happened []game.News, file *game.Taken) templates.Report {
	view := w.turn.View(s.Side)
	r := templates.Report{
		Heading: w.Heading(s), Happened: asTold(happened), Page: toDrawOn(page), Owed: w.Owed(s, true), Waiting: waits(w, s),
		Taken: taken(w, s, file),
		First: s.Reports == 0, Since: s.Reports, Full: s.Full || s.Reports == 0 && s.Pages > 0, // a new player knows nothing
	}
	if !r.First {
		r.Was = lastShown(w, s)
	}
	if s.Attach {
		data, err := view.Marshal()
		if err != nil {
			w.Logger.Error("write position for programs", "game", w.turn.Game.ID, "err", err)
		}
		r.Data = data
	}
	r.Page.Sections = append(r.Page.Sections, append(w.policies(s), filed(w, s)...)...)
	if s.Reports == 0 && w.turn.Game.GMPlays {
		r.Happened = append([]templates.Told{{Say: phrase.Say("office.gm-plays")}}, r.Happened...)
	}
	noted(&r, w.turn.Rules)
	traces := recount(w, &r, view, s)
	asked := ""
	if s.Owes != nil {
		asked = s.Owes.Decision.At
	}
	sheet.Trace(&r.Page, r.Was, traces, asked)
	if r.First {
		r.Intro = introduce(w, view, s)
	}
	if r.Owed == nil && w.turn.Game.Phase == game.Running && (s.Reports == 0 || s.Moved) {
		r.Contact = w.form(w.Keys.Seat(w.turn.Game, s), "report")
	}
	if o, ended := w.turn.Outcome(); ended {
		r.Outcome = &o
		r.Rolled = hex.EncodeToString(w.turn.Game.Seed)
		r.Looked = w.sayPreviews()
		r.Whole = w.packed(s)
		r.Last = last(w, s)
		if w.turn.Game.MayAskAgain() == nil {
			r.Again = w.form(w.Keys.Seat(w.turn.Game, s), "rematch")
		}
	} else if s.Reports == 0 {
		r.Rolled, r.Scheme, r.Fixed, r.Luck = log.Commitment(w.turn.Game.Seed), w.turn.Game.DiceScheme(), w.turn.Game.Fixed, w.turn.Game.Luck != nil
	}
	return r
}

// toDrawOn gives a page whose pictures can be drawn on: those of the page that it is made of stay as they are.
func toDrawOn(page engine.Page) engine.Page {
	page.Sections = slices.Clone(page.Sections)
	for i := range page.Sections {
		if picture := page.Sections[i].Picture; picture != nil {
			scene := *picture
			page.Sections[i].Picture = &scene
		}
	}
	return page
}

// recount tells who is ahead, and makes the story of what the seat was told. It gives what
// that leaves on pictures.
func recount(w *Writer, r *templates.Report, view engine.View, s *game.Seat) []engine.Trace {
	if rules, ok := w.turn.Rules.(engine.Progressing); ok {
		r.Progress = rules.Progress(view)
	}
	rules, ok := w.turn.Rules.(engine.Recounter)
	if !ok {
		return nil
	}
	events := make([]phrase.Phrase, len(r.Happened))
	for i, told := range r.Happened {
		events[i] = told.Say
	}
	var at phrase.Value
	if s.Owes != nil && s.Owes.Decision.At != "" {
		at = phrase.Name("at", "at", s.Owes.Decision.At).Value
	}
	r.Story = story.Of(rules, s.Side, events, at)
	return r.Story.Traces
}

// asTold is what was told, for a letter.
func asTold(all []game.News) []templates.Told {
	list := make([]templates.Told, len(all))
	for i, t := range all {
		list[i] = templates.Told(t)
	}
	return list
}

// ToldAgain is what the last report of a seat told, read from the log, and what
// it was told since.
func (w *Writer) ToldAgain(s *game.Seat) ([]game.News, error) {
	branch, err := w.past.Branch()
	if err != nil {
		return nil, err
	}
	told, err := w.past.Told(s, branch, s.Since+1)
	all := slices.Clone(s.Ruled)
	for _, one := range told {
		if one.Seq > s.Upto {
			break
		}
		all = append(all, one.All()...)
	}
	return append(all, s.Told...), err
}

// farewell tells a seat that the game master has ended the game.
func (w *Writer) farewell(s *game.Seat, m game.Farewell) templates.Notice {
	lines := append([]phrase.Phrase{phrase.Say("office.closed.what", phrase.Literal("reason", m.Reason))}, game.SayDice(w.turn)...)
	n := templates.Notice{Heading: w.Heading(s), Subject: phrase.Say("office.closed.subject"), Lines: append(lines, w.sayPreviews()...)}
	n.Course = last(w, s)
	if file := w.packed(s); file != nil {
		n.Lines = append(n.Lines, file.Say())
		n.Files = append(n.Files, file.File)
	}
	return n
}

// wordNotice asks a player for his word.
func (w *Writer) wordNotice(s *game.Seat) templates.Notice {
	n := templates.Notice{Heading: w.Heading(s), Subject: phrase.Say("office.luck.subject"),
		Lines: []phrase.Phrase{
			phrase.Say("office.luck.what"),
			phrase.Say("office.luck.commitment", phrase.Literal("commitment", log.Commitment(w.turn.Game.Seed)), phrase.Number("scheme", w.turn.Game.DiceScheme())),
			phrase.Say("office.luck.do"),
		},
		Texts: []string{w.form(w.Keys.Seat(w.turn.Game, s), "luck").Set("word", orders.Text("")).FormIn(s.Person.Language).Encode()}}
	if !w.turn.Game.Luck.Until.IsZero() {
		n.Lines = append(n.Lines, phrase.Say("office.luck.until", phrase.Within("until", w.Moment(s.Person, w.turn.Game.Luck.Until))))
	}
	return n
}

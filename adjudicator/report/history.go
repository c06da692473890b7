package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/past"
	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// mostPictures is how many pictures one letter of a briefing holds.
const mostPictures = 10

// mostReportsTold is of how many reports it tells.
const mostReportsTold = 40

// Sent is a report that was sent to a player.
type Sent struct {
	Report int // its number, as he counts
	Stop   int // the last one that he was asked at
	At     time.Time
}

// History is the game as a seat saw it: how it went so far, and report by report with its maps, what it
// answered, the letters of other players, and which reports it can have again.
func (w *Writer) History(s *game.Seat, again []Sent) ([]templates.Notice, error) {
	h := history{w}
	pages, err := w.past.Pages(s)
	if err != nil {
		return nil, err
	}
	letters, err := h.chronicle(s, pages)
	if err != nil {
		return nil, err
	}
	press, err := h.press(s)
	if err != nil {
		return nil, err
	}
	if len(s.Told) > 0 {
		since := engine.Section{Heading: phrase.Say("office.history.since")}
		for _, t := range s.Told {
			since.Lines = append(since.Lines, t.Numbered())
		}
		if len(letters) == 0 {
			letters = append(letters, nil)
		}
		last := len(letters) - 1
		letters[last] = append(letters[last], since)
	}
	if len(press) > 0 {
		letters = append(letters, []engine.Section{{Heading: phrase.Say("office.history.press"), Lines: press}})
	}
	var list []templates.Notice
	for i, sections := range letters {
		list = append(list, templates.Notice{Heading: w.Heading(s), Page: &engine.Page{Sections: sections},
			Subject: phrase.Say("office.history.subject", phrase.Number("n", i+1), phrase.Number("of", len(letters)))})
	}
	if len(list) == 0 {
		list = []templates.Notice{{Heading: w.Heading(s), Subject: phrase.Say("office.history.subject", phrase.Number("n", 1), phrase.Number("of", 1)),
			Lines: []phrase.Phrase{phrase.Say("office.history.none")}}}
	}
	if list[0].Course, err = course(w, s, pages); err != nil {
		return nil, err
	}
	if len(again) > 0 {
		list[0].Lines = append(list[0].Lines, phrase.Say("office.resend.how"))
		list[0].Tables = append(list[0].Tables, h.sent(s, again))
	}
	return list, nil
}

// A history is the past of a game as one player saw it.
type history struct{ *Writer }

// briefing tells a new player the history of his side as that side saw it: report
// by report what it was told, its maps, and what was answered. The standing
// orders in force and what is owed stand in the report that follows. A side
// without a history gets no briefing.
func (h history) briefing(s *game.Seat) (all []Letter, err error) {
	if s.Stops <= 1 {
		return nil, nil
	}
	pages, err := h.past.Pages(s)
	if err != nil {
		return nil, err
	}
	letters, err := h.chronicle(s, pages)
	if err != nil {
		return nil, err
	}
	for i, sections := range letters {
		n := templates.Notice{
			Heading: h.Heading(s), Page: &engine.Page{Sections: sections},
			Subject: phrase.Say("office.briefing.subject", phrase.Number("n", i+1), phrase.Number("of", len(letters))),
		}
		if i == 0 {
			n.Lines = append(n.Lines, phrase.Say("office.briefing.what", game.SideName(s.Side)), phrase.Say("office.briefing.then"))
		}
		all = append(all, h.ToSeat(s, "briefing", h.Words.Notice(n)))
	}
	return all, nil
}

// chronicle is the history of a side as that side saw it, in as many letters as
// it takes: report by report, as they are kept, what it was told, its maps where they changed,
// and what was answered.
func (h history) chronicle(s *game.Seat, kept []past.Page) ([][]engine.Section, error) {
	branch, err := h.past.Branch()
	if err != nil {
		return nil, err
	}
	happened := map[uint64]bool{}
	for _, m := range branch {
		happened[m.Seq] = true
	}
	given, err := h.given(s, branch)
	if err != nil {
		return nil, err
	}
	var letters [][]engine.Section
	var letter []engine.Section
	pictures, reports, shown := 0, 0, map[string][]byte{}
	for i, p := range kept {
		head := engine.Section{Heading: phrase.Say("office.briefing.report", phrase.Number("n", i+1), phrase.Within("title", p.Page.Title),
			phrase.Within("at", h.Moment(s.Person, p.At)))}
		undone := p.Head > 0 && !happened[p.Head]
		if undone {
			head.Lines = append(head.Lines, phrase.Say("office.briefing.undone"))
		}
		for _, t := range p.Told {
			head.Lines = append(head.Lines, t.Numbered())
		}
		if !undone {
			head.Lines = append(head.Lines, given[p.SeatStop]...)
			delete(given, p.SeatStop) // told once, with the first report of the stop
		}
		letter = append(letter, head)
		for _, section := range p.Page.Sections {
			if section.Picture == nil {
				continue
			}
			look, err := json.Marshal(section.Picture.Marks)
			if err != nil {
				return nil, fmt.Errorf("tell the history of %s: %w", s.Side, err)
			}
			if bytes.Equal(shown[section.Picture.Name], look) {
				continue // as before
			}
			shown[section.Picture.Name] = look
			letter = append(letter, engine.Section{Heading: section.Heading, Picture: section.Picture})
			pictures++
		}
		if reports++; pictures >= mostPictures || reports >= mostReportsTold {
			letters, letter, pictures, reports = append(letters, letter), nil, 0, 0
		}
	}
	if len(letter) > 0 {
		letters = append(letters, letter)
	}
	return letters, nil
}

// given says what was answered for the player of a seat, by its stops.
func (h history) given(s *game.Seat, branch []log.Checkpoint) (map[int][]phrase.Phrase, error) {
	told, err := h.past.Told(s, branch, 0)
	if err != nil {
		return nil, err
	}
	given := map[int][]phrase.Phrase{}
	for _, one := range told {
		for _, a := range one.Given {
			code := "office.history.you-answered"
			switch a.By {
			case log.ByDefault:
				code = "office.history.by-default"
			case log.ByBot:
				code = "office.history.by-bot"
			case log.ByAhead:
				code = "office.history.by-ahead"
			case log.ByGM:
				code = "office.history.by-gm"
			}
			given[a.SeatStop] = append(given[a.SeatStop], phrase.Say(code, phrase.Within("stop", past.SayGiven(a)), inOrders("orders", phrase.OneLine(a.Orders))))
		}
	}
	return given, nil
}

// press lists the letters of players that a seat wrote or got, the oldest
// first.
func (h history) press(s *game.Seat) (list []phrase.Phrase, err error) {
	err = h.past.Each(func(e chain.Entry) error {
		if !bytes.Contains(e.Body, []byte(`"kind":"`+log.KindPress+`"`)) && !bytes.Contains(e.Private, []byte(`"kind":"`+log.KindPress+`"`)) {
			return nil
		}
		var p log.Press
		entry, err := log.Read(e, &p)
		if err != nil || entry.Kind != log.KindPress {
			return err
		}
		if say, ok := saidInPress(entry, &p, h.turn.SideAt(s, e.Seq)); ok {
			list = append(list, say)
		}
		return nil
	})
	return list, err
}

// saidInPress is a letter as the one of its history sees it; false if it is none
// of his.
func saidInPress(e log.Entry, p *log.Press, reader engine.Side) (phrase.Phrase, bool) {
	text := phrase.Literal("text", strings.ReplaceAll(p.Text, "\n", " / "))
	switch {
	case e.Seat == reader && p.Passed != "gm" && p.Passed != "dropped" && p.Passed != game.PressCame && !(p.Passed == game.PressLater && p.Number > 0):
		return phrase.Say("office.history.you-wrote", game.SayReaders(p.To, p.Reply), text), true
	case e.Seat == reader || !slices.Contains(p.To, reader) || p.Passed == "waits" || p.Passed == "dropped" || p.Passed == game.PressLater:
		return phrase.Phrase{}, false
	case e.Seat == "":
		return phrase.Say("office.history.gm-wrote", text), true
	case p.Anonymous:
		return phrase.Say("office.history.somebody-wrote", text), true
	}
	if p.Sender != "" {
		return phrase.Say("office.history.wrote", game.SideName(p.Sender), text), true
	}
	return phrase.Say("office.history.wrote", game.SideName(e.Seat), text), true
}

// sent lists the reports that a player can have again.
func (h history) sent(s *game.Seat, again []Sent) engine.Table {
	t := engine.Table{Caption: phrase.Say("office.resend.caption"), Head: []engine.Column{
		{Head: phrase.Say("office.resend.report"), Right: true}, {Head: phrase.Say("office.resend.stop"), Right: true}, {Head: phrase.Say("office.resend.at")},
	}}
	for _, ref := range again {
		at := h.Moment(s.Person, ref.At)
		t.Rows = append(t.Rows, []phrase.Value{{Kind: phrase.KindNumber, Num: ref.Report}, {Kind: phrase.KindNumber, Num: ref.Stop}, {Kind: phrase.KindPhrase, Say: &at}})
	}
	return t
}

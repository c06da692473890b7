package report

import (
	"bytes"
	"encoding/json"
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/past"
	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// mostPictures is how many pictures one letter of a briefing holds.
const mostPictures = 10

// mostReportsTold is of how many reports it tells.
const mostReportsTold = 40

// briefing tells a new player the history of his side as that side saw it: report
// by report what it was told, its maps, and what was answered. The standing
// orders in force and what is owed stand in the report that follows. A side
// without a history gets no briefing.
func (w *Writer) briefing(s *game.Seat) (all []Letter, err error) {
	if s.Stops <= 1 {
		return nil, nil
	}
	letters, err := w.Chronicle(s)
	if err != nil {
		return nil, err
	}
	for i, sections := range letters {
		n := templates.Notice{
			Heading: w.Heading(s), Page: &engine.Page{Sections: sections},
			Subject: phrase.Say("office.briefing.subject", phrase.Number("n", i+1), phrase.Number("of", len(letters))),
		}
		if i == 0 {
			n.Lines = append(n.Lines, phrase.Say("office.briefing.what", game.SideName(s.Side)), phrase.Say("office.briefing.then"))
		}
		all = append(all, w.ToSeat(s, "briefing", w.Words.Notice(n)))
	}
	return all, nil
}

// Chronicle is the history of a side as that side saw it, in as many letters as
// it takes: report by report what it was told, its maps where they changed, and
// what was answered.
func (w *Writer) Chronicle(s *game.Seat) ([][]engine.Section, error) {
	kept, err := w.past.Pages(s)
	if err != nil {
		return nil, err
	}
	branch, err := w.past.Branch()
	if err != nil {
		return nil, err
	}
	happened := map[uint64]bool{}
	for _, m := range branch {
		happened[m.Seq] = true
	}
	given, err := w.given(s, branch)
	if err != nil {
		return nil, err
	}
	var letters [][]engine.Section
	var letter []engine.Section
	pictures, reports, shown := 0, 0, map[string][]byte{}
	for i, p := range kept {
		head := engine.Section{Heading: phrase.Say("office.briefing.report", phrase.Number("n", i+1), phrase.Within("title", p.Page.Title),
			phrase.Within("at", w.Moment(s.Person, p.At)))}
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
func (w *Writer) given(s *game.Seat, branch []log.Checkpoint) (map[int][]phrase.Phrase, error) {
	told, err := w.past.Told(s, branch, 0)
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
			case log.ByGM:
				code = "office.history.by-gm"
			}
			given[a.SeatStop] = append(given[a.SeatStop], phrase.Say(code, phrase.Within("stop", past.SayGiven(a)), phrase.Literal("orders", phrase.OneLine(a.Orders))))
		}
	}
	return given, nil
}

package adjudicator

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"berthier/adjudicator/deflate"
	"berthier/adjudicator/game"
	"berthier/adjudicator/grounds"
	"berthier/adjudicator/log"
	"berthier/adjudicator/past"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// keepPage keeps what a report shows for the history of its seat.
func (d *desk) keepPage(s *game.Seat) {
	s.Pages++
	d.pagesSent = append(d.pagesSent, sentPage{side: string(s.BookOf()), n: s.Pages, page: past.Page{
		At: d.Now, SeatStop: s.Stops, Head: d.Game.Head, Told: s.Told, Page: d.View(s.Side).Page(),
	}})
}

// A sentPage is a page on its way into the store.
type sentPage struct {
	side string
	n    uint64
	page past.Page
}

// pack writes the page. What never changes in its pictures is kept once for all.
func (p *sentPage) pack() (store.Page, []store.Blob, error) {
	page := p.page
	out := store.Page{Seat: p.side, N: p.n}
	var shared []store.Blob
	page.Page.Sections = slices.Clone(page.Page.Sections)
	for i := range page.Page.Sections {
		picture := page.Page.Sections[i].Picture
		if picture == nil {
			continue
		}
		ground, err := grounds.Pack(picture.Ground)
		if err != nil {
			return out, nil, fmt.Errorf("pack page of %s: %w", p.side, err)
		}
		shared = append(shared, ground)
		page.Grounds = append(page.Grounds, hex.EncodeToString(ground.Digest[:]))
		bare := *picture
		bare.Ground = nil
		page.Page.Sections[i].Picture = &bare
	}
	body, err := json.Marshal(page)
	if err != nil {
		return out, nil, fmt.Errorf("pack page of %s: %w", p.side, err)
	}
	if out.Data, err = deflate.Append(nil, body); err != nil {
		return out, nil, fmt.Errorf("pack page of %s: %w", p.side, err)
	}
	return out, shared, nil
}

// mostPictures is how many pictures one letter of a briefing holds.
const mostPictures = 10

// mostReportsTold is of how many reports it tells.
const mostReportsTold = 40

// brief sends a new player the history of his side as that side saw it: report
// by report what it was told, its maps, and what was answered. The standing
// orders in force and what is owed stand in the report that follows. A side
// without a history gets no briefing.
func (d *desk) brief(s *game.Seat) error {
	if s.Stops <= 1 {
		return nil
	}
	letters, err := d.chronicle(s)
	if err != nil {
		return err
	}
	for i, sections := range letters {
		n := templates.Notice{
			Heading: d.heading(s), Page: &engine.Page{Sections: sections},
			Subject: phrase.Say("office.briefing.subject", phrase.Number("n", i+1), phrase.Number("of", len(letters))),
		}
		if i == 0 {
			n.Lines = append(n.Lines, phrase.Say("office.briefing.what", game.SideName(s.Side)), phrase.Say("office.briefing.then"))
		}
		d.post(s, "briefing", nil, d.office.words.Notice(n))
	}
	return nil
}

// chronicle is the history of a side as that side saw it, in as many letters as
// it takes: report by report what it was told, its maps where they changed, and
// what was answered.
func (d *desk) chronicle(s *game.Seat) ([][]engine.Section, error) {
	kept, err := d.past.Pages(s)
	if err != nil {
		return nil, err
	}
	given := map[int][]phrase.Phrase{}
	trail, err := d.past.Branch()
	if err != nil {
		return nil, err
	}
	happened := map[uint64]bool{}
	for _, m := range trail {
		happened[m.Seq] = true
	}
	chapters, err := d.past.Told(s, trail, 0)
	if err != nil {
		return nil, err
	}
	for _, c := range chapters {
		for _, a := range c.Given {
			code := "office.history.you-answered"
			switch a.By {
			case log.ByDefault:
				code = "office.history.by-default"
			case log.ByBot:
				code = "office.history.by-bot"
			case log.ByGM:
				code = "office.history.by-gm"
			}
			given[a.SeatStop] = append(given[a.SeatStop], phrase.Say(code, phrase.Within("stop", past.SayGiven(a)), phrase.Literal("orders", oneLine(a.Orders))))
		}
	}
	var letters [][]engine.Section
	var letter []engine.Section
	pictures, reports, shown := 0, 0, map[string][]byte{}
	for i, p := range kept {
		head := engine.Section{Heading: phrase.Say("office.briefing.report", phrase.Number("n", i+1), phrase.Within("title", p.Page.Title),
			phrase.Within("at", d.office.sayMoment(s.Person, p.At)))}
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

package adjudicator

import (
	"archive/zip"
	"bytes"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/past"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Archive gives a finished game as one page of HTML in a language: stop by stop
// what was ordered, rolled and told, with the maps of all sides.
func (c *Clerk) Archive(id, language string) ([]byte, error) {
	var page []byte
	err := c.office.look(intake.FoldGame(id), func(d *desk) error {
		if d.Game.Phase == game.Running {
			return game.Refuse("office.archive.running")
		}
		h := d.gmHeading()
		h.Reader.Language = language
		var err error
		page, err = d.archive(h)
		return err
	})
	return page, err
}

// packs gives what a player gets when the game is over, packed as one file: its
// page, and its log as he may export it. So he can verify the game from his letters,
// and needs to ask nobody. What can't be made or would be too large to mail is left
// out, the log first; nil if nothing is left. The letter goes out all the same: the
// game's end must not wait for a picture.
func (d *desk) packs(s *game.Seat) *templates.Whole {
	page, log := packed{d.Game.ID + ".html", d.page(s.Person.Language)}, packed{d.Game.ID + ".yaml", d.logFile(s)}
	for _, files := range [][]packed{{page, log}, {page}, {log}} {
		if slices.ContainsFunc(files, func(f packed) bool { return f.data == nil }) {
			continue
		}
		if file := d.zipped(files...); file != nil {
			w := &templates.Whole{File: *file}
			for _, f := range files {
				switch f.name {
				case page.name:
					w.Page = f.name
				case log.name:
					w.Log = f.name
				}
			}
			return w
		}
	}
	return nil
}

// logFile gives the log of the finished game as a player may export it; nil if it can't
// be made.
func (d *desk) logFile(s *game.Seat) []byte {
	x, err := d.export(s.Side)
	var b bytes.Buffer
	if err == nil {
		err = x.Write(&b)
	}
	if err != nil {
		d.office.log.Error("export of a finished game not made", "game", d.Game.ID, "error", err)
		return nil
	}
	return b.Bytes()
}

// page gives the page of the finished game in a language; nil if it can't be made.
func (d *desk) page(language string) []byte {
	if page, ok := d.archives[language]; ok {
		return page
	}
	h := d.gmHeading()
	h.Reader = templates.Reader{Language: language, Zone: timing.Zone(d.Game.GM.Zone)}
	page, err := d.archive(h)
	if err != nil {
		d.office.log.Error("page of a finished game not made", "game", d.Game.ID, "error", err)
		page = nil
	}
	if d.archives == nil {
		d.archives = map[string][]byte{}
	}
	d.archives[language] = page
	return page
}

// A packed file is one of those in a zip.
type packed struct {
	name string
	data []byte
}

// largestZip is how many bytes a packed game may have to be mailed: many mail
// servers refuse letters above 10 MB.
const largestZip = 6 << 20

// zipped packs files, which makes a page a tenth; nil if they are too large even
// so.
func (d *desk) zipped(files ...packed) *templates.File {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, file := range files {
		f, err := w.CreateHeader(&zip.FileHeader{Name: file.name, Method: zip.Deflate, Modified: d.Now})
		if err == nil {
			_, err = f.Write(file.data)
		}
		if err != nil {
			d.office.log.Error("finished game not packed", "game", d.Game.ID, "error", err)
			return nil
		}
	}
	if err := w.Close(); err != nil || b.Len() > largestZip {
		d.office.log.Warn("finished game not mailed", "game", d.Game.ID, "files", len(files), "bytes", b.Len(), "error", err)
		return nil
	}
	return &templates.File{Name: d.Game.ID + ".zip", Type: "application/zip", Data: b.Bytes()}
}

// archive writes the page of a finished game. Nothing in it is hidden any more,
// but who the players are: it names sides, not persons.
func (d *desk) archive(h templates.Heading) ([]byte, error) {
	a := templates.Archive{Heading: h, Sides: d.Position.Sides()}
	made, err := d.past.Made()
	if err != nil {
		return nil, err
	}
	a.Commitment = made.Commitment
	if outcome, ended := d.Outcome(); ended {
		a.Outcome = &outcome
	}
	branch, err := d.past.Branch()
	if err != nil {
		return nil, err
	}
	happened := map[uint64]bool{}
	for _, m := range branch {
		happened[m.Seq] = true
	}
	err = d.past.Each(func(e chain.Entry) error {
		if seed := log.SeedIn(e.Body); seed != "" {
			a.Seeds = append(a.Seeds, seed)
		}
		step, ok, err := d.step(e)
		if err != nil || !ok {
			return err
		}
		step.Undone = len(branch) > 0 && step.Pages != nil && !happened[e.Seq]
		a.Steps = append(a.Steps, step)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return d.office.words.Archive(a)
}

// step tells what an entry did to the game, if it is one that a reader of the
// game's history wants to see.
func (d *desk) step(e chain.Entry) (templates.Step, bool, error) {
	s := templates.Step{Entry: int(e.Seq), Hash: log.ShortHash(e.Hash)}
	entry, err := log.Decode(e.Body, nil)
	if err != nil {
		return s, false, err
	}
	s.At = entry.At
	switch entry.Kind {
	case log.KindResolved:
		var r log.Resolved
		if _, err := log.Decode(e.Body, &r); err != nil {
			return s, false, err
		}
		s.Stop, s.Rolls, s.Ruled = entry.Stop, r.Rolls, r.Ruled
		for _, a := range r.Answers {
			s.Orders = append(s.Orders, templates.Ordered{Side: a.Decision.Side, Stop: past.SayGiven(a), By: a.By, Text: a.Orders})
		}
		for _, event := range r.Events {
			s.Told = append(s.Told, templates.ToldTo{Clause: event.Clause, Tellings: event.Tellings})
		}
	case log.KindRewound:
		var r log.Rewound
		if _, err := log.Decode(e.Body, &r); err != nil {
			return s, false, err
		}
		s.Lines = []phrase.Phrase{phrase.Say("office.archive.rewound", phrase.Number("stop", r.Stop), phrase.Literal("reason", r.Reason))}
	case log.KindRuling:
		var r log.Ruling
		if _, err := log.Decode(e.Body, &r); err != nil {
			return s, false, err
		}
		args := []phrase.Arg{phrase.Within("kind", phrase.Say("office.ruling.kind-"+r.Kind)), phrase.Literal("reason", r.Reason)}
		if r.About != 0 {
			args = append(args, phrase.Number("about", int(r.About)))
		}
		if r.Dispute != 0 {
			args = append(args, phrase.Number("dispute", int(r.Dispute)))
		}
		s.Lines = []phrase.Phrase{phrase.Say("office.archive.ruled", args...)}
	case log.KindDispute:
		var about Disputed
		if _, err := log.Decode(e.Body, &about); err != nil {
			return s, false, err
		}
		s.Lines = []phrase.Phrase{phrase.Say("office.archive.disputed", game.SideName(entry.Seat), phrase.Number("entry", int(about.Resolved)),
			phrase.Literal("clause", about.Clause), phrase.Literal("reason", about.Reason))}
	case log.KindSetup:
		s.Lines = []phrase.Phrase{phrase.Say("office.archive.begun")}
	default:
		return s, false, nil
	}
	s.Pages, err = d.pagesAfter(e.Seq)
	return s, true, err
}

// pagesAfter gives what the sides saw after an entry; none if the position was
// not kept.
func (d *desk) pagesAfter(seq uint64) ([]templates.SidePage, error) {
	if known, err := d.past.Has(seq); err != nil || !known {
		return nil, err
	}
	position, err := d.past.Position(seq)
	if err != nil {
		return nil, err
	}
	pages := []templates.SidePage{{Side: engine.GM, Page: position.View(engine.GM).Page()}}
	for _, side := range position.Sides() {
		pages = append(pages, templates.SidePage{Side: side, Page: position.View(side).Page()})
	}
	return pages, nil
}

package report

import (
	"archive/zip"
	"bytes"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/past"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// An archive is a finished game as its players keep it.
type archive struct {
	*Writer
	public bool // for everybody: what people have typed in their own words stays out
}

// Archive writes the page of a finished game, under a heading for its reader.
func (w *Writer) Archive(h templates.Heading) ([]byte, error) { return archive{Writer: w}.write(h) }

// PublicArchive writes the page of a finished game for everybody: as [Writer.Archive] does, without
// the reasons that players and game masters gave in their own words, since these may name persons.
func (w *Writer) PublicArchive(h templates.Heading) ([]byte, error) {
	return archive{w, true}.write(h)
}

// packed gives what a player gets when the game is over, packed as one file; nil if it
// can't be made.
func (w *Writer) packed(s *game.Seat) *templates.Whole { return archive{Writer: w}.packs(s) }

// packs gives what a player gets when the game is over, packed as one file: its
// page, and its log as he may export it. So he can verify the game from his letters,
// and needs to ask nobody. What can't be made or would be too large to mail is left
// out, the log first; nil if nothing is left. The letter goes out all the same: the
// game's end must not wait for a picture.
func (a archive) packs(s *game.Seat) *templates.Whole {
	page, log := packed{a.turn.Game.ID + ".html", a.page(s.Person.Language)}, packed{a.turn.Game.ID + ".yaml", a.logFile(s)}
	for _, files := range [][]packed{{page, log}, {page}, {log}} {
		if slices.ContainsFunc(files, func(f packed) bool { return f.data == nil }) {
			continue
		}
		if file := a.zipped(files...); file != nil {
			whole := &templates.Whole{File: *file}
			for _, f := range files {
				switch f.name {
				case page.name:
					whole.Page = f.name
				case log.name:
					whole.Log = f.name
				}
			}
			return whole
		}
	}
	return nil
}

// logFile gives the log of the finished game as a player may export it; nil if it can't
// be made.
func (a archive) logFile(s *game.Seat) []byte {
	x, err := a.Export(s.Side)
	var b bytes.Buffer
	if err == nil {
		err = x.Write(&b)
	}
	if err != nil {
		a.Logger.Error("export of a finished game not made", "game", a.turn.Game.ID, "error", err)
		return nil
	}
	return b.Bytes()
}

// page gives the page of the finished game in a language; nil if it can't be made.
func (a archive) page(language string) []byte {
	if page, ok := a.finished.pages[language]; ok {
		return page
	}
	h := a.GMHeading()
	h.Reader = templates.Reader{Language: language, Zone: timing.Zone(a.turn.Game.GM.Zone)}
	page, err := a.write(h)
	if err != nil {
		a.Logger.Error("page of a finished game not made", "game", a.turn.Game.ID, "error", err)
		page = nil
	}
	a.finished.pages[language] = page
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
func (a archive) zipped(files ...packed) *templates.File {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, file := range files {
		f, err := z.CreateHeader(&zip.FileHeader{Name: file.name, Method: zip.Deflate, Modified: a.turn.Now})
		if err == nil {
			_, err = f.Write(file.data)
		}
		if err != nil {
			a.Logger.Error("finished game not packed", "game", a.turn.Game.ID, "error", err)
			return nil
		}
	}
	if err := z.Close(); err != nil || b.Len() > largestZip {
		a.Logger.Warn("finished game not mailed", "game", a.turn.Game.ID, "files", len(files), "bytes", b.Len(), "error", err)
		return nil
	}
	return &templates.File{Name: a.turn.Game.ID + ".zip", Type: "application/zip", Data: b.Bytes()}
}

// write writes the page of a finished game. Nothing in it is hidden any more,
// but who the players are: it names sides, not persons.
func (a archive) write(h templates.Heading) ([]byte, error) {
	out := templates.Archive{Heading: h, Sides: a.turn.Position.Sides()}
	made, err := a.past.Made()
	if err != nil {
		return nil, err
	}
	out.Commitment = made.Commitment
	if outcome, ended := a.turn.Outcome(); ended {
		out.Outcome = &outcome
	}
	branch, err := a.past.Branch()
	if err != nil {
		return nil, err
	}
	happened := map[uint64]bool{}
	for _, m := range branch {
		happened[m.Seq] = true
	}
	err = a.past.Each(func(e chain.Entry) error {
		if seed := log.SeedIn(e.Body); seed != "" {
			out.Seeds = append(out.Seeds, seed)
		}
		step, ok, err := a.step(e)
		if err != nil || !ok {
			return err
		}
		step.Undone = len(branch) > 0 && step.Pages != nil && !happened[e.Seq]
		out.Steps = append(out.Steps, step)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return a.Words.Archive(out)
}

// step tells what an entry did to the game, if it is one that a reader of the
// game's history wants to see.
func (a archive) step(e chain.Entry) (templates.Step, bool, error) {
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
		for _, given := range r.Answers {
			s.Orders = append(s.Orders, templates.Ordered{Side: given.Decision.Side, Stop: past.SayGiven(given), By: given.By, Text: given.Orders})
		}
		for _, event := range r.Events {
			s.Told = append(s.Told, templates.ToldTo{Clause: event.Clause, Tellings: event.Tellings})
		}
	case log.KindRewound:
		var r log.Rewound
		if _, err := log.Decode(e.Body, &r); err != nil {
			return s, false, err
		}
		s.Lines = a.says("office.archive.rewound", []phrase.Arg{phrase.Number("stop", r.Stop)}, phrase.Literal("reason", r.Reason))
	case log.KindRuling:
		var r log.Ruling
		if _, err := log.Decode(e.Body, &r); err != nil {
			return s, false, err
		}
		args := []phrase.Arg{phrase.Within("kind", phrase.Say("office.ruling.kind-"+r.Kind))}
		if r.About != 0 {
			args = append(args, phrase.Number("about", int(r.About)))
		}
		if r.Dispute != 0 {
			args = append(args, phrase.Number("dispute", int(r.Dispute)))
		}
		s.Lines = a.says("office.archive.ruled", args, phrase.Literal("reason", r.Reason))
	case log.KindDispute:
		var about log.Disputed
		if _, err := log.Decode(e.Body, &about); err != nil {
			return s, false, err
		}
		s.Lines = a.says("office.archive.disputed", []phrase.Arg{game.SideName(entry.Seat), phrase.Number("entry", int(about.Resolved))},
			phrase.Literal("clause", about.Clause), phrase.Literal("reason", about.Reason))
	case log.KindSetup:
		s.Lines = []phrase.Phrase{phrase.Say("office.archive.begun")}
	default:
		return s, false, nil
	}
	s.Pages, err = a.pagesAfter(e.Seq)
	return s, true, err
}

// says tells what somebody did, with his own words for it unless everybody reads it.
func (a archive) says(code string, args []phrase.Arg, own ...phrase.Arg) []phrase.Phrase {
	if !a.public {
		args = append(args, own...)
	}
	return []phrase.Phrase{phrase.Say(code, args...)}
}

// pagesAfter gives what the sides saw after an entry; none if the position was
// not kept.
func (a archive) pagesAfter(seq uint64) ([]templates.SidePage, error) {
	if known, err := a.past.Has(seq); err != nil || !known {
		return nil, err
	}
	position, err := a.past.Position(seq)
	if err != nil {
		return nil, err
	}
	pages := []templates.SidePage{{Side: engine.GM, Page: position.View(engine.GM).Page()}}
	for _, side := range position.Sides() {
		pages = append(pages, templates.SidePage{Side: side, Page: position.View(side).Page()})
	}
	return pages, nil
}

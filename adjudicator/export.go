package adjudicator

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// exportFormat is the version of the form of exports.
const exportFormat = 1

// An Export is a game as one file of YAML that stands for itself: anybody can
// check with it that nothing in the log was changed and that every die fell as
// it had to. Of a game in progress a side gets what it has seen so far, and no
// entry of the log: their number alone would tell how much the others write.
type Export struct {
	Format     int             `yaml:"berthier-export"`
	Game       string          `yaml:"game"`
	Title      string          `yaml:"title,omitempty"`
	System     string          `yaml:"system"`
	For        string          `yaml:"for"`             // the side that asked; "gm": everything
	State      string          `yaml:"state"`           // running, paused, over, closed
	Commitment string          `yaml:"commitment"`      // SHA-256 of the first seed, hex
	Seeds      []string        `yaml:"seeds,omitempty"` // of the dice, hex; once the game is over
	Seen       []Seen          `yaml:"seen,omitempty"`
	Entries    []ExportedEntry `yaml:"entries,omitempty"`
}

// A Seen is what a side learnt when a stop was resolved: its own orders there,
// and what it was told.
type Seen struct {
	Stop   int      `yaml:"stop,omitempty" json:"stop,omitempty"`     // as the side counts; 0: it owed nothing there
	Name   string   `yaml:"name,omitempty" json:"name,omitempty"`     // of the decision
	Orders string   `yaml:"orders,omitempty" json:"orders,omitempty"` // normal form
	By     string   `yaml:"by,omitempty" json:"by,omitempty"`         // player, gm, bot, default
	Told   []string `yaml:"told,omitempty" json:"told,omitempty"`
}

// An ExportedEntry is an entry of the log. What the reader may not know has its
// digest in place of its salt and text.
type ExportedEntry struct {
	N             uint64 `yaml:"n" json:"n"`
	Hash          string `yaml:"hash" json:"hash"`                                         // hex, as all that follows but the texts
	Salt          string `yaml:"salt,omitempty" json:"salt,omitempty"`                     // of the body
	Body          string `yaml:"body,omitempty" json:"body,omitempty"`                     // JSON
	Digest        string `yaml:"digest,omitempty" json:"digest,omitempty"`                 // of a withheld body
	PrivateSalt   string `yaml:"private_salt,omitempty" json:"private_salt,omitempty"`     //
	Private       string `yaml:"private,omitempty" json:"private,omitempty"`               // JSON
	PrivateDigest string `yaml:"private_digest,omitempty" json:"private_digest,omitempty"` // of a withheld private part
}

// Export gives a game as a file: to a side what it may see; to [engine.GM] all.
func (o *Office) Export(id string, side engine.Side) (*Export, error) {
	var out *Export
	err := o.look(foldGame(id), func(d *desk) error {
		var err error
		out, err = d.export(side)
		return err
	})
	return out, err
}

func (d *desk) export(side engine.Side) (*Export, error) {
	g := d.Game
	if side != engine.GM && g.Seat(side) == nil {
		return nil, fmt.Errorf("export game %s: there is no side %q", g.ID, side)
	}
	x := &Export{Format: exportFormat, Game: g.ID, Title: g.Title, System: g.System, For: string(side), State: g.StateName()}
	made, err := d.made()
	if err != nil {
		return nil, err
	}
	x.Commitment = made.Commitment
	ended := g.Phase != game.Running
	if side != engine.GM && !ended {
		x.Seen, err = d.seen(side)
		return x, err
	}
	err = d.eachEntry(func(e chain.Entry) error {
		about := side
		if s := g.Seat(side); s != nil {
			about = d.SideAt(s, e.Seq) // the player may have had another seat then
		}
		shown, err := exported(e, side, about, g.DiceScheme())
		if err != nil {
			return err
		}
		x.Entries = append(x.Entries, shown)
		if seed := log.SeedIn(e.Body); seed != "" {
			x.Seeds = append(x.Seeds, seed)
		}
		return nil
	})
	return x, err
}

// made reads what the game was made of.
func (d *desk) made() (log.Made, error) {
	var m log.Made
	_, err := d.Entry(1, &m)
	return m, err
}

// exported writes an entry as a side may read it, whose player had a seat then.
func exported(e chain.Entry, side, then engine.Side, scheme int) (ExportedEntry, error) {
	x := ExportedEntry{N: e.Seq, Hash: hex.EncodeToString(e.Hash[:])}
	read, err := log.Read(e, nil)
	if err != nil {
		return x, err
	}
	body, private := e.Digests()
	if side == engine.GM || read.Seat == then || scheme != log.FirstScheme || log.OpenEntry(read, e.Body) {
		x.Salt, x.Body = hex.EncodeToString(e.Salt[:16]), string(e.Body)
	} else {
		x.Digest = hex.EncodeToString(body[:])
	}
	switch {
	case len(e.Private) == 0:
	case side == engine.GM, read.Seat == then && log.OnlySealed(e.Private):
		x.PrivateSalt, x.Private = hex.EncodeToString(e.Salt[16:]), string(e.Private)
	default:
		x.PrivateDigest = hex.EncodeToString(private)
	}
	return x, nil
}

// seen lists what a side has learnt so far, in its language.
func (d *desk) seen(side engine.Side) ([]Seen, error) {
	s := d.Game.Seat(side)
	spell := d.View(side).Spell
	trail, err := d.trail()
	if err != nil {
		return nil, err
	}
	chapters, err := d.chapters(s, trail, 0)
	var all []Seen
	for _, c := range chapters {
		var one Seen
		for _, a := range c.given {
			one.Stop, one.Name, one.Orders, one.By = a.SeatStop, a.Decision.Kind, a.Orders, a.By
		}
		for _, t := range c.told {
			one.Told = append(one.Told, d.office.words.Say(s.Person.Language, t.Say, spell))
		}
		if one.Stop > 0 || len(one.Told) > 0 {
			all = append(all, one)
		}
	}
	return all, err
}

// Write writes an export. Each entry of the log stands on a line of its own, as
// JSON, which is YAML too: so a program that knows no YAML can read it.
func (x *Export) Write(w io.Writer) error {
	head := *x
	head.Entries, head.Seen = nil, nil
	text, err := orders.Marshal(&head)
	if err != nil {
		return fmt.Errorf("write export: %w", err)
	}
	var b bytes.Buffer
	b.Write(text)
	if len(x.Seen) > 0 {
		b.WriteString("seen:\n")
		for _, s := range x.Seen {
			if err := jsonLine(&b, s); err != nil {
				return err
			}
		}
	}
	if len(x.Entries) > 0 {
		b.WriteString("entries:\n")
		for _, e := range x.Entries {
			if err := jsonLine(&b, e); err != nil {
				return err
			}
		}
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write export: %w", err)
	}
	return nil
}

func jsonLine(b *bytes.Buffer, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write export: %w", err)
	}
	b.WriteString("  - ")
	b.Write(line)
	b.WriteByte('\n')
	return nil
}

// ReadExport reads what [Export.Write] wrote.
func ReadExport(data []byte) (*Export, error) {
	x := &Export{}
	if err := orders.Unmarshal(data, x); err != nil {
		return nil, fmt.Errorf("read export: %w", err)
	}
	if x.Format != exportFormat {
		return nil, fmt.Errorf("read export: its form is %d; this program knows %d", x.Format, exportFormat)
	}
	return x, nil
}

// sayPreviews tells how often a game master looked at what a ruling would do, for the
// last report: who tries rulings until the dice please him shows, though none counts.
func (d *desk) sayPreviews() []phrase.Phrase {
	n := 0
	err := d.eachEntry(func(e chain.Entry) error {
		read, err := log.Decode(e.Body, nil)
		if err == nil && read.Kind == log.KindPreview {
			n++
		}
		return err
	})
	if err != nil { // the game's end must not wait for it
		d.office.log.Error("previews of rulings not counted", "game", d.Game.ID, "error", err)
		return nil
	}
	return []phrase.Phrase{phrase.Say("office.previews", phrase.Number("n", n))}
}

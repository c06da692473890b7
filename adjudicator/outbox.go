package adjudicator

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"berthier/adjudicator/deflate"
	"berthier/adjudicator/game"
	"berthier/adjudicator/grounds"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/templates"
)

// A row is a letter of the outbox, before it is packed as mail. Packing it
// gives the same bytes each time, so that a letter sent twice is known for one.
type row struct {
	Game    string      `json:"game,omitempty"`
	Seat    engine.Side `json:"seat,omitempty"` // whose letter it is; engine.GM for the game master's
	Epoch   int         `json:"epoch,omitempty"`
	Kind    string      `json:"kind"` // report, accepted, refused, notice
	Name    string      `json:"name,omitempty"`
	Address string      `json:"address"`
	Written time.Time   `json:"written"`

	Answer     bool              `json:"answer,omitempty"` // to a letter
	InReplyTo  string            `json:"in_reply_to,omitempty"`
	References []string          `json:"references,omitempty"`
	Letter     *templates.Letter `json:"letter,omitempty"`  // nil once it was sent or given up
	Grounds    []string          `json:"grounds,omitempty"` // of its pictures, kept apart; hex

	State string    `json:"state,omitempty"` // "": waiting; sent, lost (for good), bounced
	Sent  time.Time `json:"sent,omitzero"`
	Tries int       `json:"tries,omitempty"`
	Slow  bool      `json:"slow,omitempty"`  // a report that waits for long: its reader's clock stands still
	Error string    `json:"error,omitempty"` // of the last try

	Report int       `json:"report,omitempty"` // its number, if it is a report of a seat: it is kept, to be sent again
	Again  time.Time `json:"again,omitzero"`   // when it was asked for again

	list string    // note of the store that lists the reports of its seat, if it is one
	ref  reportRef // as it stands there

	was store.Version // of the row as it was read

	stopped bool // its address takes no letters any more: it is kept, and not sent

	due  time.Time // when to send it first; zero: at once
	note string    // of the store, which keeps its number if it is due later; a row that the note named before is not sent any more
}

// States of rows that are no longer waiting.
const (
	stateSent    = "sent"
	stateLost    = "lost"
	stateBounced = "bounced"
	stateLater   = "later" // a later letter was sent in its place
)

// mostReferences is how many Message-IDs of a thread a letter names.
const mostReferences = 20

// answers puts a row into its thread: below the letter that it answers, or
// below the root of the thread.
func (r *row) answers(to *mail.Letter, root string) {
	r.InReplyTo, r.References = root, []string{root}
	if to == nil {
		return
	}
	r.Answer = true
	if to.MessageID == "" {
		return
	}
	refs := []string{root}
	known := to.References
	if len(known) > mostReferences {
		known = known[len(known)-mostReferences:]
	}
	for _, id := range known {
		if id != root && id != to.MessageID {
			refs = append(refs, id)
		}
	}
	r.InReplyTo, r.References = to.MessageID, append(refs, to.MessageID)
}

var idLetters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// rootID is the Message-ID of a letter that was never sent, to which all
// letters of a game to one player answer: mail programs then show them as one
// thread.
func (o *Office) rootID(game string, seat engine.Side, epoch int) string {
	return "game." + idLetters.EncodeToString(o.derive("thread", game, string(seat), fmt.Sprint(epoch))[:10]) + "@" + o.opt.Domain
}

// calendarID is what calendars know the deadline of a seat's present stop by.
func (o *Office) calendarID(game string, s *game.Seat) string {
	return "stop." + idLetters.EncodeToString(o.derive("calendar", game, string(s.Side), fmt.Sprint(s.Owes.Stop))[:10]) + "@" + o.opt.Domain
}

// rowID is the Message-ID of a row. It is the row's number in cipher: numbers
// in clear would tell a player how many letters others got in between.
func (o *Office) rowID(id uint64) string {
	var plain, hidden [16]byte
	binary.BigEndian.PutUint64(plain[8:], id)
	o.rowIDs.Encrypt(hidden[:], plain[:])
	return "letter." + idLetters.EncodeToString(hidden[:]) + "@" + o.opt.Domain
}

// rowOf finds the number of a row from its Message-ID, which nobody can make
// who has not got the letter.
func (o *Office) rowOf(messageID string) (uint64, bool) {
	text, ok := strings.CutPrefix(messageID, "letter.")
	if !ok {
		return 0, false
	}
	if text, ok = strings.CutSuffix(text, "@"+o.opt.Domain); !ok {
		return 0, false
	}
	hidden, err := idLetters.DecodeString(text)
	if err != nil || len(hidden) != 16 {
		return 0, false
	}
	var plain [16]byte
	o.rowIDs.Decrypt(plain[:], hidden)
	if binary.BigEndian.Uint64(plain[:8]) != 0 {
		return 0, false
	}
	return binary.BigEndian.Uint64(plain[8:]), true
}

// enqueue adds letters to a change, in their order, with what they share.
func (o *Office) enqueue(ctx context.Context, c *store.Change, now time.Time, rows ...*row) error {
	if len(rows) == 0 {
		return nil
	}
	id, err := o.store.Reserve(ctx, len(rows))
	if err != nil {
		return fmt.Errorf("number letters: %w", err)
	}
	for _, r := range rows {
		body, blobs, err := r.pack()
		if err != nil {
			return err
		}
		out := store.Outgoing{ID: id, Due: now, Body: body}
		later := r.due.After(now)
		if later {
			out.Due = r.due
		}
		if r.stopped {
			out.Due = time.Time{}
		}
		if r.note != "" || r.list != "" {
			if err := o.read(func(tx store.Reader) error { return r.noteIn(c, tx, id, later) }); err != nil {
				return err
			}
		}
		c.Blobs, c.Outgoing = append(c.Blobs, blobs...), append(c.Outgoing, out)
		id++
	}
	return nil
}

// noteIn adds to a change where a letter of this number stands, for those who look for
// it. The one that stood there before is not sent any more.
func (r *row) noteIn(c *store.Change, tx store.Reader, id uint64, later bool) error {
	if r.note != "" {
		if err := withdraw(c, tx, r.note); err != nil {
			return err
		}
	}
	if r.note != "" && later {
		n := c.NoteIn(tx, r.note)
		n.Data = binary.BigEndian.AppendUint64(nil, id)
		c.PutNote(r.note, n)
	}
	if r.list == "" {
		return nil
	}
	n := c.NoteIn(tx, r.list)
	refs, err := readRefs(n.Data)
	if err != nil {
		return err
	}
	r.ref.Row = id
	if n.Data, err = json.Marshal(append(refs, r.ref)); err != nil {
		return fmt.Errorf("note report: %w", err)
	}
	c.PutNote(r.list, n)
	return nil
}

// withdraw takes the letter that a note names out of the outbox, if it still waits
// there and was never tried.
func withdraw(c *store.Change, tx store.Reader, note string) error {
	n := c.NoteIn(tx, note)
	if len(n.Data) != 8 {
		return nil
	}
	out, ok := c.OutgoingIn(tx, binary.BigEndian.Uint64(n.Data))
	if !ok || out.Due.IsZero() {
		return nil
	}
	r, err := unpackRow(out.Body)
	if err != nil || r.Tries > 0 {
		return err
	}
	r.State, r.Letter, r.Grounds = stateLater, nil, nil
	if out.Body, _, err = r.pack(); err != nil {
		return err
	}
	out.Due = time.Time{}
	c.PutOutgoing(out)
	return nil
}

// pack writes a row. What never changes in its pictures is kept once for all
// letters.
func (r *row) pack() (packed []byte, theGrounds []store.Blob, err error) {
	out := *r
	if r.Letter != nil {
		letter := *r.Letter
		letter.Scenes = append([]templates.Scene(nil), letter.Scenes...)
		out.Grounds = make([]string, len(letter.Scenes))
		for i, s := range letter.Scenes {
			if s.Scene == nil || len(s.Scene.Ground) == 0 {
				if i < len(r.Grounds) {
					out.Grounds[i] = r.Grounds[i] // it was not loaded
				}
				continue
			}
			ground, err := grounds.Pack(s.Scene.Ground)
			if err != nil {
				return nil, nil, fmt.Errorf("pack picture %s: %w", s.Name, err)
			}
			out.Grounds[i] = hex.EncodeToString(ground.Digest[:])
			theGrounds = append(theGrounds, ground)
			scene := *s.Scene
			scene.Ground = nil
			letter.Scenes[i].Scene = &scene
		}
		out.Letter = &letter
	}
	body, err := json.Marshal(&out)
	if err != nil {
		return nil, nil, fmt.Errorf("pack letter to %s: %w", r.Seat, err)
	}
	if kept := r.State != ""; !kept && len(body) < longRow || len(body) < shortRow {
		return append([]byte{rowPlain}, body...), theGrounds, nil
	}
	if packed, err = deflate.Append([]byte{rowFlate}, body); err != nil {
		return nil, nil, fmt.Errorf("pack letter: %w", err)
	}
	return packed, theGrounds, nil
}

// How a row is kept: the first byte tells. Of letters that wait only long ones are
// compressed: most are sent, and their rows emptied, within the second. What is
// kept after that, as reports are, is compressed unless it is short.
const (
	rowPlain = 0
	rowFlate = 1
	longRow  = 48 << 10
	shortRow = 1 << 10
)

func unpackRow(body []byte) (*row, error) {
	r := &row{}
	if err := unpackInto(body, r); err != nil {
		return nil, err
	}
	return r, nil
}

// addressOf reads of a row only whom it is for.
func addressOf(body []byte) (string, error) {
	var r struct {
		Address string `json:"address"`
	}
	err := unpackInto(body, &r)
	return r.Address, err
}

func unpackInto(body []byte, r any) (err error) {
	if len(body) == 0 {
		return errors.New("unpack letter: it is empty")
	}
	data := body[1:]
	if body[0] == rowFlate {
		if data, err = deflate.All(data); err != nil {
			return fmt.Errorf("unpack letter: %w", err)
		}
	}
	if err := json.Unmarshal(data, r); err != nil {
		return fmt.Errorf("unpack letter: %w", err)
	}
	return nil
}

// loadRow reads a row with the grounds of its pictures.
func (o *Office) loadRow(tx store.Reader, id uint64) (*row, time.Time, error) {
	stored, ok := tx.Outgoing(id)
	if !ok {
		return nil, time.Time{}, fmt.Errorf("load letter %d: there is none", id)
	}
	r, err := unpackRow(stored.Body)
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("load letter %d: %w", id, err)
	}
	r.was = stored.Version()
	if r.Letter == nil {
		return r, stored.Due, nil
	}
	for i, name := range r.Grounds {
		if name == "" || i >= len(r.Letter.Scenes) {
			continue
		}
		var key [32]byte
		if _, err := hex.Decode(key[:], []byte(name)); err != nil {
			return nil, time.Time{}, fmt.Errorf("load letter %d: picture: %w", id, err)
		}
		ground, ok := o.grounds.Get(key)
		if !ok {
			if err := json.Unmarshal(tx.Blob(key), &ground); err != nil {
				return nil, time.Time{}, fmt.Errorf("load letter %d: picture: %w", id, err)
			}
			o.grounds.Put(key, ground)
		}
		r.Letter.Scenes[i].Scene.Ground = ground
	}
	return r, stored.Due, nil
}

// compose packs a row as mail.
func (o *Office) compose(id uint64, r *row) ([]byte, error) {
	draft := mail.Draft{
		From: o.opt.From, To: mail.Address{Name: r.Name, Addr: r.Address}, Subject: r.Letter.Subject,
		MessageID: o.rowID(id), InReplyTo: r.InReplyTo, References: r.References, Date: r.Written,
		Text: r.Letter.Text, HTML: r.Letter.HTML, AutoSubmitted: "auto-generated", Entry: writeFoot(r.Letter.Foot),
	}
	if r.Answer {
		draft.AutoSubmitted = "auto-replied"
	}
	for i, s := range r.Letter.Scenes {
		var ground string
		if i < len(r.Grounds) {
			ground = r.Grounds[i]
		}
		png, err := o.draws(s, ground)
		if err != nil {
			return nil, fmt.Errorf("draw %s: %w", s.Name, err)
		}
		draft.Inline = append(draft.Inline, mail.File{Name: s.Name + ".png", Type: "image/png", CID: s.Name, Data: png})
	}
	for _, f := range r.Letter.Files {
		draft.Files = append(draft.Files, mail.File{Name: f.Name, Type: f.Type, Data: f.Data})
	}
	raw, err := draft.Compose()
	if err != nil {
		return nil, fmt.Errorf("compose letter: %w", err)
	}
	return raw, nil
}

// draws draws a picture, unless it was drawn a short while ago: a letter that
// has to be sent again, or a report that was asked for again, has the same ones.
func (o *Office) draws(s templates.Scene, ground string) ([]byte, error) {
	scene := *s.Scene
	scene.Ground = nil
	what, err := json.Marshal(struct {
		Ground string
		Scene  engine.Scene
		Labels []string
	}{ground, scene, s.Labels})
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256(what)
	if png, ok := o.pictures.Get(key); ok {
		return png, nil
	}
	png, err := templates.Draw(s.Scene, s.Labels)
	if err == nil {
		o.pictures.Put(key, png)
	}
	return png, err
}

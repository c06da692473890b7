package adjudicator

import (
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

	after func(tx *store.Tx, id uint64) error // notes where it is, when it has a number

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

// A packedRow is a row as the store keeps it.
type packedRow struct {
	body    []byte
	grounds []packedGround
	due     time.Time
	note    string
	after   func(tx *store.Tx, id uint64) error
	stopped bool
}

func (p packedRow) queue(tx *store.Tx, due time.Time) error {
	if err := putGrounds(tx, p.grounds); err != nil {
		return err
	}
	later := p.due.After(due)
	if later {
		due = p.due
	}
	if p.note != "" {
		if err := dropNoted(tx, p.note); err != nil {
			return err
		}
	}
	id, err := tx.Queue(due, p.body)
	if err == nil && p.stopped {
		err = tx.PutRow(store.Row{ID: id, Body: p.body})
	}
	if err == nil && p.after != nil {
		err = p.after(tx, id)
	}
	if err != nil || !later || p.note == "" {
		return err
	}
	return tx.PutNote(p.note, binary.BigEndian.AppendUint64(nil, id))
}

// dropNoted takes the row that a note names out of the outbox, if it still waits
// there and was never tried.
func dropNoted(tx *store.Tx, note string) error {
	data := tx.Note(note)
	if len(data) != 8 {
		return nil
	}
	id := binary.BigEndian.Uint64(data)
	stored, ok := tx.Row(id)
	if !ok || stored.Due.IsZero() {
		return nil
	}
	r, err := unpackRow(stored.Body)
	if err != nil || r.Tries > 0 {
		return err
	}
	r.State, r.Letter, r.Grounds = stateLater, nil, nil
	packed, err := r.pack()
	if err != nil {
		return err
	}
	return tx.PutRow(store.Row{ID: id, Body: packed.body})
}

// pack writes a row. What never changes in its pictures is kept once for all
// letters.
func (r *row) pack() (packedRow, error) {
	p := packedRow{due: r.due, note: r.note, after: r.after, stopped: r.stopped}
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
			ground, err := packGround(s.Scene.Ground)
			if err != nil {
				return p, fmt.Errorf("pack picture %s: %w", s.Name, err)
			}
			out.Grounds[i] = hex.EncodeToString(ground.digest[:])
			p.grounds = append(p.grounds, ground)
			scene := *s.Scene
			scene.Ground = nil
			letter.Scenes[i].Scene = &scene
		}
		out.Letter = &letter
	}
	body, err := json.Marshal(&out)
	if err != nil {
		return p, fmt.Errorf("pack letter to %s: %w", r.Seat, err)
	}
	if kept := r.State != ""; !kept && len(body) < longRow || len(body) < shortRow {
		p.body = append([]byte{rowPlain}, body...)
		return p, nil
	}
	if p.body, err = deflate.Append([]byte{rowFlate}, body); err != nil {
		return p, fmt.Errorf("pack letter: %w", err)
	}
	return p, nil
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

// A packedGround is the ground of a picture as the store keeps it.
type packedGround struct {
	digest [sha256.Size]byte
	data   []byte
}

// packedGrounds are the grounds packed last. Scenes of one map share their
// ground, which never changes, and packing it takes longer than all else in a
// report.
var packedGrounds = newCache[groundID, packedGround](16)

// A groundID tells the grounds in memory apart. Holding it keeps its memory from
// being used for another one.
type groundID struct {
	first *engine.Mark
	n     int
}

func packGround(ground []engine.Mark) (packedGround, error) {
	id := groundID{n: len(ground)}
	if id.n > 0 {
		id.first = &ground[0]
		if p, ok := packedGrounds.get(id); ok {
			return p, nil
		}
	}
	data, err := json.Marshal(ground)
	if err != nil {
		return packedGround{}, err
	}
	p := packedGround{sha256.Sum256(data), data}
	if id.n > 0 {
		packedGrounds.put(id, p)
	}
	return p, nil
}

func putGrounds(tx *store.Tx, grounds []packedGround) error {
	for _, g := range grounds {
		if tx.HasBlob(g.digest) {
			continue
		}
		if _, err := tx.PutBlob(g.data); err != nil {
			return err
		}
	}
	return nil
}

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
func (o *Office) loadRow(tx *store.Tx, id uint64) (*row, time.Time, error) {
	stored, ok := tx.Row(id)
	if !ok {
		return nil, time.Time{}, fmt.Errorf("load letter %d: there is none", id)
	}
	r, err := unpackRow(stored.Body)
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("load letter %d: %w", id, err)
	}
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
		ground, ok := o.grounds.get(key)
		if !ok {
			if err := json.Unmarshal(tx.Blob(key), &ground); err != nil {
				return nil, time.Time{}, fmt.Errorf("load letter %d: picture: %w", id, err)
			}
			o.grounds.put(key, ground)
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
	if png, ok := o.pictures.get(key); ok {
		return png, nil
	}
	png, err := templates.Draw(s.Scene, s.Labels)
	if err == nil {
		o.pictures.put(key, png)
	}
	return png, err
}

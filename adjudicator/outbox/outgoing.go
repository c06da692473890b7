package outbox

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"berthier/adjudicator/deflate"
	"berthier/adjudicator/grounds"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/templates"
)

// An Outgoing is a letter of the outbox, before it is packed as mail. Packing it
// gives the same bytes each time, so that a letter that is sent twice is recognised.
type Outgoing struct {
	Game    string      `json:"game,omitempty"`
	Seat    engine.Side `json:"seat,omitempty"`  // whose letter it is; engine.GM for the game master's
	Epoch   int         `json:"epoch,omitempty"` // which of those who had the seat, one after the other; of an observer, since which entry of the log he has had his view
	Kind    string      `json:"kind"`            // report, accepted, refused, notice ...
	Name    string      `json:"name,omitempty"`
	Address string      `json:"address"`
	Written time.Time   `json:"written"`
	// Delay is by how much later than it was made the letter is meant to be written and sent; 0: at once, and so for letters that
	// earlier programs made, whatever they meant.
	Delay time.Duration `json:"delay,omitempty"`

	Answer     bool              `json:"answer,omitempty"` // to a letter
	InReplyTo  string            `json:"in_reply_to,omitempty"`
	References []string          `json:"references,omitempty"`
	Stops      string            `json:"stops,omitempty"`   // URI by which its reader gets no more letters of this kind; "": it is none of those
	Letter     *templates.Letter `json:"letter,omitempty"`  // nil once it was sent or given up; it is replaced, never altered
	Grounds    []string          `json:"grounds,omitempty"` // of its pictures, kept apart; hex

	State   string    `json:"state,omitempty"` // "": waiting; sent, lost (for good), bounced
	Sent    time.Time `json:"sent,omitzero"`
	Tries   int       `json:"tries,omitempty"`
	Slow    bool      `json:"slow,omitempty"`    // a report that waits for long: its reader's clock stands still
	Unheard bool      `json:"unheard,omitempty"` // slow, and its game may not know
	Error   string    `json:"error,omitempty"`   // of the last try

	Report int       `json:"report,omitempty"` // its number, if it is a report of a seat: it is kept, to be sent again
	Again  time.Time `json:"again,omitzero"`   // when it was asked for again

	// How the letter is queued. Once it is queued these fields are no longer known.
	Due  time.Time `json:"-"` // when to send it first; zero: at once
	Slot string    `json:"-"` // a letter that waits in the same slot is not sent any more; this one waits there if it is due later
	List string    `json:"-"` // of reports in which it stands, so that it can be sent again; "": in none
	Ref  Ref       `json:"-"` // as it stands there, but for the number

	stopped bool          // it is kept, and not sent
	was     store.Version // of the letter as it was read
	text    text          // of the letter as it was read or packed
}

// KindObserver is the kind of letters to those who look on.
const KindObserver = "observer"

// States of letters that are no longer waiting.
const (
	StateSent    = "sent"
	StateLost    = "lost"
	StateBounced = "bounced"
	StateLater   = "later" // a later letter was sent in its place
)

// MostReferences is how many Message-IDs of a thread a letter names.
const MostReferences = 20

// Answers puts a letter into its thread: below the letter that it answers, or
// below the root of the thread.
func (r *Outgoing) Answers(to *mail.Letter, root string) {
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
	if len(known) > MostReferences {
		known = known[len(known)-MostReferences:]
	}
	for _, id := range known {
		if id != root && id != to.MessageID {
			refs = append(refs, id)
		}
	}
	r.InReplyTo, r.References = to.MessageID, append(refs, to.MessageID)
}

// Stop keeps a letter that is queued from being sent.
func (r *Outgoing) Stop(why string) { r.stopped, r.State, r.Error = true, StateLost, why }

// empty removes from a letter that is no longer needed everything except what tells of it: to whom it went,
// when, and what came of it. A report is kept.
func (r *Outgoing) empty() {
	if r.Report == 0 {
		r.Letter, r.Grounds, r.InReplyTo, r.References, r.Answer, r.Stops = nil, nil, "", nil, false, ""
	}
}

// A letter is kept as a byte that tells the form, the length of its head as a varint, the
// head, and the text. The head is the JSON of an [Outgoing] without Letter and Grounds, so
// that an address is read, and a letter noted as sent, without its text and its pictures. The
// text is the JSON of a [content], compressed or not, or lies together with others. Letters of earlier programs are one
// JSON, compressed or not.
//
// Among letters that wait only long ones are compressed: most are sent, and emptied, within
// a second. A letter that is kept after that, such as a report, is compressed unless it is
// short, and its head is packed with a dictionary.
const (
	oldPlain  = 0
	oldFlated = 1
	plain     = 2
	flated    = 3
	together  = 4 // the text lies in a bundle

	shortHead = 0x80 // besides: the head is packed with the dictionary [headWords]

	longBody  = 48 << 10
	shortBody = 1 << 10
	mostHead  = 1 << 20
)

// headWords is what heads have in common. It is never changed, for heads that were packed with it could
// not be read any more.
var headWords = deflate.NewDictionary(`"stops":"mailto:","kind":"accepted","kind":"refused","kind":"notice","name":"The game master","seat":"gm","state":"bounced","slow":true,"error":"550 ","again":"2027-,"epoch":1,` +
	`{"game":"","kind":"verdicts","name":"","address":"","written":"2026-","state":"lost"},"state":"later"},"report":` +
	`{"game":"","seat":"","kind":"report","name":"Player of ","address":"@","written":"2026-01-01T00:00:00.000000Z","answer":true,"in_reply_to":".1@","references":["game.@","letter.@",".1@"],"state":"sent","sent":"2026-01-01T00:00:00.000000Z","tries":1,"report":1`)

// A content is what a letter says.
type content struct {
	Letter  *templates.Letter `json:"letter"`
	Grounds []string          `json:"grounds,omitempty"`
}

// A text is a content as the store keeps it.
type text struct {
	of     *templates.Letter // whose text it is
	form   byte              // plain, flated or together
	bytes  []byte
	shared []store.Blob // the grounds of its pictures, which may not be in the store yet
	lossy  bool         // it is not what was packed: JSON has no place for bytes that are no UTF-8
}

// Pack writes a letter as the store keeps it. The parts of its pictures that never change
// are kept once for all letters: they come in shared, unless they were read from the store.
func (r *Outgoing) Pack() (packed []byte, shared []store.Blob, err error) {
	head := *r
	head.Letter, head.Grounds = nil, nil
	top, err := json.Marshal(&head)
	if err != nil {
		return nil, nil, fmt.Errorf("pack letter to %s: %w", r.Seat, err)
	}
	if r.text.of != r.Letter {
		if err = r.packText(); err != nil {
			return nil, nil, err
		}
	}
	kept := r.State != ""
	if r.text.form == plain && (len(r.text.bytes) >= longBody || kept && len(r.text.bytes) >= shortBody) {
		smaller, err := deflate.Append(nil, r.text.bytes)
		if err != nil {
			return nil, nil, fmt.Errorf("pack letter: %w", err)
		}
		r.text.form, r.text.bytes = flated, smaller
	}
	form := max(r.text.form, plain)
	if kept {
		if top, err = headWords.Append(nil, top); err != nil {
			return nil, nil, fmt.Errorf("pack letter: %w", err)
		}
		form |= shortHead
	}
	packed = make([]byte, 0, 1+binary.MaxVarintLen64+len(top)+len(r.text.bytes))
	packed = append(packed, form)
	packed = binary.AppendUvarint(packed, uint64(len(top)))
	return append(append(packed, top...), r.text.bytes...), r.text.shared, nil
}

// packText packs what the letter says, with the grounds of its pictures apart.
func (r *Outgoing) packText() error {
	r.text = text{of: r.Letter, form: plain}
	if r.Letter == nil {
		return nil
	}
	letter, names := *r.Letter, make([]string, len(r.Letter.Scenes))
	letter.Scenes = append([]templates.Scene(nil), letter.Scenes...)
	for i, s := range letter.Scenes {
		if s.Scene == nil || len(s.Scene.Ground) == 0 {
			if i < len(r.Grounds) {
				names[i] = r.Grounds[i] // it was not loaded
			}
			continue
		}
		ground, err := grounds.Pack(s.Scene.Ground)
		if err != nil {
			return fmt.Errorf("pack picture %s: %w", s.Name, err)
		}
		names[i] = hex.EncodeToString(ground.Digest[:])
		r.text.shared = append(r.text.shared, ground)
		scene := *s.Scene
		scene.Ground = nil
		letter.Scenes[i].Scene = &scene
	}
	data, err := deflate.JSON(content{&letter, names})
	if err != nil {
		return fmt.Errorf("pack letter to %s: %w", r.Seat, err)
	}
	r.Grounds, r.text.bytes, r.text.lossy = names, data, bytes.Contains(data, notUTF8)
	return nil
}

// notUTF8 is what JSON has in the place of bytes that are no UTF-8.
var notUTF8 = []byte(`\ufffd`)

// Unpack reads a letter as the store keeps it. The letter holds on to body, of which it is
// packed again: if body is good only for a while, so is what is packed. Of a letter that lies in
// a bundle Letter is nil; packed again, it lies there as before.
func Unpack(body []byte) (*Outgoing, error) {
	r, said, err := unpackHead(body)
	if err != nil || len(said.bytes) == 0 {
		return r, err
	}
	var c content
	switch said.form {
	case together:
		r.text = text{form: together, bytes: said.bytes}
		return r, nil
	case flated:
		err = deflate.UnpackJSON(said.bytes, &c)
	default:
		err = json.Unmarshal(said.bytes, &c)
	}
	if err != nil {
		return nil, fmt.Errorf("unpack letter: %w", err)
	}
	r.Letter, r.Grounds = c.Letter, c.Grounds
	r.text = text{of: c.Letter, form: said.form, bytes: said.bytes}
	return r, nil
}

// unpackHead reads a letter without what it says, which it gives as it is kept. A letter of
// an earlier program is read whole.
func unpackHead(body []byte) (*Outgoing, text, error) {
	data, said, err := cutHead(body)
	if err != nil {
		return nil, text{}, err
	}
	r := &Outgoing{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, text{}, fmt.Errorf("unpack letter: %w", err)
	}
	return r, said, nil
}

// headIn tells whether the start of a letter's body has its head in it: a letter of an earlier program is all head.
func headIn(start []byte) bool {
	switch form := start[0] &^ shortHead; form {
	case plain, flated, together:
		n, size := binary.Uvarint(start[1:])
		return size > 0 && n <= uint64(len(start)-1-size)
	}
	return false
}

// cutHead parts the JSON of a letter's head from what the letter says. Of a letter of an earlier
// program it gives all of the JSON.
func cutHead(body []byte) (data []byte, said text, err error) {
	if len(body) == 0 {
		return nil, text{}, errors.New("unpack letter: it is empty")
	}
	form, data := body[0]&^shortHead, body[1:]
	said = text{form: form}
	switch form {
	case oldPlain:
	case oldFlated:
		if data, err = deflate.All(data); err != nil {
			return nil, text{}, fmt.Errorf("unpack letter: %w", err)
		}
	case plain, flated, together:
		n, size := binary.Uvarint(data)
		if size <= 0 || n > uint64(len(data)-size) {
			return nil, text{}, errors.New("unpack letter: its head is cut short")
		}
		data, said.bytes = data[size:size+int(n)], data[size+int(n):]
		if body[0]&shortHead != 0 {
			if data, err = headWords.All(data, mostHead); err != nil {
				return nil, text{}, fmt.Errorf("unpack letter: its head: %w", err)
			}
		}
	default:
		return nil, text{}, fmt.Errorf("unpack letter: its form is %d; this program knows %d at most", form, together)
	}
	return data, said, nil
}

// addressOf reads the address of a letter, and nothing else of it.
func addressOf(body []byte) (address string, err error) {
	r, _, err := unpackHead(body)
	if err != nil {
		return "", err
	}
	return r.Address, nil
}

package outbox

import (
	"bytes"
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

	// How the letter is queued. Once it is queued these fields are no longer known.
	Due  time.Time `json:"-"` // when to send it first; zero: at once
	Slot string    `json:"-"` // a letter that waits in the same slot is not sent any more; this one waits there if it is due later
	List string    `json:"-"` // of reports in which it stands, so that it can be sent again; "": in none
	Ref  Ref       `json:"-"` // as it stands there, but for the number

	stopped bool          // it is kept, and not sent
	was     store.Version // of the letter as it was read
}

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

// empty removes from a letter that is no longer needed everything except what tells of it. A report is kept.
func (r *Outgoing) empty() {
	if r.Report == 0 {
		r.Letter, r.Grounds = nil, nil
	}
}

// Pack writes a letter as the store keeps it. The parts of its pictures that never change
// are kept once for all letters.
func (r *Outgoing) Pack() (packed []byte, shared []store.Blob, err error) {
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
			shared = append(shared, ground)
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
	if kept := r.State != ""; !kept && len(body) < longBody || len(body) < shortBody {
		return append([]byte{plain}, body...), shared, nil
	}
	if packed, err = deflate.Append([]byte{flated}, body); err != nil {
		return nil, nil, fmt.Errorf("pack letter: %w", err)
	}
	return packed, shared, nil
}

// How a letter is kept, told by its first byte. Among letters that wait only long ones are
// compressed: most are sent, and emptied, within a second. A letter that is
// kept after that, such as a report, is compressed unless it is short.
const (
	plain     = 0
	flated    = 1
	longBody  = 48 << 10
	shortBody = 1 << 10
)

// Unpack reads a letter as the store keeps it.
func Unpack(body []byte) (*Outgoing, error) {
	data, err := inflated(body)
	if err != nil {
		return nil, err
	}
	r := &Outgoing{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("unpack letter: %w", err)
	}
	return r, nil
}

// addressOf reads a letter up to its address: the text and the pictures come after it.
func addressOf(body []byte) (address string, err error) {
	data, err := inflated(body)
	if err != nil {
		return "", err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	_, err = d.Token() // the brace
	for err == nil && d.More() {
		var key json.Token
		if key, err = d.Token(); err == nil && key == "address" {
			err = d.Decode(&address)
			break
		}
		var other json.RawMessage
		if err == nil {
			err = d.Decode(&other)
		}
	}
	if err != nil {
		return "", fmt.Errorf("unpack letter: %w", err)
	}
	return address, nil
}

// inflated is a letter as the store keeps it, not compressed any more.
func inflated(body []byte) (data []byte, err error) {
	if len(body) == 0 {
		return nil, errors.New("unpack letter: it is empty")
	}
	if data = body[1:]; body[0] == flated {
		if data, err = deflate.All(data); err != nil {
			return nil, fmt.Errorf("unpack letter: %w", err)
		}
	}
	return data, nil
}

package outbox

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"berthier/adjudicator/deflate"
	"berthier/adjudicator/store"
)

// A Ref is where a report that was sent to a seat is kept.
type Ref struct {
	Report int       `json:"report"` // as the seat counts its reports
	Number uint64    `json:"row"`    // of the letter
	Stop   int       `json:"stop"`   // of the seat: the last that it was asked at
	Epoch  int       `json:"epoch"`  // of the seat's key: tells whose report it was
	At     time.Time `json:"at"`
}

// Reports reads a list of reports, the oldest first.
func Reports(tx store.Reader, list string) ([]Ref, error) { return readRefs(tx.Value(list)) }

func readRefs(data []byte) (refs []Ref, err error) {
	if data == nil {
		return nil, nil
	}
	if err := json.Unmarshal(data, &refs); err != nil {
		return nil, fmt.Errorf("read the list of reports: %w", err)
	}
	return refs, nil
}

// SendAgain adds to a change that a report is sent once more to an address, the same
// letter to the byte, unless it is on its way.
func SendAgain(c *store.Change, tx store.Reader, id uint64, address string, now time.Time) error {
	out, ok := c.OutgoingIn(tx, id)
	if !ok || !out.Due.IsZero() {
		return nil
	}
	if head, _, err := unpackHead(out.Body); err != nil || head.Address != address {
		return err
	}
	if elsewhere, ok := tx.(Elsewhere); ok && elsewhere.Away(id) {
		return sendBack(c, tx, id, now)
	}
	if _, said, err := cutHead(out.Body); err == nil && said.form == together && deflate.Holds(said.bytes) {
		if err := Apart(c, tx, id); err != nil { // those in one bundle with it must not go with it
			return err
		}
		out, _ = c.OutgoingIn(tx, id)
	}
	r, err := whole(tx, id, out.Body)
	if err != nil || r.Letter == nil {
		return err
	}
	r.State, r.Tries, r.Slow, r.Unheard, r.Error, r.Again = "", 0, false, false, "", now
	body, _, err := r.Pack()
	if err != nil {
		return err
	}
	out.Due, out.Body = now, body
	c.PutOutgoing(out)
	return nil
}

// An Elsewhere is a reader that has letters which are not in the store.
type Elsewhere interface {
	store.Reader
	Away(id uint64) bool // whether the letter is not in the store
	// Lay gives a letter's body as it is kept elsewhere, nil if it is not, though it may have come into the store again: there it
	// holds no bundle any more.
	Lay(id uint64) []byte
}

// sendBack adds to a change that a letter which is not in the store comes there again, to be sent once
// more.
func sendBack(c *store.Change, tx store.Reader, id uint64, now time.Time) error {
	out, _ := tx.Outgoing(id)
	r, err := whole(tx, id, out.Body)
	if err != nil || r.Letter == nil {
		return err
	}
	r.State, r.Tries, r.Slow, r.Unheard, r.Error, r.Again = "", 0, false, false, "", now
	if out.Body, _, err = r.Pack(); err != nil {
		return err
	}
	out.Due, out.Was = now, store.Version{}
	c.PutOutgoing(out)
	shared, err := groundsOf(tx, r.Grounds)
	c.Blobs = append(c.Blobs, shared...)
	return err
}

// groundsOf gives the grounds of a letter's pictures.
func groundsOf(tx store.Reader, names []string) (all []store.Blob, err error) {
	for _, name := range names {
		if name == "" {
			continue
		}
		var b store.Blob
		if _, err := hex.Decode(b.Digest[:], []byte(name)); err != nil {
			return nil, err
		}
		if b.Data = tx.Blob(b.Digest); b.Data == nil {
			return nil, fmt.Errorf("%w: a picture's ground is missing", store.ErrDamaged)
		}
		all = append(all, b)
	}
	return all, nil
}

// Listed gives the letters of a list as they are kept, and the digests of the grounds of their pictures.
func Listed(tx store.Reader, list string) (letters []store.Outgoing, grounds []string, err error) {
	refs, err := Reports(tx, list)
	if err != nil {
		return nil, nil, err
	}
	together := textsWith(tx)
	for _, ref := range refs {
		o, there := tx.Outgoing(ref.Number)
		if !there {
			continue
		}
		r, err := wholeOf(together, ref.Number, o.Body)
		if err != nil {
			return nil, nil, fmt.Errorf("letter %d: %w", ref.Number, err)
		}
		letters, grounds = append(letters, o), append(grounds, r.Grounds...)
	}
	return letters, slices.DeleteFunc(grounds, func(name string) bool { return name == "" }), nil
}

// mostStuck is how many waiting letters are looked at. slowLetter is how long a letter may
// be tried before it counts as stuck.
const (
	mostStuck  = 1000
	slowLetter = time.Hour
)

// Stuck tells how many letters wait because they could not be sent, and since when the
// first of them has waited.
func Stuck(tx store.Reader, now time.Time) (n int, first time.Time, err error) {
	err = tx.Waiting(mostStuck, func(id uint64, start []byte) error {
		r := triedOf(tx, id, start) // whoever watches the office asks often
		if r == nil {
			return nil
		}
		since := r.since() // a time that has not come yet is that of a wrong clock
		if waited := now.Sub(since); waited > -clocksDiffer && waited < slowLetter {
			return nil
		}
		if n++; first.IsZero() || since.Before(first) {
			first = since
		}
		return nil
	})
	return n, first, err
}

// since is since when a letter waits to be sent.
func (r *Outgoing) since() time.Time {
	if r.Again.After(r.Written) {
		return r.Again
	}
	return r.Written
}

// Without gives a letter that waits to be sent, as it is kept, once a person is taken out of its texts whom it names; named tells whether it does.
// A letter that has gone stays as it was: it may be sent again, the same to the byte.
func Without(body []byte, person func(text string) (without string, named bool)) (packed []byte, named bool, err error) {
	if head, _, err := unpackHead(body); err != nil || head.State != "" {
		return nil, false, err
	}
	r, err := Unpack(body)
	if err != nil || r.Letter == nil {
		return nil, false, err
	}
	l := *r.Letter
	l.Files = slices.Clone(l.Files)
	out := func(text string) string {
		without, his := person(text)
		if named = named || his; his {
			return without
		}
		return text
	}
	l.Subject, l.Text, l.HTML = out(l.Subject), out(l.Text), out(l.HTML)
	for i, file := range l.Files {
		if utf8.Valid(file.Data) {
			l.Files[i].Data = []byte(out(string(file.Data)))
		}
	}
	if !named {
		return nil, false, nil
	}
	r.Letter = &l
	packed, _, err = r.Pack()
	return packed, true, err
}

// Forget gives a letter as it is kept once the person to whom it goes is forgotten: it says nothing any
// more, is not sent, and goes to whatever takes the place of his address. His tells whether it is a
// letter to him.
func Forget(body []byte, of func(address string) (name, as string, his bool)) (packed []byte, his bool, err error) {
	r, err := Unpack(body)
	if err != nil {
		return nil, false, err
	}
	name, as, his := of(r.Address)
	if !his {
		return nil, false, nil
	}
	waits := r.State == ""
	left := Outgoing{Game: r.Game, Seat: r.Seat, Epoch: r.Epoch, Kind: r.Kind, Name: name, Address: as, Written: r.Written, State: r.State, Sent: r.Sent, Tries: r.Tries}
	if waits {
		left.State = StateLost
	}
	packed, _, err = left.Pack()
	return packed, true, err
}

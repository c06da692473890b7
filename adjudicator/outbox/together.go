package outbox

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"berthier/adjudicator/deflate"
	"berthier/adjudicator/store"
)

// Reports that are kept after they were sent are packed together, so many of a seat in one bundle
// (see [deflate.Bundle]): one says mostly what the one before says. What a bundle holds is the
// text of letters; their heads stay, so a letter that comes back is noted without it. No
// letter that waits to be sent lies in a bundle. Of a game that is over bundles are larger.
const (
	inOneBundle  = 16
	inLastBundle = 64       // at least: it grows until it is as long as
	lastBundle   = 40 << 20 // bytes, for it is unpacked whole to read one letter
)

// whole reads a letter as the store keeps it, with its text, wherever that is.
func whole(tx store.Reader, id uint64, body []byte) (*Outgoing, error) {
	return wholeOf(textsWith(tx), id, body)
}

func wholeOf(texts *deflate.Reader, id uint64, body []byte) (*Outgoing, error) {
	r, err := Unpack(body)
	if err != nil || r.text.form != together {
		return r, err
	}
	parts, i, err := texts.Together(id, r.text.bytes)
	if err != nil {
		return nil, fmt.Errorf("unpack letter: %w", err)
	}
	c, err := contentOf(parts[i])
	if err != nil {
		return nil, fmt.Errorf("unpack letter: %w", err)
	}
	r.Letter, r.Grounds, r.text = c.Letter, c.Grounds, text{}
	return r, nil
}

// The pieces of which the text of a letter consists in a bundle: what lies beside it there is the same piece
// of other letters. The first piece is the JSON of a [content] without what the others hold. The first file, mostly
// the template, comes next to the text, which it repeats.
const (
	pieceText = iota // of More
	pieceFile        // the first file
	pieceHTML
	pieceScenes // JSON
	pieceFiles  // from here on: the other files
)

// piecesOf gives a text as a part of a bundle.
func piecesOf(number uint64, c content) (p deflate.Part, err error) {
	l := *c.Letter
	scenes, err := json.Marshal(l.Scenes)
	if err != nil {
		return p, err
	}
	more := [][]byte{pieceText: []byte(l.Text), pieceFile: nil, pieceHTML: []byte(l.HTML), pieceScenes: scenes}
	l.Text, l.HTML, l.Scenes, l.Files = "", "", nil, slices.Clone(l.Files)
	for i := range l.Files {
		if i == 0 {
			more[pieceFile] = l.Files[i].Data
		} else {
			more = append(more, l.Files[i].Data)
		}
		l.Files[i].Data = nil
	}
	first, err := json.Marshal(content{&l, c.Grounds})
	return deflate.Part{Number: number, Data: first, More: more}, err
}

// contentOf reads a text that is a part of a bundle. Earlier programs wrote it as one piece.
func contentOf(p deflate.Part) (c content, err error) {
	if err := json.Unmarshal(p.Data, &c); err != nil || len(p.More) == 0 {
		return c, err
	}
	if c.Letter == nil || len(p.More) != max(pieceFiles, pieceFiles+len(c.Letter.Files)-1) {
		return c, fmt.Errorf("%w: a letter has %d pieces", deflate.ErrBundle, len(p.More))
	}
	l := c.Letter
	l.Text, l.HTML = string(p.More[pieceText]), string(p.More[pieceHTML])
	for i := range l.Files {
		piece := pieceFile
		if i > 0 {
			piece = pieceFiles + i - 1
		}
		l.Files[i].Data = p.More[piece]
	}
	return c, json.Unmarshal(p.More[pieceScenes], &l.Scenes)
}

// textsWith reads texts that lie together.
func textsWith(tx store.Reader) *deflate.Reader {
	return &deflate.Reader{At: func(id uint64) []byte {
		out, _ := tx.Outgoing(id)
		if _, said, err := cutHead(out.Body); err == nil && said.form == together {
			return said.bytes
		}
		if elsewhere, ok := tx.(Elsewhere); ok {
			if _, said, err := cutHead(elsewhere.Lay(id)); err == nil && said.form == together {
				return said.bytes
			}
		}
		return nil
	}}
}

// HoldsBundle tells whether a letter as it is kept is the one in whose place a bundle lies.
func HoldsBundle(body []byte) bool {
	_, said, err := cutHead(body)
	return err == nil && said.form == together && deflate.Holds(said.bytes)
}

// Sound tells why a letter can't be read, whether or not it lies in a bundle.
func Sound(tx store.Reader, id uint64, body []byte) error {
	_, err := whole(tx, id, body)
	return err
}

// Gather adds to a change that the reports of some lists are packed together, as far as they were sent
// and still say something. Only full bundles are made, and the last report stays by itself, since it is
// asked for most; unless rest says that the game is over: then all are packed anew, in larger bundles. That
// reads all of them, so it is best done once, when none of them waits any more ([Waiting]). It tells how many
// reports it has packed.
func Gather(c *store.Change, tx store.Reader, lists []string, rest bool) (n int, err error) {
	refs, err := reportsIn(tx, lists)
	if len(refs) == 0 {
		return 0, err
	}
	slices.SortFunc(refs, func(a, b Ref) int { return cmp.Compare(a.Number, b.Number) })
	size, last := inOneBundle, len(refs)-1
	if rest {
		if size, last = inLastBundle, len(refs); packed(c, tx, refs) {
			return 0, nil
		}
	}
	var parts []deflate.Part
	heads, held := map[uint64]*Outgoing{}, 0
	for _, ref := range refs[:last] {
		if rest {
			if err := Apart(c, tx, ref.Number); err != nil {
				return n, err
			}
		}
		out, ok := c.OutgoingIn(tx, ref.Number)
		if !ok {
			continue
		}
		r, err := Unpack(out.Body)
		if err != nil {
			return n, fmt.Errorf("letter %d: %w", ref.Number, err)
		}
		if !out.Due.IsZero() || r.Report == 0 || r.Letter == nil {
			continue // it waits to be sent, lies in a bundle, or says nothing any more
		}
		part, err := piecesOf(ref.Number, content{r.Letter, r.Grounds})
		if err != nil {
			return n, fmt.Errorf("letter %d: %w", ref.Number, err)
		}
		heads[ref.Number], held = r, held+part.Bytes()
		if parts = append(parts, part); len(parts) >= size && (!rest || held >= lastBundle) {
			if err := putTogether(c, tx, parts, heads); err != nil {
				return n, err
			}
			n, parts, held = n+len(parts), nil, 0
		}
	}
	if rest && len(parts) > 1 {
		n += len(parts)
		err = putTogether(c, tx, parts, heads)
	}
	return n, err
}

// reportsIn gives what stands in some lists of reports, one after the other.
func reportsIn(tx store.Reader, lists []string) (refs []Ref, err error) {
	for _, list := range lists {
		more, err := Reports(tx, list)
		if err != nil {
			return nil, err
		}
		refs = append(refs, more...)
	}
	return refs, nil
}

// Waiting gives the number of a report of some lists that waits to be sent; 0: none does.
func Waiting(tx store.Reader, lists []string) (uint64, error) {
	refs, err := reportsIn(tx, lists)
	for _, ref := range slices.Backward(refs) { // the last one waits longest
		if StillWaits(tx, ref.Number) {
			return ref.Number, nil
		}
	}
	return 0, err
}

// StillWaits tells whether a letter waits to be sent.
func StillWaits(tx store.Reader, id uint64) bool {
	out, there := tx.Outgoing(id)
	return there && !out.Due.IsZero()
}

// packed tells whether all reports of a list that say something lie in as few bundles as they can.
func packed(c *store.Change, tx store.Reader, refs []Ref) bool {
	bundles := 0
	for _, ref := range refs {
		out, ok := c.OutgoingIn(tx, ref.Number)
		if !ok {
			continue
		}
		_, said, err := cutHead(out.Body)
		switch {
		case err != nil || said.form != together && len(said.bytes) > 0:
			return len(refs) == 1
		case said.form == together && deflate.HoldsRows(said.bytes):
			return false // of an earlier program
		case said.form == together && deflate.Holds(said.bytes):
			bundles++
		}
	}
	return bundles <= len(refs)/inLastBundle+1
}

// putTogether adds to a change that letters lie in one bundle.
func putTogether(c *store.Change, tx store.Reader, parts []deflate.Part, heads map[uint64]*Outgoing) error {
	values, err := deflate.Bundle(parts)
	if err != nil {
		return err
	}
	for i, p := range parts {
		r := heads[p.Number]
		r.Letter, r.Grounds, r.text = nil, nil, text{form: together, bytes: values[i]}
		if err := r.replace(c, tx, p.Number); err != nil {
			return err
		}
	}
	return nil
}

// replace adds to a change that a letter is kept as this, due when it was due.
func (r *Outgoing) replace(c *store.Change, tx store.Reader, id uint64) error {
	out, ok := c.OutgoingIn(tx, id)
	if !ok {
		return fmt.Errorf("letter %d: there is none", id)
	}
	var err error
	if out.Body, _, err = r.Pack(); err == nil {
		c.PutOutgoing(out)
	}
	return err
}

// Apart adds to a change that a letter, and all that lie in one bundle with it, are kept each by
// itself again. A letter that lies in none stays as it is.
func Apart(c *store.Change, tx store.Reader, id uint64) error {
	out, ok := c.OutgoingIn(tx, id)
	if !ok {
		return nil
	}
	_, said, err := cutHead(out.Body)
	if err != nil || said.form != together {
		return err
	}
	parts, _, err := textsWith(tx).Together(id, said.bytes)
	if err != nil {
		return fmt.Errorf("letter %d: %w", id, err)
	}
	for _, p := range parts {
		out, ok := c.OutgoingIn(tx, p.Number)
		if !ok {
			return fmt.Errorf("letter %d: there is none", p.Number)
		}
		r, err := Unpack(out.Body)
		if err != nil {
			return fmt.Errorf("letter %d: %w", p.Number, err)
		}
		if r.text.form != together {
			continue // said otherwise by the same change
		}
		says, err := contentOf(p)
		if err != nil {
			return fmt.Errorf("letter %d: %w", p.Number, err)
		}
		r.Letter, r.Grounds = says.Letter, says.Grounds
		if err := r.replace(c, tx, p.Number); err != nil {
			return err
		}
	}
	return nil
}

package adjudicator

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"berthier/adjudicator/deflate"
	"berthier/adjudicator/grounds"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/past"
	"berthier/adjudicator/report"
	"berthier/adjudicator/store"
	"berthier/engine"
)

// kept is what the store has of a game: what a turn may look up ([game.Past]), and what
// its past is read from ([past.Kept]).
type kept struct {
	office *Office
	game   string
}

// EntryAt implements [game.Past].
func (k kept) EntryAt(seq uint64) (entry chain.Entry, err error) {
	err = k.office.read(func(tx store.Reader) error {
		e, ok, err := tx.Entry(k.game, seq)
		if err == nil && !ok {
			err = fmt.Errorf("read log of %s: there is no entry %d", k.game, seq)
		}
		entry = e
		return err
	})
	return entry, err
}

// AnswerOf implements [game.Past].
func (k kept) AnswerOf(side engine.Side) (file []byte, err error) {
	err = k.office.read(func(tx store.Reader) error {
		file = tx.Answer(k.game, string(side))
		return nil
	})
	return file, err
}

// EntriesFrom implements [past.Kept].
func (k kept) EntriesFrom(seq uint64) (all []chain.Entry, err error) {
	err = k.office.read(func(tx store.Reader) error {
		return tx.Entries(k.game, seq, func(e chain.Entry) error {
			all = append(all, e)
			return nil
		})
	})
	return all, err
}

// CheckpointAt implements [past.Kept].
func (k kept) CheckpointAt(seq uint64) (packed []byte, err error) {
	err = k.office.read(func(tx store.Reader) error {
		packed, err = positionsOf(tx, k.game)(seq)
		return err
	})
	return packed, err
}

// PagesOf implements [past.Kept].
func (k kept) PagesOf(book engine.Side) (all []past.Page, err error) {
	err = shelving{k.office}.readAll(k.game, func(tx store.Reader) error {
		return pagesOf(tx, k.game, string(book), 0, func(_ uint64, body []byte) error {
			p, err := readPage(tx, body)
			if err != nil {
				return fmt.Errorf("read page of %s: %w", book, err)
			}
			all = append(all, p)
			return nil
		})
	})
	return all, err
}

// PageOf implements [past.Kept].
func (k kept) PageOf(book engine.Side, n uint64) (page *past.Page, err error) {
	err = shelving{k.office}.readAll(k.game, func(tx store.Reader) error {
		return pagesOf(tx, k.game, string(book), n, func(_ uint64, body []byte) error {
			if page, err = unpackBare(body); err != nil {
				return fmt.Errorf("read page %d of %s: %w", n, book, err)
			}
			return nil
		})
	})
	return page, err
}

// readPage reads a page with the grounds of its pictures.
func readPage(tx store.Reader, body []byte) (past.Page, error) {
	p, err := unpackPage(body)
	if err != nil {
		return p, err
	}
	n := 0
	for i := range p.Page.Sections {
		picture := p.Page.Sections[i].Picture
		if picture == nil || n >= len(p.Grounds) {
			continue
		}
		var key [sha256.Size]byte
		if _, err := hex.Decode(key[:], []byte(p.Grounds[n])); err != nil {
			return p, err
		}
		if err := json.Unmarshal(tx.Blob(key), &picture.Ground); err != nil {
			return p, err
		}
		n++
	}
	return p, nil
}

// unpackPage reads a page as it is kept, without the grounds of its pictures.
func unpackPage(body []byte) (p past.Page, err error) {
	err = deflate.UnpackJSON(body, &p)
	return p, err
}

// A barePage is a page that is read without its pictures, which are most of it: its Page takes the place of
// that of [past.Page], and so on down to the picture, which is passed over.
type barePage struct {
	past.Page
	Bare struct {
		engine.Page
		Sections []struct {
			engine.Section
			Picture passedOver
		}
	} `json:"page"`
}

// A passedOver is JSON that is not read.
type passedOver struct{}

// UnmarshalJSON implements [json.Unmarshaler].
func (passedOver) UnmarshalJSON([]byte) error { return nil }

// unpackBare reads a page as it is kept, without its pictures.
func unpackBare(body []byte) (*past.Page, error) {
	var p barePage
	if err := deflate.UnpackJSON(body, &p); err != nil {
		return nil, err
	}
	p.Page.Page = p.Bare.Page
	for i := range p.Bare.Sections {
		p.Page.Page.Sections = append(p.Page.Page.Sections, p.Bare.Sections[i].Section)
	}
	return &p.Page, nil
}

// packPage writes in packed form what a report showed. The parts of its pictures that never
// change are kept once for all.
func packPage(shown *report.Shown) (store.Page, []store.Blob, error) {
	page, out := shown.Page, store.Page{Seat: string(shown.Book), N: shown.PageNo}
	var shared []store.Blob
	page.Page.Sections = slices.Clone(page.Page.Sections)
	for i := range page.Page.Sections {
		picture := page.Page.Sections[i].Picture
		if picture == nil {
			continue
		}
		ground, err := grounds.Pack(picture.Ground)
		if err != nil {
			return out, nil, fmt.Errorf("pack page of %s: %w", shown.Book, err)
		}
		shared = append(shared, ground)
		page.Grounds = append(page.Grounds, hex.EncodeToString(ground.Digest[:]))
		bare := *picture
		bare.Ground = nil
		page.Page.Sections[i].Picture = &bare
	}
	var err error
	if out.Data, err = deflate.PackJSON(page); err != nil {
		return out, nil, fmt.Errorf("pack page of %s: %w", shown.Book, err)
	}
	return out, shared, nil
}

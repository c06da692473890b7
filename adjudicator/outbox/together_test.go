package outbox

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"berthier/adjudicator/deflate"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/templates"
)

const aList = "reports g-1 red"

// reports sends reports that have files, pictures, or neither, and gives what each says.
func (d *toyOffice) reports(n int) (said map[uint64]string) {
	d.Helper()
	d.box.opt.Draw = func(s *engine.Scene, _ []string) ([]byte, error) { return []byte(s.Name), nil }
	for i := range n {
		r := d.letter(redAt, fmt.Sprint("report ", i))
		r.Report, r.List, r.Ref = i+1, aList, Ref{Report: i + 1}
		r.Letter = &templates.Letter{Subject: r.Letter.Subject, Text: strings.Repeat(fmt.Sprintf("Turn %d: è successo <poco>. ", i), 40), HTML: strings.Repeat(fmt.Sprintf("<p>Turn %d</p>", i), 40)}
		for f := range i % 4 {
			r.Letter.Files = append(r.Letter.Files, templates.File{Name: fmt.Sprint("file-", f), Type: "text/plain", Data: fmt.Appendf(nil, "\x00\xff file %d of %d", f, i)})
		}
		if i%3 == 0 {
			r.Letter.Scenes = []templates.Scene{{Name: "map", Alt: "a map", Scene: &engine.Scene{Name: fmt.Sprint(i), Width: 1, Height: 1}}}
		}
		d.queue(r)
		d.send()
	}
	return d.says()
}

// says gives what each report of the list says.
func (d *toyOffice) says() map[uint64]string {
	d.Helper()
	all := map[uint64]string{}
	if err := d.store.Read(d.Context(), func(tx store.Reader) error {
		refs, err := Reports(tx, aList)
		if err != nil {
			return err
		}
		for _, ref := range refs {
			o, _ := tx.Outgoing(ref.Number)
			r, err := whole(tx, ref.Number, o.Body)
			if err != nil {
				return err
			}
			text, err := json.Marshal(r)
			if all[ref.Number] = string(text); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		d.Fatal(err)
	}
	return all
}

// same finds that all reports say what they said.
func (d *toyOffice) same(what string, said map[uint64]string) {
	d.Helper()
	now := d.says()
	if len(now) != len(said) {
		d.Errorf("%s: %d reports, there were %d", what, len(now), len(said))
	}
	for id, text := range said {
		if now[id] != text {
			d.Errorf("%s: letter %d says\n%.400s\nit said\n%.400s", what, id, now[id], text)
		}
	}
}

// change commits what f adds to a change.
func (d *toyOffice) change(f func(c *store.Change, tx store.Reader) error) {
	d.Helper()
	var c store.Change
	if err := d.store.Read(d.Context(), func(tx store.Reader) error { return f(&c, tx) }); err != nil {
		d.Fatal(err)
	}
	if err := d.store.Commit(d.Context(), c); err != nil {
		d.Fatal(err)
	}
}

// asBefore keeps all reports in one bundle as programs did until schema 5: each as one piece of JSON, with its head as it
// is.
func asBefore(c *store.Change, tx store.Reader) error {
	refs, err := Reports(tx, aList)
	if err != nil {
		return err
	}
	var parts []deflate.Part
	for _, ref := range refs {
		o, _ := tx.Outgoing(ref.Number)
		r, err := whole(tx, ref.Number, o.Body)
		if err != nil {
			return err
		}
		data, err := json.Marshal(content{r.Letter, r.Grounds})
		if err != nil {
			return err
		}
		parts = append(parts, deflate.Part{Number: ref.Number, Data: data})
	}
	values, err := deflate.Bundle(parts)
	if err != nil {
		return err
	}
	for i, p := range parts {
		o, _ := c.OutgoingIn(tx, p.Number)
		r, err := Unpack(o.Body)
		if err != nil {
			return err
		}
		r.Letter, r.Grounds = nil, nil
		head, err := json.Marshal(r)
		if err != nil {
			return err
		}
		o.Body = append(binary.AppendUvarint([]byte{together}, uint64(len(head))), head...)
		o.Body = append(o.Body, values[i]...)
		c.PutOutgoing(o)
	}
	return nil
}

// TestReportsOfAnEarlierProgram: reports that an earlier program has packed together are read, taken apart and sent
// again as they were; they are packed anew once, in less room.
func TestReportsOfAnEarlierProgram(t *testing.T) {
	d := newToyOffice(t)
	said := d.reports(20)
	bytes := func() (n int) {
		d.change(func(_ *store.Change, tx store.Reader) error {
			for id := range said {
				o, _ := tx.Outgoing(id)
				n += len(o.Body)
			}
			return nil
		})
		return n
	}
	packs := func(want int) {
		t.Helper()
		d.change(func(c *store.Change, tx store.Reader) error {
			n, err := Gather(c, tx, []string{aList}, true)
			if n != want {
				t.Errorf("%d reports were packed, want %d", n, want)
			}
			return err
		})
	}
	d.change(asBefore)
	d.same("as before", said)
	before := bytes()
	packs(20)
	d.same("packed anew", said)
	if now := bytes(); now*10 > before*8 {
		t.Errorf("%d bytes, %d before", now, before)
	}
	packs(0)
	d.change(asBefore)
	d.change(func(c *store.Change, tx store.Reader) error {
		refs, err := Reports(tx, aList)
		if err != nil {
			return err
		}
		return Apart(c, tx, refs[3].Number)
	})
	d.same("taken apart", said)
	packs(20)
	d.change(func(c *store.Change, tx store.Reader) error {
		refs, err := Reports(tx, aList)
		if err != nil {
			return err
		}
		return Apart(c, tx, refs[7].Number)
	})
	d.same("packed, and taken apart", said)
}

// TestPiecesThatDoNotFit: a letter with fewer pieces than it has files is damaged, and nothing falls over it.
func TestPiecesThatDoNotFit(t *testing.T) {
	p, err := piecesOf(1, content{Letter: &templates.Letter{Text: "text", Files: []templates.File{{Name: "a", Data: []byte("a")}, {Name: "b", Data: []byte("b")}}}})
	if err != nil {
		t.Fatal(err)
	}
	for n := range p.More {
		cut := p
		cut.More = p.More[:n]
		if got, err := contentOf(cut); n > 0 && err == nil {
			t.Errorf("%d pieces: %+v", n, got)
		}
	}
	cut := p
	cut.Data = []byte("null")
	if got, err := contentOf(cut); err == nil {
		t.Errorf("no letter: %+v", got)
	}
}

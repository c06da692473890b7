package outbox

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/store"
)

// Whoever watches the office asks often which letters can't be sent. Letters that were not tried
// yet are not read for that, however many wait; and a text that speaks of tries is no try.
func TestStuckReadsWhatWasTried(t *testing.T) {
	d := newToyOffice(t)
	d.refuse = func(to, _ string) error {
		if to == redAt {
			return &notNow{}
		}
		return nil
	}
	began := d.now
	d.queue(d.letter(redAt, "one"), d.letter(blueAt, "two"))
	d.send()
	stuck := func() (n int, since time.Time) {
		t.Helper()
		if err := d.store.Read(t.Context(), func(tx store.Reader) (err error) { n, since, err = Stuck(tx, d.now); return err }); err != nil {
			t.Fatal(err)
		}
		return n, since
	}
	if n, _ := stuck(); n != 0 {
		t.Errorf("%d letters are stuck at once", n)
	}
	d.now = d.now.Add(slowLetter)
	if n, since := stuck(); n != 1 || !since.Equal(began) {
		t.Errorf("%d letters are stuck since %v, want 1 since %v", n, since, began)
	}
	few := testing.AllocsPerRun(5, func() { stuck() })
	var letters []*Outgoing
	for i := range 500 {
		l := d.letter(fmt.Sprintf("p%d@play.example", i), `"tries":3`)
		l.Name, l.Written = `"tries":3`, began
		letters = append(letters, l)
	}
	d.queue(letters...)
	if n, since := stuck(); n != 1 || !since.Equal(began) {
		t.Errorf("with 500 letters that were not tried, %d are stuck since %v", n, since)
	}
	if many := testing.AllocsPerRun(5, func() { stuck() }); many > few+3*500 { // the store finds each row
		t.Errorf("%v allocations with 500 letters that were not tried, %v without", many, few)
	}
}

// A letter of an earlier program is all JSON, and that it was tried stands behind its text, however long that is.
func TestStuckLettersOfAnEarlierProgram(t *testing.T) {
	d := newToyOffice(t)
	l := d.letter(redAt, "old")
	l.Tries, l.Written = 3, d.now.Add(-2*slowLetter)
	data, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	data = append([]byte(`{"text":"`+strings.Repeat("long ", store.StartOfBody)+`",`), data[1:]...)
	id, err := d.store.Reserve(t.Context(), 1)
	if err == nil {
		err = d.store.Commit(t.Context(), store.Change{Outgoing: []store.Outgoing{{ID: id, Due: d.now, Body: append([]byte{oldPlain}, data...)}}})
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := d.store.Read(t.Context(), func(tx store.Reader) error {
		n, since, err := Stuck(tx, d.now)
		if n != 1 || !since.Equal(l.Written) {
			t.Errorf("%d letters are stuck since %v", n, since)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// A notNow is a server's refusal for now.
type notNow struct{}

// Error implements error.
func (*notNow) Error() string { return "not now" }

// Temporary tells that another try may help.
func (*notNow) Temporary() bool { return true }

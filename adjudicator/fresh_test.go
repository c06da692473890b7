package adjudicator

import (
	"bytes"
	"testing"

	"berthier/adjudicator/store"
	"berthier/engine/napoleon"
	"berthier/mail"
)

// A letter that is sent from memory, just after it was written, has the bytes that it has
// when the office died in between and read it from the store: only so is a letter that is
// sent twice recognised as one. The letters are first reports, reports with maps, and answers
// to what nobody can read.
func TestLettersFromMemoryAreThoseOfTheStore(t *testing.T) {
	h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn)
	compared := 0
	h.post.look = func(l *mail.Letter, raw []byte) {
		id, ok := h.office.box.Number(l.MessageID)
		if !ok {
			t.Errorf("a letter has no number of ours: %q", l.MessageID)
		}
		err := h.store.Read(t.Context(), func(tx store.Reader) error {
			kept, _, err := h.office.box.Load(tx, id)
			if err != nil {
				return err
			}
			again, err := h.office.box.Compose(id, kept)
			if !bytes.Equal(again, raw) {
				t.Errorf("%q is another letter when it is read from the store", l.Subject)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		compared++
	}
	h.playOn(4)
	h.write(mailboxOf("french"), "what do I do?\xff\xfe", mail.Rejected)
	h.playOn(4)
	if compared < 15 {
		t.Errorf("only %d letters were compared", compared)
	}
}

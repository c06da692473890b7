package outbox

import (
	"testing"
	"time"
)

// A letter that an earlier program has queued to an observer does not say by how much it was to be late. It is left as it is.
func TestWakeLateLeavesWhatEarlierProgramsMeant(t *testing.T) {
	d := newToyOffice(t)
	meant := d.now.Add(7 * 24 * time.Hour)
	l := d.letter("fabio@look.example", "what happened")
	l.Kind, l.Seat, l.Written, l.Due = KindObserver, "public", meant, meant
	id := d.queue(l)
	if n, err := d.box.WakeLate(t.Context()); err != nil || n != 0 {
		t.Errorf("%d woken: %v", n, err)
	}
	if r, due := d.kept(id); !due.Equal(meant) || !r.Written.Equal(meant) {
		t.Errorf("written %v, due %v", r.Written, due)
	}
}

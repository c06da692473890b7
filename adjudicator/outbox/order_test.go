package outbox

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"berthier/adjudicator/store"
)

// busy lets no letter to red leave.
func (d *toyOffice) busy() {
	d.refuse = func(to, _ string) error {
		if to == redAt {
			return errors.New("busy")
		}
		return nil
	}
}

// What could not be sent before a restart holds up what comes after it to the same address, too, however many letters wait.
func TestHeldUpInOrderAfterARestart(t *testing.T) {
	d := newToyOffice(t)
	d.busy()
	d.queue(d.letter(redAt, "one"))
	d.send()
	var later []*Outgoing
	for i := range 300 {
		l := d.letter(fmt.Sprintf("p%d@play.example", i), "later")
		l.Due = d.now.Add(time.Second)
		later = append(later, l)
	}
	d.queue(later...)
	d.refuse, d.box = nil, d.newBox()
	d.queue(d.letter(redAt, "two"), d.letter(blueAt, "three"))
	if n := d.send(); n != 1 || !slices.Equal(d.sent, []string{blueAt + " three"}) {
		t.Errorf("%d sent before their time: %q", n, d.sent)
	}
	d.box = d.newBox()
	d.queue(d.letter(redAt, "four"))
	d.now = d.now.Add(2 * time.Minute)
	for range 4 { // more are due than one round takes, and what is behind another is not in the same
		d.send()
		d.now = d.now.Add(time.Minute)
	}
	if got := d.sentTo(redAt); !slices.Equal(got, []string{redAt + " one", redAt + " two", redAt + " four"}) {
		t.Errorf("sent %q", got)
	}
}

// sentTo gives what went to an address.
func (d *toyOffice) sentTo(to string) []string {
	return slices.DeleteFunc(slices.Clone(d.sent), func(s string) bool { return s[:len(to)] != to })
}

// Of several letters that could not be sent before a restart each holds up what comes after it.
func TestHeldUpBySeveral(t *testing.T) {
	d := newToyOffice(t)
	for i, wait := range []time.Duration{time.Minute, time.Hour} { // as an earlier program may have left them
		l := d.letter(redAt, fmt.Sprint(i))
		l.Tries, l.Due = 1, d.now.Add(wait)
		d.queue(l)
	}
	d.queue(d.letter(redAt, "2"))
	for range 4 {
		d.send()
		d.now = d.now.Add(2 * time.Minute)
	}
	if !slices.Equal(d.sent, []string{redAt + " 0"}) {
		t.Errorf("sent %q", d.sent)
	}
	d.now = d.now.Add(time.Hour)
	d.send()
	if !slices.Equal(d.sent, []string{redAt + " 0", redAt + " 1", redAt + " 2"}) {
		t.Errorf("sent %q", d.sent)
	}
}

// A member that gets lanes knows what another could not send of them.
func TestHeldUpInOrderByAnotherMember(t *testing.T) {
	d := newToyOffice(t)
	other := d.newBox()
	sends := func(b *Box, of store.LaneSet) {
		t.Helper()
		if _, err := b.Send(t.Context(), d, of, nil); err != nil {
			t.Fatal(err)
		}
	}
	sends(other, store.AllLanes)
	sends(other, 0)
	d.busy()
	d.queue(d.letter(redAt, "one"))
	d.send()
	d.refuse = nil
	d.queue(d.letter(redAt, "two"))
	sends(other, 1<<10)
	sends(other, store.AllLanes)
	if len(d.sent) > 0 {
		t.Errorf("sent before its time: %q", d.sent)
	}
	d.now = d.now.Add(2 * time.Minute)
	sends(other, store.AllLanes)
	// What the other has sent meanwhile holds up nothing here.
	d.queue(d.letter(redAt, "three"))
	d.send()
	if !slices.Equal(d.sent, []string{redAt + " one", redAt + " two", redAt + " three"}) {
		t.Errorf("sent %q", d.sent)
	}
}

// A letter waits for an earlier one that could not be sent, and is due again, but that another sender has.
func TestHeldUpBehindWhatIsClaimed(t *testing.T) {
	d := newToyOffice(t)
	d.busy()
	one := d.queue(d.letter(redAt, "one"))
	d.send()
	d.refuse = nil
	d.now = d.now.Add(2 * time.Minute)
	if l, err := d.store.Claim(t.Context(), d.now, d.now.Add(10*time.Minute), 1, store.AllLanes); err != nil || len(l) != 1 || l[0].ID != one {
		t.Fatal(l, err)
	}
	d.queue(d.letter(redAt, "two"))
	for range 3 {
		if n := d.send(); n != 0 {
			t.Errorf("sent before the one that is claimed: %q", d.sent)
		}
		d.now = d.now.Add(2 * time.Minute)
	}
	d.now = d.now.Add(10 * time.Minute)
	d.send()
	if !slices.Equal(d.sent, []string{redAt + " one", redAt + " two"}) {
		t.Errorf("sent %q", d.sent)
	}
	// One that has come back meanwhile holds up nothing, once it would be due.
	d.busy()
	three := d.queue(d.letter(redAt, "three"))
	d.send()
	if err := d.box.lost(t.Context(), three, StateBounced, "5.1.1", true, store.Change{}); err != nil {
		t.Fatal(err)
	}
	d.refuse = nil
	d.queue(d.letter(redAt, "four"))
	d.send()
	d.now = d.now.Add(2 * time.Minute)
	d.send()
	if !slices.Equal(d.sent[2:], []string{redAt + " four"}) {
		t.Errorf("sent %q", d.sent)
	}
}

// What a game has yet to write, and could not, holds up nobody's letters, after a restart neither.
func TestHeldUpNotByWhatIsToBeWritten(t *testing.T) {
	d := newToyOffice(t)
	l := d.letter(redAt, "")
	l.Letter = nil
	d.queue(l)
	d.write = func(Due) error { return errors.New("the ruleset is ill") }
	if _, err := d.box.Send(t.Context(), d, store.AllLanes, nil); err == nil {
		t.Error("that it could not be written is not told")
	}
	d.box = d.newBox()
	d.queue(d.letter(redAt, "two"))
	if d.send(); !slices.Equal(d.sent, []string{redAt + " two"}) {
		t.Errorf("sent %q", d.sent)
	}
}

// A store that can't be read at the start lets nothing go out of order.
func TestHeldUpWhileTheStoreIsIllAtTheStart(t *testing.T) {
	d := newToyOffice(t)
	d.busy()
	d.queue(d.letter(redAt, "one"))
	d.send()
	d.refuse, d.box = nil, d.newBox()
	d.queue(d.letter(redAt, "two"))
	d.ill.reads = 1
	if n, err := d.box.Send(t.Context(), d, store.AllLanes, nil); n != 0 || !errors.Is(err, errIll) {
		t.Errorf("%d sent, %v", n, err)
	}
	d.send()
	d.now = d.now.Add(2 * time.Minute)
	d.send()
	if !slices.Equal(d.sent, []string{redAt + " one", redAt + " two"}) {
		t.Errorf("sent %q", d.sent)
	}
}

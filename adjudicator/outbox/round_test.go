package outbox

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// More letters are due than one round takes, and the clocks of the members who wrote them differ: of two to one address the first
// goes first, though the second is due before it and the rounds would end between them.
func TestInOrderWhereARoundEnds(t *testing.T) {
	d := newToyOffice(t)
	one := d.letter(redAt, "one")
	one.Due = d.now.Add(time.Second) // by a clock that is ahead
	d.queue(one)
	var others []*Outgoing
	for i := range maxRound - 1 {
		others = append(others, d.letter(fmt.Sprintf("p%d@play.example", i), "other"))
	}
	d.queue(others...)
	d.queue(d.letter(redAt, "two"))
	d.now = d.now.Add(2 * time.Second)
	for range 2 {
		d.send()
	}
	if got := d.sentTo(redAt); !slices.Equal(got, []string{redAt + " one", redAt + " two"}) || len(d.sent) != maxRound+1 {
		t.Errorf("%d sent, to red %q", len(d.sent), got)
	}
}

// More letters than one round takes can't be sent. They hold up nobody else's, and when they can be
// sent again each goes once, in order.
func TestARoundOfLettersThatCantBeSentHoldsUpNobody(t *testing.T) {
	d := newToyOffice(t)
	d.refuse = func(to, _ string) error {
		if to != blueAt {
			return fmt.Errorf("busy")
		}
		return nil
	}
	for _, text := range []string{"one", "two"} {
		var all []*Outgoing
		for i := range 3 * maxRound {
			all = append(all, d.letter(fmt.Sprintf("p%d@play.example", i), text))
		}
		d.queue(all...)
	}
	d.queue(d.letter(blueAt, "three"))
	for range 7 { // as many rounds as they take
		d.send()
		d.now = d.now.Add(time.Second)
	}
	if len(d.sent) != 1 {
		t.Fatalf("sent %q", d.sent)
	}
	d.refuse = nil
	for range 100 {
		d.now = d.now.Add(time.Minute)
		d.send()
	}
	if len(d.sent) != 6*maxRound+1 {
		t.Errorf("%d sent", len(d.sent))
	}
	for i := range 3 * maxRound {
		to := fmt.Sprintf("p%d@play.example", i)
		if got := slices.DeleteFunc(d.sentTo(to), func(s string) bool { return s != to+" one" && s != to+" two" }); !slices.Equal(got, []string{to + " one", to + " two"}) {
			t.Fatalf("to %s %q", to, got)
		}
	}
}

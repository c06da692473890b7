package tally

import (
	"slices"
	"time"
)

// A Bill is what was counted for one letter. A letter that can't be taken in now comes again, and is
// counted again: so what is on its bill is taken back first. It may not be used by several goroutines.
type Bill struct {
	tally *Tally
	back  []func()
}

// Bill begins the bill of a letter.
func (t *Tally) Bill() *Bill { return &Bill{tally: t} }

// TakeBack takes back what was counted, the last first.
func (b *Bill) TakeBack() {
	for _, back := range slices.Backward(b.back) {
		back()
	}
	b.back = nil
}

func (b *Bill) note(back func()) { b.back = append(b.back, back) }

// Answer counts an answer of a kind, and tells whether it is within the limit of the hour.
func (b *Bill) Answer(kind string, now time.Time, weight int) bool {
	may, back := b.tally.Answers.allow(kind, now, weight)
	b.note(back)
	return may
}

// Guessed counts a key from an address that does not fit, and tells whether their limit is reached with it. It
// does so once in their period.
func (b *Bill) Guessed(address string, now time.Time) bool {
	reached, back := b.tally.Guesses.reached(address, now)
	b.note(back)
	return reached
}

// Spend counts an answer to an address in an exchange, and tells whether it may go, and whether it is
// the first that may not.
func (b *Bill) Spend(address string, now time.Time, weight int) (may, ended bool) {
	may, ended, back := b.tally.Talks.spend(address, now, weight)
	b.note(back)
	return may, ended
}

// Fresh notes that an address is told a verdict, and tells whether it was not told before in this
// exchange.
func (b *Bill) Fresh(address string, now time.Time, verdict string) bool {
	fresh, back := b.tally.Talks.fresh(address, now, verdict)
	b.note(back)
	return fresh
}

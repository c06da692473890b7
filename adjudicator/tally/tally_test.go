package tally

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// member is a member of an office that lets so much go to one address in an hour.
func member(answers int) *Tally {
	return New(Limits{Answers: answers, Tries: 5, Guesses: 4, Period: 24 * time.Hour}, func(purpose string, parts ...string) []byte {
		mac := hmac.New(sha256.New, []byte("secret"))
		fmt.Fprintf(mac, "%q %q", purpose, parts)
		return mac.Sum(nil)
	})
}

// Members of an office that write down what they count.
type members struct {
	*testing.T
	answers int
	all     []*Tally
	names   map[*Tally]string
	store   map[string][]byte
	at      time.Time
	writes  int
}

func newMembers(t *testing.T, answers, n int) *members {
	o := &members{T: t, answers: answers, names: map[*Tally]string{}, store: map[string][]byte{}, at: begun}
	for _, name := range []string{"one", "two", "three"}[:n] {
		o.begin(name)
	}
	return o
}

func (o *members) now() time.Time { return o.at }

// begin starts a member, anew if it was there before.
func (o *members) begin(name string) *Tally {
	m := member(o.answers)
	if err := m.Restore(o.store[name]); err != nil {
		o.Fatal(err)
	}
	for other, data := range o.store {
		if other != name {
			if _, err := m.Hear(other, data); err != nil {
				o.Fatal(err)
			}
		}
	}
	for i := range o.all {
		if o.names[o.all[i]] == name {
			o.all[i] = m
		}
	}
	if o.names[m] = name; len(o.all) < len(o.names) && !o.has(m) {
		o.all = append(o.all, m)
	}
	return m
}

func (o *members) has(m *Tally) bool {
	for _, other := range o.all {
		if o.names[other] == o.names[m] {
			return true
		}
	}
	return false
}

// beat has all of them write down what they count, and hear what the others have written.
func (o *members) beat() {
	o.Helper()
	for range 2 { // who writes first hears the last one, too
		for _, m := range o.all {
			for name, data := range o.store {
				if name != o.names[m] {
					if _, err := m.Hear(name, data); err != nil {
						o.Fatal(err)
					}
				}
			}
			data, kept, differs, err := m.Pack(o.now())
			if err != nil {
				o.Fatal(err)
			}
			if differs {
				o.store[o.names[m]] = data
				o.writes++
				kept()
			}
		}
	}
	o.at = o.at.Add(2 * time.Second)
}

// allowed is how many of so many letters are answered that are written to members in turn.
func (o *members) allowed(letters int, after func()) (n int) {
	for i := range letters {
		if o.all[i%len(o.all)].Answers.Allow("a", o.now(), 1) {
			n++
		}
		after()
	}
	return n
}

// TestAnHourOfTwoMembers: who writes to two members in turn is answered as often as if there were one, from the first letter
// on for an hour, after the death of either too, and again in the hour after it.
func TestAnHourOfTwoMembers(t *testing.T) {
	o := newMembers(t, 10, 3)
	if n := o.allowed(30, o.beat); n != 10 {
		t.Errorf("%d letters were answered", n)
	}
	o.begin("two") // its process has died
	o.all = o.all[1:]
	if n := o.allowed(30, o.beat); n != 0 {
		t.Errorf("%d letters were answered after a death", n)
	}
	o.at = begun.Add(time.Hour - time.Second)
	if n := o.allowed(6, func() {}); n != 0 {
		t.Errorf("%d letters were answered within the hour", n)
	}
	o.at = begun.Add(time.Hour + 4*time.Second)
	o.beat()
	if n := o.allowed(30, o.beat); n != 10 {
		t.Errorf("%d letters were answered in the next hour", n)
	}
}

// TestWhatPassesInOneBeat: members that have not heard of each other yet let as much go as their number allows, and no more
// from then on.
func TestWhatPassesInOneBeat(t *testing.T) {
	o := newMembers(t, 10, 3)
	if n := o.allowed(300, func() {}); n != 30 {
		t.Errorf("%d letters were answered in one beat", n)
	}
	o.beat()
	if n := o.allowed(300, o.beat); n != 0 {
		t.Errorf("%d letters were answered then", n)
	}
}

// TestWhatIsReachedIsToldOnce, whoever counts, also if the counts of two members together jump over the limit; and again
// if nothing came of it.
func TestWhatIsReachedIsToldOnce(t *testing.T) {
	o := newMembers(t, 10, 2)
	one, two := o.all[0], o.all[1]
	for range 3 {
		if one.Bill().Guessed("a", o.now()) || two.Bill().Guessed("a", o.now()) {
			t.Error("reached")
		}
	}
	o.beat()
	bill := two.Bill()
	if !bill.Guessed("a", o.now()) || two.Bill().Guessed("a", o.now()) {
		t.Error("not told, or twice")
	}
	bill.TakeBack() // nobody was told
	if !two.Bill().Guessed("a", o.now()) {
		t.Error("not told again")
	}
	o.beat()
	if one.Bill().Guessed("a", o.now()) {
		t.Error("told by the other one, too")
	}
	if one = o.begin("one"); one.Bill().Guessed("a", o.now()) {
		t.Error("told after a death")
	}
	if o.at = o.at.Add(25 * time.Hour); one.Bill().Guessed("a", o.now()) {
		t.Error("reached on the next day with one letter")
	}
}

// TestNothingNewIsNotWritten: a machine that is beyond its limit makes nobody write, and what is over is removed.
func TestNothingNewIsNotWritten(t *testing.T) {
	o := newMembers(t, 10, 1)
	one := o.all[0]
	loop := func() {
		one.Answers.Allow("a", o.now(), 1)
		one.Bill().Spend("a", o.now(), 5)
		one.Tries.Allow("a", o.now(), 1)
	}
	for range 30 {
		loop()
	}
	o.beat()
	before := o.writes
	for range 300 {
		loop()
		o.beat()
	}
	if o.writes != before {
		t.Errorf("written %d times", o.writes-before)
	}
	if bytes.Contains(o.store["one"], []byte(`"a"`)) || !bytes.Contains(o.store["one"], []byte("answers")) {
		t.Errorf("written: %s", o.store["one"])
	}
	o.at = o.at.Add(8 * 24 * time.Hour)
	if o.beat(); o.store["one"] != nil {
		t.Errorf("after a week: %s", o.store["one"])
	}
}

// TestAHundredThousandStrangers who write once each push nobody out who has reached a limit, neither in memory nor in what is
// written down, which stays small.
func TestAHundredThousandStrangers(t *testing.T) {
	o := newMembers(t, 10, 2)
	one, two := o.all[0], o.all[1]
	for range 20 {
		one.Answers.Allow("loop", o.now(), 1)
		one.Bill().Guessed("loop", o.now())
		one.Bill().Spend("loop", o.now(), 5)
	}
	for n := range 100_000 {
		whom := fmt.Sprint("stranger ", n)
		one.Answers.Allow(whom, o.now(), 1)
		one.Bill().Guessed(whom, o.now())
		if n%10 == 0 {
			one.Bill().Spend("loop", o.now(), 5) // it goes on
		}
		one.Bill().Spend(whom, o.now(), 1)
		one.Bill().Fresh(whom, o.now(), "verdict")
	}
	if n := len(one.Answers.own) + len(one.Guesses.own) + len(one.Talks.with); n > 3*Most {
		t.Errorf("%d counts are held", n)
	}
	o.beat()
	if n := len(o.store["one"]); n > 400<<10 {
		t.Errorf("%d bytes are written", n)
	}
	for name, m := range map[string]*Tally{"who counted it": one, "who heard of it": two} {
		if m.Answers.Allow("loop", o.now(), 1) || m.Bill().Guessed("loop", o.now()) || spend(m, "loop", o.now(), 1) != "false false" {
			t.Errorf("%s has forgotten who is beyond all limits", name)
		}
	}
}

// TestDamagedCounts: what can't be read counts nothing, and nobody falls over it.
func TestDamagedCounts(t *testing.T) {
	o := newMembers(t, 10, 1)
	for range 20 {
		o.all[0].Answers.Allow("a", o.now(), 1)
		o.all[0].Bill().Spend("a", o.now(), 1)
	}
	o.beat()
	whole := o.store["one"]
	chance := rand.New(rand.NewPCG(1, 2))
	read := 0
	for range 2000 {
		data := bytes.Clone(whole)
		data[chance.IntN(len(data))] ^= 1 << chance.IntN(8)
		if chance.IntN(4) == 0 {
			data = data[:chance.IntN(len(data))]
		}
		m := member(10)
		_, err := m.Hear("x", data)
		if err == nil {
			read++
		}
		if again := member(10).Restore(data); (again == nil) != (err == nil) {
			t.Errorf("%q: %v, %v", data, err, again)
		}
		m.Answers.Allow("a", o.now(), 1)
		m.Bill().Spend("a", o.now(), 1)
	}
	if read == 0 || read == 2000 {
		t.Errorf("%d of 2000 were read", read)
	}
	if _, err := member(1).Hear("x", []byte(`{"answers": {"AAAA": {}}}`)); err == nil || !strings.Contains(err.Error(), "no key") {
		t.Error(err)
	}
}

// TestClocksOfTwoMembers: the clocks of two members may differ, and a clock may be put back or on; nothing is counted for longer than
// its time.
func TestClocksOfTwoMembers(t *testing.T) {
	o := newMembers(t, 10, 2)
	one, two := o.all[0], o.all[1]
	for range 10 {
		one.Answers.Allow("a", o.now().Add(50*time.Second), 1)
	}
	o.beat()
	if two.Answers.Allow("a", o.now(), 1) || two.Answers.Room("a", o.now()) > 0 {
		t.Error("what a member has counted whose clock is ahead does not count")
	}
	if !two.Answers.Allow("a", o.now().Add(-time.Hour), 1) {
		t.Error("an hour that has not begun yet counts")
	}
	for range 20 {
		two.Bill().Spend("a", o.now(), 1)
	}
	if got := spend(two, "a", o.now().Add(-time.Hour), 1); got != "true false" {
		t.Errorf("a clock that was put back: %s", got)
	}
}

// TestWhatIsTakenBackWasNeverCounted compares two offices: one takes letters in at once, the other one fails at many of them
// first. Whatever is asked of both afterwards, they say the same.
func TestWhatIsTakenBackWasNeverCounted(t *testing.T) {
	for seed := range uint64(40) {
		chance := rand.New(rand.NewPCG(seed, 1))
		now := begun
		plain, failing := member(12), member(12)
		for n := range 200 {
			now = now.Add(time.Duration(chance.IntN(900)) * time.Second)
			whom, verdict, weight := fmt.Sprint(chance.IntN(2)), fmt.Sprint(chance.IntN(4)), 1+chance.IntN(5)
			letter := func(b *Bill) string {
				may, ended := b.Spend(whom, now, weight)
				return fmt.Sprint(b.Answer(whom, now, weight), may, ended, b.Fresh(whom, now, verdict), b.Guessed(whom, now))
			}
			if chance.IntN(8) == 0 {
				plain.Talks.Begin(whom, now)
				failing.Talks.Begin(whom, now)
			}
			for range chance.IntN(4) {
				b := failing.Bill()
				letter(b)
				b.TakeBack()
			}
			if want, got := letter(plain.Bill()), letter(failing.Bill()); got != want {
				t.Fatalf("seed %d, letter %d: %s, without failures %s", seed, n, got, want)
			}
		}
	}
}

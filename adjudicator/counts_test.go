package adjudicator

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/engine"
)

var twoBoxes = []string{"one@club.example", "two@club.example"}

// guess lays a letter with a wrong key into a mailbox.
func (o *togetherOffice) guess(box int, from string) {
	o.count++
	o.boxes[twoBoxes[box%2]].put(fmt.Sprintf("From: %s\r\nTo: orders@club.example\r\nSubject: x\r\nMessage-ID: <%d@x>\r\n\r\ngame: lot-1\r\nkey: AAAA-AAAA\r\ncommand: status\r\n", from, o.count))
}

// got is how many letters to an address have words in their subjects.
func (o *togetherOffice) got(to, words string) (n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.sent {
		if s.to == to && strings.Contains(s.letter.Subject, words) {
			n++
		}
	}
	return n
}

// readerOf is the member that reads a mailbox; "": none.
func (o *togetherOffice) readerOf(box int) string {
	for name, m := range o.members {
		if !m.store.died.Load() && m.Seat.Reads(twoBoxes[box]) {
			return name
		}
	}
	return ""
}

// close stops all members in order.
func (o *togetherOffice) close() {
	o.Helper()
	for _, m := range o.members {
		m.stop()
		if err := <-m.ended; err != nil {
			o.Errorf("%s ended: %v", m.name, err)
		}
	}
	o.store.Close()
}

const (
	guesser    = "red0@play.example" // a player, or somebody who writes in his name
	wrongKey   = "not taken"         // in the subject of what he gets
	anHourOf   = 3                   // letters without the right key, of one address
	eachLetter = 5 * time.Second     // between two of them
)

// TestTheAdversaryWithTwoMailboxes writes letters with wrong keys to both mailboxes of an office, each of which another
// member reads: he gets as many answers as from one, also when a reader dies and another member begins to read, and the
// game master is told once.
func TestTheAdversaryWithTwoMailboxes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	bubble(t, func(t *testing.T) {
		o := together(t, path, 1, 1, twoBoxes...)
		o.opt.GMs = []log.Person{{Name: "Ada", Address: "ada@club.example"}}
		for _, name := range []string{"alpha", "beta", "gamma"} {
			o.begin(name)
		}
		time.Sleep(time.Minute)
		if first, second := o.readerOf(0), o.readerOf(1); first == "" || second == "" || first == second {
			t.Fatalf("the mailboxes are read by %q and %q", first, second)
		}
		began := time.Now()
		for i := range 12 {
			o.guess(i, guesser)
			time.Sleep(eachLetter)
		}
		if n := o.got(guesser, wrongKey); n != anHourOf {
			t.Errorf("%d letters were answered", n)
		}
		for box := range 2 { // each reader dies, and comes back
			name := o.readerOf(box)
			o.kill(name)
			time.Sleep(time.Minute)
			o.begin(name)
			for i := range 6 {
				o.guess(i, guesser)
				time.Sleep(eachLetter)
			}
		}
		if n := o.got(guesser, wrongKey); n != anHourOf {
			t.Errorf("%d letters were answered after deaths", n)
		}
		if n := o.got("ada@club.example", "Many letters with wrong keys"); n != 1 {
			t.Errorf("the administrator was told %d times", n)
		}
		time.Sleep(time.Until(began.Add(time.Hour + time.Minute)))
		for i := range 12 {
			o.guess(i, guesser)
			time.Sleep(eachLetter)
		}
		if n := o.got(guesser, wrongKey); n != 2*anHourOf {
			t.Errorf("%d letters were answered in two hours", n)
		}
		o.close()
	})
}

// TestWhatTwoMembersAllowAtOnce: of letters that come to two mailboxes in the same moment each reader answers as many as one may
// answer, and none of those that come later.
func TestWhatTwoMembersAllowAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	bubble(t, func(t *testing.T) {
		o := together(t, path, 1, 1, twoBoxes...)
		o.begin("alpha")
		o.begin("beta")
		time.Sleep(time.Minute)
		for i := range 40 {
			o.guess(i, guesser)
		}
		time.Sleep(time.Minute)
		if n := o.got(guesser, wrongKey); n < anHourOf || n > 2*anHourOf {
			t.Errorf("%d letters were answered at once", n)
		}
		before := o.got(guesser, wrongKey)
		for i := range 20 {
			o.guess(i, guesser)
			time.Sleep(eachLetter)
		}
		if n := o.got(guesser, wrongKey); n != before {
			t.Errorf("%d letters were answered then", n-before)
		}
		o.close()
	})
}

// TestALoopThroughTwoMailboxes lets a machine that knows a player's key answer everything that it gets, to either mailbox in turn,
// while readers die and begin anew: the exchange ends after as many letters as with one mailbox and one member.
func TestALoopThroughTwoMailboxes(t *testing.T) {
	if raceEnabled {
		t.Skip("TestTheAdversaryWithTwoMailboxes and TestMembersDie meet the same goroutines")
	}
	loop := func(members ...string) (letters int) {
		path := filepath.Join(t.TempDir(), "games.db")
		bubble(t, func(t *testing.T) {
			o := together(t, path, 1, 1, twoBoxes[:len(members)]...)
			for _, name := range members {
				o.begin(name)
			}
			time.Sleep(time.Minute)
			for i := range 60 { // in two hours
				o.count++
				o.boxes[twoBoxes[i%len(members)]].put(fmt.Sprintf("From: %s\r\nTo: orders@club.example\r\nSubject: x\r\nMessage-ID: <%d@x>\r\n\r\ngame: lot-1\r\nkey: %s\r\ncommand: status\r\n", guesser, o.count, key(o.testOffice, "lot-1", "red")))
				time.Sleep(2 * time.Minute)
				if i%40 == 30 {
					name := o.readerOf(i / 40 % len(members))
					o.kill(name)
					o.begin(name)
				}
			}
			letters = o.got(guesser, "Where the game stands")
			o.close()
		})
		return letters
	}
	one, two := loop("alpha"), loop("alpha", "beta")
	if one != two || one < 20 || one > 40 {
		t.Errorf("with one mailbox the machine got %d answers, with two %d", one, two)
	}
}

// TestCountsCostNoWriteMore: letters make a member write its counts with its signs of life, and with nothing else; what it writes names
// nobody.
func TestCountsCostNoWriteMore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	bubble(t, func(t *testing.T) {
		o := together(t, path, 1, 1, twoBoxes[:1]...)
		writes := &countedWrites{}
		o.onCommit = writes.count
		o.begin("alpha")
		time.Sleep(time.Minute)
		if n := writes.counts.Load(); n != 0 {
			t.Errorf("counts were written %d times before the first letter", n)
		}
		for range 10 {
			o.boxes[twoBoxes[0]].put(fmt.Sprintf("From: %s\r\nTo: orders@club.example\r\nSubject: x\r\nMessage-ID: <%d@x>\r\n\r\ngame: lot-1\r\nkey: AAAA-AAAA\r\ncommand: status\r\n", guesser, o.count))
			o.count++
			time.Sleep(eachLetter)
		}
		if n, alone := writes.counts.Load(), writes.alone.Load(); n == 0 || n > 10 || alone > 0 {
			t.Errorf("counts were written %d times, %d of these without a sign of life", n, alone)
		}
		o.store.Read(context.Background(), func(r store.Reader) error {
			data := r.Value(countsPrefix + "alpha")
			if data == nil || strings.Contains(string(data), "red0") || strings.Contains(string(data), "lot-1") {
				t.Errorf("written: %s", data)
			}
			return nil
		})
		o.close()
	})
}

// A countedWrites counts changes that hold counts, and those of them without a sign of life.
type countedWrites struct{ counts, alone atomic.Int64 }

func (w *countedWrites) count(c store.Change) {
	holds := func(prefix string) bool {
		for name := range c.Values {
			if strings.HasPrefix(name, prefix) {
				return true
			}
		}
		return false
	}
	if holds(countsPrefix) {
		if w.counts.Add(1); !holds("member/") {
			w.alone.Add(1)
		}
	}
}

// TestCountsOutliveARestart of an office that has its store for itself, whether it ends in order or dies a minute after the
// last letter.
func TestCountsOutliveARestart(t *testing.T) {
	for _, dies := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "games.db")
		bubble(t, func(t *testing.T) {
			o := together(t, path, 1, 1, twoBoxes...)
			run := func(office *Office, rest time.Duration) (next *Office) {
				m := &officeMember{name: "alone", Office: office, store: &memberStore{Store: o.store, all: o, name: "alone"}}
				var all []Box
				for _, name := range twoBoxes {
					all = append(all, Box{name, &viewOfBox{sharedBox: o.boxes[name], by: m}})
				}
				ctx, stop := context.WithCancel(context.Background())
				ended := make(chan error, 1)
				go func() { ended <- office.Run(ctx, m, all...) }()
				for i := range 6 {
					o.guess(i, guesser)
					time.Sleep(eachLetter)
				}
				time.Sleep(rest)
				next, err := New(o.store, office.words, []engine.Ruleset{o.rules}, o.opt) // knows what the store has now
				if err != nil {
					t.Fatal(err)
				}
				stop()
				if err := <-ended; err != nil {
					t.Error(err)
				}
				if !dies {
					o.restart()
					next = o.office
				}
				return next
			}
			rest := time.Duration(0)
			if dies {
				rest = countsKept
			}
			run(run(o.office, rest), 0)
			if n := o.got(guesser, wrongKey); n != anHourOf {
				t.Errorf("%d letters were answered", n)
			}
			o.store.Close()
		})
	}
}

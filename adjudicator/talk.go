package adjudicator

import (
	"container/list"
	"slices"
	"sync"
	"time"

	"berthier/orders/phrase"
)

// A program that answers every letter, and marks its own as nobody's, must not keep
// the office talking for ever. So an exchange with one address in which its letters
// change nothing, because they can't be read, repeat what is in force or only ask,
// ends after a set number of answers. The first letter that does something begins
// another, and so does a week without letters. What the letters order counts all
// the same.

// longestTalk is how many hours' answers an exchange may have.
const longestTalk = 2

// talkRest is after how long without a letter an exchange is over by itself.
const talkRest = 7 * 24 * time.Hour

// mostTalks is with how many addresses exchanges are counted at once.
const mostTalks = 10_000

// talks counts the answers of exchanges in which nothing is said, by address. It
// forgets them when the process ends: a machine then gets one exchange more.
type talks struct {
	mu   sync.Mutex
	most int                      // weight of the answers of an exchange
	with map[string]*list.Element // *talk
	rest list.List                // of all *talk, those that rest longest last
}

type talk struct {
	address string
	n       int
	last    time.Time // letter
}

func newTalks(most int) *talks { return &talks{most: most, with: map[string]*list.Element{}} }

// spend counts an answer to an address, and tells whether it may go and whether it
// is the first that may not.
func (t *talks) spend(address string, now time.Time, weight int) (may, ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.with[address]
	if e == nil {
		if len(t.with) >= mostTalks {
			t.drop(t.rest.Back())
		}
		e = t.rest.PushFront(&talk{address: address, last: now})
		t.with[address] = e
	}
	t.rest.MoveToFront(e)
	w := e.Value.(*talk)
	if now.Sub(w.last) >= talkRest || now.Before(w.last) {
		w.n = 0
	}
	w.last = now
	if w.n > t.most {
		return false, false
	}
	w.n += weight
	return w.n <= t.most, w.n > t.most
}

func (t *talks) drop(e *list.Element) {
	delete(t.with, t.rest.Remove(e).(*talk).address)
}

// forget begins another exchange.
func (t *talks) forget(address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.with[address]; e != nil {
		t.drop(e)
	}
}

// saysSomething tells whether a letter does more than to be refused, to ask, or to
// repeat what is in force.
func (v *visit) saysSomething() bool {
	if len(v.faults) > 0 {
		return false
	}
	if v.doc.Draft || slices.Contains([]string{"press", "new-key"}, v.doc.Command) {
		return true
	}
	return slices.ContainsFunc(v.notes, func(kind string) bool {
		switch kind {
		case LogRefused, LogReturned:
			return false
		case LogTaken:
			return !v.repeats
		}
		return true
	})
}

// mayAnswer tells whether one more answer may go to who has shown his key. If that
// ends an exchange in which nothing is said, player and game master are told.
func (v *visit) mayAnswer() bool {
	weight := answerWeight
	if v.who.gm {
		weight = gmWeight
	}
	if !v.intake.mayAnswer("", weight) {
		return false
	}
	talks, from := v.office.talks, v.intake.from
	if v.saysSomething() {
		talks.forget(from)
		talks.forget(keyless + from)
		return true
	}
	may, ended := talks.spend(from, v.now, weight)
	if ended {
		v.office.log.Warn("exchange ended: letters that change nothing", "game", v.game.ID, "msg_id", v.intake.letter.MessageID)
		if s := v.game.seat(v.who.seat); s != nil && !v.who.gm {
			v.tell(s, phrase.Say("office.talk.subject"), phrase.Say("office.talk.you"), phrase.Say("office.talk.go-on"))
			v.tellGM(phrase.Say("office.talk.subject"), phrase.Say("office.talk.gm", sideName(s.Side)), phrase.Say("office.talk.go-on"))
		}
	}
	return may
}

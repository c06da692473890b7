package adjudicator

import (
	"maps"
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
	most int // weight of the answers of an exchange
	with map[string]*talk
}

type talk struct {
	n    int
	last time.Time // letter
}

func newTalks(most int) *talks { return &talks{most: most, with: map[string]*talk{}} }

// spend counts an answer to an address, and tells whether it may go and whether it
// is the first that may not.
func (t *talks) spend(address string, now time.Time, weight int) (may, ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.with[address]
	if w == nil || now.Sub(w.last) >= talkRest || now.Before(w.last) {
		if w == nil && len(t.with) >= mostTalks {
			t.makeRoom(now)
		}
		w = &talk{}
		t.with[address] = w
	}
	w.last = now
	if w.n > t.most {
		return false, false
	}
	w.n += weight
	return w.n <= t.most, w.n > t.most
}

// makeRoom forgets exchanges that are over, or else the one that rests longest.
func (t *talks) makeRoom(now time.Time) {
	maps.DeleteFunc(t.with, func(_ string, w *talk) bool { return now.Sub(w.last) >= talkRest })
	if len(t.with) < mostTalks {
		return
	}
	oldest := ""
	for address, w := range t.with {
		if o := t.with[oldest]; o == nil || w.last.Before(o.last) {
			oldest = address
		}
	}
	delete(t.with, oldest)
}

// forget begins another exchange.
func (t *talks) forget(address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.with, address)
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

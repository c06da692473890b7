package adjudicator

import (
	"container/list"
	"slices"
	"sync"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/orders/phrase"
)

// A program that answers every letter, and marks its own as nobody's, must not keep
// the office talking for ever. So an exchange with one address in which its letters
// change nothing, because they can't be read, repeat what is in force or only ask,
// ends after a set number of answers. The first letter that does something begins
// another, and so does a week without letters. What the letters order counts all
// the same, and what came of an order file is told unless it was told before.

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
	said    []string  // marks of the verdicts that its address was told, the newest last
}

// mostSaid is how many verdicts an exchange remembers.
const mostSaid = 64

func newTalks(most int) *talks { return &talks{most: most, with: map[string]*list.Element{}} }

// spend counts an answer to an address, and tells whether it may go and whether it
// is the first that may not.
func (t *talks) spend(address string, now time.Time, weight int) (may, ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.hear(address, now)
	if w.n > t.most {
		return false, false
	}
	w.n += weight
	return w.n <= t.most, w.n > t.most
}

// hear takes up the exchange with an address, to which a letter belongs that came
// now.
func (t *talks) hear(address string, now time.Time) *talk {
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
	return w
}

// fresh notes a verdict as told to an address, and tells whether it was not told in
// this exchange before.
func (t *talks) fresh(address string, now time.Time, verdict string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.hear(address, now)
	if slices.Contains(w.said, verdict) {
		return false
	}
	w.said = append(w.said, verdict)
	if n := len(w.said) - mostSaid; n > 0 {
		w.said = slices.Delete(w.said, 0, n)
	}
	return true
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

// deed tells whether a letter does more than to be refused, to be tried out, to ask,
// or to repeat what is in force.
func (v *visit) deed() bool {
	if len(v.faults) > 0 {
		return false
	}
	if slices.Contains([]string{"press", "new-key"}, v.doc.Command) {
		return true
	}
	return slices.ContainsFunc(v.Kinds, func(kind string) bool {
		switch kind {
		case log.KindRefused, log.KindReturned:
			return false
		case log.KindTaken, log.KindStanding:
			return !v.repeats
		}
		return true
	})
}

// begins begins another exchange with whoever wrote a letter.
func (v *visit) begins() {
	v.office.talks.forget(v.intake.from)
	v.office.talks.forget(keyless + v.intake.from)
}

// spend counts an answer to a letter that changes nothing, and tells whether it may
// go. If that ends the exchange, player and game master are told.
func (v *visit) spend(weight int) bool {
	may, ended := v.office.talks.spend(v.intake.from, v.Now, weight)
	if !ended {
		return may
	}
	v.office.log.Warn("exchange ended: letters that change nothing", "game", v.Game.ID, "msg_id", v.intake.letter.MessageID)
	if s := v.Game.Seat(v.who.seat); s != nil && !v.who.gm {
		v.TellOwing(s, "", phrase.Say("office.talk.subject"), false, phrase.Say("office.talk.you"), phrase.Say("office.talk.go-on"), phrase.Say("office.talk.new-faults"))
		v.TellGM(phrase.Say("office.talk.subject"), phrase.Say("office.talk.gm", game.SideName(s.Side)), phrase.Say("office.talk.go-on"))
	}
	return may
}

// mayAnswer tells whether one more answer may go to who has shown his key, to a
// letter that is no order file: of those [visit.tellOf] keeps account. What changes
// something is always answered, but letters to other players, and new keys, of
// which an hour has a set number. A player is told of what gets no answer.
func (v *visit) mayAnswer() bool {
	weight := answerWeight
	if v.who.gm {
		weight = gmWeight
	}
	done := v.deed()
	if done {
		v.begins()
		if !slices.Contains([]string{"press", "new-key"}, v.doc.Command) {
			return true
		}
	}
	if v.intake.mayAnswer("", weight) {
		return done || v.spend(weight)
	}
	if s := v.Game.Seat(v.who.seat); s != nil && !v.who.gm && (done || !s.Due.IsZero() || v.spend(weight)) {
		v.unanswered(s, done)
	}
	return false
}

// mayAnswerGM tells whether the game master may have the answer to an order file
// that he wrote for a side, or the refusal of a command: what changes something is always answered, and so is a
// verdict that he was not told yet.
func (v *visit) mayAnswerGM(verdict string) bool {
	if v.deed() {
		v.begins()
		return true
	}
	fresh := v.office.talks.fresh(v.intake.from, v.Now, verdict)
	return v.spend(gmWeight) && (fresh || v.intake.mayAnswer("", gmWeight))
}

package adjudicator

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail"
)

// numberedEvents are the events of a side by their numbers, as its player knows them.
func (h *testOffice) numberedEvents(side engine.Side) map[int]string {
	h.Helper()
	all := map[int]string{}
	err := h.office.look("lot-1", func(tr *transaction) error {
		trail, err := tr.past.Branch()
		if err != nil {
			return err
		}
		chapters, err := tr.past.Told(tr.Game.Seat(side), trail, 0)
		for _, c := range chapters {
			for _, t := range c.News {
				if t.Number == 0 {
					h.Errorf("%s: an event of stop %d has no number", side, c.Stop)
				}
				if all[t.Number] != "" {
					h.Errorf("%s: two events have the number %d", side, t.Number)
				}
				all[t.Number] = fmt.Sprintf("stop %d: %s", c.Stop, h.office.words.Say("en", t.Say, tr.View(side).Spell))
			}
		}
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
	return all
}

var undoneIn = regexp.MustCompile(`What you were told as events? ([0-9, to]+) is undone`)

// undone are the numbers that a letter says are undone.
func undone(t *testing.T, l *mail.Letter) []int {
	t.Helper()
	found := undoneIn.FindStringSubmatch(strings.Join(strings.Fields(wordsOf(l)), " "))
	if found == nil {
		return nil
	}
	var all []int
	for _, run := range strings.Split(found[1], ", ") {
		from, to, _ := strings.Cut(run, " to ")
		a, err := strconv.Atoi(from)
		b, err2 := strconv.Atoi(to)
		if to == "" {
			b, err2 = a, nil
		}
		if err != nil || err2 != nil {
			t.Fatalf("undone: %q", found[1])
		}
		for ; a <= b; a++ {
			all = append(all, a)
		}
	}
	return all
}

// When a die of any stop is ruled on, and when that ruling is overruled, three things hold. An
// event that came out as before keeps its number and is not told again; no two events ever
// have the same number; and exactly the events that the letter calls undone are undone.
func TestEventsThatARulingDidNotChangeKeepTheirNumbers(t *testing.T) {
	withoutRace(t)
	kept, changed, later := 0, 0, 0
	for result := 1; result <= 6; result++ {
		for roll := 1; roll <= 2; roll++ {
			h := fiveRounds(t)
			_, was := h.resolutions("lot-1")
			if was[0].Rolls[roll-1].Result == result {
				continue
			}
			ever := map[engine.Side]map[int]string{"red": {}, "blue": {}}
			check := func(do func()) {
				t.Helper()
				before := map[engine.Side]map[int]string{}
				for side := range ever {
					before[side] = h.numberedEvents(side)
				}
				do()
				for side, known := range before {
					after := h.numberedEvents(side)
					var gone []int
					for n, say := range known {
						if ever[side][n] = say; after[n] == "" {
							gone = append(gone, n)
						}
					}
					slices.Sort(gone)
					for n, say := range after {
						if old := ever[side][n]; old != "" && old != say {
							t.Errorf("%s: event %d was %q, and is %q", side, n, old, say)
						}
						ever[side][n] = say
						if known[n] != "" {
							kept++
							if strings.HasPrefix(say, "stop 2") || strings.HasPrefix(say, "stop 3") {
								later++
							}
							continue
						}
						changed++
						for _, old := range gone {
							if known[old] == say {
								t.Errorf("%s: event %d, %q, has the number %d now", side, old, say, n)
							}
						}
					}
					if side == "red" {
						if got := undone(t, h.last(redAt)); !slices.Equal(got, gone) {
							t.Errorf("red reads that %v are undone, gone are %v", got, gone)
						}
					}
				}
			}
			check(func() {
				h.rule("command: rule", "stop: 1", fmt.Sprintf("roll: %d", roll), fmt.Sprintf("result: %d", result), "reason: r")
			})
			check(func() { h.rule("command: rule", fmt.Sprintf("overrule: %d", h.lastEntry(log.KindRuling)), "reason: r") })
			h.play("lot-1", h.anyUnit("lot-1"))
			h.sound()
		}
	}
	if kept == 0 || changed == 0 || later == 0 {
		t.Errorf("%d events kept their numbers, %d of them of later stops; %d are new", kept, later, changed)
	}
}

// An event that was numbered by a ruling can be disputed by that number, and the history
// shows it with it.
func TestNumbersOfARulingAreKnownEverywhere(t *testing.T) {
	h := fiveRounds(t)
	_, was := h.resolutions("lot-1")
	before := h.numberedEvents("red")
	h.rule("command: rule", "stop: 1", "roll: 1", fmt.Sprintf("result: %d", was[0].Rolls[0].Result%6+1), "reason: r")
	h.restart()
	for n, say := range h.numberedEvents("red") {
		if before[n] != "" {
			continue
		}
		h.clock.move(60e9)
		h.write(redAt, command(h, "lot-1", "red", "command: dispute", fmt.Sprintf("event: %d", n), "reason: r"), mail.Processed)
		_, text, _ := strings.Cut(say, ": ")
		h.says(h.last(redAt), fmt.Sprintf("%d. %s", n, text))
	}
	h.clock.move(60e9)
	h.write(redAt, command(h, "lot-1", "red", "command: dispute", "event: 1", "reason: r"), mail.Rejected) // it was changed
}

// A ruling that replaces a die is told to each player to whom an event showed that die, with
// the number of the event, and to nobody else.
func TestAReplacedDieIsToldToWhomItWasShown(t *testing.T) {
	h := fiveRounds(t)
	_, was := h.resolutions("lot-1")
	die := was[0].Rolls[0] // red's
	is := die.Result%6 + 1
	h.rule("command: rule", "stop: 1", "roll: 1", fmt.Sprintf("result: %d", is), "reason: r")
	l := h.last(redAt)
	n := undone(t, l)[0]
	h.says(l, fmt.Sprintf("A die of event %d is a %d by that ruling, and no longer a %d: see event ", n, is, die.Result))
	for _, l := range h.deliver(blueAt) {
		h.lacks(l, "dado dell'evento", fmt.Sprintf("è %d e non più %d", is, die.Result))
	}
	h.rule("command: rule", fmt.Sprintf("overrule: %d", h.lastEntry(log.KindRuling)), "reason: r")
	h.says(h.last(redAt), fmt.Sprintf("is a %d by that ruling, and no longer a %d", die.Result, is))
}

// The owner of a unit that a ruling changed is told which and how; the other side, which
// does not see it, is not, and gets the same letter whatever was changed.
func TestTheOwnerOfAChangedPieceIsTold(t *testing.T) {
	set := func(red, blue string) (h *testOffice) {
		h = longGame(t)
		h.deliver(redAt)
		h.deliver(blueAt)
		h.rule("command: rule", "reason: it was counted twice", fmt.Sprintf(
			"set: {sides: [{side: red, units: [{id: R-1, strength: %s}, {id: R-3, strength: 2}, {id: R-4, strength: 5}], won: 0}, {side: blue, units: [%s], won: 0}]}", red, blue))
		return h
	}
	const two = "{id: B-1, strength: 2}, {id: B-2, strength: 3}"
	h := set("9", two)
	l := h.last(redAt)
	h.says(l, "Changed by that ruling: R-1, Strength: 4 → 9", "Gone by that ruling: R-2")
	blue := h.last(blueAt)
	h.says(blue, "Tolto da questa decisione: B-3")
	h.lacks(blue, "R-1", "R-2")
	h.rule("command: rule", fmt.Sprintf("overrule: %d", h.lastEntry(log.KindRuling)), "reason: r")
	h.says(h.last(redAt), "Changed by that ruling: R-1, Strength: 9 → 4", "New by that ruling: R-2")
	one := footHash.ReplaceAllString(wordsOf(set("9", two).last(redAt)), "")
	other := footHash.ReplaceAllString(wordsOf(set("9", "{id: B-4, strength: 8}, {id: B-1, strength: 1}, {id: B-2, strength: 7}").last(redAt)), "")
	if one != other {
		t.Errorf("red can tell what was changed of blue:\n%s\n%s", one, other)
	}
}

// Of orders that the game master gave for a player it is said that he gave them: in the
// confirmation, in the report, and in the history of whoever takes the seat. That is so even
// if the game master has written so much that he himself gets no more answers.
func TestAMastersAnswerSaysThatHeGaveIt(t *testing.T) {
	h := longGame(t)
	h.deliver(redAt)
	h.opt.AnswersPerHour = 1
	h.restart()
	for range 30 {
		h.write(gmAt, command(h, "lot-1", engine.GM, "command: show"), mail.Processed)
	}
	h.clock.move(60e9)
	h.write(gmAt, command(h, "lot-1", engine.GM, "side: red", "stop: 1 bid", "orders: {bid: R-2}"), mail.Processed)
	h.says(h.last(redAt), "The game master gave these orders for your side")
	h.write(blueAt, fill(h.template(blueAt), "{offri: B-1}"), mail.Processed)
	report := h.last(redAt)
	h.says(report, "For stop 1", "the orders counted that the game master put in force for your side", "R-2")
	for _, l := range h.deliver(blueAt) {
		h.lacks(l, "che l'arbitro ha messo in vigore", "l'arbitro per la tua parte")
	}
	if err := h.office.Clerk().Replace(t.Context(), "lot-1", "red", log.Person{Address: "new@play.example", Language: "en"}); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, l := range h.deliver("new@play.example") {
		found = found || strings.Contains(strings.Join(strings.Fields(wordsOf(l)), " "), "Put in force by the game master for stop 1")
	}
	if !found {
		t.Error("the history of the seat does not tell who gave its orders")
	}
}

package adjudicator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
)

// twentyRounds is a game in which much can be filed ahead.
var twentyRounds = strings.Replace(twoSides, "rounds: 3", "rounds: 20", 1)

// own are the units that a side has.
func (h *testOffice) own(side engine.Side) []string {
	h.Helper()
	t, err := h.office.Clerk().Position("lot-1", side)
	if err != nil {
		h.Fatal(err)
	}
	var ids []string
	for _, u := range t.View.(*enginetest.View).Own {
		ids = append(ids, u.ID)
	}
	return ids
}

// soundly checks that the game of an office verifies from what everybody may export.
func (h *testOffice) soundly() {
	h.Helper()
	for _, side := range []engine.Side{engine.GM, "red", "blue"} {
		if side != engine.GM && h.record("lot-1").Phase == game.Running {
			continue // the log of a running game is shown to its game master alone
		}
		v := h.verify(h.export("lot-1", side))
		for _, c := range v.Checks {
			if len(c.Wrong) > 0 {
				h.Errorf("the export of %s: %s: %q", side, c.What, c.Wrong)
			}
		}
		if len(v.Differ) > 0 {
			h.Errorf("the export of %s: %q", side, v.Differ)
		}
	}
}

// A game that is answered ahead, and the same game answered stop by stop, have the same dice
// and come to the same position, byte for byte; their logs differ only in who answered and by
// which letter. Both verify.
func TestAheadIsStopByStop(t *testing.T) {
	withoutRace(t)
	played := func(files func(side engine.Side, own []string) []string) (*testOffice, []log.Resolved) {
		h := newTestOffice(t)
		h.newGame(twentyRounds)
		h.play("lot-1", func(side engine.Side, o *game.Owes) string {
			own := h.own(side)
			if o.Decision.Kind == enginetest.Discard {
				return "{discard: " + own[len(own)-1] + "}"
			}
			return strings.Join(append([]string{"{bid: " + own[0] + "}"}, files(side, own)...), "\n")
		})
		_, all := h.resolutions("lot-1")
		return h, all
	}
	one, stops := played(func(engine.Side, []string) []string { return nil })
	two, aheads := played(func(_ engine.Side, own []string) []string {
		return []string{"ahead: {discard: " + own[len(own)-1] + "}"}
	})
	if len(stops) != len(aheads) {
		t.Fatalf("%d stops, and %d ahead", len(stops), len(aheads))
	}
	by := 0
	for i := range stops {
		a, b := stops[i], aheads[i]
		for j := range b.Answers {
			if b.Answers[j].By == log.ByAhead {
				by++
			}
			if a.Answers[j].Orders != b.Answers[j].Orders || a.Answers[j].Decision != b.Answers[j].Decision || a.Answers[j].SeatStop != b.Answers[j].SeatStop {
				t.Errorf("stop %d: %+v and %+v", i+1, a.Answers[j], b.Answers[j])
			}
		}
		first, _ := json.Marshal([]any{a.Rolls, a.Events, a.Orders, a.Position})
		second, _ := json.Marshal([]any{b.Rolls, b.Events, b.Orders, b.Position})
		if !bytes.Equal(first, second) {
			t.Errorf("stop %d went otherwise:\n%s\n%s", i+1, first, second)
		}
	}
	if by == 0 || !bytes.Equal(one.snapshot(), two.snapshot()) {
		t.Errorf("%d stops were answered ahead, and the positions differ", by)
	}
	one.soundly()
	two.soundly()
}

// What is filed ahead is judged as it comes, with every other fault, and the file counts for
// nothing.
func TestAheadIsJudgedAsItComes(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	template := h.template(redAt)
	h.deliver(redAt)
	h.write(redAt, fill(template, "{bid: R-9}", "ahead: {discrad: R-1}"), mail.Rejected)
	h.says(h.one(h.deliver(redAt)), "R-9", "discrad", "discard")
	h.write(redAt, fill(template, "{bid: R-1}", "ahead: {discard: [{if: {round: soon}, do: R-1}]}"), mail.Rejected)
	if g := h.record("lot-1"); g.Seat("red").Owes.Answer != nil || g.Seat("red").Ahead != nil {
		t.Error("a file with faults counts")
	}
}

// lost plays the first round so that a side must discard: the other bids its best.
func (h *testOffice) lost(side engine.Side, more ...string) {
	h.Helper()
	for _, s := range []engine.Side{"red", "blue"} {
		o := h.record("lot-1").Seat(s).Owes
		if o == nil || o.Decision.Kind != enginetest.Bid {
			continue
		}
		bid, lines := "none", more
		if s != side {
			bid, lines = h.own(s)[0], nil
		}
		h.clock.move(1e9)
		h.write(h.record("lot-1").Seat(s).Person.Address, fill(h.template(h.record("lot-1").Seat(s).Person.Address), "{bid: "+bid+"}", lines...), mail.Processed)
	}
}

// What no longer fits is never changed until it fits: the seat is asked, and the letter says
// what did not fit and why. The position is that of a game in which nothing was filed.
func TestAheadThatNoLongerFits(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	h.lost("red", "ahead: {discard: R-77}")
	red := h.record("lot-1").Seat("red")
	if red.Owes == nil || red.Owes.Decision.Kind != enginetest.Discard || red.Owes.Answer != nil {
		t.Fatalf("red owes %+v", red.Owes)
	}
	h.says(h.last(redAt), "Filed ahead, and did not fit: discard (R-77)", "R-77")
	was := h.snapshot()

	plain := newTestOffice(t)
	plain.newGame(twentyRounds)
	plain.lost("red")
	if !bytes.Equal(was, plain.snapshot()) {
		t.Error("what did not fit has changed the position")
	}
	h.soundly()
}

// Of several cases the first one counts whose conditions hold; if none of them does, else
// counts.
func TestAheadCases(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	own := h.own("red")
	h.lost("red", fmt.Sprintf("ahead: {discard: [{if: {round: '>= 2'}, do: %s}, {if: {round: 1}, do: R-77}, {else: %s}]}", own[0], own[1]))
	if now := h.own("red"); len(now) != len(own)-1 || now[0] != own[0] || now[1] == own[1] {
		t.Errorf("red has %v of %v", now, own)
	}
	h.says(h.last(redAt), "did not fit: discard (R-77)", "(filed ahead, letter of ")
	h.lacks(h.last(blueAt), "ahead", "anticipo")
	h.soundly()
}

// A letter may file something ahead alone, at any time; it says what waits, a newer one
// replaces it, none takes it back, and at the end of the next round it lapses.
func TestAheadAlone(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	waiting := func() string {
		a := h.record("lot-1").Seat("red").Ahead
		if a == nil {
			return ""
		}
		return a.Text
	}
	h.deliver(redAt)
	alone := func(text string) *mail.Letter {
		h.clock.move(1e9)
		h.write(redAt, command(h, "lot-1", "red", "ahead: "+text), mail.Processed)
		return h.one(h.deliver(redAt))
	}
	h.says(alone("{discard: R-2}"), "Filed ahead: discard: R-2", "You still owe")
	h.says(alone("{discard: R-3}"), "Filed ahead: discard: R-3")
	if waiting() != "discard: R-3\n" {
		t.Errorf("%q waits", waiting())
	}
	h.restart()
	h.says(alone("none"), "Nothing waits any more")
	if waiting() != "" {
		t.Errorf("%q waits", waiting())
	}
	alone("{discard: R-3}")
	for h.record("lot-1").Seat("red").Ahead != nil { // red never is the last
		h.lost("blue")
		if o := h.record("lot-1").Seat("blue").Owes; o != nil && o.Decision.Kind == enginetest.Discard {
			h.write(blueAt, fill(h.template(blueAt), "{discard: "+h.own("blue")[0]+"}"), mail.Processed)
		}
	}
	h.says(h.last(redAt), "Not needed of what you filed ahead: discard")
	h.soundly()
}

// What speaks of the stop that is open when the letter comes answers it.
func TestAheadThatComesLate(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	own := h.own("red")
	h.lost("red")
	h.write(redAt, command(h, "lot-1", "red", "ahead: {discard: "+own[1]+"}"), mail.Processed)
	if now := h.own("red"); len(now) != len(own)-1 || now[1] == own[1] {
		t.Errorf("red has %v of %v", now, own)
	}
	h.soundly()
}

// A new player of a seat begins without what another has filed ahead.
func TestAheadEndsWithItsPlayer(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	h.write(redAt, command(h, "lot-1", "red", "ahead: {discard: R-2}"), mail.Processed)
	if err := h.office.Clerk().Replace(t.Context(), "lot-1", "red", log.Person{Name: "Nora", Address: "new@play.example"}); err != nil {
		t.Fatal(err)
	}
	if g := h.record("lot-1"); g.Seat("red").Person.Address != "new@play.example" || g.Seat("red").Ahead != nil {
		t.Errorf("%+v", g.Seat("red"))
	}
	h.soundly()
}

// A rewind brings back what waited then, and what was used by the stops that it undoes. At
// the stop that is open again the seat is asked all the same, so that it may withdraw it.
func TestAheadAndRewind(t *testing.T) {
	withoutRace(t)
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	own := h.own("red")
	h.write(redAt, command(h, "lot-1", "red", "ahead: {discard: "+own[0]+"}"), mail.Processed)
	h.lost("red")
	if a := h.record("lot-1").Seat("red").Ahead; a != nil || len(h.own("red")) == len(own) {
		t.Fatalf("%+v waits, and red has %v", a, h.own("red"))
	}
	h.rule("command: rewind", "stop: 2", "orders: new", "reason: a power cut")
	red := h.record("lot-1").Seat("red")
	if red.Ahead == nil || red.Ahead.Text != "discard: "+own[0]+"\n" || red.Owes == nil || red.Owes.Answer != nil || red.Owes.Decision.Kind != enginetest.Discard {
		t.Fatalf("%+v, %+v", red.Ahead, red.Owes)
	}
	h.says(h.last(redAt), "In force again of what you had filed ahead: discard")
	h.write(redAt, fill(h.template(redAt), "{discard: "+own[1]+"}", "ahead: none"), mail.Processed)
	if now := h.own("red"); len(now) != len(own)-1 || now[0] != own[0] || h.record("lot-1").Seat("red").Ahead != nil {
		t.Errorf("red has %v of %v", now, own)
	}
	h.soundly()

	// A die that is ruled on is rolled before the same answers, also those filed ahead.
	h = newTestOffice(t)
	h.newGame(twentyRounds)
	h.lost("red", "ahead: {discard: "+own[0]+"}")
	_, was := h.resolutions("lot-1")
	h.rule("command: rule", "stop: 1", "roll: 1", fmt.Sprintf("result: %d", was[0].Rolls[0].Result%6+1), "reason: it was so")
	if now := h.own("red"); len(now) != len(own)-1 || now[0] == own[0] {
		t.Errorf("red has %v of %v", now, own)
	}
	h.play("lot-1", h.anyUnit("lot-1"))
	h.soundly()
}

// Nobody else sees what is filed ahead: whatever a side files, the others get the same
// letters in the same order up to its stop, but for the hash of the log.
func TestAheadIsSecret(t *testing.T) {
	letters := func(ahead string) []string {
		h := newTestOffice(t)
		h.newGame(twentyRounds)
		h.deliver(blueAt)
		h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
		h.clock.move(1e9)
		h.write(redAt, command(h, "lot-1", "red", "ahead: "+ahead), mail.Processed)
		h.write(blueAt, command(h, "lot-1", "blue", "command: status"), mail.Processed)
		h.write(redAt, fill(h.template(redAt), "{bid: none}"), mail.Processed)
		var all []string
		for _, l := range h.deliver(blueAt) {
			all = append(all, veilHashes.ReplaceAllString(l.Subject+"\n"+wordsOf(l), ""))
		}
		return all
	}
	one := letters("{discard: R-1}")
	for _, other := range []string{"{discard: R-2}", "{discard: [{if: leading, do: R-1}, {else: default}]}"} {
		if two := letters(other); !slices.Equal(one, two) {
			t.Errorf("with %s blue gets\n%s\nand not\n%s", other, strings.Join(two, "\n=====\n"), strings.Join(one, "\n=====\n"))
		}
	}
}

var veilHashes = regexp.MustCompile(`[0-9a-f]{32}|[0-9A-Z]{4,}(-[0-9A-Z]{4})+`)

// Where no case holds, what stands after else is done: the player is asked, or the default
// counts, or whatever would answer if nothing had been filed. A case may ask whether the
// enemy still stands as he stood at the filing: it holds for what was filed after he moved,
// and not for what was filed before. Each game verifies.
func TestAheadElse(t *testing.T) {
	for otherwise, asked := range map[string]bool{"ask": true, "standing": true, "default": false} {
		h := newTestOffice(t)
		h.newGame(twentyRounds)
		own := h.own("red")
		h.lost("red", fmt.Sprintf("ahead: {discard: [{if: {round: '>= 9'}, do: %s}, {else: %s}]}", own[1], otherwise))
		if o := h.record("lot-1").Seat("red").Owes; (o != nil && o.Decision.Kind == enginetest.Discard) != asked {
			t.Errorf("else %s: red owes %+v", otherwise, o)
		}
		h.soundly()
	}
	for _, late := range []bool{false, true} {
		h := newTestOffice(t)
		h.newGame(twentyRounds)
		own := h.own("red")
		files := "ahead: {discard: [{if: unchanged, do: " + own[1] + "}]}"
		if late {
			h.lost("red")
			h.write(redAt, command(h, "lot-1", "red", files), mail.Processed)
		} else {
			h.lost("red", files)
		}
		if now := h.own("red"); (len(now) == len(own)-1 && now[1] != own[1]) != late {
			t.Errorf("filed late %t: red has %v of %v", late, now, own)
		}
		h.soundly()
	}
}

// An answer that was filed ahead is told beside the event that it has brought about, to its
// player alone.
func TestAheadIsToldAtTheEvent(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	h.lost("red", "ahead: {discard: "+h.own("red")[1]+"}")
	if text := spaced(h.last(redAt)); !regexp.MustCompile(`\d+\. [^(]*discard[^(]*\(filed ahead, letter of `).MatchString(text) {
		t.Errorf("the report says\n%s", text)
	}
	h.lacks(h.last(blueAt), "ahead", "anticipo")
}

// The game master reads a note that comes with something filed ahead as that; the other side does
// not read it, neither then nor when it answers.
func TestANoteComesWithSomethingFiledAhead(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	h.write(redAt, command(h, "lot-1", "red", "note: by the old road", "ahead: {discard: "+h.own("red")[0]+"}"), mail.Processed)
	h.says(h.last(gmAt), "With what is filed ahead, red writes: by the old road")
	h.lost("red")
	for _, l := range h.deliver(blueAt) {
		h.lacks(l, "by the old road")
	}
}

package napoleon

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/orders"
)

// bidGame is a new game with bidding for sides.
func bidGame(t *testing.T, options map[string]string) *game {
	t.Helper()
	all := map[string]string{"sides": "bid"}
	for name, value := range options {
		all[name] = value
	}
	position, err := New().New(engine.Setup{Options: all})
	if err != nil {
		t.Fatal(err)
	}
	return position.(*game)
}

// answerBids answers what is owed with files, by side.
func answerBids(t *testing.T, g *game, dice engine.Dice, files map[engine.Side]string) []engine.Event {
	t.Helper()
	answers := map[engine.Side]engine.Answer{}
	for _, d := range g.Owed() {
		doc, problems := orders.Parse(files[d.Side], nil)
		if len(problems) == 0 {
			answers[d.Side], problems = New().Read(g.View(d.Side), d, doc)
		}
		if len(problems) > 0 {
			t.Fatalf("%s: %v", files[d.Side], problems)
		}
	}
	events, err := g.Advance(answers, dice)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// allSeen gives all that a side sees of a position and of the events that led to it.
func allSeen(t *testing.T, g *game, events []engine.Event, side engine.Side) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, e := range events {
		if say, ok := e.For(side); ok {
			fmt.Fprintf(&out, "%s %+v %v\n", e.Clause, say, e.Exchange)
		}
	}
	view, err := g.View(side).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	out.Write(view)
	page, err := json.Marshal(g.View(side).Page())
	if err != nil {
		t.Fatal(err)
	}
	out.Write(page)
	for _, d := range g.Owed() {
		if d.Side == side {
			out.WriteString(New().Template(g.View(side), d).Encode())
		}
	}
	return out.Bytes()
}

// Nobody is told of a bid that never counts or of a ceiling that was not reached:
// whatever these are, the other player sees the same.
func TestSealedBidsAndCeilingsDoNotShow(t *testing.T) {
	seen := func(second, raise string) []byte {
		g := bidGame(t, nil)
		events := answerBids(t, g, &engine.FixedDice{Results: []int{1}}, map[engine.Side]string{
			"french": "orders: {bid: {camp: allied, minus: 0}}", "allied": second,
		})
		after := allSeen(t, g, events, "french")
		more := answerBids(t, g, &engine.FixedDice{}, map[engine.Side]string{"french": raise})
		return append(after, allSeen(t, g, more, "french")...)
	}
	raise := "orders: {bid: {camp: allied, minus: 2}}"
	want := seen("orders: {bid: {camp: allied, minus: 0}}\nstanding: [{bid: {camp: allied, up_to: 5}}]", raise)
	for _, second := range []string{
		"orders: {bid: {camp: french, minus: 7}}\nstanding: [{bid: {camp: allied, up_to: 5}}]",
		"orders: {bid: {camp: allied, minus: 0}}\nstanding: [{bid: {camp: allied, up_to: 9}}, {bid: {camp: french, up_to: 2}}]",
		"orders: {bid: {camp: allied, minus: 1}}\nstanding: [{supply_losses: [A-04]}, {bid: {camp: allied, up_to: 4}}]",
	} {
		if got := seen(second, raise); !bytes.Equal(got, want) {
			t.Errorf("what the first bidder sees depends on %s", second)
		}
	}
	if other := seen("orders: {bid: {camp: allied, minus: 0}}\nstanding: [{bid: {camp: allied, up_to: 2}}]", raise); bytes.Equal(other, want) {
		t.Error("a ceiling that was reached must show, or the test shows nothing")
	}
}

// The enemy does not see which units gave up points, neither before the units come onto
// the map nor after.
func TestHandicapDoesNotShow(t *testing.T) {
	seen := func(reduce string) []byte {
		g := bidGame(t, map[string]string{"setup": "historical"})
		dice := &engine.FixedDice{Results: []int{2}}
		answerBids(t, g, dice, map[engine.Side]string{
			"french": "orders: default", "allied": "orders: {bid: {camp: allied, minus: 2}}",
		})
		answerBids(t, g, dice, map[engine.Side]string{"french": "orders: {bid: pass}"})
		events := answerBids(t, g, dice, map[engine.Side]string{"allied": reduce})
		if g.phase != movement {
			t.Fatalf("the game is at %v", g.phase)
		}
		return allSeen(t, g, events, "french")
	}
	if a, b := seen("orders: {reduce: [A-02, P-03]}"), seen("orders: default"); !bytes.Equal(a, b) {
		t.Error("the French see who gave up a point")
	}
}

// One event tells that the players change seats, and what each of them ordered for the
// other seat is void.
func TestBiddersExchangeSeats(t *testing.T) {
	g := bidGame(t, nil)
	dice := &engine.FixedDice{Results: []int{1}}
	answerBids(t, g, dice, map[engine.Side]string{
		"french": "orders: {bid: {camp: allied, minus: 0}}\nstanding: [{supply_losses: []}, {casualties: {lose_first: [F-02]}}]",
		"allied": "orders: default\nstanding: [{casualties: {lose_first: [A-02]}}]",
	})
	events := answerBids(t, g, dice, map[engine.Side]string{"allied": "orders: {bid: pass}"})
	exchanges := 0
	for _, e := range events {
		if len(e.Exchange) > 0 {
			exchanges++
			if len(e.Exchange) != 2 || e.Exchange[0] != "french" || e.Exchange[1] != "allied" {
				t.Errorf("the seats %v are exchanged", e.Exchange)
			}
		}
	}
	if exchanges != 1 {
		t.Errorf("%d exchanges", exchanges)
	}
	for _, side := range g.Sides() {
		if lines := g.view(side).inForce(); len(lines) > 0 {
			t.Errorf("standing orders of %s are still in force: %v", side, lines)
		}
	}
	if g.view("allied").bidderNumber(1) != 1 || g.view("french").bidderNumber(0) != 2 {
		t.Error("who was the first bidder is lost")
	}
	if !strings.Contains(fmt.Sprint(g.View("allied").Page()), "nap.page.bid-result") {
		t.Error("the page does not tell how the bidding ended")
	}
}

// Bids in a position that the rules can't have led to are refused, for example after an
// edit by a game master.
func TestBidsOfAPosition(t *testing.T) {
	text, err := bidGame(t, nil).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for bids, good := range map[string]bool{
		"{first: french, bids: [{camp: allied, minus: 0}]}":                                 true,
		"{first: allied, bids: [{camp: allied, minus: 3}, {camp: french, minus: 4}, pass]}": true,
		"{first: french, bids: []}":                                                         false,
		"{first: french, bids: [pass]}":                                                     false,
		"{first: french, bids: [{camp: allied, minus: 1}, {camp: allied, minus: 1}]}":       false,
		"{first: french, bids: [{camp: allied, minus: 1}, {camp: allied, minus: 3}]}":       false,
		"{first: french, bids: [{camp: allied, minus: 99}]}":                                false,
		"{first: french, bids: [{camp: allied, minus: 1}, pass, pass]}":                     false,
		"{first: french, bids: [{camp: allied, minus: 1}, pass, {camp: allied, minus: 2}]}": false,
		"{first: prussian, bids: [{camp: allied, minus: 1}]}":                               false,
		"{first: french, bids: [{camp: allied}]}":                                           false,
		"{first: french}": false,
		"pass":            false,
	} {
		edited := strings.Replace(string(text), "phase: bid\n", "phase: bid\nbidding: "+bids+"\n", 1)
		p, err := New().Load([]byte(edited))
		if (err == nil) != good {
			t.Errorf("%s: %v", bids, err)
		}
		if err == nil {
			if again, err := p.Marshal(); err != nil || !bytes.Contains(again, []byte("bidding:")) {
				t.Errorf("%s: written as %s, %v", bids, again, err)
			}
		}
	}
	assigned, err := New().New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	if text, err = assigned.Marshal(); err != nil {
		t.Fatal(err)
	}
	for _, edit := range []string{"phase: bid\n", "phase: deploy-allied\nbidding: {first: french, bids: [{camp: allied, minus: 0}]}\n"} {
		if _, err := New().Load([]byte(strings.Replace(string(text), "phase: deploy-allied\n", edit, 1))); err == nil {
			t.Errorf("a game without bidding was read with %s", edit)
		}
	}
}

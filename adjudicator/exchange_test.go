package adjudicator

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
	"berthier/orders/phrase"
)

// swapping is the ruleset of the tests, in which the players change seats when
// the first stop is resolved. Something secret is told to each seat before it
// and after it.
type swapping struct{ enginetest.Lots }

type swappingPosition struct {
	engine.Position
	done bool
}

const swapMark = "\n# swapped"

func (r swapping) New(s engine.Setup) (engine.Position, error) {
	p, err := r.Lots.New(s)
	if err != nil {
		return nil, err
	}
	return &swappingPosition{Position: p}, nil
}

func (r swapping) Load(data []byte) (engine.Position, error) {
	text, _, done := strings.Cut(string(data), swapMark)
	p, err := r.Lots.Load([]byte(text))
	if err != nil {
		return nil, err
	}
	return &swappingPosition{p, done}, nil
}

func (p *swappingPosition) Clone() engine.Position {
	return &swappingPosition{p.Position.Clone(), p.done}
}

func (p *swappingPosition) Marshal() ([]byte, error) {
	data, err := p.Position.Marshal()
	if p.done {
		data = append(data, swapMark...)
	}
	return data, err
}

func (p *swappingPosition) Advance(answers map[engine.Side]engine.Answer, dice engine.Dice) ([]engine.Event, error) {
	events, err := p.Position.Advance(answers, dice)
	if err != nil || p.done {
		return events, err
	}
	p.done = true
	secret := func(when string) engine.Event {
		var e engine.Event
		for _, side := range []engine.Side{"red", "blue"} {
			e.Tellings = append(e.Tellings, engine.Telling{To: []engine.Side{side}, Say: phrase.Say("order.write", phrase.Literal("text", when+" for "+string(side)))})
		}
		return e
	}
	return []engine.Event{secret("before"), {Exchange: []engine.Side{"red", "blue"}}, secret("after")}, nil
}

// lacks checks that a letter does not hold some texts.
func (h *testOffice) lacks(l *mail.Letter, texts ...string) {
	h.Helper()
	all := wordsOf(l)
	for _, text := range texts {
		if strings.Contains(all, text) {
			h.Errorf("the letter says %q:\n%s", text, all)
		}
	}
}

// Players who change seats take with them what is theirs. At the new seat they find nothing
// that the other player wrote or was told, and nothing that he may do.
func TestPlayersChangeSeats(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.rules = swapping{enginetest.New()} })
	h.newGame(twoSides)
	red, blue := h.template(redAt), h.template(blueAt)
	redKey, blueKey := key(h, "lot-1", "red"), key(h, "lot-1", "blue")
	h.deliver(gmAt)
	h.write(redAt, fill(red, "{bid: R-2}"), mail.Processed)
	h.deliver(redAt)
	h.deliver(blueAt)
	h.write(blueAt, fill(blue, "{bid: B-2}"), mail.Processed)

	rosa, bruno := h.deliver(redAt), h.one(h.deliver(blueAt))
	h.says(bruno, "(tua serie 1,", "B-2") // what he sent from his seat before
	report := h.one(rosa)
	h.says(report, "before for red", "after for blue", "your side is", key(h, "lot-1", "blue"))
	h.lacks(report, "before for blue", "after for red", redKey, blueKey)
	h.says(bruno, "before for blue", "after for red")
	h.lacks(bruno, "before for red", "after for blue", redKey, blueKey)
	h.says(h.one(h.deliver(gmAt)), redAt, blueAt)

	now := h.record("lot-1")
	if r, b := now.Seat("red"), now.Seat("blue"); r.Person.Address != blueAt || b.Person.Address != redAt || now.Seats[0] != r {
		t.Fatalf("red is played by %s, blue by %s", r.Person.Address, b.Person.Address)
	}
	if !slices.Contains(h.kinds("lot-1"), log.KindExchanged) {
		t.Error("the log does not tell of it")
	}

	// The old keys open nothing any more, neither seat.
	for _, from := range []string{redAt, blueAt} {
		for _, old := range []string{red, blue} {
			h.write(from, strings.Replace(fill(old, "default"), "stop: 1", "stop: 2", 1), mail.Rejected)
		}
		h.deliver(from)
	}
	// Nor does the key of one open the seat of the other.
	h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Rejected)
	h.deliver(redAt)

	h.restart()
	h.write(redAt, command(h, "lot-1", "blue", "command: report"), mail.Processed)
	again := h.one(h.deliver(redAt))
	h.says(again, "before for red", "after for blue", "your side is")
	h.lacks(again, "before for blue", "after for red")
	h.write(redAt, command(h, "lot-1", "blue", "command: history"), mail.Processed)
	history := h.one(h.deliver(redAt))
	h.says(history, "before for red", "after for blue", "R-2")
	h.lacks(history, "before for blue", "after for red", "B-2")

	// They play on from their new seats.
	h.play("lot-1", h.anyUnit("lot-1"))
	h.write(blueAt, command(h, "lot-1", "red", "command: history"), mail.Processed)
	all := h.deliver(blueAt)
	h.says(all[len(all)-1], "before for blue", "after for red", "B-2")
	h.lacks(all[len(all)-1], "before for red", "after for blue")
}

// A letter that went to a player before he changed seats, and comes back
// afterwards, counts against his address.
func TestBounceAfterChangeOfSeats(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.rules = swapping{enginetest.New()} })
	h.newGame(twoSides)
	h.flush()
	var first string
	for _, p := range h.post.sent {
		if p.to == redAt {
			first = p.letter.MessageID
		}
	}
	h.write(redAt, fill(h.template(redAt), "default"), mail.Processed)
	h.write(blueAt, fill(h.template(blueAt), "default"), mail.Processed)
	bounce := h.letter("mailer-daemon@play.example", "")
	bounce.Bounce = &mail.Bounce{Null: true, MessageID: first, Permanent: true, Status: "5.1.1"}
	h.take(bounce, mail.Processed)
	g := h.record("lot-1")
	if n := g.Seat("blue").Failures; n != 1 {
		t.Errorf("%d letters are counted against Rosa, who is blue now", n)
	}
	if n := g.Seat("red").Failures; n != 0 {
		t.Errorf("%d letters are counted against Bruno", n)
	}
}

// A player who owes nothing after the change learns his new key nevertheless;
// one who has resigned is not written to.
func TestChangeOfSeatsWithoutAnythingOwed(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.rules = swapping{enginetest.New()} })
	h.newGame(twoSides)
	err := h.office.Clerk().act(context.Background(), "lot-1", func(tr *transaction) error {
		for _, s := range tr.Game.Seats {
			s.Owes = nil
		}
		tr.Game.Seat("red").Resigned = true
		if err := game.TellEvents(tr.Turn, []engine.Event{{Exchange: []engine.Side{"red", "blue"}}}); err != nil {
			return err
		}
		for _, s := range tr.Game.Seats {
			if s.Moved && !s.Resigned {
				game.SendReport(tr.Turn, s)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all := h.deliver(blueAt)
	h.says(all[len(all)-1], key(h, "lot-1", "red"), "comando: rapporto")
	if s := h.record("lot-1").Seat("blue"); !s.Resigned || s.Person.Address != redAt {
		t.Errorf("blue: %+v", s)
	}
	h.says(h.one(h.deliver(redAt)), "red") // the first report only
	h.write(blueAt, command(h, "lot-1", "red", "command: report"), mail.Processed)
}

// An event that exchanges what are no two seats stops the game, and changes
// nothing.
func TestExchangeOfNobody(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	for _, sides := range [][]engine.Side{{"red"}, {"red", "red"}, {"red", "green"}, {"red", "blue", "red"}} {
		err := h.office.Clerk().act(context.Background(), "lot-1", func(tr *transaction) error {
			return game.TellEvents(tr.Turn, []engine.Event{{Exchange: sides}})
		})
		if err == nil {
			t.Errorf("%q were exchanged", sides)
		}
	}
	if g := h.record("lot-1"); g.Seat("red").Person.Address != redAt || len(g.Exchanges) > 0 {
		t.Error("something was exchanged")
	}
	if err := h.store.Read(context.Background(), func(tx store.Reader) error { return store.Verify(tx, "lot-1") }); err != nil {
		t.Error(err)
	}
}

// A player who changed seats has his own past reports again, from before and
// after, the same to the byte, and never one of the other's. The same holds for
// letters between the players, also for one that the game master put aside.
func TestResendAfterChangeOfSeats(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.rules = swapping{enginetest.New()} })
	h.newGame(twoSides + "press: gm\n")
	h.write(redAt, command(h, "lot-1", "red", "command: press", "text: From Rosa."), mail.Processed)
	h.write(blueAt, command(h, "lot-1", "blue", "command: press", "text: From Bruno."), mail.Processed)
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: pass", "letter: 2", "cancel: yes"), mail.Processed)
	h.play1("lot-1")
	h.play1("lot-1")
	h.flush()
	reports := func(to string) (all [][]byte) {
		for _, p := range h.post.sent {
			if p.to == to && strings.Contains(p.letter.Subject, "] R") {
				all = append(all, p.raw)
			}
		}
		return all
	}
	had := map[string][][]byte{redAt: reports(redAt), blueAt: reports(blueAt)}
	h.restart()
	for address, side := range map[string]engine.Side{redAt: "blue", blueAt: "red"} {
		if len(had[address]) < 2 {
			t.Fatalf("%s had %d reports", address, len(had[address]))
		}
		for i, want := range had[address] {
			h.write(address, command(h, "lot-1", side, "command: resend", fmt.Sprintf("report: %d", i+1)), mail.Processed)
			h.flush()
			if all := reports(address); !bytes.Equal(all[len(all)-1], want) {
				t.Errorf("%s: report %d is another one: %s", address, i+1, diffLine(want, all[len(all)-1]))
			}
		}
		h.deliver(address)
		h.write(address, command(h, "lot-1", side, "command: resend", fmt.Sprintf("report: %d", len(had[address])+1)), mail.Rejected)
		h.deliver(address)
	}
	tell := func(address string, side engine.Side) *mail.Letter {
		h.write(address, command(h, "lot-1", side, "command: history"), mail.Processed)
		all := h.deliver(address)
		return all[len(all)-1]
	}
	rosa, bruno := tell(redAt, "blue"), tell(blueAt, "red")
	h.says(rosa, "From Rosa.")
	h.lacks(rosa, "From Bruno.")
	h.says(bruno, "From Bruno.")
	h.lacks(bruno, "From Rosa.")
	// The one that still waits reaches the person whom it was for.
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: pass", "letter: 1"), mail.Processed)
	got := h.deliver(blueAt)
	h.says(got[len(got)-1], "From Rosa.")
	h.write(blueAt, command(h, "lot-1", "red", "command: press", "reply: 1", "text: To Rosa."), mail.Processed)
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: pass", "letter: 3"), mail.Processed)
	got = h.deliver(redAt)
	h.says(got[len(got)-1], "To Rosa.")

	// Whoever takes over from him has none of them.
	if err := h.office.Clerk().Replace(t.Context(), "lot-1", "blue", log.Person{Address: "new@play.example"}); err != nil {
		t.Fatal(err)
	}
	h.flush()
	n := len(reports("new@play.example"))
	h.write("new@play.example", command(h, "lot-1", "blue", "command: resend", "report: 1"), mail.Processed)
	h.write("new@play.example", command(h, "lot-1", "blue", "command: resend", "report: 2"), mail.Rejected)
	h.flush()
	for _, raw := range reports("new@play.example")[n:] {
		for _, old := range slices.Concat(had[redAt], had[blueAt]) {
			if bytes.Equal(raw, old) {
				t.Error("a newcomer gets what was another's")
			}
		}
	}
}

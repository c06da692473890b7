package adjudicator

import (
	"context"
	"errors"
	"strings"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail"
)

// wantRefusal checks why something was refused.
func wantRefusal(t *testing.T, err error, code string) {
	t.Helper()
	var refused *game.RefusedError
	if !errors.As(err, &refused) || refused.Why.Code != code {
		t.Errorf("%v, want %s", err, code)
	}
}

// Nobody gets both seats: not in the set-up, not when the other player leaves, not as a
// reserve, and not by writing his address in another way.
func TestOneAddressHasOneSeat(t *testing.T) {
	ctx := context.Background()
	h := newTestOffice(t)
	for _, address := range []string{"red@play.example", "RED@Play.Example"} {
		if _, problems := h.office.Clerk().ReadSetup(strings.Replace(twoSides, "Blue@play.example", address, 1), nil); len(problems) != 1 || problems[0].Why.Code != "office.setup.two-seats" || problems[0].Line == 0 {
			t.Errorf("%s: %v", address, problems)
		}
	}
	idn := strings.NewReplacer("red@play.example", "red@b\u00fccher.example", "Blue@play.example", "red@xn--bcher-kva.example").Replace(twoSides)
	if _, problems := h.office.Clerk().ReadSetup(idn, nil); len(problems) != 1 || problems[0].Why.Code != "office.setup.two-seats" {
		t.Errorf("one mailbox under two spellings: %v", problems)
	}
	h.newGame(twoSides + "silence: {replace: 1}\nreserves: [{name: Rosa, address: red@play.example}, {name: Nora, address: nora@play.example}]\n")
	for _, address := range []string{redAt, "Red@Play.example"} {
		wantRefusal(t, h.office.Clerk().Replace(ctx, "lot-1", "blue", log.Person{Name: "R", Address: address}), "office.gm.has-seat")
		h.write(gmAt, command(h, "lot-1", engine.GM, "command: replace", "side: blue", "address: "+address), mail.Rejected)
		h.says(h.last(gmAt), "two seats")
	}
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
	h.clock.move(9 * 24 * 3600e9)
	h.tick()
	if got := h.record("lot-1").Seat("blue").Person.Address; got != "nora@play.example" {
		t.Errorf("%s took the seat over", got)
	}
	// Nor does an observer who sees everything take a seat.
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: observe", "address: pia@play.example", "view: full"), mail.Processed)
	wantRefusal(t, h.office.Clerk().Replace(ctx, "lot-1", "blue", log.Person{Name: "Pia", Address: "Pia@play.example"}), "office.gm.has-seen")
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: observe", "address: olga@play.example"), mail.Processed)
	if err := h.office.Clerk().Replace(ctx, "lot-1", "blue", log.Person{Name: "Olga", Address: "olga@play.example"}); err != nil {
		t.Error(err)
	}
}

// Under another spelling of his address nobody sees what is hidden beside his seat: not
// as one who looks on, not as the game master, and not as an administrator.
func TestAnotherSpellingOfAPlayersAddressSeesNothing(t *testing.T) {
	const plain, wire = "b\u00fccher.example", "xn--bcher-kva.example"
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "red@play.example", "red@"+plain, 1))
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: observe", "address: red@"+wire, "view: full"), mail.Rejected)
	if n := len(h.record("lot-1").Observers); n != 0 {
		t.Errorf("%d look on", n)
	}
	plays := newTestOffice(t)
	plays.newGame(strings.NewReplacer("red@play.example", "red@"+plain, gmAt, "red@"+wire).Replace(twoSides))
	plays.write("red@"+wire, command(plays, "lot-1", engine.GM, "command: position"), mail.Rejected)
	if d := game.Partial(plays.record("lot-1"), plays.office.opt.GMs); !d {
		t.Error("nobody is said to look after a game in which he plays")
	}
}

// A game master who takes a seat in his own game does not lock himself and everybody else out
// of it; nor does the last administrator who does not play yet.
func TestNobodyLocksAGameForGood(t *testing.T) {
	ctx := context.Background()
	take := func(h *testOffice, address string) error {
		return h.office.Clerk().Replace(ctx, "lot-1", "red", log.Person{Name: "Gina", Address: address})
	}
	h := newTestOffice(t, func(h *testOffice) { h.opt.GMs = nil })
	h.newGame(twoSides)
	wantRefusal(t, take(h, "GM@club.example"), "office.gm.locks")
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: replace", "side: red", "address: gm@club.example"), mail.Rejected)
	h.says(h.last(gmAt), "gm-plays: open")
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: position"), mail.Processed)

	open := newTestOffice(t, func(h *testOffice) { h.opt.GMs = nil })
	open.newGame(twoSides + "gm-plays: open\n")
	if err := take(open, gmAt); err != nil {
		t.Error(err)
	}
	const ada = "ada@club.example"
	helped := newTestOffice(t, func(h *testOffice) { h.opt.GMs = append(h.opt.GMs, log.Person{Name: "Ada", Address: ada}) })
	helped.newGame(twoSides)
	if err := take(helped, gmAt); err != nil { // Ada looks after it
		t.Error(err)
	}
	wantRefusal(t, helped.office.Clerk().Replace(ctx, "lot-1", "blue", log.Person{Name: "Ada", Address: ada}), "office.gm.locks")
}

// Replacing a player and closing a game are previewed first, and count only with the code of
// exactly that act.
func TestGraveActsAreShownFirst(t *testing.T) {
	ctx := context.Background()
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.flush()
	gm := func(lines ...string) string { return command(h, "lot-1", engine.GM, lines...) }
	was := len(h.kinds("lot-1"))
	bea := []string{"command: replace", "side: blue", "address: bea@play.example", "name: Bea"}
	h.write(gmAt, gm(bea...), mail.Processed)
	l := h.last(gmAt)
	h.says(l, "Nothing has changed yet", "Bea, bea@play.example", "Bruno, blue@play.example", "a new key")
	code := confirmLine.FindString(wordsOf(l))
	h.write(gmAt, gm("command: close", "reason: enough"), mail.Processed)
	l = h.last(gmAt)
	h.says(l, "without a result", "enough")
	shut := confirmLine.FindString(wordsOf(l))
	if code == "" || shut == "" || code == shut {
		t.Fatalf("%q, %q", code, shut)
	}
	for _, other := range [][]string{
		{"command: replace", "side: blue", "address: eve@play.example", "name: Bea", code}, {"command: replace", "side: red", "address: bea@play.example", "name: Bea", code},
		{"command: close", "reason: another", shut}, {"command: close", code}, append(bea[:4:4], "confirm: AAAA-AAAA"),
	} {
		h.write(gmAt, gm(other...), mail.Processed)
		h.says(h.last(gmAt), "does not fit", "Nothing has changed yet")
	}
	h.silent("bea@play.example")
	h.silent("eve@play.example")
	if g := h.record("lot-1"); len(h.kinds("lot-1")) != was || g.Phase != game.Running || g.Seat("blue").Person.Address != blueAt {
		t.Fatalf("%q, %+v", h.kinds("lot-1"), g.Seat("blue").Person)
	}
	// As the letter says, word for word.
	text := wordsOf(h.postLast(gmAt, "Bea, bea@play.example"))
	form := text[strings.Index(text, "    game: lot-1"):]
	form = form[:strings.Index(form, "confirm: ")+len("confirm: AAAA-AAAA")]
	h.write(gmAt, strings.ReplaceAll(form, "    ", "")+"\n", mail.Processed)
	h.says(h.one(h.deliver("bea@play.example")), "stop: 1 bid")
	// The code is used up: Bea has the seat now.
	h.write(gmAt, gm(append(bea[:4:4], code)...), mail.Processed)
	h.says(h.last(gmAt), "does not fit")
	h.silent("bea@play.example")

	p, err := h.office.Clerk().ReplaceIf(ctx, "lot-1", "blue", log.Person{Name: "Cleo", Address: "Cleo@play.example"}, "", false)
	if err != nil || p.Done || p.Code == "" || !strings.Contains(p.Text, "cleo@play.example") {
		t.Fatalf("%+v, %v", p, err)
	}
	if p, err = h.office.Clerk().ReplaceIf(ctx, "lot-1", "blue", log.Person{Name: "Cleo", Address: "Cleo@play.example"}, p.Code, false); err != nil || !p.Done {
		t.Fatalf("%+v, %v", p, err)
	}
	if p, err = h.office.Clerk().CloseIf(ctx, "lot-1", "r", "AAAA-AAAA", true); err != nil || p.Done {
		t.Fatalf("closed with another code: %+v, %v", p, err)
	}
	if p, err = h.office.Clerk().CloseIf(ctx, "lot-1", "r", p.Code, false); err != nil || !p.Done || h.record("lot-1").Phase != game.Closed {
		t.Fatalf("%+v, %v", p, err)
	}
}

// A game master who plays learns nothing from the preview of closing his game, not even that
// the other side has written.
func TestThePreviewOfTheEndTellsNothing(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "gm: {name: Gina, address: gm@club.example}", "gm: {name: Rosa, address: red@play.example}", 1))
	h.flush()
	ask := func() string {
		h.clock.move(3600e9)
		h.write(redAt, command(h, "lot-1", engine.GM, "command: close", "reason: r"), mail.Processed)
		return h.last(redAt).Parts[0].Text
	}
	before := ask()
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	if after := ask(); after != before {
		t.Errorf("before the other side wrote\n%s\nafter\n%s", before, after)
	}
}

// postLast is the newest letter to an address that says something.
func (h *testOffice) postLast(address, says string) *mail.Letter {
	h.Helper()
	h.flush()
	for i := len(h.post.sent) - 1; i >= 0; i-- {
		if p := h.post.sent[i]; p.to == address && strings.Contains(wordsOf(p.letter), says) && strings.Contains(wordsOf(p.letter), "confirm: ") {
			return p.letter
		}
	}
	h.Fatalf("%s got no letter that says %s", address, says)
	return nil
}

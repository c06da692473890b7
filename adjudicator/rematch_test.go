package adjudicator

import (
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/setup"
	"berthier/engine"
	"berthier/mail"
)

// asksAgain sends the command as a player gives it.
func asksAgain(h *testOffice, from string, side engine.Side, want mail.Folder, more ...string) {
	h.Helper()
	h.clock.move(time.Minute)
	h.write(from, command(h, "lot-1", side, append([]string{"command: rematch"}, more...)...), want)
	h.tick()
}

// gameOf finds a game by its id; nil: there is none.
func gameOf(h *testOffice, id string) *game.State {
	h.Helper()
	for _, sum := range h.summaries() {
		if sum == id {
			return h.record(id)
		}
	}
	return nil
}

// When a game is over its players may play it again with sides changed: it begins when all of
// them have asked, once, even if the office dies in between. A wish can be taken back, and
// nobody but the players can have one.
func TestRematch(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: observe", "address: olga@play.example"), mail.Processed)
	asksAgain(h, redAt, "red", mail.Rejected)
	h.says(h.last(redAt), "not over")
	h.play("lot-1", func(engine.Side, *game.Owes) string { return "default" })
	h.says(h.last(redAt), "Play again", "command: rematch")
	h.says(h.last(blueAt), "Giocare ancora", "comando: rivincita")
	for _, stranger := range []string{"olga@play.example", "eve@elsewhere.example"} {
		asksAgain(h, stranger, "red", mail.Rejected)
	}
	asksAgain(h, gmAt, engine.GM, mail.Rejected)
	if h.record("lot-1").Rematch != nil {
		t.Fatal("somebody who does not play has asked for a rematch")
	}

	asksAgain(h, redAt, "red", mail.Processed)
	h.says(h.last(redAt), "The others are asked")
	h.says(h.last(blueAt), "vorrebbe giocare ancora", "comando: rivincita")
	asksAgain(h, redAt, "red", mail.Rejected)
	h.says(h.last(redAt), "already")
	asksAgain(h, redAt, "red", mail.Processed, "cancel: yes")
	asksAgain(h, redAt, "red", mail.Rejected, "cancel: yes")
	asksAgain(h, blueAt, "blue", mail.Processed)
	h.clock.move(game.WishFor + time.Hour)
	asksAgain(h, redAt, "red", mail.Processed) // the other wish holds no longer
	if gameOf(h, "lot-1-again") != nil {
		t.Fatal("a game was made that not both want")
	}

	h.clock.move(time.Minute)
	h.write(blueAt, command(h, "lot-1", "blue", "command: rematch"), mail.Processed)
	h.restart() // before the game is made
	h.tick()
	was, now := h.record("lot-1"), gameOf(h, "lot-1-again")
	if now == nil {
		t.Fatal("both want a rematch, and there is none")
	}
	for side, address := range map[engine.Side]string{"red": blueAt, "blue": redAt} {
		if got := now.Seat(side).Person.Address; got != address {
			t.Errorf("%s plays %s", got, side)
		}
	}
	if was.Rematch.Game != now.ID || now.Again != was.ID || now.GM.Address != gmAt || now.Timing.Zone != was.Timing.Zone || string(now.Seed) == string(was.Seed) {
		t.Errorf("the rematch %+v of %+v", now, was)
	}
	h.says(h.last(redAt), "lot-1-again")
	asksAgain(h, redAt, "red", mail.Rejected)
	h.says(h.last(redAt), "lot-1-again")
	if gameOf(h, "lot-1-again2") != nil {
		t.Error("there are two")
	}
	if v := h.verify(h.export("lot-1", engine.GM)); !v.Sound() || len(v.Differ) > 0 {
		t.Errorf("%+v", v)
	}
}

// A rematch is made once: if the office died after the game was made and before it noted so,
// it knows the game again, and takes no other of that name for it.
func TestRematchIsMadeOnce(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.play("lot-1", func(engine.Side, *game.Owes) string { return "default" })
	h.newGame(strings.Replace(strings.ReplaceAll(twoSides, "lot-1", "lot-1-again"), `seed: "a fixed seed"`, "", 1)) // another game has the name
	for side, address := range map[engine.Side]string{"red": redAt, "blue": blueAt} {
		h.clock.move(time.Minute)
		h.write(address, command(h, "lot-1", side, "command: rematch"), mail.Processed)
	}
	if _, err := (loop{h.office}).again(t.Context(), h.again("lot-1"), "lot-1"); err != nil {
		t.Fatal(err)
	}
	h.restart()
	h.tick()
	if g := h.record("lot-1"); g.Rematch.Game != "lot-1-again2" || gameOf(h, "lot-1-again3") != nil {
		t.Errorf("the rematch is %q", g.Rematch.Game)
	}
}

// A seat's bot is always ready, and moves on by one seat as a player does. Who was replaced has
// left the game, and has no wish in it.
func TestRematchOfThoseWhoAreLeft(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.confirm(gmAt, command(h, "lot-1", engine.GM, "command: replace", "side: blue", "bot: sensible"))
	for range 20 {
		if h.record("lot-1").Phase != game.Running {
			break
		}
		h.tick()
		if o := h.record("lot-1").Seat("red").Owes; o != nil && o.Answer == nil {
			h.clock.move(time.Minute)
			h.write(redAt, fill(h.template(redAt), "default"), mail.Processed)
		}
	}
	asksAgain(h, blueAt, "red", mail.Rejected)
	asksAgain(h, redAt, "red", mail.Processed)
	now := gameOf(h, "lot-1-again")
	if now == nil || now.Seat("blue").Person.Address != redAt || now.Seat("red").Person.Bot == "" {
		t.Errorf("the rematch against a bot is %+v", now)
	}
}

// Who resigned gets the last letter as everybody does: how the game went, thanks, and the lines
// that ask for a rematch; it does not say that he owes anything.
func TestWhoResignedGetsTheLastLetter(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.write(redAt, command(h, "lot-1", "red", "command: resign"), mail.Processed)
	for range 20 {
		if h.record("lot-1").Phase != game.Running {
			break
		}
		if o := h.record("lot-1").Seat("blue").Owes; o != nil && o.Answer == nil {
			h.write(blueAt, fill(h.template(blueAt), "default"), mail.Processed)
		}
		h.clock.move(time.Hour)
		h.tick()
	}
	if h.record("lot-1").Phase != game.Over {
		t.Fatal("the game does not end")
	}
	last := h.last(redAt)
	h.says(last, "game is over", "Thank you", "Play again")
	h.lacks(last, "YOU OWE")
}

// summaries are the ids of all games.
func (h *testOffice) summaries() (all []string) {
	h.Helper()
	list, err := h.office.Clerk().List()
	if err != nil {
		h.Fatal(err)
	}
	for _, sum := range list {
		all = append(all, sum.ID)
	}
	return all
}

// again is the set-up of a game's rematch.
func (h *testOffice) again(id string) (s *setup.Setup) {
	h.Helper()
	err := h.office.look(id, func(tr *transaction) error {
		made, err := tr.past.Made()
		if err == nil {
			s, err = setup.Again(tr.Game, made, id, tr.Rules)
		}
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
	return s
}

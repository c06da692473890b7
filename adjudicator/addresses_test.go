package adjudicator

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"berthier/mail"
)

// The letters of a game come from one address of the office; each address has its part of the games, and a further
// address takes games from the others without changing any game between those.
func TestAddressesOfGames(t *testing.T) {
	with := func(also ...string) *Office {
		return &Office{opt: Options{From: mail.Address{Addr: "orders@club.example"}, Also: also}}
	}
	one, two, three := with(), with("orders-2@club.example"), with("orders-2@club.example", "orders-3@club.example")
	games := map[string]int{}
	for n := range 3000 {
		id := fmt.Sprintf("lot-%d", n)
		if got := one.opt.addressOf(id); got != "orders@club.example" {
			t.Fatalf("the only address is not %s", got)
		}
		before, now := two.opt.addressOf(id), three.opt.addressOf(id)
		if before != now && now != "orders-3@club.example" {
			t.Errorf("%s went from %s to %s", id, before, now)
		}
		games[now]++
	}
	for address, n := range games {
		if n < 900 || n > 1100 {
			t.Errorf("%s has %d of 3000 games", address, n)
		}
	}
	if three.opt.addressOf("") != "orders@club.example" {
		t.Error("letters of no game come from elsewhere")
	}
}

// Letters go out from the address of their game, and what any address of the office has written is known as its own.
func TestLettersFromTheAddressOfTheirGame(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.Also = []string{"orders-2@club.example"} })
	from := map[string]bool{}
	for _, id := range []string{"lot-1", "lot-2", "lot-3", "lot-4", "lot-5", "lot-6"} {
		h.newGame(replaceGame(id))
		h.flush()
		for _, p := range h.post.sent {
			if p.letter.From.Addr != h.office.opt.addressOf(id) {
				t.Errorf("%s: a letter of %s came from %s", id, h.office.opt.addressOf(id), p.letter.From.Addr)
			}
			from[p.letter.From.Addr] = true
			own, err := mail.Read(p.raw, h.office.Own())
			if err != nil || own.Automatic == "" {
				t.Errorf("the office takes a letter of its own for another's: %v", err)
			}
		}
		h.post.sent = nil
	}
	if len(from) != 2 || !slices.Contains(h.office.Own().Addresses, "orders-2@club.example") {
		t.Errorf("letters came from %v", from)
	}
}

func replaceGame(id string) string { return strings.Replace(twoSides, "lot-1", id, 1) }

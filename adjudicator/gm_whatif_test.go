package adjudicator

import (
	"slices"
	"strings"
	"testing"

	"berthier/mail"
)

// A game master tries out a stop by letter: with the orders that he gives for a side, and nothing changes. A player's
// key, no key, and a game master who plays get nothing.
func TestAGameMasterTriesOutAStopByLetter(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.drain()
	before := h.kinds("lot-1")
	h.write(gmAt, h.gm("command: what-if", "side: red", "orders: default"), mail.Processed)
	l := h.last(gmAt)
	h.says(l, "tried out", "nothing has changed", "by your letter", "the default")
	h.write(gmAt, h.gm("command: what-if", "orders: default"), mail.Rejected)
	h.write(gmAt, h.gm("command: what-if", "stop: 99"), mail.Rejected)
	h.write(gmAt, h.gm("command: what-if", "side: red", "orders: [nonsense]"), mail.Rejected)
	h.write(gmAt, h.gm("command: what-if", "result: [x]"), mail.Rejected)
	if now := h.kinds("lot-1"); !slices.Equal(now, before) || h.record("lot-1").Stop != 1 {
		t.Errorf("something has happened: %q", now)
	}
	h.silent(redAt)
	h.silent(blueAt)
	h = newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "gm: {name: Gina, address: gm@club.example}", "gm: {name: Rosa, address: red@play.example}", 1))
	h.drain()
	h.write(redAt, "game: lot-1\nkey: "+h.gmKey("lot-1")+"\ncommand: what-if\n", mail.Rejected)
}

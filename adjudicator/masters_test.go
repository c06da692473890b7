package adjudicator

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"berthier/mail"
)

// A game master writes to all players or to one, even where players may not write to each other; each has it in his
// history.
func TestAGameMasterWritesToPlayers(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides + "press: none\n")
	const id = "lot-1"
	for _, at := range []string{gmAt, redAt, blueAt} {
		h.deliver(at)
	}
	key := fmt.Sprintf("game: %s\nkey: %s\ncommand: press\n", id, h.office.keys.GM(h.record(id)))
	h.write(gmAt, key, mail.Rejected) // nothing is written
	h.write(gmAt, key+"text: |\n  I am away on Sunday.\n", mail.Processed)
	h.says(h.last(redAt), "The game master writes:", "I am away on Sunday.")
	h.says(h.last(blueAt), "L'arbitro scrive:", "I am away on Sunday.")
	h.write(gmAt, key+"side: red\ntext: You alone.\n", mail.Processed)
	h.says(h.last(redAt), "You alone.")
	if len(h.deliver(blueAt)) > 0 {
		t.Error("blue reads what is for red")
	}
	for i, want := range []string{"The game master wrote: You alone.", "L'arbitro ha scritto: I am away on Sunday."} {
		s := h.record(id).Seats[i]
		h.write(s.Person.Address, "game: "+id+"\nkey: "+h.office.keys.Seat(h.record(id), s)+"\ncommand: history\n", mail.Processed)
		told := h.last(s.Person.Address)
		h.says(told, "I am away on Sunday.", want)
		if i == 1 {
			h.lacks(told, "You alone")
		}
	}
}

// A game gets a second game master. The act is previewed; then he has a key of his own, reads what the first
// one reads, and may do what the first one may. Another order hands the game over, and then the first one's key
// opens nothing. No player of the game becomes its master, and nobody does twice.
func TestSeveralGameMasters(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	const id, second, third = "lot-1", "second@club.example", "third@club.example"
	for _, at := range []string{gmAt, redAt, blueAt} {
		h.deliver(at)
	}
	again := func(at string) string { // the file with the code, of the last letter to somebody
		return fmt.Sprintf("game: %s\nkey: %s\n%s", id, h.office.keys.GM(h.record(id)), h.backIn(h.last(at)))
	}
	gm := func(command string) string {
		return fmt.Sprintf("game: %s\nkey: %s\ncommand: %s\n", id, h.office.keys.GM(h.record(id)), command)
	}
	confirmed := func(from, text string) {
		h.Helper()
		h.write(from, text, mail.Processed)
		h.write(from, again(from), mail.Processed)
	}
	for text, why := range map[string]string{
		"co-master\naddress: " + redAt:                  "plays in this game",
		"co-master\naddress: " + gmAt:                   "is named twice",
		"co-master\n":                                   "address",
		"co-master\naddress: " + gmAt + "\ncancel: yes": "at least one game master",
	} {
		h.write(gmAt, gm(text), mail.Rejected)
		h.says(h.last(gmAt), why)
	}
	before := h.umpiresOf(id)
	h.write(gmAt, gm("co-master\naddress: "+second), mail.Processed)
	if got := h.umpiresOf(id); !slices.Equal(got, before) {
		t.Fatalf("a preview has changed the game masters to %v", got)
	}
	h.write(gmAt, again(gmAt), mail.Processed)
	if got := h.umpiresOf(id); !slices.Equal(got, []string{gmAt, second}) {
		t.Fatalf("game masters %v", got)
	}
	own := fmt.Sprintf("game: %s\nkey: %s\n", id, h.office.keys.Master(h.record(id), h.record(id).Also[0]))
	h.says(h.last(second), "You look after this game, too", strings.Fields(own)[3])
	h.says(h.last(redAt), "This game has 2 game masters now")
	h.write(redAt, "game: "+id+"\nkey: "+h.office.keys.Seat(h.record(id), h.record(id).Seats[0])+"\ncommand: resign\n", mail.Processed)
	for _, at := range []string{gmAt, second} { // what waits for a game master comes to both
		if len(h.deliver(at)) == 0 {
			t.Errorf("%s does not learn of it", at)
		}
	}
	h.write(second, own+"command: pause\n", mail.Processed)
	if h.record(id).Paused.IsZero() {
		t.Error("the second game master can't pause the game")
	}
	h.write(gmAt, own+"command: resume\n", mail.Rejected) // it is the other's key
	confirmed(gmAt, gm("hand-over\naddress: "+third))
	if got := h.umpiresOf(id); !slices.Equal(got, []string{third, second}) {
		t.Fatalf("handed over: %v", got)
	}
	h.says(h.last(third), "You look after this game now", h.office.keys.GM(h.record(id)))
	h.says(h.last(gmAt), "You no longer look after this game")
	h.write(second, own+"command: resume\n", mail.Processed) // his key is the same
	confirmed(third, gm("co-master\naddress: "+second+"\ncancel: yes"))
	h.deliver(second)
	h.write(second, own+"command: pause\n", mail.Rejected)
	h.restart()
	if got := h.umpiresOf(id); !slices.Equal(got, []string{third}) || !h.record(id).Paused.IsZero() {
		t.Errorf("in the end %v", got)
	}
}

// A further game master changes his own key, and the first one's stays; who is named again has another key than before.
func TestAFurtherGameMasterChangesHisKey(t *testing.T) {
	const second, third = "second@club.example", "third@club.example"
	h := newTestOffice(t)
	h.newGame(twoSides)
	master := func(at string) string {
		g := h.record("lot-1")
		return h.office.keys.Master(g, *g.Master(at))
	}
	name := func(lines ...string) { h.confirm(gmAt, h.gm(append([]string{"command: co-master"}, lines...)...)) }
	name("address: " + second)
	name("address: " + third)
	first, was, other := h.gmKey("lot-1"), master(second), master(third)
	own := "game: lot-1\nkey: " + was + "\ncommand: "
	h.deliver(gmAt)
	h.deliver(second)
	h.write(second, own+"new-key\n", mail.Processed)
	l := h.one(h.deliver(second))
	if now := master(second); now == was || h.gmKey("lot-1") != first || master(third) != other {
		t.Fatalf("the second's key was %s and is %s, the first's %s and %s, the third's %s and %s", was, now, first, h.gmKey("lot-1"), other, master(third))
	}
	h.says(l, master(second))
	h.lacks(l, first, was)
	for _, l := range h.deliver(gmAt) {
		h.lacks(l, master(second))
	}
	h.write(second, own+"pause\n", mail.Rejected)
	h.restart()
	own = "game: lot-1\nkey: " + master(second) + "\ncommand: "
	h.write(second, own+"pause\n", mail.Processed)
	name("address: "+second, "cancel: yes")
	if master(third) != other {
		t.Error("the third has another key because the second has gone")
	}
	name("address: " + second)
	h.deliver(second)
	h.write(second, own+"resume\n", mail.Rejected)
	h.write(second, "game: lot-1\nkey: "+was+"\ncommand: resume\n", mail.Rejected)
	h.write(second, "game: lot-1\nkey: "+master(second)+"\ncommand: resume\n", mail.Processed)
	if !h.record("lot-1").Paused.IsZero() {
		t.Error("he can't use his key")
	}
}

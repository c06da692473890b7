package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"berthier/mail"
)

// A player may appeal against the last ruling of his game, once. The next umpire of the rota, never the one who
// ruled, is asked, and may overrule it. Nobody appeals who does not play in the game, where nothing was ruled, or
// in another's name.
func TestAnAppeal(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora", "eva"}
	h := aLeague(t, aquila, names...)
	h.enter(names[:4]...)
	h.start()
	id := h.league().Divisions[0].Playing[0]
	g := h.seasonNow().Game(id)
	at := map[string]string{}
	for _, name := range names {
		m, err := h.office.Secretary().ShowMember(name + "@play.example")
		if err != nil {
			t.Fatal(err)
		}
		at[m.ID] = name
	}
	who := at[g.Entries[0]]
	appeal := "command: appeal\nleague: aquila\nabout: " + id + "\nreason: the die was read wrongly\n"
	h.asMember(who+"@play.example", h.keyOf(who), appeal, mail.Rejected) // nothing is ruled
	first := h.umpiresOf(id)
	if len(first) != 1 {
		t.Fatalf("%q", first)
	}
	if _, err := h.office.Clerk().Rule(context.Background(), id, "command: rule\noutcome: draw\nreason: r\n", "", true); err != nil {
		t.Fatal(err)
	}
	h.tick()
	log := h.league().Log
	h.asMember("eva@play.example", h.keyOf("eva"), appeal, mail.Rejected)
	h.asMember(who+"@play.example", h.keyOf(who), strings.Replace(appeal, "reason: the die was read wrongly\n", "", 1), mail.Rejected)
	for _, forged := range [][2]string{{who + "@play.example", h.keyOf("eva")}, {who + "@play.example", ""}, {foeAt, h.keyOf(who)}} {
		if _, err := h.office.Take(context.Background(), h.letter(forged[0], forged[1]+"\n"+appeal)); err != nil {
			t.Fatal(err)
		}
	}
	if h.league().Log != log {
		t.Fatal("who may not has appealed")
	}
	h.asMember(who+"@play.example", h.keyOf(who), appeal, mail.Processed)
	h.tick()
	now := h.umpiresOf(id)
	if len(now) != 2 || now[0] != first[0] || slices.Contains(first, now[1]) {
		t.Fatalf("umpires %q, were %q", now, first)
	}
	told := ""
	for _, l := range h.deliver(now[1]) {
		told += wordsOf(l)
	}
	if !strings.Contains(told, "the die was read wrongly") || !strings.Contains(told, fmt.Sprintf("game %s", id)) {
		t.Errorf("the other umpire is told: %s", told)
	}
	h.asMember(who+"@play.example", h.keyOf(who), appeal, mail.Rejected) // once
	h.verified("aquila")
}

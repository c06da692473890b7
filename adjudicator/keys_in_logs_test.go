package adjudicator

import (
	"fmt"
	"strings"
	"testing"

	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/engine/waterloo"
	"berthier/mail"
)

// hasNo holds that a text stands in no export of a game to these sides.
func (h *testOffice) hasNo(id, what, text string, sides ...engine.Side) {
	h.Helper()
	for _, side := range sides {
		entries := h.export(id, side).Entries
		if len(entries) == 0 {
			h.Errorf("the export of %s is empty", side)
		}
		for _, e := range entries {
			if strings.Contains(e.Body, text) || strings.Contains(e.Private, text) {
				h.Errorf("the export of %s tells %s in entry %d: %s%s", side, what, e.N, e.Body, e.Private)
			}
		}
	}
}

// Whoever writes for a side, no export tells anybody the key with which he proved who he is.
func TestNoExportTellsAKey(t *testing.T) {
	for _, c := range []struct {
		name string
		key  func(h *match) (from, key string)
	}{
		{"the office's", func(h *match) (string, string) { return gmAt, h.officeKey(gmAt) }},
		{"a further game master's", func(h *match) (string, string) {
			const second = "second@club.example"
			g := h.record(h.id)
			h.confirm(g.GM.Address, fmt.Sprintf("game: %s\nkey: %s\ncommand: co-master\naddress: %s\n", h.id, h.office.keys.GM(g), second))
			g = h.record(h.id)
			return second, h.office.keys.Master(g, g.Also[0])
		}},
		{"the game master's", func(h *match) (string, string) {
			g := h.record(h.id)
			return g.GM.Address, h.office.keys.GM(g)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := sit(t, waterloo.New(), "scenario-length: quick", []string{"french", "anglo"}, masterOfHisOwn)
			from, key := c.key(h)
			h.write(from, "game: "+h.id+"\nkey: "+key+"\nside: anglo\nnote: by "+key+"\nstanding: {battle: {default: none}}\n", mail.Processed)
			if _, err := h.office.Clerk().CloseIf(t.Context(), h.id, "enough", "", true); err != nil {
				t.Fatal(err)
			}
			h.hasNo(h.id, "the key", key, "french", "anglo", engine.GM)
		})
	}
}

func TestANoteTellsNoKey(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	k := key(h, "lot-1", "red")
	h.write(redAt, fill(h.template(redAt), "{bid: R-3}", "note: my key is "+k), mail.Processed)
	h.play("lot-1", h.anyUnit("lot-1"))
	h.hasNo("lot-1", "the key", k, engine.GM, "red", "blue")
}

// Of a file with standing orders everybody reads at the end the orders, by which the game is played again, and nothing else that
// its player wrote: neither a note, nor a remark, nor his letter's Message-ID. He himself and the game master read all of it.
func TestOfStandingOrdersOthersReadTheOrdersAlone(t *testing.T) {
	h := sit(t, waterloo.New(), "scenario-length: quick", []string{"french", "anglo"}, masterOfHisOwn)
	g := h.record(h.id)
	french := g.Seat("french")
	file := "game: " + h.id + "\nkey: " + h.office.keys.Seat(g, french) + "\nside: french\nnote: he bluffs # and badly\nstanding: {battle: {default: none}} # as always\n"
	l := h.letter("french@play.example", file)
	h.take(l, mail.Processed)
	h.write(gmAt, "game: "+h.id+"\nkey: "+h.office.keys.GM(g)+"\nside: anglo\nnote: he is on the train\nstanding: {battle: {default: none}}\n", mail.Processed)
	if _, err := h.office.Clerk().CloseIf(t.Context(), h.id, "enough", "", true); err != nil {
		t.Fatal(err)
	}
	hidden := []string{"bluffs", "badly", "as always", l.MessageID}
	for _, text := range hidden {
		h.hasNo(h.id, text, text, "anglo")
	}
	h.hasNo(h.id, "the game master's note", "on the train", "french", "anglo")
	for _, side := range []engine.Side{"french", "anglo", engine.GM} {
		x := h.export(h.id, side)
		if v := h.verify(x); v.Verdict() == verify.Broken {
			t.Errorf("the export of %s: %+v", side, v)
		}
		var all string
		for _, e := range x.Entries {
			all += e.Body + e.Private
		}
		if !strings.Contains(all, `standing: {battle: {default: none}}`) {
			t.Errorf("the export of %s lacks the standing orders", side)
		}
		for _, text := range hidden {
			if side != "anglo" && !strings.Contains(all, text) {
				t.Errorf("the export of %s lacks %q", side, text)
			}
		}
	}
}

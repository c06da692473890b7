package adjudicator

import (
	"context"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/ruling"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
)

// A game master who previews one ruling after another until the dice please him is found out
// even if he confirms none of them: the last report says, in the reader's language, how often
// he looked, and the log that comes with it has each preview with the result that he tried.
func TestPreviewsShowWhenTheGameIsOver(t *testing.T) {
	withoutRace(t)
	for _, end := range []string{"over", "closed"} {
		h := fiveRounds(t)
		_, was := h.resolutions("lot-1")
		for result := 1; result <= 6; result++ {
			if result != was[0].Rolls[0].Result {
				h.ask(mail.Processed, "command: rule", "stop: 1", "roll: 1", "result: "+string(rune('0'+result)), "reason: which one is best")
			}
		}
		for _, l := range append(h.deliver(redAt), h.deliver(blueAt)...) {
			h.lacks(l, "looked at the outcome", "ha guardato in anticipo")
		}
		if end == "closed" {
			h.deliver(gmAt)
			h.confirm(gmAt, command(h, "lot-1", engine.GM, "command: close", "reason: enough"))
		} else {
			h.play("lot-1", h.anyUnit("lot-1"))
		}
		h.says(h.last(redAt), "The game master looked at the outcome of 5 rulings in advance; they are in the log.")
		h.says(h.last(blueAt), "L'arbitro ha guardato in anticipo l'effetto di 5 decisioni; sono nel registro.")
		for _, side := range []engine.Side{"red", "blue"} {
			tried := map[int]bool{}
			for _, e := range h.export("lot-1", side).Entries {
				var p ruling.Previewed
				if read, err := log.Decode([]byte(e.Body), &p); err == nil && read.Kind == log.KindPreview {
					tried[p.Act.Result] = true
				}
			}
			if len(tried) != 5 {
				t.Errorf("%s reads of %d tries in the log of a game that is %s, not of five", side, len(tried), end)
			}
		}
	}
}

// Everything that a game master did through the office stands in the log that the players get
// when the game is over, except the words of letters between players and the players' own
// files. No address stands in what the players read of it.
func TestActsOfTheMasterShowWhenTheGameIsOver(t *testing.T) {
	h := longGame(t)
	for _, lines := range []string{
		"command: pause\nreason: a fair", "command: resume", "command: extend\nby: 2d", "command: remind", "command: new-key\nside: blue",
		"command: observe\naddress: lurker@elsewhere.example\nview: full",
	} {
		h.ask(mail.Processed, lines)
	}
	h.confirm(gmAt, command(h, "lot-1", engine.GM, "command: replace\nside: blue\naddress: third@elsewhere.example"))
	h.play("lot-1", h.anyUnit("lot-1"))
	var acts []string
	h.store.Read(context.Background(), func(tx store.Reader) error {
		return tx.Entries("lot-1", 1, func(e chain.Entry) error {
			if read, err := log.Decode(e.Body, nil); err == nil && read.By == log.ByGM {
				acts = append(acts, read.Kind)
			}
			return nil
		})
	})
	for _, kind := range []string{log.KindPaused, log.KindResumed, log.KindExtended, log.KindReminded, log.KindKey, log.KindObserver, log.KindReplaced} {
		if !slices.Contains(acts, kind) {
			t.Errorf("the log has no act %s: %q", kind, acts)
		}
	}
	var shown []string
	for _, e := range h.export("lot-1", "red").Entries {
		if read, err := log.Decode([]byte(e.Body), nil); err == nil && read.By == log.ByGM {
			shown = append(shown, read.Kind)
		}
		if strings.Contains(e.Body+e.Private, "elsewhere.example") {
			t.Errorf("red reads an address in entry %d: %s", e.N, e.Body)
		}
	}
	if !slices.Equal(acts, shown) {
		t.Errorf("red reads of the acts %q, the log has %q", shown, acts)
	}
	h.sound()
}

package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

// samToo is the league whose secretaries are sam, who does not play, and ada, who does.
var samToo = strings.Replace(aquila, "[secretary@club.example]", "[sam@play.example, ada@play.example]", 1)

// secretary sends what a secretary wants, and then the letter that confirms it. It gives the preview.
func (h *testOffice) secretary(name, lines string) *mail.Letter {
	h.Helper()
	at := name + "@play.example"
	h.asMember(at, h.keyOf(name), "command: secretary\nleague: aquila\n"+lines, mail.Processed)
	shown := h.last(at)
	h.says(shown, "Nothing has changed yet")
	h.asMember(at, h.keyOf(name), h.backIn(shown), mail.Processed)
	return shown
}

// A secretary leads a season by letter: each act is shown first, with the places that it changes, and counts with the
// code, as long as nothing else has happened. Faults are told at their keys, all at once.
func TestASecretaryWritesLetters(t *testing.T) {
	h := aLeague(t, samToo, "ada", "bea", "cara", "dora", "sam")
	sam := "sam@play.example"
	h.enter("ada", "bea", "cara", "dora")
	for _, lines := range []string{"", "act: dance\n", "act: forfeit\n", "act: extend\nuntil: soon\nreason: r\n", "act: admit\nmembers: [M-0099]\n", "act: start\n", "act: cancel\nabout: aquila-9-9-9\nreason: r\n",
		"act: end\n", "act: announce\n", "act: withdraw\nmembers: [M-0099]\n", "act: extend\nuntil: 2026-05-01\nreason: r\n"} {
		h.asMember(sam, h.keyOf("sam"), "command: secretary\nleague: aquila\n"+lines, mail.Rejected)
		h.deliver(sam)
	}
	before := h.league().Log
	h.secretary("sam", "act: close\n")
	h.secretary("sam", "act: start\n")
	h.tick()
	if v := h.league(); v.Phase != "running" || len(v.Divisions[0].Playing) == 0 || v.Log <= before {
		t.Fatalf("%+v", v)
	}
	id := h.league().Divisions[0].Playing[0]
	g := h.seasonNow().Game(id)
	for _, lines := range []string{"act: forfeit\nmembers: [M-0005]\nreason: r\nabout: " + id, "act: overrule\nreason: r\nabout: " + id, "act: stand\nreason: r\nabout: " + id, "act: correct\nreason: r\nabout: " + id,
		"act: extend\nuntil: 2026-03-03\nreason: r", "act: start", "act: close", "act: open", "act: announce", "act: end", "act: admit\nmembers: [M-0001]", "act: cancel\nabout: " + id} {
		h.asMember(sam, h.keyOf("sam"), "command: secretary\nleague: aquila\n"+lines+"\n", mail.Rejected)
		h.deliver(sam)
	}
	forfeit := fmt.Sprintf("act: forfeit\nabout: %s\nmembers: [%s]\nreason: no answer\n", id, strings.ToLower(g.Entries[0]))
	h.asMember(sam, h.keyOf("sam"), "command: secretary\nleague: aquila\n"+forfeit, mail.Processed)
	shown := h.last(sam)
	h.says(shown, "Nothing has changed yet", id, g.Entries[0], "becomes")
	confirm := h.backIn(shown)
	log := h.league().Log
	for _, wrong := range []string{strings.Replace(confirm, g.Entries[0], g.Entries[1], 1), confirm[:strings.Index(confirm, "confirm")] + "confirm: AAAA-BBBB\n"} {
		h.asMember(sam, h.keyOf("sam"), wrong, mail.Processed)
		h.says(h.last(sam), "Nothing has changed yet")
	}
	if h.league().Log != log {
		t.Fatal("another code counts")
	}
	h.asMember(sam, h.keyOf("sam"), confirm, mail.Processed)
	h.says(h.last(sam), "Done")
	h.tick()
	if v := h.league(); v.Divisions[0].Decided != 1 {
		t.Errorf("%s", standings(v))
	}
	log = h.league().Log
	h.asMember(sam, h.keyOf("sam"), confirm, mail.Processed) // the code is used up
	if h.says(h.last(sam), "Nothing has changed yet"); h.league().Log != log {
		t.Error("one code counts twice")
	}
	h.secretary("sam", fmt.Sprintf("act: overrule\nabout: %s\nreason: mine\n", id))
	until := h.seasonNow().Until.Add(20 * 24 * time.Hour).Format(time.DateOnly)
	h.secretary("sam", "act: extend\nuntil: "+until+"\nreason: summer\n")
	if now := h.seasonNow().Until.Format(time.DateOnly); now != until {
		t.Errorf("the season lasts until %s, not %s", now, until)
	}
	h.verified("aquila")
}

// Only secretaries act for a league by letter. Nothing comes of letters by a member; by somebody who writes
// from a secretary's address without his key or with another's; by a secretary who would gain by
// the act; or with a code that somebody else was sent.
func TestForgedLettersOfSecretaries(t *testing.T) {
	h := aLeague(t, samToo, "ada", "bea", "cara", "dora", "sam")
	h.enter("ada", "bea", "cara", "dora")
	h.start()
	id := h.league().Divisions[0].Playing[0]
	g := h.seasonNow().Game(id)
	acts := map[string]string{}
	for _, act := range actsByLetter() {
		acts[act] = fmt.Sprintf("act: %s\nabout: %s\nmembers: [%s]\nuntil: 2029-01-01\nreason: r\n", act, id, g.Entries[0])
	}
	h.asMember("sam@play.example", h.keyOf("sam"), "command: secretary\nleague: aquila\n"+acts["forfeit"], mail.Processed)
	code := confirmLine.FindString(wordsOf(h.last("sam@play.example")))
	before := h.league().Log
	for _, act := range actsByLetter() {
		for _, with := range []string{"", "confirm: AAAA-BBBB\n", code + "\n"} {
			for _, who := range [][2]string{{"bea@play.example", h.keyOf("bea")}, {"sam@play.example", ""}, {"sam@play.example", "key: ABCD-EFGH"}, {"sam@play.example", h.keyOf("bea")}, {foeAt, h.keyOf("sam")}} {
				h.clock.move(time.Minute)
				if _, err := h.office.Take(context.Background(), h.letter(who[0], who[1]+"\ncommand: secretary\nleague: aquila\n"+acts[act]+with)); err != nil {
					t.Fatal(err)
				}
				if slices.ContainsFunc(h.deliver(who[0]), func(l *mail.Letter) bool { return strings.Contains(wordsOf(l), "Nothing has changed yet") }) {
					t.Errorf("%s is shown what %s would do", who[0], act)
				}
			}
		}
	}
	for _, act := range []string{"forfeit", "cancel", "withdraw"} { // ada plays in that division
		if !slices.Contains(g.Entries, "M-0001") || act != "withdraw" {
			h.asMember("ada@play.example", h.keyOf("ada"), "command: secretary\nleague: aquila\n"+acts[act]+code+"\n", mail.Rejected)
		}
	}
	rival := strings.Replace(acts["withdraw"], g.Entries[0], "M-0003", 1)
	h.asMember("ada@play.example", h.keyOf("ada"), "command: secretary\nleague: aquila\n"+rival, mail.Rejected)
	if now := h.league().Log; now != before {
		t.Errorf("the log has grown from %d to %d", before, now)
	}
}

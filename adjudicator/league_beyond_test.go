package adjudicator

import (
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/mail"
)

// A secretary has the log of his league sent to him, as everybody may read it: it is checked without the office, and has no
// address, no reason and no seed of a season that is not over. It changes nothing.
func TestALeagueIsExportedByLetter(t *testing.T) {
	withoutRace(t)
	h := aLeague(t, samToo, "ada", "bea", "sam")
	h.enter("ada", "bea")
	h.start()
	h.deliver("sam@play.example")
	before := h.league().Log
	h.asMember("sam@play.example", h.keyOf("sam"), "command: secretary\nleague: aquila\nact: export\n", mail.Processed)
	l := h.one(h.deliver("sam@play.example"))
	at := slices.IndexFunc(l.Parts, func(p mail.Part) bool { return p.Name == "aquila.yaml" })
	if at < 0 || h.league().Log != before {
		t.Fatalf("the letter has no file, or the log has grown: %s", wordsOf(l))
	}
	text := l.Parts[at].Text
	x, err := log.ReadExport([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	v, err := verify.League(x, nil, []engine.Ruleset{h.rules})
	if err != nil || v.Lost() {
		t.Errorf("%+v, %v", v, err)
	}
	for _, secret := range []string{"@play.example", "@club.example", h.seed()} {
		if strings.Contains(text, secret) {
			t.Errorf("everybody reads %s", secret)
		}
	}
}

// seed is the secret seed of the season's lots.
func (h *testOffice) seed() (seed string) {
	h.must("", leagues{h.office}.look("aquila", func(b *openBook) error { seed = b.Seed.String(); return nil }))
	return seed
}

// A secretary has a member forgotten who has asked for it: shown first, with what it reaches; done when the code comes back, even if
// the office dies in between. It is refused for who takes part still, for who has entered another league, for himself, and for whom
// the secretary plays with; and the tables and the chain stay.
func TestAMemberIsForgottenByLetter(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "sam"}
	h := aLeague(t, samToo, names...)
	h.enter("ada", "bea", "cara")
	h.start()
	text := func(id string) string {
		return "command: secretary\nleague: aquila\nact: forget\nmembers: [" + id + "]\nreason: she has asked for it\n"
	}
	as := func(who, text string, want mail.Folder) *mail.Letter {
		t.Helper()
		h.clock.move(time.Minute)
		h.asMember(who+"@play.example", h.keyOf(who), text, want)
		return h.last(who + "@play.example")
	}
	h.says(as("sam", text("M-0003"), mail.Rejected), "games that are being played")
	for _, id := range h.league().Divisions[0].Playing {
		h.playOut(id)
		h.tick()
	}
	h.says(as("sam", text("M-0003"), mail.Rejected), "withdrawn from the season")
	h.says(as("sam", text("M-0004"), mail.Rejected), "himself")
	h.clock.move(finalAfter)
	h.tick()
	h.must(h.office.Secretary().End(t.Context(), "aquila"))
	as("ada", text("M-0003"), mail.Rejected) // she plays with her, and leads nothing
	h.says(as("sam", text("M-0009"), mail.Rejected), "has not entered this league")
	tables := func() string {
		v := h.league()
		if len(v.Divisions) == 0 { // the next season is announced by itself
			v.Divisions = v.Last
		}
		return standings(v)
	}
	was := tables()
	shown := as("sam", text("M-0003"), mail.Processed)
	h.says(shown, "for good", "M-0003")
	if m, err := h.office.Secretary().ShowMember("M-0003"); err != nil || m.Forgotten {
		t.Fatalf("she is forgotten by being looked at: %+v, %v", m, err)
	}
	as("sam", text("M-0003")+confirmLine.FindString(wordsOf(shown))+"\n", mail.Processed)
	h.restart()
	for range 3 {
		h.tick()
	}
	m, err := h.office.Secretary().ShowMember("M-0003")
	if err != nil || !m.Forgotten || tables() != was {
		t.Errorf("%+v, %v; the table was %s and is %s", m, err, was, tables())
	}
	if !slices.ContainsFunc(h.deliver("sam@play.example"), func(l *mail.Letter) bool { return strings.Contains(wordsOf(l), "M-0003 is forgotten") }) {
		t.Error("the secretary is not told that it is done")
	}
	h.verified("aquila")
}

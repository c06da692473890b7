package adjudicator

import (
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

// twoSecretaries is a league with two secretaries, of whom one plays.
var twoSecretaries = strings.NewReplacer("secretaries: [secretary@club.example]", "secretaries: [secretary@club.example, ada@play.example, sam@play.example]", "deadlines: {brisk: 2d, steady: 4d}", "deadlines: {brisk: 60d, steady: 90d}").Replace(aquila)

// A member whom a secretary has taken out takes part again once another one has taken that back: before play begins, and while it
// goes on. His results count as before, sides of his that were offered to others are his, and the log holds. Who withdrew
// himself is not brought back, and who plays in the division brings nobody back.
func TestWhoWasTakenOutIsReinstated(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, twoSecretaries, append(names, "sam")...)
	h.enter(names...)
	ruling := func(by, overrules, kind string, of ...string) LeagueRuling {
		return LeagueRuling{Kind: kind, Overrules: overrules, By: by, Of: of, Reason: "r"}
	}
	expect := func(r LeagueRuling, want string) {
		t.Helper()
		if got := h.ruled(r); got != want {
			t.Errorf("%s %s of %v by %s: %q, not %q", r.Kind, r.Overrules, r.Of, r.By, got, want)
		}
	}
	expect(ruling(secretaryAt, "", "withdraw", "M-0003"), "")
	if v := h.league(); len(v.Entries) != 3 {
		t.Fatalf("%v take part", v.Entries)
	}
	expect(ruling("sam@play.example", "withdraw", "overrule", "M-0003"), "")
	expect(ruling("sam@play.example", "withdraw", "overrule", "M-0003"), "league.decide.not-taken-out")
	h.says(h.last("cara@play.example"), "taken back that you were taken out")
	h.start()
	v := h.league()
	for _, id := range v.Divisions[0].Playing[:2] {
		h.playOut(id)
		h.tick()
	}
	was := standings(h.league())
	expect(ruling("sam@play.example", "", "withdraw", "M-0004"), "")
	h.tick()
	if got := standings(h.league()); got == was {
		t.Error("nothing has changed by a withdrawal")
	}
	expect(ruling("ada@play.example", "withdraw", "overrule", "M-0004"), "league.stake")
	before := h.league().Log
	h.asMember("ada@play.example", h.keyOf("ada"), "command: secretary\nleague: aquila\nact: overrule\noverrules: withdraw\nmembers: [M-0004]\nreason: r\n", mail.Rejected)
	if h.league().Log != before {
		t.Error("a secretary who plays there has brought somebody back")
	}
	expect(ruling(secretaryAt, "withdraw", "overrule", "M-0004"), "")
	if got := standings(h.league()); got != was || slices.Contains(h.league().Withdrawn, "M-0004") {
		t.Errorf("the table was %s and is %s", was, got)
	}
	h.asMember("bea@play.example", h.keyOf("bea"), "command: withdraw\nleague: aquila\n", mail.Processed)
	expect(ruling(secretaryAt, "withdraw", "overrule", "M-0002"), "league.decide.not-taken-out")
	h.restart()
	h.verified("aquila")
	if x, err := h.office.Secretary().ExportLeague("aquila", true); err != nil {
		t.Error(err)
	} else {
		for _, e := range x.Entries {
			if strings.Contains(e.Body, `"reversed"`) && (strings.Contains(e.Body, "sam@") || strings.Contains(e.Body, `"r"`)) {
				t.Errorf("everybody reads who has taken it back, or why: %s", e.Body)
			}
		}
	}
}

// More time for the season, more time for a game, and the dismissal of a protest are taken back, by letter and on the command
// line; and only by those who may decide about them.
func TestWhatASecretaryHasDoneIsTakenBack(t *testing.T) {
	withoutRace(t)
	h := aLeagueOf(t, twoSecretaries, map[string]string{"lots.yaml": "options: {rounds: 3}\n"}, "ada", "bea", "cara", "sam")
	h.enter("ada", "bea", "cara")
	h.start()
	id := h.league().Divisions[0].Playing[0]
	until := h.seasonNow().Until
	expect := func(r LeagueRuling, want string) {
		t.Helper()
		r.Reason = "r"
		if got := h.ruled(r); got != want {
			t.Errorf("%s %s about %q by %s: %q, not %q", r.Kind, r.Overrules, r.Game, r.By, got, want)
		}
	}
	byLetter := func(text string) {
		t.Helper()
		text = "command: secretary\nleague: aquila\nreason: r\n" + text
		h.asMember("sam@play.example", h.keyOf("sam"), text, mail.Processed)
		code := confirmLine.FindString(wordsOf(h.last("sam@play.example")))
		h.asMember("sam@play.example", h.keyOf("sam"), text+code+"\n", mail.Processed)
		h.says(h.last("sam@play.example"), "Done: overrule")
	}
	expect(LeagueRuling{Kind: "overrule", Overrules: "extend", By: secretaryAt}, "league.decide.not-extended")
	expect(LeagueRuling{Kind: "extend", Until: until.Add(50 * 24 * time.Hour), By: secretaryAt}, "")
	expect(LeagueRuling{Kind: "overrule", Overrules: "extend", By: "ada@play.example"}, "league.dates.stake")
	byLetter("act: overrule\noverrules: extend\n")
	if got := h.seasonNow().Until; !got.Equal(until) {
		t.Errorf("the season ends %s, not %s", got, until)
	}
	h.says(h.last("bea@play.example"), "is extended no longer")

	expect(LeagueRuling{Kind: "overrule", Overrules: "extend", Game: id, By: secretaryAt}, "league.decide.not-prolonged")
	expect(LeagueRuling{Kind: "extend", Game: id, By: secretaryAt}, "")
	expect(LeagueRuling{Kind: "overrule", Overrules: "extend", Game: id, By: "ada@play.example"}, "league.stake")
	expect(LeagueRuling{Kind: "overrule", Overrules: "extend", Game: id, By: secretaryAt}, "")
	if g := h.seasonNow().Game(id); !g.Until.IsZero() {
		t.Errorf("the game is played until %s", g.Until)
	}

	who := []string{"ada", "bea", "cara"}[h.seasonNow().Game(id).Entries[0][5]-'1']
	h.asMember(who+"@play.example", h.keyOf(who), "command: protest\nleague: aquila\nabout: "+id+"\nreason: not so\n", mail.Processed)
	expect(LeagueRuling{Kind: "overrule", Overrules: "dismiss", Game: id, By: secretaryAt}, "league.decide.not-dismissed")
	expect(LeagueRuling{Kind: "dismiss", Game: id, By: secretaryAt}, "")
	expect(LeagueRuling{Kind: "overrule", Overrules: "dismiss", Game: id, By: "ada@play.example"}, "league.stake")
	byLetter("act: overrule\noverrules: dismiss\nabout: " + id + "\n")
	if !slices.Contains(h.league().Protests, id) {
		t.Error("the protest waits no more")
	}
	h.says(h.last(who+"@play.example"), "waits for an answer again")
	expect(LeagueRuling{Kind: "overrule", Overrules: "merge", Game: id, By: secretaryAt}, "league.act.needs-overrules")
	expect(LeagueRuling{Kind: "overrule", Overrules: "withdraw", By: secretaryAt}, "league.act.needs-overrules")
}

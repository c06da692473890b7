package adjudicator

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/mail"
)

// ruled gives the code of the refusal of what somebody wants to decide; "": he is not refused.
func (h *testOffice) ruled(r LeagueRuling) string {
	h.Helper()
	r.Reason = "r"
	_, err := h.office.Secretary().Rule(context.Background(), "aquila", r, "", true)
	var refused *game.RefusedError
	if errors.As(err, &refused) {
		return refused.Why.Code
	}
	if err != nil {
		h.Fatal(err)
	}
	return ""
}

// A secretary who favours a friend decides nothing in a division in which his family plays, whatever he tries, nor does an
// umpire agree there as the second person. Of the two one has said that they are family; it may be the other one, and
// after the games were made. Somebody else decides.
func TestASecretaryWhoFavoursAFriend(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora"}
	text := strings.NewReplacer("[secretary@club.example]", "[secretary@club.example, sam@play.example]", "of: [gm@club.example", "of: [uma@play.example, gm@club.example").Replace(aquila)
	h := aLeague(t, text, append(names, "sam", "uma")...)
	h.enter(names...)
	h.start()
	games := h.league().Divisions[0].Playing
	h.playOut(games[0])
	h.tick()
	h.clock.move(finalAfter)
	h.tick()
	h.rewind(games[0])                                                                                      // so that there is something to be settled, too
	h.asMember("cara@play.example", h.keyOf("cara"), "command: member\nfamily: [M-0005]\n", mail.Processed) // sam
	h.asMember("uma@play.example", h.keyOf("uma"), "command: member\nfamily: [M-0002]\n", mail.Processed)   // bea
	for _, id := range games {
		sides := h.seasonNow().Game(id).Entries
		h.deliver("sam@play.example")
		h.deliver(secretaryAt)
		name := names[sides[0][len(sides[0])-1]-'1']
		if h.seasonNow().Game(id).Final {
			continue
		}
		h.asMember(name+"@play.example", h.keyOf(name), "command: protest\nleague: aquila\nabout: "+id+"\nreason: r\n", mail.Processed)
		h.silent("sam@play.example")
		h.says(h.one(h.deliver(secretaryAt)), id)
	}
	before := h.league().Log
	for _, id := range games {
		for _, kind := range []string{"forfeit", "cancel", "overrule", "correct", "stand", "dismiss", "import", "extend"} {
			r := LeagueRuling{Kind: kind, Game: id, By: "sam@play.example"}
			if kind == "forfeit" {
				r.Of = []string{"M-0001"}
			}
			if got := h.ruled(r); got != "league.stake-family" {
				t.Errorf("%s of %s by family: %q", kind, id, got)
			}
			r.By = "uma@play.example"
			if got := h.ruled(r); (kind == "correct" || kind == "stand") && got != "league.stake-family" || got != "league.stake-family" && got != "league.no-secretary" {
				t.Errorf("%s of %s by an umpire who is family: %q", kind, id, got)
			}
		}
		h.asMember("sam@play.example", h.keyOf("sam"), "command: secretary\nleague: aquila\nact: cancel\nabout: "+id+"\nreason: r\n", mail.Rejected)
	}
	if got := h.ruled(LeagueRuling{Kind: "withdraw", Of: []string{"M-0001"}, By: "sam@play.example"}); got != "league.stake-family" {
		t.Errorf("a rival of family is taken out: %q", got)
	}
	h.asMember("sam@play.example", h.keyOf("sam"), "command: secretary\nleague: aquila\nact: merge\nmembers: [M-0001, M-0002]\nreason: r\n", mail.Rejected)
	if now := h.league().Log; now != before {
		t.Fatalf("the log has grown from %d to %d", before, now)
	}
	if got := h.ruled(LeagueRuling{Kind: "cancel", Game: games[1], By: secretaryAt}); got != "" {
		t.Errorf("who has no stake can't decide: %q", got)
	}
}

// A secretary who takes part in a season gives it no other dates; another one does.
func TestASecretaryGivesHisOwnSeasonNoOtherDates(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora"}
	text := strings.NewReplacer("[secretary@club.example]", "[secretary@club.example, ada@play.example]", "enter-until: 2026-03-05", "enter-until: 2026-03-05, length: 4w").Replace(aquila)
	h := aLeague(t, text, names...)
	h.enter(names...)
	twice := func(r LeagueRuling) {
		t.Helper()
		before := h.league().Log
		r.By = "ada@play.example"
		if got := h.ruled(r); got != "league.dates.stake" || h.league().Log != before {
			t.Errorf("%s by who takes part: %q", r.Kind, got)
		}
		h.asMember(r.By, h.keyOf("ada"), "command: secretary\nleague: aquila\nreason: r\nact: "+r.Kind+"\nuntil: "+r.Until.Format(time.DateOnly)+"\n", mail.Rejected)
		r.By = secretaryAt
		if got := h.ruled(r); got != "" {
			t.Errorf("%s by who does not: %q", r.Kind, got)
		}
	}
	twice(LeagueRuling{Kind: "postpone", Until: time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)})
	h.start()
	twice(LeagueRuling{Kind: "extend", Until: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)})
}

// A player says after the draw that the umpire of his game is family: the umpire rules no more, whatever he tries, and is told to
// give the game back. The next one may rule.
func TestAnUmpireWhoGainsRulesNoMore(t *testing.T) {
	h := rotaLeague(t, "cara@play.example, gm@club.example", "ada", "bea", "cara")
	h.enter("ada", "bea")
	h.start()
	id := h.league().Divisions[0].Playing[0]
	if got := h.umpiresOf(id); !slices.Equal(got, []string{"cara@play.example"}) {
		t.Fatalf("umpires %v", got)
	}
	as := func(from, text string, want mail.Folder) string {
		t.Helper()
		h.clock.move(2 * time.Hour)
		h.deliver(from)
		h.write(from, "game: "+id+"\nkey: "+h.office.keys.GM(h.record(id))+"\n"+text, want)
		return wordsOf(h.last(from))
	}
	as("cara@play.example", "command: show\n", mail.Processed)
	h.asMember("ada@play.example", h.keyOf("ada"), "command: member\nfamily: [M-0003]\n", mail.Processed)
	end := func() (seq uint64) {
		h.must("", h.office.read(func(tx store.Reader) error { seq = tx.Last(id).Seq; return nil }))
		return seq
	}
	for _, text := range []string{"command: rule\nwinners: [red]\nreason: r\n", "command: rewind\nreason: r\n", "command: process\n", "command: show\n", "side: red\nstop: 1\norders: default\n"} {
		before := end()
		if got := as("cara@play.example", text, mail.Rejected); !strings.Contains(got, "ou gain or lose by this game") || !strings.Contains(got, "hand-over") || end() != before {
			t.Errorf("%q is answered by %s", text, got)
		}
	}
	as("cara@play.example", "command: hand-over\n", mail.Processed)
	h.tick()
	h.tick()
	if got := h.umpiresOf(id); !slices.Equal(got, []string{gmAt}) {
		t.Fatalf("umpires %v", got)
	}
	as(gmAt, "command: show\n", mail.Processed)
}

// Family that is declared after the draw: the next umpire of the rota has the game by itself, and the secretaries are told who has
// said so; where nobody else may rule the umpire keeps it, they read so at once and each week, and he still rules on nothing.
func TestFamilyDeclaredAfterTheDraw(t *testing.T) {
	for _, c := range []struct{ rota, want, says string }{
		{"cara@play.example, gm@club.example", gmAt, "The next umpire has the game"},
		{"cara@play.example", "cara@play.example", "Nobody else may rule on it"},
	} {
		for _, who := range []string{"ada", "cara"} { // of two, one is enough
			h := rotaLeague(t, c.rota, "ada", "bea", "cara")
			h.enter("ada", "bea")
			h.start()
			id := h.league().Divisions[0].Playing[0]
			h.deliver(secretaryAt)
			h.asMember(who+"@play.example", h.keyOf(who), "command: member\nfamily: ["+map[string]string{"ada": "M-0003", "cara": "M-0001"}[who]+"]\n", mail.Processed)
			h.restart() // the office dies before the league has heard of it
			for range 3 {
				h.tick()
			}
			if got := h.umpiresOf(id); !slices.Equal(got, []string{c.want}) {
				t.Errorf("umpires %v after %s has declared family", got, who)
			}
			h.says(h.one(h.deliver(secretaryAt)), c.says, id)
			h.tick()
			if again := h.deliver(secretaryAt); len(again) > 0 {
				t.Errorf("the secretary is told once more: %s", wordsOf(again[0]))
			}
			must := leagues{h.office}.look("aquila", func(b *openBook) error {
				alone, err := leagues{h.office}.withoutUmpire(b)
				if slices.Contains(alone, id) != (c.want != gmAt) {
					t.Errorf("without an umpire: %v", alone)
				}
				return err
			})
			h.must("", must)
		}
	}
}

// An umpire or administrator who gains by a game does on the command line no more than by letter: whoever makes a ruling there, or asks
// for something hidden, must name one who does not. That one is told, and all players.
func TestAnUmpireWhoGainsRulesNotOnTheCommandLine(t *testing.T) {
	h := rotaLeague(t, "cara@play.example", "ada", "bea", "cara")
	h.opt.GMs = append(h.opt.GMs, log.Person{Address: "bea@play.example"}, log.Person{Address: "head@club.example"})
	h.restart()
	h.enter("ada", "bea")
	h.start()
	id := h.league().Divisions[0].Playing[0]
	operate := func(who string, rules bool) error {
		_, err := h.office.Clerk().Operate(WithOperator(t.Context(), who), id, "rule", rules)
		return err
	}
	refused := func(who string) {
		t.Helper()
		for _, rules := range []bool{true, false} {
			var no *game.RefusedError
			if err := operate(who, rules); !errors.As(err, &no) || no.Why.Code != "office.gm.guarded" {
				t.Errorf("%s may do it: %v", who, err)
			}
		}
	}
	h.asMember("ada@play.example", h.keyOf("ada"), "command: member\nfamily: [M-0003]\n", mail.Processed)
	for _, who := range []string{"cara@play.example", "bea@play.example", "root"} {
		refused(who)
	}
	h.deliver("ada@play.example")
	if err := operate("head@club.example", true); err != nil {
		t.Errorf("who gains nothing may not rule: %v", err)
	}
	h.tick()
	h.says(h.last("ada@play.example"), "head@club.example")
}

// A substitute who is an umpire, too, loses with the seat that he takes the other games of those whom he meets there.
func TestASubstituteRulesOnNoGameOfHisOpponents(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora", "eva"}
	at := func(id string) string { return names[id[len(id)-1]-'1'] + "@play.example" }
	all := ""
	for _, name := range names { // of whom the one may rule who gets no place
		all += name + "@play.example, "
	}
	h := aLeagueOf(t, strings.Replace(aquila, "of: [gm@club.example", "of: ["+all+gmAt, 1), map[string]string{"lots.yaml": "options: {rounds: 3}\n"}, names...)
	h.enter(names...)
	h.start()
	sub := h.seasonNow().Waiting()[0]
	rules := func(id string) bool { return slices.Contains(h.umpiresOf(id), at(sub)) }
	var seat, leaver, meets, other string // a game, and another one of who plays there on
	for _, id := range h.seasonNow().Undecided() {
		for side, m := range h.seasonNow().Game(id).Entries {
			foe := h.seasonNow().Game(id).Entries[1-side]
			for _, one := range h.undecidedOf(foe) {
				if one != id && rules(one) && !slices.Contains(h.undecidedOf(m), one) {
					seat, leaver, meets, other = id, m, foe, one
				}
			}
		}
	}
	if other == "" {
		t.Fatal("he rules on no game")
	}
	for _, id := range h.undecidedOf(leaver) {
		if id != seat {
			h.playOut(id)
		}
	}
	h.tick()
	h.asMember(at(leaver), h.keyOf(strings.TrimSuffix(at(leaver), "@play.example")), "command: withdraw\n", mail.Processed)
	h.tick()
	if !rules(other) {
		t.Fatal("he has it no more")
	}
	h.asMember(at(sub), h.keyOf(strings.TrimSuffix(at(sub), "@play.example")), "command: accept\noffer: "+seat+"\n", mail.Processed)
	h.tick()
	h.tick()
	for _, id := range h.undecidedOf(meets) {
		if rules(id) {
			t.Errorf("he rules on %s, in which %s plays, whom he meets in %s", id, meets, seat)
		}
	}
}

// Whoever comes once the list of entries is closed waits for a side of somebody else, perhaps of a secretary's opponent: a secretary who
// takes part, or whose family does, does not choose him, on the command line or by letter, nor enters himself or his family so. Before
// the list is closed lots decide who meets whom, and he says yes like any other. Nobody says yes late without saying who he is.
func TestASecretaryWhoPlaysChoosesNoLateComers(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora"}
	text := strings.NewReplacer("open: anybody", "open: confirm", "[secretary@club.example]", "[secretary@club.example, ada@play.example, kin@play.example, eva@play.example]").Replace(aquila)
	h := aLeague(t, text, append(names, "eva", "fay", "gia", "kin")...)
	ask := func(names ...string) {
		for _, name := range names {
			h.asMember(name+"@play.example", h.keyOf(name), "command: enter\nleague: aquila\n", mail.Processed)
		}
	}
	admit := func(by, id string) string {
		t.Helper()
		return h.ruled(LeagueRuling{Kind: "admit", Of: []string{id}, By: by})
	}
	ask(names...)
	for _, id := range []string{"M-0001", "M-0002", "M-0003", "M-0004"} {
		if got := admit("ada@play.example", id); got != "" {
			t.Errorf("before the list is closed %s is refused: %s", id, got)
		}
	}
	h.start()
	ask("eva", "fay", "gia", "kin")
	h.asMember("kin@play.example", h.keyOf("kin"), "command: member\nfamily: [M-0002]\n", mail.Processed)
	before := h.league().Log
	for by, want := range map[string]string{"ada@play.example": "league.admit.stake", "kin@play.example": "league.admit.stake-family", "": "league.which-secretary"} {
		if got := admit(by, "M-0006"); got != want {
			t.Errorf("%q says yes late: %q", by, got)
		}
	}
	if got := admit("eva@play.example", "M-0005"); got != "league.admit.stake" {
		t.Errorf("eva enters herself late: %q", got)
	}
	for _, name := range []string{"ada", "kin"} {
		h.asMember(name+"@play.example", h.keyOf(name), "command: secretary\nleague: aquila\nact: admit\nmembers: [M-0006]\n", mail.Rejected)
	}
	if now := h.league().Log; now != before {
		t.Errorf("the log has grown from %d to %d", before, now)
	}
	if got := admit(secretaryAt, "M-0006"); got != "" {
		t.Errorf("who has no stake can't say yes: %q", got)
	}
	if got := admit("eva@play.example", "M-0007"); got != "" { // she waits for a yes herself, and plays nowhere
		t.Errorf("who does not take part can't say yes: %q", got)
	}
}

package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/league/season"
	"berthier/adjudicator/store"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/mail"
)

// rotaLeague is a league of two who play a long game, with umpires of whom some are members.
func rotaLeague(t *testing.T, umpires string, names ...string) *testOffice {
	return aLeagueOf(t, strings.NewReplacer("size: 4", "size: 2", "brisk: 2d", "brisk: 90d", "of: [gm@club.example, other@club.example]", "of: ["+umpires+"], never: [same-club, family]").Replace(aquila),
		map[string]string{"lots.yaml": "options: {rounds: 20}\n"}, names...)
}

// umpiresOf are the addresses of a game's masters.
func (h *testOffice) umpiresOf(id string) (all []string) {
	h.Helper()
	for _, p := range h.record(id).MastersOf() {
		all = append(all, p.Address)
	}
	return all
}

// disputes has the first player of a game dispute something; what does not matter here.
func (h *testOffice) disputes(id string) {
	h.Helper()
	h.must("", h.office.change(context.Background(), id, func(tr *transaction) error {
		tr.Game.Disputes = []uint64{tr.Last.Seq}
		return nil
	}))
	h.tick()
}

// Nobody rules on a game in which he has a stake, whichever of his addresses stands in the set-up:
// because he plays in its division, meets one of its players in another game, or is of a player's
// family. An umpire of the same club as a player rules only if there is nobody else.
func TestWhoMayUmpire(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora"}
	h := rotaLeague(t, "ada@play.example, cara@play.example, dora@play.example, gm@club.example", names...)
	tie := func(name, text string) {
		h.asMember(name+"@play.example", h.keyOf(name), "command: member\n"+text, mail.Processed)
		h.deliver(name + "@play.example")
	}
	tie("ada", "family: [M-0003]\nclub: Old Guard\n")
	tie("dora", "club: old guard\n")
	h.asMember("ada@play.example", h.keyOf("ada"), "command: member\nfamily: [M-0099]\n", mail.Rejected)
	h.deliver("ada@play.example")
	h.enter("ada", "bea")
	h.start()
	id := h.league().Divisions[0].Playing[0]
	if got := h.umpiresOf(id); !slices.Equal(got, []string{"gm@club.example"}) {
		t.Fatalf("umpires %v", got)
	}
	err := (leagues{h.office}).look("aquila", func(b *openBook) error {
		r, err := (leagues{h.office}).rotaOf(b)
		if err != nil {
			return err
		}
		players := b.Season.Game(id).Entries
		about, err := r.stakesIn(0, players)
		if err != nil {
			return err
		}
		for address, want := range map[string][2]bool{"ada@play.example": {true, false}, "cara@play.example": {true, false}, "dora@play.example": {false, true}, "gm@club.example": {}} {
			i := slices.IndexFunc(r.all, func(u umpire) bool { return u.address == address })
			if stake, close := about.of(r.all[i]); stake != want[0] || !stake && close != want[1] {
				t.Errorf("%s: a stake %v, close %v", address, stake, close)
			}
		}
		if who, err := r.choose(0, players, "gm@club.example"); who != "dora@play.example" || err != nil { // nobody else is there
			t.Errorf("then it is %q, %v", who, err)
		}
		if who, _ := r.choose(0, players, "gm@club.example", "dora@play.example"); who != "" {
			t.Errorf("%s has a stake", who)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Where nobody else is there an umpire of a player's club rules, and both players are told: when the game is made, and
// when it comes to him later. Nobody is told of an umpire from elsewhere.
func TestPlayersAreToldOfAnUmpireOfTheirClub(t *testing.T) {
	const told = "belongs to the club of one who plays there"
	for _, umpires := range []string{"cara@play.example", "gm@club.example, cara@play.example"} {
		h := rotaLeague(t, umpires, "ada", "bea", "cara")
		for _, name := range []string{"ada", "cara"} {
			h.asMember(name+"@play.example", h.keyOf(name), "command: member\nclub: Old Guard\n", mail.Processed)
			h.deliver(name + "@play.example")
		}
		h.enter("ada", "bea")
		h.start()
		id := h.league().Divisions[0].Playing[0]
		h.told(told, len(strings.Split(umpires, ",")) == 1)
		if first := h.umpiresOf(id)[0]; first == "gm@club.example" {
			h.write(first, fmt.Sprintf("game: %s\nkey: %s\ncommand: hand-over\n", id, h.office.keys.GM(h.record(id))), mail.Processed)
			h.restart()
			h.tick()
			h.tick()
			h.told(told, true)
		}
	}
}

// told checks that both players of a league of two have been told something, or neither has.
func (h *testOffice) told(told string, want bool) {
	h.Helper()
	for _, who := range []string{"ada", "bea"} {
		has := slices.ContainsFunc(h.deliver(who+"@play.example"), func(l *mail.Letter) bool {
			return strings.Contains(strings.Join(strings.Fields(wordsOf(l)), " "), told)
		})
		if has != want {
			h.Errorf("%s is told %q: %v", who, told, has)
		}
	}
}

// An umpire gives a game back: the next on the rota has it, with a key of his own, and the old one's is worth
// nothing; where nobody else is there he keeps it.
func TestAnUmpireHandsOver(t *testing.T) {
	h := rotaLeague(t, "gm@club.example, other@club.example", "ada", "bea")
	h.enter("ada", "bea")
	h.start()
	id := h.league().Divisions[0].Playing[0]
	first := h.umpiresOf(id)[0]
	key := h.office.keys.GM(h.record(id))
	h.write(first, fmt.Sprintf("game: %s\nkey: %s\ncommand: hand-over\naddress: friend@far.example\n", id, key), mail.Rejected) // the rota chooses, not he
	h.write(first, fmt.Sprintf("game: %s\nkey: %s\ncommand: hand-over\n", id, key), mail.Processed)
	h.restart()
	h.tick()
	h.tick()
	now := h.umpiresOf(id)
	if len(now) != 1 || now[0] == first {
		t.Fatalf("umpires %v, was %s", now, first)
	}
	h.says(h.last(now[0]), "You look after this game now", h.office.keys.GM(h.record(id)))
	h.write(first, fmt.Sprintf("game: %s\nkey: %s\ncommand: show\n", id, key), mail.Rejected)
	h.write(now[0], fmt.Sprintf("game: %s\nkey: %s\ncommand: hand-over\n", id, h.office.keys.GM(h.record(id))), mail.Processed)
	h.tick()
	h.tick()
	if got := h.umpiresOf(id); !slices.Equal(got, now) {
		t.Errorf("nobody else is there, but the umpires are %v", got)
	}
}

// Something waits for an umpire who says nothing: he is reminded after three days, a second one has the game with
// him after five and may do all that he may, and has it alone after ten. Where nobody is left, the secretaries
// are told.
func TestASilentUmpire(t *testing.T) {
	withoutRace(t)
	h := rotaLeague(t, "gm@club.example, other@club.example", "ada", "bea")
	h.enter("ada", "bea")
	h.start()
	id := h.league().Divisions[0].Playing[0]
	first := h.umpiresOf(id)[0]
	h.deliver(first)
	h.disputes(id)
	days := func(n int) {
		for range 2 * n {
			h.clock.move(12 * time.Hour)
			h.tick()
			h.tick()
		}
	}
	days(2)
	if len(h.umpiresOf(id)) != 1 || h.leagueKinds()["book.Reminded"] != 0 {
		t.Fatal("too early")
	}
	days(2)
	h.says(h.last(first), "has waited for you for three days")
	days(2)
	unruled := func() (all []string) {
		if err := (leagues{h.office}).look("aquila", func(b *openBook) error {
			waiting, err := leagues{h.office}.waiting(leagueWeek{openBook: b})
			all = waiting.Unruled
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	if got := unruled(); len(got) > 0 {
		t.Errorf("after six days the secretaries would be told of %v", got)
	}
	both := h.umpiresOf(id)
	if len(both) != 2 || both[0] != first {
		t.Fatalf("after five days %v", both)
	}
	for _, name := range []string{"ada", "bea"} { // one of them has disputed something, of which the other is not to know
		for _, l := range h.deliver(name + "@play.example") {
			h.lacks(l, "game master looks after", "game masters now")
		}
	}
	second := both[1]
	own := h.office.keys.Master(h.record(id), h.record(id).Also[0])
	h.says(h.last(second), "You look after this game, too", own)
	h.write(second, fmt.Sprintf("game: %s\nkey: %s\ncommand: show\n", id, own), mail.Processed)
	h.says(h.last(second), "State: running")
	h.write(second, fmt.Sprintf("game: %s\nkey: %s\ncommand: show\n", id, h.office.keys.GM(h.record(id))), mail.Rejected) // that is the other's
	days(5)
	if got := h.umpiresOf(id); !slices.Equal(got, []string{second}) {
		t.Fatalf("after ten days %v", got)
	}
	days(6)
	h.deliver(secretaryAt)
	h.monday()
	h.says(h.last(secretaryAt), "nobody looks after these games", id, "has waited for an umpire for a week")
	h.playersAreNotTold(id)
	h.must("", h.office.change(context.Background(), id, func(tr *transaction) error { tr.Game.Disputes = nil; return nil })) // settled
	days(1)
	if got := h.umpiresOf(id); !slices.Equal(got, []string{second}) {
		t.Errorf("settled: %v", got)
	}
	if got := unruled(); len(got) > 0 {
		t.Errorf("settled, and still told: %v", got)
	}
	h.nobodyReadsWhatWaited()
}

// playersAreNotTold checks that a secretary who plays a game is not told that something in it waits for an umpire.
func (h *testOffice) playersAreNotTold(id string) {
	h.Helper()
	for _, address := range []string{secretaryAt, "ada@play.example"} {
		h.must("", (leagues{h.office}).look("aquila", func(b *openBook) error {
			waiting, err := leagues{h.office}.waiting(leagueWeek{openBook: b})
			if err != nil {
				return err
			}
			his, err := withoutHis(leagues{h.office}, b, waiting, address)
			if got, want := slices.Contains(his.Unruled, id) || slices.Contains(his.Alone, id), address == secretaryAt; got != want {
				h.Errorf("%s is told: %v", address, got)
			}
			return err
		}))
	}
}

// nobodyReadsWhatWaited checks that what everybody may read of a league says nothing of what waited for umpires, nor of who ruled on it.
func (h *testOffice) nobodyReadsWhatWaited() {
	h.Helper()
	whole, _ := h.exported(false)
	public, _ := h.exported(true)
	told := 0
	for i, e := range whole.Entries {
		for _, kind := range []string{"waiting", "reminded", "umpired"} {
			if strings.Contains(e.Body, `"kind":"`+kind+`"`) {
				if told++; public.Entries[i].Body != "" {
					h.Errorf("everybody reads %s", public.Entries[i].Body)
				}
			}
		}
	}
	if told < 4 {
		h.Errorf("the league's log tells of it %d times", told)
	}
	if v, err := verify.League(public, nil, []engine.Ruleset{h.rules}); err != nil || v.Verdict() == verify.Broken {
		h.Errorf("as everybody may read it: %+v, %v", v, err)
	}
}

// An umpire who takes over a seat of a game gives it to the next.
func TestAnUmpireWhoSitsDown(t *testing.T) {
	names := []string{"ada", "bea", "cara"}
	h := rotaLeague(t, "cara@play.example, other@club.example", names...)
	h.enter(names...)
	h.start()
	var id string
	for _, g := range h.league().Divisions[0].Playing {
		id = g
	}
	waiting := h.seasonNow().Waiting()
	if len(waiting) != 1 {
		t.Fatalf("%v wait", waiting)
	}
	third := names[int(waiting[0][5]-'1')]
	err := leagues{h.office}.act(context.Background(), "aquila", "test", "", store.Change{}, func(t *leagueTurn) error {
		t.Umpire[id] = third + "@play.example" // as if he had been drawn before he entered
		t.Season.Vacancies = []season.Vacancy{{Game: id, Entry: t.Season.Game(id).Entries[0], Since: t.office.now()}}
		if err := t.fill(t.Season.Vacancies[0]); err != nil {
			return err
		}
		m, err := t.club().get(waiting[0])
		if err != nil {
			return err
		}
		if err := t.reply(m, id, true); err != nil {
			return err
		}
		if t.Umpire[id] == third+"@play.example" {
			h.Errorf("he rules on the game in which he sits")
		}
		return errOnlyShown
	})
	if !errors.Is(err, errOnlyShown) {
		t.Fatal(err)
	}
}

package adjudicator

import (
	"context"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/rated"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/mail"
)

const aquila = `
league: aquila
title: Aquila
secretaries: [secretary@club.example]
open: anybody
seasons: {start: 2026-03-10, enter-until: 2026-03-05}
deadlines: {brisk: 2d, steady: 4d}
divisions: [{id: first, size: 4, system: lots, template: lots.yaml}]
games: {most-at-once: 3}
umpires: {of: [gm@club.example, other@club.example]}
`

var lotsFiles = map[string]string{"lots.yaml": "options: {rounds: 1}\n"}

// aLeague opens an office with a league and members, whose season was announced and opened.
func aLeague(t *testing.T, text string, members ...string) *testOffice {
	return aLeagueOf(t, text, lotsFiles, members...)
}

// aLeagueOf is such a league, with the set-ups of its games.
func aLeagueOf(t *testing.T, text string, files map[string]string, members ...string) *testOffice {
	return aLeagueIn(clubOffice(t), t, text, files, members...)
}

// aLeagueIn is such a league in an office that is open.
func aLeagueIn(h *testOffice, t *testing.T, text string, files map[string]string, members ...string) *testOffice {
	s := h.office.Secretary()
	people, problems := s.ReadMembers(listOf(members))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if _, err := s.AddMembers(context.Background(), people); err != nil {
		t.Fatal(err)
	}
	id, err := s.NewLeague(context.Background(), text, files)
	if err != nil {
		t.Fatal(err)
	}
	h.must(s.Announce(context.Background(), id))
	h.must("", s.OpenEntries(context.Background(), id))
	for _, name := range members {
		h.deliver(name + "@play.example")
	}
	t.Cleanup(func() { h.verified(id) })
	return h
}

// listOf is a list of members with names alone.
func listOf(names []string) (list string) {
	for _, name := range names {
		list += fmt.Sprintf("- {name: %s, address: %s@play.example}\n", name, name)
	}
	return list
}

func (h *testOffice) must(_ string, err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// verified expects that nothing is wrong with a league.
func (h *testOffice) verified(id string) {
	h.Helper()
	faults, err := h.office.Secretary().VerifyLeague(id)
	if strings.Contains(fmt.Sprint(err), store.ErrClosed.Error()) {
		return
	}
	if err != nil || len(faults) > 0 {
		h.Errorf("league %s: %v %v", id, faults, err)
	}
	h.keptHolds(id)
}

// keptHolds expects that what is kept in memory of a league is what follows from its log.
func (h *testOffice) keptHolds(id string) {
	h.Helper()
	l := leagues{h.office}
	err := l.look(id, func(b *openBook) error {
		var entries []chain.Entry
		if err := h.office.read(func(tx store.Reader) (err error) { entries, err = entriesOf(tx, leaguePrefix+id); return err }); err != nil {
			return err
		}
		s, err := l.setupOf(b)
		if err != nil {
			return err
		}
		followed, err := l.ratings(b)
		if err != nil {
			return err
		}
		anew, err := rated.Of(entries, *ratingOf(leagues{h.office}, s), h.office.now())
		if err != nil || len(followed) != len(anew) {
			h.Errorf("%d systems are rated, not %d, %v", len(followed), len(anew), err)
			return err
		}
		for i, one := range anew {
			if f := followed[i]; !reflect.DeepEqual(f.History, one.History) || !reflect.DeepEqual(f.Games(), one.Games()) || !reflect.DeepEqual(f.Sides, one.Sides) {
				h.Errorf("the ratings that were followed are %+v, read anew %+v", f, one)
			}
		}
		if b.Season == nil || b.rota.running == nil {
			return nil
		}
		kept := b.rota.running
		b.rota = rotaAt{}
		r, err := l.rotaOf(b)
		if err == nil && !maps.Equal(kept, r.running) {
			h.Errorf("umpires are kept with %v running games, and have %v", kept, r.running)
		}
		return err
	})
	if err != nil {
		h.Error(err)
	}
}

// keyOf is the line with the key of a member, by his name.
func (h *testOffice) keyOf(name string) string {
	h.Helper()
	m, err := h.office.Secretary().ShowMember(name + "@play.example")
	if err != nil {
		h.Fatal(err)
	}
	return "key: " + m.Key
}

// enter has members enter by letter.
func (h *testOffice) enter(names ...string) {
	h.Helper()
	for _, name := range names {
		h.asMember(name+"@play.example", h.keyOf(name), "command: enter\nleague: aquila\n", mail.Processed)
		h.says(h.one(h.deliver(name+"@play.example")), "You have entered", "SHA-256")
	}
}

// begin closes the list of entries and begins the season.
func (h *testOffice) start() {
	h.Helper()
	s := h.office.Secretary()
	h.must(s.CloseEntries(context.Background(), "aquila"))
	h.must("", s.Start(context.Background(), "aquila"))
	h.tick()
}

// four are the members of the leagues that begun gives.
var four = []string{"ada", "bea", "cara", "dora"}

// begun is a league of four whose season has begun, with the games that are being played.
func begun(t *testing.T, text string) (h *testOffice, games []string) {
	t.Helper()
	h = aLeague(t, text, four...)
	h.enter(four...)
	h.start()
	return h, h.league().Divisions[0].Playing
}

func (h *testOffice) league() LeagueShown {
	h.Helper()
	shown, err := h.office.Secretary().ShowLeague("aquila")
	if err != nil {
		h.Fatal(err)
	}
	return shown
}

// playOut plays a game to its end by default orders.
func (h *testOffice) playOut(id string) {
	h.Helper()
	for range 40 {
		if h.record(id).Phase != game.Running {
			return
		}
		for _, s := range h.record(id).Seats {
			if s.Owes != nil {
				if faults, err := h.office.Clerk().Answer(context.Background(), id, s.Side, fmt.Sprintf("stop: %d\norders: default\n", s.Owes.Stop)); err != nil || len(faults) > 0 {
					h.Fatal(err, faults)
				}
			}
		}
	}
	h.Fatalf("%s does not end", id)
}

// standings are the rows of the first division, with points.
func standings(v LeagueShown) string {
	var all []string
	for _, r := range v.Divisions[0].Table.Rows {
		all = append(all, fmt.Sprintf("%s %d/%d", r.Entry, r.Points, r.Games))
	}
	return strings.Join(all, ", ")
}

// A season from its announcement to its end: entries by letter, divisions drawn by lot, games made
// round by round, results from their logs, the table, the seed told at the end; and all of it
// is verified.
func TestASeason(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, aquila, names...)
	before := h.league().Commitment
	h.enter(names...)
	if m, err := h.office.Secretary().ShowMember("M-0001"); err != nil || m.Unproven {
		t.Errorf("a member whose key has come back: %+v, %v", m, err)
	}
	h.start()
	v := h.league()
	if v.Phase != season.Running || v.Commitment != before || v.Seed != "" || len(v.Divisions[0].Playing) != 6 || len(v.Divisions[0].Members) != 4 {
		t.Fatalf("after the start: %+v", v)
	}
	h.gamesAreShared(v.Divisions[0].Playing)
	h.deliver("ada@play.example")
	h.asMember("ada@play.example", h.keyOf("ada"), "command: schedule\nleague: aquila\n", mail.Processed)
	h.says(h.last("ada@play.example"), "being played", "bea (M-0002)")
	for _, id := range v.Divisions[0].Playing {
		h.playOut(id)
		h.tick()
	}
	v = h.league()
	sum := int64(0)
	for _, r := range v.Divisions[0].Table.Rows {
		sum += r.Points
		if r.Games != 3 {
			t.Errorf("%s has %d games", r.Entry, r.Games)
		}
	}
	if v.Phase != season.Settling || sum != 6*24 || v.Divisions[0].Decided != 6 {
		t.Fatalf("after the games %s: %d points, %s", v.Phase, sum, standings(v))
	}
	if _, err := h.office.Secretary().End(context.Background(), "aquila"); err == nil {
		t.Error("a season ends whose results are not final")
	}
	h.clock.move(finalAfter)
	h.tick()
	h.deliver("bea@play.example")
	h.asMember("bea@play.example", h.keyOf("bea"), "command: table\n", mail.Processed)
	h.says(h.last("bea@play.example"), "Division first", "dora (M-0004)")
	h.asMember("bea@play.example", h.keyOf("bea"), "command: rating\n", mail.Processed)
	h.says(h.last("bea@play.example"), "your rating is 1", "from 3 games; it is provisional", "aquila-1-1-")
	seed, err := h.office.Secretary().End(context.Background(), "aquila")
	if err != nil || h.league().Seed != seed || h.league().Phase != season.Closed {
		t.Fatalf("ended with %q: %v", seed, err)
	}
	h.says(h.last("dora@play.example"), seed)
	h.restart()
	if again := h.league(); standings(again) != standings(v) {
		t.Errorf("after a restart %s", standings(again))
	}
	h.must(h.office.Secretary().Announce(context.Background(), "aquila")) // the next season
	h.must("", h.office.Secretary().OpenEntries(context.Background(), "aquila"))
	for _, name := range names {
		h.deliver(name + "@play.example")
	}
	h.enter(names...)
	ratings, _, err := h.office.Secretary().Ratings("aquila")
	if err != nil || len(ratings) != 1 {
		t.Fatalf("%+v, %v", ratings, err)
	}
	h.leagueLog("aquila", func(in book.Input) { // the second entry begins with the rating of now
		if e, ok := in.(book.Entered); ok && e.Start != 1500_00 {
			if r, has := ratings[0].At(e.Member); !has || r.R != e.Start {
				t.Errorf("%s enters with %d", e.Member, e.Start)
			}
		}
	})
	if next := h.league(); next.Season != "2" || next.Commitment == "" {
		t.Errorf("the next season: %+v", next)
	}
}

// gamesAreShared finds that games are of the league and that its two umpires have half of them each.
func (h *testOffice) gamesAreShared(games []string) {
	h.Helper()
	umpires := map[string]int{}
	for _, id := range games {
		g := h.record(id)
		umpires[g.GM.Address]++
		if g.League != "aquila" || g.Title != "Aquila" || len(g.Seats) != 2 {
			h.Errorf("game %+v", g)
		}
	}
	if len(umpires) != 2 || umpires["gm@club.example"] != 3 {
		h.Errorf("umpires %v", umpires)
	}
}

// A stranger enters by one letter: it makes him a member, and once he has sent the code back he has
// entered, even if the office dies in between.
func TestAStrangerEntersByOneLetter(t *testing.T) {
	h := aLeague(t, aquila, "ada")
	h.write("eva@far.example", "command: enter\nleague: aquila\nname: Eva\ndeadlines: steady\n", mail.Processed)
	back := h.backIn(h.one(h.deliver("eva@far.example")))
	if !strings.Contains(back, "deadlines: steady") || len(h.league().Entries) != 0 {
		t.Fatalf("to send back: %s", back)
	}
	h.write("eva@far.example", back, mail.Processed)
	h.restart()
	h.tick()
	h.tick()
	if v := h.league(); !slices.Equal(v.Entries, []string{"M-0002"}) {
		t.Fatalf("entries %v", v.Entries)
	}
	h.says(h.last("eva@far.example"), "You have entered")
	h.write("eva@far.example", back, mail.Processed) // as a member he gets his key again, and enters no second time
	h.tick()
	if v := h.league(); v.Log != 4 {
		t.Errorf("%d entries of the log", v.Log)
	}
}

// What is wrong with a letter about a league is told, and changes nothing.
func TestLettersAboutALeagueOutOfPlace(t *testing.T) {
	h := aLeague(t, strings.Replace(aquila, "open: anybody", "open: confirm", 1), "ada", "bea", "cara")
	at := "ada@play.example"
	log := h.league().Log
	for text, want := range map[string]string{
		"command: enter\nleague: nowhere\n":                 "no league nowhere",
		"command: enter\nsystem: chess\ndeadlines: never\n": "chess",
		"command: table\n":                                  "no table",
		"command: withdraw\n":                               "not entered",
		"command: enter\nsystem: lots\ndeadlines: [1]\n":    "",
	} {
		h.deliver(at)
		h.asMember(at, h.keyOf("ada"), text, mail.Rejected)
		h.clock.move(time.Hour)
		if letters := h.deliver(at); want != "" && (len(letters) != 1 || !strings.Contains(wordsOf(letters[0]), want)) {
			t.Errorf("%q: %q", text, subjects(letters))
		}
	}
	if now := h.league().Log; now != log {
		t.Errorf("the log has grown from %d to %d", log, now)
	}
	h.asMember(at, h.keyOf("ada"), "command: enter\n", mail.Processed) // the only league
	h.asMember(at, h.keyOf("ada"), "command: enter\n", mail.Rejected)
	if v := h.league(); !slices.Equal(v.Asked, []string{"M-0001"}) || len(v.Entries) > 0 {
		t.Errorf("%+v", v)
	}
	s := h.office.Secretary()
	if err := s.Admit(context.Background(), "aquila", []string{"M-0001", "M-0099"}); err == nil {
		t.Error("who is no member is admitted")
	}
	h.must("", s.Admit(context.Background(), "aquila", []string{"M-0001", "M-0002"}))
	if v := h.league(); len(v.Asked) > 0 || len(v.Entries) != 2 {
		t.Errorf("%+v", v)
	}
	h.asMember(at, h.keyOf("ada"), "command: withdraw\n", mail.Processed)
	if _, err := s.End(context.Background(), "aquila"); err == nil {
		t.Error("a season ends before it begins")
	}
	if err := s.Start(context.Background(), "aquila"); err == nil {
		t.Error("a season begins before the list is closed")
	}
	if _, err := s.CloseEntries(context.Background(), "aquila"); err == nil { // nobody could open it again
		t.Error("a list is closed from which no division can be drawn")
	}
	h.must("", s.Admit(context.Background(), "aquila", []string{"M-0003"}))
	h.must(s.CloseEntries(context.Background(), "aquila"))
	for _, id := range []string{"aquila", "nowhere"} {
		if _, err := s.Announce(context.Background(), id); err == nil {
			t.Errorf("a season of %s is announced", id)
		}
	}
	if _, err := s.NewLeague(context.Background(), aquila, lotsFiles); err == nil {
		t.Error("a league is made twice")
	}
	if _, err := s.NewLeague(context.Background(), strings.Replace(aquila, "aquila", "bad", 1), nil); err == nil {
		t.Error("a league is made without its templates")
	}
}

// A rewind after the result was taken reopens it: the table follows, and with the same orders again
// it is the same. A ruling on the outcome makes another result, by the same function.
func TestARewindAfterTheResult(t *testing.T) {
	withoutRace(t)
	h, games := begun(t, aquila)
	for _, id := range games {
		h.playOut(id)
		h.tick()
	}
	before := standings(h.league())
	first := games[0]
	if _, err := h.office.Clerk().Rule(context.Background(), first, "command: rewind\nstop: 1\norders: new\nreason: r\n", "", true); err != nil {
		t.Fatal(err)
	}
	h.tick()
	v := h.league()
	if v.Phase != season.Running || v.Divisions[0].Decided != 5 || standings(v) == before {
		t.Fatalf("after the rewind %s: %s", v.Phase, standings(v))
	}
	h.playOut(first)
	h.tick()
	again := h.league()
	if again.Phase != season.Settling || again.Divisions[0].Decided != 6 {
		t.Errorf("played again: %s, %s", again.Phase, standings(again))
	}
	// News that change nothing, such as a dispute that is settled as it stood, make no result.
	news := store.Change{Wake: map[string]time.Time{leaguePrefix + "aquila": h.clock.Now()}}
	news.PutValue(newsPrefix+"aquila "+first, store.Value{Data: []byte("1")})
	h.behind(news)
	h.tick()
	if now := h.league(); now.Log != again.Log {
		t.Errorf("the log has grown from %d to %d entries", again.Log, now.Log)
	}
}

// Death at any commit between the end of a game and the result that the league takes, and what follows from it, gives
// all of it, once: the game is over once, its result is taken once, the next game is made once, and each of the two
// players has one last report.
func TestDeathBetweenTheEndOfAGameAndItsResult(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara"}
	h := aLeague(t, strings.NewReplacer("most-at-once: 3", "most-at-once: 1").Replace(aquila), names...)
	h.enter(names...)
	h.start()
	id := h.league().Divisions[0].Playing[0]
	h.deliver("ada@play.example")
	h.must("", h.store.Close())
	before, err := os.ReadFile(h.path)
	if err != nil {
		t.Fatal(err)
	}
	deaths, now := 0, h.clock.now
	for commits := range int32(60) {
		if err := os.WriteFile(h.path, before, 0o600); err != nil {
			t.Fatal(err)
		}
		h.clock.now, h.post, h.seen = now, &postman{}, map[string]int{}
		h.life = &atomic.Int32{}
		h.life.Store(commits)
		h.open()
		died := h.dies(id)
		h.life = nil
		h.restart()
		for range 3 {
			if h.record(id).Phase == game.Running {
				h.playStop(id)
			}
			h.tick()
		}
		taken, over, made := 0, 0, 0
		h.leagueLog("aquila", func(in book.Input) {
			switch in := in.(type) {
			case book.Resulted:
				taken++
			case book.Playing:
				made += len(in.Games)
			}
		})
		for _, kind := range h.kinds(id) {
			if kind == "over" {
				over++
			}
		}
		if v := h.league(); taken != 1 || over != 1 || made != 2 || v.Divisions[0].Decided != 1 || len(v.Divisions[0].Playing) != 1 {
			t.Fatalf("death after %d commits: over %d times, taken %d times, %d games made: %+v", commits, over, taken, made, v.Divisions)
		}
		for _, s := range h.record(id).Seats {
			last := 0
			for _, l := range h.deliver(s.Person.Address) {
				if strings.Contains(l.Subject, id) && strings.Contains(wordsOf(l), "The game is over") {
					last++
				}
			}
			if last > 1 {
				t.Errorf("death after %d commits: %s has %d last reports", commits, s.Person.Address, last)
			}
		}
		if !died {
			break
		}
		h.must("", h.store.Close())
		deaths++
	}
	if t.Logf("it died %d times", deaths); deaths < 4 {
		t.Error("that is not often enough")
	}
}

// playStop answers what is owed in a game, by default.
func (h *testOffice) playStop(id string) {
	h.Helper()
	if err := h.answerStop(id); err != nil {
		h.Fatal(err)
	}
}

func (h *testOffice) answerStop(id string) error {
	for _, s := range h.record(id).Seats {
		if now := h.record(id).Seat(s.Side); now.Owes != nil {
			if faults, err := h.office.Clerk().Answer(context.Background(), id, s.Side, fmt.Sprintf("stop: %d\norders: default\n", now.Owes.Stop)); err != nil || len(faults) > 0 {
				return fmt.Errorf("%w %v", err, faults)
			}
		}
	}
	return nil
}

// dies has a game end and its league go on, until the process is dead; it tells whether it died.
func (h *testOffice) dies(id string) bool {
	h.Helper()
	for range 3 {
		if h.record(id).Phase == game.Running {
			if err := h.answerStop(id); err != nil {
				return true
			}
		}
		if err := h.office.Tick(context.Background()); err != nil {
			return true
		}
	}
	return h.life.Load() < 0
}

// Death after a game of a pairing was made, and before the league's log has it, makes no game
// twice.
func TestDeathWhileGamesAreMade(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, aquila, names...)
	h.enter(names...)
	s := h.office.Secretary()
	h.must(s.CloseEntries(context.Background(), "aquila"))
	h.must("", s.Start(context.Background(), "aquila"))
	l := leagues{h.office}
	if err := l.look("aquila", func(b *openBook) error {
		read, err := l.setupOf(b)
		if err != nil {
			return err
		}
		due := b.Due()[0]
		one, err := l.gameSetup(b, read, &due, due.Games[0], gmAt)
		if err != nil {
			return err
		}
		return h.office.Clerk().newGame(context.Background(), one, nil, store.Change{})
	}); err != nil {
		t.Fatal(err)
	}
	h.restart()
	h.tick()
	if v := h.league(); len(v.Divisions[0].Playing) != 6 {
		t.Errorf("%d games are played", len(v.Divisions[0].Playing))
	}
	games := 0
	if err := h.office.read(func(tx store.Reader) error {
		return tx.Games(func(string, []byte) error { games++; return nil })
	}); err != nil || games != 7 {
		t.Errorf("%d games, %v", games, err)
	}
}

// gameOf is a game that somebody plays in the first division now.
func (h *testOffice) gameOf(address string) string {
	h.Helper()
	for _, id := range h.league().Divisions[0].Playing {
		for _, s := range h.record(id).Seats {
			if s.Person.Address == address {
				return id
			}
		}
	}
	h.Fatalf("%s plays nothing", address)
	return ""
}

// leagueLog reads what happened to a league.
func (h *testOffice) leagueLog(id string, f func(book.Input)) {
	h.Helper()
	if err := h.office.read(func(tx store.Reader) error {
		return tx.Entries(leaguePrefix+id, 0, func(e chain.Entry) error {
			_, in, err := book.Read(e)
			f(in)
			return err
		})
	}); err != nil {
		h.Fatal(err)
	}
}

// Swiss rounds follow by the rules once the round before is decided, and double pairings exchange
// sides.
func TestASwissSeasonOfDoublePairings(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora", "eva"}
	h := aLeague(t, strings.NewReplacer("size: 4", "size: 6", "template: lots.yaml", "template: lots.yaml, form: swiss, rounds: 2, pairing: double", "umpires:", "ties: [buchholz, lot]\numpires:").Replace(aquila), names...)
	h.enter(names...)
	h.start()
	for round := range 2 {
		playing := h.league().Divisions[0].Playing
		if len(playing) != 4 {
			t.Fatalf("round %d has %d games", round+1, len(playing))
		}
		for _, id := range playing {
			if b, ok := strings.CutSuffix(id, "b"); ok && (h.record(id).Seat("red").Person != h.record(b).Seat("blue").Person || h.record(id).Seat("blue").Person != h.record(b).Seat("red").Person) {
				t.Errorf("%s does not exchange the sides of %s", id, b)
			}
			h.playOut(id)
		}
		h.tick()
	}
	if v := h.league(); v.Phase != season.Settling {
		t.Errorf("after two rounds: %+v", v)
	}
}

// A league's letters tell nothing of a game that is being played: whatever is hidden in it (who has answered, and what, and
// what is filed ahead), every letter that a league sends is the same, byte for byte, and so are the league's log and
// when it wakes, so that no letter's time tells it either.
func TestLettersOfALeagueTellNothingOfRunningGames(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora", "sam", "eva"}
	letters := func(more func(h *testOffice, id string)) (all string) {
		h := aLeague(t, strings.NewReplacer("[secretary@club.example]", "[secretary@club.example, sam@play.example]", "most-at-once: 3", "most-at-once: 1", "brisk: 2d", "brisk: 30d").Replace(aquila), names...)
		h.enter("ada", "bea", "cara", "dora", "eva")
		h.start()
		playing := h.league().Divisions[0].Playing
		h.playOut(playing[0])
		h.tick()
		id := h.gameOf(h.record(h.league().Divisions[0].Playing[0]).Seats[0].Person.Address)
		for _, name := range names {
			h.deliver(name + "@play.example")
		}
		more(h, id)
		h.tick()
		told := func(address string) {
			for _, l := range h.deliver(address) {
				if strings.Contains(l.Subject, "["+id+"]") {
					continue // a letter of the game to who plays in it
				}
				all += address + "\n" + wordsOf(l) + "\n"
			}
		}
		for _, name := range names {
			at := name + "@play.example"
			h.deliver(at) // with what the game itself says
			for _, c := range []string{"table", "table\ndivision: first", "schedule", "rating", "member", "challenge\nagainst: M-0002", "bring\nabout: " + id, "accept", "decline", "appeal\nabout: " + id + "\nreason: r", "secretary\nact: forfeit\nabout: " + id + "\nmembers: [M-0001]\nreason: r"} {
				h.clock.move(time.Minute)
				if _, err := h.office.Take(context.Background(), h.letter(at, h.keyOf(name)+"\ncommand: "+c+"\n")); err != nil {
					t.Fatal(err)
				}
			}
			told(at)
		}
		h.monday()
		owes := map[string]bool{} // his own letter tells each what he owes himself
		for _, s := range h.record(id).Seats {
			owes[s.Person.Address] = true
		}
		for _, address := range append(slices.Clone(names), secretaryAt, "gm@club.example", "other@club.example") {
			if !strings.Contains(address, "@") {
				address += "@play.example"
			}
			if owes[address] {
				h.deliver(address)
				continue
			}
			told(address)
		}
		return fmt.Sprintf("%d entries\n%s", h.league().Log, all)
	}
	answers := func(files ...string) func(*testOffice, string) {
		return func(h *testOffice, id string) {
			for i, s := range h.record(id).Seats {
				if i < len(files) && files[i] != "" && s.Owes != nil {
					if faults, err := h.office.Clerk().Answer(context.Background(), id, s.Side, fmt.Sprintf("stop: %d\n%s\n", s.Owes.Stop, files[i])); err != nil || len(faults) > 0 {
						t.Fatal(err, faults)
					}
				}
			}
		}
	}
	quiet := letters(answers())
	for name, busy := range map[string]string{
		"the first has answered":  letters(answers("orders: {bid: R-1}")),
		"with something else":     letters(answers("orders: {bid: R-3}")),
		"the second has answered": letters(answers("", "orders: {bid: B-2}")),
		"with something else too": letters(answers("", "orders: default")),
		"the first files ahead":   letters(answers("orders: default\nahead: {discard: R-1}")),
	} {
		if quiet != busy {
			t.Errorf("%s, and the letters differ:\n%s", name, firstDifference(quiet, busy))
		}
	}
	if strings.Count(quiet, "Division first") < 8 {
		t.Errorf("there is little to be compared:\n%s", quiet)
	}
}

// firstDifference shows where two texts part.
func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			return strings.Join(x[max(0, i-3):min(len(x), i+2)], "\n") + "\n---\n" + strings.Join(y[max(0, min(len(y), i-3)):min(len(y), i+2)], "\n")
		}
	}
	return ""
}

// What a league's log says that did not happen is found: another result, a division that the lots do
// not give, a seed that was not committed to, an entry out of the chain.
func TestVerifyFindsForgeries(t *testing.T) {
	names := []string{"ada", "bea", "cara"}
	h := aLeague(t, aquila, names...)
	h.enter(names...)
	h.start()
	var entries []chain.Entry
	if err := h.office.read(func(tx store.Reader) (err error) {
		entries, err = entriesOf(tx, leaguePrefix+"aquila")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := book.Replay(entries); err != nil {
		t.Fatal(err)
	}
	for i, e := range entries {
		_, in, err := book.Read(e)
		if err != nil {
			t.Fatal(err)
		}
		forged := e
		switch in.(type) {
		case book.Started:
			forged.Body = []byte(strings.Replace(string(e.Body), `["M-000`, `["M-009`, 1))
		case book.Announced:
			forged.Private = []byte(strings.Replace(string(e.Private), `"seed":"`, `"seed":"0`, 1)[:len(e.Private)-1])
		case book.Closed:
			forged.Body = []byte(strings.Replace(string(e.Body), `"list":"`, `"list":"ff`, 1))
		default:
			continue
		}
		if _, err := book.Replay(slices.Concat(entries[:i], []chain.Entry{forged}, entries[i+1:])); err == nil {
			t.Errorf("entry %d is forged as %s %s, and nobody finds out", i+1, forged.Body, forged.Private)
		}
	}
	id := h.league().Divisions[0].Playing[0]
	h.must("", leagues{h.office}.act(context.Background(), "aquila", "secretary", "", store.Change{}, func(t *leagueTurn) error {
		o, link, err := season.Outcome{}, season.Link{}, error(nil)
		err = h.office.read(func(tx store.Reader) error {
			o, link, err = resultOf(tx, t.leagues, id, 0)
			return err
		})
		o.Kind, o.Places = table.Played, []table.Place{table.Won, table.Lost}
		if err != nil {
			return err
		}
		return t.Do(book.Resulted{Resulted: season.Resulted{Game: id, Link: link, Result: o}})
	}))
	if faults, err := h.office.Secretary().VerifyLeague("aquila"); err != nil || len(faults) != 1 {
		t.Errorf("a result that was typed over: %v %v", faults, err)
	}
	h.store.Close()
}

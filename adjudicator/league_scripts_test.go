package adjudicator

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/leaguetest"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/store"
)

// A scripted office lets a made-up league happen by letters and games.
type scripted struct {
	*testOffice
	script leaguetest.Script
	names  []string
	deaths int
	strays map[string]bool // addresses that members named, and from which no code came back
}

// The invariants of a league that need an office, over the scripts of leaguetest: results rest on entries of the games' logs that
// lead to the present (3), who has a stake gets nothing done (11), letters tell nothing of what is hidden in running games (12), wherever
// the office dies between the end of a game and its result both happen once (13), and an address that nobody has confirmed is
// nobody's (14). The others are held by TestInvariants of leaguetest, and (15) by TestMonthOfAClub.
func TestScriptsByLetter(t *testing.T) {
	withoutRace(t)
	many := 5
	if fullSamples {
		many = 25
	}
	deaths, playing := 0, 0
	for seed := range many {
		t.Run(fmt.Sprint("script ", seed), func(t *testing.T) {
			s := startScript(t, leaguetest.Scripts(6, 30).Example(seed))
			for _, step := range s.script.Steps {
				s.step(step)
			}
			s.once()
			s.linked()
			s.addresses()
			s.secret()
			deaths += s.deaths
			if s.seasonNow() != nil {
				playing += len(s.playing())
			}
		})
	}
	if t.Logf("it died %d times, and %d games ran at the end", deaths, playing); deaths == 0 || playing == 0 {
		t.Error("that is little")
	}
}

func startScript(t *testing.T, script leaguetest.Script) *scripted {
	form := []string{"", ", pairing: double", ", form: swiss, rounds: 2"}[script.Divisions[0]%3]
	text := strings.NewReplacer("size: 4", fmt.Sprintf("size: %d", max(3, script.Size)), "template: lots.yaml", "template: lots.yaml"+form,
		"start: 2026-03-10, enter-until: 2026-03-05", "start: 2026-02-10, enter-until: 2026-02-05, pause: none", "brisk: 2d", "brisk: 90d", "umpires:", "ties: [lot]\nwithdraw: {under: 0}\numpires:",
		"[secretary@club.example]", "[secretary@club.example, m0@play.example]").Replace(aquila)
	s := &scripted{script: script, strays: map[string]bool{}}
	for n := range script.Members {
		s.names = append(s.names, fmt.Sprint("m", n))
	}
	s.testOffice = aLeague(t, text, s.names...)
	return s
}

// says sends a letter of a member, whatever comes of it.
func (s *scripted) says(n int, text string) {
	s.Helper()
	s.clock.move(time.Minute)
	name := s.names[n%len(s.names)]
	if _, err := s.office.Take(context.Background(), s.letter(name+"@play.example", s.keyOf(name)+"\n"+text)); err != nil {
		s.Fatal(err)
	}
}

func (s *scripted) playing() (all []string) {
	for _, g := range leaguetest.GamesOf(s.seasonNow()) {
		if s.record(g.ID).Phase == game.Running {
			all = append(all, g.ID)
		}
	}
	return all
}

// step lets a step happen; what is refused changes nothing.
func (s *scripted) step(x leaguetest.Step) {
	s.Helper()
	ctx, secretary := context.Background(), s.office.Secretary()
	running, all := s.playing(), leaguetest.GamesOf(s.seasonNow())
	switch x.What {
	case leaguetest.Enter:
		s.says(x.A, "command: enter\nleague: aquila\n")
	case leaguetest.Withdraw:
		if x.C%4 == 0 {
			s.says(x.A, "command: withdraw\nleague: aquila\n")
		}
	case leaguetest.Close:
		_, _ = secretary.CloseEntries(ctx, "aquila")
	case leaguetest.Start:
		_ = secretary.Start(ctx, "aquila")
	case leaguetest.Result:
		if len(running) > 0 {
			s.ends(running[x.A%len(running)], int32(x.C%8))
		}
	case leaguetest.Rewind:
		if len(all) > 0 {
			_, _ = s.office.Clerk().Rule(ctx, all[x.A%len(all)].ID, "command: rewind\nstop: 1\norders: new\nreason: r\n", "", true)
		}
	case leaguetest.Rule, leaguetest.Settle:
		if len(all) > 0 {
			s.decides(all[x.A%len(all)], x)
		}
	case leaguetest.Vacate:
		s.says(x.A, "command: accept\nleague: aquila\n")
	case leaguetest.Wait:
		s.clock.move(time.Duration(x.A%9) * 24 * time.Hour)
	case leaguetest.Climb:
		named := []string{s.names[x.B%len(s.names)] + "@play.example", fmt.Sprintf("stray%d@far.example", x.B%3)}[x.C%2]
		s.strays[named] = s.strays[named] || x.C%2 == 1
		s.says(x.A, "command: address\naddress: "+named+"\n")
	case leaguetest.End:
		if _, err := secretary.End(ctx, "aquila"); err == nil {
			s.must(secretary.Announce(ctx, "aquila"))
			s.must("", secretary.OpenEntries(ctx, "aquila"))
		}
	}
	s.tick()
}

// ends has a game end, and the office die after so many commits of what follows.
func (s *scripted) ends(id string, commits int32) {
	s.Helper()
	s.must("", s.store.Close())
	s.life = &atomic.Int32{}
	s.life.Store(commits)
	s.open()
	if s.dies(id) {
		s.deaths++
	}
	s.life = nil
	s.restart()
	if s.record(id).Phase == game.Running {
		s.playOut(id)
	}
}

// decides has somebody decide about a game: a secretary who plays nowhere, one who may play, an umpire or another member. Who plays in
// its division gets nothing done.
func (s *scripted) decides(g *season.Game, x leaguetest.Step) {
	s.Helper()
	by := append([]string{secretaryAt, "m0@play.example", "other@club.example"}, s.names...)[x.B%(3+len(s.names))]
	if !strings.Contains(by, "@") {
		by += "@play.example"
	}
	r := LeagueRuling{Kind: []string{"forfeit", "cancel", "overrule", "correct", "stand"}[x.C%5], Game: g.ID, By: by, Reason: "r"}
	if r.Kind == "forfeit" {
		r.Of = []string{g.Entries[x.C%len(g.Entries)]}
	}
	d := s.seasonNow().Divisions[s.seasonNow().DivisionOf(g.ID)]
	m, err := (club{s.office}).at(by)
	if err != nil {
		s.Fatal(err)
	}
	_, err = s.office.Secretary().Rule(context.Background(), "aquila", r, "", true)
	if err == nil && (m != nil && slices.Contains(slices.Concat(d.Members, g.Players), m.ID) || m != nil && by != "m0@play.example") {
		s.Errorf("%s decides %s about %s", by, r.Kind, g.ID)
	}
}

// once: no result was taken twice, no game was made twice, and nothing is wrong with the league.
func (s *scripted) once() {
	s.Helper()
	last, made := map[string]season.Outcome{}, map[string]bool{}
	s.leagueLog("aquila", func(in book.Input) {
		switch in := in.(type) {
		case book.Resulted:
			if was, said := last[in.Game]; said && sameOutcome(was, in.Result) {
				s.Errorf("the result of %s was taken twice: %+v", in.Game, was)
			}
			last[in.Game] = in.Result
		case book.Playing:
			for _, id := range in.Games {
				if made[id] {
					s.Errorf("%s was made twice", id)
				}
				made[id] = true
			}
		}
	})
	for _, g := range leaguetest.GamesOf(s.seasonNow()) {
		if s.record(g.ID).Phase == game.Over && g.Result.Kind == table.Open && !g.Final && g.Ruled == nil && g.Counted == nil && !s.seasonNow().Gone(g.Entries[0]) && !s.seasonNow().Gone(g.Entries[1]) {
			s.Errorf("%s is over, and has no result", g.ID)
		}
	}
	s.verified("aquila")
}

// linked: what a result rests on is an entry of its game's log, with that hash, and the log says there what was taken.
func (s *scripted) linked() {
	s.Helper()
	for _, g := range leaguetest.GamesOf(s.seasonNow()) {
		if g.Link.Number == 0 {
			continue
		}
		if err := s.office.read(func(tx store.Reader) error {
			entries, err := entriesOf(tx, g.ID)
			if err != nil {
				return err
			}
			o, link, err := resultOf(tx, leagues{s.office}, g.ID, g.Link.Number)
			if len(entries) < g.Link.Number || err != nil || link != g.Link || o.Kind != g.Result.Kind || !slices.Equal(o.Places, g.Result.Places) {
				s.Errorf("%s rests on %v, where its log says %+v (%v), not %+v", g.ID, g.Link, o, err, g.Result)
			}
			return nil
		}); err != nil {
			s.Fatal(err)
		}
	}
}

// addresses: none is two members', and none that a member only named is his; it was written to once a day at most.
func (s *scripted) addresses() {
	s.Helper()
	members, err := s.office.Secretary().Members()
	if err != nil {
		s.Fatal(err)
	}
	of := map[string]string{}
	for _, m := range members {
		for _, a := range m.Addresses {
			if of[a] != "" || s.strays[a] {
				s.Errorf("%s is %s's, and %s's", a, m.ID, of[a])
			}
			of[a] = m.ID
		}
	}
	days := int(s.clock.Now().Sub(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)).Hours()/24) + 1
	for a, stray := range s.strays {
		if got := len(s.deliver(a)); stray && got > days {
			s.Errorf("%s got %d letters in %d days", a, got, days)
		}
	}
}

// secret: whatever is answered in the games that run, all letters of the league are the same.
func (s *scripted) secret() {
	s.Helper()
	running := s.playing()
	if len(running) == 0 {
		return
	}
	s.must("", s.store.Close())
	before, err := os.ReadFile(s.path)
	if err != nil {
		s.Fatal(err)
	}
	now, told := s.clock.Now(), []string{}
	for _, bid := range []string{"", "R-1", "R-3"} {
		if err := os.WriteFile(s.path, before, 0o600); err != nil {
			s.Fatal(err)
		}
		s.clock.now, s.post, s.seen, s.opt.Entropy = now, &postman{}, map[string]int{}, &counted{n: 9}
		s.open()
		for _, id := range running {
			if seat := s.record(id).Seats[0]; bid != "" && seat.Owes != nil {
				if faults, err := s.office.Clerk().Answer(context.Background(), id, seat.Side, fmt.Sprintf("stop: %d\norders: {bid: %s}\n", seat.Owes.Stop, bid)); err != nil || len(faults) > 0 {
					s.Fatal(err, faults)
				}
			}
		}
		s.tick()
		told = append(told, s.lettersOfTheLeague(running))
		s.must("", s.store.Close())
	}
	for _, other := range told[1:] {
		if other != told[0] {
			s.Errorf("the letters differ:\n%s", firstDifference(told[0], other))
		}
	}
	if err := os.WriteFile(s.path, before, 0o600); err != nil {
		s.Fatal(err)
	}
	s.open()
}

// lettersOfTheLeague are those that members get for what they ask, and those of the week to who plays in no game that runs.
func (s *scripted) lettersOfTheLeague(running []string) (all string) {
	s.Helper()
	plays := map[string]bool{}
	for _, id := range running {
		for _, seat := range s.record(id).Seats {
			plays[seat.Person.Address] = true
		}
	}
	for n, name := range s.names {
		at := name + "@play.example"
		s.deliver(at) // what the games say
		for _, c := range []string{"table", "schedule", "rating", "accept", "protest\nabout: " + running[0] + "\nreason: r", "pause-entries", "withdraw", "member"} {
			s.says(n, "command: "+c+"\nleague: aquila\n")
		}
		for _, l := range s.deliver(at) {
			if !strings.HasPrefix(l.Subject, "[aquila-") {
				all += at + "\n" + wordsOf(l) + "\n"
			}
		}
	}
	s.monday()
	for _, at := range append(slices.Clone(s.names), secretaryAt) {
		if !strings.Contains(at, "@") {
			at += "@play.example"
		}
		for _, l := range s.deliver(at) {
			if !strings.HasPrefix(l.Subject, "[aquila-") && !plays[at] {
				all += at + "\n" + wordsOf(l) + "\n"
			}
		}
	}
	return fmt.Sprintf("%d entries\n%s", s.league().Log, all)
}

package season

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"berthier/adjudicator/league/lots"
	"berthier/adjudicator/league/pair"
	"berthier/adjudicator/league/table"
)

var seed = lots.Seed{1, 2, 3}

// plan draws what a season is to be.
func plan(t *rapid.T) Plan {
	p := Plan{League: "l", Season: "1", MostAtOnce: rapid.IntRange(1, 4).Draw(t, "most"), Under: 50, Then: Annul, Else: Keep, Final: 14 * day, MostSeats: 2}
	if rapid.Bool().Draw(t, "ends") {
		p.Length = 40 * day
	}
	if rapid.Bool().Draw(t, "cancel") {
		p.Then = Cancel
	}
	for i := range rapid.IntRange(1, 2).Draw(t, "divisions") {
		d := DivisionPlan{ID: fmt.Sprint("d", i), Size: 8}
		d.Table = table.Division{Form: table.RoundRobin, Pairing: table.Single, Points: table.Usual, Ties: []table.Tie{table.Direct, table.SonnebornBerger, table.Lot}}
		switch rapid.IntRange(0, 4).Draw(t, "form") {
		case 0:
			d.Table.Pairing = table.Double
		case 1:
			d.Table.Form, d.Rounds = table.Swiss, rapid.IntRange(1, 4).Draw(t, "rounds")
		case 2:
			d.Table.Form, d.Table.Pairing, d.Rounds = table.Swiss, table.Double, 3
		case 3:
			d.Table.Pairing, d.Rounds = table.Trio, 2
		}
		p.Divisions = append(p.Divisions, d)
	}
	if p.Length > 0 && rapid.Bool().Draw(t, "a ladder") {
		p.Divisions[0].Table.Form, p.Divisions[0].Table.Pairing, p.Divisions[0].Rounds, p.Divisions[0].Table.Ties = table.Ladder, table.Single, 0, nil
	}
	return p
}

// A run is a season on its way, with the acts that made it.
type run struct {
	*Season
	t    *rapid.T
	acts []Act
	log  int // entries of all games' logs
	now  time.Time
}

const day = 24 * time.Hour

// link is the next entry of a game's log.
func (r *run) link() Link {
	r.log++
	return Link{r.log, fmt.Sprint("hash ", r.log)}
}

// replace lets sides that need a player be offered, taken, refused and lost. Nobody chooses to whom a
// side is offered.
func (r *run) replace(g *Game, who string) {
	r.now = r.now.Add(time.Duration(rapid.IntRange(0, 3).Draw(r.t, "days")) * day)
	entry := rapid.SampledFrom(g.Entries).Draw(r.t, "whose")
	r.try(Vacant{Game: g.ID, Entry: entry, At: r.now})
	next, ok := r.Substitute(g.ID, entry)
	if took := r.try(Offered{Game: g.ID, Entry: entry, Player: who, At: r.now}); took && (!ok || next != who) {
		r.t.Fatalf("the side of %s is offered to %s, whose turn it is not", entry, who)
	}
	if rapid.Bool().Draw(r.t, "offered") && ok && next != who {
		r.act(Offered{Game: g.ID, Entry: entry, Player: next, At: r.now})
	}
	for _, v := range slices.Clone(r.Vacancies) {
		switch asked := append([]string{""}, v.Asked...); rapid.IntRange(0, 3).Draw(r.t, "reply") {
		case 0:
			r.try(Replied{Game: v.Game, Entry: v.Entry, Player: asked[len(asked)-1], Takes: rapid.Bool().Draw(r.t, "takes"), At: r.now})
		case 1:
			r.try(Back{Game: v.Game, Entry: v.Entry})
		case 2:
			r.try(Abandoned{Game: v.Game, Entry: v.Entry, At: r.now})
		}
	}
}

// decision lets a secretary, or the clock, decide something that may be refused. Whoever plays in the
// division decides nothing.
func (r *run) decision(g *Game, who string) {
	r.now = r.now.Add(time.Duration(rapid.IntRange(0, 9).Draw(r.t, "days")) * day)
	d, _ := r.game(g.ID)
	var a Act
	switch rapid.IntRange(0, 6).Draw(r.t, "decision") {
	case 0:
		a = Ruled{Game: g.ID, Forfeit: g.Entries[:rapid.IntRange(0, len(g.Entries)).Draw(r.t, "forfeit")], By: who, At: r.now}
	case 1:
		a = Overruled{Game: g.ID, By: who, At: r.now}
	case 2:
		a = Corrected{Game: g.ID, Stand: rapid.Bool().Draw(r.t, "stand"), By: who, At: r.now}
	case 3:
		r.try(Contested{Game: g.ID, Link: r.link(), Result: outcome(r.t, len(g.Entries))})
		return
	case 4:
		games, _ := r.Ripe(r.now)
		r.try(Final{Games: games, At: r.now})
		return
	case 5:
		points := make([]int64, len(g.Entries))
		for i := range points {
			points[i] = int64(rapid.IntRange(0, 2).Draw(r.t, "points"))
		}
		r.try(Counted{Game: g.ID, Link: r.link(), Points: points, At: r.now})
		return
	case 6:
		r.try(Lapsed{At: r.now})
		return
	}
	was := r.Season.result(1, g)
	took := r.try(a)
	if took && (d.plays(who) || slices.Contains(g.Players, who)) {
		r.t.Fatalf("%s decides about %s, in which he has a stake: %+v", who, g.ID, a)
	}
	if _, corrected := a.(Corrected); took && !corrected && g.Final {
		r.t.Fatalf("a final result is ruled on: %+v was %+v", g, was)
	}
}

// act lets an act happen that must.
func (r *run) act(a Act) {
	r.t.Helper()
	if err := r.Apply(a); err != nil {
		r.t.Fatalf("%T %+v: %v", a, a, err)
	}
	r.acts = append(r.acts, a)
}

// try lets an act happen that may be refused; then nothing must change.
func (r *run) try(a Act) bool {
	r.t.Helper()
	before := fmt.Sprintf("%+v", *r.Season)
	if err := r.Apply(a); err != nil {
		if after := fmt.Sprintf("%+v", *r.Season); after != before {
			r.t.Fatalf("%T was refused (%v), but changed\n%s\nto\n%s", a, err, before, after)
		}
		return false
	}
	r.acts = append(r.acts, a)
	return true
}

// start begins a season with members by chance.
func start(t *rapid.T, p Plan) *run {
	r := &run{Season: New(p, seed.Commitment()), t: t}
	n := rapid.IntRange(len(p.Divisions)*3, len(p.Divisions)*8+2).Draw(t, "members")
	for i := range n {
		r.act(Entered{Member: fmt.Sprintf("M-%02d", i), Start: int64(1400_00 + i)})
	}
	if n > len(p.Divisions)*3+1 && rapid.Bool().Draw(t, "leaves early") {
		r.act(Withdrew{"M-01"})
	}
	r.act(ListClosed{})
	members := r.Waiting()
	draws := seed.For(r.List, "divisions")
	d := Divided{Members: map[string][]string{}, Initial: map[string]pair.Colour{}, Lots: map[string]int{}}
	for i, at := range draws.Order(len(members)) {
		d.Lots[members[at]] = i + 1
		id := p.Divisions[i%len(p.Divisions)].ID
		if len(d.Members[id]) < 8 {
			d.Members[id] = append(d.Members[id], members[at])
		}
		d.Initial[id] = pair.First
	}
	r.act(d)
	r.now = time.Unix(1e9, 0).UTC()
	s := Started{At: r.now, Turned: rapid.Bool().Draw(t, "turned"), Trios: map[string][]pair.TrioRound{}}
	for _, division := range r.Divisions {
		if division.Table.Pairing == table.Trio {
			s.Trios[division.ID], _ = pair.Trios(len(division.Members), division.Rounds, draws.Draw)
		}
	}
	r.act(s)
	return r
}

// outcome draws what comes of a game.
func outcome(t *rapid.T, sides int) Outcome {
	o := Outcome{Kind: rapid.SampledFrom([]table.Kind{table.Played, table.Played, table.Played, table.Adjudicated, table.Forfeit, table.DoubleForfeit, table.Cancelled}).Draw(t, "kind")}
	if o.Kind == table.DoubleForfeit || o.Kind == table.Cancelled {
		return o
	}
	o.Places = slices.Repeat([]table.Place{table.Lost}, sides)
	if o.Kind != table.Forfeit && rapid.IntRange(0, 3).Draw(t, "drawn") == 0 {
		o.Places = slices.Repeat([]table.Place{table.Drew}, sides)
		return o
	}
	o.Places[rapid.IntRange(0, sides-1).Draw(t, "winner")] = table.Won
	return o
}

// result lets a game's log say something.
func (r *run) result(g *Game, o Outcome) {
	r.t.Helper()
	r.act(Resulted{Game: g.ID, Link: r.link(), Result: o, At: r.now})
}

// games gives all games that are made.
func (r *run) games() []*Game {
	var all []*Game
	for i := range r.Divisions {
		for j := range r.Divisions[i].Pairings {
			for k := range r.Divisions[i].Pairings[j].Games {
				all = append(all, &r.Divisions[i].Pairings[j].Games[k])
			}
		}
	}
	return all
}

// step lets one thing happen by chance.
func (r *run) step() {
	games := r.games()
	members := r.Entries[rapid.IntRange(0, len(r.Entries)-1).Draw(r.t, "who")]
	switch what := rapid.IntRange(0, 27).Draw(r.t, "what"); {
	case what > 24 && len(games) > 0:
		r.replace(rapid.SampledFrom(games).Draw(r.t, "left"), members.Member)
	case what > 20 && len(games) > 0:
		r.decision(rapid.SampledFrom(games).Draw(r.t, "about"), rapid.SampledFrom([]string{members.Member, "secretary", "umpire"}).Draw(r.t, "decides"))
	case what == 0:
		gone := 0
		for _, e := range r.Entries {
			gone += map[bool]int{true: 1}[e.Withdrawn]
		}
		if gone < 3 {
			r.try(Withdrew{members.Member})
		}
	case what == 1 && len(games) > 0: // a rewind
		g := rapid.SampledFrom(games).Draw(r.t, "rewound")
		if g.Result.Kind != table.Open && !g.Final && !r.later(g) {
			r.result(g, Outcome{Kind: table.Open})
		}
	case what == 2 && len(games) > 0:
		g := rapid.SampledFrom(games).Draw(r.t, "game")
		r.try(Substituted{Game: g.ID, Entry: rapid.SampledFrom(g.Entries).Draw(r.t, "side"), Player: members.Member})
	case what == 3:
		r.try(Settled{})
	case what == 4:
		r.try(Entered{Member: fmt.Sprintf("late-%d", len(r.Entries)), Start: 1500_00})
	case what == 5:
		if id := OnLadder(r.Season, members.Member); id != "" {
			ladder := Ladder(r.Season, id)
			other := rapid.SampledFrom(append(ladder, "nobody")).Draw(r.t, "challenged")
			from, to := slices.Index(ladder, members.Member), slices.Index(ladder, other)
			if r.try(Challenged{id, members.Member, other}) && (to < 0 || from <= to || from-to > pair.MostPlaces) {
				r.t.Fatalf("%s challenges %s on %v", members.Member, other, ladder)
			}
		}
	case what < 12:
		r.make()
	default:
		open := slices.DeleteFunc(games, func(g *Game) bool { return r.decided(g) })
		if len(open) > 0 {
			g := rapid.SampledFrom(open).Draw(r.t, "decided")
			r.result(g, outcome(r.t, len(g.Entries)))
		}
	}
}

// later tells whether a round has been paired on the result of a game.
func (r *run) later(g *Game) bool {
	d, _ := r.game(g.ID)
	return d.Table.Form == table.Swiss
}

// make makes the games of pairings that are due, and pairs Swiss rounds.
func (r *run) make() bool {
	made := false
	for i := range r.Divisions {
		d := &r.Divisions[i]
		if d.Table.Form == table.Swiss && d.Paired < d.Rounds {
			if round, err := r.NextRound(d.ID); err == nil {
				wrong := pair.Round{Pairings: slices.Clone(round.Pairings), Byes: round.Byes}
				if len(wrong.Pairings) > 0 {
					wrong.Pairings[0] = wrong.Pairings[0].Exchanged()
					if r.try(Paired{d.ID, wrong}) {
						r.t.Fatal("a round against the rules was taken")
					}
				}
				r.act(Paired{d.ID, round})
				made = true
			} else if r.try(Shortened{d.ID}) {
				made = true
			}
		}
		for _, p := range r.Due(d.ID) {
			var ids []string
			for k := range d.games() {
				ids = append(ids, fmt.Sprintf("%s-%d-%d", d.ID, p, k))
			}
			m := Made{Division: d.ID, Pairing: p, Games: ids}
			if rapid.IntRange(0, 3).Draw(r.t, "ran before") == 0 {
				m.Seats = rapid.Permutation(slices.Clone(d.Pairings[p].Seats)).Draw(r.t, "sides")
				if took := r.try(m); took != (d.games() == 1) {
					r.t.Fatalf("a game that ran before is taken: %v", took)
				} else if took {
					made = true
					continue
				}
				m.Seats = nil
			}
			r.act(m)
			made = true
		}
	}
	return made
}

// check holds what is true of a season at any time.
func (r *run) check() {
	t := r.t
	more := false // somebody may have more games than are made for him: one has been reopened or taken over
	for _, a := range r.acts {
		switch a := a.(type) {
		case Substituted, Replied:
			more = true
		case Overruled, Corrected:
			more = true
		case Resulted:
			more = more || a.Result.Kind == table.Open
		}
	}
	for i := range r.Divisions {
		d := &r.Divisions[i]
		tb, err := r.Table(d.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(tb.Rows) != len(d.Members) {
			t.Fatalf("%d rows for %d members", len(tb.Rows), len(d.Members))
		}
		// Points handed out are points that decided pairings are worth.
		worth := int64(0)
		for j := range d.Pairings {
			for k := range d.Pairings[j].Games {
				res := r.Season.result(d.Pairings[j].Round, &d.Pairings[j].Games[k])
				for side := range res.Seats {
					worth += d.Table.Points.Award(res, side)
				}
			}
		}
		for _, b := range d.Byes {
			if e := r.entry(b.Member); !e.Withdrawn || e.Fate == Keep {
				worth += d.Table.Points.Bye * int64(d.games())
			}
		}
		for _, row := range tb.Rows {
			worth -= row.Points
			planned := d.rounds() * d.games()
			if row.Games > planned || !slices.ContainsFunc(d.Members, func(m string) bool { return m == row.Entry }) {
				t.Fatalf("%s has %d results of %d games", row.Entry, row.Games, planned)
			}
		}
		if worth != 0 {
			t.Fatalf("division %s: %d twelfths are not in the table", d.ID, worth)
		}
		for _, m := range d.Members {
			if n := r.onHand(m); !more && n >= r.MostAtOnce+d.games() {
				t.Fatalf("%s has %d games at once, of %d", m, n, r.MostAtOnce)
			}
		}
	}
	// Nobody plays in two divisions, nor against himself, nor as a substitute where he has a place.
	for _, g := range r.games() {
		d, _ := r.game(g.ID)
		for side, p := range g.Players {
			if slices.Contains(g.Players[:side], p) || p != g.Entries[side] && d.plays(p) {
				t.Fatalf("%s sits in game %s: %+v", p, g.ID, g)
			}
		}
	}
}

// TestSeasons plays seasons by chance to their end.
func TestSeasons(t *testing.T) {
	closed := 0
	rapid.Check(t, func(t *rapid.T) {
		r := start(t, plan(t))
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			r.step()
			r.check()
		}
		// Whatever has happened, the season comes to its end if its games do.
		for range 400 {
			if r.Phase == Settling {
				break
			}
			made := r.make()
			for _, g := range r.games() {
				if !r.decided(g) {
					r.result(g, outcome(t, len(g.Entries)))
					made = true
				}
			}
			if !made && r.Open() > 0 { // a ladder is played until time has ended
				if r.now.Before(r.Until) { // time never goes back
					r.now = r.Until
				}
				r.act(Lapsed{At: r.now})
			} else if !made {
				r.act(Settled{})
			}
		}
		r.now = r.now.Add(14 * day)
		for n := range 3 { // what is contested is settled by two
			for _, id := range r.Contested() {
				r.act(Corrected{Game: id, Stand: true, By: fmt.Sprint("second ", n), At: r.now})
			}
		}
		if games, _ := r.Ripe(r.now); len(games) > 0 {
			r.act(Final{Games: games, At: r.now})
		}
		if n := r.Unsettled(); n > 0 {
			t.Fatalf("%d results are not final", n)
		}
		r.check()
		if r.try(Ended{Seed: lots.Seed{9}.String()}) {
			t.Fatal("another seed was taken")
		}
		r.act(Ended{Seed: seed.String()})
		closed++
		for _, a := range []Act{Settled{}, Entered{Member: "x"}, Withdrew{"M-00"}, ListClosed{}, Started{}, Divided{}} {
			if r.try(a) {
				t.Fatalf("%T in a closed season", a)
			}
		}
		// The acts are the season.
		again := New(r.Plan, seed.Commitment())
		for _, a := range r.acts {
			if err := again.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(again, r.Season) {
			t.Fatal("the same acts make another season")
		}
	})
	if closed == 0 {
		t.Error("no season came to its end")
	}
}

// withoutMarks gives tables without what only tells how results came about.
func withoutMarks(t *rapid.T, s *Season) string {
	var all strings.Builder
	for _, d := range s.Divisions {
		tb, err := s.Table(d.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i := range tb.Rows {
			for k := range tb.Rows[i].Cells {
				tb.Rows[i].Cells[k].Marks = nil
			}
		}
		fmt.Fprintf(&all, "%+v\n", tb)
	}
	return all.String()
}

// TestArrival: tables are of the set of results in force. In any order of arrival, with any
// number of rewinds and other results in between, they are the same.
func TestArrival(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := plan(t)
		p.MostAtOnce = 100
		for i := range p.Divisions {
			if p.Divisions[i].Table.Form != table.RoundRobin {
				p.Divisions[i].Table.Form, p.Divisions[i].Rounds = table.RoundRobin, 0
			}
		}
		first := start(t, p)
		first.make()
		second := New(p, seed.Commitment())
		for _, a := range first.acts {
			if err := second.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
		other := &run{Season: second, t: t}
		last := map[string]Outcome{}
		for _, g := range first.games() {
			if rapid.IntRange(0, 4).Draw(t, "open") > 0 {
				last[g.ID] = outcome(t, len(g.Entries))
				first.result(g, last[g.ID])
			}
		}
		for _, g := range rapid.Permutation(other.games()).Draw(t, "order") {
			for range rapid.IntRange(0, 2).Draw(t, "before") {
				other.result(g, outcome(t, len(g.Entries)))
				other.result(g, Outcome{Kind: table.Open})
			}
			if o, is := last[g.ID]; is {
				other.result(g, o)
			}
		}
		if a, b := withoutMarks(t, first.Season), withoutMarks(t, other.Season); a != b {
			t.Fatalf("%s\nbut in another order\n%s", a, b)
		}
	})
}

// small is a season of four in one round robin, all games made.
func small(t *testing.T) *Season {
	t.Helper()
	s := New(Plan{League: "l", Season: "1", MostAtOnce: 9, Under: 50, Then: Annul, Else: Keep, Divisions: []DivisionPlan{{ID: "d", Size: 4,
		Table: table.Division{Form: table.RoundRobin, Pairing: table.Single, Points: table.Usual}}}}, seed.Commitment())
	must := func(acts ...Act) {
		t.Helper()
		for _, a := range acts {
			if err := s.Apply(a); err != nil {
				t.Fatalf("%T: %v", a, err)
			}
		}
	}
	for _, m := range []string{"a", "b", "c", "d", "e"} {
		must(Entered{Member: m})
	}
	must(ListClosed{}, Divided{Members: map[string][]string{"d": {"a", "b", "c", "d"}}}, Started{})
	for _, p := range s.Due("d") {
		must(Made{Division: "d", Pairing: p, Games: []string{fmt.Sprint("g", p)}})
	}
	return s
}

// decide lets a game's first side win.
func decide(t *testing.T, s *Season, game string, number int) {
	t.Helper()
	if err := s.Apply(Resulted{Game: game, Link: Link{number, "h"}, Result: Outcome{Kind: table.Played, Places: []table.Place{table.Won, table.Lost}}}); err != nil {
		t.Fatal(err)
	}
}

// TestWithdrawals: a leaves with one of his three games decided, or with two.
func TestWithdrawals(t *testing.T) {
	own := func(s *Season, member string) (all []string) {
		for _, p := range s.Divisions[0].Pairings {
			if slices.Contains(p.Seats, member) {
				all = append(all, p.Games[0].ID)
			}
		}
		return all
	}
	for decided, want := range map[int]table.Kind{1: table.Annulled, 2: table.Played} {
		s := small(t)
		games := own(s, "a")
		for i := range decided {
			decide(t, s, games[i], 1)
		}
		if err := s.Apply(Withdrew{"a"}); err != nil {
			t.Fatal(err)
		}
		_, first := s.game(games[0])
		if got := s.inForce(first).Kind; got != want {
			t.Errorf("with %d decided games they count as %s, not %s", decided, got, want)
		}
		_, last := s.game(games[2])
		wantOpen := map[table.Kind]table.Kind{table.Annulled: table.Cancelled, table.Played: table.Open}[want]
		if got := s.inForce(last).Kind; got != wantOpen {
			t.Errorf("with %d decided games the open one is %s, not %s", decided, got, wantOpen)
		}
		tb, err := s.Table("d")
		if err != nil {
			t.Fatal(err)
		}
		if row := tb.Rows[3]; (row.Rank == 0) != (want == table.Annulled) {
			t.Errorf("with %d decided games: %+v", decided, tb.Rows)
		}
	}
	// Two withdraw from the same game, with results that are kept.
	s := small(t)
	for _, id := range append(own(s, "a")[:2], own(s, "b")...) {
		if _, g := s.game(id); !s.decided(g) && !(slices.Contains(g.Entries, "a") && slices.Contains(g.Entries, "b")) {
			decide(t, s, id, 1)
		}
	}
	for _, id := range own(s, "a") {
		if _, g := s.game(id); !s.decided(g) && !slices.Contains(g.Entries, "b") {
			decide(t, s, id, 1)
		}
	}
	for _, m := range []string{"a", "b"} {
		if err := s.Apply(Withdrew{m}); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range own(s, "a") {
		_, g := s.game(id)
		both := slices.Contains(g.Entries, "b")
		if got := s.inForce(g).Kind; both != (got == table.Cancelled) {
			t.Errorf("game %v counts as %s", g.Entries, got)
		}
	}
}

// TestSubstitutes: a substitute's points go to the entry whose side it is, with a mark.
func TestSubstitutes(t *testing.T) {
	s := small(t)
	_, g := s.game("g0")
	entry := g.Entries[0]
	for _, c := range []struct {
		a    Substituted
		want string
	}{
		{Substituted{"g0", entry, g.Entries[1]}, "already"},
		{Substituted{"g0", entry, s.Divisions[0].Pairings[1].Seats[0]}, "plays in division d himself"},
		{Substituted{"g0", "e", "e"}, "has no side"},
		{Substituted{"g0", entry, "nobody"}, "not entered"},
		{Substituted{"g9", entry, "e"}, "no game g9"},
	} {
		if err := s.Apply(c.a); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.a, err)
		}
	}
	mark := func() []table.Mark {
		tb, _ := s.Table("d")
		for _, row := range tb.Rows {
			for _, c := range row.Cells {
				if row.Entry == entry && c.Game == "g0" {
					if c.Points != 24 {
						t.Errorf("%+v", c)
					}
					return c.Marks
				}
			}
		}
		return nil
	}
	if err := s.Apply(Substituted{"g0", entry, "e"}); err != nil {
		t.Fatal(err)
	}
	decide(t, s, "g0", 1)
	if got := mark(); !slices.Equal(got, []table.Mark{table.BySubstitute}) {
		t.Error(got)
	}
	if err := s.Apply(Resulted{Game: "g0", Link: Link{2, "h"}, Result: Outcome{Kind: table.Open}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Apply(Substituted{"g0", entry, entry}); err != nil {
		t.Fatal(err)
	}
	decide(t, s, "g0", 3)
	if got := mark(); !slices.Equal(got, []table.Mark{table.ByFirst, table.Reopened}) {
		t.Error(got)
	}
}

// TestNoSideForWhoSatOnTheOther: whoever has played one side of a game, if only for another, isn't offered the other; an offer of before to
// him, as logs have it, still reads.
func TestNoSideForWhoSatOnTheOther(t *testing.T) {
	s := small(t)
	s.MostSeats = 1
	_, g := s.game("g0")
	one, other := g.Entries[0], g.Entries[1]
	waits := s.Waiting()
	if len(waits) == 0 {
		t.Fatal("nobody waits")
	}
	first := waits[0]
	for _, a := range []Act{Vacant{Game: "g0", Entry: one}, Substituted{"g0", one, first}, Substituted{"g0", one, one}, Vacant{Game: "g0", Entry: other}} {
		if err := s.Apply(a); err != nil {
			t.Fatalf("%+v: %v", a, err)
		}
	}
	if m, ok := s.Substitute("g0", other); ok && m == first {
		t.Errorf("%s, who sat on the other side, is offered this one", m)
	}
	if err := s.Apply(Offered{Game: "g0", Entry: other, Player: first}); err != nil {
		t.Errorf("a log of before: %v", err)
	}
}

// TestOnce: what an entry of a game's log says is taken once, and never after a later one.
func TestOnce(t *testing.T) {
	s := small(t)
	decide(t, s, "g0", 7)
	for _, number := range []int{7, 6} {
		if err := s.Apply(Resulted{Game: "g0", Link: Link{number, "h"}, Result: Outcome{Kind: table.Open}}); err == nil || !strings.Contains(err.Error(), "entry 7 of its log") {
			t.Errorf("entry %d: %v", number, err)
		}
	}
	for _, o := range []Outcome{{Kind: table.Bye}, {Kind: table.Annulled}, {Kind: table.Played}, {Kind: table.Played, Places: []table.Place{table.Won}},
		{Kind: table.Played, Places: []table.Place{table.Won, table.Won}}, {Kind: table.Open, Missed: []int64{1}}, {}} {
		if err := s.Apply(Resulted{Game: "g0", Link: Link{8, "h"}, Result: o}); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
	if err := s.Apply(Settled{}); err == nil || !strings.Contains(err.Error(), "5 pairings and rounds are still open") {
		t.Error(err)
	}
}

// TestRefused goes through what else is refused.
func TestRefused(t *testing.T) {
	two := Plan{League: "l", Season: "1", MostAtOnce: 1, Divisions: []DivisionPlan{{ID: "d", Size: 2, Table: table.Division{Form: table.RoundRobin, Pairing: table.Single, Points: table.Usual}}}}
	s := New(two, seed.Commitment())
	refused := func(want string, a Act) {
		t.Helper()
		if err := s.Apply(a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%T: %v, not %q", a, err, want)
		}
	}
	apply := func(a Act) {
		t.Helper()
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	apply(Entered{Member: "a"})
	refused("entered already", Entered{Member: "a"})
	refused("the season is entering", Divided{})
	refused("not entered", Withdrew{"b"})
	for _, m := range []string{"b", "c"} {
		apply(Entered{Member: m})
	}
	apply(ListClosed{})
	refused("the season is dividing", ListClosed{})
	refused("nobody has been put", Started{})
	divide := func(members ...string) Divided { return Divided{Members: map[string][]string{"d": members}} }
	refused("room for 2", divide("a", "b", "c"))
	refused("x is not entered", divide("x"))
	refused("twice in one", divide("a", "a"))
	refused("the league does not have", Divided{Members: map[string][]string{"d": {"a"}, "x": {"b"}}})
	apply(divide("a"))
	refused("round robin of 1", Started{})
	apply(divide("a", "b"))
	apply(Withdrew{"a"})
	if got := s.Divisions[0].Members; !slices.Equal(got, []string{"c", "b"}) {
		t.Errorf("the first who waits takes the place: %v", got)
	}
	apply(Started{})
	refused("pairing 1 is not due", Made{Division: "d", Pairing: 1, Games: []string{"g"}})
	refused("1 games here, not 2", Made{Division: "d", Pairing: 0, Games: []string{"g", "h"}})
	refused("has no name", Made{Division: "d", Pairing: 0, Games: []string{""}})
	refused("no Swiss division", Paired{Division: "d"})
	refused("no round to come", Shortened{"d"})
	refused("the season is running", Ended{})
}

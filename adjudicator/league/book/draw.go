package book

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/pair"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/orders/phrase"
)

// Draw gives the divisions and rounds of a season whose list of entries is closed. For each system
// its divisions are filled from the first on: with those who played it in the season before, by its tables
// and who moves up and down; then with those who were substitutes in it; then with the others; higher ratings first, lots among equal ones. Within
// a division members are paired in that order. Initial sides of Swiss divisions and rounds of
// three come from the lots, too. A division for which there are too few is left empty, and they wait. The same list and
// seed always give the same.
func (b *Book) Draw() (Started, error) {
	s := b.Season
	var entries []season.Entry
	for _, e := range s.Entries {
		if !e.Withdrawn && !e.Late {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(x, y season.Entry) int { return cmp.Compare(x.Member, y.Member) }) // not as they came
	out := Started{
		Divided: season.Divided{Members: map[string][]string{}, Initial: map[string]pair.Colour{}, Lots: map[string]int{}},
		Rounds:  season.Started{Turned: b.Number%2 == 0, Trios: map[string][]pair.TrioRound{}},
	}
	for place, at := range b.Seed.For(s.List, "places").Order(len(entries)) {
		out.Divided.Lots[entries[at].Member] = place + 1
	}
	slices.SortStableFunc(entries, func(x, y season.Entry) int {
		return cmp.Or(cmp.Compare(y.Start, x.Start), cmp.Compare(out.Divided.Lots[x.Member], out.Divided.Lots[y.Member]))
	})
	chosen, err := b.fill(entries)
	if err != nil {
		return out, err
	}
	playing := 0
	for i, d := range s.Plan.Divisions {
		members := chosen[i]
		playing += len(members)
		out.Divided.Members[d.ID] = members
		if d.Table.Form == table.Swiss {
			out.Divided.Initial[d.ID] = []pair.Colour{pair.First, pair.Second}[b.Seed.For(s.List, "initial side of "+d.ID).Draw(2)]
		}
		if d.Table.Pairing == table.Trio && len(members) > 0 {
			rounds, err := pair.Trios(len(members), d.Rounds, b.Seed.For(s.List, "rounds of "+d.ID).Draw)
			if err != nil {
				return out, fmt.Errorf("division %s: %w", d.ID, err)
			}
			out.Rounds.Trios[d.ID] = rounds
		}
	}
	if playing == 0 {
		return out, game.Refuse(tooFew, phrase.Number("members", len(entries)))
	}
	return out, nil
}

// tooFew is the code of the refusal to draw a season of which no division can be played.
const tooFew = "league.few"

// fill chooses the members of each division of the plan from entries, the best first.
func (b *Book) fill(entries []season.Entry) ([][]string, error) {
	orders, err := b.orders(entries)
	if err != nil {
		return nil, err
	}
	all := make([][]string, len(b.Season.Plan.Divisions))
	placed := map[string]bool{}
	first := map[string]int{} // by systems: all before it are placed
	for i, d := range b.Season.Plan.Divisions {
		members, order := []string{}, orders[b.System[i]]
		for first[b.System[i]] < len(order) && placed[order[first[b.System[i]]].Member] {
			first[b.System[i]]++
		}
		for _, e := range order[first[b.System[i]]:] {
			if len(members) == d.Size {
				break
			}
			if b.onProbation(e.Member, i) {
				continue
			}
			if b.wished(e.Member) == b.System[i] && !placed[e.Member] {
				members, placed[e.Member] = append(members, e.Member), true
			}
		}
		if len(members) < least(d) { // whoever is there waits, or plays further down
			for _, m := range members {
				placed[m] = false
			}
			members, first = []string{}, map[string]int{}
		}
		all[i] = members
	}
	return all, nil
}

// orders gives the entries for each system: by its tables of the season before; then those who took sides of others over
// in it; then the others, as they are given.
func (b *Book) orders(entries []season.Entry) (map[string][]season.Entry, error) {
	orders := map[string][]season.Entry{}
	helped := map[string]bool{}
	if n := len(b.Past); n > 0 && b.Season.FirstCall {
		for member := range season.Helpers(b.Past[n-1]) {
			helped[b.Person(member)] = true
		}
	}
	for _, system := range b.System {
		if _, known := orders[system]; known {
			continue
		}
		before, err := b.standings(system)
		if err != nil {
			return nil, err
		}
		place := map[string]int{} // who has none comes behind the last
		for _, e := range entries {
			place[e.Member] = len(before) + 1
			if helped[e.Member] {
				place[e.Member] = len(before)
			}
		}
		for i, member := range before {
			place[member] = i
		}
		in := slices.Clone(entries)
		slices.SortStableFunc(in, func(x, y season.Entry) int { return cmp.Compare(place[x.Member], place[y.Member]) })
		orders[system] = in
	}
	return orders, nil
}

// wished is the system that a member entered for: the first one of the league unless he named another.
func (b *Book) wished(member string) string {
	return cmp.Or(b.Wishes[member].System, b.System[0])
}

// onProbation tells whether a member has not finished enough games to play in a division: in the first one of a
// system. Nobody could have in the first season of a league.
func (b *Book) onProbation(member string, place int) bool {
	s := b.Season
	if len(b.Past) == 0 || b.Finished[member] >= s.Probation {
		return false
	}
	for i, d := range s.Plan.Divisions {
		if b.System[i] == b.System[place] && d.Level < s.Plan.Divisions[place].Level {
			return false
		}
	}
	return true
}

// least is how many members a division needs.
func least(d season.DivisionPlan) int {
	if d.Table.Pairing == table.Trio {
		return 3
	}
	return 2
}

// Next is what follows by the rules without anybody asking for it: the next round of a Swiss
// division, or that all is decided. Nil: nothing does.
func (b *Book) Next() (Input, error) {
	s := b.Season
	if s == nil || s.Phase != season.Running {
		return nil, nil
	}
	for _, d := range s.Divisions {
		if d.Table.Form != table.Swiss || len(d.Members) == 0 || d.Paired >= d.Rounds {
			continue
		}
		round, err := s.NextRound(d.ID)
		var none pair.NoRoundError
		switch {
		case err == nil:
			return Paired{season.Paired{Division: d.ID, Round: round}}, nil
		case errors.As(err, &none):
			return Shortened{season.Shortened{Division: d.ID}}, nil
		}
	}
	if s.Open() == 0 {
		if all, err := b.playoffs(); err != nil || len(all) > 0 {
			return PlayedOff{season.PlayedOff{Playoffs: all}}, err
		}
		return Settled{}, nil
	}
	return nil, nil
}

// A Pairing is one whose games are to be made.
type Pairing struct {
	Division int // its place in the season
	Pairing  int // its place in the division
	Games    []Planned
}

// Planned is a game that is to be made.
type Planned struct {
	ID      string
	Members []string // in the order of sides
}

// Due gives the pairings whose games are to be made now.
func (b *Book) Due() (all []Pairing) {
	s := b.Season
	if s == nil {
		return nil
	}
	for i, pairings := range s.AllDue() {
		d := s.Divisions[i]
		for _, at := range pairings {
			p := Pairing{Division: i, Pairing: at}
			seats := d.Pairings[at].Seats
			for k := range gamesOf(d) {
				members := slices.Clone(seats)
				if k == 1 {
					slices.Reverse(members)
				}
				p.Games = append(p.Games, Planned{b.gameID(i, at, k), members})
			}
			all = append(all, p)
		}
	}
	return all
}

func gamesOf(d season.Division) int {
	if d.Table.Pairing == table.Double {
		return 2
	}
	return 1
}

// gameID names a game: season, division and pairing by their numbers, so that it is short enough
// whatever the league is called.
func (b *Book) gameID(division, pairing, k int) string {
	name := b.League
	return fmt.Sprintf("%s-%d-%d-%d%s", name[:min(len(name), 24)], b.Number, division+1, pairing+1, []string{"", "b"}[k])
}

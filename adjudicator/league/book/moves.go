package book

import (
	"cmp"
	"fmt"
	"slices"

	"berthier/adjudicator/league/season"
)

// A Move is that a member goes up or down after a season.
type Move struct {
	Member string
	From   string // division
	To     int    // level
	Up     bool
}

// Moves gives who goes up and who down after a season, by its tables as they stand: as many of each division as
// its plan says, where there is a division above or below. System names the ruleset of each division.
func Moves(s *season.Season, systems []string) (all []Move, err error) {
	for i, d := range s.Divisions {
		if d.Playoff != nil {
			continue
		}
		levels := levelsOf(s, systems, systems[i])
		at := slices.Index(levels, d.Level)
		made, err := s.Table(d.ID)
		if err != nil {
			return nil, fmt.Errorf("table of %s: %w", d.ID, err)
		}
		var ranked []string
		for _, row := range made.Rows {
			if row.Rank > 0 {
				ranked = append(ranked, row.Entry)
			}
		}
		for n, m := range ranked {
			switch {
			case at > 0 && n < s.Up:
				all = append(all, Move{m, d.ID, levels[at-1], true})
			case at < len(levels)-1 && n >= s.Up && n >= len(ranked)-s.Down:
				all = append(all, Move{m, d.ID, levels[at+1], false})
			}
		}
	}
	swaps, err := season.Swaps(s)
	if err != nil {
		return nil, err
	}
	for _, p := range swaps {
		if slices.ContainsFunc(all, func(m Move) bool { return slices.Contains(p.Members, m.Member) }) {
			continue // the table has changed since: he moves without it, too
		}
		level := map[string]int{}
		for _, d := range s.Divisions {
			level[d.ID] = d.Level
		}
		all = append(all, Move{p.Members[0], p.Upper, level[p.Lower], false}, Move{p.Members[1], p.Lower, level[p.Upper], true})
	}
	return all, nil
}

// MovesHang tells whether it hangs on a game of the present season who goes up or down, or plays for it, as its tables stand.
func (b *Book) MovesHang(game string) (turns bool, err error) {
	edge := *b.Season // it has the same divisions
	if edge.Playoffs {
		edge.Up, edge.Down = edge.Up+1, edge.Down+1
	}
	all := func() (all [2][]Move, err error) {
		for i, s := range []*season.Season{b.Season, &edge} {
			if all[i], err = Moves(s, b.System); err != nil {
				return all, err
			}
		}
		return all, nil
	}
	now, err := all()
	if err != nil {
		return false, err
	}
	err = season.Otherwise(b.Season, game, func() error {
		other, err := all()
		turns = turns || !slices.EqualFunc(now[:], other[:], slices.Equal)
		return err
	})
	return turns, err
}

// levelsOf gives the levels of a system's divisions, the highest first.
func levelsOf(s *season.Season, systems []string, system string) (levels []int) {
	for i, d := range s.Divisions {
		if d.Playoff == nil && systems[i] == system && !slices.Contains(levels, d.Level) {
			levels = append(levels, d.Level)
		}
	}
	slices.Sort(levels)
	return levels
}

// A standing is where a member stands among those who are to be divided.
type standing struct {
	member string
	level  int // to which he goes
	came   int // 0: down to it, 1: he stays there, 2: up to it
	rank   int // in the table that he comes from
	group  int // of that table
}

// standings gives those who played a system in the season before, in the order in which its divisions are filled
// now: level by level; in each first those who come down, then those who stay, then those who come up. So a
// place that somebody has left saves the best of those who go down, and else is taken by the best from below;
// and where there is none, the last of those who would go up stays where he is.
func (b *Book) standings(system string) ([]string, error) {
	if len(b.Past) == 0 {
		return nil, nil
	}
	s, systems := b.Past[len(b.Past)-1], b.PastOf[len(b.PastOf)-1]
	moves, err := Moves(s, systems)
	if err != nil {
		return nil, err
	}
	var all []standing
	for i, d := range s.Divisions {
		if systems[i] != system || d.Playoff != nil {
			continue
		}
		made, err := s.Table(d.ID)
		if err != nil {
			return nil, err
		}
		for n, row := range made.Rows {
			if row.Rank == 0 {
				continue // his results count for nobody: he begins again
			}
			one := standing{row.Entry, d.Level, 1, n, i}
			for _, m := range moves {
				if m.Member == row.Entry && m.From == d.ID {
					one.level, one.came = m.To, map[bool]int{true: 2, false: 0}[m.Up]
				}
			}
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(x, y standing) int {
		return cmp.Or(cmp.Compare(x.level, y.level), cmp.Compare(x.came, y.came), cmp.Compare(x.rank, y.rank), cmp.Compare(x.group, y.group))
	})
	members := make([]string, len(all))
	for i, one := range all {
		members[i] = one.member
	}
	return members, nil
}

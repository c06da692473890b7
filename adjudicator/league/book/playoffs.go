package book

import (
	"errors"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
)

// PlayedOff begins the play-offs that the tables give.
type PlayedOff struct{ season.PlayedOff }

func (PlayedOff) kind() string { return "played-off" }

func (in PlayedOff) happen(b *Book) error {
	if b.Season == nil {
		return game.Refuse("league.no-season")
	}
	want, err := b.playoffs()
	if err != nil {
		return err
	}
	if len(want) == 0 || !same(in, PlayedOff{season.PlayedOff{Playoffs: want}}) {
		return errors.New("the play-offs are not those that the tables give")
	}
	systems := slices.Clone(b.System)
	for _, p := range want {
		systems = append(systems, b.System[b.place(p.Upper)])
	}
	if err := b.Season.Apply(in.PlayedOff); err != nil {
		return err
	}
	b.System = systems
	return nil
}

// place is the place of a division in the season.
func (b *Book) place(id string) int {
	return slices.IndexFunc(b.Season.Divisions, func(d season.Division) bool { return d.ID == id })
}

// SetUpAs is the place of the division by whose set-up the games of a division are made: of a play-off, the upper
// of its two.
func (b *Book) SetUpAs(division int) int {
	if p := b.Season.Divisions[division].Playoff; p != nil {
		return b.place(p.Upper)
	}
	return division
}

// playoffs gives the play-offs of a season in which all else is decided: between each division and the one below of
// the same system; where there are groups side by side, of the first with the first, and so on. There is none
// between divisions whose time has ended, or whose games are of three.
func (b *Book) playoffs() (all []season.Playoff, err error) {
	s := b.Season
	if !s.Playoffs || season.PlaysOff(s) || s.Open() > 0 {
		return nil, nil
	}
	for i := range s.Divisions {
		upper := &s.Divisions[i]
		levels := levelsOf(s, b.System, b.System[i])
		at := slices.Index(levels, upper.Level)
		if at == len(levels)-1 || upper.Table.Pairing == table.Trio || upper.Ended {
			continue
		}
		above, below := b.groups(b.System[i], levels[at]), b.groups(b.System[i], levels[at+1])
		n := slices.Index(above, i)
		if n >= len(below) || s.Divisions[below[n]].Ended {
			continue
		}
		lower := &s.Divisions[below[n]]
		stays, err := ranked(s, upper.ID)
		if err != nil {
			return nil, err
		}
		rises, err := ranked(s, lower.ID)
		if err != nil {
			return nil, err
		}
		last := len(stays) - s.Down - 1
		if last < 0 || s.Up >= len(rises)-s.Down {
			continue
		}
		p := season.Playoff{Upper: upper.ID, Lower: lower.ID, Members: []string{stays[last], rises[s.Up]}}
		p.Turned = b.Seed.For(s.List, "sides of "+p.ID()).Draw(2) == 1
		all = append(all, p)
	}
	return all, nil
}

// groups are the places of the divisions of a system and level.
func (b *Book) groups(system string, level int) (all []int) {
	for i, d := range b.Season.Divisions {
		if d.Playoff == nil && d.Level == level && b.System[i] == system {
			all = append(all, i)
		}
	}
	return all
}

// ranked are the members of a division whose results count and who have not withdrawn, in the order of its table.
func ranked(s *season.Season, division string) (all []string, err error) {
	made, err := s.Table(division)
	if err != nil {
		return nil, err
	}
	for _, row := range made.Rows {
		if row.Rank > 0 {
			all = append(all, row.Entry)
		}
	}
	return all, nil
}

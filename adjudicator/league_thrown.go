package adjudicator

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
)

// Whether a game was thrown no machine can tell. What it can tell is named to the secretaries, who look: games that somebody
// resigned in less than a third of the stops that such games usually take, if it hangs on them who goes up or down.

// fewestPlayed is how many games must have been played to their end to say how many stops are usual.
const fewestPlayed = 3

// thrown gives the games of a league's season that are decided, not final yet, and may have been thrown.
func thrown(l leagues, b *openBook) (all []string, err error) {
	if b.Season.Phase != season.Running && b.Season.Phase != season.Settling {
		return nil, nil
	}
	usual := map[string]int{} // by systems
	for i, d := range b.Season.Divisions {
		for _, p := range d.Pairings {
			for k := range p.Games {
				g := &p.Games[k]
				if o := b.Season.Value(g); g.Final || !o.Kind.Counts() || !slices.Contains(o.Places, table.Lost) {
					continue
				}
				side, stops, err := resigned(l, g)
				if lasts(err) {
					continue
				}
				if err != nil {
					return nil, err
				}
				if side < 0 || b.Season.Value(g).Places[side] != table.Lost {
					continue
				}
				if _, known := usual[b.System[i]]; !known {
					if usual[b.System[i]], err = usualStops(l, b, b.System[i]); err != nil {
						return nil, err
					}
				}
				if 3*stops >= usual[b.System[i]] {
					continue
				}
				turns, err := b.MovesHang(g.ID)
				if err != nil {
					return nil, err
				}
				if turns {
					all = append(all, g.ID)
				}
			}
		}
	}
	return all, nil
}

// resigned gives the side whose own player was the first to resign a game, and after how many stops; -1: none was.
func resigned(l leagues, g *season.Game) (side, stops int, err error) {
	side = -1
	err = l.office.read(func(tx store.Reader) error {
		record, err := game.Read(tx.Game(g.ID))
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(record.Seats, func(s *game.Seat) bool { return s.Resigned }) && !slices.ContainsFunc(g.Subs, func(n int) bool { return n > 0 }) {
			return nil // whoever resigns is marked, or somebody has taken his seat
		}
		first, _, err := tx.Entry(g.ID, 1)
		if err != nil {
			return err
		}
		sides, err := l.sidesOf(first)
		if err != nil {
			return err
		}
		return tx.Entries(g.ID, 0, func(e chain.Entry) error {
			head, err := log.Read(e, nil)
			switch {
			case err != nil || side >= 0:
			case head.Kind == log.KindResolved:
				stops++
			case head.Kind == log.KindExchanged:
				var x log.Exchange
				if _, err = log.Read(e, &x); err == nil {
					for i := range sides {
						sides[i] = x.Other(sides[i])
					}
				}
			case head.Kind == log.KindReplaced: // who resigns after that is not the one whose points it is
				if i := slices.Index(sides, head.Seat); i >= 0 {
					sides[i] = ""
				}
			case head.Kind == log.KindResigned:
				side = slices.Index(sides, head.Seat)
			}
			return err
		})
	})
	return side, stops, err
}

// usualStops is the number of stops in the median of a league's games of a system that were played to their end; 0: there
// are too few.
func usualStops(l leagues, b *openBook, system string) (int, error) {
	var all []int
	seasons, systems := append(slices.Clone(b.Past), b.Season), append(slices.Clone(b.PastOf), b.System)
	err := l.office.read(func(tx store.Reader) error {
		for n, s := range seasons {
			for i, d := range s.Divisions {
				if systems[n][i] != system {
					continue
				}
				for _, p := range d.Pairings {
					for _, g := range p.Games {
						if g.Result.Kind != table.Played {
							continue
						}
						record, err := game.Read(tx.Game(g.ID))
						if err != nil && !lasts(err) {
							return err
						}
						if err == nil {
							all = append(all, record.Stop)
						}
					}
				}
			}
		}
		return nil
	})
	if err != nil || len(all) < fewestPlayed {
		return 0, err
	}
	slices.Sort(all)
	return all[len(all)/2], nil
}

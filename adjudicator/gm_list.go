package adjudicator

import (
	"encoding/json"
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/report"
	"berthier/adjudicator/store"
)

// mostListed is how many games a letter lists.
const mostListed = 500

// listed lists the games that an address looks after.
func listed(o *Office, address string) (all []report.Listed, err error) {
	err = o.read(func(tx store.Reader) error {
		for _, id := range tx.GamesOf(address, mostListed) {
			var g game.State
			if err := json.Unmarshal(tx.Game(id), &g); err != nil {
				return fmt.Errorf("list game %s: %w", id, err)
			}
			if g.GM.Address != address && g.Master(address) == nil {
				continue
			}
			sum := summaryOf(&g)
			if !g.GMPlays && g.Plays(address) {
				sum.Waiting = nil // it would tell who has written
			}
			all = append(all, report.Listed{ID: sum.ID, Title: sum.Title, System: sum.System, State: sum.State, Stop: sum.Stop, Waiting: len(sum.Waiting)})
		}
		return nil
	})
	return all, err
}

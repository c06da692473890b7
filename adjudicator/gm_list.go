package adjudicator

import (
	"encoding/json"
	"errors"
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/report"
	"berthier/adjudicator/store"
	"berthier/orders"
)

// mostListed is how many games a letter lists.
const mostListed = 500

// listFor lists the games that the writer of a letter looks after, if the letter asks for them.
func listFor(it *arrival, doc *orders.Document) ([]report.Listed, error) {
	if doc == nil || doc.Command != "list" {
		return nil, nil
	}
	return listed(it.office, it.From)
}

// listed lists the games that an address looks after, of those in which he plays, or by which he gains, without what would tell him of others. It
// is not asked while a game is changed, since it asks leagues.
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
				sum.hide()
			}
			all = append(all, report.Listed{ID: sum.ID, Title: sum.Title, System: sum.System, State: sum.State, Stop: sum.Stop, Waiting: len(sum.Waiting)})
		}
		return nil
	})
	for i := range all {
		gains, wrong := umpireGains(o, all[i].ID, address)
		if err = errors.Join(err, wrong); gains {
			all[i].Stop, all[i].Waiting = 0, 0
		}
	}
	return all, err
}

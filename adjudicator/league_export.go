package adjudicator

import (
	"encoding/hex"
	"fmt"

	"berthier/adjudicator/league/book"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
)

// ExportLeague gives the log of a league as a file that anybody can check without the office: whole, for whoever takes the
// league over; or as everybody may read it, with digests in place of what is private and of set-ups, which hold addresses.
func (s *Secretary) ExportLeague(id string, public bool) (*log.Export, error) {
	x := &log.Export{Format: log.ExportFormat, Game: id, System: log.LeagueSystem, For: "gm"}
	if public {
		x.For = "everybody"
	}
	err := leagues{s.club.office}.look(id, func(b *openBook) error {
		x.Title, x.State = b.Title, "announced"
		if b.Season == nil {
			x.State = "made"
		} else {
			x.State, x.Commitment = string(b.Season.Phase), b.Season.Commitment
		}
		return s.club.office.read(func(tx store.Reader) error {
			return tx.Entries(leaguePrefix+id, 0, func(e chain.Entry) error {
				_, in, err := book.Read(e)
				if err != nil {
					return err
				}
				x.Entries = append(x.Entries, shownOf(e, in, public))
				return nil
			})
		})
	})
	if err != nil {
		return nil, fmt.Errorf("export league %s: %w", id, err)
	}
	return x, nil
}

// shownOf is an entry of a league's log as it is exported.
func shownOf(e chain.Entry, in book.Input, public bool) log.ExportedEntry {
	x := log.ExportedEntry{N: e.Seq, Hash: hex.EncodeToString(e.Hash[:])}
	body, private := e.Digests()
	hidden := false
	switch in.(type) {
	case book.Made, book.Changed:
		hidden = public
	case book.Waiting, book.Reminded, book.Umpired, book.Appealed: // they tell that a player of a running game disputes something
		hidden = public
	}
	if hidden {
		x.Digest = hex.EncodeToString(body[:])
	} else {
		x.Salt, x.Body = hex.EncodeToString(e.Salt[:16]), string(e.Body)
	}
	switch {
	case len(e.Private) == 0:
	case public || len(e.Was) > 0:
		x.PrivateDigest = hex.EncodeToString(private)
	default:
		x.PrivateSalt, x.Private = hex.EncodeToString(e.Salt[16:]), string(e.Private)
	}
	return x
}

package adjudicator

import (
	"context"
	"slices"

	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Roles. A game has a game master; the administrators of the office may do in every
// game what its game master may, with the office's key; whoever has the office's
// machine, and so the database, may do it on the command line. The log has who did
// it, in a part that no player reads.
//
// A game master or administrator who plays in the game learns nothing hidden and
// rules on nothing, unless the set-up says gm-plays: open.

// blindCommands are those that even a game master who plays may give. They show
// nothing hidden and treat all sides alike.
var blindCommands = []string{"pause", "resume", "extend", "remind", "replace", "close", "list", "help", "rules"}

// plays tells whether an address is that of a player.
func (g *game) plays(address string) bool {
	return slices.ContainsFunc(g.Seats, func(s *seat) bool { return s.Person.Address == foldAddress(address) })
}

// blind tells whether someone who acts as game master may not see what is hidden,
// and why.
func (d *desk) blind(address string) (phrase.Phrase, bool) {
	if d.game.GMPlays || !d.game.plays(address) {
		return phrase.Phrase{}, false
	}
	return phrase.Say("office.gm.plays", phrase.Literals("commands", blindCommands)), true
}

// firstTable lists the seats for the game master's first letter, unless it tells
// him, who plays, whom the game waits for.
func (d *desk) firstTable() []engine.Table {
	if _, blind := d.blind(d.game.GM.Address); blind {
		return nil
	}
	return []engine.Table{d.seatTable()}
}

// asAdministrator does what an administrator's letter with the office's key says
// about a game.
func (it *intake) asAdministrator(ctx context.Context, game string, gm Person, doc *orders.Document) (folder mail.Folder, err error) {
	what := ""
	err = it.office.change(ctx, game, func(d *desk) error {
		d.who, d.reader = it.from, &gm
		v := &visit{desk: d, intake: it, doc: doc, who: who{gm: true}}
		if err := v.receive(); err != nil {
			return err
		}
		folder, what = v.folder, v.what
		return nil
	}, func(tx *store.Tx) error { return it.mark(game, what, folder)(tx) })
	if err == nil {
		it.office.log.Info("letter taken in", "what", what, "game", game, "msg_id", it.letter.MessageID)
	}
	return folder, err
}

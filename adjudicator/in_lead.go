package adjudicator

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
)

// A lead is the seat to which a letter leads, and by what.
type lead struct {
	game  string
	side  engine.Side // engine.GM: the game master's
	keyed bool        // its key stands in the letter
	at    bool        // it came from the address that the game knows
}

// An answered letter is one of the office's that a letter answers.
type answered struct {
	game    string
	seat    engine.Side
	epoch   int    // of the seat's player then
	address string // to which it went
}

// sees tells where a letter leads in a game. Reply is to what it answers,
// nil if that is no letter of the game's.
func (it *incoming) sees(k keys, g *game.State, doc *orders.Document, reply *answered) (l lead, ok bool) {
	weigh := func(side engine.Side, p log.Person, key string, epoch int) {
		a := lead{game: g.ID, side: side, at: p.Address == it.from}
		a.keyed = doc != nil && sameKey(doc.Key, key) || slices.ContainsFunc(it.letter.Parts, func(part mail.Part) bool { return keyAt(part.Text, key, 0) >= 0 })
		answers := reply != nil && reply.seat == side && reply.epoch == epoch && reply.address == p.Address
		if !a.keyed && !(a.at && answers) {
			return
		}
		if !ok || a.at && !l.at || a.at == l.at && a.keyed && !l.keyed {
			l, ok = a, true
		}
	}
	for _, s := range g.Seats {
		weigh(s.Side, s.Person, k.seat(g, s), s.Epoch)
	}
	weigh(engine.GM, g.GM, k.gm(g), g.Epoch)
	return l, ok
}

// which finds the game that a file is for, among those of its sender, when the key does
// not fit the one that it names, or it names none: the one that the key opens, or, of
// several, that of the letter which it answers. A game for which the address is enough is
// not meant by a letter that names another one of its sender's. The empty id: there is
// none, or more than one.
func (it *incoming) which(k keys, doc *orders.Document, games []*game.State, thread string) string {
	var open []string
	keyed, another := false, false
	for _, g := range games {
		another = another || g.ID == foldGame(doc.Game)
		if _, ok := k.whose(g, it.from, doc); ok {
			open = append(open, g.ID)
			keyed = keyed || k.fits(g, doc.Key)
		}
	}
	switch {
	case len(open) > 1 && doc.Game == "" && slices.Contains(open, thread):
		return thread
	case len(open) != 1 || another && !keyed:
		return ""
	}
	return open[0]
}

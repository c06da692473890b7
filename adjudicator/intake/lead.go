package intake

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
)

// A Lead is the seat to which a letter leads, and why.
type Lead struct {
	Game  string
	Side  engine.Side // engine.GM: the game master's
	Keyed bool        // its key stands in the letter
	At    bool        // the letter came from the address that the game knows
	Waits bool        // an answer is owed there, and nothing else leads to it
}

// An Answered letter is a letter of the office that another letter answers.
type Answered struct {
	Game    string
	Seat    engine.Side
	Epoch   int    // of the seat's player then
	Address string // to which it went
}

// Sees tells where a letter leads in a game. Reply is the letter that it answers,
// nil if that is not one of the game's.
func (it *Letter) Sees(k Keys, g *game.State, doc *orders.Document, reply *Answered) (l Lead, ok bool) {
	weigh := func(side engine.Side, p log.Person, key string, epoch int) {
		a := Lead{Game: g.ID, Side: side, At: p.Address == it.From}
		a.Keyed = doc != nil && SameKey(doc.Key, key) || slices.ContainsFunc(it.Mail.Parts, func(part mail.Part) bool { return KeyAt(part.Text, key, 0) >= 0 })
		answers := reply != nil && reply.Seat == side && reply.Epoch == epoch && reply.Address == p.Address
		if !a.Keyed && !(a.At && answers) {
			return
		}
		if !ok || a.At && !l.At || a.At == l.At && a.Keyed && !l.Keyed {
			l, ok = a, true
		}
	}
	for _, s := range g.Seats {
		if s.Vacated {
			continue // neither its key nor a letter about it leads anywhere
		}
		weigh(s.Side, s.Person, k.Seat(g, s), s.Epoch)
	}
	weigh(engine.GM, g.GM, k.GM(g), g.Epoch)
	return l, ok
}

// Which finds the game that a file is for, among the games of its sender, when the key does
// not fit the game that it names, or it names none. It is the game that the key opens or, if
// there are several, the game of the letter that it answers. A game for which the address is
// enough is not meant by a letter that names another game of its sender. An empty id means
// that there is no such game, or more than one.
func (it *Letter) Which(k Keys, doc *orders.Document, games []*game.State, thread string) string {
	var open []string
	keyed, another := false, false
	for _, g := range games {
		another = another || g.ID == FoldGame(doc.Game)
		if _, ok := k.Whose(g, it.From, doc); ok {
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

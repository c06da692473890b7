package adjudicator

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/orders/phrase"
)

// Letters with a wrong key are answered, three in an hour, and change nothing. Somebody who
// writes many of them may be trying to find the key: then those people must be told who
// can do something about it.

// mostGuesses is how many letters with wrong keys must come from one address in a day until
// the operator and the game masters are told. Nobody mistypes a key so often.
const mostGuesses = 20

// mostGuessedGames is how many games of that address the game masters are told about.
const mostGuessedGames = 50

// WrongKeys tells how many letters with a key that did not fit came in since the
// office was opened.
func (o *Office) WrongKeys() int64 { return o.wrongKeys.Load() }

// guessed counts a letter with a wrong key. When more come from an address in one day than
// anybody mistypes, the log says so, and it gives letters to the game masters of the games of
// that address and to the administrators: once a day.
func (it *arrival) guessed() ([]*outbox.Outgoing, error) {
	o := it.office
	o.wrongKeys.Add(1)
	if !it.bill.Guessed(it.From, it.Now) {
		return nil, nil
	}
	o.log.Error("many letters with wrong keys from one address", "from", it.From, "letters", mostGuesses, "within", guessesPer.String())
	masters, games := map[string]log.Person{}, map[string][]string{}
	err := o.read(func(tx store.Reader) error {
		for _, id := range tx.GamesOf(it.From, mostGuessedGames) {
			g, err := game.Read(tx.Game(id))
			if err != nil {
				return fmt.Errorf("read game %s: %w", id, err)
			}
			masters[g.GM.Address] = g.GM
			games[g.GM.Address] = append(games[g.GM.Address], id)
			for _, p := range o.opt.GMs {
				games[p.Address] = append(games[p.Address], id)
			}
		}
		return nil
	})
	for _, p := range o.opt.GMs {
		masters[p.Address] = p
	}
	var outgoing []*outbox.Outgoing
	for _, address := range slices.Sorted(maps.Keys(masters)) {
		outgoing = append(outgoing, o.alert(masters[address], phrase.Say("office.guesses.subject"), nil,
			phrase.Say("office.guesses.what", phrase.Number("letters", mostGuesses), phrase.Literal("address", it.From), phrase.Literals("games", games[address])),
			phrase.Say("office.guesses.do")))
	}
	return outgoing, err
}

// guessesPer is the period in which wrong keys are counted.
const guessesPer = 24 * time.Hour

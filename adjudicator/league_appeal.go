package adjudicator

import (
	"encoding/json"
	"errors"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A lastRuling is the last ruling in the log of a game that a side knows of: of one by which a disputed event stands, its disputer alone is told.
type lastRuling struct {
	number int    // counting those of the game, from 1; 0: there is none
	entry  uint64 // of the log
	by     string // address of who made it, if it was by letter
}

// lastRulingOf finds it for whoever has one of some addresses.
func lastRulingOf(tx store.Reader, id string, has func(address string) bool) (last lastRuling, err error) {
	entries, err := entriesOf(tx, id)
	if err != nil {
		return last, err
	}
	g, err := game.Read(tx.Game(id))
	if err != nil {
		return last, err
	}
	disputes := map[uint64]engine.Side{}
	number := 0
	for _, e := range entries {
		head, err := log.Read(e, nil)
		if err != nil {
			return last, err
		}
		if head.Kind == log.KindDispute {
			disputes[e.Seq] = head.Seat
		}
		if head.Kind != log.KindRuling && head.Kind != log.KindRewound {
			continue
		}
		number++
		if secret, err := secretRuling(e, head, disputes, g, has); err != nil {
			return last, err
		} else if secret {
			continue
		}
		var private struct {
			By string `json:"by"`
		}
		if len(e.Private) > 0 {
			if err := json.Unmarshal(e.Private, &private); err != nil {
				return last, err
			}
		}
		last = lastRuling{number, e.Seq, private.By}
	}
	return last, nil
}

// secretRuling tells whether an entry is a ruling by which what a side disputes stands, and the side is another's.
func secretRuling(e chain.Entry, head log.Entry, disputes map[uint64]engine.Side, g *game.State, has func(address string) bool) (bool, error) {
	if head.Kind != log.KindRuling {
		return false, nil
	}
	var r log.Ruling
	if _, err := log.Read(e, &r); err != nil || r.Kind != log.ActStands {
		return false, err
	}
	s := g.Seat(disputes[r.Dispute])
	return s == nil || !has(s.Person.Address), nil
}

// complaint reads about which game a letter complains, and why; "" where it does not say it.
func (l leagueLetter) complaint() (id, reason string) {
	r := orders.NewReader(game.Vocabulary)
	return intake.FoldGame(textIn(l.doc, r, "about", log.LongestReason)), textIn(l.doc, r, "reason", log.LongestReason)
}

// textIn reads what stands under a key of a letter, as one line, and at most so many letters of it; "" if nothing does.
func textIn(doc *orders.Document, r *orders.Reader, key string, most int) string {
	n := doc.Field(key)
	if n == nil {
		return ""
	}
	said, _ := r.Text(n)
	return phrase.Clip(phrase.OneLine(said), most)
}

// appeal asks for another umpire's word on the last ruling in a game in which the writer of the letter plays.
func (t *leagueTurn) appeal(l leagueLetter) error {
	id, reason := l.complaint()
	if id == "" || reason == "" {
		return game.Refuse("league.appeal.how")
	}
	if t.Season == nil || t.Season.Game(id) == nil {
		return game.Refuse("league.no-game", phrase.Literal("game", id))
	}
	var last lastRuling
	err := t.office.read(func(tx store.Reader) (err error) { last, err = lastRulingOf(tx, id, l.member.Has); return err })
	if err == nil {
		err = t.Do(book.Appealed{Game: id, Member: l.member.ID, Ruling: last.number})
	}
	if err != nil {
		return err
	}
	first, second := t.Umpire[id], t.Second[id]
	reviewer := second
	switch {
	case second == "":
		if reviewer, err = t.nextUmpire(id); err != nil {
			return err
		}
		if reviewer == "" {
			return game.Refuse("league.appeal.nobody")
		}
		err = t.umpired(book.Umpired{Game: id, Umpire: first, Second: reviewer, Why: "appeal"})
	case mailbox.Same(second, last.by):
		reviewer = first
	}
	named, about := phrase.Literal("league", t.League), phrase.Literal("game", id)
	return errors.Join(err, t.tellAddress(reviewer, phrase.Say("league.appeal.umpire", named, about, phrase.Literal("member", l.member.ID), phrase.Number("entry", int(last.entry)), phrase.Literal("reason", reason))))
}

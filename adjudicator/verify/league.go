package verify

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/result"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/engine"
)

// A leagueCheck is an exported league while it is verified.
type leagueCheck struct {
	x       *log.Export
	games   map[string]*log.Export
	systems []engine.Ruleset
	book    *book.Book
	seeds   []string // of the seasons that are over, in their order
	season  int      // counting those that were announced

	chain, acts, results Check
	unread               map[string]bool // games whose results were not read again
	prolonged            int             // games that got more time than the season
}

// League verifies a league that was exported: that the chain of its log holds, and that all in it can have happened, with lots,
// divisions and rounds drawn again; and of those games whose own exports are given, that each result is what the log of its
// game says there. It needs no office.
func League(x *log.Export, games map[string]*log.Export, systems []engine.Ruleset) (*Verified, error) {
	if x.System != log.LeagueSystem || len(x.Entries) == 0 {
		return nil, errors.New("verify export: this is no league")
	}
	v := &Verified{Game: x.Game, League: true}
	c := &leagueCheck{x: x, games: games, systems: systems, book: &book.Book{}, unread: map[string]bool{},
		chain: Check{What: "entries of the league's log, linked by hash"}, acts: Check{What: "acts, with lots and rounds drawn again"}, results: Check{What: "results, read again in the logs of their games"}}
	entries := c.linked()
	c.endings(entries)
	for _, e := range entries {
		if why := c.follow(e); why != "" {
			v.Unchecked = append(v.Unchecked, why)
			break
		}
	}
	v.Checks = []Check{c.chain, c.acts, c.results}
	if err := c.playAgain(v); err != nil {
		return nil, err
	}
	if len(c.unread) > 0 {
		v.Unchecked = append(v.Unchecked, fmt.Sprintf("the results of %d games, whose exports are not given or which were decided by the count of their ruleset", len(c.unread)))
	}
	if c.prolonged > 0 {
		v.Unchecked = append(v.Unchecked, fmt.Sprintf("how near their end %d games were, which got more time than the season", c.prolonged))
	}
	if x.For != "gm" {
		v.Unchecked = append(v.Unchecked, "who decided what, and the set-up: they are not in this export")
	}
	return v, nil
}

// playAgain plays the games again whose exports are given and which other rules decided than those of this program.
func (c *leagueCheck) playAgain(v *Verified) error {
	for _, id := range slices.Sorted(maps.Keys(c.games)) {
		x := c.games[id]
		s := c.book.SeasonOf(id)
		if s == nil || len(x.Entries) == 0 {
			continue
		}
		var made log.Made
		if _, err := log.Read(chain.Entry{Body: []byte(x.Entries[0].Body)}, &made); err != nil {
			continue // its results say so
		}
		i := slices.IndexFunc(c.systems, func(r engine.Ruleset) bool { return r.About().ID == made.System })
		if i < 0 || made.Rules == "" || made.Rules == engine.Digest(c.systems[i]) {
			continue
		}
		again, err := Game(x, c.systems)
		if err != nil {
			return fmt.Errorf("play %s again: %w", id, err)
		}
		v.Notes = append(v.Notes, fmt.Sprintf("game %s began with other rules than those of this program, and was played again", id))
		if why := again.Otherwise(); why != "" {
			v.Differ = append(v.Differ, fmt.Sprintf("game %s: %s", id, why))
		}
	}
	return nil
}

// linked follows the chain, and gives the entries as far as they are shown.
func (c *leagueCheck) linked() (all []chain.Entry) {
	var last chain.Link
	for _, shown := range c.x.Entries {
		c.chain.Count++
		body, private, err := shown.Digests()
		if err == nil {
			err = shown.Once()
		}
		link := chain.Chain(last, body, private)
		if err != nil || shown.N != link.Seq || shown.Hash != hex.EncodeToString(link.Hash[:]) {
			c.chain.Wrong = append(c.chain.Wrong, fmt.Sprintf("entry %d does not follow from the one before it", shown.N))
			if hash, err := hex.DecodeString(shown.Hash); err == nil {
				copy(link.Hash[:], hash)
			}
		}
		last = link
		all = append(all, chain.Entry{Link: link, Body: []byte(shown.Body), Private: []byte(shown.Private)})
	}
	return all
}

// endings notes the seeds that were told when seasons ended.
func (c *leagueCheck) endings(entries []chain.Entry) {
	for _, e := range entries {
		var head book.Entry
		var ended book.Ended
		if json.Unmarshal(e.Body, &head) == nil && head.Kind == "ended" && json.Unmarshal(head.Data, &ended) == nil {
			c.seeds = append(c.seeds, ended.Seed)
		}
	}
}

// follow lets happen what an entry says. It tells why nothing can be checked from there on.
func (c *leagueCheck) follow(e chain.Entry) (stop string) {
	c.acts.Count++
	if len(e.Body) == 0 { // a set-up that is not shown
		if e.Seq == 1 {
			_ = c.book.Follow(book.Made{League: c.x.Game, Title: c.x.Title})
		}
		return ""
	}
	_, in, err := book.Read(e)
	if err != nil {
		c.acts.Wrong = append(c.acts.Wrong, err.Error())
		return "what follows on an entry that can't be read"
	}
	switch a := in.(type) {
	case book.Announced:
		c.season++
		if a.Seed == "" {
			if c.season > len(c.seeds) {
				return fmt.Sprintf("from entry %d on, the season that is not over: the seed of its lots is secret until then", e.Seq)
			}
			a.Seed = c.seeds[c.season-1]
		}
		in = a
	case book.Corrected: // that two people agreed can't be seen where they are not shown
		if a.By == "" {
			a.By = fmt.Sprint("withheld in entry ", e.Seq)
		}
		in = a
	}
	if err := c.book.Follow(in); err != nil {
		c.acts.Wrong = append(c.acts.Wrong, fmt.Sprintf("entry %d can't have happened: %v", e.Seq, err))
		return fmt.Sprintf("what follows on entry %d", e.Seq)
	}
	switch a := in.(type) {
	case book.Resulted:
		c.result(a.Game, a.Link, a.Result)
	case book.Contested:
		c.result(a.Game, a.Link, a.Result)
	case book.Counted:
		c.unread[a.Game] = true
	case book.Imported: // its own export is that of the other office
		c.result(a.ID, a.Link, a.Result)
	case book.Prolonged:
		c.prolonged++
	}
	return ""
}

// result reads a result again in the log of its game, up to the entry on which it rests.
func (c *leagueCheck) result(id string, link season.Link, said season.Outcome) {
	x := c.games[id]
	if x == nil || link.Number > len(x.Entries) || link.Number < 1 {
		c.unread[id] = true
		return
	}
	c.results.Count++
	wrong := func(why string) {
		c.results.Wrong = append(c.results.Wrong, fmt.Sprintf("game %s, entry %d: %s", id, link.Number, why))
	}
	var last chain.Link
	var entries []chain.Entry
	for _, shown := range x.Entries[:link.Number] {
		body, private, err := shown.Digests()
		last = chain.Chain(last, body, private)
		if err != nil || shown.Hash != hex.EncodeToString(last.Hash[:]) {
			wrong("the log of the game does not hold")
			return
		}
		entries = append(entries, chain.Entry{Link: last, Body: []byte(shown.Body), Private: []byte(shown.Private)})
	}
	if hex.EncodeToString(last.Hash[:]) != link.Hash {
		wrong("the result rests on an entry that the log does not have")
		return
	}
	sides, err := c.sides(entries[0])
	if err != nil {
		wrong(err.Error())
		return
	}
	o, _, err := result.Of(entries, sides)
	if err != nil || o.Kind != said.Kind || !slices.Equal(o.Places, said.Places) || !slices.Equal(o.Missed, said.Missed) {
		wrong("the log says something else")
	}
}

// sides are those of a game, in the order of its rules.
func (c *leagueCheck) sides(first chain.Entry) ([]engine.Side, error) {
	var made log.Made
	if _, err := log.Read(first, &made); err != nil {
		return nil, err
	}
	for _, rules := range c.systems {
		if rules.About().ID == made.System {
			position, err := rules.New(engine.Setup{Scenario: made.Scenario, Options: made.Options, Data: []byte(made.Data)})
			if err != nil {
				return nil, err
			}
			return position.Sides(), nil
		}
	}
	return nil, fmt.Errorf("this program has no ruleset %q", made.System)
}

package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/member"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/mail/mailbox"
	"berthier/orders/phrase"
)

// handPrefix and the ids of a league and a game of it: its umpire, whose address it holds, gives the game back.
// mastersPrefix and the same: the game is to have the umpires that the league's log names.
const (
	handPrefix    = "league-hand "
	mastersPrefix = "league-masters "
)

// A rota chooses the umpires of a league's games.
type rota struct {
	leagues
	book    *openBook
	setup   *league.Setup
	running map[string]int // games that are not decided, by addresses
	all     []umpire
}

// A rotaAt is what a rota was last made of. A round asks for one with each pairing, so it is kept.
type rotaAt struct {
	running map[string]int // nil: something has happened to the league since
	all     []umpire
	roll    chain.Link // the end of the roll when they were read
}

// An umpire is somebody on the rota; member is nil if he is none.
type umpire struct {
	address string
	member  *member.Member
}

// rotaOf is the rota of a league as it stands.
func (l leagues) rotaOf(b *openBook) (*rota, error) {
	s, err := l.setupOf(b)
	if err != nil {
		return nil, err
	}
	var roll chain.Link
	if err := l.office.read(func(tx store.Reader) error { roll = tx.Last(rollLog); return nil }); err != nil {
		return nil, err
	}
	kept := &b.rota
	if kept.all == nil || kept.roll != roll {
		var all []umpire
		for _, address := range s.Umpires.Of {
			m, err := l.club().at(address)
			if err != nil {
				return nil, err
			}
			all = append(all, umpire{mailbox.Clean(address), m})
		}
		kept.all, kept.roll = all, roll
	}
	if kept.running == nil {
		kept.running = map[string]int{}
		for _, id := range b.Season.Undecided() {
			kept.running[mailbox.Clean(b.Umpire[id])]++
			if second := b.Second[id]; second != "" {
				kept.running[mailbox.Clean(second)]++
			}
		}
	}
	return &rota{leagues: l, book: b, setup: s, running: kept.running, all: kept.all}, nil
}

// choose gives the umpire for a game of some members in a division: none who gains or loses by it, nor one who
// had the game already. Those who share a club with a player, and those who have as many games as an
// umpire may, are taken only if nobody else is there. Among the others it is the one with the fewest games;
// among these who has waited longest. "": there is nobody.
func (r *rota) choose(division int, players []string, not ...string) (string, error) {
	best, bestCost := "", [3]int{}
	about, err := r.stakesIn(division, players)
	if err != nil {
		return "", err
	}
	for _, u := range r.all {
		if slices.ContainsFunc(not, func(a string) bool { return mailbox.Same(a, u.address) }) {
			continue
		}
		stake, close := about.of(u)
		if stake {
			continue
		}
		soft := 0
		if close {
			soft = 2
		}
		if r.running[u.address] >= r.setup.Umpires.MostGames {
			soft++
		}
		cost := [3]int{soft, r.running[u.address], r.book.Turns[u.address]}
		if best == "" || slices.Compare(cost[:], bestCost[:]) < 0 {
			best, bestCost = u.address, cost
		}
	}
	return best, nil
}

// stakes are who gains or loses by a game of some members in a division.
type stakes struct {
	never   []string         // whom else the set-up keeps away: family, same-club
	members []string         // of the division
	foes    map[string]bool  // who meet a player in the season
	players []*member.Member // of the game
}

func (r *rota) stakesIn(division int, players []string) (*stakes, error) {
	x := &stakes{never: r.setup.Umpires.Never, members: r.book.Season.Divisions[division].Members}
	x.foes = r.book.Season.Opponents(players)
	for _, id := range players {
		p, err := r.club().get(id)
		if err != nil {
			return nil, err
		}
		x.players = append(x.players, p)
	}
	return x, nil
}

// of tells whether somebody may not rule on the game, since he gains or loses by it, and whether he should not if
// somebody else is there. He is judged as the person he is, whatever address he uses.
func (x *stakes) of(u umpire) (stake, close bool) {
	m := u.member
	if m == nil {
		return false, false
	}
	stake = slices.Contains(x.members, m.ID) || x.foes[m.ID]
	for _, p := range x.players {
		stake = stake || p.ID == m.ID || slices.Contains(x.never, "family") && m.Related(p)
		close = close || slices.Contains(x.never, "same-club") && m.Club != "" && strings.EqualFold(m.Club, p.Club)
	}
	return stake, close && !stake
}

// handBack notes that the umpire of a game gives it back to the rota.
func (l leagues) handBack(tr *transaction, by string) error {
	id := leaguePrefix + tr.Game.League
	if tr.also.Wake == nil {
		tr.also.Wake = map[string]time.Time{}
	}
	tr.also.Wake[id] = tr.Now
	name := handPrefix + tr.Game.League + " " + tr.Game.ID
	return l.office.read(func(tx store.Reader) error {
		v := tr.also.ValueIn(tx, name)
		v.Data = []byte(by)
		tr.also.PutValue(name, v)
		return nil
	})
}

// handOvers finds other umpires for the games that theirs give back.
func (l steward) handOvers(ctx context.Context, id string) error {
	prefix := handPrefix + id + " "
	games, who, err := l.valuesOf(prefix)
	if err != nil {
		return err
	}
	return eachGame(games, func(i int, one string) error {
		err := l.act(ctx, id, "office", "", without(prefix+one, who[i]), func(t *leagueTurn) error {
			return t.relieve(one, string(who[i]), "handed-over")
		})
		if err != nil && !errors.Is(err, store.ErrOutOfStep) {
			return fmt.Errorf("find another umpire of %s: %w", one, err)
		}
		return nil
	})
}

// relieve has somebody who looks after a game look after it no more. If he was the only one, the next on the
// rota takes his place; if there is none he keeps it, and is told.
func (t *leagueTurn) relieve(id, who, why string) error {
	if t.Season == nil || t.Season.Game(id) == nil {
		return nil
	}
	first, second := t.Umpire[id], t.Second[id]
	next := first
	switch {
	case mailbox.Same(who, second):
		next = first
	case !mailbox.Same(who, first):
		return nil // he is none of its umpires any more
	case second != "":
		next = second
	default:
		var err error
		if next, err = t.nextUmpire(id); err != nil {
			return err
		}
		if next == "" {
			return t.tellAddress(who, phrase.Say("league.umpire.nobody", phrase.Literal("league", t.League), phrase.Literal("game", id)))
		}
	}
	return t.umpired(book.Umpired{Game: id, Umpire: next, Left: who, Why: why})
}

// umpired notes who the umpires of a game are, and has the game get them.
func (t *leagueTurn) umpired(in book.Umpired) error {
	if err := t.put(mastersPrefix+t.League+" "+in.Game, fmt.Sprint(t.end.Seq)); err != nil {
		return err
	}
	given := slices.DeleteFunc([]string{in.Umpire, in.Second}, func(who string) bool {
		return who == "" || who == t.Umpire[in.Game] || who == t.Second[in.Game]
	})
	if err := t.Do(in); err != nil {
		return err
	}
	return tellSameClub(t, []string{in.Game}, given...)
}

// tellSameClub tells those who play some games with each other if one of some umpires, who were taken since nobody else
// is there, belongs to the club of one of them.
func tellSameClub(t *leagueTurn, games []string, umpires ...string) error {
	r, err := t.rotaOf(t.openBook)
	if err != nil || !slices.Contains(r.setup.Umpires.Never, "same-club") {
		return err
	}
	g := t.Season.Game(games[0])
	about, err := r.stakesIn(t.Season.DivisionOf(g.ID), g.Players)
	if err != nil {
		return err
	}
	for _, address := range umpires {
		m, err := t.club().at(address)
		if err != nil {
			return err
		}
		if _, close := about.of(umpire{address, m}); !close {
			continue
		}
		for _, player := range g.Players {
			if err := t.tell(player, phrase.Say("league.umpire.same-club", phrase.Literal("league", t.League), phrase.Literals("games", games))); err != nil {
				return err
			}
		}
	}
	return nil
}

// nextUmpire gives the next umpire for a game, who has not had it before; "": there is none.
func (t *leagueTurn) nextUmpire(id string) (string, error) {
	r, err := t.rotaOf(t.openBook)
	if err != nil {
		return "", err
	}
	division, g := t.Season.DivisionOf(id), t.Season.Game(id)
	return r.choose(division, slices.Concat(g.Entries, g.Players), append([]string{t.Umpire[id], t.Second[id]}, t.Former[id]...)...)
}

// tellAddress tells an umpire or secretary something.
func (t *leagueTurn) tellAddress(address string, lines ...phrase.Phrase) error {
	p := log.Person{Address: address}
	if m, err := t.club().at(address); err != nil {
		return err
	} else if m != nil {
		p = m.Person()
		p.Address = address
	}
	letter := t.office.letters.Outside(p, t.office.now()).Short(phrase.Say("league.subject", phrase.Literal("league", t.League)), lines...)
	t.outgoing = append(t.outgoing, t.club().notice(p, nil, letter))
	return nil
}

// giveGames has games get the umpires that the league's log names.
func (l steward) giveGames(ctx context.Context, id string) error {
	prefix := mastersPrefix + id + " "
	games, values, err := l.valuesOf(prefix)
	if err != nil {
		return err
	}
	return eachGame(games, func(i int, one string) error {
		var masters []log.Person
		err := l.look(id, func(b *openBook) error {
			for _, address := range []string{b.Umpire[one], b.Second[one]} {
				if address == "" {
					continue
				}
				p := log.Person{Address: address}
				if m, err := l.club().at(address); err != nil {
					return err
				} else if m != nil {
					p = m.Person()
					p.Address = address
				}
				masters = append(masters, p)
			}
			return nil
		})
		if err != nil {
			return err
		}
		err = l.office.change(ctx, one, func(tr *transaction) error {
			now := tr.Game.MastersOf()
			if slices.EqualFunc(now, masters, func(a, b log.Person) bool { return a.Address == b.Address }) {
				return nil
			}
			return tr.Do(game.Mastered{Masters: masters, By: "office"})
		})
		var refused *game.RefusedError
		if err != nil && !errors.As(err, &refused) {
			return fmt.Errorf("give %s its umpires: %w", one, err)
		}
		if err := l.office.store.Commit(ctx, without(prefix+one, values[i])); err != nil && !errors.Is(err, store.ErrOutOfStep) {
			return err
		}
		return nil
	})
}

// waitsSince tells since when something waits for the umpire of a game: a dispute, letters that he is to pass
// on, or a fault of the ruleset; zero: nothing does.
func waitsSince(tx store.Reader, g *game.State, now time.Time) (since time.Time, err error) {
	sooner := func(t time.Time) {
		if since.IsZero() || t.Before(since) {
			since = t
		}
	}
	if g.Phase == game.Closed {
		return since, nil
	}
	for _, seq := range g.Disputes {
		e, ok, err := tx.Entry(g.ID, seq)
		if err != nil {
			return since, err
		}
		if head, err := log.Read(e, nil); ok && err == nil {
			sooner(head.At)
		}
	}
	if g.Fault != "" && !g.Paused.IsZero() {
		sooner(g.Paused)
	}
	if len(g.Held) > 0 {
		sooner(now)
	}
	return since, nil
}

// waitsForMaster tells whether something in a game waits for its game master.
func waitsForMaster(g *game.State) bool {
	return len(g.Disputes)+len(g.Held) > 0 || g.Fault != ""
}

// takeWaits notes that something waits for the umpire of a game, or no longer does.
func (t *leagueTurn) takeWaits(id string, since time.Time) error {
	known, waits := t.Waits[id]
	if waits == !since.IsZero() && (!waits || !since.Before(known.Since)) {
		return nil
	}
	return t.Do(book.Waiting{Game: id, Since: since})
}

// silentUmpires takes the next step where something has waited for an umpire for too long: he is reminded; then
// the next on the rota has the game with him; then that one alone.
func (l steward) silentUmpires(ctx context.Context, id string) error {
	var stuck error
	err := l.act(ctx, id, "office", "", store.Change{}, func(t *leagueTurn) error {
		if t.Season == nil {
			return nil
		}
		now, _, err := leagueClock{t.office}.now()
		if err != nil {
			return err
		}
		var due []string
		for one := range t.Waits {
			if !now.Before(t.NextStep(one)) {
				due = append(due, one)
			}
		}
		slices.Sort(due)
		stuck = eachGame(due, func(_ int, one string) error { return t.umpireSilent(one) })
		if errors.As(stuck, new(*stuckGames)) {
			return nil // what was done about the others stands
		}
		return stuck
	})
	if err != nil {
		return err
	}
	return stuck
}

// umpireSilent takes the next step in one game, if something still waits there.
func (t *leagueTurn) umpireSilent(id string) error {
	var since time.Time
	err := t.office.read(func(tx store.Reader) error {
		g, err := game.Read(tx.Game(id))
		if err == nil {
			since, err = waitsSince(tx, g, t.Waits[id].Since)
		}
		return err
	})
	if err != nil {
		return err
	}
	if since.IsZero() {
		return t.takeWaits(id, since)
	}
	named, about := phrase.Literal("league", t.League), phrase.Literal("game", id)
	switch {
	case !t.Waits[id].Reminded:
		if err := t.Do(book.Reminded{Game: id}); err != nil {
			return err
		}
		return t.tellAddress(t.Umpire[id], phrase.Say("league.umpire.waits", named, about))
	case t.Second[id] == "":
		next, err := t.nextUmpire(id)
		if err != nil || next == "" {
			return err // the secretaries read of it
		}
		return t.umpired(book.Umpired{Game: id, Umpire: t.Umpire[id], Second: next, Why: "silent"})
	}
	if err := t.tellAddress(t.Umpire[id], phrase.Say("league.umpire.out", named, about)); err != nil {
		return err
	}
	if err := t.umpired(book.Umpired{Game: id, Umpire: t.Second[id], Left: t.Umpire[id], Why: "silent"}); err != nil {
		return err
	}
	return t.Do(book.Waiting{Game: id, Since: t.office.now()}) // the one who has it now gets his time
}

// noStake finds another umpire for a game in which one has come to have a stake.
func (t *leagueTurn) noStake(id string) error {
	r, err := t.rotaOf(t.openBook)
	if err != nil {
		return err
	}
	g := t.Season.Game(id)
	about, err := r.stakesIn(t.Season.DivisionOf(id), slices.Concat(g.Entries, g.Players))
	if err != nil {
		return err
	}
	for _, address := range []string{t.Second[id], t.Umpire[id]} {
		if address == "" {
			continue
		}
		m, err := t.club().at(address)
		if err != nil {
			return err
		}
		if stake, _ := about.of(umpire{address, m}); stake {
			if err := t.relieve(id, address, "stake"); err != nil {
				return err
			}
		}
	}
	return nil
}

// withoutUmpire gives the games that nobody looks after: those that are due and that nobody may rule on, and those
// whose umpire is silent, or family of one who plays there, while nobody else is there.
func (l leagues) withoutUmpire(b *openBook) (all []string, err error) {
	r, err := l.rotaOf(b)
	if err != nil {
		return nil, err
	}
	for _, p := range b.Due() {
		who, err := r.choose(p.Division, p.Games[0].Members)
		if err != nil {
			return nil, err
		}
		if who == "" {
			all = append(all, p.Games[0].ID)
		}
	}
	for id, w := range b.Waits {
		if b.Second[id] == "" && !l.office.now().Before(w.Since.Add(book.UmpireSecond)) {
			all = append(all, id)
		}
	}
	for _, id := range b.Season.Undecided() {
		if kin, err := kinOnly(r, id); err != nil {
			return nil, err
		} else if kin {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// kinOnly tells whether the umpire of a game is family of one who plays there: nobody else was there when that was said.
func kinOnly(r *rota, id string) (bool, error) {
	i := slices.IndexFunc(r.all, func(u umpire) bool { return mailbox.Same(u.address, r.book.Umpire[id]) })
	if i < 0 || r.all[i].member == nil || !slices.Contains(r.setup.Umpires.Never, "family") {
		return false, nil
	}
	g := r.book.Season.Game(id)
	kin, err := familyOf(r.club(), r.all[i].member, slices.Concat(g.Entries, g.Players))
	return kin != "", err
}

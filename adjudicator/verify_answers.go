package adjudicator

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"berthier/engine"
	"berthier/orders"
)

// A pending answer is one that counts for an open stop unless a newer one comes.
type pending struct {
	entry   uint64 // of its file
	stop    int    // as the side counts
	by      string // player, gm
	final   bool   // it was the player's last word
	seal    string // of what it says
	file    string // as it was sent; "" if that is withheld
	orders  string // normal form, of one that a ruling put in force
	before  bool   // it was taken under other rules than those of this program
	unknown bool   // what it says is withheld, and not sealed either
}

// taken reads that a file counts.
func (r *replay) taken(e numbered) {
	var t Taken
	if err := json.Unmarshal(e.data, &t); err != nil {
		r.answers.fault("entry %d can't be read: %v", e.n, err)
		return
	}
	p := &pending{entry: e.n, stop: t.SeatStop, by: e.by, final: t.Final, seal: t.Seal, file: t.File, before: !r.same()}
	if e.by != "player" && e.by != byGM {
		r.answers.fault("entry %d: a file of %s that counts is said to be from %q", e.n, e.seat, e.by)
	}
	if m := r.now(); m != nil && m.asked != nil && t.SeatStop != m.asked[e.seat] {
		r.answers.fault("entry %d: a file of %s counts for its stop %d, and it is asked at its stop %d", e.n, e.seat, t.SeatStop, m.asked[e.seat])
	}
	p.unknown = t.File == "" && t.Seal == ""
	if t.File == "" && r.made.scheme() == schemeOld {
		p.unknown = true
	}
	r.pending[e.seat] = p
}

// ruledAnswer reads that a ruling put an answer in force at the open stop, or took one
// out.
func (r *replay) ruledAnswer(e numbered, g *Ruling) {
	delete(r.silent, g.Seat)
	if g.Orders == "" {
		delete(r.pending, g.Seat)
		return
	}
	r.pending[g.Seat] = &pending{stop: g.SeatStop, orders: g.Orders}
}

// judge reads the answers of a stop with the rules, as the office did, and checks that
// each is written in the one normal form, is what its seat had sent last, and counts
// as the log says. It gives the answers; nil if they can't be read.
func (r *replay) judge(e numbered, was *waypoint, s *Resolved) map[engine.Side]engine.Answer {
	for _, g := range s.Answers {
		r.answers.Count++
		if !isPlain(g.Orders) {
			r.dice.fault("entry %d, stop %d: the orders of %s are not written in normal form: something stands there that means nothing", e.n, e.stop, g.Decision.Side)
		}
		if was.asked != nil && g.SeatStop != was.asked[g.Decision.Side] {
			r.answers.fault("entry %d: the stop is called number %d of %s, and is its number %d", e.n, g.SeatStop, g.Decision.Side, was.asked[g.Decision.Side])
		}
	}
	read := r.read(e, was, s)
	at := *was
	if read == nil {
		at.position = nil // nothing can be asked there
	}
	for i := range s.Answers {
		r.founded(e, &at, s, &s.Answers[i])
	}
	return read
}

// read reads the answers of a stop at its position.
func (r *replay) read(e numbered, was *waypoint, s *Resolved) map[engine.Side]engine.Answer {
	if was.position == nil {
		return nil
	}
	if !slices.EqualFunc(was.position.Owed(), s.Answers, func(d engine.Decision, g Given) bool { return d == g.Decision }) {
		r.otherwise(&r.stops, e, "other decisions would be owed")
		return nil
	}
	all := map[engine.Side]engine.Answer{}
	for _, g := range s.Answers {
		answer, ok := r.means(was, g.Decision, g.Orders, !r.same())
		if !ok {
			r.otherwise(&r.stops, e, "the orders of %s would be refused", g.Decision.Side)
			return nil
		}
		if normal := r.normal(answer); normal != g.Orders {
			r.otherwise(&r.dice, e, "the orders of %s would be written otherwise in normal form", g.Decision.Side)
		}
		all[g.Decision.Side] = answer
	}
	return all
}

// normal is an answer in the form on which the dice of the game depend.
func (r *replay) normal(a engine.Answer) string {
	if r.made.former() {
		return normalForm(r.made.scheme(), r.rules, a)
	}
	return normalForm(r.made.scheme(), nil, a)
}

// means reads a file of a side at a position: under other rules than those of its day as
// one that was accepted, which may lack what has to be said now.
func (r *replay) means(was *waypoint, d engine.Decision, file string, otherRules bool) (engine.Answer, bool) {
	doc, problems := orders.Parse(file, nil)
	doc.Accepted = otherRules
	if len(problems) > 0 || doc.Root == nil {
		return nil, false
	}
	answer, problems := r.rules.Read(was.position.View(d.Side), d, r.dated(doc))
	return answer, len(problems) == 0 && answer != nil
}

// founded checks that an answer with which a stop was resolved is what its side had
// sent last, or is founded otherwise as the log says.
func (r *replay) founded(e numbered, was *waypoint, s *Resolved, g *Given) {
	side := g.Decision.Side
	fault := func(format string, args ...any) {
		r.answers.fault("entry %d, stop %d, %s: %s", e.n, e.stop, side, fmt.Sprintf(format, args...))
	}
	if g.By != "player" && g.By != byGM && g.By != byBot && g.By != byDefault {
		fault("nobody answers as %q", g.By)
		return
	}
	if s.Again != 0 {
		if r.made.scheme() == schemeOld {
			fault("a log of the first scheme has no stops that repeat others")
		}
		return // compared with the stop that it repeats
	}
	if p := r.pending[side]; p != nil {
		r.secondThoughts(e, side, p)
		r.compare(e, was, g, p, fault)
		return
	}
	if put := was.put; put != nil && put.PutSide == side {
		if put.Put != g.Orders {
			fault("a ruling put other orders in")
		}
		return
	}
	if r.redoing && r.carriedOn(was, g) {
		return
	}
	switch g.By {
	case byDefault:
		r.byDefault(e, was, g, fault)
	case byBot:
		r.byBot(e, was, g, fault)
	default:
		fault("no file of this stop stands behind the answer")
	}
}

// compare holds an answer against the last file that counts for its stop.
func (r *replay) compare(e numbered, was *waypoint, g *Given, p *pending, fault func(string, ...any)) {
	if p.orders != "" { // put in force by a ruling
		if g.Orders != p.orders || g.By == byDefault || g.By == byBot {
			fault("a ruling put other orders in force")
		}
		return
	}
	if g.By != p.by {
		if g.By == byDefault && !r.same() && r.refused(was, g, p) {
			// The rules of the day no longer took the file, if they are what the log says.
			r.unchecked("whether the rules of its day no longer took the file of entry %d", p.entry)
			return
		}
		fault("the file of entry %d counts, and the answer is given as that of %s", p.entry, g.By)
		return
	}
	switch {
	case p.seal != "":
		if g.Entry != p.entry || sealOf(g.Salt, g.Orders) != p.seal {
			fault("the answer is not what the file of entry %d says", p.entry)
			return
		}
	case p.unknown:
		r.unchecked("answers of %s against the files that it sent, which are withheld here", g.Decision.Side)
		return
	}
	if p.file == "" {
		r.ownFile(g.Decision.Side, p)
	}
	if p.file == "" || was.position == nil {
		return
	}
	switch answer, ok := r.means(was, g.Decision, p.file, p.before || !r.same()); {
	case !ok:
		r.otherwise(&r.answers, e, "the file of entry %d would be refused", p.entry)
	case r.normal(answer) != g.Orders:
		r.otherwise(&r.answers, e, "the file of entry %d would say something else than %s is said to have answered", p.entry, g.Decision.Side)
	default:
		if _, now := r.means(was, g.Decision, p.file, false); !now {
			r.asAccepted(p)
		}
	}
}

// refused tells whether today's rules would not take the file of an answer.
func (r *replay) refused(was *waypoint, g *Given, p *pending) bool {
	if was.position == nil || p.file == "" {
		return false
	}
	_, ok := r.means(was, g.Decision, p.file, p.before || !r.same())
	return !ok
}

// carriedOn tells whether an answer was in force, or was given to the same stop, before
// the game went back: it may be so again.
func (r *replay) carriedOn(was *waypoint, g *Given) bool {
	fits := func(orders, by string) bool {
		return orders == g.Orders && (by == g.By || by == "" && g.By == "player")
	}
	for _, p := range r.carried[g.Decision.Side] {
		switch {
		case p.seal != "":
			if g.Entry == p.entry && sealOf(g.Salt, g.Orders) == p.seal || r.fileFits(was, g, p) {
				return true
			}
		case p.orders != "":
			if fits(p.orders, p.by) || p.by == "" && p.orders == g.Orders {
				return true
			}
		case r.fileFits(was, g, p) || p.unknown && g.By == p.by:
			return true
		}
	}
	for _, m := range r.moments {
		if m.resolved == nil || m.place-1 != was.place {
			continue
		}
		for _, old := range m.resolved.Answers {
			if old.Decision == g.Decision && old.SeatStop == g.SeatStop && fits(old.Orders, old.By) {
				return true
			}
		}
	}
	return false
}

func (r *replay) fileFits(was *waypoint, g *Given, p *pending) bool {
	if p.file == "" || was.position == nil || g.By != p.by {
		return false
	}
	answer, ok := r.means(was, g.Decision, p.file, p.before || !r.same())
	return ok && r.normal(answer) == g.Orders
}

// plays tells whether a person plays a side.
func (r *replay) plays(side engine.Side) bool {
	n := r.player(side)
	return !r.bots[n] && !r.gone[n]
}

// byDefault checks that the default was due, and is what the rules say.
func (r *replay) byDefault(e numbered, was *waypoint, g *Given, fault func(string, ...any)) {
	if r.plays(g.Decision.Side) && r.silent[g.Decision.Side] != g.SeatStop {
		fault("the default was taken, and no deadline has passed")
	}
	if was.position == nil {
		return
	}
	if normal := r.normal(r.rules.Default(was.position.View(g.Decision.Side), g.Decision)); normal != g.Orders {
		r.otherwise(&r.answers, e, "the default of %s would be another", g.Decision.Side)
	}
	if r.botIsAsked(g.Decision.Side) && r.made.scheme() != schemeOld {
		if _, ok := r.ask(was, g.Decision); ok && r.same() {
			fault("the default was taken, and the bot has an answer")
		} else if ok {
			r.Differ = append(r.Differ, fmt.Sprintf("entry %d, stop %d: the default was taken for %s, and the bot of this program has an answer", e.n, e.stop, g.Decision.Side))
		}
	}
}

// botIsAsked tells whether the bot answers for a side.
func (r *replay) botIsAsked(side engine.Side) bool {
	n := r.player(side)
	return r.bots[n] || r.gone[n] && r.made.Silence.Bot > 0
}

// byBot checks that the bot plays for the side, and asks it again.
func (r *replay) byBot(e numbered, was *waypoint, g *Given, fault func(string, ...any)) {
	side := g.Decision.Side
	if !r.botIsAsked(side) {
		fault("the bot has answered, and does not play for it")
		return
	}
	switch {
	case r.made.scheme() == schemeOld:
		r.unchecked("answers of the bot: in a game of this age its chance is the office's")
	case g.Bot != r.inForce:
		fault("a bot of other rules (%.12s) has answered than those of the game (%.12s)", g.Bot, r.inForce)
	case was.position == nil:
	case r.seed >= len(r.seeds):
		r.unchecked("answers of the bot: the seed is secret until the game is over")
	case g.Bot != r.digest:
		if text, ok := r.ask(was, g.Decision); !ok || text != g.Orders {
			r.Differ = append(r.Differ, fmt.Sprintf("entry %d, stop %d: the bot of this program would answer otherwise for %s; it was another bot (%.12s)", e.n, e.stop, side, g.Bot))
		}
	default:
		if text, ok := r.ask(was, g.Decision); !ok || text != g.Orders {
			fault("the bot has not answered that")
		}
	}
}

// ask asks the bot again, with the chance that it had.
func (r *replay) ask(was *waypoint, d engine.Decision) (text string, ok bool) {
	defer func() { ok = recover() == nil && ok }()
	if r.seed >= len(r.seeds) {
		return "", false
	}
	seed := engine.BotChance(r.seeds[r.seed], r.made.Game, was.place, hashWords(r.words), d.Side)
	answer := r.rules.Sensible(was.position.View(d.Side), d, rand.New(rand.NewChaCha8(seed)))
	if answer == nil {
		return "", false
	}
	return r.normal(answer), true
}

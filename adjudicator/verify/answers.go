package verify

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
)

// A filed holds what the seats of a game had sent and what counted for their stops; the
// answers of a replay are compared with it.
type filed struct {
	r       *replay
	pending map[engine.Side]*pending
	carried map[engine.Side][]*pending            // that were in force when the game went back
	former  map[uint64]map[engine.Side][]*pending // answers in force when an entry took the game back
	silent  map[engine.Side]int                   // stops whose deadline passed without an answer, as the seat counts
	hurried int                                   // the stop that a game master had resolved before its time
	row     map[int]int                           // how often each player was silent, in a row
	missed  map[int]time.Time                     // when he last was
	redoing bool                                  // the game has gone back, and what was undone is done again, or in force again
	back    map[engine.Side]*log.Former           // answers that were put back as the game went back
	plain   bool                                  // it was taken back last without doing anything again
	unshown []unshownFile
	ahead   map[uint64]fileAhead // files that file something ahead, by their entries
	alone   map[int]bool         // players who have filed something ahead without an answer, or have taken it back
	spoken  map[int][]string     // kinds of stops of which standing orders and policies of each player's letters have said something else
}

// A pending answer is one that counts for an open stop unless a newer one comes.
type pending struct {
	entry   uint64   // of the answer's file
	stop    int      // as the side counts
	by      string   // player, gm
	final   bool     // it was the player's last word
	seal    string   // of what it says
	file    string   // as it was sent; "" if that is withheld
	orders  string   // normal form, of one that a ruling put in force
	before  bool     // it was taken under other rules than those of this program
	unknown bool     // what it says is withheld, and not sealed either
	files   uint64   // entry of what was filed ahead since, in place of what its file files; 0: nothing
	aside   []string // kinds of stops of which later standing orders or policies speak
	late    bool     // what its file files ahead counts for nothing: what waits stays
	put     uint64   // entry of what it files ahead, since a ruling put it back; 0: nothing
}

// taken reads that a file counts.
func (fd *filed) taken(e numbered) {
	var t log.Taken
	if err := json.Unmarshal(e.data, &t); err != nil {
		fd.r.answers.fault("entry %d can't be read: %v", e.n, err)
		return
	}
	p := &pending{entry: e.n, stop: t.SeatStop, by: e.by, final: t.Final, seal: t.Seal, file: t.File, before: !fd.r.same(), late: t.Late, aside: t.Since}
	if e.by != "player" && e.by != log.ByGM {
		fd.r.answers.fault("entry %d: a file of %s that counts is said to be from %q", e.n, e.seat, e.by)
	}
	if m := fd.r.now(); m != nil && m.asked != nil && t.SeatStop != m.asked[e.seat] {
		fd.r.answers.fault("entry %d: a file of %s counts for its stop %d, and it is asked at its stop %d", e.n, e.seat, t.SeatStop, m.asked[e.seat])
	}
	fd.filesAhead(e, &t)
	fd.sinceThen(e, &t)
	p.unknown = t.File == "" && t.Seal == ""
	if t.File == "" && fd.r.made.DiceScheme() == log.FirstScheme {
		p.unknown = true
	}
	fd.pending[e.seat] = p
}

// ruledAnswer reads that a ruling put an answer in force at the open stop, or took one
// out.
func (fd *filed) ruledAnswer(e numbered, g *log.Ruling) {
	delete(fd.silent, g.Seat)
	if g.Orders == "" {
		delete(fd.pending, g.Seat)
		return
	}
	fd.pending[g.Seat] = &pending{stop: g.SeatStop, orders: g.Orders}
	if g.Ahead != "" {
		fd.accepted(g.About, g.Seat, g.Ahead)
		fd.pending[g.Seat].put = g.About
	}
	if about := fd.r.rulings[g.About]; g.Kind == log.ActOverrule && about != nil && about.Was != nil && about.Was.Orders == g.Orders && (aheads{fd.r}).waitsYet(g.Seat, about.Was.Files) {
		p := fd.pending[g.Seat]
		if p.put = about.Was.Files; p.put != about.Was.Entry {
			p.files = p.put
		}
	}
}

// judge reads the answers of a stop with the rules, as the office did, and checks that each
// is written in the one normal form, is what its seat had sent last, and counts as the log
// says. It gives the answers; nil if they can't be read.
func (fd *filed) judge(e numbered, was *waypoint, s *log.Resolved) map[engine.Side]engine.Answer {
	for _, g := range s.Answers {
		fd.r.answers.Count++
		if !log.IsPlain(g.Orders) {
			fd.r.dice.fault("entry %d, stop %d: the orders of %s are not written in normal form: something stands there that means nothing", e.n, e.stop, g.Decision.Side)
		}
		if was.asked != nil && g.SeatStop != was.asked[g.Decision.Side] {
			fd.r.answers.fault("entry %d: the stop is called number %d of %s, and is its number %d", e.n, g.SeatStop, g.Decision.Side, was.asked[g.Decision.Side])
		}
	}
	read := fd.read(e, was, s)
	at := *was
	if read == nil {
		at.position = nil // nothing can be asked there
	}
	for i := range s.Answers {
		fd.founded(e, &at, s, &s.Answers[i])
	}
	return read
}

// read reads the answers of a stop at its position.
func (fd *filed) read(e numbered, was *waypoint, s *log.Resolved) map[engine.Side]engine.Answer {
	if was.position == nil {
		return nil
	}
	if !slices.EqualFunc(was.position.Owed(), s.Answers, func(d engine.Decision, g log.Given) bool { return d == g.Decision }) {
		fd.r.otherwise(&fd.r.stops, e, "other decisions would be owed")
		return nil
	}
	all := map[engine.Side]engine.Answer{}
	for _, g := range s.Answers {
		answer, ok := fd.r.means(was, g.Decision, g.Orders, !fd.r.same())
		if !ok {
			fd.r.otherwise(&fd.r.stops, e, "the orders of %s would be refused", g.Decision.Side)
			return nil
		}
		if normal := fd.r.normal(answer); normal != g.Orders {
			fd.r.otherwise(&fd.r.dice, e, "the orders of %s would be written otherwise in normal form", g.Decision.Side)
		}
		all[g.Decision.Side] = answer
	}
	return all
}

// normal is an answer in the form on which the dice of the game depend.
func (r *replay) normal(a engine.Answer) string {
	if r.made.Former() {
		return log.NormalForm(r.made.DiceScheme(), r.rules, a)
	}
	return log.NormalForm(r.made.DiceScheme(), nil, a)
}

// dated gives a file the meaning that the words of the game have.
func (r *replay) dated(doc *orders.Document) *orders.Document {
	doc.Former = r.made.Former()
	return doc
}

// means reads a file of a side at a position. Under other rules than those of its day it is
// read as a file that was accepted, which may lack what must be said now.
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
// sent last, or has another reason that the log names.
func (fd *filed) founded(e numbered, was *waypoint, s *log.Resolved, g *log.Given) {
	side := g.Decision.Side
	fault := func(format string, args ...any) {
		fd.r.answers.fault("entry %d, stop %d, %s: %s", e.n, e.stop, side, fmt.Sprintf(format, args...))
	}
	if g.By != "player" && g.By != log.ByGM && g.By != log.ByBot && g.By != log.ByDefault && g.By != log.ByAhead {
		fault("nobody answers as %q", g.By)
		return
	}
	if s.Again != 0 {
		if fd.r.made.DiceScheme() == log.FirstScheme {
			fault("a log of the first scheme has no stops that repeat others")
		}
		return // it is compared with the stop that it repeats
	}
	if p := fd.pending[side]; p != nil {
		fd.secondThoughts(e, side, p)
		fd.compare(e, was, g, p, fault)
		return
	}
	if put := was.put; put != nil && put.PutSide == side {
		if put.Put != g.Orders {
			fault("a ruling put other orders in")
		}
		return
	}
	if fd.redoing && fd.carriedOn(was, g) {
		if g.By == log.ByAhead {
			fd.opens(g, fault)
		}
		return
	}
	if (g.By == log.ByDefault || g.By == log.ByBot) && fd.passedOver(was, g) {
		fault("an answer that was filed ahead was passed over")
	}
	switch g.By {
	case log.ByAhead:
		fd.byAhead(was, g, fault)
	case log.ByDefault:
		fd.byDefault(e, was, g, fault)
	case log.ByBot:
		fd.byBot(e, was, g, fault)
	default:
		fault("no file of this stop stands behind the answer")
	}
}

// compare compares an answer with the last file that counts for its stop.
func (fd *filed) compare(e numbered, was *waypoint, g *log.Given, p *pending, fault func(string, ...any)) {
	if p.orders != "" { // put in force by a ruling
		if g.Orders != p.orders || g.By == log.ByDefault || g.By == log.ByBot {
			fault("a ruling put other orders in force")
		}
		return
	}
	if g.By != p.by {
		if g.By == log.ByDefault && !fd.r.same() && fd.refused(was, g, p) {
			// The rules of the day no longer accepted the file, if the log is right about the rules.
			fd.r.unchecked("whether the rules of its day no longer took the file of entry %d", p.entry)
			return
		}
		fault("the file of entry %d counts, and the answer is given as that of %s", p.entry, g.By)
		return
	}
	switch {
	case p.seal != "":
		if g.Entry != p.entry || log.SealOf(g.Salt, g.Orders) != p.seal {
			fault("the answer is not what the file of entry %d says", p.entry)
			return
		}
	case p.unknown:
		fd.r.unchecked("answers of %s against the files that it sent, which are withheld here", g.Decision.Side)
		return
	}
	if p.file == "" {
		fd.ownFile(g.Decision.Side, p)
	}
	if p.file == "" || was.position == nil {
		return
	}
	switch answer, ok := fd.r.means(was, g.Decision, p.file, p.before || !fd.r.same()); {
	case !ok:
		fd.r.otherwise(&fd.r.answers, e, "the file of entry %d would be refused", p.entry)
	case fd.r.normal(answer) != g.Orders:
		fd.r.otherwise(&fd.r.answers, e, "the file of entry %d would say something else than %s is said to have answered", p.entry, g.Decision.Side)
	default:
		if _, now := fd.r.means(was, g.Decision, p.file, false); !now {
			fd.asAccepted(p)
		}
	}
}

// refused tells whether today's rules would refuse the file of an answer.
func (fd *filed) refused(was *waypoint, g *log.Given, p *pending) bool {
	if was.position == nil || p.file == "" {
		return false
	}
	_, ok := fd.r.means(was, g.Decision, p.file, p.before || !fd.r.same())
	return !ok
}

// carriedOn tells whether an answer was in force, or was given to the same stop, before
// the game went back: then it may be in force again.
func (fd *filed) carriedOn(was *waypoint, g *log.Given) bool {
	fits := func(orders, by string) bool {
		return orders == g.Orders && (by == g.By || by == "" && g.By == "player")
	}
	for _, p := range fd.carried[g.Decision.Side] {
		switch {
		case p.seal != "":
			if g.Entry == p.entry && log.SealOf(g.Salt, g.Orders) == p.seal || fd.fileFits(was, g, p) {
				return true
			}
		case p.orders != "":
			if fits(p.orders, p.by) || p.by == "" && p.orders == g.Orders {
				return true
			}
		case fd.fileFits(was, g, p) || p.unknown && g.By == p.by:
			return true
		}
	}
	for _, m := range fd.r.moments {
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

func (fd *filed) fileFits(was *waypoint, g *log.Given, p *pending) bool {
	if p.file == "" || was.position == nil || g.By != p.by {
		return false
	}
	answer, ok := fd.r.means(was, g.Decision, p.file, p.before || !fd.r.same())
	return ok && fd.r.normal(answer) == g.Orders
}

// plays tells whether a person plays a side.
func (r *replay) plays(side engine.Side) bool {
	n := r.player(side)
	return !r.bots[n] && !r.gone[n] && r.seated[n] == ""
}

// byDefault checks that the default was due, and is what the rules say.
func (fd *filed) byDefault(e numbered, was *waypoint, g *log.Given, fault func(string, ...any)) {
	if fd.r.plays(g.Decision.Side) && fd.silent[g.Decision.Side] != g.SeatStop {
		fault("the default was taken, and no deadline has passed")
	}
	if was.position == nil {
		return
	}
	if normal := fd.r.normal(fd.r.rules.Default(was.position.View(g.Decision.Side), g.Decision)); normal != g.Orders {
		fd.r.otherwise(&fd.r.answers, e, "the default of %s would be another", g.Decision.Side)
	}
	if fd.r.botIsAsked(g.Decision.Side) && fd.r.made.DiceScheme() != log.FirstScheme {
		if _, ok := fd.ask(was, g.Decision); ok && fd.r.same() {
			fault("the default was taken, and the bot has an answer")
		} else if ok {
			fd.r.Differ = append(fd.r.Differ, fmt.Sprintf("entry %d, stop %d: the default was taken for %s, and the bot of this program has an answer", e.n, e.stop, g.Decision.Side))
		}
	}
}

// botIsAsked tells whether the bot answers for a side.
func (r *replay) botIsAsked(side engine.Side) bool {
	n := r.player(side)
	return r.bots[n] || r.seated[n] != "" || r.gone[n] && r.made.Silence.Bot > 0
}

// byBot checks that the bot plays for the side, and asks it again.
func (fd *filed) byBot(e numbered, was *waypoint, g *log.Given, fault func(string, ...any)) {
	side := g.Decision.Side
	if !fd.r.botIsAsked(side) {
		fault("the bot has answered, and does not play for it")
		return
	}
	switch {
	case fd.r.made.DiceScheme() == log.FirstScheme:
		fd.r.unchecked("answers of the bot: in a game of this age its chance is the office's")
	case g.Bot != fd.r.inForce:
		fault("a bot of other rules (%.12s) has answered than those of the game (%.12s)", g.Bot, fd.r.inForce)
	case was.position == nil:
	case fd.r.seed >= len(fd.r.seeds):
		fd.r.unchecked("answers of the bot: the seed is secret until the game is over")
	case g.Bot != fd.r.digest:
		if text, ok := fd.ask(was, g.Decision); !ok || text != g.Orders {
			fd.r.Differ = append(fd.r.Differ, fmt.Sprintf("entry %d, stop %d: the bot of this program would answer otherwise for %s; it was another bot (%.12s)", e.n, e.stop, side, g.Bot))
		}
	default:
		if text, ok := fd.ask(was, g.Decision); !ok || text != g.Orders {
			fault("the bot has not answered that")
		}
	}
}

// ask asks the bot again, with the same random numbers.
func (fd *filed) ask(was *waypoint, d engine.Decision) (text string, ok bool) {
	defer func() { ok = recover() == nil && ok }()
	if fd.r.seed >= len(fd.r.seeds) {
		return "", false
	}
	seed := engine.BotChance(fd.r.seeds[fd.r.seed], fd.r.made.Game, was.place, log.HashWords(fd.r.rolls.words), d.Side)
	bot := fd.r.rules.Sensible
	if fd.r.seated[fd.r.player(d.Side)] == log.RandomBot {
		bot = fd.r.rules.Random
	}
	answer := bot(was.position.View(d.Side), d, rand.New(rand.NewChaCha8(seed)))
	if answer == nil {
		return "", false
	}
	return fd.r.normal(answer), true
}

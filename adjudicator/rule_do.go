package adjudicator

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// setAgain does again what a ruling changed in the position.
func (d *desk) setAgain(deed deedOfThePast) (bool, error) {
	next, sum, err := d.checked(d.Position, deed.ruling.Set)
	if err != nil {
		var refused *game.RefusedError
		var problems orders.Problems
		if errors.As(err, &refused) || errors.As(err, &problems) {
			return false, nil
		}
		return false, err
	}
	again := *deed.ruling
	if again.Repeats == 0 {
		again.Repeats = deed.seq
	}
	again.From, again.To, again.Position, again.Commitment = d.Game.Head, 0, sum, ""
	if err := d.Log(log.Entry{Kind: log.KindRuling, By: "gm", Data: again}); err != nil {
		return false, err
	}
	m, err := d.past.Checkpoint(d.Game.Head)
	if err != nil {
		return false, err
	}
	return true, d.change(m, next, &again)
}

// change puts a changed position in the place of one of the past.
func (d *desk) change(m *log.Checkpoint, next engine.Position, r *log.Ruling) error {
	seq := d.Last.Seq
	if err := d.goBack(*m, next); err != nil {
		return err
	}
	if r != nil && r.Option != "" {
		d.Game.Options = maps.Clone(d.Game.Options)
		if d.Game.Options == nil {
			d.Game.Options = map[string]string{}
		}
		for name := range d.Game.Options { // an old game may have it in another spelling
			if orders.Fold(name) == orders.Fold(r.Option) {
				delete(d.Game.Options, name)
			}
		}
		d.Game.Options[r.Option] = r.Value
	}
	snapshot, err := d.Position.Marshal()
	if err != nil {
		return fmt.Errorf("write position of %s: %w", d.Game.ID, err)
	}
	kind := log.KindRuling
	if r == nil {
		kind = log.KindRewound
	}
	d.Remember(seq, kind, snapshot)
	return nil
}

// An acted is what an act did.
type acted struct {
	anew []int // stops that were resolved anew
	left int   // deeds of the past that no longer fit
	told map[*game.Seat][]game.News
}

// carryOut does what an act says.
func (d *desk) carryOut(a *act) (*acted, error) {
	p, err := d.plan(a)
	if err != nil {
		return nil, err
	}
	heard, err := d.hearers()
	if err != nil {
		return nil, err
	}
	present := d.Position
	hand, had, err := d.inHands(p)
	if err != nil {
		return nil, err
	}
	commit, err := d.newSeed(p)
	if err != nil {
		return nil, err
	}
	if err := d.noteAct(a, p, commit, had); err != nil {
		return nil, err
	}
	seq, g := d.Last.Seq, d.Game
	d.Hushed = true
	out := &acted{told: map[*game.Seat][]game.News{}}
	wasRunning := g.Phase == game.Running
	if p.back != nil {
		if err := d.playOn(a, p, commit, out); err != nil {
			return nil, err
		}
		d.inForceAgain(a, p, hand, out)
	}
	d.putInForce(p, seq)
	v := &pronounced{act: a, plan: p, commit: commit}
	if v.opened, v.settled, err = d.disputes(a); err != nil {
		return nil, err
	}
	g.Disputes = slices.DeleteFunc(append(slices.Clone(g.Disputes), v.opened...), func(n uint64) bool { return slices.Contains(v.settled, n) })
	o, ended := d.Outcome()
	if ended && g.Phase == game.Running {
		if err := game.End(d.Turn, o); err != nil {
			return nil, err
		}
	}
	if v.before, v.after, err = d.changedBy(a, p, present, len(out.anew) > 0); err != nil {
		return nil, err
	}
	if err := d.retell(v, heard, out); err != nil {
		return nil, err
	}
	d.Hushed = false
	return out, d.sendPronounced(p, o, wasRunning, out)
}

// An inHand is an answer in force as an act found it.
type inHand struct {
	file  []byte
	owes  game.Owes
	given game.InForce
}

// inHands notes the answers in force, for the game and, if the act touches a position, for
// the log.
func (d *desk) inHands(p *plan) (hand map[*game.Seat]inHand, had map[engine.Side]*log.Former, err error) {
	hand, had = map[*game.Seat]inHand{}, map[engine.Side]*log.Former{}
	for _, s := range d.Game.Seats {
		if s.Owes == nil || s.Owes.Answer == nil {
			continue
		}
		f, err := d.former(s)
		if err != nil {
			return nil, nil, err
		}
		if f != nil && p.back != nil {
			had[s.Side] = f
		}
		file, err := d.AnswerFile(s.Side)
		if err != nil {
			return nil, nil, err
		}
		hand[s] = inHand{file, *s.Owes, *s.Owes.Answer}
	}
	return hand, had, nil
}

// newSeed draws a new seed for a game that is to run on though its seed is known, and
// gives its commitment; "" if it needs none.
func (d *desk) newSeed(p *plan) (commit string, err error) {
	if p.back == nil || d.Game.Phase == game.Running {
		return "", nil
	}
	next := p.position
	if next == nil {
		if next, err = d.Rules.Load(p.back.Snapshot); err != nil {
			return "", err
		}
	}
	if _, ended := next.Outcome(); ended {
		return "", nil
	}
	seed := make([]byte, 32)
	if err := d.Draw(seed); err != nil {
		return "", err
	}
	d.Game.Seed = seed
	return log.Commitment(seed), nil
}

// noteAct writes an act into the log.
func (d *desk) noteAct(a *act, p *plan, commit string, had map[engine.Side]*log.Former) error {
	g := d.Game
	entry := log.Entry{Kind: log.KindRuling, By: "gm"}
	if p.ruling == nil {
		entry.Kind = log.KindRewound
		entry.Data = log.Rewound{From: g.Head, To: p.back.Seq, Stop: p.back.Stop, Reason: a.Reason, Commitment: commit, Same: a.Same, Dispute: a.Dispute, InForce: had}
	} else {
		p.ruling.InForce = had
		p.ruling.Commitment = commit
		entry.Data = p.ruling
	}
	return d.Log(entry)
}

// playOn goes to the position of a plan, and does from there what was done before.
func (d *desk) playOn(a *act, p *plan, commit string, out *acted) error {
	g := d.Game
	if err := d.change(p.back, p.position, p.ruling); err != nil {
		return err
	}
	if p.kept && commit != "" {
		for i := range p.deeds {
			p.deeds[i].keepDice()
		}
	}
	mark := len(d.Entries)
	n, err := d.again(p.deeds, map[engine.Side]bool{})
	if err != nil {
		return err
	}
	if g.Fault != "" {
		return game.Refuse("office.rule.fault", phrase.Literal("error", phrase.Clip(g.Fault, 300)))
	}
	if n == 0 && len(p.deeds) > 0 && a.Kind == log.ActDie {
		return game.Refuse("office.rule.cannot-resolve")
	}
	out.left = len(p.deeds) - n
	for _, e := range d.Entries[mark:] {
		if entry, err := log.Decode(e.Body, nil); err == nil && entry.Kind == log.KindResolved {
			out.anew = append(out.anew, entry.Stop)
		}
	}
	return nil
}

// inForceAgain puts answers in force again that still fit where the game stands now.
func (d *desk) inForceAgain(a *act, p *plan, hand map[*game.Seat]inHand, out *acted) {
	g := d.Game
	for _, given := range p.others {
		if s := g.Seat(given.Decision.Side); s != nil && s.Owes != nil && s.Owes.Decision == given.Decision && given.By != log.ByDefault {
			d.answersAgain(s, given)
		}
	}
	for side, f := range p.restore {
		s := g.Seat(side)
		if s == nil || s.Owes == nil || s.Owes.Answer != nil {
			continue
		}
		if d.answersAgain(s, log.Given{Decision: s.Owes.Decision, Orders: f.Orders}) {
			answer := putBack(f)
			s.Owes.Answer = &answer
		}
	}
	if out.left == 0 && (p.keep || a.Same || len(p.deeds) > 0) {
		for _, s := range g.Seats {
			h, ok := hand[s]
			if !ok || s.Owes == nil || s.Owes.Answer != nil || s.Owes.Decision != h.owes.Decision || s.Owes.Stop != h.owes.Stop {
				continue
			}
			if d.answersAgain(s, log.Given{Decision: h.owes.Decision, Orders: string(h.file)}) {
				answer := h.given
				s.Owes.Answer = &answer
			}
		}
	}
}

// putInForce puts in force what a plan says of one answer at the open stop, and of the
// outcome, by the entry of the log that says so.
func (d *desk) putInForce(p *plan, seq uint64) {
	g := d.Game
	switch {
	case p.answer != nil && p.file == "":
		d.KeepAnswer(p.answer.Side, nil)
		p.answer.Owes.Answer, p.answer.Owes.Passed = nil, false
		game.SetDeadline(d.Turn, p.answer, d.Now) // he gets time to answer again
	case p.answer != nil:
		d.KeepAnswer(p.answer.Side, []byte(p.file))
		force := p.force
		p.answer.Owes.Answer = &force
	}
	if p.decided != nil {
		g.Decided, g.DecidedBy = p.decided, seq
		for _, s := range g.Seats {
			if s.Owes != nil {
				d.KeepAnswer(s.Side, nil)
				s.Owes = nil
			}
		}
	}
}

// sendPronounced lets the game go on, or end, and the players be told.
func (d *desk) sendPronounced(p *plan, o engine.Outcome, wasRunning bool, out *acted) error {
	g := d.Game
	if g.Phase != game.Running {
		if wasRunning || p.back != nil || p.decided != nil {
			game.TellEnd(d.Turn, o)
		} else {
			for _, s := range g.Seats {
				if _, told := out.told[s]; told {
					game.SendReport(d.Turn, s)
				}
			}
		}
		return nil
	}
	stop := g.Stop
	for s := range out.told {
		s.Moved = true // he gets a fresh report
	}
	if err := d.Do(game.Settled{}); err != nil {
		return err
	}
	if g.Stop != stop || g.Phase != game.Running {
		out.anew = append(out.anew, stop)
	}
	for _, s := range g.Seats {
		if s.Resigned {
			s.Moved = false
		}
	}
	return nil
}

// keepDice keeps the dice of a stop as they fell.
func (deed *deedOfThePast) keepDice() {
	if deed.fresh {
		return
	}
	all := map[int]int{}
	for i, roll := range deed.resolved.Rolls {
		all[i+1] = roll.Result
	}
	maps.Copy(all, deed.resolved.Ruled)
	deed.resolved.Ruled = all
}

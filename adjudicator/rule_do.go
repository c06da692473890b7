package adjudicator

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// setAgain does again what a ruling changed in the position.
func (d *desk) setAgain(deed deedOfThePast) (bool, error) {
	next, sum, err := d.checked(d.position, deed.ruling.Set)
	if err != nil {
		var refused *RefusedError
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
	again.From, again.To, again.Position, again.Commitment = d.game.Head, 0, sum, ""
	if err := d.note(Entry{Kind: LogRuling, By: "gm", Data: again}); err != nil {
		return false, err
	}
	m, err := d.whole(d.game.Head)
	if err != nil {
		return false, err
	}
	return true, d.change(m, next, &again)
}

// change puts a changed position in the place of one of the past.
func (d *desk) change(m *milestone, next engine.Position, r *Ruling) error {
	seq := d.last.Seq
	if err := d.goBack(*m, next); err != nil {
		return err
	}
	if r != nil && r.Option != "" {
		d.game.Options = maps.Clone(d.game.Options)
		if d.game.Options == nil {
			d.game.Options = map[string]string{}
		}
		for name := range d.game.Options { // an old game may have it in another spelling
			if orders.Fold(name) == orders.Fold(r.Option) {
				delete(d.game.Options, name)
			}
		}
		d.game.Options[r.Option] = r.Value
	}
	snapshot, err := d.position.Marshal()
	if err != nil {
		return fmt.Errorf("write position of %s: %w", d.game.ID, err)
	}
	kind := LogRuling
	if r == nil {
		kind = LogRewound
	}
	d.remember(seq, kind, snapshot)
	return nil
}

// An effect is what an act did.
type effect struct {
	anew []int // stops that were resolved anew
	left int   // deeds of the past that no longer fit
	told map[*seat][]told
}

// carryOut does what an act says.
func (d *desk) carryOut(a *act) (*effect, error) {
	p, err := d.plan(a)
	if err != nil {
		return nil, err
	}
	heard, err := d.hearers()
	if err != nil {
		return nil, err
	}
	present := d.position
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
	seq, g := d.last.Seq, d.game
	d.hushed = true
	out := &effect{told: map[*seat][]told{}}
	wasRunning := g.Phase == running
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
	o, ended := d.outcome()
	if ended && g.Phase == running {
		if err := d.end(o); err != nil {
			return nil, err
		}
	}
	if v.before, v.after, err = d.changedBy(a, p, present, len(out.anew) > 0); err != nil {
		return nil, err
	}
	if err := d.retell(v, heard, out); err != nil {
		return nil, err
	}
	d.hushed = false
	return out, d.sendPronounced(p, o, wasRunning, out)
}

// An inHand is an answer in force as an act found it.
type inHand struct {
	file  []byte
	owes  owes
	given inForce
}

// inHands notes the answers in force, for the game and, if the act touches a position, for
// the log.
func (d *desk) inHands(p *plan) (hand map[*seat]inHand, had map[engine.Side]*Former, err error) {
	hand, had = map[*seat]inHand{}, map[engine.Side]*Former{}
	for _, s := range d.game.Seats {
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
		file, err := d.answerFile(s.Side)
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
	if p.back == nil || d.game.Phase == running {
		return "", nil
	}
	next := p.position
	if next == nil {
		if next, err = d.rules.Load(p.back.Snapshot); err != nil {
			return "", err
		}
	}
	if _, ended := next.Outcome(); ended {
		return "", nil
	}
	seed := make([]byte, 32)
	if err := d.office.draw(seed); err != nil {
		return "", err
	}
	d.game.Seed = seed
	return commitment(seed), nil
}

// noteAct writes an act into the log.
func (d *desk) noteAct(a *act, p *plan, commit string, had map[engine.Side]*Former) error {
	g := d.game
	entry := Entry{Kind: LogRuling, By: "gm"}
	if p.ruling == nil {
		entry.Kind = LogRewound
		entry.Data = Rewound{From: g.Head, To: p.back.Seq, Stop: p.back.Stop, Reason: a.Reason, Commitment: commit, Same: a.Same, Dispute: a.Dispute, InForce: had}
	} else {
		p.ruling.InForce = had
		p.ruling.Commitment = commit
		entry.Data = p.ruling
	}
	return d.note(entry)
}

// playOn goes to the position of a plan, and does from there what was done before.
func (d *desk) playOn(a *act, p *plan, commit string, out *effect) error {
	g := d.game
	if err := d.change(p.back, p.position, p.ruling); err != nil {
		return err
	}
	if p.kept && commit != "" {
		for i := range p.deeds {
			p.deeds[i].keepDice()
		}
	}
	mark := len(d.entries)
	n, err := d.again(p.deeds, map[engine.Side]bool{})
	if err != nil {
		return err
	}
	if g.Fault != "" {
		return refuse("office.rule.fault", phrase.Literal("error", clip(g.Fault, 300)))
	}
	if n == 0 && len(p.deeds) > 0 && a.Kind == actDie {
		return refuse("office.rule.cannot-resolve")
	}
	out.left = len(p.deeds) - n
	for _, e := range d.entries[mark:] {
		if entry, err := decodeEntry(e.Body, nil); err == nil && entry.Kind == LogResolved {
			out.anew = append(out.anew, entry.Stop)
		}
	}
	return nil
}

// inForceAgain puts answers in force again that still fit where the game stands now.
func (d *desk) inForceAgain(a *act, p *plan, hand map[*seat]inHand, out *effect) {
	g := d.game
	for _, given := range p.others {
		if s := g.seat(given.Decision.Side); s != nil && s.Owes != nil && s.Owes.Decision == given.Decision && given.By != byDefault {
			d.answersAgain(s, given)
		}
	}
	for side, f := range p.restore {
		s := g.seat(side)
		if s == nil || s.Owes == nil || s.Owes.Answer != nil {
			continue
		}
		if d.answersAgain(s, Given{Decision: s.Owes.Decision, Orders: f.Orders}) {
			answer := f.inForce()
			s.Owes.Answer = &answer
		}
	}
	if out.left == 0 && (p.keep || a.Same || len(p.deeds) > 0) {
		for _, s := range g.Seats {
			h, ok := hand[s]
			if !ok || s.Owes == nil || s.Owes.Answer != nil || s.Owes.Decision != h.owes.Decision || s.Owes.Stop != h.owes.Stop {
				continue
			}
			if d.answersAgain(s, Given{Decision: h.owes.Decision, Orders: string(h.file)}) {
				answer := h.given
				s.Owes.Answer = &answer
			}
		}
	}
}

// putInForce puts in force what a plan says of one answer at the open stop, and of the
// outcome, by the entry of the log that says so.
func (d *desk) putInForce(p *plan, seq uint64) {
	g := d.game
	switch {
	case p.answer != nil && p.file == "":
		d.keepAnswer(p.answer.Side, nil)
		p.answer.Owes.Answer, p.answer.Owes.Passed = nil, false
		d.opens(p.answer, d.now) // he gets time to answer again
	case p.answer != nil:
		d.keepAnswer(p.answer.Side, []byte(p.file))
		force := p.force
		p.answer.Owes.Answer = &force
	}
	if p.decided != nil {
		g.Decided, g.DecidedBy = p.decided, seq
		for _, s := range g.Seats {
			if s.Owes != nil {
				d.keepAnswer(s.Side, nil)
				s.Owes = nil
			}
		}
	}
}

// sendPronounced lets the game go on, or end, and the players be told.
func (d *desk) sendPronounced(p *plan, o engine.Outcome, wasRunning bool, out *effect) error {
	g := d.game
	if g.Phase != running {
		if wasRunning || p.back != nil || p.decided != nil {
			d.tellEnd(o)
		} else {
			for _, s := range g.Seats {
				if _, told := out.told[s]; told {
					d.sendReport(s)
				}
			}
		}
		return nil
	}
	stop := g.Stop
	for s := range out.told {
		s.Moved = true // he gets a fresh report
	}
	if err := d.settle(); err != nil {
		return err
	}
	if g.Stop != stop || g.Phase != running {
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

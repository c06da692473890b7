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
	g := d.game
	heard, err := d.hearers()
	if err != nil {
		return nil, err
	}
	before := d.position
	type inHand struct {
		file  []byte
		owes  owes
		given inForce
	}
	hand, had := map[*seat]inHand{}, map[engine.Side]*Former{}
	for _, s := range g.Seats {
		if s.Owes == nil || s.Owes.Answer == nil {
			continue
		}
		f, err := d.former(s)
		if err != nil {
			return nil, err
		}
		if f != nil && p.back != nil {
			had[s.Side] = f
		}
		file, err := d.answerFile(s.Side)
		if err != nil {
			return nil, err
		}
		hand[s] = inHand{file, *s.Owes, *s.Owes.Answer}
	}

	// If the seed is known already the game needs a new one to run on.
	commit := ""
	if p.back != nil && g.Phase != running {
		next := p.position
		if next == nil {
			if next, err = d.rules.Load(p.back.Snapshot); err != nil {
				return nil, err
			}
		}
		if _, ended := next.Outcome(); !ended {
			seed := make([]byte, 32)
			if err := d.office.draw(seed); err != nil {
				return nil, err
			}
			g.Seed, commit = seed, commitment(seed)
		}
	}
	entry := Entry{Kind: LogRuling, By: "gm"}
	if p.ruling == nil {
		entry.Kind = LogRewound
		entry.Data = Rewound{From: g.Head, To: p.back.Seq, Stop: p.back.Stop, Reason: a.Reason, Commitment: commit, Dispute: a.Dispute, InForce: had}
	} else {
		p.ruling.InForce = had
		p.ruling.Commitment = commit
		entry.Data = p.ruling
	}
	if err := d.note(entry); err != nil {
		return nil, err
	}
	seq := d.last.Seq
	d.hushed = true
	out := &effect{told: map[*seat][]told{}}
	wasRunning := g.Phase == running
	if p.back != nil {
		if err := d.change(p.back, p.position, p.ruling); err != nil {
			return nil, err
		}
		if p.kept && commit != "" {
			for i := range p.deeds {
				p.deeds[i].keepDice()
			}
		}
		mark := len(d.entries)
		n, err := d.again(p.deeds, map[engine.Side]bool{})
		if err != nil {
			return nil, err
		}
		if g.Fault != "" {
			return nil, refuse("office.rule.fault", phrase.Literal("error", clip(g.Fault, 300)))
		}
		if n == 0 && len(p.deeds) > 0 && a.Kind == actDie {
			return nil, refuse("office.rule.cannot-resolve")
		}
		out.left = len(p.deeds) - n
		for _, e := range d.entries[mark:] {
			if entry, err := decodeEntry(e.Body, nil); err == nil && entry.Kind == LogResolved {
				out.anew = append(out.anew, entry.Stop)
			}
		}
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
	opened, settled, err := d.disputes(a)
	if err != nil {
		return nil, err
	}
	g.Disputes = slices.DeleteFunc(append(slices.Clone(g.Disputes), opened...), func(n uint64) bool { return slices.Contains(settled, n) })
	o, ended := d.outcome()
	if ended && g.Phase == running {
		if err := d.end(o); err != nil {
			return nil, err
		}
	}
	v := &verdict{act: a, plan: p, commit: commit, opened: opened, settled: settled}
	if v.before, v.after, err = d.changedBy(a, p, before, len(out.anew) > 0); err != nil {
		return nil, err
	}
	if err := d.retell(v, heard, out); err != nil {
		return nil, err
	}
	d.hushed = false
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
		return out, nil
	}
	stop := g.Stop
	for s := range out.told {
		s.Moved = true // he gets a fresh report
	}
	if err := d.settle(); err != nil {
		return nil, err
	}
	if g.Stop != stop || g.Phase != running {
		out.anew = append(out.anew, stop)
	}
	for _, s := range g.Seats {
		if s.Resigned {
			s.Moved = false
		}
	}
	return out, nil
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

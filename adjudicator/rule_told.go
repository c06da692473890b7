package adjudicator

import (
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

// retell puts together what each player is told: that there was a ruling, which
// events that he knows of are undone, and those that took their place. Events that
// came out for him as before keep their numbers and are not told again. Of a ruling
// that changes nothing nobody is told but who disputes what it is about: it would
// tell the others that he does.
func (d *desk) retell(a *act, p *plan, heard map[*seat][]chapter, sat map[*seat]engine.Side, numbered map[*seat]int, commit string, opened, settled []uint64, out *effect) error {
	trail, err := d.trail()
	if err != nil {
		return err
	}
	still, err := d.still(a)
	if err != nil {
		return err
	}
	for _, s := range d.game.Seats {
		his, again := d.hisDispute(s, settled), d.hisDispute(s, opened)
		if still && !his && !again && a.Tell == "" {
			continue
		}
		old := heard[s]
		now, err := d.chapters(s, trail, 0)
		if err != nil {
			return err
		}
		spoken := func(all []chapter) []chapter {
			return slices.DeleteFunc(slices.Clone(all), func(c chapter) bool { return len(c.all()) == 0 })
		}
		old, now = spoken(old), spoken(now)
		same := 0
		for same < len(old) && same < len(now) && old[same].says() == now[same].says() {
			same++
		}
		all := []told{{Say: phrase.Say("office.ruled.what-"+rulingOrRewind(a), phrase.Literal("tell", a.Tell))}}
		switch {
		case his && still:
			all = append(all, told{Say: phrase.Say("office.ruled.stands")})
		case his:
			all = append(all, told{Say: phrase.Say("office.ruled.yours")})
		case again:
			all = append(all, told{Say: phrase.Say("office.ruled.open-again")})
		}
		if d.operator != nil {
			all = append(all, told{Say: phrase.Say("office.ruled.machine", phrase.Literal("name", d.operator.named()))})
		}
		switch {
		case p.of == "" || sat[s] != p.of:
		case p.counts:
			all = append(all, told{Say: phrase.Say("office.ruled.accepted", phrase.Number("stop", p.ofStop))})
		default:
			all = append(all, told{Say: phrase.Say("office.ruled.refused", phrase.Number("stop", p.ofStop))})
		}
		if a.Kind == actOption {
			all = append(all, told{Say: phrase.Say("office.ruled.option", phrase.Literal("name", a.Option), phrase.Literal("value", a.Value))})
		}
		if s.Side != sat[s] {
			all = append(all, sayExchanged(s.Side))
		}
		first, last := 0, 0
		for _, c := range old[same:] {
			if c.seq > s.Upto {
				continue // he never knew
			}
			from, to := c.events()
			if first == 0 {
				first = from
			}
			last = max(last, to)
		}
		if last > 0 {
			all = append(all, told{Say: phrase.Say("office.ruled.undone", phrase.Number("from", first), phrase.Number("to", last))})
		}
		if commit != "" {
			all = append(all, told{Say: phrase.Say("office.ruled.seed", phrase.Literal("commitment", commit))})
		}
		most := numbered[s] // the highest number ever given: none is given twice
		counts := map[uint64]int{}
		for i := range now {
			first, last := now[i].events()
			if i < same {
				_, last = old[i].events()
				first, _ = old[i].events()
			} else if last > 0 {
				n := last - first
				first, last = most+1, most+1+n
				most = last
			}
			counts[now[i].seq] = last
			shift := 0
			if was, _ := now[i].events(); was > 0 {
				shift = first - was
			}
			for j := range now[i].told {
				if now[i].told[j].Number > 0 {
					now[i].told[j].Number += shift
				}
			}
			if i >= same || old[i].seq > s.Upto {
				all = append(all, now[i].all()...)
			}
		}
		s.Events = most
		for i := range d.milestones {
			m := &d.milestones[i]
			if n, ok := counts[m.Seq]; ok && n > 0 {
				m.Events[s.book()] = n
			}
		}
		s.Told = all
		out.told[s] = all
	}
	return nil
}

// rulingOrRewind is what players are told that it was.
func rulingOrRewind(a *act) string {
	if a.Kind == actRewind {
		return "rewind"
	}
	return "ruling"
}

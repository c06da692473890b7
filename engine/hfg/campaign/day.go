package campaign

import (
	"slices"

	"berthier/orders/phrase"
)

// ticks is into how many moments a period is divided: forces that march one to six stages in
// it reach their nodes at whole ticks.
const ticks = 60

// Dice are where the chance of a campaign comes from: a die with six sides.
type Dice func(purpose phrase.Phrase) int

// A Telling is what a side learns; both do if it has no side.
type Telling struct {
	Side   int // -1: both
	Clause string
	Say    phrase.Phrase
}

// Both is the side of what both sides learn.
const Both = -1

// A day is a campaign being played.
type day struct {
	*Campaign
	dice Dice
	told []Telling
}

// Play plays on from the orders of the day: to the next dawn, or until hostile forces meet. It
// gives what the sides learn. After a meeting that came to nothing it is to be called again.
func (c *Campaign) Play(dice Dice) []Telling {
	d := &day{Campaign: c, dice: dice}
	for c.Met == nil {
		if !c.Under {
			d.begin()
		}
		if d.march(); c.Met != nil {
			break
		}
		d.end()
		if c.Period == Morning {
			break // the next dawn
		}
	}
	return d.told
}

func (d *day) tell(side int, clause, code string, args ...phrase.Arg) {
	d.told = append(d.told, Telling{side, clause, phrase.Say(code, args...)})
}

// order is what a force does in this day; without an order it rests.
func (c *Campaign) order(force int) Order {
	if force < len(c.Orders) {
		return c.Orders[force]
	}
	return Order{}
}

// begin begins a period: a die may end the rain, which leaves the roads muddy to the end of the
// period (HFG-20.3), and every force sets out as far as it can get.
func (d *day) begin() {
	d.Muddy = d.Raining
	if d.Raining {
		die := d.dice(phrase.Say("hfg.roll-rain", periodArg(d.Period)))
		if die >= rainEnds {
			d.Raining = false
			d.tell(Both, "HFG-20.3", "hfg.rain-ends", periodArg(d.Period))
		}
	}
	d.Under, d.Tick = true, 0
	for i := range d.Forces {
		d.Stands[i].Path = d.sets(i)
		d.Stands[i].Gone = 0
	}
}

// Dice of the weather (HFG-20.3).
const (
	rainEnds   = 4 // or more
	rainBegins = 1
)

// sets is the path on which a force sets out: what it was ordered, cut by mud, by bridges that
// are down, and by what it may still march.
func (d *day) sets(force int) []Node {
	o, s := d.order(force), &d.Stands[force]
	path, from := o.Tasks[d.Period].Path, s.At
	if len(path) == 0 {
		return nil
	}
	if s.Busy >= mostBusy || s.Tired {
		d.falls(force, "HFG-20.8", "hfg.march-rests", path[0])
		return nil
	}
	rate := d.RateOf(force)
	if n := max(0, min(rate.Period, rate.Day-s.Used)); n < len(path) {
		d.falls(force, "HFG-20.4", "hfg.march-spent", path[n])
		path = path[:n]
	}
	var all []Node
	for i, n := range path {
		road, ok := d.Between(from, n)
		if i == 0 && s.On != 0 {
			sd := d.Stage(s.On)
			ok, road = n == sd.From || n == sd.To, s.On
		}
		if !ok { // it doesn't stand where it should
			d.falls(force, "HFG-20.1", "hfg.march-astray", n)
			break
		}
		if slices.Contains(d.Down, road) && !(i == 0 && s.On != 0) {
			d.tell(d.Forces[force].Side, "HFG-20.6", "hfg.map-bridge-down", forceArg(&d.Forces[force]), nodeArg("node", d.Def(n)))
			d.learns(d.Forces[force].Side, road)
			break
		}
		all, from = append(all, n), n
		if d.Stage(road).Bad && d.Muddy {
			if i > 0 {
				all = all[:i] // a march partly on a muddy road is one stage
			}
			if len(all) < len(path) {
				d.falls(force, "HFG-20.5", "hfg.stuck", all[len(all)-1])
			}
			break
		}
	}
	if d.Period == Night && len(all) > slowStages {
		all = all[:slowStages]
	}
	return all
}

// falls tells a force's side why its march, or the rest of it, falls away.
func (d *day) falls(force int, clause, code string, at Node) {
	f := &d.Forces[force]
	d.tell(f.Side, clause, code, forceArg(f), nodeArg("node", d.Def(at)))
}

// march moves all forces tick by tick, until the period is over or hostile forces meet. Others may have met
// at the moment at which a battle was avoided, or meet whoever avoided it where he went.
func (d *day) march() {
	if d.Tick > 0 && d.meet() {
		return
	}
	for d.Tick < ticks {
		d.Tick++
		for i := range d.Stands {
			s := &d.Stands[i]
			if s.Gone < len(s.Path)*ticks {
				before := s.Gone / ticks
				s.Gone += len(s.Path)
				if s.Gone/ticks > before {
					s.Since = d.tick(d.Tick)
				}
			}
		}
		if d.meet() {
			return
		}
	}
}

// meet halts the hostile forces that have met at this moment, and tells of it; it says whether some have.
func (d *day) meet() bool {
	if d.Met = d.meeting(); d.Met == nil {
		return false
	}
	d.halt(d.Met)
	d.tell(Both, "HFG-20.10", "hfg.met", d.placeArg(d.Met.At, d.Met.On), periodArg(d.Period), phrase.Number("day", d.Day))
	return true
}

// A spot is where a force is: at a node, or so far along a stage, from its first node.
type spot struct {
	at  Node
	on  Stage
	far int
}

// where is a force at this tick.
func (c *Campaign) where(force int) spot {
	s := &c.Stands[force]
	i, far := s.Gone/ticks, s.Gone%ticks
	from := s.At
	if i > 0 {
		from = s.Path[i-1]
	}
	switch {
	case i == 0 && s.On != 0 && len(s.Path) == 0:
		return c.spotOn(s.On, s.At, s.Far)
	case i == 0 && s.On != 0: // from the middle of a stage to one of its ends
		left := s.Far
		if s.Path[0] != s.At {
			left = ticks - s.Far
		}
		if gone := left * far / ticks; s.Path[0] == s.At {
			return c.spotOn(s.On, s.At, s.Far-gone)
		} else {
			return c.spotOn(s.On, s.At, s.Far+gone)
		}
	case far == 0:
		return spot{at: from}
	}
	road, _ := c.Between(from, s.Path[i])
	return c.spotOn(road, from, far)
}

// spotOn is a spot so far along a stage from one of its nodes.
func (c *Campaign) spotOn(road Stage, from Node, far int) spot {
	d := c.Stage(road)
	to := d.To
	if from == to {
		to = d.From
	}
	switch {
	case far <= 0:
		return spot{at: from}
	case far >= ticks:
		return spot{at: to}
	case from == d.To:
		far = ticks - far
	}
	return spot{on: road, far: far}
}

// end ends a period: marches are over, work is done, and after the afternoon a die may bring
// rain (HFG-20.3).
func (d *day) end() {
	for i := range d.Stands {
		d.settle(i)
	}
	if d.Period == Afternoon && d.dice(phrase.Say("hfg.roll-weather", phrase.Number("day", d.Day))) == rainBegins {
		d.Raining = true
		d.tell(Both, "HFG-20.3", "hfg.rain-begins")
	}
	d.Under, d.Muddy = false, false
	d.Period++
	if d.Period == periods {
		d.Period, d.Day, d.Orders = Morning, d.Day+1, nil
		for i := range d.Stands {
			d.Stands[i].Used = 0
		}
		d.look()
	}
}

// settle puts a force where its march has led it, and does a period of its work.
func (d *day) settle(force int) {
	s, t := &d.Stands[force], d.order(force).Tasks[d.Period]
	switch {
	case s.Went:
	case len(s.Path) > 0:
		s.Used += (s.Gone + ticks - 1) / ticks
		w := d.where(force)
		d.put(s, w)
		s.Work, s.Target, s.Done, s.Entrenchments, s.Redoubts = NoWork, 0, 0, 0, 0
		s.Busy++
		s.Tired = d.Period == Night
	case t.Work != NoWork && s.Busy < mostBusy && !s.Tired && s.On == 0:
		d.labour(force, t)
		s.Busy++
		s.Tired = false
	default:
		s.Busy, s.Tired = 0, false
	}
	s.Path, s.Gone, s.Went = nil, 0, false
}

// put sets a force down at a spot.
func (c *Campaign) put(s *Stand, w spot) {
	if w.on == 0 {
		s.At, s.On, s.Far = w.at, 0, 0
		return
	}
	s.At, s.On, s.Far = c.Stage(w.on).From, w.on, w.far
}

// labour does a period of work (HFG-20.6). Work goes on where it was left, as long as the
// force stays and does nothing else.
func (d *day) labour(force int, t Task) {
	s, f := &d.Stands[force], &d.Forces[force]
	target := Stage(0)
	if t.Bridge != 0 {
		target, _ = d.Between(s.At, t.Bridge)
	}
	if s.Work != t.Work || s.Target != target {
		s.Work, s.Target, s.Done = t.Work, target, 0
	}
	if s.Done++; s.Done < workPeriods[t.Work] {
		return
	}
	s.Work, s.Target, s.Done = NoWork, 0, 0
	switch t.Work {
	case Entrench:
		s.Entrenchments++
		d.tell(f.Side, "HFG-20.6", "hfg.entrenched", forceArg(f), nodeArg("node", d.Def(s.At)))
	case Redoubt:
		s.Redoubts++
		d.tell(f.Side, "HFG-20.6", "hfg.redoubt-built", forceArg(f), nodeArg("node", d.Def(s.At)))
	case Demolish:
		if !slices.Contains(d.Down, target) {
			d.Down = append(d.Down, target)
			slices.Sort(d.Down)
		}
		d.learns(f.Side, target)
		d.tell(f.Side, "HFG-20.6", "hfg.demolished", forceArg(f), nodeArg("node", d.Def(t.Bridge)))
	case Repair, Build:
		d.Down = slices.DeleteFunc(d.Down, func(s Stage) bool { return s == target })
		d.learns(f.Side, target)
		d.tell(f.Side, "HFG-20.6", "hfg.bridge-up", forceArg(f), nodeArg("node", d.Def(t.Bridge)))
	}
}

// placeArg names where forces met: a node, or a stage by its two nodes.
func (c *Campaign) placeArg(at Node, on Stage) phrase.Arg {
	if on == 0 {
		return nodeArg("place", c.Def(at))
	}
	d := c.Stage(on)
	return phrase.Within("place", phrase.Say("hfg.map-stage", nodeArg("from", c.Def(d.From)), nodeArg("to", c.Def(d.To))))
}

func forceArg(f *Force) phrase.Arg { return phrase.Name("force", "command", f.ID) }

func periodArg(p Period) phrase.Arg { return phrase.Keywords("period", []string{p.String()}) }

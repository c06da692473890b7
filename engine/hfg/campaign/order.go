package campaign

import (
	"slices"

	"berthier/engine/play"
	"berthier/orders/phrase"
)

// A Task is what a force does in one period: it marches along a path, works, or rests.
type Task struct {
	Path   []Node `pos:"path,most=9"`
	Work   Work   `pos:"work"`
	Bridge Node   `pos:"bridge"` // of a work on a bridge: the node at its other end
}

// rests says whether a task is rest.
func (t *Task) rests() bool { return len(t.Path) == 0 && t.Work == NoWork }

// An Order is what a force does in a day.
type Order struct {
	Tasks [periods]Task `pos:"tasks"`
	Avoid bool          `pos:"avoid"` // it avoids a battle if it can (HFG-20.11)
}

// A Place says in which period of an order a fault lies; -1: in the order as a whole.
type Place int8

// Whole is the place of a fault of an order as a whole.
const Whole Place = -1

// A Fault is why an order can't be given.
type Fault struct {
	play.Fault
	At Place
}

func fault(at Place, clause, code string, args ...phrase.Arg) *Fault {
	return &Fault{play.Fault{Clause: clause, Why: phrase.Say(code, args...)}, at}
}

// What orders may cost (HFG-20.5, HFG-20.7, HFG-20.8).
const (
	mostBusy      = 2 // successive periods of marching or working
	slowStages    = 1 // by night, or on a muddy bad road
	stageForces   = 2 // over one stage in one period
	stageElements = 15
)

// Judge says all that is wrong with an order for a force, from what its side knows.
func (c *Campaign) Judge(force int, o *Order) []*Fault {
	var all []*Fault
	s := c.Stands[force]
	used := s.Used
	rate := c.RateOf(force)
	for p := Morning; p < periods; p++ {
		t, at := &o.Tasks[p], Place(p)
		if p < c.Period {
			continue // it has been played
		}
		if !t.rests() {
			if days := c.moves(c.Forces[force].Side); days == 0 {
				all = append(all, fault(at, "HFG-20.9", "hfg.map-native"))
			}
			if s.Busy >= mostBusy {
				all = append(all, fault(at, "HFG-20.8", "hfg.map-busy", phrase.Number("most", mostBusy)))
			}
			if s.Tired {
				all = append(all, fault(at, "HFG-20.8", "hfg.map-tired"))
			}
		}
		if f := c.task(force, &s, t, p); f != nil {
			all = append(all, f)
		}
		n := len(t.Path)
		used += n
		if n > rate.Period {
			all = append(all, fault(at, "HFG-20.4", "hfg.map-period", phrase.Number("n", n), phrase.Number("most", rate.Period)))
		}
		if n > 0 && used > rate.Day {
			all = append(all, fault(at, "HFG-20.4", "hfg.map-day", phrase.Number("n", used), phrase.Number("most", rate.Day)))
		}
		c.ahead(&s, t, p)
	}
	return all
}

// ahead is how a stand would be after a task that went as ordered.
func (c *Campaign) ahead(s *Stand, t *Task, p Period) {
	if t.rests() {
		s.Busy, s.Tired = 0, false
		return
	}
	s.Busy++
	s.Tired = p == Night && len(t.Path) > 0
	if len(t.Path) > 0 {
		s.At, s.On, s.Far = t.Path[len(t.Path)-1], 0, 0
		s.Work, s.Done = NoWork, 0
	}
}

// task says why a task can't be done: a path that isn't one, too far by night or in mud, or
// work that the force can't do where it stands.
func (c *Campaign) task(force int, s *Stand, t *Task, p Period) *Fault {
	at := Place(p)
	if len(t.Path) > 0 && t.Work != NoWork {
		return fault(at, "HFG-20.6", "hfg.map-both")
	}
	if t.Work != NoWork {
		return c.work(force, s, t, at)
	}
	from := s.At
	for i, n := range t.Path {
		road, ok := c.Between(from, n)
		if i == 0 && s.On != 0 { // back, or on along the stage on which it was stopped
			d := c.Stage(s.On)
			ok = n == d.From || n == d.To
			road = s.On
		}
		if !ok {
			return fault(at, "HFG-20.1", "hfg.map-no-road", nodeArg("from", c.Def(from)), nodeArg("to", c.Def(n)))
		}
		muddy := c.Stage(road).Bad && c.Raining && p == c.Period
		if len(t.Path) > slowStages && (p == Night || muddy) {
			code := "hfg.map-night"
			if p != Night {
				code = "hfg.map-mud"
			}
			return fault(at, "HFG-20.5", code, phrase.Number("n", len(t.Path)))
		}
		from = n
	}
	return nil
}

// work says why a force can't work so (HFG-20.6).
func (c *Campaign) work(force int, s *Stand, t *Task, at Place) *Fault {
	f := &c.Forces[force]
	switch {
	case s.On != 0:
		return fault(at, "HFG-20.6", "hfg.map-work-stage")
	case t.Work == Entrench && !f.Foot:
		return fault(at, "HFG-20.6", "hfg.map-no-foot")
	case t.Work == Redoubt && !f.Guns:
		return fault(at, "HFG-20.6", "hfg.map-no-guns")
	case t.Work == Entrench || t.Work == Redoubt:
		return nil
	}
	road, ok := Stage(0), false
	if t.Bridge != 0 {
		road, ok = c.Between(s.At, t.Bridge)
	}
	if !ok || c.Stage(road).River == "" {
		return fault(at, "HFG-20.6", "hfg.map-no-bridge")
	}
	return nil
}

// JudgeTogether says which marches of a side are too many for a stage in a period: at most two
// forces, and at most 15 elements (HFG-20.7, HFG-R88). The answer is by force and period.
func (c *Campaign) JudgeTogether(of map[int]*Order) map[int][]*Fault {
	all := map[int][]*Fault{}
	for p := Morning; p < periods; p++ {
		forces, elements := make([]int, len(c.Stages)+1), make([]int, len(c.Stages)+1)
		for i := range c.Forces {
			o := of[i]
			if o == nil {
				continue
			}
			at, on := c.startOf(i, o, p)
			for _, road := range c.roads(at, on, o.Tasks[p].Path) {
				forces[road]++
				elements[road] += c.Forces[i].Elements
				if forces[road] > stageForces || elements[road] > stageElements && forces[road] > 1 {
					d := c.Stage(road)
					all[i] = append(all[i], fault(Place(p), "HFG-20.7", "hfg.map-crowded", nodeArg("from", c.Def(d.From)), nodeArg("to", c.Def(d.To)),
						phrase.Number("forces", stageForces), phrase.Number("elements", stageElements)))
				}
			}
		}
	}
	return all
}

// startOf is where a force stands at the beginning of a period if its orders go as written: its node, and the stage on which it was
// stopped, if it is still there.
func (c *Campaign) startOf(force int, o *Order, p Period) (Node, Stage) {
	at, on := c.Stands[force].At, c.Stands[force].On
	for q := c.Period; q < p; q++ {
		if path := o.Tasks[q].Path; len(path) > 0 {
			at, on = path[len(path)-1], 0
		}
	}
	return at, on
}

// roads are the stages of a path from a node, or from the stage on which a force was stopped: back or on along that.
func (c *Campaign) roads(from Node, on Stage, path []Node) []Stage {
	var all []Stage
	for i, n := range path {
		if i == 0 && on != 0 {
			all = append(all, on)
		} else if road, ok := c.Between(from, n); ok {
			all = append(all, road)
		}
		from = n
	}
	return all
}

// Paths lists the ways of at most so many stages from a node that don't come back to a node.
func (c *Campaign) Paths(from Node, most int) [][]Node {
	var all [][]Node
	var walk func(path []Node, at Node)
	walk = func(path []Node, at Node) {
		if len(path) > 0 {
			all = append(all, slices.Clone(path))
		}
		if len(path) == most {
			return
		}
		for _, n := range c.Beside(at) {
			if n != from && !slices.Contains(path, n) {
				walk(append(path, n), n)
			}
		}
	}
	walk(nil, from)
	return all
}

func nodeArg(name string, d *NodeDef) phrase.Arg { return phrase.Literal(name, d.Name) }

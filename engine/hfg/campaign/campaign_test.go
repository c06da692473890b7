package campaign

import (
	"slices"
	"strings"
	"testing"

	"berthier/orders"
	"berthier/orders/phrase"

	"pgregory.net/rapid"
)

// clause runs a case of a clause.
func clause(t *testing.T, id, name string, run func(t *testing.T)) {
	t.Helper()
	t.Run(id+" "+name, run)
}

func is[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// foot is a force of foot; quick one of light horse; guns one with field guns.
func foot(id string, side int) Force {
	return Force{ID: id, Side: side, Elements: 7, Rate: commonRate, Tactical: 400, Foot: true}
}

func quick(id string, side int) Force {
	return Force{ID: id, Side: side, Elements: 6, Rate: quickRate, Tactical: 2000}
}

func guns(id string, side int) Force {
	return Force{ID: id, Side: side, Elements: 6, Rate: slowRate, Tactical: 600, Guns: true}
}

// begin is a campaign of some forces on the built-in map, each at a node.
func begin(t testing.TB, at []string, forces ...Force) *Campaign {
	t.Helper()
	c := New(TwoValleys(), forces, -1)
	for i, name := range at {
		c.Stands[i].At = node(t, c, name)
	}
	c.look()
	return c
}

func node(t testing.TB, c *Campaign, name string) Node {
	t.Helper()
	n, ok := c.Node(name)
	if !ok {
		t.Fatalf("there is no node %s", name)
	}
	return n
}

// path is a march.
func path(t testing.TB, c *Campaign, names ...string) Task {
	t.Helper()
	var task Task
	for _, n := range names {
		task.Path = append(task.Path, node(t, c, n))
	}
	return task
}

// fixed are dice in order; one past the end is a fault.
func fixed(t testing.TB, results ...int) Dice {
	return func(purpose phrase.Phrase) int {
		t.Helper()
		if len(results) == 0 {
			t.Fatalf("no die left for %s", purpose.Code)
		}
		n := results[0]
		results = results[1:]
		return n
	}
}

// codes are the codes of faults.
func codes(all []*Fault) []string {
	var list []string
	for _, f := range all {
		list = append(list, f.Clause+" "+f.Why.Code)
	}
	return list
}

func refused(t testing.TB, c *Campaign, force int, o Order, want ...string) {
	t.Helper()
	if got := codes(c.Judge(force, &o)); !slices.Equal(got, want) {
		t.Errorf("faults %q, want %q", got, want)
	}
}

func TestMap(t *testing.T) {
	clause(t, "HFG-20.1", "two nodes are one stage apart, and a day has three periods", func(t *testing.T) {
		c := begin(t, []string{"oldcastle"}, foot("a", 0))
		is(t, "stages", c.Distance(node(t, c, "oldcastle"), node(t, c, "greyfield")), 1)
		is(t, "stages from base to base", c.Distance(c.Bases[0], c.Bases[1]), 5)
		is(t, "periods", int(periods), 3)
		refused(t, c, 0, Order{Tasks: [periods]Task{path(t, c, "bridgend")}}, "HFG-20.1 hfg.map-no-road")
		refused(t, c, 0, Order{Tasks: [periods]Task{path(t, c, "greyfield", "bridgend")}})
	})
	clause(t, "HFG-20.1", "a map with faults is refused with all of them, each at its place", func(t *testing.T) {
		_, faults := ReadMap([]byte("ruleset: hfg\nmap: m\nnodes:\n  - {id: a, name: A, x: 1, y: 1}\n  - {id: b, name: B, x: 2, y: 1}\n  - {id: c, name: C, x: 3, y: 1}\nstages:\n  - {from: a, to: a}\n  - {from: a, to: b}\n  - {from: b, to: a}\nbases: [a, a]\n"))
		var got []string
		for _, f := range faults {
			got = append(got, f.Why.Code)
		}
		if want := []string{"hfg.map-apart", "hfg.map-loop", "hfg.map-twice", "hfg.map-bases"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		for _, f := range faults {
			if f.Line == 0 || f.Clause != "HFG-20.1" {
				t.Errorf("%v has no place or no clause", f)
			}
		}
	})
}

func TestDawn(t *testing.T) {
	clause(t, "HFG-20.2", "marches are made together, and what is seen is a day old", func(t *testing.T) {
		c := begin(t, []string{"oldcastle", "newhaven"}, foot("a", 0), foot("b", 1))
		c.Orders = []Order{{Tasks: [periods]Task{path(t, c, "greyfield")}}, {Tasks: [periods]Task{path(t, c, "langley")}}}
		seen := slices.Clone(c.Seen)
		c.Play(fixed(t, 6))
		is(t, "day", c.Day, 2)
		is(t, "a is at", c.Stands[0].At, node(t, c, "greyfield"))
		is(t, "b is at", c.Stands[1].At, node(t, c, "langley"))
		if slices.Equal(seen, c.Seen) {
			t.Error("at the new dawn the map still shows the old places")
		}
		// During the day what both know does not change.
		c.Orders = []Order{{Tasks: [periods]Task{path(t, c, "bridgend")}}, {}}
		seen = slices.Clone(c.Seen)
		d := &day{Campaign: c, dice: fixed(t)}
		d.begin()
		d.march()
		if !slices.Equal(seen, c.Seen) {
			t.Error("a march shows on the map before the next dawn")
		}
	})
}

func TestWeather(t *testing.T) {
	clause(t, "HFG-20.3", "a 1 after the afternoon brings rain, a 4 in a later period ends it, mud lasts to the end of that period", func(t *testing.T) {
		c := begin(t, []string{"oldcastle", "newhaven"}, quick("a", 0), foot("b", 1))
		c.Play(fixed(t, 1, 3)) // rain begins; at night it goes on
		is(t, "raining", c.Raining, true)
		// The next morning's die is 4: the rain ends, but the roads are muddy in that period.
		c.Orders = []Order{{Tasks: [periods]Task{path(t, c, "norbeck", "highferry"), path(t, c, "highferry", "bridgend")}}, {}}
		c.Play(fixed(t, 4, 6))
		is(t, "raining", c.Raining, false)
		is(t, "a got as far as", c.Def(c.Stands[0].At).ID, "bridgend")
		is(t, "stages", c.Stands[0].Used, 0) // of the new day
	})
	clause(t, "HFG-20.3", "a 2 brings no rain", func(t *testing.T) {
		c := begin(t, []string{"oldcastle"}, quick("a", 0))
		c.Play(fixed(t, 2))
		is(t, "raining", c.Raining, false)
	})
}

func TestRates(t *testing.T) {
	clause(t, "HFG-20.4", "Cuirassiers march two stages in a period and three in a day", func(t *testing.T) {
		c := begin(t, []string{"oldcastle"}, Force{ID: "a", Elements: 6, Rate: RateOf("cuirassiers", false), Tactical: 800})
		refused(t, c, 0, Order{Tasks: [periods]Task{path(t, c, "greyfield", "bridgend"), path(t, c, "eastbridge", "langley")}}, "HFG-20.4 hfg.map-day")
		refused(t, c, 0, Order{Tasks: [periods]Task{path(t, c, "greyfield", "bridgend", "eastbridge")}}, "HFG-20.4 hfg.map-period")
		refused(t, c, 0, Order{Tasks: [periods]Task{path(t, c, "greyfield", "bridgend"), path(t, c, "eastbridge")}})
	})
	clause(t, "HFG-20.4", "every type has its rate, and a force that of its slowest", func(t *testing.T) {
		for _, one := range []struct {
			types string
			horse bool
			want  Rate
		}{
			{"cp", false, Rate{3, 3}}, {"marksmen", false, Rate{3, 3}}, {"light-artillery", false, Rate{3, 3}}, {"mixed", true, Rate{3, 3}},
			{"hq", false, Rate{2, 3}}, {"muskets", false, Rate{2, 3}}, {"heavy-cavalry", false, Rate{2, 3}},
			{"mixed", false, Rate{1, 2}},
		} {
			is(t, one.types, RateOf(one.types, one.horse), one.want)
		}
		is(t, "horse with field guns", quickRate.Slower(slowRate), slowRate)
	})
	clause(t, "HFG-R87", "Pistols march as Cuirassiers, potentates as the HQ, train one and two", func(t *testing.T) {
		is(t, "pistols", RateOf("pistols", false), RateOf("cuirassiers", false))
		is(t, "np", RateOf("np", false), RateOf("hq", false))
		is(t, "laager", RateOf("laager", false), Rate{1, 2})
	})
	clause(t, "HFG-20.5", "a night march of two stages is refused, and so is one on a muddy bad road", func(t *testing.T) {
		c := begin(t, []string{"oldcastle"}, quick("a", 0))
		refused(t, c, 0, Order{Tasks: [periods]Task{Night: path(t, c, "greyfield", "bridgend")}}, "HFG-20.5 hfg.map-night")
		c.Raining = true
		refused(t, c, 0, Order{Tasks: [periods]Task{path(t, c, "norbeck", "highferry")}}, "HFG-20.5 hfg.map-mud")
		refused(t, c, 0, Order{Tasks: [periods]Task{path(t, c, "greyfield", "bridgend")}}) // the paved road
	})
	clause(t, "HFG-20.5", "rain that nobody could foresee cuts a march to a stage", func(t *testing.T) {
		c := begin(t, []string{"southam", "newhaven"}, quick("a", 0), foot("b", 1))
		c.Raining = true
		c.Period = Afternoon
		c.Orders = []Order{{Tasks: [periods]Task{Afternoon: path(t, c, "lowferry", "marden")}}, {}}
		c.Play(fixed(t, 4, 6))
		is(t, "a is at", c.Def(c.Stands[0].At).ID, "lowferry")
	})
}

func TestWork(t *testing.T) {
	clause(t, "HFG-20.6", "an entrenchment takes a period, a bridge that was demolished three", func(t *testing.T) {
		c := begin(t, []string{"bridgend", "newhaven"}, foot("a", 0), foot("b", 1))
		east := node(t, c, "eastbridge")
		c.Orders = []Order{{Tasks: [periods]Task{{Work: Demolish, Bridge: east}, {Work: Entrench}}}, {}}
		c.Play(fixed(t, 6))
		road, _ := c.Between(node(t, c, "bridgend"), east)
		is(t, "bridges down", slices.Contains(c.Down, road), true)
		is(t, "entrenchments", c.Stands[0].Entrenchments, 1)

		build := Task{Work: Build, Bridge: east}
		c.Orders = []Order{{Tasks: [periods]Task{build, build}}, {}}
		c.Play(fixed(t, 6))
		is(t, "after two periods it is down", slices.Contains(c.Down, road), true)
		c.Orders = []Order{{Tasks: [periods]Task{build}}, {}}
		c.Play(fixed(t, 6))
		is(t, "after three it stands", slices.Contains(c.Down, road), false)
	})
	clause(t, "HFG-20.6", "repairing takes two periods, and so does a redoubt, for guns alone", func(t *testing.T) {
		c := begin(t, []string{"bridgend", "newhaven"}, guns("a", 0), foot("b", 1))
		road, _ := c.Between(node(t, c, "bridgend"), node(t, c, "eastbridge"))
		c.Down = []Stage{road}
		repair := Task{Work: Repair, Bridge: node(t, c, "eastbridge")}
		c.Orders = []Order{{Tasks: [periods]Task{repair, repair}}, {}}
		c.Play(fixed(t, 6))
		is(t, "bridges down", len(c.Down), 0)
		c.Orders = []Order{{Tasks: [periods]Task{{Work: Redoubt}, {Work: Redoubt}}}, {}}
		c.Play(fixed(t, 6))
		is(t, "redoubts", c.Stands[0].Redoubts, 1)
		refused(t, c, 0, Order{Tasks: [periods]Task{{Work: Entrench}}}, "HFG-20.6 hfg.map-no-foot")
		refused(t, c, 1, Order{Tasks: [periods]Task{{Work: Redoubt}}}, "HFG-20.6 hfg.map-no-guns")
		refused(t, c, 0, Order{Tasks: [periods]Task{{Work: Repair, Bridge: node(t, c, "highferry")}}}, "HFG-20.6 hfg.map-no-bridge")
	})
	clause(t, "HFG-20.6", "a march ends before a bridge that is down", func(t *testing.T) {
		c := begin(t, []string{"greyfield", "newhaven"}, foot("a", 0), foot("b", 1))
		road, _ := c.Between(node(t, c, "bridgend"), node(t, c, "eastbridge"))
		c.Down = []Stage{road}
		c.Orders = []Order{{Tasks: [periods]Task{path(t, c, "bridgend", "eastbridge")}}, {}}
		c.Play(fixed(t, 6))
		is(t, "a is at", c.Def(c.Stands[0].At).ID, "bridgend")
	})
	clause(t, "HFG-20.7", "a third command on a stage is refused, and more than 15 elements of two", func(t *testing.T) {
		c := begin(t, []string{"oldcastle", "oldcastle", "oldcastle"}, foot("a", 0), foot("b", 0), foot("c", 0))
		march := &Order{Tasks: [periods]Task{path(t, c, "greyfield")}}
		of := c.JudgeTogether(map[int]*Order{0: march, 1: march, 2: march})
		is(t, "faults of c", len(of[2]), 1)
		is(t, "faults of b", len(of[1]), 0)
		is(t, "clause", of[2][0].Clause, "HFG-20.7")
		later := &Order{Tasks: [periods]Task{Afternoon: path(t, c, "greyfield")}}
		is(t, "in another period", len(c.JudgeTogether(map[int]*Order{0: march, 1: march, 2: later})), 0)
	})
	clause(t, "HFG-R88", "both limits hold: two commands, and 15 elements", func(t *testing.T) {
		big := foot("b", 0)
		big.Elements = 9
		c := begin(t, []string{"oldcastle", "oldcastle"}, foot("a", 0), big)
		march := &Order{Tasks: [periods]Task{path(t, c, "greyfield")}}
		is(t, "16 elements of two commands", len(c.JudgeTogether(map[int]*Order{0: march, 1: march})), 1)
		c.Forces[1].Elements = 8
		is(t, "15 elements", len(c.JudgeTogether(map[int]*Order{0: march, 1: march})), 0)
	})
	clause(t, "HFG-20.8", "three periods of marching or working are refused, and a march after one by night", func(t *testing.T) {
		c := begin(t, []string{"oldcastle"}, foot("a", 0))
		dig := Task{Work: Entrench}
		refused(t, c, 0, Order{Tasks: [periods]Task{dig, dig, dig}}, "HFG-20.8 hfg.map-busy")
		refused(t, c, 0, Order{Tasks: [periods]Task{dig, dig}})
		c.Orders = []Order{{Tasks: [periods]Task{Night: path(t, c, "greyfield")}}}
		c.Play(fixed(t, 6))
		refused(t, c, 0, Order{Tasks: [periods]Task{path(t, c, "bridgend")}}, "HFG-20.8 hfg.map-tired")
		refused(t, c, 0, Order{Tasks: [periods]Task{Afternoon: path(t, c, "bridgend")}})
	})
	clause(t, "HFG-20.9", "the native side moves on days 2 and 4, for two days' worth", func(t *testing.T) {
		c := New(TwoValleys(), []Force{foot("a", 0), foot("b", 1)}, 0)
		march := path(t, c, "greyfield")
		refused(t, c, 0, Order{Tasks: [periods]Task{march}}, "HFG-20.9 hfg.map-native", "HFG-20.4 hfg.map-period", "HFG-20.4 hfg.map-day")
		c.Play(fixed(t, 6))
		refused(t, c, 0, Order{Tasks: [periods]Task{path(t, c, "greyfield", "bridgend", "highferry", "norbeck")}})
		is(t, "a day's stages", c.RateOf(0).Day, 6)
		is(t, "of the other side", c.RateOf(1).Day, 3)
	})
}

func TestMeetings(t *testing.T) {
	clause(t, "HFG-20.10", "who was first at the node defends; who is a stage away comes later", func(t *testing.T) {
		c := begin(t, []string{"bridgend", "eastbridge", "greyfield", "newhaven"}, foot("a", 0), foot("b", 1), foot("c", 0), foot("d", 1))
		c.Orders = []Order{{Tasks: [periods]Task{path(t, c, "eastbridge")}}, {}, {}, {}}
		c.Play(fixed(t))
		m := c.Met
		if m == nil {
			t.Fatal("they have not met")
		}
		is(t, "at", c.Def(m.At).ID, "eastbridge")
		is(t, "who defends", m.First, 1)
		if !slices.Equal(m.Forces, []int{0, 1}) {
			t.Errorf("forces %v", m.Forces)
		}
		is(t, "later ones", len(c.Near(m)), 0) // c is two stages away
		c.Stands[2].At = node(t, c, "bridgend")
		is(t, "later ones", len(c.Near(m)), 1)
	})
	clause(t, "HFG-R193", "who was stopped on a stage is as near as the nearer of its ends; a bridge that is down bars the way", func(t *testing.T) {
		c := begin(t, []string{"eastbridge", "eastbridge", "oldcastle"}, foot("a", 0), foot("b", 1), foot("c", 0))
		m := &Meeting{At: node(t, c, "eastbridge"), Forces: []int{0, 1}}
		stage := func(a, b string) Stage {
			s, _ := c.Between(node(t, c, a), node(t, c, b))
			return s
		}
		for _, one := range []struct {
			on   Stage
			near int
		}{{stage("greyfield", "bridgend"), 1}, {stage("highferry", "bridgend"), 1}, {stage("oldcastle", "greyfield"), 0}, {stage("eastbridge", "langley"), 1}} {
			c.Stands[2] = Stand{At: c.Stage(one.on).From, On: one.on, Far: 30}
			is(t, "near", len(c.Near(m)), one.near)
		}
		c.Stands[2] = Stand{At: node(t, c, "greyfield"), On: stage("greyfield", "bridgend"), Far: 30}
		c.Down = []Stage{stage("bridgend", "eastbridge")}
		is(t, "over no bridge", len(c.Near(m)), 0)
	})
	clause(t, "HFG-R146", "forces that pass each other on a stage meet on it", func(t *testing.T) {
		c := begin(t, []string{"bridgend", "eastbridge"}, foot("a", 0), foot("b", 1))
		c.Orders = []Order{{Tasks: [periods]Task{path(t, c, "eastbridge")}}, {Tasks: [periods]Task{path(t, c, "bridgend")}}}
		c.Play(fixed(t))
		if c.Met == nil || c.Met.On == 0 {
			t.Fatalf("met: %+v", c.Met)
		}
		is(t, "halfway", c.Met.Far, ticks/2)
	})
	clause(t, "HFG-R86", "a meeting ends the march of both", func(t *testing.T) {
		c := begin(t, []string{"greyfield", "eastbridge"}, foot("a", 0), foot("b", 1))
		c.Orders = []Order{{Tasks: [periods]Task{path(t, c, "bridgend", "eastbridge")}}, {Tasks: [periods]Task{path(t, c, "bridgend", "greyfield")}}}
		c.Play(fixed(t))
		is(t, "they met at", c.Def(c.Met.At).ID, "bridgend")
		for i := range c.Stands {
			if len(c.Stands[i].Path) > 0 {
				t.Errorf("force %d still marches", i)
			}
		}
	})
	clause(t, "HFG-R89", "who comes at once is not first", func(t *testing.T) {
		c := begin(t, []string{"greyfield", "eastbridge"}, foot("a", 0), foot("b", 1))
		c.Orders = []Order{{Tasks: [periods]Task{path(t, c, "bridgend")}}, {Tasks: [periods]Task{path(t, c, "bridgend")}}}
		c.Play(fixed(t))
		is(t, "first", c.Met.First, Together)
	})
	clause(t, "HFG-R89", "of two that meet on a stage none is first, wherever they came from; who stands on it is", func(t *testing.T) {
		// a has come through bridgend in this period, b has stood at eastbridge since the first dawn.
		c := begin(t, []string{"greyfield", "eastbridge"}, quick("a", 0), foot("b", 1))
		c.Orders = []Order{{Tasks: [periods]Task{path(t, c, "bridgend", "eastbridge")}}, {Tasks: [periods]Task{path(t, c, "bridgend")}}}
		c.Play(fixed(t))
		if c.Met == nil || c.Met.On == 0 {
			t.Fatalf("met: %+v", c.Met)
		}
		is(t, "first", c.Met.First, Together)
		c = begin(t, []string{"bridgend", "eastbridge"}, foot("a", 0), foot("b", 1))
		on, _ := c.Between(node(t, c, "bridgend"), node(t, c, "eastbridge"))
		c.Stands[0].On, c.Stands[0].Far, c.Stands[0].Since = on, ticks/2, 5
		c.Orders = []Order{{}, {Tasks: [periods]Task{path(t, c, "bridgend")}}}
		c.Play(fixed(t))
		is(t, "who stood there", c.Met.First, 0)
	})
	clause(t, "HFG-20.11", "a force whose slowest has 400 can't avoid one of 600", func(t *testing.T) {
		slow, fast := foot("a", 0), foot("b", 1)
		fast.Tactical = 600
		c := begin(t, []string{"bridgend", "eastbridge"}, slow, fast)
		c.Orders = []Order{{}, {Tasks: [periods]Task{path(t, c, "bridgend")}}}
		c.Play(fixed(t))
		is(t, "the slow one gets away", c.Escapes(c.Met, 0), false)
		is(t, "the fast one", c.Escapes(c.Met, 1), true)
		c.Stands[1].Used = 3
		is(t, "without movement left", c.Escapes(c.Met, 1), false)
	})
	clause(t, "HFG-20.8", "who must rest can't get away, whoever else has marched in this period", func(t *testing.T) {
		for _, one := range []struct {
			what string
			set  func(*Stand)
			left int
		}{
			{"one period of work before", func(s *Stand) { s.Busy = 1 }, 3},
			{"two periods of work before", func(s *Stand) { s.Busy = 2 }, 0},
			{"two of marching, the second this one", func(s *Stand) { s.Busy, s.Used, s.Went = 2, 1, true }, 2},
			{"a march by night before", func(s *Stand) { s.Busy, s.Tired = 1, true }, 0},
		} {
			c := begin(t, []string{"bridgend", "eastbridge"}, foot("a", 0), foot("b", 1))
			c.Orders = []Order{{}, {Tasks: [periods]Task{path(t, c, "bridgend")}}}
			one.set(&c.Stands[0])
			c.Play(fixed(t))
			is(t, one.what, c.left(c.Met, 0), one.left)
			is(t, one.what+": gets away", c.Escapes(c.Met, 0), one.left > 0)
		}
	})
	clause(t, "HFG-20.11", "others who met at the moment at which a battle was avoided have met", func(t *testing.T) {
		c := begin(t, []string{"greyfield", "bridgend", "langley", "eastbridge"}, foot("a", 0), foot("b", 1), foot("c", 0), foot("d", 1))
		c.Orders = []Order{{Tasks: [periods]Task{path(t, c, "bridgend")}}, {}, {Tasks: [periods]Task{path(t, c, "eastbridge")}}, {}}
		c.Play(fixed(t))
		is(t, "first", c.Def(c.Met.At).ID, "bridgend")
		c.Avoid(c.Met, 0, c.Refuges(c.Met, 0)[0])
		c.Play(fixed(t))
		is(t, "then", c.Def(c.Met.At).ID, "eastbridge")
		is(t, "in the period", c.Period, Morning)
	})
	clause(t, "HFG-20.11", "who avoids a battle goes a stage, and the campaign goes on", func(t *testing.T) {
		c := begin(t, []string{"bridgend", "eastbridge"}, foot("a", 0), foot("b", 1))
		c.Orders = []Order{{}, {Tasks: [periods]Task{path(t, c, "bridgend")}}}
		c.Play(fixed(t))
		refuges := c.Refuges(c.Met, 0)
		is(t, "the nearest to the base", c.Def(refuges[0]).ID, "greyfield")
		c.Avoid(c.Met, 0, refuges[0])
		c.Play(fixed(t, 6))
		is(t, "day", c.Day, 2)
		is(t, "a is at", c.Def(c.Stands[0].At).ID, "greyfield")
	})
}

// Whatever is ordered and legal, forces stand on the map, nobody marches further than he may,
// and hostile forces never stand at one place without a meeting. A campaign in a mirror of the
// sides is the same campaign.
func TestCampaigns(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		forces := []Force{foot("a", 0), quick("b", 0), guns("c", 0), foot("d", 1), quick("e", 1), foot("f", 1)}
		c := New(TwoValleys(), forces, rapid.SampledFrom([]int{-1, 0, 1}).Draw(r, "native"))
		die := func(phrase.Phrase) int { return rapid.IntRange(1, 6).Draw(r, "die") }
		for range rapid.IntRange(1, 8).Draw(r, "days") {
			c.Orders = make([]Order, len(forces))
			for i := range forces {
				c.Orders[i] = drawOrder(r, c, i)
			}
			for c.Play(die); c.Met != nil; c.Play(die) {
				checkMeeting(r, c)
				side := rapid.IntRange(0, 1).Draw(r, "who avoids")
				refuges := c.Refuges(c.Met, side)
				if !c.Escapes(c.Met, side) {
					return // a battle
				}
				c.Avoid(c.Met, side, rapid.SampledFrom(refuges).Draw(r, "to"))
			}
			checkStands(r, c)
		}
	})
}

// drawOrder draws a legal order.
func drawOrder(r *rapid.T, c *Campaign, force int) Order {
	var o Order
	at := c.Stands[force].At
	for p := Morning; p < periods; p++ {
		switch rapid.IntRange(0, 3).Draw(r, "task") {
		case 0:
			o.Tasks[p].Work = Work(rapid.IntRange(1, 5).Draw(r, "work"))
			o.Tasks[p].Bridge = rapid.SampledFrom(c.Beside(at)).Draw(r, "bridge")
		case 1, 2:
			paths := c.Paths(at, 3)
			o.Tasks[p].Path = rapid.SampledFrom(paths).Draw(r, "path")
		}
		if len(c.Judge(force, &o)) > 0 {
			o.Tasks[p] = Task{}
			continue
		}
		at, _ = c.startOf(force, &o, p+1)
	}
	return o
}

func checkMeeting(r *rapid.T, c *Campaign) {
	sides := [2]int{}
	for _, f := range c.Met.Forces {
		sides[c.Forces[f].Side]++
	}
	if sides[0] == 0 || sides[1] == 0 {
		r.Fatalf("a meeting of one side: %+v", c.Met)
	}
}

func checkStands(r *rapid.T, c *Campaign) {
	for i, s := range c.Stands {
		if s.At < 1 || int(s.At) > len(c.Nodes) || len(s.Path) > 0 || s.Gone != 0 {
			r.Fatalf("force %d: %+v", i, s)
		}
		if s.Busy > mostBusy {
			r.Fatalf("force %d was busy for %d periods", i, s.Busy)
		}
		for j, o := range c.Stands[:i] {
			if c.Forces[i].Side != c.Forces[j].Side && s.At == o.At && s.On == 0 && o.On == 0 {
				r.Fatalf("forces %d and %d stand together without a meeting", i, j)
			}
		}
	}
}

// Who has met enemies has marched, and so has who got away from them: neither works in that period, and by night both are tired.
func TestWhoHasMetOrGotAwayHasMarched(t *testing.T) {
	clause(t, "HFG-20.8", "after a meeting by night that came to nothing both rest in the morning", func(t *testing.T) {
		c := begin(t, []string{"greyfield", "eastbridge"}, quick("a", 0), foot("b", 1))
		c.Forces[1].Tactical = c.Forces[0].Tactical // else it can't get away
		c.Orders = []Order{{Tasks: [periods]Task{Afternoon: path(t, c, "bridgend"), Night: path(t, c, "eastbridge")}}, {Tasks: [periods]Task{Night: {Work: Entrench}}}}
		any := func(phrase.Phrase) int { return 3 }
		c.Play(any)
		if c.Met == nil {
			t.Fatal("they don't meet")
		}
		c.Avoid(c.Met, 1, node(t, c, "langley"))
		c.Play(any)
		if n := c.Stands[1].Entrenchments; n != 0 {
			t.Errorf("who got away has dug %d entrenchments in the same period", n)
		}
		for force, to := range []string{"langley", "newhaven"} {
			o := Order{Tasks: [periods]Task{path(t, c, to)}}
			if got := codes(c.Judge(force, &o)); len(got) == 0 || !strings.HasPrefix(got[0], "HFG-20.8") {
				t.Errorf("force %d may march in the morning: %v", force, got)
			}
		}
	})
}

func FuzzReadMap(f *testing.F) {
	data, err := files.ReadFile("scenarios/two-valleys.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("ruleset: hfg\nmap: m\nnodes: []\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, faults := ReadMap(data)
		if (m == nil) == (len(faults) == 0) {
			t.Fatalf("map %v with faults %v", m, faults)
		}
		for _, p := range faults {
			if p.Why.Code == "" {
				t.Fatalf("a fault without words: %+v", p)
			}
		}
		var _ orders.Problems = faults
	})
}

package hfg

import (
	"math/rand/v2"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/orders/phrase"
)

// valueIn gives a value of a sentence, of what is within it too.
func valueIn(p phrase.Phrase, name string) (phrase.Value, bool) {
	for _, a := range p.Args {
		if a.Name == name {
			return a.Value, true
		}
		if a.Value.Say != nil {
			if v, ok := valueIn(*a.Value.Say, name); ok {
				return v, true
			}
		}
	}
	return phrase.Value{}, false
}

// What is offered in the place of a refused distance is legal, and nothing between it and what was ordered is (HFG-R121).
func TestNearestIsTheGreatestLegalDistance(t *testing.T) {
	chance := rand.New(rand.NewPCG(5, 1))
	g := orderField(t)
	w := &turnWorld{fireWorld: fireWorld{v: g.view("red"), board: g.view("red").trial()}}
	offered := 0
	for range 30 {
		o := order{Verb: verbGo, Of: []string{"r1", "r2", "r3", "r6"}[chance.IntN(4)], Toward: bearing(chance.IntN(4)), Far: 1 + chance.IntN(2000)}
		if chance.IntN(3) == 0 {
			o = order{Verb: verbAdvance, Of: "r1 r2", Far: 1 + chance.IntN(900), Wheel: chance.IntN(60) - 30}
		}
		if chance.IntN(3) == 0 && o.Verb == verbGo {
			o.Turns, o.Facing = true, chance.IntN(360)
		}
		if _, fault := w.moveFault(&o); fault == nil {
			continue
		}
		one := o
		legal := func(n int) bool {
			one.Far = n
			_, fault := w.moveFault(&one)
			return fault == nil
		}
		far := 0
		if v, ok := valueIn(w.nearest(&o), "far"); ok {
			far, offered = v.Num, offered+1
			if !legal(far) {
				t.Errorf("%+v: %d is offered and isn't legal", o, far)
			}
		}
		for n := far + 1; n < o.Far; n++ {
			if legal(n) {
				t.Errorf("%+v: %d is offered, and %d would be legal", o, far, n)
				break
			}
		}
	}
	if offered < 5 {
		t.Errorf("%d distances were offered", offered)
	}
}

// A refused file says in how many of its orders what would be legal: in the first few, so that none takes long.
func TestNearestIsWorkedOutForAFew(t *testing.T) {
	g := orderField(t)
	text := "{moves: ["
	for range mostOffers + 5 {
		text += "{element: r3, forward: 900}, "
	}
	_, faults := declared.Read(g.view("red"), g.decision("red", stopTurn), document(t, text+"]}"))
	offered := 0
	for _, f := range faults {
		if f.Remedy.Code == "hfg.nearest-far" {
			offered++
		}
	}
	is(t, "faults", len(faults), mostOffers+5)
	is(t, "offers", offered, mostOffers)
}

// Nobody learns of an enemy whom he doesn't know by what is offered to him, nor by what is reckoned.
func TestNearestAndReckonedTellNothingUnknown(t *testing.T) {
	said := func(hidden bool) (all []phrase.Phrase) {
		pieces := []piece{{"r1", lightInfantry, 4000, 2000, 0, nil}, {"r7", smoothbore, 6000, 2000, 0, nil}, {"b1", muskets, 6000, 4900, 180, nil}}
		if hidden {
			pieces = append(pieces, piece{"b2", marksmen, 4000, 2500, 180, nil}, piece{"b3", marksmen, 6000, 3500, 180, nil})
		}
		g := field(t, 1809, pieces...)
		g.Commands[first].Score, g.Phase = 9, moving
		for _, id := range []string{"b2", "b3"} {
			if e, ok := g.elementNamed(id); ok {
				g.Elements[e].Concealed = true
			}
		}
		v, d := g.view("red"), g.decision("red", stopTurn)
		for _, text := range []string{"{moves: [{element: r1, forward: 900}]}", "{fire: [{element: r7, at: b1}]}"} {
			_, faults := declared.Read(v, d, document(t, text))
			for _, f := range faults {
				all = append(all, f.Why, f.Remedy)
			}
		}
		a, faults := declared.Read(v, d, document(t, "{moves: [{element: r1, forward: max}]}"))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		return append(all, New().Reckoned(v, d, a)...)
	}
	a, b := said(false), said(true)
	is(t, "sentences", len(a), len(b))
	for i := range a {
		if !a[i].Equal(b[i]) {
			t.Errorf("%v, with enemies who are hidden %v", a[i], b[i])
		}
	}
}

// What is reckoned of each order is what then comes of it.
func TestReckonedIsWhatComes(t *testing.T) {
	for text, want := range map[string]struct {
		codes []string
		ends  map[string][3]int64
	}{
		"{moves: [{element: r3, forward: max}]}":                                                           {[]string{"hfg.reckoned-stop"}, map[string][3]int64{"r3": {6000, 2400, 0}}},
		"{moves: [{element: r3, left: 200}, {rally: r5}]}":                                                 {[]string{"hfg.reckoned", "hfg.reckoned-task"}, map[string][3]int64{"r3": {5800, 2000, 0}}},
		"{moves: [{element: r3, forward: 900, else: {forward: 100}}, {march: {element: r6, along: 300}}]}": {[]string{"hfg.reckoned-else", "hfg.reckoned"}, map[string][3]int64{"r3": {6000, 2100, 0}, "r6": {2000, 2300, 0}}},
		"{more: no}": {nil, nil},
	} {
		g := orderField(t)
		v, d := g.view("red"), engine.Decision{Side: "red", Kind: stopTurn}
		a, faults := declared.Read(v, d, document(t, text))
		if len(faults) > 0 {
			t.Fatalf("%s: %v", text, faults)
		}
		all := New().Reckoned(v, d, a)
		var codes, places []string
		for _, p := range all {
			codes = append(codes, p.Code)
			if at, ok := valueIn(p, "place"); ok {
				places = append(places, at.Text)
			}
		}
		is(t, text, slices.Equal(codes, want.codes), true)
		after := replied(t, g, "red", text)
		for id, end := range want.ends {
			is(t, id, standsAt(t, after, id), end)
			if at := inline(scale.WritePoint(pt(end[0], end[1]))); !slices.Contains(places, at) {
				t.Errorf("%s: %v, want %s", text, places, at)
			}
		}
	}
}

// Of a shot that is refused it is told how far it would go, who stands in its way, and whom else the gun may shoot at.
func TestShotsInstead(t *testing.T) {
	g := field(t, 1809, piece{"r1", smoothbore, 4000, 1000, 0, nil}, piece{"r2", muskets, 3400, 1700, 0, nil},
		piece{"b1", muskets, 4000, 1900, 180, nil}, piece{"b2", muskets, 4200, 5500, 180, nil}, piece{"b3", muskets, 3000, 2200, 150, nil}, piece{"b4", muskets, 5200, 1300, 180, nil})
	g.Commands[first].Score, g.Phase = 9, moving
	for at, want := range map[string]string{"b2": "hfg.aims-range", "b4": "hfg.aims-arc"} {
		_, faults := declared.Read(g.view("red"), g.decision("red", stopTurn), document(t, "{fire: [{element: r1, at: "+at+"}]}"))
		if len(faults) != 1 || faults[0].Remedy.Code != want {
			t.Errorf("%s: %v", at, faults)
			continue
		}
		aims, _ := valueIn(faults[0].Remedy, "aims")
		if targets, _ := valueIn(*aims.Say, "targets"); len(targets.List) == 0 {
			t.Errorf("%s: no targets are named: %v", at, faults[0].Remedy)
		}
	}
	if _, ok := g.laneTo(named(t, g, "r1"), g.aimedAt(named(t, g, "r1"), named(t, g, "b1"))); !ok {
		t.Fatal("b1 is masked")
	}
	g.Elements[named(t, g, "r2")].At = place(pt(4000, 1500))
	is(t, "who stands in the lane", slices.Equal(g.inLane(named(t, g, "r1"), g.aimedAt(named(t, g, "r1"), named(t, g, "b1"))), []elementID{named(t, g, "r2")}), true)
}

// What is offered for a place that an element can't reach is the least that it must stop short of it, and is legal: over places of all
// kinds, with facings and ways round (HFG-R121). To turn on the spot is not offered.
func TestNearestIsTheLeastShortOfAPlace(t *testing.T) {
	chance := rand.New(rand.NewPCG(7, 3))
	g := orderField(t)
	g.Commands[first].Score = 9
	w := &turnWorld{fireWorld: fireWorld{v: g.view("red"), board: g.view("red").trial()}}
	offered := 0
	for range 60 {
		o := order{Verb: verbGo, Of: []string{"r1", "r2", "r3", "r6"}[chance.IntN(4)], To: []string{
			inline(scale.WritePoint(pt(chance.Int64N(12000), chance.Int64N(6000)))), "front of b1", "behind r1 50", "beside r3 left 10", "K4+150+80", "rear of b1"}[chance.IntN(6)]}
		if chance.IntN(3) == 0 {
			o.Turns, o.Facing = true, chance.IntN(360)
		}
		if chance.IntN(3) == 0 {
			o.Via = inline(scale.WritePoint(pt(chance.Int64N(12000), chance.Int64N(6000))))
		}
		if chance.IntN(4) == 0 {
			o.Short = 1 + chance.IntN(200)
		}
		if _, fault := w.moveFault(&o); fault == nil {
			continue
		}
		one := o
		legal := func(n int) bool { // and leads somewhere
			one.Short = n + 1
			p, fault := w.moveFault(&one)
			return fault == nil && p.paths[0].to.At != p.paths[0].from.At
		}
		v, ok := valueIn(w.nearest(&o), "far")
		if ok {
			if offered++; !legal(v.Num) {
				t.Errorf("%+v: %d is offered and isn't legal", o, v.Num)
			}
		} else {
			v.Num = 3000
		}
		for n := max(o.Short-1, 0); n < v.Num; n += 1 + v.Num/200 {
			if legal(n) {
				t.Errorf("%+v: %d is offered (%v), and %d would be legal", o, v.Num, ok, n)
				break
			}
		}
	}
	if offered < 10 {
		t.Errorf("%d were offered", offered)
	}
}

// How far along a command may come on is offered where it can't go as far as was ordered, or not so little: it is the nearest that is legal,
// by road and by rail (HFG-R121).
func TestNearestEntryIsLegal(t *testing.T) {
	for _, kind := range []track{road, railway} {
		for _, troops := range [][]troop{{muskets, muskets}, {lightCavalry, muskets}} {
			pieces := []piece{{"r1", muskets, 3000, 1000, 0, nil}, {"b1", rifled, 6000, 5000, 180, nil}}
			for i, k := range troops {
				pieces = append(pieces, piece{[]string{"r7", "r8"}[i], k, 0, 0, 0, nil})
			}
			g := fieldOn(t, &setting{year: 1865, lines: []lineDef{lineOf("way", kind, 0, [2]int64{6000, 0}, [2]int64{6000, 6000})}}, pieces...)
			g.commands = append(g.commands, commandDef{id: "iv", side: first, rank: subordinate, arrival: &arrivalDef{road: 1, edge: south}})
			g.Commands = append(g.Commands, command{Status: arriving, Score: 6})
			for i := range troops {
				e := named(t, g, []string{"r7", "r8"}[i])
				g.Elements[e] = element{Fate: due, Command: 3}
			}
			g.complete()
			g.Phase = moving
			w := &turnWorld{fireWorld: fireWorld{v: g.view("red"), board: g.view("red").trial()}}
			offered := 0
			for far := 1; far < 7000; far += 211 {
				o := order{Verb: verbEnter, Of: "iv", Far: far}
				if _, fault := w.moveFault(&o); fault == nil {
					continue
				}
				v, ok := valueIn(w.nearest(&o), "far")
				if !ok {
					t.Errorf("%s, %d: nothing is offered", trackWords[kind], far)
					continue
				}
				offered++
				o.Far = v.Num
				if _, fault := w.moveFault(&o); fault != nil {
					t.Errorf("%s, %d: %d is offered, and isn't legal: %v", trackWords[kind], far, v.Num, fault)
				}
				for _, n := range []int{v.Num + 1, v.Num - 1} {
					o.Far = n
					if _, fault := w.moveFault(&o); fault == nil && (n-far)*(n-far) < (v.Num-far)*(v.Num-far) {
						t.Errorf("%s, %d: %d is offered, and %d is legal", trackWords[kind], far, v.Num, n)
					}
				}
			}
			if offered < 20 {
				t.Errorf("%s: %d were offered", trackWords[kind], offered)
			}
		}
	}
}

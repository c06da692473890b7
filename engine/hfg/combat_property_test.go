package hfg

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
)

// kindsOf1809 are the types that random fields are made of.
var kindsOf1809 = []troop{muskets, bayonets, lightInfantry, stoicFoot, marksmen, spearmen, cuirassiers, heavyCavalry, lightCavalry,
	lightHorse, dragoons, smoothbore, lightArtillery, commandParty, pontoneers, laager}

// A battlefieldOf is a random field, as it can be made a second time, in a mirror.
type battlefieldOf struct {
	pieces []piece
	areas  []areaDef
	dice   []int
	turn   int
	states []spirit
}

// drawField draws a field on which nobody stands on another: some elements anywhere, some front to
// front with an enemy or on his flank.
func drawField(t *rapid.T, base testing.TB, towns bool) *battlefieldOf {
	f := &battlefieldOf{turn: rapid.IntRange(2, 9).Draw(t, "turn")}
	kinds := []ground{wood, slowGoing, hill, waterway}
	for i := range rapid.IntRange(0, 3).Draw(t, "areas") {
		f.areas = append(f.areas, octagon(fmt.Sprint("area", i), kinds[rapid.IntRange(0, 3).Draw(t, "ground")],
			rapid.Int64Range(2000, 6000).Draw(t, "x"), rapid.Int64Range(1500, 4500).Draw(t, "y"), 900, 700))
		if d := &f.areas[i]; d.kind == hill {
			mid := d.outline[0].Y + 350*pace
			d.crest = []place{{X: d.outline[0].X, Y: mid}, {X: d.outline[1].X, Y: mid}}
		}
	}
	if towns {
		f.areas = append(f.areas, octagon("town", bua, 4000, 3000, 600, 600))
	}
	for i := range rapid.IntRange(2, 16).Draw(t, "elements") {
		p := piece{fmt.Sprintf("%c%d", "rb"[i%2], i+1), kindsOf1809[rapid.IntRange(0, len(kindsOf1809)-1).Draw(t, "type")],
			rapid.Int64Range(2500, 5500).Draw(t, "x"), rapid.Int64Range(1500, 4500).Draw(t, "y"), 45 * rapid.IntRange(0, 7).Draw(t, "facing"), nil}
		if p.troop == commandParty && slices.ContainsFunc(f.pieces, func(o piece) bool { return o.troop == commandParty && o.id[0] == p.id[0] }) {
			p.troop = muskets // one general a side
		}
		if i%2 == 1 && rapid.Bool().Draw(t, "in contact") { // with the one before, if that has a place
			f.opposes(&p, rapid.IntRange(0, 2).Draw(t, "side"))
		}
		if f.fits(base, p) {
			f.pieces = append(f.pieces, p)
			f.states = append(f.states, []spirit{steady, steady, steady, steady, repulsed, routed}[rapid.IntRange(0, 5).Draw(t, "spirit")])
		}
	}
	seed := rapid.Uint32().Draw(t, "dice")
	for range 400 {
		seed = seed*1664525 + 1013904223
		f.dice = append(f.dice, int(seed>>16)%dieSides+1)
	}
	return f
}

// level says whether two elements of one side stand equally far to the east.
func (f *battlefieldOf) level() bool {
	seen := map[[2]int64]bool{}
	for _, p := range f.pieces {
		k := [2]int64{int64(p.id[0]), p.x}
		if seen[k] {
			return true
		}
		seen[k] = true
	}
	return false
}

// opposes puts a piece on the front or a flank of the last one.
func (f *battlefieldOf) opposes(p *piece, side int) {
	if len(f.pieces) == 0 {
		return
	}
	o := f.pieces[len(f.pieces)-1]
	enemy := geometry.NewBody(geometry.Piece{Frame: at(o.x, o.y, o.facing), Box: geometry.Box{U0: -200 * pace, V0: -int64(troops[o.troop].depth) * pace, U1: 200 * pace}})
	to := conformed(enemy.Box, &enemy, []geometry.Flank{geometry.Front, geometry.Left, geometry.Right}[side], false, enemy.At)
	if to.At.X%pace == 0 && to.At.Y%pace == 0 {
		p.x, p.y, p.facing = to.At.X/pace, to.At.Y/pace, int(to.Heading)
	}
}

// fits says whether a piece stands where it may.
func (f *battlefieldOf) fits(base testing.TB, p piece) bool {
	g := fieldOn(base, &setting{year: 1809, areas: f.areas}, append(append([]piece(nil), f.pieces...), p)...)
	e := elementID(len(f.pieces) + 1)
	return g.free(e, geometry.Frame{At: point(g.Elements[e].At), Heading: geometry.Heading(g.Elements[e].Facing)})
}

// made makes the position; mirrored, with south for north.
func (f *battlefieldOf) made(base testing.TB, mirrored bool) *battlefield {
	pieces, areas := append([]piece(nil), f.pieces...), append([]areaDef(nil), f.areas...)
	if mirrored {
		for i := range pieces {
			pieces[i].y, pieces[i].facing = 6000-pieces[i].y, (540-pieces[i].facing)%360
		}
		for i := range areas {
			areas[i].outline, areas[i].crest = overturned(areas[i].outline), overturned(areas[i].crest)
		}
	}
	g := fieldOn(base, &setting{year: 1809, areas: areas}, pieces...)
	if mirrored {
		g.sides[0].base, g.sides[1].base = north, south
		for e := len(f.pieces) + 1; e < len(g.Elements); e++ { // generals that the field has added
			x := &g.Elements[e]
			x.At.Y, x.Facing = 6000*pace-x.At.Y, 180
		}
	}
	g.Turn = f.turn
	for i, s := range f.states {
		if g.class(elementID(i+1)) != staff {
			g.Elements[i+1].Spirit, g.Elements[i+1].Since = s, f.turn-1
		}
	}
	g.survey()
	dice := &engine.FixedDice{Results: f.dice}
	return &battlefield{game: g, Story: play.Story{Dice: dice}}
}

// overturned gives places with south for north.
func overturned(all []place) []place {
	turned := make([]place, len(all))
	for i, p := range all {
		turned[i] = place{X: p.X, Y: 6000*pace - p.Y}
	}
	return turned
}

// An ordering is the order of targets and pairs, which for equal ones hangs on north and south.
type ordering struct {
	targets []fighter
	pairs   []elementID
}

// through fights phases 2 and 3, in the order of another game if it is given, and calls a function
// after each job. It gives the order.
func (p *battlefield) through(like *ordering, decide func(*question) answer, after func()) *ordering {
	own := &ordering{}
	if like == nil {
		like = own
	}
	each := func() {
		for len(p.Fray.Jobs) > 0 {
			j := p.Fray.Jobs[0]
			if q := p.due(&j); q != nil && j.Said == nil {
				a := decide(q)
				j.Said = &a
			}
			p.Fray.Jobs = p.Fray.Jobs[1:]
			p.does(&j)
			after()
		}
	}
	p.opensFire(p.fairShots(), like.targets)
	for _, j := range p.Fray.Jobs {
		own.targets = append(own.targets, j.At)
	}
	own.targets = own.targets[:len(own.targets)-1] // the last job is for compulsory shots
	each()
	p.opensMelee(like.pairs)
	for _, j := range p.Fray.Jobs {
		own.pairs = append(own.pairs, j.Of)
	}
	each()
	p.turnsToFace()
	each()
	return own
}

// Whatever is fought, nobody stands on another, off the field, or where he can't stand, after any
// event; and the position can be written and read.
func TestCombatLeavesLawfulPositions(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		f := drawField(r, t, true)
		p := f.made(t, false)
		choice := rapid.IntRange(0, 1200)
		p.through(nil, func(q *question) answer {
			a := p.usual(q)
			a.Yes, a.Rough, a.Off = rapid.Bool().Draw(r, "yes"), rapid.Bool().Draw(r, "rough"), rapid.Bool().Draw(r, "off")
			a.Far = min(max(q.Low, choice.Draw(r, "far")), max(q.High, q.Low))
			return a
		}, func() {
			b := &breaches{game: p.game}
			b.impossible()
			for _, one := range b.All {
				r.Fatalf("%v %v", one.Why, one.Keys)
			}
		})
		if _, faults := load(p.marshal()); len(faults) > 0 {
			r.Fatalf("%v", faults)
		}
	})
}

// course is what has been told, in codes and ids.
func (p *battlefield) course() string {
	var b strings.Builder
	for _, e := range p.Events {
		for _, x := range e.Tellings[:1] {
			b.WriteString(x.Say.Code)
			for _, a := range x.Say.Args {
				b.WriteString(" " + a.Value.Text)
				for _, v := range a.Value.List {
					if v.Say != nil {
						for _, w := range v.Say.Args {
							fmt.Fprint(&b, " ", w.Value.Num)
							for _, z := range w.Value.List {
								if z.Say != nil {
									fmt.Fprint(&b, " ", strings.TrimPrefix(z.Say.Code, "hfg.mark-"))
									for _, zz := range z.Say.Args {
										fmt.Fprint(&b, "=", zz.Value.Num, zz.Value.Text)
									}
								}
							}
						}
					}
				}
			}
			b.WriteString("; ")
		}
	}
	return b.String()
}

// A mirrored field gives the mirrored result: but for who runs into an enemy between two of his
// sides, or charges or pursues into him; which of them it conforms to is settled by their order, left before
// right (HFG-R123).
func TestCombatInAMirror(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		f := drawField(r, t, false)
		if f.level() {
			return // compulsory shots at two targets of one side that lie north and south
		}
		p, m := f.made(t, false), f.made(t, true)
		order := p.through(nil, func(q *question) answer { return p.usual(q) }, func() {})
		m.through(order, func(q *question) answer { return m.usual(q) }, func() {})
		if p.told("hfg.ran-into") || p.told("hfg.charges") || countTold(p, "hfg.combat-close") > len(order.pairs) {
			return
		}
		for e := 1; e < len(p.Elements); e++ {
			x, y := p.Elements[e], m.Elements[e]
			if x.Fate != y.Fate || x.Spirit != y.Spirit || x.Fate == present && (x.At.X != y.At.X || x.At.Y != 6000*pace-y.At.Y || (540-x.Facing)%360 != y.Facing) {
				r.Fatalf("%s: %+v, in the mirror %+v\n%s\n%s", p.def(elementID(e)).id, x, y, p.course(), m.course())
			}
		}
	})
}

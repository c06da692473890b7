package hfg

import (
	"fmt"
	"testing"

	"berthier/engine"
	"berthier/engine/geometry"
)

// battle is the built-in battle.
func battle(t testing.TB) *scenario {
	t.Helper()
	s, ok := library.Named("")
	if !ok {
		t.Fatal("there is no scenario")
	}
	return s
}

// begin sets the built-in battle up.
func begin(t testing.TB, chosen map[string]string) *game {
	t.Helper()
	g, faults := begun(battle(t), chosen)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return g
}

// A piece is an element of a case: its id, its type with its grades, where it stands in
// paces, and its facing. Ids that begin with an "r" are the attacker's, all others the
// defender's. The general of a side is its staff element; a side without one gets a command
// party far away, as r0 or b0.
type piece struct {
	id     string
	troop  troop
	x, y   int64
	facing int
	grades []grade
}

// field makes a position of a year with some elements on open ground of 12,000 by 6,000
// paces: the first turn, the attacker's, in phase moves. Each side has one command.
func field(t testing.TB, year int, pieces ...piece) *game {
	t.Helper()
	return fieldOn(t, &setting{year: year}, pieces...)
}

// fieldOn is field on ground that the case makes: areas, lines, bridges.
func fieldOn(t testing.TB, s *setting, pieces ...piece) *game {
	t.Helper()
	if s.size == (place{}) {
		s.size = place{X: 12000 * pace, Y: 6000 * pace}
	}
	s.sides = []sideDef{{id: "red", role: attacker, base: south}, {id: "blue", role: defender, base: north}}
	s.commands = []commandDef{{id: "reds", side: first, rank: chief}, {id: "blues", side: second, rank: chief}}
	led := [sides]bool{}
	for _, p := range pieces {
		of := second
		if p.id[0] == 'r' {
			of = first
		}
		led[of] = led[of] || troops[p.troop].class == staff
		s.roster = append(s.roster, elementDef{id: p.id, command: commandID(of), troop: p.troop, grades: p.grades,
			at: place{X: p.x * pace, Y: p.y * pace}, facing: p.facing})
	}
	for _, of := range []side{first, second} {
		if !led[of] {
			at := place{X: 300 * pace, Y: 400 * pace}
			if of == second {
				at = place{X: 11700 * pace, Y: s.size.Y - 400*pace}
			}
			s.roster = append(s.roster, elementDef{id: fmt.Sprintf("%c0", "rb"[of-1]), command: commandID(of), troop: commandParty, at: at})
		}
	}
	s.complete()
	b := battle(t)
	o, _ := b.menu().Read(nil)
	g := newGame(s, o)
	g.scenario = b
	for i := range s.roster {
		d := &s.roster[i]
		g.Elements[i+1].At, g.Elements[i+1].Facing = d.at, d.facing
	}
	g.Ruled = settled("red", "blue")
	return g
}

// settled are policies of seats that nobody is asked anything in the middle of a turn.
func settled(seats ...string) []policyCase {
	var all []policyCase
	for _, seat := range seats {
		for _, k := range policyKeys {
			if k != policyReply {
				all = append(all, policyCase{Key: k, Seat: seat, Do: "default"})
			}
		}
	}
	return all
}

// octagon is an area of a kind about a middle, so many paces wide and deep, with its corners
// cut off (HFG-4.22); a BUA or an SP keeps its corners.
func octagon(id string, kind ground, x, y, wide, deep int64) areaDef {
	at := func(dx, dy int64) place { return place{X: (x + dx) * pace, Y: (y + dy) * pace} }
	w, d := wide/2, deep/2
	if kind == bua || kind == strongPoint {
		return areaDef{id: id, kind: kind, outline: []place{at(-w, -d), at(w, -d), at(w, d), at(-w, d)}}
	}
	c := min(w, d) / 2
	return areaDef{id: id, kind: kind, outline: []place{
		at(-w+c, -d), at(w-c, -d), at(w, -d+c), at(w, d-c), at(w-c, d), at(-w+c, d), at(-w, d-c), at(-w, -d+c)}}
}

// line is a line of a kind through points given in paces.
func lineOf(id string, kind track, width int64, path ...[2]int64) lineDef {
	d := lineDef{id: id, kind: kind, width: length(width * pace)}
	for _, p := range path {
		d.path = append(d.path, place{X: p[0] * pace, Y: p[1] * pace})
	}
	return d
}

// named finds an element.
func named(t testing.TB, g *game, id string) elementID {
	t.Helper()
	e, ok := g.elementNamed(id)
	if !ok {
		t.Fatalf("there is no %s", id)
	}
	return e
}

// clause runs a case of a clause.
func clause(t *testing.T, id, name string, run func(t *testing.T)) {
	t.Helper()
	t.Run(id+" "+name, run)
}

// is compares.
func is[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// at is a frame given in paces.
func at(x, y int64, facing int) geometry.Frame {
	return geometry.Frame{At: point{X: x * pace, Y: y * pace}, Heading: geometry.Heading(facing)}
}

// again writes a position and reads it back.
func again(t testing.TB, g *game) *game {
	t.Helper()
	back, faults := load(g.marshal())
	if len(faults) > 0 {
		t.Fatalf("%v\n%s", faults, g.marshal())
	}
	return back
}

// decision is a stop of a seat.
func (g *game) decision(side engine.Side, kind string) engine.Decision {
	return engine.Decision{Side: side, Kind: kind}
}

package napoleon

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// A unit that the order file does not mark as forced is never forced, and a unit that
// it marks goes on only if the file orders that too: no die is rolled for a march that
// the player has not asked for.
func TestTemplateMarksEachUnitThatNeedsForce(t *testing.T) {
	marked, plain, mixed := 0, 0, 0
	unit := regexp.MustCompile(`[FAP]-\d\d`)
	for seed := range uint64(60) {
		g := scatter(t, chance(seed))
		d := g.Owed()[0]
		var from string
		var group []string
		for line := range strings.SplitSeq(orders.InTongue("en", stops["move"].Template(g.view(d.Side), d).Above), "\n") {
			if town, list, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, "-") && !strings.HasPrefix(line, " ") {
				from, group = town, strings.Split(list, ", ")
			}
			road, ok := strings.CutPrefix(line, "  > ")
			if !ok {
				continue
			}
			road, who, some := strings.Cut(road, " (")
			_, who, _ = strings.Cut(who, ">> for ")
			who, _, _ = strings.Cut(who, ": 1-3 loses 1")
			if some {
				mixed++
			}
			pushed := strings.Contains(road, " >> ")
			road = strings.Replace(road, " >> ", " > ", 1)
			near, far, ok := strings.Cut(road, " > ")
			if !ok {
				continue
			}
			via, _, _ := strings.Cut(near, " max ")
			to, _, _ := strings.Cut(far, " max ")
			for _, text := range group {
				id := unit.FindString(text)
				order := "orders: [{move: {from: " + from + ", via: [" + via + "], to: " + to + ", units: [" + id + "]}}"
				answer, faults := read(t, g, d, order+"]")
				switch {
				case strings.HasSuffix(text, "|"):
					if len(faults) != 1 || faults[0].Clause != "NAP-5.7" {
						t.Fatalf("seed %d: not held back by night: %v\n%s", seed, faults, order)
					}
				case pushed || slices.Contains(strings.Split(who, ", "), id):
					if marked++; len(faults) != 1 || faults[0].Why.Code != "nap.move-forced-missing" {
						t.Fatalf("seed %d: not asked for a word about force: %v\n%s", seed, faults, order)
					}
					if _, faults := read(t, g, d, order+", {forced: "+id+"}]"); len(faults) > 0 {
						t.Fatalf("seed %d: offered by force and refused: %v\n%s", seed, faults, order)
					}
					if _, faults := read(t, g, d, strings.TrimSuffix(order, "}}")+", force: yes}}]"); len(faults) > 0 {
						t.Fatalf("seed %d: offered by force and refused: %v\n%s", seed, faults, order)
					}
				default:
					if plain++; len(faults) > 0 || len(marchesOf(answer).forced) > 0 {
						t.Fatalf("seed %d: offered without force: %v\n%s", seed, faults, order)
					}
				}
			}
		}
	}
	if marked < 100 || plain < 100 || mixed < 20 {
		t.Errorf("only %d marked, %d unmarked, %d groups of both", marked, plain, mixed)
	}
}

// The two remedies for a march that needs force are ready to be copied: each of them
// makes a file that is accepted, and the second needs no die for that march.
func TestRemediesForForcedMarchesAreAccepted(t *testing.T) {
	forced, stopped := 0, 0
	for seed := range uint64(2000) {
		g := scatter(t, chance(seed))
		d := g.Owed()[0]
		a := marchesOf(New().Random(g.View(d.Side), d, chance(seed)))
		if len(a.forced) == 0 {
			continue
		}
		a.forced = nil
		text := orders.Mapping().Set("orders", a.node()).Encode()
		_, faults := read(t, g, d, text)
		if len(faults) == 0 {
			t.Fatalf("seed %d: marches by force without a word\n%s", seed, text)
		}
		var force []string
		for _, f := range faults {
			force = append(force, remedyLine(t, f, "force"))
		}
		accept := func(lines []string) moveAnswer {
			t.Helper()
			file := "orders:\n" + strings.Join(lines, "\n") + "\n"
			answer, faults := read(t, g, d, file)
			if len(faults) > 0 {
				t.Fatalf("seed %d: the remedy is refused: %v\n%s\ninstead of\n%s", seed, faults, file, text)
			}
			return marchesOf(answer)
		}
		forced += len(accept(append(a.lines(noUnit), force...)).forced)
		first := faults[0]
		near := remedyLine(t, first, "stop")
		if near == "" {
			continue
		}
		stopped++
		left := unitCalled(g.view(d.Side), first.Why.Args[0].Value.List[0].Text)
		lines := append(a.lines(left), near)
		if far := remedyLine(t, first, "others"); far != "" {
			lines = append(lines, far)
		}
		for _, id := range accept(append(lines, force[1:]...)).forced {
			if strings.Contains(force[0], g.roster[id].id) {
				t.Errorf("seed %d: %s is forced, though it was to stop short", seed, g.roster[id].id)
			}
		}
	}
	if forced < 100 || stopped < 50 {
		t.Errorf("only %d units were forced, %d marches cut short", forced, stopped)
	}
}

// marchesOf gives the movement that an answer orders.
func marchesOf(a engine.Answer) moveAnswer {
	w, _ := saidTo[*marching](a.(play.Answer).Reply)
	return w.answer
}

// unitCalled finds a unit by its id.
func unitCalled(v *View, id string) unitID {
	return unitID(slices.IndexFunc(v.roster, func(c unitDef) bool { return c.id == id }))
}

// lines gives all lines of an answer but the march of a unit.
func (a moveAnswer) lines(but unitID) []string {
	var lines []string
	for _, m := range a.marches {
		if !slices.Contains(m.units, but) {
			lines = append(lines, "- move: "+play.OneLine(a.s.marchNode(m)))
		}
	}
	return lines
}

// remedyLine gives a line that a remedy offers; "" if it offers none.
func remedyLine(t *testing.T, p orders.Problem, name string) string {
	t.Helper()
	if p.Clause != "NAP-5.6" {
		t.Fatalf("another fault: %v", p)
	}
	for _, a := range p.Remedy.Args {
		if a.Name == name {
			return a.Value.Text
		}
	}
	return ""
}

// A file that was accepted when the office still added forced marches by itself means
// today what it meant then. The same file is refused if it is new.
func TestMovementAcceptedBeforeIsReadAsItWas(t *testing.T) {
	g := newDrill(t, func(g *game) {
		for i := range g.units {
			if u := &g.units[i]; u.army == french {
				u.town = g.townAt["laneffe"]
			}
		}
		g.asks = nil
		(&campaign{game: g}).movementPhase()
	})
	d := g.Owed()[0]
	doc, faults := orders.Parse("orders: [{move: {from: Laneffe, via: [Thuin], to: Charleroi, units: [F-03, F-02]}}]", nil)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if _, faults := New().Read(g.View(d.Side), d, doc); len(faults) == 0 {
		t.Error("as a new file it is accepted")
	}
	doc.Accepted = true
	a, faults := New().Read(g.View(d.Side), d, doc)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if text := a.Orders().Encode(); !strings.Contains(text, "- forced: [F-03, F-02]") {
		t.Errorf("read as %s", text)
	}
}

// What is filled in beside a choice never costs a die: of all units that a file forces, each is
// the one that was chosen to march so far, and the default forces nobody.
func TestNothingFilledInIsForced(t *testing.T) {
	var rules engine.Chooser = New()
	unit := regexp.MustCompile(`[FAP]-\d\d`)
	forced, plain := 0, 0
	for seed := range uint64(20) {
		g := scatter(t, chance(seed))
		d := g.Owed()[0]
		v := g.View(d.Side)
		if text := rules.Compose(v, d, nil).Orders().Encode(); strings.Contains(text, "force") {
			t.Errorf("seed %d: the default forces\n%s", seed, text)
		}
		for i, c := range rules.Choices(v, d, nil) {
			if i%3 != int(seed%3) || c.Measure {
				continue
			}
			text := rules.Compose(v, d, []engine.Choice{c}).Orders().Encode()
			if !strings.Contains(text, "force") {
				plain++
				continue
			}
			forced++
			for line := range strings.Lines(text) {
				for _, id := range unit.FindAllString(line, -1) {
					if strings.Contains(line, "force") && id != c.Of {
						t.Errorf("seed %d: %s was chosen for %s, and %s is forced:\n%s", seed, c.What, c.Of, id, text)
					}
				}
			}
		}
	}
	if forced == 0 || plain == 0 {
		t.Errorf("%d choices force, %d do not", forced, plain)
	}
	t.Logf("%d choices force, %d do not", forced, plain)
}

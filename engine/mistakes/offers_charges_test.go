package mistakes

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders"
)

// A printedCharge is a charge as a template lists it: whom a formation may charge, and the headings with which it may.
type printedCharge struct {
	by, whom string
	headings [][2]int
}

// chargePrinted is a charge of a template: charge red-7 right 10 73 mm (heading 350..20 | 33).
var chargePrinted = regexp.MustCompile(`charge (\S+)(?: (?:right|left) \d+)? \d+ mm \(heading ([^)]+)\)`)

// chargesPrinted reads the charges of a template as a player does, formation by formation. Long lines go on, indented.
func chargesPrinted(t *testing.T, template *orders.Node) []printedCharge {
	t.Helper()
	var lines []string
	for _, line := range rulestest.Comments(template) {
		if rest, on := strings.CutPrefix(line, "  "); on && len(lines) > 0 {
			lines[len(lines)-1] += " " + strings.TrimSpace(rest)
		} else {
			lines = append(lines, line)
		}
	}
	var all []printedCharge
	for _, line := range lines {
		id, rest, _ := strings.Cut(line, ": ")
		if strings.Count(rest, "charge ") != len(chargePrinted.FindAllString(rest, -1)) {
			t.Errorf("a charge that can't be read: %s", line)
		}
		for _, m := range chargePrinted.FindAllStringSubmatch(rest, -1) {
			one := printedCharge{by: id, whom: m[1]}
			for span := range strings.SplitSeq(m[2], " | ") {
				low, high, several := strings.Cut(span, "..")
				if !several {
					high = low
				}
				a, errA := strconv.Atoi(low)
				b, errB := strconv.Atoi(high)
				if errA != nil || errB != nil {
					t.Errorf("headings that can't be read: %s", line)
				}
				one.headings = append(one.headings, [2]int{a, b})
			}
			all = append(all, one)
		}
	}
	return all
}

// has says whether a heading is printed.
func (c *printedCharge) has(heading int) bool {
	return slices.ContainsFunc(c.headings, func(s [2]int) bool {
		return (heading-s[0]+360)%360 <= (s[1]-s[0]+360)%360
	})
}

// Charges that templates print are taken, on units and on leaders, in the phase and out of sequence: without a heading, with the first
// and with the last of each span; with the headings beside the spans they are refused. And each charge that may be chosen is printed.
func TestTemplatesPrintTheChargesThatAreLegal(t *testing.T) {
	if rulestest.Race {
		return // nothing here runs side by side, and it takes long
	}
	tried, looks := map[string]int{}, 0
	look := func(view engine.View, d engine.Decision) {
		v, ok := view.(*View)
		if !ok || d.Kind != stopManoeuvres && d.Kind != stopInterrupt {
			return
		}
		printed := chargesPrinted(t, New().Template(view, d).Get("orders"))
		for _, c := range printed {
			_, prey := v.unitNamed(c.whom)
			tried[map[bool]string{true: d.Kind, false: d.Kind + " on a leader"}[prey]]++
			v.takesCharge(t, d, &c)
		}
		if looks++; looks%4 == 1 {
			v.printsCharges(t, d, printed)
		}
	}
	for _, g := range append(clashes(t, int(samples(2, 40))), playout.Game{Rules: New(), Start: loneLeader(t), Seed: 1}) {
		g.Choose = func(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
			look(view, d)
			return halfFair(rules, view, d, chance)
		}
		if _, err := g.Play(); err != nil {
			t.Fatal(err)
		}
	}
	rulestest.HearCases(t, "enemy-mistakes", New(), func(view engine.View, d engine.Decision, _ *orders.Document) { look(view, d) })
	t.Logf("charges printed: %v", tried)
	for _, kind := range []string{stopManoeuvres, stopManoeuvres + " on a leader", stopInterrupt} {
		if tried[kind] < 3 {
			t.Errorf("%d charges were printed: %s", tried[kind], kind)
		}
	}
}

// takesCharge reads a charge back as it is printed.
func (v *View) takesCharge(t *testing.T, d engine.Decision, c *printedCharge) {
	t.Helper()
	if !v.charges(d, c.by, c.whom, "") {
		t.Errorf("%s: %s may not charge %s as it is printed", d.Kind, c.by, c.whom)
	}
	for _, span := range c.headings {
		for i, heading := range []int{span[0], span[1], (span[0] + 359) % 360, (span[1] + 1) % 360} {
			if got, want := v.charges(d, c.by, c.whom, fmt.Sprintf(", heading: %d", heading)), i < 2 || c.has(heading); got != want {
				t.Errorf("%s: %s charges %s with the heading %d, printed %v: taken %v", d.Kind, c.by, c.whom, heading, c.headings, got)
			}
		}
	}
}

// charges says whether a file with one charge is taken.
func (v *View) charges(d engine.Decision, by, whom, heading string) bool {
	says := fmt.Sprintf("[{formation: %s, charge: %s%s}]", by, whom, heading)
	if d.Kind == stopInterrupt {
		says = fmt.Sprintf("{react: {units: [%s], charge: %s%s}}", v.actsFirst(by), whom, heading)
	}
	doc, faults := orders.Parse("orders: "+says+"\n", nil)
	if len(faults) == 0 {
		_, faults = New().Read(v, d, doc)
	}
	return len(faults) == 0
}

// actsFirst are the units of a formation that would act out of sequence, as files have them.
func (v *View) actsFirst(id string) string {
	units, _ := v.actsFor(v.formationNamed(id))
	var all []string
	for _, u := range units {
		all = append(all, v.unitText(u))
	}
	return strings.Join(all, ", ")
}

// printsCharges says which charges are taken that aren't printed, of the formations of which the template tells anything.
func (v *View) printsCharges(t *testing.T, d engine.Decision, printed []printedCharge) {
	t.Helper()
	for _, c := range New().Choices(v, d, nil) {
		if c.What != mannerWords[charging] || strings.Contains(c.Of, " ") {
			continue
		}
		for _, whom := range v.foesOf(v.formationNamed(c.Of).Units[0]) {
			if !slices.ContainsFunc(printed, func(p printedCharge) bool { return p.by == c.Of && p.whom == whom }) && v.charges(d, c.Of, whom, "") {
				t.Errorf("%s: %s may charge %s, and that isn't printed: %v", d.Kind, c.Of, whom, printed)
			}
		}
	}
}

// foesOf names the enemies of a unit, leaders among them.
func (v *View) foesOf(u unitID) []string {
	var all []string
	for _, e := range v.standing() {
		if v.enemies(u, e) {
			all = append(all, v.unitText(e))
		}
	}
	for l := leaderID(1); int(l) < len(v.Leaders); l++ {
		if v.preyOf([]army{v.def(u).army}, l) {
			all = append(all, v.lead(l).id)
		}
	}
	return all
}

// loneLeader is a position in which a leader stands alone before a formation that moves.
func loneLeader(t *testing.T) *game {
	t.Helper()
	g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"blue-14", 630_000, 300_000, 0}, piece{"red-7", 900_000, 600_000, 180})
	g.Phase, g.Order, g.Turn = manoeuvring, []army{blue, red}, 18
	g.of(named(t, g, "blue-13")).Green = true
	g.Leaders[leaderNamed(t, g, "napoleon")].At = place{X: 100_000, Y: 40_000}
	g.Leaders[leaderNamed(t, g, "wellington")].At = place{X: 900_000, Y: 500_000}
	for i, id := range []string{"orange", "hill", "uxbridge"} {
		g.Leaders[leaderNamed(t, g, id)].At = place{X: 570_000 + int64(i)*40_000, Y: 360_000}
	}
	return g
}

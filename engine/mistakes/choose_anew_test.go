package mistakes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
)

// redeployer writes redeployments by chance, most of them near to what is legal: a leader's formations, in
// which some units go a little way, turn, touch others, change places, or are restated.
type redeployer struct {
	*View
	*rand.Rand
	units []unitID // who may be named
}

// spot is where a unit is put.
func (r *redeployer) spot(u unitID) string {
	x, turn := r.Units[u], ""
	if r.IntN(3) == 0 {
		turn = fmt.Sprintf(", turn: %s %d", []string{"left", "right"}[r.IntN(2)], 30*r.IntN(7))
	}
	other := r.units[r.IntN(len(r.units))]
	switch o := r.Units[other]; r.IntN(9) {
	case 0, 1:
		return fmt.Sprintf("{back: %d%s}", 1+r.IntN(60), turn)
	case 2:
		return fmt.Sprintf("{%s: %d%s}", []string{"left", "right", "forward"}[r.IntN(3)], 1+r.IntN(60), turn)
	case 3:
		return fmt.Sprintf("{turn: %s %d}", []string{"left", "right"}[r.IntN(2)], r.IntN(181))
	case 4:
		return fmt.Sprintf("[%d, %d]", int(x.At.X/ringStep)+r.IntN(61)-30, int(x.At.Y/ringStep)-r.IntN(50))
	case 5:
		return fmt.Sprintf("[%d, %d, %d]", int(x.At.X/ringStep)+r.IntN(31), int(x.At.Y/ringStep)-r.IntN(31), r.IntN(4)*90)
	case 6:
		return fmt.Sprintf("{behind: %s}", r.unitText(other))
	case 7:
		return fmt.Sprintf("{beside: %s %s}", r.unitText(other), []string{"left", "right"}[r.IntN(2)])
	default:
		return fmt.Sprintf("[%d, %d]", int(o.At.X/ringStep), int(o.At.Y/ringStep)) // maybe they change places
	}
}

// text is a redeployment: of a whole formation, of one unit that leaves it, or of any of the units.
func (r *redeployer) text() string {
	some := slices.Clone(r.units)
	r.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	f := r.of(some[0])
	switch r.IntN(4) {
	case 0:
		turn, all := "", []string(nil)
		far := fmt.Sprintf("%s: %d", []string{"back", "left", "right"}[r.IntN(3)], 1+r.IntN(60))
		if r.IntN(3) == 0 {
			turn = fmt.Sprintf(", turn: right %d", 60*r.IntN(4))
		}
		for _, u := range f.Units {
			if r.IntN(6) == 0 {
				continue
			}
			all = append(all, fmt.Sprintf("%s: {%s%s}", r.unitText(u), far, turn))
		}
		if len(all) > 0 {
			return "{" + f.ID + ": {" + strings.Join(all, ", ") + "}}"
		}
	case 1, 2:
		return fmt.Sprintf("{%s: {%s: %s}, new: {%[1]s-%[4]d: [%[2]s]}}", f.ID, r.unitText(some[0]), r.spot(some[0]), 2+r.IntN(3))
	}
	byName, of := map[string][]string{}, []string(nil)
	for _, u := range some[:1+r.IntN(min(len(some), 3))] {
		id := r.of(u).ID
		if byName[id] = append(byName[id], r.unitText(u)+": "+r.spot(u)); len(byName[id]) == 1 {
			of = append(of, id)
		}
	}
	var all, groups []string
	for _, id := range of {
		all = append(all, id+": {"+strings.Join(byName[id], ", ")+"}")
		if r.IntN(2) == 0 {
			one := r.formationNamed(id).Units
			groups = append(groups, fmt.Sprintf("%s-%d: [%s]", id, 2+r.IntN(9), r.unitText(one[r.IntN(len(one))])))
		}
	}
	if len(groups) > 0 {
		all = append(all, "new: {"+strings.Join(groups, ", ")+"}")
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// taken writes files until so many are accepted, and finds each of those among the choices.
func (r *redeployer) taken(t *testing.T, d engine.Decision, want uint64, write func(string) string) {
	t.Helper()
	for files := 0; want > 0; files++ {
		if files == 2000 {
			t.Fatalf("of %d files too few are accepted", files)
		}
		text := write(r.text())
		a, faults := New().Read(r.View, d, document(t, text))
		if len(faults) > 0 {
			continue
		}
		want--
		if _, err := playout.TakesApart(New(), r.View, d, a); err != nil {
			t.Errorf("%s\n%v", text, err)
		}
	}
}

// redeploying is a game in which a leader of the blue army has so many markers, at the stop orders.
func redeploying(t *testing.T, leader string, markers int) (*game, engine.Decision) {
	t.Helper()
	g := at(t, ordering, nil)
	l := leaderNamed(t, g, leader)
	g.Leaders[l].Markers, g.Reserve[blue] = markers, g.Reserve[blue]-markers
	return g, engine.Decision{Side: "blue", Kind: stopOrders}
}

// Whatever a redeployment says can be chosen, place by place and unit by unit, in any order in which files
// say it: as an order, and out of sequence.
func TestRedeploymentsAreChoices(t *testing.T) {
	files := samples(1, 2)
	for _, leader := range []string{"lobau", "reille", "derlon", "drouot"}[:samples(2, 3)] {
		g, d := redeploying(t, leader, 4)
		r := &redeployer{View: g.view("blue"), Rand: rand.New(rand.NewPCG(1, 2))}
		for u := unitID(1); int(u) < len(g.Units); u++ {
			if f := g.of(u); f != nil && g.commands(leaderNamed(t, g, leader), f) {
				r.units = append(r.units, u)
			}
		}
		r.taken(t, d, files, func(text string) string { return "[{by: " + leader + ", redeploy: " + text + "}]" })
	}
	g := openField(t, 7)
	f, e := g.of(named(t, g, "blue-13")).ID, named(t, g, "red-1")
	d := answered(t, g, "blue", "[{formation: "+f+", advance: {mm: 20}}]")[0]
	r := &redeployer{View: g.view("red"), Rand: rand.New(rand.NewPCG(1, 3)), units: g.of(e).Units}
	r.taken(t, d, files, func(text string) string { return "{react: {units: [red-1], redeploy: " + text + "}}" })
}

// Two units that change places, each of which stands where the other goes, can be chosen.
func TestUnitsThatChangePlacesAreChoices(t *testing.T) {
	g, d := redeploying(t, "lobau", 3)
	a, b := named(t, g, "blue-36"), named(t, g, "blue-37")
	spot := func(u unitID) string {
		return fmt.Sprintf("[%d, %d]", int(g.Units[u].At.X/ringStep), int(g.Units[u].At.Y/ringStep))
	}
	text := "[{by: lobau, redeploy: {b-Lobau: {36: " + spot(b) + ", 37: " + spot(a) + "}}}]"
	answer, faults := New().Read(g.view("blue"), d, document(t, text))
	if len(faults) > 0 {
		t.Fatal(text, faults)
	}
	if _, err := playout.TakesApart(New(), g.view("blue"), d, answer); err != nil {
		t.Error(err)
	}
}

// Whatever is chosen of a redeployment is accepted.
func TestChosenRedeploymentsAreAccepted(t *testing.T) {
	for _, leader := range []string{"lobau", "reille", "derlon"}[:samples(1, 2)] {
		g, d := redeploying(t, leader, 4)
		view, chance := g.view("blue"), rand.New(rand.NewPCG(5, 6))
		for range samples(1, 2) {
			var made []engine.Choice
			list := slices.DeleteFunc(New().Choices(view, d, nil), func(c engine.Choice) bool { return c.What != leader+" redeploy" })
			for range 1 + chance.IntN(9) {
				if len(list) == 0 {
					break
				}
				c := list[chance.IntN(len(list))]
				if c.Measure {
					c = c.At(c.Low + chance.IntN(c.High-c.Low+1))
				}
				made = append(made, c)
				a := New().Compose(view, d, made)
				read, faults := New().Read(view, d, document(t, a.Orders().Get("orders").OneLine()))
				if len(faults) > 0 {
					t.Fatalf("%v\n%v", made, faults)
				}
				found, err := playout.TakesApart(New(), view, d, read)
				if err != nil {
					t.Fatalf("%v\n%v", made, err)
				}
				for _, c := range made {
					if !slices.ContainsFunc(found, c.Same) {
						t.Fatalf("%+v was chosen, and is not in\n%v", c, found)
					}
				}
				list = New().Choices(view, d, made)
			}
		}
	}
}

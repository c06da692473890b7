package play

import (
	"slices"
	"testing"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

func TestOthers(t *testing.T) {
	sides := []engine.Side{"red", "blue", "green"}
	if got := Others(sides, "blue"); !slices.Equal(got, []engine.Side{"red", "green"}) {
		t.Errorf("others are %v", got)
	}
	if got := Others(sides, sides...); got != nil {
		t.Errorf("nobody is %v", got)
	}
}

// Standing orders are taken only as they were given, and only from a side that plays.
func TestStandingOf(t *testing.T) {
	sides, n := []engine.Side{"red"}, orders.Text("hold")
	if got, err := StandingOf(Standing{Node: n}, "red", sides); got.Node != n || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	for _, err := range []error{second(StandingOf(Standing{Node: n}, "blue", sides)), second(StandingOf(Answer{}, "red", sides))} {
		if err == nil {
			t.Error("they were taken")
		}
	}
}

func second(_ Standing, err error) error { return err }

// The standing orders in force stand above the orders of a template. The keys that a
// caller took from the template before stay unchanged.
func TestRemarkStanding(t *testing.T) {
	n := orders.Mapping().Set("orders", orders.Text("default"))
	key := n.Pairs[0].Key
	RemarkStanding(n, nil)
	RemarkStanding(n, []string{"a: b", "c: d"})
	if got, want := n.Encode(), "## standing:\n##   a: b\n##   c: d\norders: default\n"; got != want || key.Above != "" {
		t.Errorf("the template is\n%s", got)
	}
}

// A breach has its clause, its place, and a remedy.
func TestBreaches(t *testing.T) {
	var b Breaches
	b.Say("X-1.1", "x.gone").At("units", "A").Write("units: {A: ~}")
	b.Say("X-1.2", "x.odd", phrase.Number("n", 2))
	all := b.Problems()
	if len(all) != 2 || all[0].Clause != "X-1.1" || all[0].Remedy.IsZero() || !all[1].Remedy.IsZero() || all[1].Why.Code != "x.odd" || !slices.Equal(b.All[0].Keys, []string{"units", "A"}) {
		t.Errorf("have %+v", all)
	}
}

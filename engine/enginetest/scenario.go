package enginetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A scenario says who plays, with which units.
type scenario struct {
	name   string `pos:"scenario,required,name"`
	sides  []team `pos:"sides,required,key=side"`
	source []byte `pos:"-"` // the file
}

// A team is a side with the strengths of its units.
type team struct {
	side  engine.Side `pos:"side,name"`
	units []int       `pos:"units,min=1,max=9"`
}

// Name implements [play.Scenario].
func (s *scenario) Name() string { return s.name }

// library holds the scenarios.
var library = &play.Library[*scenario]{
	Files: files,
	Built: []string{"scenarios/two.yaml", "scenarios/three.yaml"},
	Read:  readScenario,
}

// readScenario reads a scenario file, with all its faults at once.
func readScenario(data []byte) (*scenario, orders.Problems) {
	s := &scenario{source: data}
	return s, play.ReadScenario(data, func(l play.Loader, root *orders.Node) {
		play.NewScenarioCodec().Read(l.Reader, root, s)
	})
}

// SettlePos implements [play.PosSettler]: a game needs two sides.
func (s *scenario) SettlePos(x *play.Scribe, at orders.Fields) {
	if len(s.sides) < 2 {
		x.Refuse(at.Get("sides"), "LOT-1.1", phrase.Say("lots.two-sides"))
	}
}

// SettlePos implements [play.PosSettler]: a side has some units, and no more than can be named.
func (t *team) SettlePos(x *play.Scribe, at orders.Fields) {
	if len(t.units) == 0 || len(t.units) > mostUnits {
		x.Refuse(at.Get("units"), "LOT-1.1", phrase.Say("lots.so-many-units", phrase.Number("most", mostUnits)))
	}
}

// Bounds of what a side has, so that units are named.
const mostUnits, mostStrength = 9, 9

// options are the choices made when the game was set up.
type options struct{ rounds, coins play.Setting }

var (
	roundNumbers = []string{"3", "1", "2", "5", "20"}
	coinNumbers  = []string{"0", "3", "5"}
)

// menu is what a set-up may choose.
var menu = play.Menu[options]{Options: play.Options[options]{
	{Name: "rounds", Clause: "LOT-4.1", Values: roundNumbers, Field: func(o *options) *play.Setting { return &o.rounds }},
	{Name: "coins", Clause: "LOT-1.2", Values: coinNumbers, Field: func(o *options) *play.Setting { return &o.coins }},
}}

// deal begins a game.
func (s *scenario) deal(o options) *Game {
	g := &Game{Round: 1}
	g.Rounds, _ = strconv.Atoi(roundNumbers[o.rounds])
	for _, t := range s.sides {
		p := Player{Side: t.side}
		p.Coins, _ = strconv.Atoi(coinNumbers[o.coins])
		for i, strength := range t.units {
			p.Units = append(p.Units, Unit{ID: unitOf(t.side, i+1), Strength: strength})
		}
		g.Players = append(g.Players, p)
	}
	return g
}

// Option implements [engine.Optional]: the number of rounds can be changed.
func (Lots) Option(name, value string) (*orders.Node, error) {
	if name != "rounds" || !slices.Contains(roundNumbers, value) {
		return nil, fmt.Errorf("change option %s of lots to %s: there is no such value", name, value)
	}
	return orders.Mapping().Set("rounds", orders.Text(value)), nil
}

// unitOf names the units of a side: R-1 is the first of red.
func unitOf(side engine.Side, n int) string {
	first := []rune(string(side) + "?")[0]
	return strings.ToUpper(string(first)) + "-" + strconv.Itoa(n)
}

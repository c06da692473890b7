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
	name   string
	sides  []Player
	source []byte // the file
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
		f := l.Fields(root, "scenario", "sides")
		s.name = l.Name(l.Require(f, "scenario"))
		sides := l.Require(f, "sides")
		for _, pair := range play.Entries(l.Reader, sides) {
			p := Player{Side: engine.Side(l.Name(pair.Key))}
			for i, item := range l.List(pair.Value) {
				strength, _ := l.Int(item, 1, mostStrength)
				p.Units = append(p.Units, Unit{ID: unitOf(p.Side, i+1), Strength: strength})
			}
			if len(p.Units) == 0 || len(p.Units) > mostUnits {
				l.Refuse(pair.Value, "LOT-1.1", phrase.Say("lots.so-many-units", phrase.Number("most", mostUnits)))
			}
			s.sides = append(s.sides, p)
		}
		if sides != nil && len(s.sides) < 2 {
			l.Refuse(sides, "LOT-1.1", phrase.Say("lots.two-sides"))
		}
	})
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
	g := &Game{Round: 1, Players: play.Clone(s.sides)}
	g.Rounds, _ = strconv.Atoi(roundNumbers[o.rounds])
	for i := range g.Players {
		g.Players[i].Coins, _ = strconv.Atoi(coinNumbers[o.coins])
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

package play

import (
	"errors"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/orders"
)

// Others lists all sides but some, in their order; nil if none is left.
func Others(sides []engine.Side, but ...engine.Side) []engine.Side {
	var rest []engine.Side
	for _, side := range sides {
		if !slices.Contains(but, side) {
			rest = append(rest, side)
		}
	}
	return rest
}

var errNotStanding = errors.New("instruct: not standing orders of a side")

// StandingOf gives the standing orders that [Desk.ReadStanding] made for one of the
// sides, for [engine.Instructed]. The error says that the answer holds no such orders.
func StandingOf(a engine.Answer, side engine.Side, sides []engine.Side) (*orders.Node, error) {
	s, ok := a.(Standing)
	if !ok || !slices.Contains(sides, side) {
		return nil, errNotStanding
	}
	return s.Node, nil
}

// RemarkStanding writes the standing orders in force as comments above the orders of a
// template, each on a line of its own; nothing if there are none.
func RemarkStanding(n *orders.Node, lines []string) {
	if len(lines) == 0 || len(n.Pairs) == 0 {
		return
	}
	key := *n.Pairs[0].Key
	key.Above = "standing:\n  " + strings.Join(lines, "\n  ")
	n.Pairs[0].Key = &key
}

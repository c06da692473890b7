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

// StandingOf gives what [Stops.ReadStanding] made for one of the sides, for
// [engine.Instructed]. The error says that it is nothing of the kind.
func StandingOf(a engine.Answer, side engine.Side, sides []engine.Side) (Standing, error) {
	s, ok := a.(Standing)
	if !ok || !slices.Contains(sides, side) {
		return Standing{}, errNotStanding
	}
	return s, nil
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

package shape

import "berthier/orders"

// A Sheet is how the order files of a ruleset are written.
type Sheet struct {
	Vocabulary *orders.Words
	Stops      map[string]Shape // of the answers to each kind of stop
	Standing   Shape            // of standing orders; nil if there are none
}

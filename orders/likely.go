package orders

import (
	"regexp"
	"strings"

	"berthier/orders/phrase"
)

// Letters without an order file in which somebody writes orders all the same.

// named finds an id such as F-02, F-11C/III or A-3/I, as orders name units; a key of a game is
// none.
var named = regexp.MustCompile(`(^|[^\pL\d-])\pL{1,3}-?\d{1,3}([^\pL\d-]|\pL{0,3}/|$)`)

// longestOrder is how many bytes a line has at most that is taken for an order.
const longestOrder = 160

// headKeys are the keys without which a file is for nothing.
var headKeys = []string{"game", "side", "stop", "key", "orders"}

// likely counts the sender's own lines that look like orders: items of a list that hold a key
// or an id, and short lines that name a unit or a way between two places.
func likely(parts []partText) int {
	for _, kind := range []PartKind{Plain, HTML} {
		n, written := 0, false
		for i := range parts {
			part := &parts[i]
			if part.Kind != kind {
				continue
			}
			for _, line := range part.own() {
				written = true
				if isLikely(line) {
					n++
				}
			}
		}
		if written { // what is in HTML says the same
			return n
		}
	}
	return 0
}

// isLikely tells whether a line looks like an order.
func isLikely(line string) bool {
	if len(line) > longestOrder || strings.HasSuffix(line, "?") {
		return false
	}
	dash := isDash(line, 0, len(line))
	if dash {
		line = strings.TrimSpace(line[1:])
	}
	key, value, colon := strings.Cut(line, ": ")
	switch {
	case named.MatchString(line):
		return dash || colon || len(strings.Fields(line)) <= 8
	case dash:
		return colon && strings.TrimSpace(value) != "" && strings.Count(key, " ") < 6
	}
	return colon && strings.Contains(key, " - ")
}

// lacking says that lines look like orders, and what is missing above them.
func lacking(n int) Problem {
	return Problem{Why: phrase.Say("order.no-file-lines", phrase.Number("n", n), phrase.Keywords("keys", headKeys)), Remedy: phrase.Say("order.put-into-file")}
}

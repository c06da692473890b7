package engine

import (
	"bytes"
	"math/rand/v2"
	"slices"
)

// A Follower is a [Ruleset] with stops that are one question asked in two parts: a side
// answers the first, and is asked the second with nothing in between. Its letters ask both
// at once; see [Follow].
type Follower interface {
	Sampler
	// Follows lists the stops that may follow a stop of a side at once, by what the rules let
	// come between: no die, no decision of another side, and nothing that was hidden from the
	// side and is shown to it. A decision without a place stands for all places. It hangs on
	// what all sides know.
	Follows(Decision) []Decision
	// Idle tells whether the default of a kind of stop does nothing where a side mostly does
	// something, such as to move nobody. It never stands ready in the file of another stop.
	Idle(kind string) bool
}

// A Joined is the second of two questions that are asked at once: what a side owes next, and
// what it will see then.
type Joined struct {
	Decision Decision
	View     View
}

// followed is in how many worlds the second question must come about in the same way.
const followed = 2

// Follow tells what a side is asked next if it gives an answer and nothing comes in between.
// It is worked out from the view alone, in worlds that are made up from it: no die may be
// rolled there, and the side must see the same and owe the same in each. So it tells the side
// nothing, and what the side does not know does not change it.
func Follow(rules Ruleset, view View, d Decision, a Answer) (Joined, bool) {
	follower, ok := rules.(Follower)
	if !ok {
		return Joined{}, false
	}
	may := follower.Follows(d)
	if len(may) == 0 {
		return Joined{}, false
	}
	var found Joined
	var seen []byte
	for i := range uint64(followed) {
		next, text, ok := follow(follower, view, d, a, i)
		if !ok || i > 0 && (next.Decision != found.Decision || !bytes.Equal(text, seen)) {
			return Joined{}, false
		}
		if i == 0 {
			found, seen = next, text
		}
	}
	return found, slices.ContainsFunc(may, func(m Decision) bool {
		return m.Kind == found.Decision.Kind && (m.At == "" || m.At == found.Decision.At)
	})
}

// follow finds what a side owes next in one made-up world. A ruleset that fails in such a
// world joins nothing there; if it fails in earnest, that shows when its turn comes.
func follow(rules Follower, view View, d Decision, a Answer, world uint64) (next Joined, seen []byte, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	p, err := rules.Sample(view, d, rand.New(rand.NewPCG(world, 11)))
	if err != nil {
		return Joined{}, nil, false
	}
	if owed := p.Owed(); len(owed) != 1 || owed[0] != d {
		return Joined{}, nil, false
	}
	if _, err := p.Advance(map[Side]Answer{d.Side: a}, noDice{}); err != nil {
		return Joined{}, nil, false
	}
	for _, owed := range p.Owed() {
		if owed.Side == d.Side {
			next = Joined{owed, p.View(d.Side)}
		}
	}
	if next.View == nil {
		return Joined{}, nil, false
	}
	seen, err = next.View.Marshal()
	return next, seen, err == nil
}

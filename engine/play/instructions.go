package play

import (
	"slices"

	"berthier/engine"
	"berthier/orders"
)

// An Instruction is one key of standing orders, seen as something that answers stops.
// What it says is judged by the form of the stop, as an order file is.
type Instruction[V engine.View] struct {
	Key   string   // as files write it
	Stops []string // kinds of decisions that it may answer
	// Answer makes the answer of the standing orders in force, as far as they say
	// exactly what is to be done.
	Answer func(V, engine.Decision) (Reply, bool)
}

// Answers implements [engine.Instructor]: the answer of the first instruction that has
// one. An answer that the rules refuse at this stop does not count.
func (k Desk[V, P]) Answers(view engine.View, d engine.Decision) (engine.Answer, bool) {
	v := view.(V)
	for i := range k.Instructed {
		one := &k.Instructed[i]
		if !slices.Contains(one.Stops, d.Kind) {
			continue
		}
		reply, ok := one.Answer(v, d)
		if !ok || reply == nil {
			continue
		}
		r := orders.NewReader(k.Vocabulary)
		if again := k.Stops[d.Kind].Read(v, d, r, reply.Node()); again != nil && len(r.Problems) == 0 {
			return Answer{To: d, Reply: again}, true
		}
	}
	return nil, false
}

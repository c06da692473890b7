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
	// exactly what is to be done. It is nil for one that another asks for what it needs
	// besides, and for one that comes before the stop, such as a battle plan.
	Answer func(V, engine.Decision) (Reply, bool)
}

// Answers implements [engine.Instructor]: the answer of the first instruction that has
// one, else that of the policy of the stop.
func (k Stops[V, P]) Answers(view engine.View, d engine.Decision) (engine.Answer, bool) {
	v := view.(V)
	if reply, ok := k.instructed(v, d); ok {
		return Answer{To: d, Reply: reply}, true
	}
	if reply, _, ok := k.BySaid(v, d); ok {
		return Answer{To: d, Reply: reply}, true
	}
	return nil, false
}

// instructed is the answer of the first instruction that has one. One that the rules
// refuse at this stop is none.
func (k Stops[V, P]) instructed(v V, d engine.Decision) (Reply, bool) {
	for i := range k.Instructed {
		one := &k.Instructed[i]
		if one.Answer == nil || !slices.Contains(one.Stops, d.Kind) {
			continue
		}
		reply, ok := one.Answer(v, d)
		if !ok || reply == nil {
			continue
		}
		r := orders.NewReader(k.Vocabulary)
		if again := k.Stops[d.Kind].Read(v, d, r, reply.Node()); again != nil && len(r.Problems) == 0 {
			return again, true
		}
	}
	return nil, false
}

// answered are the keys of the instructions by the kinds of stops that they may answer.
func (k Stops[V, P]) answered() map[string][]string {
	all := map[string][]string{}
	for i := range k.Instructed {
		for _, stop := range k.Instructed[i].Stops {
			all[stop] = append(all[stop], k.Instructed[i].Key)
		}
	}
	return all
}

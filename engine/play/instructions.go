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
	// exactly what is to be done; [Prefer] gives one. Answer is nil where the key only helps
	// another instruction, and where it acts before a stop opens, as a battle plan does.
	Answer func(V, engine.Decision) (Reply, bool)
}

// Prefer is an instruction that fills the form of the stops that it answers: part by part,
// in the order in which the side prefers them, and each by [Draft.Try]. Say tells whether
// the standing orders in force speak of the stop and settle it. What was said then is the
// answer, if nothing lacks.
func Prefer[V engine.View, P, W any](key string, form *Form[V, P, W], say func(*Draft[V, W]) bool, stops ...string) Instruction[V] {
	return Instruction[V]{Key: key, Stops: stops, Answer: func(v V, d engine.Decision) (Reply, bool) {
		x := form.Blank(v, d)
		if x.idle || !say(x) || form.lacks(x) {
			return nil, false
		}
		return x.done(), true
	}}
}

// Ordered gives the answer of the first instruction that has one, just as it was filled in,
// and the key of that instruction.
func (k Stops[V, P]) Ordered(v V, d engine.Decision) (reply Reply, key string, ok bool) {
	for i := range k.Instructed {
		one := &k.Instructed[i]
		if one.Answer == nil || !slices.Contains(one.Stops, d.Kind) {
			continue
		}
		if reply, ok = one.Answer(v, d); ok && reply != nil {
			return reply, one.Key, true
		}
	}
	return nil, "", false
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

// instructed is the answer of the first instruction that has one, as it is read back from a
// file. One that the rules refuse at this stop is none.
func (k Stops[V, P]) instructed(v V, d engine.Decision) (Reply, bool) {
	reply, _, ok := k.Ordered(v, d)
	if !ok {
		return nil, false
	}
	r := orders.NewReader(k.Vocabulary)
	again := k.Stops[d.Kind].Read(v, d, r, reply.Node())
	return again, again != nil && len(r.Problems) == 0
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

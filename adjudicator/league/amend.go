package league

import (
	"maps"
	"slices"

	"berthier/orders"
)

// AtOnce are the keys of a set-up that change no result of a season that is being played, so that they count at once.
var AtOnce = []string{"title", "secretaries", "language", "deadlines", "umpires"}

// With gives a set-up in which some keys are as in another one: all that it has, or those that are named, which are
// left out if the other one leaves them out. A key without a value is left out.
func With(base, other *orders.Node, named ...string) *orders.Node {
	out := base.Clone()
	put := func(key string, pair *orders.Pair) {
		i := slices.IndexFunc(out.Pairs, func(p orders.Pair) bool { return is(p, key) })
		switch {
		case pair == nil || pair.Value.Null:
			out.Pairs = slices.DeleteFunc(out.Pairs, func(p orders.Pair) bool { return is(p, key) })
		case i >= 0:
			out.Pairs[i] = orders.Pair{Key: pair.Key.Clone(), Value: pair.Value.Clone()}
		default:
			out.Pairs = append(out.Pairs, orders.Pair{Key: pair.Key.Clone(), Value: pair.Value.Clone()})
		}
	}
	for _, key := range named {
		put(key, pairOf(other, key))
	}
	for i := range other.Pairs {
		if len(named) > 0 {
			break
		}
		if key, ok := Vocabulary.Key(other.Pairs[i].Key.Text, keys); ok {
			put(key, &other.Pairs[i])
		} else { // it is read, and told as a fault
			out.Pairs = append(out.Pairs, other.Pairs[i])
		}
	}
	return out
}

func is(p orders.Pair, key string) bool {
	known, ok := Vocabulary.Key(p.Key.Text, keys)
	return ok && known == key
}

func pairOf(n *orders.Node, key string) *orders.Pair {
	for i := range n.Pairs {
		if is(n.Pairs[i], key) {
			return &n.Pairs[i]
		}
	}
	return nil
}

// Value writes on one line what a set-up says under a key; "" if it leaves it out.
func Value(n *orders.Node, key string) string {
	p := pairOf(n, key)
	if p == nil {
		return ""
	}
	return Line(p.Value)
}

// Line writes a part of a set-up on one line, without comments.
func Line(n *orders.Node) string {
	v := n.Clone()
	v.Walk(func(x *orders.Node) {
		x.Above, x.Comment, x.Below, x.Spare, x.Line, x.Column = "", "", "", nil, 0, 0
		x.Flow, x.Long = x.Kind != orders.Scalar, x.Kind != orders.Scalar
	})
	text := orders.Mapping().Set("v", v).Encode()
	return text[len("v: ") : len(text)-1]
}

// Differ gives the keys under which two set-ups say something else, in the order of set-ups. The files of set-ups
// that their divisions name belong to the divisions.
func Differ(a, b *orders.Node, filesOfA, filesOfB map[string]string) (all []string) {
	for _, key := range keys {
		if Value(a, key) != Value(b, key) || key == "divisions" && !maps.Equal(filesOfA, filesOfB) {
			all = append(all, key)
		}
	}
	return all
}

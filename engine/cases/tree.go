package cases

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"berthier/orders"
)

// merge lays a tree over another: maps are merged key by key, everything else
// is replaced, and a key without a value (~) is taken out. Neither tree is changed.
// What is merged of both has the place in the upper tree.
func merge(base, over *orders.Node) *orders.Node {
	if base == nil || base.Kind != orders.Map || over.Kind != orders.Map {
		return over
	}
	all := *base
	all.Pairs = nil
	all.Flow = false
	all.Line, all.Column = over.Line, over.Column
	for _, pair := range base.Pairs {
		i := slices.IndexFunc(over.Pairs, func(o orders.Pair) bool { return o.Key.Text == pair.Key.Text })
		if i < 0 {
			all.Pairs = append(all.Pairs, pair)
		} else if changed := over.Pairs[i]; !null(changed.Value) {
			all.Pairs = append(all.Pairs, orders.Pair{Key: changed.Key, Value: merge(pair.Value, changed.Value)})
		}
	}
	for _, pair := range over.Pairs {
		if base.Get(pair.Key.Text) == nil && !null(pair.Value) {
			all.Pairs = append(all.Pairs, pair)
		}
	}
	return &all
}

func null(n *orders.Node) bool {
	return n.Null || n.Kind == orders.Scalar && n.Text == ""
}

// nothing tells whether a value says no more than its absence would.
func nothing(n *orders.Node) bool {
	switch {
	case n == nil:
		return true
	case n.Kind == orders.Scalar:
		return null(n) || n.Text == "0" || n.Text == "false" || n.Text == "none"
	case n.Kind == orders.List:
		return len(n.Items) == 0
	}
	for _, pair := range n.Pairs {
		if !nothing(pair.Value) {
			return false
		}
	}
	return true
}

// containing gives what a list must contain, from {contains: ...}; nil if the list is not
// asked for in this way.
func containing(want *orders.Node) []*orders.Node {
	if want.Kind != orders.Map || len(want.Pairs) != 1 || want.Pairs[0].Key.Text != "contains" {
		return nil
	}
	if what := want.Pairs[0].Value; what.Kind != orders.List {
		return []*orders.Node{what}
	}
	return want.Pairs[0].Value.Items
}

// without lists those of some wanted things for which none is left among n others: each
// wanted thing needs one of its own, in any order.
func without(wanted, n int, meets func(want, have int) bool) []int {
	taken := make([]int, n) // by which of the wanted things, from 1
	var find func(want int, tried []bool) bool
	find = func(want int, tried []bool) bool {
		for have := range n {
			if tried[have] || !meets(want, have) {
				continue
			}
			tried[have] = true
			if taken[have] == 0 || find(taken[have]-1, tried) {
				taken[have] = want + 1
				return true
			}
		}
		return false
	}
	var missing []int
	for want := range wanted {
		if !find(want, make([]bool, n)) {
			missing = append(missing, want)
		}
	}
	return missing
}

// lacking says which wanted items a list does not contain.
func lacking(where string, items []*orders.Node, have *orders.Node) []string {
	var diffs []string
	for _, i := range without(len(items), len(have.Items), func(w, h int) bool { return len(differences("", items[w], have.Items[h])) == 0 }) {
		diffs = append(diffs, fmt.Sprintf("%s: want it to contain %s, have %s", where, short(items[i]), short(have)))
	}
	return diffs
}

// differences says where a tree is not what was wanted. In a map only the wanted keys
// count; a list must match completely, or contain what {contains: ...} names. If nothing
// is wanted (0, false, none, an empty list), a key that is not there will do, too.
func differences(path string, want, have *orders.Node) []string {
	at := func(key string) string {
		if path == "" {
			return key
		}
		return path + "." + key
	}
	where := path
	if where == "" {
		where = "the whole"
	}
	switch {
	case have != nil && have.Kind == orders.List && containing(want) != nil:
		return lacking(where, containing(want), have)
	case nothing(want) && nothing(have):
		return nil
	case have == nil:
		return []string{fmt.Sprintf("%s: want %s, there is none", where, short(want))}
	case want.Kind == orders.Map && have.Kind == orders.Map:
		var diffs []string
		for _, pair := range want.Pairs {
			diffs = append(diffs, differences(at(pair.Key.Text), pair.Value, loosely(have, pair.Key.Text))...)
		}
		return diffs
	case want.Kind == orders.List && have.Kind == orders.List:
		if len(want.Items) != len(have.Items) {
			return []string{fmt.Sprintf("%s: want %s, have %s", where, short(want), short(have))}
		}
		var diffs []string
		for i := range want.Items {
			diffs = append(diffs, differences(at(strconv.Itoa(i+1)), want.Items[i], have.Items[i])...)
		}
		return diffs
	case want.Kind == orders.Scalar && have.Kind == orders.Scalar && same(want.Text, have.Text):
		return nil
	}
	return []string{fmt.Sprintf("%s: want %s, have %s", where, short(want), short(have))}
}

// loosely finds a key as written, or else without regard to case and accents.
func loosely(n *orders.Node, key string) *orders.Node {
	if v := n.Get(key); v != nil {
		return v
	}
	folded := orders.Fold(key)
	for _, pair := range n.Pairs {
		if orders.Folds(pair.Key.Text, folded) {
			return pair.Value
		}
	}
	return nil
}

// same compares scalars: numbers as written, names without regard to case,
// accents and punctuation.
func same(a, b string) bool {
	if a == b {
		return true
	}
	_, notA := strconv.Atoi(a)
	_, notB := strconv.Atoi(b)
	return notA != nil && notB != nil && orders.Fold(a) == orders.Fold(b)
}

// short writes a tree on one line.
func short(n *orders.Node) string {
	if n == nil {
		return "nothing"
	}
	var b strings.Builder
	write(&b, n)
	const most = 200
	if b.Len() > most {
		return strings.ToValidUTF8(b.String()[:most], "") + "…"
	}
	return b.String()
}

func write(b *strings.Builder, n *orders.Node) {
	switch n.Kind {
	case orders.Map:
		b.WriteByte('{')
		for i, pair := range n.Pairs {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(pair.Key.Text)
			b.WriteString(": ")
			write(b, pair.Value)
		}
		b.WriteByte('}')
	case orders.List:
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			write(b, item)
		}
		b.WriteByte(']')
	default:
		if n.Text == "" {
			b.WriteString(`""`)
			return
		}
		b.WriteString(n.Text)
	}
}

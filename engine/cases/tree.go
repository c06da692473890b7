package cases

import (
	"fmt"
	"strconv"
	"strings"

	"berthier/orders"
)

// merge lays a tree over another: maps are merged key by key, everything else
// is replaced, and a key without a value (~) is taken out. Neither is changed.
func merge(base, over *orders.Node) *orders.Node {
	if base == nil || base.Kind != orders.Map || over.Kind != orders.Map {
		return over
	}
	all := *base
	all.Pairs = nil
	all.Flow = false
	for _, pair := range base.Pairs {
		if changed := over.Get(pair.Key.Text); changed == nil {
			all.Pairs = append(all.Pairs, pair)
		} else if !null(changed) {
			all.Pairs = append(all.Pairs, orders.Pair{Key: pair.Key, Value: merge(pair.Value, changed)})
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

// differences says where a tree is not what was wanted of it. Of a map only the
// wanted keys count; a list must be whole. What says nothing (0, false, none, an
// empty list) is also met by a key that is not there.
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
		if orders.Fold(pair.Key.Text) == folded {
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

package orders

import (
	"strconv"
	"strings"
)

// Merge gives the base with an overlay on top: maps are merged key by key, down
// to any depth; scalars and lists of the overlay replace those of the base; a
// null in the overlay takes the key away. A key of the overlay that the base writes with
// underscores in place of hyphens, or the other way round, is that of the base. Neither
// tree is changed, and nothing is shared with them.
func Merge(base, overlay *Node) *Node {
	switch {
	case overlay == nil:
		return base.Clone()
	case base == nil || base.Kind != Map || overlay.Kind != Map:
		return overlay.Clone()
	}
	out := base.Clone()
	at := make(map[string]int, len(out.Pairs))
	for i, p := range out.Pairs {
		at[p.Key.Text] = i
	}
	for _, p := range overlay.Pairs {
		i, ok := at[p.Key.Text]
		if !ok {
			i, ok = at[strings.ReplaceAll(p.Key.Text, "-", "_")]
		}
		if !ok {
			i, ok = at[strings.ReplaceAll(p.Key.Text, "_", "-")]
		}
		switch {
		case !ok && p.Value.Null:
		case !ok:
			at[p.Key.Text] = len(out.Pairs)
			out.Pairs = append(out.Pairs, Pair{p.Key.Clone(), Merge(nil, p.Value)})
		case p.Value.Null:
			out.Pairs[i].Value = p.Value.Clone() // taken out below: places must not shift
		default:
			out.Pairs[i].Value = Merge(out.Pairs[i].Value, p.Value)
		}
	}
	kept := out.Pairs[:0]
	for _, p := range out.Pairs {
		if !p.Value.Null || base.Get(p.Key.Text) != nil && base.Get(p.Key.Text).Null {
			kept = append(kept, p)
		}
	}
	out.Pairs = kept
	return out
}

// A Change is a place in which two trees differ.
type Change struct {
	Path string // "units.F-03.at", items of lists counted from 1: "orders[2].move"
	Old  *Node  // nil if it is new
	New  *Node  // nil if it is gone
}

// Diff tells what changed from an old tree to a new one, in the order of the
// new. Items of lists are matched by what they say, so that one added or taken
// out does not change all that follow; paths count the items of the new list,
// for what is gone those of the old.
func Diff(old, new *Node) []Change {
	return diff(nil, "", old, new)
}

func diff(out []Change, path string, old, new *Node) []Change {
	switch {
	case Equal(old, new):
		return out
	case old == nil || new == nil || old.Kind != new.Kind || old.Kind == Scalar || old.Kind == Broken:
		return append(out, Change{path, old, new})
	case new.Kind == Map:
		for _, p := range new.Pairs {
			out = diff(out, join(path, p.Key.Text), old.Get(p.Key.Text), p.Value)
		}
		for _, p := range old.Pairs {
			if new.Get(p.Key.Text) == nil {
				out = append(out, Change{join(path, p.Key.Text), p.Value, nil})
			}
		}
		return out
	}
	// between items that stayed, changed ones are paired in their order
	i, j := 0, 0
	gap := func(iEnd, jEnd int) {
		for i < iEnd && j < jEnd {
			out = diff(out, index(path, j), old.Items[i], new.Items[j])
			i, j = i+1, j+1
		}
		for ; j < jEnd; j++ {
			out = append(out, Change{index(path, j), nil, new.Items[j]})
		}
		for ; i < iEnd; i++ {
			out = append(out, Change{index(path, i), old.Items[i], nil})
		}
	}
	for _, m := range matches(old.Items, new.Items) {
		gap(m[0], m[1])
		i, j = m[0]+1, m[1]+1
	}
	gap(len(old.Items), len(new.Items))
	return out
}

// matches finds the longest run of items, not necessarily neighbours, that both
// lists have in the same order.
func matches(a, b []*Node) [][2]int {
	var out [][2]int
	start := 0
	for start < len(a) && start < len(b) && Equal(a[start], b[start]) {
		out = append(out, [2]int{start, start})
		start++
	}
	n, m := len(a)-start, len(b)-start
	if n == 0 || m == 0 || n*m > 1<<18 { // so long that pairing them in order must do
		return out
	}
	length := make([][]int, n+1)
	for i := range length {
		length[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if Equal(a[start+i], b[start+j]) {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case Equal(a[start+i], b[start+j]):
			out = append(out, [2]int{start + i, start + j})
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func index(path string, i int) string { return path + "[" + strconv.Itoa(i+1) + "]" }

package rulestest

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/orders"
)

// stranger is a key that no position has.
const stranger = "no-such-key"

// PositionForm checks that the form of a ruleset's positions names every key that
// [engine.Ruleset.Load] accepts, at its place, and no other; what may stand at
// several places is named in full at one of them. Parts that are read by other means, such
// as standing orders, stand under the keys in apart; the ruleset's own tests must look at
// them. Some parts of a position are only read with certain options: these parts are
// looked for with each of the given options in turn.
func PositionForm(t *testing.T, rules engine.Ruleset, form string, apart []string, options ...*orders.Node) {
	t.Helper()
	root, faults := orders.ParseNode([]byte(form))
	if len(faults) > 0 {
		t.Fatalf("the form can't be read: %v", faults)
	}
	for _, line := range strings.Split(form, "\n") {
		if strings.TrimSpace(line) != "" && len([]rune(line)) > 110 {
			t.Errorf("too long a line for a screen: %s", line)
		}
	}
	looked := 0
	named, at := map[string]map[string]bool{}, map[string]string{} // by the keys that may stand at one place
	eachMap(root, "", func(path string, n *orders.Node) {
		if slices.ContainsFunc(apart, func(key string) bool { return path == key || strings.HasPrefix(path, key+".") }) {
			return
		}
		looked++
		n.Pairs = append(n.Pairs, orders.Pair{Key: orders.Text(stranger), Value: orders.Text("1")})
		known, things := false, false
		var allowed []string
		for _, o := range options {
			keys, found, other := keysAt(rules, root, o, "")
			if !found { // some parts are read only if all others are sound
				keys, found, other = keysAt(rules, root, o, strings.Split(path, ".")[0])
			}
			known, things = known || found, things || other
			for _, key := range keys {
				if !slices.Contains(allowed, key) {
					allowed = append(allowed, key)
				}
			}
		}
		n.Pairs = n.Pairs[:len(n.Pairs)-1]
		switch {
		case things: // a map by the ids of things
		case !known:
			t.Errorf("%s: a key that is none is not refused", path)
		default:
			kind := strings.Join(allowed, " ")
			if named[kind] == nil {
				named[kind], at[kind] = map[string]bool{}, path
			}
			for _, pair := range n.Pairs {
				if named[kind][pair.Key.Text] = true; !slices.Contains(allowed, pair.Key.Text) {
					t.Errorf("%s: the form names %s, which is no key", path, pair.Key.Text)
				}
			}
		}
	})
	for kind, keys := range named {
		for _, key := range strings.Fields(kind) {
			if !keys[key] {
				t.Errorf("%s: the form does not name %s", at[kind], key)
			}
		}
	}
	if looked < 5 {
		t.Errorf("only %d maps were looked at", looked)
	}
}

// heads are the keys with which every position begins.
var heads = []string{"ruleset", "scenario", "options", "turn", "phase"}

// keysAt gives the keys that may stand where the stranger stands; other tells that the
// stranger was refused as the name of a thing. If a part is given, nothing else is read.
func keysAt(rules engine.Ruleset, root, options *orders.Node, part string) (keys []string, found, other bool) {
	whole := *root
	whole.Pairs = nil
	for _, pair := range root.Pairs {
		if pair.Key.Text == "options" && options != nil {
			pair.Value = options
		}
		if pair.Key.Text != "file" && (part == "" || pair.Key.Text == part || slices.Contains(heads, pair.Key.Text)) {
			whole.Pairs = append(whole.Pairs, pair)
		}
	}
	_, err := rules.Load([]byte(whole.Encode()))
	var faults orders.Problems
	if !errors.As(err, &faults) {
		return nil, false, false
	}
	for _, fault := range faults {
		mine := false
		var list []string
		for _, a := range fault.Why.Args {
			mine = mine || a.Value.Text == stranger
			if a.Name == "keys" {
				for _, v := range a.Value.List {
					list = append(list, v.Text)
				}
			}
		}
		switch {
		case !mine:
		case fault.Why.Code == "order.unknown-key":
			return list, true, false
		default:
			return nil, true, true
		}
	}
	return nil, false, false
}

// eachMap visits the maps of a tree, each with the keys by which it is found.
func eachMap(n *orders.Node, path string, do func(path string, n *orders.Node)) {
	if n.Kind == orders.Map {
		do(path, n)
	}
	for _, pair := range n.Pairs {
		eachMap(pair.Value, strings.TrimPrefix(path+"."+pair.Key.Text, "."), do)
	}
	for _, item := range n.Items {
		eachMap(item, path, do)
	}
}

// PartsOfForm checks that parts of the form, as they stand there, are accepted in a
// position that is otherwise sound.
func PartsOfForm(t *testing.T, rules engine.Ruleset, form, position string, parts ...string) {
	t.Helper()
	root, faults := orders.ParseNode([]byte(form))
	whole, more := orders.ParseNode([]byte(position))
	if len(faults)+len(more) > 0 {
		t.Fatal(faults, more)
	}
	for _, part := range parts {
		one := whole.Clone()
		one.Pairs = slices.DeleteFunc(one.Pairs, func(p orders.Pair) bool { return p.Key.Text == part })
		if _, err := rules.Load([]byte(one.Set(part, root.Get(part)).Encode())); root.Get(part) == nil || err != nil {
			t.Errorf("%s as the form has it: %v", part, err)
		}
	}
}

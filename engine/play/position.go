package play

import (
	"slices"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The keys that the YAML of every position has: its ruleset, scenario and options, the
// decisions that are owed, and what is kept for each side. The rest is the ruleset's
// own; it is written and read by a [Codec].

// ReadFile reads a file of a ruleset, such as a position, strictly: every fault
// comes with its line and column, in the order of the file. Empty is the code of the
// fault of a file that holds no map.
func ReadFile(data []byte, empty string, read func(r *orders.Reader, root *orders.Node)) orders.Problems {
	root, faults := orders.ParseNode(data)
	if len(faults) == 0 && (root == nil || root.Kind != orders.Map) {
		faults = orders.Problems{{Why: phrase.Say(empty)}}
	}
	if len(faults) > 0 {
		return faults
	}
	r := orders.NewReader(orders.NewWords())
	r.Accepted = true // standing orders in a position were accepted before
	read(r, root)
	r.Problems.Sort()
	return r.Problems
}

// ReadPosition reads a position, see [ReadFile]. The error is an
// [orders.Problems].
func ReadPosition(data []byte, read func(r *orders.Reader, root *orders.Node) engine.Position) (engine.Position, error) {
	var p engine.Position
	faults := ReadFile(data, "play.position-empty", func(r *orders.Reader, root *orders.Node) { p = read(r, root) })
	if len(faults) > 0 {
		return nil, faults
	}
	return p, nil
}

// OfRuleset refuses a file that says it belongs to another ruleset, and tells whether
// reading may go on.
func OfRuleset(r *orders.Reader, n *orders.Node, ruleset string) bool {
	if n == nil || r.Is(n, ruleset) {
		return true
	}
	r.Refuse(n, "", phrase.Say("play.ruleset-other", phrase.Literal("ruleset", n.Text), phrase.Literal("wanted", ruleset)))
	return false
}

// Headed finds the scenario and the options of a position from its keys ruleset,
// scenario, file and options. These are among the others: the keys that the codec does
// not read, whose values Headed gives. The function options gives what is wrong with the
// options. Faults go to the reader; the position can be read on only if there are none.
func (s *Library[S]) Headed(r *orders.Reader, root *orders.Node, ruleset string, others []string, options func(S, map[string]string) orders.Problems) (orders.Fields, S, bool) {
	var none S
	f := r.Fields(Only(root, others...), others...)
	if !OfRuleset(r, f.Get("ruleset"), ruleset) {
		return f, none, false
	}
	scenario, ok := s.Placed(r, f)
	if !ok {
		return f, none, false
	}
	n := f.Get("options")
	chosen, ok := Texts(r, n)
	if !ok {
		return f, none, false
	}
	faults := options(scenario, chosen)
	for _, fault := range faults {
		r.RefuseWith(n, fault.Clause, fault.Why, fault.Remedy)
	}
	return f, scenario, len(faults) == 0
}

// Only gives a map that has only some of its keys.
func Only(n *orders.Node, keys ...string) *orders.Node {
	c := *n
	c.Pairs = slices.DeleteFunc(slices.Clone(n.Pairs), func(p orders.Pair) bool { return !slices.Contains(keys, p.Key.Text) })
	return &c
}

// Entries gives the pairs of a map; of anything else none, with a fault.
func Entries(r *orders.Reader, n *orders.Node) []orders.Pair {
	if n == nil {
		return nil
	}
	if n.Kind != orders.Map {
		r.Refuse(n, "", phrase.Say("play.position-map"))
		return nil
	}
	return n.Pairs
}

// Texts reads a map of texts, such as options, and tells whether it is one.
func Texts(r *orders.Reader, n *orders.Node) (map[string]string, bool) {
	all := map[string]string{}
	for _, p := range Entries(r, n) {
		all[p.Key.Text], _ = r.Text(p.Value)
	}
	return all, n == nil || n.Kind == orders.Map
}

// Carries tells whether a position must hold the file of its scenario, because this is
// not one of the built-in scenarios.
func (s *Library[S]) Carries(scenario S) bool {
	builtIn, ok := s.Named(scenario.Name())
	return !ok || any(builtIn) != any(scenario)
}

// Node writes the options that differ from those of a set-up that chooses
// nothing; nil if none does.
func (m Menu[O]) Node(all *O) *orders.Node {
	words := m.Chosen(all)
	if len(words) == 0 {
		return nil
	}
	n := orders.Inline()
	for _, name := range m.Names() {
		if value, ok := words[name]; ok {
			n.Set(formerOption(name), orders.Text(value))
		}
	}
	return n
}

// Owed writes the decisions of the present stop; nil if there are none.
func Owed(asks []engine.Decision) *orders.Node {
	if len(asks) == 0 {
		return nil
	}
	owed := orders.Items()
	for _, d := range asks {
		owed.Add(decisionNode(d))
	}
	return owed
}

// decisionNode writes a decision.
func decisionNode(d engine.Decision) *orders.Node {
	n := orders.Inline().Set("side", orders.Text(string(d.Side))).Set("kind", orders.Text(d.Kind))
	if d.At != "" {
		n.Set("at", orders.Text(d.At))
	}
	return n
}

// ReadOwed reads what [Owed] wrote, in the order of the sides. Decisions that do
// not fit what is going on, as after an edit that sets the game elsewhere, are
// left out, and so is a second one of a side.
func ReadOwed[V engine.View, P any](r *orders.Reader, n *orders.Node, sides []engine.Side, stops map[string]Stop[V, P], fits func(engine.Decision) bool) []engine.Decision {
	var asks []engine.Decision
	for _, item := range r.List(n) {
		f := r.Fields(item, "side", "kind", "at")
		if item.Kind != orders.Map {
			continue
		}
		d, ok := readDecision(r, f, sides, stops)
		if !ok {
			continue
		}
		twice := slices.ContainsFunc(asks, func(o engine.Decision) bool { return o.Side == d.Side })
		if !twice && fits(d) {
			asks = append(asks, d)
		}
	}
	slices.SortStableFunc(asks, func(a, b engine.Decision) int { return slices.Index(sides, a.Side) - slices.Index(sides, b.Side) })
	return asks
}

// readDecision reads what decisionNode wrote.
func readDecision[V engine.View, P any](r *orders.Reader, f orders.Fields, sides []engine.Side, stops map[string]Stop[V, P]) (engine.Decision, bool) {
	side, ok := r.Word(r.Require(f, "side"), SideWords(sides)...)
	kind := r.Require(f, "kind")
	name, ok2 := r.Text(kind)
	if !ok || !ok2 {
		return engine.Decision{}, false
	}
	if _, known := stops[name]; !known {
		r.Refuse(kind, "", phrase.Say("play.position-stop", phrase.Literal("stop", name)))
		return engine.Decision{}, false
	}
	d := engine.Decision{Side: engine.Side(side), Kind: name}
	if at := f.Get("at"); at != nil {
		d.At, _ = r.Text(at)
	}
	return d, true
}

// BySide writes what there is of each side, such as standing orders, under its
// name; nil if there is nothing.
func BySide(sides []engine.Side, node func(i int) *orders.Node) *orders.Node {
	all := orders.Mapping()
	for i, side := range sides {
		if n := node(i); n != nil {
			all.Set(string(side), n)
		}
	}
	if len(all.Pairs) == 0 {
		return nil
	}
	return all
}

// ReadBySide reads what [BySide] wrote, in the order of the sides.
func ReadBySide(r *orders.Reader, n *orders.Node, sides []engine.Side, read func(i int, n *orders.Node)) {
	if n == nil {
		return
	}
	f := r.Fields(n, SideWords(sides)...)
	for i, side := range sides {
		if of := f.Get(string(side)); of != nil {
			read(i, of)
		}
	}
}

// SideWords gives sides as words of a file.
func SideWords(sides []engine.Side) []string {
	all := make([]string, len(sides))
	for i, side := range sides {
		all[i] = string(side)
	}
	return all
}

// Put writes a value under a key, if there is one.
func Put(n *orders.Node, key string, value *orders.Node) {
	if value != nil {
		n.Set(key, value)
	}
}

// Resized gives a list the length that a scenario needs: what is missing at its end is nothing.
func Resized[T any](list []T, n int) []T {
	for len(list) < n {
		var zero T
		list = append(list, zero)
	}
	return list[:n]
}

package play

import (
	"fmt"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Policy is one key of policies: it answers its stops as a standing order of the same
// key does, or by ask or default.
type Policy[V engine.View] struct {
	Key    string   // that of a standing order
	Stops  []string // kinds of decisions that it answers
	Bears  []string // kinds of decisions before which it is worth a thought
	What   string   // the code of the sentence that says what it decides, where Stops and Bears do not tell; "" where they do
	Postal string   // what a game at the pace postal begins with
	ByPlan string   // at the pace by-plan; "" for what Postal says
	Words  []string // what may be written besides ask and default, an example each
	// Named are more examples, which name somebody: no template offers them, for they are not those
	// of every seat.
	Named []string
	// Offers is what a template offers in one line, at a stop that the policy answers or bears
	// upon, in place of what holds; "" for nothing.
	Offers string
	// Ahead is what a template offers ahead of the stops of the policy, where it bears upon
	// the stop but does not answer it and the seat is asked; "" for nothing.
	Ahead string
	// Shape is how a value is written, besides ask and default; nil if there is no other.
	Shape shape.Shape
	// Listed is how a list of cases is written whose conditions are those of what is filed
	// ahead; nil if there is none.
	Listed shape.Shape
	// Read judges what the policy of the key is to say and gives it in normal form; nil if
	// that does not answer all its stops.
	Read func(v V, r *orders.Reader, key string, n *orders.Node) *orders.Node
	// Ends tells that the default settles whatever the value does not.
	Ends bool
	// Idle tells that its default does nothing and answers no stop.
	Idle bool
	// Late is the code of the sentence that says why a change waits until [Deal]; "" if it
	// counts at once.
	Late string
}

// A Said is what a policy says.
type Said struct {
	Key   string
	Value *orders.Node // in normal form; never changed
}

// Policies are those of one seat. Without any it is asked everything. They are
// never changed, only replaced.
type Policies struct {
	Said  []Said // in the order of the ruleset's list
	Later []Said // those that wait for [Deal]
}

// Any tells whether policies were ever given.
func (p *Policies) Any() bool { return len(p.Said)+len(p.Later) > 0 }

// Value gives what a policy says; nil if nothing.
func (p *Policies) Value(key string) *orders.Node { return valueOf(p.Said, key) }

func valueOf(list []Said, key string) *orders.Node {
	for _, one := range list {
		if one.Key == key {
			return one.Value
		}
	}
	return nil
}

// Deal puts in force what waits, in the order of a ruleset's list.
func Deal[V engine.View](p Policies, table []Policy[V]) Policies {
	return Policies{Said: sorted(merged(p.Said, p.Later), table)}
}

// merged gives a list in which some policies say something else.
func merged(list, with []Said) []Said {
	all := slices.Clone(list)
	for _, one := range with {
		if i := slices.IndexFunc(all, func(s Said) bool { return s.Key == one.Key }); i >= 0 {
			all[i] = one
		} else {
			all = append(all, one)
		}
	}
	return all
}

// Node is the policies as a position keeps them; nil if there are none.
func (p *Policies) Node() *orders.Node {
	if !p.Any() {
		return nil
	}
	n := saidNode(p.Said)
	if len(p.Later) > 0 {
		n.Set("later", saidNode(p.Later))
	}
	return n
}

func saidNode(list []Said) *orders.Node {
	n := orders.Mapping()
	for _, one := range list {
		n.Set(one.Key, one.Value)
	}
	return n
}

// A Left is an answer by a policy at a stop at which others are still asked.
type Left struct {
	To   engine.Decision
	Body *orders.Node // the value of the orders key, in normal form
}

// isWord tells whether a node is a keyword in normal form.
func isWord(n *orders.Node, word string) bool {
	return n != nil && n.Kind == orders.Scalar && n.Text == word
}

// policyKeys are the keys of all policies.
func (k Stops[V, P]) policyKeys() []string {
	keys := make([]string, len(k.Layered))
	for i := range k.Layered {
		keys[i] = k.Layered[i].Key
	}
	return keys
}

// readPolicies judges the value of a policies key: a map of those that change, or the
// word ask for all of them. It gives it in normal form; nil if the file has none.
func (k Stops[V, P]) readPolicies(v V, r *orders.Reader, n *orders.Node) *orders.Node {
	switch {
	case n == nil || n.Null:
		return nil
	case len(k.Layered) == 0:
		r.Refuse(n, "", phrase.Say("play.no-policies"))
		return nil
	case n.Kind != orders.Map:
		if _, ok := r.Word(n, "ask"); ok {
			return orders.Text("ask")
		}
		return nil
	}
	f := r.Fields(n, k.policyKeys()...)
	normal := orders.Mapping()
	for i := range k.Layered {
		if value := f.Get(k.Layered[i].Key); value != nil {
			Put(normal, k.Layered[i].Key, k.policyValue(v, &k.Layered[i], r, value))
		}
	}
	if len(f.Node.Pairs) == 0 {
		r.RefuseWith(n, "", phrase.Say("play.policies-none"), phrase.Say("play.policies-write", phrase.Keywords("keys", k.policyKeys())))
	}
	return normal
}

// policyValue judges what one policy is to say.
func (k Stops[V, P]) policyValue(v V, p *Policy[V], r *orders.Reader, n *orders.Node) *orders.Node {
	for _, word := range []string{"ask", "default"} {
		if r.Is(n, word) {
			return orders.Text(word)
		}
	}
	since := len(r.Problems)
	value := p.Read(v, r, p.Key, n)
	if value == nil && len(r.Problems) == since {
		r.RefuseWith(n, "", phrase.Say("play.policy-partly", phrase.Literal("key", p.Key)), phrase.Say("play.policy-whole", phrase.Literals("words", p.all())))
	}
	if len(r.Problems) > since {
		return nil
	}
	return value
}

// all are examples of all that may be written.
func (p *Policy[V]) all() []string {
	return slices.Concat([]string{"ask", "default"}, p.Words, p.Named)
}

// Change gives the policies of a seat after some were changed, as readPolicies gave them:
// nil changes nothing. What may not be changed at once waits.
func (k Stops[V, P]) Change(p Policies, n *orders.Node) Policies {
	if n == nil {
		return p
	}
	next := Policies{Said: slices.Clone(p.Said), Later: slices.Clone(p.Later)}
	for i := range k.Layered {
		one := &k.Layered[i]
		value := orders.Text("ask")
		if n.Kind == orders.Map {
			if value = n.Get(one.Key); value == nil {
				continue
			}
		}
		list := &next.Said
		if one.Late != "" {
			list = &next.Later
		}
		*list = sorted(merged(*list, []Said{{one.Key, value}}), k.Layered)
	}
	return next
}

// sorted puts policies into the order of a ruleset's list.
func sorted[V engine.View](list []Said, table []Policy[V]) []Said {
	place := func(s Said) int { return slices.IndexFunc(table, func(p Policy[V]) bool { return p.Key == s.Key }) }
	slices.SortStableFunc(list, func(a, b Said) int { return place(a) - place(b) })
	return list
}

// LoadPolicies reads what [Policies.Node] wrote.
func (k Stops[V, P]) LoadPolicies(v V, r *orders.Reader, n *orders.Node) Policies {
	var p Policies
	read := func(f orders.Fields) []Said {
		var list []Said
		for i := range k.Layered {
			if value := f.Get(k.Layered[i].Key); value != nil {
				if value = k.policyValue(v, &k.Layered[i], r, value); value != nil {
					list = append(list, Said{k.Layered[i].Key, value})
				}
			}
		}
		return list
	}
	f := r.Fields(n, append(k.policyKeys(), "later")...)
	p.Said = read(f)
	if later := f.Get("later"); later != nil {
		p.Later = read(r.Fields(later, k.policyKeys()...))
	}
	return p
}

// BySaid answers a decision by a policy of the seat, and gives the key and the value that
// did; false if the seat is asked.
func (k Stops[V, P]) BySaid(v V, d engine.Decision) (Reply, Said, bool) {
	if k.Layer == nil || k.Insists != nil && k.Insists(v, d) {
		return nil, Said{}, false
	}
	said, under := k.Layer(v)
	for i := range k.Layered {
		p := &k.Layered[i]
		value := said.Value(p.Key)
		switch {
		case !slices.Contains(p.Stops, d.Kind) || value == nil || isWord(value, "ask"):
			continue
		case isWord(value, "default"):
			return k.Stops[d.Kind].Fallback(v, d), Said{p.Key, value}, true
		}
		reply, ok := k.instructed(under(), d)
		if !ok && p.Ends {
			reply, ok = k.Stops[d.Kind].Fallback(v, d), true
		}
		if ok {
			return reply, Said{p.Key, value}, true
		}
	}
	return nil, Said{}, false
}

// An Asking is a stop of a ruleset's play: who is asked, and what policies have answered
// while others still are.
type Asking[V engine.View] struct {
	Asks *[]engine.Decision
	Left *[]Left
	Has  func(engine.Side) bool // whether a side has policies
	View func(engine.Side) V
	// Order is the place of a side in the order of the rules.
	Order func(engine.Side) int
}

// Unasked takes out of what is asked what policies answer. When nobody is left to be
// asked, all these answers are taken, in the order of the sides, and it tells that play
// goes on; else they wait until the others have answered.
func (k Stops[V, P]) Unasked(p P, s *Story, stop Asking[V]) bool {
	var open []engine.Decision
	var all []Answer
	for _, d := range *stop.Asks {
		if stop.Has(d.Side) && !s.Insists(d.Side, d.Kind) {
			if reply, said, ok := k.BySaid(stop.View(d.Side), d); ok {
				s.byPolicy(d, said)
				all = append(all, Answer{To: d, Reply: reply})
				continue
			}
		}
		open = append(open, d)
	}
	if len(all) == 0 {
		return false
	}
	*stop.Asks = open
	if len(open) > 0 {
		for _, a := range all {
			*stop.Left = append(*stop.Left, Left{a.To, a.Reply.Node()})
		}
		return false
	}
	k.take(p, all)
	return true
}

// byPolicy tells a side that its policy has answered for it.
func (s *Story) byPolicy(d engine.Decision, said Said) {
	args := []phrase.Arg{phrase.Name("stop", "stop", d.Kind), phrase.Literal("key", said.Key), phrase.Literal("value", said.Value.OneLine())}
	s.Tell("", To([]engine.Side{d.Side}, engine.PolicyUsed, args...))
}

// Resolve carries out the answers to what was asked: first the standing orders and the
// policies that came with them take effect, then the replies, and those of policies that
// waited for them, each in the order of the sides. The error is that of [Collect].
func (k Stops[V, P]) Resolve(p P, stop Asking[V], answers map[engine.Side]engine.Answer, adopt func(engine.Side, Standing)) error {
	asked := *stop.Asks
	all, err := Collect(asked, answers)
	if err != nil {
		*stop.Asks = nil
		return err
	}
	for _, one := range *stop.Left { // they answer what they would see if they were asked
		*stop.Asks = append(slices.Clip(asked), one.To)
		v, r := stop.View(one.To.Side), orders.NewReader(k.Vocabulary)
		r.Accepted = true
		reply := k.Stops[one.To.Kind].Read(v, one.To, r, one.Body)
		if reply == nil || len(r.Problems) > 0 { // in an edited position it may no longer fit
			reply = k.Stops[one.To.Kind].Fallback(v, one.To)
		}
		all = append(all, Answer{To: one.To, Reply: reply})
	}
	if len(*stop.Left) > 0 {
		slices.SortStableFunc(all, func(a, b Answer) int { return stop.Order(a.To.Side) - stop.Order(b.To.Side) })
	}
	*stop.Asks, *stop.Left = nil, nil
	for _, a := range all {
		adopt(a.To.Side, Standing{a.Standing, a.Policies})
	}
	k.take(p, all)
	return nil
}

// take takes answers in their order.
func (k Stops[V, P]) take(p P, all []Answer) {
	for _, a := range all {
		k.Stops[a.To.Kind].Take(p, a.To, a.Reply)
	}
}

// Pace implements [engine.Policied], but for the options.
func (k Stops[V, P]) Pace(pace string) (string, map[string]string) {
	n := orders.Mapping()
	for i := range k.Layered {
		p := &k.Layered[i]
		word := p.Postal
		switch {
		case pace == engine.EveryDecision:
			word = "ask"
		case pace == engine.ByPlan && p.ByPlan != "":
			word = p.ByPlan
		}
		line, faults := orders.ParseNode([]byte(p.Key + ": " + word))
		if len(faults) > 0 {
			panic(fmt.Sprintf("play: policy %s: %v", p.Key, faults)) // a ruleset's own table
		}
		n.Set(p.Key, line.Pairs[0].Value.Flowed())
	}
	return n.Encode(), nil
}

// Policies implements [engine.Policied].
func (k Stops[V, P]) Policies(view engine.View) []engine.Policy {
	v := view.(V)
	var all []engine.Policy
	if k.Layer == nil {
		return nil
	}
	said, _ := k.Layer(v)
	for i := range k.Layered {
		p := &k.Layered[i]
		one := engine.Policy{Key: p.Key, Stops: p.Stops, Bears: p.Bears, Value: "ask", Words: p.all(), Idle: p.Idle}
		if p.What != "" {
			one.What = phrase.Say(p.What)
		}
		if p.Late != "" {
			one.Why = phrase.Say(p.Late)
		}
		if value := said.Value(p.Key); value != nil {
			one.Value = value.OneLine()
		}
		if later := valueOf(said.Later, p.Key); later != nil && later.OneLine() != one.Value {
			one.Later = later.OneLine()
		}
		all = append(all, one)
	}
	return all
}

// Begin puts the policies of a set-up in force in a new game.
func (k Stops[V, P]) Begin(g interface {
	engine.Position
	engine.Instructed
}, policies map[engine.Side]string) error {
	for _, side := range g.Sides() {
		text, ok := policies[side]
		if !ok {
			continue
		}
		node, faults := orders.ParseNode([]byte(text))
		if len(faults) == 0 {
			var given engine.Answer
			if given, faults = k.ReadStanding(g.View(side), &orders.Document{Policies: node}); len(faults) == 0 {
				if err := g.Instruct(side, given); err != nil {
					return err
				}
				continue
			}
		}
		return fmt.Errorf("policies of %s: %w", side, faults)
	}
	return nil
}

// LeftNode writes what policies have answered at a stop that others still owe; nil if
// there is nothing.
func LeftNode(left []Left) *orders.Node {
	if len(left) == 0 {
		return nil
	}
	list := orders.Items()
	for _, one := range left {
		n := decisionNode(one.To)
		list.Add(n.Set("orders", one.Body.Flowed()))
	}
	return list
}

// ReadLeft reads what [LeftNode] wrote. What does not fit, or of a side that is asked
// itself, is left out.
func ReadLeft[V engine.View, P any](r *orders.Reader, n *orders.Node, sides []engine.Side, stops map[string]Stop[V, P], asks []engine.Decision, fits func(engine.Decision) bool) []Left {
	var left []Left
	for _, item := range r.List(n) {
		f := r.Fields(item, "side", "kind", "at", "orders")
		body := r.Require(f, "orders")
		d, ok := readDecision(r, f, sides, stops)
		taken := func(side engine.Side) bool {
			return slices.ContainsFunc(asks, func(o engine.Decision) bool { return o.Side == side }) ||
				slices.ContainsFunc(left, func(o Left) bool { return o.To.Side == side })
		}
		if ok && body != nil && len(asks) > 0 && !taken(d.Side) && fits(d) {
			left = append(left, Left{d, unplaced(body)})
		}
	}
	return left
}

// unplaced is a node without its place in a file, on one line.
func unplaced(n *orders.Node) *orders.Node {
	c := n.Flowed()
	c.Walk(func(n *orders.Node) { n.Line, n.Column = 0, 0 })
	return c
}

// policyShape is how policies are written; nil for a ruleset without.
func (k Stops[V, P]) policyShape() shape.Shape {
	if len(k.Layered) == 0 {
		return nil
	}
	keys := make([]shape.Key, len(k.Layered))
	for i := range k.Layered {
		keys[i] = shape.May(k.Layered[i].Key, shape.Either(shape.Words("ask", "default"), k.Layered[i].Shape, k.Layered[i].Listed))
	}
	return shape.Either(shape.Words("ask"), shape.Record(keys...))
}

// bearing adds to a template the policies that answer a stop, or bear upon it: a remark that
// says what is answered for the seat, and a line that changes it. A seat without policies
// has none.
func (k Stops[V, P]) bearing(v V, d engine.Decision, n *orders.Node) {
	if k.Layer == nil {
		return
	}
	said, _ := k.Layer(v)
	var answered, offers []string
	var change, offer string
	for i := range k.Layered {
		p := &k.Layered[i]
		value := said.Value(p.Key)
		if later := valueOf(said.Later, p.Key); later != nil {
			value = later
		}
		answers := slices.Contains(p.Stops, d.Kind)
		if value == nil || !answers && !slices.Contains(p.Bears, d.Kind) {
			continue
		}
		if p.Offers != "" && value.OneLine() != p.Offers {
			offers = append(offers, "policies: {"+p.Key+": "+p.Offers+"}")
		}
		if isWord(value, "ask") {
			if p.Ahead != "" && !answers {
				offers = append(offers, "ahead: {"+p.Key+": "+p.Ahead+"}")
			}
			for _, word := range p.Words {
				if line := "policies: {" + p.Key + ": " + word + "}"; offer == "" && len(line) <= Widest {
					offer = line
				}
			}
			continue
		}
		answered = append(answered, p.Key+": "+brief(value))
		if more := change + ", " + p.Key + ": ask"; len(more) <= Widest-len("policies: {}") {
			change = more
		}
	}
	switch {
	case len(answered) > 0:
		n.Spare = append(n.Spare, "# "+answeredFor+strings.Join(answered, "; "), "policies: {"+strings.TrimPrefix(change, ", ")+"}")
	case offer != "" && len(offers) == 0:
		n.Spare = append(n.Spare, offer)
	}
	n.Spare = append(n.Spare, offers...)
}

// brief is the value of a policy as a remark tells it: cut behind one of its parts if it is
// long, for the list of policies has the whole of it.
func brief(value *orders.Node) string {
	const long = 60
	text := value.OneLine()
	if len(text) <= long {
		return text
	}
	return text[:strings.LastIndexByte(text[:long], ',')+1] + " …"
}

// answeredFor stands before the policies that answer for a seat.
var answeredFor = orders.Tongues("answered for you: ", "risposto per te: ")

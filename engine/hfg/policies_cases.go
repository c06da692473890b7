package hfg

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
)

// How cases of policies are read and written (section 5.3 of the digest).

// A caseReader reads cases of policies.
type caseReader struct {
	w     *fireWorld
	r     *orders.Reader
	asked bool // an owner answers what he is asked: he can't ask to be asked
}

// A readCase is a case that was read, with its node.
type readCase struct {
	at    *orders.Node
	said  policyCase
	whole bool
	since int
}

// cases reads what a policy says: an answer, or a list of cases.
func (c *caseReader) cases(k policyKey, n *orders.Node) []readCase {
	if k == policyMap && n.Kind == orders.Map && len(n.Pairs) > 0 {
		return c.routes(n)
	}
	if n.Kind == orders.Map && len(n.Pairs) > 0 && !k.takesMap() { // one case stands for a list of it
		since := len(c.r.Problems)
		said, ok := c.one(k, n)
		return []readCase{{n, said, ok, since}}
	}
	if n.Kind != orders.List || k.isAnswer(n) {
		since := len(c.r.Problems)
		said, ok := c.answer(k, n)
		return []readCase{{n, said, ok, since}}
	}
	var all []readCase
	for _, item := range n.Items {
		since := len(c.r.Problems)
		said, ok := c.one(k, item)
		all = append(all, readCase{item, said, ok, since})
	}
	return all
}

// isAnswer says whether a list is one answer, not a list of cases.
func (k policyKey) isAnswer(n *orders.Node) bool {
	switch k {
	case policyOrder, policyFound, policyReply, policyRally, policyMap:
		return true
	case policyFire: // targets by preference
		return len(n.Items) > 0 && !slices.ContainsFunc(n.Items, func(item *orders.Node) bool { return item.Kind == orders.Map })
	}
	return false
}

// takesMap says whether an answer may be a map, so that a map is no case.
func (k policyKey) takesMap() bool {
	switch k {
	case policyOrder, policyFire, policyRally, policyMarch, policyPursue, policyMap:
		return true
	}
	return false
}

// one reads one case: {of: .., if: {..}, do: ..}, or {else: ..}.
func (c *caseReader) one(k policyKey, n *orders.Node) (policyCase, bool) {
	if k == policyMarch {
		return c.marching(policyCase{Key: k}, n)
	}
	f := c.r.Fields(n, "of", "if", "do", "else")
	if last := f.Get("else"); last != nil {
		return c.answer(k, last)
	}
	at := c.r.Require(f, "do")
	if at == nil {
		return policyCase{}, false
	}
	said, ok := c.answer(k, at)
	if of := f.Get("of"); of != nil {
		said.Of = c.names(of, true)
		ok = ok && said.Of != ""
	}
	if cond := f.Get("if"); cond != nil {
		ok = c.conditions(k, &said, cond) && ok
	}
	return said, ok
}

// words reads one of some words, or a list of them.
func (c *caseReader) words(n *orders.Node, allowed []string) string {
	var all []string
	for _, item := range c.r.List(n) {
		if w, ok := c.r.Word(item, allowed...); ok {
			all = append(all, w)
		}
	}
	return strings.Join(all, " ")
}

// names reads elements, types and classes: the seat's own ones, or those of the enemy whom it
// knows.
func (c *caseReader) names(n *orders.Node, own bool) string {
	var all []string
	for _, item := range c.r.List(n) {
		if id, ok := c.name(item, own); ok {
			all = append(all, id)
		}
	}
	return strings.Join(all, " ")
}

// name reads an element, a type or a class.
func (c *caseReader) name(n *orders.Node, own bool) (string, bool) {
	for _, w := range subjectWords {
		if c.r.Is(n, w) {
			return w, true
		}
	}
	return c.r.Pick(n, "element", c.subjects(own)) // a slip in a type or class is told with the word that was meant
}

// subjects are the seat's own elements, or the enemies whom it knows, and all types and classes.
func (c *caseReader) subjects(own bool) []orders.Choice {
	list := c.elements(own)
	for _, w := range subjectWords {
		list = append(list, orders.Choice{ID: w})
	}
	return list
}

// elements are the seat's own elements, or the enemies whom it knows.
func (c *caseReader) elements(own bool) []orders.Choice {
	var list []orders.Choice
	v := c.w.v
	for e := elementID(1); int(e) < len(v.Elements); e++ {
		if mine := v.def(e).side == v.of; v.of == noSide || mine == own && v.on(e) && (!own || v.owns(e)) {
			list = append(list, orders.Choice{ID: v.def(e).id})
		}
	}
	return list
}

// enemy reads one of the enemies whom the seat knows.
func (c *caseReader) enemy(n *orders.Node) (string, bool) {
	return c.r.Pick(n, "element", c.elements(false))
}

// answer reads what a policy answers.
func (c *caseReader) answer(k policyKey, n *orders.Node) (policyCase, bool) {
	said := policyCase{Key: k}
	switch {
	case n.Kind == orders.Map && len(n.Pairs) == 0: // nothing at all means the default everywhere
		said.Do = "default"
		return said, true
	case k == policyOrder:
		return c.pairs(said, n)
	case k == policyFire:
		return c.firing(said, n)
	case k == policyRally:
		return c.rallying(said, n)
	case k == policyMarch:
		return c.marching(said, n)
	case k == policyPursue && n.Kind == orders.Map:
		f := c.r.Fields(n, "distance", "into")
		at := c.r.Require(f, "distance")
		c.r.Require(f, "into")
		if at == nil {
			return said, false
		}
		inner, ok := c.answer(k, at)
		if into := f.Get("into"); into != nil {
			word, fine := c.r.Word(into, "good", "any")
			inner.Rough, ok = word == "any", ok && fine
		}
		return inner, ok
	}
	if far, ok := farWord(n.Text); ok && n.Kind == orders.Scalar && (k == policyRepulse || k == policyPursue) {
		said.Do, said.Far = "paces", far
		return said, true
	}
	words := c.plain(k)
	if k == policyCharge || k == policyFace {
		for _, w := range words {
			if c.r.Is(n, w) {
				said.Do = w
				return said, true
			}
		}
		var ok bool
		said.Do, ok = c.enemy(n)
		return said, ok
	}
	if k == policyRout {
		for _, w := range words {
			if c.r.Is(n, w) {
				said.Do = w
				return said, true
			}
		}
		said.Do = c.feature(n)
		return said, said.Do != ""
	}
	var ok bool
	said.Do, ok = c.r.Word(n, words...)
	return said, ok
}

// pairs reads in which order pairs fight: a word, or elements and then the rest; of the rest alone it is as
// the deadline has it.
func (c *caseReader) pairs(said policyCase, n *orders.Node) (policyCase, bool) {
	words := c.plain(policyOrder)
	if n.Kind == orders.List {
		words = nil
	}
	items := c.r.List(n)
	var ids []string
	for _, item := range items {
		if c.r.Is(item, "rest") {
			continue
		}
		id, ok := c.orderly(item, words)
		if !ok {
			return said, false
		}
		ids = append(ids, id)
	}
	if said.Do = strings.Join(ids, " "); said.Do == "" {
		said.Do = "default"
	}
	return said, len(items) > 0
}

// orderly reads one of some words, or an element of either side that the seat knows.
func (c *caseReader) orderly(n *orders.Node, words []string) (string, bool) {
	for _, w := range words {
		if c.r.Is(n, w) {
			return w, true
		}
	}
	var list []orders.Choice
	for _, e := range c.w.v.standing() {
		list = append(list, orders.Choice{ID: c.w.v.def(e).id})
	}
	for _, w := range words { // so that a slip in one of them is told with the word that was meant
		list = append(list, orders.Choice{ID: w})
	}
	return c.r.Pick(n, "element", list)
}

// feature reads a line or a piece of the ground along whose edge troops may run (HFG-R76).
func (c *caseReader) feature(n *orders.Node) string {
	name := *n
	if words := strings.Fields(n.Text); len(words) > 1 && c.r.Is(orders.Text(words[0]), "road") { // road brussels
		name.Text = strings.Join(words[1:], " ")
	}
	id, _ := c.r.Pick(&name, "feature", c.features())
	return id
}

// features are the lines and the pieces of the ground.
func (c *caseReader) features() []orders.Choice {
	v := c.w.v
	return append(choicesOf(v.lines, func(d *lineDef) (string, string) { return d.id, d.name }),
		choicesOf(v.areas, func(d *areaDef) (string, string) { return d.id, d.name })...)
}

// answerNode writes what a case answers.
func (c *policyCase) answerNode() *orders.Node {
	n := orders.Text(c.Do)
	switch {
	case c.Do == "paces":
		n = orders.Text(strconv.Itoa(c.Far))
	case c.Do == "prefer":
		return orders.Inline().Set("prefer", flow(orders.Texts(strings.Fields(c.Prefer)...)))
	case c.Do == "reserve":
		return orders.Inline().Set("keep-pips", orders.Number(c.Far))
	case c.Do == "counter-battery":
		return orders.Inline().Set(c.Do, orders.Text("yes"))
	case c.Key == policyOrder && !slices.Contains(policyAnswers[policyOrder], c.Do) && c.Do != "default" && c.Do != "ask",
		c.Key == policyFire && strings.Contains(c.Do, " "):
		n = flow(orders.Texts(strings.Fields(c.Do)...))
	}
	if c.Rough {
		return orders.Inline().Set("distance", n).Set("into", orders.Text("any"))
	}
	return n
}

// text writes a case.
func (c *policyCase) text() *orders.Node {
	if c.Do == "march" {
		return c.marchNode()
	}
	n := orders.Inline()
	if c.bare() {
		return n.Set("else", c.answerNode())
	}
	if c.Of != "" {
		n.Set("of", flow(orders.Texts(strings.Fields(c.Of)...)))
	}
	cond := orders.Inline()
	for i := range caseLooks {
		switch l, value := &caseLooks[i], *caseLooks[i].in(c); {
		case value == "":
		case l.list():
			cond.Set(l.key, flow(orders.Texts(strings.Fields(value)...)))
		default:
			cond.Set(l.key, orders.Text(value))
		}
	}
	if len(cond.Pairs) > 0 {
		n.Set("if", cond)
	}
	return n.Set("do", c.answerNode())
}

// casesNode writes one policy: an answer alone, or a list of cases.
func casesNode(all []policyCase) *orders.Node {
	if all[0].Key == policyMap && all[0].Of != "" {
		return routesNode(all)
	}
	if len(all) == 1 && all[0].text().Get("else") != nil {
		return all[0].answerNode()
	}
	list := orders.Items()
	for i := range all {
		list.Add(all[i].text())
	}
	return flow(list)
}

// writeCases writes policies: an answer alone, or a list of cases.
func writeCases(keys []policyKey, parts []play.Part) *orders.Node {
	n := orders.Inline()
	for _, k := range keys {
		var all []policyCase
		for _, p := range parts {
			if c := p.Value.(policyCase); c.Key == k {
				all = append(all, c)
			}
		}
		if len(all) > 0 {
			n.Set(policyWords[k], casesNode(all))
		}
	}
	if len(n.Pairs) == 0 {
		return nil
	}
	return n
}

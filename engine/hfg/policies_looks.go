package hfg

import (
	"slices"

	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// What cases of policies may look at (section 5.3 of the digest).

// A caseLook is one thing that a case may look at: names of elements, words, one word, or a number that is
// compared.
type caseLook struct {
	key   string
	in    func(*policyCase) *string
	names bool        // of enemies, their types or classes
	words []string    // of which one fits, or several
	one   bool        // only one of the words may be said
	of    [2]int      // bounds of a number
	only  []policyKey // the policies that may ask it; nil: all but those about something else
}

// caseLooks are all of them, in the order in which they are written.
var caseLooks = []caseLook{
	{key: "against", in: func(c *policyCase) *string { return &c.Against }, names: true},
	{key: "beaten", in: func(c *policyCase) *string { return &c.Beaten }, words: beatenWords},
	{key: "leaves", in: func(c *policyCase) *string { return &c.Leaves }, words: leavesWords},
	{key: "grade", in: func(c *policyCase) *string { return &c.Grade }, words: gradeWords[1:]},
	{key: "going", in: func(c *policyCase) *string { return &c.Going }, words: goingWords},
	{key: "after", in: func(c *policyCase) *string { return &c.After }, words: afterWords, one: true},
	{key: "exposes-flank", in: func(c *policyCase) *string { return &c.Exposes }, words: []string{"yes", "no"}, one: true, only: []policyKey{policyPress}},
	{key: "target", in: func(c *policyCase) *string { return &c.Target }, names: true, only: []policyKey{policyFire}},
	{key: "range", in: func(c *policyCase) *string { return &c.Range }, of: [2]int{0, mostFar}, only: []policyKey{policyFire}},
	{key: "odds", in: func(c *policyCase) *string { return &c.Odds }, of: [2]int{-mostOdds, mostOdds}, only: []policyKey{policyFire}},
	{key: "die", in: func(c *policyCase) *string { return &c.Die }, of: [2]int{1, dieSides}, only: []policyKey{policyDice}},
	{key: "next", in: func(c *policyCase) *string { return &c.Next }, of: [2]int{0, farthestAsked}},
	{key: "turn", in: func(c *policyCase) *string { return &c.Turn }, of: [2]int{0, farthestAsked}},
}

// mostOdds is the greatest difference of two totals that conditions tell apart.
const mostOdds = 99

// alone are what the policies may look at that decide nothing of a combat.
var alone = map[policyKey][]string{policyFire: {"grade", "going", "turn", "target", "range", "odds"}, policyDice: {"turn", "die"}}

// mayLook says whether a policy may ask something.
func (k policyKey) mayLook(l *caseLook) bool {
	if keys, ok := alone[k]; ok {
		return slices.Contains(keys, l.key)
	}
	return l.only == nil || slices.Contains(l.only, k)
}

// list says whether a look is written as a list.
func (l *caseLook) list() bool { return l.names || l.words != nil && !l.one }

// shape is how a look is written.
func (l *caseLook) shape() shape.Shape {
	switch {
	case l.names:
		return shape.List(elementShape)
	case l.one:
		return shape.Words(l.words...)
	case l.words != nil:
		return shape.List(shape.Words(l.words...))
	}
	return shape.Checked("measure", l.compared)
}

// compared says what is wrong with a comparison.
func (l *caseLook) compared(text string) phrase.Phrase {
	if _, ok := play.ReadBounded(text, l.of[0], l.of[1]); ok {
		return phrase.Phrase{}
	}
	return phrase.Say("hfg.case-compare", phrase.Literal("got", text), phrase.Number("low", l.of[0]), phrase.Number("high", l.of[1]))
}

// looks is how conditions of a policy are written. The enemy of a combat is asked for by two words.
func (k policyKey) looks() shape.Shape {
	var keys []shape.Key
	for i := range caseLooks {
		if l := &caseLooks[i]; k.mayLook(l) {
			keys = append(keys, shape.May(l.key, l.shape()))
			if l.key == "against" {
				keys = append(keys, shape.May("by", l.shape()))
			}
		}
	}
	return shape.Record(keys...)
}

// conditions reads what a case looks at.
func (c *caseReader) conditions(k policyKey, said *policyCase, n *orders.Node) bool {
	var keys []string
	for i := range caseLooks {
		if l := &caseLooks[i]; k.mayLook(l) {
			keys = append(keys, l.key)
			if l.key == "against" {
				keys = append(keys, "by")
			}
		}
	}
	f := c.r.Fields(n, keys...)
	since := len(c.r.Problems)
	for i := range caseLooks {
		l := &caseLooks[i]
		if at := f.Get(l.key); at != nil {
			*l.in(said) = c.lookAt(l, at)
		}
	}
	if at := f.Get("by"); at != nil {
		said.Against = c.names(at, false)
	}
	return len(c.r.Problems) == since
}

// lookAt reads one thing that a case looks at.
func (c *caseReader) lookAt(l *caseLook, n *orders.Node) string {
	switch {
	case l.names:
		return c.names(n, false)
	case l.one:
		word, _ := c.r.Word(n, l.words...)
		return word
	case l.words != nil:
		return c.words(n, l.words)
	}
	if wrong := l.compared(n.Text); !wrong.IsZero() {
		c.r.Refuse(n, "HFG-R107", wrong)
		return ""
	}
	by, _ := play.ReadBounded(n.Text, l.of[0], l.of[1])
	return by.Text("")
}

// bare says whether a case speaks of all elements in all situations.
func (c *policyCase) bare() bool {
	return c.Of == "" && !slices.ContainsFunc(caseLooks, func(l caseLook) bool { return *l.in(c) != "" })
}

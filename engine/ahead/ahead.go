// Package ahead reads what an order file says of stops that will come, and answers them
// with it when they have come. What is filed ahead is judged twice: as the file comes, by
// how it is written alone; and at its stop, by the ruleset, as if the file came then.
//
// It knows order files and the contract with rulesets, and no ruleset. How long what is
// filed waits, and what it replaces, the office decides with it; whoever plays a game again
// does so with the same functions.
package ahead

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Part is what is filed for the stops of one key.
type Part struct {
	Key   string   // kind of stop, or key of a policy
	Kinds []string // the stops that it answers
	Value *orders.Node
	Cases []Case // in place of the value
	Row   int    // place in the row of stops that follow at once, from 1; 0: it waits for any stop of its kinds
}

// A Case is one of several answers, of which the first counts whose conditions hold.
type Case struct {
	If *orders.Node // a list of conditions; nil: it always holds
	Do *orders.Node
}

// Sheet is how files of a ruleset are written; false if it does not tell.
func Sheet(rules engine.Ruleset) (shape.Sheet, bool) {
	shaped, ok := rules.(engine.Shaped)
	if !ok {
		return shape.Sheet{}, false
	}
	return shaped.Shapes(), true
}

// Read judges the value of the key ahead of a file by how it is written, and gives it in
// normal form: the keywords of the grammar as the program writes them, everything else as
// it stands. "none" clears what was filed before; "" says that the file has no such key.
func Read(rules engine.Ruleset, view engine.View, n *orders.Node) (string, orders.Problems) {
	if n == nil {
		return "", nil
	}
	sheet, ok := Sheet(rules)
	r := orders.NewReader(sheet.Vocabulary)
	if !ok {
		r.Refuse(n, "", phrase.Say("play.no-ahead"))
		return "", r.Problems
	}
	var names shape.Names
	if namer, ok := view.(engine.Namer); ok {
		names = namer.Names
	}
	if n.Kind == orders.Map && len(n.Pairs) == 0 {
		n = orders.Text("none")
	}
	shape.Read(r, n, sheet.Ahead(), names)
	if len(r.Problems) > 0 {
		r.Problems.Sort()
		return "", r.Problems
	}
	if n.Kind != orders.Map {
		return "none", nil
	}
	normal := normalParts(sheet, r, n)
	if next := r.Under(n, shape.Next); next != nil {
		row := orders.Items()
		for _, item := range r.List(next) {
			if one := normalParts(sheet, r, item); len(one.Pairs) > 0 {
				row.Add(one)
			}
		}
		for len(row.Items) > 0 && onlyAsks(row.Items[len(row.Items)-1]) {
			row.Items = row.Items[:len(row.Items)-1]
		}
		if len(row.Items) > 0 {
			normal.Set(shape.Next, row)
		}
		if len(normal.Pairs) == 0 && !r.Is(next, "none") {
			return "", nil // as it stands in files ready to be filled in
		}
	}
	if len(normal.Pairs) == 0 {
		return "none", nil
	}
	return normal.Encode(), nil
}

// onlyAsks tells whether the parts for a stop in normal form say nothing but that the side is
// to be asked, as it would be without them.
func onlyAsks(parts *orders.Node) bool {
	asks := func(n *orders.Node) bool { return n != nil && n.Kind == orders.Scalar && n.Text == "ask" }
	for _, p := range parts.Pairs {
		if asks(p.Value) {
			continue
		}
		if p.Value.Kind != orders.List || len(p.Value.Items) != 1 || !asks(p.Value.Items[0].Get("else")) {
			return false
		}
	}
	return true
}

// normalParts are the parts of a map in normal form, in the order of the rules.
func normalParts(sheet shape.Sheet, r *orders.Reader, n *orders.Node) *orders.Node {
	normal := orders.Mapping()
	for _, key := range sheet.AheadKeys() {
		value, cases := r.Under(n, key), planned(sheet, r, n, key)
		if value != nil {
			value = normalValue(sheet, r, key, value)
		}
		if len(cases) > 0 && value != nil {
			if how, _ := sheet.Means(key, value); how == shape.MeansCases {
				cases = append(cases, value.Items...)
			} else {
				cases = append(cases, orders.Inline().Set("else", value))
			}
		}
		if len(cases) > 0 {
			value = orders.Items(cases...)
		}
		if value != nil {
			normal.Set(key, value)
		}
	}
	return normal
}

// planned are the cases of a kind of stops that stand under the keys of plans.
func planned(sheet shape.Sheet, r *orders.Reader, n *orders.Node, kind string) (cases []*orders.Node) {
	for _, p := range sheet.Plans {
		plan := r.Under(n, p.Key)
		if plan == nil || plan.Kind != orders.Map {
			continue
		}
		for _, about := range plan.Pairs {
			if does := r.Under(about.Value, kind); does != nil {
				if word, ok := said(r, does); ok {
					does = orders.Text(word)
				}
				cases = append(cases, orders.Inline().Set("of", about.Key.Plain()).Set("do", does.Plain()))
			}
		}
	}
	return cases
}

// normalValue is one part in normal form.
func normalValue(sheet shape.Sheet, r *orders.Reader, key string, n *orders.Node) *orders.Node {
	how, _ := sheet.Means(key, n)
	switch how {
	case shape.MeansWord:
		word, _ := said(r, n)
		return orders.Text(word)
	case shape.MeansCases:
		list := orders.Items()
		for _, item := range r.List(n) {
			one := orders.Inline()
			for _, k := range []string{"at", "of", "if", "do", "else"} {
				value := r.Under(item, k)
				if value == nil {
					continue
				}
				if word, ok := said(r, value); ok && (k == "do" || k == "else") {
					value = orders.Text(word)
				}
				one.Set(k, value.Plain())
			}
			list.Add(one)
		}
		return list
	}
	return n.Plain()
}

// said tells whether a value is a word that is an answer to any stop. An empty map means the
// default, as at each stop.
func said(r *orders.Reader, n *orders.Node) (string, bool) {
	if n.Kind == orders.Map && len(n.Pairs) == 0 {
		return "default", true
	}
	for _, word := range shape.AheadWords() {
		if r.Is(n, word) {
			return word, true
		}
	}
	return "", false
}

// Parse reads back what [Read] gave.
func Parse(sheet shape.Sheet, text string) []Part {
	n, problems := orders.ParseNode([]byte(text))
	if len(problems) > 0 || n == nil || n.Kind != orders.Map {
		return nil
	}
	var all []Part
	for _, pair := range n.Pairs {
		if pair.Key.Text != shape.Next {
			continue
		}
		for i, item := range pair.Value.Items {
			all = append(all, parts(sheet, item, i+1)...)
		}
	}
	return append(all, parts(sheet, n, 0)...)
}

// parts are those of a map, which stands at a place of the row of stops that follow at once.
func parts(sheet shape.Sheet, n *orders.Node, row int) (all []Part) {
	for _, pair := range n.Pairs {
		p := Part{Key: pair.Key.Text, Kinds: sheet.Answers(pair.Key.Text), Value: pair.Value, Row: row}
		if how, _ := sheet.Means(p.Key, p.Value); how == shape.MeansCases {
			for _, item := range p.Value.Items {
				p.Cases = append(p.Cases, readCase(item))
			}
		}
		if len(p.Kinds) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// readCase reads one case in normal form.
func readCase(n *orders.Node) Case {
	c := Case{Do: n.Get("do")}
	if other := n.Get("else"); c.Do == nil {
		c.Do = other
		return c
	}
	var all []*orders.Node
	for _, key := range []string{"at", "of"} {
		if value := n.Get(key); value != nil {
			all = append(all, orders.Inline().Set(key, value))
		}
	}
	if value := n.Get("if"); value != nil && value.Kind == orders.List {
		all = append(all, value.Items...)
	} else if value != nil {
		all = append(all, value)
	}
	if len(all) > 0 {
		c.If = orders.Items(all...)
	}
	return c
}

// answers are what a part may come to: its value, or what its cases say.
func (p *Part) answers() []Case {
	if len(p.Cases) > 0 {
		return p.Cases
	}
	return []Case{{Do: p.Value}}
}

// mark names an answer of a part, in the list of those that were used. A place of the row is
// used as a whole: its stop has come.
func (p *Part) mark(i int) string {
	if p.Row > 0 {
		return shape.Next + " " + strconv.Itoa(p.Row)
	}
	if len(p.Cases) == 0 {
		return p.Key
	}
	return p.Key + " " + strconv.Itoa(i+1)
}

// Filed is what a side has filed ahead, and what is left of it.
type Filed struct {
	Text string   `json:"text"`           // as [Read] gives it
	Turn int      `json:"turn,omitempty"` // that was being played
	Seen string   `json:"seen,omitempty"` // how the enemy stood, as [engine.Conditions] tells it
	Used []string `json:"used,omitempty"` // answers of it that count no more
}

// File is what a side files where a game stands. Text is as [Read] gives it.
func File(rules engine.Ruleset, p engine.Position, side engine.Side, text string) Filed {
	f := Filed{Text: text, Turn: Turn(p)}
	if judge, ok := rules.(engine.Conditions); ok && p != nil {
		f.Seen = judge.Watch(p.View(side))
	}
	return f
}

// None tells whether nothing waits.
func (f *Filed) None() bool { return f == nil || f.Text == "" || f.Text == "none" }

// Waiting lists the parts of which something can still answer a stop.
func (f *Filed) Waiting(sheet shape.Sheet) []Part {
	if f.None() {
		return nil
	}
	return slices.DeleteFunc(Parse(sheet, f.Text), func(p Part) bool {
		for i := range p.answers() {
			if !slices.Contains(f.Used, p.mark(i)) {
				return false
			}
		}
		return true
	})
}

// apart takes the parts of the stop that follows at once from those that wait for any stop
// of their kinds. Of the row of stops that follow only the first place counts.
func apart(waiting []Part) (next, other []Part) {
	for _, p := range waiting {
		switch {
		case p.Row == 0:
			other = append(other, p)
		case len(next) == 0 || p.Row == next[0].Row:
			next = append(next, p)
		}
	}
	return next, other
}

// Kinds lists the kinds of stops for which something waits, each once, in their order.
func (f *Filed) Kinds(sheet shape.Sheet) []string {
	var all []string
	next, other := apart(f.Waiting(sheet))
	for _, p := range append(next, other...) {
		for _, kind := range p.Kinds {
			if !slices.Contains(all, kind) {
				all = append(all, kind)
			}
		}
	}
	slices.Sort(all)
	return all
}

// Aside sets aside all parts that answer one of some kinds of stops, and tells which.
func (f *Filed) Aside(sheet shape.Sheet, kinds []string) (keys []string) {
	for _, p := range f.Waiting(sheet) {
		if !slices.ContainsFunc(p.Kinds, func(kind string) bool { return slices.Contains(kinds, kind) }) {
			continue
		}
		if p.Row > 0 { // what comes after it in the row was meant to follow it
			keys = append(keys, f.Void(sheet)...)
			continue
		}
		keys = append(keys, p.Key)
		for i := range p.answers() {
			f.use(p.mark(i))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Void sets aside what was filed for the row of stops that follow at once, and tells which
// keys of it waited: another stop has come between.
func (f *Filed) Void(sheet shape.Sheet) (keys []string) {
	for _, p := range f.Waiting(sheet) {
		if p.Row > 0 {
			keys = append(keys, p.Key)
			f.use(p.mark(0))
		}
	}
	return keys
}

// Use notes that an answer has been used, if it is one that is used once.
func (f *Filed) Use(rules engine.Ruleset, mark string) {
	sheet, _ := Sheet(rules)
	for _, p := range f.Waiting(sheet) {
		for i, c := range p.answers() {
			how, _ := sheet.CaseAnswers(p.Key, c.Do)
			if p.mark(i) == mark && (p.Row > 0 || how == shape.MeansOrders || how == shape.MeansField) {
				f.use(mark)
			}
		}
	}
}

func (f *Filed) use(mark string) {
	if !slices.Contains(f.Used, mark) {
		f.Used = append(slices.Clip(f.Used), mark)
	}
}

// Lapsed tells whether what was filed has lapsed where a game stands: at the end of the next
// turn of a player, or of the turn in a game whose sides share their turns.
func (f *Filed) Lapsed(p engine.Position) bool {
	if f == nil {
		return false
	}
	turned, ok := p.(engine.Turned)
	if !ok {
		return false
	}
	last := f.Turn
	if a, ok := p.(engine.Alternating); ok && a.Alternates() {
		last++
	}
	return turned.TurnNumber() > last
}

// Turn is the number of the turn that is being played; 0 in a game without any.
func Turn(p engine.Position) int {
	if turned, ok := p.(engine.Turned); ok {
		return turned.TurnNumber()
	}
	return 0
}

// Clone copies what is filed.
func (f *Filed) Clone() *Filed {
	if f == nil {
		return nil
	}
	c := *f
	c.Used = slices.Clone(f.Used)
	return &c
}

// Shown lists what waits, a line for each part, as an order file writes it.
func (f *Filed) Shown(sheet shape.Sheet) []string {
	var all []string
	for _, p := range f.Waiting(sheet) {
		line := p.Key + ": " + strings.TrimSpace(p.Value.OneLine())
		if p.Row > 0 {
			line = shape.Next + ": {" + line + "}"
		}
		all = append(all, line)
	}
	return all
}

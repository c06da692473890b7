package play

import (
	"slices"
	"strings"
	"unicode/utf8"

	"berthier/engine/shape"
	"berthier/orders"
)

// Templates take one uncommenting: each example in them stands on one line, and is a legal
// answer by itself if its # is taken away and nothing else is changed. Remarks begin with
// two #, so that they can't be taken for examples.

// Widest is how many columns an example may have, so that with the # and its indentation it
// stands on one line of a letter.
const Widest = 68

// mostShown is how many examples a template has, besides the default.
const mostShown = 8

// shown is a template that says nothing, which means the default, below examples. If the
// default is too long for a line, it stands as it is.
func (f *Form[V, P, W]) shown(x *Draft[V, W], n *orders.Node) *orders.Node {
	const widest = Widest - len("- ")
	usual := example(x.Node())
	if len(usual) > widest {
		return n
	}
	spare := make([]string, 0, mostShown+2)
	if usual != "{}" { // a default that says nothing is what the template says without its examples
		spare = append(spare, "- "+usual)
		if len(usual)+len(byDefault) <= widest {
			spare[0] += byDefault
		}
	}
	if notes := remarks(n); len(notes) > 0 {
		spare = append(notes, spare...)
	}
	said := append(make([]string, 0, mostShown+1), usual)
	add := func(text string) {
		if utf8.RuneCountInString(text) <= widest && !slices.Contains(said, text) {
			said, spare = append(said, text), append(spare, "- "+text)
		}
	}
	for _, text := range f.examples(x) {
		add(text)
	}
	if f.Besides != nil {
		for _, text := range f.Besides(x) {
			add(text)
		}
	}
	spare = append(spare, f.inWords(x, said)...)
	return &orders.Node{Kind: orders.List, Spare: spare, Items: []*orders.Node{orders.Text("end")}}
}

// inWords are examples that name by a word what one of the others names one by one: rest for
// all but the first of a list, all for the whole of it. They are read as a player's, and left
// out if they are not legal.
func (f *Form[V, P, W]) inWords(x *Draft[V, W], said []string) []string {
	f.once.Do(func() { f.rest = slices.Contains(shape.Keywords(f.Shape()), "rest") })
	if !f.rest {
		return nil
	}
	var lines, tried []string
	legal := func(text string) bool {
		if slices.Contains(tried, text) { // it was not legal
			return false
		}
		tried = append(tried, text)
		n, faults := orders.ParseNode([]byte("- " + text))
		if len(faults) > 0 {
			return false
		}
		r := orders.NewReader(nil)
		return f.Read(x.View, x.To, r, n) != nil && len(r.Problems) == 0
	}
	for _, word := range []string{"rest", "all"} {
		for _, text := range said {
			open, end := strings.IndexByte(text, '['), strings.LastIndexByte(text, ']')
			if open < 0 || end < open || strings.ContainsAny(text[open+1:end], "[]") {
				continue
			}
			first, _, several := strings.Cut(text[open+1:end], ",")
			list := "[" + first + ", rest]"
			if word == "all" {
				list = "all"
			}
			if shorter := text[:open] + list + text[end+1:]; (several || word == "all" && len(lines) == 0) && legal(shorter) {
				lines = append(lines, "- "+shorter)
				break
			}
		}
	}
	return lines
}

// byDefault stands behind the example of what is done if nothing is said.
const byDefault = "  # default"

// example is an answer on one line, as it stands behind a dash.
func example(n *orders.Node) string {
	text := n.OneLine()
	if n.Kind == orders.Map && len(n.Pairs) == 1 { // then it needs no brackets
		text = strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
	}
	return text
}

// remarks are the comments of a template, each a remark.
func remarks(n *orders.Node) []string {
	var all []string
	add := func(text string) {
		if text == "" {
			return
		}
		for line := range strings.SplitSeq(text, "\n") {
			all = append(all, "# "+line)
		}
	}
	n.Walk(func(n *orders.Node) {
		add(n.Above)
		add(n.Comment)
	})
	return all
}

// examples are answers that each say one part that may come next and are filled like any that
// was chosen and then left: first one for each thing that a choice is made for, then others.
func (f *Form[V, P, W]) examples(x *Draft[V, W]) []string {
	type part struct {
		field *Field[V, W]
		value any
	}
	var first, others []part
	var of []string
	blank := x.Blank()
	for field, value := range blank.may {
		if f.Shows != nil && !f.Shows(blank.World, value) {
			continue
		}
		who := field.Say(x.View, value).Of
		if slices.Contains(of, who) {
			others = append(others, part{field, value})
			continue
		}
		of, first = append(of, who), append(first, part{field, value})
		if len(first) == mostShown {
			break
		}
	}
	var texts []string
	for _, one := range slices.Concat(first, others)[:min(len(first)+len(others), mostShown)] {
		y := f.Blank(x.View, x.To)
		y.put(y.field(one.field.Key), one.value)
		if fill := f.filling(); fill != nil {
			fill(y)
		}
		if !f.lacks(y) {
			texts = append(texts, example(y.done().Node()))
		}
	}
	return texts
}

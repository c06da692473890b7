package orders

import (
	"slices"
	"strings"
)

// A remark of a template may have words in each language; the letter takes those of its
// reader. These signs, which no order file may hold, stand around them until then.
const (
	tonguesBegin = "\x02"
	tonguesPart  = "\x1f"
	tonguesEnd   = "\x03"
)

// tongues are the languages of remarks, in the order in which their words stand.
var tongues = []string{"en", "it"}

// Tongues are words of a remark in English and in Italian, of which a file has those of its
// language ([Node.In]); a file of no language has the English ones.
func Tongues(en, it string) string { return tonguesBegin + en + tonguesPart + it + tonguesEnd }

// InTongue gives a text with its [Tongues] in one language: in English, if it is none of
// theirs.
func InTongue(language, text string) string {
	if !strings.Contains(text, tonguesBegin) {
		return text
	}
	which := max(slices.Index(tongues, language), 0)
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, tonguesBegin)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		words, after, _ := strings.Cut(rest, tonguesEnd)
		b.WriteString(strings.Split(words, tonguesPart)[which])
		text = after
	}
}

// In gives the node with its remarks in one language. The node itself stays as it is.
func (n *Node) In(language string) *Node {
	if n == nil {
		return nil
	}
	c := *n
	c.Above, c.Comment, c.Below = InTongue(language, n.Above), InTongue(language, n.Comment), InTongue(language, n.Below)
	if len(n.Spare) > 0 {
		c.Spare = make([]string, len(n.Spare))
		for i, line := range n.Spare {
			c.Spare[i] = InTongue(language, line)
		}
	}
	if len(n.Pairs) > 0 {
		c.Pairs = make([]Pair, len(n.Pairs))
		for i, p := range n.Pairs {
			c.Pairs[i] = Pair{Key: p.Key.In(language), Value: p.Value.In(language)}
		}
	}
	if len(n.Items) > 0 {
		c.Items = make([]*Node, len(n.Items))
		for i, item := range n.Items {
			c.Items[i] = item.In(language)
		}
	}
	return &c
}

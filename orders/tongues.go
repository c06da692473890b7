package orders

import (
	"slices"
	"strings"
	"unicode"
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

// isEnglish tells whether files in a language are written with the English keywords: one that is
// none of [tongues] has no others.
func isEnglish(language string) bool { return slices.Index(tongues, language) < 1 }

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

// In gives the node as a reader of a language writes it: remarks in his language, and keywords in
// the spelling of the vocabulary that his language has for them, in keys, values, examples and
// remarks. Without a vocabulary keywords stay as they are. What nothing but a person reads is
// left alone: the value of a note, and the text between [Tongues]. The node itself stays as it is.
func (n *Node) In(language string, words *Words) *Node {
	if n == nil {
		return nil
	}
	s := speaker{language, words}
	if words == nil || isEnglish(language) {
		s.words = nil
	}
	return s.node(n, "")
}

// A speaker writes nodes in a language.
type speaker struct {
	language string
	words    *Words // nil: keywords stay as they are
}

// node is a node of which something stands before it.
func (s speaker) node(n *Node, before string) *Node {
	c := *n
	c.Above, c.Comment, c.Below = s.text(n.Above), s.text(n.Comment), s.text(n.Below)
	if len(n.Spare) > 0 {
		c.Spare = make([]string, len(n.Spare))
		for i, line := range n.Spare {
			c.Spare[i] = s.text(line)
		}
	}
	if n.Kind == Scalar {
		c.Text = s.spelt(n.Text, before, "")
	}
	if len(n.Pairs) > 0 {
		c.Pairs = s.pairs(n.Pairs, before)
	}
	if len(n.Items) > 0 {
		c.Items = make([]*Node, len(n.Items))
		for i, item := range n.Items {
			c.Items[i] = s.node(item, before+"[")
		}
	}
	return &c
}

// pairs are those of a node of which something stands before it.
func (s speaker) pairs(all []Pair, before string) []Pair {
	before += "{"
	own := make([]Pair, len(all))
	for i, p := range all {
		key := *p.Key
		if key.Kind == Scalar {
			key.Text = "" // it is spelt with its value behind it
		}
		own[i] = Pair{Key: s.node(&key, ""), Value: p.Value}
		if p.Key.Kind == Scalar {
			own[i].Key.Text = s.spelt(p.Key.Text, before, ": "+beginning(p.Value))
		}
		before += p.Key.Text + ": "
		if p.Key.Text != "note" {
			own[i].Value = s.node(p.Value, before)
		}
		before += ", "
	}
	return own
}

// text is a remark or an example: what stands in [Tongues] is taken in the language, the keywords of
// the rest are spelt.
func (s speaker) text(text string) string {
	if s.words == nil {
		return InTongue(s.language, text)
	}
	var b strings.Builder
	whole, at := text, 0
	for {
		before, rest, found := strings.Cut(text, tonguesBegin)
		b.WriteString(s.spelt(before, whole[:at], rest))
		if !found {
			return b.String()
		}
		words, after, _ := strings.Cut(rest, tonguesEnd)
		b.WriteString(InTongue(s.language, tonguesBegin+words+tonguesEnd))
		text, at = after, len(whole)-len(after)
	}
}

// spelt spells the keywords of a text that stands somewhere.
func (s speaker) spelt(text, before, after string) string {
	if s.words == nil {
		return text
	}
	return s.words.respell(text, s.language, before, after)
}

// Respell writes a piece of an order file with other spellings of its keywords. A keyword is a
// word with blanks or signs of the file around it, so that no part of a name or number is taken
// for one.
func Respell(text string, spell func(word string) string) string {
	return eachWord(text, func(word string, _ int) string { return spell(word) })
}

// eachWord is a text with other words, of each of which it is told where it begins.
func eachWord(whole string, spell func(word string, from int) string) string {
	text := whole
	within := func(c rune) bool {
		return unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("-/'._", c)
	}
	var b strings.Builder
	for len(text) > 0 {
		end := strings.IndexFunc(text, func(c rune) bool { return !within(c) })
		if end < 0 {
			end = len(text)
		}
		b.WriteString(spell(text[:end], len(whole)-len(text)))
		text = text[end:]
		next := strings.IndexFunc(text, within)
		if next < 0 {
			next = len(text)
		}
		b.WriteString(text[:next])
		text = text[next:]
	}
	return b.String()
}

// FormIn gives a letter with a command in a language: its keys, and the command.
func (n *Node) FormIn(language string) *Node {
	if isEnglish(language) {
		return n
	}
	c := *n
	c.Pairs = make([]Pair, len(n.Pairs))
	for i, p := range n.Pairs {
		c.Pairs[i] = Pair{Key: p.Key.In(language, common), Value: p.Value}
		if p.Key.Text == "command" {
			c.Pairs[i].Value = p.Value.In(language, common)
		}
	}
	return &c
}

// FileIn gives a whole order file in a language: the keywords of its envelope are those of every
// game, the others those of the vocabulary; the name of its stop is given in the language, too.
func (n *Node) FileIn(language string, words *Words, stop string) *Node {
	if words == nil || isEnglish(language) {
		return n.In(language, nil)
	}
	bare := *n
	bare.Pairs = nil
	c := bare.In(language, words)
	for _, p := range n.Pairs {
		pair := Pair{Key: p.Key.In(language, common), Value: p.Value.In(language, nil)}
		switch {
		case slices.Contains(Bodies, p.Key.Text):
			pair.Value = p.Value.In(language, words)
		case p.Key.Text == "stop" && stop != "":
			number, _, _ := strings.Cut(p.Value.Text, " ")
			pair.Value.Text = number + " " + stop
		}
		c.Pairs = append(c.Pairs, pair)
	}
	return c
}

package templates

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"berthier/orders"
	"berthier/orders/phrase"
)

// A sentence of the catalogue, taken apart. The syntax, which translators write:
//
//	{unit}                      the place "unit", filled from the phrase
//	{keys:or}  {dice:,}         a list joined by "or", or by commas alone
//	{dice:#}                    how many a list has
//	{n|one block|{n} blocks}    by number: one, more; of a list its length
//	{n|none|one block|{n} blocks}  by number: zero, one, more
//	{town?at {town}}            only if the place is filled
//	{town?at {town}|nowhere}    the second if it is not
//	{unit@colpito|colpita}      by the gender of a named thing: masculine, and all else
//	{mark:the}  {mark:di}       with the article of a named thing, alone (the, il) or joined to di, a, da, in or su
//	\{ \} \| \\                 the character itself
//
// A brace that opens none of these is a brace: {from: Ligny} stands as it is.
type sentence []part

// A part is a text or a place.
type part struct {
	text     string // if place is empty
	place    string
	how      manner
	joined   string     // of articled: what the article is joined to; "" is nothing
	branches []sentence // of choose, provided and gendered
}

// A manner tells what is done with a place.
type manner int8

const (
	fill     manner = iota
	fillOr          // lists end in "or"
	fillBare        // lists have commas only
	counted         // how many a list has
	choose          // by number
	provided        // by being there
	gendered        // by the gender that the language gives to what is named
	articled        // with the article that the language gives to what is named
)

// deepest is how far places may stand in places, and phrases in phrases.
const deepest = 32

var errUnclosed = errors.New("a place that was opened with { is not closed")

// parseSentence takes a sentence apart.
func parseSentence(text string) (sentence, error) {
	p := parser{text: text}
	s, err := p.sequence(false, 0)
	if err != nil {
		return nil, fmt.Errorf("at character %d: %w", utf8.RuneCountInString(text[:p.at])+1, err)
	}
	return s, nil
}

type parser struct {
	text string
	at   int
}

// sequence reads up to the end, or in a branch up to the | or } that ends it.
func (p *parser) sequence(branch bool, depth int) (sentence, error) {
	if depth > deepest {
		return nil, errors.New("places stand too deep in places")
	}
	var s sentence
	var plain strings.Builder
	open := 0 // plain braces that wait for their end
	flush := func() {
		if plain.Len() > 0 {
			s = append(s, part{text: plain.String()})
			plain.Reset()
		}
	}
	for p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case c == '\\' && p.at+1 < len(p.text) && strings.IndexByte(`{}|\`, p.text[p.at+1]) >= 0:
			plain.WriteByte(p.text[p.at+1])
			p.at += 2
			continue
		case c == '{':
			start := p.at
			part, err := p.place(depth)
			if err != nil {
				p.at = start
				return nil, err
			}
			if part.place != "" {
				flush()
				s = append(s, part)
				continue
			}
			open++
		case c == '}' && open > 0:
			open--
		case branch && (c == '}' || c == '|' && open == 0):
			flush()
			return s, nil
		}
		plain.WriteByte(c)
		p.at++
	}
	if branch {
		return nil, errUnclosed
	}
	flush()
	return s, nil
}

// place reads a place, or gives none and stays where it is if the brace at hand
// opens none.
func (p *parser) place(depth int) (part, error) {
	end := p.at + 1
	for end < len(p.text) && placeByte(p.text[end]) {
		end++
	}
	name, rest := p.text[p.at+1:end], p.text[end:]
	if name == "" {
		return part{}, nil
	}
	simple := func(manner manner, length int) (part, error) {
		p.at = end + length
		return part{place: name, how: manner}, nil
	}
	switch {
	case strings.HasPrefix(rest, "}"):
		return simple(fill, 1)
	case strings.HasPrefix(rest, ":or}"):
		return simple(fillOr, 4)
	case strings.HasPrefix(rest, ":,}"):
		return simple(fillBare, 3)
	case strings.HasPrefix(rest, ":#}"):
		return simple(counted, 3)
	case strings.HasPrefix(rest, ":"):
		word, _, closed := strings.Cut(rest[1:], "}")
		if _, known := stems[word]; !closed || !known {
			return part{}, nil
		}
		p.at = end + 1 + len(word) + 1
		return part{place: name, how: articled, joined: word}, nil
	case strings.HasPrefix(rest, "|"), strings.HasPrefix(rest, "?"), strings.HasPrefix(rest, "@"):
	default:
		return part{}, nil
	}
	out := part{place: name, how: choose}
	switch rest[0] {
	case '?':
		out.how = provided
	case '@':
		out.how = gendered
	}
	p.at = end
	for p.at == end || p.text[p.at] == '|' {
		p.at++
		branch, err := p.sequence(true, depth+1)
		if err != nil {
			return part{}, err
		}
		out.branches = append(out.branches, branch)
	}
	p.at++ // the closing brace, at which sequence stopped
	switch n := len(out.branches); {
	case out.how == choose && n != 2 && n != 3:
		return part{}, fmt.Errorf("{%s|...} has %d forms, not two or three", name, n)
	case out.how == provided && n > 2:
		return part{}, fmt.Errorf("{%s?...} has %d forms, not one or two", name, n)
	case out.how == gendered && n != 2:
		return part{}, fmt.Errorf("{%s@...} has %d forms, not two", name, n)
	}
	return out, nil
}

func placeByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

// places lists the places that a sentence uses, sorted, each once.
func (s sentence) places() []string {
	var all []string
	for _, p := range s {
		if p.place == "" {
			continue
		}
		all = append(all, p.place)
		for _, b := range p.branches {
			all = append(all, b.places()...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// A voice puts phrases into words of one language.
type voice struct {
	words    *Words
	language string
	spell    Spell
	depth    int
	out      strings.Builder
}

// phrase says a phrase.
func (v *voice) phrase(p phrase.Phrase) {
	s, ok := v.words.find(v.language, p.Code)
	if !ok || v.depth > deepest {
		v.unknown(p)
		return
	}
	v.depth++
	v.sentence(s, p.Args)
	v.depth--
}

func (v *voice) sentence(s sentence, args []phrase.Arg) {
	for i := range s {
		p := &s[i]
		if p.place == "" {
			v.out.WriteString(p.text)
			continue
		}
		var value *phrase.Value
		for j := range args {
			if args[j].Name == p.place {
				value = &args[j].Value
				break
			}
		}
		switch p.how {
		case choose:
			v.sentence(p.branches[plural(value, len(p.branches))], args)
		case counted:
			v.out.WriteString(strconv.Itoa(number(value)))
		case gendered:
			v.sentence(p.branches[v.gender(value)], args)
		case articled:
			v.articled(p, value)
		case provided:
			if filled(value) {
				v.sentence(p.branches[0], args)
			} else if len(p.branches) > 1 {
				v.sentence(p.branches[1], args)
			}
		default:
			if value == nil {
				v.out.WriteString("{" + p.place + "}")
			} else {
				v.value(*value, p.how)
			}
		}
	}
}

// plural chooses a form by number. English and Italian both have one form for
// 1 and one for all other numbers.
func plural(value *phrase.Value, forms int) int {
	switch n := number(value); {
	case forms == 3 && n == 0:
		return 0
	case n == 1 || n == -1:
		return forms - 2
	}
	return forms - 1
}

// number is the number that a place holds; of a list, how many it has; of a single thing, one.
func number(value *phrase.Value) int {
	if value == nil {
		return 0
	}
	switch value.Kind {
	case phrase.KindNumber:
		return value.Num
	case phrase.KindList:
		return len(value.List)
	case phrase.KindLiteral:
		n, _ := strconv.Atoi(value.Text)
		return n
	}
	return 1
}

// GenderKind stands before a kind of named things where their gender is asked, and
// [Masculine] is the answer that chooses the first of two forms.
const (
	GenderKind = "gender."
	Masculine  = "m"
)

// gender chooses a form by the gender of what is named; of what has none, or of no single
// thing, the second.
func (v *voice) gender(value *phrase.Value) int {
	if value != nil && v.spell != nil && v.spell(GenderKind+value.Kind, value.Text, v.language) == Masculine {
		return 0
	}
	return 1
}

// ArticleKind stands before a kind of named things where their article is asked: the, il, lo, la, l', i, gli, le.
// A name that is said without one, as of a town, or of whose article nothing is known, has "".
const ArticleKind = "article."

// stems are the words to which an article may be joined, with what is left of them there; the
// article alone has none. Endings are what is left of the article.
var (
	stems   = map[string]string{"the": "", "il": "", "di": "de", "a": "a", "da": "da", "in": "ne", "su": "su"}
	endings = map[string]string{"il": "l", "lo": "llo", "la": "lla", "l'": "ll'", "i": "i", "gli": "gli", "le": "lle"}
)

// articled says a named thing with its article, joined to a preposition if the place has one: "della fattoria".
func (v *voice) articled(p *part, value *phrase.Value) {
	if value == nil {
		v.out.WriteString("{" + p.place + "}")
		return
	}
	article, stem := "", stems[p.joined]
	if v.spell != nil {
		article = v.spell(ArticleKind+value.Kind, value.Text, v.language)
	}
	ending, italian := endings[article]
	switch {
	case stem != "" && italian:
		article = stem + ending
	case stem != "":
		article = p.joined
	case !italian && article != "the":
		article = ""
	}
	v.out.WriteString(article)
	if article != "" && !strings.HasSuffix(article, "'") {
		v.out.WriteString(" ")
	}
	v.value(*value, fill)
}

// filled tells whether there is anything in a place. A number is always there.
func filled(value *phrase.Value) bool {
	if value == nil {
		return false
	}
	switch value.Kind {
	case phrase.KindNumber:
		return true
	case phrase.KindList:
		return len(value.List) > 0
	case phrase.KindPhrase:
		return value.Say != nil && !value.Say.IsZero()
	}
	return value.Text != ""
}

func (v *voice) value(value phrase.Value, how manner) {
	switch value.Kind {
	case phrase.KindNumber:
		v.out.WriteString(strconv.Itoa(value.Num))
	case phrase.KindLiteral:
		v.out.WriteString(clip(clean(value.Text), longestLiteral))
	case phrase.KindOrders:
		v.out.WriteString(clip(clean(orders.Respell(value.Text, func(word string) string { return v.keyword(value.Kind, word) })), longestLiteral))
	case phrase.KindList:
		v.list(value.List, how)
	case phrase.KindPhrase:
		if value.Say != nil && !value.Say.IsZero() {
			v.phrase(*value.Say)
		}
	case "":
	default:
		name := value.Text
		switch {
		case value.Kind == phrase.KindKeyword, value.Kind == phrase.KindCommand:
			name = v.keyword(value.Kind, name)
		case v.spell != nil:
			name = v.spell(value.Kind, value.Text, v.language)
		}
		v.out.WriteString(clip(clean(name), longestName))
	}
}

// keyword is a keyword in the reader's language: one by itself, or in a piece of an order file.
func (v *voice) keyword(kind, word string) string {
	name := word
	if v.spell != nil {
		name = v.spell(kind, word, v.language)
	}
	if name == word {
		name = orders.Keyword(name, v.language)
	}
	return name
}

// list joins values as the language does. Numbers have commas only, like the
// dice of a roll.
func (v *voice) list(values []phrase.Value, how manner) {
	if v.depth > deepest {
		return
	}
	v.depth++
	defer func() { v.depth-- }()
	if how == fill && !slices.ContainsFunc(values, func(x phrase.Value) bool { return x.Kind != phrase.KindNumber }) {
		how = fillBare
	}
	for i, value := range values {
		switch {
		case i == 0:
		case i < len(values)-1 || how == fillBare:
			v.out.WriteString(", ")
		default:
			sub := voice{words: v.words, language: v.language, spell: v.spell, depth: v.depth}
			sub.value(value, how)
			last := sub.out.String()
			v.out.WriteString(joiner(v.language, how, last))
			v.out.WriteString(last)
			return
		}
		v.value(value, how)
	}
}

// joiner stands before the last of a list. Italian says "ed" before an e.
func joiner(language string, how manner, next string) string {
	italian := language == "it"
	switch {
	case how == fillOr && italian:
		return " o "
	case how == fillOr:
		return " or "
	case italian && next != "" && (next[0] == 'e' || next[0] == 'E'):
		return " ed "
	case italian:
		return " e "
	}
	return " and "
}

// unknown says a phrase that no catalogue has: its code and what it was given.
func (v *voice) unknown(p phrase.Phrase) {
	v.out.WriteString(clip(clean(p.Code), longestName))
	if len(p.Args) == 0 || v.depth > deepest {
		return
	}
	v.depth++
	v.out.WriteString(" [")
	for i, a := range p.Args {
		if i > 0 {
			v.out.WriteString(", ")
		}
		v.out.WriteString(clip(clean(a.Name), longestName) + ": ")
		v.value(a.Value, fill)
	}
	v.out.WriteString("]")
	v.depth--
}

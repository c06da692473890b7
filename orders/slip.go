package orders

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"berthier/orders/phrase"
)

// A slip is taken where it has one reading only, by a reader that mends ([Reader.Mends]).
// Whatever was read so is told: see [Repair].

// repair notes that something was read otherwise than it was written.
func (r *Reader) repair(n *Node, kind, was, is, code string) {
	r.Repairs = append(r.Repairs, Repair{Line: n.Line, Column: n.Column, Kind: kind, Was: was, ReadAs: is, Why: phrase.Say(code)})
}

// Repaired adds what a reader of the file has read otherwise than it was written. A file may
// be read more than once: each repair is told once.
func (d *Document) Repaired(repairs []Repair) {
	for _, r := range repairs {
		if r.Was != r.ReadAs && !d.knows(r) {
			d.Repairs = append(d.Repairs, r)
		}
	}
}

func (d *Document) knows(r Repair) bool {
	for _, old := range d.Repairs {
		if old.Line == r.Line && old.Column == r.Column && old.Was == r.Was && old.ReadAs == r.ReadAs {
			return true
		}
	}
	return false
}

// meant finds the choice that a name can only mean although it is not spelt like any:
// F3 is F-03, "F-07 Quiot" is F-07, Charleroy is Charleroi.
func (r *Reader) meant(n *Node, kind, text string, choices []Choice) (string, bool) {
	if !r.Mends {
		return "", false
	}
	if id, ok := withName(text, choices); ok {
		return id, true
	}
	if id, ok := numbered(text, choices); ok {
		r.repair(n, "", text, id, "order.repair-number")
		return id, true
	}
	var spellings []string
	var ids []string
	for _, c := range choices {
		for _, s := range append(c.Names, c.ID) {
			spellings, ids = append(spellings, s), append(ids, c.ID)
		}
	}
	i := onlyNear(text, spellings, ids)
	if i < 0 {
		return "", false
	}
	r.repair(n, kind, text, spellings[i], "order.repair-spelling")
	return ids[i], true
}

// word finds the keyword that a misspelt word can only mean, unless it is taken already.
func (r *Reader) word(n *Node, allowed []string, taken map[string]*Node) (string, bool) {
	if !r.Mends || n == nil {
		return "", false
	}
	var spellings, keys []string
	for _, key := range allowed {
		for _, s := range r.words.Spellings(key) {
			spellings, keys = append(spellings, s), append(keys, key)
		}
	}
	i := onlyNear(n.Text, spellings, keys)
	if i < 0 || taken[keys[i]] != nil {
		return "", false
	}
	r.repair(n, "", n.Text, spellings[i], "order.repair-spelling")
	return keys[i], true
}

// withName finds the choice of a text that is its id and its name: "F-07 Quiot".
func withName(text string, choices []Choice) (string, bool) {
	id, name, ok := strings.Cut(strings.TrimSpace(text), " ")
	if name = Fold(name); !ok || name == "" {
		return "", false
	}
	for _, c := range choices {
		if Fold(c.ID) != Fold(id) {
			continue
		}
		for _, known := range c.Names {
			if strings.HasPrefix(Fold(known), name) {
				return c.ID, true
			}
		}
	}
	return "", false
}

// numbered finds the one choice whose id differs from a text in nothing but zeros in front
// of a number.
func numbered(text string, choices []Choice) (string, bool) {
	key, found := plainNumbers(text), ""
	if key == "" {
		return "", false
	}
	for _, c := range choices {
		if plainNumbers(c.ID) != key || c.ID == found {
			continue
		}
		if found != "" {
			return "", false
		}
		found = c.ID
	}
	return found, found != ""
}

// plainNumbers is a folded text without zeros in front of its numbers; "" if it has no
// number.
func plainNumbers(text string) string {
	var b strings.Builder
	inside, numbers := false, false
	folded := Fold(text)
	for i := 0; i < len(folded); i++ {
		c := folded[i]
		isDigit := c >= '0' && c <= '9'
		if c == '0' && !inside && i+1 < len(folded) && folded[i+1] >= '0' && folded[i+1] <= '9' {
			continue
		}
		inside, numbers = isDigit, numbers || isDigit
		b.WriteByte(c)
	}
	if !numbers {
		return ""
	}
	return b.String()
}

// onlyNear finds the spelling that a misspelt text can only mean, -1 if there is none: one
// letter is wrong, of eight and more two, and nothing else is nearly as near. Of things
// names that differ are one if their ids are the same. What has a figure in it, or is
// short, is never guessed.
func onlyNear(text string, spellings, ids []string) int {
	folded := Fold(text)
	length := utf8.RuneCountInString(folded)
	if length < 4 || length > 60 || strings.ContainsFunc(folded, unicode.IsDigit) {
		return -1
	}
	limit := 1
	if length >= 8 {
		limit = 2
	}
	const far = 99
	best, at, second := limit+1, -1, far
	for i, s := range spellings {
		other := Fold(s)
		if d := len(other) - len(folded); d > 4*limit || -d > 4*limit {
			continue
		}
		d := editDistance(folded, other)
		switch {
		case at >= 0 && ids[i] == ids[at]:
			if d < best {
				best, at = d, i
			}
		case d < best && at < 0:
			best, at = d, i
		case d < best:
			best, at, second = d, i, best
		case d < second:
			second = d
		}
	}
	if at < 0 || best > limit || second <= best+1 {
		return -1
	}
	return at
}

// mostInRange is how many things a range names at most.
const mostInRange = 60

// spread gives the items of a list as they are meant: names without brackets or commas
// between them, and F-01..F-06 for all from the one to the other. A list that is one item
// alone has no brackets.
func (r *Reader) spread(items []*Node, alone bool) []*Node {
	var out []*Node
	for i, item := range items {
		parts := r.parts(item, alone)
		if parts == nil {
			if out != nil {
				out = append(out, item)
			}
			continue
		}
		if out == nil {
			out = append(out, items[:i]...)
		}
		out = append(out, parts...)
	}
	if out == nil {
		return items
	}
	return out
}

// parts takes a scalar apart that stands for several; nil if it is one.
func (r *Reader) parts(n *Node, alone bool) []*Node {
	if !r.Mends || n == nil || n.Kind != Scalar || n.Null || len(n.Text) > 2000 {
		return nil
	}
	words := apart(n.Text)
	var out []*Node
	for _, w := range words {
		if ids := ranged(w.text); ids != nil {
			for _, id := range ids {
				out = append(out, &Node{Text: id, Line: n.Line, Column: n.Column + w.at})
			}
			continue
		}
		out = append(out, &Node{Text: w.text, Line: n.Line, Column: n.Column + w.at})
	}
	if len(out) < 2 {
		return nil
	}
	if len(words) > 1 {
		all := make([]string, len(words))
		for i, w := range words {
			all[i] = w.text
		}
		is := strings.Join(all, ", ")
		if alone {
			is = "[" + is + "]"
		}
		r.repair(n, "", n.Text, is, "order.repair-list")
	}
	return out
}

// A wordAt is a piece of a text: what it is, and how many signs stand before it.
type wordAt struct {
	text string
	at   int
}

// apart takes a text apart at its commas; a piece that is nothing but ids also between them.
func apart(text string) []wordAt {
	var out []wordAt
	at, from, start := 0, 0, 0 // signs before the present one; where the piece begins, in signs and bytes
	piece := func(end int) {
		body := strings.TrimLeft(text[start:end], " ")
		lead := end - start - len(body)
		if body = strings.TrimRight(body, " "); body != "" {
			out = append(out, byIDs(body, from+lead)...)
		}
	}
	for i, c := range text {
		if c == ',' || c == ';' || c == '&' || c == '+' {
			piece(i)
			start, from = i+1, at+1
		}
		at++
	}
	piece(len(text))
	return out
}

// byIDs takes a text apart between its words if all of them are ids: they have figures.
func byIDs(text string, at int) []wordAt {
	words := strings.Fields(text)
	ids := 0
	for _, w := range words {
		switch {
		case strings.ContainsFunc(w, unicode.IsDigit):
			ids++
		case w != "and" && w != "e":
			return []wordAt{{text, at}}
		}
	}
	if ids < 2 {
		return []wordAt{{text, at}}
	}
	var out []wordAt
	from := 0
	for _, w := range words {
		i := from + strings.Index(text[from:], w)
		if strings.ContainsFunc(w, unicode.IsDigit) {
			out = append(out, wordAt{w, at + utf8.RuneCountInString(text[:i])})
		}
		from = i + len(w)
	}
	return out
}

// ranged gives the ids from one to another, "F-01..F-06"; nil if that is not what the text
// says.
func ranged(text string) []string {
	first, last, ok := strings.Cut(text, "..")
	if !ok {
		return nil
	}
	first, last = strings.TrimSpace(first), strings.TrimSpace(last)
	head, low, width := lastNumber(first)
	other, high, _ := lastNumber(last)
	if width == 0 || low > high || high-low >= mostInRange || other != "" && Fold(other) != Fold(head) {
		return nil
	}
	if n := len(last) - len(other); n == 0 {
		return nil
	}
	var ids []string
	for i := low; i <= high; i++ {
		digits := strings.Repeat("0", width) + strconv.Itoa(i)
		cut := width
		if n := len(strconv.Itoa(i)); n > cut {
			cut = n
		}
		ids = append(ids, head+digits[len(digits)-cut:])
	}
	return ids
}

// lastNumber takes the number at the end of an id off it, and tells how many figures it has;
// none, if the id does not end in a number of at most four figures.
func lastNumber(id string) (head string, number, width int) {
	for width < len(id) && id[len(id)-1-width] >= '0' && id[len(id)-1-width] <= '9' {
		width++
	}
	if width > 4 {
		return id, 0, 0
	}
	for _, c := range id[len(id)-width:] {
		number = number*10 + int(c-'0')
	}
	return id[:len(id)-width], number, width
}

// fixWord says which keyword a misspelt one can only mean, as the one remedy of the fault
// that was just noted.
func (r *Reader) fixWord(n *Node, allowed []string, taken map[string]*Node) {
	if n.Kind == Broken || n.Line == 0 || len(r.Problems) == 0 {
		return
	}
	guess := &Reader{words: r.words, Mends: true}
	if _, ok := guess.word(n, allowed, taken); ok {
		r.Problems[len(r.Problems)-1].Fix = &Fix{Line: n.Line, From: n.Column, To: n.Column + utf8.RuneCountInString(n.Text), Text: guess.Repairs[0].ReadAs}
	}
}

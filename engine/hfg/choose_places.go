package hfg

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders"
)

// What may be chosen of the places that orders name: a word, then the numbers that it wants, one after the other. While
// some are open, the text of the place lacks them.

// A siteForm is how places of one form are written: [5616, 4530.25], behind kempt 100, K4+150+80.
type siteForm struct {
	word string   // which form, as it is chosen
	head string   // what stands before the numbers
	keys []string // what the numbers are, as they are chosen
	most []int
}

// The text of a point of which no number is said yet, and of a place of which not even its form is.
const (
	openPlace = "["
	anyPlace  = "[["
)

// aPoint is a point of the map: its numbers are hundredths of a pace.
var aPoint = siteForm{"point", openPlace, []string{"x", "y"}, []int{reach - 1, reach - 1}}

// siteFormOf gives the form of a place, from its text, and the numbers that are said.
func siteFormOf(text string) (siteForm, []int) {
	words := strings.Fields(text)
	numbers := func(p siteForm, texts ...string) (siteForm, []int) {
		var all []int
		for _, t := range texts {
			if n, err := strconv.Atoi(t); err == nil {
				all = append(all, n)
			}
		}
		return p, all
	}
	switch {
	case strings.HasPrefix(text, openPlace):
		p := aPoint
		var all []int
		for _, t := range strings.Split(strings.Trim(text, "[]"), ",") {
			if n, ok := scale.ReadLength(orders.NewReader(vocabulary), orders.Text(strings.TrimSpace(t))); ok && strings.TrimSpace(t) != "" {
				all = append(all, int(n))
			}
		}
		return p, all
	case len(words) >= 2 && words[0] == "behind":
		return numbers(siteForm{"behind " + words[1], "behind " + words[1], []string{"paces"}, []int{mostFar}}, words[2:]...)
	case len(words) >= 3 && words[0] == "beside":
		head := strings.Join(words[:3], " ")
		return numbers(siteForm{head, head, []string{"paces"}, []int{mostFar}}, words[3:]...)
	case len(words) >= 2 && words[0] == "road":
		return numbers(siteForm{"road " + words[1], "road " + words[1], []string{"along"}, []int{100 * mostFar}}, words[2:]...)
	case len(words) == 1 && strings.Contains(text, "+"):
		parts := strings.Split(text, "+")
		return numbers(siteForm{parts[0] + "+", parts[0] + "+", []string{"east", "north"}, []int{gridStep, gridStep}}, parts[1:]...)
	}
	return siteForm{word: text, head: text}, nil
}

// text writes a place with some of its numbers.
func (p *siteForm) text(numbers ...int) string {
	var b strings.Builder
	b.WriteString(p.head)
	for i, n := range numbers {
		switch {
		case p.head == openPlace && i > 0:
			b.WriteString(", ")
		case p.head == openPlace, strings.HasSuffix(p.head, "+") && i == 0:
		case strings.HasSuffix(p.head, "+"):
			b.WriteString("+")
		default:
			b.WriteString(" ")
		}
		if p.head == openPlace {
			b.WriteString(geometry.WriteLength(int64(n), scale.Decimals))
		} else {
			b.WriteString(strconv.Itoa(n))
		}
	}
	if p.head == openPlace && len(numbers) == len(p.keys) {
		b.WriteString("]")
	}
	return b.String()
}

// least is the smallest number that may stand at a place's i-th number.
func (p *siteForm) least() int {
	if p.head == openPlace {
		return 1 - reach
	}
	return 0
}

// openText says whether a place lacks something.
func openText(text string) bool {
	p, numbers := siteFormOf(text)
	return len(numbers) < len(p.keys)
}

// placings lists the forms that may be named, those with numbers without any of them.
func (w *turnWorld) placings(yield func(string) bool) {
	g := w.board
	try := func(texts ...string) bool {
		for _, t := range texts {
			if !yield(t) {
				return false
			}
		}
		return true
	}
	if !try(openPlace) {
		return
	}
	var seen []string
	once := func(text string) bool {
		if slices.Contains(seen, text) {
			return true
		}
		seen = append(seen, text)
		return yield(text)
	}
	for i := range g.places {
		if !once(g.places[i].id) || g.places[i].name != "" && !once(g.places[i].name) {
			return
		}
	}
	for i := range g.lines {
		if !try("road " + g.lines[i].id) {
			return
		}
	}
	for i := range g.areas {
		if id := g.areas[i].id; !once(id) {
			return
		}
	}
	for _, e := range g.standing() {
		if !once(g.def(e).id) {
			return
		}
	}
	for i := range g.areas {
		for _, side := range edgeSides {
			if g.areas[i].square() && !once(side+" of "+g.areas[i].id) {
				return
			}
		}
	}
	for _, e := range g.standing() {
		id := g.def(e).id
		for _, side := range edgeSides {
			if !once(side + " of " + id) {
				return
			}
		}
		if !try("behind "+id, "beside "+id+" left", "beside "+id+" right") {
			return
		}
	}
	for x := int64(0); x*gridStep*pace <= g.size.X && x < 26; x++ {
		for y := int64(0); y*gridStep*pace <= g.size.Y; y++ {
			if id := string(rune('A'+x)) + strconv.FormatInt(y+1, 10); !once(id) || !try(id+"+") {
				return
			}
		}
	}
}

// completed gives a place with the numbers that are open: of a point those of the element itself, else the least.
func (w *turnWorld) completed(text string, e elementID) string {
	p, numbers := siteFormOf(text)
	at := w.board.body(e).At
	for i := len(numbers); i < len(p.keys); i++ {
		n := 0
		if p.head == openPlace {
			n = int([2]int64{at.X, at.Y}[i])
		}
		numbers = append(numbers, n)
	}
	if len(p.keys) == 0 {
		return text
	}
	return p.text(numbers...)
}

// saidOf lists what a place says: its form, then its numbers.
func saidOf(text string) []engine.Choice {
	if text == "" || text == anyPlace {
		return nil
	}
	p, numbers := siteFormOf(text)
	all := []engine.Choice{{What: p.word}}
	for i, n := range numbers {
		all = append(all, engine.Choice{What: p.keys[i], Measure: true, Value: n})
	}
	return all
}

// nextOf gives what may be said next of a place of which something is said.
func (w *turnWorld) nextOf(text string) iter.Seq[play.Span[string]] {
	return func(yield func(play.Span[string]) bool) {
		p, numbers := siteFormOf(text)
		i := len(numbers)
		if i == len(p.keys) {
			return
		}
		most := p.most[i]
		if strings.HasSuffix(p.head, "+") { // within the field
			at, _ := w.board.gridPoint(strings.TrimSuffix(p.head, "+"))
			most = min(most, int([2]int64{w.board.size.X - at.X, w.board.size.Y - at.Y}[i]/pace))
		}
		yield(play.Span[string]{Value: p.text(append(slices.Clone(numbers), p.least())...), Low: p.least(), High: most})
	}
}

// numbered is a place whose last number is another.
func numbered(text string, n int) string {
	p, numbers := siteFormOf(text)
	numbers[len(numbers)-1] = n
	return p.text(numbers...)
}

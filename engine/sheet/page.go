package sheet

import (
	"berthier/engine"
	"berthier/orders/phrase"
)

// A Page is a page in the making.
type Page struct{ engine.Page }

// Add puts sections below those that there are.
func (p *Page) Add(all ...engine.Section) { p.Sections = append(p.Sections, all...) }

// May adds a section if there is one to show.
func (p *Page) May(s engine.Section, shown bool) {
	if shown {
		p.Add(s)
	}
}

// Lines is a section that puts each of some texts into a sentence, at the given place,
// and tells whether there are any texts.
func Lines(heading, sentence, place string, texts []string) (engine.Section, bool) {
	s := engine.Section{Heading: phrase.Say(heading)}
	for _, text := range texts {
		s.Lines = append(s.Lines, phrase.Say(sentence, phrase.Literal(place, text)))
	}
	return s, len(texts) > 0
}

// Words is the head of a column that holds words.
func Words(head string) engine.Column { return engine.Column{Head: phrase.Say(head)} }

// Numbers is the head of a column that holds numbers.
func Numbers(head string) engine.Column { return engine.Column{Head: phrase.Say(head), Right: true} }

// Quiet is the head of a column of whose changes reports don't tell.
func Quiet(c engine.Column) engine.Column {
	c.Quiet = true
	return c
}

// Text is a value that is written as it stands.
func Text(text string) phrase.Value { return phrase.Value{Kind: phrase.KindLiteral, Text: text} }

// Number is a value that is a number.
func Number(n int) phrase.Value { return phrase.Value{Kind: phrase.KindNumber, Num: n} }

// Name is a value that names a thing of the game by its id.
func Name(kind, id string) phrase.Value { return phrase.Value{Kind: kind, Text: id} }

// Said is a value that is a phrase, such as the title of a page in its picture.
func Said(p phrase.Phrase) phrase.Value { return phrase.Value{Kind: phrase.KindPhrase, Say: &p} }

// Phrase is a value that is a sentence or a part of one.
func Phrase(code string, args ...phrase.Arg) phrase.Value { return Said(phrase.Say(code, args...)) }

// List is a value that lists values.
func List(values ...phrase.Value) phrase.Value {
	return phrase.Value{Kind: phrase.KindList, List: values}
}

// Filled gives a value for a place of a sentence.
func Filled(place string, v phrase.Value) phrase.Arg { return phrase.Arg{Name: place, Value: v} }

// Notes are remarks that stand in one cell of a table, such as the marks of a unit.
type Notes []phrase.Value

// Add adds a remark.
func (n *Notes) Add(v phrase.Value) { *n = append(*n, v) }

// If adds a remark if yes is true.
func (n *Notes) If(yes bool, code string) {
	if yes {
		n.Add(Phrase(code))
	}
}

// Cell lists the remarks; without any remark the cell is empty.
func (n Notes) Cell() phrase.Value {
	if len(n) == 0 {
		return phrase.Value{}
	}
	return List(n...)
}

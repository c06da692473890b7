package engine

import (
	"strings"
	"unicode"
)

// A Clause is one rule or ruling of a ruleset's digest.
type Clause struct {
	ID      string // "NAP-5.5"
	Chapter string // the heading under which it stands
	Text    string // plain text, in the language of the digest
}

// A Documented ruleset carries its digest of the rules: the text of the clauses that
// its rulings and refusals name.
type Documented interface {
	// Clauses lists the clauses in the order of the digest.
	Clauses() []Clause
}

// A Glossed ruleset has a glossary in its digest: its terms beside the words of the printed rulebook,
// for those who read the rulebook in its own language.
type Glossed interface {
	// Glossary lists the terms in the order of the digest.
	Glossary() []Term
}

// A Term is a row of a glossary.
type Term struct {
	Printed string // as the printed rulebook has it: "in disordine, confuso"
	Said    string // as clauses and reports in the language of the digest have it: "disordered"
}

// glossaryHeading is the chapter of a digest that has its glossary.
const glossaryHeading = "2. Glossary"

// ReadGlossary finds the terms of a digest in Markdown: the rows of the tables of its chapter
// "2. Glossary", with a word of the rulebook and the term in each two cells, or in the first two
// of three.
func ReadGlossary(markdown string) []Term {
	var all []Term
	open := false
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "#") {
			open = strings.TrimSpace(strings.TrimLeft(line, "#")) == glossaryHeading
		}
		if !open || !strings.HasPrefix(line, "|") {
			continue
		}
		cells := rowCells(line)
		if strings.Trim(strings.Join(cells, ""), "-: ") == "" { // the line below the head
			all = nil
			continue
		}
		for i := 0; i+1 < len(cells); i += 3 { // the third is a note or empty
			if cells[i] != "" && cells[i+1] != "" {
				all = append(all, Term{Printed: cells[i], Said: cells[i+1]})
			}
		}
	}
	return all
}

// In tells whether a text in the language of the digest uses the term: one of the words or turns of
// which its row lists several.
func (t Term) In(text string) bool {
	text = " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), notOfWord), " ") + " "
	for _, one := range strings.FieldsFunc(strings.ToLower(t.Said), func(c rune) bool { return strings.ContainsRune(",;/():", c) }) {
		words := strings.Join(strings.FieldsFunc(one, notOfWord), " ")
		if len(words) >= shortestTerm && (strings.Contains(text, " "+words+" ") || strings.Contains(text, " "+words+"s ")) {
			return true
		}
	}
	return false
}

// shortestTerm is how many letters a term has at least that is looked for.
const shortestTerm = 3

func notOfWord(c rune) bool { return !unicode.IsLetter(c) && c != '-' }

// ReadClauses finds the clauses of a digest in Markdown: items of lists that
// begin with a clause's ID in bold, and rows of tables whose first cell is an
// ID. IDs begin with the prefix, such as "NAP-".
func ReadClauses(markdown, prefix string) []Clause {
	var all []Clause
	chapter := ""
	var head []string
	open := false // a line without a mark goes on with the clause before
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "#"):
			chapter, head, open = strings.TrimSpace(strings.TrimLeft(line, "#")), nil, false
		case strings.HasPrefix(line, "- **"+prefix):
			id, text, ok := strings.Cut(strings.TrimPrefix(line, "- **"), "**")
			if open = ok; ok {
				all = append(all, Clause{ID: id, Chapter: chapter, Text: plainText(text)})
			}
		case strings.HasPrefix(line, "|"):
			cells := rowCells(line)
			open = false
			switch {
			case len(cells) > 0 && strings.HasPrefix(cells[0], prefix):
				all = append(all, Clause{ID: cells[0], Chapter: chapter, Text: rowText(head, cells)})
			case len(cells) > 0 && strings.Trim(cells[0], "-: ") != "":
				head = cells
			}
		case open && strings.HasPrefix(line, "  "):
			last := &all[len(all)-1]
			last.Text += " " + plainText(line)
		default:
			open = false
		}
	}
	return all
}

// FindClauses gives the clauses that a reader means by an ID, written with or
// without its prefix, in either case: the one of that ID, or all that begin with
// it and go on at a point or a letter, as 6.3 does in 6.30 or 7.4 in 7.4b.
func FindClauses(all []Clause, id string) []Clause {
	id = strings.ToLower(strings.Trim(id, " []"))
	var begin []Clause
	for _, c := range all {
		have := strings.ToLower(c.ID)
		_, bare, _ := strings.Cut(have, "-")
		for _, one := range [2]string{have, bare} {
			if one == id {
				return []Clause{c}
			}
		}
		if id != "" && (strings.HasPrefix(have, id) || strings.HasPrefix(bare, id)) {
			begin = append(begin, c)
		}
	}
	return begin
}

func rowCells(line string) []string {
	cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
	for i, c := range cells {
		cells[i] = plainText(c)
	}
	return cells
}

// rowText writes a row as sentences: "Question: …. Ruling: …."
func rowText(head, cells []string) string {
	var parts []string
	for i, c := range cells {
		if i == 0 || c == "" || c == "-" {
			continue
		}
		if i < len(head) {
			c = head[i] + ": " + c
		}
		parts = append(parts, c)
	}
	return strings.Join(parts, ". ")
}

// plainText takes the marks of Markdown off a line.
func plainText(text string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("**", "", "*[", "[", "]*", "]", "`", "", `\|`, "|").Replace(text)), " ")
}

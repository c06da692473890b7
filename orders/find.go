package orders

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"berthier/orders/phrase"
)

// PartKind tells what a part of a letter is.
type PartKind int

// Kinds of parts.
const (
	Plain PartKind = iota // text as it was written
	HTML                  // a text made of HTML
	File                  // an attachment
)

// A Part is a piece of a letter as text.
type Part struct {
	Kind PartKind
	Name string // of an attachment
	Text string // empty for an attachment that is no text
}

// How tells in what form an order file was found.
type How int

// Forms of order files in letters.
const (
	Bare     How = iota // lines of the letter that look like one
	Fenced              // between lines of ```
	Marked              // between the marks of the template
	Attached            // a file of its own
)

// Found is an order file in a letter.
type Found struct {
	Text      string
	How       How
	Kind      PartKind // of the part it was found in
	Name      string   // of the attachment
	Line      int      // of the part's text at which it starts, from 1
	Quoted    bool     // it stands in what the letter quotes
	Untouched bool     // it is the template as it was sent
	Others    []Found  // those that contradict it, if the letter has several
	Letter    Reply    // [ReplyA] or [ReplyB], if its mark names it so
	Reply     Reply    // the word with which the letter answers; "" if it is the file alone

	depth int
	keys  map[string]bool
	taken *Repair // the head that was taken from the file below it; nil if it has its own
}

// longestPart is how much of a part is looked through. No letter of a player is
// longer.
const longestPart = 256 << 10

// mostFound is how many order files of a letter are compared.
const mostFound = 20

// Find looks for the order file in a letter. The parts come in the letter's
// order.
//
// What the sender wrote himself goes before what he quotes, and what was filled
// in goes before what was left as it was sent: so a new file beats the quoted
// template, and a template that was filled in inside the quote counts if there
// is nothing else. A template that is only quoted counts for nothing, unless the
// sender's own words begin with one that answers it ([Reply]), or are a file without a head,
// which it then takes from there. If two
// different files have the same claim, neither is taken, and the problem says
// where they are; Found then has both, one of them in Others.
func Find(parts []Part) (Found, Problems) {
	var all []Found
	var names []string // of attachments that can't be read
	written, texts := false, textsOf(parts)
	for _, kind := range []PartKind{File, Plain, HTML} {
		if kind == HTML && len(all) > 0 {
			break // it says the same as the plain text
		}
		for i := range texts {
			part := &texts[i]
			if part.Kind != kind {
				continue
			}
			if kind != File && strings.TrimSpace(part.Text) != "" {
				written = true
			}
			found := part.candidates()
			if kind == File && len(found) == 0 && part.Name != "" && !decoration(part.Name) {
				names = append(names, part.Name)
			}
			all = append(all, found...)
		}
	}
	best := choose(all)
	if word, alone := replyOf(texts); word != "" {
		return word.answered(best, alone)
	}
	switch {
	case len(best) == 0:
		if n := likely(texts); n > 0 {
			return Found{}, Problems{lacking(n)}
		}
		return Found{}, Problems{nothing(names, written)}
	case best[0].Quoted && best[0].Untouched:
		return best[0], Problems{untouched(best)}
	}
	f, problems := only(best)
	if len(problems) == 0 {
		f = f.headed(all)
	}
	return f, problems
}

// untouched says that a letter quotes a file as it was sent, and not a word besides.
func untouched(best []Found) Problem {
	p, f := Problem{Why: phrase.Say("order.untouched")}, best[0]
	switch {
	case f.Letter != "":
		p.Remedy = phrase.Say("order.reply-letter", lettersOf(best))
	case f.keys["command"] || !f.keys["stop"]:
		p.Remedy = phrase.Say("order.fill-in")
	default:
		p.Remedy = phrase.Say("order.untouched-ok")
	}
	return p
}

// Parse reads the file that was found, with the word that answers it.
func (f Found) Parse(words *Words) (*Document, Problems) {
	d, problems := Parse(f.Text, words)
	if d.Reply = f.Reply; f.Reply == ReplyOK {
		d.Now = true
	}
	if f.taken != nil {
		d.Repairs = append([]Repair{*f.taken}, d.Repairs...)
	}
	return d, problems
}

// only is the first of several files, if all others say the same.
func only(best []Found) (Found, Problems) {
	f := best[0]
	same := sameAs(f)
	for _, other := range best[1:min(len(best), mostFound)] {
		if !same(other) {
			f.Others = append(f.Others, other)
		}
	}
	if len(f.Others) > 0 {
		return f, Problems{{Why: phrase.Say("order.two-files", phrase.Within("first", f.where()), phrase.Within("second", f.Others[0].where())),
			Remedy: phrase.Say("order.send-one")}}
	}
	return f, nil
}

// sameAs gives a function that tells whether other files say the same as one file. It
// reads that file once at most, so that many files cost no more than their length.
func sameAs(a Found) func(b Found) bool {
	mark := sum(a.Text)
	first := sync.OnceValues(func() (*Document, Problems) { return Parse(a.Text, nil) })
	return func(b Found) bool {
		if mark == sum(b.Text) {
			return true
		}
		x, problems := first()
		if len(problems) > 0 {
			return false
		}
		y, problems := Parse(b.Text, nil)
		return len(problems) == 0 && Equal(x.Root, y.Root)
	}
}

// decoration tells whether an attachment is one that mail programs add.
func decoration(name string) bool {
	name = strings.ToLower(name)
	for _, end := range []string{".p7s", ".asc", ".sig", ".vcf", ".ics", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".dat", ".eml"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// nothing says why no order file was found, and what to do.
func nothing(names []string, written bool) Problem {
	switch {
	case len(names) > 0:
		return Problem{Why: phrase.Say("order.no-file-attached", phrase.Literals("names", names)), Remedy: phrase.Say("order.how-to-send")}
	case !written:
		return Problem{Why: phrase.Say("order.empty-letter"), Remedy: phrase.Say("order.how-to-send")}
	default:
		return Problem{Why: phrase.Say("order.no-file"), Remedy: phrase.Say("order.how-to-send")}
	}
}

// where says where in the letter a file stands.
func (f Found) where() phrase.Phrase {
	switch {
	case f.How == Attached && f.Name != "":
		return phrase.Say("order.where-attached", phrase.Literal("name", f.Name))
	case f.Quoted:
		return phrase.Say("order.where-quoted", phrase.Number("line", f.Line))
	default:
		return phrase.Say("order.where-text", phrase.Number("line", f.Line))
	}
}

// choose keeps the candidates with the best claim, the surest form first.
func choose(all []Found) []Found {
	strong, marked := false, false
	for _, f := range all {
		strong, marked = strong || f.strong(), marked || f.How == Marked
	}
	best, claim := []Found(nil), -1
	for _, f := range all {
		if !f.strong() && (strong || f.Quoted) {
			continue // lines of a report that speak of a game and a side
		}
		if marked && f.How == Bare && f.Quoted {
			continue // what is quoted around the marks is others' words, who may mean ill
		}
		switch c := f.claim(); {
		case c > claim:
			best, claim = []Found{f}, c
		case c == claim && f.How > best[0].How:
			best = append([]Found{f}, best...)
		case c == claim:
			best = append(best, f)
		}
	}
	return best
}

// claim orders candidates: the sender's own before quoted ones, the less deeply quoted
// before the others, and what was filled in before what was not.
func (f Found) claim() int {
	switch {
	case !f.Quoted && !f.Untouched:
		return 1000
	case !f.Untouched:
		return 900 - min(f.depth, 100)
	case !f.Quoted:
		return 500
	default:
		return 400 - min(f.depth, 100)
	}
}

// strong tells whether a candidate says anything, and does not only name a game.
// The head of an order file is enough: its orders may be misspelt, and then the
// sender must hear of that, not of the report he quotes.
func (f Found) strong() bool {
	head := 0
	for _, key := range []string{"game", "side", "stop", "key", "serial"} {
		if f.keys[key] {
			head++
		}
	}
	return f.How == Attached || f.How == Marked || head >= 3 || f.says() || f.keys["command"]
}

// says tells whether a candidate has one of the keys under which something is ordered.
func (f Found) says() bool {
	return slices.ContainsFunc(Bodies, func(key string) bool { return f.keys[key] })
}

// String says what was found, for logs and tests.
func (f Found) String() string {
	how := [...]string{"bare", "fenced", "marked", "attached"}[f.How]
	if f.Quoted {
		how += " quoted"
	}
	if f.Untouched {
		how += " untouched"
	}
	if f.Kind == HTML {
		how += " html"
	}
	return fmt.Sprintf("%s line %d %s", how, f.Line, f.Name)
}

// A partText is a part of a letter that is taken apart into lines once, when they are first
// needed.
type partText struct {
	Part
	apart []letterLine
}

// textsOf gives the parts of a letter, no more of each than is looked through.
func textsOf(parts []Part) []partText {
	texts := make([]partText, len(parts))
	for i, p := range parts {
		p.Text = p.Text[:min(len(p.Text), longestPart)]
		texts[i].Part = p
	}
	return texts
}

// text is what is read of a part.
func (p Part) text() string { return strings.TrimPrefix(lineBreaks.Replace(p.Text), "\ufeff") }

// lines takes the part apart.
func (p *partText) lines() []letterLine {
	if p.apart == nil {
		p.apart = linesOf(p.text(), common)
	}
	return p.apart
}

// candidates finds everything in a part that may be an order file.
func (part *partText) candidates() []Found {
	if part.Kind == File {
		name := strings.ToLower(strings.TrimSpace(part.Name))
		yaml := strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
		if !yaml && !strings.HasSuffix(name, ".txt") || strings.TrimSpace(part.text()) == "" {
			return nil
		}
		lines := part.lines()
		if f, ok := wholeFile(lines, yaml); ok {
			f.Name = part.Name
			return []Found{f}
		}
		found := search(lines, common)
		for i := range found {
			found[i].How, found[i].Kind, found[i].Name = Attached, File, part.Name
		}
		return found
	}
	found := search(part.lines(), common)
	for i := range found {
		found[i].Kind = part.Kind
	}
	return found
}

// wholeFile takes an attachment for an order file from its first line to its
// last, if it is one by its name and holds no marks or fences, or starts as one.
func wholeFile(lines []letterLine, yaml bool) (Found, bool) {
	starts, begun := false, false
	for _, r := range lines {
		switch r.kind {
		case fenceLine:
			return Found{}, false
		case beginLine, endLine:
			if r.marks > 0 {
				return Found{}, false
			}
		case blankLine, commentLine:
		default:
			if !begun {
				begun, starts = true, r.kind == keyLine && r.marks == 0
			}
		}
	}
	if !yaml && !starts {
		return Found{}, false
	}
	f := Found{How: Attached, Kind: File, Line: 1, keys: map[string]bool{}}
	var inside []string
	framed, want := false, ""
	all := make([]string, len(lines))
	for i, r := range lines {
		all[i] = r.raw
		switch {
		case r.kind == beginLine:
			framed = true
			want, f.Letter, _ = beginMark(r.text)
			inside = nil
		case r.kind == endLine && framed:
			framed = false
			f.Untouched = want != "" && want == sum(strings.Join(inside, "\n"))
		default:
			inside = append(inside, r.raw)
		}
		if r.kind == keyLine {
			f.keys[r.key] = true
		}
	}
	f.Text = strings.Join(all, "\n")
	return f, true
}

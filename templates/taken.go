package templates

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Taken is what a report tells of the file of its reader with which a stop was resolved.
type Taken struct {
	Stop     int           // as the reader's side counts
	About    phrase.Phrase // what was asked there
	Set      Set
	Normal   *orders.Node // what was understood
	Replaces *orders.Node // normal form of the file that it replaced, or nil
	Differ   []phrase.Phrase
	Repairs  []orders.Repair
	Cautions []engine.Caution
	Remarks  []phrase.Phrase // what came of other letters of his
}

// Bounds of what a report repeats of a file: all of it is attached.
const (
	longestTaken = 110
	mostReadAs   = 3
)

// taken puts in two lines what came of a file, and attaches it in normal form.
func (s *sheet) taken(k *Taken) {
	if k == nil {
		return
	}
	name := fileName(s.head.Game) + "-stop" + strconv.Itoa(k.Stop) + "-set" + strconv.Itoa(k.Set.Number) + ".txt"
	said, more := s.inShort(k.Normal)
	if said == "" { // it orders nothing beside what would have counted without it
		said = s.say("letter.taken.default")
	}
	args := []phrase.Arg{phrase.Number("number", k.Set.Number), phrase.Literal("print", k.Set.Print), phrase.Within("stop", k.About),
		phrase.Literal("orders", said)}
	if more > 0 {
		args = append(args, phrase.Number("more", more))
	}
	if more > 0 || strings.HasSuffix(said, cutShort) {
		args = append(args, phrase.Literal("file", name))
	}
	line := strings.Replace(s.say("letter.taken.line", args...), cutShort+".", cutShort, 1)
	s.add(paragraphBlock{words: sentenceCase(line)})
	repairs := slices.DeleteFunc(toTell(k.Repairs), byMailProgram)
	if len(repairs) > 0 {
		var list []string
		for _, r := range repairs[:min(len(repairs), mostReadAs)] {
			list = append(list, s.say("letter.taken.repair", phrase.Literal("was", r.Was), phrase.Name("is", phrase.KindOrders, r.ReadAs)))
		}
		s.paragraph("letter.taken.read-as", phrase.Literals("list", list), phrase.Number("n", len(repairs)-len(list)))
	}
	for _, remark := range k.Remarks {
		s.add(paragraphBlock{words: s.sentence(remark)})
	}
	s.files = append(s.files, File{Name: name, Type: "text/plain; charset=utf-8", Data: []byte(s.wholeTaken(k))})
}

// byMailProgram tells whether a repair took back no more than mail programs change on their own:
// blanks, dashes, quotation marks. The attached file names these too.
func byMailProgram(r orders.Repair) bool {
	plain := func(text string) string {
		return strings.Map(func(c rune) rune {
			switch {
			case unicode.IsSpace(c), unicode.Is(unicode.Cf, c), c == '␣':
				return -1
			case strings.ContainsRune("‐‑‒–—−", c):
				return '-'
			case strings.ContainsRune("“”„«»‘’'", c):
				return '"'
			}
			return c
		}, text)
	}
	return plain(r.Was) == plain(r.ReadAs)
}

// inShort is what a file in normal form orders, on one line in the reader's language: as many
// items of its list as have room, and how many more there are. An item that has no room by itself
// is cut behind a word.
func (s *sheet) inShort(normal *orders.Node) (said string, more int) {
	if normal == nil {
		return "", 0
	}
	n := normal.Get("orders")
	if n == nil {
		n = normal
	}
	n = n.In(s.language, s.head.Words)
	items := []*orders.Node{n}
	if n.Kind == orders.List {
		items = n.Items
	}
	var all []string
	for i, item := range items {
		line := unbraced(item.OneLine())
		if i > 0 && len(strings.Join(append(all, line), "; ")) > longestTaken {
			return strings.Join(all, "; "), len(items) - i
		}
		all = append(all, clipped(line))
	}
	return strings.Join(all, "; "), 0
}

// clipped is a text of at most [longestTaken] bytes, which ends with a whole word and says that
// it goes on.
func clipped(text string) string {
	if len(text) <= longestTaken {
		return text
	}
	text = phrase.Clip(text, longestTaken)
	if end := strings.LastIndexByte(text, ' '); end > 0 {
		text = text[:end]
	}
	return strings.TrimRight(text, " ,;[{") + cutShort
}

// cutShort stands behind what goes on.
const cutShort = " …"

// unbraced is a map on one line without the braces around it.
func unbraced(line string) string {
	if inner, ok := strings.CutPrefix(line, "{"); ok {
		return strings.TrimSuffix(inner, "}")
	}
	return line
}

// wholeTaken is the attached text: the normal form, and as remarks what is odd in it, how it
// was read, and what it ordered otherwise than the file before it.
func (s *sheet) wholeTaken(k *Taken) string {
	var b strings.Builder
	remark := func(text string) {
		for line := range strings.Lines(text) {
			b.WriteString("# " + strings.TrimRight(line, "\n") + "\n")
		}
	}
	remark(s.say("letter.taken.head", phrase.Within("stop", k.About), phrase.Number("number", k.Set.Number), phrase.Literal("print", k.Set.Print)))
	b.WriteString(s.encoded(k.Normal))
	if !strings.HasSuffix(b.String(), "\n") {
		b.WriteString("\n")
	}
	if len(k.Cautions) > 0 {
		remark(s.say("letter.cautions.heading"))
		for _, c := range k.Cautions {
			line := "- " + s.sentence(c.Say)
			if c.Clause != "" {
				line += " [" + clean(c.Clause) + "]"
			}
			remark(line)
		}
	}
	if repairs := toTell(k.Repairs); len(repairs) > 0 {
		remark(s.say("letter.repairs.heading"))
		for _, r := range repairs {
			remark("- " + s.say("letter.taken.repair-at", phrase.Number("line", r.Line), phrase.Literal("was", r.Was), phrase.Name("is", phrase.KindOrders, r.ReadAs)))
		}
	}
	if k.Replaces != nil {
		remark(s.say("letter.accepted.changes"))
		for _, what := range k.Differ {
			remark("- " + s.sentence(what))
		}
		if len(k.Differ) == 0 {
			for _, line := range changes(s.encoded(k.Replaces), s.encoded(k.Normal)) {
				remark(string(line.sign) + " " + line.text)
			}
		}
	}
	return b.String()
}

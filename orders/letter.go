package orders

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A letterLine is a line of a letter: how deep it is quoted, and what is on it.
type letterLine struct {
	raw   string
	text  string // without the marks of quoting
	depth int    // marks in front, and the originals that were put behind without any
	marks int    // marks in front
	kind  lineKind
	key   string // canonical keyword, of a line that starts with a key of the envelope
}

type lineKind int

const (
	blankLine   lineKind = iota
	proseLine            // anything else
	commentLine          // # ...
	itemLine             // - ...
	indentLine           // starts with spaces
	keyLine              // a key of the envelope
	wordLine             // another word with a colon
	fenceLine            // ```
	beginLine            // the mark before an order file
	endLine              // the mark behind it
	breakLine            // signature, attribution, heading of a quoted letter: no order file goes over it
)

// linesOf takes a letter's text apart.
func linesOf(text string, words *Words) []letterLine {
	lines := strings.Split(text, "\n")
	all := make([]letterLine, len(lines))
	for i, raw := range lines {
		r := &all[i]
		r.raw = strings.TrimRight(raw, " \t")
		r.text, r.marks = unquote(r.raw)
		r.kind, r.key = kindOf(r.text, words)
	}
	for i := 0; i < len(all); {
		n := heading(all, i)
		for j := i; j < i+n; j++ {
			all[j].kind = breakLine
		}
		i += max(n, 1)
	}
	depths(all)
	return all
}

// unquote takes the marks of quoting off a line: "> ", ">>", "JD> ".
func unquote(raw string) (text string, marks int) {
	text = raw
	for {
		t := strings.TrimLeft(text, " ")
		switch {
		case strings.HasPrefix(t, ">"):
			text = strings.TrimPrefix(t[1:], " ")
		case initials(t) > 0:
			text = strings.TrimPrefix(t[initials(t):], " ")
		default:
			return text, marks
		}
		marks++
	}
}

// initials finds the sign of quoting that some mail programs make of a name,
// "JD>", and gives its length.
func initials(text string) int {
	for i := 0; i < len(text) && i <= 3; i++ {
		switch c := text[i]; {
		case c >= 'A' && c <= 'Z':
		case c == '>' && i > 0 && (i+1 == len(text) || text[i+1] == ' '):
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

func kindOf(text string, words *Words) (lineKind, string) {
	body := strings.TrimLeft(text, " \t\u00a0\u3000\ufeff\u200b")
	switch {
	case body == "":
		return blankLine, ""
	case strings.HasPrefix(body, "```") || strings.HasPrefix(body, "~~~"):
		return fenceLine, ""
	}
	if _, _, ok := beginMark(body); ok {
		return beginLine, ""
	}
	switch {
	case endMark(body):
		return endLine, ""
	case body[0] == '#':
		return commentLine, ""
	case isBreak(body):
		return breakLine, ""
	}
	if key, ok := envelopeKey(body, words); ok {
		return keyLine, key
	}
	first, _ := utf8.DecodeRuneInString(body)
	switch {
	case body != text:
		return indentLine, ""
	case isDash(body, 0, len(body)), strings.ContainsRune(bullets, first), body[0] == '-' && len(body) > 1 && body[1] != '-':
		return itemLine, ""
	case simpleKey(body) != "":
		return wordLine, ""
	}
	return proseLine, ""
}

// farthestColon is how far from the beginning of a line the colon behind a key may stand.
const farthestColon = 40

// envelopeKey tells whether a line starts with a key of the envelope.
func envelopeKey(body string, words *Words) (string, bool) {
	head := body[:min(len(body), farthestColon+len("："))]
	colon := strings.IndexByte(head, ':')
	if wide := strings.Index(head, "："); wide >= 0 && (colon < 0 || wide < colon) {
		colon = wide
	}
	if colon < 1 || colon > farthestColon || strings.HasPrefix(body, "- ") {
		return "", false
	}
	rest := body[colon+1:]
	if body[colon] == ':' && rest != "" && !isBlank(rest[0]) && rest[0] != 0xc2 && strings.IndexByte("/\\", rest[0]) >= 0 {
		return "", false
	}
	name := strings.Trim(body[:colon], "\"'“”‘’*")
	if strings.ContainsAny(name, ",.;!?()[]{}<>@/") {
		return "", false
	}
	return words.Key(name, envelope)
}

// isBreak tells whether a line ends whatever stands above it: the line may begin a
// signature, stand over a quoted letter, or be what a telephone or a mailing list adds.
func isBreak(body string) bool {
	t := strings.TrimSpace(body)
	switch {
	case t == "--" || t == "—" || t == "-- ":
		return true
	case len(t) >= 5 && strings.Trim(t, "_") == "", len(t) >= 5 && strings.Trim(t, "=") == "", len(t) >= 10 && strings.Trim(t, "-*") == "":
		return true
	case strings.HasPrefix(t, "-----") && strings.HasSuffix(t, "-----"):
		return true // -----Original Message-----
	case attribution(t):
		return true
	}
	return slices.ContainsFunc(footers, func(start string) bool {
		return len(t) >= len(start) && t[0]|0x20 == start[0] && strings.EqualFold(t[:len(start)], start) // the first letter spares most of the others
	})
}

// footers that telephones, mail programs and mailing lists add, each with a plain letter first.
var footers = []string{
	"sent from my ", "sent from outlook", "sent from mail for", "sent from yahoo", "sent from proton", "sent from gmail", "sent from samsung", "sent with ", "sent via ",
	"get outlook for", "inviato da ", "inviato dal ", "inviata da ", "ottieni outlook", "scarica outlook", "von meinem ", "gesendet von ", "envoyé de mon ", "envoyé depuis ",
	"enviado desde ", "you received this message because", "to unsubscribe", "per annullare l'iscrizione", "hai ricevuto questo messaggio",
	"begin forwarded message", "inizio messaggio inoltrato", "this email has been checked", "questa e-mail è stata", "virus-free", "privo di virus",
}

// attribution tells whether a line announces a quoted letter: "On ..., X wrote:".
func attribution(t string) bool {
	t = strings.TrimRight(t, " \u00a0")
	if !strings.HasSuffix(t, ":") {
		return false
	}
	low := strings.ToLower(t)
	for _, end := range []string{"wrote:", "ha scritto:", "schrieb:", "a écrit :", "a écrit:", "escribió:", "écrit :", "skrev:", "schreef:", "writes:"} {
		if strings.HasSuffix(low, end) {
			return true
		}
	}
	return strings.HasPrefix(low, "schrieb ")
}

// headers that mail programs write over a quoted letter without marks.
var headers = map[string]bool{}

func init() {
	for _, h := range []string{"from", "sent", "to", "subject", "date", "cc", "reply-to", "da", "inviato", "a", "oggetto", "data", "per",
		"von", "gesendet", "an", "betreff", "datum", "de", "envoyé", "à", "objet", "para", "asunto", "enviado"} {
		headers[h] = true
	}
}

func isHeader(text string) bool {
	name, _, ok := strings.Cut(strings.Trim(text, " *\u00a0"), ":")
	return ok && headers[strings.ToLower(strings.Trim(name, " *\u00a0"))]
}

// heading counts the headers of a quoted letter that start at a line. Fewer than
// three count as none.
func heading(lines []letterLine, i int) int {
	if lines[i].kind != wordLine && lines[i].kind != proseLine {
		return 0
	}
	n := i
	for n < len(lines) && lines[n].marks == lines[i].marks && isHeader(lines[n].text) {
		n++
	}
	if n < i+3 {
		return 0
	}
	return n - i
}

// depths finds how deep each line is quoted. Behind a line that announces a quoted
// letter whose lines have no marks, everything is.
func depths(lines []letterLine) {
	behind := 0
	for i := range lines {
		r := &lines[i]
		r.depth = r.marks + behind
		if r.kind != breakLine || r.marks > 0 {
			continue
		}
		t := strings.TrimSpace(r.text)
		switch {
		case isHeader(t) && (i == 0 || !isHeader(lines[i-1].text)), strings.HasPrefix(t, "-----"):
			if i == 0 || behind == 0 || !strings.HasPrefix(strings.TrimSpace(lines[i-1].text), "-----") {
				behind++
				r.depth = behind
			}
		case attribution(t):
			for j := i + 1; j < len(lines); j++ {
				if lines[j].kind != blankLine {
					if lines[j].marks == 0 {
						behind++
					}
					break
				}
			}
		}
	}
}

// isClosing tells whether a line is how people end a letter: a few words, no
// figures, nothing that an order has.
func isClosing(text string) bool {
	t := strings.TrimSpace(text)
	if len(t) > 40 || len(strings.Fields(t)) > 4 || strings.ContainsAny(t, ":[]{}\"=#") {
		return false
	}
	for _, r := range t {
		if unicode.IsDigit(r) {
			return false
		}
	}
	return true
}

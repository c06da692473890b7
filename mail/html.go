package mail

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// htmlText turns a letter's HTML into the plain text that its writer saw:
// lines stay lines, indentation made of no-break spaces becomes spaces, quoted
// text gets "> ", bullets become "- ". Styles count where mail programs use
// them for what plain text says otherwise: white-space (kept spaces),
// border-left (quoting), margin-left (indentation), mso-list (bullets),
// display:none.
//
// It reads the source once, keeps at most 256 open elements in mind and stops
// at max bytes of output or maxHTMLTokens tags and texts; ok then is false.
func htmlText(src string, max int) (text string, ok bool) {
	z := html.NewTokenizer(strings.NewReader(src))
	z.SetMaxBuf(MaxLetter)
	w := htmlWriter{max: max}
	for n := 0; !w.full && n < maxHTMLTokens; n++ {
		switch z.Next() {
		case html.ErrorToken:
			w.newline()
			text = strings.Trim(string(w.out), "\n")
			if text != "" {
				text += "\n"
			}
			return text, !w.full
		case html.TextToken:
			w.text(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			tag := string(name)
			a := htmlAttrs{}
			for n := 0; more && n < 64; n++ {
				var k, v []byte
				k, v, more = z.TagAttr()
				switch string(k) {
				case "style":
					a.style = strings.ToLower(shorten(string(v), 2000))
				case "class":
					a.class = shorten(string(v), 500)
				case "id":
					a.id = shorten(string(v), 200)
				case "hidden":
					a.hidden = true
				case "start":
					a.start = string(v)
				}
			}
			w.open(tag, a)
		case html.EndTagToken:
			name, _ := z.TagName()
			w.close(string(name))
		}
	}
	return "", false
}

// maxHTMLTokens is far more than a letter with a long correspondence below it
// has, and little enough to be read in a moment.
const maxHTMLTokens = 100_000

type htmlAttrs struct {
	style, class, id, start string
	hidden                  bool
}

// An htmlElement is an open element and what it changes.
type htmlElement struct {
	tag    string
	block  bool
	skip   bool // contents are not shown
	pre    int8 // 1: spaces kept, -1: spaces not kept any more, 0: as outside
	quote  int  // marks added before each line
	indent int  // spaces added before each line
	list   byte // 'u' or 'o' for a list
	number int  // of the next item of a numbered list
	bullet bool // contents are Outlook's own bullet or number
}

type htmlWriter struct {
	out   []byte
	line  []byte // the line being written, without quote marks and indentation
	max   int
	full  bool
	space bool // white space seen, not yet written
	para  bool // an empty line is due before the next text

	stack  []htmlElement
	opened map[string]int // open elements by name, so that a stray end tag costs nothing
	skip   int
	pre    int
	quote  int
	indent int
	item   string // marker of a list item, before its first text
	hang   int    // indentation that an item's marker has taken up in this line
	bullet int
	mark   strings.Builder // Outlook's bullet, being read
	above  int             // quoting depth of the line written last
	prenl  bool            // directly behind <pre>: a newline here is not text
}

var htmlBlocks = map[string]bool{
	"address": true, "article": true, "aside": true, "blockquote": true, "body": true, "center": true,
	"dd": true, "details": true, "dialog": true, "dir": true, "div": true, "dl": true, "dt": true,
	"fieldset": true, "figcaption": true, "figure": true, "footer": true, "form": true,
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "header": true,
	"html": true, "legend": true, "li": true, "listing": true, "main": true, "menu": true, "nav": true, "ol": true,
	"optgroup": true, "option": true, "p": true, "plaintext": true, "pre": true, "section": true, "summary": true,
	"table": true, "tbody": true, "tfoot": true, "thead": true, "tr": true, "ul": true, "xmp": true,
}

var htmlVoid = map[string]bool{
	"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true, "input": true,
	"link": true, "meta": true, "param": true, "source": true, "track": true, "wbr": true,
}

var htmlHidden = map[string]bool{
	"audio": true, "canvas": true, "datalist": true, "head": true, "iframe": true, "math": true, "noembed": true,
	"noframes": true, "object": true, "script": true, "select": true, "style": true, "svg": true,
	"template": true, "title": true, "video": true,
}

// outlookRule is what Outlook writes in plain text above the letter it answers.
const outlookRule = "________________________________"

// open takes in a start tag: what it shows by itself, and what it makes of the text up to
// its end tag.
func (w *htmlWriter) open(tag string, a htmlAttrs) {
	w.showTag(tag)
	if htmlVoid[tag] {
		return
	}
	e := htmlElement{tag: tag, block: htmlBlocks[tag]}
	if tag == "p" && w.opened["p"] > 0 || tag == "li" && w.opened["li"] > 0 {
		w.closeOpen(tag)
	}
	e.skip = htmlHidden[tag] || a.hidden || strings.Contains(strings.ReplaceAll(a.style, " ", ""), "display:none")
	if e.skip {
		e.block = false // what is not shown breaks no line
	}
	if e.block {
		w.newline()
	}
	w.shape(&e, a)
	if a.style != "" {
		w.styled(&e, a)
	}
	if tag == "p" && !noMargin(a) && len(w.out) > 0 {
		w.para = true
	}
	if w.skip == 0 && !e.skip && (a.id == "divRplyFwdMsg" || a.id == "mail-editor-reference-message-container" || strings.HasPrefix(a.id, "yahoo_quoted")) {
		w.rule()
	}
	w.enter(e)
}

// showTag writes what a start tag shows by itself: an end of the line, a rule, the space
// between two cells.
func (w *htmlWriter) showTag(tag string) {
	switch tag {
	case "br":
		if w.skip == 0 {
			w.flushMarker()
			w.breakLine()
		}
	case "hr":
		w.rule()
	case "td", "th":
		if len(w.line) > 0 {
			w.space = true
		}
	case "body":
		// A head that was not closed ends here.
		w.close("head")
	}
}

// shape sets how the text inside an element stands: as it is typed, quoted, or indented
// as a list.
func (w *htmlWriter) shape(e *htmlElement, a htmlAttrs) {
	switch e.tag {
	case "pre", "xmp", "listing", "plaintext", "textarea":
		e.pre = 1
		w.prenl = true
	case "blockquote":
		// Gmail's indent button makes a blockquote too, without a border and
		// with a margin of 40 pixels.
		if strings.Contains(strings.ReplaceAll(a.style, " ", ""), "border:none") && strings.Contains(a.style, "40px") && !strings.Contains(a.class, "quote") {
			e.indent = 4
		} else {
			e.quote = 1
		}
	case "ul", "menu", "dir":
		e.list, e.indent = 'u', w.listIndent()
	case "ol":
		e.list, e.number, e.indent = 'o', 1, w.listIndent()
		if n, err := strconv.Atoi(a.start); err == nil && n >= 0 && n < 10000 {
			e.number = n
		}
	case "li":
		w.item = w.nextMarker()
		e.indent = len(w.item)
	}
}

// nextMarker is what stands before the next item of the list that is open: a hyphen, or
// its number, which it counts.
func (w *htmlWriter) nextMarker() string {
	marker := "- "
	for i := len(w.stack) - 1; i >= 0; i-- {
		if w.stack[i].list == 'o' {
			marker = strconv.Itoa(w.stack[i].number) + ". "
			w.stack[i].number++
		}
		if w.stack[i].list != 0 {
			break
		}
	}
	return marker
}

// enter puts an element onto the stack of those that are open.
func (w *htmlWriter) enter(e htmlElement) {
	if len(w.stack) >= 256 {
		return // what is deeper than this is shown, without its styles
	}
	if w.opened == nil {
		w.opened = map[string]int{}
	}
	w.opened[e.tag]++
	w.stack = append(w.stack, e)
	if e.skip {
		w.skip++
	}
	if e.bullet {
		w.bullet++
	}
	w.pre += int(e.pre)
	w.quote += e.quote
	w.indent += e.indent
	if e.tag == "li" {
		w.hang = e.indent
	}
}

// listIndent is what an inner list is indented by. Under the text of an item it
// is the item that indents; some programs put a list directly into a list.
func (w *htmlWriter) listIndent() int {
	for i := len(w.stack) - 1; i >= 0 && w.stack[i].tag != "li"; i-- {
		if w.stack[i].list != 0 {
			return 2
		}
	}
	return 0
}

// styled takes from an element's style what plain text can show.
func (w *htmlWriter) styled(e *htmlElement, a htmlAttrs) {
	for _, decl := range strings.SplitN(a.style, ";", 60) {
		k, v, _ := strings.Cut(decl, ":")
		k, v = strings.TrimSpace(k), strings.TrimSpace(v)
		switch k {
		case "white-space":
			keep := strings.HasPrefix(v, "pre") && !strings.HasPrefix(v, "pre-line")
			if keep && w.pre+int(e.pre) == 0 {
				e.pre = 1
			} else if !keep && w.pre+int(e.pre) > 0 {
				e.pre = int8(-min(w.pre, 100))
			}
		case "border-left":
			if e.block && strings.Contains(v, "solid") && !strings.HasPrefix(v, "0") && e.tag != "blockquote" && e.tag != "table" {
				e.quote = 1
			}
		case "border-top":
			// Above Outlook's "From: … Sent: …".
			if e.tag == "div" && strings.Contains(v, "solid") && strings.Contains(a.style, "padding:3.0pt 0") && w.skip == 0 {
				w.rule()
			}
		case "margin-left":
			if (e.tag == "p" || e.tag == "div") && !strings.Contains(a.style, "mso-list") && !strings.Contains(a.class, "ListParagraph") {
				e.indent = cssSpaces(v)
			}
		case "mso-list":
			if strings.HasPrefix(v, "ignore") {
				e.bullet = true
				w.mark.Reset()
			} else if i := strings.Index(v, "level"); i >= 0 && len(v) > i+5 && v[i+5] >= '1' && v[i+5] <= '9' {
				e.indent = 2 * int(v[i+5]-'1')
			}
		}
	}
}

// noMargin reports a paragraph that mail programs use as a mere line.
func noMargin(a htmlAttrs) bool {
	if strings.Contains(a.class, "MsoNormal") || strings.Contains(a.class, "MsoListParagraph") || strings.Contains(a.class, "MsoPlainText") {
		return true
	}
	s := strings.ReplaceAll(a.style, " ", "")
	for _, m := range []string{"margin:0", "margin-top:0", "margin-bottom:0"} {
		if i := strings.Index(s, m); i >= 0 {
			rest := s[i+len(m):]
			if rest == "" || rest[0] == ';' || strings.HasPrefix(rest, "px") || strings.HasPrefix(rest, "cm") || strings.HasPrefix(rest, "in") || strings.HasPrefix(rest, "pt") || strings.HasPrefix(rest, "!") || rest[0] == '.' {
				return true
			}
		}
	}
	return false
}

// cssSpaces turns a length into spaces, one for 9 points; 0 if it is none or
// absurd.
func cssSpaces(v string) int {
	end := 0
	for end < len(v) && (v[end] >= '0' && v[end] <= '9' || v[end] == '.') {
		end++
	}
	n, err := strconv.ParseFloat(v[:end], 64)
	if err != nil {
		return 0
	}
	switch unit, _, _ := strings.Cut(strings.TrimSpace(v[end:]), " "); strings.TrimSuffix(unit, "!important") {
	case "pt":
		n /= 9
	case "px":
		n /= 12
	case "in":
		n *= 8
	case "cm":
		n *= 3.15
	case "mm":
		n *= 0.315
	case "em", "rem":
		n *= 2
	case "ch":
	default:
		return 0
	}
	if n > 40 {
		return 40
	}
	return int(n + 0.5)
}

// close ends the innermost open element of that name and all inside it.
func (w *htmlWriter) close(tag string) {
	switch tag {
	case "br": // </br> is read as <br>
		w.open("br", htmlAttrs{})
		return
	case "p":
		if w.opened["p"] == 0 {
			w.newline()
			return
		}
	}
	if w.opened[tag] == 0 {
		return
	}
	for len(w.stack) > 0 {
		e := w.stack[len(w.stack)-1]
		w.pop()
		if e.tag == tag {
			return
		}
	}
}

// closeOpen ends a paragraph or list item that the next one ends by itself,
// unless it is outside what the next one is in. It looks no further than 16
// elements up, so that a letter of nothing but such tags stays cheap.
func (w *htmlWriter) closeOpen(tag string) {
	for i := len(w.stack) - 1; i >= max(0, len(w.stack)-16); i-- {
		switch t := w.stack[i].tag; t {
		case tag:
			for len(w.stack) > i {
				w.pop()
			}
			return
		case "ul", "ol", "div", "blockquote", "td", "th", "table", "li", "body":
			if tag == "p" || t == "ul" || t == "ol" {
				return
			}
		}
	}
}

func (w *htmlWriter) pop() {
	e := w.stack[len(w.stack)-1]
	if e.block {
		if e.tag == "li" {
			w.flushMarker()
		}
		w.newline()
	}
	w.stack = w.stack[:len(w.stack)-1]
	w.opened[e.tag]--
	if e.skip {
		w.skip--
	}
	w.pre -= int(e.pre)
	w.quote -= e.quote
	w.indent -= e.indent
	if e.bullet {
		w.bullet--
		if w.bullet == 0 && w.skip == 0 {
			// Letters and digits make a number; everything else was a bullet
			// in some symbol font ("o" is Courier's).
			m := strings.TrimSpace(strings.ReplaceAll(w.mark.String(), "\u00a0", " "))
			if len(m) > 1 && strings.HasSuffix(m, ".") {
				w.append(m + " ")
			} else {
				w.append("- ")
			}
		}
	}
}

func (w *htmlWriter) text(s string) {
	if w.skip > 0 {
		return
	}
	s = strings.ReplaceAll(s, "\ufeff", "") // phones put them about
	if w.bullet > 0 {
		if w.mark.Len() < 100 {
			w.mark.WriteString(s)
		}
		return
	}
	if w.pre > 0 {
		s = lines(s)
		if w.prenl {
			s = strings.TrimPrefix(s, "\n")
		}
		w.prenl = false
		for {
			line, rest, more := strings.Cut(s, "\n")
			if line != "" {
				w.append(strings.ReplaceAll(line, "\u00a0", " "))
			}
			if !more || w.full {
				return
			}
			w.breakLine()
			s = rest
		}
	}
	w.prenl = false
	start := -1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ', '\t', '\n', '\r', '\f':
			if start >= 0 {
				w.append(s[start:i])
				start = -1
			}
			if len(w.line) > 0 {
				w.space = true
			}
		case 0xc2:
			// In HTML a no-break space is how an editor keeps the spaces that
			// were typed.
			if i+1 < len(s) && s[i+1] == 0xa0 {
				if start >= 0 {
					w.append(s[start:i])
					start = -1
				}
				w.append(" ")
				i++
				continue
			}
			if start < 0 {
				start = i
			}
		default:
			if start < 0 {
				start = i
			}
		}
		if w.full {
			return
		}
	}
	if start >= 0 {
		w.append(s[start:])
	}
}

func (w *htmlWriter) append(s string) {
	w.flushMarker()
	if w.space {
		w.line = append(w.line, ' ')
		w.space = false
	}
	if len(w.out)+len(w.line)+len(s) > w.max {
		w.full = true
		return
	}
	w.line = append(w.line, s...)
}

// flushMarker writes a list item's marker before its first text.
func (w *htmlWriter) flushMarker() {
	if w.item != "" && w.skip == 0 {
		m := w.item
		w.item = ""
		w.line = append(w.line, m...)
	}
}

// newline ends the line if there is anything in it.
func (w *htmlWriter) newline() {
	if len(w.line) > 0 {
		w.breakLine()
	}
	w.space = false
}

// breakLine ends the line, also an empty one.
func (w *htmlWriter) breakLine() {
	line := strings.TrimRight(string(w.line), " \t")
	if line == "--" && (w.space || len(w.line) > 2) {
		line = "-- " // the mark above a signature keeps its space
	}
	w.line = w.line[:0]
	w.space = false
	quote := min(w.quote, 20)
	if w.para {
		w.para = false
		if line != "" && len(w.out) > 0 && !w.blankAbove() {
			w.emit(min(quote, w.above), 0, "")
		}
	}
	indent := min(w.indent, 80)
	if w.hang > 0 {
		// The marker stands where the item's indentation would.
		indent = max(0, indent-w.hang)
		w.hang = 0
	}
	w.emit(quote, indent, line)
}

func (w *htmlWriter) blankAbove() bool {
	s := string(w.out[max(0, len(w.out)-64):])
	s = strings.TrimSuffix(s, "\n")
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		s = s[i+1:]
	}
	return strings.Trim(s, "> ") == ""
}

func (w *htmlWriter) emit(quote, indent int, line string) {
	need := 2*quote + indent + len(line) + 1
	if len(w.out)+need > w.max {
		w.full = true
		return
	}
	w.above = quote
	for i := range quote {
		if i == quote-1 && line == "" {
			w.out = append(w.out, '>')
		} else {
			w.out = append(w.out, '>', ' ')
		}
	}
	if line != "" {
		for range indent {
			w.out = append(w.out, ' ')
		}
	}
	w.out = append(w.out, line...)
	w.out = append(w.out, '\n')
}

// rule writes the line that separates an answer from what it answers.
func (w *htmlWriter) rule() {
	if w.skip > 0 {
		return
	}
	w.newline()
	if s := strings.TrimRight(string(w.out[max(0, len(w.out)-200):]), "\n> "); strings.HasSuffix(s, outlookRule) {
		return
	}
	w.append(outlookRule)
	w.breakLine()
}

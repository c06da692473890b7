package mail

import (
	"html"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// editors write the same lines as mail programs do.
var editors = map[string]func(lines []string) string{
	"a div for each line": func(lines []string) string {
		return wrapLines(lines, `<div dir="ltr">`, "</div>", "<div><br></div>", mixedSpaces)
	},
	"Gmail, breaks": func(lines []string) string {
		return `<div dir="ltr">` + wrapLines(lines, "", "<br>", "<br>", mixedSpaces) + "</div>"
	},
	"Outlook": func(lines []string) string {
		return `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin:0cm}</style></head><body><div class=WordSection1>` +
			wrapLines(lines, "<p class=MsoNormal>", "<o:p></o:p></p>\r\n", "<p class=MsoNormal><o:p>&nbsp;</o:p></p>\r\n", allNBSP) + "</div></body></html>"
	},
	"Outlook on the web": func(lines []string) string {
		return "<body>\n" + wrapLines(lines, "<div class=\"elementToProof\" style=\"margin: 0px;\">", "</div>\n", "<div class=\"elementToProof\"><br>\n</div>\n", allNBSP) + "</body>"
	},
	"a paragraph for each line, no margin": func(lines []string) string {
		return wrapLines(lines, `<p style="margin: 0px; font-stretch: normal;">`, "</p>", `<p style="margin: 0px;"><br></p>`, mixedSpaces)
	},
	"preformatted": func(lines []string) string {
		return "<pre>\n" + wrapLines(lines, "", "\n", "\n", sameSpaces) + "</pre>"
	},
	"spaces kept by style": func(lines []string) string {
		return `<div style="white-space: pre-wrap;">` + wrapLines(lines, "", "\n", "\n", sameSpaces) + "</div>"
	},
	"a span for each word": func(lines []string) string {
		return wrapLines(lines, "<div>", "</div>", "<div><br></div>", func(s string) string {
			return strings.ReplaceAll(allNBSP(s), "&nbsp;", "<span>&nbsp;</span>")
		})
	},
	"a table row for each line": func(lines []string) string {
		return "<table><tbody>" + wrapLines(lines, "<tr><td>", "</td></tr>", "<tr><td><br></td></tr>", allNBSP) + "</table>"
	},
}

func wrapLines(lines []string, before, after, empty string, spaces func(string) string) string {
	var b strings.Builder
	for _, l := range lines {
		if l == "" {
			b.WriteString(empty)
			continue
		}
		b.WriteString(before + spaces(html.EscapeString(l)) + after)
	}
	return b.String()
}

func sameSpaces(s string) string { return s }

func allNBSP(s string) string {
	rest := strings.TrimLeft(s, " ")
	return strings.Repeat("&nbsp;", len(s)-len(rest)) + strings.ReplaceAll(rest, "  ", "&nbsp; ")
}

// mixedSpaces: Gmail writes every second space as an ordinary one.
func mixedSpaces(s string) string {
	rest := strings.TrimLeft(s, " ")
	n := len(s) - len(rest)
	lead := strings.Repeat("&nbsp; ", n/2)
	if n%2 == 1 {
		lead += "&nbsp;"
	}
	return lead + strings.ReplaceAll(rest, "  ", "&nbsp; ")
}

// Whatever program wrote it, the same lines come out.
func TestHTMLKeepsLinesAndIndentation(t *testing.T) {
	word := rapid.StringMatching(`[A-Za-z0-9:{},\[\]<>&"'#_éß/.-]{1,12}`)
	line := rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 5).Draw(t, "empty") == 0 {
			return ""
		}
		words := rapid.SliceOfN(word, 1, 5).Draw(t, "words")
		gap := rapid.SampledFrom([]string{" ", " ", "  "}).Draw(t, "gap")
		return strings.Repeat(" ", rapid.IntRange(0, 14).Draw(t, "indent")) + strings.Join(words, gap)
	})
	for name, edit := range editors {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				lines := rapid.SliceOfN(line, 1, 12).Draw(t, "lines")
				want := strings.Trim(strings.Join(lines, "\n"), "\n")
				src := edit(lines)
				got, ok := htmlText(src, MaxText)
				if !ok || strings.Trim(got, "\n") != want {
					t.Fatalf("wrote\n%s\nas\n%s\nread\n%s", want, src, got)
				}
			})
		})
	}
}

func TestHTMLText(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"paragraphs", "<p>a</p><p>b</p>", "a\n\nb\n"},
		{"paragraphs not closed", "<p>a<p>b", "a\n\nb\n"},
		{"white space collapses", "  a \n\t b  <b> c</b> <i>d</i>\n", "a b c d\n"},
		{"a word in pieces", "<b>mo</b>ve<span>: </span>x", "move: x\n"},
		{"break at the end of a block", "<div>a<br></div>b", "a\nb\n"},
		{"two breaks", "a<br><br>b", "a\n\nb\n"},
		{"entities", "&lt;a&gt; &amp;amp; &eacute; &#8211; &nosuch;", "<a> &amp; é – &nosuch;\n"},
		{"quotes inside quotes", "<blockquote>a<blockquote>b</blockquote>c</blockquote>d", "> a\n> > b\n> c\nd\n"},
		{"quote not closed", "x<blockquote>a<br><br>b", "x\n> a\n>\n> b\n"},
		{"list in list", "<ul><li>a<ul><li>b<br>c</li></ul></li><li>d</li></ul>", "- a\n  - b\n    c\n- d\n"},
		{"list directly in list", "<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b\n"},
		{"item with blocks", "<ul><li><div>a:</div><div>b: 1</div></li></ul>", "- a:\n  b: 1\n"},
		{"list in quote", "<blockquote><ul><li>a</li></ul></blockquote>", "> - a\n"},
		{"hidden", "<head><title>no</title><style>no</style></head><body>a<div hidden>no</div><span style='display: none'>no</span>b<script>no</script><!-- no --></body>", "ab\n"},
		{"head not closed", "<html><head><title>t</title><body>a", "a\n"},
		{"indentation by margin", "<p style='margin:0;margin-left:36.0pt'>a</p>", "    a\n"},
		{"absurd margins", "<div>x</div><div style='margin-left:9000pt'>a</div><div style='margin-left:1e9pt'>b</div><div style='margin-left:-9pt'>c</div>", "x\n" + strings.Repeat(" ", 40) + "a\nb\nc\n"},
		{"signature mark", "<div>a</div><div>-- </div><div>Anna</div>", "a\n-- \nAnna\n"},
		{"rule", "a<hr>b", "a\n" + outlookRule + "\nb\n"},
		{"nothing", " <br> <p></p> ", ""},
		{"only tags", "</div></p></body>", ""},
		{"tag soup", "<b><div>a</b></div>b<<c>d", "a\nb<d\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, ok := htmlText(c.src, 1000); got != c.want || !ok {
				t.Errorf("%s\n got %q, %v\nwant %q", c.src, got, ok, c.want)
			}
		})
	}
}

func TestUnflow(t *testing.T) {
	for _, c := range []struct {
		name, in string
		delsp    bool
		want     string
	}{
		{"joined", "a \nb\nc\n", false, "a b\nc\n"},
		{"joined without the space", "a \nb\nc\n", true, "ab\nc\n"},
		{"stuffed", " From x\n  - y\n", false, "From x\n - y\n"},
		{"quoted", "> a \n> b\n>> c\n", false, "> a b\n>> c\n"},
		{"depth ends a paragraph", "> a \nb\n", false, "> a \nb\n"},
		{"signature", "a \n-- \nAnna\n", false, "a \n-- \nAnna\n"},
		{"no end", "a \nb", false, "a b\n"},
		{"open at the end", "a ", false, "a \n"},
		{"empty lines", "a\n\n\nb\n", false, "a\n\n\nb\n"},
		{"nothing", "", false, ""},
	} {
		if got := unflow(c.in, c.delsp); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

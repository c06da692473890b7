package mail

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.eml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		l, err := Read(raw, testOwn)
		if l == nil {
			t.Fatal("no letter")
		}
		if err != nil {
			if _, ok := err.(*UnreadableError); !ok {
				t.Fatalf("error is a %T", err)
			}
			return
		}
		if l.Bounce == nil && (l.From.Addr == "" || !strings.Contains(l.From.Addr, "@")) {
			t.Fatalf("from %q", l.From.Addr)
		}
		if l.Bounce != nil && l.Automatic == "" {
			t.Fatal("a bounce that may be answered")
		}
		total := 0
		for _, p := range l.Parts {
			total += len(p.Text)
			if !utf8.ValidString(p.Text) || strings.ContainsAny(p.Text, "\r\x00") || strings.ContainsAny(p.Name, "\r\n/\\") {
				t.Fatalf("part %+v", p)
			}
		}
		if total > MaxText || len(l.Parts) > MaxParts || len(l.LeftOut) > MaxParts {
			t.Fatalf("%d bytes in %d parts", total, len(l.Parts))
		}
		for _, s := range []string{l.Subject, l.From.Name, l.From.Addr, l.MessageID, l.InReplyTo} {
			if strings.ContainsAny(s, "\r\n\x00") || !utf8.ValidString(s) {
				t.Fatalf("text %q in a line", s)
			}
		}
		// Whatever was read can be quoted in an answer.
		_, err = Draft{From: Address{"Office", "office@club.test"}, To: Address{l.From.Name, "x@y.test"}, Subject: l.Subject,
			MessageID: "a@b", InReplyTo: l.MessageID, References: l.References, Date: time.Unix(0, 0), Text: "x"}.Compose()
		if err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzHTML(f *testing.F) {
	for _, s := range []string{
		"<p>a<p>b<br>c", "<ul><li>a<ul><li>b</ul></ul>", "<pre>\n a\n  b</pre>", "<blockquote><div>x</blockquote>y",
		"<p style='mso-list:l0 level2'><span style='mso-list:Ignore'>o&nbsp;</span>x", "<style>", "<table><tr><td>a<td>b", "</p></div><//>",
		"<span style='white-space:pre'><span style='white-space:normal'> a  b </span> c  d</span>", "<ol start=9999><li>", "<hr><hr>", "&#0;&#x110000;&nbsp;",
		strings.Repeat("<div>", 300) + "x" + strings.Repeat("</div>", 300),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		const most = 1 << 16
		out, ok := htmlText(src, most)
		if len(out) > most {
			t.Fatalf("%d bytes", len(out))
		}
		if !ok && len(out) > 0 {
			t.Fatal("text although it was too long")
		}
		for line := range strings.Lines(out) {
			if strings.HasSuffix(strings.TrimSuffix(line, "\n"), " ") && !strings.HasSuffix(line, "-- \n") {
				t.Fatalf("space at the end of %q", line)
			}
		}
	})
}

// HTML made to cost time: each must be read or refused in a moment.
func TestHTMLBombs(t *testing.T) {
	size := MaxLetter - 100
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, src := range map[string]string{
		"open divs":         fill("<div>"),
		"open quotes":       fill("<blockquote>x"),
		"open paragraphs":   fill("<p>"),
		"paragraphs, spans": "<p><div>" + strings.Repeat("<b>", 250) + fill("<p>"),
		"stray ends":        strings.Repeat("<i>", 256) + fill("</b>"),
		"list items":        fill("<li>"),
		"lists":             fill("<ul><li>"),
		"attributes":        "<p " + fill("a=b "),
		"styles":            fill("<p style='margin-left:1pt;white-space:pre;border-left:solid'>"),
		"one style":         "<p style='" + fill("a:b;") + "'>",
		"entities":          fill("&amp;"),
		"comments":          fill("<!-->"),
		"breaks":            fill("<br>"),
		"rules":             fill("<hr>"),
		"spaces":            fill("&nbsp;"),
		"bullets":           fill("<span style='mso-list:Ignore'>o</span>"),
		"script":            "<script>" + fill("<!--<script>"),
		"angles":            fill("<"),
	} {
		began := time.Now()
		out, _ := htmlText(src, MaxText)
		t.Logf("%s: %v", name, time.Since(began))
		if d := time.Since(began); d > 10*time.Second {
			t.Errorf("%s: took %v", name, d)
		}
		if len(out) > MaxText {
			t.Errorf("%s: %d bytes", name, len(out))
		}
	}
}

package mail

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write golden files anew")

var testOwn = Own{Addresses: []string{"office@club.test"}, Domain: "office.club.test"}

// golden compares with a file, or writes it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s", file, got)
	}
}

// dump shows all of a letter but its digest.
func dump(l *Letter, err error) string {
	var b strings.Builder
	line := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", key, value)
		}
	}
	if err != nil {
		line("error", err.Error())
	}
	line("id", l.MessageID)
	line("in reply to", l.InReplyTo)
	line("references", strings.Join(l.References, " "))
	line("from", l.From.String())
	line("reply to", l.ReplyTo.String())
	for _, a := range l.To {
		line("to", a.String())
	}
	for _, a := range l.Delivered {
		line("delivered to", a.String())
	}
	if !l.Date.IsZero() {
		line("date", l.Date.Format(time.RFC3339))
	}
	line("subject", l.Subject)
	line("automatic", l.Automatic)
	if l.Bounce != nil {
		line("bounce", fmt.Sprintf("%+v", *l.Bounce))
	}
	for _, p := range l.Parts {
		fmt.Fprintf(&b, "--- %s %s %q\n", p.Kind, p.Type, p.Name)
		for row := range strings.Lines(p.Text) {
			row, ended := strings.CutSuffix(row, "\n")
			b.WriteString("|" + row)
			if ended {
				b.WriteString("|")
			}
			b.WriteString("\n")
		}
	}
	for _, o := range l.LeftOut {
		fmt.Fprintf(&b, "--- left out %q: %s\n", o.Name, o.Reason)
	}
	return b.String()
}

// Letters as mail programs write them: what is read of each is in the file
// beside it.
func TestReadLetters(t *testing.T) {
	files, err := filepath.Glob("testdata/read/*.eml")
	if err != nil || len(files) < 70 {
		t.Fatalf("%d letters, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, ".eml")
		t.Run(filepath.Base(name), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			l, err := Read(raw, testOwn)
			var unreadable *UnreadableError
			if err != nil && !errors.As(err, &unreadable) {
				t.Fatalf("error is a %T", err)
			}
			golden(t, name+".golden", dump(l, err))
		})
	}
}

func TestReadBounds(t *testing.T) {
	head := "From: a@b.test\r\nSubject: big\r\n"
	nested := func(depth int) string {
		var b strings.Builder
		b.WriteString(head)
		for n := range depth {
			fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", n, n)
		}
		b.WriteString("\r\ntext\r\n")
		return b.String()
	}
	parts := func(n int) string {
		return head + "Content-Type: multipart/mixed; boundary=b\r\n\r\n" + strings.Repeat("--b\r\n\r\nx\r\n", n) + "--b--\r\n"
	}
	for _, c := range []struct {
		name, raw, reason string
	}{
		{"a letter of the largest size", head + "\r\n" + strings.Repeat("x", MaxLetter-len(head)-2), ""},
		{"a longer one", head + "\r\n" + strings.Repeat("x", MaxLetter), UnreadableSize},
		{"the longest header", head + "X-Fill: " + strings.Repeat("x", MaxHeader-100) + "\r\n\r\nx", ""},
		{"a longer header", head + "X-Fill: " + strings.Repeat("x", MaxHeader) + "\r\n\r\nx", UnreadableHeaders},
		{"a longer header, folded", head + "X-Fill: x\r\n" + strings.Repeat(" x\r\n", MaxHeader/4+1) + "\r\nx", UnreadableHeaders},
		{"a longer header without end", head + "X-Fill: " + strings.Repeat("x", MaxHeader), UnreadableHeaders},
		{"500 fields", strings.Repeat("X: y\r\n", MaxFields-2) + head + "\r\nx", ""},
		{"501 fields", head + strings.Repeat("X: y\r\n", MaxFields-1) + "\r\nx", UnreadableHeaders},
		{"depth 8", nested(8), ""},
		{"depth 9", nested(9), UnreadableDepth},
		{"depth 5000", nested(5000), UnreadableDepth},
		{"63 parts", parts(63), ""},
		{"64 parts and their cover", parts(64), UnreadableParts},
		{"100000 parts", parts(100000), UnreadableParts},
		{"nothing", "", UnreadableFrom},
		{"only newlines", "\r\n\r\n\r\n", UnreadableFrom},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := Read([]byte(c.raw), Own{})
			var u *UnreadableError
			switch {
			case c.reason == "" && err != nil:
				t.Fatal(err)
			case c.reason != "" && (!errors.As(err, &u) || u.Reason != c.reason):
				t.Fatalf("error %v, want reason %s", err, c.reason)
			}
			if c.raw != "" && c.reason != UnreadableFrom && l.From.Addr != "a@b.test" {
				t.Errorf("from %q: who wrote it must be known", l.From.Addr)
			}
			if err != nil && len(l.Parts) > 0 {
				t.Errorf("%d parts of a letter that can't be read", len(l.Parts))
			}
		})
	}
}

// TestReadKept reads a letter of an office that is longer than one from outside may be. The other bounds hold.
func TestReadKept(t *testing.T) {
	head := "From: a@b.test\r\nMessage-ID: <1@b.test>\r\n"
	long := head + "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nthe report\r\n--b\r\nContent-Type: application/zip\r\n\r\n" + strings.Repeat("x", 2*MaxLetter) + "\r\n--b--\r\n"
	l, err := ReadKept([]byte(long))
	if err != nil || len(l.Parts) == 0 || !strings.HasPrefix(l.Parts[0].Text, "the report") {
		t.Errorf("%v, %q", err, l.Parts)
	}
	var u *UnreadableError
	if _, err := ReadKept([]byte(head + "X-Fill: " + strings.Repeat("x", MaxHeader) + "\r\n\r\nx")); !errors.As(err, &u) || u.Reason != UnreadableHeaders {
		t.Errorf("a header without end: %v", err)
	}
}

func TestReadTextBound(t *testing.T) {
	big := strings.Repeat("0123456789abcde\n", MaxText/16)
	raw := "From: a@b.test\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n" + big + "more\r\n--b\r\nContent-Type: text/html\r\n\r\n" +
		strings.Repeat("<p>a paragraph of some length</p>", 20000) + "\r\n--b\r\nContent-Type: application/yaml; name=o.yaml\r\n\r\ngame: x\r\n--b--\r\n"
	l, err := Read([]byte(raw), Own{})
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, p := range l.Parts {
		total += len(p.Text)
	}
	if total > MaxText {
		t.Errorf("%d bytes of text", total)
	}
	if len(l.LeftOut) == 0 || l.LeftOut[0] != (LeftOut{"text/plain", LeftSize}) {
		t.Errorf("left out %v", l.LeftOut)
	}
	if last := l.Parts[len(l.Parts)-1]; last.Name != "o.yaml" || last.Text != "game: x" {
		t.Errorf("the small file behind is %+v", last)
	}
}

func TestReadDigestTellsLettersApart(t *testing.T) {
	a, _ := Read([]byte("From: a@b.test\r\n\r\nx"), Own{})
	b, _ := Read([]byte("From: a@b.test\r\n\r\ny"), Own{})
	if a.Digest == b.Digest || a.Digest == ([32]byte{}) {
		t.Error("digests are of no use")
	}
}

func TestParseParams(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`text/plain`, `text/plain []`},
		{`Text/Plain; Charset=UTF-8`, `text/plain [{charset UTF-8}]`},
		{`text/plain; charset = "utf-8" ; format=flowed;`, `text/plain [{charset utf-8} {format flowed}]`},
		{`attachment; filename=my orders.yaml; size=3`, `attachment [{filename my orders.yaml} {size 3}]`},
		{`attachment; filename="a;b\"c.yaml`, `attachment [{filename a;b"c.yaml}]`},
		{`attachment; filename=a; filename=b`, `attachment [{filename a}]`},
		{`attachment; filename*=utf-8'en'%e2%82%ac.yaml; filename=euro.yaml`, `attachment [{filename €.yaml}]`},
		{`attachment; filename*1*=b; filename*0*=utf-8''a`, `attachment [{filename ab}]`},
		{`attachment; filename*=utf-7''+AGE-`, `attachment []`},
		{`;;;=;=x; =`, ` []`},
		{`multipart/mixed (comment); boundary="=_x"`, `multipart/mixed [{boundary =_x}]`},
	} {
		v, p := parseParams(c.in)
		if got := fmt.Sprintf("%s %v", v, []param(p)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestParseAddresses(t *testing.T) {
	for _, c := range []struct {
		in, want string
		bad      bool
	}{
		{in: `anna@players.test`, want: `anna@players.test`},
		{in: `Anna <Anna@PLAYERS.test>`, want: `Anna <Anna@players.test>`},
		{in: `"Blau, Anna" <a@b.test>, c@d.test`, want: `Blau, Anna <a@b.test>|c@d.test`},
		{in: `Team: a@b.test, c@d.test;`, want: `a@b.test|c@d.test`},
		{in: `J.R. (Jim) <jr@b.test>`, want: `J.R. <jr@b.test>`},
		{in: `"=?utf-8?q?J=C3=BCrgen?=" <j@b.test>`, want: `Jürgen <j@b.test>`},
		{in: `"a@b.test" <c@d.test>`, want: `a@b.test <c@d.test>`},
		{in: `Anna @ home <c@d.test>`, bad: true},
		{in: `<c@d.test> <e@f.test>`, bad: true},
		{in: `nobody`, bad: true},
		{in: `<>`, bad: true},
		{in: ``, want: ``},
	} {
		list, ok := parseAddresses(c.in)
		var s []string
		for _, a := range list {
			s = append(s, a.String())
		}
		if ok == c.bad || strings.Join(s, "|") != c.want {
			t.Errorf("%s: got %q, %v", c.in, s, ok)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	raw, err := os.ReadFile("testdata/read/gmail-reply.eml")
	if err != nil {
		b.Fatal(err)
	}
	// A letter of 5 KB with a text, an HTML and an attachment.
	pad := strings.Repeat("<div>&gt; a line of the report that is being answered, as it was</div>=\r\n", 40)
	letter := strings.Replace(string(raw), "<blockquote>older", pad+"<blockquote>older", 1)
	b.SetBytes(int64(len(letter)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read([]byte(letter), testOwn); err != nil {
			b.Fatal(err)
		}
	}
}

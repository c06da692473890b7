package mail

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"berthier/mail/mailbox"

	"github.com/emersion/go-message"
	emersion "github.com/emersion/go-message/mail"
)

func draft() Draft {
	return Draft{
		From:    Address{"Berthier", "office@club.test"},
		To:      Address{"Jürgen “Blau” Müller", "anna@players.test"},
		ReplyTo: "office+ligny-7@club.test",
		Subject: "[ligny-7] Château d’Éylau, battle turn 12", MessageID: "letter.abc@office.club.test",
		InReplyTo: "a1@players.test", References: []string{"root.ligny-7@office.club.test", "<a1@players.test>"},
		Date:          time.Date(2026, 11, 16, 20, 0, 0, 0, time.FixedZone("", 3600)),
		Text:          "What happened\n=============\n\nFrom Ligny: 4 hits – a long line that goes on and on, far beyond what a terminal or a mail program would show in one.\n.\n-- \nThe office\n",
		HTML:          "<html><body><p>What happened</p><img src=\"cid:map\" alt=\"the map\"></body></html>\n",
		Inline:        []File{{Name: "map.png", Type: "image/png", CID: "map", Data: bytes.Repeat([]byte("\x89PNG\r\n"), 30)}},
		Files:         []File{{Name: "orders für Ligny.yaml", Type: "application/yaml; charset=utf-8", Data: []byte("game: ligny-7\nnote: für\n")}},
		AutoSubmitted: "auto-replied",
	}
}

func compose(t testing.TB, d Draft) []byte {
	t.Helper()
	raw, err := d.Compose()
	if err != nil {
		t.Fatal(err)
	}
	checkWire(t, raw)
	return raw
}

// checkWire demands what every mail server can carry.
func checkWire(t testing.TB, raw []byte) {
	t.Helper()
	if !bytes.HasSuffix(raw, []byte("\r\n")) {
		t.Error("does not end in CRLF")
	}
	for line := range bytes.Lines(raw) {
		text, ok := bytes.CutSuffix(line, []byte("\r\n"))
		if !ok || bytes.ContainsAny(text, "\r\n\x00") {
			t.Fatalf("line %q does not end in CRLF alone", line)
		}
		if len(text) > 998 {
			t.Errorf("line of %d bytes", len(text))
		}
		for _, c := range text {
			if c >= 0x80 {
				t.Fatalf("line %q is not ASCII", line)
			}
		}
	}
	head, _, ok := bytes.Cut(raw, []byte("\r\n\r\n"))
	if !ok {
		t.Fatal("no header")
	}
	if len(head) > MaxHeader {
		t.Errorf("header of %d bytes", len(head))
	}
}

func TestComposeGolden(t *testing.T) {
	all := draft()
	text := draft()
	text.HTML, text.Inline, text.Files, text.AutoSubmitted, text.ReplyTo, text.References = "", nil, nil, "", "", nil
	text.To.Name, text.Text = "", "game: ligny-7\ncommand: status\n"
	noFiles := draft()
	noFiles.Files, noFiles.Inline = nil, nil
	noHTML := draft()
	noHTML.HTML = ""
	for name, d := range map[string]Draft{"all": all, "text": text, "alternative": noFiles, "pictures-without-html": noHTML} {
		t.Run(name, func(t *testing.T) {
			raw := compose(t, d)
			golden(t, "testdata/compose/"+name+".eml", string(raw))
			if again := compose(t, d); !bytes.Equal(raw, again) {
				t.Error("the same draft gives other bytes")
			}
			readElsewhere(t, raw)
		})
	}
}

// readElsewhere lets other people's code take the letter apart.
func readElsewhere(t *testing.T, raw []byte) {
	t.Helper()
	if m, err := netmail.ReadMessage(bytes.NewReader(raw)); err != nil {
		t.Error(err)
	} else if typ, ps, err := mime.ParseMediaType(m.Header.Get("Content-Type")); err != nil {
		t.Error(err)
	} else if strings.HasPrefix(typ, "multipart/") {
		r := multipart.NewReader(m.Body, ps["boundary"])
		for {
			p, err := r.NextPart()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Error(err)
				break
			}
			if _, err := io.Copy(io.Discard, p); err != nil {
				t.Error(err)
			}
		}
	}
	e, err := message.Read(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	err = e.Walk(func(path []int, part *message.Entity, err error) error {
		if err == nil && part.MultipartReader() == nil {
			_, err = io.Copy(io.Discard, part.Body)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestComposeReadRoundTrip(t *testing.T) {
	d := draft()
	l, err := Read(compose(t, d), Own{})
	if err != nil {
		t.Fatal(err)
	}
	if l.From != d.From || l.To[0] != d.To || l.ReplyTo.Addr != d.ReplyTo || l.Subject != d.Subject || l.MessageID != d.MessageID ||
		l.InReplyTo != d.InReplyTo || fmt.Sprint(l.References) != "[root.ligny-7@office.club.test a1@players.test]" || !l.Date.Equal(d.Date) {
		t.Errorf("header came back as %+v", l)
	}
	if l.Automatic != AutoLoop {
		t.Errorf("automatic %q", l.Automatic)
	}
	if len(l.Parts) != 3 || l.Parts[0].Text != d.Text || l.Parts[1].Text != "What happened\n" || l.Parts[2].Text != "game: ligny-7\nnote: für\n" {
		t.Errorf("parts %+v", l.Parts)
	}
	if l.Parts[2].Name != "orders f_r Ligny.yaml" {
		t.Errorf("file name %q", l.Parts[2].Name)
	}
	if own, _ := Read(compose(t, d), Own{Domain: "Office.Club.test"}); own.Automatic != AutoOwn {
		t.Errorf("own letter is %q", own.Automatic)
	}
	d.AutoSubmitted = ""
	if l, _ := Read(compose(t, d), Own{}); l.Automatic != "" {
		t.Errorf("a person's letter is %q", l.Automatic)
	}
}

func TestComposeInjection(t *testing.T) {
	evil := "x\r\nBcc: eve@else.test\r\n\r\nbody\x00\u2028"
	for name, edit := range map[string]func(*Draft){
		"subject":   func(d *Draft) { d.Subject = evil },
		"from name": func(d *Draft) { d.From.Name = evil },
		"to name":   func(d *Draft) { d.To.Name = `"` + evil + `\` },
		"file name": func(d *Draft) { d.Files[0].Name = evil + `";x="` },
		"text":      func(d *Draft) { d.Text = "--=_" + evil },
	} {
		t.Run(name, func(t *testing.T) {
			d := draft()
			edit(&d)
			raw := compose(t, d)
			if h, _, _ := parseHeader(raw, true); h.has("bcc") || len(h) != 13 {
				t.Errorf("header %v", h)
			}
			l, err := Read(raw, Own{})
			if err != nil || l.To[0].Addr != d.To.Addr || l.From.Addr != d.From.Addr || len(l.Parts) != 3 {
				t.Errorf("read as %+v, %v", l, err)
			}
		})
	}
	for name, edit := range map[string]func(*Draft){
		"from":          func(d *Draft) { d.From.Addr = "a@b.test>\r\nBcc: eve@else.test" },
		"to":            func(d *Draft) { d.To.Addr = "a@b.test, eve@else.test" },
		"to, comment":   func(d *Draft) { d.To.Addr = "a@b.test (x)" },
		"to, no domain": func(d *Draft) { d.To.Addr = "anna" },
		"to, not ASCII": func(d *Draft) { d.To.Addr = "jürgen@b.test" },
		"reply-to":      func(d *Draft) { d.ReplyTo = "a@b.test\r\nBcc: eve@else.test" },
		"reply-to, two": func(d *Draft) { d.ReplyTo = "a@b.test, c@d.test" },
		"message id":    func(d *Draft) { d.MessageID = "a@b\r\nBcc: x" },
		"no message id": func(d *Draft) { d.MessageID = "" },
		"in-reply-to":   func(d *Draft) { d.InReplyTo = "a@b> <c" },
		"references":    func(d *Draft) { d.References = []string{"a@b", "c d"} },
		"date":          func(d *Draft) { d.Date = time.Time{} },
		"no text":       func(d *Draft) { d.Text, d.HTML = "", "" },
		"auto":          func(d *Draft) { d.AutoSubmitted = "no\r\nBcc: x" },
		"file type":     func(d *Draft) { d.Files[0].Type = "text/plain\r\nBcc: x" },
		"multipart":     func(d *Draft) { d.Files[0].Type = "multipart/mixed; boundary=x" },
		"cid":           func(d *Draft) { d.Inline[0].CID = "a>\r\nBcc: x" },
	} {
		t.Run(name, func(t *testing.T) {
			d := draft()
			edit(&d)
			if raw, err := d.Compose(); err == nil {
				t.Errorf("no error; wrote %q", raw[:300])
			}
		})
	}
}

// checkAddresses has other people's code read every address field back: each holds
// the one address that was meant, and the name.
func checkAddresses(t testing.TB, raw []byte, d Draft) {
	t.Helper()
	m, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	e, err := message.Read(bytes.NewReader(raw))
	if err != nil && !message.IsUnknownCharset(err) {
		t.Fatal(err)
	}
	other := emersion.Header{Header: e.Header}
	for key, want := range map[string]Address{"From": d.From, "To": d.To, "Reply-To": {"", d.ReplyTo}} {
		addr, err := mailbox.Wire(want.Addr)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.Join(strings.Fields(shorten(oneLine(strings.ToValidUTF8(want.Name, "\ufffd")), longestAddressName)), " ")
		list, err := m.Header.AddressList(key)
		if err != nil || len(list) != 1 || list[0].Address != addr || strings.Join(strings.Fields(list[0].Name), " ") != name {
			t.Fatalf("%s is read as %v, %v; want %q <%s>; in %q", key, list, err, name, addr, m.Header.Get(key))
		}
		again, err := other.AddressList(key)
		if err != nil || len(again) != 1 || again[0].Address != addr {
			t.Fatalf("%s is read elsewhere as %v, %v", key, again, err)
		}
	}
}

// A name of any length that a set-up takes is one name, not a second reader.
func TestLongNamesAreNames(t *testing.T) {
	for n := 60; n <= 150; n++ {
		for _, name := range []string{
			"Rosa, eve@else.test, " + strings.Repeat("a", n-21), strings.Repeat("Rosa (x) ", n/9), strings.Repeat("a.b ", n/4) + "<c",
			"=?utf-8?q?Rosa?= " + strings.Repeat("x, ", n/3), strings.Repeat(`\"`, n/2), "Ros\u00e0, " + strings.Repeat("eve@else.test, ", n/15),
		} {
			d := draft()
			d.To.Name, d.From.Name = name, name
			checkAddresses(t, compose(t, d), d)
		}
	}
}

func TestComposeForeignDomain(t *testing.T) {
	d := draft()
	d.To.Addr = "anna@bücher.test"
	l, err := Read(compose(t, d), Own{})
	if err != nil || l.To[0].Addr != "anna@xn--bcher-kva.test" {
		t.Errorf("to %v, %v", l.To, err)
	}
}

func TestComposeManyReferences(t *testing.T) {
	d := draft()
	d.References = nil
	for n := range 500 {
		d.References = append(d.References, fmt.Sprintf("letter.%d@office.club.test", n))
	}
	l, err := Read(compose(t, d), Own{})
	if err != nil || len(l.References) != maxReferences || l.References[0] != "letter.0@office.club.test" || l.References[maxReferences-1] != "letter.499@office.club.test" {
		t.Errorf("references %v, %v", l.References, err)
	}
}

func FuzzCompose(f *testing.F) {
	d := draft()
	f.Add(d.Subject, d.From.Name, d.To.Name, d.To.Addr, d.Text, d.HTML, d.Files[0].Name, d.Files[0].Data)
	f.Add("=?utf-8?q?x?=", `a"b\`, " , ", "a.b+c@d.test", "--=_x\r\rFrom \n.\n", "", "..\\x", []byte{0})
	f.Add("", strings.Repeat("Rosa, ", 12)+"x", "Rosa, eve@else.test, "+strings.Repeat("a ", 26), "a@b.test", "x", "", "x", []byte{})
	f.Add("", "=?utf-8?q?x?= "+strings.Repeat("(", 60), strings.Repeat("a.b;:<@ ", 10)+"\"", "a@b.test", "x", "", "x", []byte{})
	f.Add(strings.Repeat("x", 500), strings.Repeat("é", 300), "x", "\"a b\"@c.test", strings.Repeat("y", 3000), "<p>", "", []byte{})
	f.Fuzz(func(t *testing.T, subject, from, to, addr, text, html, file string, data []byte) {
		d := draft()
		d.Subject, d.From.Name, d.To.Name, d.To.Addr, d.Text, d.HTML = subject, from, to, addr, text, html
		d.Files[0] = File{Name: file, Type: "application/yaml", Data: data}
		if html == "" {
			d.Inline = nil
		}
		raw, err := d.Compose()
		if err != nil {
			return
		}
		checkWire(t, raw)
		l, err := Read(raw, Own{})
		if err != nil {
			if len(raw) > MaxLetter {
				return
			}
			t.Fatalf("%v in %q", err, raw)
		}
		if l.From.Addr != d.From.Addr || l.MessageID != d.MessageID || len(l.To) != 1 || len(l.References) != 2 {
			t.Fatalf("read as %+v", l)
		}
		if want, err := mailbox.Wire(addr); err != nil || l.To[0].Addr != want {
			t.Fatalf("to %q, want %q, %v", l.To[0].Addr, want, err)
		}
		checkAddresses(t, raw, d)
		// Characters that can't be shown, and spaces at the ends of lines, may
		// change; the text may not.
		if len(text) < 1000 && text == lines(text) && !strings.ContainsAny(text, "\x00\ufffd\ufeff") && strings.TrimSpace(text) != "" && strings.ToValidUTF8(text, "") == text {
			if got := l.Parts[0].Text; strings.TrimSuffix(got, "\n") != strings.TrimSuffix(text, "\n") {
				t.Fatalf("text %q came back as %q", text, got)
			}
		}
	})
}

func BenchmarkCompose(b *testing.B) {
	d := draft()
	d.Text = strings.Repeat("F-03  Charleroi  strength 4, morale 5, engaged with a block at Ligny\n", 200)
	d.HTML = "<table>" + strings.Repeat("<tr><td>F-03</td><td>Charleroi</td><td>strength 4 – morale 5</td></tr>\n", 200) + "</table>"
	d.Inline[0].Data = bytes.Repeat([]byte("picture!"), 5000) // 40 KB
	d.Files[0].Data = bytes.Repeat([]byte("# a line of the order template\n"), 200)
	raw, err := d.Compose()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Compose(); err != nil {
			b.Fatal(err)
		}
	}
}

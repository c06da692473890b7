package mail

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"berthier/mail/mailbox"
)

// oneCleanLine demands a text that can stand in a header and a log.
func oneCleanLine(t *testing.T, what, s string) {
	t.Helper()
	if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) || strings.ContainsAny(s, "\u2028\u2029") {
		t.Fatalf("%s %q", what, s)
	}
}

// FuzzHeader reads a header, and every value in it as everything that a value
// can be: words, an address list, parameters, identifiers, a date.
func FuzzHeader(f *testing.F) {
	for _, s := range []string{
		"From: =?utf-8?q?A=0D=0AB?= <a@b.test>\r\nTo: x: ;\r\n", "Subject: =?utf-16?b?AA?= =?x-none?q?=FF?=\r\n\tmore\r\n\r\nbody",
		"Content-Type: text/plain; name*0*=utf-8''a%2Fb; name*1=\"c\\\"d\"; charset=\"utf-8\"\n", "Content-Disposition: attachment; filename==?utf-8?b?Li4vLi4vYQ==?=\n",
		"References: <a@b> <c d@e> <<f@g>> <>\nMessage-ID: a@b\nDate: Mon, 02 Mar 2026 08:00:00 +0000 (x)\n", "From a@b Mon\n>From x\nFrom: \"a, b\" <c@d.test>, (e) f@g.test\n",
		"From: a b c <x@y.test\n", "X: " + strings.Repeat("=?utf-8?q?", 40) + "\n", "To: " + strings.Repeat("a@b.test,", 60) + "\n", "A:\x00\x80\ufeff\u202e\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, top := range []bool{true, false} {
			h, body, err := parseHeader(raw, top)
			if err == nil && !bytes.HasSuffix(raw, body) || len(h) > MaxFields {
				t.Fatalf("%d fields, body %q", len(h), body)
			}
			for _, field := range h {
				if !isFieldName(field.key) || field.key != strings.ToLower(field.key) || strings.Contains(field.value, "\n") {
					t.Fatalf("field %+v", field)
				}
				checkValue(t, field.value)
			}
			if !top {
				continue
			}
			for _, own := range []Own{{}, testOwn} {
				l, _ := Read(raw, own)
				oneCleanLine(t, "subject", l.Subject)
				for _, a := range append([]Address{l.From, l.ReplyTo}, append(l.To, l.Delivered...)...) {
					oneCleanLine(t, "name", a.Name)
					oneCleanLine(t, "address", a.Addr)
				}
			}
		}
	})
}

func checkValue(t *testing.T, v string) {
	oneCleanLine(t, "words", decodeWords(v))
	value, ps := parseParams(v)
	if len(ps) > 200 || value != strings.TrimSpace(value) {
		t.Fatalf("value %q, %d parameters", value, len(ps))
	}
	for _, p := range ps {
		if p.name == "" || strings.ToLower(p.name) != p.name || strings.Contains(p.name, "*") || !utf8.ValidString(p.value) {
			t.Fatalf("parameter %q = %q", p.name, p.value)
		}
		checkFileName(t, baseName(p.value))
	}
	list, ok := parseAddresses(v)
	if !ok && list != nil {
		t.Fatalf("addresses %v of a list that can't be read", list)
	}
	for _, a := range list {
		oneCleanLine(t, "name", a.Name)
		if again, ok := mailbox.Canonical(a.Addr); !ok || again != a.Addr {
			t.Fatalf("address %q", a.Addr)
		}
		if wire, err := mailbox.Wire(a.Addr); err == nil {
			if again, err := mailbox.Wire(wire); err != nil || again != wire {
				t.Fatalf("address %q goes out as %q, then as %q, %v", a.Addr, wire, again, err)
			}
			if strings.ContainsFunc(wire, func(r rune) bool { return r <= ' ' || r > '~' }) {
				t.Fatalf("address %q goes out as %q", a.Addr, wire)
			}
		}
	}
	ids := messageIDs(v)
	if len(ids) > 100 {
		t.Fatalf("%d identifiers", len(ids))
	}
	if id := firstID(v); id != "" {
		ids = append(ids, id)
	}
	for _, id := range ids {
		if MessageID(id) != id || MessageID("<"+id+">") != id {
			t.Fatalf("identifier %q", id)
		}
	}
	if d := parseDate(v); !d.IsZero() && d.Location().String() != "UTC" {
		t.Fatalf("date %v", d)
	}
}

func checkFileName(t *testing.T, name string) {
	t.Helper()
	oneCleanLine(t, "file name", name)
	if strings.ContainsAny(name, `/\`) || len(name) > 200+len("…") || name != strings.TrimSpace(name) {
		t.Fatalf("file name %q", name)
	}
	ascii := asciiName(name)
	if ascii != asciiName(ascii) || len(ascii) > 100 || strings.ContainsFunc(ascii, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`"\/:;<>`, r) }) {
		t.Fatalf("file name %q goes out as %q", name, ascii)
	}
}

// FuzzFileName: what RFC 2231 and RFC 2047 make of a name comes back as that
// name, without its folders.
func FuzzFileName(f *testing.F) {
	for _, s := range []string{"orders.yaml", "C:\\mail\\è.yml", "../../etc/passwd", "a\";b=c", "ordini – 4º.yaml", "\u202eyaml.exe", strings.Repeat("x", 300), "a\r\nBcc: b", " ", "..", "%41'en'x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		base := baseName(name)
		checkFileName(t, base)
		if again := baseName(base); again != base && len(base) <= 200 {
			t.Fatalf("%q, then %q", base, again)
		}
		if !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) || len(name) > 150 || strings.Contains(name, "=?") || strings.TrimSpace(name) == "" ||
			strings.HasPrefix(name, "\ufeff") {
			return
		}
		var pieces, encoded strings.Builder
		for i := 0; i < len(name); i++ {
			fmt.Fprintf(&encoded, "%%%02X", name[i])
		}
		whole := encoded.String()
		for n := 0; len(whole) > 0; n++ {
			at := min(30, len(whole))
			if n == 0 {
				fmt.Fprintf(&pieces, "; filename*0*=utf-8''%s", whole[:at])
			} else {
				fmt.Fprintf(&pieces, "; filename*%d*=%s", n, whole[:at])
			}
			whole = whole[at:]
		}
		forms := map[string]string{
			"RFC 2231":            "attachment; filename*=UTF-8''" + encoded.String(),
			"RFC 2231, in pieces": "attachment" + pieces.String(),
			"RFC 2047":            "attachment; filename=\"" + mime.BEncoding.Encode("utf-8", name) + "\"",
		}
		for form, field := range forms {
			if form == "RFC 2047" && !strings.Contains(field, "=?") {
				continue // plain ASCII, which a quoted string holds in its own way
			}
			if _, ps := parseParams(field); baseName(ps.get("filename")) != base {
				t.Fatalf("%s: %q came back as %q of %s", form, base, baseName(ps.get("filename")), field)
			}
		}
	})
}

// FuzzCharset: whatever bytes are said to be in whatever charset come out as
// UTF-8 of a bounded size, or are refused, as UTF-7 always is.
func FuzzCharset(f *testing.F) {
	for _, name := range []string{"", "utf-8", "us-ascii", "iso-8859-1", "windows-1252", "utf-16", "utf-16le", "utf-16be", "iso-2022-jp", "gb18030", "big5", "euc-kr", "koi8-r",
		"utf-7", "unicode-1-1-utf-7", "x-user-defined", "replacement", "hz-gb-2312", "none"} {
		f.Add([]byte("caf\xe9 caf\xc3\xa9 \x1b$B%H\x1b(B +ADw- \xff\xfe\xd8\x00\x84\x31\xa4\x37"), name)
		f.Add([]byte("\xff\xfea\x00\x00\xd8"), name)
	}
	f.Fuzz(func(t *testing.T, b []byte, name string) {
		s, ok := decodeCharset(b, name)
		if low := strings.ToLower(name); (strings.Contains(low, "utf-7") || strings.Contains(low, "utf7")) && ok {
			t.Fatalf("%q was read", name)
		}
		if !ok && s != "" || !utf8.ValidString(s) || len(s) > 4*len(b)+8 {
			t.Fatalf("%d bytes in %q gave %d: %.200q", len(b), name, len(s), s)
		}
		if again, _ := decodeCharset(b, name); again != s {
			t.Fatalf("%q, then %q", s, again)
		}
		// UTF-8 read as UTF-8 stays what it is, but for a mark in front.
		if back, ok := decodeCharset([]byte(s), "utf-8"); !ok || back != strings.TrimPrefix(s, "\ufeff") {
			t.Fatalf("%q came back as %q", s, back)
		}
		if got := lines(s); strings.Contains(got, "\r") || len(got) > len(s) {
			t.Fatalf("line ends of %q", got)
		}
		word := "=?" + name + "?b?" + base64.StdEncoding.EncodeToString(b) + "?="
		oneCleanLine(t, "word", decodeWords(word))
		oneCleanLine(t, "bytes", decodeWords(string(b)))
		metaCharset(b)
	})
}

// FuzzTransfer: what is encoded comes back, and what is not never grows.
func FuzzTransfer(f *testing.F) {
	for _, s := range []string{"game: x\n", "a=3D\r\n=\r\nb= \n", "Z2FtZTog\r\neA==", "Z2FtZTogeA==Z2Ft", "=", "==", "=0", "\xff\x00\r\r\n", strings.Repeat("é", 60)} {
		for _, e := range []string{"", "base64", "quoted-printable", "8bit (x)", "x-uuencode"} {
			f.Add([]byte(s), e)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, encoding string) {
		data, _ := decodeTransfer(b, encoding)
		if len(data) > len(b) {
			t.Fatalf("%d bytes of %d", len(data), len(b))
		}
		enc := base64.StdEncoding.EncodeToString(b)
		var lined strings.Builder
		for len(enc) > 76 {
			lined.WriteString(enc[:76] + "\r\n")
			enc = enc[76:]
		}
		if back, ok := decodeTransfer([]byte(lined.String()+enc), "Base64"); !ok || !bytes.Equal(back, b) {
			t.Fatalf("%q came back as %q", b, back)
		}
		var q bytes.Buffer
		w := quotedprintable.NewWriter(&q)
		w.Binary = true
		if _, err := w.Write(b); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if back, ok := decodeTransfer(q.Bytes(), "quoted-printable"); !ok || !bytes.Equal(back, b) {
			t.Fatalf("%q came back as %q", b, back)
		}
		// Other people's code reads the same, where it reads it at all.
		if theirs, err := io.ReadAll(quotedprintable.NewReader(&q)); err != nil || !bytes.Equal(theirs, b) {
			t.Fatalf("%q, %v", theirs, err)
		}
	})
}

// FuzzUnflow: joining lines changes white space and marks of quoting alone.
func FuzzUnflow(f *testing.F) {
	for _, s := range []string{"a \nb\n", "> a \n> b\n>> c \nd\n", "-- \nx \n y\n", " >x\n From \n", strings.Repeat(">", 300) + " x \n", ">\n> \n\n", "a \n"} {
		f.Add(s, false)
		f.Add(s, true)
	}
	bare := strings.NewReplacer(" ", "", ">", "", "\n", "")
	f.Fuzz(func(t *testing.T, s string, delsp bool) {
		got := unflow(s, delsp)
		if bare.Replace(got) != bare.Replace(s) {
			t.Fatalf("%q became %q", s, got)
		}
		if len(got) > 2*len(s)+2 || strings.Count(got, "\n") > strings.Count(s, "\n")+1 {
			t.Fatalf("%q became %q", s, got)
		}
	})
}

// FuzzAuthResults: what is read of the field is what stands there; written in
// the plainest way it is read the same; and what stands below the word of the
// server that is trusted proves nothing.
func FuzzAuthResults(f *testing.F) {
	for _, s := range []string{
		"mx.test; dkim=pass header.d=b.test", "mx.test 1; none", "mx.test; dkim=pass (a; b (c)) header.i=@b.test; spf=fail", `"mx.test"; dmarc=pass header.from="b.test"`,
		"mx.test; dkim/1=pass reason=\"a\\\"b\" header.d = b.test;", "mx.test 2; dkim=pass header.d=b.test", "(x) mx.test (y); dkim = pass", "mx.test; dkim=pass header.d=", "mx.test;;", "(((((",
		"mx.test; dkim=pass header.d=b.test (", "mx.test; dkim=fail; dkim=pass header.d=mail.b.test", "other.test; dkim=pass header.d=b.test",
	} {
		f.Add(s)
	}
	from := Address{Addr: "a@b.test"}
	trusted := Own{TrustedServers: []string{"mx.test"}}
	received := field{"received", "from a.test by mx.test; Mon, 2 Mar 2026 09:00:00 +0000"}
	f.Fuzz(func(t *testing.T, value string) {
		server, results, ok := parseAuthResults(value)
		if !ok && (server != "" || results != nil) {
			t.Fatalf("%q, %v of a field that says nothing", server, results)
		}
		if len(results) > mostResults {
			t.Fatalf("%d results", len(results))
		}
		proven := provenBy(header{{"authentication-results", value}, received}, from, trusted)
		if proven && !(ok && server == "mx.test") {
			t.Fatalf("proven by %q, which says %v", value, ok)
		}
		if proven && !strings.Contains(strings.ToLower(value), "b.test") {
			t.Fatalf("proven by %q", value)
		}
		for name, brought := range map[string]header{"below the server's own Received": {received, {"authentication-results", value}}, "without a Received": {{"authentication-results", value}}} {
			if provenBy(brought, from, trusted) {
				t.Fatalf("proven by %q %s", value, name)
			}
		}
		below := trusted
		below.FindingsBelow = true
		if got := provenBy(header{received, {"authentication-results", value}}, from, below); got != (proven && plainly(value, server)) {
			t.Fatalf("below the Received of a server that writes there %q proves %v, above it %v", value, got, proven)
		}
		for _, above := range []string{"mx.test; dkim=fail", "mx.test", "MX.test 1; none", "mx.test; dkim=pass header.d=other.test", "mx.test ("} {
			if provenBy(header{{"authentication-results", above}, {"authentication-results", value}, received}, from, trusted) {
				t.Fatalf("proven by %q below %q", value, above)
			}
		}
		if provenBy(header{{"authentication-results", value}, received}, from, Own{TrustedServers: []string{"other.example"}}) && server != "other.example" {
			t.Fatalf("somebody else's word is believed: %q", value)
		}
		if !ok {
			return
		}
		quote := func(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }
		plain := quote(server)
		for _, r := range results {
			plain += "; " + quote(r.method) + "=" + quote(r.result)
			for _, p := range r.props {
				plain += " " + quote(p.name) + "=" + quote(p.value)
			}
		}
		again, more, ok := parseAuthResults(plain)
		if !ok || again != server || fmt.Sprint(more) != fmt.Sprint(results) {
			t.Fatalf("%q is read as %q %v; written as %q it is read as %q %v, %v", value, server, results, plain, again, more, ok)
		}
	})
}

// FuzzBounce: a delivery report, whatever is in it, is never answered, and what
// it says is fit for the log and for a letter to the game master.
func FuzzBounce(f *testing.F) {
	f.Add("Reporting-MTA: dns; mx.test\nOriginal-Envelope-Id: letter+2E1@office.club.test\n\nFinal-Recipient: rfc822; a@b.test\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no\n such\n",
		"Message-ID: <letter.1@office.club.test>\nSubject: x\n", "It failed.\n", "")
	f.Add("\n\n\nAction: delayed\nStatus: 4.4.1\n\nAction: failed\nFinal-Recipient: x\n", "no header", "Message-ID:\n <a@b>\n550 5.1.1 x\n<c@d.test>:\n", "a@b.test, c@d.test")
	f.Add("Action: delivered\n", "", "", "")
	f.Fuzz(func(t *testing.T, status, returned, prose, failed string) {
		raw := "From: MAILER-DAEMON@mx.test\r\nTo: office@club.test\r\nX-Failed-Recipients: " + oneLine(strings.ToValidUTF8(failed, "")) + "\r\n" +
			"Content-Type: multipart/report; report-type=delivery-status; boundary=\"=b=\"\r\n\r\n--=b=\r\n\r\n" + prose +
			"\r\n--=b=\r\nContent-Type: message/delivery-status\r\n\r\n" + status + "\r\n--=b=\r\nContent-Type: text/rfc822-headers\r\n\r\n" + returned + "\r\n--=b=--\r\n"
		l, err := Read([]byte(raw), testOwn)
		if l.Automatic == "" {
			t.Fatalf("a report that may be answered: %v", err)
		}
		if l.Bounce != nil {
			checkBounce(t, l.Bounce)
		}
		// The forms older than reports.
		raw = "From: Mail Delivery System <mailer-daemon@mx.test>\r\nReturn-Path: <>\r\nSubject: failed\r\n\r\n" + prose + "\r\n" + status + "\r\n" + returned
		if l, _ = Read([]byte(raw), testOwn); l.Automatic == "" {
			t.Fatal("a server's letter that may be answered")
		} else if l.Bounce != nil {
			checkBounce(t, l.Bounce)
		}
	})
}

func checkBounce(t *testing.T, b *Bounce) {
	t.Helper()
	for what, s := range map[string]string{"diagnostic": b.Diagnostic, "status": b.Status, "recipient": b.Recipient} {
		oneCleanLine(t, what, s)
		if len(s) > 520 {
			t.Fatalf("%s of %d bytes", what, len(s))
		}
	}
	for _, id := range []string{b.MessageID, b.Envelope} {
		if MessageID(id) != id {
			t.Fatalf("identifier %q", id)
		}
	}
	if b.Status != "" && statusCode.FindString(b.Status) != b.Status || b.Permanent && strings.HasPrefix(b.Status, "4") {
		t.Fatalf("status %q, for good: %v", b.Status, b.Permanent)
	}
	if b.Recipient != "" {
		if addr, ok := mailbox.Canonical(b.Recipient); !ok || addr != b.Recipient {
			t.Fatalf("recipient %q", b.Recipient)
		}
	}
}

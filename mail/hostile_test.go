package mail

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"
)

// hostileLetters are made to cost time or room, or to be read as something else
// than they are. They are built once; each is as long as a letter may be, or
// longer.
func hostileLetters() map[string][]byte {
	head := "From: Eve <eve@b.test>\r\nTo: office@club.test\r\nSubject: orders\r\nDate: Mon, 02 Mar 2026 09:00:00 +0000\r\nMessage-ID: <1@b.test>\r\nMIME-Version: 1.0\r\n"
	room := MaxLetter - 2048
	fill := func(s string) string { return strings.Repeat(s, room/len(s)) }
	plain := func(body string) []byte {
		return []byte(head + "Content-Type: text/plain; charset=utf-8\r\n\r\n" + body)
	}
	typed := func(field, body string) []byte { return []byte(head + field + "\r\n\r\n" + body) }
	folded := func(key, piece string) []byte {
		return []byte(head + key + ": " + strings.Repeat(piece+"\r\n ", (MaxHeader-1024)/(len(piece)+3)) + "x\r\n\r\ngame: x\r\n")
	}
	var bomb bytes.Buffer
	z := zip.NewWriter(&bomb)
	if w, err := z.Create("orders.yaml"); err == nil {
		for range 64 {
			_, _ = w.Write(make([]byte, 1<<20)) // writing to a buffer can't fail
		}
	}
	_ = z.Close()
	wrapped := func(s string) string {
		var b strings.Builder
		for ; len(s) > 76; s = s[76:] {
			b.WriteString(s[:76] + "\r\n")
		}
		return b.String() + s
	}
	all := map[string][]byte{
		"long line":                  plain(fill("x")),
		"half a million lines":       plain(fill("\r\n")),
		"a line of quoting":          plain(fill("> ")),
		"deep quoting":               plain(fill(strings.Repeat(">", 500) + " x\r\n")),
		"flowed":                     typed("Content-Type: text/plain; format=flowed; delsp=yes", fill("x \r\n")),
		"base64 without lines":       typed("Content-Transfer-Encoding: base64", fill("QUJD")),
		"base64 of signs":            typed("Content-Transfer-Encoding: base64", fill("=\r\n")),
		"quoted-printable":           typed("Content-Transfer-Encoding: quoted-printable", fill("=\r\n")),
		"quoted-printable of spaces": typed("Content-Transfer-Encoding: quoted-printable", fill(" ")),
		"boundaries":                 typed("Content-Type: multipart/mixed; boundary=b", fill("--b\r\n")),
		"boundaries almost":          typed("Content-Type: multipart/mixed; boundary=b", fill("--b x\r\n")),
		"boundaries in a line":       typed("Content-Type: multipart/mixed; boundary=b", "--b\r\n\r\n"+fill("--b")),
		"boundary of dashes":         typed("Content-Type: multipart/mixed; boundary=\""+strings.Repeat("-", 150)+"\"", fill("-")),
		"parameters":                 typed("Content-Type: text/plain; "+strings.Repeat("name*1*=x; ", 5000), "x"),
		"parameters in pieces":       typed("Content-Type: text/plain"+strings.Repeat("; name*99*=%41", 4000), "x"),
		"comments":                   typed("Content-Type: text/plain "+strings.Repeat("(", 60000), "x"),
		"encoded words":              folded("Subject", "=?utf-8?q?x?="),
		"names":                      folded("Cc", "=?utf-8?q?x?= <a@b.test>,"),
		"recipients":                 folded("Cc", "a@b.test,"),
		"groups":                     folded("Cc", "x:;,"),
		"references":                 folded("References", "<a@b.test>"),
		"open references":            folded("References", "<<<<<<<<"),
		"findings":                   folded("Authentication-Results", "mx.club.test; dkim=pass header.d=b.test ("),
		"signatures":                 []byte(strings.Repeat("DKIM-Signature: v=1; a=rsa-sha256; d=b.test; s=s; h=from; bh=; b=\r\n", 400) + string(plain("x"))),
		"html":                       typed("Content-Type: text/html", fill("<div><blockquote>")),
		"html tables":                typed("Content-Type: text/html", fill("<table><tr><td>")),
		"clear signed":               plain(fill("-----BEGIN PGP SIGNED MESSAGE-----\r\n")),
		"clear signed, dashes":       plain("-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\n" + fill("- -\r\n")),
		"signatures within":          typed("Content-Type: multipart/signed; protocol=\"application/pgp-signature\"; boundary=b", fill("--b\r\n\r\nx\r\n--b\r\nContent-Type: application/pgp-signature\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\n\r\n")),
		"overlong":                   plain("game: \xc0\xaf\xe0\x80\xaf\xf0\x80\x80\xaf" + fill("\xc0\x80")),
		"shifts":                     typed("Content-Type: text/plain; charset=iso-2022-jp", fill("\x1b$B\x1b(B")),
		"utf-16 halves":              typed("Content-Type: text/plain; charset=utf-16", fill("\xd8\x00")),
		"nul":                        plain(fill("\x00")),
		"archive":                    typed("Content-Type: application/zip; name=orders.zip\r\nContent-Transfer-Encoding: base64", wrapped(base64.StdEncoding.EncodeToString(bomb.Bytes()))),
		"archive called text":        typed("Content-Type: text/plain; name=orders.zip", "PK\x03\x04"),
		"digest":                     typed("Content-Type: multipart/digest; boundary=b", fill("--b\r\n\r\nFrom: x@y.test\r\n\r\n")),
		"report":                     typed("Content-Type: multipart/report; report-type=delivery-status; boundary=b", "--b\r\nContent-Type: message/delivery-status\r\n\r\n"+fill("Action: failed\r\n\r\n")),
		"50 MB of base64":            typed("Content-Type: application/yaml; name=o.yaml\r\nContent-Transfer-Encoding: base64", strings.Repeat(strings.Repeat("QUJD", 19)+"\r\n", 50<<20/78)),
	}
	nested := head
	for n := range 5000 {
		nested += fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", n, n)
		if len(nested) > room {
			break
		}
	}
	all["nested"] = []byte(nested)
	return all
}

// mostWork is how much of a processor the reading of one letter may take, also under
// the race detector: many times what it does take, and little against what a letter
// would that costs more than goes by its length.
const mostWork = 10 * time.Second

// workDone is how long this process has had a processor, whatever else the machine
// does; where that is not known, nothing.
var workDone = func() time.Duration { return 0 }

// Letters of bad will are read within the limits, or refused with the reason, and
// hold nobody up. What they cost, [BenchmarkHostile] tells.
func TestHostileLetters(t *testing.T) {
	own := Own{TrustedServers: []string{"mx.club.test"}}
	for name, raw := range hostileLetters() {
		t.Run(name, func(t *testing.T) {
			before := workDone()
			l, err := Read(raw, own)
			if work := workDone() - before; work > mostWork {
				t.Errorf("%d bytes took %s of a processor", len(raw), work)
			}
			var u *UnreadableError
			if err != nil && !errors.As(err, &u) {
				t.Fatal(err)
			}
			if len(raw) > MaxLetter && (u == nil || u.Reason != UnreadableSize) {
				t.Errorf("%d bytes were read: %v", len(raw), err)
			}
			total := 0
			for _, p := range l.Parts {
				total += len(p.Text)
				if strings.ContainsAny(p.Text, "\x00\r") {
					t.Errorf("part %q has characters that no text has", p.Name)
				}
			}
			if total > MaxText || len(l.Parts) > MaxParts || len(l.LeftOut) > MaxParts || len(l.References) > 100 || len(l.To) > MaxHeader/3 || len(l.signed) > mostSigned {
				t.Errorf("%d bytes in %d parts, %d left out, %d references, %d recipients", total, len(l.Parts), len(l.LeftOut), len(l.References), len(l.To))
			}
			if l.proven {
				t.Error("proven")
			}
			if strings.HasPrefix(name, "archive") && (len(l.Parts) > 0 || len(l.LeftOut) != 1 || l.LeftOut[0].Reason != LeftArchive) {
				t.Errorf("an archive: %+v, left out %v", l.Parts, l.LeftOut)
			}
			if name == "overlong" {
				for _, p := range l.Parts {
					if strings.Contains(p.Text, "/") {
						t.Errorf("a sign that was hidden in too many bytes: %q", p.Text[:40])
					}
				}
			}
		})
	}
}

// Nothing that a letter brings gets into the header of the one that answers it.
func TestHostileHeaders(t *testing.T) {
	for name, field := range map[string]string{
		"subject, encoded":       "Subject: =?utf-8?q?x=0D=0ABcc:_eve@b.test=0D=0A=0D=0Abody?=",
		"subject, base64":        "Subject: =?utf-8?b?" + base64.StdEncoding.EncodeToString([]byte("x\r\nBcc: eve@b.test\r\n\r\n")) + "?=",
		"subject, separators":    "Subject: x\u2028Bcc: eve@b.test\u2029\u0085",
		"subject, bare returns":  "Subject: x\rBcc: eve@b.test\r\r",
		"subject, utf-16":        "Subject: =?utf-16be?q?=00x=00=0D=00=0A=00B=00c=00c=00:?=",
		"subject, in two words":  "Subject: =?utf-8?q?x=0D?= =?utf-8?q?=0ABcc:_a@b.test?=",
		"name, encoded":          "Cc: =?utf-8?q?x=0D=0ABcc:_eve@b.test?= <a@b.test>",
		"name in quotes":         "Reply-To: \"x\\\r\nBcc: eve@b.test\" <a@b.test>",
		"identifier":             "In-Reply-To: <a@b>\r\n <c@d\u2028>",
		"many identifiers":       "References: " + strings.Repeat("<a@b.test> ", 3000),
		"identifier of 10000":    "References: <" + strings.Repeat("x", 10000) + "@b.test>",
		"address with a newline": "Reply-To: <a@b.test\r\n\tBcc:eve@b.test>",
	} {
		t.Run(name, func(t *testing.T) {
			raw := "From: Anna <anna@b.test>\r\nMessage-ID: <1@b.test>\r\n" + field + "\r\n\r\ngame: x\r\n"
			l, err := Read([]byte(raw), Own{})
			if err != nil {
				t.Fatal(err)
			}
			names := []Address{l.From, l.ReplyTo}
			for _, a := range append(names, l.To...) {
				d := draft()
				d.To, d.Subject, d.InReplyTo, d.References = Address{a.Name, "anna@b.test"}, l.Subject, l.InReplyTo, l.References
				out := compose(t, d)
				h, _, err := parseHeader(out, true)
				if err != nil || h.has("bcc") {
					t.Errorf("%v, %v", h, err)
				}
				back, err := Read(out, Own{})
				if err != nil || len(back.To) != 1 || back.To[0].Addr != "anna@b.test" || strings.ContainsFunc(back.Subject, unicode.IsControl) || len(back.References) > maxReferences {
					t.Errorf("%+v, %v", back, err)
				}
			}
		})
	}
}

// BenchmarkHostile: what the letters of bad will cost to be read.
func BenchmarkHostile(b *testing.B) {
	for name, raw := range hostileLetters() {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = Read(raw, testOwn) // what comes of it, the test asks
			}
		})
	}
}

package adjudicator

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/mail"
)

// Letters as they really come, from their bytes to what they do in a game.

// raw is a letter as a mail program sends it; lines of its head may replace the
// usual ones, and a value "-" leaves one out.
func rawLetter(from string, head map[string]string, body string) []byte {
	lines := []struct{ key, value string }{
		{"From", from}, {"To", "orders@club.example"}, {"Subject", "Re: Report"}, {"Date", "Mon, 02 Mar 2026 08:00:00 +0000"},
		{"Message-ID", "<one@play.example>"}, {"MIME-Version", "1.0"}, {"Content-Type", "text/plain; charset=utf-8"},
		{"Content-Transfer-Encoding", "8bit"}, {"In-Reply-To", "-"}, {"Auto-Submitted", "-"}, {"Precedence", "-"},
	}
	var b strings.Builder
	for _, l := range lines {
		value := l.value
		if v, ok := head[l.key]; ok {
			value = v
		}
		if value != "-" {
			fmt.Fprintf(&b, "%s: %s\r\n", l.key, value)
		}
	}
	return []byte(b.String() + "\r\n" + strings.ReplaceAll(strings.ReplaceAll(body, "\r\n", "\n"), "\n", "\r\n"))
}

// arrive has the office take the bytes of a letter.
func (h *testOffice) arrive(raw []byte) mail.Folder {
	h.Helper()
	folder, err := h.office.Handle(context.Background(), mail.Incoming{UID: 1, Raw: raw, Size: int64(len(raw))})
	if err != nil {
		h.Fatal(err)
	}
	return folder
}

// A letter without a Message-ID that comes three times, also after a restart,
// counts once and is answered once; another one without is another letter.
func TestNoMessageIDTwice(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	text := fill(h.template(redAt), "{bid: R-1}")
	h.deliver(redAt)
	without := map[string]string{"Message-ID": "-"}
	for range 3 {
		if folder := h.arrive(rawLetter(redAt, without, text)); folder != mail.Processed {
			t.Fatal(folder)
		}
		h.restart()
	}
	h.says(h.one(h.deliver(redAt)), "bid: R-1")
	h.wantKinds("lot-1", log.KindSetup, log.KindTaken)
	h.clock.move(time.Hour)
	h.arrive(rawLetter(redAt, without, strings.Replace(text, "R-1", "R-2", 1)))
	h.says(h.one(h.deliver(redAt)), "bid: R-2")
	h.wantKinds("lot-1", log.KindSetup, log.KindTaken, log.KindTaken)
}

// The subject of a letter never decides anything: neither which game is meant, nor what is to
// be done, nor whether the letter counts.
func TestSubjectNeverDecides(t *testing.T) {
	for _, subject := range []string{"-", "", "Re: dinner on Friday", "[lot-9] resign", "=?utf-8?q?Bozza=3A_non_conta?=", "Fwd: Fwd: command: resign"} {
		h := newTestOffice(t)
		h.newGame(twoSides)
		text := fill(h.template(redAt), "{bid: R-1}")
		h.deliver(redAt)
		if folder := h.arrive(rawLetter(redAt, map[string]string{"Subject": subject}, text)); folder != mail.Processed {
			t.Errorf("%q: %s", subject, folder)
		}
		h.says(h.one(h.deliver(redAt)), "bid: R-1")
		h.wantKinds("lot-1", log.KindSetup, log.KindTaken)
	}
}

// The same order file by way of many mail programs gives the same orders.
func TestSameOrdersFromEveryProgram(t *testing.T) {
	withoutRace(t)
	lines := func(text, before, after string) string {
		var b strings.Builder
		for line := range strings.Lines(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)) {
			line = strings.TrimRight(line, "\n")
			indent := len(line) - len(strings.TrimLeft(line, " "))
			b.WriteString(before + strings.Repeat("&nbsp;", indent) + line[indent:] + after)
		}
		return b.String()
	}
	html := map[string]string{"Content-Type": "text/html; charset=utf-8"}
	latin := func(charset, s string) []byte {
		var b []byte
		for _, r := range s {
			b = append(b, byte(r))
		}
		return rawLetter(redAt, map[string]string{"Content-Type": "text/plain; charset=" + charset}, string(b))
	}
	for name, write := range map[string]func(file string) []byte{
		"plain": func(f string) []byte { return rawLetter(redAt, nil, f) },
		"signature": func(f string) []byte {
			return rawLetter(redAt, nil, "Ciao!\n\n"+f+"\n-- \nRosa\nThis e-mail is confidential: delete it.\n")
		},
		"no-break space": func(f string) []byte { return rawLetter(redAt, nil, strings.ReplaceAll(f, ": ", ":\u00a0")) },
		"flowed": func(f string) []byte {
			return rawLetter(redAt, map[string]string{"Content-Type": "text/plain; charset=utf-8; format=flowed; delsp=yes"}, strings.Replace(f, "{bid: ", "{bid:  \n", 1))
		},
		"byte order mark": func(f string) []byte { return rawLetter(redAt, nil, "\ufeff"+f) },
		"latin 1":         func(f string) []byte { return latin("iso-8859-1", "# perché no\n"+f) },
		"windows 1252":    func(f string) []byte { return latin("windows-1252", "# perché no\n"+f) },
		"mislabelled":     func(f string) []byte { return latin("utf-8", "# perché no\n"+f) },
		"base64": func(f string) []byte {
			return rawLetter(redAt, map[string]string{"Content-Transfer-Encoding": "base64"}, base64.StdEncoding.EncodeToString([]byte(f)))
		},
		"divisions": func(f string) []byte { // as webmail does
			return rawLetter(redAt, html, `<div dir="ltr">`+lines(f, "<div>", "</div>")+`</div>`)
		},
		"breaks": func(f string) []byte { // as phones do
			return rawLetter(redAt, html, `<html><body><div>`+lines(f, "", "<br>\n")+`</div></body></html>`)
		},
		"paragraphs": func(f string) []byte { // as word processors do
			return rawLetter(redAt, html, `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin:0cm}</style></head><body lang="IT">`+
				lines(f, `<p class="MsoNormal"><span style="font-size:11.0pt">`, "<o:p></o:p></span></p>\n")+`</body></html>`)
		},
		"spans": func(f string) []byte {
			return rawLetter(redAt, html, `<div style="font-family:Arial;font-size:14px;">`+lines(f, `<span>`, `</span><br>`)+`</div><div class="signature_block">Sent from my telephone</div>`)
		},
		"preformatted": func(f string) []byte {
			return rawLetter(redAt, html, "<html><body><pre>"+strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(f)+"</pre></body></html>")
		},
		"attached, nothing written": func(f string) []byte {
			return rawLetter(redAt, map[string]string{"Content-Type": `multipart/mixed; boundary="b1"`},
				"--b1\nContent-Type: text/plain\n\n\n--b1\nContent-Type: application/octet-stream; name=\"orders.yaml\"\nContent-Disposition: attachment; filename=\"orders.yaml\"\nContent-Transfer-Encoding: base64\n\n"+
					base64.StdEncoding.EncodeToString([]byte(f))+"\n--b1--\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(twoSides)
			file := fill(h.template(redAt), "{bid: R-2}")
			h.deliver(redAt)
			folder := h.arrive(write(file))
			answer := h.one(h.deliver(redAt))
			if folder != mail.Processed {
				t.Fatalf("%s:\n%s", folder, wordsOf(answer))
			}
			h.says(answer, "bid: R-2")
		})
	}
}

// The text and an attachment that differ are refused, and both are named.
func TestTextAndAttachmentDiffer(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	file := fill(h.template(redAt), "{bid: R-1}")
	h.deliver(redAt)
	body := "--b1\nContent-Type: text/plain\n\n" + file + "\n--b1\nContent-Type: text/plain; name=\"orders.yaml\"\nContent-Disposition: attachment; filename=\"orders.yaml\"\n\n" +
		strings.Replace(file, "R-1", "R-2", 1) + "\n--b1--\n"
	if folder := h.arrive(rawLetter(redAt, map[string]string{"Content-Type": `multipart/mixed; boundary="b1"`}, body)); folder != mail.Rejected {
		t.Error(folder)
	}
	h.says(h.one(h.deliver(redAt)), "two different order files", "orders.yaml")
	if h.record("lot-1").Seat("red").Owes.Answer != nil {
		t.Error("one of the two counts")
	}
}

// Two offices that have each other as a player, and two players' machines that
// answer every letter at once, write each other nothing beyond the first report
// in a thousand polls.
func TestMachinesAmongThemselves(t *testing.T) {
	const other = "orders@other.example"
	first := newTestOffice(t)
	second := newTestOffice(t, func(h *testOffice) { h.opt.From.Addr, h.clock = other, first.clock; h.opt.Clock = first.clock })
	first.newGame(strings.Replace(twoSides, redAt, other, 1))
	second.newGame(strings.Replace(twoSides, redAt, "orders@club.example", 1))
	offices := map[string]*testOffice{"orders@club.example": first, other: second}
	robots := []map[string]string{{"Auto-Submitted": "auto-replied"}, {"Precedence": "bulk"}}
	read, got := map[*testOffice]int{}, map[string]int{}
	for poll := range 1000 {
		first.clock.move(time.Minute)
		for from, h := range offices {
			h.flush()
			for _, p := range h.post.sent[read[h]:] {
				read[h]++
				got[from+" to "+p.to]++
				if to := offices[p.to]; to != nil {
					to.arrive(p.raw)
					continue
				}
				if p.to != strings.ToLower(gmAt) {
					head := map[string]string{"To": from, "Subject": "Out of office: " + p.letter.Subject, "Message-ID": fmt.Sprintf("<%d.%d@robot.example>", poll, read[h])}
					for key, value := range robots[poll%2] {
						head[key] = value
					}
					h.arrive(rawLetter(p.to, head, "I am away until Easter.\n\n"+p.letter.Parts[0].Text))
				}
			}
		}
	}
	if len(got) < 4 {
		t.Errorf("letters went only %v", got)
	}
	for way, n := range got {
		if n != 1 {
			t.Errorf("%d letters from %s", n, way)
		}
	}
}

// Every form that is not read is refused by one answer, in the reader's language,
// that names the part, says what to send instead, and how orders are sent at all.
func TestFormsThatAreNotReadAreAdvised(t *testing.T) {
	attached := func(field, text string) []string {
		return []string{"multipart/mixed; boundary=b", "--b\n\nSee the file.\n--b\n" + field + "\n\n" + text + "\n--b--\n"}
	}
	noise := base64.StdEncoding.EncodeToString([]byte("\x00\x01\x02\xff\xfe\x00binary\x00"))
	for name, c := range map[string]struct {
		letter            []string // Content-Type and body
		part, italian, en string
	}{
		"another kind of file": {attached("Content-Type: application/pdf; name=orders.pdf\nContent-Transfer-Encoding: base64", "JVBERi0="),
			"orders.pdf", "solo i file di testo possono contenere ordini: .yaml, .yml o .txt", "only text files can hold orders: .yaml, .yml or .txt"},
		"an archive": {attached("Content-Type: application/zip; name=orders.zip\nContent-Transfer-Encoding: base64", "UEsDBA=="),
			"orders.zip", "allega il file di ordini stesso", "attach the order file itself, as .yaml or .txt"},
		"too long": {attached("Content-Type: text/plain; name=orders.txt", strings.Repeat("game: x\n", mail.MaxText/8+1)),
			"orders.txt", "invia soltanto il file di ordini", "send the order file alone"},
		"utf-7": {attached("Content-Type: text/plain; charset=utf-7; name=orders.txt", "game+ADo x"),
			"orders.txt", "invia il testo in utf-8", "send the text as utf-8"},
		"an unknown encoding": {attached("Content-Type: text/plain; name=orders.txt\nContent-Transfer-Encoding: x-uuencode", "begin 644 orders.txt"),
			"orders.txt", "scrivi gli ordini nel testo della lettera", "send the orders in the text of the letter"},
		"cut off": {[]string{"multipart/mixed; boundary=b", "--b\n\nSee the file.\n--b\nContent-Type: text/plain; name=orders.txt\nContent-Disposition: attachment; filename=orders.txt\nContent-Transfer-Encoding: base64\n\nZ2FtZTog"},
			"orders.txt", "inviala di nuovo", "send it again"},
		"winmail.dat": {attached("Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64", "eJ8+Ig=="),
			"winmail.dat", "invia la lettera come testo semplice", "send the letter as plain text"},
		"a letter within": {attached("Content-Type: message/rfc822", "From: x@y.test\n\ngame: x\n"),
			"message/rfc822", "invia il file di ordini stesso", "send the order file itself"},
		"encrypted": {[]string{"multipart/encrypted; protocol=\"application/pgp-encrypted\"; boundary=b", "--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: application/octet-stream\n\nx\n--b--\n"},
			"multipart/encrypted", "invia la lettera senza cifratura", "send the letter without encryption"},
		"no text": {attached("Content-Type: text/plain; name=orders.txt\nContent-Transfer-Encoding: base64", noise),
			"orders.txt", "invia un file .yaml o .txt", "send a .yaml or .txt file"},
		"no boundary": {[]string{"multipart/mixed", "game: x\n"},
			"multipart/mixed", "invia gli ordini come testo semplice", "send the orders as plain text"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(twoSides) // red reads English, blue Italian
			h.deliver(redAt)
			h.deliver(blueAt)
			for address, want := range map[string][]string{
				redAt:  {c.en, "could not be read", "answer the report and fill in its order file, or attach the file as .yaml or .txt", "no answer of yours, as before"},
				blueAt: {c.italian, "non è stato possibile leggere", ".yaml o .txt"},
			} {
				id := "<" + strings.ReplaceAll(name, " ", "-") + "." + address + ">"
				if folder := h.arrive(rawLetter(address, map[string]string{"Content-Type": c.letter[0], "Message-ID": id}, c.letter[1])); folder != mail.Rejected {
					t.Errorf("goes to %s", folder)
				}
				l := h.one(h.deliver(address))
				words := strings.ToLower(strings.Join(strings.Fields(wordsOf(l)), " "))
				for _, w := range append(want, c.part) {
					if !strings.Contains(words, w) {
						t.Errorf("%s is not told %q:\n%s", address, w, wordsOf(l))
					}
				}
			}
		})
	}
}

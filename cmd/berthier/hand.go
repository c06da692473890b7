package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"mime"
	"mime/quotedprintable"
	"strings"
	"time"
)

// A hand is a way in which people answer a report. The demo's players use them in turn,
// so that a newcomer sees letters as they are in real life.
type hand int

const (
	onTop      hand = iota // plain text, orders above the quoted report
	fenced                 // plain text, orders between fences, with a signature
	attached               // a word in the text, orders as an attachment
	webMail                // HTML only, a line a div, no-break spaces for indents
	typography             // plain text in which the editor "improved" dashes and spaces
	hands
)

// An envelope is the header of a person's letter.
type envelope struct {
	from, name, to    string
	subject           string
	messageID, answer string // of this letter, and of the letter it answers
	date              time.Time
}

// write makes the bytes of a person's letter: an order file in one of the hands,
// above the letter that it answers.
func (h hand) write(e envelope, file, quoted string) []byte {
	var out bytes.Buffer
	header := func(key, value string) { fmt.Fprintf(&out, "%s: %s\r\n", key, value) }
	header("From", fmt.Sprintf("%s <%s>", mime.QEncoding.Encode("utf-8", e.name), e.from))
	header("To", "<"+e.to+">")
	header("Subject", mime.QEncoding.Encode("utf-8", "Re: "+e.subject))
	header("Date", e.date.Format(time.RFC1123Z))
	header("Message-ID", "<"+e.messageID+">")
	if e.answer != "" {
		header("In-Reply-To", "<"+e.answer+">")
		header("References", "<"+e.answer+">")
	}
	header("MIME-Version", "1.0")

	quote := quoteLetter(e.date, quoted)
	switch h {
	case fenced:
		text(&out, "text/plain", "```yaml\n"+file+"```\n\n-- \n"+e.name+"\n"+quote)
	case attached:
		const boundary = "=_orders"
		header("Content-Type", `multipart/mixed; boundary="`+boundary+`"`)
		out.WriteString("\r\n--" + boundary + "\r\n")
		text(&out, "text/plain", "My orders are attached.\n\n"+e.name+"\n")
		out.WriteString("\r\n--" + boundary + "\r\n")
		header("Content-Type", `application/yaml; name="orders.yaml"`)
		header("Content-Disposition", `attachment; filename="orders.yaml"`)
		header("Content-Transfer-Encoding", "base64")
		out.WriteString("\r\n")
		encoded := base64.StdEncoding.EncodeToString([]byte(file))
		for len(encoded) > 76 {
			out.WriteString(encoded[:76] + "\r\n")
			encoded = encoded[76:]
		}
		out.WriteString(encoded + "\r\n--" + boundary + "--\r\n")
	case webMail:
		text(&out, "text/html", webPage(file, quoted))
	case typography:
		improved := strings.NewReplacer("-", "–", "  ", "\u00a0 ").Replace
		text(&out, "text/plain", improveValues(file, improved)+"\nRegards, "+e.name+"\n")
	default:
		text(&out, "text/plain", file+"\n"+quote)
	}
	return out.Bytes()
}

// improveValues does to a file what a word processor does: dashes in unit ids
// become longer and indents become no-break spaces. The keys at the top keep their
// hyphens, since a game's id would otherwise be a different one.
func improveValues(file string, improve func(string) string) string {
	lines := strings.Split(file, "\n")
	inOrders := false
	for i, line := range lines {
		if strings.HasPrefix(line, "orders:") {
			inOrders = true
		} else if line != "" && line[0] != ' ' && line[0] != '-' {
			inOrders = false
		}
		if inOrders && strings.HasPrefix(line, " ") {
			lines[i] = improve(line)
		}
	}
	return strings.Join(lines, "\n")
}

func quoteLetter(date time.Time, quoted string) string {
	if quoted == "" {
		return ""
	}
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(quoted, "\r\n", "\n"), "\n"), "\n")
	return "\nOn " + date.Format("Mon, 2 Jan 2006 at 15:04") + ", the office wrote:\n> " + strings.Join(lines, "\n> ") + "\n"
}

func webPage(file, quoted string) string {
	var out strings.Builder
	out.WriteString(`<html><body><div dir="ltr">`)
	for _, line := range strings.Split(strings.TrimRight(file, "\n"), "\n") {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		out.WriteString("<div>" + strings.Repeat("&nbsp;", indent) + html.EscapeString(line[indent:]) + "</div>\r\n")
	}
	out.WriteString("</div><br>")
	if quoted != "" {
		out.WriteString(`<div class="quote">The office wrote:<blockquote style="margin-left:1ex;border-left:1px solid #ccc;padding-left:1ex">`)
		for _, line := range strings.Split(quoted, "\n") {
			out.WriteString(html.EscapeString(strings.TrimRight(line, "\r")) + "<br>\r\n")
		}
		out.WriteString("</blockquote></div>")
	}
	out.WriteString("</body></html>\r\n")
	return out.String()
}

// text writes the rest of a part's header and its body.
func text(out *bytes.Buffer, kind, body string) {
	fmt.Fprintf(out, "Content-Type: %s; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n", kind)
	w := quotedprintable.NewWriter(out)
	w.Write([]byte(strings.ReplaceAll(strings.ReplaceAll(body, "\r\n", "\n"), "\n", "\r\n")))
	w.Close()
}

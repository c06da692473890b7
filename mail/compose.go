package mail

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"mime"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"time"
	"unicode/utf8"

	"berthier/mail/mailbox"
)

// A File goes out with a letter: as an attachment, or inside its HTML.
type File struct {
	Name string // file name; characters beyond ASCII are replaced, since mail programs disagree about them
	Type string // media type; empty means application/octet-stream
	CID  string // for a picture inside the HTML: what the HTML calls cid:…
	Data []byte
}

// A Draft is a letter to be written.
type Draft struct {
	From, To   Address
	ReplyTo    string // address for answers; empty: From
	Subject    string // one line; control characters become spaces
	MessageID  string // required; local@domain, without brackets
	InReplyTo  string
	References []string  // oldest first; of very many, the first and the last are kept
	Date       time.Time // required
	Text       string    // required, unless there is HTML
	HTML       string
	Inline     []File // pictures that the HTML shows
	Files      []File // attachments
	// AutoSubmitted is auto-replied if the letter answers another one, and
	// auto-generated for everything else that a machine writes (RFC 3834). Empty: a
	// person writes, and the letter bears no mark of an office.
	AutoSubmitted string
	// Unsubscribe is a URI (mailto:) by which the reader gets no more such letters (RFC 2369). Empty: there is none, since
	// the letter is not one of many of a kind.
	Unsubscribe string
	// Entry is written as [EntryHeader]: words of printable ASCII with one blank
	// between them. Empty: the letter has no such field.
	Entry string
}

// maxReferences keeps a long game's letters from growing for ever.
const maxReferences = 20

// Compose gives the bytes of the letter, with CRLF at the end of lines. The
// same draft always gives the same bytes.
//
// Nothing in a draft can put a line into the header: text loses its control
// characters, and an address, identifier or type that holds any is an error.
func (d Draft) Compose() ([]byte, error) {
	h := headerWriter{}
	from, err := h.address(d.From)
	if err != nil {
		return nil, fmt.Errorf("compose letter: from: %w", err)
	}
	to, err := h.address(d.To)
	if err != nil {
		return nil, fmt.Errorf("compose letter: to: %w", err)
	}
	id := MessageID(d.MessageID)
	if err := d.sound(id); err != nil {
		return nil, fmt.Errorf("compose letter: %w", err)
	}

	h.fold("From", from)
	h.fold("To", to)
	if err := d.writeReplyTo(&h); err != nil {
		return nil, fmt.Errorf("compose letter: %w", err)
	}
	h.fold("Subject", encodeWords(shorten(oneLine(strings.ToValidUTF8(d.Subject, "\ufffd")), 400)))
	h.fold("Date", d.Date.Format("Mon, 02 Jan 2006 15:04:05 -0700"))
	h.fold("Message-ID", "<"+id+">")
	if err := d.writeThread(&h); err != nil {
		return nil, fmt.Errorf("compose letter: %w", err)
	}
	if err := d.writeMarks(&h, id); err != nil {
		return nil, fmt.Errorf("compose letter: %w", err)
	}
	h.fold("MIME-Version", "1.0")

	root, err := d.tree()
	if err != nil {
		return nil, fmt.Errorf("compose letter: %w", err)
	}
	var out bytes.Buffer
	out.Grow(h.Len() + root.size())
	out.WriteString(h.String())
	sum := sha256.Sum256([]byte("boundary of " + id))
	seed := hex.EncodeToString(sum[:12])
	next := 0
	root.write(&out, func() string { next++; return fmt.Sprintf("=_%s_%d", seed, next) })
	return out.Bytes(), nil
}

// sound finds what is missing from a draft with that identifier, or may not be in it.
func (d Draft) sound(id string) error {
	if strings.Count(id, "@") != 1 {
		return fmt.Errorf("message identifier %q is not local@domain", d.MessageID)
	}
	if d.Date.IsZero() {
		return errors.New("date is missing")
	}
	if d.Text == "" && d.HTML == "" {
		return errors.New("text is missing")
	}
	switch d.AutoSubmitted {
	case "", "auto-replied", "auto-generated":
	default:
		return fmt.Errorf("Auto-Submitted can't be %q", d.AutoSubmitted)
	}
	return nil
}

// writeReplyTo writes where answers go, if not to the sender.
func (d Draft) writeReplyTo(h *headerWriter) error {
	if d.ReplyTo == "" {
		return nil
	}
	list, ok := parseAddresses(d.ReplyTo)
	if !ok || len(list) != 1 {
		return fmt.Errorf("reply-to: %q is not one address", d.ReplyTo)
	}
	v, err := h.address(list[0])
	if err != nil {
		return fmt.Errorf("reply-to: %w", err)
	}
	h.fold("Reply-To", v)
	return nil
}

// writeThread writes which letters this one answers.
func (d Draft) writeThread(h *headerWriter) error {
	if d.InReplyTo != "" {
		in := MessageID(d.InReplyTo)
		if in == "" {
			return fmt.Errorf("in-reply-to %q is no message identifier", d.InReplyTo)
		}
		h.fold("In-Reply-To", "<"+in+">")
	}
	var refs []string
	for _, r := range d.References {
		ref := MessageID(r)
		if ref == "" {
			return fmt.Errorf("reference %q is no message identifier", r)
		}
		refs = append(refs, "<"+ref+">")
	}
	if len(refs) > maxReferences {
		refs = append(refs[:1:1], refs[len(refs)-maxReferences+1:]...)
	}
	if len(refs) > 0 {
		h.fold("References", strings.Join(refs, " "))
	}
	return nil
}

// writeMarks writes the fields by which a letter is known to be an office's.
func (d Draft) writeMarks(h *headerWriter, id string) error {
	if d.AutoSubmitted != "" {
		h.fold("Auto-Submitted", d.AutoSubmitted)
		h.fold("X-Auto-Response-Suppress", "All")
		_, domain, _ := strings.Cut(id, "@")
		h.fold(LoopHeader, domain)
	}
	if d.Unsubscribe != "" {
		if strings.ContainsFunc(d.Unsubscribe, func(r rune) bool { return r <= ' ' || r > '~' || r == '<' || r == '>' || r == ',' }) {
			return fmt.Errorf("List-Unsubscribe can't be %q", d.Unsubscribe)
		}
		h.fold("List-Unsubscribe", "<"+d.Unsubscribe+">")
	}
	if d.Entry != "" {
		if !entryText(d.Entry) {
			return fmt.Errorf("%s can't be %q", EntryHeader, d.Entry)
		}
		h.fold(EntryHeader, d.Entry)
	}
	return nil
}

// A node is a part of the letter being written.
type node struct {
	typ    string // media type with parameters; for a multipart without the boundary
	header []string
	body   []byte
	kids   []*node
}

// tree puts the parts together, without a multipart that would hold one part
// only: mixed{alternative{text, related{html, pictures}}, files}.
func (d Draft) tree() (*node, error) {
	var shown []*node
	if d.Text != "" {
		shown = append(shown, textNode("text/plain", d.Text))
	}
	if d.HTML != "" {
		n := textNode("text/html", d.HTML)
		if len(d.Inline) > 0 {
			rel := &node{typ: `multipart/related; type="text/html"`, kids: []*node{n}}
			for _, f := range d.Inline {
				k, err := fileNode(f, true)
				if err != nil {
					return nil, err
				}
				rel.kids = append(rel.kids, k)
			}
			n = rel
		}
		shown = append(shown, n)
	}
	root := shown[0]
	if len(shown) > 1 {
		root = &node{typ: "multipart/alternative", kids: shown}
	}
	files := d.Files
	if d.HTML == "" {
		// Without HTML to show them, pictures are attachments.
		files = append(append([]File(nil), d.Inline...), files...)
	}
	if len(files) > 0 {
		root = &node{typ: "multipart/mixed", kids: []*node{root}}
		for _, f := range files {
			k, err := fileNode(f, false)
			if err != nil {
				return nil, err
			}
			root.kids = append(root.kids, k)
		}
	}
	return root, nil
}

// textNode encodes a text: as it is if any mail server will leave it alone,
// else quoted-printable.
func textNode(typ, s string) *node {
	s = lines(strings.ToValidUTF8(s, "\ufffd"))
	s = strings.ReplaceAll(s, "\x00", "\ufffd")
	if !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	plain := true
	for line := range strings.Lines(s) {
		line = strings.TrimSuffix(line, "\n")
		if len(line) > 200 || strings.HasSuffix(line, " ") || strings.HasSuffix(line, "\t") ||
			strings.HasPrefix(line, "From ") || strings.HasPrefix(line, "--") {
			plain = false
			break
		}
		for i := 0; i < len(line); i++ {
			if line[i] >= 0x7f || line[i] < ' ' && line[i] != '\t' {
				plain = false
			}
		}
	}
	n := &node{typ: typ + "; charset=utf-8"}
	var b bytes.Buffer
	b.Grow(len(s) + len(s)/8) // enough for the breaks of lines, and for what is encoded of most texts
	if plain {
		n.header = append(n.header, "Content-Transfer-Encoding: 7bit")
		b.WriteString(strings.ReplaceAll(s, "\n", "\r\n"))
	} else {
		n.header = append(n.header, "Content-Transfer-Encoding: quoted-printable")
		w := quotedprintable.NewWriter(&b)
		// Writing to a buffer can't fail.
		_, _ = w.Write([]byte(s))
		_ = w.Close()
	}
	n.body = b.Bytes()
	return n
}

func fileNode(f File, inline bool) (*node, error) {
	typ := f.Type
	if typ == "" {
		typ = "application/octet-stream"
	}
	base, ps, err := mime.ParseMediaType(typ)
	if err != nil || !validType(base) || strings.HasPrefix(base, "multipart/") || strings.HasPrefix(base, "message/") {
		return nil, fmt.Errorf("file %q: %q is no media type of a file", f.Name, f.Type)
	}
	name := asciiName(f.Name)
	delete(ps, "name")
	if name != "" {
		ps["name"] = name
	}
	if typ = mime.FormatMediaType(base, ps); typ == "" || len(typ) > 900 {
		return nil, fmt.Errorf("file %q: media type %q can't be written", f.Name, f.Type)
	}
	disposition := "attachment"
	if inline {
		disposition = "inline"
	}
	if name != "" {
		disposition += fmt.Sprintf(`; filename="%s"`, name)
	}
	n := &node{typ: typ, header: []string{
		"Content-Transfer-Encoding: base64",
		"Content-Disposition: " + disposition,
	}}
	if inline {
		cid := MessageID(f.CID)
		if cid == "" {
			return nil, fmt.Errorf("file %q: %q is no content identifier", f.Name, f.CID)
		}
		n.header = append(n.header, "Content-ID: <"+cid+">")
	}
	enc := base64.StdEncoding.EncodeToString(f.Data)
	var b bytes.Buffer
	b.Grow(len(enc) + len(enc)/38 + 2)
	for len(enc) > 76 {
		b.WriteString(enc[:76])
		b.WriteString("\r\n")
		enc = enc[76:]
	}
	b.WriteString(enc)
	b.WriteString("\r\n")
	n.body = b.Bytes()
	return n, nil
}

// asciiName makes a file name that no mail program misreads and no system
// refuses.
func asciiName(s string) string {
	s = baseName(s)
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("-_.+ ", r):
			return r
		}
		return '_'
	}, s)
	s = strings.Trim(s, " ")
	if len(s) > 100 {
		// The ending says what kind of file it is.
		s = s[:60] + s[len(s)-40:]
	}
	return s
}

// aroundNode is about how many bytes a node takes besides its body: its header, and the boundary before and after it.
const aroundNode = 400

// size is about how many bytes the node takes, and rather more than less.
func (n *node) size() int {
	size := aroundNode + len(n.body)
	for _, k := range n.kids {
		size += k.size()
	}
	return size
}

// write writes the node's header and body. A boundary can't stand in a body:
// neither quoted-printable nor base64 gives "=_", and text beginning with "--"
// is not sent as it is.
func (n *node) write(out *bytes.Buffer, boundary func() string) {
	if len(n.kids) == 0 {
		out.WriteString("Content-Type: " + n.typ + "\r\n")
		for _, h := range n.header {
			out.WriteString(h + "\r\n")
		}
		out.WriteString("\r\n")
		out.Write(n.body)
		return
	}
	b := boundary()
	out.WriteString("Content-Type: " + n.typ + ";\r\n boundary=\"" + b + "\"\r\n\r\n")
	for _, k := range n.kids {
		out.WriteString("--" + b + "\r\n")
		k.write(out, boundary)
		out.WriteString("\r\n") // belongs to the boundary; a text keeps its own
	}
	out.WriteString("--" + b + "--\r\n")
}

// A headerWriter writes fields, folded to 76 columns where they have spaces.
type headerWriter struct{ strings.Builder }

func (h *headerWriter) fold(key, value string) {
	h.WriteString(key)
	h.WriteByte(':')
	col := len(key) + 1
	for i, w := range strings.Split(value, " ") {
		if i > 0 && w != "" && col+1+len(w) > 76 && strings.TrimSpace(w) != "" {
			h.WriteString("\r\n")
			col = 0
		}
		h.WriteByte(' ')
		h.WriteString(w)
		col += 1 + len(w)
	}
	h.WriteString("\r\n")
}

// longestAddressName is how many bytes of a name stand before an address.
const longestAddressName = 150

// address writes an address for a header. Domains beyond ASCII are written in
// their ASCII form; a local part beyond ASCII needs mail servers of a kind that
// few have, and is an error.
func (h *headerWriter) address(a Address) (string, error) {
	addr, err := mailbox.Wire(a.Addr)
	if err != nil {
		return "", err
	}
	spec := (&netmail.Address{Address: addr}).String()
	name := shorten(oneLine(strings.ToValidUTF8(a.Name, "\ufffd")), longestAddressName)
	if name == "" {
		return strings.Trim(spec, "<>"), nil
	}
	for i := 0; i < len(name); i++ {
		if name[i] >= 0x7f {
			// B, not Q: in a name Q would have to hide more characters.
			return mime.BEncoding.Encode("utf-8", name) + " " + spec, nil
		}
	}
	if strings.Contains(name, "=?") { // many decode it between quotes, too
		return codedWords(name) + " " + spec, nil
	}
	return `"` + quotes.Replace(name) + `" ` + spec, nil
}

// quotes lets a text stand between quotes in a header.
var quotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// encodeWords writes text for a header: as it is if it is ASCII and can be
// folded, else by RFC 2047.
func encodeWords(s string) string {
	plain := !strings.Contains(s, "=?")
	word := 0
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf || s[i] == 0x7f {
			plain = false
		}
		if s[i] == ' ' {
			word = 0
		} else if word++; word > 70 {
			plain = false
		}
	}
	if plain {
		return s
	}
	if q := mime.QEncoding.Encode("utf-8", s); q != s {
		return q
	}
	return codedWords(s)
}

// codedWords writes ASCII as encoded words: the encoder of the standard library
// leaves it alone even where it must not.
func codedWords(s string) string {
	var b strings.Builder
	for i, chunk := 0, ""; i < len(s); i += len(chunk) {
		chunk = s[i:min(len(s), i+45)]
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString("=?utf-8?b?" + base64.StdEncoding.EncodeToString([]byte(chunk)) + "?=")
	}
	return b.String()
}

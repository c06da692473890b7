package mail

import (
	"bytes"
	"encoding/base64"
	"path"
	"strings"
	"unicode/utf8"
)

// A partReader walks through the parts of one letter and keeps count of what
// they cost.
type partReader struct {
	letter *Letter
	parts  int
	text   int // bytes of text so far
	bounce *bounceReader
}

// read takes in one part. cut says that the letter ended where the part should
// have.
func (r *partReader) read(h header, body []byte, depth int, within string, cut bool) error {
	if depth > MaxDepth {
		return &UnreadableError{Reason: UnreadableDepth, Detail: "more than 8 parts inside each other"}
	}
	if r.parts++; r.parts > MaxParts {
		return &UnreadableError{Reason: UnreadableParts, Detail: "more than 64 parts"}
	}
	typ, ps := parseParams(h.get("content-type"))
	if !validType(typ) {
		typ = "text/plain"
		if within == "multipart/digest" {
			typ = "message/rfc822"
		}
	}
	if strings.HasPrefix(typ, "multipart/") {
		return r.multipart(typ, ps, body, depth, cut)
	}
	disposition, dps := parseParams(h.get("content-disposition"))
	name := baseName(dps.get("filename"))
	if name == "" {
		name = baseName(ps.get("name"))
	}
	l := &leaf{r: r, typ: typ, ps: ps, disposition: disposition, name: name, transfer: h.get("content-transfer-encoding"), body: body}
	if l.aside() {
		return nil
	}
	if !l.readKind() {
		l.leaveOut(LeftType)
		return nil
	}
	if l.kind == Attachment && cut {
		l.leaveOut(LeftTruncated)
		return nil
	}
	text, ok := l.decode()
	if !ok {
		return nil
	}
	l.keep(l.signedText(lines(text)))
	return nil
}

// A leaf is a part that holds no other parts.
type leaf struct {
	r           *partReader
	typ         string
	ps          params // of its type
	disposition string
	name        string
	transfer    string // encoding of the body
	body        []byte
	kind        PartKind
}

// leaveOut notes why the part is not among those of the letter.
func (l *leaf) leaveOut(reason string) {
	name := l.name
	if name == "" {
		name = l.typ
	}
	l.r.letter.LeftOut = append(l.r.letter.LeftOut, LeftOut{name, reason})
}

// aside deals with a part that holds no text of the letter's writer, and tells whether the
// part was of that kind.
func (l *leaf) aside() bool {
	switch bounce := l.r.bounce; l.typ {
	case "message/delivery-status", "message/global-delivery-status":
		if bounce != nil {
			data, _ := decodeTransfer(l.body, l.transfer)
			bounce.status(data)
			return true
		}
	case "message/rfc822", "message/global", "message/rfc822-headers", "text/rfc822-headers", "message/global-headers":
		if bounce != nil {
			data, _ := decodeTransfer(l.body, l.transfer)
			bounce.returned(data)
			return true
		}
		l.leaveOut(LeftMessage)
		return true
	case "application/ms-tnef", "application/vnd.ms-tnef":
		l.leaveOut(LeftTNEF)
		return true
	case "application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime":
		l.leaveOut(LeftEncrypted)
		return true
	case "application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature":
		return true // about the letter, not of it
	}
	if strings.EqualFold(l.name, "winmail.dat") {
		l.leaveOut(LeftTNEF)
		return true
	}
	if archive(l.typ, l.name) {
		l.leaveOut(LeftArchive)
		return true
	}
	return false
}

// readKind finds what kind of part it is, and tells whether it may hold text.
func (l *leaf) readKind() bool {
	l.kind = Plain
	switch {
	case l.disposition == "attachment", l.name != "" && l.typ != "text/html" && l.typ != "text/plain":
		l.kind = Attachment
	case l.typ == "text/plain":
		// Phones put a file into the running text and give it its name.
		if l.name != "" && textName(l.name) {
			l.kind = Attachment
		}
	case l.typ == "text/html":
		l.kind = HTML
	case l.typ == "text/markdown", l.typ == "text/x-markdown":
	case yamlType(l.typ), l.typ == "application/pgp-keys":
		l.kind = Attachment
	default:
		return false
	}
	return l.kind != Attachment || strings.HasPrefix(l.typ, "text/") || yamlType(l.typ) || l.typ == "application/pgp-keys" || textName(l.name)
}

// decode gives the part's text, unless there is none to be had.
func (l *leaf) decode() (string, bool) {
	data, ok := decodeTransfer(l.body, l.transfer)
	if !ok && (l.kind == Attachment || data == nil) {
		l.leaveOut(LeftEncoding)
		return "", false
	}
	cs := l.ps.get("charset")
	if cs == "" && l.typ == "text/html" {
		cs = metaCharset(data)
	}
	text, ok := decodeCharset(data, cs)
	if !ok {
		l.leaveOut(LeftCharset)
		return "", false
	}
	if strings.IndexByte(text, 0) >= 0 {
		l.leaveOut(LeftBinary)
		return "", false
	}
	return text, true
}

// signedText keeps what is signed within a text, and gives the text without the signature.
func (l *leaf) signedText(text string) string {
	letter := l.r.letter
	plain, piece, ok := clearSigned(text)
	if !ok || l.typ == "text/html" || len(letter.signed) >= mostSigned {
		return text
	}
	for i := range piece.parts {
		piece.parts[i].Kind, piece.parts[i].Name, piece.parts[i].Type = l.kind, l.name, l.typ
	}
	letter.signed = append(letter.signed, piece)
	return plain
}

// keep puts the part among those of the letter, as plain text, if there is room for it.
func (l *leaf) keep(text string) {
	r, ok := l.r, true
	switch {
	case l.typ == "text/html":
		text, ok = htmlText(text, MaxText-r.text)
	case l.typ == "text/plain" && strings.EqualFold(l.ps.get("format"), "flowed") && l.kind == Plain:
		text = unflow(text, strings.EqualFold(l.ps.get("delsp"), "yes"))
	}
	if !ok || len(text) > MaxText-r.text {
		l.leaveOut(LeftSize)
		return
	}
	if l.kind != Attachment && strings.TrimSpace(text) == "" {
		return
	}
	r.text += len(text)
	r.letter.Parts = append(r.letter.Parts, Part{Kind: l.kind, Name: l.name, Type: l.typ, Text: text})
}

// multipart takes apart a body at its boundary lines.
func (r *partReader) multipart(typ string, ps params, body []byte, depth int, cut bool) error {
	if typ == "multipart/encrypted" {
		r.letter.LeftOut = append(r.letter.LeftOut, LeftOut{typ, LeftEncrypted})
		return nil
	}
	boundary := ps.get("boundary")
	if boundary == "" || len(boundary) > 200 {
		r.letter.LeftOut = append(r.letter.LeftOut, LeftOut{typ, LeftBroken})
		return nil
	}
	mark := []byte("--" + boundary)
	start := -1 // of the part being read; -1: before the first
	pos := 0
	var content []byte // of multipart/signed: what is signed, and where its texts begin
	first := len(r.letter.Parts)
	pgp := typ == "multipart/signed" && strings.EqualFold(ps.get("protocol"), "application/pgp-signature")
	piece := func(part []byte) {
		switch {
		case !pgp:
		case content == nil:
			content = part
		default:
			pgp = false
			h, body, err := parseHeader(part, false)
			if err != nil || len(r.letter.signed) >= mostSigned {
				return
			}
			if kind, _ := parseParams(h.get("content-type")); kind != "application/pgp-signature" {
				return
			}
			armoured, _ := decodeTransfer(body, h.get("content-transfer-encoding"))
			if data := unarmour(armoured); data != nil {
				r.letter.signed = append(r.letter.signed, signed{content: crlf(content), signature: data,
					parts: append([]Part(nil), r.letter.Parts[first:]...)})
			}
		}
	}
	for {
		i := bytes.Index(body[pos:], mark)
		if i < 0 {
			break
		}
		at := pos + i
		if at > 0 && body[at-1] != '\n' {
			pos = at + len(mark) // its line may be very long, and hold very many of them
			continue
		}
		line, _ := cutLine(body[at:])
		tail := bytes.TrimRight(line[len(mark):], " \t")
		end := string(tail) == "--"
		if len(tail) > 0 && !end {
			pos = at + len(mark)
			continue
		}
		if start >= 0 {
			part := body[start:at]
			part = bytes.TrimSuffix(part, []byte("\n"))
			part = bytes.TrimSuffix(part, []byte("\r"))
			if err := r.part(part, depth, typ, false); err != nil {
				return err
			}
			piece(part)
		}
		if end {
			return nil
		}
		_, rest := cutLine(body[at:])
		start = len(body) - len(rest)
		pos = start
	}
	if start >= 0 {
		// Inside another multipart, whose next boundary has been seen, a
		// missing end is only sloppy.
		return r.part(body[start:], depth, typ, cut || depth == 0)
	}
	r.letter.LeftOut = append(r.letter.LeftOut, LeftOut{typ, LeftBroken})
	return nil
}

func (r *partReader) part(raw []byte, depth int, within string, cut bool) error {
	h, body, err := parseHeader(raw, false)
	if err != nil {
		return err
	}
	return r.read(h, body, depth+1, within, cut)
}

func validType(s string) bool {
	kind, sub, ok := strings.Cut(s, "/")
	return ok && token(kind) && token(sub)
}

func token(s string) bool {
	if s == "" || len(s) > 100 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] <= ' ' || s[i] >= 0x7f || strings.IndexByte(`()<>@,;:\"/[]?=`, s[i]) >= 0 {
			return false
		}
	}
	return true
}

func yamlType(typ string) bool {
	switch typ {
	case "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/vnd.yaml":
		return true
	}
	return false
}

func textName(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".yaml", ".yml", ".txt", ".text":
		return true
	}
	return false
}

// archive tells whether a part holds files of its own. None is ever opened: a few
// bytes of one may stand for more than any machine has room for.
func archive(typ, name string) bool {
	switch strings.TrimPrefix(typ, "application/") {
	case "zip", "x-zip-compressed", "x-zip", "gzip", "x-gzip", "x-tar", "x-gtar", "x-bzip2", "x-xz", "zstd", "x-7z-compressed", "vnd.rar", "x-rar-compressed", "java-archive":
		return true
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".zip", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".zst", ".7z", ".rar", ".jar", ".lzh", ".cab", ".iso":
		return true
	}
	return false
}

// baseName is a file name without folders of any system.
func baseName(s string) string {
	if i := strings.LastIndexAny(s, `/\`); i >= 0 {
		s = s[i+1:]
	}
	return shorten(oneLine(strings.ToValidUTF8(s, "\ufffd")), 200)
}

// decodeTransfer undoes a transfer encoding. If ok is false something was
// broken: data then is what could be read, or nil if the encoding is unknown.
func decodeTransfer(b []byte, encoding string) (data []byte, ok bool) {
	switch strings.ToLower(strings.TrimSpace(stripComment(encoding))) {
	case "", "7bit", "8bit", "binary", "7-bit", "8-bit":
		return b, true
	case "quoted-printable":
		return unquotePrintable(b), true
	case "base64":
		return unbase64(b)
	}
	return nil, false
}

// unquotePrintable undoes quoted-printable and never fails: what is not an escape stays as
// it is.
func unquotePrintable(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		line, rest := cutLine(b)
		hasEnd := len(rest) > 0 || b[len(b)-1] == '\n'
		b = rest
		line = bytes.TrimRight(line, " \t")
		soft := false
		if n := len(line); n > 0 && line[n-1] == '=' {
			line, soft = line[:n-1], true
		}
		for i := 0; i < len(line); i++ {
			if line[i] == '=' && i+2 < len(line) {
				if hi, lo := unhex(line[i+1]), unhex(line[i+2]); hi >= 0 && lo >= 0 {
					out = append(out, byte(hi<<4|lo))
					i += 2
					continue
				}
			}
			out = append(out, line[i])
		}
		if !soft && hasEnd {
			out = append(out, '\n')
		}
	}
	return out
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// unbase64 undoes base64. It skips line ends and what gateways append; ok is false if
// characters are missing or foreign ones stand between.
func unbase64(b []byte) (data []byte, ok bool) {
	clean := make([]byte, 0, len(b))
	ok = true
	padded := false
	for _, c := range b {
		switch {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '+', c == '/':
			if padded {
				// Joined pieces, each padded for itself, are read as one file by
				// some and as the first piece by others: broken.
				ok = false
				continue
			}
			clean = append(clean, c)
		case c == '=':
			padded = true
		case c == '\n', c == '\r', c == ' ', c == '\t':
		default:
			ok = false
		}
	}
	if len(clean)%4 == 1 {
		clean, ok = clean[:len(clean)-1], false
	}
	data = make([]byte, base64.RawStdEncoding.DecodedLen(len(clean)))
	n, err := base64.RawStdEncoding.Decode(data, clean)
	return data[:n], ok && err == nil
}

// metaCharset finds the charset that an HTML text names for itself, for letters
// whose header does not.
func metaCharset(b []byte) string {
	head := strings.ToLower(string(b[:min(len(b), 2048)]))
	if !utf8.ValidString(head) {
		head = strings.ToValidUTF8(head, "?")
	}
	_, after, ok := strings.Cut(head, "charset=")
	if !ok {
		return ""
	}
	after = strings.TrimLeft(after, `"' `)
	end := strings.IndexAny(after, "\"'>; /")
	if end < 0 {
		return ""
	}
	return after[:end]
}

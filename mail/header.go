package mail

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	netmail "net/mail"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"berthier/mail/mailbox"
)

// A field is a header field: its key in lower case, its value with folding
// undone, otherwise as it came.
type field struct{ key, value string }

type header []field

// parseHeader takes a header off b. At the top of a letter a line that is no
// header is an error; in a part it is where the body begins, since some mail
// programs forget the empty line there.
func parseHeader(b []byte, top bool) (h header, body []byte, err error) {
	rest := b
	first := true
	for {
		if len(b)-len(rest) > MaxHeader {
			return h, nil, &UnreadableError{Reason: UnreadableHeaders, Detail: "longer than 64 KiB"}
		}
		if len(rest) == 0 {
			return h, nil, nil
		}
		line, after := cutLine(rest)
		if len(line) == 0 {
			return h, after, nil
		}
		// A mailbox file's separator that was left in.
		if first && top && (bytes.HasPrefix(line, []byte("From ")) || bytes.HasPrefix(line, []byte(">From "))) {
			rest = after
			continue
		}
		first = false
		if line[0] == ' ' || line[0] == '\t' {
			if len(h) == 0 {
				if top {
					return h, nil, &UnreadableError{Reason: UnreadableHeader, Detail: "begins with a continuation line"}
				}
				return h, rest, nil
			}
			// Collected first and joined below: a thousand continuation lines
			// must not cost a thousand copies.
			start := rest
			n := 0
			for len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') && n <= MaxHeader {
				_, next := cutLine(rest)
				n += len(rest) - len(next)
				rest = next
			}
			h[len(h)-1].value += unfold(start[:len(start)-len(rest)])
			continue
		}
		colon := bytes.IndexByte(line, ':')
		key := ""
		if colon > 0 {
			key = strings.TrimRight(string(line[:colon]), " \t")
		}
		if !isFieldName(key) {
			if top {
				return h, nil, &UnreadableError{Reason: UnreadableHeader, Detail: "line " + strconv.Quote(shorten(string(line), 60)) + " is no header field"}
			}
			return h, rest, nil
		}
		if len(h) == MaxFields {
			return h, nil, &UnreadableError{Reason: UnreadableHeaders, Detail: "more than 500 fields"}
		}
		h = append(h, field{strings.ToLower(key), strings.Trim(string(line[colon+1:]), " \t")})
		rest = after
	}
}

// cutLine takes one line off b, without its LF or CRLF.
func cutLine(b []byte) (line, rest []byte) {
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return b, nil
	}
	line, rest = b[:i], b[i+1:]
	if i > 0 && line[i-1] == '\r' {
		line = line[:i-1]
	}
	return line, rest
}

func unfold(b []byte) string {
	var s strings.Builder
	for len(b) > 0 {
		var line []byte
		line, b = cutLine(b)
		line = bytes.Trim(line, " \t")
		if len(line) > 0 {
			s.WriteByte(' ')
			s.Write(line)
		}
	}
	return s.String()
}

func isFieldName(s string) bool {
	if s == "" || len(s) > 200 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] <= ' ' || s[i] >= 0x7f || s[i] == ':' {
			return false
		}
	}
	return true
}

// get is the first value of a field; key in lower case.
func (h header) get(key string) string {
	for _, f := range h {
		if f.key == key {
			return f.value
		}
	}
	return ""
}

func (h header) has(key string) bool { return h.count(key) > 0 }

func (h header) count(key string) (n int) {
	for _, f := range h {
		if f.key == key {
			n++
		}
	}
	return n
}

func (h header) all(key string) (values []string) {
	for _, f := range h {
		if f.key == key {
			values = append(values, f.value)
		}
	}
	return values
}

// A param of a structured field such as Content-Type, name in lower case.
type param struct{ name, value string }

type params []param

func (p params) get(name string) string {
	for _, q := range p {
		if q.name == name {
			return q.value
		}
	}
	return ""
}

// parseParams reads "value; name=value; …" the way mail programs write it, not
// only as RFC 2045 allows: spaces in unquoted values, quotes that don't end,
// empty parameters. RFC 2231's pieces are joined and decoded, and so is RFC
// 2047, which does not belong here but is what many write. The first of two
// parameters of the same name counts.
func parseParams(s string) (value string, p params) {
	value, s, _ = strings.Cut(s, ";")
	value = strings.ToLower(strings.TrimSpace(stripComment(value)))
	pieces := map[string][]paramPiece{}
	var order []string
	for len(s) > 0 && len(p) < 100 && len(order) < 100 {
		var name, v string
		name, v, s = cutParam(s)
		if name == "" || len(name) > 60 {
			continue
		}
		base, star, has := strings.Cut(name, "*")
		if base == "" {
			continue
		}
		if !has {
			if p.get(name) == "" {
				p = append(p, param{name, decodeWords(v)})
			}
			continue
		}
		pc, ok := readPiece(star, v)
		if !ok {
			continue
		}
		if _, ok := pieces[base]; !ok {
			order = append(order, base)
		}
		pieces[base] = append(pieces[base], pc)
	}
	for _, base := range order {
		if text, ok := joinPieces(pieces[base]); ok {
			p = p.put(base, text)
		}
	}
	return value, p
}

// put sets a parameter. What is written the right way beats what is written beside it
// for old programs.
func (p params) put(name, value string) params {
	replaced := false
	for i := range p {
		if p[i].name == name {
			p[i].value, replaced = value, true
		}
	}
	if !replaced {
		p = append(p, param{name, value})
	}
	return p
}

// cutParam cuts the first parameter off a list of them. Its name is empty if it has
// none.
func cutParam(s string) (name, value, rest string) {
	s = strings.TrimLeft(s, " \t;")
	eq := strings.IndexAny(s, "=;")
	if eq < 0 {
		return "", "", ""
	}
	if s[eq] == ';' {
		return "", "", s[eq+1:]
	}
	name = strings.ToLower(strings.TrimSpace(s[:eq]))
	s = strings.TrimLeft(s[eq+1:], " \t")
	if strings.HasPrefix(s, `"`) {
		value, s = quoted(s[1:])
		_, rest, _ = strings.Cut(s, ";")
		return name, value, rest
	}
	value, rest, _ = strings.Cut(s, ";")
	return name, strings.TrimSpace(value), rest
}

// A paramPiece is one of the pieces that RFC 2231 cuts a parameter into.
type paramPiece struct {
	n       int // its place
	encoded bool
	value   string
}

// readPiece reads a piece from what stands behind the star of its name, and its value.
func readPiece(star, value string) (paramPiece, bool) {
	pc := paramPiece{value: value}
	num := strings.TrimSuffix(star, "*")
	pc.encoded = star == "" || num != star
	if num != "" {
		n, err := strconv.Atoi(num)
		if err != nil || n < 0 || n > 99 {
			return pc, false
		}
		pc.n = n
	}
	return pc, true
}

// joinPieces joins the pieces of a parameter, up to the first that is missing, and
// decodes them.
func joinPieces(list []paramPiece) (string, bool) {
	charset := ""
	var raw []byte
	for n := 0; n < len(list); n++ {
		i := slices.IndexFunc(list, func(pc paramPiece) bool { return pc.n == n })
		if i < 0 {
			break
		}
		v := list[i].value
		if !list[i].encoded {
			raw = append(raw, v...)
			continue
		}
		if n == 0 {
			parts := strings.SplitN(v, "'", 3)
			if len(parts) == 3 {
				charset, v = parts[0], parts[2]
			}
		}
		raw = append(raw, unpercent(v)...)
	}
	return decodeCharset(raw, charset)
}

// quoted reads a quoted string whose opening quote is already taken.
func quoted(s string) (value, rest string) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), s[i+1:]
		case '\\':
			// Windows programs write paths here; only a quote or a backslash
			// is ever meant to be escaped.
			if i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\') {
				i++
			}
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), ""
}

func stripComment(s string) string {
	if i := strings.IndexByte(s, '('); i >= 0 {
		return s[:i]
	}
	return s
}

func unpercent(s string) []byte {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b = append(b, byte(n))
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return b
}

var wordDecoder = mime.WordDecoder{CharsetReader: func(charset string, in io.Reader) (io.Reader, error) {
	b, err := io.ReadAll(io.LimitReader(in, MaxHeader))
	if err != nil {
		return nil, err
	}
	s, ok := decodeCharset(b, charset)
	if !ok {
		return nil, base64.CorruptInputError(0)
	}
	return strings.NewReader(s), nil
}}

// decodeWords undoes RFC 2047 and gives one line of valid UTF-8 without
// control characters. What can't be decoded stays as it is.
func decodeWords(s string) string {
	if strings.Contains(s, "=?") {
		if d, err := wordDecoder.DecodeHeader(s); err == nil {
			s = d
		}
	}
	if !utf8.ValidString(s) {
		s, _ = decodeCharset([]byte(s), "")
	}
	return oneLine(s)
}

// oneLine makes a text fit for one line: control characters become spaces.
func oneLine(s string) string {
	clean := true
	for _, r := range s {
		if unicode.IsControl(r) || r == utf8.RuneError || r == '\u2028' || r == '\u2029' {
			clean = false
			break
		}
	}
	if !clean {
		s = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
				return ' '
			}
			return r
		}, s)
	}
	return strings.TrimSpace(s)
}

func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

var addressParser = netmail.AddressParser{WordDecoder: &wordDecoder}

// parseAddresses reads an address list. ok is false if it can't be read; an
// empty list or an empty group is read, as no address.
func parseAddresses(s string) (list []Address, ok bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, true
	}
	parsed, err := addressParser.ParseList(s)
	if err != nil {
		// Names with characters that belong into quotes are frequent. If there
		// is one @ and one pair of brackets, there is one reading.
		open, end := strings.LastIndexByte(s, '<'), strings.LastIndexByte(s, '>')
		if strings.Count(s, "@") != 1 || strings.Count(s, "<") != 1 || strings.Count(s, ">") != 1 || open > end {
			return nil, false
		}
		one, err := netmail.ParseAddress(s[open : end+1])
		if err != nil {
			return nil, false
		}
		one.Name = decodeWords(strings.Trim(strings.TrimSpace(s[:open]), `"'`))
		parsed = []*netmail.Address{one}
	}
	for _, a := range parsed {
		addr, ok := mailbox.Canonical(a.Address)
		if !ok {
			return nil, false
		}
		name := a.Name
		if strings.Contains(name, "=?") { // encoded inside quotes: wrong, and common
			name = decodeWords(name)
		}
		list = append(list, Address{Name: oneLine(strings.ToValidUTF8(name, "�")), Addr: addr})
	}
	return list, true
}

// messageIDs reads the identifiers of a References or In-Reply-To field.
// Of very many, the first and the last are kept.
func messageIDs(s string) (ids []string) {
	for {
		open := strings.IndexByte(s, '<')
		if open < 0 {
			break
		}
		s = s[open:]
		end := strings.IndexByte(s, '>')
		if end < 0 {
			break
		}
		// Long identifiers come folded; unfolding has left a space in them.
		id := MessageID(strings.Join(strings.Fields(s[:end+1]), ""))
		if i := strings.LastIndexByte(id, '<'); i >= 0 {
			id = id[i+1:]
		}
		if id != "" {
			ids = append(ids, id)
		}
		s = s[end+1:]
	}
	const most = 100
	if len(ids) > most {
		ids = append(ids[:1:1], ids[len(ids)-most+1:]...)
	}
	return ids
}

// firstID reads a field that should hold one identifier; some write it without
// brackets.
func firstID(s string) string {
	if ids := messageIDs(s); len(ids) > 0 {
		return ids[0]
	}
	if f := strings.Fields(s); len(f) > 0 && strings.Contains(f[0], "@") {
		return MessageID(strings.Trim(f[0], "<>"))
	}
	return ""
}

func parseDate(s string) time.Time {
	t, err := netmail.ParseDate(strings.Join(strings.Fields(s), " ")) // a tab is as good as a space
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

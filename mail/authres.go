package mail

import (
	"strings"

	"berthier/mail/mailbox"

	"golang.org/x/net/publicsuffix"
)

// An authResult is one method's word in an Authentication-Results field.
type authResult struct {
	method, result string  // dkim, pass; lower case
	props          []param // header.d, example.org; names in lower case
}

func (r authResult) get(name string) string {
	for _, p := range r.props {
		if p.name == name {
			return p.value
		}
	}
	return ""
}

// mostResults bounds what is read of one field.
const mostResults = 50

// parseAuthResults reads an Authentication-Results field (RFC 8601): who speaks,
// and what it found. A field that does not keep to the grammar says nothing at
// all: where its parts begin would be a guess, and a forger chooses them.
func parseAuthResults(value string) (server string, results []authResult, ok bool) {
	s := &tokens{rest: value}
	server, ok = s.word()
	if !ok || server == "" {
		return "", nil, false
	}
	server = mailbox.Fold(server)
	// A version may follow, and only 1 is known.
	if v, is := s.word(); is && v != "1" {
		return "", nil, false
	}
	for !s.end() {
		if !s.sign(';') {
			return "", nil, false
		}
		method, is := s.word()
		if !is {
			if s.end() {
				break // a semicolon at the end
			}
			return "", nil, false
		}
		if mailbox.SameText(method, "none") && !s.peek('=') {
			continue
		}
		if s.sign('/') { // version of the method
			if _, is := s.word(); !is {
				return "", nil, false
			}
		}
		method, version, _ := strings.Cut(method, "/")
		if version != "" && version != "1" {
			return "", nil, false
		}
		if !s.sign('=') {
			return "", nil, false
		}
		result, is := s.word()
		if !is {
			return "", nil, false
		}
		r := authResult{method: mailbox.Fold(method), result: mailbox.Fold(result)}
		for !s.end() && !s.peek(';') {
			name, is := s.word()
			if !is || !s.sign('=') {
				return "", nil, false
			}
			v, is := s.word()
			if !is {
				return "", nil, false
			}
			r.props = append(r.props, param{mailbox.Fold(name), v})
			if len(r.props) > mostResults {
				return "", nil, false
			}
		}
		if results = append(results, r); len(results) > mostResults {
			return "", nil, false
		}
	}
	return server, results, true
}

// tokens reads the words and signs of a structured field, over comments.
type tokens struct {
	rest string
	bad  bool
}

// skip goes over white space and comments, which may be nested.
func (t *tokens) skip() {
	for {
		t.rest = strings.TrimLeft(t.rest, " \t\r\n")
		if !strings.HasPrefix(t.rest, "(") {
			return
		}
		depth, i := 0, 0
		for ; i < len(t.rest); i++ {
			switch t.rest[i] {
			case '\\':
				i++
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 {
				break
			}
		}
		if i >= len(t.rest) { // never closed
			t.rest, t.bad = "", true
			return
		}
		t.rest = t.rest[i+1:]
	}
}

func (t *tokens) end() bool { t.skip(); return t.rest == "" && !t.bad }

func (t *tokens) peek(c byte) bool {
	t.skip()
	return t.rest != "" && t.rest[0] == c
}

func (t *tokens) sign(c byte) bool {
	if !t.peek(c) {
		return false
	}
	t.rest = t.rest[1:]
	return true
}

// word reads a word or a quoted string. A word ends at white space or at one of
// ; = ( and ".
func (t *tokens) word() (string, bool) {
	t.skip()
	if strings.HasPrefix(t.rest, `"`) {
		var b strings.Builder
		for i := 1; i < len(t.rest); i++ {
			switch c := t.rest[i]; c {
			case '\\':
				if i++; i < len(t.rest) {
					b.WriteByte(t.rest[i])
				}
			case '"':
				t.rest = t.rest[i+1:]
				return b.String(), true
			default:
				b.WriteByte(c)
			}
		}
		t.rest, t.bad = "", true
		return "", false
	}
	i := strings.IndexAny(t.rest, " \t\r\n;=(\"")
	if i < 0 {
		i = len(t.rest)
	}
	w := t.rest[:i]
	t.rest = t.rest[i:]
	return w, w != ""
}

// provenBy tells whether the receiving server found that the domain of From
// wrote the letter. Only the topmost field that one of the named servers signed
// with its id counts, and it must stand above the first Received, which is the
// receiving server's own: whatever stands below may have come with the letter, and
// where the server writes no such field that would be the topmost. A letter without
// a Received has not come through a server at all.
func provenBy(h header, from Address, own Own) bool {
	if !own.FindingsBelow && !h.has("received") {
		return false
	}
	for _, f := range h {
		if f.key == "received" && !own.FindingsBelow {
			return false
		}
		if f.key != "authentication-results" {
			continue
		}
		server, results, ok := parseAuthResults(f.value)
		if !ok {
			// Nobody can tell whose field it was: perhaps the server's own.
			return false
		}
		if !containsFold(own.TrustedServers, server) || own.FindingsBelow && !plainly(f.value, server) {
			continue
		}
		for _, r := range results {
			if r.result != "pass" {
				continue
			}
			switch r.method {
			case "dmarc":
				if d := r.get("header.from"); d != "" && mailbox.SameText(Address{Addr: "x@" + domainOf(d)}.Domain(), from.Domain()) {
					return true
				}
			case "dkim":
				d := r.get("header.d")
				if d == "" {
					d = r.get("header.i")
				}
				if aligned(domainOf(d), from.Domain()) {
					return true
				}
			}
		}
		return false
	}
	return false
}

// plainly tells whether a field begins with its server's id as servers write it. If a
// server takes away what others wrote in its name, it compares that id, and may not see
// through comments, quotes and escapes, of which there are more than any probe could try.
func plainly(value, server string) bool {
	id := value[:min(len(value), len(server))]
	rest := value[len(id):]
	return mailbox.SameText(id, server) && (rest == "" || strings.ContainsRune(" \t\r\n;", rune(rest[0])))
}

func containsFold(list []string, s string) bool {
	for _, v := range list {
		if mailbox.SameText(v, s) {
			return true
		}
	}
	return false
}

// domainOf is what stands behind the last @ of a text, or all of it.
func domainOf(s string) string {
	return mailbox.Fold(strings.TrimSuffix(s[strings.LastIndexByte(s, '@')+1:], "."))
}

// aligned tells whether two domains belong to the same organisation (RFC 7489,
// relaxed alignment).
func aligned(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	return organisation(a) == organisation(b)
}

func organisation(domain string) string {
	domain = mailbox.Fold(domain)
	if org, err := publicsuffix.EffectiveTLDPlusOne(domain); err == nil {
		return org
	}
	return domain // a public suffix, or a name without a dot: itself alone
}

// Package mailbox compares mail addresses and writes them as they go over the wire. It
// knows only text: no letters and no servers.
package mailbox

import (
	"fmt"
	netmail "net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Wire gives an address in the form that goes over the wire: the domain
// in ASCII. The error says what is wrong with it.
func Wire(s string) (string, error) {
	addr, ok := Canonical(s)
	if !ok {
		return "", fmt.Errorf("address %q is not local@domain", s)
	}
	at := strings.LastIndexByte(addr, '@')
	local, domain := addr[:at], addr[at+1:]
	for i := 0; i < len(local); i++ {
		if local[i] <= ' ' || local[i] >= 0x7f {
			return "", fmt.Errorf("address %q has characters that not every mail server can carry", s)
		}
	}
	if !strings.HasPrefix(domain, "[") && strings.ContainsFunc(domain, func(r rune) bool { return r >= utf8.RuneSelf }) {
		ascii, err := idna.Lookup.ToASCII(domain)
		if err != nil || ascii == "" {
			return "", fmt.Errorf("address %q has no usable domain", s)
		}
		domain = ascii
	}
	if p, err := netmail.ParseAddress("<" + local + "@" + domain + ">"); err != nil || p.Address != local+"@"+domain {
		return "", fmt.Errorf("address %q is not local@domain", s)
	}
	return local + "@" + domain, nil
}

// Canonical checks local@domain and writes the domain in lower case.
func Canonical(s string) (string, bool) {
	at := strings.LastIndexByte(s, '@')
	if at <= 0 || at == len(s)-1 || len(s) > 254 || !utf8.ValidString(s) {
		return "", false
	}
	for _, r := range s {
		if unicode.IsControl(r) || r == '<' || r == '>' || r == '\u2028' || r == '\u2029' {
			return "", false
		}
	}
	if strings.ContainsAny(s[at+1:], " \t\",;:\\()") {
		return "", false
	}
	return s[:at+1] + Fold(s[at+1:]), true
}

// Fold brings an address, a domain or the name of a mail server into the form in
// which two of them are compared: ASCII letters become lower case, and nothing else is
// changed. Unicode's own folding would make one address of two different ones: the Kelvin
// sign becomes a k, and the dotted capital I an i.
func Fold(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// Clean is an address as it was typed, folded and without the spaces around it.
func Clean(address string) string { return Fold(strings.TrimSpace(address)) }

// SameText tells whether two texts are the same once folded.
func SameText(a, b string) bool { return Fold(a) == Fold(b) }

// Same tells whether two addresses lead to the same mailbox, even if the domain of one of
// them is written in another script.
func Same(a, b string) bool {
	a, b = Clean(a), Clean(b)
	beyond := func(c rune) bool { return c >= utf8.RuneSelf }
	if a == b || !strings.ContainsFunc(a, beyond) && !strings.ContainsFunc(b, beyond) {
		return a != "" && a == b
	}
	wire := func(address string) string {
		if w, err := Wire(address); err == nil {
			address = w
		}
		return Clean(address)
	}
	return wire(a) == wire(b)
}

package mail

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"berthier/mail/mailbox"
)

// Read takes a letter apart.
//
// The error, if any, is an [*UnreadableError]. The letter that comes with it is
// never nil and holds what could be read, at least the digest; so a caller may
// know whom to tell, if anybody. The header alone of a letter that is too long
// to be fetched may be read this way as well: it is a letter without parts.
func Read(raw []byte, own Own) (*Letter, error) { return read(raw, own, MaxLetter) }

// ReadKept takes apart a letter of an office that somebody has kept. Such letters may be longer than
// those that strangers send: a told history has many pictures, and the last letter of a game brings all
// of it. All bounds but [MaxLetter] hold. The error is as that of [Read].
func ReadKept(raw []byte) (*Letter, error) { return read(raw, Own{}, len(raw)) }

// read takes a letter apart that has at most so many bytes.
func read(raw []byte, own Own, most int) (*Letter, error) {
	l := &Letter{Digest: sha256.Sum256(raw), source: raw}
	h, body, err := parseHeader(raw, true)
	l.MessageID = firstID(h.get("message-id"))
	l.InReplyTo = firstID(h.get("in-reply-to"))
	l.References = messageIDs(strings.Join(h.all("references"), " "))
	l.Date = parseDate(h.get("date"))
	l.Subject = decodeWords(h.get("subject"))
	l.Entries = h.all(strings.ToLower(EntryHeader))
	for _, key := range []string{"to", "cc"} {
		for _, v := range h.all(key) {
			list, _ := parseAddresses(v)
			l.To = append(l.To, list...)
		}
	}
	for _, key := range []string{"delivered-to", "x-original-to", "envelope-to"} {
		for _, v := range h.all(key) {
			if addr, ok := mailbox.Canonical(strings.Trim(v, "<> ")); ok {
				l.Delivered = append(l.Delivered, Address{Addr: addr})
			}
		}
	}
	if list, ok := parseAddresses(h.get("reply-to")); ok && len(list) == 1 {
		l.ReplyTo = list[0]
	}
	fromErr := l.readFrom(h)
	l.Automatic = automatic(h, l, own)
	if err != nil {
		return l, err
	}

	// Whose mail server had trouble hardly matters: a bounce may come from
	// "<>" or from a name without an address.
	r := partReader{letter: l, bounce: bounceFor(h, l)}
	if fromErr != nil && r.bounce == nil {
		return l, fromErr
	}
	if len(raw) > most {
		return l, &UnreadableError{Reason: UnreadableSize, Detail: fmt.Sprintf("%d bytes", len(raw))}
	}
	if err := r.read(h, body, 0, "", false); err != nil {
		l.Parts, l.LeftOut, l.signed = nil, nil, nil
		return l, err
	}
	l.raw, l.signatures = raw, h.count("dkim-signature")
	for _, key := range singleFields {
		l.doubled = l.doubled || h.count(key) > 1
	}
	l.proven = fromErr == nil && len(own.TrustedServers) > 0 && provenBy(h, l.From, own)
	if r.bounce != nil {
		l.Bounce = r.bounce.finish(l)
		if l.Bounce != nil {
			l.Automatic = AutoBounce
		} else if fromErr != nil {
			return l, fromErr
		}
	}
	return l, nil
}

// readFrom demands exactly one From with exactly one address: to choose one of two would
// be a guess, and other programs guess differently.
func (l *Letter) readFrom(h header) error {
	values := h.all("from")
	if len(values) != 1 {
		return &UnreadableError{Reason: UnreadableFrom, Detail: fmt.Sprintf("%d From fields", len(values))}
	}
	list, ok := parseAddresses(values[0])
	if !ok || len(list) != 1 {
		return &UnreadableError{Reason: UnreadableFrom, Detail: "not one address"}
	}
	l.From = list[0]
	return nil
}

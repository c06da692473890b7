// Package mail reads and writes letters: it fetches them from a mailbox
// (IMAP), takes them apart (MIME), puts new ones together and hands them to a
// mail server (SMTP). It knows no game, no rule and no YAML.
//
// # Reading
//
// [Mailbox.Run] watches a mailbox and offers every letter in it to a function,
// which says what folder it belongs into. A letter may be offered more than
// once: whoever takes it keeps it apart by [Letter.Digest]. [Read] turns the
// bytes of a letter into a [Letter]. What it reads was written by strangers, so
// its work is bounded by the Max constants and it never panics.
//
// [Letter.Automatic] says why a letter must not be answered. An office that
// answers automatic mail will sooner or later write to another one for ever, so
// a caller answers a letter only if that field is empty (RFC 3834).
//
// # Writing
//
// [Draft.Compose] gives the bytes of a letter; the same draft gives the same
// bytes. A [Sender], such as [SMTP], delivers them. Its errors say by
// Temporary() whether trying again may help; whether a letter arrived can't
// always be known, so one may be sent twice, with the same Message-ID.
//
// # Message identifiers
//
// Everywhere in this package a message identifier is written without its angle
// brackets: g42.t3.blue@example.org. [MessageID] brings one into that form.
package mail

import (
	"fmt"
	"strings"
	"time"

	"berthier/mail/mailbox"
)

// Bounds of the work that one letter may cause. What goes beyond MaxLetter,
// MaxHeader, MaxFields, MaxDepth or MaxParts makes the letter unreadable; a
// text beyond MaxText is left out, and said so in [Letter.LeftOut].
const (
	MaxLetter = 1 << 20   // bytes of a whole letter
	MaxHeader = 64 << 10  // bytes of a header, of the letter or of a part
	MaxFields = 500       // fields of a header
	MaxDepth  = 8         // parts inside parts
	MaxParts  = 64        // parts of a letter, at all depths
	MaxText   = 256 << 10 // bytes of all texts together, in UTF-8
)

// An Address is a mailbox and the name that goes with it.
type Address struct {
	Name string // display name, decoded; may be empty and is never to be trusted
	Addr string // local@domain, the domain in lower case
}

// String gives the address for people to read, not for a header.
func (a Address) String() string {
	if a.Name == "" {
		return a.Addr
	}
	return a.Name + " <" + a.Addr + ">"
}

// Domain is what stands behind the last @, in lower case.
func (a Address) Domain() string {
	if i := strings.LastIndexByte(a.Addr, '@'); i >= 0 {
		return mailbox.Fold(a.Addr[i+1:])
	}
	return ""
}

// Same reports whether two addresses lead to the same mailbox. The local part
// is compared without regard to case as well: no mail host tells them apart any
// more, and people do not either.
func (a Address) Same(b string) bool { return a.Addr != "" && mailbox.SameText(a.Addr, b) }

// A PartKind says where in a letter a text stood.
type PartKind int

const (
	// Plain is text that the sender wrote as plain text.
	Plain PartKind = iota
	// HTML is text that was written as HTML and has been turned into plain text.
	HTML
	// Attachment is the text of an attached file.
	Attachment
)

// String names the kind for logs and tests.
func (k PartKind) String() string {
	switch k {
	case Plain:
		return "plain"
	case HTML:
		return "html"
	case Attachment:
		return "attachment"
	}
	return fmt.Sprintf("PartKind(%d)", int(k))
}

// A Part is one text of a letter, in UTF-8 with \n at the end of lines.
//
// A letter that holds the same text as plain text and as HTML has two parts.
// Quoted text of an HTML part has "> " before each line, as in plain text.
type Part struct {
	Kind PartKind
	Name string // file name, without folders; empty if it has none
	Type string // media type in lower case, such as text/plain
	Text string
}

// A LeftOut is a part of a letter that was not read.
type LeftOut struct {
	Name   string // file name, or media type if it has none
	Reason string // one of the Left constants
}

// Why a part was left out.
const (
	LeftType      = "type"      // not a kind of file that can hold text
	LeftArchive   = "archive"   // a file that holds others; it is not opened
	LeftSize      = "size"      // text too long
	LeftCharset   = "charset"   // written in a charset that is not read (UTF-7)
	LeftEncoding  = "encoding"  // unknown or broken transfer encoding
	LeftTruncated = "truncated" // the letter ends in the middle of the file
	LeftTNEF      = "tnef"      // winmail.dat: Outlook's own container
	LeftMessage   = "message"   // another letter, attached
	LeftEncrypted = "encrypted" // encrypted for somebody
	LeftBinary    = "binary"    // said to be text, but is not
	LeftBroken    = "broken"    // a multipart without a usable boundary
)

// Why a letter is automatic. More may come; only the empty string means that a
// person wrote it and may be answered.
const (
	AutoSubmitted = "auto-submitted" // says so itself (RFC 3834 and its forerunners)
	AutoBounce    = "bounce"         // a mail server could not deliver, or not yet
	AutoReport    = "report"         // a receipt or another machine report
	AutoNull      = "null-sender"    // empty return path: nobody wants an answer
	AutoDaemon    = "daemon"         // from MAILER-DAEMON, postmaster, no-reply and the like
	AutoList      = "list"           // came over a mailing list
	AutoBulk      = "bulk"           // Precedence: bulk, junk, list
	AutoSuppress  = "suppress"       // asks not to be answered (X-Auto-Response-Suppress)
	AutoOwn       = "own"            // written by this office
	AutoLoop      = "loop"           // went through an office of this kind before
	AutoVacation  = "vacation"       // subject of an out-of-office notice
)

// A Letter is what could be read of a message.
type Letter struct {
	Digest     [32]byte  // SHA-256 of the raw bytes: tells letters apart, whatever their Message-ID
	MessageID  string    // without brackets; empty if it has none
	InReplyTo  string    // the first one named
	References []string  // oldest first
	From       Address   // who says he wrote it; unproven
	ReplyTo    Address   // where he wants the answer; zero if not said
	To         []Address // To and Cc
	Delivered  []Address // whom mail servers delivered it to (Delivered-To, X-Original-To, Envelope-To)
	Date       time.Time // when the sender's clock says it was written, UTC; zero if unreadable
	Subject    string    // decoded, one line
	Automatic  string    // why it must never be answered, one of the Auto constants; empty: a person's letter
	Bounce     *Bounce   // what came back, if the letter says that one of ours did
	Parts      []Part    // the texts, in order
	LeftOut    []LeftOut // what was not read
	Entries    []string  // values of [EntryHeader]; a letter that nobody has changed has one at most

	// What [Letter.ProveDomain] and [Letter.ProveSignature] need.
	raw        []byte
	source     []byte
	proven     bool // the receiving server says that the domain of From wrote it
	doubled    bool // it has two of a field of which one is to be believed
	signatures int  // DKIM signatures that it bears
	signed     []signed
}

// A Bounce is what a mail server says about a letter it could not deliver.
//
// Anybody can write one. It may be believed only if MessageID or Envelope name
// a letter of ours that strangers could not know of.
type Bounce struct {
	MessageID  string // of the letter that came back
	Null       bool   // it came with the empty return path, as a mail server's reports must; whoever writes the letter can't choose that of the server that receives it
	Envelope   string // envelope identifier it was sent with (ENVID); [SMTP] uses the Message-ID
	Recipient  string // who did not get it
	Status     string // enhanced status such as 5.1.1; empty if not said
	Diagnostic string // what the other server said, one line
	Permanent  bool   // false: still being tried, or a failure that may pass
}

// Own tells [Read] what this office's own letters look like.
type Own struct {
	Addresses []string // addresses this office writes from
	// Domain is the right-hand side of the Message-IDs of this office's
	// letters. It must not be one that players' mail programs may use for
	// theirs: many take the domain of the address. Empty: not looked at.
	Domain string
	// TrustedServers are the ids (authserv-id) under which the server that
	// receives this office's mail writes what it found out about senders, in
	// Authentication-Results (RFC 8601). Empty: nobody's word is believed. Only
	// what stands above the first Received of a letter counts: no letter brings
	// that along.
	TrustedServers []string
	// FindingsBelow says that the server writes what it found below its own Received,
	// and takes away fields with its id that come from outside. Then fields below count,
	// too.
	FindingsBelow bool
}

// An UnreadableError says why a letter can't be taken in.
type UnreadableError struct {
	Reason string // one of the Unreadable constants
	Detail string // for the log, not for the sender
}

// Why a letter is unreadable.
const (
	UnreadableSize    = "size"    // longer than MaxLetter
	UnreadableHeaders = "headers" // header longer than MaxHeader or more than MaxFields fields
	UnreadableHeader  = "header"  // a line in the header that is not a field
	UnreadableDepth   = "depth"   // parts nested deeper than MaxDepth
	UnreadableParts   = "parts"   // more than MaxParts parts
	UnreadableFrom    = "from"    // not exactly one From with exactly one address
)

// Error gives the reason and the detail.
func (e *UnreadableError) Error() string {
	if e.Detail == "" {
		return "read letter: " + e.Reason
	}
	return "read letter: " + e.Reason + ": " + e.Detail
}

// MessageID brings a message identifier into the form used in this package:
// without brackets and surrounding space. It is empty if s is none.
func MessageID(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">") {
		s = s[1 : len(s)-1]
	}
	if s == "" || len(s) > 900 {
		return ""
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c <= ' ' || c >= 0x7f || c == '<' || c == '>' {
			return ""
		}
	}
	return s
}

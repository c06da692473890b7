package mail

import (
	"regexp"
	"strings"

	"berthier/mail/mailbox"
)

// A bounceReader collects what the parts of a delivery report say.
type bounceReader struct {
	b         Bounce
	reported  bool   // a machine-readable report was found
	failed    bool   // its chosen recipient has failed for good or for now
	anyAction bool   // some recipient was reported on
	xFailed   string // X-Failed-Recipients
	report    bool   // the letter calls itself a delivery report
}

// bounceFor gives a reader if a letter may be a bounce: a delivery report, or a
// mail server's letter in one of the forms older than those.
func bounceFor(h header, l *Letter) *bounceReader {
	typ, ps := parseParams(h.get("content-type"))
	r := &bounceReader{xFailed: h.get("x-failed-recipients")}
	rp, hasPath := first(h, "return-path")
	r.b.Null = hasPath && strings.TrimSpace(rp) == "<>"
	local, _, _ := strings.Cut(mailbox.Fold(l.From.Addr), "@")
	from := strings.ToLower(h.get("from"))
	switch {
	case typ == "multipart/report" && strings.EqualFold(ps.get("report-type"), "delivery-status"),
		typ == "message/delivery-status":
		r.report = true
	case typ == "multipart/report":
		return nil
	case r.xFailed != "":
	case r.b.Null && l.Automatic != AutoOwn && !h.has("auto-submitted"):
	case local == "mailer-daemon", strings.Contains(from, "mailer-daemon"), strings.Contains(from, "mail delivery sub"):
	default:
		return nil
	}
	return r
}

// status reads a message/delivery-status: one block about the letter, then one
// for each recipient (RFC 3464). If there are several recipients, one for whom it failed
// is chosen; a letter of ours has only one.
func (r *bounceReader) status(data []byte) {
	data = []byte(strings.Trim(lines(string(data)), "\n") + "\n")
	for n := 0; len(data) > 0 && n < 50; n++ {
		h, rest, _ := parseHeader(data, false)
		if len(rest) == len(data) { // a line that is no field
			_, rest = cutLine(data)
		}
		data = rest
		if len(h) == 0 {
			continue
		}
		if v := h.get("original-envelope-id"); v != "" && r.b.Envelope == "" {
			r.b.Envelope = MessageID(unxtext(v))
		}
		recipient := typedValue(h.get("final-recipient"))
		if recipient == "" {
			recipient = typedValue(h.get("original-recipient"))
		}
		action := firstWord(h.get("action"))
		if recipient == "" && action == "" {
			continue
		}
		r.reported = true
		if action == "delivered" || action == "relayed" || action == "expanded" {
			continue
		}
		status := statusCode.FindString(h.get("status"))
		diagnostic := oneLine(shorten(typedValue(h.get("diagnostic-code")), 500))
		// Exim writes 5.0.0 beside a diagnostic that knows more.
		if s := statusCode.FindString(diagnostic); s != "" && (status == "" || strings.HasSuffix(status, ".0.0")) {
			status = s
		}
		failed := action == "failed"
		if r.anyAction && (!failed || r.failed) {
			continue
		}
		r.anyAction, r.failed = true, failed
		if addr, ok := mailbox.Canonical(recipient); ok {
			r.b.Recipient = addr
		}
		r.b.Status, r.b.Diagnostic = status, diagnostic
		r.b.Permanent = failed && !strings.HasPrefix(status, "4")
	}
}

// returned reads the header of the letter that came back.
func (r *bounceReader) returned(data []byte) {
	h, _, _ := parseHeader(data, false)
	if id := firstID(h.get("message-id")); id != "" && r.b.MessageID == "" {
		r.b.MessageID = id
	}
}

var (
	statusCode = regexp.MustCompile(`\b[245]\.\d{1,3}\.\d{1,3}\b`)
	replyCode  = regexp.MustCompile(`\b([45])[0-5]\d[ -]`)
	oldID      = regexp.MustCompile(`(?im)^[> \t]*message-id:[ \t]*\n?[ \t]*<([^<>\s]{1,900})>`)
	oldAddress = regexp.MustCompile(`(?m)^[ \t]*<?([^<>\s@:]{1,64}@[a-zA-Z0-9.-]{1,189})>?:?[ \t]*$`)
)

// finish gives the bounce, or nil if the letter turned out not to be one.
func (r *bounceReader) finish(l *Letter) *Bounce {
	b := r.b
	if r.reported && !r.anyAction {
		return nil // a report that it was delivered
	}
	if r.report && !r.reported && b.MessageID == "" {
		// It calls itself a report and has none: there is only the text to go by.
		r.report = false
	}
	var text strings.Builder
	for _, p := range l.Parts {
		if p.Kind != Attachment {
			text.WriteString(p.Text)
			text.WriteByte('\n')
		}
	}
	// A forerunner of reports: prose, then the letter. Only what names a letter
	// or a recipient is taken for one.
	if b.MessageID == "" {
		if m := oldID.FindStringSubmatch(text.String()); m != nil {
			b.MessageID = MessageID(m[1])
		}
	}
	if b.Recipient == "" {
		if addr, ok := mailbox.Canonical(strings.TrimSpace(strings.Split(r.xFailed, ",")[0])); ok {
			b.Recipient = addr
		} else if m := oldAddress.FindStringSubmatch(text.String()); m != nil {
			b.Recipient, _ = mailbox.Canonical(m[1])
		}
	}
	if !r.anyAction {
		if b.MessageID == "" && r.xFailed == "" {
			return nil
		}
		prose, _, _ := strings.Cut(text.String(), "essage-ID:")
		b.Status = statusCode.FindString(prose)
		if i := replyCode.FindStringIndex(prose); i != nil {
			line, _, _ := strings.Cut(prose[i[0]:], "\n")
			b.Diagnostic = oneLine(shorten(line, 500))
		}
		switch {
		case b.Status != "":
			b.Permanent = b.Status[0] == '5'
		case b.Diagnostic != "":
			b.Permanent = b.Diagnostic[0] == '5'
		default:
			b.Permanent = r.xFailed != ""
		}
	}
	return &b
}

// typedValue takes the type off "rfc822; somebody@example.org".
func typedValue(s string) string {
	if _, v, ok := strings.Cut(s, ";"); ok {
		s = v
	}
	return strings.Trim(strings.TrimSpace(s), "<>")
}

// unxtext undoes RFC 3461's +XX.
func unxtext(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '+' && i+2 < len(s) {
			if hi, lo := unhex(s[i+1]), unhex(s[i+2]); hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

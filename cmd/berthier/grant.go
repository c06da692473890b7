package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"berthier/mail"
	"berthier/mail/mailbox"
)

// Some mail servers write their findings about senders below their own Received line,
// where a letter can bring findings of its own. Such a server may be believed only if it
// removes these fields from letters that come from outside, and the office does not take
// that on trust: doctor --probe sends a letter with forged findings through the server to
// the office itself. Only if the letter comes back without them does it print the code
// that the key authserv-below of the configuration needs. The code depends on the servers
// and ids that were tried: with others, another letter must come back first.

// grantCode is what authserv-below must say in this configuration.
func (c config) grantCode() string {
	ids := make([]string, len(c.IMAP.AuthservIDs))
	for i, id := range c.IMAP.AuthservIDs {
		ids[i] = mailbox.Fold(id)
	}
	slices.Sort(ids)
	sum := sha256.New()
	for _, part := range append([]string{"authserv-below", mailbox.Fold(c.IMAP.address()), c.IMAP.User, mailbox.Fold(c.SMTP.address()), mailbox.Fold(c.Office.Address)}, ids...) {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	return "probed-" + hex.EncodeToString(sum.Sum(nil)[:6])
}

// forgeries are Authentication-Results such as a forger might put into a letter, so that
// they are taken for the server's: one for each way in which the office would read them.
func forgeries(ids []string, domain, mark string) string {
	var b strings.Builder
	for _, id := range ids {
		for _, form := range []string{
			"Authentication-Results: %s; %s", "AUTHENTICATION-RESULTS: %s; %s", "Authentication-Results : %s; %s", "Authentication-Results:\r\n %s;\r\n %s",
			"Authentication-Results: (checked) %s; %s", "Authentication-Results: %s 1; %s", "Authentication-Results: \"%s\"; %s",
		} {
			fmt.Fprintf(&b, form+"\r\n", id, "dkim=pass header.d="+domain+" header.s="+mark)
		}
		fmt.Fprintf(&b, "Authentication-Results: %s; dkim=pass header.d=%s header.s=%s\r\n", strings.ToUpper(id), domain, mark)
	}
	return b.String()
}

// forgedLetter is a letter from the office to itself with forged findings, above and below
// a forged Received.
func (c config) forgedLetter(mark string, now time.Time) (messageID string, raw []byte, err error) {
	office := mail.Address{Name: c.Office.Name, Addr: c.Office.Address}
	messageID = "probe." + mark + "@berthier." + office.Domain()
	raw, err = mail.Draft{
		From: office, To: office, Subject: "A check by berthier doctor --probe", MessageID: messageID, Date: now, AutoSubmitted: "auto-generated",
		Text: "This letter has forged Authentication-Results. It shows whether the mail server takes them away.\nThe office does nothing with it.\n",
	}.Compose()
	forged := forgeries(c.IMAP.AuthservIDs, office.Domain(), mark)
	received := "Received: from forger.invalid by " + c.IMAP.AuthservIDs[0] + "; " + now.Format(time.RFC1123Z) + "\r\n"
	return messageID, append([]byte(forged+received+forged), raw...), err
}

// errNotBack says that the letter did not come back in time.
var errNotBack = errors.New("the letter that was sent to the office itself has not come back")

// sendForged sends a letter with forged findings to the office itself, and waits for its
// header.
func (cmd doctorCommand) sendForged(ctx context.Context, conf config) (mark string, header []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, cmd.Timeout)
	defer cancel()
	var random [8]byte
	rand.Read(random[:])
	mark = hex.EncodeToString(random[:])
	messageID, raw, err := conf.forgedLetter(mark, time.Now())
	if err != nil {
		return "", nil, err
	}
	s, err := conf.sender()
	if err != nil {
		return "", nil, err
	}
	defer s.Close()
	if err := s.Send(ctx, conf.Office.Address, conf.Office.Address, raw); err != nil {
		return "", nil, err
	}
	boxes, err := conf.mailboxes("", conf.logger(discard{})) // it only looks, and does not claim the mailbox
	if err != nil {
		return "", nil, err
	}
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		if header, err = boxes[0].Find(ctx, messageID); header != nil {
			return mark, header, nil
		}
		select {
		case <-ctx.Done():
			return "", nil, errors.Join(errNotBack, err)
		case <-tick.C:
		}
	}
}

// checkFindings finds out, by a letter, whether what the server writes below its own
// Received may be believed.
func (cmd doctorCommand) checkFindings(ctx context.Context, conf config) finding {
	f := finding{gradeFail, "findings", "", ""}
	below := conf.IMAP.AuthservBelow != ""
	if len(conf.IMAP.AuthservIDs) == 0 {
		f.grade, f.found, f.do = gradeWarn, "no authserv-id is configured: no letter was sent", "name the id of your mail server as authserv-id under imap, if a game is to have proof: dkim"
		return f
	}
	mark, header, err := cmd.sendForged(ctx, conf)
	if err != nil {
		f.found, f.do = err.Error(), "check whether letters to "+conf.Office.Address+" arrive in its mailbox; --timeout waits longer"
		return f
	}
	fields, above := mail.Findings(header)
	kept, where := 0, "the server wrote none of its own into that letter"
	for i, field := range fields {
		switch {
		case !slices.ContainsFunc(conf.IMAP.AuthservIDs, func(id string) bool { return mail.FindingsOf(field, id) }):
		case strings.Contains(field, mark):
			kept++
		case i < above:
			where = "the server's own stand above its Received"
		default:
			where = "the server's own stand below its Received"
		}
	}
	switch {
	case kept > 0 && below:
		f.found = fmt.Sprintf("forged findings came back, %d of them: authserv-below lets anybody forge proof: dkim", kept)
		f.do = "take authserv-below out of the configuration, or make the server remove Authentication-Results that name its id from letters that come in"
	case kept > 0:
		f.grade = gradeWarn
		f.found = fmt.Sprintf("forged findings came back, %d of them; only what stands above the server's own Received is believed, and that is safe (%s)", kept, where)
		f.do = "to believe what stands below, make the server remove Authentication-Results that name its id from letters that come in, and probe again"
	default:
		f.grade, f.found = gradeOK, "forged findings were removed; "+where
		if !below {
			f.do = "if the server writes below its own Received, write under imap: authserv-below: " + conf.grantCode()
		}
	}
	return f
}

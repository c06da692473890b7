package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"berthier/mail"
)

type doctorCommand struct {
	configFlag
	Timeout    time.Duration `default:"30s" help:"How long the check of one server may take."`
	DKIMRecord string        `name:"dkim-record" type:"existingfile" help:"File with the TXT record as your domain gives it out, to compare with the key."`
	Probe      bool          `help:"Send the office a letter that claims to have been checked by its mail server, and see whether that server removes the claim."`
}

// A finding is what one check found: how bad it is, and what to do.
type finding struct {
	grade string // ok, warn, fail
	what  string
	found string
	do    string // empty if all is well
}

// These are the grades of a check.
const (
	gradeOK   = "ok"
	gradeWarn = "warn"
	gradeFail = "fail"
)

// Run checks everything that serve needs and says what to mend. It sends no letter, except
// with --probe, and changes no game.
func (cmd doctorCommand) Run(ctx context.Context, c *console) error {
	conf, err := cmd.load()
	if err != nil {
		fmt.Fprintf(c.out, "%-4s  configuration\n", gradeFail)
		return err
	}
	all := []finding{{gradeOK, "configuration", cmd.Config, ""}}
	all = append(all, cmd.permissions(conf)...)
	base, number := checkDatabase(ctx, conf)
	all = append(append(all, base...), checkDisk(conf))
	box, newest := cmd.checkMailboxes(ctx, conf, number)
	all = append(all, box...)
	all = append(all, cmd.checkSending(ctx, conf), checkClock(time.Now(), newest))
	all = append(all, cmd.checkDKIM(conf)...)
	if cmd.Probe {
		all = append(all, cmd.checkFindings(ctx, conf))
	}
	failed := 0
	for _, f := range all {
		fmt.Fprintf(c.out, "%-4s  %s: %s\n", f.grade, f.what, f.found)
		if f.do != "" {
			fmt.Fprintf(c.out, "      %s\n", f.do)
		}
		if f.grade == gradeFail {
			failed++
		}
	}
	if failed > 0 {
		return hinted{fmt.Errorf("%d of %d checks failed", failed, len(all)), "each line above that begins with fail says what to do"}
	}
	return nil
}

// permissions finds secrets that other users of this machine may read.
func (cmd doctorCommand) permissions(conf config) []finding {
	var all []finding
	for _, path := range conf.secretFiles {
		info, err := os.Stat(path)
		if err == nil && info.Mode().Perm()&0o044 != 0 {
			all = append(all, finding{gradeWarn, "secrets", path + " can be read by other users of this machine", "chmod 600 " + path})
		}
	}
	if info, err := os.Stat(conf.Database); err == nil && info.Mode().Perm()&0o077 != 0 {
		all = append(all, finding{gradeWarn, "secrets", conf.Database + " can be read or written by other users of this machine", "chmod 600 " + conf.Database})
	}
	return all
}

// These say how much of the disk should be free: a commit needs room for the pages that
// change, and a copy is made when the schema changes.
const (
	scarceDisk = 64 << 20
	littleDisk = 512 << 20
)

func checkDisk(conf config) finding {
	free, err := diskFree(conf.Database)
	var size uint64
	if info, e := os.Stat(conf.Database); e == nil {
		size = uint64(info.Size())
	}
	return gradeDisk(free, size, err)
}

// gradeDisk judges how many bytes are free beside a database of the given size.
func gradeDisk(free, size uint64, err error) finding {
	f := finding{gradeOK, "disk", fmt.Sprintf("%d MiB free", free>>20), ""}
	switch {
	case err != nil:
		f.grade, f.found, f.do = gradeWarn, err.Error(), "look with df how much is free on the disk of the database"
	case free < scarceDisk:
		f.grade, f.do = gradeFail, "make room: while the disk is full no letter is taken in, but none is lost"
	case free < littleDisk, free < 2*size:
		f.grade, f.do = gradeWarn, "make room for backups: twice the size of the database should be free"
	}
	return f
}

func (cmd doctorCommand) checkMailboxes(ctx context.Context, conf config, number string) ([]finding, time.Time) {
	ctx, cancel := context.WithTimeout(ctx, cmd.Timeout)
	defer cancel()
	boxes, err := conf.mailboxes(number, conf.logger(discard{}))
	if err != nil {
		return []finding{{gradeFail, "mailbox", err.Error(), "look at ca-file under imap"}}, time.Time{}
	}
	var all []finding
	var newest time.Time
	for _, box := range boxes {
		found, last := checkMailbox(ctx, conf, box)
		all = append(all, found...)
		if last.After(newest) {
			newest = last
		}
	}
	return all, newest
}

func checkMailbox(ctx context.Context, conf config, box addressedBox) ([]finding, time.Time) {
	f := finding{gradeFail, "mailbox", "", ""}
	p, err := box.Probe(ctx)
	if err != nil {
		f.found, f.do = err.Error(), mailboxAdvice(err, conf)
		return []finding{f}, time.Time{}
	}
	f.grade, f.found = gradeOK, fmt.Sprintf("logged in as %s, folders %s and %s are there, %d letters wait", box.Config.Username, box.Config.Processed, box.Config.Rejected, p.Waiting)
	all := []finding{f}
	var hint hinted
	if errors.As(mailboxHint(p.Refused), &hint) {
		all = append(all, finding{gradeFail, "mailbox", p.Refused.Error(), hint.hint})
	}
	if !p.Idle {
		all = append(all, finding{gradeWarn, "mailbox", "the server does not know IDLE", fmt.Sprintf("the mailbox is then looked at only every %s; shorten poll under imap if that is too long", conf.IMAP.Poll)})
	}
	return all, p.Newest
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func mailboxAdvice(err error, conf config) string {
	text := err.Error()
	switch {
	case strings.Contains(text, "connect to mailbox"):
		return fmt.Sprintf("look at host, port and security under imap (%s, %s), at the certificate (name one of your own as ca-file), and at firewalls", conf.IMAP.address(), conf.IMAP.Security)
	case strings.Contains(text, "log in"):
		return "look at user and password-file under imap; some mail hosts want a separate password for programs"
	case strings.Contains(text, "make folder"):
		return "let the user make folders, or name existing folders as processed and rejected under imap"
	}
	return "the mail server's own log will say more"
}

func (cmd doctorCommand) checkSending(ctx context.Context, conf config) finding {
	ctx, cancel := context.WithTimeout(ctx, cmd.Timeout)
	defer cancel()
	f := finding{gradeFail, "sending", "", ""}
	t, err := conf.SMTP.tls()
	if err != nil {
		f.found, f.do = err.Error(), "look at ca-file under smtp"
		return f
	}
	s := &mail.SMTP{Config: mail.SMTPConfig{Address: conf.SMTP.address(), Security: conf.SMTP.security(), TLS: t, Username: conf.SMTP.User, Password: conf.SMTP.Password}}
	defer s.Close()
	err = s.Probe(ctx, conf.Office.Address)
	if err == nil {
		f.grade, f.found = gradeOK, "the server takes letters from "+conf.Office.Address+" (none was sent)"
		return f
	}
	f.found, f.do = err.Error(), "the mail server's own log will say more"
	var refused *mail.SendError
	if errors.As(err, &refused) {
		switch refused.Stage {
		case "connect", "starttls":
			f.do = fmt.Sprintf("look at host, port and security under smtp (%s, %s), at the certificate (name one of your own as ca-file), and at firewalls", conf.SMTP.address(), conf.SMTP.Security)
		case "auth":
			f.do = "look at user and password-file under smtp"
		case "mail":
			f.do = "the login may have to be allowed to send as " + conf.Office.Address
		}
	}
	return f
}

// clockSlack is how far this machine's clock and the mail server's may differ.
const clockSlack = 5 * time.Minute

// checkClock checks that a time service sets the clock, and that the clock is not behind
// the mail server's: then a letter would have been received at a moment in the future.
func checkClock(now, newest time.Time) finding {
	f := finding{gradeOK, "clock", now.UTC().Format("2006-01-02 15:04:05 MST"), ""}
	kept, known := clockKept()
	switch {
	case !newest.IsZero() && newest.Sub(now) > clockSlack:
		f.grade = gradeFail
		f.found += fmt.Sprintf(", but the mail server got a letter at %s", newest.UTC().Format("2006-01-02 15:04:05 MST"))
		f.do = "set the clock: deadlines are kept by it"
	case now.Year() < 2026:
		f.grade, f.do = gradeFail, "set the clock: deadlines are kept by it"
	case known && !kept:
		f.grade = gradeWarn
		f.found += ", which no time service keeps right"
		f.do = "run a time service, such as systemd-timesyncd or chrony (in a container: on its host)"
	}
	return f
}

// checkDKIM signs a letter and compares the key with the record that the domain gives
// out, if the operator has given that record: no DNS is asked.
func (cmd doctorCommand) checkDKIM(conf config) []finding {
	key := conf.DKIM.Key
	if key == nil {
		if cmd.DKIMRecord != "" {
			return []finding{{gradeFail, "signing", "no key is configured", "name a key under dkim"}}
		}
		return nil
	}
	f := finding{gradeFail, "signing", "", ""}
	letter := "From: <" + conf.Office.Address + ">\r\nDate: " + time.Now().Format(time.RFC1123Z) + "\r\nSubject: a check\r\nMessage-ID: <check@" + key.Domain + ">\r\n\r\nA check.\r\n"
	if _, err := key.Sign([]byte(letter)); err != nil {
		f.found, f.do = err.Error(), "make a new key, and name it under dkim"
		return []finding{f}
	}
	if cmd.DKIMRecord == "" {
		f.grade, f.found = gradeOK, "letters are signed for "+key.Domain
		f.do = "the DNS must give out at " + key.Name() + " the TXT record: " + key.Record()
		return []finding{f}
	}
	data, err := os.ReadFile(cmd.DKIMRecord)
	if err != nil {
		f.found, f.do = err.Error(), "name with --dkim-record a file that can be read and holds the record"
		return []finding{f}
	}
	if want, got := recordKey(key.Record()), recordKey(string(data)); got != want {
		f.found, f.do = "the key does not match the record in "+cmd.DKIMRecord, "put at "+key.Name()+" the TXT record: "+key.Record()
		return []finding{f}
	}
	f.grade, f.found = gradeOK, "the key matches the record of "+key.Name()
	return []finding{f}
}

// recordKey gives the public key in a record, even if the record stands in quotes and
// pieces, as tools that ask the DNS print it.
func recordKey(record string) string {
	for _, tag := range strings.Split(strings.NewReplacer("\"", "", " ", "", "\t", "", "\r", "", "\n", "", "(", "", ")", "").Replace(record), ";") {
		if value, ok := strings.CutPrefix(tag, "p="); ok {
			return value
		}
	}
	return ""
}

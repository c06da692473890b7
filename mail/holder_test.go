package mail_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"berthier/mail"
	"berthier/mail/local"
)

// A second reader of a mailbox is refused, and told who has it; the first one's
// restart is not, and after a proper end anybody may read it.
func TestOneReader(t *testing.T) {
	host := start(t, local.Options{})
	take := func(context.Context, mail.Incoming) (mail.Folder, error) { return mail.Processed, nil }
	run := func(holder string) (opened chan struct{}, end func() error) {
		c := imapConfig(host)
		c.Holder, c.HolderName = holder, "office "+holder
		box := &mail.Mailbox{Config: c}
		opened = make(chan struct{}, 10)
		box.OnRead(func(context.Context, time.Time) { opened <- struct{}{} })
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- box.Run(ctx, take); close(opened) }()
		return opened, func() error { cancel(); return <-done }
	}
	firstOpen, endFirst := run("first")
	<-firstOpen
	secondOpen, endSecond := run("second")
	if _, ok := <-secondOpen; ok {
		t.Error("a second reader read the mailbox")
	}
	var taken *mail.InUseError
	if err := endSecond(); !errors.As(err, &taken) || taken.Name != "office first" || !strings.Contains(err.Error(), "Berthier") {
		t.Errorf("the second reader was told %v", err)
	}
	againOpen, endAgain := run("first")
	<-againOpen
	for _, end := range []func() error{endFirst, endAgain} {
		if err := end(); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	thirdOpen, endThird := run("third")
	if _, ok := <-thirdOpen; !ok {
		t.Errorf("the mailbox was not given back: %v", endThird())
		return
	}
	endThird()
}

func TestProbe(t *testing.T) {
	host := start(t, local.Options{})
	deliver(t, host, 1, 4)
	box := &mail.Mailbox{Config: imapConfig(host)}
	p, err := box.Probe(t.Context())
	if err != nil || p.Waiting != 3 || !p.Idle || !p.Move || time.Since(p.Newest) > time.Hour {
		t.Errorf("%+v, %v", p, err)
	}
	bad := imapConfig(host)
	bad.Password = "wrong"
	if _, err := (&mail.Mailbox{Config: bad}).Probe(t.Context()); err == nil || !strings.Contains(err.Error(), "log in") {
		t.Errorf("a wrong password: %v", err)
	}
	c := mail.SMTPConfig{Address: host.SMTPAddr(), Security: mail.SecurityNone, Username: gm, Password: "secret"}
	if err := (&mail.SMTP{Config: c}).Probe(t.Context(), gm); err != nil {
		t.Error(err)
	}
	if n := host.Count(gm, "INBOX"); n != 3 {
		t.Errorf("%d letters after the probes, want 3", n)
	}
	c.Password = "wrong"
	var refused *mail.SendError
	if err := (&mail.SMTP{Config: c}).Probe(t.Context(), gm); !errors.As(err, &refused) || refused.Stage != "auth" {
		t.Errorf("a wrong password: %v", err)
	}
}

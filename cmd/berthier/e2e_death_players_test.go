//go:build e2e

package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
)

// A correspondent answers every report with the order file in it, unchanged; sometimes
// it sends the same letter twice, as mail programs do that lose their connection.
type correspondent struct {
	address string
	offices []string // boxes of the office, to which it writes in turn
	post    *mail.SMTP

	mu        sync.Mutex
	reports   map[string]bool   // stops of which a report has come
	letters   map[string][]byte // that were written, by Message-ID
	sent      map[string]bool   // orders
	asked     map[string]bool   // commands
	submitted map[string]int    // how often a letter was submitted
	mute      bool
}

func (p *correspondent) quiet() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mute = true
}

// count tells how many orders were sent.
func (p *correspondent) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.sent)
}

func (p *correspondent) has(stop string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reports[stop]
}

// ask sends a command.
func (p *correspondent) ask(t *testing.T, id, text string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.submit(t.Context(), id, text, 1); err != nil {
		t.Fatal(err)
	}
	p.asked[id+"@players."+domain] = true
}

// submit sends a letter; if it was tried before, the same letter.
func (p *correspondent) submit(ctx context.Context, id, text string, times int) error {
	id += "@players." + domain
	to := p.offices[len(p.letters)%len(p.offices)]
	if p.letters[id] == nil {
		p.letters[id] = fmt.Appendf(nil, "From: <%s>\r\nTo: <%s@%s>\r\nSubject: for the office\r\nDate: %s\r\nMessage-ID: <%s>\r\n\r\n%s", p.address, to, domain,
			time.Now().Format(time.RFC1123Z), id, strings.ReplaceAll(text, "\n", "\r\n"))
	}
	for range times {
		if err := p.post.Send(ctx, p.address, to+"@"+domain, p.letters[id]); err != nil {
			return err
		}
		p.submitted[id]++
	}
	return nil
}

func (d *dying) correspondent(box string) *correspondent {
	p := &correspondent{address: box + "@" + domain, offices: d.officeBoxes(), reports: map[string]bool{}, letters: map[string][]byte{}, sent: map[string]bool{}, asked: map[string]bool{}, submitted: map[string]int{}}
	p.post = &mail.SMTP{Config: mail.SMTPConfig{Address: "localhost:" + strconv.Itoa(d.s.smtp), Security: mail.SecurityStartTLS, TLS: d.tls, Username: box, Password: "secret"}}
	inbox := &mail.Mailbox{Config: mail.IMAPConfig{Address: "localhost:" + strconv.Itoa(d.s.imap), Security: mail.SecurityNone, Username: box, Password: "secret", Poll: 2 * time.Second}}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		inbox.Run(ctx, func(ctx context.Context, in mail.Incoming) (mail.Folder, error) {
			letter, err := mail.Read(in.Raw, mail.Own{})
			if err != nil {
				return mail.Rejected, err
			}
			return p.read(ctx, letter)
		})
	}()
	d.t.Cleanup(func() { cancel(); <-ended; p.post.Close() })
	return p
}

// read answers the order files of a letter.
func (p *correspondent) read(ctx context.Context, letter *mail.Letter) (mail.Folder, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, part := range letter.Parts {
		if part.Kind != mail.Attachment || !strings.HasSuffix(part.Name, ".yaml") || p.mute {
			continue
		}
		doc, problems := orders.Parse(part.Text, nil)
		if len(problems) > 0 || doc.Stop == 0 {
			continue
		}
		stop := fmt.Sprintf("%s.%s.%d", doc.Game, engine.Side(doc.Side), doc.Stop)
		p.reports[stop] = true
		if id := stop + "@players." + domain; !p.sent[id] {
			times := 1
			if len(p.sent)%8 == 7 {
				times = 2
			}
			if err := p.submit(ctx, stop, part.Text, times); err != nil {
				return mail.Leave, err
			}
			p.sent[id] = true
		}
	}
	return mail.Processed, nil
}

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/mail"
	"os"
	"path/filepath"
	"strings"

	"berthier/adjudicator"
	post "berthier/mail"
	"berthier/mail/local"
	"berthier/orders/phrase"
)

// playPassword opens the box of a player at his own machine. It keeps nobody out: the servers
// listen on this machine only.
const playPassword = "waterloo"

// byMail serves the game through mail servers on this machine until it is interrupted. The
// players' boxes hold the letters that they have got so far. Again is the command that goes on
// with the game.
func (s *sitting) byMail(ctx context.Context, c *console, encrypted bool, again string) (err error) {
	var begun bool // what is delivered from then on does not lie in the folder yet
	var lost error
	host, err := local.Start(local.Options{TLS: encrypted, Observe: func(d local.Delivery) {
		if !begun {
			return
		}
		s.sent++
		who, _, _ := strings.Cut(d.Box, "@")
		if err := writeWhole(filepath.Join(s.folder, "letters", fmt.Sprintf("%04d-to-%s.eml", s.sent, who)), d.Raw); err != nil {
			lost = errors.Join(lost, err)
		}
	}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, host.Close()) }()
	passwords := map[string]string{demoOffice: demoSecret, demoGM: demoSecret}
	for _, box := range s.boxes {
		passwords[box] = playPassword
	}
	for box, password := range passwords {
		if err := host.AddBox(box, password); err != nil {
			return err
		}
	}
	if err := s.fill(host); err != nil {
		return err
	}
	begun = true
	args := []phrase.Arg{phrase.Literals("boxes", s.boxes), phrase.Literal("password", playPassword),
		phrase.Literal("imap", host.IMAPAddr()), phrase.Literal("smtp", host.SMTPAddr()), phrase.Literal("folder", s.folder)}
	if encrypted {
		args = append(args, phrase.Literal("encrypted", "STARTTLS"))
	}
	fmt.Fprintln(c.out, s.list("mail", []string{"address", "password", "imap", "smtp", "encryption"}, args...)+s.say("mail-end", args...))

	var encryption *tls.Config
	kind := post.SecurityNone
	if encrypted {
		kind, encryption = post.SecurityStartTLS, host.ClientTLS()
	}
	sender := &post.SMTP{Config: post.SMTPConfig{Address: host.SMTPAddr(), Security: kind, TLS: encryption, Username: demoOffice, Password: demoSecret}}
	defer sender.Close()
	box := &post.Mailbox{Config: post.IMAPConfig{Address: host.IMAPAddr(), Security: kind, TLS: encryption, Username: demoOffice, Password: demoSecret}}
	if err = s.office.Run(ctx, sender, adjudicator.Box{Mailbox: box}); errors.Is(err, context.Canceled) {
		err = nil
	}
	err = errors.Join(err, lost)
	fmt.Fprintln(c.out, "\n"+s.say("kept", phrase.Literal("command", again+" "+s.folder)))
	return err
}

// fill puts the letters of the folder into the boxes, since the servers forget everything when
// they end. A letter to the office that was taken in before counts no second time.
func (s *sitting) fill(host *local.Server) error {
	seen := map[string]bool{}
	for _, box := range append([]string{demoOffice}, s.boxes...) {
		who, _, _ := strings.Cut(box, "@")
		kept, err := filepath.Glob(filepath.Join(s.folder, "letters", "*-to-"+who+".eml"))
		if err != nil {
			return err
		}
		for _, path := range kept {
			raw, err := os.ReadFile(path)
			if err != nil {
				return fmt.Errorf("read letter: %w", err)
			}
			m, err := mail.ReadMessage(bytes.NewReader(raw))
			if err != nil {
				return fmt.Errorf("read letter %s: %w", path, err)
			}
			id := m.Header.Get("Message-Id")
			if seen[box+id] {
				continue
			}
			seen[box+id] = true
			if err := host.Deliver(demoOffice, box, raw); err != nil {
				return err
			}
		}
	}
	return nil
}

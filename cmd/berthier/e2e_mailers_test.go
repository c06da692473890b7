//go:build e2e

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"berthier/mail"
)

// TestEndToEndMailers has letters written and sent by mutt, swaks and curl, each
// with the program itself, through the real servers to the running daemon, which
// must read the file and confirm it. What it sends is signed, and the signature
// holds behind Exim and Dovecot.
func TestEndToEndMailers(t *testing.T) {
	s := startServers(t, "office", "gm", "french", "allied")
	e := newEndToEnd(t, s)
	key, pem := dkimKey(t, domain)
	e.write("dkim.pem", pem)
	conf, err := os.ReadFile(e.config)
	if err != nil {
		t.Fatal(err)
	}
	e.write("berthier.yaml", string(conf)+"dkim: {selector: post, key-file: dkim.pem}\n")
	var asked atomic.Int64
	record := func(_ context.Context, name string) ([]string, error) {
		asked.Add(1)
		if name != key.Name() {
			return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
		}
		return []string{key.Record()}, nil
	}
	e.write("set-up.yaml", `game: e2e-1
system: napoleon
options: {setup: free}
gm: {name: The game master, address: gm@`+domain+`}
seats:
  french: {name: Bruno, address: french@`+domain+`, language: en}
  allied: {name: Clara, address: allied@`+domain+`, language: en}
`)
	e.serve()
	e.berthier("game", "new", "-c", e.config, e.file("set-up.yaml"))
	var file, ask string
	var p *remotePlayer
	for _, seat := range e.show().Seats {
		if p == nil && seat.Owes != nil {
			p = e.player(seat.Side)
			file = "draft: yes\n" + p.reportOf(seat.Stop).Root.Encode()
			// All order files of one minute together get one answer; commands get one each.
			ask = fmt.Sprintf("game: e2e-1\nkey: %s\ncommand: status\n", seat.Key)
		}
	}
	if p == nil {
		t.Fatal("nobody owes anything")
	}
	port := e.mailerFiles(s, p, ask)
	for _, c := range []struct {
		name, stdin, says string
		args              []string
	}{
		{"mutt", file, "draft", []string{"mutt", "-n", "-F", e.file("muttrc"), "-s", "by mutt", "--", "office@" + domain}},
		{"mutt with a file attached", "My question is in the file.\n-- \nBruno\n", "where the game stands", []string{"mutt", "-n", "-F", e.file("muttrc"), "-s", "by mutt, attached",
			"-a", e.file("attached.yaml"), "--", "office@" + domain}},
		{"swaks", "", "where the game stands", []string{"swaks", "--server", "localhost:" + port, "--from", p.address, "--to", "office@" + domain, "--header", "Subject: by swaks",
			"--body", "@" + e.file("orders.txt"), "--suppress-data", "--tls", "--auth", "PLAIN", "--auth-user", string(p.side), "--auth-password", "secret"}},
		{"curl", "", "where the game stands", []string{"curl", "--silent", "--show-error", "--ssl-reqd", "--cacert", s.caFile, "--url", "smtp://localhost:" + port,
			"--user", string(p.side) + ":secret", "--mail-from", p.address, "--mail-rcpt", "office@" + domain, "--upload-file", e.file("curl.eml")}},
	} {
		if out, err := runAnother(t, func(cmd *exec.Cmd) { cmd.Stdin, cmd.Dir = strings.NewReader(c.stdin), e.dir }, c.args[0], c.args[1:]...); err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, out)
		}
		l := p.nextLetter()
		text := ""
		for _, part := range l.Parts {
			if part.Kind == mail.Plain {
				text += part.Text
			}
		}
		if !strings.Contains(strings.ToLower(l.Subject+text), c.says) || strings.Contains(text, "REFUSED") {
			t.Errorf("%s: answered by %q\n%s", c.name, l.Subject, tail(text, 60))
		}
	}
	for _, l := range p.all {
		if err := l.ProveDomain(t.Context(), record); err != nil {
			t.Errorf("%q, behind Exim: %v", l.Subject, err)
		}
	}
	if n := int(asked.Load()); n != len(p.all) || n < 5 {
		t.Errorf("%d letters, the key was asked for %d times", len(p.all), n)
	}
	// The same signature proves nothing, if the key is that of another domain.
	other, _ := dkimKey(t, domain)
	forged := func(context.Context, string) ([]string, error) { return []string{other.Record()}, nil }
	if err := p.all[0].ProveDomain(t.Context(), forged); !errors.Is(err, mail.ErrUnproven) {
		t.Errorf("by another key: %v", err)
	}
}

// mailerFiles writes what the programs that send letters read, and gives the port that they send to.
func (e *endToEnd) mailerFiles(s *servers, p *remotePlayer, ask string) (port string) {
	e.t.Helper()
	e.write("orders.txt", ask)
	office := "office@" + domain
	port = strconv.Itoa(s.smtp)
	e.write("muttrc", fmt.Sprintf(`set from = "%s"
set realname = "Bruno"
set use_from = yes
set envelope_from = yes
set smtp_url = "smtp://%s@localhost:%s/"
set smtp_pass = "secret"
set ssl_force_tls = yes
set ssl_starttls = yes
set ssl_verify_host = no
set certificate_file = "%s"
set copy = no
set charset = utf-8
set folder = "%s"
`, p.address, p.side, port, s.caFile, e.dir))
	now := time.Now()
	e.write("curl.eml", strings.ReplaceAll(fmt.Sprintf("From: %s\nTo: %s\nSubject: by curl\nDate: %s\nMessage-ID: <curl.%d@players.%s>\n\n%s",
		p.address, office, now.Format(time.RFC1123Z), now.UnixNano(), domain, ask), "\n", "\r\n"))
	e.write("attached.yaml", ask)
	return port
}

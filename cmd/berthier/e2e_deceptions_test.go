//go:build e2e

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"berthier/adjudicator"
	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/mail"
)

// A deceiving test has an office behind real servers that somebody tries to deceive.
type deceiving struct {
	*endToEnd
	sent int
}

// TestEndToEndDeceptions lets a stranger with a leaked key, a player who sends his own report
// back, and a player whose address does not work write to an office behind a real
// Exim and a real Dovecot.
func TestEndToEndDeceptions(t *testing.T) {
	s := startServers(t, "office", "gm", "french", "allied", "stranger", "ghost")
	e := &deceiving{endToEnd: newEndToEnd(t, s)}
	config, err := os.ReadFile(e.config)
	if err != nil {
		t.Fatal(err)
	}
	configure := func(more string) {
		e.write("berthier.yaml", strings.Replace(string(config), "imap: {", "imap: {authserv-id: [mx.berthier.test], "+more, 1))
	}
	exim := func(does string) { write(t, filepath.Join(s.dir, "home", does), "") }

	// Exim leaves in place what a letter brings, and writes its own findings below its
	// Received, above which is Dovecot's: neither is believed, and the probe gives no code.
	configure("")
	exim("writes-findings")
	if out := e.probe(); !strings.Contains(out, "forged findings came back") || !strings.Contains(out, "own stand below") || authservBelow.MatchString(out) {
		t.Fatalf("doctor --probe:\n%s", out)
	}
	e.serve()
	e.newGame("deceived-1", "french", "allied", "proof: dkim\n")
	allied := e.player("allied")
	report := allied.reportOf(1)
	seat := e.seatOf("deceived-1", "allied")
	file := allied.orders(report, e.positionOf("deceived-1").View("allied"), *seat.Owes, 1)
	refused := func(what string) {
		t.Helper()
		if text := quotedText(allied.nextLetter()); !strings.Contains(text, "DKIM") {
			t.Fatalf("%s: answered by\n%s", what, text)
		}
		if seat := e.seatOf("deceived-1", "allied"); seat.Answered || seat.Owes == nil || seat.Stop != 1 {
			t.Fatalf("%s counts", what)
		}
	}
	const pass = "Authentication-Results: mx.berthier.test; dkim=pass header.d=" + domain + "\r\n"
	e.send("stranger", "allied@"+domain, pass+pass, file)
	refused("a letter with forged findings")
	e.send("allied", "allied@"+domain, "", file)
	refused("a letter with findings that are not believed")

	// Now Exim takes such fields away, as a letter to the office itself shows.
	exim("takes-findings-away")
	out := e.probe()
	found := authservBelow.FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("the probe grants nothing:\n%s", out)
	}
	configure("authserv-below: " + found[1] + ", ")
	e.restart()
	e.send("stranger", "allied@"+domain, pass+pass, file)
	refused("a forged letter, through a server that takes findings away")
	// Somebody whose address only looks like his is a stranger, whatever the server says of
	// the stranger's domain.
	e.send("stranger", "al\u0130ed@"+domain, "", file)
	e.send("allied", "allied@"+domain, "", file)
	if text := quotedText(allied.nextLetter()); strings.Contains(text, "DKIM") || e.seatOf("deceived-1", "allied").Owes != nil && e.seatOf("deceived-1", "allied").Stop == 1 {
		t.Fatalf("the player's own letter is answered by\n%s", text)
	}
	e.comesBack(allied)
}

// comesBack lets one report come back because there is no such mailbox, and another because
// its player claims so.
func (e *deceiving) comesBack(allied *remotePlayer) {
	e.t.Helper()
	e.newGame("deceived-2", "french", "ghost", "")
	deadline := time.Now().Add(60 * time.Second)
	for e.seatOf("deceived-2", "allied").Held != "unreached" { // the ghost has that seat
		if time.Now().After(deadline) {
			e.t.Fatal("the clock of a player whose report came back runs")
		}
		time.Sleep(200 * time.Millisecond)
	}
	gm := e.player("gm")
	for !strings.Contains(quotedText(gm.nextLetter()), "command: release") {
	}

	e.newGame("deceived-3", "french", "allied", "")
	var report *mail.Letter
	for report == nil || !strings.Contains(report.Subject, "deceived-3") {
		report = allied.nextLetter()
	}
	back := fmt.Sprintf("From: Mail Delivery System <mailer-daemon@%s>\r\nTo: office@%[1]s\r\nSubject: failed\r\nDate: %[2]s\r\nMessage-ID: <back@players.%[1]s>\r\n"+
		"MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n"+
		"Reporting-MTA: dns; mx.%[1]s\r\n\r\nFinal-Recipient: rfc822; allied@%[1]s\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <%[3]s>\r\n\r\n--b--\r\n",
		domain, time.Now().Format(time.RFC1123Z), report.MessageID)
	e.submit("allied@"+domain, []byte(back))
	for { // the game master is told
		if text := quotedText(gm.nextLetter()); strings.Contains(text, "deceived-3") && strings.Contains(text, "5.1.1") {
			if strings.Contains(text, "command: release") {
				e.t.Errorf("a forged report stops the clock:\n%s", text)
			}
			break
		}
	}
	if held := e.seatOf("deceived-3", "allied").Held; held != "" {
		e.t.Errorf("held: %s", held)
	}
}

// probe runs doctor --probe, whatever else it finds.
func (e *deceiving) probe() string {
	out, _ := runAnother(e.t, nil, e.program, "doctor", "--probe", "-c", e.config)
	return out
}

// restart stops the daemon and starts another.
func (e *deceiving) restart() {
	e.t.Helper()
	if err := e.daemon.Process.Signal(syscall.SIGTERM); err != nil {
		e.t.Fatal(err)
	}
	_ = ended(e.t, e.daemon)
	e.serve()
}

func (e *deceiving) newGame(id, french, allied, more string) {
	e.t.Helper()
	e.write("set-up.yaml", `game: `+id+`
system: napoleon
options: {setup: free}
gm: {name: The game master, address: gm@`+domain+`}
seats:
  french: {name: Bruno, address: `+french+`@`+domain+`}
  allied: {name: Clara, address: `+allied+`@`+domain+`}
deadline: 72h
second-thoughts: none
`+more)
	e.berthier("game", "new", "-c", e.config, e.file("set-up.yaml"))
}

func (e *deceiving) seatOf(id string, side engine.Side) adjudicator.SeatState {
	e.t.Helper()
	var d adjudicator.Details
	if err := json.Unmarshal(e.berthier("game", "show", "-c", e.config, "--json", id), &d); err != nil {
		e.t.Fatal(err)
	}
	for _, s := range d.Seats {
		if s.Side == side {
			return s
		}
	}
	e.t.Fatalf("no seat %s", side)
	return adjudicator.SeatState{}
}

func (e *deceiving) positionOf(id string) engine.Position {
	e.t.Helper()
	p, err := napoleon.New().Load(e.berthier("game", "position", "-c", e.config, "--yaml", id))
	if err != nil {
		e.t.Fatal(err)
	}
	return p
}

// send sends an order file from an address through the login of a box.
func (e *deceiving) send(box, from, header, file string) {
	e.t.Helper()
	e.sent++
	raw := header + "From: <" + from + ">\r\nTo: office@" + domain + "\r\nSubject: orders\r\nDate: " + time.Now().Format(time.RFC1123Z) +
		"\r\nMessage-ID: <letter." + strconv.Itoa(e.sent) + "@players." + domain + ">\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" +
		strings.ReplaceAll(file, "\n", "\r\n")
	e.submit(box+"@"+domain, []byte(raw))
}

//go:build e2e

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"berthier/adjudicator"
	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/mail"
	"berthier/orders"
)

// TestEndToEnd plays a game of Napoleon through a real Dovecot and a real Exim
// with the built program as a process of its own. Each side plays at least six turns; one
// file with three faults is refused, one daemon is killed between orders and resolution,
// and there are letters from a stranger and from a machine.
func TestEndToEnd(t *testing.T) {
	const sixFullTurns = 12 // of one side each
	s := startServers(t, "office", "gm", "french", "allied", "stranger")
	e := newEndToEnd(t, s)
	e.berthier("config", "check", "-c", e.config)
	e.write("set-up.yaml", `game: e2e-1
title: The road to Brussels
system: napoleon
options: {setup: free}
gm: {name: The game master, address: gm@`+domain+`, language: it, zone: Europe/Rome}
seats:
  french: {name: Bruno, address: french@`+domain+`, language: it, zone: Europe/Rome}
  allied: {name: Clara, address: allied@`+domain+`, language: en, zone: Europe/London}
deadline: 72h
second-thoughts: none
reminders: [24h]
`)
	e.serve()
	e.berthier("game", "new", "-c", e.config, e.file("set-up.yaml"))
	e.strangersAndMachines()

	players := map[engine.Side]*remotePlayer{"french": e.player("french"), "allied": e.player("allied")}
	titles := map[string]bool{}
	faulted, killed := false, false
	for len(titles) <= sixFullTurns {
		details := e.show()
		if details.State != "running" {
			t.Fatalf("the game is %s (%s) after %d turns", details.State, details.Fault, len(titles))
		}
		for _, seat := range details.Seats {
			if seat.Owes == nil || seat.Answered {
				continue
			}
			p := players[seat.Side]
			report := p.reportOf(seat.Stop)
			position := e.position()
			view := position.View(seat.Side)
			titles[fmt.Sprint(view.Page().Title)] = true
			file := p.orders(report, view, *seat.Owes, seat.Stop)
			switch {
			case !faulted && seat.Owes.Kind == "move":
				faulted = true
				e.refusesThreeFaults(p, report, seat.Stop)
				p.send(file)
			case !killed && len(titles) > 2:
				killed = true
				e.survivesDeath(p, file, seat.Stop)
			default:
				p.send(file)
			}
			if hurry := p.nextLetter(); !strings.Contains(hurry.Subject, "[e2e-1]") {
				t.Fatalf("%s got %q", p.side, hurry.Subject)
			}
		}
	}
	if !faulted || !killed {
		t.Fatalf("the run did not come to all that it should show: faults %v, death %v", faulted, killed)
	}
	e.everyLetterInItsBox(players)
	t.Logf("%d turns, %d letters to the French, %d to the Allies", len(titles), len(players["french"].all), len(players["allied"].all))
}

// endToEnd is the built program, with a configuration for the test's servers.
type endToEnd struct {
	t       *testing.T
	s       *servers
	dir     string
	program string
	config  string
	daemon  *exec.Cmd
	tls     *tls.Config
}

// ofToday is the release of the program that end-to-end tests run, and of these tests.
const ofToday = "v1.0.0"

// programOfToday builds the program once for all tests, and is where it lies until they have ended.
var programOfToday = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "berthier")
	if err != nil {
		return "", err
	}
	atTheEnd = append(atTheEnd, func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "berthier")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags", "-X main.release="+ofToday, "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return path, nil
})

func newEndToEnd(t *testing.T, s *servers) *endToEnd {
	t.Helper()
	e := &endToEnd{t: t, s: s, dir: t.TempDir()}
	// Tests that open the office beside the daemons have the same version.
	release = ofToday
	var err error
	if e.program, err = programOfToday(); err != nil {
		t.Fatal(err)
	}
	e.write("password", "secret\n")
	e.config = e.file("berthier.yaml")
	e.write("berthier.yaml", fmt.Sprintf(`office:
  name: Berthier
  address: office@%[1]s
  answers-per-hour: 1000
  administrators:
    - {name: The game master, address: gm@%[1]s, language: it, zone: Europe/Rome}
database: %[2]s
imap: {host: localhost, port: %[3]d, security: tls, user: office, password-file: password, ca-file: %[5]s, poll: 5s}
smtp: {host: localhost, port: %[4]d, security: starttls, user: office, password-file: password, ca-file: %[5]s}
`, domain, e.file("berthier.db"), s.imaps, s.smtp, s.caFile))
	e.berthier("init", "-c", e.config)
	pem, err := os.ReadFile(s.caFile)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		t.Fatal("the certificate can't be read")
	}
	e.tls = &tls.Config{RootCAs: pool, ServerName: "localhost"}
	return e
}

func (e *endToEnd) file(name string) string { return filepath.Join(e.dir, name) }

func (e *endToEnd) write(name, text string) { write(e.t, e.file(name), text) }

// berthier runs a command of the program and gives what it printed.
func (e *endToEnd) berthier(args ...string) []byte {
	e.t.Helper()
	var out, errout bytes.Buffer
	cmd := exec.Command(e.program, args...)
	cmd.Stdout, cmd.Stderr = &out, &errout
	err := cmd.Start()
	if err == nil {
		err = ended(e.t, cmd)
	}
	if err != nil {
		e.t.Fatalf("berthier %s: %v\n%s%s", strings.Join(args, " "), err, &out, &errout)
	}
	return out.Bytes()
}

// serve starts the daemon.
func (e *endToEnd) serve() {
	e.t.Helper()
	e.daemon = start(e.t, e.program, "serve", "-c", e.config)
	socketPath := socket(e.file("berthier.db"))
	deadline := time.Now().Add(20 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if _, err := os.Stat(socketPath); err == nil {
			return
		}
		if time.Now().After(deadline) {
			e.t.Fatal("the daemon did not open its socket")
		}
	}
}

// kill ends the daemon as a power cut does.
func (e *endToEnd) kill() {
	e.t.Helper()
	if err := e.daemon.Process.Signal(syscall.SIGKILL); err != nil {
		e.t.Fatal(err)
	}
	_ = ended(e.t, e.daemon)
	if err := os.Remove(socket(e.file("berthier.db"))); err != nil {
		e.t.Fatal(err)
	}
}

func (e *endToEnd) show() *adjudicator.Details {
	e.t.Helper()
	var d adjudicator.Details
	if err := json.Unmarshal(e.berthier("game", "show", "-c", e.config, "--json", "e2e-1"), &d); err != nil {
		e.t.Fatal(err)
	}
	return &d
}

func (e *endToEnd) position() engine.Position {
	e.t.Helper()
	p, err := napoleon.New().Load(e.berthier("game", "position", "-c", e.config, "--yaml", "e2e-1"))
	if err != nil {
		e.t.Fatal(err)
	}
	return p
}

// A remotePlayer has a mailbox at Dovecot and sends through Exim.
type remotePlayer struct {
	*endToEnd
	side    engine.Side
	address string
	in      chan *mail.Letter
	all     []*mail.Letter
	sent    int
}

func (e *endToEnd) player(side engine.Side) *remotePlayer {
	e.t.Helper()
	p := &remotePlayer{endToEnd: e, side: side, address: string(side) + "@" + domain, in: make(chan *mail.Letter, 10000)}
	box := &mail.Mailbox{Config: mail.IMAPConfig{
		Address: "localhost:" + strconv.Itoa(e.s.imaps), Security: mail.SecurityTLS, TLS: e.tls,
		Username: string(side), Password: "secret", Poll: 2 * time.Second,
	}}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		box.Run(ctx, func(_ context.Context, in mail.Incoming) (mail.Folder, error) {
			letter, err := mail.Read(in.Raw, mail.Own{})
			if err != nil {
				return mail.Rejected, err
			}
			if err := os.WriteFile(e.file(fmt.Sprintf("got-%s-%x.eml", side, letter.Digest[:8])), in.Raw, 0o600); err != nil {
				return mail.Rejected, err
			}
			p.in <- letter
			return mail.Processed, nil
		})
	}()
	e.t.Cleanup(func() { cancel(); <-done })
	return p
}

// nextLetter waits for the next letter in the player's box.
func (p *remotePlayer) nextLetter() *mail.Letter {
	p.t.Helper()
	select {
	case letter := <-p.in:
		p.all = append(p.all, letter)
		return letter
	case <-time.After(60 * time.Second):
		p.t.Fatalf("%s waited a minute for a letter; it has %d", p.side, len(p.all))
		return nil
	}
}

// reportOf gives the report that asks for a stop, and waits for it if necessary.
func (p *remotePlayer) reportOf(stop int) *orders.Document {
	p.t.Helper()
	for i := len(p.all) - 1; i >= 0; i-- {
		if doc := p.template(p.all[i]); doc != nil && doc.Stop == stop {
			return doc
		}
	}
	for {
		if doc := p.template(p.nextLetter()); doc != nil && doc.Stop == stop {
			return doc
		}
	}
}

// template reads the order file of a letter, if it has one, with English keys in its first
// column, whatever the player's language: he changes it by them.
func (p *remotePlayer) template(letter *mail.Letter) *orders.Document {
	words := orders.NewWords(orders.Common)
	for _, part := range letter.Parts {
		if part.Kind != mail.Attachment || !strings.HasSuffix(part.Name, ".yaml") {
			continue
		}
		doc, problems := orders.Parse(part.Text, nil)
		if len(problems) > 0 {
			p.t.Fatalf("the template of %q: %v\n%s", letter.Subject, problems, part.Text)
		}
		for i := range doc.Root.Pairs {
			key := doc.Root.Pairs[i].Key
			if body, ok := words.Key(key.Text, orders.Bodies); ok {
				key.Text = body
			}
		}
		return doc
	}
	return nil
}

// orders decides at random and fills in the report's order file.
func (p *remotePlayer) orders(report *orders.Document, view engine.View, d engine.Decision, stop int) string {
	chance := rand.New(rand.NewPCG(uint64(stop), uint64(len(p.side))))
	rules := napoleon.New()
	answer := rules.Random(view, d, chance)
	if d.Kind == "battle-turn" && chance.IntN(3) > 0 {
		answer = rules.Default(view, d)
	}
	return orderFile(report.Root, answer).Encode()
}

// send writes a letter in one of the ways in which people write.
func (p *remotePlayer) send(file string) {
	p.t.Helper()
	p.sent++
	last := p.all[len(p.all)-1]
	raw := hand(p.sent%int(hands)).write(envelope{
		from: p.address, name: string(p.side), to: "office@" + domain, subject: last.Subject,
		messageID: fmt.Sprintf("%s.%d@players.%s", p.side, p.sent, domain), answer: last.MessageID, date: time.Now(),
	}, file, quotedText(last))
	p.submit(p.address, raw)
}

func (e *endToEnd) submit(from string, raw []byte) {
	e.t.Helper()
	user, _, _ := strings.Cut(from, "@")
	s := mail.SMTP{Config: mail.SMTPConfig{
		Address: "localhost:" + strconv.Itoa(e.s.smtp), Security: mail.SecurityStartTLS, TLS: e.tls, Username: user, Password: "secret",
	}}
	defer s.Close()
	if err := s.Send(e.t.Context(), from, "office@"+domain, raw); err != nil {
		e.t.Fatal(err)
	}
}

// refusesThreeFaults sends a file with three faults and expects a refusal that names all of them.
func (e *endToEnd) refusesThreeFaults(p *remotePlayer, report *orders.Document, stop int) {
	e.t.Helper()
	file := orders.Mapping()
	for _, pair := range report.Root.Pairs {
		if key := pair.Key.Text; !slices.Contains(orders.Bodies, key) {
			file.Set(key, orders.Text(pair.Value.Text))
		}
	}
	file.Set("orders", orders.Items(
		orders.Inline().Set("move", orders.Inline().Set("from", orders.Text("Atlantis")).Set("to", orders.Text("Mons")).Set("units", orders.Text("all"))),
		orders.Inline().Set("mvoe", orders.Text("all")),
		orders.Inline().Set("reveal", orders.Text("F-99")),
	))
	p.send(file.Encode())
	refusal := p.nextLetter()
	text := quotedText(refusal)
	for _, want := range []string{"Atlantis", "mvoe", "F-99"} {
		if !strings.Contains(text, want) {
			e.t.Fatalf("the refusal does not name %s:\n%s", want, text)
		}
	}
	if seat := e.seat(p.side); seat.Answered || seat.Stop != stop {
		e.t.Fatalf("a refused file counted: %+v", seat)
	}
}

func (e *endToEnd) seat(side engine.Side) adjudicator.SeatState {
	e.t.Helper()
	for _, s := range e.show().Seats {
		if s.Side == side {
			return s
		}
	}
	e.t.Fatalf("no seat %s", side)
	return adjudicator.SeatState{}
}

// survivesDeath has an answer taken in while the game is paused, kills the
// daemon, starts another, and expects the answer to count.
func (e *endToEnd) survivesDeath(p *remotePlayer, file string, stop int) {
	e.t.Helper()
	e.berthier("game", "pause", "-c", e.config, "e2e-1")
	p.send(file)
	for !e.seat(p.side).Answered {
		p.nextLetter() // the news of the pause, then the confirmation
	}
	e.kill()
	e.serve()
	if seat := e.seat(p.side); !seat.Answered || seat.Stop != stop {
		e.t.Fatalf("after the restart the answer is gone: %+v", seat)
	}
	e.berthier("game", "resume", "-c", e.config, "e2e-1")
}

// strangersAndMachines sends what must not be answered.
func (e *endToEnd) strangersAndMachines() {
	e.t.Helper()
	from := "stranger@" + domain
	e.submit(from, []byte("From: <"+from+">\r\nTo: <office@"+domain+">\r\nSubject: let me in\r\nMessage-ID: <1@stranger>\r\n\r\ngame: e2e-1\r\nside: french\r\ncommand: report\r\n"))
	allied := "allied@" + domain
	e.submit(allied, []byte("From: <"+allied+">\r\nTo: <office@"+domain+">\r\nSubject: away\r\nAuto-Submitted: auto-replied\r\nMessage-ID: <2@allied>\r\n\r\nI am away until Monday.\r\n"))
}

// everyLetterInItsBox checks that each player got his own letters, a report for
// each of his stops, and nothing of anybody else; and that the stranger got
// nothing.
func (e *endToEnd) everyLetterInItsBox(players map[engine.Side]*remotePlayer) {
	e.t.Helper()
	for side, p := range players {
		stops := map[int]bool{}
		for _, letter := range p.all {
			if len(letter.To) != 1 || letter.To[0].Addr != p.address {
				e.t.Errorf("%s got a letter to %v: %q", side, letter.To, letter.Subject)
			}
			if strings.Contains(letter.Subject, "away") {
				e.t.Errorf("a machine was answered: %q", letter.Subject)
			}
			if doc := p.template(letter); doc != nil {
				stops[doc.Stop] = true
				if doc.Side != string(side) {
					e.t.Errorf("%s got the order file of %s", side, doc.Side)
				}
			}
		}
		for n := 1; n < e.seat(side).Stop; n++ {
			if !stops[n] {
				e.t.Errorf("%s got no report for its stop %d", side, n)
			}
		}
	}
	boxes, err := filepath.Glob(filepath.Join(e.s.dir, "mail", "stranger", "*", "*"))
	if err != nil {
		e.t.Fatal(err)
	}
	for _, letter := range boxes {
		if dir := filepath.Base(filepath.Dir(letter)); dir == "new" || dir == "cur" {
			e.t.Errorf("the stranger got a letter: %s", letter)
		}
	}
}

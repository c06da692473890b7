package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/clearsign"
	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"berthier/adjudicator"
	"berthier/engine"
	"berthier/mail"
	"berthier/mail/local"
)

// A running daemon has a mail host of its own.
type running struct {
	t         *testing.T
	host      *local.Server
	file      string // configuration
	database  string
	came      map[string]chan local.Delivery
	out       *buffer
	stop      context.CancelFunc
	ended     chan int
	count     int
	addresses []string
}

const officeAt = "office@club.example"

// startServe starts the daemon with mailboxes for some people; more is added to its
// configuration, and files are written beside that.
func startServe(t *testing.T, more string, files map[string]string, people ...string) *running {
	t.Helper()
	r := &running{t: t, came: map[string]chan local.Delivery{}, out: &buffer{}, ended: make(chan int, 1), addresses: people}
	for _, p := range append([]string{officeAt}, people...) {
		r.came[p] = make(chan local.Delivery, 1000)
	}
	r.host, r.file, r.database = siteWith(t, local.Options{Observe: func(d local.Delivery) {
		if c := r.came[d.Box]; c != nil {
			c <- d
		}
	}}, more)
	for _, p := range people {
		if err := r.host.AddBox(p, "secret"); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		r.put(name, text)
	}
	r.start()
	t.Cleanup(func() { r.stop(); <-r.ended })
	return r
}

func (r *running) put(name, text string) string {
	r.t.Helper()
	path := filepath.Join(filepath.Dir(r.file), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
	return path
}

// start starts the daemon, and waits until its socket is open.
func (r *running) start() {
	r.t.Helper()
	var ctx context.Context
	ctx, r.stop = context.WithCancel(context.Background())
	go func() { r.ended <- run(ctx, []string{"serve", "-c", r.file}, io.Discard, r.out) }()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if c, err := net.Dial("unix", socket(r.database)); err == nil {
			c.Close()
			return
		}
		select {
		case code := <-r.ended:
			r.ended <- code
			r.t.Fatalf("the daemon ended with %d: %s", code, r.out.String())
		default:
		}
	}
}

// berthier runs a command beside the daemon.
func (r *running) berthier(args ...string) string {
	r.t.Helper()
	var out bytes.Buffer
	if code := run(r.t.Context(), append(args, "-c", r.file), &out, &out); code != 0 {
		r.t.Fatalf("berthier %v ends with %d: %s", args, code, out.String())
	}
	return out.String()
}

// next waits for the next letter in a box.
func (r *running) next(box string) *mail.Letter {
	r.t.Helper()
	select {
	case d := <-r.came[box]:
		l, err := mail.Read(d.Raw, mail.Own{})
		if err != nil {
			r.t.Fatal(err)
		}
		return l
	case code := <-r.ended:
		r.ended <- code
		r.t.Fatalf("the daemon ended with %d: %s", code, r.out.String())
	case <-time.After(30 * time.Second):
		r.t.Fatalf("%s\nno letter came to %s", r.out.String(), box)
	}
	return nil
}

// post puts a letter into the office's mailbox. The fields in head stand above those that
// every letter has.
func (r *running) post(from, head, body string) string {
	r.t.Helper()
	r.count++
	raw := fmt.Sprintf("%sFrom: <%s>\r\nTo: <%s>\r\nSubject: orders\r\nDate: %s\r\nMessage-ID: <%d.%s>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n%s",
		head, from, officeAt, time.Now().Format(time.RFC1123Z), r.count, from, strings.ReplaceAll(body, "\n", "\r\n"))
	r.deliver(from, raw)
	return raw
}

func (r *running) deliver(from, raw string) {
	r.t.Helper()
	if err := r.host.Deliver(from, officeAt, []byte(raw)); err != nil {
		r.t.Fatal(err)
	}
}

// empty waits until all letters in the office's box have been taken in.
func (r *running) empty() {
	r.t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if r.host.Count(officeAt, "INBOX") == 0 {
			return
		}
		select {
		case code := <-r.ended:
			r.ended <- code
			r.t.Fatalf("the daemon ended with %d: %s", code, r.out.String())
		default:
		}
	}
}

// show tells how a game stands.
func (r *running) show(game string) *adjudicator.Details {
	r.t.Helper()
	var d adjudicator.Details
	if err := json.Unmarshal([]byte(r.berthier("game", "show", "--json", game)), &d); err != nil {
		r.t.Fatal(err)
	}
	return &d
}

// templateOf is the order file that a report has attached.
func templateOf(l *mail.Letter) string {
	for _, p := range l.Parts {
		if p.Kind == mail.Attachment && strings.HasSuffix(p.Name, ".yaml") {
			return p.Text
		}
	}
	return ""
}

// saysAll is everything that a letter says as text.
func saysAll(l *mail.Letter) string {
	text := l.Subject
	for _, p := range l.Parts {
		text += "\n" + p.Text
	}
	return text
}

const (
	frenchAt = "french@play.example"
	alliedAt = "allied@play.example"
	masterAt = "gm@club.example"
	evilAt   = "evil@evil.example"
)

// setUp is a set-up of two players.
func setUp(game, more string) string {
	return "game: " + game + "\nsystem: napoleon\ngm:\n  name: Gina\n  address: " + masterAt + "\n%s" +
		"seats:\n  french:\n    name: Fleur\n    address: " + frenchAt + "\n%s  allied:\n    name: Ada\n    address: " + alliedAt + "\n%s" + more
}

func dkimKey(t *testing.T, domain string) (*mail.DKIMKey, string) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	key, err := mail.NewDKIMKey(domain, "post", text)
	if err != nil {
		t.Fatal(err)
	}
	return key, string(text)
}

// Every letter that the daemon sends is signed with the configured key, and the
// signature holds as the letter arrives: reports with pictures, answers, refusals.
func TestServeSignsLetters(t *testing.T) {
	key, text := dkimKey(t, "club.example")
	r := startServe(t, "dkim: {selector: post, key-file: dkim.pem}\n", map[string]string{"dkim.pem": text}, frenchAt, alliedAt, masterAt)
	r.berthier("game", "new", r.put("game.yaml", fmt.Sprintf(setUp("signed-1", ""), "", "", "")))
	lookup := func(_ context.Context, name string) ([]string, error) {
		if name != key.Name() {
			return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
		}
		return []string{key.Record()}, nil
	}
	check := func(l *mail.Letter) *mail.Letter {
		t.Helper()
		if err := l.ProveDomain(t.Context(), lookup); err != nil {
			t.Errorf("%q: %v", l.Subject, err)
		}
		return l
	}
	for _, at := range r.addresses {
		check(r.next(at))
	}
	for _, seat := range r.show("signed-1").Seats {
		ask := "game: signed-1\nkey: " + seat.Key + "\ncommand: status\n"
		r.post(seat.Person.Address, "", ask)
		check(r.next(seat.Person.Address))
		r.post(seat.Person.Address, "", strings.Replace(ask, "status", "conquer", 1))
		if l := check(r.next(seat.Person.Address)); !strings.Contains(saysAll(l), "conquer") {
			t.Errorf("answered by %q", l.Subject)
		}
	}
}

// A pgp is somebody's OpenPGP key.
type pgp struct{ *openpgp.Entity }

func newPGP(t *testing.T, address string) pgp {
	t.Helper()
	e, err := openpgp.NewEntity("Somebody", "", address, &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA})
	if err != nil {
		t.Fatal(err)
	}
	return pgp{e}
}

// public is the line of a set-up that names the public key.
func (p pgp) public(t *testing.T, indent string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := armor.Encode(&b, openpgp.PublicKeyType, nil)
	if err == nil {
		err = errors.Join(p.Serialize(w), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return indent + "pgp-key: |\n" + indent + "  " + strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", "\n"+indent+"  ") + "\n"
}

func (p pgp) sign(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := clearsign.Encode(&b, p.PrivateKey, nil)
	if err == nil {
		_, err = w.Write([]byte(text))
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String() + "\n"
}

// Each level of proof is tried in the running daemon: a letter that has the proof counts;
// letters that are forged, replayed or sent again don't.
func TestServeProofs(t *testing.T) {
	pens := proofPens{french: newPGP(t, frenchAt), allied: newPGP(t, alliedAt), gm: newPGP(t, masterAt), evil: newPGP(t, frenchAt)}
	r := startServe(t, "", nil, frenchAt, alliedAt, masterAt, evilAt)
	r.stop()
	<-r.ended
	config, err := os.ReadFile(r.file)
	if err != nil {
		t.Fatal(err)
	}
	r.put(filepath.Base(r.file), strings.NewReplacer("password-file: password}\nsmtp", "password-file: password, authserv-id: [mx.club.example]}\nsmtp",
		"{address: office@club.example}", "{address: office@club.example, answers-per-hour: 100}").Replace(string(config)))
	r.start()
	left := 3 // how many letters without the proof get an answer in an hour
	for _, level := range []string{"signed", "dkim", "key", "address"} {
		g := newProofGame(r, pens, level)
		left = g.refusesForged(left)
		g.takesProven()
	}
	if n := r.host.Count(evilAt, "INBOX"); n != 0 {
		t.Errorf("the forger got %d letters", n)
	}
	for _, secret := range []string{"PGP", "AAAA-AAAA", frenchAt} {
		if strings.Contains(r.out.String(), secret) {
			t.Errorf("the log names %s", secret)
		}
	}
}

// The mail host of the test writes no Received of its own: what stands above this one
// looks as the receiving server would have written it.
const (
	dkimReceived = "Received: from players.example by mx.club.example; Mon, 2 Mar 2026 09:00:00 +0000\r\n"
	dkimPasses   = "Authentication-Results: mx.club.example; dkim=pass header.d=play.example\r\n" + dkimReceived
	dkimFails    = "Authentication-Results: mx.club.example; dkim=fail header.d=play.example\r\n"
)

// proofPens sign for the players, the game master and a forger who calls himself the French player.
type proofPens struct{ french, allied, gm, evil pgp }

// A proofGame is a game at one level of proof, and its player who is asked.
type proofGame struct {
	*running
	level, game string
	seat        adjudicator.SeatState
	at          string // the player's address
	file        string // of orders, with the key
	keyless     string // the same without the key

	// What proves as much as the level wants: a head, and how the text is written.
	head      string
	write     func(string) string
	pen, evil pgp

	warned int // warnings about a stranger who has the key, sent to the player's own address
}

// newProofGame makes a game and waits for its first order file.
func newProofGame(r *running, pens proofPens, level string) *proofGame {
	g := &proofGame{running: r, level: level, game: "proof-" + level, evil: pens.evil, write: func(s string) string { return s }}
	set := fmt.Sprintf(setUp(g.game, "second-thoughts: 30m\nproof: "+level+"\n"), pens.gm.public(r.t, "  "), pens.french.public(r.t, "    "), pens.allied.public(r.t, "    "))
	r.berthier("game", "new", r.put("game.yaml", set))
	for _, s := range r.show(g.game).Seats {
		if s.Owes != nil {
			g.seat = s
		}
	}
	g.at, g.pen = g.seat.Person.Address, map[engine.Side]pgp{"french": pens.french, "allied": pens.allied}[g.seat.Side]
	for g.file == "" {
		if l := r.next(g.at); strings.Contains(l.Subject, g.game) {
			g.file = templateOf(l)
		}
	}
	if g.keyless = strings.Replace(g.file, "key: "+g.seat.Key+"\n", "", 1); g.keyless == g.file {
		r.t.Fatalf("no key in %s", g.file)
	}
	switch level {
	case "dkim":
		g.head = dkimPasses
	case "signed":
		g.write = func(s string) string { return g.pen.sign(r.t, s) }
	}
	return g
}

// answered tells whether the player's orders count.
func (g *proofGame) answered() bool {
	for _, s := range g.show(g.game).Seats {
		if s.Side == g.seat.Side {
			return s.Answered || s.Stop != g.seat.Stop
		}
	}
	return false
}

// next is the player's next letter, but for warnings about the stranger, which are counted.
func (g *proofGame) next() *mail.Letter {
	for {
		l := g.running.next(g.at)
		if !strings.Contains(l.Subject, "came from another address") {
			return l
		}
		g.warned++
	}
}

// asks sends a letter that is answered, so that the letters before it have been
// taken in, and gives all letters that came until then.
func (g *proofGame) asks() []string {
	var all []string
	g.post(g.at, g.head, g.write("game: "+g.game+"\nkey: "+g.seat.Key+"\ncommand: status\n"))
	for {
		l := g.next()
		if strings.Contains(l.InReplyTo, fmt.Sprintf("%d.%s", g.count, g.at)) {
			return all
		}
		all = append(all, l.Subject)
	}
}

// A forgedLetter must not count. Without the proof it gets as many answers.
type forgedLetter struct {
	from, head, text string
	answers          int
}

// forged are letters that lack what the level wants.
func (g *proofGame) forged() map[string]forgedLetter {
	at, file := g.at, g.file
	bad := map[string]forgedLetter{
		"a stranger with everything": {evilAt, g.head, g.write(file), 0},
		"a machine":                  {at, g.head + "Auto-Submitted: auto-replied\r\n", g.write(file), 0},
	}
	if g.level != "address" {
		bad["no key"] = forgedLetter{at, g.head, g.write(g.keyless), 1}
		bad["another key"] = forgedLetter{at, g.head, g.write(strings.Replace(file, g.seat.Key, "AAAA-AAAA", 1)), 1}
	}
	switch g.level {
	case "dkim":
		bad["nothing proven"] = forgedLetter{at, "", file, 1}
		bad["the forger's word below the server's"] = forgedLetter{at, dkimFails + dkimPasses, file, 1}
		bad["the forger's word above, by a name of his own"] = forgedLetter{at, strings.Replace(dkimPasses, "mx.club", "mx.evil", 1) + dkimFails, file, 1}
		bad["another domain's"] = forgedLetter{at, strings.Replace(dkimPasses, "play.example", "evil.example", 1), file, 1}
		bad["the forger's word, brought along"] = forgedLetter{at, dkimReceived + dkimPasses, file, 1}
	case "signed":
		bad["unsigned"] = forgedLetter{at, dkimPasses, file, 1}
		bad["by another"] = forgedLetter{at, dkimPasses, g.evil.sign(g.t, file), 1}
		bad["changed"] = forgedLetter{at, "", strings.Replace(g.pen.sign(g.t, file), "serial: 1", "serial: 2", 1), 1}
	}
	return bad
}

// refusesForged sends the forged letters, of which none may count. It is told how many letters
// without the proof still get an answer, and gives how many do after them.
func (g *proofGame) refusesForged(left int) int {
	answers := 0
	for name, c := range g.forged() {
		g.post(c.from, c.head, c.text)
		answers += c.answers
		if g.answered() {
			g.t.Fatalf("%s: %s counts", g.level, name)
		}
	}
	for range min(answers, left) {
		if l := g.next(); !strings.HasPrefix(l.Subject, "[Berthier]") { // and not the game
			g.t.Errorf("%s: a forged letter is answered by %q", g.level, l.Subject)
		}
	}
	g.empty()
	if got := g.asks(); g.answered() || len(got) != 0 {
		g.t.Errorf("%s: more than the %d answers: %q", g.level, answers, got)
	}
	if g.warned != 1 {
		g.t.Errorf("%s: %d letters tell that a stranger has the key", g.level, g.warned)
	}
	return max(left-answers, 0)
}

// takesProven sends the orders with the proof: they count, and no copy of the letter does.
func (g *proofGame) takesProven() {
	file := g.file
	if g.level == "address" {
		file = g.keyless
	}
	raw := g.post(g.at, g.head, g.write(file))
	for {
		if l := g.running.next(g.at); strings.Contains(l.InReplyTo, fmt.Sprintf("%d.%s", g.count, g.at)) {
			if !strings.Contains(saysAll(l), "TAKEN") {
				g.t.Fatalf("%s: answered by %q", g.level, l.Subject)
			}
			break
		}
	}
	if !g.answered() {
		g.t.Fatalf("%s: what is proven does not count", g.level)
	}
	// The same bytes are sent again, and once more with what a relay adds.
	entries := g.show(g.game).Entries
	g.deliver(g.at, raw)
	g.deliver(evilAt, "Received: from somewhere\r\n"+raw)
	g.empty()
	if got := g.show(g.game).Entries; got != entries {
		g.t.Errorf("%s: a letter that came again made %d entries of the log", g.level, got-entries)
	}
}

// A backup is taken while the daemon works; letters that came after it lie in the folder
// Processed. Moved back to the inbox they are taken in again: nothing is lost, nothing
// counts twice, and no answer given before goes out anew.
func TestServeBackupAndRestore(t *testing.T) {
	r := startServe(t, "", nil, frenchAt, alliedAt, masterAt)
	r.berthier("game", "new", r.put("game.yaml", fmt.Sprintf(setUp("kept-1", "second-thoughts: 30m\n"), "", "", "")))
	var seat adjudicator.SeatState
	for _, s := range r.show("kept-1").Seats {
		if s.Owes != nil {
			seat = s
		}
	}
	at := seat.Person.Address
	file := templateOf(r.next(at))
	if file == "" {
		t.Fatal("no order file")
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if text := r.berthier("backup", copied); !strings.Contains(text, "1 games, every page read") {
		t.Errorf("backup says %q", text)
	}
	if info, err := os.Stat(copied); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy: %v, %v", info.Mode(), err)
	}
	r.post(at, "", file)
	taken := r.next(at)
	if !strings.Contains(saysAll(taken), "TAKEN") {
		t.Fatalf("answered by %q", taken.Subject)
	}
	after := r.show("kept-1")

	r.stop()
	<-r.ended
	if err := os.Remove(r.database); err != nil {
		t.Fatal(err)
	}
	if text := r.berthier("restore", copied); !strings.Contains(text, "1 games restored") {
		t.Errorf("restore says %q", text)
	}
	if err := r.host.MoveAll(officeAt, "Processed", "INBOX"); err != nil {
		t.Fatal(err)
	}
	r.start()
	told := 0
	again := r.next(at)
	for !strings.Contains(saysAll(again), "TAKEN") { // the report may go out a second time, as the same letter
		again = r.next(at)
	}
	if strings.Contains(saysAll(again), "the office was restored from a backup") {
		told++
	}
	if told != 1 {
		t.Errorf("the first letter after the restore does not tell of it:\n%s", saysAll(again))
	}
	if now := r.show("kept-1"); now.Stop != after.Stop {
		t.Errorf("after the restore stop %d, before it %d", now.Stop, after.Stop)
	}
	if again.InReplyTo != taken.InReplyTo {
		t.Errorf("the confirmation answers %s, that before %s", again.InReplyTo, taken.InReplyTo)
	}
	if again.MessageID == taken.MessageID {
		t.Errorf("two letters that differ are both %s", again.MessageID)
	}
}

// A mail server that never answers does not keep the daemon from stopping; letters that
// were on their way go out after the next start.
func TestServeStopsWhileSending(t *testing.T) {
	r := startServe(t, "", nil, frenchAt, alliedAt, masterAt)
	r.host.Fail(frenchAt, local.Fault{At: "data", Stall: true})
	r.host.Fail(alliedAt, local.Fault{At: "rcpt", Stall: true})
	r.berthier("game", "new", r.put("game.yaml", fmt.Sprintf(setUp("stalled-1", ""), "", "", "")))
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for r.host.Stalled() < 2 {
		<-tick.C
	}
	began := time.Now()
	r.stop()
	if code := <-r.ended; code != 0 {
		t.Errorf("the daemon ended with %d: %s", code, r.out.String())
	}
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("stopping took %s", took)
	}
	r.host.Heal(frenchAt)
	r.host.Heal(alliedAt)
	r.start()
	for _, at := range []string{frenchAt, alliedAt} {
		if l := r.next(at); !strings.Contains(l.Subject, "stalled-1") {
			t.Errorf("%s got %q", at, l.Subject)
		}
	}
}

// Files that a command writes are written where the command was called, not by the daemon.
func TestServeHandsFilesOver(t *testing.T) {
	r := startServe(t, "", nil, frenchAt, alliedAt, masterAt)
	r.berthier("game", "new", r.put("game.yaml", fmt.Sprintf(setUp("files-1", ""), "", "", "")))
	var out bytes.Buffer
	conf, err := configFlag{r.file}.load()
	if err != nil {
		t.Fatal(err)
	}
	files := []savedFile{}
	folder := filepath.Join(t.TempDir(), "page")
	cmd := gamePositionCommand{configFlag: configFlag{r.file}, Game: "files-1", HTML: folder}
	if err := perform(t.Context(), "position", &cmd, cmd.configFlag, &console{out: &out, err: &out, files: &files}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder); err == nil || len(files) < 2 {
		t.Errorf("%d files handed over; the daemon wrote: %v (%s)", len(files), err == nil, conf.Database)
	}
	r.berthier("game", "position", "files-1", "--html", folder)
	if _, err := os.Stat(filepath.Join(folder, "position.html")); err != nil {
		t.Error(err)
	}
}

// A copy that root restores still belongs to the daemon.
func TestRestoreKeepsTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		return // only root can give files away
	}
	dir := t.TempDir()
	mine, theirs := filepath.Join(dir, "mine"), filepath.Join(dir, "theirs")
	for _, path := range []string{mine, theirs} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, like := range []string{theirs, filepath.Join(dir, "nowhere")} {
		owned := like
		if like != theirs {
			owned = dir
		}
		if err := errors.Join(os.Chown(owned, 65534, 65534), os.Chown(mine, 0, 0), sameOwner(mine, like)); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(mine); err != nil || !strings.Contains(fmt.Sprintf("%+v", info.Sys()), "Uid:65534") {
			t.Errorf("like %s: %+v, %v", like, info.Sys(), err)
		}
	}
}

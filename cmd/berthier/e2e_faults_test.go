//go:build e2e

package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/mail"
	"net/textproto"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A fault is one way in which lines, servers and disks fail the daemon.
type fault string

const (
	calm          fault = "nothing"
	smtpClosed    fault = "SMTP: 421 as greeting"
	smtpLater     fault = "SMTP: 4xx"
	smtpNever     fault = "SMTP: 5xx"
	smtpStalls    fault = "SMTP: stalls after DATA"
	smtpDropped   fault = "SMTP: hangs up after DATA, letter not taken"
	smtpTaken     fault = "SMTP: hangs up after DATA, letter taken"
	smtpDenies    fault = "SMTP: says 451, letter taken"
	smtpSwallows  fault = "SMTP: says 250, letter lost"
	imapBreaks    fault = "IMAP: breaks off within a letter"
	imapBreaksAny fault = "IMAP: breaks off anywhere"
	imapMoves     fault = "IMAP: breaks off at MOVE"
	imapStalls    fault = "IMAP: falls silent within a letter"
	imapRefuses   fault = "IMAP: refuses the login"
	imapRenumbers fault = "IMAP: another UIDVALIDITY"
	diskFull      fault = "disk: full"
)

var allFaults = []fault{smtpClosed, smtpLater, smtpNever, smtpStalls, smtpDropped, smtpTaken, smtpDenies, smtpSwallows,
	imapBreaks, imapBreaksAny, imapMoves, imapStalls, imapRefuses, imapRenumbers, diskFull}

// A faultyPost stands between the daemon and the real servers: everything that the
// daemon says to Exim and Dovecot goes through it, and on the way it breaks
// what the present fault breaks. It keeps a list of every letter handed over.
type faultyPost struct {
	t                  *testing.T
	s                  *servers
	tls                *tls.Config
	smtpPort, imapPort int
	beats              chan struct{} // something has just happened on a line

	mu       sync.Mutex
	fault    fault
	life     int // of the daemon, counted from 1
	last     int // the life in which the last letter was handed over
	chance   *rand.Rand
	happened map[fault]int
	letters  map[string]*handed // by Message-ID
	refused  map[string]bool    // "game address" of letters that were refused for good
	validity map[string]bool    // of the inbox, as the daemon was told
}

// A handed letter is one whose last line the daemon has sent, once or more.
type handed struct {
	to, answers string    // recipient; Message-ID that it answers, if any
	written     time.Time // as its Date says
	game        string    // of which its subject speaks
	place       int       // among the letters that were handed over for the first time
	times       []handing
}

// A handing is what happened when a letter was handed over once.
type handing struct {
	life  int
	taken bool // Exim has it
	told  int  // code that the daemon was told; 0: none
	by    fault
	at    time.Time // when its last line had come
}

func newFaultyPost(t *testing.T, s *servers, tls *tls.Config, seed uint64) *faultyPost {
	p := &faultyPost{
		t: t, s: s, tls: tls, beats: make(chan struct{}, 1), fault: calm, chance: rand.New(rand.NewPCG(seed, 1)),
		happened: map[fault]int{}, letters: map[string]*handed{}, refused: map[string]bool{}, validity: map[string]bool{},
	}
	p.smtpPort, p.imapPort = p.listen(p.serveSMTP), p.listen(p.serveIMAP)
	return p
}

func (p *faultyPost) listen(serve func(net.Conn)) int {
	p.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		p.t.Fatal(err)
	}
	var all sync.WaitGroup
	var open sync.Map
	all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			open.Store(conn, true)
			all.Go(func() { defer open.Delete(conn); defer conn.Close(); serve(conn) })
		}
	})
	p.t.Cleanup(func() {
		l.Close()
		open.Range(func(conn, _ any) bool { conn.(net.Conn).Close(); return true })
		all.Wait()
	})
	return l.Addr().(*net.TCPAddr).Port
}

// set starts a fault, with which a life of the daemon begins.
func (p *faultyPost) set(f fault, life int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault, p.life = f, life
}

func (p *faultyPost) times(f fault) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.happened[f]
}

func (p *faultyPost) count(f fault, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.happened[f] += n
}

// strikes tells whether a fault happens here and now, with a chance in percent.
func (p *faultyPost) strikes(f fault, percent int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fault != f || p.chance.IntN(100) >= percent {
		return false
	}
	if f != imapRenumbers { // which counts when the daemon reads the new number
		p.happened[f]++
	}
	return true
}

func (p *faultyPost) throw(n int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.chance.IntN(n)
}

// beat tells that this is a good moment to die.
func (p *faultyPost) beat() {
	select {
	case p.beats <- struct{}{}:
	default:
	}
}

// gameNamed finds the game in a subject.
var gameNamed = regexp.MustCompile(`death-\d+`)

func (p *faultyPost) keep(id, to string, head textproto.MIMEHeader, h handing) {
	written, err := mail.ParseDate(head.Get("Date"))
	if err != nil {
		p.t.Errorf("the date of %s: %v", id, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.letters[id] == nil {
		p.letters[id] = &handed{to: to, answers: strings.Trim(head.Get("In-Reply-To"), "<>"), written: written, game: gameNamed.FindString(head.Get("Subject")), place: len(p.letters)}
	}
	p.letters[id].times = append(p.letters[id].times, h)
	p.last = max(p.last, h.life)
}

// awaitProgress waits, within limits, until one more letter has gone out: on a busy
// machine the daemon would otherwise die each time before it has begun.
func (p *faultyPost) awaitProgress() {
	p.mu.Lock()
	life := p.life
	p.mu.Unlock()
	for began := time.Now(); time.Since(began) < 10*time.Second; <-time.After(5 * time.Millisecond) {
		if p.handedIn(life) {
			return
		}
	}
}

// handedIn tells whether a letter was handed over in a life of the daemon.
func (p *faultyPost) handedIn(life int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last == life
}

// mayRefuse lets one letter of each game to each player be refused for good: after more
// refusals the office would conclude that the address does not work, and stop writing to it.
func (p *faultyPost) mayRefuse(to string, header []byte) bool {
	game := gameInSubject.Find(header)
	if game == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fault != smtpNever || p.refused[string(game)+to] {
		return false
	}
	p.refused[string(game)+to] = true
	p.happened[smtpNever]++
	return true
}

var gameInSubject = regexp.MustCompile(`\[death-[0-9]+\]`)

// serveSMTP passes a connection on to Exim.
func (p *faultyPost) serveSMTP(near net.Conn) {
	life := 0
	say := func(text string) { io.WriteString(near, text) }
	if p.strikes(smtpClosed, 60) {
		say("421 mx.berthier.test too busy\r\n")
		return
	}
	far, err := p.exim()
	if err != nil {
		say("421 mx.berthier.test " + strings.ReplaceAll(err.Error(), "\n", " ") + "\r\n")
		return
	}
	defer far.Close()
	say("220 mx.berthier.test ESMTP\r\n")
	lines := bufio.NewReader(near)
	to := ""
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		verb := strings.ToUpper(line[:min(4, len(line))])
		if verb == "MAIL" { // a daemon that others outlive may keep its connection through several lives
			p.mu.Lock()
			life = p.life
			p.mu.Unlock()
		}
		if verb == "RCPT" {
			_, to, _ = strings.Cut(line, "<")
			to, _, _ = strings.Cut(to, ">")
		}
		if (verb == "MAIL" || verb == "RCPT") && p.strikes(smtpLater, 15) {
			say("451 4.3.0 not now\r\n")
			continue
		}
		reply, err := far.command(line)
		if err != nil {
			return
		}
		if verb == "EHLO" { // the test has logged in for the daemon
			reply = withoutLogin.ReplaceAllString(reply, "")
		}
		say(reply)
		if verb == "QUIT" {
			return
		}
		if verb == "DATA" && strings.HasPrefix(reply, "354") && !p.letter(near, lines, far, to, life) {
			return
		}
	}
}

var withoutLogin = regexp.MustCompile(`(?m)^250-(STARTTLS|AUTH|PIPELINING|CHUNKING)[^\n]*\n`)

// letter takes a letter up to its last line, and does with it what the fault says.
// It tells whether the connection goes on.
func (p *faultyPost) letter(near net.Conn, lines *bufio.Reader, far *eximConn, to string, life int) bool {
	var raw []byte
	for !bytes.HasSuffix(raw, []byte("\r\n.\r\n")) {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return false // the daemon died: Exim gets no last line, and forgets it
		}
		raw = append(raw, line...)
	}
	at := time.Now()
	p.beat()
	head, _, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
	h, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(append(head, "\r\n\r\n"...)))).ReadMIMEHeader()
	id := strings.Trim(h.Get("Message-Id"), "<>")
	if err != nil || id == "" {
		p.t.Errorf("the daemon sends a letter without a Message-ID: %v", err)
	}
	done := handing{life: life, at: at}
	keep := func(by fault) { done.by = by; p.keep(id, to, h, done) }
	silence := func() { // until the daemon gives up, or dies
		near.SetReadDeadline(time.Now().Add(5 * time.Second))
		lines.ReadByte()
	}
	switch {
	case p.mayRefuse(to, head):
		done.told = 554
		keep(smtpNever)
		io.WriteString(near, "554 5.7.1 no such letters here\r\n")
		return false // Exim still waits for its last line
	case p.strikes(smtpLater, 20):
		done.told = 451
		keep(smtpLater)
		io.WriteString(near, "451 4.3.0 not now\r\n")
		return false
	case p.strikes(smtpDropped, 40):
		keep(smtpDropped)
		return false
	case p.strikes(smtpSwallows, 25):
		done.told = 250
		keep(smtpSwallows)
		io.WriteString(near, "250 2.0.0 yours is on its way\r\n")
		return false
	}
	stalls := p.strikes(smtpStalls, 50)
	if stalls && p.throw(2) == 0 { // before Exim has it
		keep(smtpStalls)
		silence()
		return false
	}
	reply, err := far.command(string(raw))
	if err != nil {
		keep("Exim: " + fault(err.Error()))
		return false
	}
	p.beat()
	done.taken = strings.HasPrefix(reply, "250")
	switch {
	case stalls:
		keep(smtpStalls)
		silence()
		return false
	case done.taken && p.strikes(smtpTaken, 40):
		keep(smtpTaken)
		return false
	case done.taken && p.strikes(smtpDenies, 40):
		done.told = 451
		keep(smtpDenies)
		io.WriteString(near, "451 4.3.0 not now\r\n")
		return true
	}
	if _, err := io.WriteString(near, reply); err == nil { // else nobody is there any more
		done.told, _ = strconv.Atoi(reply[:3])
	}
	keep(calm)
	p.beat()
	return true
}

// An eximConn is a connection to Exim as the user of the office.
type eximConn struct {
	net.Conn
	in *bufio.Reader
}

func (p *faultyPost) exim() (*eximConn, error) {
	plain, err := net.Dial("tcp", "127.0.0.1:"+strconv.Itoa(p.s.smtp))
	if err != nil {
		return nil, err
	}
	c := &eximConn{plain, bufio.NewReader(plain)}
	login := base64.StdEncoding.EncodeToString([]byte("\x00office\x00secret"))
	if _, err = c.reply(); err == nil {
		_, err = c.command("EHLO localhost\r\n")
	}
	if err == nil {
		_, err = c.command("STARTTLS\r\n")
	}
	if err == nil {
		private := tls.Client(plain, p.tls)
		c = &eximConn{private, bufio.NewReader(private)}
		_, err = c.command("EHLO localhost\r\n")
	}
	if err == nil {
		var reply string
		if reply, err = c.command("AUTH PLAIN " + login + "\r\n"); err == nil && !strings.HasPrefix(reply, "235") {
			err = errors.New("Exim's answer to the login: " + reply)
		}
	}
	if err != nil {
		plain.Close()
		return nil, err
	}
	return c, nil
}

func (c *eximConn) command(text string) (string, error) {
	if _, err := io.WriteString(c, text); err != nil {
		return "", err
	}
	return c.reply()
}

// reply reads a reply of one line or more.
func (c *eximConn) reply() (string, error) {
	var all string
	for {
		line, err := c.in.ReadString('\n')
		if err != nil {
			return "", err
		}
		if len(line) < 4 {
			return "", fmt.Errorf("no SMTP reply: %q", line)
		}
		if all += line; line[3] == ' ' {
			return all, nil
		}
	}
}

// serveIMAP passes a connection on to Dovecot.
func (p *faultyPost) serveIMAP(near net.Conn) {
	far, err := net.Dial("tcp", "127.0.0.1:"+strconv.Itoa(p.s.imap))
	if err != nil {
		return
	}
	defer far.Close()
	var inbox atomic.Bool // the next UIDVALIDITY is the inbox's
	up := make(chan struct{})
	go func() {
		defer close(up)
		defer near.Close()
		defer far.Close()
		relay(near, far, func(chunk []byte) ([]byte, bool) {
			if bytes.Contains(chunk, []byte("SELECT ")) {
				inbox.Store(bytes.Contains(chunk, []byte("SELECT INBOX")))
			}
			if !bytes.Contains(chunk, []byte(" MOVE ")) {
				return chunk, true
			}
			p.beat()
			switch {
			case p.strikes(imapRenumbers, 70): // letters taken in lie there under new numbers
				p.renumber()
				return nil, false
			case p.strikes(imapMoves, 60):
				if p.throw(2) == 0 {
					return nil, false
				}
				far.Write(chunk)
				return nil, false
			}
			return chunk, true
		})
	}()
	relay(far, near, func(chunk []byte) ([]byte, bool) {
		if m := validityOf.FindSubmatch(chunk); m != nil && inbox.Load() {
			p.numbered(string(m[1]))
		}
		if bytes.Contains(chunk, []byte("AUTHENTICATIONFAILED")) {
			p.strikes(imapRefuses, 100)
		}
		if p.strikes(imapBreaksAny, 12) {
			return chunk[:p.throw(len(chunk)+1)], false
		}
		at := bytes.Index(chunk, []byte("BODY[]"))
		if at < 0 {
			return chunk, true
		}
		p.beat()
		part := chunk[:at+p.throw(len(chunk)-at)]
		switch {
		case p.strikes(imapBreaks, 60):
			return part, false
		case p.strikes(imapStalls, 60):
			near.Write(part)
			near.SetReadDeadline(time.Now().Add(5 * time.Second)) // ends both directions
			<-up
			return nil, false
		}
		return chunk, true
	})
	near.Close()
	far.Close()
	<-up
}

// numbered notes the UIDVALIDITY of the inbox that the daemon is told. A session that ends
// while the index is removed may write the old one again: then nothing has happened.
func (p *faultyPost) numbered(validity string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.validity) > 0 && !p.validity[validity] {
		p.happened[imapRenumbers]++
	}
	p.validity[validity] = true
}

var validityOf = regexp.MustCompile(`\[UIDVALIDITY ([0-9]+)\]`)

// relay passes bytes on until pass says that it is enough.
func relay(from, to net.Conn, pass func([]byte) ([]byte, bool)) {
	buffer := make([]byte, 16<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			chunk, more := pass(buffer[:n])
			if _, err := to.Write(chunk); err != nil || !more {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// renumber makes Dovecot number the office's inbox anew.
func (p *faultyPost) renumber() {
	files, err := filepath.Glob(filepath.Join(p.s.dir, "mail", "office", "dovecot*"))
	if err != nil {
		p.t.Error(err)
	}
	for _, file := range files {
		if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
			p.t.Error(err)
		}
	}
}

// login sets whether Dovecot lets the office in.
func (p *faultyPost) login(ok bool) {
	p.t.Helper()
	path := filepath.Join(p.s.dir, "users")
	text, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	const good, bad = "office:{PLAIN}secret:", "office:{PLAIN}changed meanwhile:"
	from, to := good, bad
	if ok {
		from, to = bad, good
	}
	changed := strings.Replace(string(text), from, to, 1)
	write(p.t, path+".new", changed)
	if err := os.Rename(path+".new", path); err != nil {
		p.t.Fatal(err)
	}
}

// Package local is a mail host inside the process: boxes with passwords, an
// SMTP server that takes letters for them, an IMAP server to read them by. It
// speaks the real protocols over real connections, on this machine only, so
// that a demonstration or a test can play a whole game by mail with nothing
// installed. It keeps everything in memory and nothing after [Server.Close].
//
// A box receives what is sent to its address, and to its address with a tag:
// gm+tag@example.org. Unknown recipients are refused with 550 and submission
// asks for a password, any box's, as with a real host. Faults can be scripted
// for each address: see [Fault].
package local

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
	"github.com/emersion/go-smtp"

	"berthier/mail/mailbox"
)

// Options say what kind of host to start. The zero value is a host on
// loopback ports that the system chooses, without TLS.
type Options struct {
	TLS      bool   // offer STARTTLS on both ports and ask for it before a password; see also [Server.ClientTLS]
	NoMove   bool   // IMAP as it was before MOVE and UIDPLUS
	NoDSN    bool   // SMTP without delivery reports
	OnlyAuth string // the only AUTH mechanism of SMTP: PLAIN or LOGIN; empty: both
	MaxBytes int64  // largest letter that SMTP takes; 0 means 30 MiB
	// InMemory opens no ports. Connections are made by [Server.DialIMAP] and
	// [Server.DialSMTP] alone.
	InMemory bool
	// Receive changes a letter before the host puts it into a box; nil: the letter stays
	// as it is.
	Receive func(raw []byte) []byte
	// Observe is called after each delivery, in the order of delivery. It must
	// not call the server.
	Observe func(Delivery)
	Log     *slog.Logger // nil: no log
}

// A Delivery is a letter put into a box.
type Delivery struct {
	Box      string // address of the box
	From, To string // as on the envelope
	Envelope string // envelope identifier (ENVID), if given
	Raw      []byte // as it lies in the box
}

// A Fault is what goes wrong with letters to an address.
type Fault struct {
	// At is when it goes wrong: "mail" (at any sender's MAIL, whoever the
	// recipient: give it to the sender's address), "rcpt" or "data".
	At   string
	Code int    // reply code, for a refusal
	Text string // with the enhanced code before it, such as "5.1.1 no such player"

	Stall   bool // never answers
	Drop    bool // takes the letter's bytes and hangs up without an answer
	Deliver bool // with Drop: the letter is delivered all the same; only the answer is lost
	Bounce  bool // takes the letter, and then returns it to the envelope sender

	Times int // how often; 0 means until [Server.Heal]
}

// A Server is a running mail host. Its methods may be used by many goroutines.
type Server struct {
	opts Options
	cert tls.Certificate
	pool *x509.CertPool
	log  *slog.Logger

	smtp     *smtp.Server
	smtpAddr string
	smtpPipe *pipeListener
	smtpPort net.Listener // nil if in memory
	imapAddr string

	mu           sync.Mutex
	boxes        map[string]*box
	faults       map[string]*Fault
	healed       chan struct{} // closed and renewed by Heal: stalled conversations end
	conns        map[*imapserver.Conn]string
	imap         *imapserver.Server
	imapPipe     *pipeListener
	imapListener net.Listener
	bounces      int
	stalled      int
	done         chan struct{}
	closed       bool

	observe sync.Mutex // keeps observations in the order of delivery
}

type box struct {
	addr, password string
	user           *imapmemserver.User
	letters        [][]byte

	mu        sync.Mutex
	listeners map[chan struct{}]bool // of sessions that wait for news
}

// Start starts a host. Close it when done.
func Start(o Options) (*Server, error) {
	s := &Server{
		opts: o, log: o.Log,
		boxes:  map[string]*box{},
		faults: map[string]*Fault{},
		healed: make(chan struct{}),
		conns:  map[*imapserver.Conn]string{},
		done:   make(chan struct{}),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if o.TLS {
		if err := s.certify(); err != nil {
			return nil, fmt.Errorf("start mail host: %w", err)
		}
	}
	if err := s.startSMTP(); err != nil {
		return nil, fmt.Errorf("start mail host: smtp: %w", err)
	}
	if err := s.StartIMAP(); err != nil {
		return nil, errors.Join(fmt.Errorf("start mail host: imap: %w", err), s.smtp.Close())
	}
	return s, nil
}

// certify makes a certificate for this machine, known to nobody else.
func (s *Server) certify() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	tmpl := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "localhost"},
		NotBefore:             time.Unix(0, 0),
		NotAfter:              time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC),
		DNSNames:              []string{"localhost"},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	if err != nil {
		return err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return err
	}
	s.cert = tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
	s.pool = x509.NewCertPool()
	s.pool.AddCert(leaf)
	return nil
}

func (s *Server) serverTLS() *tls.Config {
	if !s.opts.TLS {
		return nil
	}
	return &tls.Config{Certificates: []tls.Certificate{s.cert}}
}

// ClientTLS is a configuration that trusts this host; nil without Options.TLS.
func (s *Server) ClientTLS() *tls.Config {
	if !s.opts.TLS {
		return nil
	}
	return &tls.Config{RootCAs: s.pool, ServerName: "localhost"}
}

// IMAPAddr is host:port of the IMAP server; empty if in memory.
func (s *Server) IMAPAddr() string { return s.imapAddr }

// SMTPAddr is host:port of the SMTP server; empty if in memory.
func (s *Server) SMTPAddr() string { return s.smtpAddr }

// DialIMAP opens a connection to the IMAP server inside the process.
func (s *Server) DialIMAP(ctx context.Context) (net.Conn, error) {
	s.mu.Lock()
	p := s.imapPipe
	s.mu.Unlock()
	if p == nil {
		return nil, errRefused
	}
	return p.dial(ctx)
}

// DialSMTP opens a connection to the SMTP server inside the process.
func (s *Server) DialSMTP(ctx context.Context) (net.Conn, error) { return s.smtpPipe.dial(ctx) }

// Close ends all connections and forgets all letters.
func (s *Server) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	close(s.done)
	s.mu.Unlock()
	s.StopIMAP()
	_ = s.smtpPipe.Close()
	if s.smtpPort != nil {
		_ = s.smtpPort.Close()
	}
	err := s.smtp.Close()
	if errors.Is(err, smtp.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		err = nil
	}
	return err
}

// AddBox makes a box, with an inbox and nothing in it. A box that exists keeps
// its letters and gets the new password.
func (s *Server) AddBox(addr, password string) error {
	key, err := boxKey(addr)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.boxes[key]; b != nil {
		b.password = password
		return nil
	}
	u := imapmemserver.NewUser(key, password)
	if err := u.Create("INBOX", nil); err != nil {
		return fmt.Errorf("add box %s: %w", addr, err)
	}
	s.boxes[key] = &box{addr: key, password: password, user: u}
	return nil
}

// RemoveBox removes a box: its readers are thrown out, letters to it refused.
func (s *Server) RemoveBox(addr string) {
	key, _ := boxKey(addr)
	s.mu.Lock()
	delete(s.boxes, key)
	s.mu.Unlock()
	s.Disconnect(addr)
}

// Letters gives every letter delivered to a box so far, in order, whatever its
// readers have done with them. The slices must not be changed.
func (s *Server) Letters(addr string) [][]byte {
	key, _ := boxKey(addr)
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.boxes[key]; b != nil {
		return slices.Clone(b.letters)
	}
	return nil
}

// Count says how many letters lie in a folder of a box now; -1 if there is no
// such folder.
func (s *Server) Count(addr, folder string) int {
	key, _ := boxKey(addr)
	s.mu.Lock()
	b := s.boxes[key]
	s.mu.Unlock()
	if b == nil {
		return -1
	}
	st, err := b.user.Status(folder, &imap.StatusOptions{NumMessages: true})
	if err != nil || st.NumMessages == nil {
		return -1
	}
	return int(*st.NumMessages)
}

// Deliver puts a letter into a box as if it had come by SMTP. Faults don't
// apply.
func (s *Server) Deliver(from, to string, raw []byte) error {
	return s.deliver(from, to, "", raw)
}

func (s *Server) deliver(from, to, envelope string, raw []byte) error {
	key, err := boxKey(to)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	// No Received: it would hold the time, and a game of the same seed would
	// not give the same letters.
	fmt.Fprintf(&buf, "Return-Path: <%s>\r\nDelivered-To: %s\r\n", from, to)
	if s.opts.Receive != nil {
		raw = s.opts.Receive(raw)
	}
	buf.Write(raw)
	letter := buf.Bytes()

	s.observe.Lock()
	defer s.observe.Unlock()
	s.mu.Lock()
	b := s.boxes[key]
	if b == nil {
		s.mu.Unlock()
		return fmt.Errorf("deliver letter: no box %s", to)
	}
	b.letters = append(b.letters, letter)
	s.mu.Unlock()
	if _, err := b.user.Append("INBOX", &literal{Reader: bytes.NewReader(letter), size: int64(len(letter))}, &imap.AppendOptions{}); err != nil {
		return fmt.Errorf("deliver letter to %s: %w", to, err)
	}
	b.notify()
	if s.opts.Observe != nil {
		s.opts.Observe(Delivery{Box: key, From: from, To: to, Envelope: envelope, Raw: letter})
	}
	return nil
}

type literal struct {
	io.Reader
	size int64
}

func (l *literal) Size() int64 { return l.size }

// Fail scripts a fault for letters to an address (or, at "mail", from it). It
// replaces an earlier one.
func (s *Server) Fail(addr string, f Fault) {
	key, _ := boxKey(addr)
	if f.At == "" {
		f.At = "rcpt"
	}
	s.mu.Lock()
	s.faults[key] = &f
	s.mu.Unlock()
}

// Heal removes an address's fault and lets all stalled conversations go on.
func (s *Server) Heal(addr string) {
	key, _ := boxKey(addr)
	s.mu.Lock()
	delete(s.faults, key)
	close(s.healed)
	s.healed = make(chan struct{})
	s.mu.Unlock()
}

// fault takes the fault of an address at a stage, counting it.
func (s *Server) fault(addr, at string) (f Fault, ok bool) {
	key, err := boxKey(addr)
	if err != nil {
		return f, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.faults[key]
	if p == nil || p.At != at {
		return f, false
	}
	f = *p
	if p.Times > 0 {
		if p.Times--; p.Times == 0 {
			delete(s.faults, key)
		}
	}
	return f, true
}

// stall blocks until the address is healed or the server closed.
func (s *Server) stall() {
	s.mu.Lock()
	healed := s.healed
	s.stalled++
	s.mu.Unlock()
	select {
	case <-healed:
	case <-s.done:
	}
	s.mu.Lock()
	s.stalled--
	s.mu.Unlock()
}

// Stalled says how many conversations wait for an answer that does not come.
func (s *Server) Stalled() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stalled
}

// authenticate checks a name and a password.
func (s *Server) authenticate(name, password string) *box {
	key, err := boxKey(name)
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.boxes[key]
	if b == nil || subtle.ConstantTimeCompare([]byte(b.password), []byte(password)) != 1 {
		return nil
	}
	return b
}

// boxKey is the address of the box that a letter to addr goes into.
func boxKey(addr string) (string, error) {
	local, domain, ok := strings.Cut(mailbox.Fold(addr), "@")
	if !ok || local == "" || domain == "" {
		return "", fmt.Errorf("address %q is not local@domain", addr)
	}
	local, _, _ = strings.Cut(local, "+")
	return local + "@" + domain, nil
}

// printf lets the protocol libraries log.
type printf struct{ log *slog.Logger }

func (p printf) Printf(format string, args ...any) { p.log.Debug(fmt.Sprintf(format, args...)) }
func (p printf) Println(args ...any)               { p.log.Debug(fmt.Sprint(args...)) }

var errRefused = errors.New("connection refused")

// A readyListener tells when it is first asked to accept. The IMAP library must
// not be closed before it serves.
type readyListener struct {
	net.Listener
	once  sync.Once
	ready chan struct{}
}

func (l *readyListener) Accept() (net.Conn, error) {
	l.once.Do(func() { close(l.ready) })
	return l.Listener.Accept()
}

// serve runs a server's accept loop and returns when it has begun.
func serve(l net.Listener, loop func(net.Listener) error) {
	r := &readyListener{Listener: l, ready: make(chan struct{})}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = loop(r)
	}()
	select {
	case <-r.ready:
	case <-ended:
	}
}

// A pipeListener accepts connections from inside the process.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
}

func (l *pipeListener) dial(ctx context.Context) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.done:
		return nil, errRefused
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements [net.Listener].
func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

// Addr implements [net.Listener].
func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "in memory", Net: "unix"} }

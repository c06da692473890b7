package mail

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"regexp"
	"strings"
	"sync"
	"time"

	"berthier/mail/mailbox"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// A Sender hands a letter to a mail server for one recipient.
type Sender interface {
	// Send returns nil once the server has taken the letter over. Its errors
	// have a method Temporary() bool: true if trying again later may help. An
	// empty from is the null sender, which nobody answers.
	Send(ctx context.Context, from, to string, raw []byte) error
}

// SMTPConfig says how to reach the server that takes our letters.
type SMTPConfig struct {
	Address    string // host:port
	Security   Security
	AllowPlain bool // allow SecurityNone to another machine
	TLS        *tls.Config
	Username   string // empty: no authentication
	Password   string
	Dial       Dialer // nil: TCP to Address

	Hello       string        // how this machine introduces itself; empty means localhost
	Timeout     time.Duration // for one answer of the server; 0 means 1 minute
	LetterLimit time.Duration // for a whole letter; 0 means 5 minutes
	Idle        time.Duration // how long an unused connection is kept; 0 means 20 seconds
	Connections int           // at the same time; 0 means 4
	PerConn     int           // letters over one connection; 0 means 100
}

// SMTP sends letters by SMTP submission. Connections are kept for a while and
// used again; it is safe for use by many goroutines. Close it when done.
type SMTP struct {
	Config SMTPConfig

	once  sync.Once
	slots chan struct{}

	mu     sync.Mutex
	idle   []*smtpConn
	closed bool
}

// A SendError says why a letter was not taken over.
type SendError struct {
	Stage    string // connect, hello, starttls, auth, mail, rcpt, data
	Code     int    // SMTP reply code; 0 if there was none
	Enhanced string // enhanced status code such as 5.1.1; may be empty
	Text     string // what the server said, one line
	Err      error  // the cause where there was no reply
}

// Error gives stage, code and text.
func (e *SendError) Error() string {
	var b strings.Builder
	b.WriteString("send letter: " + e.Stage)
	if e.Code != 0 {
		fmt.Fprintf(&b, ": %d", e.Code)
	}
	if e.Enhanced != "" {
		b.WriteString(" " + e.Enhanced)
	}
	if e.Text != "" {
		b.WriteString(": " + e.Text)
	} else if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap gives the cause where there was no reply.
func (e *SendError) Unwrap() error { return e.Err }

// Temporary reports whether the same letter may be taken later. Trouble before
// the letter's turn (a connection, a certificate, our password) says nothing
// about the letter and is temporary, whatever the code.
func (e *SendError) Temporary() bool {
	switch e.Stage {
	case "mail", "rcpt", "data":
		switch e.Code {
		case 530, 534, 535, 538: // authentication, asked for late
			return true
		}
		return e.Code == 0 || e.Code/100 == 4
	case "address":
		return false
	}
	return true
}

type smtpConn struct {
	net    net.Conn // to be closed when time is up
	wire   *wire    // what the client writes to
	letter *smtp.DataCommand
	client *smtp.Client
	sent   int
	timer  *time.Timer // closes it when idle too long
}

func (s *SMTP) defaults() SMTPConfig {
	c := s.Config
	if c.Hello == "" {
		c.Hello = "localhost"
	}
	if c.Timeout <= 0 {
		c.Timeout = time.Minute
	}
	if c.LetterLimit <= 0 {
		c.LetterLimit = 5 * time.Minute
	}
	if c.Idle <= 0 {
		c.Idle = 20 * time.Second
	}
	if c.Connections <= 0 {
		c.Connections = 4
	}
	if c.PerConn <= 0 {
		c.PerConn = 100
	}
	return c
}

func (c SMTPConfig) endpoint() endpoint {
	return endpoint{c.Address, c.Security, c.AllowPlain, c.TLS, c.Dial, c.Timeout}
}

// Check finds faults in the configuration without using the network.
func (c SMTPConfig) Check() error {
	if err := c.endpoint().check(); err != nil {
		return fmt.Errorf("smtp: %w", err)
	}
	return nil
}

// Send implements [Sender]; its errors are [*SendError]s.
//
// The letter is announced with its size, and with its Message-ID as envelope
// identifier where the server knows delivery reports, which are asked for on
// failure and delay.
func (s *SMTP) Send(ctx context.Context, from, to string, raw []byte) error {
	cfg := s.defaults()
	if from != "" {
		addr, err := mailbox.Wire(from)
		if err != nil {
			return &SendError{Stage: "address", Code: 553, Enhanced: "5.1.7", Text: err.Error()}
		}
		from = addr
	}
	addr, err := mailbox.Wire(to)
	if err != nil {
		return &SendError{Stage: "address", Code: 553, Enhanced: "5.1.3", Text: err.Error()}
	}
	to = addr
	if err := cfg.Check(); err != nil {
		return &SendError{Stage: "connect", Err: err}
	}
	s.once.Do(func() { s.slots = make(chan struct{}, cfg.Connections) })
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return &SendError{Stage: "connect", Err: ctx.Err()}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, cfg.LetterLimit, errTooSlow)
	defer cancel()

	for {
		c, reused, err := s.conn(ctx, cfg)
		if err != nil {
			return err
		}
		err = c.send(ctx, cfg, from, to, raw)
		var se *SendError
		switch {
		case err == nil:
			c.sent++
			s.release(c, cfg)
			return nil
		case !errors.As(err, &se) || se.Code == 0 || se.Code == 421:
			_ = c.net.Close()
			// The server had hung up while the connection lay idle; nothing
			// of this letter had been said yet.
			if reused && se != nil && se.Stage == "mail" && ctx.Err() == nil {
				continue
			}
			return err
		default:
			// Refused, and the conversation goes on.
			if e := within(ctx, cfg.Timeout, c.net, c.client.Reset); e != nil {
				_ = c.net.Close()
			} else {
				s.release(c, cfg)
			}
			return err
		}
	}
}

// Close closes the idle connections. Letters on their way are not disturbed.
func (s *SMTP) Close() error {
	s.mu.Lock()
	idle := s.idle
	s.idle, s.closed = nil, true
	s.mu.Unlock()
	for _, c := range idle {
		if c.timer.Stop() {
			c.quit()
		}
	}
	return nil
}

// quit says goodbye, briefly.
func (c *smtpConn) quit() {
	_ = c.net.SetDeadline(time.Now().Add(time.Second))
	c.client.CommandTimeout = time.Second
	_ = c.client.Quit()
	_ = c.net.Close()
}

// conn takes a connection that lies idle, or opens one.
func (s *SMTP) conn(ctx context.Context, cfg SMTPConfig) (c *smtpConn, reused bool, err error) {
	s.mu.Lock()
	for len(s.idle) > 0 {
		c := s.idle[len(s.idle)-1]
		s.idle = s.idle[:len(s.idle)-1]
		if c.timer.Stop() {
			s.mu.Unlock()
			return c, true, nil
		}
	}
	s.mu.Unlock()
	c, err = dialSMTP(ctx, cfg)
	return c, false, err
}

func (s *SMTP) release(c *smtpConn, cfg SMTPConfig) {
	if c.sent >= cfg.PerConn {
		c.quit()
		return
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		c.quit()
		return
	}
	c.timer = time.AfterFunc(cfg.Idle, func() {
		s.mu.Lock()
		for i, o := range s.idle {
			if o == c {
				s.idle = append(s.idle[:i], s.idle[i+1:]...)
				break
			}
		}
		s.mu.Unlock()
		c.quit()
	})
	s.idle = append(s.idle, c)
	s.mu.Unlock()
}

func dialSMTP(ctx context.Context, cfg SMTPConfig) (*smtpConn, error) {
	e := cfg.endpoint()
	conn, err := e.open(ctx)
	if err != nil {
		return nil, sendError(ctx, "connect", err)
	}
	private := cfg.Security == SecurityTLS
	fail := func(stage string, err error) (*smtpConn, error) {
		_ = conn.Close()
		return nil, sendError(ctx, stage, err)
	}
	w := &wire{Conn: conn}
	var client *smtp.Client
	greet := func() error {
		client = smtp.NewClient(w)
		client.CommandTimeout, client.SubmissionTimeout = cfg.Timeout, cfg.LetterLimit
		return client.Hello(cfg.Hello)
	}
	stage := "hello"
	if cfg.Security == SecurityStartTLS {
		stage = "starttls"
	}
	if err := within(ctx, cfg.Timeout, conn, greet); err != nil {
		return fail(stage, err)
	}
	offered, _ := client.Extension("STARTTLS")
	switch {
	case cfg.Security != SecurityStartTLS && cfg.Security != SecurityOffered:
	case offered:
		err := within(ctx, cfg.Timeout, conn, func() (err error) {
			w, err = startTLS(ctx, conn, e.tlsConfig())
			return err
		})
		if err != nil {
			return fail("starttls", err)
		}
		private = true
		if err := within(ctx, cfg.Timeout, conn, greet); err != nil {
			return fail("hello", err)
		}
	case cfg.Security == SecurityStartTLS:
		return fail("starttls", errors.New("the server does not offer STARTTLS"))
	}
	if cfg.Username != "" {
		if !private && !e.plainAllowed() {
			return fail("auth", errors.New("the password would go out in the clear"))
		}
		var mech sasl.Client
		switch {
		case client.SupportsAuth(sasl.Plain):
			mech = sasl.NewPlainClient("", cfg.Username, cfg.Password)
		case client.SupportsAuth(sasl.Login):
			mech = &loginClient{username: cfg.Username, password: cfg.Password}
		default:
			return fail("auth", errors.New("the server offers neither AUTH PLAIN nor AUTH LOGIN"))
		}
		if err := within(ctx, cfg.Timeout, conn, func() error { return client.Auth(mech) }); err != nil {
			return fail("auth", err)
		}
	}
	return &smtpConn{net: conn, wire: w, client: client}, nil
}

// send says MAIL, RCPT and DATA.
func (c *smtpConn) send(ctx context.Context, cfg SMTPConfig, from, to string, raw []byte) error {
	// After a refusal the library says EHLO again when asked what the server
	// knows.
	var dsn bool
	if err := within(ctx, cfg.Timeout, c.net, func() error { dsn, _ = c.client.Extension("DSN"); return nil }); err != nil {
		return sendError(ctx, "hello", err)
	}
	if max, ok := c.client.MaxMessageSize(); ok && max > 0 && len(raw) > max {
		return &SendError{Stage: "mail", Code: 552, Enhanced: "5.3.4", Text: fmt.Sprintf("letter of %d bytes, the server takes %d", len(raw), max)}
	}
	mailOpts := &smtp.MailOptions{Size: int64(len(raw))}
	rcptOpts := &smtp.RcptOptions{}
	if dsn {
		mailOpts.Return = smtp.DSNReturnHeaders
		mailOpts.EnvelopeID = envelopeID(raw)
		rcptOpts.Notify = []smtp.DSNNotify{smtp.DSNNotifyFailure, smtp.DSNNotifyDelayed}
		rcptOpts.OriginalRecipientType = smtp.DSNAddressTypeRFC822
		rcptOpts.OriginalRecipient = to
	}
	steps := []smtpStep{
		{"mail", cfg.Timeout, 250, func() error { return c.client.Mail(from, mailOpts) }},
		{"rcpt", cfg.Timeout, 25, func() error { return c.client.Rcpt(to, rcptOpts) }},
		{"data", cfg.LetterLimit, 354, func() (err error) { c.letter, err = c.client.Data(); return err }},
	}
	body, fast := dotted(raw)
	if offered, _ := c.client.Extension("PIPELINING"); offered && fast {
		return c.pipelined(ctx, cfg, steps, body)
	}
	for _, s := range steps {
		if err := within(ctx, s.limit, c.net, s.command); err != nil {
			return sendError(ctx, s.stage, err)
		}
	}
	ctx, cancel := toLastWord(ctx)
	defer cancel()
	err := within(ctx, cfg.LetterLimit, c.net, func() error {
		var err error
		if fast {
			_, err = c.wire.Write(body) // at once; the library goes byte by byte
		} else {
			_, err = c.letter.Write(raw)
		}
		if err != nil {
			return err
		}
		return c.letter.Close()
	})
	if err != nil {
		return sendError(ctx, "data", err)
	}
	return nil
}

// lastWord is how long who stops still waits for the server's word on a letter whose text is on its way: a letter that the
// server has taken, and nobody knows of, goes out twice.
const lastWord = 1500 * time.Millisecond

// toLastWord gives a context that ends [lastWord] after another one, for the same cause.
func toLastWord(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, end := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(lastWord):
			end(context.Cause(ctx))
		case <-longer.Done():
		}
	})
	return longer, func() { stop(); end(nil) }
}

// A smtpStep is a command before a letter: where it stands in a [SendError], how long its answer may
// take, the beginning of the answer that is wanted, and how the library says it.
type smtpStep struct {
	stage   string
	limit   time.Duration
	expect  int
	command func() error
}

// envelopeID is the letter's Message-ID, if it is of a length that fits.
func envelopeID(raw []byte) string {
	head := raw[:min(len(raw), MaxHeader)]
	if i := bytes.Index(head, []byte("\r\n\r\n")); i >= 0 {
		head = head[:i+2]
	}
	h, _, _ := parseHeader(head, true)
	id := firstID(h.get("message-id"))
	if len(id) > 100 {
		return ""
	}
	return id
}

// enhancedCode is an enhanced status code (RFC 2034).
var enhancedCode = regexp.MustCompile(`^[245]\.\d{1,3}\.\d{1,3}$`)

func sendError(ctx context.Context, stage string, err error) *SendError {
	var reply *smtp.SMTPError
	if errors.As(err, &reply) {
		e := &SendError{Stage: stage, Code: reply.Code, Text: shorten(oneLine(reply.Message), 500)}
		if c := reply.EnhancedCode; c[0] > 0 {
			e.Enhanced = fmt.Sprintf("%d.%d.%d", c[0], c[1], c[2])
		}
		return e
	}
	if said := (*textproto.Error)(nil); errors.As(err, &said) {
		e := &SendError{Stage: stage, Code: said.Code}
		text := said.Msg
		if code, rest, ok := strings.Cut(text, " "); ok && enhancedCode.MatchString(code) {
			e.Enhanced, text = code, strings.ReplaceAll(rest, "\n"+code+" ", "\n") // it stands before each line
		}
		e.Text = shorten(oneLine(text), 500)
		return e
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return &SendError{Stage: stage, Err: err}
}

// loginClient is AUTH LOGIN, which has no standard: the user name goes out when the
// server asks, and only their order tells the server's questions apart.
type loginClient struct {
	username, password string
	asked              int
}

func (l *loginClient) Start() (string, []byte, error) { return sasl.Login, nil, nil }

func (l *loginClient) Next([]byte) ([]byte, error) {
	switch l.asked++; l.asked {
	case 1:
		return []byte(l.username), nil
	case 2:
		return []byte(l.password), nil
	}
	return nil, sasl.ErrUnexpectedServerChallenge
}

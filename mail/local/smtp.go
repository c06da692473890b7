package local

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

func (s *Server) startSMTP() error {
	s.smtp = smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &smtpSession{server: s, conn: c}, nil
	}))
	s.smtp.Domain = "localhost"
	s.smtp.AllowInsecureAuth = !s.opts.TLS
	s.smtp.TLSConfig = s.serverTLS()
	s.smtp.EnableDSN = !s.opts.NoDSN
	s.smtp.MaxMessageBytes = s.opts.MaxBytes
	if s.smtp.MaxMessageBytes <= 0 {
		s.smtp.MaxMessageBytes = 30 << 20
	}
	s.smtp.MaxRecipients = 50
	s.smtp.ErrorLog = printf{s.log}
	s.smtpPipe = newPipeListener()
	serve(s.smtpPipe, s.smtp.Serve)
	if s.opts.InMemory {
		return nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.smtpAddr, s.smtpPort = l.Addr().String(), l
	serve(l, s.smtp.Serve)
	return nil
}

// An smtpSession is one conversation. go-smtp calls it from one goroutine.
type smtpSession struct {
	server *Server
	conn   *smtp.Conn
	who    string // authenticated box

	from, envelope string
	to             []string
}

func (c *smtpSession) Reset() { c.from, c.envelope, c.to = "", "", nil }

func (c *smtpSession) Logout() error { return nil }

func (c *smtpSession) AuthMechanisms() []string {
	if m := c.server.opts.OnlyAuth; m != "" {
		return []string{m}
	}
	return []string{sasl.Plain, sasl.Login}
}

func (c *smtpSession) Auth(mech string) (sasl.Server, error) {
	check := func(name, password string) error {
		b := c.server.authenticate(name, password)
		if b == nil {
			return smtp.ErrAuthFailed
		}
		c.who = b.addr
		return nil
	}
	switch mech {
	case sasl.Plain:
		return sasl.NewPlainServer(func(_, name, password string) error { return check(name, password) }), nil
	case sasl.Login:
		return &loginServer{check: check}, nil
	}
	return nil, smtp.ErrAuthUnknownMechanism
}

func (c *smtpSession) Mail(from string, opts *smtp.MailOptions) error {
	if c.who == "" {
		return &smtp.SMTPError{Code: 530, EnhancedCode: smtp.EnhancedCode{5, 7, 0}, Message: "authentication required"}
	}
	if f, ok := c.server.fault(from, "mail"); ok {
		if err := c.refuse(f); err != nil {
			return err
		}
	}
	c.from = from
	if opts != nil {
		c.envelope = opts.EnvelopeID
	}
	return nil
}

func (c *smtpSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	if f, ok := c.server.fault(to, "rcpt"); ok {
		if err := c.refuse(f); err != nil {
			return err
		}
	}
	key, err := boxKey(to)
	c.server.mu.Lock()
	known := err == nil && c.server.boxes[key] != nil
	c.server.mu.Unlock()
	if !known {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such box: " + to}
	}
	c.to = append(c.to, to)
	return nil
}

func (c *smtpSession) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	for _, to := range c.to {
		f, failing := c.server.fault(to, "data")
		if failing && f.Drop && !f.Deliver {
			_ = c.conn.Conn().Close()
			return io.ErrClosedPipe
		}
		if failing && !f.Drop && !f.Bounce {
			if err := c.refuse(f); err != nil {
				return err
			}
		}
		if failing && f.Bounce {
			if err := c.server.bounce(c.from, to, c.envelope, f, raw); err != nil {
				return err
			}
			continue
		}
		if err := c.server.deliver(c.from, to, c.envelope, raw); err != nil {
			return err
		}
		if failing && f.Drop {
			_ = c.conn.Conn().Close()
			return io.ErrClosedPipe
		}
	}
	return nil
}

// refuse gives the answer that a fault asks for; nil if the conversation goes
// on after all.
func (c *smtpSession) refuse(f Fault) error {
	if f.Stall {
		c.server.stall()
		if f.Code == 0 {
			return nil
		}
	}
	if f.Drop {
		_ = c.conn.Conn().Close()
		return io.ErrClosedPipe
	}
	e := &smtp.SMTPError{Code: f.Code, EnhancedCode: smtp.NoEnhancedCode, Message: f.Text}
	if e.Code == 0 {
		e.Code = 451
	}
	var a, b, d int
	if n, _ := fmt.Sscanf(f.Text, "%d.%d.%d ", &a, &b, &d); n == 3 {
		e.EnhancedCode = smtp.EnhancedCode{a, b, d}
		_, e.Message, _ = strings.Cut(f.Text, " ")
	}
	return e
}

// bounce returns a letter to its envelope sender in the way of RFC 3464. A
// letter from the null sender is not returned to anybody.
func (s *Server) bounce(from, to, envelope string, f Fault, raw []byte) error {
	if from == "" {
		return nil
	}
	s.mu.Lock()
	s.bounces++
	n := s.bounces
	s.mu.Unlock()
	head := raw
	if i := bytes.Index(raw, []byte("\r\n\r\n")); i >= 0 {
		head = raw[:i+2]
	}
	text := f.Text
	if text == "" {
		text = "5.1.1 no such box"
	}
	status, _, _ := strings.Cut(text, " ")
	code := f.Code
	if code == 0 {
		code = 550
	}
	boundary := fmt.Sprintf("=_bounce_%d", n)
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\r\n", args...) }
	line("From: Mail Delivery System <MAILER-DAEMON@localhost>")
	line("To: %s", from)
	line("Subject: Undelivered Mail Returned to Sender")
	line("Date: %s", time.Now().Format(time.RFC1123Z))
	line("Message-ID: <bounce-%d@localhost>", n)
	line("Auto-Submitted: auto-replied")
	line("MIME-Version: 1.0")
	line("Content-Type: multipart/report; report-type=delivery-status;\r\n boundary=%q", boundary)
	line("")
	line("--%s", boundary)
	line("Content-Type: text/plain; charset=us-ascii")
	line("")
	line("Your letter could not be delivered to %s.", to)
	line("")
	line("--%s", boundary)
	line("Content-Type: message/delivery-status")
	line("")
	line("Reporting-MTA: dns; localhost")
	if envelope != "" {
		line("Original-Envelope-ID: %s", envelope)
	}
	line("")
	line("Final-Recipient: rfc822; %s", to)
	line("Action: failed")
	line("Status: %s", status)
	line("Diagnostic-Code: smtp; %d %s", code, text)
	line("")
	line("--%s", boundary)
	line("Content-Type: text/rfc822-headers")
	line("")
	b.Write(head)
	line("")
	line("--%s--", boundary)
	return s.deliver("", from, "", []byte(b.String()))
}

// loginServer is AUTH LOGIN.
type loginServer struct {
	check func(name, password string) error
	name  string
	step  int
}

func (l *loginServer) Next(response []byte) (challenge []byte, done bool, err error) {
	if l.step == 0 && response == nil {
		l.step = 1
		return []byte("Username:"), false, nil
	}
	switch l.step {
	case 0, 1:
		l.name, l.step = string(response), 2
		return []byte("Password:"), false, nil
	case 2:
		l.step = 3
		return nil, true, l.check(l.name, string(response))
	}
	return nil, false, sasl.ErrUnexpectedClientResponse
}

package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/emersion/go-imap/v2"
)

// Security says how a connection to a mail server is kept private.
type Security string

const (
	// SecurityTLS speaks TLS from the first byte (ports 993 and 465).
	SecurityTLS Security = "tls"
	// SecurityStartTLS begins in the clear and goes on only with TLS (ports 143
	// and 587).
	SecurityStartTLS Security = "starttls"
	// SecurityOffered uses STARTTLS where the server offers it. Somebody on the
	// way can prevent it, so no password goes out without TLS, except to this
	// machine.
	SecurityOffered Security = "starttls-if-offered"
	// SecurityNone is in the clear. It is refused unless the server is on this
	// machine, or AllowPlain is set.
	SecurityNone Security = "none"
)

// A Dialer opens a connection to a mail server. TLS, if any, is put on top.
type Dialer func(ctx context.Context) (net.Conn, error)

// endpoint is what IMAP and SMTP have in common.
type endpoint struct {
	address    string
	security   Security
	allowPlain bool
	tls        *tls.Config
	dial       Dialer
	timeout    time.Duration
}

// check finds out what can't work, before the network does.
func (e endpoint) check() error {
	switch e.security {
	case SecurityTLS, SecurityStartTLS, SecurityOffered, SecurityNone:
	default:
		return fmt.Errorf("security %q is none of tls, starttls, starttls-if-offered, none", e.security)
	}
	if e.dial == nil {
		if _, _, err := net.SplitHostPort(e.address); err != nil {
			return fmt.Errorf("address %q is not host:port", e.address)
		}
	}
	if e.security == SecurityNone && !e.plainAllowed() {
		return fmt.Errorf("connection to %s would be in the clear: only a server on this machine may be reached that way", e.address)
	}
	return nil
}

// plainAllowed tells whether a line without TLS is taken: whoever gives a dialer of his own knows where it leads.
func (e endpoint) plainAllowed() bool {
	return e.allowPlain || e.dial != nil || isLoopback(e.address)
}

func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// open connects; with SecurityTLS the handshake is done as well.
func (e endpoint) open(ctx context.Context) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	var conn net.Conn
	var err error
	if e.dial != nil {
		conn, err = e.dial(ctx)
	} else {
		var d net.Dialer
		conn, err = d.DialContext(ctx, "tcp", e.address)
	}
	if err != nil {
		return nil, err
	}
	conn = meter(conn)
	if e.security != SecurityTLS {
		return conn, nil
	}
	t := tls.Client(conn, e.tlsConfig())
	if err := t.HandshakeContext(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return t, nil
}

func (e endpoint) tlsConfig() *tls.Config {
	c := &tls.Config{}
	if e.tls != nil {
		c = e.tls.Clone()
	}
	c.DynamicRecordSizingDisabled = true // nobody waits for the first bytes of a letter
	if c.MinVersion == 0 {
		c.MinVersion = tls.VersionTLS12
	}
	if c.ServerName == "" {
		c.ServerName, _, _ = net.SplitHostPort(e.address)
	}
	return c
}

// within runs f and closes the connection when the time is up or ctx ends: the
// protocol libraries know no context, and some of their calls no time limit.
// What f then returns is replaced by what ended it.
func within(ctx context.Context, limit time.Duration, conn net.Conn, f func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTooSlow)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	m := meterOf(conn)
	if m != nil {
		m.allow()
	}
	err := f()
	switch {
	case !stop() && err != nil:
		return context.Cause(ctx)
	case err != nil && m != nil && m.over.Load():
		return errTooMuch
	}
	return err
}

// Quotes tells whether an error has in it what a mail server said.
func Quotes(err error) bool {
	var sent *SendError
	var said *imap.Error
	return errors.As(err, &said) || errors.As(err, &sent) && sent.Text != ""
}

var errTooSlow = &timeoutError{}

type timeoutError struct{}

func (*timeoutError) Error() string   { return "server did not answer in time" }
func (*timeoutError) Timeout() bool   { return true }
func (*timeoutError) Temporary() bool { return true }

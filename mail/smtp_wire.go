package mail

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/textproto"
)

// A wire is a connection to a mail server as the library gets it. What is written to it goes to
// the server at once, below the library's own buffers.
type wire struct {
	net.Conn
	answers []byte // what the library reads before anything else
	holds   bool   // what is written is kept
	held    []byte
}

// Read implements [net.Conn].
func (w *wire) Read(b []byte) (int, error) {
	if len(w.answers) > 0 {
		n := copy(b, w.answers)
		w.answers = w.answers[n:]
		return n, nil
	}
	return w.Conn.Read(b)
}

// Write implements [net.Conn].
func (w *wire) Write(b []byte) (int, error) {
	if w.holds {
		w.held = append(w.held, b...)
		return len(b), nil
	}
	return w.Conn.Write(b)
}

// hold keeps what f writes and gives it; f reads answers in place of the server's.
func (w *wire) hold(answers string, f func() error) (written []byte, err error) {
	w.holds, w.held, w.answers = true, nil, []byte(answers)
	err = f()
	written = w.held
	w.holds, w.held, w.answers = false, nil, nil
	return written, err
}

// errEarly is what a server has said behind its answer to STARTTLS: whoever stands between could
// have said it.
var errEarly = errors.New("the server said more before TLS began")

// startTLS has a server that was greeted go over to TLS. A server does not greet again after
// that, but the library, for which the conversation begins anew, waits for a greeting: so it gets one.
func startTLS(ctx context.Context, conn net.Conn, config *tls.Config) (*wire, error) {
	if _, err := conn.Write([]byte("STARTTLS\r\n")); err != nil {
		return nil, err
	}
	answer := bufio.NewReader(conn)
	if _, _, err := textproto.NewReader(answer).ReadResponse(220); err != nil {
		return nil, err
	}
	if answer.Buffered() > 0 {
		return nil, errEarly
	}
	t := tls.Client(conn, config)
	if err := t.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	return &wire{Conn: t, answers: []byte("220 go on\r\n")}, nil
}

// pipelined sends a letter with MAIL, RCPT and DATA in one packet, as RFC 2920 allows where the
// server offers it. The library, which waits for an answer to each, says them to a wire that keeps
// them and takes each for accepted; then they go out, and the true answers are read one by one. A
// letter whose recipient is refused is never said: if the server waits for it all the same, an empty
// one ends the command.
func (c *smtpConn) pipelined(ctx context.Context, cfg SMTPConfig, steps []smtpStep, body []byte) error {
	stage := ""
	commands, err := c.wire.hold("250 go on\r\n250 go on\r\n354 go on\r\n", func() error {
		for _, s := range steps {
			stage = s.stage
			if err := s.command(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return sendError(ctx, stage, err)
	}
	answers := textproto.NewReader(bufio.NewReader(c.wire.Conn))
	var refused *SendError
	awaited := false // the letter, by the server
	for i, s := range steps {
		err := within(ctx, s.limit, c.net, func() error {
			if i == 0 {
				if _, err := c.wire.Write(commands); err != nil {
					return err
				}
			}
			_, _, err := answers.ReadResponse(s.expect)
			return err
		})
		if err == nil {
			awaited = s.stage == "data"
			continue
		}
		e := sendError(ctx, s.stage, err)
		if refused == nil {
			refused = e
		}
		if e.Code == 0 || e.Code == 421 { // it has hung up, or will
			return refused
		}
	}
	if refused != nil {
		if awaited {
			_ = within(ctx, cfg.Timeout, c.net, c.letter.Close) // refused: what is wrong else, the next command tells
		} else { // the library must not end what the server does not wait for
			_, _ = c.wire.hold("250 go on\r\n", c.letter.Close)
		}
		return refused
	}
	ctx, cancel := toLastWord(ctx)
	defer cancel()
	err = within(ctx, cfg.LetterLimit, c.net, func() error {
		if _, err := c.wire.Write(body); err != nil {
			return err
		}
		return c.letter.Close()
	})
	if err != nil {
		return sendError(ctx, "data", err)
	}
	return nil
}

// dotted writes a letter as DATA wants it, a dot before each line that begins with one, but
// for the end of its last line: that and the last dot the library writes. It gives false for a letter
// with other ends of lines than CRLF, which the library puts right.
func dotted(raw []byte) ([]byte, bool) {
	body, ok := bytes.CutSuffix(raw, []byte("\r\n"))
	ends := bytes.Count(body, []byte("\r\n"))
	if !ok || bytes.Count(body, []byte("\n")) != ends || bytes.Count(body, []byte("\r")) != ends {
		return nil, false
	}
	if bytes.Contains(body, []byte("\n.")) {
		body = bytes.ReplaceAll(body, []byte("\n."), []byte("\n.."))
	}
	if bytes.HasPrefix(body, []byte(".")) {
		body = append([]byte("."), body...)
	}
	return body, true
}

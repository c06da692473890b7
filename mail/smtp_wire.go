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
	greeting []byte // what the library reads before anything else
}

// Read implements [net.Conn].
func (w *wire) Read(b []byte) (int, error) {
	if len(w.greeting) > 0 {
		n := copy(b, w.greeting)
		w.greeting = w.greeting[n:]
		return n, nil
	}
	return w.Conn.Read(b)
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
	return &wire{Conn: t, greeting: []byte("220 go on\r\n")}, nil
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

package mail

import (
	"crypto/tls"
	"errors"
	"net"
	"sync/atomic"
)

// What a mail server answers is kept in memory until it is whole, and the protocol
// libraries set no bound: a server that never comes to an end, or somebody in its
// place, could fill the machine. So the bytes that come in answer to one command are
// counted, and the connection ends when there are more than anybody has asked for. The
// bytes of a letter are counted separately, by whoever reads them.

// mostAnswer is how many bytes a server may send in answer to one command: the list of
// the letters of a very full inbox.
const mostAnswer = 4 << 20

// errTooMuch says that the server's answer has no end.
var errTooMuch = errors.New("the server's answer is longer than anything that was asked for")

// A metered connection counts what it brings.
type metered struct {
	net.Conn
	left atomic.Int64
	over atomic.Bool // too much came
	free atomic.Bool // a letter is read, by somebody who counts himself
}

func meter(conn net.Conn) *metered {
	m := &metered{Conn: conn}
	m.allow()
	return m
}

// allow begins the answer to another command.
func (m *metered) allow() { m.left.Store(mostAnswer) }

// Read implements [net.Conn].
func (m *metered) Read(b []byte) (int, error) {
	n, err := m.Conn.Read(b)
	if !m.free.Load() && m.left.Add(int64(-n)) < 0 {
		m.over.Store(true)
		return 0, errors.Join(errTooMuch, m.Conn.Close())
	}
	return n, err
}

// meterOf finds the meter of a connection, below TLS or not; nil if it has none.
func meterOf(conn net.Conn) *metered {
	if t, ok := conn.(*tls.Conn); ok {
		conn = t.NetConn()
	}
	m, _ := conn.(*metered)
	return m
}

package postgres

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"
	"time"
)

// A line goes between a store and its server, and can be cut at the word to commit.
type line struct {
	url string
	cut atomic.Bool // at the next such word
}

func newLine(t *testing.T, server string, after bool) *line {
	t.Helper()
	to, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	host := to.Host
	to.Host = l.Addr().String()
	made := &line{url: to.String()}
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", host)
			if err != nil {
				near.Close()
				continue
			}
			go made.back(near, far)
			go made.forth(near, far, after)
		}
	}()
	return made
}

func (*line) back(near, far net.Conn) {
	_, _ = io.Copy(near, far) // until it is cut
	near.Close()
}

// forth sends on what the store says. The line is cut before the word, or after the server has it.
func (l *line) forth(near, far net.Conn, after bool) {
	defer far.Close()
	defer near.Close()
	said := make([]byte, 64<<10)
	for {
		n, err := near.Read(said)
		if bytes.Contains(said[:n], []byte("commit\x00")) && l.cut.CompareAndSwap(true, false) {
			if after {
				near.(*net.TCPConn).SetLinger(0)
				_, _ = far.Write(said[:n]) // that it has come is seen in the database
				near.Close()
				time.Sleep(100 * time.Millisecond) // the server ends what is under way when a line is cut
			}
			return
		}
		if _, ahead := far.Write(said[:n]); err != nil || ahead != nil {
			return
		}
	}
}

package postgres

import (
	"bytes"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
)

// A line goes between a store and its server, and can be cut at the word to commit, or held there as by a store that has frozen.
type line struct {
	url  string
	cut  atomic.Bool                   // at the next such word
	hold atomic.Pointer[chan struct{}] // at the next such word nothing passes until it is closed
	held chan struct{}                 // gets one when that has begun
}

// freeze holds the line at the next word to commit, until thaw is called.
func (l *line) freeze() (thaw func()) {
	frozen := make(chan struct{})
	l.hold.Store(&frozen)
	return sync.OnceFunc(func() { close(frozen) })
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
	made := &line{url: to.String(), held: make(chan struct{}, 1)}
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
			mute, ended := new(atomic.Bool), make(chan struct{})
			go made.back(near, far, mute, ended)
			go made.forth(near, far, after, mute, ended)
		}
	}()
	return made
}

// back sends on what the server says, until it is cut or the line is mute.
func (*line) back(near, far net.Conn, mute *atomic.Bool, ended chan<- struct{}) {
	defer close(ended)
	said := make([]byte, 64<<10)
	for {
		n, err := far.Read(said)
		if !mute.Load() {
			if _, cut := near.Write(said[:n]); cut != nil {
				mute.Store(true)
			}
		}
		if err != nil {
			break
		}
	}
	near.Close()
}

// forth sends on what the store says. The line is cut before the word, or after the server has done what it says: nothing of
// that comes back.
func (l *line) forth(near, far net.Conn, after bool, mute *atomic.Bool, ended <-chan struct{}) {
	defer far.Close()
	defer near.Close()
	said := make([]byte, 64<<10)
	for {
		n, err := near.Read(said)
		if bytes.Contains(said[:n], []byte("commit\x00")) {
			if frozen := l.hold.Swap(nil); frozen != nil {
				l.held <- struct{}{}
				<-*frozen
			}
		}
		if bytes.Contains(said[:n], []byte("commit\x00")) && l.cut.CompareAndSwap(true, false) {
			if after {
				near.(*net.TCPConn).SetLinger(0)
				mute.Store(true)
				_, _ = far.Write(said[:n])
				far.(*net.TCPConn).CloseWrite() // the server does what it has been told, and hangs up
				<-ended
			}
			return
		}
		if _, ahead := far.Write(said[:n]); err != nil || ahead != nil {
			return
		}
	}
}

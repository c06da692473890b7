package main

import (
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"testing"
)

// lastPort is the last port that was given away. Such ports lie below those that a system
// gives to programs that ask for any port, or the server of another test could get it first.
var lastPort atomic.Int32

// freeLocalPort is a port of this machine that nobody listens at. It belongs to the test until
// its end: UDP, which no server of the tests speaks, holds the number against the tests of
// another process, which may look for ports before a server has begun to listen at this one.
func freeLocalPort(t *testing.T) int {
	t.Helper()
	lastPort.CompareAndSwap(0, int32(20_000+os.Getpid()%10_000))
	for range 1000 {
		port := int(lastPort.Add(1))
		address := fmt.Sprintf("127.0.0.1:%d", port)
		held, err := net.ListenPacket("udp", address)
		if err != nil {
			continue
		}
		if l, err := net.Listen("tcp", address); err == nil {
			l.Close()
			t.Cleanup(func() { held.Close() })
			return port
		}
		held.Close()
	}
	t.Fatal("no free port")
	return 0
}

// Another process that begins to look where this one began gets other ports, also while
// nobody listens yet at those that this one has.
func TestPortsAreGivenToOneTest(t *testing.T) {
	first := freeLocalPort(t)
	for range 3 {
		lastPort.Store(int32(first - 1)) // what another process begins with that has the same number
		if again := freeLocalPort(t); again == first {
			t.Fatalf("the port %d was given twice", again)
		}
	}
}

package main

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// If another program has the port for monitors, no letter waits because of that: the
// office opens, and says so.
func TestServeWithABusyPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, file, _ := site(t, "watch: {listen: \""+l.Addr().String()+"\"}\n")
	ctx, stop := context.WithCancel(t.Context())
	var errout buffer
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, []string{"serve", "-c", file}, io.Discard, &errout) }()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if log := errout.String(); strings.Contains(log, "mailbox open") && strings.Contains(log, "monitors can't ask") {
			break
		}
		select {
		case code := <-ended:
			t.Fatalf("the daemon ended with %d: %s", code, errout.String())
		case <-t.Context().Done():
			t.Fatal(errout.String())
		default:
		}
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("the daemon ended with %d: %s", code, errout.String())
	}
}

// Once the port is free monitors may ask, and are told that it was not free before.
func TestWatchPortIsTriedAgain(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	w := &watch{}
	w.port = openWatchPort(address, http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		io.WriteString(out, strings.Join(w.port.notes(), "\n"))
	}), 10*time.Millisecond, slog.New(slog.DiscardHandler))
	if notes := w.port.notes(); notes != nil {
		t.Errorf("%q", notes)
	}
	time.Sleep(30 * time.Millisecond)
	l.Close()
	for {
		r, err := http.Get("http://" + address)
		if err != nil {
			if t.Context().Err() != nil {
				t.Fatal(err)
			}
			continue
		}
		text, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || !strings.Contains(string(text), "was not free") {
			t.Errorf("%s, %v", text, err)
		}
		break
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	again := openWatchPort(address, http.NotFoundHandler(), time.Millisecond, slog.New(slog.DiscardHandler))
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

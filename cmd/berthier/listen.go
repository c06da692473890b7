package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// If another program has the port for monitors, the office must go on reading letters: it
// tries again until the port is free.

// listenAgain is how long to wait between two tries.
const listenAgain = 15 * time.Second

// A watchPort is the port at which monitors ask, once it could be opened.
type watchPort struct {
	server *http.Server
	stop   context.CancelFunc
	ended  chan struct{}

	mu     sync.Mutex
	opened time.Time
	busy   time.Time // since when the port has been taken; zero if it could be opened at once
}

// openWatchPort listens at an address, now or as soon as that is free.
func openWatchPort(address string, h http.Handler, again time.Duration, log *slog.Logger) *watchPort {
	ctx, stop := context.WithCancel(context.Background())
	d := &watchPort{
		server: &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 10 * time.Second, MaxHeaderBytes: 16 << 10},
		stop:   stop, ended: make(chan struct{}),
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		d.busy = time.Now()
		log.Error("monitors can't ask: watch: listen: must name a free port of this machine; the office tries again", "address", address, "error", err, "again_in", again)
	}
	go func() {
		defer close(d.ended)
		for listener == nil {
			select {
			case <-ctx.Done():
				return
			case <-time.After(again):
			}
			if listener, err = net.Listen("tcp", address); err != nil {
				listener = nil
			}
		}
		d.mu.Lock()
		d.opened = time.Now()
		d.mu.Unlock()
		log.Info("monitors may ask", "address", listener.Addr().String())
		if ctx.Err() != nil {
			listener.Close()
			return
		}
		d.server.Serve(listener)
	}()
	return d
}

// notes is what /health says about the port when nothing is wrong any more: that another
// program answered there before.
func (d *watchPort) notes() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy.IsZero() || d.opened.IsZero() {
		return nil
	}
	return []string{fmt.Sprintf("note: this port was not free from %s to %s: what answered then was another program",
		d.busy.UTC().Format(time.RFC3339), d.opened.UTC().Format(time.RFC3339))}
}

// Close stops listening, or stops trying to.
func (d *watchPort) Close() error {
	d.stop()
	err := d.server.Close()
	<-d.ended
	return err
}

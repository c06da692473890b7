package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"berthier/adjudicator/leader"
)

// openInTurn opens the office for serve. If the database has to be brought up to date first, it waits until no member works
// with an older program, which could not be started again afterwards; meanwhile it tells monitors for whom. It gives
// no office if the context ends before.
func openInTurn(ctx context.Context, conf config, log *slog.Logger) (*office, error) {
	if conf.Server == nil {
		return openOffice(conf, log)
	}
	conf.Server.Farewell = &leader.Farewell{Member: conf.Server.Member}
	var waiting waiter
	defer waiting.Close()
	for {
		h, err := openOffice(conf, log)
		var older *leader.OlderError
		if !errors.As(err, &older) {
			return h, err
		}
		waiting.say(conf.Watch.Listen, older, log)
		select {
		case <-ctx.Done():
			log.Info("office not opened: this member was stopped while it waited")
			return nil, nil
		case <-time.After(leader.Beat):
		}
	}
}

// A waiter tells monitors that this member waits for those with an older program.
type waiter struct {
	why  atomic.Pointer[leader.OlderError]
	port *watchPort
}

// say says for whom it waits now: in the log whenever that has changed.
func (w *waiter) say(listen string, older *leader.OlderError, log *slog.Logger) {
	if was := w.why.Swap(older); was == nil || was.Error() != older.Error() {
		log.Info("this member waits to bring the database up to date: "+older.Error(), "silent_ones_count_for", leader.GoneAfter)
	}
	if w.port == nil && listen != "" {
		mux := http.NewServeMux()
		mux.HandleFunc("GET /health", w.serveHealth)
		mux.HandleFunc("GET /metrics", w.serveMetrics)
		w.port = openWatchPort(listen, mux, listenAgain, log)
	}
}

func (w *waiter) serveHealth(out http.ResponseWriter, _ *http.Request) {
	out.Header().Set("Content-Type", "text/plain; charset=utf-8")
	out.WriteHeader(http.StatusServiceUnavailable)
	fmt.Fprintf(out, "waits: %s; this one begins when they have stopped, or were silent for %s\n", w.why.Load(), leader.GoneAfter)
}

func (w *waiter) serveMetrics(out http.ResponseWriter, _ *http.Request) {
	out.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	io.WriteString(out, "# HELP berthier_healthy 1 if /health would say that all is well.\n# TYPE berthier_healthy gauge\nberthier_healthy 0\n"+
		"# HELP berthier_waits_for_members Members with an older program, for which this one waits.\n# TYPE berthier_waits_for_members gauge\n")
	fmt.Fprintf(out, "berthier_waits_for_members %d\n", len(w.why.Load().Members))
}

// Close stops listening: the office itself answers from then on.
func (w *waiter) Close() error {
	if w.port == nil {
		return nil
	}
	return w.port.Close()
}

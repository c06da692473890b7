package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"berthier/adjudicator/leader"
	"berthier/adjudicator/store/postgres"
)

// openInTurn opens the office for serve. If the database has to be brought up to date first, it waits until no member works
// with an older program, which could not be started again afterwards; meanwhile it tells monitors for whom. It gives
// no office if the context ends before.
func openInTurn(ctx context.Context, conf config, log *slog.Logger) (*office, error) {
	if conf.Server == nil {
		return openOffice(conf, log)
	}
	if err := alone(ctx, conf); err != nil {
		return nil, err
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

// alone watches whether somebody else works under this member's name: each would depose the other for ever. A process of before that has
// ended says nothing any more; what can't be looked at now is said when the office is opened.
func alone(ctx context.Context, conf config) error {
	secret, err := readSecret(conf.Server.Secret)
	if err != nil {
		return err
	}
	look, cancel := context.WithTimeout(ctx, openIn)
	defer cancel()
	s, err := postgres.Open(look, conf.Server.at(), postgres.Options{Secret: secret, ReadOnly: true})
	if err != nil {
		return nil
	}
	defer s.Close()
	twins, err := leader.Beating(look, s, func(name string) bool { return name == conf.Server.Member }, true)
	if err != nil || len(twins) == 0 {
		return nil
	}
	return hinted{fmt.Errorf("another process works as member %s of this office", strings.Join(twins, ", ")),
		"give each member a name of its own (key member under database in the configuration), or stop the other one"}
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

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"berthier/mail"
)

// A watch tells a monitor on this machine how the office is doing: /health for a
// person or a script, /metrics for Prometheus. It gives only totals of the whole
// office: a figure for a game or a seat would tell who was asked and when.
type watch struct {
	office *office
	boxes  []addressedBox
	member string // this one's name, if the office has several
	data   string // path of the database
	begun  time.Time
	taken  [3]atomic.Int64 // by the folder into which letters were filed
	failed atomic.Int64
	sent   atomic.Int64
	unsent [2]atomic.Int64 // tries that failed: those to be made again, those given up
	port   *watchPort      // nil if nobody may ask

	readers sync.Map // string → time.Time: mailboxes, by when somebody was last seen to read them
}

var takenFolders = [...]mail.Folder{mail.Processed, mail.Rejected, mail.Leave}

// openWatch listens where the configuration says, as soon as the port is free.
func openWatch(c config, h *office, boxes []addressedBox, log *slog.Logger) *watch {
	w := &watch{office: h, boxes: boxes, data: c.Database, begun: time.Now()}
	if c.Server != nil {
		w.member = c.Server.Member
	}
	h.Seat.Tells(w.says)
	if c.Watch.Listen == "" {
		return w
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", w.serveHealth)
	mux.HandleFunc("GET /metrics", w.serveMetrics)
	w.port = openWatchPort(c.Watch.Listen, mux, listenAgain, log)
	return w
}

// Close stops listening.
func (w *watch) Close() error {
	if w.port == nil {
		return nil
	}
	return w.port.Close()
}

// counted counts the letters that the office takes in.
func (w *watch) counted(take func(context.Context, mail.Incoming) (mail.Folder, error)) func(context.Context, mail.Incoming) (mail.Folder, error) {
	return func(ctx context.Context, in mail.Incoming) (mail.Folder, error) {
		folder, err := take(ctx, in)
		if err != nil {
			w.failed.Add(1)
			return folder, err
		}
		for i, f := range takenFolders {
			if f == folder {
				w.taken[i].Add(1)
			}
		}
		return folder, nil
	}
}

// A countedBox counts what is taken from a mailbox.
type countedBox struct {
	*mail.Mailbox
	watch *watch
}

// Run implements the office's mailbox.
func (b countedBox) Run(ctx context.Context, take func(context.Context, mail.Incoming) (mail.Folder, error)) error {
	return b.Mailbox.Run(ctx, b.watch.counted(take))
}

// A countedSender counts what is sent.
type countedSender struct {
	mail.Sender
	watch *watch
}

// Send implements [mail.Sender].
func (s countedSender) Send(ctx context.Context, from, to string, raw []byte) error {
	err := s.Sender.Send(ctx, from, to, raw)
	var t interface{ Temporary() bool }
	switch {
	case err == nil:
		s.watch.sent.Add(1)
	case ctx.Err() != nil:
	case errors.As(err, &t) && !t.Temporary():
		s.watch.unsent[1].Add(1)
	default:
		s.watch.unsent[0].Add(1)
	}
	return err
}

func (w *watch) serveHealth(out http.ResponseWriter, _ *http.Request) {
	out.Header().Set("Content-Type", "text/plain; charset=utf-8")
	faults := w.ill(w.office.Ills())
	if len(faults) == 0 {
		io.WriteString(out, strings.Join(slices.Concat([]string{"well"}, w.membership(), w.port.notes()), "\n")+"\n")
		return
	}
	out.WriteHeader(http.StatusServiceUnavailable)
	io.WriteString(out, strings.Join(append(faults, w.membership()...), "\n")+"\n")
}

func (w *watch) serveMetrics(out http.ResponseWriter, _ *http.Request) {
	out.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	io.WriteString(out, w.metrics())
}

// metrics writes the text exposition format of Prometheus.
func (w *watch) metrics() string {
	var b strings.Builder
	family := func(name, kind, help string) {
		fmt.Fprintf(&b, "# HELP berthier_%s %s\n# TYPE berthier_%[1]s %[3]s\n", name, help, kind)
	}
	sample := func(name, labels string, value float64) {
		fmt.Fprintf(&b, "berthier_%s%s %s\n", name, labels, strconv.FormatFloat(value, 'g', -1, 64))
	}
	one := func(name, kind, help string, value float64) { family(name, kind, help); sample(name, "", value) }
	family("build_info", "gauge", "The program, always 1.")
	sample("build_info", fmt.Sprintf("{version=%q,go=%q}", version(), runtime.Version()), 1)
	one("start_time_seconds", "gauge", "When the office was opened.", float64(w.begun.Unix()))
	i, err := w.office.Ills()
	one("healthy", "gauge", "1 if /health would say that all is well.", oneIf(len(w.ill(i, err)) == 0))

	one("leads", "gauge", "1 unless another member of the office leads.", oneIf(!w.office.Seat.StandsBy()))

	w.ofMembers(family, sample)

	family("letters_taken_total", "counter", "Letters taken in, by the folder that they went to.")
	for i, f := range takenFolders {
		sample("letters_taken_total", fmt.Sprintf("{folder=%q}", f), float64(w.taken[i].Load()))
	}
	one("letters_not_taken_total", "counter", "Attempts to take a letter in that failed and will be made again.", float64(w.failed.Load()))
	one("letters_wrong_key_total", "counter", "Letters with a wrong key.", float64(w.office.WrongKeys()))
	one("letters_sent_total", "counter", "Letters that the mail server took over.", float64(w.sent.Load()))
	family("letters_unsent_total", "counter", "Attempts to send a letter that failed.")
	sample("letters_unsent_total", `{again="yes"}`, float64(w.unsent[0].Load()))
	sample("letters_unsent_total", `{again="no"}`, float64(w.unsent[1].Load()))

	if err == nil {
		one("games_stopped", "gauge", "Games that stand still since their rules could not go on.", float64(i.StoppedGames))
		one("games_broken", "gauge", "Games whose record can't be read.", float64(i.BrokenRecords))
		one("letters_stuck", "gauge", "Letters that could not be sent for an hour.", float64(i.StuckLetters))
		one("letters_without_game", "gauge", "Letters that stay in the inbox since the database has never held a game.", float64(i.UnknownGames))
		one("deadlines_kept", "gauge", "1 if deadlines were kept when the clock was looked at last.", oneIf(i.DeadlinesNotKept == nil))
		one("mailbox_noted", "gauge", "1 if it could be noted that the mailbox was read.", oneIf(i.ReadingNotNoted == nil))
		one("database_written", "gauge", "1 if the last write to the database succeeded.", oneIf(i.WriteFailed == nil))
		one("database_in_place", "gauge", "1 while the database is the file at its path.", oneIf(i.FileSwapped == nil))
	}
	w.mailboxes(family, sample)
	now := time.Now()
	if o, err := w.office.store.Outbox(now); err == nil {
		one("outbox_due", "gauge", "Letters that should have gone out.", float64(o.Due))
		one("outbox_later", "gauge", "Letters that wait for their time.", float64(o.Later))
		age := 0.0
		if o.Due > 0 {
			age = now.Sub(o.First).Seconds()
		}
		one("outbox_age_seconds", "gauge", "How long the letter that is due longest has been due.", age)
		one("games", "gauge", "Games in the database, at whatever stage.", float64(o.Games))
	}
	if info, err := os.Stat(w.data); err == nil {
		one("database_bytes", "gauge", "Size of the database file.", float64(info.Size()))
	}
	if free, err := diskFree(w.data); err == nil {
		one("disk_free_bytes", "gauge", "Free space on the disk of the database.", float64(free))
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	one("memory_bytes", "gauge", "Memory that the program has from the system.", float64(m.Sys))
	one("goroutines", "gauge", "Goroutines of the program.", float64(runtime.NumGoroutine()))
	return b.String()
}

// oneIf is how a metric says yes or no.
func oneIf(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

// mailboxes writes what is known of each mailbox.
func (w *watch) mailboxes(family func(name, kind, help string), sample func(name, labels string, value float64)) {
	of := func(name, help string, value func(mail.Health) (float64, bool)) {
		family(name, "gauge", help)
		for _, box := range w.boxes {
			labels := ""
			if len(w.boxes) > 1 {
				labels = fmt.Sprintf("{mailbox=%q}", box.Address)
			}
			if v, ok := value(box.Health()); ok {
				sample(name, labels, v)
			}
		}
	}
	of("mailbox_connected", "1 while the inbox is open.", func(h mail.Health) (float64, bool) { return oneIf(h.Connected), true })
	of("mailbox_failures", "Connections that failed since one last worked.", func(h mail.Health) (float64, bool) { return float64(h.Failures), true })
	of("mailbox_waiting", "Letters that could not be taken in yet.", func(h mail.Health) (float64, bool) { return float64(h.Waiting), true })
	of("mailbox_contact_seconds", "When the mail server last answered.", func(h mail.Health) (float64, bool) {
		return float64(h.LastContact.Unix()), !h.LastContact.IsZero()
	})
}

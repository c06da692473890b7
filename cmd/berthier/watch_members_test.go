package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"berthier/adjudicator"
	"berthier/adjudicator/store/bolt"
	"berthier/mail"
)

// A quietBox is a mailbox without letters, which is read to its end again and again.
type quietBox struct {
	onRead func(context.Context, time.Time)
}

func (b *quietBox) OnRead(f func(context.Context, time.Time)) { b.onRead = f }

func (b *quietBox) Run(ctx context.Context, _ func(context.Context, mail.Incoming) (mail.Folder, error)) error {
	for ctx.Err() == nil {
		b.onRead(ctx, time.Now())
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
		}
	}
	return nil
}

type noPost struct{}

func (noPost) Send(context.Context, string, string, []byte) error { return nil }

// A watched member is one whose monitor can be asked.
type watchedMember struct {
	*watch
	stop  context.CancelFunc
	ended chan error
}

func (m *watchedMember) health() (int, string) {
	out := httptest.NewRecorder()
	m.serveHealth(out, nil)
	return out.Code, out.Body.String()
}

var watchedBoxes = []string{"one@club.example", "two@club.example"}

// beginWatched starts a member of the office that a file holds.
func beginWatched(t *testing.T, st *bolt.Store, name string) *watchedMember {
	t.Helper()
	words, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	inner, err := adjudicator.New(st, words, systems(), adjudicator.Options{From: mail.Address{Addr: watchedBoxes[0]}, Secret: [32]byte{1}, Member: name, Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	var all []addressedBox
	var read []adjudicator.Box
	for _, address := range watchedBoxes {
		all = append(all, addressedBox{address, &mail.Mailbox{}}) // which was never connected
		read = append(read, adjudicator.Box{Address: address, Mailbox: &quietBox{}})
	}
	c := config{Database: t.TempDir(), Server: &serverConfig{Member: name}}
	m := &watchedMember{watch: openWatch(c, &office{Office: inner, Clerk: inner.Clerk(), store: st, words: words}, all, slog.New(slog.DiscardHandler)), ended: make(chan error, 1)}
	m.port = &watchPort{} // nobody listens: the test asks in its place
	ctx, stop := context.WithCancel(context.Background())
	m.stop = stop
	go func() { m.ended <- inner.Run(ctx, noPost{}, read...) }()
	return m
}

// TestHealthOfAllMembers asks one member: it tells who reads each mailbox and when it was read, the faults of the other,
// and who is left when that one has ended.
func TestHealthOfAllMembers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	if err := bolt.Create(path, bolt.Options{NoSync: true}); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		st, err := bolt.Open(path, bolt.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		alpha, beta := beginWatched(t, st, "alpha"), beginWatched(t, st, "beta")
		time.Sleep(20 * time.Second)
		has := func(code int, parts ...string) {
			t.Helper()
			for name, m := range map[string]*watchedMember{"alpha": alpha, "beta": beta} {
				got, text := m.health()
				if got != code {
					t.Errorf("%s answers %d: %s", name, got, text)
				}
				for _, part := range parts {
					if !strings.Contains(text, part) {
						t.Errorf("%s does not say %q: %s", name, part, text)
					}
				}
			}
		}
		has(http.StatusOK, "well\n", "member alpha ", "member beta ", "has 32 of 64 shares", " leads", "clock +0.0 s", "mailbox one@club.example: read by ", "mailbox two@club.example: read by ", ", to its end ", "0 letters wait")
		for _, m := range []*watchedMember{alpha, beta} {
			for _, part := range []string{"berthier_member_alive{member=\"alpha\"} 1\n", "berthier_member_shares{member=\"beta\"} 32\n", "berthier_healthy 1\n", "berthier_office_mailbox_read_age_seconds{mailbox=\"two@club.example\",member="} {
				if !strings.Contains(m.metrics(), part) {
					t.Errorf("metrics lack %s", part)
				}
			}
		}
		time.Sleep(time.Minute) // the mailboxes have still not connected
		has(http.StatusServiceUnavailable, "mailbox one@club.example: not connected", "mailbox two@club.example: not connected", "member alpha ")
		_, text := alpha.health()
		if n := strings.Count(text, "member beta: mailbox "); n != 1 {
			t.Errorf("alpha tells %d faults of beta: %s", n, text)
		}
		beta.stop()
		if err := <-beta.ended; err != nil {
			t.Error(err)
		}
		time.Sleep(20 * time.Second)
		if _, text := alpha.health(); strings.Contains(text, "beta") || strings.Count(text, "read by alpha") != 2 {
			t.Errorf("alpha alone: %s", text)
		}
		if text := strings.Join(alpha.illElsewhere(), "\n"); text != "" {
			t.Errorf("alpha, which reads all: %s", text)
		}
		more := append(slices.Clone(alpha.boxes), addressedBox{"three@club.example", &mail.Mailbox{}}) // of which the leader knows nothing
		asked := &watchedMember{watch: &watch{office: alpha.office, boxes: more, member: alpha.member, data: alpha.data, begun: alpha.begun, port: alpha.port}}
		if _, text := asked.health(); !strings.Contains(text, "mailbox three@club.example: no member reads it\n") || !strings.Contains(text, "mailbox three@club.example: nobody reads it, ") || strings.Contains(text, "one@club.example: no member") {
			t.Errorf("a mailbox that nobody reads: %s", text)
		}
		alpha.stop()
		if err := <-alpha.ended; err != nil {
			t.Error(err)
		}
	})
}

package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"berthier/adjudicator/store/bolt"
	"berthier/mail"
	"berthier/mail/local"
)

// A buffer may be written to and read by many goroutines.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// The log of games of every ruleset says what happened, and nothing that is kept from a
// player or from everybody; and nobody's key is in a subject, or in a letter to anybody
// else.
func TestLogOfAGameIsDiscreet(t *testing.T) {
	withoutRace(t)
	for _, c := range []struct {
		game   string
		turns  int
		racing int    // turns under the race detector
		never  string // what only who sees the position knows
	}{
		{"napoleon", 6, 4, `\b[FAPB]-[0-9]+\b|(?i)charleroi|brussels|ligny|namur|nivelles|\bmove\b|units|strength|\bdice\b`},
		{"waterloo", 6, 2, `\b[FAPGIC]-[0-9]+\b|\b[A-Z][0-9]{1,2}\b|(?i)hougoumont|haye|papelotte|plancenoit|cavalry|artillery|infantry|\bbid:|units|strength|\bdice\b`},
	} {
		turns := c.turns
		if raceEnabled {
			turns = c.racing
		}
		t.Run(c.game, func(t *testing.T) { discreetGame(t, c.game, turns, regexp.MustCompile(c.never)) })
	}
}

func discreetGame(t *testing.T, game string, turns int, tells *regexp.Regexp) {
	var log buffer
	conf := defaults()
	conf.IMAP.Password, conf.SMTP.Password = demoSecret, demoSecret
	d, err := openDemo(demoCommand{Seed: 5, Turns: turns, Game: game, Bots: "random", log: conf.logger(&log)}, t.TempDir(), newProgress(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	if err := d.play(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := log.String()
	for _, want := range []string{"letter taken in", "letter sent", "stop resolved", "mailbox open"} {
		if !strings.Contains(text, want) {
			t.Errorf("the log does not tell of %q", want)
		}
	}
	shown, err := d.office.Show(demoGame)
	if err != nil {
		t.Fatal(err)
	}
	secret := d.office.store.Secret()
	never := []string{demoSecret, hex.EncodeToString(secret[:]), shown.GMKey, demoOffice, demoGM}
	keys := map[string]string{demoGM: shown.GMKey}
	for _, s := range shown.Seats {
		never = append(never, s.Key, s.Person.Address, s.Person.Name)
		keys[s.Person.Address] = s.Key
	}
	if shown.Seed != "" {
		never = append(never, shown.Seed)
	}
	for _, word := range never {
		if word == "" {
			t.Fatal("a secret to look for is missing")
		}
		if strings.Contains(text, word) {
			t.Errorf("the log names %q", word)
		}
	}
	for line := range strings.Lines(text) {
		_, message, _ := strings.Cut(line, " level=")
		message = regexp.MustCompile(`msg_id=\S+`).ReplaceAllString(message, "")
		if found := tells.FindString(message); found != "" {
			t.Errorf("the log tells of the game, %q: %s", found, line)
		}
	}

	letters, held, told := 0, 0, 0
	for address := range keys {
		for _, raw := range d.host.Letters(address) {
			letters++
			l, err := mail.Read(raw, mail.Own{})
			if err != nil {
				t.Fatal(err)
			}
			all := strings.ToUpper(saysAll(l))
			if tells.MatchString(saysAll(l)) {
				told++
			}
			for owner, key := range keys {
				for _, form := range []string{key, strings.ReplaceAll(key, "-", "")} {
					if strings.Contains(strings.ToUpper(l.Subject), form) {
						t.Errorf("a key in the subject of %q", l.Subject)
					}
					if owner != address && strings.Contains(all, form) {
						t.Errorf("%s has the key of %s in %q", address, owner, l.Subject)
					}
				}
				if owner == address && strings.Contains(all, key) {
					held++
				}
			}
		}
	}
	if letters < 6 || held == 0 || told == 0 {
		t.Errorf("%d letters, %d with a key, %d that tell of the game", letters, held, told)
	}
}

// Masks in the log do not give a password away: the log of an office says the same
// whatever its short password is, and never masks its own words.
func TestMaskingTellsNoPassword(t *testing.T) {
	said := func(secret string) string {
		var out bytes.Buffer
		log := slog.New(newDiscreet(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}}), false, secret))
		log.Info("letter taken in", "what", "command: press", "game", "ligny-7", "msg_id", "letter.abc@berthier.example")
		log.Warn("mailbox connection lost", "error", errors.New("log in to mailbox: imap: NO the password a, or press, or ligny, is wrong"), "retry_in", time.Minute)
		log.Error("deadlines not kept", "error", fmt.Errorf("write log: %w", &os.PathError{Op: "write", Path: "b.db", Err: syscall.ENOSPC}))
		log.Warn("letter not sent", "error", errors.Join(&mail.SendError{Stage: "auth", Code: 535, Text: "the password a is wrong"}, syscall.EPIPE))
		log.Error("letter caused a panic, rejected", "fault", "runtime error: letter", "stack", "goroutine 1")
		return out.String()
	}
	first := said("x")
	for _, secret := range []string{"a", "e", "letter", "press", "ligny", "log in", "imap", "fault", "taken", "7"} {
		if got := said(secret); got != first {
			t.Errorf("the password %q shows in\n%s", secret, got)
		}
	}
	if !strings.Contains(first, "no space left") { // the operator must still learn of it
		t.Errorf("what the system says is hidden: %s", first)
	}
	if !strings.Contains(first, "log in to mailbox: [not shown") || strings.Contains(first, "wrong") {
		t.Errorf("not even our own words: %s", first)
	}
	long := said("mailbox connection lost")
	if strings.Contains(long, "[secret]") || !strings.Contains(long, "is wrong") {
		t.Errorf("our own words are masked: %s", long)
	}
}

func TestDiscreet(t *testing.T) {
	for _, c := range []struct {
		level slog.Level
		want  string
	}{
		{slog.LevelInfo, `level=WARN msg="no [key]" error="550 <[address]> unknown, said [secret]" msg_id=letter.abc@berthier.example who.at=[address]`},
		{slog.LevelDebug, `level=WARN msg="no [key]" error="550 <anna@club.example> unknown, said [secret]" msg_id=letter.abc@berthier.example who.at=bruno@club.example`},
	} {
		var out bytes.Buffer
		h := newDiscreet(slog.NewTextHandler(&out, nil), c.level == slog.LevelDebug, "hunter2-and-more", "")
		slog.New(h).Warn("no K7QF-2M9D", "error", fmt.Errorf("550 <anna@club.example> unknown, said hunter2-and-more"), "msg_id", "letter.abc@berthier.example",
			slog.Group("who", "at", "bruno@club.example"))
		if got := strings.TrimSpace(out.String()); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

// site is a mail host in this process and a configuration that uses it.
func site(t testing.TB, more string) (host *local.Server, file, database string) {
	t.Helper()
	return siteWith(t, local.Options{}, more)
}

func siteWith(t testing.TB, options local.Options, more string) (host *local.Server, file, database string) {
	t.Helper()
	host, err := local.Start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	if err := host.AddBox("office@club.example", "secret"); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, database = filepath.Join(dir, "berthier.yaml"), filepath.Join(dir, "b.db")
	port := func(address string) string { _, p, _ := net.SplitHostPort(address); return p }
	put := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(dir, "password"), "secret\n")
	put(file, fmt.Sprintf(`office: {address: office@club.example}
database: %s
imap: {host: 127.0.0.1, port: %s, security: none, user: office@club.example, password-file: password}
smtp: {host: 127.0.0.1, port: %s, security: none, user: office@club.example, password-file: password}
%s`, database, port(host.IMAPAddr()), port(host.SMTPAddr()), more))
	makeDatabase(t, database)
	return host, file, database
}

// makeDatabase makes a database where none is.
func makeDatabase(t testing.TB, path string) {
	t.Helper()
	if err := bolt.Create(path, bolt.Options{NoSync: true}); err != nil {
		t.Fatal(err)
	}
}

// The daemon tells monitors how it is, keeps a second daemon away from its database and
// from its mailbox, and stops within seconds.
func TestServe(t *testing.T) {
	address := fmt.Sprintf("127.0.0.1:%d", freeLocalPort(t))
	_, file, database := site(t, "watch: {listen: \""+address+"\"}\n")
	ctx, stop := context.WithCancel(t.Context())
	var errout buffer
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, []string{"serve", "-c", file}, io.Discard, &errout) }()
	get := func(path string) (int, string) {
		r, err := http.Get("http://" + address + path)
		if err != nil {
			return 0, err.Error()
		}
		defer r.Body.Close()
		text, _ := io.ReadAll(r.Body)
		return r.StatusCode, string(text)
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if _, text := get("/metrics"); strings.Contains(text, "berthier_mailbox_connected 1\n") {
			break
		}
		select {
		case code := <-ended:
			t.Fatalf("the daemon ended with %d: %s", code, errout.String())
		case <-t.Context().Done():
			t.Fatal("never connected")
		default:
		}
	}
	if code, text := get("/health"); code != http.StatusOK || text != "well\n" {
		t.Errorf("health: %d %s", code, text)
	}
	_, text := get("/metrics")
	line := regexp.MustCompile(`^(# (HELP|TYPE) berthier_[a-z_]+ .+|berthier_[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+)$`)
	for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if !line.MatchString(l) {
			t.Errorf("no line of the exposition format: %q", l)
		}
	}
	if !strings.Contains(text, "berthier_healthy 1\n") || !strings.Contains(text, "berthier_outbox_due 0\n") {
		t.Errorf("metrics:\n%s", text)
	}

	var second bytes.Buffer
	if code := run(t.Context(), []string{"serve", "-c", file}, io.Discard, &second); code != exitRefused || !strings.Contains(second.String(), "another process has the database open") {
		t.Errorf("a second daemon on the database: %d %s", code, second.String())
	}
	text2, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(filepath.Dir(file), "other.yaml")
	config := strings.NewReplacer(database, database+".other", "watch: {listen: \""+address+"\"}\n", "").Replace(string(text2))
	if err := os.WriteFile(other, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	makeDatabase(t, database+".other")
	second.Reset()
	if code := run(t.Context(), []string{"serve", "-c", other}, io.Discard, &second); code != exitRefused ||
		!strings.Contains(second.String(), "the mailbox is read by the office on ") || !strings.Contains(second.String(), "hint: a mailbox can have only one office") {
		t.Errorf("a second daemon on the mailbox: %d %s", code, second.String())
	}

	began := time.Now()
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("the daemon ended with %d: %s", code, errout.String())
	}
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("stopping took %s", took)
	}
	if strings.Contains(errout.String(), "secret") {
		t.Error("the log names the password")
	}
}

// What doctor finds, and what it says to do.
func TestDoctor(t *testing.T) {
	host, file, database := site(t, "")
	doctor := func(args ...string) (int, string) {
		var out, errout bytes.Buffer
		code := run(t.Context(), append([]string{"doctor", "-c", file}, args...), &out, &errout)
		return code, out.String() + errout.String()
	}
	wants := func(text string, all ...string) {
		t.Helper()
		for _, want := range all {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in:\n%s", want, text)
			}
		}
	}
	if err := os.Remove(database); err != nil {
		t.Fatal(err)
	}
	code, text := doctor()
	wants(text, "fail  database: "+database+": does not exist", "make one: berthier init")
	if code != exitRefused {
		t.Errorf("without a database it ends with %d", code)
	}
	makeDatabase(t, database)
	code, text = doctor()
	wants(text, "ok    configuration", "every page and record read", "ok    mailbox: logged in", "ok    sending: the server takes letters")
	if code != 0 {
		t.Errorf("ends with %d", code)
	}
	if n := host.Count("office@club.example", "INBOX"); n != 0 {
		t.Errorf("doctor sent %d letters", n)
	}
	password := filepath.Join(filepath.Dir(file), "password")
	if err := os.WriteFile(password, []byte("wrong\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(password, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(database, make([]byte, 1<<16), 0o600); err != nil {
		t.Fatal(err)
	}
	code, text = doctor()
	wants(text, "warn  secrets", "chmod 600 ", "fail  mailbox", "look at user and password-file under imap", "fail  sending", "look at user and password-file under smtp",
		"fail  database", "berthier restore", "3 of ")
	if code != exitRefused || strings.Contains(text, "wrong\n") {
		t.Errorf("ends with %d:\n%s", code, text)
	}
	if f := checkClock(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), time.Date(2026, 3, 1, 12, 6, 0, 0, time.UTC)); f.grade != gradeFail || f.do == "" {
		t.Errorf("a clock that is behind: %+v", f)
	}
}

func TestRecordKey(t *testing.T) {
	for _, record := range []string{"v=DKIM1; k=rsa; p=AbC+/=", "x._domainkey 3600 IN TXT ( \"v=DKIM1; k=rsa; p=Ab\"\n\t\"C+/=\" )", "p=AbC+/="} {
		if got := recordKey(record); got != "AbC+/=" {
			t.Errorf("%q: %q", record, got)
		}
	}
}

// A backup that was taken while the daemon works can be restored.
func TestBackupAndRestore(t *testing.T) {
	_, file, database := site(t, "")
	backup := database + ".backup"
	do := func(want int, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if code := run(t.Context(), append(args, "-c", file), &out, &out); code != want {
			t.Fatalf("%v ends with %d: %s", args, code, out.String())
		}
		return out.String()
	}
	do(0, "game", "list")
	do(0, "backup", backup)
	st, err := bolt.Open(database, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if text := do(exitRefused, "restore", backup); !strings.Contains(text, "stop berthier serve first") {
		t.Errorf("while it is in use: %s", text)
	}
	secret := st.Secret()
	st.Close()
	if err := os.Remove(database); err != nil {
		t.Fatal(err)
	}
	if text := do(0, "restore", backup); !strings.Contains(text, "0 games restored") || !strings.Contains(text, "Processed") {
		t.Errorf("%s", text)
	}
	if st, err = bolt.Open(database, bolt.Options{}); err != nil || st.Secret() != secret {
		t.Fatalf("what was restored: %v", err)
	}
	st.Close()
	if text := do(exitRefused, "restore", file); !strings.Contains(text, "take another backup") {
		t.Errorf("from something else: %s", text)
	}
}

var _ mail.Sender = countedSender{}

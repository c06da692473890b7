//go:build e2e

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
)

const (
	deathsVariable = "BERTHIER_DEATHS"      // how often TestEndToEndDeath kills the daemon
	seedVariable   = "BERTHIER_DEATHS_SEED" // of its random choices
	fewDeaths      = 20
	correspondents = 10
	tables         = 2 * correspondents // games at the same time
	sideBySide     = 8                  // letters that the daemon sends at once
)

// TestEndToEndDeath kills the daemon at random moments (SIGKILL, as a power cut
// does, half of them right after something has passed on a line) while letters
// of several games flow through a real Dovecot and a real Exim, and something
// else is broken in most of its lives: see [fault]. Then it looks into the real
// mailboxes, into the database and into what passed on the lines:
//
//   - Each order counted exactly once and was answered, each stop was resolved
//     exactly once, every game verifies.
//   - The office handed over each letter that it ever wrote at least once, and the letter
//     lies in its player's mailbox as often as Exim took it.
//   - A letter went out again only if the office could not know that it had gone:
//     because of a fault that is named, or since the daemon died while the letter was on
//     its way; no more than eight letters are on their way at once.
//   - Nothing is left: in the outbox, in the inbox, in Exim's queue.
func TestEndToEndDeath(t *testing.T) {
	deaths, seed := fromEnvironment(t, deathsVariable, fewDeaths), uint64(fromEnvironment(t, seedVariable, int(time.Now().UnixNano()%1e9)))
	t.Logf("%s=%d %s=%d", deathsVariable, deaths, seedVariable, seed)
	boxes := []string{"office", "gm"}
	for n := range correspondents {
		boxes = append(boxes, fmt.Sprintf("player%d", n+1))
	}
	s := startServers(t, boxes...)
	d := newDying(t, newEndToEnd(t, s), seed)
	for _, box := range boxes[2:] {
		d.players = append(d.players, d.correspondent(box))
	}
	d.keepGames()
	d.begin()

	began := time.Now()
	var deck []fault
	for d.life < deaths || d.missing() != "" {
		if len(deck) == 0 {
			deck = append(slices.Clone(allFaults), calm, calm, calm)
			d.chance.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		}
		next := deck[0]
		deck = deck[1:]
		if d.life >= deaths {
			if next = d.missing(); d.life > deaths+30 {
				t.Fatalf("it never came to %s", next)
			}
		}
		d.live(next)
		if d.life%4 == 0 {
			d.keepGames()
		}
	}
	killing := time.Since(began)
	for _, p := range d.players {
		p.quiet()
	}
	d.post.set(calm, d.life+1)
	began = time.Now()
	d.serve()
	d.settle()
	settling := time.Since(began)
	d.stop()
	if n := len(d.post.validity); n < 2 {
		t.Errorf("the inbox had %d UIDVALIDITY", n)
	}
	d.account()
	slowest := slices.Index(d.opened, slices.Max(d.opened))
	t.Logf("%d deaths in %.0f s; settled after %.1f s", d.life-1, killing.Seconds(), settling.Seconds())
	t.Logf("the socket was open %d ms after the start (median), %d ms at most, in life %d; the inbox %d ms after the socket (median)",
		median(d.opened).Milliseconds(), d.opened[slowest].Milliseconds(), slowest+1, median(d.inboxes()).Milliseconds())
	for _, f := range allFaults {
		t.Logf("%5d times  %s", d.post.times(f), f)
	}
}

// median of some times; zero if there is none.
func median(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}

// fromEnvironment reads a whole number that the caller may set.
func fromEnvironment(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s=%s: give a whole number from 1", name, text)
	}
	return n
}

// dying is a daemon that dies again and again, on a small disk of its own.
type dying struct {
	*endToEnd
	post     *faultyPost
	players  []*correspondent
	offices  []string // boxes of the office; nil: "office" alone
	chance   *rand.Rand
	disk     string
	database string
	monitor  int
	logged   string // file
	life     int
	exited   chan error
	opened   []time.Duration // from the start to the open socket
	games    []string
	stuck    map[string]int // seats that owe an answer and have no report, by how often that was found
}

// officeBoxes are the mailboxes that the office reads.
func (d *dying) officeBoxes() []string {
	if d.offices == nil {
		return []string{"office"}
	}
	return d.offices
}

func newDying(t *testing.T, e *endToEnd, seed uint64) *dying {
	t.Helper()
	d := &dying{endToEnd: e, disk: e.file("disk"), logged: e.file("log"), monitor: freeLocalPort(t), stuck: map[string]int{}, chance: rand.New(rand.NewPCG(seed, 2))}
	if err := os.Mkdir(d.disk, 0o755); err != nil {
		t.Fatal(err)
	}
	// Room for some 500 deaths; what is left of it is filled when the disk is full.
	if err := syscall.Mount("tmpfs", d.disk, "tmpfs", 0, "size=128m"); err != nil {
		t.Fatalf("mount a small disk: %v (the end-to-end tests run as root)", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(d.disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	d.database = filepath.Join(d.disk, "berthier.db")
	d.post = newFaultyPost(t, e.s, e.tls, seed)
	e.write("berthier.yaml", fmt.Sprintf(`office: {address: office@%[1]s, answers-per-hour: 1000}
database: %[2]s
imap: {host: 127.0.0.1, port: %[3]d, security: none, user: office, password-file: password, poll: 2s}
smtp: {host: 127.0.0.1, port: %[4]d, security: none, retry: 1s}
watch: {listen: "127.0.0.1:%[5]d"}
`, domain, d.database, d.post.imapPort, d.post.smtpPort, d.monitor))
	e.berthier("init", "-c", e.config)
	t.Cleanup(func() {
		if t.Failed() {
			if text, err := os.ReadFile(d.logged); err == nil {
				t.Logf("end of the daemon's log:\n%s", tail(string(text), 60))
			}
		}
	})
	return d
}

// serve starts the daemon and waits until it takes commands. The daemon may end before that
// if the disk is full.
func (d *dying) serve() {
	d.t.Helper()
	log, err := os.OpenFile(d.logged, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		d.t.Fatal(err)
	}
	defer log.Close()
	d.life++
	began := time.Now()
	d.daemon = exec.Command(d.program, "serve", "-c", d.config)
	d.daemon.Stdout, d.daemon.Stderr = log, log
	d.daemon.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := d.daemon.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.exited = make(chan error, 1)
	go func(daemon *exec.Cmd, exited chan error) { exited <- daemon.Wait() }(d.daemon, d.exited)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if _, err := os.Stat(socket(d.database)); err == nil {
			d.opened = append(d.opened, time.Since(began))
			return
		}
		select {
		case err := <-d.exited:
			d.t.Fatalf("the daemon did not start: %v", err)
		default:
		}
		if time.Since(began) > 20*time.Second {
			d.t.Fatal("the daemon did not open its socket")
		}
	}
}

// kill ends the daemon as a power cut does, at this very moment.
func (d *dying) kill() {
	d.t.Helper()
	select {
	case err := <-d.exited:
		d.t.Fatalf("the daemon ended by itself: %v", err)
	default:
	}
	if err := d.daemon.Process.Kill(); err != nil {
		d.t.Fatal(err)
	}
	<-d.exited
	if err := os.Remove(socket(d.database)); err != nil {
		d.t.Fatal(err)
	}
}

// stop ends the daemon as the system does when it shuts down.
func (d *dying) stop() {
	d.t.Helper()
	if err := d.daemon.Process.Signal(syscall.SIGTERM); err != nil {
		d.t.Fatal(err)
	}
	select {
	case err := <-d.exited:
		if err != nil {
			d.t.Errorf("asked to stop, the daemon ended with %v", err)
		}
	case <-time.After(8 * time.Second):
		d.t.Error("asked to stop, the daemon runs on")
		d.daemon.Process.Kill()
		<-d.exited
	}
}

// live lets the daemon live for a while, with a fault, and kills it.
func (d *dying) live(f fault) {
	d.t.Helper()
	before := d.happened(f)
	d.post.set(f, d.life+1)
	full := filepath.Join(d.disk, "full")
	switch f {
	case diskFull:
		d.fill(full)
	case imapRefuses:
		d.post.login(false)
	}
	d.serve()
	began := time.Now()
	pause := func(most int) { <-time.After(time.Duration(d.chance.IntN(most)) * time.Millisecond) }
	if d.chance.IntN(4) == 0 {
		pause(150) // it has hardly begun
	} else {
		pause(1000)
	}
	// The first time the daemon lives until the fault has happened.
	for before == 0 && f != calm && d.happened(f) == 0 && time.Since(began) < 3*time.Second {
		<-time.After(5 * time.Millisecond)
	}
	if d.life%2 == 0 {
		d.post.awaitProgress()
	}
	if d.chance.IntN(2) == 0 {
		switch f { // the fault may pass before the end of this life
		case diskFull:
			os.Remove(full)
		case imapRefuses:
			d.post.login(true)
		}
		pause(600)
	}
	if d.chance.IntN(2) == 0 {
		select {
		case <-d.post.beats: // a beat from before
		default:
		}
		select {
		case <-d.post.beats:
			<-time.After(time.Duration(d.chance.IntN(5000)) * time.Microsecond)
		case <-time.After(time.Second):
		}
	}
	d.kill()
	if f == diskFull {
		d.post.count(diskFull, bytes.Count(d.sinceLast(), []byte("no space left on device")))
		os.Remove(full)
	} else if f == imapRefuses {
		d.post.login(true)
	}
}

// begin lets letters come and go before anything breaks.
func (d *dying) begin() {
	d.t.Helper()
	d.post.set(calm, 1)
	d.serve()
	limit := time.Now().Add(time.Minute)
	for orders := 0; orders < 2*correspondents; {
		<-time.After(50 * time.Millisecond)
		orders = 0
		for _, p := range d.players {
			orders += p.count()
		}
		if time.Now().After(limit) {
			d.t.Fatal("the players get no reports")
		}
	}
	d.kill()
}

// happened tells how often a fault has happened so far.
func (d *dying) happened(f fault) int {
	if f == diskFull {
		return d.post.times(f) + bytes.Count(d.sinceLast(), []byte("no space left on device"))
	}
	return d.post.times(f)
}

// sinceLast is what the daemon has logged in this life.
func (d *dying) sinceLast() []byte {
	text, err := os.ReadFile(d.logged)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.t.Error(err)
	}
	return text[max(0, bytes.LastIndex(text, []byte(`msg="office open"`))):]
}

// missing names a fault that has not happened yet.
func (d *dying) missing() fault {
	for _, f := range allFaults {
		if d.post.times(f) == 0 {
			return f
		}
	}
	return ""
}

// fill writes until the disk is full. Pages of the database that are free are
// given back to the disk first: otherwise much could still be written there.
func (d *dying) fill(path string) {
	d.t.Helper()
	d.giveBack()
	f, err := os.Create(path)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 1<<20); len(block) > 0; {
		if _, err := f.Write(block); err != nil {
			block = block[:len(block)/2]
		}
	}
}

// giveBack makes holes of the free pages of the database.
func (d *dying) giveBack() {
	d.t.Helper()
	db, err := bbolt.Open(d.database, 0o600, &bbolt.Options{ReadOnly: true, PreLoadFreelist: true})
	if err != nil {
		d.t.Fatal(err)
	}
	var free []int64
	err = db.View(func(tx *bbolt.Tx) error {
		for id := 0; ; id++ {
			page, err := tx.Page(id)
			if page == nil || err != nil {
				return err
			}
			if page.Type == "free" {
				free = append(free, int64(id*db.Info().PageSize))
			}
		}
	})
	size := int64(db.Info().PageSize)
	if err := errors.Join(err, db.Close()); err != nil {
		d.t.Fatal(err)
	}
	f, err := os.OpenFile(d.database, os.O_RDWR, 0)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	const keepSize, punchHole = 1, 2
	for _, at := range free {
		if err := syscall.Fallocate(int(f.Fd()), keepSize|punchHole, at, size); err != nil {
			d.t.Fatal(err)
		}
	}
}

// office opens the database while no daemon runs.
func (d *dying) office() (*office, func()) {
	d.t.Helper()
	conf, err := loadConfig(d.config)
	if err != nil {
		d.t.Fatal(err)
	}
	h, err := openOffice(conf, slog.New(slog.DiscardHandler))
	if err != nil {
		d.t.Fatal(err)
	}
	return h, func() {
		if err := h.close(); err != nil {
			d.t.Error(err)
		}
	}
}

// keepGames makes sure that there are games to play, and that players who miss a report
// ask for it, since it was refused for good or lost by a server that had taken it.
func (d *dying) keepGames() {
	d.t.Helper()
	h, done := d.office()
	defer done()
	games, err := h.List()
	if err != nil {
		d.t.Fatal(err)
	}
	waiting := d.waiting(h.store)
	running := 0
	for _, g := range games {
		details, err := h.Show(g.ID)
		if err != nil {
			d.t.Fatal(err)
		}
		if details.Fault != "" {
			d.t.Fatalf("%s: %s", g.ID, details.Fault)
		}
		if g.State != "running" {
			continue
		}
		running++
		for _, seat := range details.Seats {
			if seat.Owes == nil || seat.Answered {
				continue
			}
			for _, p := range d.players {
				if stop := fmt.Sprintf("%s.%s.%d", g.ID, seat.Side, seat.Stop); p.address == seat.Person.Address && !p.has(stop) && !waiting[g.ID+" "+p.address] {
					if d.stuck[stop]++; d.stuck[stop]%4 == 2 { // the report is not on its way through Exim either
						p.ask(d.t, fmt.Sprintf("ask.%s.%d", stop, d.stuck[stop]), fmt.Sprintf("game: %s\nside: %s\nkey: %s\ncommand: report\n", g.ID, seat.Side, seat.Key))
					}
				}
			}
		}
	}
	for ; running < tables; running++ {
		n := len(d.games)
		id := fmt.Sprintf("death-%d", n+1)
		options, enemy := "napoleon\noptions: {setup: free}", "allied"
		if n%3 == 2 {
			options, enemy = "waterloo", "anglo"
		}
		one, other := n%correspondents, (n+1+n/correspondents%(correspondents-1))%correspondents
		setup, problems := h.ReadSetup(fmt.Sprintf("game: %s\nsystem: %s\ngm: {name: Gina, address: gm@%[3]s}\ndeadline: 72h\nsecond-thoughts: none\nseats:\n"+
			"  french: {name: Bruno, address: player%[4]d@%[3]s}\n  %[6]s: {name: Clara, address: player%[5]d@%[3]s}\n", id, options, domain, one+1, other+1, enemy), nil)
		if len(problems) > 0 {
			d.t.Fatal(problems)
		}
		if err := h.NewGame(d.t.Context(), setup); err != nil {
			d.t.Fatal(err)
		}
		d.games = append(d.games, id)
	}
}

// waiting tells for which games and players letters lie in the outbox, as
// "game address".
func (d *dying) waiting(st store.Store) map[string]bool {
	d.t.Helper()
	found := map[string]bool{}
	err := st.Read(context.Background(), func(tx store.Reader) error {
		for _, id := range tx.Due(time.Now().Add(24*time.Hour), 1<<20) {
			row, _ := tx.Outgoing(id)
			r, err := outbox.Unpack(row.Body)
			if err != nil {
				return err
			}
			found[r.Game+" "+r.Address] = true
		}
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return found
}

// settle waits until nothing is on its way any more.
func (d *dying) settle() {
	d.t.Helper()
	settled := func() (string, bool) {
		r, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/metrics", d.monitor))
		if err != nil {
			return err.Error(), false
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return err.Error(), false
		}
		for _, want := range []string{"berthier_outbox_due 0\n", "berthier_outbox_later 0\n", "berthier_mailbox_connected 1\n", "berthier_mailbox_waiting 0\n"} {
			if !bytes.Contains(text, []byte(want)) {
				return "not yet " + want, false
			}
		}
		if n := len(d.glob("mail", "office", "[cn]*", "[0-9]*")); n > 0 {
			return fmt.Sprintf("%d letters in the inbox", n), false
		}
		if n := len(d.glob("spool", "input", "*")); n > 0 {
			return fmt.Sprintf("%d files in Exim's queue", n), false
		}
		return "", true
	}
	limit := time.Now().Add(5 * time.Minute)
	for calm := 0; calm < 4; {
		<-time.After(500 * time.Millisecond)
		why, ok := settled()
		if calm++; !ok {
			calm = 0
		}
		if time.Now().After(limit) {
			d.t.Fatalf("the office does not settle: %s", why)
		}
	}
}

// glob lists files of the servers.
func (d *dying) glob(parts ...string) []string {
	d.t.Helper()
	files, err := filepath.Glob(filepath.Join(append([]string{d.s.dir}, parts...)...))
	if err != nil {
		d.t.Fatal(err)
	}
	return files
}

// mailbox counts the letters of a box, in all its folders, by Message-ID.
func (d *dying) mailbox(box string, folders ...string) map[string]int {
	d.t.Helper()
	found := map[string]int{}
	for _, folder := range folders {
		for _, file := range append(d.glob("mail", box, folder, "new", "*"), d.glob("mail", box, folder, "cur", "*")...) {
			f, err := os.Open(file)
			if err != nil {
				d.t.Fatal(err)
			}
			h, err := textproto.NewReader(bufio.NewReader(f)).ReadMIMEHeader()
			f.Close()
			if err != nil && len(h) == 0 {
				d.t.Fatalf("%s: %v", file, err)
			}
			found[strings.Trim(h.Get("Message-Id"), "<>")]++
		}
	}
	return found
}

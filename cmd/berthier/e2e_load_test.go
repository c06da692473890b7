//go:build e2e

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/engine"
	"berthier/mail"
)

// loadVariable names how many letters wait in TestEndToEndLoad; without it a few
// hundred, which is enough to see that each is answered once.
const loadVariable = "BERTHIER_LOAD"

const fewLetters = 300

// TestEndToEndLoad has letters of many games wait in a real Dovecot mailbox, and
// the real daemon take them in: fetch, judge, commit, answer through a real Exim,
// and file them. Each must be judged and answered exactly once, and nothing may be
// left. In the same run mbsync and getmail fetch and file copies of the mailbox,
// for comparison. With BERTHIER_LOAD=10000 the times are those of
// docs/performance.md.
func TestEndToEndLoad(t *testing.T) {
	n := lettersOfLoad(t)
	l := newLoad(t, n, nil, "office", "mbsync", "getmail")
	l.say("%d letters of as many games, %d of them with orders, %d with faults, %d commands; %.1f MB",
		n, l.kinds["taken"], l.kinds["refused"], l.kinds["command: status"], float64(l.bytes)/1e6)
	each := func(d time.Duration) string {
		return fmt.Sprintf("%.1f s, %.0f letters a second", d.Seconds(), float64(n)/d.Seconds())
	}
	took, cpu := l.mbsync()
	l.say("mbsync fetches and files: %s; %.1f s of processor time", each(took), cpu.Seconds())
	got := l.daemon()
	l.say("berthier fetches, judges, commits and files: %s", each(got.taken))
	l.say("berthier, all %d letters that follow at the SMTP server as well: %s; %.1f s of processor time", l.sent, each(got.answered), got.cpu.Seconds())
	l.say("processor time a letter by stage:\n%s", stageTable(l.t, got.stages, n))
	l.check()
	l.say("berthier, peak resident memory: %.0f MB, of it %.0f MB without files that are mapped; database: %.1f MB", got.peak, got.anonymous, got.database)
	if n > fewLetters {
		took, cpu, again := l.getmail()
		l.say("getmail fetches and files: %s; %.1f s of processor time; %d sessions of %d letters broke off and were made again",
			each(took), cpu.Seconds(), again, getmailSession)
	}
}

// lettersOfLoad is how many letters wait.
func lettersOfLoad(t *testing.T) int {
	t.Helper()
	n := fewLetters
	if text := os.Getenv(loadVariable); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			t.Fatalf("%s=%s: give a number of letters", loadVariable, text)
		}
	}
	return n
}

// A load is a mailbox full of letters, in three copies, and what is known about the
// letters.
type load struct {
	*endToEnd
	begun       time.Time
	n           int
	letters     []loadLetter
	kinds       map[string]int
	bytes, sent int
	resolved    int    // stops, when the games were made
	spool       string // of the SMTP server
	watch       string // address of the daemon's metrics
	smtp        int
}

// A loadLetter is one that waits.
type loadLetter struct {
	id     string // Message-ID
	digest [sha256.Size]byte
	game   string
	what   string // how it is to be taken in
	raw    []byte
}

// say prints something with the time since the test began.
func (l *load) say(format string, args ...any) {
	l.t.Logf("%6.1f s: %s", time.Since(l.begun).Seconds(), fmt.Sprintf(format, args...))
}

// newLoad sets the games up, lets a player of each game write a letter, and fills the
// mailboxes. Settle may change the configuration before; nil: it stays.
func newLoad(t *testing.T, n int, settle func(l *load, configuration string) string, boxes ...string) *load {
	t.Helper()
	begun := time.Now()
	s := startServers(t, boxes...)
	l := &load{begun: begun, endToEnd: newEndToEnd(t, s), n: n, kinds: map[string]int{}, smtp: freeLocalPort(t), watch: "127.0.0.1:" + strconv.Itoa(freeLocalPort(t))}
	l.ownSMTP()
	text, err := os.ReadFile(l.config)
	if err != nil {
		t.Fatal(err)
	}
	configuration := strings.Replace(string(text), fmt.Sprintf("port: %d, security: starttls", s.smtp), fmt.Sprintf("port: %d, security: starttls", l.smtp), 1)
	if settle != nil {
		configuration = settle(l, configuration)
	}
	l.write("berthier.yaml", configuration+"watch: {listen: "+l.watch+"}\n")
	if settle != nil {
		l.berthier("init", "-c", l.config)
	}
	l.setUp()
	l.fill(boxes...)
	return l
}

// ownSMTP starts an Exim that takes letters over and keeps them in its queue, so
// that every letter handed to it can be counted there.
func (l *load) ownSMTP() {
	t := l.t
	t.Helper()
	text, err := os.ReadFile(filepath.Join(l.s.dir, "exim.conf"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(l.s.dir, "load")
	for _, d := range []string{"spool", "log"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	l.spool = filepath.Join(dir, "spool", "input")
	conf := strings.NewReplacer(l.s.dir+"/spool", dir+"/spool", l.s.dir+"/log", dir+"/log", l.s.dir+"/exim.pid", dir+"/exim.pid",
		fmt.Sprintf("daemon_smtp_ports = %d", l.s.smtp), fmt.Sprintf("daemon_smtp_ports = %d", l.smtp),
		"queue_only = false", "queue_only = true", "local_parts = office :", "local_parts = ^p[0-9]+-[0-9]\\$ : office :").Replace(string(text))
	write(t, filepath.Join(dir, "exim.conf"), conf)
	giveToNobody(t, dir, "exim.conf")
	start(t, "/usr/sbin/exim4", "-C", filepath.Join(dir, "exim.conf"), "-bdf")
	waitForPort(t, l.smtp)
}

// loadGames are the set-ups that take turns.
var loadGames = []struct {
	sides [2]string
	text  string
}{
	{[2]string{"french", "allied"}, "system: napoleon\noptions: {setup: historical}\n"},
	{[2]string{"french", "allied"}, "system: napoleon\noptions: {setup: free}\n"},
	{[2]string{"french", "anglo"}, "system: waterloo\n"},
}

// resolvedEvery says that every so many letters one resolves its stop, so that reports
// with maps go out. In the other games the players change orders that they gave before,
// and only the confirmation goes out.
const resolvedEvery = 10

// setUp makes a game for each letter, and writes the letters. Only the players of the first
// games get their reports; those of the others are taken out of the outbox, so that the
// daemon sends only what follows from the letters.
func (l *load) setUp() {
	t := l.t
	t.Helper()
	conf, err := loadConfig(l.config)
	if err != nil {
		t.Fatal(err)
	}
	h, err := openOfficeOn(conf, slog.New(slog.DiscardHandler), bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	p := &loadPlayers{load: l, office: h, reports: map[string]*mail.Letter{}}
	l.letters = make([]loadLetter, l.n)
	p.each(0, len(loadGames), p.newGame)
	for sent := 1; sent > 0; {
		if sent, err = h.Send(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	l.say("the first reports are read")
	p.each(len(loadGames), l.n, p.newGame)
	l.say("the games are made")
	p.each(0, l.n, p.write)
	l.say("the letters are written")
	if err := h.store.Read(context.Background(), func(tx store.Reader) (err error) { _, l.resolved, err = logged(tx); return err }); err != nil {
		t.Fatal(err)
	}
	letters, err := h.store.Claim(t.Context(), time.Now(), time.Now(), 3*l.n, store.AllLanes)
	if err != nil {
		t.Fatal(err)
	}
	var c store.Change
	for _, letter := range letters {
		c.Outgoing = append(c.Outgoing, store.Outgoing{ID: letter.ID, Was: letter.Version()})
	}
	if err := h.store.Commit(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for _, letter := range l.letters {
		l.kinds[letter.what]++
		l.bytes += len(letter.raw)
	}
}

// loadPlayers get the first reports, and write the letters.
type loadPlayers struct {
	*load
	office  *office
	mu      sync.Mutex
	reports map[string]*mail.Letter // by address
}

// each does something for a range of numbers of games, many at once.
func (p *loadPlayers) each(from, to int, do func(int) error) {
	p.t.Helper()
	var wg sync.WaitGroup
	next := make(chan int)
	for range 32 {
		wg.Go(func() {
			for i := range next {
				if err := do(i); err != nil {
					p.t.Errorf("game %d: %v", i, err)
				}
			}
		})
	}
	for i := from; i < to && !p.t.Failed(); i++ {
		next <- i
	}
	close(next)
	wg.Wait()
	if p.t.Failed() {
		p.t.FailNow()
	}
}

func (p *loadPlayers) newGame(i int) error {
	g := loadGames[i%len(loadGames)]
	thoughts := "second-thoughts: 12h\n"
	if i%resolvedEvery == 0 {
		thoughts = "second-thoughts: none\n"
	}
	setup, problems := p.office.ReadSetup(fmt.Sprintf(`game: load-%[1]d
%[2]sgm: {name: The game master, address: gm@%[3]s, language: en}
seats:
  %[4]s: {name: Bruno %[1]d, address: p%[1]d-0@%[3]s, language: it, zone: Europe/Rome}
  %[5]s: {name: Clara %[1]d, address: p%[1]d-1@%[3]s, language: en, zone: Europe/London}
deadline: 72h
%[6]s`, i, g.text, domain, g.sides[0], g.sides[1], thoughts), nil)
	if len(problems) > 0 {
		return problems
	}
	return p.office.NewGame(p.t.Context(), setup)
}

// Send implements [mail.Sender]: it gives the players their reports.
func (p *loadPlayers) Send(_ context.Context, _, to string, raw []byte) error {
	letter, err := mail.Read(raw, mail.Own{})
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reports[to] = letter
	return nil
}

// write lets the player who is asked in a game write to the office. He quotes a report
// from one of the first games, with his own key in it.
func (p *loadPlayers) write(i int) error {
	id, like := fmt.Sprintf("load-%d", i), i%len(loadGames)
	for seat, side := range loadGames[like].sides {
		table, err := p.office.Position(id, engine.Side(side))
		if err != nil {
			return err
		}
		if table.Owes == nil {
			continue
		}
		key, err := p.office.Key(id, engine.Side(side))
		if err != nil {
			return err
		}
		answer := rulesets[table.System].Random(table.View, *table.Owes, rand.New(rand.NewPCG(uint64(i), uint64(seat))))
		letter := loadLetter{id: fmt.Sprintf("load.%d@players.%s", i, domain), game: id, what: "taken"}
		file := orderFile(table.Template, answer).Encode()
		switch i % 50 {
		case 17:
			letter.what, file = "refused", strings.Replace(file, "orders:", "oders:", 1)+"mvoe: everything\n"
		case 33:
			letter.what, file = "command: status", fmt.Sprintf("game: %s\nkey: %s\ncommand: status\n", id, key)
		}
		report := p.reports[fmt.Sprintf("p%d-%d@%s", like, seat, domain)]
		likeKey, err := p.office.Key(fmt.Sprintf("load-%d", like), engine.Side(side))
		if err != nil {
			return err
		}
		own := strings.NewReplacer(fmt.Sprintf("load-%d", like), id, likeKey, key)
		letter.raw = hand(i%int(hands)).write(envelope{
			from: fmt.Sprintf("p%d-%d@%s", i, seat, domain), name: []string{"Bruno", "Clara"}[seat], to: "office@" + domain, subject: own.Replace(report.Subject),
			messageID: letter.id, answer: fmt.Sprintf("report.%d@players.%s", i, domain), date: time.Now(),
		}, file, own.Replace(quotedText(report)))
		p.letters[i] = letter
		return nil
	}
	return fmt.Errorf("nobody owes anything in %s", id)
}

// fill puts the letters into mailboxes, as a delivery agent does: one file for each letter.
func (l *load) fill(boxes ...string) {
	t := l.t
	t.Helper()
	first := ""
	now := time.Now().Unix()
	for _, box := range boxes {
		dir := filepath.Join(l.s.dir, "mail", box)
		for _, d := range []string{"cur", "new", "tmp"} {
			if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for i := range l.letters {
			letter := &l.letters[i]
			path := filepath.Join(dir, "new", fmt.Sprintf("%d.M%06dP1.load", now, i))
			if first != "" {
				if err := os.Link(filepath.Join(first, filepath.Base(path)), path); err != nil {
					t.Fatal(err)
				}
				continue
			}
			read, err := mail.Read(letter.raw, mail.Own{})
			if err != nil {
				t.Fatal(err)
			}
			letter.digest = read.Digest
			write(t, path, strings.ReplaceAll(string(letter.raw), "\r\n", "\n"))
			letter.raw = nil
		}
		if first == "" {
			first = filepath.Join(dir, "new")
		}
		giveToNobody(t, dir, "")
	}
}

// files counts the letters of folders of a Maildir.
func (l *load) files(folders ...string) int {
	l.t.Helper()
	n := 0
	for _, folder := range folders {
		for _, d := range []string{"cur", "new"} {
			entries, err := os.ReadDir(filepath.Join(folder, d))
			if err != nil && !os.IsNotExist(err) {
				l.t.Fatal(err)
			}
			n += len(entries)
		}
	}
	return n
}

// fetched measures how long a program takes that files a copy of the mailbox into a
// Maildir. These programs run as the user of the servers, since getmail does not deliver as
// root.
func (l *load) fetched(home, program string, args ...string) (took, cpu time.Duration, err error) {
	t := l.t
	t.Helper()
	giveToNobody(t, home, "")
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append(os.Environ(), "HOME="+home)
	cmd.Dir = home
	if os.Getuid() == 0 {
		info, err := os.Stat(home)
		if err != nil {
			t.Fatal(err)
		}
		owner := info.Sys().(*syscall.Stat_t)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}}
	}
	begun := time.Now()
	stop := l.progress(program, func() int { return l.files(filepath.Join(home, "inbox")) })
	out, err := cmd.CombinedOutput()
	stop()
	took, cpu = time.Since(begun), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	if err != nil {
		err = fmt.Errorf("%s: %w (.ci/install installs what this test needs)\n%s", program, err, tail(string(out), 20))
	}
	return took, cpu, err
}

// progress tells each minute how far the work has got, until the function that it
// returns is called.
func (l *load) progress(what string, done func() int) (stop func()) {
	ended, told := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(told)
		tick := time.NewTicker(time.Minute)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				l.say("%s: %d letters", what, done())
			case <-ended:
				return
			}
		}
	}()
	return func() { close(ended); <-told }
}

// home makes a folder for a program that fetches mail, with its configuration.
func (l *load) home(name, configuration string) string {
	l.t.Helper()
	home := filepath.Join(l.s.dir, "by-"+name)
	for _, d := range []string{"cur", "new", "tmp"} {
		if err := os.MkdirAll(filepath.Join(home, "inbox", d), 0o755); err != nil {
			l.t.Fatal(err)
		}
	}
	write(l.t, filepath.Join(home, "rc"), strings.NewReplacer("HOME", home, "PORT", strconv.Itoa(l.s.imaps), "CERTIFICATE", l.s.caFile, "SESSION", strconv.Itoa(getmailSession)).Replace(configuration))
	return home
}

func (l *load) mbsync() (took, cpu time.Duration) {
	home := l.home("mbsync", `IMAPAccount load
Host localhost
Port PORT
User mbsync
Pass secret
SSLType IMAPS
CertificateFile CERTIFICATE

IMAPStore far
Account load

MaildirStore near
Path HOME/
Inbox HOME/inbox

Channel load
Far :far:
Near :near:
Patterns INBOX
Sync Pull New
SyncState *
`)
	took, cpu, err := l.fetched(home, "mbsync", "-q", "-c", filepath.Join(home, "rc"), "load")
	if err != nil {
		l.t.Fatal(err)
	}
	if got := l.files(filepath.Join(home, "inbox")); got != l.n {
		l.t.Fatalf("mbsync filed %d letters, want %d", got, l.n)
	}
	return took, cpu
}

// getmail starts a child process for each letter. Sometimes it misses the signal that the
// child has ended: it then waits for as long as a server may be silent, breaks off, and
// forgets everything that it fetched since it started. So it fetches in sessions of so many
// letters, and a session that breaks off is repeated. The waiting is not counted, but what
// was fetched in vain is.
const (
	getmailSession = 50
	getmailWait    = 5 * time.Second
)

func (l *load) getmail() (took, cpu time.Duration, again int) {
	home := l.home("getmail", `[retriever]
type = SimpleIMAPSSLRetriever
server = localhost
port = PORT
username = getmail
password = secret
ca_certs = CERTIFICATE
timeout = 5
mailboxes = ("INBOX",)
[destination]
type = Maildir
path = HOME/inbox/
[options]
read_all = false
delete = false
verbose = 0
max_messages_per_session = SESSION
delivered_to = false
received = false
`)
	inbox := filepath.Join(home, "inbox")
	for {
		filed := l.files(inbox)
		t, c, err := l.fetched(home, "getmail", "--getmaildir="+home, "--rcfile="+filepath.Join(home, "rc"))
		took, cpu = took+t, cpu+c
		switch {
		case err != nil && (!strings.Contains(err.Error(), "timed out") || again > l.n):
			l.t.Fatal(err)
		case err != nil:
			took -= getmailWait
			again++
		case l.files(inbox) == filed: // the session found no letter
			if filed < l.n {
				l.t.Fatalf("getmail filed %d letters, want %d", filed, l.n)
			}
			return took, cpu, again
		}
	}
}

// A measured run of the daemon.
type measured struct {
	taken    time.Duration // until all letters are taken in and filed
	answered time.Duration // until all letters that follow are at the SMTP server
	cpu      time.Duration // processor time

	peak, anonymous float64 // resident memory, MB
	database        float64 // size, MB
	stages          []byte  // CPU profile
}

// daemon runs the daemon until the mailbox and the outbox are empty.
func (l *load) daemon() measured {
	t := l.t
	t.Helper()
	log, err := os.Create(l.file("daemon.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(l.program, "serve", "-c", l.config)
	cmd.Stdout, cmd.Stderr = log, log
	var m measured
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	defer func() {
		if t.Failed() {
			cmd.Process.Kill()
			<-ended
			text, _ := os.ReadFile(log.Name())
			t.Logf("end of the daemon's log:\n%s", tail(string(text), 30))
		}
	}()
	profiled := l.profiled()
	defer l.progress("berthier", func() int { return int(l.totals()["letters_taken_total"]) })()
	limit := begun.Add(time.Minute + time.Duration(l.n)*200*time.Millisecond)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	box := filepath.Join(l.s.dir, "mail", "office")
	var quiet time.Duration // since when there has been nothing to send
	for m.answered == 0 {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("the daemon ended: %v", err)
		case <-tick.C:
		}
		m.anonymous = max(m.anonymous, l.memory(cmd.Process.Pid, "RssAnon"))
		totals := l.totals()
		took := time.Since(begun)
		if took > time.Until(limit)+took {
			t.Fatalf("not done after %s: %v", took, totals)
		}
		if int(totals["letters_taken_total"]) < l.n {
			continue
		}
		if m.taken == 0 && l.files(box) == 0 {
			m.taken = took
		}
		sent := int(totals["letters_sent_total"])
		switch {
		case m.taken == 0 || totals["outbox_due"] != 0:
			quiet = 0
		case quiet == 0 || sent != l.sent:
			quiet, l.sent = took, sent
		case took-quiet >= 4*time.Second: // nothing follows: reports that wait a second have gone, too
			m.answered = quiet
		}
	}
	m.peak = l.memory(cmd.Process.Pid, "VmHWM")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		ended <- err
		t.Fatalf("the daemon ended: %v", err)
	}
	ended <- nil
	m.stages = <-profiled
	m.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	info, err := os.Stat(l.file("berthier.db"))
	if err != nil {
		t.Fatal(err)
	}
	m.database = float64(info.Size()) / 1e6
	return m
}

// memory gives one of the figures about a process's memory, in MB; 0 where the system has none.
func (l *load) memory(pid int, name string) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kb int
		if n, _ := fmt.Sscanf(line, name+": %d kB", &kb); n == 1 {
			return float64(kb) * 1024 / 1e6
		}
	}
	return 0
}

// totals asks the daemon for its metrics, summed over their labels. It gives none until
// the daemon listens.
func (l *load) totals() map[string]float64 { return l.totalsOf(l.watch) }

// totalsOf asks who listens at an address.
func (l *load) totalsOf(watch string) map[string]float64 {
	response, err := http.Get("http://" + watch + "/metrics")
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil
	}
	all := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		at := strings.LastIndexByte(line, ' ')
		if at < 0 || strings.HasPrefix(line, "#") {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(line[:at], "berthier_"), "{")
		figure, err := strconv.ParseFloat(strings.TrimSpace(line[at:]), 64)
		if err != nil {
			l.t.Fatalf("metrics: %q", line)
		}
		all[name] += figure
	}
	return all
}

// check checks that each letter was filed, taken in as its kind demands, logged once, and
// answered by exactly one letter at the SMTP server.
func (l *load) check() {
	t := l.t
	t.Helper()
	box := filepath.Join(l.s.dir, "mail", "office")
	processed, rejected := l.files(filepath.Join(box, ".Processed")), l.files(filepath.Join(box, ".Rejected"))
	if left := l.files(box); left != 0 || rejected != l.kinds["refused"] || processed != l.n-rejected {
		t.Errorf("%d letters left, %d processed, %d rejected", left, processed, rejected)
	}
	conf, err := loadConfig(l.config)
	if err != nil {
		t.Fatal(err)
	}
	st, err := openStore(conf, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	var entries map[string]int
	resolved := 0
	err = st.Read(context.Background(), func(tx store.Reader) error {
		if first, ok := tx.FirstDue(); ok && !first.After(time.Now()) {
			t.Error("a letter is still to be sent")
		}
		for _, letter := range l.letters {
			data, taken := tx.Marked(letter.digest)
			var note struct {
				What string
				Game string
			}
			if !taken || json.Unmarshal(data, &note) != nil || note.What != letter.what || note.Game != letter.game {
				t.Errorf("letter %s is taken in as %q of %q, want %q of %q", letter.id, note.What, note.Game, letter.what, letter.game)
			}
		}
		entries, resolved, err = logged(tx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	counted := 0
	for _, letter := range l.letters {
		if letter.what == "command: status" {
			continue
		}
		counted++
		if n := entries[letter.what+" "+hex.EncodeToString(letter.digest[:])]; n != 1 {
			t.Errorf("letter %s is %d times in the log", letter.id, n)
		}
	}
	if len(entries) != counted {
		t.Errorf("%d letters in the logs, want %d", len(entries), counted)
	}
	want := 0
	for i := 0; i < l.n; i += resolvedEvery {
		if l.letters[i].what == "taken" {
			want++
		}
	}
	if resolved -= l.resolved; resolved < want || resolved > 2*want {
		t.Errorf("%d stops resolved, want %d or somewhat more", resolved, want)
	}
	answers := l.answers()
	for _, letter := range l.letters {
		if n := answers[letter.id]; n != 1 {
			t.Errorf("letter %s is answered %d times", letter.id, n)
		}
	}
	if len(answers) != l.n {
		t.Errorf("%d letters are answered, want %d", len(answers), l.n)
	}
}

// logged counts in the logs of all games how often each letter was taken or refused, by
// verdict and digest, and how many stops were resolved.
func logged(tx store.Reader) (letters map[string]int, resolved int, err error) {
	letters = map[string]int{}
	err = tx.Games(func(game string, _ []byte) error {
		return tx.Entries(game, 1, func(e chain.Entry) error {
			entry, err := wholeEntry(e)
			if err != nil {
				return err
			}
			switch entry.Kind {
			case log.KindTaken, log.KindRefused:
				letters[entry.Kind+" "+entry.Letter]++
			case log.KindResolved:
				resolved++
			}
			return nil
		})
	})
	return letters, resolved, err
}

var inReplyTo = regexp.MustCompile(`(?i)In-Reply-To: <([^>]+)>`)

// answers counts the letters in the SMTP server's queue that answer a letter, by
// the letter's Message-ID.
func (l *load) answers() map[string]int {
	t := l.t
	t.Helper()
	headers, err := filepath.Glob(filepath.Join(l.spool, "*-H"))
	if err != nil {
		t.Fatal(err)
	}
	if len(headers) != l.sent {
		t.Errorf("%d letters in the queue, want %d", len(headers), l.sent)
	}
	answers := map[string]int{}
	for _, path := range headers {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte("Auto-Submitted: auto-replied")) {
			continue
		}
		id := inReplyTo.FindSubmatch(text)
		if id == nil {
			t.Errorf("an answer that answers nothing: %s", path)
			continue
		}
		answers[string(id[1])]++
	}
	return answers
}

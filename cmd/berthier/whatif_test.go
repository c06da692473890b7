package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
)

// whatIfSetup is a game whose first turn both sides pass, so that its stops take
// many dice: a deal, then bids and draws for the initiative.
const whatIfSetup = `game: crossroads
system: waterloo
options: {scenario-length: quick}
seed: a fixed seed
gm: {name: Gina, address: %s, language: en}
seats:
  french: {name: Rosa, address: rosa@play.example, language: en}
  anglo: {name: Bruno, address: bruno@play.example, language: it}
deadline: 3d
`

// An errand runs commands on one configuration.
type errand struct {
	*testing.T
	config string
}

// does runs a command and gives what it printed.
func (e errand) does(args ...string) (code int, out, errout string) {
	e.Helper()
	var o, f bytes.Buffer
	code = run(e.Context(), append(args, "-c", e.config), &o, &f)
	return code, o.String(), f.String()
}

// must runs a command that has to succeed.
func (e errand) must(args ...string) string {
	e.Helper()
	code, out, errout := e.does(args...)
	if code != 0 {
		e.Fatalf("%v: %d %s", args, code, errout)
	}
	return out
}

// file writes a file beside the configuration.
func (e errand) file(name, text string) string {
	e.Helper()
	path := filepath.Join(filepath.Dir(e.config), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		e.Fatal(err)
	}
	return path
}

// records gives a game with its entries as a copy of the database has them, and tells
// whether letters wait to be sent.
func (e errand) records(id string) (all string, waiting bool) {
	e.Helper()
	copied := filepath.Join(e.TempDir(), "copy.db")
	e.must("backup", copied)
	st, err := bolt.Open(copied, bolt.Options{})
	if err != nil {
		e.Fatal(err)
	}
	defer st.Close()
	var b strings.Builder
	if err := st.Read(context.Background(), func(tx store.Reader) error {
		waiting = len(tx.Due(time.Now().Add(24*time.Hour), 1)) > 0
		fmt.Fprintf(&b, "%s\n", tx.Game(id))
		return tx.Entries(id, 0, func(x chain.Entry) error {
			fmt.Fprintf(&b, "%d %x %.120s\n", x.Seq, x.Hash, x.Body)
			return nil
		})
	}); err != nil {
		e.Fatal(err)
	}
	return b.String(), waiting
}

// serves runs a daemon until the end of the test, and waits until it has sent what
// waited. It gives the daemon's log.
func (e errand) serves(database string) *buffer {
	e.Helper()
	ctx, stop := context.WithCancel(e.Context())
	log, ended := &buffer{}, make(chan int, 1)
	go func() { ended <- run(ctx, []string{"serve", "-c", e.config}, io.Discard, log) }()
	e.Cleanup(func() {
		stop()
		if code := <-ended; code != 0 {
			e.Errorf("the daemon ended with %d: %s", code, log.String())
		}
	})
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		select {
		case code := <-ended:
			ended <- code
			e.Fatalf("the daemon ended: %s", log.String())
		default:
		}
		if _, err := os.Stat(socket(database)); err != nil {
			continue // its socket is not open yet
		}
		if _, waiting := e.records("crossroads"); !waiting {
			break
		}
	}
	return log
}

// A stop of any game is played on a copy, with given orders and dice, by the command
// alone and through a daemon: the answer is the same, to the byte, and the database
// stays as it is.
func TestWhatIfWithAndWithoutADaemon(t *testing.T) {
	host, config, database := site(t, "")
	for _, box := range []string{"gina@club.example", "rosa@play.example", "bruno@play.example"} {
		if err := host.AddBox(box, "secret"); err != nil {
			t.Fatal(err)
		}
	}
	e := errand{t, config}
	pass := e.file("pass.yaml", "stop: 1 round\norders: [{end: round}]\n")
	e.must("game", "new", e.file("set-up.yaml", fmt.Sprintf(whatIfSetup, "gina@club.example")))
	hand := regexp.MustCompile(`hand: \[(F\d\d)`).FindStringSubmatch(e.must("game", "position", "crossroads", "--yaml"))
	moves := e.file("moves.yaml", "orders: [{card: "+hand[1]+", move: none}, {end: round}]\n")
	e.must("game", "answer", "crossroads", "french", pass)
	e.must("game", "answer", "crossroads", "anglo", pass)

	bid := e.file("bid.yaml", "orders: {bid: none}\n")
	questions := [][]string{
		{"crossroads"},
		{"crossroads", "--json"},
		{"crossroads", "--stop", "1"},
		{"crossroads", "--stop", "2"},
		{"crossroads", "--stop", "2", "--json"},
		{"crossroads", "--stop", "1", "--orders", "french=" + moves},
		{"crossroads", "--stop", "2", "--default", "anglo", "--dice", "1,0,2"},
		{"crossroads", "--stop", "2", "--orders", "anglo=" + pass, "--dice", "26,25,24"},
		{"crossroads", "--stop", "3", "--orders", "french=" + bid, "--orders", "anglo=" + bid, "--dice", "1,2"},
		{"crossroads", "--stop", "9"},
		{"crossroads", "--stop", "2", "--orders", "french=" + bid},
		{"crossroads", "--stop", "2", "--dice", "99"},
	}
	ask := func() (answers []string) {
		for _, q := range questions {
			code, out, errout := e.does(append([]string{"game", "what-if"}, q...)...)
			answers = append(answers, fmt.Sprintf("%d\n%s\n%s", code, out, errout))
		}
		return answers
	}
	before, err := os.ReadFile(database)
	if err != nil {
		t.Fatal(err)
	}
	alone := ask()
	after, err := os.ReadFile(database)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, after) {
		t.Error("the database has changed")
	}

	log := e.serves(database)
	entries, _ := e.records("crossroads")
	for i, through := range ask() {
		if through != alone[i] {
			t.Errorf("%v through the daemon:\n%s\nand without:\n%s", questions[i], through, alone[i])
		}
	}
	if n := strings.Count(log.String(), "command=what-if"); n != len(questions) {
		t.Errorf("the daemon answered %d of %d questions: %s", n, len(questions), log.String())
	}
	if now, _ := e.records("crossroads"); now != entries {
		t.Errorf("the daemon's record of the game has changed from\n%s\nto\n%s", entries, now)
	}
	for i, wants := range [][]string{
		0:  {"0\n", "game crossroads, stop 3, on a copy: nothing was changed", "french bid (default)", "anglo bid (default)", "TOLD"},
		2:  {"french round (recorded)", "nothing was changed"},
		3:  {"anglo round (recorded)", "DICE", "recorded"},
		5:  {"french round (given)", "cards.french.used"},
		6:  {"anglo round (default)", "given"},
		7:  {"anglo round (given)", "d26  26  given", "d25  25  given"},
		8:  {"french bid (given)", "anglo bid (given)", "given", "[WAT-7.4]"},
		9:  {"no stop 9"},
		10: {"owes nothing"},
		11: {"die 1 is given as 99"},
	} {
		for _, want := range wants {
			if !strings.Contains(alone[i], want) {
				t.Errorf("%v does not say %q:\n%s", questions[i], want, alone[i])
			}
		}
	}
}

// In a game whose master plays, he may not ask for a what-if of a stop: it would tell what
// both sides hold. An administrator who does not play may ask, and all players are told
// that he did; with gm-plays: open anybody at the machine may ask.
func TestWhatIfWhereTheMasterPlays(t *testing.T) {
	_, config, _ := site(t, "")
	e := errand{t, config}
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	const address = "office@club.example"
	e.file(filepath.Base(config), strings.Replace(string(text), address+"}", address+", administrators: [{name: Gina, address: gina@club.example}]}", 1))
	setup := fmt.Sprintf(whatIfSetup, "rosa@play.example")
	e.must("game", "new", e.file("set-up.yaml", setup))
	before, _ := e.records("crossroads")
	for _, as := range []string{"", "rosa@play.example", "bruno@play.example", "nobody"} {
		args := []string{"game", "what-if", "crossroads"}
		if as != "" {
			args = append(args, "--as", as)
		}
		code, out, errout := e.does(args...)
		if code == 0 || out != "" || !strings.Contains(errout, "gina@club.example") || strings.Contains(errout, "TOLD") {
			t.Errorf("%q: %d %s%s", as, code, out, errout)
		}
	}
	if after, _ := e.records("crossroads"); after != before {
		t.Errorf("a refusal changes the game's record from\n%s\nto\n%s", before, after)
	}
	if out := e.must("game", "what-if", "crossroads", "--as", "gina@club.example"); !strings.Contains(out, "french round (default)") {
		t.Errorf("who does not play is answered\n%s", out)
	}
	after, waiting := e.records("crossroads")
	if n := strings.Count(after, "\n") - strings.Count(before, "\n"); n != 1 || !waiting || !strings.Contains(after, `"looked"`) {
		t.Errorf("that somebody looked is not in the log:\n%s", after)
	}
	e.must("game", "new", e.file("open.yaml", strings.Replace(setup, "crossroads", "open", 1)+"gm-plays: open\n"))
	if out := e.must("game", "what-if", "open"); !strings.Contains(out, "nothing was changed") {
		t.Errorf("with gm-plays: open:\n%s", out)
	}
}

package main

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store/bolt"
	"berthier/engine"
	"berthier/mail"

	"github.com/emersion/go-message"
)

// A ruledGame is a game with many rulings, played through letters whose bytes are kept as
// the players got them, since players verify the game from these.
type ruledGame struct {
	*testing.T
	system  string
	options string
	byHand  bool // rulings are made on the command line
	dir     string
	ahead   time.Duration // of the office's clock: one minute for each letter
	office  *office
	sides   []engine.Side
	letters int
	got     map[string][]*mail.Letter
	chance  *rand.Rand
}

const (
	ruledID  = "ruled-1"
	ruledGM  = "gm@club.example"
	ruledOwn = "orders@club.example"
)

func (g *ruledGame) address(side engine.Side) string { return string(side) + "@play.example" }

func (g *ruledGame) file(names ...string) string {
	return filepath.Join(append([]string{g.dir}, names...)...)
}

type movingClock struct{ g *ruledGame }

func (c movingClock) Now() time.Time { return time.Now().Add(c.g.ahead) }

// Send puts a letter into the folder of its reader.
func (g *ruledGame) Send(_ context.Context, _, to string, raw []byte) error {
	l, err := mail.Read(raw, mail.Own{})
	if err != nil {
		return err
	}
	g.got[to] = append(g.got[to], l)
	if err := os.MkdirAll(g.file(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(g.file(to, fmt.Sprintf("%04d.eml", len(g.got[to]))), raw, 0o644)
}

func newRuledGame(t *testing.T, system, options string, byHand bool) *ruledGame {
	t.Helper()
	g := &ruledGame{T: t, system: system, options: options, byHand: byHand, dir: t.TempDir(), got: map[string][]*mail.Letter{},
		chance: rand.New(rand.NewPCG(7, 7))}
	keep(t, g.file("password"), "secret\n")
	keep(t, g.file("berthier.yaml"), fmt.Sprintf(`office: {address: %s}
database: %s
imap: {host: mail.club.example, user: orders, password-file: password}
smtp: {host: mail.club.example, user: orders, password-file: password}
`, ruledOwn, g.file("berthier.db")))
	makeDatabase(t, g.file("berthier.db"))
	position, err := rulesets[system].New(engine.Setup{Options: optionsOf(options)})
	if err != nil {
		t.Fatal(err)
	}
	g.sides = position.Sides()
	set := fmt.Sprintf("game: %s\ntitle: A game with rulings\nsystem: %s\noptions: {%s}\ngm: {name: Gina, address: %s}\ndeadline: 60d\nsecond-thoughts: none\nseed: ruled\nseats:\n",
		ruledID, system, options, ruledGM)
	for _, side := range g.sides {
		set += fmt.Sprintf("  %s: {name: Player of %s, address: %s, language: en}\n", side, side, g.address(side))
	}
	g.open()
	t.Cleanup(func() { g.office.store.Close() })
	setup, problems := g.office.ReadSetup(set, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if err := g.office.NewGame(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	g.post()
	return g
}

func optionsOf(text string) map[string]string {
	all := map[string]string{}
	for _, one := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(one, ":")
		all[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return all
}

func (g *ruledGame) open() {
	g.Helper()
	words, err := catalogue()
	if err != nil {
		g.Fatal(err)
	}
	st, err := bolt.Open(g.file("berthier.db"), bolt.Options{NoSync: true})
	if err != nil {
		g.Fatal(err)
	}
	var systems []engine.Ruleset
	for _, r := range rulesets {
		systems = append(systems, r)
	}
	inner, err := adjudicator.New(st, words, systems, adjudicator.Options{Repeatable: true, Secret: st.Secret(),
		From: mail.Address{Name: "Berthier", Addr: ruledOwn}, Quiet: -1, AnswersPerHour: 1 << 30, Senders: 1, Clock: movingClock{g},
	})
	if err != nil {
		g.Fatal(err)
	}
	g.office = &office{Office: inner, Clerk: inner.Clerk(), store: st, words: words}
}

// post sends all letters that are due.
func (g *ruledGame) post() {
	g.Helper()
	for {
		n, err := g.office.Send(g.Context(), g)
		if err != nil {
			g.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
}

// program runs the program on the database of the game.
func (g *ruledGame) program(args ...string) (out, errout string, code int) {
	g.Helper()
	if err := g.office.store.Close(); err != nil {
		g.Fatal(err)
	}
	var o, e bytes.Buffer
	code = run(g.Context(), append(args, "-c", g.file("berthier.yaml")), &o, &e)
	g.open()
	g.post()
	return o.String(), e.String(), code
}

// must runs the program and expects it to succeed.
func (g *ruledGame) must(args ...string) (out, errout string) {
	g.Helper()
	out, errout, code := g.program(args...)
	if code != 0 {
		g.Fatalf("berthier %s: %d\n%s%s", strings.Join(args, " "), code, out, errout)
	}
	return out, errout
}

// write hands a letter in and gives the letters that its writer then gets.
func (g *ruledGame) write(from, text string) []*mail.Letter {
	g.Helper()
	g.letters++
	g.ahead += time.Minute
	raw := fmt.Appendf(nil, "From: %s\r\nTo: %s\r\nSubject: orders\r\nDate: %s\r\nMessage-ID: <%d@%s>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n%s",
		from, ruledOwn, time.Now().Add(g.ahead).Format(time.RFC1123Z), g.letters, from, strings.ReplaceAll(text, "\n", "\r\n"))
	g.ahead += time.Minute
	had := len(g.got[from])
	if _, err := g.office.Handle(g.Context(), mail.Incoming{UID: uint32(g.letters), Raw: raw, Size: int64(len(raw))}); err != nil {
		g.Fatal(err)
	}
	if err := g.office.Tick(g.Context()); err != nil {
		g.Fatal(err)
	}
	g.post()
	return g.got[from][had:]
}

func (g *ruledGame) key(side engine.Side) string {
	g.Helper()
	k, err := g.office.Key(ruledID, side)
	if err != nil {
		g.Fatal(err)
	}
	return k
}

// command is a letter with a command.
func (g *ruledGame) command(side engine.Side, lines ...string) string {
	return "game: " + ruledID + "\nkey: " + g.key(side) + "\n" + strings.Join(lines, "\n") + "\n"
}

func wordsIn(letters ...*mail.Letter) string {
	var all []string
	for _, l := range letters {
		all = append(all, l.Subject)
		for _, p := range l.Parts {
			if p.Kind == mail.Plain {
				all = append(all, p.Text)
			}
		}
	}
	return strings.Join(all, "\n")
}

func (g *ruledGame) says(text string, parts ...string) {
	g.Helper()
	flat := strings.Join(strings.Fields(text), " ")
	for _, part := range parts {
		if !strings.Contains(flat, part) {
			g.Errorf("%q is not said in:\n%s", part, text)
		}
	}
}

// told is what a side was told in the letters that it got after a mark.
func (g *ruledGame) told(side engine.Side, mark map[engine.Side]int) string {
	return wordsIn(g.got[g.address(side)][mark[side]:]...)
}

func (g *ruledGame) mark() map[engine.Side]int {
	m := map[engine.Side]int{}
	for _, side := range g.sides {
		m[side] = len(g.got[g.address(side)])
	}
	return m
}

var ruledCode = regexp.MustCompile(`(?:confirm: |--confirm )([0-9A-Z]{4}-[0-9A-Z]{4})`)

// rule previews a ruling or a rewind and confirms it; it gives the preview.
func (g *ruledGame) rule(command string, lines ...string) string {
	g.Helper()
	before := g.position()
	var preview, done string
	text := "command: " + command + "\n" + strings.Join(lines, "\n") + "\n"
	if g.byHand {
		args := []string{"rule", ruledID, "--as", "anna"}
		if command == "rewind" {
			args = []string{"game", "rewind", ruledID, "--as", "anna"}
			for _, line := range lines {
				key, value, _ := strings.Cut(line, ": ")
				args = append(args, "--"+key, value)
			}
		} else {
			keep(g.T, g.file("ruling.yaml"), text)
			args = append(args, g.file("ruling.yaml"))
		}
		out, errout := g.must(args...)
		preview = out + errout
		if !bytes.Equal(before, g.position()) {
			g.Fatal("a preview changes the position")
		}
		code := g.code(preview)
		done, _ = g.must(append(args[:len(args):len(args)], "--confirm", code)...)
	} else {
		preview = wordsIn(g.write(ruledGM, g.command(engine.GM, text))...)
		if !bytes.Equal(before, g.position()) {
			g.Fatal("a preview changes the position")
		}
		done = wordsIn(g.write(ruledGM, g.command(engine.GM, "command: "+command, "confirm: "+g.code(preview)))...)
	}
	g.says(preview, "Nothing has changed yet")
	g.says(done, "It counts, as entry")
	return preview
}

func (g *ruledGame) code(preview string) string {
	g.Helper()
	found := ruledCode.FindStringSubmatch(preview)
	if found == nil {
		g.Fatalf("no code in the preview:\n%s", preview)
	}
	return found[1]
}

func (g *ruledGame) position() []byte {
	g.Helper()
	p, err := g.office.Position(ruledID, engine.GM)
	if err != nil {
		g.Fatal(err)
	}
	return p.Snapshot
}

// An entry of the log, as an export has it.
type ruledEntry struct {
	n    uint64
	kind string
	body string
}

func (g *ruledGame) log() []ruledEntry {
	g.Helper()
	x, err := g.office.Export(ruledID, engine.GM)
	if err != nil {
		g.Fatal(err)
	}
	var all []ruledEntry
	for _, e := range x.Entries {
		kind := regexp.MustCompile(`"kind":"([a-z]+)"`).FindStringSubmatch(e.Body)
		all = append(all, ruledEntry{e.N, kind[1], e.Body})
	}
	return all
}

// newest is the number of the last entry of a kind.
func (g *ruledGame) newest(kind string) string {
	g.Helper()
	for _, e := range slices.Backward(g.log()) {
		if e.kind == kind {
			return strconv.FormatUint(e.n, 10)
		}
	}
	g.Fatalf("no entry %s", kind)
	return ""
}

func (g *ruledGame) state() *adjudicator.Details {
	g.Helper()
	d, err := g.office.Show(ruledID)
	if err != nil {
		g.Fatal(err)
	}
	return d
}

// owing are the sides that owe an answer.
func (g *ruledGame) owing() []engine.Side { return g.state().Waiting }

// orders is a good file of a side for what it owes.
func (g *ruledGame) orders(side engine.Side) string {
	g.Helper()
	table, err := g.office.Position(ruledID, side)
	if err != nil {
		g.Fatal(err)
	}
	return orderFile(table.Template, rulesets[g.system].Sensible(table.View, *table.Owes, g.chance)).Encode()
}

// play resolves stops until enough gives true, or the game is over.
func (g *ruledGame) play(enough func() bool) {
	g.Helper()
	for range 300 {
		if enough() || g.state().State != "running" {
			return
		}
		side := g.owing()[0]
		g.write(g.address(side), g.orders(side))
	}
	g.Fatal("it never comes to what the test waits for")
}

func (g *ruledGame) stops(n int) func() bool {
	until := g.state().Stop + n
	return func() bool { return g.state().Stop >= until }
}

var (
	rollLine = regexp.MustCompile(`"d":(\d+),"r":(\d+)`)
	stopOf   = regexp.MustCompile(`"stop":(\d+)`)
)

// rolled finds a stop with dice whose number of sides is wanted: the stop, how many dice
// were rolled there, and the first of them.
func (g *ruledGame) rolled(sides func(int) bool) (stop, roll, of, result int, ok bool) {
	g.Helper()
	for _, e := range slices.Backward(g.log()) {
		if e.kind != log.KindResolved {
			continue
		}
		for i, r := range rollLine.FindAllStringSubmatch(e.body, -1) {
			d, _ := strconv.Atoi(r[1])
			if sides(d) {
				if named := stopOf.FindStringSubmatch(e.body[:strings.Index(e.body, `"data"`)]); named != nil {
					stop, _ = strconv.Atoi(named[1])
				} // otherwise it is what was dealt before the first stop
				result, _ = strconv.Atoi(r[2])
				return stop, i + 1, d, result, true
			}
		}
	}
	return 0, 0, 0, 0, false
}

// verifies checks the game from an export of each side, and from the letters of each
// player alone, with the program.
func (g *ruledGame) verifies(name string) (export string) {
	g.Helper()
	for _, side := range append([]engine.Side{""}, g.sides...) {
		file := g.file(name + "-" + string(side) + ".yaml")
		args := []string{"game", "export", ruledID, "--out", file}
		if side != "" {
			args = append(args, "--side", string(side))
		} else {
			export = file
		}
		g.must(args...)
		for i, reader := range g.sides {
			if side != "" && i > 0 && side != reader {
				continue
			}
			out, errout, code := g.program("game", "verify", file, "--letters", g.file(g.address(reader)))
			if code != 0 || !strings.Contains(out, "game "+ruledID+" holds") || strings.Contains(out, "differ ") || strings.Contains(out, " 0 letters") {
				g.Errorf("export of %q, letters of %s: %s%s", side, reader, out, errout)
			}
		}
	}
	for _, reader := range g.sides {
		g.verifiesAlone(reader)
	}
	return export
}

// verifiesAlone checks the game from nothing but the letters that a player has: the
// log that came with the last of them, and what stands at the foot of each. It needs
// neither the office nor its configuration. It finds a die that was changed in the log, and
// a letter whose hash, or whose number of an entry, does not belong to the log.
func (g *ruledGame) verifiesAlone(reader engine.Side) {
	g.Helper()
	log, folder, dir := g.mailed(reader)[ruledID+".yaml"], g.file(g.address(reader)), g.TempDir()
	verify := func(log []byte, folder string) (string, int) {
		file := filepath.Join(dir, "log.yaml")
		keep(g.T, file, string(log))
		var out, errout bytes.Buffer
		code := run(g.Context(), []string{"game", "verify", file, "--letters", folder}, &out, &errout)
		return out.String() + errout.String(), code
	}
	said, code := verify(log, folder)
	if count := regexp.MustCompile(`(\d+) letters whose`).FindStringSubmatch(said); code != 0 || !strings.Contains(said, "game "+ruledID+" holds") ||
		strings.Contains(said, "differ ") || count == nil || len(count[1]) < 2 {
		g.Errorf("from the letters of %s alone: %s", reader, said)
	}
	if said, code := verify(bytes.Replace(log, []byte(`\"r\":`), []byte(`\"r\":1`), 1), folder); code == 0 {
		g.Errorf("a die of the mailed log is another, and nothing is found: %s", said)
	}
	letters := g.got[g.address(reader)]
	number := regexp.MustCompile(`log entry (\d+) ·\s+hash\s+[0-9a-f]{32}`)
	if last := wordsIn(letters[len(letters)-1]); !number.MatchString(last) {
		g.Fatalf("the last letter to %s does not tell the number of the last entry:\n%s", reader, last)
	}
	if number.MatchString(wordsIn(letters[:3]...)) {
		g.Errorf("%s is told the number of an entry while the game runs", reader)
	}
	foot := regexp.MustCompile(`log entry (\d+) ·\s+hash\s+([0-9a-f]{32})`).FindStringSubmatch(wordsIn(letters[len(letters)-1]))
	for _, c := range []struct {
		foot string
		fits bool
	}{{foot[0], true}, {"hash " + foot[2], true}, {"hash 0123456789abcdef", false}, {"log entry 1 · hash " + foot[2], false}} {
		keep(g.T, filepath.Join(dir, "one.eml"), "From: "+ruledOwn+"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nhash fedcba9876543210\r\n\r\n"+
			strings.Repeat("-", 72)+"\r\nGame "+ruledID+", "+g.system+" · "+c.foot+"\r\nWritten by Berthier, the staff office of games by email.\r\n")
		if said, code := verify(log, dir); (code == 0) != c.fits || !strings.Contains(said, "1 letters whose") {
			g.Errorf("a letter with %q at its foot: %s", c.foot, said)
		}
	}
}

// rulings plays the game in which there are rulings on a die, a unit and an accepted order,
// one ruling is overruled, one rewind is made and the outcome is decided; a player
// disputes an event. Unit is the unit that is changed; shows is what the preview of the change says.
func (g *ruledGame) rulings(unit, shows string) {
	g.Helper()
	// The first report holds a commitment; no report holds the seed.
	for _, side := range g.sides {
		g.says(wordsIn(g.got[g.address(side)][0]), g.state().Commitment)
	}

	stop := g.ruleOnDisputedDie()
	g.ruleOnUnit(unit, shows)
	g.ruleOnOrders()

	// A rewind.
	g.play(g.stops(2))
	mark := g.mark()
	g.rule("rewind", fmt.Sprintf("stop: %d", stop+1), "orders: new", "reason: a power cut")
	if got := g.state().Stop; got != stop+1 {
		g.Fatalf("the game is at stop %d", got)
	}
	for _, side := range g.sides {
		g.says(g.told(side, mark), "has taken the game back to an earlier stop")
	}
	g.play(g.stops(2))
}

// ruleOnDisputedDie rules on a die that a player disputes by letter, and gives its stop.
func (g *ruledGame) ruleOnDisputedDie() int {
	g.Helper()
	die := func(d int) bool { return d == 6 || d == 8 || d == 10 }
	g.play(func() bool { _, _, _, _, ok := g.rolled(die); return ok })
	stop, roll, of, result, _ := g.rolled(die)
	plaintiff, other := g.sides[0], g.sides[1]
	events := regexp.MustCompile(`(?m)^\s*(\d+)\. `)
	number := ""
	for _, l := range slices.Backward(g.got[g.address(plaintiff)]) {
		if found := events.FindStringSubmatch(wordsIn(l)); found != nil {
			number = found[1]
			break
		}
	}
	if number == "" {
		g.Fatalf("%s was told of no event", plaintiff)
	}
	mark := g.mark()
	answer := wordsIn(g.write(g.address(plaintiff), g.command(plaintiff, "command: dispute", "event: "+number, "reason: the die fell off the table"))...)
	g.says(answer, "You dispute event "+number, "No other player learns of it while the game runs")
	if told := g.told(other, mark); told != "" {
		g.Errorf("%s gets a letter when %s disputes something:\n%s", other, plaintiff, told)
	}
	disputes, _ := g.must("game", "disputes", ruledID)
	g.says(disputes, "the die fell off the table", "Orders of stop")
	mark = g.mark()
	preview := g.rule("rule", fmt.Sprintf("stop: %d", stop), fmt.Sprintf("roll: %d", roll), fmt.Sprintf("result: %d", result%of+1),
		"dispute: "+g.newest(log.KindDispute), "reason: it did fall")
	g.says(preview, "a die is replaced", "Resolved anew: stops "+strconv.Itoa(stop), "Told to ")
	g.says(g.told(plaintiff, mark), "The game master has made a ruling", "It settles what you disputed")
	if told := g.told(other, mark); strings.Contains(told, "disput") || !strings.Contains(told, "has made a ruling") {
		g.Errorf("%s is told:\n%s", other, told)
	}
	disputes, _ = g.must("game", "disputes", ruledID)
	g.says(disputes, "No event is disputed")
	return stop
}

// ruleOnUnit rules on a unit, and overrules that.
func (g *ruledGame) ruleOnUnit(unit, shows string) {
	g.Helper()
	g.play(g.stops(1))
	before := g.position()
	preview := g.rule("rule", "set: "+unit, "reason: it was counted twice")
	g.says(preview, "the position is changed", shows)
	if bytes.Equal(before, g.position()) {
		g.Fatal("the unit is as it was")
	}
	g.rule("rule", "overrule: "+g.newest(log.KindRuling), "reason: it was right before")
	if !bytes.Equal(before, g.position()) {
		g.Fatal("the unit is not as it was")
	}
}

// ruleOnOrders refuses an accepted order, whose player owes again and is told, and accepts it
// after all.
func (g *ruledGame) ruleOnOrders() {
	g.Helper()
	side := g.owing()[0]
	accepted := g.state().Stop
	g.write(g.address(side), g.orders(side))
	file := g.newest(log.KindTaken)
	mark := g.mark()
	g.rule("rule", "refuse: "+file, "reason: sent by his brother")
	g.says(g.told(side, mark), "no longer count by that ruling")
	if got := g.state().Stop; got != accepted || !slices.Contains(g.owing(), side) {
		g.Fatalf("the game is at stop %d, not %d, and waits for %v", got, accepted, g.owing())
	}
	// The order is accepted after all, while the stop is still open.
	mark = g.mark()
	g.rule("rule", "accept: "+file, "reason: the brother may")
	g.says(g.told(side, mark), "count now by that ruling")
	if len(g.sides) == 2 && g.state().Stop == accepted && slices.Contains(g.owing(), side) {
		g.Fatal("the accepted order does not count")
	}
}

// option changes an option from here on: all players are told.
func (g *ruledGame) option(name, value string) {
	g.Helper()
	mark := g.mark()
	preview := g.rule("rule", "option: {"+name+": "+value+"}", "reason: both want it")
	g.says(preview, "an option is changed from here on", name)
	for _, side := range g.sides {
		g.says(g.told(side, mark), "From here on the option "+name+" is "+value+".")
	}
	inPosition := strings.ReplaceAll(name, "-", "_") // positions keep their first spelling, since logs hold their digests
	if d := g.state(); d.Options[name] != value || !strings.Contains(string(g.position()), inPosition+": "+value) {
		g.Errorf("the options are %v", d.Options)
	}
}

// draw rules on a card that was dealt before the first stop. Only the player whose card it is learns which card it is now.
func (g *ruledGame) draw() {
	g.Helper()
	// It takes the last card of a hand: which cards the hand holds does not depend on the order of the others.
	var dealt []string
	for _, e := range g.log() {
		if e.kind == log.KindResolved && !stopOf.MatchString(e.body[:strings.Index(e.body, `"data"`)]) {
			dealt = rollLine.FindAllString(e.body, -1)
		}
	}
	var roll, of, result int
	for i, text := range dealt {
		var d, r int
		if _, err := fmt.Sscanf(text, `"d":%d,"r":%d`, &d, &r); err != nil {
			g.Fatal(err)
		}
		if d > of && of > 0 {
			break
		}
		roll, of, result = i+1, d, r
	}
	if roll == 0 {
		g.Fatal("no cards were dealt before the first stop")
	}
	shown, _ := g.must("game", "stop", ruledID, "0")
	g.says(shown, "a card of the", "hand of turn 1")
	before := map[engine.Side]string{}
	for _, side := range g.sides {
		before[side] = g.page(side)
	}
	mark := g.mark()
	preview := g.rule("rule", "stop: 0", fmt.Sprintf("roll: %d", roll), fmt.Sprintf("result: %d", result%of+1), "reason: a card stuck to another")
	g.says(preview, "a die is replaced", "Resolved anew: stops 0")
	changed := 0
	for _, side := range g.sides {
		g.says(g.told(side, mark), "has made a ruling")
		if g.page(side) != before[side] {
			changed++
		}
	}
	if changed != 1 {
		g.Errorf("%d sides see other cards", changed)
	}
}

// page is what a side sees.
func (g *ruledGame) page(side engine.Side) string {
	g.Helper()
	p, err := g.office.Position(ruledID, side)
	if err != nil {
		g.Fatal(err)
	}
	data, err := p.View.Marshal()
	if err != nil {
		g.Fatal(err)
	}
	return string(data)
}

// decided ends the game by a ruling and checks what the players then get.
func (g *ruledGame) decided() {
	g.Helper()
	mark := g.mark()
	g.rule("rule", "outcome: "+string(g.sides[0]), "reason: the other side gives up")
	d := g.state()
	if d.State != "over" || d.Seed == "" {
		g.Fatalf("the game is %s", d.State)
	}
	for _, side := range g.sides {
		g.says(g.told(side, mark), "The game master has decided the outcome", d.Seed)
		page := g.mailedPage(side)
		for _, shows := range []string{"a die is replaced", "the die fell off the table", "it was counted twice", "sent by his brother", "a power cut",
			"the other side gives up", d.Seed, `class="step undone"`} {
			if !strings.Contains(page, shows) {
				g.Errorf("the page of the whole game that %s gets does not show %q", side, shows)
			}
		}
	}
}

// mailedPage is the page of the whole game that came with the newest letter of a
// side that has one.
func (g *ruledGame) mailedPage(side engine.Side) string {
	g.Helper()
	return string(g.mailed(side)[ruledID+".html"])
}

// mailed are the files that came packed with the newest such letter of a side: the page of
// the whole game, and its log.
func (g *ruledGame) mailed(side engine.Side) map[string][]byte {
	g.Helper()
	for n := len(g.got[g.address(side)]); n > 0; n-- {
		raw, err := os.ReadFile(g.file(g.address(side), fmt.Sprintf("%04d.eml", n)))
		if err != nil {
			g.Fatal(err)
		}
		entity, err := message.Read(bytes.NewReader(raw))
		if err != nil {
			g.Fatal(err)
		}
		var zipped []byte
		if err := entity.Walk(func(_ []int, part *message.Entity, err error) error {
			if err == nil && strings.Contains(part.Header.Get("Content-Disposition"), ".zip") {
				zipped, err = io.ReadAll(part.Body)
			}
			return err
		}); err != nil {
			g.Fatal(err)
		}
		if zipped == nil {
			continue
		}
		z, err := zip.NewReader(bytes.NewReader(zipped), int64(len(zipped)))
		if err != nil {
			g.Fatal(err)
		}
		files := map[string][]byte{}
		for _, f := range z.File {
			in, err := f.Open()
			if err != nil {
				g.Fatal(err)
			}
			if files[f.Name], err = io.ReadAll(in); err != nil {
				g.Fatal(err)
			}
		}
		return files
	}
	g.Fatalf("no letter to %s has the whole game", side)
	return nil
}

// goesOn continues a game that was ended by a ruling: a new seed is drawn.
func (g *ruledGame) goesOn() {
	g.Helper()
	old := g.state().Commitment
	mark := g.mark()
	g.rule("rule", "overrule: "+g.newest(log.KindRuling), "reason: they play on")
	d := g.state()
	if d.State != "running" || d.Seed != "" || d.Commitment == old {
		g.Fatalf("the game is %s, its seed %q", d.State, d.Seed)
	}
	for _, side := range g.sides {
		g.says(g.told(side, mark), "a new one is used; its SHA-256 is "+d.Commitment)
	}
	g.play(g.stops(3))
}

// In one game there are rulings on a die, a unit and an accepted order, one ruling is
// overruled, one rewind is made and the outcome is decided; a player disputes an event by
// letter. The game verifies from every side's export, and from the players' letters alone.
func TestOneGameWithRulings(t *testing.T) {
	withoutRace(t)
	for _, c := range ruledGames {
		for _, byHand := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%s", c.system, map[bool]string{false: "letters", true: "command-line"}[byHand]), func(t *testing.T) {
				if !fullSamples && byHand {
					return // the other games are played with full samples
				}
				g := newRuledGame(t, c.system, c.options, byHand)
				c.play(g)
				g.verifies("finished")
			})
		}
	}
}

// ruledGames are the games with rulings, by ruleset.
var ruledGames = []struct {
	system, options string
	play            func(*ruledGame)
}{
	{"napoleon", "setup: historical", func(g *ruledGame) {
		g.option("fog-of-battle", "full")
		g.rulings("{units: {F-14: {strength: 1}}}", "F-14")
		g.decided()
		g.goesOn()
		g.decided()
	}},
	{"waterloo", "scenario-length: quick", func(g *ruledGame) {
		g.option("zero-mp-play", "false")
		g.draw()
		g.rulings("{units: {F-OG: {at: O-9}}}", "F-OG")
		g.decided()
		g.goesOn()
		g.decided()
	}},
}

func keep(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

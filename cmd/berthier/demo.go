package main

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"berthier/adjudicator"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/mail"
	"berthier/mail/local"
	"berthier/orders"
)

type demoCommand struct {
	Seed   uint64            `help:"Seed of the game, to play the same game again: each run names its seed. 0 draws one."`
	Turns  int               `help:"Stop after so many turns; a deployment counts as one. 0 plays to the end."`
	Out    string            `help:"Folder for letters, pages, pictures and the database; it must not exist yet. By default one is made." type:"path"`
	Game   string            `default:"napoleon" enum:"${rulesets}" help:"Game system: ${rulesets}."`
	Option map[string]string `help:"An option of the game, as in a set-up: players=3."`
	Bots   string            `default:"sensible" enum:"sensible,random" help:"How the players decide: sensible or random."`
	League bool              `help:"Play a small season of a league, on a clock of its own, and leave its pages."`
	Serve  bool              `help:"Serve a game of people through mail servers on this machine, a mailbox for each side, instead of playing one. With --out of an earlier run it goes on."`

	log *slog.Logger // the office's log; nil for none
}

// Addresses of the demo. The domain is reserved for examples.
const (
	demoDomain = "berthier.example"
	demoOffice = "office@" + demoDomain
	demoGM     = "gm@" + demoDomain
	demoGame   = "demo-1"
	demoSecret = "in this process only"
)

func (cmd demoCommand) Run(ctx context.Context, c *console) error {
	if cmd.Turns < 0 {
		return hinted{fmt.Errorf("--turns %d", cmd.Turns), "give a whole number from 0"}
	}
	if cmd.Serve && !cmd.League {
		return cmd.serve(ctx, c)
	}
	if cmd.Seed == 0 {
		var b [4]byte
		if _, err := crand.Read(b[:]); err != nil {
			return fmt.Errorf("draw seed: %w", err)
		}
		cmd.Seed = uint64(binary.BigEndian.Uint32(b[:]))
	}
	if cmd.League {
		return cmd.playLeague(ctx, c)
	}
	folder, err := demoFolder(cmd.Out)
	if err != nil {
		return err
	}
	d, err := openDemo(cmd, folder, newProgress(c.err))
	if err != nil {
		return err
	}
	err = errors.Join(d.play(ctx), d.keepGame(), d.close())
	d.progress.end()
	if err != nil {
		return err
	}
	return d.summary(c)
}

// demoFolder makes the folder of a run.
func demoFolder(out string) (string, error) {
	if out == "" {
		folder, err := os.MkdirTemp("", "berthier-demo-")
		if err != nil {
			return "", fmt.Errorf("make folder: %w", err)
		}
		return folder, nil
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return "", fmt.Errorf("make folder: %w", err)
	}
	if err := os.Mkdir(out, 0o755); err != nil {
		return "", hinted{fmt.Errorf("make folder: %w", err), "name a folder that does not exist yet"}
	}
	return out, nil
}

// logger is the log of the demo's office: none, unless a test wants one.
func (d *demo) logger() *slog.Logger {
	if d.log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return d.log
}

// A demo is a mail host, an office and players in one process.
type demo struct {
	demoCommand
	folder   string
	progress *progress
	rules    engine.Ruleset
	host     *local.Server
	office   *office
	archive  *archive
	players  []*player

	mu     sync.Mutex
	titles []string             // of positions, in the order in which they appeared
	told   map[engine.Side]bool // who was told of the end
	ending string
	over   chan struct{}
	closed bool
	failed error
}

func openDemo(cmd demoCommand, folder string, p *progress) (*demo, error) {
	d := &demo{demoCommand: cmd, folder: folder, progress: p, rules: rulesets[cmd.Game], told: map[engine.Side]bool{}, over: make(chan struct{})}
	var err error
	if d.archive, err = newArchive(folder); err != nil {
		return nil, err
	}
	if d.host, err = local.Start(local.Options{Observe: d.archive.keep}); err != nil {
		return nil, err
	}
	if err = d.furnish(); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// furnish opens the mailboxes and the office and starts the game.
func (d *demo) furnish() error {
	for _, box := range []string{demoOffice, demoGM} {
		if err := d.host.AddBox(box, demoSecret); err != nil {
			return err
		}
	}
	words, err := catalogue()
	if err != nil {
		return err
	}
	chance := d.chance("office")
	base := filepath.Join(d.folder, "berthier.db")
	if err := bolt.Create(base, bolt.Options{Entropy: chance}); err != nil {
		return err
	}
	st, err := bolt.Open(base, bolt.Options{})
	if err != nil {
		return err
	}
	inner, err := adjudicator.New(st, words, []engine.Ruleset{d.rules}, adjudicator.Options{
		From:           mail.Address{Name: "Berthier", Addr: demoOffice},
		Secret:         st.Secret(),
		Entropy:        chance,
		Repeatable:     true,
		Version:        version(),
		Log:            d.logger(),
		AnswersPerHour: 1 << 30, // these players write faster than people
		Senders:        1,       // so that letters stand in the same order each time
	})
	if err != nil {
		return errors.Join(err, st.Close())
	}
	d.office = &office{Office: inner, Clerk: inner.Clerk(), store: st, words: words}

	position, err := d.rules.New(engine.Setup{Options: d.Option})
	if err != nil {
		return fmt.Errorf("set up %s: %w", d.Game, err)
	}
	seats := orders.Mapping()
	for i, side := range position.Sides() {
		p := &player{
			demo: d, side: side, language: []string{"en", "it"}[i%2],
			name: "Player of " + string(side), address: string(side) + "@" + demoDomain,
		}
		if err := d.host.AddBox(p.address, demoSecret); err != nil {
			return err
		}
		d.players = append(d.players, p)
		seats.Set(string(side), orders.Inline().Set("name", orders.Text(p.name)).Set("address", orders.Text(p.address)).
			Set("language", orders.Text(p.language)).Set("zone", orders.Text([]string{"Europe/Paris", "Europe/Rome"}[i%2])))
	}
	options := orders.Mapping()
	for _, name := range slices.Sorted(maps.Keys(d.Option)) {
		options.Set(name, orders.Text(d.Option[name]))
	}
	form := orders.Mapping().
		Set("game", orders.Text(demoGame)).
		Set("title", orders.Text("A game of the demo")).
		Set("system", orders.Text(d.Game)).
		Set("gm", orders.Inline().Set("name", orders.Text("The game master")).Set("address", orders.Text(demoGM))).
		Set("seats", seats).
		Set("deadline", orders.Text("72h"))
	if len(options.Pairs) > 0 {
		form.Set("options", options)
	}
	file := form.Encode()
	if err := os.WriteFile(filepath.Join(d.folder, "set-up.yaml"), []byte(file), 0o644); err != nil {
		return fmt.Errorf("save set-up: %w", err)
	}
	setup, problems := inner.Clerk().ReadSetup(file, nil)
	if len(problems) > 0 {
		return problems
	}
	return inner.Clerk().NewGame(context.Background(), setup)
}

// chance is a source of random numbers for one purpose, fixed by the seed.
func (d *demo) chance(purpose string) *rand.ChaCha8 {
	var seed [32]byte
	binary.BigEndian.PutUint64(seed[:], d.Seed)
	copy(seed[8:], purpose)
	return rand.NewChaCha8(seed)
}

// play runs the office and the players until the game is over or long enough.
func (d *demo) play(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	sender := &mail.SMTP{Config: d.smtp(demoOffice)}
	defer sender.Close()

	var all sync.WaitGroup
	start := func(f func() error) {
		all.Go(func() {
			if err := f(); err != nil && !errors.Is(err, context.Canceled) {
				d.finish(err)
			}
		})
	}
	start(func() error {
		return d.office.Run(ctx, sender, adjudicator.Box{Mailbox: &mail.Mailbox{Config: d.officeBox()}})
	})
	for _, p := range d.players {
		p.send = &mail.SMTP{Config: d.smtp(p.address)}
		defer p.send.Close()
		start(func() error { return (&mail.Mailbox{Config: d.imap(p.address)}).Run(ctx, p.read) })
	}
	start(func() error { return d.watch(ctx) })
	select {
	case <-d.over:
		d.sent(ctx)
	case <-ctx.Done():
	}
	stop()
	all.Wait()
	if d.failed == nil && ctx.Err() != nil && !d.closed {
		return ctx.Err()
	}
	return d.failed
}

// sent waits until the office has noted its last letters as sent: their readers have them a moment before, and an
// office that is stopped in between would send them again.
func (d *demo) sent(ctx context.Context) {
	for until := time.Now().Add(10 * time.Second); ctx.Err() == nil && time.Now().Before(until); time.Sleep(time.Millisecond) {
		due := false
		if err := d.office.store.Read(ctx, func(tx store.Reader) error {
			at, any := tx.FirstDue()
			due = any && !at.After(time.Now())
			return nil
		}); err != nil || !due {
			return
		}
	}
}

// patience is how long the demo waits while nobody writes, before it gives up: longer than a bot thinks about
// the dearest answer on a busy machine.
const patience = 2 * time.Minute

// watch ends a run in which somebody waits for a letter that never arrives.
func (d *demo) watch(ctx context.Context) error {
	tick := time.NewTicker(patience)
	defer tick.Stop()
	for last := 0; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		n := d.archive.count()
		if n == last {
			return fmt.Errorf("no letter has come in the last %s; the last one is number %d in %s", patience, n, filepath.Join(d.folder, "letters"))
		}
		last = n
	}
}

func (d *demo) smtp(address string) mail.SMTPConfig {
	return mail.SMTPConfig{Address: d.host.SMTPAddr(), Security: mail.SecurityNone, Username: address, Password: demoSecret, PerConn: 1 << 20}
}

func (d *demo) imap(address string) mail.IMAPConfig {
	return mail.IMAPConfig{Address: d.host.IMAPAddr(), Security: mail.SecurityNone, Username: address, Password: demoSecret}
}

func (d *demo) officeBox() mail.IMAPConfig {
	c := d.imap(demoOffice)
	c.Log = d.log
	return c
}

// finish ends the run; err is nil if nothing failed.
func (d *demo) finish(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	d.closed, d.failed = true, err
	close(d.over)
}

// seen notes the heading of a player's page: a new heading is a new turn. It tells whether
// the game goes on.
func (d *demo) seen(title string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.Contains(d.titles, title) {
		if d.Turns > 0 && len(d.titles) == d.Turns {
			return false
		}
		d.titles = append(d.titles, title)
	}
	d.progress.show(len(d.titles), d.archive.count(), title)
	return true
}

// ended notes that a side has got a letter after the end. When all have, the run is over.
func (d *demo) ended(side engine.Side) error {
	table, err := d.office.Position(demoGame, engine.GM)
	if err != nil {
		return err
	}
	d.mu.Lock()
	d.ending = d.office.words.Say("en", table.View.Page().Title, table.View.Spell)
	d.told[side] = true
	all := len(d.told) == len(d.players)
	d.mu.Unlock()
	if all {
		d.finish(nil)
	}
	return nil
}

func (d *demo) close() error {
	var all []error
	if d.office != nil {
		all = append(all, d.office.close())
	}
	if d.host != nil {
		all = append(all, d.host.Close())
	}
	return errors.Join(append(all, d.archive.close())...)
}

// keepGame writes the game as one file for berthier game verify.
func (d *demo) keepGame() error {
	return keepGame(d.office, demoGame, d.folder, d.ending != "")
}

// keepGame writes a game into a folder: its log as one file and, once it is over, the page of
// the whole game.
func keepGame(h *office, game, folder string, over bool) error {
	x, err := h.Export(game, engine.GM)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := x.Write(&b); err != nil {
		return err
	}
	if err := writeWhole(filepath.Join(folder, "game.yaml"), b.Bytes()); err != nil {
		return err
	}
	if !over {
		return nil
	}
	page, err := h.Archive(game, "en")
	if err != nil {
		return err
	}
	return writeWhole(filepath.Join(folder, "game.html"), page)
}

// summary says where everything is.
func (d *demo) summary(c *console) error {
	end := "It was ended early; the letters are of the turns played."
	if d.ending != "" {
		end = d.ending
	}
	_, err := fmt.Fprintf(c.out, `%s
%d letters were written, %d of them by the players; %d turns were played.

The folder %s holds
  letters/     every letter as .eml, in the order of delivery: open one in your mail program
  reports/     every report as .html with its pictures: open one in a browser
  orders/      every order file, by side and stop
  set-up.yaml  what the game was made of
  game.yaml    the game's log as one file; of a game played to its end also
  game.html    the whole game as a page: open it in a browser
  berthier.db  the office's database

Check it all:  berthier game verify %[5]s/game.yaml --letters %[5]s/letters
Play it again: berthier demo --seed %[6]d%[7]s
`, end, d.archive.count(), d.archive.orders, len(d.titles), d.folder, d.Seed, d.flags())
	return err
}

// flags are those besides the seed by which the same is played again.
func (cmd demoCommand) flags() (all string) {
	if cmd.Game != "napoleon" {
		all = " --game " + cmd.Game
	}
	if cmd.Bots != "sensible" {
		all += " --bots " + cmd.Bots
	}
	for _, name := range slices.Sorted(maps.Keys(cmd.Option)) {
		all += " --option " + name + "=" + cmd.Option[name]
	}
	return all
}

// A player is a bot with a mailbox. It reads its letters, decides sensibly or at random
// among what is legal, and writes order files as people do.
type player struct {
	demo     *demo
	side     engine.Side
	name     string
	address  string
	language string
	send     *mail.SMTP

	stop  int // the last stop about which it wrote
	tries int // how many letters it wrote about that stop
}

// mostTries limits the letters about one stop: a good file is accepted at once.
const mostTries = 5

// read takes in a letter from the office and answers if the side owes
// something.
func (p *player) read(ctx context.Context, in mail.Incoming) (mail.Folder, error) {
	details, err := p.demo.office.Show(demoGame)
	if err != nil {
		return mail.Leave, err
	}
	if details.State != "running" { // the last letter, with the whole game attached, may be longer than what is read here
		return mail.Processed, p.demo.ended(p.side)
	}
	letter, err := mail.Read(in.Raw, mail.Own{})
	if err != nil {
		p.demo.finish(fmt.Errorf("%s can't read a letter of the office: %w", p.side, err))
		return mail.Leave, nil
	}
	if details.Fault != "" {
		p.demo.finish(fmt.Errorf("the game stands still: %s", details.Fault))
		return mail.Leave, nil
	}
	for _, seat := range details.Seats { // players may change seats
		if seat.Person.Address == p.address {
			p.side = seat.Side
		}
	}
	for _, seat := range details.Seats {
		if seat.Side == p.side && (seat.Owes == nil || seat.Answered) {
			return mail.Processed, nil
		}
	}
	if err := p.answer(ctx, letter); err != nil {
		p.demo.finish(err)
		return mail.Leave, nil
	}
	return mail.Processed, nil
}

// answer writes to the office about the stop that the side owes.
func (p *player) answer(ctx context.Context, letter *mail.Letter) error {
	table, err := p.demo.office.Position(demoGame, p.side)
	if err != nil {
		return err
	}
	if table.Owes == nil {
		return nil // the stop has been resolved in the meantime
	}
	title := p.demo.office.words.Say("en", table.View.Page().Title, table.View.Spell)
	if !p.demo.seen(title) {
		p.demo.finish(nil)
		return nil
	}
	if table.Stop != p.stop {
		p.stop, p.tries = table.Stop, 0
	}
	p.tries++
	if p.tries > mostTries {
		return fmt.Errorf("%s: %d files about stop %d were refused", p.side, mostTries, p.stop)
	}
	chance := rand.New(p.demo.chance(fmt.Sprintf("%s %d", p.side, table.Stop)))
	answer := p.decide(table.View, *table.Owes, chance)
	form := orderFile(table.Template, answer)
	if p.odd(table.View, *table.Owes, answer) {
		form.Set("now", orders.Text("yes"))
	}
	sheet, _ := ahead.Sheet(p.demo.rules)
	file := form.FileIn(p.language, sheet.Vocabulary, "").Encode()
	if p.tries == 1 && chance.IntN(12) == 0 {
		word := []string{"orders", "stop"}[chance.IntN(2)] // what is ordered can only mean one thing; the other is refused
		file = slip(file, orders.Keyword(word, p.language)+":", chance)
	}
	name := fmt.Sprintf("%s-%03d-%d.yaml", p.side, table.Stop, p.tries)
	if err := os.WriteFile(filepath.Join(p.demo.folder, "orders", name), []byte(file), 0o644); err != nil {
		return fmt.Errorf("keep order file: %w", err)
	}
	way := hand(chance.IntN(int(hands)))
	e := envelope{
		from: p.address, name: p.name, to: demoOffice,
		subject:   letter.Subject,
		messageID: fmt.Sprintf("%s.%d.%d@%s", p.side, table.Stop, p.tries, demoDomain),
		answer:    letter.MessageID,
		date:      time.Now(),
	}
	return p.send.Send(ctx, p.address, demoOffice, way.write(e, file, quotedText(letter)))
}

// odd tells whether the office would wait for a second look at an answer: these players mean
// what they write.
func (p *player) odd(view engine.View, d engine.Decision, answer engine.Answer) bool {
	rules, ok := p.demo.rules.(engine.Cautious)
	return ok && slices.ContainsFunc(rules.Cautions(view, d, answer), func(c engine.Caution) bool { return c.Holds })
}

// decide is what the bot answers.
func (p *player) decide(view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
	if p.demo.Bots == "random" {
		return p.demo.rules.Random(view, d, chance)
	}
	return p.demo.rules.Sensible(view, d, chance)
}

// orderFile replaces the orders of a template by an answer.
func orderFile(template *orders.Node, answer engine.Answer) *orders.Node {
	file := orders.Mapping()
	for _, pair := range template.Pairs {
		if !slices.Contains(orders.Bodies, pair.Key.Text) {
			file.Set(pair.Key.Text, orders.Text(pair.Value.Text))
		}
	}
	for _, pair := range answer.Orders().Pairs {
		file.Set(pair.Key.Text, pair.Value)
	}
	return file
}

// slip spoils a file as people do: it exchanges two letters of a word, which the file has.
func slip(file, word string, chance *rand.Rand) string {
	at := strings.Index(file, word)
	if at < 0 {
		return file
	}
	i := at + 1 + chance.IntN(3)
	b := []byte(file)
	b[i], b[i+1] = b[i+1], b[i]
	return string(b)
}

// quotedText is the letter's text as a mail program quotes it.
func quotedText(letter *mail.Letter) string {
	for _, part := range letter.Parts {
		if part.Kind == mail.Plain {
			return part.Text
		}
	}
	return ""
}

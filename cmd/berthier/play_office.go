package main

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"berthier/adjudicator"
	"berthier/adjudicator/store/bolt"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Names in the folder of a game that is played on this machine, and in its set-up.
const (
	setupName    = "set-up.yaml"
	databaseName = "berthier.db"
	ordersName   = "orders.yaml"
	playGame     = "play-1"
	playPlayer   = "player@" + demoDomain
)

// A sitting is a game that a person plays against bots at this machine.
type sitting struct {
	folder string
	office *office
	rules  engine.Ruleset
	game   string
	side   engine.Side
	boxes  []string // addresses of the people who play; one but in a demo that is served
	isNew  bool     // it was made just now

	fresh []shownLetter // to the player, that he has not seen yet
	sent  int           // how many letters lie in the folder

	over  bool
	owes  *engine.Decision  // what the player owes; nil: nothing
	stop  int               // its number
	draft string            // the order file for it, as it lies in the folder
	ways  map[string]string // files among which the player has to choose, by the word that sends each
	blank string            // the same as the office writes it, without orders of the player's
	view  engine.View

	language string // of the player's letters, and of what is said to him here
}

// setup is the set-up of a new game.
func (cmd playCommand) setup() (string, error) {
	position, err := rulesets[cmd.Game].New(engine.Setup{Options: cmd.Option})
	if err != nil {
		return "", fmt.Errorf("set up %s: %w", cmd.Game, err)
	}
	sides := position.Sides()
	if cmd.Side == "" {
		cmd.Side = string(sides[0])
	}
	if !slices.Contains(sides, engine.Side(cmd.Side)) {
		return "", hinted{fmt.Errorf("%s has no side %q", cmd.Game, cmd.Side), "--seat is one of " + listed(sides)}
	}
	seats := orders.Mapping()
	for _, side := range sides {
		seat := orders.Inline().Set("bot", orders.Text(cmd.Bot))
		if string(side) == cmd.Side {
			seat = orders.Inline().Set("name", orders.Text("You")).Set("address", orders.Text(playPlayer)).Set("language", orders.Text(cmd.Language))
		}
		seats.Set(string(side), seat)
	}
	return sittingSetup(cmd.Game, seats, cmd.Option).Set("pace", orders.Text(cmd.Pace)).Encode(), nil
}

// listed writes the names of seats one after the other.
func listed(sides []engine.Side) string {
	var names []string
	for _, side := range sides {
		names = append(names, string(side))
	}
	return strings.Join(names, ", ")
}

// sittingSetup is the set-up of a game on this machine, which has no game master and no deadlines.
func sittingSetup(system string, seats *orders.Node, option map[string]string) *orders.Node {
	form := orders.Mapping().
		Set("game", orders.Text(playGame)).
		Set("system", orders.Text(system)).
		Set("gm", orders.Inline().Set("name", orders.Text("Nobody")).Set("address", orders.Text(demoGM))).
		Set("seats", seats).
		Set("deadline", orders.Text("none")).
		Set("second-thoughts", orders.Text("none"))
	if len(option) > 0 {
		options := orders.Mapping()
		for _, name := range sortedKeys(option) {
			options.Set(name, orders.Text(option[name]))
		}
		form.Set("options", options)
	}
	return form
}

// openSitting opens the game in a folder, and makes it if its set-up is all that is there.
// Whatever a former process left unfinished is done first. Its dice come of chance, of the
// machine's own if that is nil.
func openSitting(ctx context.Context, folder string, chance io.Reader) (*sitting, error) {
	setup, err := os.ReadFile(filepath.Join(folder, setupName))
	if err != nil {
		return nil, hinted{fmt.Errorf("open the game in %s: %w", folder, err), "name a folder that berthier play has made"}
	}
	s := &sitting{folder: folder, game: playGame}
	letters := filepath.Join(folder, "letters")
	if err := os.MkdirAll(letters, 0o755); err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	kept, err := filepath.Glob(filepath.Join(letters, "*.eml"))
	if err != nil {
		return nil, err
	}
	s.sent = len(kept)
	base := s.path(databaseName)
	if err := bolt.Create(base, bolt.Options{Entropy: chance}); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if s.office, err = playOffice(base, chance); err != nil {
		return nil, err
	}
	if err := s.begin(ctx, string(setup)); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// playOffice opens an office that hurries: its player and its bots wait for nothing.
func playOffice(base string, chance io.Reader) (*office, error) {
	words, err := catalogue()
	if err != nil {
		return nil, err
	}
	st, err := bolt.Open(base, bolt.Options{})
	if errors.Is(err, bolt.ErrLocked) {
		return nil, hinted{err, "the game is open in another window"}
	}
	if err != nil {
		return nil, err
	}
	inner, err := adjudicator.New(st, words, systems(), adjudicator.Options{
		From: mail.Address{Name: "Berthier", Addr: demoOffice}, Secret: st.Secret(), Version: version(), Log: slog.New(slog.DiscardHandler),
		Quiet: -1, AnswersPerHour: 1 << 30, Senders: 1, Entropy: chance, Repeatable: chance != nil,
	})
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return &office{Office: inner, Clerk: inner.Clerk(), store: st, words: words}, nil
}

// begin makes the game if it isn't there yet, takes its letters out and looks where it stands.
func (s *sitting) begin(ctx context.Context, setup string) error {
	read, problems := s.office.ReadSetup(setup, nil)
	if len(problems) > 0 {
		return problems
	}
	s.rules = rulesets[read.System]
	for _, side := range slices.Sorted(maps.Keys(read.Seats)) {
		if p := read.Seats[side]; p.Bot == "" {
			s.side, s.boxes = side, append(s.boxes, p.Address)
		}
	}
	err := s.office.NewGame(ctx, read)
	if s.isNew = err == nil; err != nil && !errors.Is(err, adjudicator.ErrExists) {
		return err
	}
	return s.look(ctx)
}

func (s *sitting) close() error { return s.office.close() }

// say puts something to the player in his language.
func (s *sitting) say(code string, args ...phrase.Arg) string {
	var spell templates.Spell
	if s.view != nil {
		spell = s.view.Spell
	}
	return s.office.words.Say(s.language, phrase.Say("sitting."+code, args...), spell)
}

// list says something, and below it rows in two columns, which are parted by =.
func (s *sitting) list(code string, rows []string, args ...phrase.Arg) string {
	var cells [][2]string
	first := 0
	for _, row := range rows {
		cell, what, _ := strings.Cut(s.say(code+"-"+row, args...), " = ")
		cells = append(cells, [2]string{cell, what})
		first = max(first, utf8.RuneCountInString(cell))
	}
	said := s.say(code, args...) + "\n"
	for _, c := range cells {
		said += fmt.Sprintf("  %-*s  %s\n", first, c[0], c[1])
	}
	return said
}

// tellOf says something on a line, about a file.
func (s *sitting) tellOf(c *console, code, file string) error {
	_, err := fmt.Fprintln(c.out, s.say(code, phrase.Literal("file", file)))
	return err
}

func (s *sitting) path(name string) string { return filepath.Join(s.folder, name) }

// look takes out the letters that wait, and notes what the player owes. The order file for
// it lies in the folder from then on.
func (s *sitting) look(ctx context.Context) error {
	if err := s.office.Tick(ctx); err != nil {
		return err
	}
	for {
		n, err := s.office.Send(ctx, s)
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
	}
	details, err := s.office.Show(s.game)
	if err != nil {
		return err
	}
	if details.Fault != "" {
		return fmt.Errorf("the game stands still: %s", details.Fault)
	}
	if s.over = details.State != "running"; s.over {
		if err := keepGame(s.office, s.game, s.folder, true); err != nil {
			return err
		}
	}
	if len(s.boxes) > 1 { // what each of them owes stands in his letters
		return nil
	}
	s.language = templates.Language(languageOf(details, s.side))
	table, err := s.office.Position(s.game, s.side)
	if err != nil {
		return err
	}
	before := s.stop
	s.owes, s.stop, s.view = table.Owes, table.Stop, table.View
	if s.owes == nil {
		s.stop, s.draft = 0, ""
		return nil
	}
	if s.stop != before {
		s.draft = ""
	}
	s.ways = nil
	for _, l := range s.fresh {
		if l.file != "" {
			s.draft = l.file
		}
		if s.ways = l.ways; l.ways != nil {
			s.draft = ""
		}
	}
	if s.blank = table.OrderFile(s.language).Encode(); s.draft == "" {
		s.draft = s.blank
	}
	return writeWhole(s.path(ordersName), []byte(s.draft))
}

// handIn sends an order file, or another letter, to the office, and takes out what follows
// from it. It tells whether it was accepted.
func (s *sitting) handIn(ctx context.Context, text string) (bool, error) {
	var id [12]byte
	if _, err := crand.Read(id[:]); err != nil {
		return false, fmt.Errorf("draw a Message-ID: %w", err)
	}
	text, err := s.addressed(text)
	if err != nil {
		return false, err
	}
	e := envelope{
		from: playPlayer, name: "You", to: demoOffice, subject: s.game,
		messageID: fmt.Sprintf("%x@%s", id, demoDomain), date: time.Now(),
	}
	raw := onTop.write(e, text, "")
	folder, err := s.office.Handle(ctx, mail.Incoming{Raw: raw, Size: int64(len(raw)), Received: e.date})
	if err != nil {
		return false, err
	}
	return folder == mail.Processed, s.look(ctx)
}

// addressed adds to an order file what tells the office for what game, seat and stop it is,
// where the file leaves that out. A file that is quoted whole is taken out of the quote, as the office takes it out of a letter.
func (s *sitting) addressed(text string) (string, error) {
	if found, problems := orders.Find([]orders.Part{{Kind: orders.Plain, Text: text}}); len(problems) == 0 && found.Quoted && found.Reply == "" {
		text = found.Text
	}
	doc, problems := orders.Parse(text, nil)
	if doc == nil || doc.Root == nil && len(problems) == 0 {
		return text, nil
	}
	key, err := s.office.Key(s.game, s.side)
	if err != nil {
		return "", err
	}
	head := ""
	for _, line := range []struct{ have, key, value string }{
		{doc.Game, "game", s.game}, {doc.Side, "side", string(s.side)}, {doc.Key, "key", key},
	} {
		if line.have == "" {
			head += line.key + ": " + line.value + "\n"
		}
	}
	if doc.Stop == 0 && doc.Command == "" && s.owes != nil {
		head += fmt.Sprintf("stop: %d %s\n", s.stop, s.owes.Kind)
	}
	if head == "" || strings.Contains(text, "# =====") {
		return text, nil
	}
	return head + text, nil
}

// writeWhole writes a file that all may read so that a crash leaves the old one or the new one.
func writeWhole(path string, data []byte) error { return writeWholeAs(path, data, 0o644) }

// writeWholeAs is writeWhole of a file with a mode. The file is on the disk when it returns, also after a loss of power.
func writeWholeAs(path string, data []byte, mode fs.FileMode) error {
	part := path + ".part"
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err == nil {
		_, err = f.Write(data)
		if err == nil {
			err = f.Sync()
		}
		err = errors.Join(err, f.Close())
	}
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if folder, err := os.Open(filepath.Dir(path)); err == nil { // so that the file's name lasts, too
		_ = folder.Sync() // some systems can't do that
		_ = folder.Close()
	}
	return nil
}

// languageOf is the language in which a seat of a game reads its letters.
func languageOf(d *adjudicator.Details, side engine.Side) string {
	for _, seat := range d.Seats {
		if seat.Side == side {
			return seat.Person.Language
		}
	}
	return ""
}

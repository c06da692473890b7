package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"berthier/adjudicator"
	"berthier/adjudicator/log"
	"berthier/adjudicator/shelf"
	"berthier/adjudicator/store/bolt"
	"berthier/engine"
	"berthier/orders"
	"berthier/templates"
)

type gameCommands struct {
	New      gameNewCommand      `cmd:"" help:"Start a game from a set-up file (docs/setting-up.md)."`
	List     gameListCommand     `cmd:"" help:"All games and what they wait for."`
	Show     gameShowCommand     `cmd:"" help:"One game: seats, keys, deadlines, letters in trouble."`
	Position gamePositionCommand `cmd:"" help:"The position, in full or as a seat sees it."`
	Pause    gamePauseCommand    `cmd:"" help:"Stop a game's clock."`
	Resume   gameResumeCommand   `cmd:"" help:"Let a game's clock run again."`
	Extend   gameExtendCommand   `cmd:"" help:"Move the deadline."`
	Release  gameReleaseCommand  `cmd:"" help:"Let a game that the office holds back go on at once."`
	Remind   gameRemindCommand   `cmd:"" help:"Remind the players who have not answered."`
	Replace  gameReplaceCommand  `cmd:"" help:"Give a seat to another player, who gets a new key; shown first, then confirmed."`
	Process  gameProcessCommand  `cmd:"" help:"Resolve the open stop before its time; shown first, then confirmed."`
	Vacate   gameVacateCommand   `cmd:"" help:"Take a seat from its player; shown first, then confirmed."`
	Change   gameChangeCommand   `cmd:"" help:"Change deadlines, press, silence or reserves of a running game; shown first, then confirmed."`
	Answer   gameAnswerCommand   `cmd:"" help:"Answer an open stop for a player."`
	WhatIf   gameWhatIfCommand   `cmd:"" help:"Play a stop on a copy, with other orders or dice, and show the result."`
	Close    gameCloseCommand    `cmd:"" help:"End a game without a result; shown first, then confirmed."`
	Stop     gameStopCommand     `cmd:"" help:"How a stop was resolved: orders, numbered rolls, the position before and after."`
	Disputes gameDisputesCommand `cmd:"" help:"Events that players dispute, with their rolls and the position before and after."`
	Refile   gameRefileCommand   `cmd:"" help:"Take in again a player's letter that could not be read when it came, or list the letters that are kept."`
	Rewind   gameRewindCommand   `cmd:"" help:"Go back to an earlier stop; shown first, then confirmed."`
	Export   gameExportCommand   `cmd:"" help:"Write a game as one file: to be kept, or checked by others."`
	Archive  gameArchiveCommand  `cmd:"" help:"Write a finished game as one page of HTML: orders, dice and the maps of all sides, stop by stop."`
	Verify   gameVerifyCommand   `cmd:"" help:"Check a game: its log, its dice, its orders (played again), and a player's letters."`
}

// readInput reads a file, or the standard input for "-".
func readInput(path string) (string, error) {
	var data []byte
	var err error
	if path == "-" {
		data, err = io.ReadAll(io.LimitReader(os.Stdin, 1<<20))
	} else {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return "", fmt.Errorf("read file: %w", err)
	}
	return string(data), nil
}

type gameNewCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	File       string `arg:"" help:"Set-up file, or - for the standard input."`
	Text       string `kong:"-"`
}

func (cmd *gameNewCommand) Run(ctx context.Context, c *console) (err error) {
	if cmd.Text, err = readInput(cmd.File); err != nil {
		return err
	}
	return perform(ctx, "new", cmd, cmd.configFlag, c)
}

func (cmd *gameNewCommand) do(ctx context.Context, h *office, c *console) error {
	setup, problems := h.ReadSetup(cmd.Text, nil)
	if len(problems) > 0 {
		return problems
	}
	if err := h.NewGame(ctx, setup); err != nil {
		return err
	}
	_, err := fmt.Fprintf(c.out, "game %s has begun; its letters go out when the daemon runs\n", setup.Game)
	return err
}

type gameListCommand struct {
	configFlag `json:"-"`
	JSON       bool `help:"Print JSON."`
}

func (cmd *gameListCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "list", cmd, cmd.configFlag, c)
}

func (cmd *gameListCommand) do(_ context.Context, h *office, c *console) error {
	games, err := h.List()
	if err != nil {
		return err
	}
	if cmd.JSON {
		return printJSON(c.out, games)
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "GAME\tSYSTEM\tSTATE\tSTOP\tWAITS FOR\tNEXT")
	for _, g := range games {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s\n", g.ID, g.System, g.State, g.Stop, sides(g.Waiting), moment(g.Next))
	}
	return w.Flush()
}

type gameShowCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" help:"The game's id."`
	JSON       bool   `help:"Print JSON."`
}

func (cmd *gameShowCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "show", cmd, cmd.configFlag, c)
}

func (cmd *gameShowCommand) do(_ context.Context, h *office, c *console) error {
	d, err := h.Show(cmd.Game)
	if err != nil {
		return err
	}
	if cmd.JSON {
		return printJSON(c.out, d)
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t"+format+"\n", append([]any{name}, args...)...)
	}
	line("game", "%s  %s", d.ID, d.Title)
	line("system", "%s %s %s", d.System, d.Scenario, options(d.Options))
	line("state", "%s, stop %d, begun %s", d.State, d.Stop, moment(d.Created))
	line("gm", "%s  key %s", d.GM, d.GMKey)
	line("dice", "commitment %s", d.Commitment)
	if d.Seed != "" {
		line("", "seed %s", d.Seed)
	}
	line("log", "%d entries, last %s", d.Entries, d.Hash)
	if d.Fault != "" {
		line("fault", "%s", d.Fault)
	}
	for _, s := range d.Seats {
		line(string(s.Side), "%s <%s> %s %s  key %s%s", s.Person.Name, s.Person.Address, s.Person.Language, s.Person.Zone, s.Key, seatMarks(s))
		if s.Owes != nil {
			answered := "not answered"
			if s.Answered {
				answered = "answered"
			}
			line("", "owes stop %d %s %s by %s: %s", s.Stop, s.Owes.Kind, s.Owes.At, moment(s.Deadline), answered)
		}
	}
	return w.Flush()
}

func seatMarks(s adjudicator.SeatState) string {
	var marks []string
	if s.Dead {
		marks = append(marks, "address does not work")
	}
	if s.Resigned {
		marks = append(marks, "resigned")
	}
	if s.Bot {
		marks = append(marks, "the bot plays")
	}
	if s.Held != "" {
		marks = append(marks, "default held back: "+s.Held)
	}
	if s.Missed > 0 {
		marks = append(marks, fmt.Sprintf("missed %d", s.Missed))
	}
	if len(marks) == 0 {
		return ""
	}
	return "  (" + strings.Join(marks, ", ") + ")"
}

type gamePositionCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" help:"The game's id."`
	Side       string `name:"seat" aliases:"side" placeholder:"SEAT" help:"As this seat sees it; without it, everything."`
	YAML       bool   `help:"Print the position as YAML (docs/cases.md), not as a page."`
	HTML       string `help:"Write the page with its pictures into this folder."`
}

func (cmd *gamePositionCommand) Run(ctx context.Context, c *console) (err error) {
	if cmd.HTML != "" {
		if cmd.HTML, err = filepath.Abs(cmd.HTML); err != nil {
			return err
		}
	}
	return perform(ctx, "position", cmd, cmd.configFlag, c)
}

func (cmd *gamePositionCommand) do(_ context.Context, h *office, c *console) error {
	side := engine.GM
	if cmd.Side != "" {
		side = engine.Side(cmd.Side)
	}
	table, err := h.Position(cmd.Game, side)
	if err != nil {
		return err
	}
	if cmd.YAML {
		data := table.Snapshot
		if side != engine.GM {
			if data, err = table.View.Marshal(); err != nil {
				return err
			}
		}
		_, err = c.out.Write(data)
		return err
	}
	page := table.View.Page()
	letter := h.words.Notice(templates.Notice{
		Heading: templates.Heading{
			Reader: templates.Reader{Language: "en", Zone: time.UTC},
			Game:   cmd.Game, System: table.System, Side: side, Spell: table.View.Spell,
		},
		Subject: page.Title,
		Page:    &page,
	})
	if cmd.HTML != "" {
		if err := saveLetter(c, cmd.HTML, "position", letter); err != nil {
			return err
		}
		_, err = fmt.Fprintln(c.out, filepath.Join(cmd.HTML, "position.html"))
		return err
	}
	_, err = io.WriteString(c.out, letter.Text)
	return err
}

type gamePauseCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" help:"The game's id."`
	Reason     string `help:"Told to the players."`
}

func (cmd *gamePauseCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "pause", cmd, cmd.configFlag, c)
}

func (cmd *gamePauseCommand) do(ctx context.Context, h *office, c *console) error {
	return done(c, h.Pause(ctx, cmd.Game, cmd.Reason), "game %s is paused", cmd.Game)
}

type gameResumeCommand struct {
	configFlag  `json:"-"`
	asFlag      `json:"-"`
	Game        string `arg:"" help:"The game's id."`
	AcceptRules bool   `help:"Go on under this program's rules, although some stops would have gone differently under them."`
}

func (cmd *gameResumeCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "resume", cmd, cmd.configFlag, c)
}

func (cmd *gameResumeCommand) do(ctx context.Context, h *office, c *console) error {
	if cmd.AcceptRules {
		return done(c, h.AcceptRules(ctx, cmd.Game), "game %s goes on under the rules of this program", cmd.Game)
	}
	return done(c, h.Resume(ctx, cmd.Game), "game %s goes on", cmd.Game)
}

type gameExtendCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string        `arg:"" help:"The game's id."`
	By         time.Duration `help:"How much later, such as 24h. Give one of the two: --by or --until." xor:"when" required:""`
	Until      time.Time     `help:"The new deadline, such as 2026-11-27T20:00:00+01:00." format:"2006-01-02T15:04:05Z07:00" xor:"when" required:""`
	Side       string        `name:"seat" aliases:"side" placeholder:"SEAT" help:"Only the deadline of this seat."`
}

func (cmd *gameExtendCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "extend", cmd, cmd.configFlag, c)
}

func (cmd *gameExtendCommand) do(ctx context.Context, h *office, c *console) error {
	if !cmd.Until.IsZero() {
		return done(c, h.ExtendUntil(ctx, cmd.Game, engine.Side(cmd.Side), cmd.Until), "the deadline of game %s has moved", cmd.Game)
	}
	return done(c, h.Extend(ctx, cmd.Game, engine.Side(cmd.Side), cmd.By), "the deadline of game %s has moved", cmd.Game)
}

type gameReleaseCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" help:"The game's id."`
}

func (cmd *gameReleaseCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "release", cmd, cmd.configFlag, c)
}

func (cmd *gameReleaseCommand) do(ctx context.Context, h *office, c *console) error {
	return done(c, h.Release(ctx, cmd.Game), "game %s goes on", cmd.Game)
}

type gameRemindCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" help:"The game's id."`
	Side       string `name:"seat" aliases:"side" placeholder:"SEAT" help:"Only the player of this seat."`
}

func (cmd *gameRemindCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "remind", cmd, cmd.configFlag, c)
}

func (cmd *gameRemindCommand) do(ctx context.Context, h *office, c *console) error {
	return done(c, h.Remind(ctx, cmd.Game, engine.Side(cmd.Side)), "the players who have not answered in game %s are reminded", cmd.Game)
}

type gameReplaceCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" help:"The game's id."`
	Side       string `arg:"" name:"seat" help:"The seat that is given to another player."`
	Name       string `help:"The new player's name."`
	Address    string `xor:"who" required:"" help:"The new player's address. Give one of the two: --address or --bot."`
	Bot        string `xor:"who" required:"" placeholder:"BOT" help:"Give the seat to a bot, sensible or random, instead of a player."`
	Language   string `default:"en" enum:"en,it" help:"Language of the new player's letters: en or it."`
	Zone       string `default:"UTC" help:"Time zone of the times in those letters, such as Europe/Rome."`
	sureFlags
}

// sureFlags are the flags by which a grave change is confirmed.
type sureFlags struct {
	Confirm string `help:"The code that the preview gave: confirms the change." placeholder:"CODE"`
	Yes     bool   `help:"Make the change at once, without a preview."`
}

// tell prints a preview, or says that the thing is done.
func (f sureFlags) tell(c *console, p *adjudicator.GravePreview, err error, format string, args ...any) error {
	if err != nil || p.Done {
		return done(c, err, format, args...)
	}
	if _, err := io.WriteString(c.out, p.Text); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.err, "nothing has changed yet; to confirm it: --confirm %s\n", p.Code)
	return err
}

func (cmd *gameReplaceCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "replace", cmd, cmd.configFlag, c)
}

func (cmd *gameReplaceCommand) do(ctx context.Context, h *office, c *console) error {
	if _, err := time.LoadLocation(cmd.Zone); err != nil || cmd.Zone == "" || cmd.Zone == "Local" {
		return hinted{fmt.Errorf("%q is not a time zone", cmd.Zone), "write one such as Europe/Rome"}
	}
	by := log.Person{Name: cmd.Name, Address: cmd.Address, Language: cmd.Language, Zone: cmd.Zone}
	switch {
	case cmd.Bot == log.SensibleBot || cmd.Bot == log.RandomBot:
		by, cmd.Name = log.Person{Bot: cmd.Bot}, "a bot"
	case cmd.Bot != "":
		return hinted{fmt.Errorf("there is no bot %q", cmd.Bot), "--bot sensible or --bot random"}
	case cmd.Name == "":
		return hinted{errors.New("the new player has no name"), "give it with --name"}
	}
	p, err := h.ReplaceIf(ctx, cmd.Game, engine.Side(cmd.Side), by, cmd.Confirm, cmd.Yes)
	return cmd.tell(c, p, err, "%s is now %s in game %s", cmd.Name, cmd.Side, cmd.Game)
}

type gameAnswerCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" help:"The game's id."`
	Side       string `arg:"" name:"seat" help:"The seat that is answered for."`
	File       string `arg:"" help:"Order file, or - for the standard input."`
	Text       string `kong:"-"`
}

func (cmd *gameAnswerCommand) Run(ctx context.Context, c *console) (err error) {
	if cmd.Text, err = readInput(cmd.File); err != nil {
		return err
	}
	return perform(ctx, "answer", cmd, cmd.configFlag, c)
}

func (cmd *gameAnswerCommand) do(ctx context.Context, h *office, c *console) error {
	problems, err := h.Office.Clerk().Answer(ctx, cmd.Game, engine.Side(cmd.Side), cmd.Text)
	if len(problems) > 0 {
		err = errors.Join(problems, err)
	}
	return done(c, err, "the answer for %s in game %s counts", cmd.Side, cmd.Game)
}

type gameCloseCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" help:"The game's id."`
	Reason     string `help:"Told to the players."`
	sureFlags
}

func (cmd *gameCloseCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "close", cmd, cmd.configFlag, c)
}

func (cmd *gameCloseCommand) do(ctx context.Context, h *office, c *console) error {
	p, err := h.CloseIf(ctx, cmd.Game, cmd.Reason, cmd.Confirm, cmd.Yes)
	return cmd.tell(c, p, err, "game %s is closed", cmd.Game)
}

type checkCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	File       string `arg:"" help:"Order file, or - for the standard input."`
	Game       string `help:"Game of the order file, if the file does not name it."`
	Side       string `name:"seat" aliases:"side" placeholder:"SEAT" help:"Seat of the order file, if the file does not name it (side: there)."`
	Text       string `kong:"-"`
}

func (cmd *checkCommand) Run(ctx context.Context, c *console) (err error) {
	if cmd.Text, err = readInput(cmd.File); err != nil {
		return err
	}
	return perform(ctx, "check", cmd, cmd.configFlag, c)
}

func (cmd *checkCommand) do(_ context.Context, h *office, c *console) error {
	doc, problems := orders.Parse(cmd.Text, nil)
	game, side := cmd.Game, cmd.Side
	if doc != nil && doc.Game != "" {
		game = doc.Game
	}
	if doc != nil && doc.Side != "" {
		side = doc.Side
	}
	if game == "" || side == "" {
		if len(problems) > 0 {
			return problems
		}
		return hinted{errors.New("the file does not say for which game and side it is"), "write game: and side: into it, or use --game and --seat"}
	}
	answer, _, problems, err := h.Check(game, engine.Side(side), cmd.Text)
	if err != nil {
		return err
	}
	if len(problems) > 0 {
		return problems
	}
	if answer == nil {
		return nil
	}
	if _, err = io.WriteString(c.out, answer.Orders().Encode()); err != nil {
		return err
	}
	policies, err := h.Foreseen(game, engine.Side(side), answer)
	for i, p := range policies {
		if i == 0 {
			fmt.Fprintln(c.out, "# policies that would answer what comes of it:")
		}
		fmt.Fprintf(c.out, "#   %s: %s\n", p.Key, p.Value)
	}
	return err
}

type keyCommand struct {
	configFlag `json:"-"`
	Address    string `arg:"" help:"Address of an administrator whom the configuration names."`
	New        bool   `help:"Make a new key; the old one is no longer valid."`
}

func (cmd *keyCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "key", cmd, cmd.configFlag, c)
}

func (cmd *keyCommand) do(ctx context.Context, h *office, c *console) error {
	key, err := h.OfficeKey(cmd.Address)
	if cmd.New {
		key, err = h.NewOfficeKey(ctx, cmd.Address)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.out, key)
	return err
}

type backupCommand struct {
	configFlag `json:"-"`
	Target     string `arg:"" type:"path" help:"File to write; it must not exist yet."`
}

// Run writes the copy itself, since the daemon may not be able to write there, and reads it back.
func (cmd *backupCommand) Run(ctx context.Context, c *console) error {
	conf, err := cmd.load()
	if err != nil {
		return err
	}
	if err := conf.onlyFile("backup", noCopy); err != nil {
		return err
	}
	f, err := os.OpenFile(cmd.Target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return hinted{fmt.Errorf("back up: %s exists already", cmd.Target), "name a new file"}
	}
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	n, err := copyDatabase(ctx, conf, f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("back up: %w", err), os.Remove(cmd.Target))
	}
	info, err := bolt.Inspect(cmd.Target, bolt.Options{})
	if err != nil {
		return errors.Join(fmt.Errorf("back up: read the copy: %w", err), os.Remove(cmd.Target))
	}
	away, lost, err := cmd.away(ctx, conf)
	if err != nil {
		return errors.Join(err, os.Remove(cmd.Target))
	}
	more := ""
	if away > 0 {
		more = fmt.Sprintf("; what was put away of %d games is in %s", away, cmd.Target+awaySuffix)
	}
	err = done(c, nil, "%d bytes written to %s: %d games, every page read%s", n, cmd.Target, info.Games, more)
	if err == nil && len(lost) > 0 {
		// The copy stays: without it one lost file would be the end of all backups.
		err = errAway("back up: the copy of the database is complete and was kept, but", lost, "put each file back into "+conf.Shelf+" from beside an earlier backup (FILE"+awaySuffix+"), and back up into a new file; do that at once if nothing is missing there, since a game may have been brought back meanwhile. berthier doctor says which files are missing or damaged")
	}
	return err
}

// away copies what was put away of games beside the copy of the database, and names the files that can't be copied.
func (cmd *backupCommand) away(ctx context.Context, conf config) (n int, lost []string, err error) {
	st, err := bolt.Open(cmd.Target, bolt.Options{ReadOnly: true})
	if err != nil {
		return 0, nil, fmt.Errorf("back up: read the copy: %w", err)
	}
	n, lost, _, err = copyAway(ctx, st, shelf.New(conf.Shelf), cmd.Target+awaySuffix)
	return n, lost, errors.Join(err, st.Close())
}

// copyDatabase writes a consistent copy of the database. The daemon gives it; if no daemon
// runs, this process reads it.
func copyDatabase(ctx context.Context, conf config, w io.Writer) (int64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://office/copy", nil)
	if err != nil {
		return 0, err
	}
	response, err := controlClient(conf).Do(request)
	if noDaemon(err) {
		h, err := openOffice(conf, slog.New(slog.DiscardHandler))
		if err != nil {
			return 0, err
		}
		from, ok := h.store.(copier)
		if !ok {
			return 0, errors.Join(errors.New(noCopy), h.close())
		}
		n, err := from.Backup(w)
		return n, errors.Join(err, h.close())
	}
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return 0, errors.New(response.Status)
	}
	return io.Copy(w, response.Body)
}

// done says that something was done, unless it failed.
func done(c *console, err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, format+"\n", args...)
	return err
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func sides(all []engine.Side) string {
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = string(s)
	}
	return strings.Join(names, ", ")
}

func options(all map[string]string) string {
	var parts []string
	for _, name := range sortedKeys(all) {
		parts = append(parts, name+"="+all[name])
	}
	return strings.Join(parts, " ")
}

func moment(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04 MST")
}

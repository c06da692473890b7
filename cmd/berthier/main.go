// Command berthier runs wargames that are played by email: it reads the players' order
// files from a mailbox, has the rules judge them, resolves a stop as soon as every side
// has answered, and mails each player what that player may see.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/alecthomas/kong"
)

// commands is the command line.
type commands struct {
	Demo    demoCommand    `cmd:"" help:"Play a whole game by mail between two bots, through mail servers in this process."`
	Play    playCommand    `cmd:"" help:"Play a game against the bot at this machine: no mail, no configuration."`
	Serve   serveCommand   `cmd:"" help:"Run the office: read the mailbox, judge, resolve, send."`
	Game    gameCommands   `cmd:"" help:"Commands of the game master."`
	Check   checkCommand   `cmd:"" help:"Judge an order file for a game, without submitting it."`
	Choices choicesCommand `cmd:"" help:"List what a seat may decide, choice by choice, with the order file for what was chosen; for programs."`
	Rule    ruleCommand    `cmd:"" help:"Rule on a die, a position, an order, the outcome; shown first, then confirmed."`
	Case    caseCommands   `cmd:"" help:"Run or show conformance cases of the rules."`
	Rules   rulesCommand   `cmd:"" help:"Print the clauses of a game's rules, or some of them."`
	Schema  schemaCommand  `cmd:"" help:"Print a JSON Schema of a game's order files, for editors."`
	Bench   benchCommands  `cmd:"" help:"Measure: let bots play many games and count how they end."`
	Member  memberCommands `cmd:"" help:"Members of the club: list, show, add, merge."`
	Forget  forgetCommand  `cmd:"" help:"Take a person's name and addresses out of games, leagues and letters, on request."`
	League  leagueCommands `cmd:"" help:"Leagues: set-ups, seasons, tables."`
	Config  configCommands `cmd:"" help:"Check or print the configuration of serve."`
	Key     keyCommand     `cmd:"" help:"Print the key of an administrator, who writes it into letters to the office."`
	Init    initCommand    `cmd:"" help:"Make a new, empty database. Nothing else makes one."`
	Claim   claimCommand   `cmd:"" help:"Give the mailbox to this database, after another database has worked on it."`
	Backup  backupCommand  `cmd:"" help:"Write a consistent copy of the database, even while serve runs."`
	Restore restoreCommand `cmd:"" help:"Replace the database by a copy that backup has written."`
	Move    moveCommand    `cmd:"" help:"Move the office with all its games to a database of PostgreSQL, or back to a file."`
	Compact compactCommand `cmd:"" help:"Make the database's file as small as it can be, while serve stands still."`
	Doctor  doctorCommand  `cmd:"" help:"Check configuration, database, mailbox, sending, disk and clock, and say what to fix."`
	Profile profileCommand `cmd:"" help:"Have the running daemon measure where its processor time goes."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// Exit codes.
const (
	exitRefused = 1 // what was asked for was refused, or failed
	exitUsage   = 2
	// A game could not be verified completely, or goes differently under this program's
	// rules, and nothing speaks against it (docs/dice.md).
	exitUnproven = 3
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run does what a command line says and gives the exit code.
func run(ctx context.Context, args []string, out, errout io.Writer) int {
	return newCommandLine().run(ctx, args, out, errout)
}

// A commandLine reads command lines one after the other. To make one takes longer than most
// commands do.
type commandLine struct {
	commands commands
	parser   *kong.Kong
	code     int // with which the program ends at once; -1: with none
}

func newCommandLine() *commandLine {
	l := &commandLine{}
	var err error
	l.parser, err = kong.New(&l.commands,
		kong.Name("berthier"),
		kong.Description("Runs wargames that are played by email."),
		kong.Exit(func(n int) { l.code = n }),
		kong.UsageOnError(),
		kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(readLength)),
		kong.Vars{"rulesets": rulesetNames()},
	)
	if err != nil {
		panic(err) // the program's own description of its command line is wrong
	}
	return l
}

// run does what a command line says and gives the exit code.
func (l *commandLine) run(ctx context.Context, args []string, out, errout io.Writer) int {
	l.anew()
	l.parser.Stdout, l.parser.Stderr = out, errout
	if len(args) > 0 && args[0] == "help" { // as --help does, also for a command
		args = append(args[1:len(args):len(args)], "--help")
	}
	parsed, err := l.parser.Parse(args)
	if l.code >= 0 { // --help was asked for
		return l.code
	}
	if err != nil {
		report(errout, misused(err))
		return exitUsage
	}
	if err := nothingEmpty(parsed); err != nil {
		report(errout, err)
		return exitUsage
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	if err := parsed.Run(&console{out: out, err: errout}); err != nil {
		err = helped(err, parsed)
		if errors.Is(err, errUnproven) {
			return exitUnproven
		}
		if !errors.Is(err, errTold) {
			report(errout, err)
		}
		return exitRefused
	}
	return 0
}

// misused says what is wrong with a command line that can't be read, and which help tells what the command takes: that of the
// command itself, as far as the line names one.
func misused(err error) error {
	hint := "berthier --help lists the commands"
	var wrong *kong.ParseError
	if errors.As(err, &wrong) && wrong.Context != nil && wrong.Context.Selected() != nil {
		hint = "berthier " + wrong.Context.Selected().Path() + " --help tells what this command takes"
	}
	var file *fs.PathError
	if errors.As(err, &file) {
		switch {
		case errors.Is(file, fs.ErrNotExist):
			return hinted{fmt.Errorf("there is no file or folder %s", file.Path), "look at the path; " + hint}
		case errors.Is(file, fs.ErrPermission):
			return hinted{fmt.Errorf("%s may not be read by this user", file.Path), "run berthier as the user whose file it is, or give that user the right to read it"}
		}
	}
	return hinted{err, hint}
}

// readLength reads a length of time of the command line.
func readLength(ctx *kong.DecodeContext, target reflect.Value) error {
	var text string
	if err := ctx.Scan.PopValueInto("duration", &text); err != nil {
		return err
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("%q is not a length of time: write 24h, 90m or 2h30m", text)
	}
	target.SetInt(int64(d))
	return nil
}

// anew forgets what the command line before has said.
func (l *commandLine) anew() {
	l.commands, l.code = commands{}, -1
	unset := func(v *kong.Value) { v.Set, v.Active = false, false }
	_ = kong.Visit(l.parser.Model, func(at kong.Visitable, next kong.Next) error {
		switch at := at.(type) {
		case *kong.Application:
			at.Active = false
		case *kong.Node:
			if at.Active = false; at.Argument != nil {
				unset(at.Argument)
			}
		case *kong.Flag:
			unset(at.Value)
		case *kong.Value:
			unset(at)
		}
		return next(nil)
	})
}

// A console is where a command writes: results to out, everything else to err.
type console struct {
	out, err io.Writer
	// files are those that a command wants written. A daemon hands them to the process that
	// asked for the command: the daemon's folders are not the user's, and its sandbox lets it
	// write nowhere else. Nil: they are written at once.
	files *[]savedFile
}

// A savedFile is a file that a command writes.
type savedFile struct {
	Path string `json:"path"`
	Data []byte `json:"data"`
}

// save writes a file into a folder, which it makes if necessary. Only the user who runs
// the command may read the file.
func (c *console) save(path string, data []byte) error {
	if c.files != nil {
		*c.files = append(*c.files, savedFile{path, data})
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("save file: %w", err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return fmt.Errorf("save file: %w", err)
	}
	return nil
}

// errTold fails a command that has already told in full what is wrong.
var errTold = errors.New("refused")

// errUnproven ends a command that could not find out whether all is well, and has said
// why.
var errUnproven = errors.New("not proven")

// A hinted error says what to do next.
type hinted struct {
	error
	hint string
}

func (h hinted) Unwrap() error { return h.error }

func report(w io.Writer, err error) {
	fmt.Fprintf(w, "berthier: %s\n", visible(explain(err)))
	var h hinted
	if errors.As(err, &h) {
		fmt.Fprintf(w, "hint: %s\n", h.hint)
	} else if errors.Is(err, fs.ErrPermission) {
		fmt.Fprintln(w, "hint: run berthier as the user of its daemon (sudo -u berthier), and see that the file is that user's")
	}
}

// visible is a text as a terminal may show it: what somebody has typed may hold signs that can't be seen, or that command the terminal.
func visible(text string) string {
	return strings.Map(func(c rune) rune {
		if c == '\n' || c == '\t' || unicode.IsGraphic(c) {
			return c
		}
		return '?'
	}, text)
}

type versionCommand struct{}

func (versionCommand) Run(c *console) error {
	_, err := fmt.Fprintln(c.out, version())
	return err
}

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"berthier/engine"
	"berthier/orders/phrase"
)

type playCommand struct {
	Game     string            `default:"napoleon" enum:"${rulesets}" help:"Game system: ${rulesets}."`
	Side     string            `name:"seat" aliases:"side" placeholder:"SEAT" help:"The seat that you play; the bot plays the others. By default the first of the game."`
	Option   map[string]string `help:"An option of the game, as in a set-up: edition=3e."`
	Pace     string            `default:"postal" enum:"postal,every-decision,by-plan" help:"How much you are asked: postal, every-decision or by-plan."`
	Bot      string            `default:"sensible" enum:"sensible,random" help:"How the bot plays: sensible or random."`
	Language string            `default:"en" enum:"en,it" help:"Language of your letters: en or it."`
	Out      string            `help:"Folder for the game; it must not exist yet. By default one is made here." type:"path"`
	Resume   string            `help:"Go on with the game in this folder." type:"existingdir" placeholder:"FOLDER" xor:"folder"`
	Orders   string            `help:"Answer one stop with this order file, and end. - is the standard input." placeholder:"FILE"`
	Mail     bool              `help:"Play in your own mail program, through mail servers on this machine."`
	TLS      bool              `name:"tls" help:"With --mail: encrypt, by a certificate made for this run."`
	Browser  bool              `default:"true" negatable:"" help:"Open the first report in a browser, if there is a terminal."`
	JSON     bool              `name:"json" help:"With --orders: print as JSON what came of it."`
}

// Run plays a game against the bot without mail: a letter out is a file in a folder, and a
// letter in is the order file that is edited there. All else is the office's usual road.
func (cmd playCommand) Run(ctx context.Context, c *console) error {
	if cmd.JSON && cmd.Orders == "" {
		return hinted{errors.New("--json tells what came of one order file"), "give the file with --orders"}
	}
	if cmd.Mail && cmd.Orders != "" {
		return hinted{errors.New("with --mail orders come by mail"), "leave out --orders"}
	}
	answer := ""
	if cmd.Orders != "" {
		var err error
		if answer, err = readInput(cmd.Orders); err != nil {
			return err
		}
	}
	s, err := cmd.sit(ctx)
	if err != nil {
		return err
	}
	switch {
	case cmd.Mail:
		err = s.byMail(ctx, c, cmd.TLS, "berthier play --mail --resume")
	case cmd.Orders != "":
		err = s.answerOnce(ctx, c, answer, cmd.JSON)
	default:
		err = s.sitting(ctx, c, os.Stdin, cmd.Browser)
	}
	return errors.Join(err, s.close())
}

// sit opens the game in the folder that was named, or makes one.
func (cmd playCommand) sit(ctx context.Context) (*sitting, error) {
	folder := cmd.Resume
	if folder == "" {
		var err error
		if folder, err = cmd.newFolder(); err != nil {
			return nil, err
		}
		setup, err := cmd.setup()
		if err != nil {
			return nil, errors.Join(err, os.Remove(folder))
		}
		if err := writeWhole(filepath.Join(folder, setupName), []byte(setup)); err != nil {
			return nil, err
		}
	}
	return openSitting(ctx, folder, nil)
}

// newFolder makes the folder of a new game.
func (cmd playCommand) newFolder() (string, error) {
	if cmd.Out != "" {
		return demoFolder(cmd.Out)
	}
	for n := 1; ; n++ {
		folder := fmt.Sprintf("berthier-play-%d", n)
		err := os.Mkdir(folder, 0o755)
		if err == nil {
			return folder, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", hinted{fmt.Errorf("make folder: %w", err), "name a folder with --out"}
		}
	}
}

// A played is what came of one order file, for programs.
type played struct {
	Folder  string      `json:"folder"`
	Game    string      `json:"game"`
	Side    engine.Side `json:"side"`
	Verdict string      `json:"verdict"`         // taken, refused
	Over    bool        `json:"over"`            // the game is
	Stop    int         `json:"stop,omitempty"`  // that is owed now
	Kind    string      `json:"kind,omitempty"`  // of that stop
	At      string      `json:"at,omitempty"`    // what it is about
	Orders  string      `json:"orders"`          // path of the order file to fill in
	Letters []string    `json:"letters"`         // what the office wrote, as text
	Files   []string    `json:"files,omitempty"` // the same as .eml
}

// answerOnce hands one order file in and tells what came of it.
func (s *sitting) answerOnce(ctx context.Context, c *console, file string, asJSON bool) error {
	taken, err := s.handIn(ctx, file)
	if err != nil {
		return err
	}
	if asJSON {
		p := played{Folder: s.folder, Game: s.game, Side: s.side, Verdict: "taken", Over: s.over, Orders: s.path(ordersName), Letters: []string{}}
		if !taken {
			p.Verdict = "refused"
		}
		if s.owes != nil {
			p.Stop, p.Kind, p.At = s.stop, s.owes.Kind, s.owes.At
		}
		for _, l := range s.fresh {
			p.Letters, p.Files = append(p.Letters, l.text), append(p.Files, l.path)
		}
		out := json.NewEncoder(c.out)
		out.SetIndent("", "  ")
		err = out.Encode(p)
	} else {
		err = s.show(c, !taken)
	}
	if err == nil && !taken {
		return errTold
	}
	return err
}

// show prints the letters that came, whole if orders were refused, and what to do next.
func (s *sitting) show(c *console, refused bool) error {
	for _, l := range s.fresh {
		if _, err := io.WriteString(c.out, paint(l.shown(refused), isTerminal(c.out))+"\n"); err != nil {
			return err
		}
	}
	s.fresh = nil
	switch {
	case s.over:
		return s.tellOf(c, "over", s.path("report.html"))
	case s.owes != nil:
		return errors.Join(s.tellOf(c, "report", s.path("report.html")), s.tellOf(c, "file", s.path(ordersName)))
	}
	return nil
}

// sitting plays until the player leaves or the game is over.
func (s *sitting) sitting(ctx context.Context, c *console, in *os.File, browser bool) error {
	terminal := isTerminal(c.out) && isTerminal(in)
	if err := s.show(c, false); err != nil {
		return err
	}
	if browser && terminal && s.isNew {
		browse(s.path("report.html"))
	}
	lines := bufio.NewScanner(in)
	for !s.over && s.owes != nil {
		file, err := s.ask(ctx, c, lines, terminal)
		if errors.Is(err, errLeft) {
			_, err = fmt.Fprintln(c.out, s.say("kept", phrase.Literal("command", "berthier play --resume "+s.folder)))
			return err
		}
		if err != nil {
			return err
		}
		taken, err := s.handIn(ctx, file)
		if err != nil {
			return err
		}
		if err := s.show(c, !taken); err != nil {
			return err
		}
		if !taken {
			fmt.Fprintln(c.out, s.say("refused"))
		}
	}
	return nil
}

// errLeft ends a sitting before the game is over.
var errLeft = errors.New("left")

// isTerminal tells whether somebody reads or writes there.
func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// paint makes headings bold, where that can be seen.
func paint(text string, terminal bool) string {
	if !terminal {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if i+1 < len(lines) && line != "" && lines[i+1] != "" && strings.Trim(lines[i+1], "=-") == "" {
			lines[i] = "\x1b[1m" + line + "\x1b[0m"
		}
	}
	return strings.Join(lines, "\n")
}

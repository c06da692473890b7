package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"berthier/adjudicator"
	"berthier/adjudicator/log"
	"berthier/adjudicator/verify"
	"berthier/engine"
)

type gameExportCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" help:"The game's id."`
	Side       string `name:"seat" aliases:"side" placeholder:"SEAT" help:"Write what this seat may see; by default everything."`
	Out        string `json:"-" type:"path" help:"File to write; it must not exist yet. By default the standard output."`
}

func (cmd *gameExportCommand) Run(ctx context.Context, c *console) (err error) {
	if cmd.Out == "" {
		return perform(ctx, "export", cmd, cmd.configFlag, c)
	}
	var text bytes.Buffer
	if err := perform(ctx, "export", cmd, cmd.configFlag, &console{out: &text, err: c.err}); err != nil {
		return err
	}
	return writeNew(c, cmd.Out, text.Bytes())
}

// writeNew writes a file that must not exist yet.
func writeNew(c *console, path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return hinted{fmt.Errorf("write file: %s exists already", path), "name a new file"}
	}
	if err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	return done(c, nil, "%d bytes written to %s", len(data), path)
}

func (cmd *gameExportCommand) do(_ context.Context, h *office, c *console) error {
	side := engine.Side(cmd.Side)
	if side == "" {
		side = engine.GM
	}
	x, err := h.Export(cmd.Game, side)
	if err != nil {
		return err
	}
	return x.Write(c.out)
}

type gameArchiveCommand struct {
	configFlag `json:"-"`
	Game       string `arg:"" help:"The game's id; it must be over."`
	Language   string `enum:"en,it" default:"en" help:"Language of the page: ${enum}."`
	Out        string `json:"-" required:"" type:"path" help:"File to write; it must not exist yet."`
}

func (cmd *gameArchiveCommand) Run(ctx context.Context, c *console) error {
	var page bytes.Buffer
	if err := perform(ctx, "archive", cmd, cmd.configFlag, &console{out: &page, err: c.err}); err != nil {
		return err
	}
	return writeNew(c, cmd.Out, page.Bytes())
}

func (cmd *gameArchiveCommand) do(_ context.Context, h *office, c *console) error {
	page, err := h.Archive(cmd.Game, cmd.Language)
	if err != nil {
		return err
	}
	_, err = c.out.Write(page)
	return err
}

// A verified game is the result of verifying it with the verdict in words, as JSON.
type verified struct {
	*verify.Verified
	Verdict string
}

type gameVerifyCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" help:"The game's id, or a file that game export wrote."`
	Letters    string `json:"-" type:"existingdir" help:"Folder of a player's letters as .eml files, to be compared with the log."`
	JSON       bool   `json:"-" help:"Print JSON."`
}

func (cmd *gameVerifyCommand) Run(ctx context.Context, c *console) error {
	data, err := os.ReadFile(cmd.Game)
	if errors.Is(err, fs.ErrNotExist) {
		var text bytes.Buffer
		export := &gameExportCommand{configFlag: cmd.configFlag, asFlag: cmd.asFlag, Game: cmd.Game}
		if err := perform(ctx, "export", export, cmd.configFlag, &console{out: &text, err: c.err}); err != nil {
			return err
		}
		data, err = text.Bytes(), nil
	}
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	x, err := log.ReadExport(data)
	if err != nil {
		return hinted{fmt.Errorf("verify %s: %w", cmd.Game, err), "name a game's id or a file that game export wrote"}
	}
	v, err := verify.Game(x, systems())
	if err != nil {
		return err
	}
	if cmd.Letters != "" {
		letters, err := readLetters(cmd.Letters)
		if err != nil {
			return err
		}
		found := adjudicator.VerifyLetters(x, letters)
		v.Checks = append(v.Checks, found)
		if found.Count == 0 {
			v.Unchecked = append(v.Unchecked, "letters: none in the folder is of this game")
		}
	}
	if cmd.JSON {
		if err := printJSON(c.out, verified{v, verdictOf(v)}); err != nil {
			return err
		}
	} else if err := tellVerified(c, v); err != nil {
		return err
	}
	return endOf(v.Verdict())
}

// endOf is how a command ends that has told such a verdict.
func endOf(verdict verify.Verdict) error {
	switch verdict {
	case verify.Broken:
		return errTold
	case verify.Unproven:
		return errUnproven
	}
	return nil
}

// verdictOf is the verdict in words.
func verdictOf(v *verify.Verified) string {
	switch {
	case v.Verdict() == verify.Broken:
		return "does NOT hold"
	case v.Lost():
		return "can't be said to hold: some letters are older than a restore, and only the office says that there was one"
	case len(v.Differ) > 0:
		return "differs under this program's rules; nothing else speaks against it"
	case v.Verdict() == verify.Unproven:
		return "could not be checked completely; nothing speaks against it"
	}
	return "holds"
}

// tellVerified prints the result of verifying a game.
func tellVerified(c *console, v *verify.Verified) error {
	for _, check := range v.Checks {
		state := "ok"
		if len(check.Wrong) > 0 {
			state = "WRONG"
		}
		fmt.Fprintf(c.out, "%-5s  %d %s\n", state, check.Count, check.What)
		for _, wrong := range check.Wrong {
			fmt.Fprintf(c.out, "       %s\n", wrong)
		}
	}
	for _, check := range v.Checks {
		for _, lost := range check.Lost {
			fmt.Fprintf(c.out, "lost   %s\n", lost)
		}
	}
	for _, differ := range v.Differ {
		fmt.Fprintf(c.out, "differ under this program's rules it goes differently: %s\n", differ)
	}
	for _, why := range v.Unchecked {
		fmt.Fprintf(c.out, "open   not checked: %s\n", why)
	}
	for _, note := range v.Notes {
		fmt.Fprintf(c.out, "note   %s\n", note)
	}
	return done(c, nil, "%s %s %s", map[bool]string{true: "league", false: "game"}[v.League], v.Game, verdictOf(v))
}

// readLetters reads the .eml files of a folder.
func readLetters(folder string) (map[string][]byte, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.eml"))
	if err != nil {
		return nil, fmt.Errorf("read letters: %w", err)
	}
	if len(names) == 0 {
		return nil, hinted{fmt.Errorf("read letters: %s holds no .eml file", folder), "save the office's letters there, as your mail program got them"}
	}
	slices.Sort(names)
	letters := map[string][]byte{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read letters: %w", err)
		}
		letters[filepath.Base(name)] = data
	}
	return letters, nil
}

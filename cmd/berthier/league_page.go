package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"berthier/templates"
)

type leaguePageCommand struct {
	leagueAct
	Out string `json:"-" required:"" type:"path" help:"Folder of the pages. It is made if it is not there; pages of an earlier run are replaced, all at once."`
}

// siteMark is the file by which a folder is known as the pages of a league. It holds the league's id.
const siteMark = ".berthier-league"

func (cmd *leaguePageCommand) Run(ctx context.Context, c *console) error {
	out, err := siteFolder(cmd.Out, cmd.League)
	if err != nil {
		return err
	}
	stage, err := os.MkdirTemp(filepath.Dir(out), "."+filepath.Base(out)+".new-")
	if err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	defer os.RemoveAll(stage)
	pages, games, err := cmd.fill(ctx, c, stage)
	if err != nil {
		return err
	}
	if err := swapFolder(stage, out); err != nil {
		return hinted{fmt.Errorf("put pages in place: %w", err), "name a folder that can be renamed: none on which a disk is mounted, but one inside it"}
	}
	_, err = fmt.Fprintf(c.out, "%d pages and %d games of league %s are in %s: open %s\n", pages, games, cmd.League, out, filepath.Join(out, "index.html"))
	return err
}

// do gives the pages as files, and the games that are over, one a line.
func (cmd *leaguePageCommand) do(_ context.Context, h *office, c *console) error {
	pages, games, err := h.Secretary().LeagueSite(cmd.League)
	if err != nil {
		return err
	}
	for _, path := range sortedKeys(pages) {
		if err := c.save(path, pages[path]); err != nil {
			return err
		}
	}
	for _, id := range games {
		fmt.Fprintln(c.out, id)
	}
	return nil
}

// fill writes all pages into a folder, and gives how many there are, and of how many games. Games come
// one by one: all at once would be too much to hold.
func (cmd *leaguePageCommand) fill(ctx context.Context, c *console, folder string) (pages, games int, err error) {
	var said bytes.Buffer
	files := []savedFile{}
	if err := perform(ctx, "league-page", cmd, cmd.configFlag, &console{out: &said, err: c.err, files: &files}); err != nil {
		return 0, 0, err
	}
	files = append(files, savedFile{siteMark, []byte(cmd.League + "\n")})
	for _, f := range files {
		if err := putPage(folder, f.Path, f.Data); err != nil {
			return 0, 0, err
		}
	}
	ids := strings.Fields(said.String())
	for _, id := range ids {
		for _, language := range templates.Languages {
			var page bytes.Buffer
			one := &leagueGameCommand{Game: id, Language: language}
			if err := perform(ctx, "league-game", one, cmd.configFlag, &console{out: &page, err: c.err}); err != nil {
				return 0, 0, hinted{fmt.Errorf("page of game %s: %w", id, err), "if the game was opened again meanwhile, give the command once more"}
			}
			if err := putPage(folder, templates.ArchiveFile(language, id), page.Bytes()); err != nil {
				return 0, 0, err
			}
		}
	}
	return len(files) - 1, len(ids), os.Chmod(folder, 0o755)
}

// putPage writes a page, which everybody may read, under a folder.
func putPage(folder, path string, data []byte) error {
	path = filepath.Join(folder, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// leagueGameCommand gives the page of a game that is over, for everybody.
type leagueGameCommand struct {
	Game     string
	Language string
}

func (cmd *leagueGameCommand) do(_ context.Context, h *office, c *console) error {
	page, err := h.PublicArchive(cmd.Game, cmd.Language)
	if err != nil {
		return err
	}
	_, err = c.out.Write(page)
	return err
}

// sitePaths are the files that pages of a league may be.
var sitePaths = regexp.MustCompile(`^(index\.html|` + regexp.QuoteMeta(siteMark) + `|[a-z]{2}(|/index\.html|/ratings\.html|/feed\.xml|/season-[0-9]+\.html|/games|/games/[a-z0-9-]+\.html))$`)

// siteFolder gives the folder in which pages of a league are to be put, after looking what is there: it
// may be missing, be empty, or hold pages of that league alone, since all that it holds is replaced.
func siteFolder(out, league string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return "", fmt.Errorf("make folder: %w", err)
	}
	if real, err := filepath.EvalSymlinks(out); err == nil {
		out = real
	}
	entries, err := os.ReadDir(out)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(entries) == 0:
		return out, nil
	case err != nil:
		return "", hinted{fmt.Errorf("look into the folder: %w", err), "name a folder"}
	}
	mark, err := os.ReadFile(filepath.Join(out, siteMark))
	if err != nil || strings.TrimSpace(string(mark)) != league {
		return "", hinted{fmt.Errorf("%s holds other things than the pages of league %s", out, league), "name a folder that is empty or does not exist yet, since all that it holds is replaced"}
	}
	var others []string
	err = filepath.WalkDir(out, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(out, path)
		if err == nil && rel != "." && !sitePaths.MatchString(filepath.ToSlash(rel)) {
			others = append(others, rel)
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("look into the folder: %w", err)
	}
	if len(others) > 0 {
		slices.Sort(others)
		return "", hinted{fmt.Errorf("%s holds besides the pages: %s", out, strings.Join(others, ", ")), "move these away: all that the folder holds is replaced"}
	}
	return out, nil
}

// swapFolder puts a new folder in the place of another, which may be missing, and removes what was
// there. Whoever looks sees the old one or the new one.
func swapFolder(fresh, at string) error {
	if _, err := os.Lstat(at); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(fresh, at)
	}
	if err := exchange(fresh, at); err != nil {
		return err
	}
	return os.RemoveAll(fresh)
}

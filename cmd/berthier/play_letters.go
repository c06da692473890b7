package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"berthier/mail"
)

// A shownLetter is a letter of the office to the person at this machine.
type shownLetter struct {
	path string // where it lies
	text string
	file string            // the order file with it; "" if it has none
	ways map[string]string // the files among which the player has to choose, by the word that sends them
}

// wayFile is the name of one of two files among which the player has to choose.
var wayFile = regexp.MustCompile(`-([AB])\.yaml$`)

// shown is the letter without its order file, which the editor shows. A refusal is shown whole:
// what is wrong stands in the file.
func (l shownLetter) shown(refused bool) string {
	if refused {
		return l.text
	}
	before, _, found := strings.Cut(l.text, "\n# =====")
	if !found {
		return l.text
	}
	return strings.TrimRight(before, "\n") + "\n"
}

// Send implements [mail.Sender]: a letter out is a file in the folder. A letter that the office
// sends twice, because the process died before it could note that it was sent, is kept twice;
// its bytes are the same.
func (s *sitting) Send(_ context.Context, _, to string, raw []byte) error {
	s.sent++
	who, _, _ := strings.Cut(to, "@")
	name := fmt.Sprintf("%04d-to-%s", s.sent, who)
	path := filepath.Join(s.folder, "letters", name+".eml")
	if err := writeWhole(path, raw); err != nil {
		return err
	}
	if to != playPlayer {
		return nil
	}
	letter, err := mail.ReadKept(raw)
	if err != nil {
		return fmt.Errorf("the office writes what can't be read: %w", err)
	}
	l := shownLetter{path: path, text: quotedText(letter)}
	for _, p := range letter.Parts {
		if p.Kind == mail.Attachment && strings.HasSuffix(p.Name, ".yaml") {
			way := wayFile.FindStringSubmatch(p.Name)
			if way == nil {
				l.file = p.Text
				continue
			}
			if l.ways == nil {
				l.ways = map[string]string{}
			}
			l.ways[way[1]] = p.Text
		}
	}
	s.fresh = append(s.fresh, l)
	if err := writeWhole(s.path("report.txt"), []byte(l.text)); err != nil {
		return err
	}
	return unpack(raw, s.folder, "report")
}

// browse opens a page in the browser of the desktop, if there is one: that the page can't be
// opened hinders nobody from playing.
func browse(path string) {
	program, args := "xdg-open", []string{path}
	switch runtime.GOOS {
	case "darwin":
		program = "open"
	case "windows":
		program, args = "rundll32", []string{"url.dll,FileProtocolHandler", path}
	}
	if cmd := exec.Command(program, args...); cmd.Start() == nil {
		go func() { _ = cmd.Wait() }()
	}
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An order file that is handed in at the machine may be quoted, as one that is cut out of a letter: it is read as in a letter, with
// its head and without.
func TestAQuotedFileIsHandedIn(t *testing.T) {
	for name, head := range map[string]bool{"with its head": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "game")
			if err := os.Mkdir(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			s := sitDown(t, folder, "napoleon", "postal")
			defer s.close()
			file, stop := "ordini: predefinito\n", s.stop
			if head {
				var lines []string
				for line := range strings.Lines(s.blank) {
					if !strings.HasPrefix(strings.TrimSpace(line), "#") && !strings.HasPrefix(line, "ordini") && !strings.HasPrefix(line, " ") {
						lines = append(lines, strings.TrimRight(line, "\n"))
					}
				}
				file = strings.Join(append(lines, file), "\n")
			}
			quoted := "> " + strings.ReplaceAll(strings.TrimSpace(file), "\n", "\n> ") + "\n"
			taken, err := s.handIn(t.Context(), quoted)
			if err != nil || !taken || s.stop == stop && !s.over {
				t.Errorf("%v, taken %t, at stop %d of %d:\n%s\n%s", err, taken, s.stop, stop, quoted, s.fresh[len(s.fresh)-1].text)
			}
		})
	}
}

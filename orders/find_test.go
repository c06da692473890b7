package orders

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// readLetter reads a letter of the corpus: its parts, each after a line that
// says what it is: "=== plain", "=== html", "=== file NAME".
func readLetter(t *testing.T, file string) []Part {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var parts []Part
	for _, line := range strings.SplitAfter(string(data), "\n") {
		if head, ok := strings.CutPrefix(line, "=== "); ok && !strings.Contains(head, "==") {
			kind, name, _ := strings.Cut(strings.TrimSpace(head), " ")
			kinds := map[string]PartKind{"plain": Plain, "html": HTML, "file": File}
			k, ok := kinds[kind]
			if !ok {
				t.Fatalf("%s: no kind of part: %q", file, kind)
			}
			parts = append(parts, Part{Kind: k, Name: name})
			continue
		}
		if len(parts) == 0 {
			if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "//") {
				t.Fatalf("%s: text before the first part: %q", file, line)
			}
			continue
		}
		parts[len(parts)-1].Text += line
	}
	return parts
}

// TestLetters finds and reads the order file in each letter of the corpus:
// letters as the common mail programs write them, with what players do to them.
func TestLetters(t *testing.T) {
	files, err := filepath.Glob("testdata/letters/*.letter")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d letters, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".letter")
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			found, problems := Find(readLetter(t, file))
			if len(problems) == 0 {
				fmt.Fprintf(&b, "found: %s\n", strings.TrimSpace(found.String()))
			}
			b.WriteString(tell(problems))
			for _, other := range found.Others {
				fmt.Fprintf(&b, "besides: %s\n", strings.TrimSpace(other.String()))
			}
			if len(problems) == 0 {
				d, problems := Parse(found.Text, nil)
				checkProblems(t, d.Source, problems)
				for _, r := range d.Repairs {
					fmt.Fprintf(&b, "read as, line %d: %q -> %q %s\n", r.Line, r.Was, r.ReadAs, tellPhrase(r.Why))
				}
				for _, p := range problems {
					b.WriteString(tell(Problems{p}) + excerpt(d.Source, p.Line, p.Column))
				}
				if len(problems) == 0 {
					b.WriteString("\n" + d.Root.Encode())
				}
			}
			golden := strings.TrimSuffix(file, ".letter") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != string(want) {
				t.Errorf("got\n%s\nwant\n%s", b.String(), want)
			}
		})
	}
}

// What a letter with many files costs goes by its length: the file that the others
// are compared with is not read again for each of them.
func TestManyFilesCostTheirLength(t *testing.T) {
	const all = 200 << 10
	letter := func(files int) []Part {
		file := func(n, size int) Part {
			text := fmt.Sprintf("note: number %d\ngame: a\nside: b\nstop: 1\norders:\n", n)
			return Part{Kind: File, Name: "orders.yaml", Text: text + strings.Repeat("  - “x”：y\n", size/len("  - “x”：y\n"))}
		}
		parts := []Part{file(0, 24<<10)}
		for n := range files - 1 {
			parts = append(parts, file(n+1, all/(files-1)))
		}
		return parts
	}
	cost := func(files int) float64 {
		parts := letter(files)
		return testing.AllocsPerRun(1, func() {
			if f, problems := Find(parts); len(f.Others) != min(files-1, mostFound-1) || len(problems) != 1 {
				t.Errorf("%d files: %d others, %v", files, len(f.Others), problems)
			}
		})
	}
	few, many := cost(6), cost(mostFound)
	t.Logf("6 files of one length: %.0f allocations, %d: %.0f", few, mostFound, many)
	if many > 2*few {
		t.Errorf("%.0f allocations for 6 files, %.0f for %d of the same length together", few, many, mostFound)
	}
}

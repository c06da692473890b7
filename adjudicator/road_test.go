package adjudicator

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

var hashes = regexp.MustCompile(`hash\s+[0-9a-f]{32}`)

var updateRoad = flag.Bool("update-road", false, "write the golden outcomes of letters anew")

// roadOffice is an office with a game that the letters of the corpus are for, the
// players having read their first reports.
func roadOffice(t testing.TB) *testOffice {
	t.Helper()
	return begin(t, "road", func(t testing.TB) *testOffice {
		h := newTestOffice(t, func(h *testOffice) { h.opt.AnswerStrangers = true })
		h.newGame(twoSides)
		h.template(redAt)
		for _, a := range []string{redAt, blueAt, gmAt} {
			h.deliver(a)
		}
		return h
	})
}

// Letters as real mail programs form them, from their bytes to the answer: the
// orders are found, or the answer says how to send them.
func TestRealMail(t *testing.T) {
	files, err := filepath.Glob("../mail/testdata/road/*.eml")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d letters, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".eml"), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			h := roadOffice(t)
			h.clock.move(time.Minute)
			folder, err := h.office.Handle(context.Background(), mail.Incoming{Raw: raw, Size: int64(len(raw))})
			if err != nil {
				t.Fatal(err)
			}
			h.flush()
			var b strings.Builder
			fmt.Fprintf(&b, "folder: %s\n", folder)
			counts := h.record("lot-1").Seat("red").Owes.Answer != nil
			fmt.Fprintf(&b, "counts: %v\n", counts)
			for _, l := range h.deliver(redAt) {
				fmt.Fprintf(&b, "subject: %s\n", l.Subject)
				text := l.Parts[0].Text
				// What is to be done is told above the order file to fill in.
				if before, _, ok := strings.Cut(text, "# ====="); ok {
					text = before
				}
				for line := range strings.Lines(text) {
					b.WriteString(strings.TrimRight("|"+line, " \n") + "\n")
				}
			}
			for _, a := range []string{blueAt, gmAt} {
				for _, l := range h.deliver(a) {
					fmt.Fprintf(&b, "to %s: %s\n", a, l.Subject)
				}
			}
			if counts != (folder == mail.Processed) && !strings.HasPrefix(filepath.Base(file), "machine-") {
				t.Errorf("goes to %s, and counts: %v", folder, counts)
			}
			got := hashes.ReplaceAllString(b.String(), "hash ...") // the log is salted
			golden := strings.TrimSuffix(file, ".eml") + ".golden"
			if *updateRoad {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s differs; got:\n%s", golden, got)
			}
		})
	}
}

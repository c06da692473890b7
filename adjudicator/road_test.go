package adjudicator

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"berthier/mail"
)

var hashes = regexp.MustCompile(`hash [0-9a-f]{16}`)

var updateRoad = flag.Bool("update-road", false, "write the golden outcomes of letters anew")

// roadHouse is a house with a game that the letters of the corpus are for, the
// players having read their first reports.
func roadHouse(t testing.TB) *house {
	h := newHouse(t)
	h.opt.AnswerStrangers = true
	h.restart()
	h.newGame(twoSides)
	h.template(redAt)
	for _, a := range []string{redAt, blueAt, gmAt} {
		h.deliver(a)
	}
	return h
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
			h := roadHouse(t)
			h.clock.move(time.Minute)
			folder, err := h.office.Handle(context.Background(), mail.Incoming{Raw: raw, Size: int64(len(raw))})
			if err != nil {
				t.Fatal(err)
			}
			h.flush()
			var b strings.Builder
			fmt.Fprintf(&b, "folder: %s\n", folder)
			counts := h.record("lot-1").seat("red").Owes.Answer != nil
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

// FuzzRoad goes the whole road: raw bytes, what is read of them, what the office
// does, and the letters that go out. Whatever comes in, nothing falls; nobody
// but those who take part gets a letter, but for one to a stranger; an answer is
// sound mail without control characters and without another's key.
func FuzzRoad(f *testing.F) {
	for _, pattern := range []string{"../mail/testdata/road/*.eml", "../mail/testdata/read/*.eml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(raw)
		}
	}
	h := roadHouse(f)
	keys := map[string]string{redAt: key(h, "lot-1", "red"), blueAt: key(h, "lot-1", "blue"), gmAt: key(h, "lot-1", "gm")}
	f.Fuzz(func(t *testing.T, raw []byte) {
		h.clock.move(2 * time.Hour) // the answers of an hour
		began := len(h.post.sent)
		folder, err := h.office.Handle(context.Background(), mail.Incoming{Raw: raw, Size: int64(len(raw))})
		if err != nil || folder != mail.Processed && folder != mail.Rejected {
			t.Fatalf("folder %s, %v", folder, err)
		}
		if _, err := h.office.Send(context.Background(), h.post); err != nil {
			t.Fatal(err)
		}
		letter, err := mail.Read(raw, h.office.Own())
		var unreadable *mail.UnreadableError
		if err != nil && !errors.As(err, &unreadable) {
			t.Fatal(err)
		}
		answered := 0
		for _, p := range h.post.sent[began:] {
			own, takesPart := keys[p.to]
			if !takesPart && p.to != strings.ToLower(letter.From.Addr) {
				t.Fatalf("a letter to %q", p.to)
			}
			if p.to == strings.ToLower(letter.From.Addr) {
				answered++
			}
			for at, k := range keys {
				if k != own && at != p.to && keyAt(wordsOf(p.letter), k, 0) >= 0 {
					t.Fatalf("%s has the key of %s", p.to, at)
				}
				if keyAt(p.letter.Subject, k, 0) >= 0 {
					t.Fatalf("a key in the subject %q", p.letter.Subject)
				}
			}
			for _, part := range p.letter.Parts {
				if !utf8.ValidString(part.Text) {
					t.Fatalf("%s: not UTF-8", part.Name)
				}
				for _, c := range part.Text {
					if unicode.IsControl(c) && c != '\n' && c != '\t' || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069 {
						t.Fatalf("%q in a letter:\n%s", c, part.Text)
					}
				}
			}
		}
		if letter.Automatic != "" && answered > 0 {
			t.Fatalf("a machine was answered: %s", letter.Automatic)
		}
		h.post.sent = h.post.sent[:began]
	})
}

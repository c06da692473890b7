package adjudicator

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail"

	"github.com/emersion/go-message"
)

// pageOf gives the page of the whole game that came with a letter, or "".
func pageOf(t testing.TB, raw []byte) string {
	t.Helper()
	return string(packedWith(t, raw)["lot-1.html"])
}

// packedWith gives the files that came packed with a letter.
func packedWith(t testing.TB, raw []byte) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, f := range attachments(t, raw) {
		if strings.HasSuffix(f.name, ".zip") {
			z, err := zip.NewReader(bytes.NewReader(f.data), int64(len(f.data)))
			if err != nil {
				t.Fatal(err)
			}
			for _, packed := range z.File {
				in, err := packed.Open()
				if err != nil {
					t.Fatal(err)
				}
				if files[packed.Name], err = io.ReadAll(in); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return files
}

// wantLog checks that a letter to a side has the log of the game as the side may
// export it, and that it verifies.
func (h *testOffice) wantLog(raw []byte, side engine.Side) {
	h.Helper()
	var want bytes.Buffer
	if err := h.export("lot-1", side).Write(&want); err != nil {
		h.Fatal(err)
	}
	got := packedWith(h, raw)["lot-1.yaml"]
	if !bytes.Equal(got, want.Bytes()) {
		h.Fatalf("%s is mailed the log\n%s\nwant\n%s", side, got, want.String())
	}
	x, err := log.ReadExport(got)
	if err != nil {
		h.Fatal(err)
	}
	if v := h.verify(x); !v.Sound() || len(v.Differ) > 0 || len(x.Seeds) == 0 {
		h.Errorf("%s: %+v", side, v)
	}
}

// When the game is over every player gets the page of the whole game in his language, and not
// before. Nobody's address is in it.
func TestFinishedGameIsMailedAsAPage(t *testing.T) {
	h := playedGame(t)
	for _, address := range []string{redAt, blueAt} {
		var pages []string
		for _, p := range h.post.sent {
			if p.to != address {
				continue
			}
			if page := pageOf(t, p.raw); page != "" {
				pages = append(pages, page)
				h.wantLog(p.raw, map[string]engine.Side{redAt: "red", blueAt: "blue"}[address])
			} else if len(packedWith(t, p.raw)) > 0 {
				t.Errorf("%s gets a log without a page", address)
			}
		}
		if len(pages) != 1 {
			t.Fatalf("%s got %d pages", address, len(pages))
		}
		want := map[string]string{redAt: "Stop 1", blueAt: "Domanda 1"}[address]
		if !strings.Contains(pages[0], want) || !strings.Contains(pages[0], "B-") || !strings.Contains(pages[0], "R-") {
			t.Errorf("the page of %s does not tell both sides' orders after %q", address, want)
		}
		for _, secret := range []string{redAt, blueAt, gmAt} {
			if strings.Contains(pages[0], secret) {
				t.Errorf("the page of %s names %s", address, secret)
			}
		}
	}
	if _, err := h.office.Clerk().Archive("lot-1", "it"); err != nil {
		t.Error(err)
	}
}

// A game that its game master closes is mailed, too. The page of a game that still runs is
// shown to nobody.
func TestPageOfAClosedGame(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.write(redAt, fill(h.template(redAt), "default"), mail.Processed)
	h.write(blueAt, fill(h.template(blueAt), "default"), mail.Processed)
	if _, err := h.office.Clerk().Archive("lot-1", "en"); err == nil {
		t.Error("the page of a running game is shown")
	}
	if err := h.office.Clerk().Close(t.Context(), "lot-1", "The hall burnt down."); err != nil {
		t.Fatal(err)
	}
	h.flush()
	logs := 0
	for _, p := range h.post.sent {
		if side := map[string]engine.Side{redAt: "red", blueAt: "blue"}[p.to]; side != "" && len(packedWith(t, p.raw)) > 0 {
			h.wantLog(p.raw, side)
			logs++
			if !entryInLetter.MatchString(wordsOf(p.letter)) {
				t.Errorf("the last letter to %s does not tell the number of the last entry", side)
			}
		}
	}
	if logs != 2 {
		t.Errorf("%d logs were mailed", logs)
	}
	last := h.post.sent[len(h.post.sent)-1]
	if page := pageOf(t, last.raw); !strings.Contains(page, log.Commitment(h.record("lot-1").Seed)) {
		t.Errorf("no page with the last letter to %s", last.to)
	}
}

type attached struct {
	name string
	data []byte
}

// attachments are the files of a raw letter.
func attachments(t testing.TB, raw []byte) []attached {
	t.Helper()
	entity, err := message.Read(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	var all []attached
	err = entity.Walk(func(_ []int, part *message.Entity, err error) error {
		if err != nil {
			return err
		}
		if kind, params, err := part.Header.ContentDisposition(); err == nil && kind == "attachment" {
			data, err := io.ReadAll(part.Body)
			if err != nil {
				return err
			}
			all = append(all, attached{params["filename"], data})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

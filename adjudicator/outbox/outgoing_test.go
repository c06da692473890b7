package outbox

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/deflate"
	"berthier/templates"

	"pgregory.net/rapid"
)

// letters draws letters of all lengths.
func letters(t *rapid.T) *Outgoing {
	text := strings.Repeat(rapid.StringN(0, 20, -1).Draw(t, "text"), rapid.IntRange(0, 6000).Draw(t, "repeated"))
	r := &Outgoing{Game: "g-1", Kind: "report", Name: rapid.String().Draw(t, "name"), Address: redAt, Written: time.Unix(rapid.Int64Range(0, 1<<32).Draw(t, "written"), 0).UTC(),
		State: rapid.SampledFrom([]string{"", StateSent, StateLost}).Draw(t, "state"), Report: rapid.IntRange(0, 1).Draw(t, "report")}
	if rapid.Bool().Draw(t, "with a text") {
		r.Letter = &templates.Letter{Subject: "s", Text: text, HTML: "<p>" + text}
	}
	return r
}

// TestALetterIsPackedAsItWas: what was packed is read as it was, and what was read is packed
// to the same bytes, also when it was kept by an earlier program.
func TestALetterIsPackedAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := letters(t)
		body, _, err := r.Pack()
		if err != nil {
			t.Fatal(err)
		}
		read, err := Unpack(body)
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := read.Pack()
		if err != nil || !bytes.Equal(again, body) {
			t.Fatalf("packed again it is another: %v", err)
		}
		was, _ := json.Marshal(r)
		is, _ := json.Marshal(read)
		if !bytes.Equal(was, is) {
			t.Fatalf("read\n%.300s\nfor\n%.300s", is, was)
		}
		old := append([]byte{oldPlain}, was...)
		if rapid.Bool().Draw(t, "compressed") {
			if old, err = deflate.Append([]byte{oldFlated}, was); err != nil {
				t.Fatal(err)
			}
		}
		if read, err = Unpack(old); err != nil {
			t.Fatal(err)
		}
		if is, _ = json.Marshal(read); !bytes.Equal(was, is) {
			t.Fatalf("of an earlier program: read\n%.300s\nfor\n%.300s", is, was)
		}
		if address, err := addressOf(old); address != redAt || err != nil {
			t.Fatalf("address %q, %v", address, err)
		}
	})
}

// TestALetterIsNotedAsSentWithoutItsText: a report is kept, and of what it says not a byte is
// written anew; any other letter is emptied.
func TestALetterIsNotedAsSentWithoutItsText(t *testing.T) {
	text := strings.Repeat("Fires at Ligny. ", 5000)
	for _, report := range []int{0, 1} {
		r := &Outgoing{Kind: "report", Address: redAt, Report: report, Letter: &templates.Letter{Text: text}}
		body, _, err := r.Pack()
		if err != nil {
			t.Fatal(err)
		}
		if r, err = Unpack(body); err != nil {
			t.Fatal(err)
		}
		r.State = StateSent
		r.empty()
		sent, _, err := r.Pack()
		if err != nil {
			t.Fatal(err)
		}
		same := bytes.HasSuffix(sent, body[len(body)-200:])
		if report == 1 && !same || report == 0 && len(sent) > 200 {
			t.Errorf("report %d: %d bytes of %d, the text the same: %v", report, len(sent), len(body), same)
		}
	}
}

// TestFreshLetters: a letter is taken from memory once, and only for the bytes that the store
// has; memory is bounded, and what is never sent makes room in the end.
func TestFreshLetters(t *testing.T) {
	var f fresh
	now := time.Unix(0, 0)
	r := &Outgoing{Address: redAt, Letter: &templates.Letter{Text: strings.Repeat("x", 1<<20)}}
	body := make([]byte, 1<<20)
	for id := range uint64(100) {
		f.add(id, r, body, now)
	}
	if len(f.letters) != 32 || f.bytes > freshBytes {
		t.Errorf("%d letters, %d bytes", len(f.letters), f.bytes)
	}
	if _, ok := f.take(1, body); !ok {
		t.Error("the first letters are not there")
	}
	if _, ok := f.take(1, body); ok {
		t.Error("a letter is taken twice")
	}
	if _, ok := f.take(2, append([]byte{1}, body[1:]...)); ok {
		t.Error("a letter is taken though the store has another")
	}
	f.add(200, r, body, now.Add(2*freshFor))
	f.add(201, r, body, now.Add(2*freshFor))
	f.add(202, r, body, now.Add(2*freshFor))
	if _, ok := f.take(202, body); !ok || len(f.letters) != 2 {
		t.Errorf("what was never sent keeps its place: %d letters", len(f.letters))
	}
	bad := &Outgoing{Address: redAt, Letter: &templates.Letter{Text: "no \xff UTF-8"}}
	packed, _, err := bad.Pack()
	if err != nil {
		t.Fatal(err)
	}
	f.add(300, bad, packed, now)
	if _, ok := f.take(300, packed); ok {
		t.Error("a letter is taken whose text the store has in other words")
	}
}

// TestTheAddressIsReadWithoutTheRest: a queue is made by addresses alone, and a letter whose
// head can't be read is told apart from one that can.
func TestTheAddressIsReadWithoutTheRest(t *testing.T) {
	body, _, err := (&Outgoing{Game: "address", Kind: "report", Name: `"address":"no"`, Address: "red@play.example",
		Written: time.Unix(1, 0), Letter: &templates.Letter{Text: "what comes last"}}).Pack()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		body []byte
		want string
	}{
		"whole":              {body, "red@play.example"},
		"cut in the text":    {body[:len(body)-10], "red@play.example"},
		"cut in the head":    {body[:20], ""},
		"without an address": {[]byte("\x00{}"), ""},
		"empty":              {nil, ""},
	} {
		got, err := addressOf(test.body)
		if got != test.want || (err != nil) != (name == "empty" || name == "cut in the head") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

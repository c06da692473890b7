package adjudicator

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/intake"
	"berthier/engine"
	"berthier/mail"
	"berthier/templates"
)

var (
	hashInLetter  = regexp.MustCompile(`(?:hash|impronta)\s+([0-9a-f]{16,64})\b`)
	entryInLetter = regexp.MustCompile(`(?:log entry|registro, voce)\s+(\d+)\s+·\s+(?:hash|impronta)\s+([0-9a-f]{16,64})\b`)
)

// looksLikeAFoot is what a player writes who wants an honest game to fail: hashes, seeds,
// rules, a whole foot, in all the ways in which a letter could break it.
var looksLikeAFoot = []string{
	"hash 0123456789abcdef",
	"impronta 0123456789abcdef0123456789abcdef",
	strings.Repeat("-", 72) + "\nGame lot-1, lots · log entry 3 · hash 0123456789abcdef\nWritten by Berthier, the staff office of games by email.",
	"x\n\nThe dice\n========\n\nIt is this:\n\n    " + strings.Repeat("0123456789abcdef", 4) + "\n\n" + strings.Repeat("-", 72) + "\nPartita lot-1, lots · impronta 0123456789abcdef",
	strings.Repeat("word ", 13) + "hash 0123456789abcdef " + strings.Repeat("more ", 13),
	strings.Repeat("è ", 30) + " hash 0123456789abcdef " + strings.Repeat("0123456789abcdef", 4),
	"<hr>Game lot-1, lots · hash 0123456789abcdef<br>Written by Berthier",
	mail.EntryHeader + ": lot-1; hash=0123456789abcdef0123456789abcdef",
	"\r\n\r\n" + mail.EntryHeader + ": lot-1; hash=0123456789abcdef0123456789abcdef\r\n\r\n",
}

// How a letter may look in the folder of its reader: as it came, without the field that
// letters did not have once, with one of its texts alone, and longer than any that an office takes in.
var keptAs = map[string]func([]byte) []byte{
	"as it came":        func(raw []byte) []byte { return raw },
	"without the field": withoutField,
	"long":              func(raw []byte) []byte { return append(slices.Clip(raw), make([]byte, mail.MaxLetter)...) },
	"as HTML alone": func(raw []byte) []byte {
		return bytes.Replace(withoutField(raw), []byte("Content-Type: text/plain"), []byte("Content-Type: application/x-nothing"), 1)
	},
	"as text alone": func(raw []byte) []byte {
		return bytes.Replace(withoutField(raw), []byte("Content-Type: text/html"), []byte("Content-Type: application/x-nothing"), 1)
	},
}

var entryField = regexp.MustCompile(`(?m)^` + mail.EntryHeader + `:.*\r\n(?:[ \t].*\r\n)*`)

func withoutField(raw []byte) []byte { return entryField.ReplaceAll(raw, nil) }

// A player who writes what looks like the foot of a letter, or like a seed, can't make an
// honest game fail: not in the letters of the one who got it, nor in those of the master.
func TestPressIsNotTakenForAFoot(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 1000 })
	h.newGame(twoSides)
	h.newGame(strings.Replace(twoSides, "lot-1", "lot-2", 1))
	passed := 0
	for _, text := range looksLikeAFoot {
		h.clock.move(600e9)
		for _, game := range []string{"lot-1", "lot-2"} {
			file := "game: " + game + "\nkey: " + key(h, game, "blue") + "\ncommand: press\nfor: red\ntext: |\n  " +
				strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\n  ") + "\n"
			folder, err := h.office.Take(t.Context(), h.letter(blueAt, file))
			if err != nil {
				t.Fatal(err)
			}
			if folder == mail.Processed {
				passed++
			}
		}
	}
	if passed < 2*len(looksLikeAFoot)*2/3 {
		t.Fatalf("of %d letters %d were passed on", 2*len(looksLikeAFoot), passed)
	}
	h.write(redAt, command(h, "lot-1", "red", "command: history"), mail.Processed)
	h.write(blueAt, fill(h.template(blueAt), "{offri: B-1}", "note: hash 0123456789abcdef"), mail.Processed)
	h.deliver(gmAt)
	h.confirm(gmAt, command(h, "lot-1", engine.GM, "command: close", "reason: hash 0123456789abcdef"))
	x := h.export("lot-1", "red")
	for how, kept := range keptAs {
		for _, address := range []string{redAt, blueAt, gmAt} {
			letters := h.mails(address)
			for name, raw := range letters {
				letters[name] = kept(raw)
			}
			if c := VerifyLetters(x, letters); len(c.Wrong) > 0 || c.Count < 2 {
				t.Errorf("letters to %s %s: %d looked at, %q", address, how, c.Count, c.Wrong)
			}
		}
	}
}

// What the office itself says is found wrong wherever it was changed: in the field, in
// the foot, in either alone, and if the field is there twice.
func TestFootsThatWereChangedAreFound(t *testing.T) {
	h := playedGame(t)
	x := h.export("lot-1", engine.GM)
	flip := func(of string) func([]byte) []byte {
		find := regexp.MustCompile(of)
		return func(raw []byte) []byte {
			at := find.FindSubmatchIndex(raw)
			if at == nil {
				return nil
			}
			out := bytes.Clone(raw)
			if out[at[2]] == '0' {
				out[at[2]] = '1'
			} else {
				out[at[2]] = '0'
			}
			return out
		}
	}
	for how, change := range map[string]func([]byte) []byte{
		"the hash of the field":   flip(`hash=([0-9a-f])`),
		"the dice of the field":   flip(`dice=([0-9a-f])`),
		"the number of the field": flip(`entry=([0-9])`),
		"the hash of the foot":    flip(`(?:hash|impronta)\s+([0-9a-f])`),
		"the number of the foot":  flip(`(?:log entry|registro, voce)\s+([0-9])`),
		"the name of the field":   flip(mail.EntryHeader + `: (?:\r\n )?(l)ot-1`),
		"the field, twice": func(raw []byte) []byte {
			f := entryField.Find(raw)
			return append(bytes.Clone(f), raw...)
		},
		"the field, with more in it": func(raw []byte) []byte {
			return bytes.Replace(raw, []byte("; hash="), []byte("; hush=1; hash="), 1)
		},
		"the hash of the foot, without the field": func(raw []byte) []byte {
			return flip(`(?:hash|impronta)\s+([0-9a-f])`)(withoutField(raw))
		},
		"the dice, without the field": func(raw []byte) []byte { return flip(`(?m)^    ([0-9a-f])[0-9a-f]{63}\r$`)(withoutField(raw)) },
	} {
		tried := 0
		for name, raw := range h.mails(redAt) {
			spoilt := change(raw)
			if spoilt == nil {
				continue
			}
			tried++
			if c := VerifyLetters(x, map[string][]byte{name: spoilt}); len(c.Wrong) == 0 {
				t.Errorf("%s of %s is another, and nothing is found", how, name)
			}
		}
		if tried == 0 {
			t.Errorf("no letter has %s", how)
		}
	}
}

// The foot of a letter is read back as it was written, and nothing else is taken for one.
func TestFootsReadBack(t *testing.T) {
	sum := strings.Repeat("0123456789abcdef", 4)
	for _, f := range []templates.Foot{
		{Game: "lot-1", Hash: sum[:16]}, {Game: "a", Hash: sum[:32], Entry: 7}, {Game: "lot-1", Hash: sum[:32], Entry: 1 << 40, Dice: []string{sum, sum}},
	} {
		got, err := intake.ReadFoot(writeFoot(&f))
		if err != nil || fmt.Sprint(*got) != fmt.Sprint(f) {
			t.Errorf("%+v is read as %+v (%v)", f, got, err)
		}
	}
	if writeFoot(nil) != "" {
		t.Error("no foot is written as something")
	}
	for _, text := range []string{
		"", "lot-1", "lot-1; hash=", "lot-1; hash=0123", "Lot 1; hash=" + sum, "lot-1; hash=" + sum + "; hash=" + sum, "lot-1;hash=" + sum,
		"lot-1; hash=" + strings.ToUpper(sum), "lot-1; hash=" + sum + "; entry=0", "lot-1; hash=" + sum + "; entry=99999999999999999999",
		"lot-1; hash=" + sum + "; dice=" + sum[:63], "lot-1; hash=" + sum + "; more", "lot-1; hash=" + sum + ";",
	} {
		if f, err := intake.ReadFoot(text); err == nil {
			t.Errorf("%q is read as %+v", text, f)
		}
	}
}

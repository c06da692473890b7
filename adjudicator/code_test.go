package adjudicator

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/mail"
)

// A code confirms one act of one game, once, while the log ends where it ended when the code
// was given, and only for somebody who may rule. Nothing else makes a preview count.
func TestCodesConfirmNothingElse(t *testing.T) {
	h := fiveRounds(t)
	h.newGame(strings.Replace(strings.Replace(twoSides, "game: lot-1", "game: lot-2", 1), "rounds: 3", "rounds: 5", 1))
	h.deliver(gmAt)
	ruling := "command: rule\nset: {round: 2}\nreason: r"
	key := "game: lot-1\nkey: " + key(h, "lot-1", engine.GM) + "\n"
	c := &coded{testOffice: h, before: h.snapshot()}

	code := c.previewed(ruling)
	c.confirm("a wrong code", key+"command: rule\nconfirm: AAAA-AAAA\n") // it is a preview anew
	c.confirm("the code of a preview that is no longer the last", key+"command: rule\nconfirm: "+code+"\n")

	code = c.previewed(ruling)
	c.confirm("the code with another ruling", key+"command: rule\nset: {round: 1}\nreason: r\nconfirm: "+code+"\n")
	code = c.previewed(ruling)
	c.confirm("the code with another reason", key+"command: rule\nset: {round: 2}\nreason: another\nconfirm: "+code+"\n")
	code = c.previewed(ruling)
	c.confirm("the code in another game", strings.Replace(command(h, "lot-2", engine.GM, "command: rule", "confirm: "+code), "x", "x", 1))
	other := h.ask2("lot-2", ruling)
	c.confirm("the code of another game", key+"command: rule\nconfirm: "+other+"\n")

	// A player tries, and a stranger who has everything but the key.
	code = c.previewed(ruling)
	h.write(redAt, command(h, "lot-1", "red", "command: rule", "confirm: "+code), mail.Rejected)
	c.same("a player's letter")
	h.write(redAt, key+"command: rule\nconfirm: "+code+"\n", mail.Rejected) // the key from another address
	c.same("the game master's key from a player's address")
	h.write("stranger@x.example", key+"command: rule\nconfirm: "+code+"\n", mail.Rejected)
	c.same("a stranger's letter")

	// A player's letter that is only refused does not undo the preview; one that is
	// taken in does.
	code = c.previewed(ruling)
	h.clock.move(60e9)
	h.write(redAt, command(h, "lot-1", "red", "command: dispute", "event: 1", "reason: r"), mail.Processed)
	c.confirm("a stale code", key+"command: rule\nconfirm: "+code+"\n")

	// It counts once; the same letter, and the same code, do nothing more.
	code = c.previewed(ruling)
	h.clock.move(60e9)
	letter := h.letter(gmAt, key+"command: rule\nconfirm: "+code+"\n")
	h.take(letter, mail.Processed)
	if bytes.Equal(c.before, h.snapshot()) {
		t.Fatal("the code does not confirm the ruling")
	}
	c.before = h.snapshot()
	entries := len(h.kinds("lot-1"))
	h.take(letter, mail.Processed)
	if len(h.kinds("lot-1")) != entries {
		t.Error("the same letter is taken in twice")
	}
	c.confirm("the code once more", key+"command: rule\nconfirm: "+code+"\n")
	h.rule("command: rewind", "stop: 1", "orders: new", "reason: r")
	c.before = h.snapshot()
	c.confirm("the code after a rewind", key+"command: rule\nconfirm: "+code+"\n")

	// A code from before the game master's key was changed.
	code = c.previewed("command: rule\nset: {round: 2}\nreason: r")
	h.clock.move(60e9)
	h.write(gmAt, key+"command: new-key\n", mail.Processed)
	h.deliver(gmAt)
	h.write(gmAt, key+"command: rule\nconfirm: "+code+"\n", mail.Rejected)
	c.same("the old key")
}

// coded is an office in which a ruling waits for the code that confirms it.
type coded struct {
	*testOffice
	before []byte // the position as long as nothing counts
}

// previewed asks for a ruling and gives the code of its preview.
func (c *coded) previewed(lines string) string {
	c.Helper()
	return codeIn.FindStringSubmatch(wordsOf(c.ask(mail.Processed, lines)))[1]
}

// same finds that no ruling counts.
func (c *coded) same(what string) {
	c.Helper()
	if !bytes.Equal(c.before, c.snapshot()) {
		c.Fatalf("%s makes a ruling count", what)
	}
}

// confirm sends a letter of the game master that must confirm nothing.
func (c *coded) confirm(what, letter string) {
	c.Helper()
	c.clock.move(60e9)
	folder, err := c.office.Take(context.Background(), c.letter(gmAt, letter))
	if err != nil {
		c.Fatal(err)
	}
	c.deliver(gmAt)
	c.same(fmt.Sprintf("%s (%s)", what, folder))
}

// ask2 previews a ruling in another game and gives its code.
func (h *testOffice) ask2(id, lines string) string {
	h.Helper()
	h.clock.move(60e9)
	h.write(gmAt, command(h, id, engine.GM, lines), mail.Processed)
	all := h.deliver(gmAt)
	return codeIn.FindStringSubmatch(wordsOf(all[len(all)-1]))[1]
}

// The command line takes the same codes and no others. It also takes those given by letter:
// the act is the same, and the log still ends at the same entry.
func TestCodesOnTheCommandLine(t *testing.T) {
	h := fiveRounds(t)
	const ruling = "command: rule\nset: {round: 2}\nreason: r\n"
	before := h.snapshot()
	preview, err := h.office.Clerk().Rule(t.Context(), "lot-1", ruling, "", false)
	if err != nil || preview.Done {
		t.Fatal(preview, err)
	}
	for _, try := range []struct{ text, code string }{
		{"", "AAAA-AAAA"}, {ruling, "AAAA-AAAA"}, {"command: rule\nset: {round: 1}\nreason: r\n", preview.Code}, {"", preview.Code},
	} {
		if got, err := h.office.Clerk().Rule(t.Context(), "lot-1", try.text, try.code, false); err == nil && got.Done {
			t.Errorf("%q confirms %q", try.code, try.text)
		}
	}
	if !bytes.Equal(before, h.snapshot()) {
		t.Fatal("a ruling counts")
	}
	if preview, err = h.office.Clerk().Rule(t.Context(), "lot-1", ruling, "", false); err != nil {
		t.Fatal(err)
	}
	h.restart() // the code outlives the process
	if done, err := h.office.Clerk().Rule(t.Context(), "lot-1", "", preview.Code, false); err != nil || !done.Done {
		t.Error(done, err)
	}
}

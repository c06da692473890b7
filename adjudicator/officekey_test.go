package adjudicator

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/mail"
)

// gmActs are letters of a game master that show what is hidden, rule, or stop a game.
var gmActs = []string{"position", "show", "pause", "rule\nset: {round: 2}\nreason: r", "rewind\nstop: 1\norders: new\nreason: r", "disputes", "new-key", "close\nreason: r",
	"replace\nside: red\naddress: new@play.example", "answer\nside: red\nstop: 1\norders: {bid: R-1}"}

// The office's key opens no game that asks for more than a key. Whoever has that key, or the
// game master's, and forges the address sees nothing and can do nothing.
func TestOfficeKeyIsNoWayRoundTheProof(t *testing.T) {
	for _, level := range []string{game.ProofDKIM, game.ProofSigned} {
		for _, as := range []string{"administrator", "game master"} {
			h := newTestOffice(t)
			h.opt.LookupTXT = func(_ context.Context, name string) ([]string, error) {
				return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
			}
			h.opt.TrustedServers = []string{"mx.club.example"}
			gm, evil := newPen(t, h, gmAt), newPen(t, h, gmAt)
			h.opt.GMs[0].PGP = gm.public(0)
			h.restart()
			h.newGame(strings.Replace(twoSides, "gm: {name: Gina, address: gm@club.example}",
				"gm:\n  name: Gina\n  address: gm@club.example\n  pgp-key: |\n"+gm.public(4), 1) + "proof: " + level + "\n")
			h.deliver(redAt)
			h.deliver(gmAt)
			was := len(h.kinds("lot-1"))
			for _, act := range gmActs {
				h.clock.move(8 * time.Hour)
				key := h.officeKey(gmAt)
				if as == "game master" {
					key = h.gmKey("lot-1")
				}
				text := "game: lot-1\nkey: " + key + "\ncommand: " + act + "\n"
				h.handle(h.raw(gmAt, plainBody(text)), mail.Rejected)
				if level == game.ProofSigned {
					h.handle(h.raw(gmAt, evil.mime(text)), mail.Rejected)
					h.handle(h.raw(gmAt, "Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n"+gm.mime("Greetings\n")+"\r\n--m\r\n"+plainBody(text)+"\r\n--m--\r\n"), mail.Rejected)
				}
				for _, l := range h.deliver(gmAt) {
					if said := wordsOf(l); strings.Contains(said, "R-2") || strings.Contains(said, "Rosa") || strings.Contains(said, key) {
						t.Errorf("%s, %s, %s: told %s", level, as, act, said)
					}
				}
			}
			if n := len(h.kinds("lot-1")); n != was {
				t.Errorf("%s, %s: the log has %d entries more: %q", level, as, n-was, h.kinds("lot-1")[was:])
			}
			h.clock.move(8 * 24 * time.Hour)
			text := "game: lot-1\nkey: " + h.officeKey(gmAt) + "\ncommand: position\n"
			raw := h.raw(gmAt, gm.mime(text))
			if level == game.ProofDKIM {
				raw = append([]byte("Authentication-Results: mx.club.example; dkim=pass header.d=club.example\r\n"), h.raw(gmAt, plainBody(text))...)
			}
			h.handle(raw, mail.Processed)
			h.says(h.one(h.deliver(gmAt)), "R-2")
		}
	}
}

// An administrator of whose public key nothing is known is told where it belongs.
func TestAdministratorWithoutAPublicKey(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) {
		h.opt.GMs = append(h.opt.GMs, log.Person{Name: "Ada", Address: "ada@club.example"})
	})
	gm := newPen(t, h, gmAt)
	h.newGame(strings.Replace(twoSides, "gm: {name: Gina, address: gm@club.example}",
		"gm:\n  name: Gina\n  address: gm@club.example\n  pgp-key: |\n"+gm.public(4), 1) + "proof: signed\n")
	h.deliver(gmAt)
	h.handle(h.raw("ada@club.example", gm.mime("game: lot-1\nkey: "+h.officeKey("ada@club.example")+"\ncommand: position\n")), mail.Rejected)
	h.says(h.one(h.deliver("ada@club.example")), "pgp-key-file")
}

// The office's key is changed by letter and on the command line; the old one stops at
// once, and nobody but its holder learns the new one.
func TestOfficeKeyIsChanged(t *testing.T) {
	ctx := context.Background()
	h := newTestOffice(t, func(h *testOffice) {
		h.opt.GMs = append(h.opt.GMs, log.Person{Name: "Ada", Address: "ada@club.example"})
	})
	h.newGame(twoSides)
	h.deliver(gmAt)
	old, hers := h.officeKey(gmAt), h.officeKey("ada@club.example")
	master := h.gmKey("lot-1")
	h.write(gmAt, "key: "+old+"\ncommand: new-key\n", mail.Processed)
	second := h.officeKey(gmAt)
	l := h.one(h.deliver(gmAt))
	h.says(l, second)
	if second == old || strings.Contains(wordsOf(l), old) || h.officeKey("ada@club.example") != hers || h.gmKey("lot-1") != master {
		t.Fatalf("%s, then %s", old, second)
	}
	for _, text := range []string{"command: list\n", "game: lot-1\ncommand: show\n", "command: new-key\n"} {
		h.clock.move(time.Hour)
		h.write(gmAt, "key: "+old+"\n"+text, mail.Rejected)
		h.says(h.one(h.deliver(gmAt)), "no key that fits")
	}
	h.restart()
	h.write(gmAt, "key: "+second+"\ncommand: list\n", mail.Processed)
	h.says(h.one(h.deliver(gmAt)), "lot-1")

	third, err := h.office.Clerk().NewOfficeKey(ctx, " GM@club.example")
	if err != nil || third == second || third != h.officeKey(gmAt) {
		t.Fatalf("%s, %v", third, err)
	}
	h.says(h.one(h.deliver(gmAt)), third, "Whoever runs the office")
	h.write(gmAt, "key: "+second+"\ncommand: list\n", mail.Rejected)
	var refused *game.RefusedError
	if _, err := h.office.Clerk().NewOfficeKey(ctx, redAt); !errors.As(err, &refused) {
		t.Errorf("a player has an office's key: %v", err)
	}

	// An administrator who changes a game master's key does not learn it.
	h.deliver(gmAt)
	h.write("ada@club.example", "game: lot-1\nkey: "+hers+"\ncommand: new-key\n", mail.Processed)
	h.lacks(h.one(h.deliver("ada@club.example")), h.gmKey("lot-1"))
	h.says(h.one(h.deliver(gmAt)), h.gmKey("lot-1"), "An administrator of the office")
}

// gmKey is the game master's key.
func (h *testOffice) gmKey(id string) string { return key(h, id, "gm") }

package adjudicator

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/engine"
	"berthier/mail"
)

// footHash is the hash at the foot of letters in any language: it differs from log
// to log.
var footHash = regexp.MustCompile(`(hash|impronta)\s+[0-9a-f]{32}`)

// begins is when the games of the tests begin.
var begins = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// masterPlays is a game that red looks after as well.
var masterPlays = strings.Replace(twoSides, "gm: {name: Gina, address: gm@club.example}", "gm: {name: Rosa, address: red@play.example}", 1)

// In a game whose game master plays, the command line shows nothing hidden and rules on
// nothing, unless it names somebody who looks after the game and does not play. He is told,
// and so are all players and the log; so it shows if he was named falsely.
func TestCommandLineOfAGameThatItsMasterPlays(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(masterPlays)
	for _, a := range []string{redAt, blueAt, gmAt} {
		h.deliver(a)
	}
	entries := len(h.kinds("lot-1"))
	for _, name := range []string{"", "root", redAt, strings.ToUpper(redAt), blueAt, "stranger@x.example"} {
		for _, rules := range []bool{true, false} {
			_, err := h.office.Clerk().Operate(WithOperator(t.Context(), name), "lot-1", "game show", rules)
			var refused *game.RefusedError
			if !errors.As(err, &refused) || refused.Why.Code != "office.gm.guarded" {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
	if len(h.kinds("lot-1")) != entries {
		t.Error("who is refused leaves something behind")
	}
	for _, a := range []string{redAt, blueAt, gmAt} {
		h.silent(a)
	}

	_, err := h.office.Clerk().Operate(WithOperator(t.Context(), "GM@Club.example"), "LOT-1", "game position", false)
	if err != nil {
		t.Fatal(err)
	}
	h.says(h.one(h.deliver(redAt)), "Hidden things were looked at", "in the name of Gina: game position")
	h.says(h.one(h.deliver(blueAt)), "Parti nascoste consultate", "a nome di Gina: game position")
	h.says(h.one(h.deliver(gmAt)), "If it was not you")
	if n := h.lastEntry(log.KindLooked); n == 0 {
		t.Error("the look is not in the log")
	}

	// A ruling: previewed, confirmed by its code, and told with the name.
	rule := func(text, code string) *RulePreview {
		t.Helper()
		ctx, err := h.office.Clerk().Operate(WithOperator(t.Context(), gmAt), "lot-1", "rule", true)
		if err != nil {
			t.Fatal(err)
		}
		p, err := h.office.Clerk().Rule(ctx, "lot-1", text, code, false)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	preview := rule("command: rule\nset: {round: 2}\nreason: r\n", "")
	for _, a := range []string{redAt, blueAt, gmAt} {
		h.deliver(a)
	}
	if done := rule("", preview.Code); !done.Done {
		t.Fatal("the code does not confirm the ruling")
	}
	all := h.deliver(blueAt)
	h.says(all[len(all)-1], "a nome di Gina")
	h.says(h.last(gmAt), "in the name of Gina: rule", "If it was not you")
	private := ""
	for _, e := range h.export("lot-1", engine.GM).Entries {
		if e.N == h.lastEntry(log.KindRuling) {
			private = e.Private
		}
	}
	if !strings.Contains(private, "command line: "+gmAt) {
		t.Errorf("the log says of who ruled: %s", private)
	}
	games, err := h.office.Clerk().List()
	if err != nil || len(games) != 1 || games[0].Waiting != nil {
		t.Errorf("the list tells who has written: %+v, %v", games, err)
	}
}

// With gm-plays: open, or if nobody who looks after the game plays, the name is for the log alone.
func TestNamesOnTheCommandLineAreForTheLog(t *testing.T) {
	for _, set := range []string{masterPlays + "gm-plays: open\n", twoSides} {
		h := newTestOffice(t)
		h.newGame(set)
		h.deliver(redAt)
		ctx, err := h.office.Clerk().Operate(WithOperator(t.Context(), "anna"), "lot-1", "rule", true)
		if err != nil {
			t.Fatal(err)
		}
		h.silent(redAt)
		if _, err := h.office.Clerk().Rule(ctx, "lot-1", "command: rule\nset: {round: 2}\nreason: r\n", "", true); err != nil {
			t.Fatal(err)
		}
		all := h.deliver(redAt)
		h.says(all[len(all)-1], "made at the office's own machine, not by letter.")
		h.lacks(all[len(all)-1], "anna")
	}
}

// An administrator who plays guards a game just as its master does.
func TestAnAdministratorWhoPlays(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) {
		h.opt.GMs = append(h.opt.GMs, log.Person{Name: "Bruno", Address: blueAt, Language: "it"})
	})
	h.newGame(twoSides)
	if _, err := h.office.Clerk().Operate(WithOperator(t.Context(), blueAt), "lot-1", "game show", false); err == nil {
		t.Error("an administrator who plays is shown what is hidden")
	}
	if _, err := h.office.Clerk().Operate(WithOperator(t.Context(), gmAt), "lot-1", "game show", false); err != nil {
		t.Error(err)
	}
	// By letter, too, with the key of the office.
	h.deliver(blueAt)
	for _, what := range []string{"show", "position", "disputes", "replace\nside: red\naddress: x@x.example", "rule\nset: {round: 2}\nreason: r"} {
		h.write(blueAt, "game: lot-1\nkey: "+h.officeKey(blueAt)+"\ncommand: "+what+"\n", mail.Rejected)
	}
}

// The letters to a game master or an administrator who plays do not tell him when others write, nor whether
// they are asked: they have neither the end of the log nor its hash, no number of a stop, and what he may command does the same for him
// whoever is asked.
func TestLettersToAMasterWhoPlaysHideTheLog(t *testing.T) {
	rosa := log.Person{Name: "Rosa", Address: redAt}
	for _, who := range []struct{ what, gm string }{
		{"the game master", "gm: {name: Rosa, address: red@play.example}"},
		{"an administrator", "gm: {name: Gina, address: gm@club.example}"},
	} {
		letters := func(busy bool) string {
			h := newTestOffice(t, func(h *testOffice) {
				if who.what == "an administrator" {
					h.opt.GMs = append(h.opt.GMs, rosa)
				}
			})
			h.newGame(strings.NewReplacer("gm: {name: Gina, address: gm@club.example}", who.gm, "deadline: 3d", "deadline: {usual: 3d, early: no}").Replace(twoSides))
			key := h.gmKey("lot-1")
			if h.record("lot-1").GM.Address != redAt {
				key = h.officeKey(redAt)
			}
			h.deliver(redAt)
			h.answerAs("lot-1", "red")
			if f := h.template(blueAt); busy {
				for range 3 {
					h.write(blueAt, fill(f, "{bid: B-9}", "note: for your eyes"), mail.Rejected)
				}
				h.answerAs("lot-1", "blue")
			}
			h.clock.now = begins.Add(3600e9)
			for _, name := range []string{"pause", "resume", "extend\nby: 1d", "list", "help", "remind", "close\nreason: enough"} {
				h.write(redAt, "game: lot-1\nkey: "+key+"\ncommand: "+name+"\n", mail.Processed)
			}
			for _, name := range []string{"show", "remind\nside: blue", "extend\nside: blue\nby: 1d"} {
				h.write(redAt, "game: lot-1\nkey: "+key+"\ncommand: "+name+"\n", mail.Rejected)
			}
			var all []string
			for _, l := range h.deliver(redAt) {
				all = append(all, footHash.ReplaceAllString(wordsOf(l), ""))
				if strings.Contains(wordsOf(l), "log entry") {
					t.Errorf("%s: the number of a log entry:\n%s", who.what, wordsOf(l))
				}
			}
			return strings.Join(all, "\n")
		}
		if quiet, busy := letters(false), letters(true); quiet != busy {
			t.Errorf("%s who plays can tell that the other has written:\n%s\n%s", who.what, quiet, busy)
		}
	}
}

// A dispute in a game whose master plays goes to an administrator who does not: the
// master learns nothing of it. If there is none, the player is told so.
func TestDisputeWhereTheMasterPlays(t *testing.T) {
	set := strings.Replace(strings.Replace(twoSides, "gm: {name: Gina, address: gm@club.example}", "gm: {name: Rosa, address: red@play.example}", 1), "rounds: 3", "rounds: 5", 1)
	h := newTestOffice(t)
	h.newGame(set)
	for range 3 {
		h.both()
	}
	h.deliver(redAt)
	h.deliver(gmAt)
	h.write(blueAt, command(h, "lot-1", "blue", "command: dispute", "event: 1", "reason: why"), mail.Processed)
	h.silent(redAt)
	h.says(h.one(h.deliver(gmAt)), "disputes an event", "why", "Settle it by a ruling")
	h.says(h.last(blueAt), "Chi segue la partita è stato avvisato")
	admin := "game: lot-1\nkey: " + h.officeKey(gmAt) + "\n"
	h.clock.move(60e9)
	h.write(gmAt, fmt.Sprintf("%scommand: rule\ndecision: stands\ndispute: %d\nreason: r\n", admin, h.lastEntry(log.KindDispute)), mail.Processed)
	preview := wordsOf(h.last(gmAt))
	if strings.Contains(preview, key(h, "lot-1", engine.GM)) {
		t.Error("an administrator gets the game master's key")
	}
	h.clock.move(60e9)
	file := preview[strings.Index(preview, "game: lot-1"):]
	file, _, _ = strings.Cut(file[:strings.Index(file, "confirm: ")+len("confirm: AAAA-AAAA")], "\n\n")
	h.write(gmAt, strings.ReplaceAll(file, "\n    ", "\n")+"\n", mail.Processed) // as the preview says
	h.silent(redAt)
	h.says(h.last(blueAt), "resta valido")

	h = newTestOffice(t, func(h *testOffice) { h.opt.GMs = nil })
	h.newGame(set)
	for range 3 {
		h.both()
	}
	h.deliver(redAt)
	h.write(blueAt, command(h, "lot-1", "blue", "command: dispute", "event: 1", "reason: why"), mail.Processed)
	h.silent(redAt)
	h.says(h.last(blueAt), "nessuno può decidere")
}

// Every act of a game master is in the log, with who did it: by letter, by an
// administrator, on the command line.
func TestEveryActHasWhoDidIt(t *testing.T) {
	acts := []struct {
		kind string
		file string
	}{
		{log.KindPaused, "pause\nreason: r"}, {log.KindResumed, "resume"}, {log.KindExtended, "extend\nby: 1d"}, {log.KindReminded, "remind"},
		{log.KindKey, "new-key"}, {log.KindKey, "new-key\nside: blue"},
		{log.KindObserver, "observe\naddress: o@x.example\nview: full"},
		{log.KindPreview, "rule\nset: {round: 2}\nreason: r"}, {log.KindPreview, "rewind\nstop: 1\norders: new\nreason: r"},
		{log.KindReplaced, "replace\nside: blue\nname: New\naddress: new@play.example"},
		{log.KindClosed, "close\nreason: r"},
	}
	for _, as := range []string{"letter", "administrator"} {
		h := fiveRounds(t)
		for _, a := range acts {
			before := len(h.kinds("lot-1"))
			head := "game: lot-1\nkey: " + key(h, "lot-1", engine.GM)
			want := gmAt
			if as == "administrator" {
				head = "game: lot-1\nkey: " + h.officeKey(gmAt)
			}
			h.clock.move(2 * 3600e9)
			if text := head + "\ncommand: " + a.file + "\n"; a.kind == log.KindReplaced || a.kind == log.KindClosed {
				h.confirm(gmAt, text)
			} else {
				h.write(gmAt, text, mail.Processed)
			}
			h.wantActs(t, before, a.kind, want, as+" "+a.file)
		}
	}
	// With orders for a player, accepted and refused, and standing ones.
	h := fiveRounds(t)
	before := len(h.kinds("lot-1"))
	h.write(gmAt, "game: lot-1\nkey: "+key(h, "lot-1", engine.GM)+"\ncommand: answer\nside: red\nstop: 99\norders: default\n", mail.Rejected)
	h.wantActs(t, before, log.KindRefused, gmAt, "a refused answer")

	h = fiveRounds(t)
	ctx := WithOperator(t.Context(), "anna")
	do := func(kind string, act func() error) {
		t.Helper()
		h.clock.move(3600e9)
		before := len(h.kinds("lot-1"))
		if err := act(); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		h.wantActs(t, before, kind, "command line: anna", kind)
	}
	o := h.office
	do(log.KindPaused, func() error { return o.Clerk().Pause(ctx, "lot-1", "r") })
	do(log.KindResumed, func() error { return o.Clerk().Resume(ctx, "lot-1") })
	do(log.KindExtended, func() error { return o.Clerk().Extend(ctx, "lot-1", "", 24*time.Hour) })
	do(log.KindReminded, func() error { return o.Clerk().Remind(ctx, "lot-1", "") })
	rule := func(text string) func() error {
		return func() error { _, err := o.Clerk().Rule(ctx, "lot-1", text, "", true); return err }
	}
	do(log.KindRuling, rule("command: rule\nset: {round: 2}\nreason: r"))
	do(log.KindRuling, rule("command: rule\noption: {rounds: 20}\nreason: r"))
	do(log.KindRewound, rule("command: rewind\nstop: 1\norders: new\nreason: r"))
	do(log.KindPreview, func() error {
		_, err := o.Clerk().Rule(ctx, "lot-1", "command: rule\noutcome: draw\nreason: r", "", false)
		return err
	})
	do(log.KindReplaced, func() error {
		return o.Clerk().Replace(ctx, "lot-1", "blue", log.Person{Address: "new@play.example", Language: "en"})
	})
	do(log.KindTaken, func() error {
		_, err := o.Clerk().Answer(ctx, "lot-1", "red", "orders: default\nstop: 1\n")
		return err
	})
	do(log.KindRuling, rule("command: rule\noutcome: draw\nreason: r"))
}

// wantActs checks that an act added an entry of a kind, and that whatever it added
// as the game master's says who he was, in the part that players do not read.
func (h *testOffice) wantActs(t *testing.T, before int, kind, who, what string) {
	t.Helper()
	found := false
	for _, e := range h.export("lot-1", engine.GM).Entries[before:] {
		read, err := log.Read(chain.Entry{Body: []byte(e.Body), Private: []byte(e.Private)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		found = found || read.Kind == kind
		if read.By == log.ByGM && !strings.Contains(e.Private, `"by":"`+who+`"`) {
			t.Errorf("%s: entry %d (%s) does not say that it was %s: %s", what, e.N, read.Kind, who, e.Private)
		}
		if read.Kind == kind && read.By != log.ByGM {
			t.Errorf("%s: entry %d (%s) is by %q", what, e.N, read.Kind, read.By)
		}
		if read.Letter == "" && strings.Contains(e.Body, who) { // a letter's id may hold its sender's address
			t.Errorf("%s: players read who did it in entry %d", what, e.N)
		}
	}
	if !found {
		t.Errorf("%s: no entry %s in the log", what, kind)
	}
}

// By letter nobody fixes the seed of a game: he would know the dice.
func TestSeedByLetter(t *testing.T) {
	h := newTestOffice(t)
	h.write(gmAt, "key: "+h.officeKey(gmAt)+"\ncommand: new\nsetup:\n  "+strings.ReplaceAll(strings.TrimSpace(twoSides), "\n", "\n  ")+"\n", mail.Rejected)
	h.says(h.one(h.deliver(gmAt)), "whoever sets the seed knows the dice")
}

// A letter that is to go through a game master's hands does not go through those of
// one who plays.
func TestPressWhereTheMasterPlays(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "gm: {name: Gina, address: gm@club.example}", "gm: {name: Rosa, address: red@play.example}", 1) + "press: gm\n")
	h.deliver(redAt)
	h.write(blueAt, command(h, "lot-1", "blue", "command: press", "for: red", "text: hidden words"), mail.Rejected)
	h.silent(redAt)
}

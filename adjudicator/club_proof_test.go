package adjudicator

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/store"
	"berthier/mail"
)

// A provenLeague is one whose members and secretaries prove their letters: a mail server of the office says of each
// whether its domain is proven.
type provenLeague struct {
	*testOffice
	told int // how often somebody was told that his letter is not proven
}

func aProvenLeague(t *testing.T, members ...string) *provenLeague {
	h := clubOffice(t)
	h.opt.TrustedServers = []string{"mx.club.example"}
	h.restart()
	text := strings.Replace(samToo, "open: anybody", "open: anybody\nmembers: {proof: dkim}", 1)
	return &provenLeague{testOffice: aLeagueIn(h, t, text, lotsFiles, members...)}
}

// by is the letter of a member with his key, as it comes in without proof.
func (l *provenLeague) by(name, text string) []byte {
	l.Helper()
	l.clock.move(2 * time.Hour)
	return l.raw(name+"@play.example", plainBody(l.keyOf(name)+"\n"+text))
}

// vouched is a letter of whose domain the server says that it is proven.
func vouched(raw []byte) []byte {
	return append([]byte("Authentication-Results: mx.club.example; dkim=pass header.d=play.example\r\n"), raw...)
}

// logs are the ends of the logs of the league and of the members.
func (l *provenLeague) logs() (ends [2]uint64) {
	l.Helper()
	ends[0] = l.league().Log
	if err := l.office.read(func(tx store.Reader) error { ends[1] = tx.Last(rollLog).Seq; return nil }); err != nil {
		l.Fatal(err)
	}
	return ends
}

// refuses expects that nothing comes of a letter but the word that it is not proven.
func (l *provenLeague) refuses(what, name string, raw []byte) {
	l.Helper()
	before := l.logs()
	l.deliver(name + "@play.example")
	l.handle(raw, mail.Rejected)
	if l.logs() != before {
		l.Fatalf("%s has done something without proof", what)
	}
	for _, got := range l.deliver(name + "@play.example") { // none comes when there were many
		if !strings.Contains(wordsOf(got), "DKIM") || strings.Contains(wordsOf(got), "confirm:") {
			l.Errorf("%s without proof is answered by %q", what, got.Subject)
		}
		l.told++
	}
	l.silent("mallory@far.example")
}

// once takes a letter in that is proven, and expects that it does nothing more when it comes again, as it was or under
// another Message-ID. It gives the answer.
func (l *provenLeague) once(what, name string, raw []byte) (answer string) {
	l.Helper()
	address := name + "@play.example"
	l.deliver(address)
	if _, err := l.office.Handle(context.Background(), mail.Incoming{Raw: vouched(raw), Size: int64(len(raw))}); err != nil {
		l.Fatal(err)
	}
	for _, letter := range l.deliver(address) {
		answer += wordsOf(letter)
	}
	if strings.Contains(answer, "DKIM") {
		l.Errorf("%s with proof is answered by %q", what, answer)
	}
	before := l.logs()
	for _, again := range [][]byte{vouched(raw), bytes.Replace(vouched(raw), []byte("Message-ID: <"), []byte("Message-ID: <again."), 1)} {
		l.clock.move(2 * time.Hour)
		if _, err := l.office.Handle(context.Background(), mail.Incoming{Raw: again, Size: int64(len(again))}); err != nil {
			l.Fatal(err)
		}
		if l.logs() != before {
			l.Fatalf("%s is done twice", what)
		}
		l.silent(address)
	}
	return answer
}

// Where a league asks for proof, whoever has a member's address and key does nothing in his name, whatever the verb: those
// of members, those of secretaries, and those about himself, by which he could give himself an address that proves all.
// A letter that is proven counts, and counts once.
func TestEachVerbOfALeagueNeedsItsProof(t *testing.T) {
	l := aProvenLeague(t, "ada", "bea", "cara", "dora", "eva", "sam", "fay")
	for _, name := range []string{"ada", "bea", "cara", "dora"} {
		enter := l.by(name, "command: enter\nleague: aquila\n")
		l.refuses("enter", name, enter)
		l.once("enter", name, l.by(name, "command: enter\nleague: aquila\n"))
	}
	l.start()
	id := l.league().Divisions[0].Playing[0]
	side := l.seasonNow().Game(id).Entries[0]
	for _, command := range leagueCommands {
		if command == "secretary" || command == "withdraw" {
			continue
		}
		text := fmt.Sprintf("command: %s\nleague: aquila\nabout: %s\noffer: %s\nagainst: M-0002\nreason: r\n", command, id, id)
		l.refuses(command, "bea", l.by("bea", text))
		l.once(command, "bea", l.by("bea", text))
	}
	for _, command := range memberCommands {
		text := "command: " + command + "\n"
		switch command {
		case "address":
			text += "address: mallory@far.example\n"
		case "member":
			text += "family: [M-0005]\n"
		}
		l.refuses(command, "bea", l.by("bea", text))
	}
	var done []string
	for _, act := range actsByLetter() {
		members := map[string]string{"withdraw": "M-0004", "merge": "M-0005, M-0003", "forfeit": side, "admit": "M-0005"}[act]
		text := fmt.Sprintf("command: secretary\nleague: aquila\nact: %s\nabout: %s\nmembers: [%s]\nuntil: 2029-01-01\nreason: r\nsetup: {umpires: {of: [%s]}}\n", act, id, members, gmAt)
		l.refuses(act, "sam", l.by("sam", text))
		code := confirmLine.FindString(l.once(act, "sam", l.by("sam", text)))
		if code == "" { // there is nothing to be done now
			continue
		}
		l.refuses(act, "sam", l.by("sam", text+code+"\n"))
		before := l.logs()
		l.once(act, "sam", l.by("sam", text+code+"\n"))
		if l.logs() != before {
			done = append(done, act)
		}
	}
	for _, act := range []string{"withdraw", "forfeit", "overrule", "change"} {
		if !slices.Contains(done, act) {
			t.Errorf("only %v were done", done)
		}
	}
	l.refuses("withdraw", "bea", l.by("bea", "command: withdraw\nleague: aquila\n"))
	l.once("withdraw", "bea", l.by("bea", "command: withdraw\nleague: aquila\n"))
	if l.told < 10 {
		l.Errorf("only %d letters were answered by what is missing", l.told)
	}
	fay := vouched(l.by("fay", "command: member\nclub: A\n"))
	l.handle(bytes.Replace(fay, []byte("dkim=pass"), []byte("dkim=fail"), 1), mail.Processed) // she has no part in the league
}

// A league asks only for proof that the office can check. One that asks for more already is read even so.
func TestALeagueAsksForProofThatCanBeChecked(t *testing.T) {
	h := clubOffice(t)
	for level, want := range map[string]string{"dkim": "office.setup.no-dkim", "signed": "league.proof-signed", "key": ""} {
		text := strings.Replace(aquila, "open: anybody", "members: {proof: "+level+"}", 1)
		_, problems := h.office.Secretary().CheckLeague(text, lotsFiles)
		if got := len(problems) == 1 && problems[0].Why.Code == want; got != (want != "") || want == "" && len(problems) > 0 {
			t.Errorf("proof: %s: %v", level, problems)
		}
		if _, problems := (leagues{h.office}).reader(lotsFiles).Read(text); len(problems) > 0 {
			t.Errorf("proof: %s is not read: %v", level, problems)
		}
	}
}

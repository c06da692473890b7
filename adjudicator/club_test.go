package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/league/member"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/mail"
)

const (
	adaAt   = "ada@play.example"
	adaToo  = "ada@work.example"
	foeAt   = "mallory@far.example"
	victim  = "victim@far.example"
	joining = "command: join\nname: Ada\nlanguage: it\nzone: Europe/Rome\n"
)

// clubOffice opens an office that anybody may join by letter, with one game of others in it.
func clubOffice(t *testing.T) *testOffice {
	h := newTestOffice(t, func(h *testOffice) { h.opt.JoinByLetter, h.opt.AnswersPerHour, h.opt.Entropy = true, 30, &counted{} })
	h.newGame(twoSides)
	for _, address := range []string{redAt, blueAt, gmAt} {
		h.deliver(address)
	}
	t.Cleanup(func() {
		if err := h.office.read(rollFits); err != nil && !errors.Is(err, store.ErrClosed) {
			t.Errorf("the roll: %v", err)
		}
	})
	return h
}

// counted is chance that is the same each time.
type counted struct{ n byte }

func (c *counted) Read(b []byte) (int, error) {
	for i := range b {
		c.n++
		b[i] = c.n
	}
	return len(b), nil
}

var memberKeyLine = regexp.MustCompile(`key: [A-Z2-9]{4}-[A-Z2-9]{4}|chiave: [A-Z2-9]{4}-[A-Z2-9]{4}`)

// backIn is the file in a letter that is to be sent back: its lines from a command on.
func (h *testOffice) backIn(l *mail.Letter) string {
	h.Helper()
	text := l.Parts[0].Text
	i := strings.Index(text, "command: ")
	if i < 0 {
		i = strings.Index(text, "comando: ")
	}
	if i < 0 {
		h.Fatalf("nothing to send back in\n%s", text)
	}
	var lines []string
	indent := text[strings.LastIndex(text[:i], "\n")+1 : i]
	for _, line := range strings.Split(text[i-len(indent):], "\n") {
		if line = strings.TrimRight(strings.TrimPrefix(line, indent), " \r"); !strings.Contains(line+" ", ": ") {
			break
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n") + "\n"
}

// joins makes somebody a member by letter, and gives the line with his key.
func (h *testOffice) joins(address, form string) string {
	h.Helper()
	h.write(address, form, mail.Processed)
	h.write(address, h.backIn(h.one(h.deliver(address))), mail.Processed)
	welcome := h.one(h.deliver(address))
	key := memberKeyLine.FindString(welcome.Parts[0].Text)
	if key == "" {
		h.Fatalf("no key in\n%s", wordsOf(welcome))
	}
	return strings.Replace(key, "chiave", "key", 1)
}

// asMember writes a member's command.
func (h *testOffice) asMember(address, key, text string, want mail.Folder) {
	h.Helper()
	h.clock.move(time.Minute)
	h.write(address, key+"\n"+text, want)
}

// members gives the ids of all members, with their addresses.
func (h *testOffice) members() string {
	h.Helper()
	all, err := h.office.Secretary().Members()
	if err != nil {
		h.Fatal(err)
	}
	var lines []string
	for _, m := range all {
		lines = append(lines, m.ID+" "+strings.Join(m.Addresses, " "))
	}
	return strings.Join(lines, "; ")
}

// A stranger joins by one letter and a code; until the code has come back nothing is kept of him.
func TestSomebodyJoinsByLetter(t *testing.T) {
	h := clubOffice(t)
	h.write(adaAt, joining, mail.Processed)
	asked := h.one(h.deliver(adaAt))
	h.says(asked, "Diventare socio?", "rimandi queste righe")
	if h.members() != "" {
		t.Fatalf("members before the code came back: %s", h.members())
	}
	h.write(adaAt, h.backIn(asked), mail.Processed)
	h.says(h.one(h.deliver(adaAt)), "M-0001", "chiave di socio")
	if got := h.members(); got != "M-0001 "+adaAt {
		t.Fatalf("members %q", got)
	}
	// The code is used up, but whoever has lost his key asks again, and gets it at his address.
	h.clock.move(25 * time.Hour)
	h.write(adaAt, joining, mail.Processed)
	h.write(adaAt, h.backIn(h.one(h.deliver(adaAt))), mail.Processed)
	h.says(h.one(h.deliver(adaAt)), "M-0001")
	if got := h.members(); got != "M-0001 "+adaAt {
		t.Errorf("members %q", got)
	}
}

// What is wrong with a letter that asks to join is told at once, once a day.
func TestJoiningWithFaults(t *testing.T) {
	h := clubOffice(t)
	h.write(adaAt, "command: join\nlanguage: klingon\nzone: Nowhere/Else\n", mail.Rejected)
	h.says(h.one(h.deliver(adaAt)), "klingon", "Nowhere/Else")
	h.clock.move(25 * time.Hour)
	h.write(adaAt, "command: join\n", mail.Rejected)
	h.says(h.one(h.deliver(adaAt)), "what you are called", "rite name:")
}

// A stranger who floods the office has one answer a day, in his own name or in a forged one, and
// leaves nothing but marks that are forgotten; nor does he keep others from joining.
func TestAStrangerWhoFloodsTheClub(t *testing.T) {
	h := clubOffice(t)
	for i := range 200 {
		h.write(foeAt, joining+fmt.Sprintf("confirm: AAAA-%04d\n", i+2222), mail.Processed)
		h.write(victim, joining, mail.Processed)
		h.write(foeAt, fmt.Sprintf("command: address\nplayer: M-0001\nconfirm: AAAA-%04d\n", i+2222), mail.Rejected)
	}
	for _, address := range []string{foeAt, victim} {
		if n := len(h.deliver(address)); n != 1 {
			t.Errorf("%s has %d letters", address, n)
		}
	}
	if h.members() != "" {
		t.Errorf("members %s", h.members())
	}
	h.joins(adaAt, joining)
	h.clock.move(100 * 24 * time.Hour)
	h.tick()
	if err := h.office.read(func(tx store.Reader) error {
		return tx.Marks(func(_ [32]byte, data []byte) error {
			if strings.Contains(string(data), "asks to join") || strings.Contains(string(data), "stranger") {
				t.Error("a mark of the flood is kept")
				return errEnough
			}
			return nil
		})
	}); err != nil && !errors.Is(err, errEnough) {
		t.Fatal(err)
	}
}

// Where the configuration does not want it, nobody joins by letter, and nobody gets an answer.
func TestNobodyJoinsUnlessConfigured(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.write(adaAt, joining, mail.Rejected)
	h.silent(adaAt)
}

// A forger writes every command of a member: without the key from the member's address, with it
// from elsewhere, with a key that he has made up. Nothing happens, and nobody learns a key.
func TestForgedLettersOfAMember(t *testing.T) {
	h := clubOffice(t)
	key := h.joins(adaAt, joining)
	before := h.members()
	for _, c := range []string{
		"command: member\nname: Mallory\n", "command: address\naddress: " + foeAt + "\n", "command: address\naddress: " + adaAt + "\ncancel: yes\n",
		"command: vacation\ndays: 5\n", "command: record\n", "command: new-key\n",
	} {
		h.write(adaAt, c, mail.Rejected)
		h.write(adaAt, "key: AAAA-2222\n"+c, mail.Rejected)
		h.write(foeAt, key+"\n"+c, mail.Rejected)
		h.clock.move(2 * time.Hour)
	}
	h.silent(foeAt)
	for _, l := range h.deliver(adaAt) {
		h.lacks(l, strings.TrimPrefix(key, "key: "))
	}
	shown, err := h.office.Secretary().ShowMember(adaAt)
	if err != nil || shown.Name != "Ada" || shown.Entries != 1 || h.members() != before {
		t.Errorf("%+v, %v", shown, err)
	}
}

// Another address is a member's when a letter from there has sent a code back.
func TestAnotherAddress(t *testing.T) {
	h := clubOffice(t)
	key := h.joins(adaAt, joining)
	h.asMember(adaAt, key, "command: address\naddress: "+adaToo+"\n", mail.Processed)
	h.says(h.one(h.deliver(adaAt)), adaToo)
	asked := h.one(h.deliver(adaToo))
	back := h.backIn(asked)
	h.write(foeAt, back, mail.Rejected) // who has seen the code but not the address
	h.write(adaToo, back, mail.Processed)
	h.says(h.one(h.deliver(adaToo)), "M-0001")
	h.says(h.one(h.deliver(adaAt)), adaToo)
	if got := h.members(); got != "M-0001 "+adaAt+" "+adaToo {
		t.Fatalf("members %q", got)
	}
	h.write(adaToo, back, mail.Rejected) // the code is used up
	h.asMember(adaToo, key, "command: address\naddress: "+adaToo+"\n", mail.Processed)
	h.deliver(adaToo)
	if got := h.members(); got != "M-0001 "+adaToo+" "+adaAt {
		t.Errorf("letters go to %q", got)
	}
	h.asMember(adaToo, key, "command: address\naddress: "+adaAt+"\ncancel: yes\n", mail.Processed)
	h.asMember(adaToo, key, "command: address\naddress: "+adaToo+"\ncancel: yes\n", mail.Rejected) // his last
	h.asMember(adaToo, key, "command: address\naddress: nonsense\n", mail.Rejected)
	h.asMember(adaToo, key, "command: address\n", mail.Rejected)
	h.asMember(adaToo, key, "command: dance\n", mail.Rejected)
	if got := h.members(); got != "M-0001 "+adaToo {
		t.Errorf("members %q", got)
	}
}

// The member under two names: one mailbox makes one member, however it is written; an address of
// one member never becomes another's, who does not even learn whose it is.
func TestTheMemberUnderTwoNames(t *testing.T) {
	h := clubOffice(t)
	h.joins(adaAt, joining)
	h.clock.move(25 * time.Hour)
	h.write("ADA@Play.Example", "command: join\nname: Hedwig\n", mail.Processed)
	h.write("ADA@Play.Example", h.backIn(h.one(h.deliver(adaAt))), mail.Processed)
	key := h.joins(adaToo, "command: join\nname: Hedwig\n")
	if got := h.members(); got != "M-0001 "+adaAt+"; M-0002 "+adaToo {
		t.Fatalf("members %q", got)
	}
	h.clock.move(25 * time.Hour)
	h.deliver(adaAt)
	h.asMember(adaToo, key, "command: address\naddress: "+adaAt+"\n", mail.Processed)
	to := h.one(h.deliver(adaAt))
	h.says(to, "M-0002", "M-0001")
	h.lacks(to, "confirm:", "conferma:")
	known := wordsOf(h.one(h.deliver(adaToo)))
	h.asMember(adaToo, key, "command: address\naddress: "+victim+"\n", mail.Processed)
	if unknown := wordsOf(h.one(h.deliver(adaToo))); strings.ReplaceAll(known, adaAt, victim) != unknown {
		t.Errorf("a member learns whether an address is another's:\n%s\n%s", known, unknown)
	}
	if got := h.members(); got != "M-0001 "+adaAt+"; M-0002 "+adaToo {
		t.Errorf("members %q", got)
	}
}

// One letter books an absence for all games; a game that begins later knows it, too. The office
// dies before the games have heard of it, and they hear of it once.
func TestOneAbsenceForAllGames(t *testing.T) {
	h := clubOffice(t)
	h.newGame(strings.ReplaceAll(twoSides, "lot-1", "lot-2"))
	h.newGame(strings.Replace(strings.ReplaceAll(twoSides, "lot-1", "lot-3"), "deadline: 3d", "deadline: 3d\nabsence: none", 1))
	h.deliver(redAt)
	key := h.joins(redAt, "command: join\nname: Rosa\n")
	h.asMember(redAt, key, "command: vacation\nfrom: 2026-03-03\nuntil: 2026-03-12\n", mail.Processed)
	h.says(h.one(h.deliver(redAt)), "all your games", "20 more days")
	h.restart()
	for range 3 {
		h.tick()
	}
	for id, want := range map[string]int{"lot-1": 1, "lot-2": 1, "lot-3": 0} {
		if got := len(h.record(id).Seat("red").Absences); got != want {
			t.Errorf("%s knows %d absences", id, got)
		}
		if got := strings.Count(strings.Join(h.kinds(id), " "), log.KindAbsence); got != want {
			t.Errorf("%s: %d entries", id, got)
		}
	}
	if due := h.record("lot-1").Seat("red").Owes.Deadline; due.Before(time.Date(2026, 3, 13, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("the deadline is %s", due)
	}
	h.newGame(strings.ReplaceAll(twoSides, "lot-1", "lot-4"))
	h.tick()
	if got := h.record("lot-4").Seat("red").Absences; len(got) != 1 {
		t.Errorf("a later game knows %v", got)
	}
	h.asMember(redAt, key, "command: vacation\nfrom: 2026-04-01\nuntil: 2026-04-25\n", mail.Rejected) // more than a year has
	h.asMember(redAt, key, "command: vacation\nfrom: 2026-03-05\ndays: 2\n", mail.Rejected)           // twice
	h.asMember(redAt, key, "command: vacation\n", mail.Rejected)
	h.asMember(redAt, key, "command: vacation\ncancel: yes\n", mail.Processed)
	h.tick()
	if got := h.record("lot-2").Seat("red").Absences; len(got) != 0 {
		t.Errorf("after it was withdrawn: %v", got)
	}
	h.asMember(redAt, key, "command: vacation\ncancel: yes\n", mail.Rejected)
}

// The record says how a member answered, from the logs alone: in time, in the grace, not at all.
// What he did at an address that he has dropped stays his, and so does a seat that was taken
// from him.
func TestTheRecordOfAMember(t *testing.T) {
	h := clubOffice(t)
	key := h.joins(redAt, "command: join\nname: Rosa\n")
	for range 2 {
		h.play1("lot-1")
		h.deliver(redAt)
	}
	h.clock.move(5 * 24 * time.Hour)
	h.tick()
	h.clock.move(5 * 24 * time.Hour)
	h.tick()
	shown, err := h.office.Secretary().ShowMember("M-0001")
	if err != nil || len(shown.Games) != 1 {
		t.Fatalf("%+v, %v", shown, err)
	}
	g := shown.Games[0]
	if g.Game != "lot-1" || g.Count(member.InTime) == 0 || g.Count(member.Missed) == 0 || g.Count(member.InTime)+g.Count(member.Missed) != len(g.Stops) {
		t.Errorf("served %+v", g)
	}
	if want := 100 * (4 + g.Count(member.InTime)) / (5 + len(g.Stops)); shown.Reliability != want {
		t.Errorf("reliability %d, want %d", shown.Reliability, want)
	}
	h.deliver(redAt)
	h.asMember(redAt, key, "command: record\n", mail.Processed)
	h.says(h.one(h.deliver(redAt)), fmt.Sprintf("Reliability: %d per cent", shown.Reliability), fmt.Sprintf("at stop %d of lot-1", g.Stops[len(g.Stops)-1].Number))
}

// A player whose seat was given to another keeps that seat in his record.
func TestASeatThatWasTakenAwayStaysInTheRecord(t *testing.T) {
	h := clubOffice(t)
	h.joins(redAt, "command: join\nname: Rosa\n")
	h.clock.move(5 * 24 * time.Hour)
	h.tick()
	if err := h.office.Clerk().Replace(context.Background(), "lot-1", "red", log.Person{Name: "Nina", Address: "nina@play.example"}); err != nil {
		t.Fatal(err)
	}
	shown, err := h.office.Secretary().ShowMember(redAt)
	if err != nil || len(shown.Games) != 1 || shown.Games[0].Count(member.Missed) == 0 {
		t.Errorf("%+v, %v", shown.Games, err)
	}
}

// A list of members is read as a whole, with every fault, and added as a whole or not at all.
func TestMembersFromAList(t *testing.T) {
	h := clubOffice(t)
	h.joins(adaAt, joining)
	s := h.office.Secretary()
	_, problems := s.ReadMembers("- {name: A, address: Ada@play.example}\n- {name: B, address: nonsense}\n- {address: c@x.example, language: klingon}\n- {name: D, address: d@x.example}\n- {name: E, address: D@x.example, hat: red}\n")
	var codes []string
	for _, p := range problems {
		codes = append(codes, p.Why.Code)
	}
	for _, want := range []string{"club.list.member", "office.setup.address", "office.setup.language", "club.list.twice"} {
		if !slices.Contains(codes, want) {
			t.Errorf("no fault %s among %v", want, codes)
		}
	}
	if len(problems) != 6 {
		t.Errorf("%d faults: %v", len(problems), codes)
	}
	for _, text := range []string{"", "hello", "[]"} {
		if _, problems := s.ReadMembers(text); len(problems) == 0 {
			t.Errorf("%q is a list of members", text)
		}
	}
	guide, err := os.ReadFile("../docs/leagues.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(guide), "\n    - {")
	example, _, _ = strings.Cut("    - {"+example, "\n\n")
	if people, problems := s.ReadMembers(strings.ReplaceAll(example, "    - ", "- ")); len(problems) > 0 || len(people) != 2 {
		t.Errorf("the guide's list: %v, %v", people, problems)
	}
	people, problems := s.ReadMembers("- {name: Cara, address: cara@x.example, language: it}\n- {name: Dora, address: dora@x.example}\n")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if _, err := s.AddMembers(context.Background(), people); err != nil {
		t.Fatal(err)
	}
	welcome := h.one(h.deliver("cara@x.example"))
	h.says(welcome, "Sei il socio M-0002")
	key := strings.Replace(memberKeyLine.FindString(welcome.Parts[0].Text), "chiave", "key", 1)
	if m, err := s.ShowMember("M-0002"); err != nil || !m.Unproven {
		t.Errorf("%+v, %v", m, err)
	}
	h.asMember("cara@x.example", key, "command: member\n", mail.Processed)
	if m, err := s.ShowMember("M-0002"); err != nil || m.Unproven {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := s.AddMembers(context.Background(), people); err == nil || h.members() != "M-0001 ada@play.example; M-0002 cara@x.example; M-0003 dora@x.example" {
		t.Errorf("added twice: %v, %s", err, h.members())
	}
}

// No letter to a member tells anything of a game that he may not see: whatever others do in
// theirs, and whether there are any, he reads the same, byte for byte; nor does his own game tell
// him, before a stop is resolved, whether the other has answered.
func TestLettersToAMemberTellNothingOfGames(t *testing.T) {
	letters := func(more func(h *testOffice)) (all string) {
		h := clubOffice(t)
		key := h.joins(redAt, "command: join\nname: Rosa\n")
		more(h)
		h.deliver(redAt)
		for _, c := range []string{"member", "record", "help", "vacation\ndays: 3", "address\naddress: " + adaToo} {
			h.asMember(redAt, key, "command: "+c+"\n", mail.Processed)
			all += wordsOf(h.one(h.deliver(redAt)))
		}
		return all
	}
	quiet := letters(func(*testOffice) {})
	busy := letters(func(h *testOffice) {
		h.newGame(strings.NewReplacer("lot-1", "lot-2", redAt, "nina@play.example").Replace(twoSides))
		h.write("nina@play.example", fill(h.template("nina@play.example"), "{bid: R-1}"), mail.Processed)
		h.write(blueAt, strings.Replace(fill(h.template(blueAt), "{bid: B-1}"), "lot-2", "lot-2", 1), mail.Processed)
	})
	answered := letters(func(h *testOffice) { h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed) })
	if quiet != busy || quiet != answered {
		t.Errorf("the letters differ:\n%s\n---\n%s\n---\n%s", quiet, busy, answered)
	}
}

// A club that has members and no game yet takes their letters in: a database that holds members is no
// new one that stands in place of the right one.
func TestMembersWriteBeforeThereIsAGame(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.JoinByLetter = true })
	key := h.joins(adaAt, joining)
	h.asMember(adaAt, key, "command: record\n", mail.Processed)
	h.says(h.one(h.deliver(adaAt)), "80")
}

package adjudicator

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/engine/napoleon"
	"berthier/mail"
	"berthier/templates"
)

// clubSetup is the league of the month: 36 places in three divisions, for 40 members.
const clubSetup = `
league: club
secretaries: [sam@club.example]
open: confirm
seasons: {start: 2026-03-06, enter-until: 2026-03-05, length: 20w}
deadlines: {brisk: {usual: 2d, at: "20:00", grace: 12h}}
divisions:
  - {id: first, size: 12, system: napoleon, template: nap.yaml}
  - {id: second, size: 12, system: lots, template: lots.yaml, pairing: double}
  - {id: third, size: 12, system: lots, template: lots.yaml, form: swiss, rounds: 3}
games: {most-at-once: 1}
moves: {up: 2, down: 2}
withdraw: {under: 0}
silence: {bot: 2, replace: 3}
substitutes: {most-games: 2}
umpires: {of: [u1@club.example, u2@club.example, u3@club.example, u4@club.example, u5@club.example], most-games: 20}
`

// A clubMonth is a month of a club, with its secretary, its umpires and its members.
type clubMonth struct {
	*month
	names   []string
	acts    []string        // of the secretary, each named
	silent  map[string]bool // umpires who never answer
	settled map[string]int  // disputes that an umpire has settled, by umpires
}

// A member writes to the league by letter: three of ten letters are mangled on their way.
func (m *clubMonth) writesClub(address, subject, text string, at time.Time) {
	m.Helper()
	member, err := m.office.Secretary().ShowMember(address)
	if err != nil {
		m.Fatal(err)
	}
	name := "none"
	if m.chance.IntN(100) < 30 {
		name = []string{"web mail", "attached", "fenced, signed", "twice"}[m.chance.IntN(4)]
		m.mangled++
	}
	kind, body := manglings[name].write(m.month, "key: "+member.Key+"\n"+text, "")
	m.send(m.people[address], subject, kind, body, at, name, "")
	if name == "twice" {
		again := m.post[slices.IndexFunc(m.post, func(l dueLetter) bool { return l.n == m.n })]
		again.at = again.at.Add(time.Hour)
		m.put(again)
	}
}

// act is something that the secretary does: it is counted and named.
func (m *clubMonth) act(what string, err error) {
	m.Helper()
	if err != nil {
		m.Fatalf("%s: %v", what, err)
	}
	m.acts = append(m.acts, fmt.Sprintf("day %d: %s", int(m.clock.now.Sub(time.Date(2026, 3, 2, 18, 0, 0, 0, time.UTC)).Hours()/24), what))
}

// goOn lets days pass.
func (m *clubMonth) goOn(days int) {
	m.Helper()
	m.begun = m.clock.now
	m.run(days)
	m.clock.now = m.begun.Add(time.Duration(days) * 24 * time.Hour)
}

// reads is what people do with letters that are about no stop: substitutes take what is offered to them, umpires
// settle disputes, the secretary does what waits for him.
func (m *clubMonth) readsClub(r *outbox.Outgoing) bool {
	text, at := r.Letter.Text, m.clock.now.Add(time.Duration(2+m.chance.IntN(20))*time.Hour)
	switch {
	case r.Address == "sam@club.example":
		if strings.Contains(text, "wait for a yes") {
			m.act("admit all who have asked", m.office.Secretary().Admit(context.Background(), "club", m.shown().Asked))
		}
		for _, id := range m.waitingGames(text, "closed without a result") {
			_, err := m.office.Secretary().Rule(context.Background(), "club", LeagueRuling{Kind: "cancel", Game: id, Reason: "closed"}, "", true)
			m.act("cancel "+id, err)
		}
		return true
	case strings.HasPrefix(r.Address, "u") && strings.HasSuffix(r.Address, "@club.example"):
		if !m.silent[r.Address] && r.Game != "" {
			m.settle(r.Game, r.Address)
		}
		return true
	case strings.Contains(r.Letter.Subject, "is offered to you"):
		i := strings.Index(text, "offer: ")
		offer, _, _ := strings.Cut(text[i:], "\n")
		m.writesClub(r.Address, "Re: "+r.Letter.Subject, "command: accept\nleague: club\n"+strings.TrimSpace(offer)+"\n", at)
		return true
	}
	return false
}

// waitingGames are the games that a line of the secretary's letter names.
func (m *clubMonth) waitingGames(text, about string) (ids []string) {
	_, rest, found := strings.Cut(text, about)
	if !found {
		return nil
	}
	for _, word := range strings.FieldsFunc(rest, func(c rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-", c) }) {
		if strings.HasPrefix(word, "club-1-") {
			ids = append(ids, word)
		}
	}
	return ids
}

// settle lets an umpire settle what is disputed in a game: it stands.
func (m *clubMonth) settle(id, umpire string) {
	m.Helper()
	for _, seq := range m.record(id).Disputes {
		if _, err := m.office.Clerk().Rule(context.Background(), id, fmt.Sprintf("command: rule\ndispute: %d\ndecision: stands\nreason: r\n", seq), "", true); err != nil {
			m.Fatalf("%s settles %d in %s: %v", umpire, seq, id, err)
		}
		m.settled[umpire]++
	}
}

func (m *clubMonth) shown() LeagueShown {
	m.Helper()
	v, err := m.office.Secretary().ShowLeague("club")
	if err != nil {
		m.Fatal(err)
	}
	return v
}

// disputes lets players dispute the last thing that their games were told, in a game of each umpire.
func (m *clubMonth) disputes() (of map[string]string) {
	m.Helper()
	of = map[string]string{}
	for _, d := range m.shown().Divisions {
		for _, id := range d.Playing {
			g := m.record(id)
			if g.Stop < 3 || of[g.GM.Address] != "" {
				continue
			}
			text := fmt.Sprintf("game: %s\nkey: %s\ncommand: dispute\nevent: 1\nreason: I doubt it\n", id, m.office.keys.Seat(g, g.Seats[0]))
			m.send(m.people[g.Seats[0].Person.Address], "dispute", "text/plain", text, m.clock.now, "none", "")
			of[g.GM.Address] = id
		}
	}
	return of
}

// openClub opens the office with its members.
func openClub(t testing.TB) *clubMonth {
	words, err := templates.New(map[string]fs.FS{"napoleon": napoleon.New().Words(), "lots": enginetest.New().Words()})
	if err != nil {
		t.Fatal(err)
	}
	m := &clubMonth{silent: map[string]bool{"u1@club.example": true, "u2@club.example": true}, settled: map[string]int{}}
	m.month = &month{TB: t, rules: napoleon.New(), others: []engine.Ruleset{enginetest.New()}, chance: rand.New(rand.NewPCG(40, 30)),
		people: map[string]*clubMember{}, answers: map[string]bool{}, got: map[string][]*outbox.Outgoing{}, gone: map[string]time.Time{}, away: map[string][2]time.Time{}, also: m.readsClub, late: m.tooLate}
	clock := &fakeClock{now: time.Date(2026, 3, 2, 18, 0, 0, 0, time.UTC)}
	m.testOffice = &testOffice{TB: t, path: filepath.Join(t.TempDir(), "games.db"), rules: m.rules, clock: clock, seen: map[string]int{}}
	m.opt = Options{Quiet: -1, Repeatable: true, From: mail.Address{Name: "Berthier", Addr: "orders@club.example"}, Clock: clock, Entropy: rand.NewChaCha8([32]byte{40}), AnswersPerHour: 1000}
	m.openMonthStore(words)
	m.office.step = nil // what it holds is held by the month of games
	t.Cleanup(func() { m.store.Close() })
	m.office.watch.attend()
	m.read()
	var people []log.Person
	for i := range 40 {
		p := &clubMember{address: fmt.Sprintf("m%02d@play.example", i), name: fmt.Sprintf("Member %d", i)}
		m.people[p.address] = p
		m.names = append(m.names, p.address)
		people = append(people, log.Person{Name: p.name, Address: p.address, Language: "en", Zone: "Europe/Rome"})
	}
	ctx, s := context.Background(), m.office.Secretary()
	if _, err := s.AddMembers(ctx, people); err != nil {
		t.Fatal(err)
	}
	if _, err := s.NewLeague(ctx, clubSetup, map[string]string{"nap.yaml": "options: {setup: historical}\n", "lots.yaml": "options: {rounds: 5}\n"}); err != nil {
		t.Fatal(err)
	}
	return m
}

// A month of a club of forty, from the announcement of a season on: entries and orders by letter, of which three of ten
// are mangled, three members who withdraw, two umpires who never answer while something waits for them,
// a game that is taken back after its result was taken. All of it goes on by itself: the secretary does ten things at
// most, and each of them is named.
func TestMonthOfAClub(t *testing.T) {
	if raceEnabled {
		return // left to the run without the race detector
	}
	m := openClub(t)
	ctx, s := context.Background(), m.office.Secretary()
	_, err := s.Announce(ctx, "club")
	m.act("announce the season", err)
	m.act("open entries", s.OpenEntries(ctx, "club"))
	m.deliverAll(ctx)
	for i, at := range m.names {
		system := []string{"napoleon", "lots", "lots"}[i%3]
		m.writesClub(at, "league", "command: enter\nleague: club\nsystem: "+system+"\n", m.clock.now.Add(time.Duration(1+m.chance.IntN(60))*time.Hour))
	}
	m.goOn(3)
	m.act("admit all who have asked", s.Admit(ctx, "club", m.shown().Asked))
	m.goOn(1) // entries are closed and play begins by their dates
	if v := m.shown(); len(v.Entries) != 40 || len(v.Waiting) < 4 || v.Phase != season.Running {
		t.Fatalf("%d entered, %v wait, the season is %s", len(v.Entries), v.Waiting, v.Phase)
	}
	var disputed map[string]string
	var rewound string
	for day := 5; day <= 32; day++ {
		m.goOn(1)
		v := m.shown()
		switch day {
		case 8:
			disputed = m.disputes()
		case 10, 15, 21: // somebody of each division withdraws
			d := v.Divisions[(day-10)/5]
			m.writesClub(fmt.Sprintf("m%02d@play.example", number(d.Members[3])-1), "bye", "command: withdraw\nleague: club\n", m.clock.now.Add(time.Hour))
		}
		if rewound != "" {
			continue
		}
		for _, d := range v.Divisions {
			for _, row := range d.Table.Rows {
				for _, c := range row.Cells {
					if rewound == "" && day > 13 && c.Kind == "played" && m.record(c.Game).Phase == game.Over {
						rewound = c.Game
					}
				}
			}
		}
		if rewound != "" {
			if _, err := m.office.Clerk().Rule(ctx, rewound, "command: rewind\nstop: 2\norders: new\nreason: r\n", "", true); err != nil {
				t.Fatal(err)
			}
		}
	}
	m.checkClub(disputed, rewound)
}

// tooLate tells whether a letter answers something that is not asked of its writer any more: the game was
// closed or taken back since, or somebody else sits there.
func (m *clubMonth) tooLate(l dueLetter) bool {
	var id, side string
	var stop int
	if n, _ := fmt.Sscan(l.about, &id, &side, &stop); n != 3 {
		return false
	}
	g := m.record(id)
	s := g.Seat(engine.Side(side))
	return g.Phase != game.Running || s.Person.Address != l.from || s.Owes == nil || s.Owes.Stop != stop
}

// number is that of a member.
func number(id string) (n int) {
	fmt.Sscanf(id, "M-%d", &n)
	return n
}

// checkClub holds what must be true when the month is over.
func (m *clubMonth) checkClub(disputed map[string]string, rewound string) {
	m.Helper()
	v := m.shown()
	kinds := map[string]int{}
	m.leagueLog("club", func(in book.Input) { kinds[fmt.Sprintf("%T", in)]++ })
	if len(m.acts) > 10 {
		m.Errorf("the secretary did %d things", len(m.acts))
	}
	m.Logf("the secretary did %d things:\n%s", len(m.acts), strings.Join(m.acts, "\n"))
	m.Logf("%d letters of members, %d mangled, %d refused; the league's log: %v; disputes settled: %v", m.n, m.mangled, m.refused, kinds, m.settled)
	if share := 100 * m.mangled / m.n; share < 25 || share > 35 {
		m.Errorf("%d of a hundred letters were mangled", share)
	}
	if len(v.Withdrawn) != 3 || kinds["book.Replied"] == 0 {
		m.Errorf("%v have withdrawn; %v", v.Withdrawn, kinds)
	}
	if kinds["book.Reminded"] < 2 || kinds["book.Umpired"] < 2 {
		m.Errorf("nothing was done about silent umpires: %v", kinds)
	}
	for umpire, id := range disputed {
		if g := m.record(id); len(g.Disputes) > 0 {
			m.Errorf("a dispute in %s, whose umpire was %s, is open still", id, umpire)
		}
	}
	if rewound == "" {
		m.Error("no game was taken back")
	} else if !m.reopened(rewound) {
		m.Errorf("%s was taken back, and its result was not opened again", rewound)
	}
	for _, d := range v.Divisions {
		if d.Decided == 0 && d.ID != "first" {
			m.Errorf("no game of division %s is decided", d.ID)
		}
		for _, id := range d.Playing {
			if last := m.lastResolved(id); m.clock.now.Sub(last) > 4*24*time.Hour && m.record(id).Paused.IsZero() {
				m.Errorf("%s: nothing was resolved since %v", id, last)
			}
		}
	}
	if faults, err := m.office.Secretary().VerifyLeague("club"); err != nil || len(faults) > 0 {
		m.Errorf("%v %v", faults, err)
	}
}

// reopened tells whether the result of a game was opened again.
func (m *clubMonth) reopened(id string) (was bool) {
	if err := (leagues{m.office}).look("club", func(b *openBook) error { was = b.Season.Game(id).Reopened; return nil }); err != nil {
		m.Fatal(err)
	}
	return was
}

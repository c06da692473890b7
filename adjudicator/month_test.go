package adjudicator

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/engine/playout"
	"berthier/mail"
	"berthier/orders"
	"berthier/templates"
)

// A month is the life of a club, hour by hour: players who write letters as people and mail
// programs do, an office that reads them, and a clock that the test moves.
type month struct {
	testing.TB
	*testOffice
	chance  *rand.Rand
	rules   engine.Ruleset
	others  []engine.Ruleset // further ones of the office
	begun   time.Time
	people  map[string]*clubMember // by address
	post    []dueLetter            // under way to the office, by time
	n       int                    // letters written
	mangled int
	refused int
	answers map[string]bool               // "game side stop" for which a letter is under way or in force
	got     map[string][]*outbox.Outgoing // letters of the office, by address
	digest  [sha256.Size]byte             // of all letters of the office
	down    [2]time.Time                  // the office does not run
	gone    map[string]time.Time          // who vanishes, and when
	away    map[string][2]time.Time

	late func(dueLetter) bool        // tells whether a letter has come too late
	also func(*outbox.Outgoing) bool // reads a letter that is about no stop; true: it is done with

	keepReports bool // that were sent, as the office does; without them a run takes less
}

type clubMember struct {
	address string
	name    string
}

// A dueLetter reaches the mailbox at a time.
type dueLetter struct {
	at       time.Time
	n        int
	raw      []byte
	from     string
	mangling string
	about    string // what it answers
}

const clubMaster = "gm@club.example"

// openMonth opens an office with games of two and of three players, each seat
// with a player of its own.
func openMonth(t testing.TB, seed uint64, twos, threes int) *month {
	t.Helper()
	words, err := templates.New(map[string]fs.FS{"napoleon": napoleon.New().Words()})
	if err != nil {
		t.Fatal(err)
	}
	m := &month{
		TB: t, rules: napoleon.New(), chance: rand.New(rand.NewPCG(seed, 30)), begun: time.Date(2026, 3, 2, 18, 0, 0, 0, time.UTC),
		people: map[string]*clubMember{}, answers: map[string]bool{}, got: map[string][]*outbox.Outgoing{},
		gone: map[string]time.Time{}, away: map[string][2]time.Time{},
	}
	clock := &fakeClock{now: m.begun}
	m.testOffice = &testOffice{TB: t, path: filepath.Join(t.TempDir(), "games.db"), rules: m.rules, clock: clock, seen: map[string]int{}}
	var entropy [32]byte
	entropy[0] = byte(seed)
	m.opt = Options{Quiet: -1, Repeatable: true, // it hands letters out itself
		From: mail.Address{Name: "Berthier", Addr: "orders@club.example"}, Clock: clock,
		GMs: []log.Person{{Name: "Gina", Address: clubMaster, Language: "it", Zone: "Europe/Rome"}}, Entropy: rand.NewChaCha8(entropy),
	}
	m.openMonthStore(words)
	t.Cleanup(func() { m.store.Close() })
	m.office.watch.attend()
	m.read()
	for i := range twos + threes {
		sides, options := []string{"french", "allied"}, "setup: historical"
		if i >= twos {
			sides, options = []string{"french", "anglo-dutch", "prussian"}, "players: 3"
		}
		var seats strings.Builder
		for j, side := range sides {
			p := &clubMember{address: fmt.Sprintf("p%d-%d@play.example", i, j), name: fmt.Sprintf("Player %d of %d", j, i)}
			m.people[p.address] = p
			fmt.Fprintf(&seats, "  %s: {name: %s, address: %s, language: %s, zone: %s}\n", side, p.name, p.address,
				[]string{"it", "en"}[j%2], []string{"Europe/Rome", "Europe/London", "America/New_York"}[j])
		}
		setup, problems := m.office.Clerk().ReadSetup(fmt.Sprintf(`game: club-%d
system: napoleon
options: {%s}
seats:
%sgm: {name: Gina, address: %s, language: it}
zone: Europe/Rome
deadline: {usual: 2d, at: "20:00", grace: 12h, reminders: [12h]}
silence: {bot: 2, replace: 3}
absence: 10d
reserves:
  - {name: Rita, address: rita@play.example, language: it}
  - {name: Remo, address: remo@play.example, language: en}
seed: club-%d
`, i, options, seats.String(), clubMaster, i), nil)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if err := m.office.Clerk().NewGame(context.Background(), setup); err != nil {
			t.Fatal(err)
		}
	}
	for _, address := range []string{"rita@play.example", "remo@play.example"} {
		m.people[address] = &clubMember{address: address, name: address[:4]}
	}
	return m
}

func (m *month) openMonthStore(words *templates.Words) {
	m.Helper()
	st, err := openStore(m.path, bolt.Options{NoSync: true, Entropy: strings.NewReader(strings.Repeat("secret..", 4))})
	if err != nil {
		m.Fatal(err)
	}
	m.store = st
	m.opt.Secret = st.Secret()
	if m.office, err = New(st, words, append([]engine.Ruleset{m.rules}, m.others...), m.opt); err != nil {
		m.Fatal(err)
	}
	if _, measured := m.TB.(*testing.B); !raceEnabled && !measured { // the run without the detector holds it
		m.office.step = twice(m)
	}
}

// run lets so many days pass.
func (m *month) run(days int) {
	m.Helper()
	ctx := context.Background()
	isDown := false
	for hour := range days * 24 {
		m.clock.now = m.begun.Add(time.Duration(hour) * time.Hour)
		now := m.clock.now
		if !m.down[0].IsZero() && !now.Before(m.down[0]) && now.Before(m.down[1]) {
			isDown = true
			continue
		}
		if isDown { // the office is started again
			isDown = false
			words := m.office.words
			if err := m.store.Close(); err != nil {
				m.Fatal(err)
			}
			m.openMonthStore(words)
			m.office.watch.attend()
			if err := m.office.Tick(ctx); err != nil { // it looks at the clock before it reaches the mailbox
				m.Fatal(err)
			}
		}
		// Half-hours: the mailbox is read more often than the clock strikes here.
		for range 2 {
			m.arrive(ctx)
			m.read()
			if err := m.office.Tick(ctx); err != nil {
				m.Fatal(err)
			}
			m.deliverAll(ctx)
			m.clock.now = m.clock.now.Add(30 * time.Minute)
		}
	}
}

// arrive hands the office what has reached its mailbox.
func (m *month) arrive(ctx context.Context) {
	m.Helper()
	for len(m.post) > 0 && !m.post[0].at.After(m.clock.now) {
		l := m.post[0]
		m.post = m.post[1:]
		folder, err := m.office.Handle(ctx, mail.Incoming{UID: uint32(l.n), Size: int64(len(l.raw)), Raw: l.raw})
		if err != nil {
			m.Fatal(err)
		}
		if folder == mail.Rejected {
			m.refused++
			delete(m.answers, l.about)
			if !manglings[l.mangling].spoils && (m.late == nil || !m.late(l)) {
				m.Errorf("a letter with %q was refused:\n%s", l.mangling, l.raw)
			}
		}
	}
}

// deliverAll takes the office's letters out of the outbox and lets the players
// read them. Pictures are drawn for a few letters only: that is slow.
func (m *month) deliverAll(ctx context.Context) {
	m.Helper()
	for {
		var rows []*outbox.Outgoing
		var ids []uint64
		var kept []store.Version
		err := m.store.Read(context.Background(), func(tx store.Reader) error {
			ids = tx.Due(m.office.now(), 1000)
			for _, id := range ids {
				r, _, err := m.office.box.Load(tx, id)
				if err != nil {
					return err
				}
				stored, _ := tx.Outgoing(id)
				rows, kept = append(rows, r), append(kept, stored.Version())
			}
			return nil
		})
		if err != nil {
			m.Fatal(err)
		}
		if len(rows) == 0 {
			return
		}
		var c store.Change
		for i, r := range rows {
			out := *r
			out.State = outbox.StateSent
			if !m.keepReports || r.Report == 0 {
				out.Letter, out.Grounds = nil, nil
			}
			body, _, err := out.Pack()
			if err != nil {
				m.Fatal(err)
			}
			c.PutOutgoing(store.Outgoing{ID: ids[i], Was: kept[i], Body: body})
		}
		if err := m.store.Commit(ctx, c); err != nil {
			m.Fatal(err)
		}
		for i, r := range rows {
			if ids[i]%97 == 0 {
				raw, err := m.office.box.Compose(ids[i], r)
				if err != nil {
					m.Fatal(err)
				}
				if _, err := mail.Read(raw, mail.Own{}); err != nil {
					m.Fatal(err)
				}
			}
			m.got[r.Address] = append(m.got[r.Address], r)
			m.digest = sha256.Sum256(fmt.Appendf(m.digest[:], "%d %s\n%s\n%s", ids[i], r.Address, r.Letter.Subject, r.Letter.Text))
			m.reads(r)
		}
	}
}

// reads has a player read a letter: if an order file is with it that is still to
// be answered, an answer is written in the hours that follow.
func (m *month) reads(r *outbox.Outgoing) {
	p := m.people[r.Address]
	now := m.clock.now
	if m.also != nil && m.also(r) {
		return
	}
	if gone, vanishes := m.gone[r.Address]; p == nil || vanishes && !now.Before(gone) {
		return
	}
	for _, f := range r.Letter.Files {
		if !strings.HasSuffix(f.Name, ".yaml") || r.Kind == "accepted" {
			continue
		}
		doc, _ := orders.Parse(string(f.Data), nil)
		about := fmt.Sprint(doc.Game, " ", doc.Side, " ", doc.Stop)
		if doc.Stop == 0 || m.answers[about] {
			continue
		}
		delay := time.Duration(5+m.chance.IntN(29)) * time.Hour
		if r.Kind != "report" {
			delay = time.Duration(1+m.chance.IntN(4)) * time.Hour
		}
		at := now.Add(delay)
		if a, ok := m.away[p.address]; ok && at.After(a[0]) && at.Before(a[1]) {
			at = a[1].Add(delay)
		}
		m.writes(p, r, doc, at, about)
	}
}

// A mangling is what becomes of a letter on its way.
type mangling struct {
	spoils bool // the office may well refuse it
	write  func(m *month, file, quoted string) (kind, body string)
}

var manglings = map[string]mangling{
	"none": {false, func(_ *month, file, quoted string) (string, string) { return "text/plain", file + "\n" + quoted }},
	"typography": {false, func(_ *month, file, _ string) (string, string) {
		head, body, _ := strings.Cut(file, "\norders:")
		return "text/plain", head + "\norders:" + strings.NewReplacer("-0", "–0", "-1", "–1", "  ", "\u00a0 ").Replace(body)
	}},
	"web mail": {false, func(_ *month, file, quoted string) (string, string) {
		var b strings.Builder
		b.WriteString(`<html><body><div dir="ltr">`)
		for _, line := range strings.Split(strings.TrimRight(file, "\n"), "\n") {
			indent := len(line) - len(strings.TrimLeft(line, " "))
			b.WriteString("<div>" + strings.Repeat("&nbsp;", indent) + html.EscapeString(line[indent:]) + "</div>\n")
		}
		b.WriteString("</div><blockquote>" + strings.ReplaceAll(html.EscapeString(quoted), "\n", "<br>\n") + "</blockquote></body></html>\n")
		return "text/html", b.String()
	}},
	"attached": {false, func(_ *month, file, _ string) (string, string) {
		return `multipart/mixed; boundary="=_x"`, "--=_x\nContent-Type: text/plain\n\nMy orders are attached.\n\n--=_x\nContent-Type: application/octet-stream; name=\"orders.yaml\"\n" +
			"Content-Disposition: attachment; filename=\"orders.yaml\"\nContent-Transfer-Encoding: base64\n\n" + wrapped(base64.StdEncoding.EncodeToString([]byte(file)), 76) + "\n--=_x--\n"
	}},
	"fenced, signed": {false, func(_ *month, file, quoted string) (string, string) {
		return "text/plain", "Ecco gli ordini.\n\n```yaml\n" + file + "```\n\n-- \nInviato dal mio telefono\n" + quoted
	}},
	"in the quote": {false, func(_ *month, file, _ string) (string, string) {
		_, rest, _ := strings.Cut(orders.Frame("en", file), "\n") // the mark is that of the file as it was sent
		return "text/plain", "See below.\n\nOn Mon, the office wrote:\n> " + orders.BeginMark("en") + " 00000000 =====\n> " +
			strings.ReplaceAll(strings.TrimRight(rest, "\n"), "\n", "\n> ") + "\n"
	}},
	"twice":   {false, func(_ *month, file, _ string) (string, string) { return "text/plain", file }},
	"lost":    {true, func(_ *month, file, _ string) (string, string) { return "text/plain", file }},
	"wrapped": {true, func(_ *month, file, quoted string) (string, string) { return "text/plain", broken(file, 60) + quoted }},
	"slips": {true, func(m *month, file, quoted string) (string, string) {
		return "text/plain", playout.Break(file, m.chance) + "\n" + quoted
	}},
	"without key": {true, func(_ *month, file, _ string) (string, string) {
		return "text/plain", strings.Replace(file, "key: ", "kye: ", 1)
	}},
	"end is missing": {true, func(_ *month, file, _ string) (string, string) {
		return "text/plain", file[:strings.Index(file, "orders:")]
	}},
}

// manglingNames are drawn in this order.
var manglingNames = func() []string {
	var all []string
	for name := range manglings {
		if name != "none" {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}()

// broken breaks lines as a mail program does.
func broken(text string, width int) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		for len(line) > width {
			at := strings.LastIndexByte(line[:width+1], ' ')
			if at <= len(line)-len(strings.TrimLeft(line, " ")) {
				break
			}
			out = append(out, line[:at])
			line = line[at+1:]
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// wrapped cuts a text into lines.
func wrapped(text string, width int) string {
	var out strings.Builder
	for len(text) > width {
		out.WriteString(text[:width] + "\n")
		text = text[width:]
	}
	return out.String() + text
}

// writes puts an answer into the post: what the bot would do, as a person would
// write it.
func (m *month) writes(p *clubMember, r *outbox.Outgoing, doc *orders.Document, at time.Time, about string) {
	m.Helper()
	loaded, err := m.office.Clerk().Position(doc.Game, engine.Side(doc.Side))
	if err != nil {
		m.Fatal(err)
	}
	if loaded.Owes == nil || loaded.Stop != doc.Stop {
		return // resolved in the meantime
	}
	rules := m.rules
	for _, other := range m.others {
		if other.About().ID == m.record(doc.Game).System {
			rules = other
		}
	}
	answer := rules.Sensible(loaded.View, *loaded.Owes, rand.New(rand.NewPCG(uint64(m.n), 7)))
	file := orders.Mapping()
	for _, pair := range loaded.Template.Pairs {
		if !slices.Contains(orders.Bodies, pair.Key.Text) {
			file.Set(pair.Key.Text, orders.Text(pair.Value.Text))
		}
	}
	for _, pair := range answer.Orders().Pairs {
		file.Set(pair.Key.Text, pair.Value)
	}
	name := "none"
	if m.chance.IntN(100) < 30 {
		name = manglingNames[m.chance.IntN(len(manglingNames))]
		m.mangled++
	}
	quoted := "\nIl giorno lun, l'ufficio ha scritto:\n> " + strings.ReplaceAll(strings.TrimRight(r.Letter.Text, "\n"), "\n", "\n> ") + "\n"
	kind, body := manglings[name].write(m, file.Encode(), quoted)
	m.answers[about] = true
	m.send(p, r.Letter.Subject, kind, body, at, name, about)
	switch name {
	case "lost": // no confirmation comes, so he sends it again
		kind, body := manglings["none"].write(m, file.Encode(), quoted)
		m.send(p, r.Letter.Subject, kind, body, at.Add(5*time.Hour), "none", about)
	case "twice":
		again := m.post[slices.IndexFunc(m.post, func(l dueLetter) bool { return l.n == m.n })]
		again.at = again.at.Add(time.Hour)
		m.put(again)
	}
}

// send puts a letter into the post.
func (m *month) send(p *clubMember, subject, kind, body string, at time.Time, name, about string) {
	m.n++
	encoding := "8bit"
	if !strings.HasPrefix(kind, "multipart/") {
		kind += "; charset=utf-8"
	}
	raw := fmt.Sprintf("From: %s <%s>\nTo: <orders@club.example>\nSubject: Re: =?utf-8?b?%s?=\nDate: %s\nMessage-ID: <%d@play.example>\nMIME-Version: 1.0\nContent-Type: %s\nContent-Transfer-Encoding: %s\n\n%s",
		p.name, p.address, base64.StdEncoding.EncodeToString([]byte(subject)), at.Format(time.RFC1123Z), m.n, kind, encoding, body)
	if name == "lost" {
		return
	}
	m.put(dueLetter{at: at, n: m.n, raw: []byte(strings.ReplaceAll(raw, "\n", "\r\n")), from: p.address, mangling: name, about: about})
}

func (m *month) put(l dueLetter) {
	m.post = append(m.post, l)
	slices.SortStableFunc(m.post, func(a, b dueLetter) int { return cmp.Or(a.at.Compare(b.at), a.n-b.n) })
}

// A month of a club: ten games, 25 players, three of ten letters mangled, two players who
// vanish, one absence, one outage of three days. Every game goes on by itself, nobody who is
// there misses a stop, and the game master gets ten letters at most and writes none.
func TestMonth(t *testing.T) {
	if !fullSamples {
		return // TestMonthAgain does the same for a week
	}
	m := openMonth(t, 1, 5, 5)
	day := func(n int) time.Time { return m.begun.Add(time.Duration(n) * 24 * time.Hour) }
	if len(m.people) != 25+2 {
		t.Fatalf("%d players", len(m.people))
	}
	m.gone["p1-0@play.example"], m.gone["p6-0@play.example"] = day(4), day(14) // the second just before the outage
	m.down = [2]time.Time{day(16), day(19)}

	// One is away from the 10th day to the 15th, and says so on the 8th.
	const absent = "p3-1@play.example"
	m.away[absent] = [2]time.Time{day(10), day(15)}
	key, err := m.office.Clerk().Key("club-3", "allied")
	if err != nil {
		t.Fatal(err)
	}
	m.send(m.people[absent], "away", "text/plain", fmt.Sprintf("game: club-3\nkey: %s\ncommand: vacation\nfrom: %s\nuntil: %s\n", key,
		day(10).In(timing.Zone("Europe/London")).Format("2006-01-02 15:04"), day(15).In(timing.Zone("Europe/London")).Format("2006-01-02 15:04")), day(8), "none", "absence")

	m.deliverAll(context.Background())
	start := len(m.got[clubMaster])
	m.run(30)

	told := m.toldMaster(start)
	if share := 100 * m.mangled / m.n; share < 25 || share > 35 {
		t.Errorf("%d of a hundred letters were mangled", share)
	}
	if m.refused == 0 {
		t.Error("no letter was refused")
	}
	stops := 0
	for i := range 10 {
		id := fmt.Sprintf("club-%d", i)
		g := m.record(id)
		stops += g.Stop
		if g.Phase == game.Running && !g.Paused.IsZero() {
			t.Errorf("%s stands still: %s", id, g.Fault)
		}
		last := m.monthLog(id)
		if g.Phase == game.Running && m.clock.now.Sub(last) > 4*24*time.Hour {
			t.Errorf("%s: nothing was resolved since %v", id, last)
		}
		for _, s := range g.Seats {
			if _, vanishes := m.gone[s.Person.Address]; vanishes {
				t.Errorf("%s: %s still has who vanished", id, s.Side)
			}
			if s.Missed > 0 || s.Bot {
				t.Errorf("%s: %s, who is there, missed %d", id, s.Person.Address, s.Missed)
			}
		}
	}
	for _, address := range []string{"rita@play.example"} {
		briefed := false
		for _, r := range m.got[address] {
			briefed = briefed || r.Kind == "briefing" && len(r.Letter.Scenes) > 0
		}
		if !briefed {
			t.Errorf("%s got no briefing", address)
		}
	}
	t.Logf("%d letters of players, %d mangled, %d refused; %d stops; to the game master: %q", m.n, m.mangled, m.refused, stops, told)
}

// lastResolved tells when a stop of a game was resolved last.
func (m *month) lastResolved(id string) (last time.Time) {
	m.Helper()
	if err := m.store.Read(context.Background(), func(tx store.Reader) error {
		return tx.Entries(id, 0, func(e chain.Entry) error {
			entry, err := log.Read(e, nil)
			if err == nil && (entry.Kind == log.KindResolved || last.IsZero() || entry.Kind == log.KindRewound) {
				last = entry.At
			}
			return err
		})
	}); err != nil {
		m.Fatal(err)
	}
	return last
}

// toldMaster are the subjects of the game master's letters from one on: few, and each thing that
// happened to a seat once for each seat.
func (m *month) toldMaster(start int) []string {
	m.Helper()
	var told []string
	for _, r := range m.got[clubMaster][start:] {
		told = append(told, r.Letter.Subject)
	}
	if len(told) > 10 {
		m.Errorf("the game master got %d letters: %q", len(told), told)
	}
	kinds := map[string]int{}
	for _, subject := range told {
		for _, what := range []string{"automa gioca", "nuovo giocatore", "assenza", "si risolve d'ufficio"} {
			if strings.Contains(subject, what) {
				kinds[what]++
			}
		}
	}
	if kinds["automa gioca"] != 2 || kinds["nuovo giocatore"] != 2 || kinds["assenza"] != 1 || kinds["si risolve d'ufficio"] != 1 {
		m.Errorf("the game master was told %q", told)
	}
	return told
}

// monthLog checks a game's log and tells when a stop was resolved last. Nothing
// was resolved by default while the office was down, nor before one grace had
// passed since.
func (m *month) monthLog(id string) time.Time {
	m.Helper()
	var last time.Time
	err := m.store.Read(context.Background(), func(tx store.Reader) error {
		if err := store.Verify(tx, id); err != nil {
			return err
		}
		return tx.Entries(id, 0, func(e chain.Entry) error {
			entry, err := log.Read(e, nil)
			if err != nil || entry.Kind != log.KindResolved {
				return err
			}
			last = entry.At
			var r log.Resolved
			if _, err := log.Read(e, &r); err != nil {
				return err
			}
			for _, a := range r.Answers {
				if a.By == log.ByDefault && !last.Before(m.down[0]) && last.Before(m.down[1].Add(12*time.Hour)) {
					m.Errorf("%s: %s was judged by default at %v", id, a.Decision.Side, last)
				}
			}
			return nil
		})
	})
	if err != nil {
		m.Fatal(err)
	}
	return last
}

// The set-up that the documentation explains is one that the office takes.
func TestDocumentedSetup(t *testing.T) {
	m := openMonth(t, 3, 0, 0)
	text, err := os.ReadFile(filepath.Join("..", "docs", "setting-up.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := func(first string) string {
		lines := strings.Split(string(text), "\n")
		at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), first) })
		if at < 0 {
			t.Fatalf("docs/setting-up.md has no block with %q", first)
		}
		indent := lines[at][:strings.Index(lines[at], first)]
		var out strings.Builder
		for _, line := range lines[at:] {
			if !strings.HasPrefix(line, indent) {
				break
			}
			out.WriteString(line[len(indent):] + "\n")
		}
		return out.String()
	}
	game := block("game: ligny-7")
	for _, more := range []string{"", block("absence: 14d")} {
		if s, problems := m.office.Clerk().ReadSetup(game+more, nil); len(problems) > 0 || s.Timing.Usual.Clock != "20:00" {
			t.Errorf("%v\n%s", problems, game+more)
		}
	}
	head, _, _ := strings.Cut(game, "zone: Europe/Rome  ") // what the longer block begins with as well
	s, problems := m.office.Clerk().ReadSetup(head+block("zone: Europe/Rome                # of the game"), nil)
	if len(problems) > 0 {
		t.Fatalf("%v\n%s", problems, head+block("zone: Europe/Rome                # of the game"))
	}
	if turn := s.Timing.Of("battle-turn"); turn.Usual != 24*time.Hour || turn.Clock != "20:00" || len(turn.Holidays) != 2 {
		t.Errorf("%+v", turn)
	}
}

// The same month comes out the same, letter by letter.
func TestMonthAgain(t *testing.T) {
	withoutRace(t)
	var digests [2][sha256.Size]byte
	for i := range digests {
		m := openMonth(t, 2, 1, 1)
		m.gone["p1-2@play.example"] = m.begun
		m.run(8)
		digests[i] = m.digest
	}
	if digests[0] != digests[1] {
		t.Error("two runs differ")
	}
}

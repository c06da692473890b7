package adjudicator

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/mail"
)

// backUp writes a copy of the office's database beside it.
func (h *testOffice) backUp() string {
	h.Helper()
	path := filepath.Join(h.TempDir(), "copy.db")
	f, err := os.Create(path)
	if err != nil {
		h.Fatal(err)
	}
	if _, err := h.store.Backup(f); err != nil {
		h.Fatal(err)
	}
	if err := f.Close(); err != nil {
		h.Fatal(err)
	}
	return path
}

// restore puts a copy in the place of the database, and opens the office again.
func (h *testOffice) restore(backup string) {
	h.Helper()
	if err := h.store.Close(); err != nil {
		h.Fatal(err)
	}
	if _, err := bolt.Restore(backup, h.path, filepath.Join(h.TempDir(), "aside.db"), h.clock.Now()); err != nil {
		h.Fatal(err)
	}
	h.open()
}

// rawOf is a letter that the office has sent, as the player has kept it.
func (h *testOffice) rawOf(id string) []byte {
	h.Helper()
	for _, p := range h.post.sent {
		if p.letter.MessageID == id {
			return p.raw
		}
	}
	h.Fatalf("no letter %s", id)
	return nil
}

// Everybody is told that the office was restored. Nothing new has the number of something
// that a player has seen: neither letters nor templates.
func TestRestoreIsToldAndCountsOn(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.sync = false })
	h.newGame(twoSides)
	h.deliver(redAt)
	h.deliver(blueAt)
	h.clock.now = h.clock.now.Add(time.Hour)
	backup := h.backUp()
	h.clock.now = h.clock.now.Add(time.Hour)

	// The lost time: red orders, and asks for his report and templates.
	r := &restoring{testOffice: h, seen: map[string]bool{}, serials: map[string]bool{}}
	for range 3 {
		h.clock.now = h.clock.now.Add(time.Minute)
		r.note(r.status(), false)
	}
	if len(r.serials) < 2 {
		t.Fatalf("serials seen: %v", r.serials)
	}
	h.clock.now = h.clock.now.Add(time.Hour)
	for i := range 2 { // of the same copy
		h.restore(backup)
		h.clock.now = h.clock.now.Add(time.Minute)
		h.seen = map[string]int{}
		h.post.sent = nil
		h.write(redAt, r.red()+"command: resend\nreport: 1\n", mail.Processed) // sent again as it was, it tells nothing
		r.note(h.deliver(redAt), false)
		first := r.status()
		r.note(first, true)
		tells := func(l *mail.Letter) bool {
			return strings.Contains(intake.TextOf(l), "the office was restored from a backup")
		}
		if len(first) == 0 || !tells(first[0]) {
			t.Fatalf("restore %d: red's next letter does not tell: %v", i+1, subjects(first))
		}
		for _, l := range first[1:] {
			if tells(l) {
				t.Errorf("restore %d: it is told twice", i+1)
			}
		}
		if again := r.status(); len(again) == 0 || tells(again[0]) {
			t.Errorf("restore %d: it is told again", i+1)
		}
		if gm := h.deliver(gmAt); len(gm) == 0 || !strings.Contains(gm[0].Subject, "restored from a backup") {
			t.Errorf("restore %d: the game master was told %v", i+1, subjects(gm))
		}
		r.toldInLog(i + 1)
	}
}

// restoring is an office whose red player remembers what came before a restore.
type restoring struct {
	*testOffice
	seen, serials map[string]bool // numbers of letters, serials of templates
}

func (r *restoring) red() string {
	return "game: lot-1\nside: red\nkey: " + key(r.testOffice, "lot-1", "red") + "\n"
}

// status is what red gets when he asks where the game stands.
func (r *restoring) status() []*mail.Letter {
	r.write(redAt, r.red()+"command: status\n", mail.Processed)
	return r.deliver(redAt)
}

// note remembers letters, which may have to be new.
func (r *restoring) note(letters []*mail.Letter, mustBeNew bool) {
	r.Helper()
	for _, l := range letters {
		if mustBeNew && r.seen[l.MessageID] {
			r.Errorf("a letter has the number of one that was seen: %s", l.MessageID)
		}
		r.seen[l.MessageID] = true
		if _, rest, ok := strings.Cut(intake.TextOf(l), "\nserial: "); ok {
			serial, _, _ := strings.Cut(rest, "\n")
			if mustBeNew && r.serials[serial] {
				r.Errorf("a template has a serial that was seen: %s", serial)
			}
			r.serials[serial] = true
		}
	}
}

// toldInLog finds that the log tells of a restore once, also after a restart, and that blue, who
// has not written, is still to be told.
func (r *restoring) toldInLog(restore int) {
	r.Helper()
	n := 0
	for _, kind := range r.kinds("lot-1") {
		if kind == log.KindRestored {
			n++
		}
	}
	if n != 1 {
		r.Errorf("restore %d: the log tells of %d restores", restore, n)
	}
	r.restart()
	if kinds := r.kinds("lot-1"); len(kinds) == 0 || strings.Count(strings.Join(kinds, " "), log.KindRestored) != 1 {
		r.Errorf("restore %d: after a restart the log is %v", restore, kinds)
	}
	// Blue has not written: his letter still comes.
	if err := r.office.look("lot-1", func(tr *transaction) error {
		if tr.Game.Seat("blue").Restored.IsZero() {
			r.Errorf("restore %d: blue is taken to be told", restore)
		}
		return nil
	}); err != nil {
		r.Error(err)
	}
}

// A file with a template of the lost time is taken in again: it is not of a template
// that nobody has sent.
func TestOrdersOfTheLostTimeCount(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(redAt)
	backup := h.backUp()
	file := "game: lot-1\nside: red\nkey: " + key(h, "lot-1", "red") + "\n"
	h.write(redAt, file+"command: status\n", mail.Processed)
	serial := h.record("lot-1").Seat("red").Serial
	h.clock.now = h.clock.now.Add(time.Hour)
	orders := file + "stop: 1\nserial: " + strconv.Itoa(serial) + "\norders: {bid: R-1}\n"
	h.write(redAt, orders, mail.Processed)
	h.clock.now = h.clock.now.Add(time.Hour)
	h.restore(backup)
	if s := h.record("lot-1").Seat("red"); s.Owes == nil || s.Owes.Answer != nil {
		t.Fatal("the copy holds the answer already")
	}
	h.write(redAt, orders, mail.Processed)
	if s := h.record("lot-1").Seat("red"); s.Owes == nil || s.Owes.Answer == nil {
		t.Error("the orders of the lost time do not count")
	}
}

// Letters of the time that a restore has lost are a finding of their own: neither
// right, nor wrong. An office that claims a restore gets no more than that by it,
// and what was written outside that time is wrong as ever.
func TestLettersFromBeforeARestore(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	letters := map[string][]byte{}
	keep := func(name string) *mail.Letter {
		t.Helper()
		got := h.deliver(redAt)
		if len(got) == 0 {
			t.Fatal("no letter for " + name)
		}
		last := got[len(got)-1]
		letters[name] = h.rawOf(last.MessageID)
		return last
	}
	red := "game: lot-1\nside: red\nkey: " + key(h, "lot-1", "red") + "\n"
	keep("first.eml")
	h.clock.now = h.clock.now.Add(time.Hour)
	backup := h.backUp()
	h.clock.now = h.clock.now.Add(time.Hour)
	h.write(redAt, red+"stop: 1\norders: {bid: R-1}\n", mail.Processed)
	keep("lost.eml")
	h.clock.now = h.clock.now.Add(time.Hour)
	h.restore(backup)
	h.seen[redAt] = len(lettersTo(h, redAt))
	h.clock.now = h.clock.now.Add(time.Hour)
	h.write(redAt, red+"stop: 1\norders: {bid: R-2}\n", mail.Processed)
	keep("later.eml")
	h.play("lot-1", h.anyUnit("lot-1"))
	x, err := h.office.Clerk().Export("lot-1", engine.GM)
	if err != nil {
		t.Fatal(err)
	}
	c := VerifyLetters(x, letters)
	if len(c.Wrong) > 0 || len(c.Lost) != 1 || !strings.Contains(c.Lost[0], "lost.eml is from before the restore of entry ") {
		t.Errorf("wrong: %q, lost: %q", c.Wrong, c.Lost)
	}
	v, err := verify.Game(x, []engine.Ruleset{h.rules})
	if err != nil {
		t.Fatal(err)
	}
	if !v.Sound() || v.Lost() {
		t.Errorf("the game itself: %+v", v)
	}
	if v.Checks = append(v.Checks, c); !v.Lost() {
		t.Error("with that letter it holds")
	}
	// A player's own export tells of it too.
	own, err := h.office.Clerk().Export("lot-1", "red")
	if err != nil {
		t.Fatal(err)
	}
	if c := VerifyLetters(own, letters); len(c.Wrong) > 0 || len(c.Lost) != 1 {
		t.Errorf("in red's own export: wrong: %q, lost: %q", c.Wrong, c.Lost)
	}
	// The same letter, dated after the restore or before the copy, is none of them.
	for _, date := range []time.Time{h.clock.now, x0(t, x).Add(-time.Hour)} {
		forged := map[string][]byte{"forged.eml": redated(letters["lost.eml"], date)}
		if c := VerifyLetters(x, forged); len(c.Wrong) == 0 || len(c.Lost) > 0 {
			t.Errorf("dated %s: wrong: %q, lost: %q", date, c.Wrong, c.Lost)
		}
	}
}

// x0 is when an export's first entry was written.
func x0(t *testing.T, x *log.Export) time.Time {
	t.Helper()
	e, err := log.Decode([]byte(x.Entries[0].Body), nil)
	if err != nil {
		t.Fatal(err)
	}
	return e.At
}

// redated is a letter with another date.
func redated(raw []byte, date time.Time) []byte {
	head, rest, _ := strings.Cut("\r\n"+string(raw), "\r\nDate: ")
	_, rest, _ = strings.Cut(rest, "\r\n")
	return []byte(strings.TrimPrefix(head, "\r\n") + "\r\nDate: " + date.Format(time.RFC1123Z) + "\r\n" + rest)
}

func lettersTo(h *testOffice, address string) (all []posted) {
	for _, p := range h.post.sent {
		if p.to == address {
			all = append(all, p)
		}
	}
	return all
}

// As long as a database has never held a game, a letter for a game stays in the inbox and is
// counted, and a letter that needs no game is taken in as always. Once there is a game, the
// letters that waited are taken in too.
func TestLettersForGamesThatNeverWere(t *testing.T) {
	h := newTestOffice(t)
	ctx := context.Background()
	offer := func(from, subject, head, body string) (mail.Folder, error) {
		t.Helper()
		raw := "From: <" + from + ">\r\nTo: <orders@club.example>\r\nSubject: " + subject + "\r\nDate: " + h.clock.now.Format(time.RFC1123Z) +
			"\r\nMessage-ID: <" + strconv.Itoa(len(body)) + subject + "@x.example>\r\n" + head + "\r\n" + strings.ReplaceAll(body, "\n", "\r\n")
		return h.office.Handle(ctx, mail.Incoming{UID: 1, Size: int64(len(raw)), Raw: []byte(raw)})
	}
	unknown := func() int {
		t.Helper()
		i, err := h.office.Ills()
		if err != nil {
			t.Fatal(err)
		}
		return i.UnknownGames
	}
	file := "game: lot-1\nside: red\nkey: ABCD-EFGH\nstop: 1\norders: {bid: R-1}\n"
	stays := []struct{ name, from, head, body string }{
		{"orders", redAt, "", file},
		{"without a game", redAt, "", "key: ABCD-EFGH\norders: {bid: R-1}\n"},
		{"a master's command", gmAt, "", "game: lot-1\nkey: ABCD-EFGH\ncommand: pause\n"},
		{"an administrator about a game", gmAt, "", "game: lot-1\nkey: " + h.officeKey(gmAt) + "\ncommand: pause\n"},
		{"a call for help with a game", redAt, "", "game: lot-1\ncommand: help\n"},
		{"an answer to a letter of the office", redAt, "In-Reply-To: <letter.abc@berthier.club.example>\r\n", "I am lost, help me.\n"},
	}
	for i, c := range stays {
		if folder, err := offer(c.from, "s"+strconv.Itoa(i), c.head, c.body); err == nil || folder != mail.Leave {
			t.Errorf("%s: %s, %v", c.name, folder, err)
		}
	}
	if n := unknown(); n != len(stays) {
		t.Errorf("%d letters wait, want %d", n, len(stays))
	}
	// A letter that is too long to be fetched, too, if its header says that it answers one
	// of the office.
	long := mail.Incoming{UID: 2, Size: 30 << 20, Header: []byte("From: <" + redAt + ">\r\nTo: <orders@club.example>\r\nMessage-ID: <big@x.example>\r\nIn-Reply-To: <letter.abc@berthier.club.example>\r\n\r\n")}
	if folder, err := h.office.Handle(ctx, long); err == nil || folder != mail.Leave {
		t.Errorf("too long: %s, %v", folder, err)
	}
	for i, c := range []struct {
		name, from, body string
		want             mail.Folder
	}{
		{"a stranger's words", "spam@x.example", "Buy this.\n", mail.Rejected},
		{"a call for help", gmAt, "command: help\n", mail.Processed},
		{"an administrator's list", gmAt, "key: " + h.officeKey(gmAt) + "\ncommand: list\n", mail.Processed},
		{"a new game with a wrong key", gmAt, "key: ABCD-EFGH\ncommand: new\n", mail.Rejected},
	} {
		if folder, err := offer(c.from, "t"+strconv.Itoa(i), "", c.body); err != nil || folder != c.want {
			t.Errorf("%s: %s, %v", c.name, folder, err)
		}
	}
	h.newGame(twoSides)
	for i, c := range stays {
		if folder, err := offer(c.from, "s"+strconv.Itoa(i), c.head, c.body); err != nil || folder == mail.Leave {
			t.Errorf("%s, when there is a game: %s, %v", c.name, folder, err)
		}
	}
	if n := unknown(); n != 0 {
		t.Errorf("%d letters wait when there is a game", n)
	}
}

// Every record of a database is read: one that was spoilt is named.
func TestExamineNamesWhatIsSpoilt(t *testing.T) {
	withoutRace(t)
	var record []byte
	spoil := func(change func(h *testOffice) store.Change) *Examined {
		t.Helper()
		h := newTestOffice(t)
		h.spoilt = true
		h.newGame(twoSides)
		h.play("lot-1", h.anyUnit("lot-1"))
		if err := h.store.Read(t.Context(), func(tx store.Reader) error { record = tx.Game("lot-1"); return nil }); err != nil {
			t.Fatal(err)
		}
		if change != nil {
			h.behind(change(h))
		}
		e, err := Examine(h.store, []engine.Ruleset{h.rules})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	if e := spoil(nil); len(e.Faults) > 0 || e.Games != 1 || e.Entries < 5 || e.Letters == 0 {
		t.Fatalf("of a sound one: %+v", e)
	}
	for _, c := range []struct {
		want   string
		change func(h *testOffice) store.Change
	}{
		{"game lot-1: read record", func(*testOffice) store.Change { return store.Change{Game: "lot-1", Record: []byte("{")} }},
		{"game lot-1: its record is that of lot-2", func(*testOffice) store.Change {
			return store.Change{Game: "lot-1", Record: []byte(strings.Replace(string(record), `"lot-1"`, `"lot-2"`, 1))}
		}},
		{"its position can't be read", func(*testOffice) store.Change { return store.Change{Game: "lot-1", Snapshot: []byte("x")} }},
		{"the position after entry", func(h *testOffice) store.Change {
			return store.Change{Game: "lot-1", History: []store.Position{{Seq: h.record("lot-1").Head, Data: []byte("x")}}}
		}},
		{"letter 1:", func(h *testOffice) store.Change {
			var kept store.Outgoing
			if err := h.store.Read(t.Context(), func(tx store.Reader) error { kept, _ = tx.Outgoing(1); return nil }); err != nil {
				t.Fatal(err)
			}
			return store.Change{Outgoing: []store.Outgoing{{ID: 1, Was: kept.Version(), Body: []byte("\x01x")}}}
		}},
		{"report 1 of red", func(*testOffice) store.Change {
			return store.Change{Game: "lot-1", Pages: []store.Page{{Seat: "red", N: 1, Data: []byte("x")}}}
		}},
	} {
		if e := spoil(c.change); !strings.Contains(strings.Join(e.Faults, "\n"), c.want) {
			t.Errorf("no %q in %q", c.want, e.Faults)
		}
	}
}

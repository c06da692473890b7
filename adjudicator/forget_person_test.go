package adjudicator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berthier/adjudicator/deflate"
	"berthier/adjudicator/game"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
)

// everywhere looks for a text in all that an office keeps, and names where it is: records, logs, values,
// letters of the outbox, texts of those that wait, what seats were shown, marks of letters that were taken in, files on the shelf, and addresses of games.
func (h *testOffice) everywhere(text string) (found []string) {
	h.Helper()
	look := func(where string, data []byte) {
		if bytes.Contains(bytes.ToLower(data), []byte(text)) {
			found = append(found, where)
		}
	}
	err := h.store.Read(context.Background(), func(tx store.Reader) error {
		logs := []string{rollLog, leaguePrefix + "aquila"}
		if err := tx.Games(func(id string, record []byte) error {
			logs = append(logs, id)
			look("record "+id, record)
			return nil
		}); err != nil {
			return err
		}
		for _, id := range logs {
			entries, err := entriesOf(tx, id)
			if err != nil {
				return err
			}
			for _, e := range entries {
				look("log "+id, append(bytes.Clone(e.Body), e.Private...))
			}
			if err := store.Verify(tx, id); err != nil {
				h.Error(err)
			}
		}
		for _, id := range logs {
			for _, book := range []string{"red", "blue"} {
				if err := pagesOf(tx, id, book, 0, func(n uint64, page []byte) error {
					data, err := deflate.All(page)
					look(fmt.Sprintf("page %d of %s of %s", n, book, id), data)
					return err
				}); err != nil {
					return err
				}
			}
		}
		if err := tx.Marks(func(_ [32]byte, data []byte) error { look("mark", data); return nil }); err != nil {
			return err
		}
		if strings.Contains(text, "@") && len(tx.GamesOf(text, 9)) > 0 {
			found = append(found, "games of "+text)
		}
		if err := tx.Letters(func(_ uint64, body []byte) error {
			r, err := outbox.Unpack(body)
			if err == nil && (strings.Contains(r.Address, text) || strings.Contains(r.Name, text)) {
				found = append(found, "letter")
			}
			if err == nil && r.State == "" && r.Letter != nil {
				look("text of a letter to "+r.Address, []byte(r.Letter.Subject+r.Letter.Text+r.Letter.HTML))
				for _, file := range r.Letter.Files {
					look("file of a letter to "+r.Address, file.Data)
				}
			}
			return err
		}); err != nil {
			return err
		}
		return tx.Values("", func(name string, data []byte) error { look("value "+name, append([]byte(name), data...)); return nil })
	})
	if err != nil {
		h.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(h.opt.Shelf, "*.zip"))
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			h.Fatal(err)
		}
		look("file "+path, data) // what the store had is packed in it, heads of letters are not
	}
	return found
}

// A member is forgotten: his name and addresses are nowhere any more, what has his part in the logs has
// his number, tables and ratings stay as they are, and the chains hold. What runs keeps him until he has
// left it, and nothing is changed by counting.
func TestAMemberIsForgotten(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "zenobia"}
	h := aLeague(t, aquila, names...)
	h.enter(names...)
	at, too := "zenobia@play.example", "zenobia@work.example"
	h.asMember(at, h.keyOf("zenobia"), "command: address\naddress: "+too+"\n", mail.Processed)
	h.write(too, h.backIn(h.one(h.deliver(too))), mail.Processed)
	h.asMember(at, h.keyOf("zenobia"), "command: address\naddress: "+too+"\ncancel: yes\n", mail.Processed)
	h.asMember(at, h.keyOf("zenobia"), "command: member\nname: Zenobia\n", mail.Processed)
	s, ctx := h.office.Secretary(), context.Background()
	h.refuses(s, "M-0004", "club.forget-entered")
	h.start()
	games := h.league().Divisions[0].Playing
	for _, id := range games[:5] {
		h.playOut(id)
		h.tick()
	}
	if _, err := s.Rule(ctx, "aquila", LeagueRuling{Kind: "withdraw", Of: []string{"M-0004"}}, "", true); err != nil {
		t.Fatal(err)
	}
	h.tick()
	for _, id := range games {
		if h.record(id).Phase == game.Running {
			h.refuses(s, "M-0004", "club.forget-plays")
			if err := h.office.Clerk().Close(ctx, id, "r"); err != nil {
				t.Fatal(err)
			}
			h.tick()
		}
	}
	h.deliver(at)
	before, others := standings(h.league()), h.sitePages()
	if f, err := s.Forget(ctx, at, false); err != nil || f.Entries == 0 || f.Games != 3 || f.Letters == 0 {
		t.Fatalf("%+v, %v", f, err)
	}
	if len(h.everywhere("zenobia")) == 0 {
		t.Fatal("counting has changed something")
	}
	f, err := s.Forget(ctx, at, true)
	if err != nil || f.Person != "M-0004" || f.Games != 3 {
		t.Fatalf("%+v, %v", f, err)
	}
	for range 2 {
		for _, where := range h.everywhere("zenobia") {
			t.Errorf("still in %s", where)
		}
		if err := h.office.read(rollFits); err != nil {
			t.Error(err)
		}
		h.verified("aquila")
		if now := standings(h.league()); now != before {
			t.Errorf("the table is %s, it was %s", now, before)
		}
		h.restart()
		s = h.office.Secretary()
	}
	if site := h.sitePages(); strings.ReplaceAll(others["en/season-1.html"], "Z.", "") == others["en/season-1.html"] || strings.Contains(site["en/season-1.html"], "Z.") || !strings.Contains(site["en/season-1.html"], "M-0004") {
		t.Error("the pages have his initials still")
	}
	if len(h.everywhere("ada@play.example")) < 6 {
		t.Error("somebody else is forgotten, too")
	}
	for _, who := range []string{"M-0004", at, "nobody@far.example", "M-0999"} {
		h.refuses(s, who, "club.forget-nobody")
	}
	if err := s.Admit(ctx, "aquila", []string{"M-0004"}); err == nil {
		t.Error("who is forgotten is admitted")
	}
	h.monday()
	h.silent(at)
	h.write(at, joining, mail.Processed) // he may come back, as somebody else
	h.write(at, h.backIn(h.one(h.deliver(at))), mail.Processed)
	if got := h.members(); !strings.Contains(got, "M-0005 "+at) || !strings.Contains(got, "M-0004 ;") {
		t.Errorf("members %s", got)
	}
}

// refuses expects that somebody can't be forgotten, and that nothing is changed by trying.
func (h *testOffice) refuses(s *Secretary, who, code string) {
	h.Helper()
	_, err := s.Forget(context.Background(), who, true)
	var refused *game.RefusedError
	if !errors.As(err, &refused) || refused.Why.Code != code {
		h.Errorf("%s: %v, want %s", who, err, code)
	}
}

// A player who is no member is forgotten by his address. Another player, whose address is the same
// with more in front, is not forgotten with him.
func TestAPlayerIsForgotten(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "Blue@play.example", "dark.red@play.example", 1))
	ctx := context.Background()
	s := h.office.Secretary()
	h.refuses(s, "red@play.example", "club.forget-plays")
	h.playOut("lot-1")
	verdict := func(side engine.Side) string {
		v := h.verify(h.export("lot-1", side))
		return fmt.Sprint(v.Verdict(), v.Sound(), v.Stops())
	}
	before := map[engine.Side]string{engine.GM: verdict(engine.GM), "blue": verdict("blue"), "red": verdict("red")}
	f, err := s.Forget(ctx, "Red@Play.example", true)
	if err != nil || f.Games != 1 || !strings.HasPrefix(f.Person, "forgotten-") {
		t.Fatalf("%+v, %v", f, err)
	}
	g := h.record("lot-1")
	if strings.Contains(g.Seats[0].Person.Address+g.Seats[0].Person.Name, "red@") || g.Seats[1].Person.Address != "dark.red@play.example" {
		t.Errorf("%+v and %+v", g.Seats[0].Person, g.Seats[1].Person)
	}
	h.refuses(s, "red@play.example", "club.forget-nobody")
	for side, was := range before { // what each may export is verified as before
		if now := verdict(side); now != was || !strings.Contains(now, "true") {
			t.Errorf("%s: %s, it was %s", side, now, was)
		}
	}
}

// What can't be read keeps nobody from being forgotten everywhere else: it is named, unless it is lost for good.
func TestForgettingGoesOnPastWhatCannotBeRead(t *testing.T) {
	withoutRace(t)
	for what, spoil := range map[string]func(h *testOffice, file string) string{ // how what is named begins; "": nothing is
		"a letter": func(h *testOffice, _ string) string {
			id, err := h.store.Reserve(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			h.behind(store.Change{Outgoing: []store.Outgoing{{ID: id, Body: []byte{99, 1, 2}}}})
			return fmt.Sprintf("letter %d: ", id)
		},
		"a record": func(h *testOffice, _ string) string {
			h.behind(store.Change{Game: "lot-9", Record: []byte("{")})
			return "record of lot-9: "
		},
		"a file that is lost": func(_ *testOffice, file string) string { must(t, os.Remove(file)); return "" },
		"a file that is damaged": func(_ *testOffice, file string) string {
			must(t, os.Truncate(file, 99))
			return "what was put away of lot-1: "
		},
	} {
		t.Run(what, func(t *testing.T) {
			h := finished(t, func(h *testOffice) { h.spoilt = true })
			h.newGame(strings.Replace(bundledGame, "lot-1", "lot-2", 1))
			h.playOut("lot-2")
			h.flush()
			h.after(14)
			a, _ := h.where()
			named := spoil(h, filepath.Join(h.opt.Shelf, a.File))
			f, err := h.office.Secretary().Forget(t.Context(), redAt, true)
			if err != nil || f.Games != 2 || f.Letters < 20 {
				t.Fatalf("%+v, %v", f, err)
			}
			if named == "" && len(f.Missed) > 0 || named != "" && (len(f.Missed) != 1 || !strings.HasPrefix(f.Missed[0], named)) {
				t.Errorf("named is %q, want %q", f.Missed, named)
			}
			for _, id := range []string{"lot-1", "lot-2"} {
				if g := h.record(id); strings.Contains(g.Seats[0].Person.Address+g.Seats[1].Person.Address, redAt) {
					t.Errorf("%s has him still", id)
				}
			}
		})
	}
}

// Who is forgotten is taken out of letters to others that wait, and of values that are no JSON; and whoever asks is told which logs name him
// in what their chains cover.
func TestForgottenInWhatIsNotHis(t *testing.T) {
	withoutRace(t)
	h := newTestOffice(t, func(h *testOffice) { h.spoilt = true })
	h.newGame(twoSides)
	h.playOut("lot-1")
	h.flush()
	h.deliver(gmAt)
	h.write(gmAt, h.gm("command: show"), mail.Processed)
	var end chain.Link
	h.must("", h.store.Read(t.Context(), func(tx store.Reader) error { end = tx.Last("lot-1"); return nil }))
	body := []byte(`{"kind":"lost","at":"2026-03-02T09:00:00Z","seat":"red","by":"office","data":{"error":"550 5.1.1 \u003cRed@play.example\u003e: no such user"}}`)
	h.behind(store.Change{Game: "lot-1", Entries: []chain.Entry{chain.Follow(end, chain.Salt{}, body, nil)},
		Values: map[string]store.Value{"note 1": {Data: []byte("write to red@play.example")}, "note 2": {Data: []byte(`"a" and red@play.example`)}}})
	waiting := func() (found []string) {
		for _, where := range h.everywhere(redAt) {
			if strings.HasPrefix(where, "text of a letter to "+gmAt) || strings.HasPrefix(where, "value note") {
				found = append(found, where)
			}
		}
		return found
	}
	if len(waiting()) < 3 {
		t.Fatalf("he is in %q alone", h.everywhere(redAt))
	}
	f, err := h.office.Secretary().Forget(t.Context(), redAt, true)
	if err != nil || f.Others == 0 || len(f.Bodies) != 1 || f.Bodies[0] != "lot-1" {
		t.Fatalf("%+v, %v", f, err)
	}
	if left := h.everywhere(redAt); len(left) != 1 || left[0] != "log lot-1" {
		t.Errorf("he is in %q still", left)
	}
	for _, l := range h.deliver(gmAt) {
		if strings.Contains(wordsOf(l), redAt) || strings.Contains(wordsOf(l), "Rosa") && strings.Contains(wordsOf(l), "@forgotten.invalid") {
			t.Errorf("the game master reads\n%s", wordsOf(l))
		}
	}
}

// must demands that what a test does for itself can be done.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

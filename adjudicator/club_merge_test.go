package adjudicator

import (
	"context"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/season"
	"berthier/mail"
)

// sixPlaces is the league with room for more.
var sixPlaces = strings.Replace(aquila, "size: 4", "size: 6", 1)

// merges has the office note that one member is another one, as the command line does: shown first, then confirmed.
func (h *testOffice) merges(gone, into string) *MergeShown {
	h.Helper()
	s := h.office.Secretary()
	shown, err := s.Merge(context.Background(), strings.ToLower(gone), into, "", false)
	if err != nil || shown.Done || shown.Code == "" {
		h.Fatalf("%+v, %v", shown, err)
	}
	if m, _ := s.ShowMember(gone); m == nil || len(m.Addresses) == 0 {
		h.Fatalf("a preview merges: %+v", m)
	}
	_, err = s.Merge(context.Background(), into, gone, shown.Code, false)
	h.refusedAs("club.merge.stale", err)
	if done, err := s.Merge(context.Background(), gone, into, shown.Code, false); err != nil || !done.Done {
		h.Fatalf("%+v, %v", done, err)
	}
	return shown
}

// A member who plays under two names is one from then on: the entry under the id that goes counts for nobody and its games are
// closed, the other stays; the addresses of both are his with the key that stays; ratings are worked out as if
// he had always been one; and all of it happens once, wherever the office dies.
func TestTwoMembersAreOne(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora", "ada2"}
	h := aLeague(t, sixPlaces, names...)
	h.enter(names...)
	h.start()
	own, old := h.keyOf("ada"), h.keyOf("ada2")
	first := h.gameOf("ada2@play.example")
	h.playOut(first)
	h.tick()
	for _, wrong := range [][3]string{{"M-0005", "M-0005", "club.merge.same"}, {"M-0005", "M-0099", "club.no-such-member"}} {
		_, err := h.office.Secretary().Merge(context.Background(), wrong[0], wrong[1], "", true)
		h.refusedAs(wrong[2], err)
	}
	for _, name := range names {
		h.deliver(name + "@play.example")
	}
	shown := h.merges("M-0005", "M-0001")
	if len(shown.Changes["aquila"]) == 0 {
		t.Errorf("the preview: %+v", shown)
	}
	h.restart() // the leagues have not heard of it yet
	h.tick()
	v := h.seasonNow()
	for _, d := range v.Divisions {
		for _, p := range d.Pairings {
			for _, g := range p.Games {
				both, kind := slices.Contains(g.Entries, "M-0005"), v.Value(&g).Kind
				if both && kind != "annulled" && kind != "cancelled" || both && h.record(g.ID).Phase == game.Running || !both && kind != "open" {
					t.Errorf("%s of %v is %s", g.ID, g.Entries, kind)
				}
			}
		}
	}
	for _, at := range []string{"ada@play.example", "ada2@play.example"} {
		told := ""
		for _, l := range h.deliver(at) {
			told += wordsOf(l)
		}
		if !strings.Contains(told, "From now on you are M-0001") || strings.Contains(told, strings.TrimPrefix(own, "key: ")) {
			t.Errorf("%s is told: %s", at, told)
		}
	}
	h.asMember("ada2@play.example", old, "command: schedule\nleague: aquila\n", mail.Rejected)
	h.asMember("ada2@play.example", own, "command: schedule\nleague: aquila\n", mail.Processed)
	h.says(h.last("ada2@play.example"), "bea (M-0002)")
	if m, err := h.office.Secretary().ShowMember("ada2@play.example"); err != nil || m.ID != "M-0001" || len(m.Addresses) != 2 {
		t.Errorf("%+v, %v", m, err)
	}
	for _, wrong := range [][2]string{{"M-0005", "M-0001"}, {"M-0002", "M-0005"}} {
		_, err := h.office.Secretary().Merge(context.Background(), wrong[0], wrong[1], "", true)
		h.refusedAs("club.merge.gone", err)
	}
	if err := h.office.Secretary().Admit(context.Background(), "aquila", []string{"M-0005"}); err == nil {
		t.Error("an id that is gone enters")
	}
	if n := h.leagueKinds()["book.Merged"]; n != 1 {
		t.Errorf("%d entries of the league say so", n)
	}
	h.verified("aquila")
	h.ended()
	all, named, err := h.office.Secretary().Ratings("aquila")
	if err != nil || len(all) != 1 || len(all[0].Members) != 4 || named["M-0005"] != "" {
		t.Errorf("ratings %+v, %v, %v", all, named, err)
	}
	if done, err := h.office.Secretary().Forget(context.Background(), "M-0005", false); err != nil || done.Person != "M-0001" {
		t.Errorf("to be forgotten: %+v, %v", done, err)
	}
}

// If only the other one has entered, the entry is his who stays, with its games, results and substitutes; and an umpire who turns
// out to play in a game has it no more.
func TestOnlyTheOtherOneHasEntered(t *testing.T) {
	names := []string{"ada2", "bea", "cara", "dora", "ada"}
	text := strings.Replace(aquila, "of: [gm@club.example", "of: [ada@play.example", 1)
	h := aLeague(t, text, names...)
	h.enter(names[:4]...)
	h.start()
	games := h.league().Divisions[0].Playing
	hers := ""
	for _, id := range games {
		if slices.Equal(h.umpiresOf(id), []string{"ada@play.example"}) && slices.Contains(h.seasonNow().Game(id).Entries, "M-0001") {
			hers = id
		}
	}
	if hers == "" {
		t.Fatal("ada rules on no game of ada2")
	}
	h.playOut(h.gameOf("ada2@play.example"))
	h.tick()
	before := standings(h.league())
	h.merges("M-0001", "M-0005")
	h.tick()
	h.tick()
	if now := standings(h.league()); now != strings.ReplaceAll(before, "M-0001", "M-0005") {
		t.Errorf("before %s\nnow    %s", before, now)
	}
	if got := h.umpiresOf(hers); !slices.Equal(got, []string{"other@club.example"}) {
		t.Errorf("%s has the umpires %v", hers, got)
	}
	h.asMember("ada@play.example", h.keyOf("ada"), "command: schedule\nleague: aquila\n", mail.Processed)
	h.says(h.last("ada@play.example"), "bea (M-0002)", "being played")
	for _, id := range games {
		for h.record(id).Phase == game.Running {
			h.playStop(id)
		}
	}
	h.tick()
	if v := h.league(); v.Phase != season.Settling {
		t.Errorf("after all games %s", v.Phase)
	}
	h.verified("aquila")
}

// While lots are about to be drawn over the list of entries the list stays as it is: the league notes it once they are.
func TestAMergeBeforeTheDraw(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora", "ada2"}
	h := aLeague(t, sixPlaces, names...)
	h.enter(names...)
	s := h.office.Secretary()
	h.must(s.CloseEntries(context.Background(), "aquila"))
	list := h.league().List
	if shown := h.merges("M-0005", "M-0001"); !slices.Equal(shown.Later, []string{"aquila"}) {
		t.Errorf("%+v", shown)
	}
	h.tick()
	if n := h.leagueKinds()["book.Merged"]; n != 0 || h.league().List != list {
		t.Fatal("the list has changed")
	}
	h.must("", s.Start(context.Background(), "aquila"))
	h.tick()
	h.tick()
	if n := h.leagueKinds()["book.Merged"]; n != 1 || !slices.Contains(h.league().Withdrawn, "M-0005") {
		t.Errorf("%v: %v", h.leagueKinds(), h.league().Withdrawn)
	}
	h.verified("aquila")
}

// A secretary decides so by letter for two who have entered his league, never about himself or who plays in his division.
func TestASecretaryMergesByLetter(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora", "ada2"}
	h := aLeague(t, strings.Replace(sixPlaces, "[secretary@club.example]", "[sam@play.example, bea@play.example]", 1), append(names, "sam", "finn")...)
	h.enter(names...)
	h.start()
	merge := func(who string, members string) string {
		h.Helper()
		h.deliver(who + "@play.example")
		h.asMember(who+"@play.example", h.keyOf(who), "command: secretary\nleague: aquila\nact: merge\nreason: r\nmembers: ["+members+"]\n", mail.Rejected)
		return wordsOf(h.last(who + "@play.example"))
	}
	log := h.league().Log
	for members, want := range map[string]string{"M-0005, M-0002": "can't decide", "M-0002, M-0005": "can't decide", "M-0005, M-0001": "plays in division"} {
		if got := merge("bea", members); !strings.Contains(got, want) {
			t.Errorf("%s: %s", members, got)
		}
	}
	for members, want := range map[string]string{"M-0005": "name two", "M-0005, M-0001, M-0002": "name two", "M-0005, M-0007": "has not entered", "M-0005, M-0099": "no member"} {
		if got := strings.ToLower(merge("sam", members)); !strings.Contains(got, want) {
			t.Errorf("%s: %s", members, got)
		}
	}
	if h.league().Log != log {
		t.Fatal("something has happened")
	}
	h.deliver("sam@play.example")
	h.says(h.secretary("sam", "act: merge\nmembers: [m-0005, M-0001]\nreason: one mailbox\n"), "M-0005", "M-0001")
	h.restart() // the roll has not heard of it yet
	h.tick()
	h.tick()
	if m, err := h.office.Secretary().ShowMember("ada2@play.example"); err != nil || m.ID != "M-0001" {
		t.Fatalf("%+v, %v", m, err)
	}
	if n := h.leagueKinds()["book.Merged"]; n != 1 || !slices.Contains(h.league().Withdrawn, "M-0005") {
		t.Errorf("%v: %v", h.leagueKinds(), h.league().Withdrawn)
	}
	h.verified("aquila")
}

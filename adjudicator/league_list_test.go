package adjudicator

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/game"
	"berthier/mail"
)

// A list of people is taken into a season: who is no member becomes one, who has entered stays as he is, and all others enter. It is
// shown first, and nothing of it happens then; the code holds for this list alone, as the league stood. What is wrong with the list, or
// with the time, makes nobody a member. A death between the two steps leaves members who enter when the list is given again.
func TestAListIsTakenIntoASeason(t *testing.T) {
	h := aLeague(t, aquila, "ada", "bea")
	h.enter("ada")
	s := h.office.Secretary()
	list := listOf([]string{"ada", "bea", "cara", "dora"})
	admit := func(list, code string, sure bool) (*LeagueRuled, error) {
		return s.AdmitList(t.Context(), "aquila", list, LeagueRuling{}, code, sure)
	}
	entered := func() string { return strings.Join(h.league().Entries, " ") }
	members := func() int {
		all, err := s.Members()
		h.must("", err)
		return len(all)
	}
	shown, err := admit(list, "", false)
	if err != nil || shown.Done || !slices.Equal(shown.Fresh, []string{"cara", "dora"}) || len(shown.Step.Entered) != 4 || entered() != "M-0001" || members() != 2 {
		t.Fatalf("%+v, %v; %d members, entered %s", shown, err, members(), entered())
	}
	for what, try := range map[string][2]string{"another list": {listOf([]string{"ada", "eva"}), shown.Code}, "another code": {list, "AAAA-AAAA"}, "a faulty list": {list + "- {name: X, address: nonsense}\n", shown.Code}} {
		if done, err := admit(try[0], try[1], false); err == nil || done != nil || members() != 2 {
			t.Errorf("%s: %+v, %v; %d members", what, done, err, members())
		}
	}
	h.asMember("bea@play.example", h.keyOf("bea"), "command: enter\nleague: aquila\n", mail.Processed)
	if _, err := admit(list, shown.Code, false); err == nil {
		t.Error("the code holds though somebody has entered meanwhile")
	}
	shown, err = admit(list, "", false)
	h.must("", err)
	if done, err := admit(list, shown.Code, false); err != nil || !done.Done || entered() != "M-0001 M-0002 M-0003 M-0004" {
		t.Fatalf("%+v, %v: %s", done, err, entered())
	}
	if len(h.deliver("cara@play.example")) == 0 {
		t.Error("cara is not told")
	}
	people, problems := s.ReadMembers(listOf([]string{"eva"}))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	_, err = s.AddMembers(t.Context(), people) // and then the office died
	h.must("", err)
	if _, err := admit(listOf([]string{"eva", "fay"}), "", true); err != nil || entered() != "M-0001 M-0002 M-0003 M-0004 M-0005 M-0006" {
		t.Fatalf("%v: %s", err, entered())
	}
	h.start()
	for len(h.seasonNow().Undecided()) > 0 {
		for _, id := range h.seasonNow().Undecided() {
			h.decides(id, h.seasonNow().Game(id).Entries[0])
		}
		h.tick()
	}
	before := members()
	_, err = admit(listOf([]string{"gia"}), "", true)
	var refused *game.RefusedError
	if !errors.As(err, &refused) || members() != before {
		t.Errorf("taken into a season that is over: %v, %d members", err, members())
	}
}

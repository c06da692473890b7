package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/league"
	"berthier/adjudicator/league/book"
	"berthier/mail"
	"berthier/orders"
)

// A secretary changes the set-up of a league by letter: what changes no result counts at once, the rest from the next season
// on; all is shown first, everybody is told, and it counts with the code alone. Who plays changes nothing that counts at once.
func TestTheSetUpOfALeagueChanges(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora"}
	text := strings.Replace(aquila, "[secretary@club.example]", "[sam@play.example, ada@play.example]", 1)
	h := aLeague(t, text, append(names, "sam")...)
	h.asMember("bea@play.example", h.keyOf("bea"), "command: enter\nleague: aquila\ndeadlines: steady\n", mail.Processed)
	h.enter("ada", "cara", "dora")
	h.start()
	sam, at := "sam@play.example", "command: secretary\nleague: aquila\nact: change\nreason: r\n"
	log, games := h.league().Log, len(h.league().Divisions[0].Playing)
	for want, setup := range map[string]string{
		"under setup":       "",
		"says already":      "setup:\n  title: Aquila\n",
		"no key":            "setup:\n  colour: red\n",
		"set-up of boreas":  "setup:\n  league: boreas\n",
		"has chosen":        "setup:\n  deadlines: {brisk: 2d}\n",
		"is not a day":      "setup:\n  seasons: {start: soon, enter-until: 2026-03-05}\n",
		"win must be worth": "setup:\n  points: {win: 0}\n",
	} {
		h.deliver(sam)
		h.asMember(sam, h.keyOf("sam"), at+setup, mail.Rejected)
		if got := h.last(sam); want != "no key" {
			h.says(got, want)
		}
	}
	// Faults of a letter are told at its own lines, all of them.
	h.asMember(sam, h.keyOf("sam"), at+"setup:\n  points: {win: x}\n  moves: {up: 9}\n", mail.Rejected)
	h.says(h.last(sam), "can't be counted", "would move up and down")
	if h.league().Log != log {
		t.Fatal("a bad set-up changes something")
	}
	for _, name := range append(slices.Clone(names), "sam") {
		h.deliver(name + "@play.example")
	}
	wish := at + "setup:\n  points: {win: 3, draw: 1}\n  umpires: {of: [third@club.example, gm@club.example]}\n  deadlines: {brisk: 1d, steady: 4d}\n"
	h.asMember("ada@play.example", h.keyOf("ada"), wish, mail.Rejected)
	h.says(h.last("ada@play.example"), "takes part in this season")
	h.asMember("bea@play.example", h.keyOf("bea"), wish, mail.Rejected)
	h.asMember(sam, h.keyOf("sam"), wish, mail.Processed)
	shown := h.last(sam)
	h.says(shown, "Nothing has changed yet", "From now on the rota of umpires", "From now on the list of deadlines is another: {brisk: 1d, steady: 4d}", "From the next season on the value of results (points) is another: {win: 3, draw: 1}")
	if h.league().Log != log || len(h.deliver("cara@play.example")) > 0 {
		t.Fatal("a preview changes something, or tells somebody")
	}
	confirm := h.backIn(shown)
	h.asMember(sam, h.keyOf("sam"), strings.Replace(confirm, "win: 3", "win: 4", 1), mail.Processed)
	h.says(h.last(sam), "Nothing has changed yet")
	h.asMember(sam, h.keyOf("sam"), confirm, mail.Processed)
	for _, who := range []string{"cara@play.example", "third@club.example", "other@club.example"} {
		h.says(h.last(who), "has changed the set-up", "From the next season on the value of results")
	}
	s := h.setupNow()
	if s.Points.Win != 24 || !slices.Equal(s.Umpires.Of, []string{"third@club.example", "gm@club.example"}) || len(h.league().Divisions[0].Playing) != games {
		t.Fatalf("%+v", s)
	}
	if got := h.league().Later; !slices.Equal(got, []string{"points"}) {
		t.Errorf("shown to count from the next season on: %v", got)
	}
	// Ada alone may change what counts from the next season on.
	h.secretary("ada", "act: change\nreason: r\nsetup:\n  absence: 20d\n")
	h.restart()
	h.verified("aquila")
	h.ended()
	if got := h.league().Later; len(got) > 0 {
		t.Errorf("still shown to count later: %v", got)
	}
	if s = h.setupNow(); s.Points.Win != 36 || s.Absence != 20*24*time.Hour || len(s.Umpires.Of) != 2 {
		t.Errorf("in the next season %+v", s)
	}
	if plan := h.seasonNow().Plan.Divisions[0].Table.Points; plan.Win != 36 {
		t.Errorf("the next season counts %+v", plan)
	}
}

// bookNow is a copy of what the book of the league says of its set-up.
func (h *testOffice) bookNow() (b book.Book) {
	h.Helper()
	if err := (leagues{h.office}).look("aquila", func(o *openBook) error { b = *o.Book; return nil }); err != nil {
		h.Fatal(err)
	}
	return b
}

// setupNow is the set-up of the league that is in force.
func (h *testOffice) setupNow() (s *league.Setup) {
	h.Helper()
	l := leagues{h.office}
	if err := l.look("aquila", func(b *openBook) (err error) { s, err = l.setupOf(b); return err }); err != nil {
		h.Fatal(err)
	}
	return s
}

// On the command line the whole file is given. Its games change from the next season on; before the first season all of it counts
// at once; what does not go together with the games of the season is refused; and it can be taken back.
func TestAWholeSetUp(t *testing.T) {
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, aquila, names...)
	s := h.office.Secretary()
	change := func(text string, files map[string]string, sure bool) (*LeagueRuled, error) {
		return s.Rule(context.Background(), "aquila", LeagueRuling{Kind: "change", Text: text, Files: files, Reason: "r"}, "", sure)
	}
	longer := map[string]string{"lots.yaml": "options: {rounds: 3}\n", "unused.yaml": "x"}
	shown, err := change(strings.Replace(aquila, "Aquila", "Aquila Nova", 1), longer, false)
	if err != nil || shown.Done || !slices.Equal(shown.Now, []string{"title"}) || !slices.Equal(shown.Later, []string{"divisions"}) {
		t.Fatalf("%+v, %v", shown, err)
	}
	if _, err := s.Rule(context.Background(), "aquila", LeagueRuling{Kind: "change", Text: aquila, Files: longer, Reason: "r"}, shown.Code, false); err == nil {
		t.Error("the code of one set-up lets another one count")
	}
	_, err = change(strings.Replace(aquila, "league: aquila", "league: boreas", 1), lotsFiles, true)
	h.refusedAs("league.change.other", err)
	_, err = change(aquila, lotsFiles, true)
	h.refusedAs("league.change.nothing", err)
	var problems orders.Problems
	if _, err = change("league: aquila\nsecretaries: nobody\ndivisions: []\n", nil, true); !errors.As(err, &problems) || len(problems) < 4 {
		t.Errorf("%v", err)
	}
	if _, err := change(strings.Replace(aquila, "Aquila", "Aquila Nova", 1), longer, true); err != nil {
		t.Fatal(err)
	}
	if b := h.bookNow(); b.Title != "Aquila Nova" || b.Files["lots.yaml"] != lotsFiles["lots.yaml"] || b.Later == nil || b.Later.Files["lots.yaml"] != longer["lots.yaml"] || b.Later.Files["unused.yaml"] != "" {
		t.Fatalf("%+v", b)
	}
	back, err := change(strings.Replace(aquila, "Aquila", "Aquila Nova", 1), lotsFiles, true)
	if err != nil || len(back.Now)+len(back.Later) > 0 || h.bookNow().Later != nil {
		t.Errorf("taken back: %+v, %v", back, err)
	}
	h.verified("aquila")
	// A log in which more than may counts at once is found out.
	err = (leagues{h.office}).look("aquila", func(b *openBook) error {
		if amendedAs(b.Book, book.Changed{Now: book.SetUp{Text: strings.Replace(b.Text, "size: 4", "size: 8", 1), Files: b.Files}}) ||
			amendedAs(b.Book, book.Changed{Now: book.SetUp{Text: b.Text, Files: longer}}) || !amendedAs(b.Book, book.Changed{Now: book.SetUp{Text: b.Text + "\n", Files: b.Files}}) {
			return fmt.Errorf("a set-up that changes the season is taken for one that does not")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

package report

import (
	"encoding/json"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/past"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/orders/phrase"
	"berthier/templates"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// nothing is committed of a game that was made up.
type nothing struct{}

func (nothing) EntryAt(uint64) (chain.Entry, error)            { return chain.Entry{}, os.ErrNotExist }
func (nothing) AnswerOf(engine.Side) ([]byte, error)           { return nil, os.ErrNotExist }
func (nothing) EntriesFrom(uint64) ([]chain.Entry, error)      { return nil, nil }
func (nothing) CheckpointAt(uint64) ([]byte, error)            { return nil, nil }
func (nothing) PagesOf(engine.Side) ([]past.Page, error)       { return nil, nil }
func (nothing) PageOf(engine.Side, uint64) (*past.Page, error) { return nil, nil }
func (nothing) Seat(_ *game.State, s *game.Seat) string {
	return "KEY-OF-" + strings.ToUpper(string(s.Side))
}
func (nothing) Master(*game.State, log.Person) string { return "KEY-OF-GM" }
func (nothing) GM(*game.State) string                 { return "KEY-OF-GM" }

// madeUp is an office that is made up: it has words, and keys that anybody could guess.
func madeUp(t *testing.T) *Office {
	t.Helper()
	words, err := templates.New(map[string]fs.FS{"lots": enginetest.New().Words()})
	if err != nil {
		t.Fatal(err)
	}
	return &Office{Words: words, Keys: nothing{}, From: "games@club.example", Logger: slog.New(slog.DiscardHandler),
		Calendar: func(game string, side engine.Side, _ int) string { return game + " " + string(side) },
		MayTry:   func(string, time.Time, int) bool { return true }}
}

// begun is a turn in which a game of lots has just begun.
func begun(t *testing.T) *game.Turn {
	t.Helper()
	rules := enginetest.New()
	position, err := rules.New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	g := &game.State{ID: "lot-1", Title: "Lots", System: "lots", Phase: game.Running, Created: noon, Seed: make([]byte, 32), Scheme: log.Scheme,
		GM:     log.Person{Name: "Gino", Address: "gm@club.example", Language: "en"},
		Timing: timing.Timing{Usual: timing.Rule{Usual: 24 * time.Hour, Early: true}}}
	for i, side := range position.Sides() {
		g.Seats = append(g.Seats, &game.Seat{Side: side, Person: log.Person{Address: string(side) + "@play.example", Language: []string{"en", "it"}[i%2], Zone: "UTC"}})
	}
	turn, err := game.Step(&game.Loaded{Game: g, Rules: rules, Position: position, Views: map[engine.Side]engine.View{}},
		game.Around{Now: noon, ReadUpTo: noon, Past: nothing{}, Draw: func(b []byte) error { clear(b); return nil }}, game.Begun{})
	if err != nil {
		t.Fatal(err)
	}
	return turn
}

// letters are those that a turn leads to.
func letters(t *testing.T, turn *game.Turn) []Letter {
	t.Helper()
	w := madeUp(t).Of(turn, past.Of(turn, nothing{}))
	var all []Letter
	for _, e := range turn.Effects {
		told, ok := e.(game.Told)
		if !ok {
			continue
		}
		some, err := w.Tell(told)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	return all
}

// TestALetterIsWrittenOfAMadeUpGame writes the first reports without an office: each goes to
// its own player, in his language, with his key and with nobody else's.
func TestALetterIsWrittenOfAMadeUpGame(t *testing.T) {
	turn := begun(t)
	before, err := json.Marshal(turn.Game)
	if err != nil {
		t.Fatal(err)
	}
	reports := map[engine.Side]Letter{}
	for _, l := range letters(t, turn) {
		if l.Kind == "report" {
			reports[l.To] = l
		}
	}
	if after, err := json.Marshal(turn.Game); err != nil || string(after) != string(before) {
		t.Errorf("writing letters has changed the game:\n%s\n%s", before, after)
	}
	if len(reports) != 2 {
		t.Fatalf("%d reports, want 2", len(reports))
	}
	for _, side := range turn.Position.Sides() {
		l, s := reports[side], turn.Game.Seat(side)
		if l.Person.Address != s.Person.Address || l.Text.Subject == "" {
			t.Errorf("the report of %s goes to %q, about %q", side, l.Person.Address, l.Text.Subject)
		}
		if l.Report == nil || l.Report.Number != 1 || l.Report.PageNo != 1 || l.Report.Book != s.BookOf() || len(l.Report.Page.Page.Sections) == 0 ||
			!l.Report.Page.At.Equal(noon) || l.Report.Page.SeatStop != 1 {
			t.Errorf("of the report of %s is kept %+v", side, l.Report)
		}
		for _, other := range turn.Position.Sides() {
			if has := strings.Contains(l.Text.Text+l.Text.HTML, "KEY-OF-"+strings.ToUpper(string(other))); has != (other == side) {
				t.Errorf("the report of %s has the key of %s: %v", side, other, has)
			}
		}
		if strings.Contains(l.Text.Text, "KEY-OF-GM") {
			t.Errorf("the report of %s has the game master's key", side)
		}
		if italian := strings.Contains(l.Text.Text, "Come rispondere"); italian != (s.Person.Language == "it") {
			t.Errorf("the report of %s, who reads %s:\n%s", side, s.Person.Language, l.Text.Text)
		}
	}
}

// TestALetterTellsOfTheGameAsItStoodThen resolves nothing and changes all after something
// was told: the letter says what was so when it was told.
func TestALetterTellsOfTheGameAsItStoodThen(t *testing.T) {
	turn := begun(t)
	turn.Effects = nil
	red := turn.Game.Seat("red")
	turn.TellOwing(red, "", phrase.Say("office.status.subject"), true, phrase.Say("office.status.paused"))
	owed, title := red.Owes.Stop, turn.Game.Title
	red.Owes, turn.Game.Title, red.Person.Address = nil, "Changed", "thief@evil.example"
	red.Failures = game.MostBounces
	all := letters(t, turn)
	if len(all) != 1 {
		t.Fatalf("%d letters", len(all))
	}
	l := all[0]
	if owed != 1 || !strings.Contains(l.Text.Text, "KEY-OF-RED") || !strings.Contains(l.Text.Text, title+" · lot-1") || strings.Contains(l.Text.Text, "Changed") {
		t.Errorf("the letter is %q:\n%s", l.Text.Subject, l.Text.Text)
	}
	if l.Person.Address != "red@play.example" || l.Dead {
		t.Errorf("it goes to %q, dead: %v", l.Person.Address, l.Dead)
	}
	now := madeUp(t).Of(turn, past.Of(turn, nothing{})).ToSeat(red, "notice", l.Text)
	if !now.Dead || now.Person.Address != "thief@evil.example" {
		t.Errorf("a letter of now goes to %q, dead: %v", now.Person.Address, now.Dead)
	}
}

// TestLettersAreForWhomTheyAreAndWhen looks at what of a letter is no words: whose it is, what it
// answers, when it goes.
func TestLettersAreForWhomTheyAreAndWhen(t *testing.T) {
	turn := begun(t)
	turn.Effects = nil
	turn.Game.Epoch = 3
	warden := log.Person{Name: "Ada", Address: "ada@club.example", Language: "it"}
	re := &game.Reference{MessageID: "<a@b>", References: []string{"<c@d>"}}
	turn.TellWarden(warden, phrase.Say("office.show.subject"), game.Moment(noon))
	turn.Tell(engine.Public, warden, game.Onlooking{Delay: time.Hour, Side: engine.Public, Subject: phrase.Say("office.observe.subject")})
	turn.Tell("blue", turn.Game.Seat("blue").Person, game.Notice{Kind: "press", Re: re, Subject: phrase.Say("office.show.subject")})
	turn.Tell("blue", turn.Game.Seat("blue").Person, game.Judged{Last: game.Verdict{At: noon, Kind: log.KindRefused, Faults: 1, MessageID: "<x@y>"}, Open: true})
	all := letters(t, turn)
	if len(all) != 4 {
		t.Fatalf("%d letters", len(all))
	}
	gm, observer, press, judged := all[0], all[1], all[2], all[3]
	if gm.To != engine.GM || gm.Epoch != 3 || gm.Person.Address != warden.Address || gm.Kind != "notice" || gm.Delay != 0 {
		t.Errorf("to the warden: %+v", gm)
	}
	if !strings.Contains(gm.Text.Text, "2 marzo 2026") {
		t.Errorf("the warden reads a moment as\n%s", gm.Text.Text)
	}
	if observer.To != engine.Public || observer.Delay != time.Hour || observer.Kind != "observer" || observer.Text.Foot != nil && observer.Text.Foot.Hash != "" {
		t.Errorf("to the observer: %+v", observer)
	}
	if press.To != "blue" || press.Kind != "press" || press.Re != re {
		t.Errorf("to blue: %+v", press)
	}
	if !judged.Verdicts || judged.Kind != "refused" || judged.Re == nil || judged.Re.MessageID != "<x@y>" {
		t.Errorf("what came of blue's file: %+v", judged)
	}
}

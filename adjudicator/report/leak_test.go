package report

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/past"
	"berthier/engine"
	"berthier/orders/phrase"
)

// shelf is what is committed of a game that was made up.
type shelf struct {
	nothing
	entries []chain.Entry
	pages   map[engine.Side][]past.Page
	broken  error
}

func (s *shelf) EntriesFrom(seq uint64) ([]chain.Entry, error) {
	return slices.DeleteFunc(slices.Clone(s.entries), func(e chain.Entry) bool { return e.Seq < seq }), s.broken
}
func (s *shelf) PagesOf(book engine.Side) ([]past.Page, error) { return s.pages[book], s.broken }
func (s *shelf) PageOf(book engine.Side, n uint64) (*past.Page, error) {
	if n == 0 || n > uint64(len(s.pages[book])) {
		return nil, s.broken
	}
	return &s.pages[book][n-1], s.broken
}

func (s *shelf) EntryAt(seq uint64) (chain.Entry, error) {
	for _, e := range s.entries {
		if e.Seq == seq {
			return e, s.broken
		}
	}
	return chain.Entry{}, errors.New("there is none")
}

// TestALetterTellsNothingOfTheOtherSide changes all that the office knows of blue: red's letters
// stay the same to the byte. So whoever compares his letters learns nothing.
func TestALetterTellsNothingOfTheOtherSide(t *testing.T) {
	written := func(change func(*game.Turn)) []byte {
		t.Helper()
		turn := begun(t)
		turn.Effects = nil
		if change != nil {
			change(turn)
		}
		red := turn.Game.Seat("red")
		w := madeUp(t).Of(turn, past.Of(turn, nothing{}))
		status := w.Words.Notice(w.Status(red))
		reported := kept(w, red, turn.View("red").Page(), w.Report(red, nil))
		all, err := w.History(red, nil)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal([]any{status, reported, w.Words.Notice(all[0])})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	plain := written(nil)
	for what, change := range map[string]func(*game.Turn){
		"an answer": func(t *game.Turn) {
			t.Game.Seat("blue").Owes.Answer = &game.InForce{Number: 3, Print: "secret", Final: true}
		},
		"what was told": func(t *game.Turn) {
			t.Game.Seat("blue").Told = []game.News{{Say: phrase.Say("office.exchanged", game.SideName("blue")), Number: 9}}
		},
		"entries of the log": func(t *game.Turn) {
			for range 5 {
				if err := t.Log(log.Entry{Kind: log.KindTaken, Seat: "blue", By: "player", Data: log.Taken{}}); err != nil {
					panic(err)
				}
			}
		},
		"a player, his key and his absence": func(t *game.Turn) {
			b := t.Game.Seat("blue")
			b.Person = log.Person{Name: "Enemy", Address: "x@y.example"}
			b.Keys, b.Serial, b.Missed, b.Failures, b.Resigned = 7, 40, 2, game.MostBounces, true
		},
		"disputes": func(t *game.Turn) { t.Game.Disputes = []uint64{1} },
		"letters that wait for the game master": func(t *game.Turn) {
			t.Game.Held = append(t.Game.Held, game.HeldPress{Number: 1, From: "blue", To: []engine.Side{"red"}, Text: "psst"})
		},
	} {
		if changed := written(change); string(changed) != string(plain) {
			t.Errorf("%s of the other side show in a letter:\n%s\n%s", what, plain, changed)
		}
	}
	seen := written(func(t *game.Turn) { t.Game.Seat("red").Serial++ })
	if string(seen) == string(plain) {
		t.Error("not even what is red's own changes the letter: nothing was compared")
	}
}

// TestAGameMasterWhoPlaysDoesNotSeeTheLogGrow: the end of the log would tell him when the others
// write.
func TestAGameMasterWhoPlaysDoesNotSeeTheLogGrow(t *testing.T) {
	turn := begun(t)
	if err := turn.Log(log.Entry{Kind: log.KindTaken, Seat: "blue", By: "player", Data: log.Taken{}}); err != nil {
		t.Fatal(err)
	}
	w := madeUp(t).Of(turn, past.Of(turn, nothing{}))
	if h := w.GMHeading(); h.Entry == 0 || h.Hash == "" {
		t.Errorf("a game master who does not play reads entry %d, hash %q", h.Entry, h.Hash)
	}
	if len(w.Master().Seats()) == 0 {
		t.Error("a game master who does not play has no table of the seats")
	}
	turn.Game.Seat("blue").Person.Address = turn.Game.GM.Address
	if h := w.GMHeading(); h.Entry != 0 || h.Hash != "" {
		t.Errorf("a game master who plays reads entry %d, hash %q", h.Entry, h.Hash)
	}
	if seats := w.Master().Seats(); len(seats) > 0 {
		t.Errorf("a game master who plays reads whom the game waits for: %v", seats)
	}
	turn.Game.GMPlays = true
	if h := w.GMHeading(); h.Entry == 0 {
		t.Error("one who may see all does not")
	}
}

// TestAHistoryHasNoLettersOfOthers: what others wrote to each other is in the log, and not in a
// player's history; a writer without a name stays so.
func TestAHistoryHasNoLettersOfOthers(t *testing.T) {
	turn := begun(t)
	for _, p := range []struct {
		from engine.Side
		log.Press
	}{
		{"red", log.Press{To: []engine.Side{"blue"}, Text: "from-red"}},
		{"blue", log.Press{To: []engine.Side{"red"}, Text: "to-red", Anonymous: true}},
		{"blue", log.Press{To: []engine.Side{"green"}, Text: "to-green"}},
		{"blue", log.Press{To: []engine.Side{"red"}, Text: "held-back", Passed: "waits", Number: 1}},
		{"blue", log.Press{To: []engine.Side{"red"}, Text: "thrown-away", Passed: "dropped", Number: 2}},
	} {
		if err := turn.Log(log.Entry{Kind: log.KindPress, Seat: p.from, By: "player", Data: p.Press}); err != nil {
			t.Fatal(err)
		}
	}
	red := turn.Game.Seat("red")
	kept := &shelf{pages: map[engine.Side][]past.Page{
		red.BookOf():                    {{At: noon, SeatStop: 1, Told: []game.News{{Say: phrase.Say("office.exchanged", game.SideName("red")), Number: 1}}}, {At: noon, SeatStop: 1, Head: 77}},
		turn.Game.Seat("blue").BookOf(): {{At: noon, Told: []game.News{{Say: phrase.Say("office.gm-plays")}}}},
	}}
	w := madeUp(t).Of(turn, past.Of(turn, kept))
	all, err := w.History(red, []Sent{{Report: 4, Stop: 2, At: noon}})
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, n := range all {
		text += w.Words.Notice(n).Text
	}
	for word, want := range map[string]bool{"from-red": true, "to-red": true, "to-green": false, "held-back": false, "thrown-away": false} {
		if strings.Contains(text, word) != want {
			t.Errorf("%q in red's history: %v\n%s", word, !want, text)
		}
	}
	for line := range strings.Lines(text) {
		if strings.Contains(line, "to-red") && strings.Contains(line, "Blue") {
			t.Errorf("a letter without a name has one: %s", line)
		}
	}
	if n := strings.Count(text, "undone"); n != 1 {
		t.Errorf("%d reports are marked as undone:\n%s", n, text)
	}
	kept.broken = errors.New("the disk is gone")
	if _, err := w.History(red, nil); !errors.Is(err, kept.broken) {
		t.Errorf("a history that can't be read: %v", err)
	}
}

// TestTheEndOfAGameIsToldThoughItsPageCantBeMade: the game's end must not wait for a picture, nor
// for a disk.
func TestTheEndOfAGameIsToldThoughItsPageCantBeMade(t *testing.T) {
	turn := begun(t)
	turn.Effects = nil
	turn.Game.Phase = game.Over
	turn.Game.Decided = &engine.Outcome{Winners: []engine.Side{"red"}, Reason: phrase.Say("office.rule.subject")}
	red := turn.Game.Seat("red")
	red.Owes = nil
	turn.Entries, turn.Last = nil, chain.Link{}
	if err := turn.Log(log.Entry{Kind: log.KindSetup, By: "gm", Data: log.Made{Game: "lot-1", Commitment: log.Commitment(turn.Game.Seed)}}); err != nil {
		t.Fatal(err)
	}
	kept := &shelf{}
	whole := madeUp(t).Of(turn, past.Of(turn, kept)).Report(red, nil)
	kept.broken = errors.New("the disk is gone")
	w := madeUp(t).Of(turn, past.Of(turn, kept))
	l := w.Report(red, nil)
	if len(whole.Files) != 2 || len(l.Files) != 1 || l.Subject != whole.Subject || l.Text == "" {
		t.Errorf("with its page: %d files; without: %d, %q", len(whole.Files), len(l.Files), l.Subject)
	}
}

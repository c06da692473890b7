package adjudicator

import (
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

// withEntry is the league with what it asks of who enters.
func withEntry(entry string) string { return aquila + "entry: " + entry + "\n" }

// Who is less reliable than the league asks can't enter it, nor ask to, and reads why and what raises it.
func TestWhoIsNotReliableCannotEnter(t *testing.T) {
	for _, open := range []string{"anybody", "confirm"} {
		for least, want := range map[string]mail.Folder{"80": mail.Processed, "81": mail.Rejected} {
			h := aLeague(t, strings.Replace(withEntry("{reliability: "+least+"}"), "open: anybody", "open: "+open, 1), "ada")
			h.asMember("ada@play.example", h.keyOf("ada"), "command: enter\n", want)
			if letter := h.one(h.deliver("ada@play.example")); want == mail.Rejected {
				h.says(letter, "M-0001 is 80 per cent", "from 81 per cent on", "command: record")
			}
		}
	}
}

// Who has abandoned games plays as many at once as he has finished more than abandoned. With none he can't enter, until a
// year has passed.
func TestAbandonedGamesLimitEntries(t *testing.T) {
	h := aLeague(t, withEntry("{abandoned: limit}"), "ada", "bea", "cara")
	enters := func(want mail.Folder) {
		t.Helper()
		h.deliver("ada@play.example")
		h.asMember("ada@play.example", h.keyOf("ada"), "command: enter\n", want)
	}
	h.running("old-1", "ada@play.example", foeAt, "")
	h.write("ada@play.example", command(h, "old-1", "red", "command: resign"), mail.Processed)
	enters(mail.Rejected)
	h.says(h.one(h.deliver("ada@play.example")), "M-0001 has finished no game and abandoned one", "none for a year")
	for _, id := range []string{"old-2", "old-3"} {
		h.running(id, "ada@play.example", foeAt, "")
		h.playOut(id)
	}
	enters(mail.Processed)
	letters := h.deliver("ada@play.example")
	h.says(letters[0], "you play one game at once at most", "2 games and abandoned one")
	h.enter("bea", "cara")
	h.start()
	if games := h.league().Divisions[0].Playing; len(games) != 2 { // without the limit all three pairs play
		t.Errorf("played are %v", games)
	}
	h.asMember("ada@play.example", h.keyOf("ada"), "command: record\n", mail.Processed)
	letters = h.deliver("ada@play.example")
	h.says(letters[len(letters)-1], "2 games and abandoned one")
}

// Who has abandoned more than he has finished may play one game when he has abandoned none for a year.
func TestABanEndsAfterAYear(t *testing.T) {
	h := aLeague(t, withEntry("{abandoned: limit}"), "ada")
	h.running("old-1", "ada@play.example", foeAt, "")
	h.write("ada@play.example", command(h, "old-1", "red", "command: resign"), mail.Processed)
	for _, wait := range []time.Duration{364 * 24 * time.Hour, 2 * 24 * time.Hour} {
		h.clock.move(wait)
		m, err := (club{h.office}).get("M-0001")
		h.must("", err)
		err = (leagues{h.office}).look("aquila", func(b *openBook) error {
			s, err := (leagues{h.office}).setupOf(b)
			if err != nil {
				return err
			}
			_, most, err := mayEnter(&leagueTurn{leagues: leagues{h.office}, openBook: b}, s, m)
			if err == nil && most != 1 {
				t.Errorf("%d games at once", most)
			}
			return err
		})
		if wait > 300*24*time.Hour {
			h.refusedAs("league.entry.abandoned", err)
		} else if err != nil {
			t.Error(err)
		}
	}
}

// Names of deadlines and systems are found however they are spelled, with hyphens, too; who joins with a wish that can't be met reads why.
func TestWishesAreFoundAsTheSetUpNamesThem(t *testing.T) {
	h := aLeague(t, strings.Replace(aquila, "steady: 4d", "very-slow: 4d", 1), "ada")
	h.asMember("ada@play.example", h.keyOf("ada"), "command: enter\nsystem: LOTS\ndeadlines: Very-slow\n", mail.Processed)
	if b := h.bookNow(); b.Wishes["M-0001"].Deadlines != "very-slow" || b.Wishes["M-0001"].System != "lots" {
		t.Errorf("%+v", b.Wishes)
	}
	for i, deadlines := range []string{"very-slow", "never"} {
		at := []string{"eva@far.example", "fay@far.example"}[i]
		h.write(at, "command: enter\nleague: aquila\nname: Eva\ndeadlines: "+deadlines+"\n", mail.Processed)
		h.write(at, h.backIn(h.one(h.deliver(at))), mail.Processed)
		h.tick()
		h.tick()
		h.says(h.last(at), []string{"You have entered", "no deadlines called never"}[i])
	}
}

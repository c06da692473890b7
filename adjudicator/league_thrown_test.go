package adjudicator

import (
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

// The secretary is told of a game that was resigned in less than a third of the usual stops, if it hangs on its result who goes up or
// down; not of one that was resigned late, nor where nobody moves.
func TestGamesThatMayHaveBeenThrown(t *testing.T) {
	withoutRace(t)
	for name, c := range map[string]struct {
		moves string
		stops int // before somebody resigns
		told  bool
	}{
		"early":            {"moves: {up: 1, down: 1}\n", 1, true},
		"late":             {"moves: {up: 1, down: 1}\n", 9, false},
		"where none moves": {"", 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			names := []string{"ada", "bea", "cara", "dora", "eva", "fay"}
			text := strings.NewReplacer("[{id: first, size: 4, system: lots, template: lots.yaml}]", "[{id: first, size: 3, system: lots, template: lots.yaml}, {id: second, size: 3, system: lots, template: lots.yaml}]",
				"umpires:", c.moves+"umpires:", "brisk: 2d", "brisk: 100d", "steady: 4d", "steady: 100d").Replace(aquila)
			h := aLeagueOf(t, text, map[string]string{"lots.yaml": "options: {rounds: 20}\n"}, names...)
			h.enter(names...)
			h.start()
			first, second := h.league().Divisions[0].Playing, h.league().Divisions[1].Playing
			for _, id := range slices.Concat(first, second[1:]) {
				h.playOut(id)
			}
			h.tick()
			id := second[0]
			for range c.stops {
				h.answersBut(id, "")
			}
			loser := h.record(id).Seats[0]
			h.write(loser.Person.Address, command(h, id, loser.Side, "command: resign"), mail.Processed)
			h.tick()
			h.deliver(secretaryAt)
			h.clock.move(8 * 24 * time.Hour)
			h.tick()
			if v := h.league(); v.Divisions[1].Decided != 3 {
				t.Fatalf("%+v", v.Divisions[1])
			}
			h.monday()
			told := slices.ContainsFunc(h.deliver(secretaryAt), func(l *mail.Letter) bool {
				return strings.Contains(wordsOf(l), "less than a third of the usual stops") && strings.Contains(wordsOf(l), id)
			})
			if told != c.told {
				t.Errorf("the secretary is told of %s: %t", id, told)
			}
			h.verified("aquila")
		})
	}
}

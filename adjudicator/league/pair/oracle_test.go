package pair_test

import (
	"errors"
	"os"
	"slices"
	"testing"

	"berthier/adjudicator/league/pair"
	"berthier/adjudicator/league/swissoracle"
)

// TestSwissTwice: every round of 1,000 tournaments of 8 to 64 players is paired as a second
// program pairs it, which was written from the published rules alone. Without
// BERTHIER_SAMPLES=full it is each tenth of them.
func TestSwissTwice(t *testing.T) {
	records, err := swissoracle.ReadFile("../swissoracle/testdata/tournaments.txt.gz")
	if err != nil || len(records) != 1000 {
		t.Fatalf("%d tournaments, %v", len(records), err)
	}
	rounds, differ := 0, 0
	for i, record := range records {
		if i%10 != 0 && os.Getenv("BERTHIER_SAMPLES") != "full" {
			continue
		}
		for number, round := range record.Played {
			rounds++
			got, err := asked(record, number).Pair()
			if want := paired(round); !agree(got, err, want, round.None) {
				differ++
				t.Errorf("tournament %d, round %d of %d, %d players: %v %v (%v), the second program %v %v (none: %t)", record.Seed,
					number+1, record.Rounds, record.Players, without(got.Pairings, want.Pairings), got.Byes, err,
					without(want.Pairings, got.Pairings), want.Byes, round.None)
			}
		}
	}
	t.Logf("%d rounds, %d differ", rounds, differ)
}

// asked is the tournament before a round as the first program is asked.
func asked(record swissoracle.Record, round int) pair.Swiss {
	t := record.Before(round)
	s := pair.Swiss{Rounds: t.Rounds, Win: int64(t.Win), Loss: int64(t.Loss), Initial: pair.Colour(t.Initial)}
	for _, p := range t.Players {
		player := pair.Player{Absent: p.Absent}
		for _, past := range p.Past {
			player.Past = append(player.Past, pair.Past{Against: past.Against, Colour: pair.Colour(past.Colour), Scored: int64(past.Points)})
		}
		s.Players = append(s.Players, player)
	}
	return s
}

func paired(round swissoracle.Round) (want pair.Round) {
	for _, g := range round.Games {
		want.Pairings = append(want.Pairings, pair.Pairing{First: g.White, Second: g.Black})
	}
	if round.Bye >= 0 {
		want.Byes = []int{round.Bye}
	}
	return want
}

func agree(got pair.Round, err error, want pair.Round, none bool) bool {
	if none || err != nil {
		var noRound pair.NoRoundError
		return none && errors.As(err, &noRound)
	}
	return len(got.Pairings) == len(want.Pairings) && len(without(got.Pairings, want.Pairings)) == 0 && slices.Equal(got.Byes, want.Byes)
}

func without(all, some []pair.Pairing) (rest []pair.Pairing) {
	for _, p := range all {
		if !slices.Contains(some, p) {
			rest = append(rest, p)
		}
	}
	return rest
}

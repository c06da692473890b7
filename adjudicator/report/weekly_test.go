package report

import (
	"testing"

	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/orders/phrase"
)

// How a game came to count as it does is said of each kind, of a game of another office as long as nobody has ruled on it, and of what
// takes the place of another result.
func TestHowOf(t *testing.T) {
	elsewhere := season.Game{Foreign: &season.Foreign{}}
	ruled := season.Game{Foreign: &season.Foreign{}, Ruled: &season.Ruling{}}
	for _, c := range []struct {
		game     season.Game
		was, now table.Kind
		code     string
		instead  bool
	}{
		{season.Game{}, table.Open, table.Played, "", false},
		{season.Game{}, table.Played, table.Played, "league.weekly.another", false},
		{season.Game{}, table.Played, table.Open, "league.weekly.open", false},
		{season.Game{}, table.Open, table.Adjudicated, "league.weekly.adjudicated", false},
		{season.Game{}, table.Played, table.Adjudicated, "league.weekly.adjudicated", true},
		{season.Game{}, table.Open, table.Forfeit, "league.weekly.forfeit", false},
		{season.Game{}, table.Open, table.DoubleForfeit, "league.state.double-forfeit", false},
		{season.Game{}, table.Open, table.Cancelled, "league.state.cancelled", false},
		{season.Game{}, table.Played, table.Annulled, "league.state.annulled", true},
		{elsewhere, table.Open, table.Played, "league.weekly.elsewhere", false},
		{elsewhere, table.Adjudicated, table.Played, "league.weekly.elsewhere", true},
		{ruled, table.Played, table.Forfeit, "league.weekly.forfeit", true},
	} {
		want := text("")
		if c.code != "" {
			want = say(c.code)
		}
		if c.instead {
			want = say("league.weekly.instead", phrase.Within("how", phrase.Say(c.code)))
		}
		got := howOf(News{Game: c.game, Now: season.Outcome{Kind: c.now}, Was: season.Outcome{Kind: c.was}})
		if gotText, wantText := got.Text+sayCode(got), want.Text+sayCode(want); gotText != wantText {
			t.Errorf("%s, was %s: %s, not %s", c.now, c.was, gotText, wantText)
		}
	}
}

// sayCode is the code that a value says, with what stands within it.
func sayCode(v phrase.Value) string {
	if v.Say == nil {
		return ""
	}
	code := v.Say.Code
	for _, a := range v.Say.Args {
		code += " " + sayCode(a.Value)
	}
	return code
}

// Package leaguetest makes up leagues by chance, for tests: [Scripts] draws what happens, step by step, in seasons of random
// forms and sizes, with results, withdrawals, substitutes, rulings and rewinds in any order; a [League] lets it happen in a
// league's book alone, and an office may let it happen by letters and games.
package leaguetest

import "pgregory.net/rapid"

// A Step is one thing that happens. Its numbers choose among what is there when it happens, counted around, so that each
// step means something in every league.
type Step struct {
	What    What
	A, B, C int
}

// What is the kind of a step.
type What string

// The kinds of steps. In all of them A chooses whom or what it is about.
const (
	Enter    What = "enter"
	Withdraw What = "withdraw"
	Close    What = "close"   // the list of entries
	Start    What = "start"   // play
	GoOn     What = "go on"   // what follows by the rules: rounds, games, the end of play
	Result   What = "result"  // the log of a game says how it ended, by B and C
	Rewind   What = "rewind"  // a game that is decided is open again
	Rule     What = "rule"    // somebody, by B, rules on a game, as C says
	Vacate   What = "vacate"  // a side, by B, needs a player; by C it is offered, taken, refused, given back, or lost
	Wait     What = "wait"    // days pass, by A; results become final, time ends
	Contest  What = "contest" // the log of a game whose result is final says something else
	Settle   What = "settle"  // somebody, by B, wants that to count, or not, by C
	Climb    What = "climb"   // somebody challenges another one, by B, on a ladder
	Pause    What = "pause"   // somebody takes no side of others, or does again
	Protest  What = "protest" // somebody, by B, protests about a game, or (by C) somebody dismisses that
	Merge    What = "merge"   // somebody turns out to be another one, by B
	Change   What = "change"  // the league has another set-up
	End      What = "end"     // the season, and the next is announced
)

// steps are the kinds as often as they are drawn.
var steps = []What{Enter, Enter, Enter, Enter, Withdraw, Close, Start, GoOn, GoOn, GoOn, Result, Result, Result, Result, Result, Result, Rewind, Rule, Rule, Vacate, Vacate,
	Wait, Wait, Contest, Settle, Climb, Pause, Protest, Merge, Change, End}

// A Script is a league by chance.
type Script struct {
	Members   int   // who may enter
	Divisions []int // each chooses its form
	Size      int   // of a division
	Options   int   // of the plan, bit by bit
	Steps     []Step
}

// Scripts draws leagues, of so many members and steps at most.
func Scripts(members, most int) *rapid.Generator[Script] {
	return rapid.Custom(func(t *rapid.T) Script {
		s := Script{Members: rapid.IntRange(4, members).Draw(t, "members"), Size: rapid.IntRange(2, 8).Draw(t, "size"), Options: rapid.IntRange(0, 255).Draw(t, "options"),
			Divisions: rapid.SliceOfN(rapid.IntRange(0, 99), 1, 3).Draw(t, "divisions")}
		for i := range s.Members { // most enter first, so that there is something to play
			if rapid.IntRange(0, 7).Draw(t, "enters") > 0 {
				s.Steps = append(s.Steps, Step{What: Enter, A: i, B: rapid.IntRange(0, 99).Draw(t, "wish")})
			}
		}
		number := rapid.IntRange(0, 999)
		draw := rapid.Custom(func(t *rapid.T) Step {
			return Step{rapid.SampledFrom(steps).Draw(t, "what"), number.Draw(t, "a"), number.Draw(t, "b"), number.Draw(t, "c")}
		})
		if rapid.IntRange(0, 9).Draw(t, "begins") > 0 {
			s.Steps = append(s.Steps, Step{What: Close}, Step{What: Start}, Step{What: GoOn})
		}
		s.Steps = append(s.Steps, rapid.SliceOfN(draw, 0, most).Draw(t, "steps")...)
		return s
	})
}

package table

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// The cross-tables below are those of events on the server of the International Correspondence Chess Federation (iccf.com/event?id= and the
// number), with what it prints for each player: his results against the others in their order (of two games with each the one with
// White first), his score, his wins (-: the event has no such column), his Sonneborn-Berger points and his place. A game that was lost on
// time, which ICCF counts as any other lost game, stands here as one; c is a game that was cancelled, and a point one that goes on.
var iccfEvents = map[string]string{
	"83916": `10 11 ½1 11 11 11 = 10.5 10 49.5 1
10 10 11 11 11 11 = 10 10 45.5 2
00 10 10 11 11 11 = 8 8 30 3
0½ 00 10 11 ½1 11 = 7 6 25.5 4
00 00 00 00 11 11 = 4 4 5 5
00 00 00 0½ 00 ½½ = 1.5 0 4.5 6
00 00 00 00 00 ½½ = 1 0 1.5 7`,
	"91199": `11 00 00 ½½ 10 0½ ½½ = 5.5 3 20.25 6
00 00 00 00 00 00 00 = 0 0 0 8
11 11 ½1 11 11 ½½ 11 = 12.5 11 70.25 2
11 11 0½ 11 11 11 11 = 12.5 12 68.25 1
½½ 11 00 00 10 00 ½1 = 5.5 4 16.75 5
10 11 00 00 10 00 11 = 6 6 18 4
½1 11 ½½ 00 11 11 11 = 10.5 9 50.75 3
½½ 11 00 00 0½ 00 00 = 3.5 2 8.25 7`,
	"103415": `11 ½1 11 = 5.5 - 11.5 1
00 ½1 11 = 3.5 - 4.5 2
0½ 0½ 11 = 3 - 4.5 3
00 00 00 = 0 - 0 4`,
	"101074": `11 11 11 = 6 - 12 1
00 11 11 = 4 - 4 2
00 00 11 = 2 - 0 3
00 00 00 = 0 - 0 4`,
	"101838": `½1 10 = 2.5 - 4.75 1
0½ 11 = 2.5 - 3.25 2
10 00 = 1 - 2.5 3`,
	"75115": `½½ 1½ 11 11 = 6.5 5 18.25 1
½½ 1½ 11 11 = 6.5 5 18.25 1
0½ 0½ 11 1½ = 4.5 3 11.25 3
00 00 00 11 = 2 2 1 4
00 00 ½0 00 = 0.5 0 2.25 5`,
	"84207": `½0 ½1 ½½ 11 = 5 3 16.25 1
1½ ½½ ½½ 1½ = 5 2 18.25 2
0½ ½½ ½½ 11 = 4.5 2 14.5 3
½½ ½½ ½½ ½½ = 4 0 16 4
00 ½0 00 ½½ = 1.5 0 6.5 5`,
	"101260": `11 11 cc 11 = 6 6 12 1
00 11 cc 11 = 4 4 4 2
00 00 cc 11 = 2 2 0 3
cc cc cc cc = 0 0 0 4
00 00 00 cc = 0 0 0 4`,
	"88225": `½ ½ ½ . . . . . . . = 1.5 0 1.25 1
½ ½ . . . . . . . . = 1 0 1.25 2
½ ½ . . . . . . . . = 1 0 1.25 2
½ . . . . . . . . . = 0.5 0 0.75 4
. . . . . . . . . . = 0 0 0 5
. . . . . . . . . . = 0 0 0 5
. . . . . . . . . . = 0 0 0 5
. . . . . . . . . . = 0 0 0 5
. . . . . . . . . . = 0 0 0 5
. . . . . . . . . . = 0 0 0 5
. . . . . . . . . . = 0 0 0 5`,
	"87835": `½ ½ ½ ½ ½ ½ . . . . c = 3 0 4 1
½ ½ ½ ½ ½ . . . . . c = 2.5 0 4 2
½ ½ ½ . . . . . . . c = 1.5 0 3.5 3
½ ½ ½ . . . . . . . c = 1.5 0 3.5 3
½ ½ . . . . . . . . c = 1 0 2.75 5
½ ½ . . . . . . . . c = 1 0 2.75 5
½ . . . . . . . . . c = 0.5 0 1.5 7
. . . . . . . . . . c = 0 0 0 8
. . . . . . . . . . c = 0 0 0 8
. . . . . . . . . . c = 0 0 0 8
. . . . . . . . . . c = 0 0 0 8
c c c c c c c c c c c = 0 0 0 -`, // the twelfth has withdrawn
	"107322": strings.TrimSpace(strings.Repeat(". . . . . . = 0 0 0 1\n", 7)), // of which no game is over
	"66248":  "11 = 2 2 0 1\n00 = 0 0 0 2",
	"71259":  "11 = 2 2 0 1\n00 = 0 0 0 2",
	"63323":  "10 = 1 1 1 1\n10 = 1 1 1 1",
	"63592":  "10 = 1 1 1 1\n10 = 1 1 1 1",
	"60350":  "½½ = 1 0 1 1\n½½ = 1 0 1 1",
	"65456":  "½½ = 1 0 1 1\n½½ = 1 0 1 1",
	"1112":   "½½ = 1 - 1 1\n½½ = 1 - 1 1",
	"63575":  "1½ = 1.5 1 0.75 1\n½0 = 0.5 0 0.75 2",
	"58540":  "1½ = 1.5 1 0.75 1\n½0 = 0.5 0 0.75 2",
}

// Scores, wins, Sonneborn-Berger points and places of twenty cross-tables are those that ICCF prints.
func TestCrossTablesOfICCF(t *testing.T) {
	if len(iccfEvents) < 20 {
		t.Fatalf("only %d events", len(iccfEvents))
	}
	for event, text := range iccfEvents {
		t.Run(event, func(t *testing.T) {
			lines := strings.Split(text, "\n")
			entries, results := eventOf(t, lines)
			d := Division{Form: RoundRobin, Pairing: Single, Points: chess, Ties: []Tie{Wins, SonnebornBerger, Direct}}
			if len(strings.Fields(lines[0])[0]) > len("½") {
				d.Pairing = Double
			}
			if strings.Contains(text, " - ") {
				d.Ties = []Tie{SonnebornBerger}
			}
			made, err := Make(d, entries, results)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range made.Rows {
				at, _ := strconv.Atoi(row.Entry)
				printed := strings.Fields(lines[at-1][strings.Index(lines[at-1], "=")+1:])
				sb := values(made, SonnebornBerger)[row.Entry]
				sb.Of = max(sb.Of, 1) // who is out has none
				got := []string{strconv.FormatFloat(float64(row.Points)/Twelfths, 'f', -1, 64), fmt.Sprint(row.Won), strconv.FormatFloat(float64(sb.Amount)/float64(sb.Of), 'f', -1, 64), fmt.Sprint(row.Rank)}
				for i, name := range []string{"score", "wins", "Sonneborn-Berger", "place"} {
					if printed[i] != "-" && printed[i] != got[i] {
						t.Errorf("player %d: %s %s, and ICCF has %s", at, name, got[i], printed[i])
					}
				}
			}
		})
	}
}

// fits tells whether what two players have of their games is the same, each from his side: with White first, or in one order.
func fits(mine, his []rune, turned bool) bool {
	for k, did := range mine {
		other := his[k]
		if turned {
			other = his[len(his)-1-k]
		}
		if !strings.Contains("10 01 ½½ cc ..", string([]rune{did, other})) {
			return false
		}
	}
	return true
}

// eventOf reads a cross-table. What the two players of a game have in their lines must fit.
func eventOf(t *testing.T, lines []string) (entries []Entry, results []Result) {
	t.Helper()
	cells := make([][]string, len(lines))
	for i, line := range lines {
		before, after, _ := strings.Cut(line, "=")
		cells[i] = strings.Fields(before)
		cells[i] = append(cells[i][:i:i], append([]string{""}, cells[i][i:]...)...) // against himself
		entries = append(entries, Entry{ID: fmt.Sprint(i + 1), Out: strings.HasSuffix(after, "-")})
	}
	for i := range cells {
		for j := i + 1; j < len(cells); j++ {
			mine, his := []rune(cells[i][j]), []rune(cells[j][i])
			if len(cells[i]) != len(lines) || len(mine) != len(his) {
				t.Fatalf("players %d and %d have not the same games", i+1, j+1)
			}
			if !fits(mine, his, true) && !fits(mine, his, false) { // an event may have the games of two in the order in which they were made
				t.Fatalf("player %d has %s against %d, who has %s", i+1, string(mine), j+1, string(his))
			}
			for k, did := range mine {
				r := Result{Game: fmt.Sprintf("%d-%d.%d", i+1, j+1, k), Round: 1, Kind: Played, Seats: []Seat{{Entry: fmt.Sprint(i + 1)}, {Entry: fmt.Sprint(j + 1)}}}
				switch did {
				case '1':
					r.Seats[0].Place, r.Seats[1].Place = Won, Lost
				case '½':
					r.Seats[0].Place, r.Seats[1].Place = Drew, Drew
				case '0':
					r.Seats[0].Place, r.Seats[1].Place = Lost, Won
				case 'c':
					r.Kind = Cancelled
				default:
					r.Kind = Open
				}
				if r.Kind != Open {
					results = append(results, r)
				}
			}
		}
	}
	return entries, results
}

package table

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// crossTable reads a cross-table of a single round robin: a row for each entry, with what
// he got from each of those before him in the list: 1, = or 0; + and - are a forfeit won and
// lost, a dot is a game that is not played yet.
func crossTable(t *testing.T, rows ...string) ([]Entry, []Result) {
	t.Helper()
	var entries []Entry
	var results []Result
	for i, row := range rows {
		id, got, _ := strings.Cut(row, " ")
		entries = append(entries, Entry{ID: id, Start: int64(1500_00 + i*100), Lot: i + 1})
		if len(got) != i {
			t.Fatalf("%q is to have %d results", row, i)
		}
		for j, c := range got {
			r := Result{Game: fmt.Sprintf("%s-%s", entries[j].ID, id), Round: 1 + (i+j)%max(1, len(rows)-1), Kind: Played,
				Seats: []Seat{{Entry: id}, {Entry: entries[j].ID}}}
			set := func(a, b Place) { r.Seats[0].Place, r.Seats[1].Place = a, b }
			switch c {
			case '1':
				set(Won, Lost)
			case '=':
				set(Drew, Drew)
			case '0':
				set(Lost, Won)
			case '+':
				r.Kind = Forfeit
				set(Won, Lost)
			case '-':
				r.Kind = Forfeit
				set(Lost, Won)
			case '.':
				r.Kind = Open
			}
			results = append(results, r)
		}
	}
	return entries, results
}

func made(t interface {
	Helper()
	Fatal(...any)
}, d Division, entries []Entry, results []Result) Table {
	t.Helper()
	table, err := Make(d, entries, results)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// text writes a table in one line: entry, place and what parted it.
func text(table Table) string {
	var all []string
	for _, r := range table.Rows {
		all = append(all, fmt.Sprintf("%d %s %d %s", r.Rank, r.Entry, r.Points, r.Parted))
	}
	return strings.Join(all, "; ")
}

func league(ties ...Tie) Division {
	return Division{Form: RoundRobin, Pairing: Single, Points: Usual, Ties: ties, Scored: true}
}

func TestDirect(t *testing.T) {
	for _, c := range []struct {
		name string
		rows []string
		want string
	}{
		{"one game between two", []string{"a", "b 1", "c 0=", "d =00"},
			"1 b 60 ; 2 a 36 points; 3 c 36 direct; 4 d 12 points"},
		{"a circle of three is left", []string{"a", "b 1", "c 01"}, "1 a 24 ; 1 b 24 ; 1 c 24 "},
		{"those still tied are compared again", []string{"a", "b 1", "c 00", "d 010", "e 1100", "f 11110"},
			"1 f 96 ; 2 e 72 points; 3 b 48 points; 4 a 48 direct; 5 c 48 direct; 6 d 48 direct"},
		{"one leads whatever a missing game brings", []string{"a", "b 0", "c 0.", "d 100", "e 100="},
			"1 a 48 ; 2 b 48 direct; 2 c 48 ; 4 d 36 points; 4 e 36 "},
		{"nobody leads while games are missing", []string{"a", "b 0", "c ..", "d 100"},
			"1 a 24 ; 1 b 24 ; 1 c 24 ; 1 d 24 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			entries, results := crossTable(t, c.rows...)
			if got := text(made(t, league(Direct), entries, results)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestDirectOfDoubles: one game of two has been played, so nothing is decided yet.
func TestDirectOfDoubles(t *testing.T) {
	d := league(Direct)
	d.Pairing = Double
	entries := []Entry{{ID: "a"}, {ID: "b"}, {ID: "c"}}
	game := func(id, winner, loser string) Result {
		return Result{Game: id, Round: 1, Kind: Played, Seats: []Seat{{Entry: winner, Place: Won}, {Entry: loser, Place: Lost}}}
	}
	results := []Result{game("1", "a", "b"), game("2", "b", "c")}
	if got := text(made(t, d, entries, results)); got != "1 a 24 ; 1 b 24 ; 3 c 0 points" {
		t.Error(got)
	}
	results = append(results, game("3", "a", "b"), game("4", "b", "c"))
	if got := text(made(t, d, entries, results)); got != "1 a 48 ; 2 b 48 direct; 3 c 0 points" {
		t.Error(got)
	}
}

// values gives what a tie made of each entry.
func values(table Table, tie Tie) map[string]Value {
	all := map[string]Value{}
	for _, r := range table.Rows {
		for _, v := range r.Ties {
			if v.Tie == tie {
				all[r.Entry] = v
			}
		}
	}
	return all
}

func TestSonnebornBerger(t *testing.T) {
	// b: won against a (4 points), drew with d (3): 4 + 1.5 = 5.5. d: drew with b (3), won
	// against c (2): 3.5. a: won against c and d: 5. c: won against b: 3.
	entries, results := crossTable(t, "a", "b 1", "c 01", "d 0=1")
	table := made(t, league(Direct, SonnebornBerger), entries, results)
	if got := text(table); got != "1 a 48 ; 2 b 36 points; 3 d 36 sonneborn-berger; 4 c 24 points" {
		t.Error(got)
	}
	for id, want := range map[string]int64{"a": 500, "b": 550, "c": 300, "d": 350} {
		if v := values(table, SonnebornBerger)[id]; v.Amount*100/v.Of != want || v.Amount*100%v.Of != 0 {
			t.Errorf("%s has %d/%d, not %d hundredths", id, v.Amount, v.Of, want)
		}
	}
	// By forfeit: b's own 3 points stand for a's 4.
	entries, results = crossTable(t, "a", "b +", "c 01", "d 0=1")
	if v := values(made(t, league(SonnebornBerger), entries, results), SonnebornBerger)["b"]; v.Amount*100/v.Of != 450 {
		t.Errorf("with a forfeit b has %d/%d", v.Amount, v.Of)
	}
}

func TestWins(t *testing.T) {
	// All have 2 points: a one win, b a win by forfeit, c two draws.
	entries := []Entry{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}, {ID: "e"}}
	two := func(id string, k Kind, a, b string, x, y Place) Result {
		return Result{Game: id, Round: 1, Kind: k, Seats: []Seat{{Entry: a, Place: x}, {Entry: b, Place: y}}}
	}
	results := []Result{
		two("1", Adjudicated, "a", "d", Won, Lost), two("2", Forfeit, "b", "d", Won, Lost),
		two("3", Played, "c", "d", Drew, Drew), two("4", Played, "c", "e", Drew, Drew),
	}
	if got := text(made(t, league(Wins), entries, results)); got != "1 a 24 ; 2 b 24 wins; 2 c 24 ; 4 d 12 points; 4 e 12 " {
		t.Error(got)
	}
}

func TestBuchholz(t *testing.T) {
	d := Division{Form: Swiss, Pairing: Single, Points: Usual, Ties: []Tie{Buchholz, BuchholzCut1, SonnebornBerger}}
	var entries []Entry
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		entries = append(entries, Entry{ID: id})
	}
	game := func(round int, winner, loser string) Result {
		return Result{Game: fmt.Sprint(round, winner, loser), Round: round, Kind: Played, Seats: []Seat{{Entry: winner, Place: Won}, {Entry: loser, Place: Lost}}}
	}
	bye := func(round int, id string) Result {
		return Result{Game: fmt.Sprint("bye", round), Round: round, Kind: Bye, Seats: []Seat{{Entry: id}}}
	}
	results := []Result{
		game(1, "a", "b"), game(1, "c", "d"), bye(1, "e"),
		game(2, "a", "c"), game(2, "b", "e"), bye(2, "d"),
		game(3, "a", "e"), game(3, "b", "d"), bye(3, "c"),
	}
	// Points: a 6, b 4, c 4, d 2, e 2. c met d (2) and a (6) and had a bye (his own 4).
	table := made(t, d, entries, results)
	for id, want := range map[string][2]int64{"a": {4 + 4 + 2, 8}, "b": {6 + 2 + 2, 8}, "c": {2 + 6 + 4, 10}, "d": {4 + 4 + 2, 8}, "e": {6 + 4 + 2, 10}} {
		if v := values(table, Buchholz)[id]; v.Amount != want[0]*v.Of {
			t.Errorf("Buchholz of %s: %d/%d, not %d", id, v.Amount, v.Of, want[0])
		}
		if v := values(table, BuchholzCut1)[id]; v.Amount != want[1]*v.Of {
			t.Errorf("Buchholz cut 1 of %s: %d/%d, not %d", id, v.Amount, v.Of, want[1])
		}
	}
	if v := values(table, SonnebornBerger)["c"]; v.Amount != (2+4)*v.Of {
		t.Errorf("Sonneborn-Berger of c: %d/%d", v.Amount, v.Of)
	}
	if got := text(table); got != "1 a 72 ; 2 c 48 points; 3 b 48 buchholz; 4 e 24 points; 5 d 24 buchholz" {
		t.Error(got)
	}
}

func TestOtherTies(t *testing.T) {
	entries := []Entry{{ID: "a", Start: 1600_00, Lot: 2}, {ID: "b", Start: 1500_00, Lot: 1}}
	results := []Result{
		{Game: "1", Round: 1, Kind: Played, Seats: []Seat{{Entry: "a", Place: Won, Inflicted: 7, Missed: 1}, {Entry: "b", Place: Lost, Inflicted: 9, Harder: true}}},
		{Game: "2", Round: 2, Kind: Played, Seats: []Seat{{Entry: "a", Place: Lost, Inflicted: 1}, {Entry: "b", Place: Won, Inflicted: 1, Harder: true}}},
		{Game: "3", Round: 3, Kind: Cancelled, Seats: []Seat{{Entry: "a", Inflicted: 50}, {Entry: "b", Missed: 50}}},
	}
	for _, tie := range []Tie{SideLuck, LossesInflicted, Forfeits, StartRating, Lot} {
		if got, want := text(made(t, league(tie), entries, results)), fmt.Sprintf("1 b 24 ; 2 a 24 %s", tie); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	entries[1].Lot = 0
	if got := text(made(t, league(Lot), entries, results)); got != "1 a 24 ; 2 b 24 lot" {
		t.Errorf("who has no lot goes last: %s", got)
	}
}

func TestTrio(t *testing.T) {
	three := func(k Kind, a, b, c Place) Result {
		return Result{Game: "g", Round: 1, Kind: k, Seats: []Seat{{Entry: "a", Place: a}, {Entry: "b", Place: b}, {Entry: "c", Place: c}}}
	}
	d := Division{Form: RoundRobin, Pairing: Trio, Points: Usual, Ties: []Tie{Direct, SonnebornBerger}}
	entries := []Entry{{ID: "a"}, {ID: "b"}, {ID: "c"}}
	for _, c := range []struct {
		r    Result
		want string
	}{
		{three(Played, Won, Lost, Lost), "1 a 24 ; 2 b 0 points; 2 c 0 "},
		{three(Played, Drew, Lost, Drew), "1 a 12 ; 1 c 12 ; 3 b 0 points"},
		{three(Played, Drew, Drew, Drew), "1 a 8 ; 1 b 8 ; 1 c 8 "},
		{three(Forfeit, Drew, Drew, Lost), "1 a 12 ; 1 b 12 ; 3 c 0 points"},
		{three(DoubleForfeit, "", "", ""), "1 a 0 ; 1 b 0 ; 1 c 0 "},
	} {
		if got := text(made(t, d, entries, []Result{c.r})); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// division draws a division with entries and results.
func division(t *rapid.T) (Division, []Entry, []Result) {
	d := Division{Form: rapid.SampledFrom([]Form{RoundRobin, Swiss}).Draw(t, "form"), Pairing: Single, Points: Usual, Scored: true}
	for _, tie := range rapid.Permutation(All[:len(All)-1]).Draw(t, "ties") {
		if d.Refuses(tie) == "" && rapid.Bool().Draw(t, string(tie)) {
			d.Ties = append(d.Ties, tie)
		}
	}
	if rapid.Bool().Draw(t, "lots") {
		d.Ties = append(d.Ties, Lot)
	}
	var entries []Entry
	for i := range rapid.IntRange(2, 7).Draw(t, "entries") {
		entries = append(entries, Entry{ID: fmt.Sprint("e", i), Start: rapid.Int64Range(1500, 1503).Draw(t, "start"), Lot: i + 1, Out: i > 1 && rapid.IntRange(0, 9).Draw(t, "out") == 0})
	}
	var results []Result
	for i := range rapid.IntRange(0, 15).Draw(t, "results") {
		r := Result{Game: fmt.Sprintf("g%02d", i), Round: rapid.IntRange(1, 5).Draw(t, "round")}
		r.Kind = rapid.SampledFrom([]Kind{Open, Played, Played, Played, Adjudicated, Forfeit, DoubleForfeit, Bye, Cancelled, Annulled}).Draw(t, "kind")
		who := rapid.Permutation(entries).Draw(t, "who")
		r.Seats = []Seat{{Entry: who[0].ID}, {Entry: who[1].ID}}
		for k := range r.Seats {
			r.Seats[k].Inflicted = rapid.Int64Range(0, 3).Draw(t, "inflicted")
			r.Seats[k].Missed = rapid.Int64Range(0, 2).Draw(t, "missed")
			r.Seats[k].Harder = k == 1
		}
		places := [2]Place{Won, Lost}
		if r.Kind != Forfeit && rapid.Bool().Draw(t, "drawn") {
			places = [2]Place{Drew, Drew}
		}
		switch r.Kind {
		case Bye:
			r.Seats = r.Seats[:1]
		case Played, Adjudicated, Forfeit, Annulled:
			r.Seats[0].Place, r.Seats[1].Place = places[0], places[1]
		}
		results = append(results, r)
	}
	return d, entries, results
}

// TestTable holds what is true of every table.
func TestTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, entries, results := division(t)
		table := made(t, d, entries, results)
		if again := made(t, d, rapid.Permutation(entries).Draw(t, "entries again"), rapid.Permutation(results).Draw(t, "results again")); !reflect.DeepEqual(again, table) {
			t.Fatalf("in another order\n%+v\nnot\n%+v", again, table)
		}
		// Points handed out are points that results are worth.
		worth, games := int64(0), 0
		for _, r := range results {
			switch r.Kind {
			case Played, Adjudicated, Forfeit:
				worth += 24
				games += 2
			case DoubleForfeit:
				games += 2
			case Bye:
				worth += 24
				games++
			}
		}
		for _, row := range table.Rows {
			worth -= row.Points
			games -= row.Games
		}
		if worth != 0 || games != 0 || len(table.Rows) != len(entries) {
			t.Fatalf("%d twelfths and %d games are not in the table", worth, games)
		}
		checkOrder(t, d, entries, table)
		checkNothing(t, d, entries, results, table)
	})
}

// checkOrder: every row stands behind the one above for the reason that it names.
func checkOrder(t *rapid.T, d Division, entries []Entry, table Table) {
	for at, row := range table.Rows {
		i := slices.IndexFunc(entries, func(e Entry) bool { return e.ID == row.Entry })
		if entries[i].Out {
			if row.Rank != 0 || at+1 < len(table.Rows) && table.Rows[at+1].Rank != 0 {
				t.Fatalf("row %d is out: %+v", at, table.Rows)
			}
			continue
		}
		if at == 0 {
			if row.Rank != 1 || row.Parted != "" {
				t.Fatalf("the first is %+v", row)
			}
			continue
		}
		above := table.Rows[at-1]
		if (row.Parted == ByPoints) != (row.Points != above.Points) || row.Points > above.Points {
			t.Fatalf("%+v stands under %+v", row, above)
		}
		if (row.Parted == "") != (row.Rank == above.Rank) || row.Parted != "" && row.Rank != at+1 {
			t.Fatalf("rank of %+v under %+v", row, above)
		}
		k := slices.Index(d.Ties, row.Parted)
		if row.Parted == ByPoints {
			k = 0
		} else if k < 0 {
			k = len(d.Ties)
		}
		for j, tie := range d.Ties[:min(k+1, len(d.Ties))] {
			up, down := above.Ties[j].Amount, row.Ties[j].Amount
			if tie == Forfeits || tie == StartRating || tie == Lot {
				up, down = down, up
			}
			switch {
			case row.Parted == ByPoints || tie == Direct:
			case j < k && up != down, j == k && up <= down:
				t.Fatalf("%s did not part %+v from %+v", tie, row, above)
			}
		}
	}
}

// checkNothing: what counts for nothing changes nothing but cells.
func checkNothing(t *rapid.T, d Division, entries []Entry, results []Result, table Table) {
	rounds := 0
	for _, r := range results {
		rounds = max(rounds, r.Round)
	}
	kept := slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return !r.Kind.Counts() && r.Round < rounds })
	without := made(t, d, entries, kept)
	for i, row := range without.Rows {
		full := table.Rows[i]
		row.Cells, full.Cells = nil, nil
		if !reflect.DeepEqual(row, full) {
			t.Fatalf("without results that count for nothing\n%+v\nnot\n%+v", row, full)
		}
	}
}

func TestMarks(t *testing.T) {
	result := Result{Game: "g", Round: 1, Kind: Adjudicated, Seats: []Seat{{Entry: "a", Place: Won, Marks: []Mark{BySubstitute}}, {Entry: "b", Place: Lost, Marks: []Mark{BySecretary}}}}
	table := made(t, league(), []Entry{{ID: "a"}, {ID: "b"}}, []Result{result})
	if got := table.Rows[0].Cells[0]; !slices.Equal(got.Marks, []Mark{ByUmpire, BySubstitute}) || got.Points != 24 || !slices.Equal(got.Against, []string{"b"}) {
		t.Errorf("%+v", got)
	}
	if got := table.Rows[1].Cells[0].Marks; !slices.Equal(got, []Mark{BySecretary}) {
		t.Error(got)
	}
	both := []Seat{{Entry: "a", Place: Lost}, {Entry: "b", Place: Won, Marks: []Mark{BySubstitute}}}
	for _, c := range []struct {
		result Result
		want   [2]string // of a and b
	}{
		{Result{Kind: Played, Seats: both}, [2]string{"[]", "[P]"}},
		{Result{Kind: Forfeit, Seats: both}, [2]string{"[F]", "[F P]"}},
		{Result{Kind: DoubleForfeit, Seats: []Seat{{Entry: "a"}, {Entry: "b"}}}, [2]string{"[F]", "[F]"}},
		{Result{Kind: Cancelled, Seats: []Seat{{Entry: "a", Marks: []Mark{BySecretary}}, {Entry: "b"}}}, [2]string{"[C S]", "[C]"}},
		{Result{Kind: Bye, Seats: []Seat{{Entry: "a"}}}, [2]string{"[B]", ""}},
	} {
		c.result.Game, c.result.Round = "g", 1
		rows := made(t, league(), []Entry{{ID: "a"}, {ID: "b"}}, []Result{c.result}).Rows
		for i, id := range []string{"a", "b"} {
			row, got := rows[slices.IndexFunc(rows, func(r Row) bool { return r.Entry == id })], ""
			for _, cell := range row.Cells {
				got += fmt.Sprint(cell.Marks)
			}
			if got != c.want[i] {
				t.Errorf("%s: %s has the marks %s, not %s", c.result.Kind, id, got, c.want[i])
			}
		}
	}
}

func TestMakeFaults(t *testing.T) {
	entries := []Entry{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "a"}, {}}
	seat := func(id string, p Place) Seat { return Seat{Entry: id, Place: p} }
	results := []Result{
		{Game: "1", Round: 1, Kind: Played, Seats: []Seat{seat("a", Won), seat("b", Won)}},
		{Game: "1", Round: 0, Kind: Played, Seats: []Seat{seat("a", Won), seat("x", Lost)}},
		{Game: "2", Round: 1, Kind: Bye, Seats: []Seat{seat("a", Won)}},
		{Game: "3", Round: 1, Kind: Open, Seats: []Seat{seat("a", Won), seat("a", Lost)}},
		{Game: "4", Round: 1, Kind: "lost", Seats: []Seat{seat("a", Won), seat("b", Lost)}},
		{Game: "5", Round: 1, Kind: Played, Seats: []Seat{seat("a", Won)}},
		{Game: "6", Round: 1, Kind: Annulled, Seats: []Seat{seat("a", Won), seat("b", "")}},
		{Game: "7", Round: 1, Kind: Forfeit, Seats: []Seat{seat("a", Drew), seat("b", Drew)}},
	}
	_, err := Make(league(Direct), entries, results)
	for _, want := range []string{
		`entry "a" is there twice`, `entry "" is there twice`, `game 1: one seat must have won`, `game "1" is there twice`,
		"game 1 is of round 0", `"x" is no entry`, "game 2: a bye is of one seat", `game 3: "a" sits in it twice`,
		"game 3: a result that is open has no places", `game 4: "lost" is no kind`, "game 5: 1 seats",
		"game 6: of a result that is annulled", "game 7: nobody lost",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not among\n%v", want, err)
		}
	}
}

func TestDivisionFaults(t *testing.T) {
	d := Division{Form: "cup", Pairing: "triple", Points: Points{Win: 12, Draw: 24, Bye: 99}, Ties: []Tie{Lot, Direct, Direct, "luck"}}
	for _, want := range []string{`"cup" is none`, `"triple" is none`, "a win must be worth", "a bye and a forfeit", "lot leaves nothing", "direct is there twice", "luck can't be used here: unknown"} {
		if err := d.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not among\n%v", want, err)
		}
	}
	for _, c := range []struct {
		d   Division
		tie Tie
	}{
		{Division{Form: RoundRobin}, Buchholz}, {Division{Form: Ladder}, BuchholzCut1}, {Division{Form: Swiss}, Wins},
		{Division{Form: Ladder}, SonnebornBerger}, {Division{Form: RoundRobin, Pairing: Double}, SideLuck}, {Division{Form: RoundRobin}, LossesInflicted},
	} {
		if c.d.Refuses(c.tie) == "" {
			t.Errorf("%s was taken in %+v", c.tie, c.d)
		}
	}
	trio := Division{Form: RoundRobin, Pairing: Trio, Points: Points{Win: 16, Draw: 8}}
	if err := trio.Check(); err == nil || !strings.Contains(err.Error(), "two or three may share a win") {
		t.Error(err)
	}
	for _, name := range []string{"usual", "iccf", "rtt"} {
		ties, known := Preset(name)
		if d := league(ties...); !known || d.Check() != nil {
			t.Errorf("preset %s: %v", name, d.Check())
		}
	}
	if _, known := Preset("fide"); known {
		t.Error("a preset that is not there")
	}
}

// Points are written as people write them.
func TestWrite(t *testing.T) {
	for twelfths, want := range map[int64]string{0: "0", 24: "2", 18: "1 1/2", 4: "1/3", 15: "1 1/4", 9: "3/4", 38: "3 1/6", 13: "1 1/12"} {
		if got := Write(twelfths); got != want {
			t.Errorf("%d is written %s, want %s", twelfths, got, want)
		}
	}
}

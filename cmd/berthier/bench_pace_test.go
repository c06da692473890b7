package main

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
)

// paced counts games as the command does.
func paced(t *testing.T, cmd benchPaceCommand) paceSheet {
	t.Helper()
	if cmd.Seed = 1; cmd.Policy == "" {
		cmd.Policy = "bot"
	}
	rules := rulesets[cmd.Game]
	if err := cmd.sound(rules); err != nil {
		t.Fatal(err)
	}
	sheet, err := cmd.count(newProgress(&bytes.Buffer{}), rules, engine.Setup{Scenario: rules.About().Scenarios[0], Options: cmd.Option})
	if err != nil {
		t.Fatal(err)
	}
	return sheet
}

// The letters of each seat and the waits of a game lie near what docs/pace.md says.
func TestPaceOfGames(t *testing.T) {
	if raceEnabled {
		return // games are played one after the other: the run without the race detector plays them
	}
	page, err := os.ReadFile("../../docs/pace.md")
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile("(?m)^\\| `--game ([a-z]+)((?: --option [^ `]+)*)` \\| [0-9]+ \\| ([^|]*) \\| ([^|]*) \\|").FindAllStringSubmatch(string(page), -1)
	if len(said) != 6 {
		t.Fatalf("docs/pace.md tells of %d games", len(said))
	}
	for _, row := range said {
		t.Run(row[1]+row[2], func(t *testing.T) {
			t.Parallel()
			cmd := benchPaceCommand{Game: row[1], Games: 4, Option: map[string]string{}}
			within := 40 // percent
			if fullSamples {
				cmd.Games, within = 40, 12
			}
			for _, option := range strings.Split(row[2], " --option ")[1:] {
				name, value, _ := strings.Cut(option, "=")
				cmd.Option[name] = value
			}
			sheet := paced(t, cmd)
			near := func(what string, sum int, mean string) {
				t.Helper()
				tenth, err := strconv.Atoi(strings.Replace(mean, ".", "", 1))
				if from, to := tenth*(100-within)*cmd.Games, tenth*(100+within)*cmd.Games; err != nil || sum*1000 < from || sum*1000 > to {
					t.Errorf("%s a game: %s, not within %d %% of %s", what, tenths(sum, cmd.Games), within, mean)
				}
			}
			letters := strings.Split(row[3], ", ")
			if len(sheet.Seats) != len(letters) {
				t.Fatalf("letters of %q; seats %v", letters, sheet.Seats)
			}
			for i, seat := range sheet.Seats {
				name, mean, _ := strings.Cut(letters[i], " ")
				if name != seat.Seat {
					t.Errorf("letters of %s; the seat is %s", name, seat.Seat)
				}
				near("letters of "+name, seat.Letters, mean)
			}
			near("waits", sheet.Waits.Sum, row[4])
			if won := regexp.MustCompile("(?m)^\\| `--game " + regexp.QuoteMeta(row[1]+row[2]) + "` \\| nobody \\| [^|]* \\| [^|]* \\| ([^|]*) \\|$").FindStringSubmatch(string(page)); won != nil {
				likelyWon(t, sheet, won[1])
			}
			addsUp(t, sheet)
		})
	}
}

// addsUp checks that the tables of a sheet agree with each other.
func addsUp(t *testing.T, s paceSheet) {
	t.Helper()
	asked, letters, games := 0, 0, 0
	for _, k := range s.Kinds {
		asked += k.Asked - k.Minor - k.Filed
		if k.Games < 1 || k.Games > s.Games || k.Default > k.Asked || k.Minor > k.Asked || k.NoOther > k.Asked {
			t.Errorf("%d games: %+v", s.Games, k)
		}
	}
	for _, seat := range s.Seats {
		letters += seat.Letters
		if seat.Rows > seat.Joined || seat.Joined > seat.Letters {
			t.Errorf("%+v", seat)
		}
	}
	for _, p := range s.Pairs {
		if p.Nothing > p.NoDice || p.NoDice > p.Came || p.Came == 0 {
			t.Errorf("%+v", p)
		}
	}
	for _, e := range s.Endings {
		games += e.Games
	}
	if asked != letters || games != s.Games || s.Waits.Sum > s.Stops.Sum || s.Stops.Sum > letters || s.Chain.Most > s.Waits.Most {
		t.Errorf("%d letters asked for, %d written, %d games ended of %d: %+v", asked, letters, games, s.Games, s)
	}
}

// kindOf finds a kind of stop; one that never came is empty.
func (s paceSheet) kindOf(kind string) paceKind {
	for _, k := range s.Kinds {
		if k.Stop == kind {
			return k
		}
	}
	return paceKind{}
}

// Minor stops count as no letters, for the seats for which they are minor. If the bot
// answers them the same games are played, if the default does other games.
func TestPaceOfMinorStops(t *testing.T) {
	if raceEnabled {
		return // games are played one after the other: the run without the race detector plays them
	}
	plain := paced(t, benchPaceCommand{Game: "napoleon", Games: 3})
	if again := paced(t, benchPaceCommand{Game: "napoleon", Games: 3}); !reflect.DeepEqual(plain, again) {
		t.Errorf("the same seeds, first\n%+v\nthen\n%+v", plain, again)
	}
	minor := paced(t, benchPaceCommand{Game: "napoleon", Games: 3, Minor: []string{"hits"}})
	addsUp(t, minor)
	if was, now := plain.kindOf("hits"), minor.kindOf("hits"); was.Asked == 0 || was.Minor != 0 || now.Minor != was.Asked || now.Asked != was.Asked || now.Default != was.Default {
		t.Errorf("hits %+v, as minor ones %+v", was, now)
	}
	if !reflect.DeepEqual(plain.Endings, minor.Endings) || minor.Waits.Sum >= plain.Waits.Sum {
		t.Errorf("the same games end %v in %d waits, %v in %d", plain.Endings, plain.Waits.Sum, minor.Endings, minor.Waits.Sum)
	}
	one := paced(t, benchPaceCommand{Game: "napoleon", Games: 3, Minor: []string{"hits"}, Side: []string{"allied"}})
	if one.Seats[0].Letters != plain.Seats[0].Letters || one.Seats[1].Letters != minor.Seats[1].Letters {
		t.Errorf("letters %+v, without allied hits %+v, without hits %+v", plain.Seats, one.Seats, minor.Seats)
	}
	byDefault := paced(t, benchPaceCommand{Game: "napoleon", Games: 3, Minor: []string{"hits"}, Policy: "default"})
	addsUp(t, byDefault)
	if k := byDefault.kindOf("hits"); k.Asked == 0 || k.Default != k.Asked || k.Minor != k.Asked {
		t.Errorf("hits by the default: %+v", k)
	}
}

// Standing orders are in force from the first stop on, and only those of the sides named.
func TestPaceUnderStandingOrders(t *testing.T) {
	if raceEnabled {
		return // games are played one after the other: the run without the race detector plays them
	}
	hold := "artillery: {windows: {round-start: hold, entered: hold, after-card: hold, after-battle: hold, round-end: hold}}"
	plain := paced(t, benchPaceCommand{Game: "waterloo", Games: 2})
	all := paced(t, benchPaceCommand{Game: "waterloo", Games: 2, Standing: hold})
	one := paced(t, benchPaceCommand{Game: "waterloo", Games: 2, Standing: hold, Side: []string{"french"}})
	for _, s := range []paceSheet{plain, all, one} {
		addsUp(t, s)
	}
	if n := plain.kindOf("artillery").Asked; n < 20 {
		t.Errorf("%d windows without standing orders", n)
	}
	if n := all.kindOf("artillery").Asked; n != 0 {
		t.Errorf("%d windows where all hold", n)
	}
	if n := one.kindOf("artillery").Asked; n < 10 || n >= plain.kindOf("artillery").Asked {
		t.Errorf("%d windows where the french hold", n)
	}
}

// Kinds of stops are counted apart by what they are about.
func TestPaceSplitsKinds(t *testing.T) {
	if raceEnabled {
		return // games are played one after the other: the run without the race detector plays them
	}
	plain := paced(t, benchPaceCommand{Game: "waterloo", Games: 1})
	split := paced(t, benchPaceCommand{Game: "waterloo", Games: 1, Split: []string{"artillery"}})
	sum, windows := 0, 0
	for _, k := range split.Kinds {
		if strings.HasPrefix(k.Stop, "artillery ") {
			sum, windows = sum+k.Asked, windows+1
		}
	}
	if windows < 4 || sum != plain.kindOf("artillery").Asked || split.kindOf("artillery").Asked != 0 {
		t.Errorf("%d windows of %d kinds: %+v", sum, windows, split.Kinds)
	}
	split.Kinds, split.Pairs, plain.Kinds, plain.Pairs = nil, nil, nil, nil
	if !reflect.DeepEqual(plain, split) {
		t.Errorf("splitting changed\n%+v\nto\n%+v", plain, split)
	}
}

// Two stops between which a seat learns nothing are told from two stops between which dice
// are rolled or something hidden is shown.
func TestPaceFindsWhatComesBetween(t *testing.T) {
	if raceEnabled {
		return // games are played one after the other: the run without the race detector plays them
	}
	s := paced(t, benchPaceCommand{Game: "napoleon", Games: 4})
	s.Pairs = append(s.Pairs, paced(t, benchPaceCommand{Game: "waterloo", Games: 2, Split: []string{"artillery"}}).Pairs...)
	for _, c := range []struct {
		first, then   string
		dice, nothing bool // dice were always rolled between them; nothing ever happened between them
	}{
		{"terrain-defender", "deploy-defender", false, true},
		{"supply", "move", false, true},
		{"deploy", "move", false, true},
		{"hits", "hits", true, false},
		{"move", "terrain-attacker", true, false},
		{"deploy-attacker", "battle-turn", false, false}, // the enemy's blocks are turned up
		{"artillery round-end", "round", false, true},
		{"artillery after-card", "commit", false, false}, // the attack is shown
	} {
		i := slices.IndexFunc(s.Pairs, func(p pacePair) bool { return p.First == c.first && p.Then == c.then })
		if i < 0 {
			t.Errorf("%s, then %s: never came", c.first, c.then)
			continue
		}
		p := s.Pairs[i]
		if c.nothing && p.Nothing != p.Came || !c.nothing && p.Nothing != 0 || c.dice != (p.NoDice == 0) {
			t.Errorf("%+v", p)
		}
	}
}

// Stops in a row of the same seats are one wait, even across a minor stop of another seat;
// a new chain of waits begins with each turn.
func TestPaceCountsWaits(t *testing.T) {
	for _, c := range []struct {
		stops               string // seats, with a bar before each turn
		stop, wait, chain   int
		lettersOfA, rowsOfA int
	}{
		{"a", 1, 1, 1, 1, 1},
		{"a a a", 3, 1, 1, 3, 1},
		{"a b a", 3, 3, 3, 2, 2},
		{"a a b b a", 5, 3, 3, 3, 2},
		{"a b | a b a b | a", 7, 7, 4, 4, 4},
		{"a | a | a", 3, 1, 1, 3, 1},
		{"a b | b a b", 5, 4, 3, 2, 2},
		{"a ab ab b", 4, 3, 3, 3, 2},
	} {
		count := newPaceCount(rulesets["napoleon"], nil, nil)
		turn := 0
		for _, word := range strings.Fields(c.stops) {
			if word == "|" {
				turn++
				count.at(turn)
				continue
			}
			var sides []engine.Side
			for _, r := range word {
				sides = append(sides, engine.Side(r))
			}
			if err := count.letters(playout.Moment{}, sides, "stop"); err != nil {
				t.Fatal(err)
			}
		}
		a := count.seats["a"]
		if count.stop != c.stop || count.wait != c.wait || count.most != c.chain || a.Letters != c.lettersOfA || a.Rows != c.rowsOfA {
			t.Errorf("%s: %d stops, %d waits, %d in a turn, %+v", c.stops, count.stop, count.wait, count.most, a)
		}
	}
}

// The turns of a ruleset count upwards; before the first turn there is none.
func TestTurnsOfRulesetsCountUp(t *testing.T) {
	if raceEnabled {
		return // games are played one after the other: the run without the race detector plays them
	}
	for id, rules := range rulesets {
		var turns []int
		g := playout.Game{Rules: rules, Seed: 1, Choose: engine.Ruleset.Sensible}
		if _, err := g.Play(func(m playout.Moment) error {
			if now := m.Position.(engine.Turned).TurnNumber(); len(turns) == 0 || turns[len(turns)-1] != now {
				turns = append(turns, now)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if len(turns) < 3 || turns[0] > 1 || !slices.IsSorted(turns) || turns[len(turns)-1] != turns[0]+len(turns)-1 {
			t.Errorf("%s: turns %v", id, turns)
		}
	}
}

// What the command prints as JSON has the keys that docs/pace.md names.
func TestPaceAsJSON(t *testing.T) {
	text, err := json.Marshal(paced(t, benchPaceCommand{Game: "napoleon", Games: 1}))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`"game":"napoleon"`, `"scenario":"campaign-1815"`, `"games":1`, `"seed":1`, `"policy":"bot"`, `"stops":{"sum":`, `"waits":{"sum":`,
		`"chain":{"sum":`, `"kinds":[{"stop":"`, `"seats":[{"seat":"french","letters":`, `"pairs":[{"first":"`, `"endings":[{"winners":"`} {
		if !strings.Contains(string(text), key) {
			t.Errorf("no %s in %s", key, text)
		}
	}
}

// Answers that are filed before their stop are no letters; the stops are counted all the same.
// What is joined are the stops that follow at once, and filing all ahead saves more. Where
// only what is joined is filed the same games are played, stop for stop.
func TestPaceOfFiledAnswers(t *testing.T) {
	withoutRace(t)
	for _, game := range []string{"napoleon", "waterloo"} {
		plain := paced(t, benchPaceCommand{Game: game, Games: 2})
		joined := paced(t, benchPaceCommand{Game: game, Games: 2, File: "joined"})
		ahead := paced(t, benchPaceCommand{Game: game, Games: 2, File: "ahead"})
		one := paced(t, benchPaceCommand{Game: game, Games: 2, File: "joined", Side: []string{plain.Seats[0].Seat}})
		letters := func(s paceSheet) (n int) {
			for _, seat := range s.Seats {
				n += seat.Letters
			}
			return n
		}
		filed := func(s paceSheet) (n int) {
			for _, k := range s.Kinds {
				n += k.Filed
			}
			return n
		}
		for _, s := range []paceSheet{plain, joined, ahead, one} {
			addsUp(t, s)
		}
		if filed(plain) != 0 || filed(joined) == 0 || filed(ahead) <= filed(joined) || filed(one) == 0 || filed(one) >= filed(joined) {
			t.Errorf("%s: %d, %d, %d and %d filed", game, filed(plain), filed(joined), filed(ahead), filed(one))
		}
		if letters(joined) >= letters(plain) || letters(ahead) >= letters(joined) {
			t.Errorf("%s: %d letters, joined %d, ahead %d", game, letters(plain), letters(joined), letters(ahead))
		}
	}
	asked := func(s paceSheet) int {
		for _, k := range s.Kinds {
			if k.Stop == "continue" {
				return k.Asked
			}
		}
		return 0
	}
	plain, written := paced(t, benchPaceCommand{Game: "waterloo", Games: 4}), paced(t, benchPaceCommand{Game: "waterloo", Games: 4, Write: waterlooWritten})
	if addsUp(t, written); asked(plain) == 0 || asked(written) != 0 {
		t.Errorf("whether a card goes on is asked %d times, and %d times where the round says it", asked(plain), asked(written))
	}
	for _, cmd := range []benchPaceCommand{{Game: "waterloo", Games: 1, Write: "on-reaction"}, {Game: "waterloo", Games: 1, Write: "{"}, {Game: "napoleon", Games: 1, Ahead: "{move: none}"}, {Game: "napoleon", Games: 1, File: "joined", Ahead: "{mvoe: none}"}, {Game: "napoleon", Games: 1, File: "joined", Ahead: "{"}} {
		cmd.Policy = "bot"
		if err := cmd.sound(rulesets[cmd.Game]); err == nil {
			t.Errorf("--file %q --ahead %q --write %q is taken", cmd.File, cmd.Ahead, cmd.Write)
		}
	}
}

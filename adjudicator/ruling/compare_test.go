package ruling

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/past"
	"berthier/engine"
	"berthier/orders/phrase"
)

// news are events of these codes, numbered from a number on; 0: not numbered.
func news(from int, codes ...string) (all []game.News) {
	for i, code := range codes {
		n := game.News{Say: phrase.Say(code)}
		if from > 0 {
			n.Number = from + i
		}
		all = append(all, n)
	}
	return all
}

// TestWhatIsRetold compares courses of events for a player who has read of those up to an
// entry.
func TestWhatIsRetold(t *testing.T) {
	stop := func(seq uint64, n int, events []game.News) past.Told {
		return past.Told{Seq: seq, Stop: n, News: events}
	}
	was := []past.Told{stop(2, 1, news(1, "a", "b", "c")), stop(3, 2, news(4, "d"))}
	for _, c := range []struct {
		name   string
		now    []past.Told
		upto   uint64
		undone []int
		fresh  string
		most   int
	}{
		{"nothing is otherwise", was, 9, nil, "", 4},
		{"nothing is otherwise, and the last stop is news", was, 2, nil, "4 d", 4},
		{"one event is another", []past.Told{stop(7, 1, news(1, "a", "x", "c")), stop(8, 2, news(4, "d"))}, 9, []int{2}, "5 x", 5},
		{"one event more", []past.Told{stop(7, 1, news(1, "a", "b", "x", "c")), stop(8, 2, news(5, "d"))}, 9, nil, "5 x", 5},
		{"the same events the other way round", []past.Told{stop(7, 1, news(1, "b", "a", "c")), was[1]}, 9, []int{1}, "5 a", 5},
		{"a stop is gone", was[:1], 9, []int{4}, "", 4},
		{"a stop is gone of which he had not read", was[:1], 2, nil, "", 4},
		{"a stop has come out otherwise of which he had not read", []past.Told{was[0], stop(8, 2, news(4, "x"))}, 2, nil, "5 x", 5},
		{"all is gone", nil, 9, []int{1, 2, 3, 4}, "", 4},
	} {
		var now []past.Told
		for _, one := range c.now {
			one.News = slices.Clone(one.News)
			now = append(now, one)
		}
		got := compare(was, now, c.upto, 4)
		var fresh []string
		for _, n := range got.fresh {
			fresh = append(fresh, fmt.Sprint(n.Number, " ", n.Say.Code))
		}
		slices.Sort(got.undone)
		if !slices.Equal(got.undone, c.undone) || strings.Join(fresh, ", ") != c.fresh || got.most != c.most {
			t.Errorf("%s: undone %v, news %q, numbers up to %d; want %v, %q, %d", c.name, got.undone, fresh, got.most, c.undone, c.fresh, c.most)
		}
	}
}

// If several dice of a stop changed alike, each event that showed one of them is told of
// once: of so many dice as it showed, and as changed so.
func TestOfDiceThatChangedAlikeEachIsToldOnce(t *testing.T) {
	shows := func(seq uint64, result int, events ...string) past.Told {
		told := past.Told{Seq: seq, Stop: 1, Orders: "a"}
		for range 3 {
			told.Rolls = append(told.Rolls, engine.Roll{Sides: 6, Result: result})
		}
		for i, unit := range events {
			say := phrase.Say("lots.threw", phrase.Name("unit", "unit", unit), phrase.Number("die", result))
			if unit == "both" {
				two := []phrase.Value{{Kind: phrase.KindNumber, Num: result}, {Kind: phrase.KindNumber, Num: result}}
				say = phrase.Say("lots.both", phrase.Arg{Name: "dice", Value: phrase.Value{Kind: phrase.KindList, List: two}})
			}
			told.News = append(told.News, game.News{Clause: "LOT-2.1", Say: say, Number: i + 1})
		}
		return told
	}
	for _, c := range []struct {
		name   string
		events []string
		want   string
	}{
		{"one event shows one of three", []string{"R-1"}, "1"},
		{"two events show one each", []string{"R-1", "R-2"}, "1 2"},
		{"one event shows two", []string{"both"}, "1 1"},
		{"one event shows two, another one", []string{"both", "R-1"}, "1 1 2"},
		{"two events say the same", []string{"R-1", "R-1"}, "1 2"},
		{"none shows any", nil, ""},
	} {
		got := compare([]past.Told{shows(2, 3, c.events...)}, []past.Told{shows(7, 5, c.events...)}, 9, 1)
		var events []string
		for _, die := range got.dice {
			events = append(events, fmt.Sprint(die.Args[0].Value.Num))
		}
		if strings.Join(events, " ") != c.want {
			t.Errorf("%s: dice of events %v, not %s", c.name, events, c.want)
		}
	}
}

// A player is told that a die fell otherwise if an event showed him that die and the event in
// its place shows it again. He is not told of other dice, nor of any if the orders are
// different.
func TestOfADieHeIsToldWhomItWasShown(t *testing.T) {
	threw := func(seq uint64, die int, orders string) past.Told {
		return past.Told{Seq: seq, Stop: 1, Orders: orders, Rolls: []engine.Roll{{Sides: 6, Result: die}, {Sides: 6, Result: 2}},
			News: []game.News{{Clause: "LOT-2.1", Say: phrase.Say("lots.threw", phrase.Number("die", die)), Number: 1}}}
	}
	hidden := threw(7, 5, "a")
	hidden.News[0].Say = phrase.Say("lots.passed")
	for _, c := range []struct {
		name string
		now  past.Told
		upto uint64
		want int
	}{
		{"shown", threw(7, 5, "a"), 9, 1},
		{"not shown", hidden, 9, 0},
		{"other orders", threw(7, 5, "b"), 9, 0},
		{"he had not read of it", threw(7, 5, "a"), 1, 0},
		{"the same", threw(7, 3, "a"), 9, 0},
	} {
		if got := compare([]past.Told{threw(2, 3, "a")}, []past.Told{c.now}, c.upto, 1); len(got.dice) != c.want {
			t.Errorf("%s: told of %d dice, not %d: %+v", c.name, len(got.dice), c.want, got.dice)
		}
	}
}

package ruling

import (
	"encoding/json"
	"maps"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/past"
	"berthier/engine"
	"berthier/orders/phrase"
)

// sayUndone names events that are undone; several in a row by the first and the last.
func sayUndone(numbers []int) phrase.Phrase {
	slices.Sort(numbers)
	var runs []phrase.Phrase
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		if i == j {
			runs = append(runs, phrase.Say("office.ruled.event", phrase.Number("n", numbers[i])))
		} else {
			runs = append(runs, phrase.Say("office.ruled.events", phrase.Number("from", numbers[i]), phrase.Number("to", numbers[j])))
		}
		i = j + 1
	}
	return phrase.Say("office.ruled.undone", phrase.Number("n", len(numbers)), phrase.Phrases("events", runs))
}

// A comparison is what is different for a player between an earlier course of events, which
// he knows, and another one.
type comparison struct {
	undone  []int            // numbers of events that he was told and that no longer happened
	fresh   []game.News      // what he has not been told
	numbers map[uint64][]int // of the events of each stop, by its entry
	dice    []phrase.Phrase  // that fell otherwise, of those that he was told
	most    int              // the highest number given
}

// compare compares what a player was told, in reports up to a log entry, with
// what he would be told now. An event that is the same, at the same stop, keeps its
// number; every other one gets a new number.
func compare(old, now []past.Told, upto uint64, most int) comparison {
	c := comparison{numbers: map[uint64][]int{}, most: most}
	done := map[int]bool{}
	for i := range now {
		n := &now[i]
		j := slices.IndexFunc(old, func(o past.Told) bool { return o.Stop == n.Stop })
		var before past.Told
		if j >= 0 {
			before, done[n.Stop] = old[j], true
		}
		c.stop(before, n, before.Seq <= upto)
	}
	for _, o := range old {
		if !done[o.Stop] && o.Seq <= upto {
			c.undo(o.News)
		}
	}
	return c
}

// stop compares how a stop was resolved before and now.
func (c *comparison) stop(before past.Told, now *past.Told, known bool) {
	was, is := before.All(), now.All()
	if before.Seq == now.Seq {
		if !known {
			c.fresh = append(c.fresh, is...)
		}
		return
	}
	same := commonest(was, is)
	kept, matched := map[int]bool{}, map[int]bool{}
	for _, m := range same {
		matched[m[0]], kept[m[1]] = true, true
		is[m[1]].Number = was[m[0]].Number
	}
	for i := range is {
		if !kept[i] && is[i].Number > 0 {
			c.most++
			is[i].Number = c.most
		}
		if !kept[i] || !known {
			c.fresh = append(c.fresh, is[i])
		}
	}
	var numbers []int
	for _, t := range is[len(is)-len(now.News):] {
		numbers = append(numbers, t.Number)
	}
	if len(numbers) > 0 {
		c.numbers[now.Seq] = numbers
	}
	if !known {
		return
	}
	var gone []game.News
	for i, t := range was {
		if !matched[i] {
			gone = append(gone, t)
		}
	}
	c.undo(gone)
	if before.Orders != "" && before.Orders == now.Orders {
		c.fallen(before.Rolls, now.Rolls, gone, is, kept)
	}
}

func (c *comparison) undo(all []game.News) {
	for _, t := range all {
		if t.Number > 0 {
			c.undone = append(c.undone, t.Number)
		}
	}
}

// fallen finds the dice that fell differently with the same orders. The player is told only
// about dice that an event showed him and that the event in its place shows him again: of as
// many as these events show. Else he could count the dice that fell for others.
func (c *comparison) fallen(was, is []engine.Roll, gone, all []game.News, kept map[int]bool) {
	inPlace, taken := map[int]int{}, maps.Clone(kept) // the new event of an old one
	told := map[[3]int]int{}                          // dice by old event, and old and new result
	for i := range min(len(was), len(is)) {
		a, b := was[i].Result, is[i].Result
		if was[i].Sides != is[i].Sides || a == b {
			continue
		}
		for k, o := range gone {
			shows := func(n game.News) bool {
				return n.Number > 0 && o.Number > 0 && n.Clause == o.Clause && diceShown(o.Say, n.Say, a, b) > told[[3]int{k, a, b}]
			}
			j, ok := inPlace[k]
			if !ok {
				for j = 0; j < len(all) && (taken[j] || !shows(all[j])); j++ {
				}
			}
			if j == len(all) || !shows(all[j]) {
				continue
			}
			inPlace[k], taken[j] = j, true
			told[[3]int{k, a, b}]++
			c.dice = append(c.dice, phrase.Say("office.ruled.die", phrase.Number("event", o.Number), phrase.Number("was", a),
				phrase.Number("is", b), phrase.Number("now", all[j].Number)))
			break
		}
	}
}

// diceShown counts the dice that have one result in an event and another in the event in its
// place. It is 0 if these are not of the same kind, about the same things. An event shows
// dice in places that are called die or dice.
func diceShown(old, now phrase.Phrase, was, is int) (n int) {
	if old.Code != now.Code || len(old.Args) != len(now.Args) {
		return 0
	}
	count := func(a, b phrase.Value) {
		if a.Num == was && b.Num == is {
			n++
		}
	}
	for i, a := range old.Args {
		b := now.Args[i]
		switch {
		case a.Name != b.Name || a.Value.Kind != b.Value.Kind || a.Value.Text != b.Value.Text:
			return 0
		case a.Name == "die":
			count(a.Value, b.Value)
		case a.Name == "dice" && len(a.Value.List) == len(b.Value.List):
			for j := range a.Value.List {
				count(a.Value.List[j], b.Value.List[j])
			}
		}
	}
	return n
}

// commonest pairs what two lists have in common, in their order.
func commonest(was, is []game.News) [][2]int {
	key := func(t game.News) string {
		t.Number = 0
		text, err := json.Marshal(t)
		if err != nil { // phrases are plain data
			panic(err)
		}
		return string(text)
	}
	a, b := make([]string, len(was)), make([]string, len(is))
	for i, t := range was {
		a[i] = key(t)
	}
	for i, t := range is {
		b[i] = key(t)
	}
	longest := make([][]int, len(a)+1)
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	var pairs [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

package adjudicator

import (
	"encoding/json"
	"maps"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/past"
	"berthier/engine"
	"berthier/orders/phrase"
)

// A hearer is a player as a ruling found him: what he had been told until then.
type hearer struct {
	side engine.Side // the seat that he had
	most int         // the highest number ever given to an event of his: none is given twice
	old  []past.Told
}

// hearers notes what each player has been told of the stops that led here.
func (d *desk) hearers() (map[*game.Seat]*hearer, error) {
	trail, err := d.past.Branch()
	if err != nil {
		return nil, err
	}
	all := map[*game.Seat]*hearer{}
	for _, s := range d.Game.Seats {
		h := &hearer{side: s.Side, most: s.Events}
		if h.old, err = d.past.Told(s, trail, 0); err != nil {
			return nil, err
		}
		all[s] = h
	}
	return all, nil
}

// pronounced is what is told of a ruling, or a rewind, besides what happened by it.
type pronounced struct {
	act     *act
	plan    *plan
	commit  string   // of a new seed; "" if there is none
	opened  []uint64 // disputes
	settled []uint64
	before  engine.Position // that the ruling changed; nil if it changed none by itself
	after   engine.Position
}

// retell puts together what each player is told: that there was a ruling, what it
// changed, as far as he may know it, which events that he knows of are undone, and
// those that took their place. Events that came out for him as before keep their
// numbers and are not told again. Of a ruling that changes nothing nobody is told but
// who disputes what it is about: it would tell the others that he does.
func (d *desk) retell(v *pronounced, heard map[*game.Seat]*hearer, out *acted) error {
	trail, err := d.past.Branch()
	if err != nil {
		return err
	}
	still, err := d.still(v.act)
	if err != nil {
		return err
	}
	for _, s := range d.Game.Seats {
		h := heard[s]
		if still && !d.hisDispute(s, v.settled) && !d.hisDispute(s, v.opened) && v.act.Tell == "" {
			continue
		}
		now, err := d.past.Told(s, trail, 0)
		if err != nil {
			return err
		}
		all := append(d.sayPronounced(s, h, v, still), d.sayChanged(s, v)...)
		c := compareChapters(h.old, now, s.Upto, h.most)
		for _, die := range c.dice {
			all = append(all, game.News{Say: die})
		}
		if len(c.undone) > 0 {
			all = append(all, game.News{Say: sayUndone(c.undone)})
		}
		if v.commit != "" {
			all = append(all, game.News{Say: phrase.Say("office.ruled.seed", phrase.Literal("commitment", v.commit))})
		}
		all = append(all, c.fresh...)
		s.Events = c.most
		for _, seq := range slices.Sorted(maps.Keys(c.numbers)) {
			if err := d.number(seq, s.BookOf(), c.numbers[seq]); err != nil {
				return err
			}
		}
		s.Told = all
		out.told[s] = all
	}
	return nil
}

// number notes the numbers of what a player was told by a stop, beside the position
// after it.
func (d *desk) number(seq uint64, book engine.Side, numbers []int) error {
	i := slices.IndexFunc(d.Checkpoints, func(m log.Checkpoint) bool { return m.Seq == seq })
	if i < 0 { // it was resolved earlier, and has happened again
		m, err := d.past.Checkpoint(seq)
		if err != nil {
			return err
		}
		d.Checkpoints, i = append(d.Checkpoints, *m), len(d.Checkpoints)
	}
	all := maps.Clone(d.Checkpoints[i].Numbers)
	if all == nil {
		all = map[engine.Side][]int{}
	}
	all[book] = numbers
	d.Checkpoints[i].Numbers = all
	return nil
}

// sayPronounced tells a player that there was a ruling, and what it means for him.
func (d *desk) sayPronounced(s *game.Seat, h *hearer, v *pronounced, still bool) []game.News {
	a, p := v.act, v.plan
	all := []game.News{{Say: phrase.Say("office.ruled.what-"+rulingOrRewind(a), phrase.Literal("tell", a.Tell))}}
	switch his := d.hisDispute(s, v.settled); {
	case his && still:
		all = append(all, game.News{Say: phrase.Say("office.ruled.stands")})
	case his:
		all = append(all, game.News{Say: phrase.Say("office.ruled.yours")})
	case d.hisDispute(s, v.opened):
		all = append(all, game.News{Say: phrase.Say("office.ruled.open-again")})
	}
	if d.operator != nil {
		all = append(all, game.News{Say: phrase.Say("office.ruled.machine", phrase.Literal("name", d.operator.named()))})
	}
	switch {
	case p.of == "" || h.side != p.of:
	case p.counts:
		all = append(all, game.News{Say: phrase.Say("office.ruled.accepted", phrase.Number("stop", p.ofStop), phrase.Literal("orders", phrase.Clip(phrase.OneLine(p.say), log.LongestReason)))})
	default:
		all = append(all, game.News{Say: phrase.Say("office.ruled.refused", phrase.Number("stop", p.ofStop))})
	}
	if a.Kind == log.ActOption {
		all = append(all, game.News{Say: phrase.Say("office.ruled.option", phrase.Literal("name", a.Option), phrase.Literal("value", a.Value))})
	}
	if s.Side != h.side {
		all = append(all, game.SayExchanged(s.Side))
	}
	return all
}

// rulingOrRewind is what players are told that it was.
func rulingOrRewind(a *act) string {
	if a.Kind == log.ActRewind {
		return "rewind"
	}
	return "ruling"
}

// sayUndone names events that are undone, runs of them by their ends.
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

// A comparison is what another course of events is for a player who knows an earlier
// one.
type comparison struct {
	undone  []int            // numbers of events that he was told and that no longer happened
	fresh   []game.News      // what he has not been told
	numbers map[uint64][]int // of the events of each chapter, by its entry
	dice    []phrase.Phrase  // that fell otherwise, of those that he was told
	most    int              // the highest number given
}

// compareChapters compares what a player was told, in reports up to a log entry, with
// what he would be told now. An event that is the same, at the same stop, keeps its
// number; every other one gets a new number.
func compareChapters(old, now []past.Told, upto uint64, most int) comparison {
	c := comparison{numbers: map[uint64][]int{}, most: most}
	done := map[int]bool{}
	for i := range now {
		n := &now[i]
		j := slices.IndexFunc(old, func(o past.Told) bool { return o.Stop == n.Stop })
		var before past.Told
		if j >= 0 {
			before, done[n.Stop] = old[j], true
		}
		c.chapter(before, n, before.Seq <= upto)
	}
	for _, o := range old {
		if !done[o.Stop] && o.Seq <= upto {
			c.undo(o.News)
		}
	}
	return c
}

// chapter compares how a stop was resolved before and now.
func (c *comparison) chapter(before past.Told, now *past.Told, known bool) {
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

// fallen finds the dice that fell otherwise with the same orders. The player is told of
// those alone that an event showed him and that one in its place shows him again.
func (c *comparison) fallen(was, is []engine.Roll, gone, all []game.News, kept map[int]bool) {
	for i := range min(len(was), len(is)) {
		if was[i].Sides != is[i].Sides || was[i].Result == is[i].Result {
			continue
		}
		for _, o := range gone {
			j := slices.IndexFunc(all, func(n game.News) bool {
				return n.Number > 0 && o.Number > 0 && n.Clause == o.Clause && showsDie(o.Say, n.Say, was[i].Result, is[i].Result)
			})
			if j < 0 || kept[j] {
				continue
			}
			c.dice = append(c.dice, phrase.Say("office.ruled.die", phrase.Number("event", o.Number), phrase.Number("was", was[i].Result),
				phrase.Number("is", is[i].Result), phrase.Number("now", all[j].Number)))
			break
		}
	}
}

// showsDie tells whether two events of the same kind, about the same things, show a die
// that has one result in the first and another in the second. An event shows dice in
// places that are called die or dice.
func showsDie(old, now phrase.Phrase, was, is int) bool {
	if old.Code != now.Code || len(old.Args) != len(now.Args) {
		return false
	}
	shown := false
	for i, a := range old.Args {
		b := now.Args[i]
		switch {
		case a.Name != b.Name || a.Value.Kind != b.Value.Kind || a.Value.Text != b.Value.Text:
			return false
		case a.Name == "die":
			shown = shown || a.Value.Num == was && b.Value.Num == is
		case a.Name == "dice" && len(a.Value.List) == len(b.Value.List):
			for j := range a.Value.List {
				shown = shown || a.Value.List[j].Num == was && b.Value.List[j].Num == is
			}
		}
	}
	return shown
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

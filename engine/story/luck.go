package story

import (
	"cmp"
	"slices"

	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// A draw is dice of one kind that one side rolled.
type draw struct {
	who  phrase.Value
	what phrase.Phrase
	at   phrase.Value  // where, of the dice of a battle
	hour phrase.Phrase // and when
	turn int
	dice []Dice
	good int

	order int // of its side
}

// add adds dice.
func (d *draw) add(n, need, good int) {
	d.good += good
	i := slices.IndexFunc(d.dice, func(of Dice) bool { return of.Need == need })
	if i < 0 {
		i = len(d.dice)
		d.dice = append(d.dice, Dice{Need: need, Faces: engine.Faces})
	}
	d.dice[i].Rolled += n
}

// rolled is how many dice there were.
func (d *draw) rolled() int {
	n := 0
	for _, of := range d.dice {
		n += of.Rolled
	}
	return n
}

// draws adds up the dice of a game by who rolled them and for what; if battles, the fire
// alone, by where and in which turn.
func (c *course) draws(battles bool) []*draw {
	var all []*draw
	add := func(what phrase.Phrase, who phrase.Value, f *engine.Fact, hour engine.Hour, n, need, good int) {
		of := draw{who: who, what: what}
		if battles {
			of.at, of.hour, of.turn = f.At, hour.Name, hour.Turn
		}
		i := slices.IndexFunc(all, func(d *draw) bool {
			return d.who.Text == of.who.Text && d.what.Code == of.what.Code && d.at.Text == of.at.Text && d.turn == of.turn
		})
		if i < 0 {
			i = len(all)
			of.order = i
			if j := slices.IndexFunc(all, func(d *draw) bool { return d.who.Text == of.who.Text }); j >= 0 {
				of.order = all[j].order
			}
			all = append(all, &of)
		}
		all[i].add(n, min(max(need, 0), engine.Faces), good)
	}
	for i, facts := range c.facts {
		for j := range facts {
			f := &facts[j]
			if f.Dice > 0 {
				add(phrase.Say("story.luck.fire"), f.By, f, c.hours[i][j], f.Dice, f.Need, f.Hits)
			}
			for _, t := range f.Tests {
				if t.Dice > 0 && !battles {
					add(t.What, t.By, f, c.hours[i][j], t.Dice, t.Need, t.Good)
				}
			}
		}
	}
	return all
}

// Where more kinds of dice than manyDraws were rolled, those of fewer than fewDice are left to the table.
const (
	manyDraws = 8
	fewDice   = 4
)

// luck tells what dice brought against what was to be expected, by side and kind, and then
// the fire by battle, which reports leave to the attachment.
func (c *course) luck() engine.Section {
	section := engine.Section{Heading: phrase.Say("story.luck.heading")}
	all := c.draws(false)
	if len(all) == 0 {
		section.Gist = []phrase.Phrase{phrase.Say("story.luck.none")}
		return section
	}
	slices.SortStableFunc(all, func(a, b *draw) int { return cmp.Compare(a.order, b.order) }) // side by side
	for _, d := range all {
		if len(all) <= manyDraws || d.rolled() >= fewDice { // where there are many kinds of dice, a few tell nothing
			section.Gist = append(section.Gist, phrase.Say("story.luck.line", d.said()...))
		}
	}
	section.Gist = append(section.Gist, phrase.Say("story.luck.what"))
	table := engine.Table{Caption: phrase.Say("story.luck.battles"), Head: []engine.Column{
		{Head: phrase.Say("story.luck.battle")}, {Head: phrase.Say("story.luck.side")}, {Head: phrase.Say("story.luck.dice"), Right: true},
		{Head: phrase.Say("story.luck.hits"), Right: true}, {Head: phrase.Say("story.luck.expected"), Right: true}, {Head: phrase.Say("story.luck.games")},
	}}
	for _, d := range c.draws(true) {
		args := d.said()
		where := []phrase.Arg{phrase.Within("when", d.hour)}
		if !sheet.Blank(d.at) {
			where = append(where, sheet.Filled("at", d.at))
		}
		table.Rows = append(table.Rows, []phrase.Value{
			sheet.Phrase("story.luck.where", where...), d.who, sheet.Number(d.rolled()), sheet.Number(d.good),
			sheet.Phrase("story.luck.tenths", args...), sheet.Phrase("story.luck.share", args...),
		})
	}
	if len(table.Rows) > 0 {
		section.Tables = []engine.Table{table}
	}
	return section
}

// expected fills in how many good dice were to be expected, to a tenth.
func expected(all ...Dice) []phrase.Arg {
	n := tenths(all)
	return []phrase.Arg{phrase.Number("whole", n/10), phrase.Number("tenth", n%10)}
}

// said fills in what the dice brought, what was to be expected, and in which share of games
// it comes like that.
func (d *draw) said() []phrase.Arg {
	args := []phrase.Arg{sheet.Filled("who", d.who), phrase.Within("what", d.what), phrase.Number("dice", d.rolled()), phrase.Number("good", d.good)}
	args = append(args, expected(d.dice...)...)
	switch games, better := Odds(d.dice, d.good); {
	case games == 0:
	case better:
		args = append(args, phrase.Number("better", games))
	default:
		args = append(args, phrase.Number("worse", games))
	}
	return args
}

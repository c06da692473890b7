package story

import (
	"cmp"
	"reflect"
	"slices"

	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// How much the course of a game tells.
const (
	mostDays    = 8 // sentences, one a day
	mostOfPlace = 2 // clauses
	mostTurning = 2 // turning points
)

// A Moment is a step of a game as one reader knows it: what he was told, and how the game
// stood after it, as all knew. For a player in a running game a step goes from report to
// report: were it from stop to stop, it would tell when others were asked.
type Moment struct {
	Told  []phrase.Phrase
	After engine.Tally
}

// A course is a game as one reader knows it.
type course struct {
	rules   engine.Chronicled
	began   engine.Tally
	moments []Moment
	facts   [][]engine.Fact // of each moment
	hours   [][]engine.Hour // in which each fact happened
}

// Course tells how a game went, from what a side was told and from what is public: its days,
// what was lost and held turn by turn, where it turned, and who had luck. Of a game that has
// not begun it tells nothing.
func Course(rules engine.Chronicled, side engine.Side, began engine.Tally, moments []Moment) []engine.Section {
	c := course{rules: rules, began: began, moments: moments}
	var whole []engine.Fact // a battle goes on over many steps, and only its first event may say where
	for _, m := range moments {
		for _, say := range m.Told {
			whole = append(whole, rules.Recount(side, say))
		}
	}
	place(whole, parts(whole), phrase.Value{})
	hour := began.Hour
	for _, m := range moments {
		facts := whole[:len(m.Told):len(m.Told)]
		whole = whole[len(m.Told):]
		hours := make([]engine.Hour, len(facts))
		for i := range facts {
			if facts[i].Begins.Turn > 0 {
				hour = facts[i].Begins
			}
			hours[i] = hour
		}
		if m.After.Hour.Turn > 0 {
			hour = m.After.Hour
		}
		c.facts, c.hours = append(c.facts, facts), append(c.hours, hours)
	}
	var all []engine.Section
	for _, section := range []engine.Section{c.days(), c.losses(), c.turning(), c.luck()} {
		if !section.Heading.IsZero() {
			all = append(all, section)
		}
	}
	return all
}

// places are where a sentence tells of what happened somewhere.
var places = [...]string{"first", "second"}

// weightiestPlaces tells of the weightiest places, at most so many.
func weightiestPlaces(facts []engine.Fact, most int) (all []phrase.Phrase) {
	for _, s := range scenesOf(facts) {
		clauses := s.weightiest(mostOfPlace)
		if len(clauses) == 0 || len(all) == most {
			continue
		}
		args := []phrase.Arg{sheet.Filled("clauses", sheet.List(clauses...))}
		if !sheet.Blank(s.at) {
			args = append(args, sheet.Filled("at", s.at))
		}
		all = append(all, phrase.Say("story.course.place", args...))
	}
	return all
}

// A day is what happened on it.
type day struct {
	name   phrase.Phrase
	facts  []engine.Fact
	weight int
}

// days tells each day in a sentence: its weightiest places. What it cost stands below it.
func (c *course) days() engine.Section {
	var all []*day
	for i, facts := range c.facts {
		for j := range facts {
			name := c.hours[i][j].Day
			if name.IsZero() {
				continue
			}
			if len(all) == 0 || !reflect.DeepEqual(all[len(all)-1].name, name) {
				all = append(all, &day{name: name})
			}
			d := all[len(all)-1]
			d.facts = append(d.facts, facts[j])
			d.weight = max(d.weight, facts[j].Weight+facts[j].Lost)
		}
	}
	if len(all) == 0 {
		return engine.Section{}
	}
	if len(all) > mostDays { // the weightiest, in their order
		by := slices.Clone(all)
		slices.SortStableFunc(by, func(a, b *day) int { return cmp.Compare(b.weight, a.weight) })
		all = slices.DeleteFunc(all, func(d *day) bool { return !slices.Contains(by[:mostDays], d) })
	}
	section := engine.Section{Heading: phrase.Say("story.course.days")}
	for _, d := range all {
		section.Gist = append(section.Gist, d.sentence())
	}
	return section
}

// sentence tells a day.
func (d *day) sentence() phrase.Phrase {
	args := []phrase.Arg{phrase.Within("day", d.name)}
	for i, say := range weightiestPlaces(d.facts, len(places)) {
		args = append(args, phrase.Within(places[i], say))
	}
	return phrase.Say("story.course.day", args...)
}

// weightiest are so many clauses of what happened at a place, in their order: the weightiest
// of them, of equal ones the later, which says how it ended.
func (s *scene) weightiest(most int) []phrase.Value {
	said := make([]int, 0, len(s.facts))
	for i := range s.facts {
		say := s.facts[i].Say
		if !say.IsZero() && !slices.ContainsFunc(said, func(j int) bool { return s.facts[j].Say.Equal(say) }) {
			said = append(said, i)
		}
	}
	slices.SortStableFunc(said, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.facts[b].Weight, s.facts[a].Weight), cmp.Compare(b, a))
	})
	// Of what is said twice the later holds: who held a town in the morning may have lost it.
	kinds := map[string]bool{}
	said = slices.DeleteFunc(said, func(i int) bool {
		code := s.facts[i].Say.Code
		again := kinds[code]
		kinds[code] = true
		return again
	})
	said = said[:min(len(said), most)]
	slices.Sort(said)
	var all []phrase.Value
	for _, i := range said {
		all = append(all, sheet.Said(s.facts[i].Say))
	}
	return all
}

// change is how many units were lost between two tallies, and how many holdings won or lost:
// what goes from one to another counts once.
func change(was, is engine.Tally) int {
	lost, held := 0, 0
	for i, p := range is.Parties {
		before := partyOf(was, i)
		lost += distance(p.Lost, before.Lost)
		held += distance(p.Held, before.Held)
	}
	return lost + (held+1)/2
}

func partyOf(t engine.Tally, i int) engine.Party {
	if i < len(t.Parties) {
		return t.Parties[i]
	}
	return engine.Party{}
}

func distance(a, b int) int { return max(a, b) - min(a, b) }

// turning tells the steps after which most units were gone, or most had changed hands.
func (c *course) turning() engine.Section {
	type point struct {
		at, change, weight int
		was                engine.Tally
	}
	var all []point
	was := c.began
	for i, m := range c.moments {
		if m.After.Hour.Turn == 0 {
			continue
		}
		if n := change(was, m.After); n > 0 && was.Hour.Turn > 0 {
			p := point{at: i, change: n, was: was}
			for _, f := range c.facts[i] {
				p.weight = max(p.weight, f.Weight)
			}
			all = append(all, p)
		}
		was = m.After
	}
	if len(all) == 0 {
		return engine.Section{}
	}
	slices.SortStableFunc(all, func(a, b point) int {
		return cmp.Or(cmp.Compare(b.change, a.change), cmp.Compare(b.weight, a.weight))
	})
	all = all[:min(len(all), mostTurning)]
	slices.SortFunc(all, func(a, b point) int { return cmp.Compare(a.at, b.at) })
	section := engine.Section{Heading: phrase.Say("story.course.turning")}
	for _, p := range all {
		section.Gist = append(section.Gist, c.turn(p.at, p.was))
	}
	return section
}

// turn tells a turning point: when it was, what happened, what it changed.
func (c *course) turn(at int, was engine.Tally) phrase.Phrase {
	is := c.moments[at].After
	args := []phrase.Arg{phrase.Within("when", was.Hour.Name)}
	for _, say := range weightiestPlaces(c.facts[at], 1) {
		args = append(args, phrase.Within("what", say))
	}
	var lost, held []phrase.Value
	for i, p := range is.Parties {
		before := partyOf(was, i)
		args := []phrase.Arg{sheet.Filled("who", p.Who)}
		if p.Lost != before.Lost {
			lost = append(lost, sheet.Phrase("story.course.changed", append(args, phrase.Number("was", before.Lost), phrase.Number("is", p.Lost))...))
		}
		if p.Held != before.Held {
			held = append(held, sheet.Phrase("story.course.changed", append(args, phrase.Number("was", before.Held), phrase.Number("is", p.Held))...))
		}
	}
	if len(lost) > 0 {
		args = append(args, sheet.Filled("lost", sheet.List(lost...)))
	}
	if len(held) > 0 {
		args = append(args, phrase.Within("holding", is.Holding), sheet.Filled("held", sheet.List(held...)))
	}
	return phrase.Say("story.course.point", args...)
}

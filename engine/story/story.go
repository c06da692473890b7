// Package story makes of the events that a seat was told what a report says of them before
// it lists them: a few sentences, the parts in which they are listed, and what each part
// comes to. It reads nothing but what was told, so it tells no more than the events do.
package story

import (
	"cmp"
	"slices"

	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// mostSentences is how many places a story tells of, and mostClauses how much of each.
const (
	mostSentences = 4
	mostClauses   = 4
)

// A Story is what a report says of events.
type Story struct {
	Sentences []phrase.Phrase
	Parts     []Part
	Own       []bool         // of each event: it tells of a loss of the reader's
	Traces    []engine.Trace // what the events leave on pictures, in their order
}

// A Part is a run of events, such as a battle turn.
type Part struct {
	From, To int             // the first event, and the one after the last
	Total    []phrase.Phrase // what its dice and losses come to
}

// Of makes the story of events that a side was told. At is where the first of them
// happened, as far as is known.
func Of(rules engine.Recounter, side engine.Side, events []phrase.Phrase, at phrase.Value) Story {
	facts := make([]engine.Fact, len(events))
	s := Story{Own: make([]bool, len(events))}
	for i, say := range events {
		facts[i] = rules.Recount(side, say)
		s.Own[i] = facts[i].Own
	}
	s.Parts = parts(facts)
	place(facts, s.Parts, at)
	for i := range s.Parts {
		p := &s.Parts[i]
		p.Total = total(facts[p.From:p.To])
	}
	for i := range facts {
		for _, t := range facts[i].Traces {
			t.At = facts[i].At.Text
			s.Traces = append(s.Traces, t)
		}
	}
	s.Sentences = sentences(facts)
	return s
}

// parts cuts events where a part opens or ends.
func parts(facts []engine.Fact) []Part {
	var all []Part
	for i := range facts {
		if i == 0 || facts[i].Opens || facts[i-1].Ends {
			all = append(all, Part{From: i})
		}
		all[len(all)-1].To = i + 1
	}
	return all
}

// place says of each event where it happened. An event that doesn't tell happened where the
// one before it did. The first part may tell it late, or the next part.
func place(facts []engine.Fact, parts []Part, at phrase.Value) {
	if len(facts) == 0 {
		return
	}
	known := func(f *engine.Fact) bool { return !sheet.Blank(f.At) }
	first := parts[0]
	if i := slices.IndexFunc(facts[first.From:first.To], func(f engine.Fact) bool { return known(&f) || f.Over }); i >= 0 {
		at = facts[i].At
	} else if len(parts) > 1 {
		if next := &facts[parts[1].From]; next.Same {
			at = next.At
		} else {
			at = phrase.Value{}
		}
	}
	for i := range facts {
		f := &facts[i]
		switch {
		case known(f):
			at = f.At
		case f.Opens:
			at = phrase.Value{}
		default:
			f.At = at
		}
		if f.Over {
			at = phrase.Value{}
		}
	}
}

// A tally is what the dice and losses of one side come to.
type tally struct {
	who                       phrase.Value
	shots, dice, sixths, hits int // sixths: hits to be expected, in sixths
	lost                      int
	own                       bool
}

// tallies adds up dice and losses by who rolled and lost them, in the order in which they
// come first.
func tallies(facts []engine.Fact) []tally {
	var all []tally
	of := func(who phrase.Value) *tally {
		i := slices.IndexFunc(all, func(t tally) bool { return t.who.Kind == who.Kind && t.who.Text == who.Text })
		if i < 0 {
			i = len(all)
			all = append(all, tally{who: who})
		}
		return &all[i]
	}
	for i := range facts {
		f := &facts[i]
		if f.Dice > 0 {
			t := of(f.By)
			t.shots++
			t.dice += f.Dice
			t.sixths += f.Dice * min(f.Need, engine.Faces)
			t.hits += f.Hits
		}
		if f.Lost > 0 {
			t := of(f.Of)
			t.lost += f.Lost
			t.own = t.own || f.Own
		}
	}
	return all
}

// total says what some events come to: one line for each side that rolled dice or lost
// anything; none if a single event tells it all.
func total(facts []engine.Fact) []phrase.Phrase {
	weighty := 0
	for i := range facts {
		if facts[i].Dice > 0 || facts[i].Lost > 0 {
			weighty++
		}
	}
	if weighty < 2 {
		return nil
	}
	all := tallies(facts)
	list := make([]phrase.Phrase, len(all))
	for i, t := range all {
		args := []phrase.Arg{sheet.Filled("who", t.who)}
		if t.dice > 0 {
			args = append(args, fire(t)...)
		}
		if t.lost > 0 {
			args = append(args, phrase.Number("lost", t.lost))
		}
		list[i] = phrase.Say("story.total", args...)
	}
	return list
}

// fire fills in what dice hit and what was to be expected, to a tenth.
func fire(t tally) []phrase.Arg {
	sixths := Dice{Rolled: t.sixths, Need: 1, Faces: engine.Faces}
	return append([]phrase.Arg{phrase.Number("dice", t.dice), phrase.Number("hits", t.hits)}, expected(sixths)...)
}

// A scene is what happened at one place.
type scene struct {
	at     phrase.Value
	facts  []engine.Fact
	weight int
}

// scenesOf gathers what happened place by place, the weightiest first.
func scenesOf(facts []engine.Fact) []scene {
	var scenes []scene
	for _, f := range facts {
		if f.Say.IsZero() && f.Dice == 0 && f.Lost == 0 {
			continue
		}
		i := slices.IndexFunc(scenes, func(s scene) bool { return s.at.Text == f.At.Text })
		if i < 0 {
			i = len(scenes)
			scenes = append(scenes, scene{at: f.At})
		}
		s := &scenes[i]
		s.facts = append(s.facts, f)
		s.weight = max(s.weight, f.Weight+f.Lost+f.Hits)
	}
	slices.SortStableFunc(scenes, func(a, b scene) int { return cmp.Compare(b.weight, a.weight) })
	return scenes
}

// sentences tells of the weightiest places, each in a sentence, and then of the marches.
func sentences(facts []engine.Fact) []phrase.Phrase {
	scenes := scenesOf(facts)
	var all []phrase.Phrase
	for i := range scenes {
		if i == mostSentences {
			break
		}
		if clauses := scenes[i].clauses(); len(clauses) > 0 {
			args := []phrase.Arg{sheet.Filled("clauses", sheet.List(clauses...))}
			switch {
			case !sheet.Blank(scenes[i].at):
				args = append(args, sheet.Filled("at", scenes[i].at))
			case i > 0 && !slices.ContainsFunc(scenes[i].facts, func(f engine.Fact) bool { return !f.Say.IsZero() }):
				args = append(args, phrase.Number("elsewhere", 1)) // losses alone, besides those of the places before
			}
			all = append(all, phrase.Say("story.place", args...))
		}
	}
	return append(all, marches(facts)...)
}

// clauses are what a sentence says of a place: the weightiest of what happened, in its
// order, the fire among it, and then what it cost.
func (s *scene) clauses() []phrase.Value {
	s.gather()
	said := make([]int, 0, len(s.facts))
	for i := range s.facts {
		if !s.facts[i].Say.IsZero() {
			said = append(said, i)
		}
	}
	slices.SortStableFunc(said, func(a, b int) int { return cmp.Compare(s.facts[b].Weight, s.facts[a].Weight) })
	said = said[:min(len(said), mostClauses)]
	slices.Sort(said)
	var all []phrase.Value
	fires := func() {
		for _, t := range tallies(s.facts) {
			if t.dice > 0 {
				all = append(all, sheet.Phrase("story.fires", sheet.Filled("who", t.who), phrase.Number("dice", t.dice), phrase.Number("hits", t.hits)))
			}
		}
	}
	first, told := slices.IndexFunc(s.facts, func(f engine.Fact) bool { return f.Dice > 0 }), false
	for _, i := range said {
		if !told && first >= 0 && i > first { // in the order in which it happened
			fires()
			told = true
		}
		all = append(all, sheet.Said(s.facts[i].Say))
	}
	if !told {
		fires()
	}
	for _, t := range tallies(s.facts) {
		switch {
		case t.lost > 0 && t.own:
			all = append(all, sheet.Phrase("story.you-lose", phrase.Number("n", t.lost)))
		case t.lost > 0:
			all = append(all, sheet.Phrase("story.loses", sheet.Filled("who", t.who), phrase.Number("n", t.lost)))
		}
	}
	return all
}

// mostRepeated is how many clauses may come again together: an attack and what became of it are two.
const mostRepeated = 3

// gather says once what comes several times: clauses that differ in how many alone (their place n) are
// added up in the first of them, and clauses that come again at once, alone or a few together,
// are left out.
func (s *scene) gather() {
	var said []int
	for i := range s.facts {
		say := s.facts[i].Say
		if say.IsZero() {
			continue
		}
		if first := slices.IndexFunc(said, func(j int) bool { return addable(s.facts[j].Say, say) }); first >= 0 {
			s.facts[said[first]].Say = added(s.facts[said[first]].Say, say)
			s.facts[i].Say = phrase.Phrase{}
			continue
		}
		said = append(said, i)
		for k := 1; k <= mostRepeated && 2*k <= len(said); k++ {
			again, before := said[len(said)-k:], said[len(said)-2*k:len(said)-k]
			if slices.EqualFunc(again, before, func(a, b int) bool { return s.facts[a].Say.Equal(s.facts[b].Say) }) {
				for _, j := range again {
					s.facts[j].Say = phrase.Phrase{}
				}
				said = said[:len(said)-k]
				break
			}
		}
	}
}

// addable tells whether two clauses say the same of a number of things, which may be another.
func addable(a, b phrase.Phrase) bool {
	return a.Code == b.Code && slices.ContainsFunc(a.Args, counts) && slices.EqualFunc(a.Args, b.Args, func(x, y phrase.Arg) bool {
		return x.Name == y.Name && (counts(x) || x.Value.Equal(y.Value))
	})
}

// counts tells whether a place of a clause is filled by how many things it tells of.
func counts(a phrase.Arg) bool { return a.Name == "n" }

// added is a clause that tells of as many things as it does and another does.
func added(a, b phrase.Phrase) phrase.Phrase {
	args := slices.Clone(a.Args)
	for i := range args {
		if counts(args[i]) {
			args[i].Value.Num += b.Args[i].Value.Num
		}
	}
	a.Args = args
	return a
}

// marches tells how many units of each side marched.
func marches(facts []engine.Fact) []phrase.Phrase {
	var all []phrase.Value
	var who []phrase.Value
	n := map[string]int{}
	for i := range facts {
		f := &facts[i]
		if f.Units == 0 {
			continue
		}
		if n[f.Marched.Text] == 0 {
			who = append(who, f.Marched)
		}
		n[f.Marched.Text] += f.Units
	}
	for _, w := range who {
		all = append(all, sheet.Phrase("story.marched", sheet.Filled("who", w), phrase.Number("n", n[w.Text])))
	}
	if len(all) == 0 {
		return nil
	}
	return []phrase.Phrase{phrase.Say("story.marches", sheet.Filled("clauses", sheet.List(all...)))}
}

// Package choices writes down for programs how a decision may be answered: what was chosen
// so far, what may be chosen next, and the orders that come of it. Programs and pages on
// which a player clicks his orders together need nothing else.
//
// Nothing is kept between two questions: the program gives back what was chosen with the
// next question. Everything comes from the side's view, by [engine.Chooser], so that it
// tells nothing that the template of the decision may not tell.
package choices

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Choice is one thing that may be chosen, or that was chosen. Two choices are the same if
// they have the same keys "of", "what" and "value".
type Choice struct {
	// Of is whom or what it is about, as order files name it; "" for the decision as a
	// whole.
	Of string `json:"of"`
	// What says what is chosen for it.
	What string `json:"what"`
	// Low and High are the bounds of a whole number that is to be chosen, both included.
	// They stand only at a choice that may be made, and only if it is a number.
	Low  *int `json:"low,omitempty"`
	High *int `json:"high,omitempty"`
	// Value is the number that was chosen. It stands only at a choice that was made.
	Value *int `json:"value,omitempty"`
	// Next says of which of the questions that follow at once the choice is, from 1; it is left
	// out at the choices of the decision that is owed.
	Next int `json:"next,omitempty"`
	// Text is how the order file that a player is sent offers the choice. It is left out
	// where that file does not offer it: mostly for choices that are open only after others.
	Text string `json:"text,omitempty"`
}

// offered is a choice as it stands in a list of those that may be made.
func offered(c engine.Choice) Choice {
	o := Choice{Of: c.Of, What: c.What, Text: c.Shown}
	if c.Measure {
		o.Low, o.High = &c.Low, &c.High
	}
	return o
}

// made is a choice as it stands in a list of those that were made.
func made(c engine.Choice) Choice {
	m := Choice{Of: c.Of, What: c.What}
	if c.Measure {
		m.Value = &c.Value
	}
	return m
}

// String tells a choice on a line.
func (c Choice) String() string {
	text := c.What
	switch {
	case c.Value != nil:
		text += " " + strconv.Itoa(*c.Value)
	case c.Low != nil && c.High != nil:
		text += fmt.Sprintf(" %d..%d", *c.Low, *c.High)
	}
	if c.Of == "" {
		return text
	}
	return c.Of + ": " + text
}

// A Sheet says how a decision may be answered after some choices.
type Sheet struct {
	Game   string `json:"game,omitempty"` // the game's id; left out for a position that is no game of the office
	System string `json:"system"`         // the ruleset
	Seat   string `json:"seat"`           // who decides
	Stop   int    `json:"stop,omitempty"` // the number of the decision, as the seat counts; left out as game is
	Kind   string `json:"kind"`           // of the decision, such as battle-turn
	At     string `json:"at,omitempty"`   // what it is about, if anything in particular, such as a town

	// Made lists the choices that were given, in their order.
	Made []Choice `json:"made"`
	// Choices lists what may be chosen next, each choice once. None: everything is chosen.
	Choices []Choice `json:"choices"`
	// Filled lists the choices that the file holds besides those made: what these leave
	// open although the rules want an answer. If nothing was chosen the file is the default,
	// and everything that it says stands here.
	Filled []Choice `json:"filled"`
	// Complete tells that nothing had to be filled in.
	Complete bool `json:"complete"`
	// File is the order file for the choices made, which is always legal.
	File string `json:"file"`
	// Next lists the questions that follow at once if the file is sent: the first of them, and
	// after each for which choices were made the one behind it. What is chosen for them stands
	// in the file under ahead. It is left out if something comes in between.
	Next []Following `json:"next,omitempty"`
}

// A Following is a question that follows at once, with nothing in between, and may be answered
// in the same file. If nothing is chosen for it, it is asked by itself when its time has come.
type Following struct {
	Kind     string   `json:"kind"`
	At       string   `json:"at,omitempty"`
	Made     []Choice `json:"made"`
	Choices  []Choice `json:"choices"`
	Filled   []Choice `json:"filled"`
	Complete bool     `json:"complete"`
}

// byDefault is the choice that files the default for a question that follows: to choose nothing
// of it leaves the question open.
var byDefault = engine.Choice{What: "default"}

// A Rules is a ruleset of which this package can ask.
type Rules interface {
	engine.Ruleset
	engine.Chooser
}

// A Question asks how a decision may be answered.
type Question struct {
	Rules    Rules
	View     engine.View // of the side that decides
	Decision engine.Decision
	Made     []Made
	Head     *orders.Node // what the order file says above its orders; nil for nothing
}

// mostFaults are told of one list of choices.
const mostFaults = 20

// Ask answers the question. The problems name choices that are not offered after the
// choices before them; such a choice is left out when the choices behind it are judged.
func (q Question) Ask() (*Sheet, orders.Problems) {
	a, faults := q.part(0)
	row := orders.Items()
	var next []Following
	view, d, last, asked := q.View, q.Decision, a.answer, 0
	for last != nil {
		then, ok := engine.Follow(q.Rules, view, d, last)
		if !ok {
			break
		}
		asked++
		b, wrong := Question{Rules: q.Rules, View: then.View, Decision: then.Decision, Made: q.Made}.part(asked)
		faults = append(faults, wrong...)
		next = append(next, Following{then.Decision.Kind, then.Decision.At, b.marked(b.made, asked), b.marked(b.choices, asked), b.marked(b.filled, asked), len(b.filled) == 0})
		if len(b.made) == 0 {
			break
		}
		row.Add(orders.Mapping().Set(then.Decision.Kind, b.orders()))
		view, d, last = then.View, then.Decision, b.answer
	}
	for _, m := range q.Made {
		if m.Next < 0 || m.Next > asked && len(faults) == 0 {
			faults = append(faults, m.fault(phrase.Say("choices.no-next", phrase.Number("next", m.Next)), phrase.Say("choices.no-next-do")))
		}
	}
	if len(faults) > 0 {
		slices.SortStableFunc(faults, func(a, b orders.Problem) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		return nil, faults[:min(len(faults), mostFaults)]
	}
	return &Sheet{
		Seat: string(q.Decision.Side), Kind: q.Decision.Kind, At: q.Decision.At,
		Made: a.made, Choices: a.choices, Filled: a.filled,
		Complete: len(a.filled) == 0, File: q.file(a.answer, row), Next: next,
	}, nil
}

// A part is what was chosen for one question, and what comes of it.
type part struct {
	made, choices, filled []Choice
	answer                engine.Answer
	word                  bool // the default was chosen, whatever it will be
}

// part judges the choices that were made for the question, which is the one that is owed, or of
// those that follow the one of a number.
func (q Question) part(number int) (p part, faults orders.Problems) {
	var chosen []engine.Choice
	next := q.Rules.Choices(q.View, q.Decision, nil)
	offers := func() {
		if number > 0 && len(chosen) == 0 && !engine.Offered(next, byDefault) {
			next = append(next, byDefault)
		}
	}
	offers()
	for _, m := range q.Made {
		if m.Next != number {
			continue
		}
		if fault, bad := m.judge(next); bad {
			if faults = append(faults, fault); len(faults) == mostFaults {
				break
			}
			continue
		}
		if number > 0 && len(chosen) == 0 && m.Same(byDefault) {
			p.word = !engine.Offered(q.Rules.Choices(q.View, q.Decision, nil), byDefault)
		}
		if chosen = append(chosen, m.Choice); p.word {
			next = nil
			continue
		}
		next = q.Rules.Choices(q.View, q.Decision, chosen)
	}
	if len(faults) > 0 {
		return part{}, faults
	}
	if p.made, p.choices, p.filled = each(chosen, made), each(next, offered), []Choice{}; p.word {
		p.answer = q.Rules.Default(q.View, q.Decision)
		return p, nil
	}
	p.answer = q.Rules.Compose(q.View, q.Decision, chosen)
	filled := q.Rules.Chosen(q.View, q.Decision, p.answer)
	for _, c := range chosen {
		if i := slices.IndexFunc(filled, c.Same); i >= 0 {
			filled = slices.Delete(filled, i, i+1)
		}
	}
	p.filled = each(filled, made)
	return p, nil
}

// orders is what the file says ahead of a question that follows.
func (p part) orders() *orders.Node {
	if p.word {
		return orders.Text(byDefault.What)
	}
	return p.answer.Orders().Get("orders")
}

// marked marks choices as those of a question that follows.
func (part) marked(all []Choice, number int) []Choice {
	for i := range all {
		all[i].Next = number
	}
	return all
}

// file writes the order file of an answer, and of those to the questions that follow.
func (q Question) file(answer engine.Answer, row *orders.Node) string {
	file := orders.Mapping()
	if q.Head != nil {
		file = q.Head.Clone()
	}
	file.Set("orders", answer.Orders().Get("orders"))
	if len(row.Items) > 0 {
		file.Set("ahead", orders.Mapping().Set(shape.Next, row))
	}
	return file.Encode()
}

// judge tells what is wrong with a choice where only the given ones may be made.
func (m Made) judge(next []engine.Choice) (orders.Problem, bool) {
	if engine.Offered(next, m.Choice) {
		return orders.Problem{}, false
	}
	say := func(code string) phrase.Phrase {
		return phrase.Say(code, phrase.Literal("choice", made(m.Choice).String()))
	}
	of := which(next, func(c engine.Choice) bool { return c.Of == m.Of })
	alike := which(of, func(c engine.Choice) bool { return c.What == m.What })
	switch {
	case len(alike) > 0 && !alike[0].Measure:
		return m.fault(say("choices.value"), phrase.Say("choices.value-do")), true
	case len(alike) > 0 && !m.Measure:
		return m.fault(say("choices.no-value"), phrase.Say("choices.no-value-do", phrase.Literal("offered", tell(alike)))), true
	case len(alike) > 0:
		return m.fault(say("choices.out-of-bounds"), phrase.Say("choices.offered", phrase.Literal("offered", tell(alike)))), true
	case len(next) == 0:
		return m.fault(say("choices.not-offered"), phrase.Say("choices.nothing-more")), true
	case len(of) > 0:
		return m.fault(say("choices.not-offered"), phrase.Say("choices.offered", phrase.Literal("offered", tell(of)))), true
	}
	var names []string
	for _, c := range next {
		if c.Of != "" && !slices.Contains(names, c.Of) {
			names = append(names, c.Of)
		}
	}
	if len(names) == 0 {
		return m.fault(say("choices.not-offered"), phrase.Say("choices.offered", phrase.Literal("offered", tell(next)))), true
	}
	return m.fault(say("choices.not-offered"), phrase.Say("choices.offered-of", phrase.Literals("names", names))), true
}

// which gives those choices of a list for which a condition holds.
func which(list []engine.Choice, holds func(engine.Choice) bool) []engine.Choice {
	var some []engine.Choice
	for _, c := range list {
		if holds(c) {
			some = append(some, c)
		}
	}
	return some
}

// each changes all items of a list. The list is never nil, so that it is [] in JSON.
func each[A, B any](list []A, do func(A) B) []B {
	all := make([]B, 0, len(list))
	for _, one := range list {
		all = append(all, do(one))
	}
	return all
}

// mostTold choices are told in a remedy.
const mostTold = 12

// tell writes choices that may be made on one line.
func tell(list []engine.Choice) string {
	more := ""
	if len(list) > mostTold {
		list, more = list[:mostTold], "; …"
	}
	texts := make([]string, len(list))
	for i, c := range list {
		texts[i] = offered(c).String()
	}
	return strings.Join(texts, "; ") + more
}

// Package choices writes down for programs how a decision may be answered: what was chosen
// so far, what may be chosen next, and the orders that come of it. Programs and pages on
// which a player clicks his orders together need nothing else.
//
// Nothing is kept between two questions: the program gives back what was chosen with the
// next question. Everything comes from the side's view, by [engine.Chooser], so that it
// tells nothing that the template of the decision may not tell.
package choices

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
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
}

// A Question asks how a decision may be answered.
type Question struct {
	Rules    engine.Chooser
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
	var (
		chosen []engine.Choice
		faults orders.Problems
	)
	next := q.Rules.Choices(q.View, q.Decision, nil)
	for _, m := range q.Made {
		if fault, bad := m.judge(next); bad {
			if faults = append(faults, fault); len(faults) == mostFaults {
				break
			}
			continue
		}
		chosen = append(chosen, m.Choice)
		next = q.Rules.Choices(q.View, q.Decision, chosen)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	answer := q.Rules.Compose(q.View, q.Decision, chosen)
	filled := q.Rules.Chosen(q.View, q.Decision, answer)
	for _, c := range chosen {
		if i := slices.IndexFunc(filled, c.Same); i >= 0 {
			filled = slices.Delete(filled, i, i+1)
		}
	}
	return &Sheet{
		Seat: string(q.Decision.Side), Kind: q.Decision.Kind, At: q.Decision.At,
		Made: each(chosen, made), Choices: each(next, offered), Filled: each(filled, made),
		Complete: len(filled) == 0, File: q.file(answer),
	}, nil
}

// file writes the order file of an answer.
func (q Question) file(answer engine.Answer) string {
	file := orders.Mapping()
	if q.Head != nil {
		file = q.Head.Clone()
	}
	return file.Set("orders", answer.Orders().Get("orders")).Encode()
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

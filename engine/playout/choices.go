package playout

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"berthier/engine"
	"berthier/orders"
)

// choices checks the choices that a ruleset lists for a decision: that the template
// offers what may be chosen, that what is offered is accepted, even after other choices,
// and that what is accepted was offered.
func (c Properties) choices(rules engine.Chooser, view engine.View, d engine.Decision, template string, answers []engine.Answer, chance *rand.Rand) error {
	first := rules.Choices(view, d, nil)
	offered := unwrapped(template)
	for i, choice := range first {
		switch {
		case engine.Offered(first[:i], choice.At(choice.Low)) && choice.Measure, !choice.Measure && engine.Offered(first[:i], choice):
			return fmt.Errorf("choice %+v is listed twice", choice)
		case choice.Measure && choice.Low > choice.High:
			return fmt.Errorf("choice %+v has no value", choice)
		case !strings.Contains(offered, unwrapped(choice.Shown)):
			return fmt.Errorf("choice %+v is not in the template\n%s", choice, template)
		}
	}
	none := rules.Compose(view, d, nil)
	if a, b := choiceText(none), choiceText(c.Rules.Default(view, d)); a != b {
		return fmt.Errorf("nothing chosen means\n%snot the default\n%s", a, b)
	}
	for _, a := range answers {
		if _, err := c.accepts(view, d, a.Orders().Encode()); err != nil {
			return fmt.Errorf("an answer: %w", err)
		}
		if c.isKnown(d, template, a) {
			continue
		}
		if _, err := takesApart(rules, view, d, a, c.Long); err != nil {
			return err
		}
	}
	for range c.Choices {
		made, list := []engine.Choice(nil), first
		for range 1 + chance.IntN(1+c.Deep) {
			if len(list) == 0 {
				break
			}
			made = append(made, drawn(list[chance.IntN(len(list))], chance))
			answer := rules.Compose(view, d, made)
			read, err := c.accepts(view, d, answer.Orders().Encode())
			if err != nil {
				return fmt.Errorf("choices %s: %w", tell(made), err)
			}
			found, err := TakesApart(rules, view, d, read)
			if err != nil {
				return fmt.Errorf("choices %s: %w", tell(made), err)
			}
			for _, choice := range made {
				if !hasChoice(found, choice) {
					return fmt.Errorf("choice %+v was made and is not in the answer, which holds %s\n%s", choice, tell(found), choiceText(read))
				}
			}
			list = rules.Choices(view, d, made)
		}
	}
	return nil
}

// unwrapped is a text without its line breaks and the marks of comments: long
// comments are wrapped.
func unwrapped(text string) string {
	var words []string
	for line := range strings.Lines(text) {
		words = append(words, strings.Fields(strings.TrimLeft(strings.TrimSpace(line), "#"))...)
	}
	return strings.Join(words, " ")
}

// TakesApart finds the choices of an answer, each offered after those before it,
// and puts the same answer together of them.
func TakesApart(rules engine.Chooser, view engine.View, d engine.Decision, a engine.Answer) ([]engine.Choice, error) {
	return takesApart(rules, view, d, a, 0)
}

// isKnown says whether the same answer to the same order file has been taken apart before, and notes that it is now.
func (c Properties) isKnown(d engine.Decision, template string, a engine.Answer) bool {
	if c.Apart == nil {
		return false
	}
	key := fmt.Sprint(d.Side, "\n", template, "\n", a.Orders().Encode())
	known := c.Apart[key]
	c.Apart[key] = true
	return known
}

// takesApart does the same, but of an answer of more choices than most it looks up only that many, spread over it; most is 0: all.
func takesApart(rules engine.Chooser, view engine.View, d engine.Decision, a engine.Answer, most int) ([]engine.Choice, error) {
	found := rules.Chosen(view, d, a)
	step := 1
	if most > 0 {
		step = max(1, (len(found)+most-1)/most)
	}
	for i, choice := range found {
		if (len(found)-1-i)%step != 0 {
			continue
		}
		if list := rules.Choices(view, d, found[:i:i]); !engine.Offered(list, choice) {
			return nil, fmt.Errorf("choice %+v of an answer is not offered after %s; what is: %s\n%s", choice, tell(found[:i]), tell(list), choiceText(a))
		}
	}
	if again, text := choiceText(rules.Compose(view, d, found)), choiceText(a); again != text {
		return nil, fmt.Errorf("choices %s, taken from\n%smake\n%s", tell(found), text, again)
	}
	return found, nil
}

// drawn is a choice with a value: a bound or any between.
func drawn(c engine.Choice, chance *rand.Rand) engine.Choice {
	if !c.Measure {
		return c
	}
	switch chance.IntN(4) {
	case 0:
		return c.At(c.Low)
	case 1:
		return c.At(c.High)
	}
	return c.At(c.Low + chance.IntN(c.High-c.Low+1))
}

func hasChoice(list []engine.Choice, c engine.Choice) bool {
	for _, o := range list {
		if o.Same(c) {
			return true
		}
	}
	return false
}

// choiceText writes the orders of an answer without its standing orders.
func choiceText(a engine.Answer) string {
	return orders.Mapping().Set("orders", a.Orders().Get("orders")).Encode()
}

// tell lists choices for the log of a test.
func tell(list []engine.Choice) string {
	texts := make([]string, 0, len(list))
	for _, c := range list {
		text := c.Of + ": " + c.What
		if c.Measure {
			text += fmt.Sprintf(" %d (%d to %d)", c.Value, c.Low, c.High)
		}
		texts = append(texts, text)
	}
	return "[" + strings.Join(texts, "; ") + "]"
}

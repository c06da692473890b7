package play

import (
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/orders/phrase"
)

// This file finds the difference between two answers to one decision, by the choices of
// which answers are made.

// Compare implements [engine.Comparer].
func (k Stops[V, P]) Compare(view engine.View, d engine.Decision, was, now engine.Answer) []phrase.Phrase {
	return Differences(k.Chosen(view, d, was), k.Chosen(view, d, now))
}

// Differences tells what one list of choices says differently from another, thing by
// thing in the order in which they are named: F-07 now goes to Wavre, no longer to Ligny.
// If the lists say the same in another order it tells that; it is empty if they are alike.
func Differences(was, now []engine.Choice) []phrase.Phrase {
	var things []string
	for _, c := range slices.Concat(now, was) {
		if !slices.Contains(things, c.Of) {
			things = append(things, c.Of)
		}
	}
	var all []phrase.Phrase
	for _, of := range things {
		before, after := saidOf(was, of), saidOf(now, of)
		if come, gone := less(after, before), less(before, after); len(come)+len(gone) > 0 {
			all = append(all, changed(of, come, gone))
		}
	}
	if len(all) == 0 && !slices.EqualFunc(was, now, engine.Choice.Same) {
		all = []phrase.Phrase{phrase.Say("play.change-order")}
	}
	return all
}

// changed tells what is new and what is gone for one thing; "" is the answer as a whole.
func changed(of string, come, gone []string) phrase.Phrase {
	code := "play.change"
	var args []phrase.Arg
	if of != "" {
		args = append(args, phrase.Name("of", "unit", of)) // a name that is no unit's is written as it is
	}
	if len(come) > 0 {
		args = append(args, phrase.Literals("now", come))
	} else {
		code = "play.change-gone"
	}
	if len(gone) > 0 {
		args = append(args, phrase.Literals("was", gone))
	}
	return phrase.Say(code, args...)
}

// saidOf gives what choices say about a thing.
func saidOf(list []engine.Choice, of string) []string {
	var all []string
	for _, c := range list {
		if c.Of == of {
			text := c.What
			if c.Measure {
				text += " " + strconv.Itoa(c.Value)
			}
			all = append(all, text)
		}
	}
	return all
}

// less gives the texts of a list without those of another, each as often as it is there.
func less(list, other []string) []string {
	other = slices.Clone(other)
	var left []string
	for _, text := range list {
		if i := slices.Index(other, text); i >= 0 {
			other = slices.Delete(other, i, i+1)
		} else {
			left = append(left, text)
		}
	}
	return left
}

package report

import (
	"slices"
	"strings"

	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// longestValue is how long what a policy says may be to stand beside an event.
const longestValue = 40

// noted puts what is told of an answer that was filed ahead, or given by a policy or a
// standing order, beside the event that it has brought about: the next one, if it may come of
// an answer to that stop, which rules knows.
func noted(r *templates.Report, rules engine.Ruleset) {
	var all []templates.Told
	var notes []phrase.Phrase
	var due []phrase.Phrase // for the next event
	for i, told := range r.Happened {
		if note, ok := noteOf(told.Say); ok && brings(told.Say, r.Happened[i+1:], rules) {
			due = append(due, note)
			continue
		}
		told.Say = inTongues(told.Say)
		all, notes, due = append(all, told), append(notes, together(due)), nil
	}
	r.Happened, r.Notes = all, notes
}

// noteOf is how an event says beside another one who has answered; not at all if it tells
// something else.
func noteOf(say phrase.Phrase) (phrase.Phrase, bool) {
	arg := func(name string) (phrase.Arg, bool) { return argOf(say, name) }
	switch {
	case say.Code == aheadAnswered:
		sent, known := arg("sent")
		_, alone := arg("alone")
		return phrase.Say("office.ahead.note", sent), known && alone
	case say.Code == engine.PolicyUsed:
		key, known := arg("key")
		note := phrase.Say("office.policies.note", inOrders("key", key.Value.Text))
		if value, ok := arg("value"); ok && len(value.Value.Text) <= longestValue {
			note.Args = append(note.Args, inOrders("value", value.Value.Text))
		}
		return note, known
	case strings.HasSuffix(say.Code, engine.StandingUsed):
		order, known := arg("order")
		return phrase.Say("office.policies.note-standing", inOrders("order", order.Value.Text)), known
	}
	return phrase.Phrase{}, false
}

// inTongues is what an event says of a policy or a standing order, so that the reader sees its
// keywords in his own language. What a policy says is left out if it is long: the list of
// policies has it.
func inTongues(say phrase.Phrase) phrase.Phrase {
	if say.Code != engine.PolicyUsed && !strings.HasSuffix(say.Code, engine.StandingUsed) {
		return say
	}
	say.Args = slices.DeleteFunc(slices.Clone(say.Args), func(a phrase.Arg) bool {
		return a.Name == "value" && a.Value.Kind == phrase.KindLiteral && len(a.Value.Text) > longestValue
	})
	for i, a := range say.Args {
		if a.Value.Kind == phrase.KindLiteral {
			say.Args[i] = inOrders(a.Name, a.Value.Text)
		}
	}
	return say
}

// aheadAnswered is the code of what a seat is told when what it filed ahead has answered.
const aheadAnswered = "office.ahead.answered"

// argOf finds what fills a place of a sentence.
func argOf(say phrase.Phrase, name string) (phrase.Arg, bool) {
	i := slices.IndexFunc(say.Args, func(a phrase.Arg) bool { return a.Name == name })
	if i < 0 {
		return phrase.Arg{}, false
	}
	return say.Args[i], true
}

// brings tells whether an event of the rules follows that comes of what used tells of.
func brings(used phrase.Phrase, next []templates.Told, rules engine.Ruleset) bool {
	for _, told := range next {
		if _, ok := noteOf(told.Say); ok {
			continue
		}
		if told.Number == 0 {
			return false
		}
		stop, _ := argOf(used, "stop")
		causes, ok := rules.(engine.Causal)
		return used.Code == aheadAnswered || ok && causes.ComesOf(told.Say, stop.Value.Text)
	}
	return false
}

// together are the notes of one event; nothing if it has none.
func together(notes []phrase.Phrase) phrase.Phrase {
	switch len(notes) {
	case 0:
		return phrase.Phrase{}
	case 1:
		return notes[0]
	}
	return phrase.Say("office.policies.notes", phrase.Phrases("notes", notes))
}

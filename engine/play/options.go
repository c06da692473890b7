package play

import (
	"maps"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Setting is one of the values of an option: its index in their list.
type Setting int8

// An Option is a choice in a set-up. O is the ruleset's own type for everything that was
// chosen. Most options have a list of words as their values; the others, such as a table
// of numbers, read and write themselves.
type Option[O any] struct {
	Name   string
	Clause string   // where the rules speak of it; may be ""
	Values []string // the first is the one in the rules
	// Offered are those of Values that are shown, if some of them mean nothing in this
	// set-up; nil for all. The ruleset itself refuses the others.
	Offered []string
	// Field is where the value's index stands.
	Field func(*O) *Setting

	// Read puts a value in its place, or gives what would be right. An option that
	// has Read needs no Field; its Values then describe what may be written, with the
	// value that holds without a choice first.
	Read func(o *O, value string) *Fault
	// Write gives the value in force. It goes with Read.
	Write func(o *O) string
}

// Options are all options of a ruleset, in the order of its rules.
type Options[O any] []Option[O]

// A Menu is everything that a set-up may choose.
type Menu[O any] struct {
	Options Options[O]
	// Usual are values that a scenario sets differently from the rules, by name.
	Usual map[string]string
}

// usual is the value of an option without a choice.
func (m Menu[O]) usual(o Option[O]) string {
	if value := m.Usual[o.Name]; value != "" {
		return value
	}
	return o.Values[0]
}

// offered are the values that are shown.
func (o Option[O]) offered() []string {
	if o.Offered != nil {
		return o.Offered
	}
	return o.Values
}

// NotA refuses a value of an option and names those that it can have.
func (o Option[O]) NotA(value string) *Fault {
	return &Fault{Clause: o.Clause, Why: phrase.Say("play.option-value",
		phrase.Literal("option", o.Name), phrase.Literal("value", value), phrase.Literals("values", o.offered()))}
}

// set puts a value in its place.
func (o Option[O]) set(all *O, value string) *Fault {
	if o.Read != nil {
		return o.Read(all, value)
	}
	i := slices.Index(o.Values, value)
	if i < 0 {
		return o.NotA(value)
	}
	*o.Field(all) = Setting(i)
	return nil
}

// word is the value in force.
func (o Option[O]) word(all *O) string {
	if o.Write != nil {
		return o.Write(all)
	}
	return o.Values[*o.Field(all)]
}

// About lists the options with their values, the one without a choice first.
func (m Menu[O]) About() []engine.Option {
	var all []engine.Option
	for _, o := range m.Options {
		values := First(m.usual(o), o.offered())
		if o.Read != nil && values[0] != m.usual(o) {
			values = []string{m.usual(o)}
		}
		all = append(all, engine.Option{Name: o.Name, Clause: o.Clause, Values: values})
	}
	return all
}

// Names lists the names of the options, as [Menu.About] does.
func (m Menu[O]) Names() []string {
	var names []string
	for _, o := range m.About() {
		names = append(names, o.Name)
	}
	return names
}

// First puts one of the values before the others; a value that is not among them
// changes nothing.
func First(value string, values []string) []string {
	i := slices.Index(values, value)
	if i < 0 {
		return slices.Clone(values)
	}
	return append([]string{value}, slices.Delete(slices.Clone(values), i, i+1)...)
}

// OptionName is the present spelling of an option's name: with hyphens. Old files, and
// positions, have underscores instead.
func OptionName(name string) string { return strings.ReplaceAll(name, "_", "-") }

// formerOption is the name of an option as positions have it: their bytes are hashed into
// logs and must not change.
func formerOption(name string) string { return strings.ReplaceAll(name, "-", "_") }

// OptionNames gives values under the names that options have now. If a name stands there
// in both spellings, the one with hyphens counts.
func OptionNames(values map[string]string) map[string]string {
	all := make(map[string]string, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) { // hyphens sort before underscores
		if now := OptionName(name); now == name || all[now] == "" {
			all[now] = values[name]
		}
	}
	return all
}

// twice finds options that a set-up names in two spellings.
func (m Menu[O]) twice(chosen map[string]string) orders.Problems {
	var faults orders.Problems
	for _, name := range slices.Sorted(maps.Keys(chosen)) {
		if _, both := chosen[OptionName(name)]; both && name != OptionName(name) {
			faults = append(faults, orders.Problem{Why: phrase.Say("play.option-twice", phrase.Literal("option", OptionName(name)), phrase.Literal("other", name))})
		}
	}
	return faults
}

// Read makes the options of a game: what was chosen, else what the scenario says,
// else the rules. All faults come at once.
func (m Menu[O]) Read(chosen map[string]string) (O, orders.Problems) {
	var all O
	faults := m.twice(chosen)
	chosen = OptionNames(chosen)
	known := map[string]bool{}
	for _, o := range m.Options {
		known[o.Name] = true
		value, ok := chosen[o.Name]
		if !ok {
			value = m.usual(o)
		}
		if f := o.set(&all, value); f != nil {
			faults = append(faults, orders.Problem{Clause: f.Clause, Why: f.Why, Remedy: f.Remedy})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(chosen)) {
		if !known[name] {
			faults = append(faults, orders.Problem{Why: phrase.Say("play.option-unknown",
				phrase.Literal("option", name), phrase.Literals("names", m.Names()))})
		}
	}
	return all, faults
}

// Chosen gives the options that differ from those of a set-up that chooses
// nothing, by name, as [Menu.Read] takes them.
func (m Menu[O]) Chosen(all *O) map[string]string {
	plain, _ := m.Read(nil)
	words := map[string]string{}
	for _, o := range m.Options {
		if value := o.word(all); value != o.word(&plain) {
			words[o.Name] = value
		}
	}
	return words
}

// Word gives the value in force of an option, "" if there is no such option.
func (m Menu[O]) Word(all *O, name string) string {
	name = OptionName(name)
	for _, o := range m.Options {
		if o.Name == name {
			return o.word(all)
		}
	}
	return ""
}

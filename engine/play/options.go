package play

import (
	"maps"
	"slices"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Setting is one of the values of an option: its index in their list.
type Setting int8

// An Option is a choice of a set-up whose values are a list of words. O is the
// ruleset's own type of all that was chosen.
type Option[O any] struct {
	Name   string
	Clause string   // where the rules speak of it; may be ""
	Values []string // the first is what the rules say
	Field  func(*O) *Setting
}

// Options are a ruleset's, in the order of its rules.
type Options[O any] []Option[O]

// An Extra is an option whose values are not a list of words, such as a table of
// numbers. It reads and writes itself.
type Extra[O any] struct {
	Name   string
	Clause string
	// Usual is the value without a choice.
	Usual string
	// Read puts a value in its place, or gives what would be right.
	Read func(o *O, value string) *Fault
	// Write gives the value in force.
	Write func(o *O) string
}

// A Menu is all that a set-up may choose.
type Menu[O any] struct {
	Options Options[O]
	Extras  []Extra[O]
	// Usual are values that a scenario sets otherwise than the rules, by name.
	Usual map[string]string
}

// usual is the value of an option without a choice.
func (m Menu[O]) usual(o Option[O]) string {
	if value, ok := m.Usual[o.Name]; ok {
		return value
	}
	return o.Values[0]
}

func (m Menu[O]) usualExtra(e Extra[O]) string {
	if value, ok := m.Usual[e.Name]; ok {
		return value
	}
	return e.Usual
}

// About lists the options with their values, the one without a choice first.
func (m Menu[O]) About() []engine.Option {
	var all []engine.Option
	for _, o := range m.Options {
		all = append(all, engine.Option{Name: o.Name, Clause: o.Clause, Values: First(m.usual(o), o.Values)})
	}
	for _, e := range m.Extras {
		all = append(all, engine.Option{Name: e.Name, Clause: e.Clause, Values: []string{m.usualExtra(e)}})
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

// Read makes the options of a game: what was chosen, else what the scenario says,
// else the rules. All faults come at once.
func (m Menu[O]) Read(chosen map[string]string) (O, orders.Problems) {
	var o O
	var faults orders.Problems
	known := map[string]bool{}
	for _, d := range m.Options {
		known[d.Name] = true
		value, ok := chosen[d.Name]
		if !ok {
			value = m.usual(d)
		}
		i := slices.Index(d.Values, value)
		if i < 0 {
			faults = append(faults, orders.Problem{Clause: d.Clause, Why: phrase.Say("play.option-value",
				phrase.Literal("option", d.Name), phrase.Literal("value", value), phrase.Literals("values", d.Values))})
			continue
		}
		*d.Field(&o) = Setting(i)
	}
	for _, e := range m.Extras {
		known[e.Name] = true
		value, ok := chosen[e.Name]
		if !ok {
			value = m.usualExtra(e)
		}
		if f := e.Read(&o, value); f != nil {
			faults = append(faults, orders.Problem{Clause: f.Clause, Why: f.Why, Remedy: f.Remedy})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(chosen)) {
		if !known[name] {
			faults = append(faults, orders.Problem{Why: phrase.Say("play.option-unknown",
				phrase.Literal("option", name), phrase.Literals("names", m.Names()))})
		}
	}
	return o, faults
}

// Chosen gives the options that differ from those of a set-up that chooses
// nothing, by name, as [Menu.Read] takes them.
func (m Menu[O]) Chosen(o *O) map[string]string {
	plain, _ := m.Read(nil)
	all := map[string]string{}
	for _, d := range m.Options {
		if c := *d.Field(o); c != *d.Field(&plain) {
			all[d.Name] = d.Values[c]
		}
	}
	for _, e := range m.Extras {
		if value := e.Write(o); value != e.Write(&plain) {
			all[e.Name] = value
		}
	}
	return all
}

// Word gives the value in force of an option of the list, "" for any other.
func (m Menu[O]) Word(o *O, name string) string {
	for _, d := range m.Options {
		if d.Name == name {
			return d.Values[*d.Field(o)]
		}
	}
	return ""
}

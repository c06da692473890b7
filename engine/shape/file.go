package shape

import (
	"maps"
	"slices"

	"berthier/orders"
)

// anything is the shape of a value that other shapes describe.
type anything struct{}

func (anything) read(reader, *orders.Node)       {}
func (anything) takes(reader, *orders.Node) bool { return true }
func (anything) schema(*maker) map[string]any    { return map[string]any{} }
func (anything) text(*teller) string             { return "..." }
func (anything) words(func(string))              {}

// stops is the answer to any kind of stop.
type stops map[string]Shape

// kinds are the kinds of the stops.
func (s stops) kinds() []string { return slices.Sorted(maps.Keys(s)) }

// read refuses nothing: the file says to which stop a value belongs.
func (s stops) read(reader, *orders.Node)       {}
func (s stops) takes(reader, *orders.Node) bool { return true }
func (s stops) text(*teller) string             { return "..." }

func (s stops) words(add func(string)) {
	for _, kind := range s.kinds() {
		s[kind].words(add)
	}
}

func (s stops) schema(m *maker) map[string]any {
	var all []map[string]any
	for _, kind := range s.kinds() {
		all = append(all, s.of(m, kind))
	}
	return anyOf(all...)
}

// of is the schema of the answers to one kind of stop.
func (s stops) of(m *maker, kind string) map[string]any {
	return m.define("orders-"+kind, func() map[string]any { return s[kind].schema(m) })
}

// envelope is the shape of an order file.
func (s Sheet) envelope() record {
	word := Words("true", "false", "yes", "no")
	values := map[string]Shape{"serial": Number(0, 999_999_999), "draft": word, "final": word, "what-if": Number(1, orders.MostTries),
		"note": anything{}, "orders": stops(s.Stops), "standing": s.Standing, "policies": s.Policies, "ahead": s.Ahead()}
	var all record
	for _, key := range orders.EnvelopeKeys() {
		value := values[key]
		if value == nil {
			value = Name("text")
		}
		all.keys = append(all.keys, May(key, value))
	}
	return all
}

// Schema is a JSON Schema (2020-12) of the order files of a game system, for editors
// that read YAML. It offers the words of a language and the given names, which may be
// nil, and never refuses what the judge of the rules accepts. It says nothing about
// letters with a command.
func (s Sheet) Schema(title, language string, names Names) map[string]any {
	m := &maker{vocabulary: s.Vocabulary, language: language, names: names, shared: map[string]any{}, alike: map[string]string{}}
	all := stops(s.Stops)
	envelope := s.envelope()
	file, l := envelope.asMap(m), envelope.letter(m)
	var kinds []any
	for _, kind := range all.kinds() {
		kinds = append(kinds, map[string]any{
			"if": map[string]any{"required": []any{l.offered["stop"]}, "properties": map[string]any{
				l.offered["stop"]: map[string]any{"type": "string", "pattern": `^[# ]*[0-9]+[ ,.:;(-]+` + kind + `[ ,.:;()-]*$`},
			}},
			"then": map[string]any{"properties": map[string]any{l.offered["orders"]: all.of(m, kind)}},
		})
	}
	file["allOf"] = kinds
	return map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   title,
		"if":      l.has("command"),
		"then":    map[string]any{"type": "object"},
		"else":    file,
		"$defs":   m.shared,
	}
}

package waterloo

import (
	"embed"
	"strconv"
	"strings"

	"berthier/engine/play"
)

//go:embed words/names.en.yaml words/names.it.yaml
var nameFiles embed.FS

var names = play.NewNames(nameFiles, "wat")

// named looks a name up in the catalogues of names.
func named(kind, id, language string) (string, bool) { return names.Of(kind, id, language) }

// Spell implements [engine.View]. Every name, and what is printed on every card, stands in
// the deck lists that all sides have: to spell an id gives nothing away. But a view must
// not mention the id of what is hidden.
func (v *View) Spell(kind, id, language string) string {
	switch kind {
	case "unit":
		for i := range v.roster {
			if v.roster[i].id == id {
				return id + " " + v.roster[i].name
			}
		}
	case "square":
		if q, ok := v.squareNamed(id); ok {
			if name := v.placeName(q); name != "" {
				return id + " " + called(name, language)
			}
		}
		return id
	case "at":
		return v.spellAt(id, language)
	case "card":
		for i := range v.cards {
			if v.cards[i].id == id {
				return v.spellCard(&v.cards[i], language)
			}
		}
	case "chateau":
		for i := range v.chateaux {
			if v.chateaux[i].id == id {
				return v.chateaux[i].name
			}
		}
	case "called":
		return called(id, language)
	case "objective":
		for i := range v.objectives {
			if o := &v.objectives[i]; o.id == id {
				return v.squareID(o.at) + " " + called(v.placeName(o.at), language)
			}
		}
	case "scenario":
		if id == v.name {
			return play.InLanguage(v.title, language, id)
		}
	}
	if s, ok := named(kind, id, language); ok {
		return s
	}
	return id
}

// called is the name of a place in a language, if words/names.*.yaml have it.
func called(name, language string) string {
	if words, ok := named("called", name, language); ok {
		return words
	}
	return name
}

// spellAt names what a decision is about: a unit, a square, or a word.
func (v *View) spellAt(id, language string) string {
	for _, kind := range [...]string{"unit", "square"} {
		if s := v.Spell(kind, id, language); s != id {
			return s
		}
	}
	for _, kind := range [...]string{"window", "commander"} {
		if s, ok := named(kind, id, language); ok {
			return s
		}
	}
	return id
}

// spellCard tells everything that is printed on a card, so that nobody needs the printed
// card: "F11 (4 MP, 2 BP, artillery fire)".
func (v *View) spellCard(c *cardDef, language string) string {
	parts := []string{strconv.Itoa(c.mp) + " MP", strconv.Itoa(c.bp) + " BP"}
	if c.action != noAction {
		if name, ok := named("action", c.action.String(), language); ok {
			parts = append(parts, name)
		}
	}
	return c.id + " (" + strings.Join(parts, ", ") + ")"
}

package napoleon

import (
	"embed"
	"strconv"
	"strings"

	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Ids of the game's own constants, as players write them and as catalogues,
// positions and pictures name them.
var (
	armyWords  = [armies]string{"french", "anglo-dutch", "prussian"}
	campWords  = [2]string{"french", "allied"}
	kindWords  = [...]string{"unknown", "leader", "infantry", "light-cavalry", "heavy-cavalry", "foot-artillery", "horse-artillery"}
	pieceWords = [...]string{"", "wood", "farm", "stream", "hill"}
	fieldWords = [fields]string{"", "reserve",
		"attacker-left", "attacker-center", "attacker-right",
		"defender-left", "defender-center", "defender-right"}
	phaseWords = [...]string{"bid", "handicap", "deploy-allied", "deploy-french", "movement", "battle", "supply"}
)

//go:embed words/names.en.yaml words/names.it.yaml
var nameFiles embed.FS

var names = play.NewNames(nameFiles, "nap")

// named looks a name up in the catalogues of names.
func named(kind, id, language string) (string, bool) { return names.Of(kind, id, language) }

// Spell implements [engine.View]. Every name is printed on the board, the order
// of battle or the rulebook, which both sides have: spelling an id gives
// nothing away. What a view must not do is mention the id.
func (v *View) Spell(kind, id, language string) string {
	switch kind {
	case "unit":
		for i := range v.roster {
			if v.roster[i].id == id {
				return id + " " + v.roster[i].name
			}
		}
	case "unit-brief":
		for i := range v.roster {
			if v.roster[i].id == id {
				name, _, _ := strings.Cut(v.roster[i].name, " / ")
				return id + " " + name
			}
		}
	case "town", "at":
		for i := range v.towns {
			if v.towns[i].id == id {
				return v.towns[i].name
			}
		}
	case "corps":
		for i := range v.corps {
			if v.corps[i].id == id {
				return play.InLanguage(v.corps[i].name, language, id)
			}
		}
	case "scenario":
		if id == v.name {
			return play.InLanguage(v.title, language, id)
		}
	case "scenario-brief":
		if id == v.name {
			return briefTitle(play.InLanguage(v.title, language, id))
		}
	case "river":
		for i := range v.rivers {
			if v.rivers[i].id == id {
				return play.InLanguage(v.rivers[i].name, language, id)
			}
		}
	case "line":
		for i := range v.lines {
			if v.lines[i].id == id {
				return play.InLanguage(v.lines[i].name, language, id)
			}
		}
	case "gender.unit":
		for i := range v.roster {
			if u := &v.roster[i]; u.id == id && u.kind == leader {
				return "m"
			}
		}
		return "f"
	case phrase.KindKeyword:
		return vocabulary.Spell(id, language)
	case "date":
		return spellDate(id, language)
	case "day": // the year goes without saying
		date := spellDate(id, language)
		return date[:max(0, strings.LastIndexByte(date, ' '))]
	}
	if s, ok := named(kind, id, language); ok {
		return s
	}
	return id
}

// spellDate writes "1815-06-16" as "16 June 1815", or as "16 giugno 1815".
func spellDate(id, language string) string {
	p := strings.Split(id, "-")
	if len(p) != 3 {
		return id
	}
	day, err := strconv.Atoi(p[2])
	month, ok := named("month", p[1], language)
	if err != nil || !ok {
		return id
	}
	return strconv.Itoa(day) + " " + month + " " + p[0]
}

package napoleon

import "slices"

// What the editions read differently. Figures stand in a scenario's numbers, choices in
// the options (table 3.2 and section 8.1 of the digest); here is everything that is
// neither. The rules ask for a reading by its name, never for the edition.

// A reading is how an edition reads the rules where the editions differ.
type reading struct {
	lateral       bool // units step sideways between own positions (NAP-6.32g)
	retreatsFirst bool // retreats come before moves and fire (NAP-6.30)
	emptyRouts    bool // a side without a unit in a sector is routed (NAP-7.4)
	routTouches   bool // in a rout all count as engaged by all enemies (NAP-7.41z)
	ownTowns      bool // the attacker may retreat to any town that he holds (NAP-7.1)
	restless      bool // forced and regrouped units may not reinforce (NAP-6.34b, NAP-7.5b)
	hardyLeaders  bool // leaders lose nothing by forced marches (NAP-5.6)
	nightMarches  bool // a leader may permit forced marches at night (NAP-8.1c)
	farRetreats   bool // cavalry and leaders retreat two towns (NAP-7.2b)
	quietLeaders  bool // leaders never fire (NAP-6.33i)
	townsOfAttack bool // the defender brings no units out of a town by which the attack came (NAP-6.34b)
	oneArtillery  bool // its files need not say of guns what draws them (NAP-R33)
	allGoBack     bool // low morale sends squares and guns back as it does others (NAP-R101)
}

// editions are those that a scenario may be of; the first is the default.
var editions = []string{"4e", "3e"}

// readings by edition.
var readings = map[string]reading{
	"4e": {},
	"3e": {
		lateral: true, retreatsFirst: true, emptyRouts: true, routTouches: true, ownTowns: true,
		restless: true, hardyLeaders: true, nightMarches: true, farRetreats: true, quietLeaders: true,
		townsOfAttack: true, oneArtillery: true, allGoBack: true,
	},
}

// editionValues are the defaults of options for which an edition has another value than
// the first of their list.
var editionValues = map[string]map[string]string{
	"3e": {
		"corps-integrity": "off",
		"interleave":      "by-side",
		"horse-artillery": "off",
		"ratings":         "type",
		"square-moves":    "on",
	},
}

// editionOf names the edition without which an option, or a value of one, means
// nothing.
var editionOf = map[string]string{
	"rout-test-3e":     "3e",
	"last-turn-counts": "3e",
	"setup: gambit":    "3e",
}

// editionOption chooses among the editions of a scenario.
const editionOption = "edition"

// offers tells whether an option has a meaning in a scenario.
func (s *scenario) offers(name string) bool {
	only, some := editionOf[name]
	return !some || only == s.edition
}

// sister is the scenario of the same name in another edition.
func (s *scenario) sister(edition string) (*scenario, bool) {
	if s.edition == edition {
		return s, true
	}
	base := s.name
	if n := len(base) - len("-"+s.edition); n > 0 && base[n:] == "-"+s.edition {
		base = base[:n]
	}
	for _, other := range library.Scenarios() {
		if other.edition == edition && (other.name == base || other.name == base+"-"+edition) {
			return other, true
		}
	}
	return nil, false
}

// sisters are the editions in which a scenario can be played.
func (s *scenario) sisters() []string {
	var all []string
	for _, edition := range editions {
		if edition == s.edition {
			all = slices.Insert(all, 0, edition)
		} else if _, ok := s.sister(edition); ok && s.builtIn() {
			all = append(all, edition)
		}
	}
	return all
}

// kindOf is what a unit is in a game: horse artillery is artillery like any
// other where the game knows none (NAP-R33).
func (o *options) kindOf(d *unitDef) kind {
	if d.kind == horseArtillery && o.horseArtillery == horseOff {
		return footArtillery
	}
	return d.kind
}

// weight is how many units a unit counts for on a road (NAP-5.4b, NAP-8.0).
func (g *game) weight(k kind) int {
	if k == leader && g.numbers.leadersFree {
		return 0
	}
	return 1
}

// edited is a scenario in the edition that a set-up asks for. An edition for which there
// is no such scenario is refused together with the other options.
func (s *scenario) edited(edition string) *scenario {
	if other, ok := s.sister(edition); ok && edition != "" {
		return other
	}
	return s
}

// typeFire are the ratings of units by type (table 3.3, NAP-R34); leaders have
// none.
var typeFire = [...]int8{infantry: 1, lightCavalry: 2, heavyCavalry: 2, footArtillery: 1, horseArtillery: 1}

// fireOf is the rating of a unit in a game: the printed one, or that of its type
// (NAP-R34).
func (o *options) fireOf(d *unitDef) int8 {
	if o.ratings == ratingsType {
		return typeFire[d.kind]
	}
	return d.fire
}

package templates

import (
	"fmt"
	"strings"
	"time"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The sample is a small game system of the tests' own, as far as letters see
// it: names, a page with a map and tables, decisions, events.

type sampleTown struct {
	id, name, side string
	x, y           int
	big            bool
}

var sampleTowns = []sampleTown{
	{"ghent", "Ghent", "north", 177, 61, true},
	{"termonde", "Termonde", "north", 335, 74, false},
	{"malines", "Malines", "north", 492, 74, false},
	{"alost", "Alost", "south", 310, 137, false},
	{"audenarde", "Audenarde", "west", 131, 198, false},
	{"renaix", "Renaix", "east", 127, 268, false},
	{"tournai", "Tournai", "south", 40, 364, false},
	{"leuze", "Leuze", "south", 135, 371, false},
	{"ath", "Ath", "south", 212, 354, false},
	{"grammont", "Grammont", "east", 243, 254, false},
	{"ninove", "Ninove", "west", 301, 212, false},
	{"brussels", "Brussels", "east", 438, 199, true},
	{"enghien", "Enghien", "north", 302, 309, false},
	{"hal", "Hal", "north", 385, 282, false},
	{"soignies", "Soignies", "east", 296, 403, false},
	{"braine-le-comte", "Braine le Comte", "south", 347, 372, false},
	{"nivelles", "Nivelles", "south", 430, 379, false},
	{"waterloo", "Waterloo", "east", 465, 295, false},
	{"quatre-bras", "Quatre Bras", "east", 480, 390, false},
	{"mons", "Mons", "east", 272, 475, false},
	{"binche", "Binche", "east", 364, 496, false},
	{"louvain", "Louvain", "north", 584, 178, false},
	{"wavre", "Wavre", "east", 552, 282, false},
	{"tirlemont", "Tirlemont", "north", 683, 226, false},
	{"jodoigne", "Jodoigne", "north", 660, 288, false},
	{"st-trond", "St Trond", "north", 787, 226, false},
	{"tongres", "Tongres", "north", 899, 237, false},
	{"liege", "Liege", "east", 937, 344, true},
	{"hannut", "Hannut", "east", 741, 323, false},
	{"gembloux", "Gembloux", "east", 590, 391, false},
	{"ligny", "Ligny", "west", 538, 433, false},
	{"namur", "Namur", "east", 660, 461, false},
	{"huy", "Huy", "east", 808, 426, false},
	{"charleroi", "Charleroi", "east", 480, 502, false},
	{"thuin", "Thuin", "west", 419, 555, false},
	{"laneffe", "Laneffe", "east", 505, 592, false},
	{"fosse", "Fosse", "east", 584, 515, false},
	{"dinant", "Dinant", "east", 671, 606, false},
	{"ciney", "Ciney", "south", 750, 578, false},
	{"rochefort", "Rochefort", "south", 799, 675, false},
	{"marche", "Marche", "east", 849, 627, false},
	{"durbuy", "Durbuy", "east", 899, 544, false},
	{"conde", "Condé", "west", 123, 475, false},
	{"valenciennes", "Valenciennes", "west", 94, 537, false},
	{"bavay", "Bavay", "west", 206, 578, false},
	{"maubeuge", "Maubeuge", "west", 281, 592, false},
	{"avesnes", "Avesnes", "south", 264, 702, false},
	{"solre", "Solre", "west", 346, 579, false},
	{"beaumont", "Beaumont", "south", 393, 626, false},
	{"chimay", "Chimay", "south", 422, 751, false},
	{"philippeville", "Philippeville", "west", 517, 655, false},
	{"givet", "Givet", "south", 633, 689, false},
}

// sampleRoads join towns.
var sampleRoads = [][3]string{
	{"brussels", "alost", "main"},
	{"brussels", "ninove", "secondary"},
	{"brussels", "hal", "main"},
	{"brussels", "waterloo", "main"},
	{"brussels", "wavre", "secondary"},
	{"brussels", "louvain", "main"},
	{"brussels", "malines", "main"},
	{"ghent", "alost", "main"},
	{"ghent", "audenarde", "main"},
	{"ghent", "termonde", "secondary"},
	{"termonde", "alost", "secondary"},
	{"termonde", "malines", "secondary"},
	{"malines", "louvain", "secondary"},
	{"louvain", "tirlemont", "main"},
	{"tirlemont", "st-trond", "main"},
	{"st-trond", "liege", "main"},
	{"st-trond", "tongres", "secondary"},
	{"tongres", "liege", "secondary"},
	{"louvain", "wavre", "secondary"},
	{"wavre", "waterloo", "secondary"},
	{"wavre", "gembloux", "secondary"},
	{"wavre", "jodoigne", "secondary"},
	{"jodoigne", "tirlemont", "secondary"},
	{"jodoigne", "gembloux", "secondary"},
	{"jodoigne", "hannut", "secondary"},
	{"hannut", "st-trond", "secondary"},
	{"hannut", "liege", "secondary"},
	{"hannut", "namur", "secondary"},
	{"hannut", "huy", "secondary"},
	{"gembloux", "ligny", "secondary"},
	{"gembloux", "namur", "secondary"},
	{"ligny", "namur", "main"},
	{"ligny", "quatre-bras", "main"},
	{"ligny", "charleroi", "main"},
	{"quatre-bras", "charleroi", "main"},
	{"quatre-bras", "waterloo", "main"},
	{"quatre-bras", "nivelles", "main"},
	{"nivelles", "waterloo", "main"},
	{"nivelles", "braine-le-comte", "main"},
	{"nivelles", "hal", "secondary"},
	{"nivelles", "binche", "secondary"},
	{"hal", "waterloo", "secondary"},
	{"hal", "braine-le-comte", "main"},
	{"hal", "enghien", "main"},
	{"braine-le-comte", "soignies", "main"},
	{"braine-le-comte", "enghien", "secondary"},
	{"soignies", "mons", "main"},
	{"soignies", "ath", "secondary"},
	{"soignies", "binche", "secondary"},
	{"enghien", "ath", "main"},
	{"enghien", "grammont", "secondary"},
	{"ath", "leuze", "main"},
	{"ath", "grammont", "secondary"},
	{"ath", "renaix", "secondary"},
	{"ath", "mons", "secondary"},
	{"leuze", "tournai", "main"},
	{"leuze", "renaix", "secondary"},
	{"renaix", "tournai", "secondary"},
	{"renaix", "audenarde", "secondary"},
	{"tournai", "audenarde", "secondary"},
	{"audenarde", "alost", "secondary"},
	{"audenarde", "grammont", "secondary"},
	{"grammont", "ninove", "secondary"},
	{"ninove", "alost", "secondary"},
	{"conde", "leuze", "secondary"},
	{"conde", "mons", "secondary"},
	{"conde", "valenciennes", "main"},
	{"valenciennes", "mons", "main"},
	{"valenciennes", "bavay", "secondary"},
	{"bavay", "mons", "secondary"},
	{"bavay", "maubeuge", "secondary"},
	{"maubeuge", "mons", "main"},
	{"maubeuge", "binche", "secondary"},
	{"maubeuge", "solre", "secondary"},
	{"maubeuge", "beaumont", "secondary"},
	{"maubeuge", "avesnes", "main"},
	{"avesnes", "beaumont", "secondary"},
	{"avesnes", "chimay", "secondary"},
	{"solre", "beaumont", "secondary"},
	{"solre", "binche", "secondary"},
	{"solre", "thuin", "secondary"},
	{"beaumont", "thuin", "secondary"},
	{"beaumont", "laneffe", "secondary"},
	{"beaumont", "philippeville", "secondary"},
	{"beaumont", "chimay", "secondary"},
	{"chimay", "philippeville", "secondary"},
	{"philippeville", "laneffe", "main"},
	{"philippeville", "dinant", "secondary"},
	{"philippeville", "givet", "main"},
	{"laneffe", "charleroi", "main"},
	{"laneffe", "thuin", "secondary"},
	{"laneffe", "fosse", "secondary"},
	{"thuin", "charleroi", "secondary"},
	{"fosse", "charleroi", "secondary"},
	{"thuin", "binche", "secondary"},
	{"binche", "mons", "secondary"},
	{"binche", "charleroi", "secondary"},
	{"fosse", "namur", "secondary"},
	{"fosse", "dinant", "secondary"},
	{"fosse", "ligny", "secondary"},
	{"dinant", "namur", "main"},
	{"dinant", "givet", "main"},
	{"dinant", "ciney", "secondary"},
	{"ciney", "namur", "main"},
	{"ciney", "marche", "main"},
	{"ciney", "huy", "secondary"},
	{"ciney", "rochefort", "secondary"},
	{"rochefort", "givet", "secondary"},
	{"rochefort", "marche", "secondary"},
	{"marche", "durbuy", "secondary"},
	{"durbuy", "huy", "secondary"},
	{"durbuy", "liege", "secondary"},
	{"namur", "huy", "main"},
	{"huy", "liege", "main"},
}

var sampleRivers = [][][2]int{
	{{50, 580}, {70, 470}, {85, 372}, {75, 320}, {95, 240}, {110, 180}, {185, 110}, {240, 70}, {270, 40}, {340, 40}, {460, 5}},
	{{235, 352}, {240, 310}, {262, 258}, {312, 228}, {325, 190}, {330, 150}, {345, 110}, {352, 85}, {352, 55}, {340, 40}},
	{{525, 350}, {575, 305}, {585, 260}, {605, 190}, {615, 150}, {560, 100}, {520, 40}, {480, 5}},
	{{190, 660}, {275, 625}, {305, 612}, {318, 575}, {335, 555}, {370, 545}, {395, 532}, {410, 525}, {440, 515}, {465, 525}, {500, 518}, {530, 520}, {545, 490}, {600, 480}, {640, 485}, {652, 482}},
	{{650, 790}, {657, 705}, {657, 665}, {640, 640}, {650, 603}, {660, 570}, {648, 520}, {652, 482}, {690, 472}, {760, 460}, {818, 443}, {840, 430}, {900, 390}, {950, 366}, {1000, 352}},
}
var sampleNames = map[string]map[string]string{
	"en": {
		"side french": "French", "side allied": "Allied", "stop battle-turn": "battle turn", "stop move": "movement",
		"unit F-03": "F-03 Young Guard", "unit F-07": "F-07 Jérôme", "unit F-11": "F-11 Milhaud",
		"kind infantry": "infantry", "kind cavalry": "heavy cavalry",
	},
	"it": {
		"side french": "francesi", "side allied": "Alleati", "stop battle-turn": "turno di battaglia", "stop move": "movimento",
		"unit F-03": "F-03 Giovane Guardia", "unit F-07": "F-07 Jérôme", "unit F-11": "F-11 Milhaud",
		"kind infantry": "fanteria", "kind cavalry": "cavalleria pesante",
	},
}

func sampleSpell(kind, id, language string) string {
	if name, ok := sampleNames[language][kind+" "+id]; ok {
		return name
	}
	if kind == "town" || kind == "at" {
		for _, t := range sampleTowns {
			if t.id == id {
				return t.name
			}
		}
	}
	return id
}

const sampleEn = `
smp.title: "Turn {turn}: 16 June 1815, midday"
smp.map: "The map"
smp.map-alt: "Map of the campaign: French at Charleroi and Fleurus, a battle at {town}"
smp.army: "Your army"
smp.units: "Units"
smp.field: "The battle at {town}"
smp.unit: "Unit"
smp.kind: "Kind"
smp.at: "Town"
smp.strength: "Strength"
smp.state: "State"
smp.fresh: "fresh"
smp.hit: "hit by fire in the last battle turn, and force-marched before it"
smp.moved: "{unit} marches from {from} to {to} by {roads}"
smp.fire: "{unit} fires at a block of the {side} at {town}: dice {dice}, {hits|no hit|one hit|{hits} hits}"
smp.seen: "{n|one enemy block|{n} enemy blocks} seen at {towns}"
smp.morale: "{unit} holds its ground at {town}: {dice} against morale {morale}"
smp.losses: "Losses so far: {lost} of {limit}; at {limit} your army is defeated."
smp.enemy: "Enemy blocks, as far as you can see them"
smp.blocks: "Blocks"
smp.last: "Last seen"
smp.turn: "turn {n}"
smp.no-town: "There is no town called {name}."
smp.far: "{to} is {n|1 town|{n} towns} from {from}; {unit} moves at most {most}."
smp.twice: "{unit} has moved already in this order, in line {line}."
smp.meant: "Did you mean {name}?"
smp.rate: "March to a town on the way, such as {towns:or}."
smp.no-key: "the line {key}: is missing"
smp.end: "the Allied armies were driven from {towns}"
smp.reminder: "Reminder: {stop} is still open"
smp.reminder-line: "your answer to {stop} has not come in yet"
`

const sampleIt = `
smp.title: "Turno {turn}: 16 giugno 1815, mezzogiorno"
smp.map: "La mappa"
smp.map-alt: "Mappa della campagna: francesi a Charleroi e Fleurus, battaglia a {town}"
smp.army: "La tua armata"
smp.units: "Unità"
smp.field: "La battaglia di {town}"
smp.unit: "Unità"
smp.kind: "Tipo"
smp.at: "Città"
smp.strength: "Forza"
smp.state: "Stato"
smp.fresh: "fresca"
smp.hit: "colpita nell'ultimo turno di battaglia, dopo una marcia forzata"
smp.moved: "{unit} marcia da {from} a {to} per {roads}"
smp.fire: "{unit} fa fuoco su un blocco degli {side} a {town}: dadi {dice}, {hits|nessun colpo|un colpo|{hits} colpi}"
smp.seen: "{n|un blocco nemico avvistato|{n} blocchi nemici avvistati} a {towns}"
smp.morale: "{unit} tiene la posizione a {town}: {dice} contro morale {morale}"
smp.losses: "Perdite finora: {lost} su {limit}; a {limit} l'armata è sconfitta."
smp.enemy: "Blocchi nemici, per quanto ne sai"
smp.blocks: "Blocchi"
smp.last: "Avvistati"
smp.turn: "turno {n}"
smp.no-town: "Non c'è nessuna città chiamata {name}."
smp.far: "{to} dista {n|1 città|{n} città} da {from}; {unit} muove al massimo di {most}."
smp.twice: "{unit} ha già mosso in questo ordine, alla riga {line}."
smp.meant: "Intendevi {name}?"
smp.rate: "Marcia fino a una città lungo la via, come {towns:or}."
smp.no-key: "manca la riga {key}:"
smp.end: "le armate alleate sono state cacciate da {towns}"
smp.reminder: "Promemoria: {stop} attende ancora"
smp.reminder-line: "la tua risposta per {stop} non è ancora arrivata"
`

func sampleAt(id string) engine.Point {
	for _, t := range sampleTowns {
		if t.id == id {
			return engine.Point{X: 20 + t.x*86/100, Y: 10 + t.y*86/100}
		}
	}
	panic("no town " + id)
}

func sampleScene() *engine.Scene {
	s := &engine.Scene{
		Name: "map", Alt: phrase.Say("smp.map-alt", phrase.Name("town", "town", "ligny")),
		Width: 900, Height: 700, Paper: "#f4ecd8",
	}
	name := func(kind, id string) phrase.Value { return phrase.Value{Kind: kind, Text: id} }
	literal := func(text string) phrase.Value { return phrase.Value{Kind: phrase.KindLiteral, Text: text} }
	for _, river := range sampleRivers {
		points := make([]engine.Point, len(river))
		for i, p := range river {
			points[i] = engine.Point{X: 20 + p[0]*86/100, Y: 10 + p[1]*86/100}
		}
		s.Ground = append(s.Ground,
			engine.Mark{Shape: engine.Curve, Points: points, Stroke: "#8db8d6", Width: 70},
			engine.Mark{Shape: engine.Curve, Points: points, Stroke: "#b9d7ea", Width: 45})
	}
	for _, pass := range []int{0, 1} {
		for _, r := range sampleRoads {
			ends := []engine.Point{sampleAt(r[0]), sampleAt(r[1])}
			switch {
			case r[2] == "main" && pass == 0:
				s.Ground = append(s.Ground, engine.Mark{Shape: engine.Line, Points: ends, Stroke: "#6e5535", Width: 55})
			case r[2] == "main":
				s.Ground = append(s.Ground, engine.Mark{Shape: engine.Line, Points: ends, Stroke: "#e9c77b", Width: 32})
			case pass == 0:
				s.Ground = append(s.Ground, engine.Mark{Shape: engine.Line, Points: ends, Stroke: "#8d7856", Width: 18, Dash: 7})
			}
		}
	}
	for _, t := range sampleTowns {
		radius, size := 5, 12
		if t.big {
			radius, size = 9, 15
		}
		at := sampleAt(t.id)
		s.Ground = append(s.Ground, engine.Mark{Shape: engine.Disc, Points: []engine.Point{at}, Radius: radius, Fill: "#fffdf5", Stroke: "#3a2d1c", Width: 20})
		label := engine.Mark{Shape: engine.Label, Text: name("town", t.id), Size: size, Bold: t.big, Fill: "#2a2015", Stroke: "#f4ecd8", Width: 20}
		switch t.side {
		case "north":
			at.Y -= radius + 10
		case "south":
			at.Y += radius + 10
		case "west":
			at.X -= radius + 5
			label.Anchor = engine.End
		default:
			at.X += radius + 5
			label.Anchor = engine.Start
		}
		label.Points = []engine.Point{at}
		s.Ground = append(s.Ground, label)
	}
	block := func(town string, n int, ink engine.Ink, text string) {
		at := sampleAt(town)
		x, y := at.X-30+n*31, at.Y+14
		s.Marks = append(s.Marks,
			engine.Mark{Shape: engine.Polygon, Points: []engine.Point{{X: x, Y: y}, {X: x + 28, Y: y}, {X: x + 28, Y: y + 20}, {X: x, Y: y + 20}}, Fill: ink, Stroke: "#14161a", Width: 12},
			engine.Mark{Shape: engine.Label, Points: []engine.Point{{X: x + 14, Y: y + 10}}, Text: literal(text), Size: 12, Bold: true, Fill: "#ffffff"})
	}
	for i, town := range []string{"charleroi", "ligny", "beaumont", "philippeville", "maubeuge", "mons"} {
		for n := range 1 + i%3 {
			block(town, n, "#2456a6", fmt.Sprintf("F%d", 3+i*3+n))
		}
	}
	for i, town := range []string{"brussels", "ghent", "namur", "ligny", "hal", "liege", "wavre", "nivelles"} {
		block(town, 1+i%2, "#b23b2e", fmt.Sprintf("×%d", 1+i%4))
	}
	at := sampleAt("ligny")
	s.Marks = append(s.Marks, engine.Mark{Shape: engine.Disc, Points: []engine.Point{at}, Radius: 17, Stroke: "#d0021b", Width: 30, Dash: 6})
	return s
}

func samplePage() engine.Page {
	unit := func(id, kind, town string, strength int, state string) []phrase.Value {
		say := phrase.Say(state)
		return []phrase.Value{{Kind: "unit", Text: id}, {Kind: "kind", Text: kind}, {Kind: "town", Text: town},
			{Kind: phrase.KindNumber, Num: strength}, {Kind: phrase.KindPhrase, Say: &say}}
	}
	seen := func(town string, n, turn int) []phrase.Value {
		say := phrase.Say("smp.turn", phrase.Number("n", turn))
		return []phrase.Value{{Kind: "town", Text: town}, {Kind: phrase.KindNumber, Num: n}, {Kind: phrase.KindPhrase, Say: &say}}
	}
	head := func(code string, right bool) engine.Column {
		return engine.Column{Head: phrase.Say(code), Right: right}
	}
	return engine.Page{
		Title: phrase.Say("smp.title", phrase.Number("turn", 5)),
		Sections: []engine.Section{
			{Heading: phrase.Say("smp.map"), Picture: sampleScene()},
			{
				Heading: phrase.Say("smp.army"),
				Lines:   []phrase.Phrase{phrase.Say("smp.losses", phrase.Number("lost", 3), phrase.Number("limit", 12))},
				Tables: []engine.Table{
					{
						Caption: phrase.Say("smp.units"),
						Head:    []engine.Column{head("smp.unit", false), head("smp.kind", false), head("smp.at", false), head("smp.strength", true), head("smp.state", false)},
						Rows: [][]phrase.Value{
							unit("F-03", "infantry", "ligny", 3, "smp.fresh"),
							unit("F-07", "infantry", "ligny", 2, "smp.hit"),
							unit("F-11", "cavalry", "charleroi", 4, "smp.fresh"),
						},
					},
					{
						Caption: phrase.Say("smp.enemy"),
						Head:    []engine.Column{head("smp.at", false), head("smp.blocks", true), head("smp.last", false)},
						Rows:    [][]phrase.Value{seen("ligny", 4, 5), seen("braine-le-comte", 2, 4), seen("namur", 1, 2)},
					},
					{Caption: phrase.Say("smp.field", phrase.Name("town", "town", "wavre")), Head: []engine.Column{head("smp.unit", false)}},
				},
			},
		},
	}
}

func sampleTemplate() *orders.Node {
	return orders.Mapping().
		Set("game", orders.Text("ligny-7")).
		Set("side", orders.Text("french")).
		Set("stop", orders.Text("12 battle-turn")).
		Set("key", orders.Text("K7QF-2M9D")).
		Set("orders", orders.Items(
			orders.Mapping().Set("F-03", orders.Inline().Set("engage", orders.Text("center"))).Remark("or: fire, form square, retreat to Charleroi or Fleurus, hold; it stands in the reserve at present"),
			orders.Mapping().Set("F-07", orders.Text("hold")).Remark("or: fire"),
		))
}

func sampleNormal(to string) *orders.Node {
	return orders.Mapping().
		Set("orders", orders.Items(
			orders.Inline().Set("move", orders.Inline().Set("from", orders.Text("Charleroi")).Set("to", orders.Text(to)).Set("units", orders.Texts("F-03", "F-07"))),
			orders.Inline().Set("move", orders.Inline().Set("from", orders.Text("Beaumont")).Set("to", orders.Text("Thuin")).Set("units", orders.Texts("F-11"))),
		))
}

func sampleHeading(language string) Heading {
	zone := time.FixedZone("CET", 3600)
	return Heading{
		Reader: Reader{Name: "Anna Bianchi", Language: language, Zone: zone},
		Game:   "ligny-7", Title: "The Hundred Days", System: "sample", Side: "french",
		Spell: sampleSpell, Entry: 214, Hash: "3f9a2c81d0e4",
		Now: time.Date(2026, 11, 25, 16, 42, 10, 0, time.UTC),
	}
}

func sampleOwed() *Owed {
	return &Owed{
		Stop:     12,
		Decision: engine.Decision{Side: "french", Kind: "battle-turn", At: "ligny"},
		Deadline: time.Date(2026, 11, 27, 19, 0, 0, 0, time.UTC),
		Template: sampleTemplate(),
	}
}

func sampleReport(language string) Report {
	name := phrase.Name
	return Report{
		Heading: sampleHeading(language),
		Happened: []Told{
			{"NAP-5.1", phrase.Say("smp.moved", name("unit", "unit", "F-03"), name("from", "town", "charleroi"), name("to", "town", "ligny"), phrase.Names("roads", "town", []string{"fleurus", "ligny"})), 8},
			{"NAP-3.2", phrase.Say("smp.seen", phrase.Number("n", 4), phrase.Names("towns", "town", []string{"ligny", "namur", "wavre"})), 9},
			{"NAP-6.33", phrase.Say("smp.fire", name("unit", "unit", "F-07"), name("side", "side", "allied"), name("town", "town", "ligny"), phrase.Numbers("dice", []int{4, 6, 2}), phrase.Number("hits", 1)), 10},
			{"NAP-6.31c", phrase.Say("smp.morale", name("unit", "unit", "F-07"), name("town", "town", "ligny"), phrase.Number("dice", 5), phrase.Number("morale", 4)), 11},
		},
		Page:   samplePage(),
		Owed:   sampleOwed(),
		Rolled: "9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab",
	}
}

func sampleAccepted(language string) Accepted {
	return Accepted{
		Heading: sampleHeading(language), Owed: *sampleOwed(),
		Normal: sampleNormal("Ligny"), Replaces: sampleNormal("Fleurus"),
		Repairs: []orders.Repair{{Line: 6, Was: "to: “Ligny”", ReadAs: `to: "Ligny"`}, {Line: 8, Was: "\u00a0 - move", ReadAs: "  - move"}},
		Waiting: true,
	}
}

const sampleFaulty = `game: ligny-7
side: french
stop: 12 battle-turn
orders:
  - move: {from: Charleroi, to: Lingy, units: [F-03, F-07]}
  - move: {from: Beaumont, to: Liège, units: [F-11]}
  - move: {from: Charleroi, to: Fleurus, units: [F-12, F-13, F-14, F-15, F-16, F-03]}
`

func sampleRefused(language string) Refused {
	return Refused{
		Heading: sampleHeading(language), Source: sampleFaulty,
		Problems: orders.Problems{
			{Line: 5, Column: 33, Clause: "NAP-5.0", Why: phrase.Say("smp.no-town", phrase.Literal("name", "Lingy")), Remedy: phrase.Say("smp.meant", phrase.Literal("name", "Ligny"))},
			{Line: 6, Column: 32, Clause: "NAP-5.3", Why: phrase.Say("smp.far", phrase.Name("to", "town", "liege"), phrase.Name("from", "town", "beaumont"), phrase.Number("n", 7), phrase.Name("unit", "unit", "F-11"), phrase.Number("most", 3)), Remedy: phrase.Say("smp.rate", phrase.Names("towns", "town", []string{"thuin", "laneffe", "fosse"}))},
			{Line: 7, Column: 77, Clause: "NAP-5.1f", Why: phrase.Say("smp.twice", phrase.Name("unit", "unit", "F-03"), phrase.Number("line", 5))},
			{Why: phrase.Say("smp.no-key", phrase.Literal("key", "key"))},
		},
		InForce: sampleNormal("Fleurus"), Owed: sampleOwed(),
	}
}

// sampleMended is a refusal that gives the file back.
func sampleMended(language string) Refused {
	r := sampleRefused(language)
	r.Problems = r.Problems[:3]
	for i, text := range strings.Split(strings.TrimSuffix(sampleFaulty, "\n"), "\n") {
		row := orders.MendedLine{Text: text}
		for _, p := range r.Problems {
			if p.Line == i+1 {
				row.Faults, row.Out = orders.Problems{p}, p.Line > 5
			}
		}
		if i == 4 {
			row.Text, row.Was = strings.Replace(text, "Lingy", "Ligny", 1), []string{"Lingy"}
		}
		r.Mended = &orders.Mended{Lines: append(mendedLines(r.Mended), row), Sound: true}
	}
	return r
}

func mendedLines(m *orders.Mended) []orders.MendedLine {
	if m == nil {
		return nil
	}
	return m.Lines
}

func sampleNotice(language string) Notice {
	page := samplePage()
	page.Sections = page.Sections[1:]
	stop := phrase.Name("stop", "stop", "battle-turn")
	return Notice{
		Heading: sampleHeading(language),
		Subject: phrase.Say("smp.reminder", stop),
		Lines:   []phrase.Phrase{phrase.Say("smp.reminder-line", stop)},
		Tables:  page.Sections[0].Tables[1:2],
		Texts:   []string{"From: someone\n\torders:\n  - none\n"},
		Owed:    sampleOwed(),
	}
}

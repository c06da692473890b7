package hfg

import (
	"slices"
	"sync"

	"berthier/engine/hfg/campaign"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A scenario is a battle that is set up by a file: read once, and never changed.
type scenario struct {
	head
	set setting // the ground, the commands and the elements

	source []byte
}

// A head is what a file says of a battle besides its setting.
type head struct {
	Scenario string     `pos:"scenario,required,name"`
	Title    play.Title `pos:"title"`
	Begins   string     `pos:"first_pair,required,name"` // the hour, for reports
	Minutes  int        `pos:"pair_minutes,required,min=1,max=600"`
	Sunset   int        `pos:"sunset,max=99"` // the last pair; 0: that of the rules
	Weather  sky        `pos:"weather"`
	Wind     compass    `pos:"wind"`
	ByDice   bool       `pos:"weather_by_dice"` // the attacker's first die sets the weather (HFG-8.1)
	// OnArrival says that a delayed command's equivalents join those of its side when its first
	// element is on the field.
	OnArrival bool `pos:"count_on_arrival"`
	// Letters says that the armies, the ground and the deployment are settled by letter.
	Letters bool `pos:"by_letter"`
}

// sunsetPair is the last pair of turns by the rules (HFG-17.7).
const sunsetPair = 24

// Name implements [play.Scenario].
func (s *scenario) Name() string { return s.Scenario }

// lastPair is after how many pairs of turns the sun sets.
func (s *scenario) lastPair() int {
	if s.Sunset > 0 {
		return s.Sunset
	}
	return sunsetPair
}

// settingKeys are the keys of a file that [setting] reads, headKeys those of [head].
var (
	settingKeys = []string{"year", "size", "sides", "areas", "lines", "bridges", "fords", "places", "commands", "elements", "seats"}
	headKeys    = []string{"scenario", "title", "first_pair", "pair_minutes", "sunset", "weather", "weather_by_dice", "wind", "count_on_arrival", "by_letter"}
)

// readScenario reads a scenario file, strictly: every fault is reported with its line and
// column.
func readScenario(data []byte) (*scenario, orders.Problems) {
	s := &scenario{source: slices.Clone(data)}
	faults := play.ReadScenario(data, func(r play.Loader, root *orders.Node) {
		if !r.Of(root, "hfg") {
			return
		}
		c := scenarioCodec()
		c.Read(r.Reader, root, &s.head, append(settingKeys, "ruleset")...)
		c.Read(r.Reader, root, &s.set, append(headKeys, "ruleset")...)
		if len(r.Problems) > 0 {
			return // ids may be missing
		}
		l := &loader{Loader: r, s: &s.set, root: root, letters: s.Letters}
		l.complete()
		if len(r.Problems) == 0 && !s.Letters {
			l.placed(s)
		}
	})
	if len(faults) > 0 {
		return nil, faults
	}
	return s, nil
}

// wordKinds are the types that files write as words and in which 0 is none; plainKinds those
// in which 0 has a word, too.
var (
	wordKinds = []struct {
		sample any
		kind   string
		words  []string
	}{
		{edge(0), "edge", edgeWords}, {compass(0), "air", airWords}, {role(0), "role", roleWords}, {class(0), "class", classWords},
		{grade(0), "grade", gradeWords}, {rank(0), "rank", rankWords}, {ground(0), "ground", groundWords},
		{track(0), "track", trackWords}, {work(0), "work", workWords}, {troop(0), "type", troopWords()},
		{pieceKind(0), "piece", pieceWords}, {section(0), "section", sectionWords}, {provision(0), "preparation", provisionWords},
		{jobKind(0), "job", jobWords}, {decision(0), "decision", decisionWords}, {policyKey(0), "policy", policyWords},
	}
	plainKinds = []struct {
		sample any
		kind   string
		words  []string
	}{
		{gentle, "slope", slopeWords}, {present, "fate", fateWords}, {steady, "spirit", spiritWords},
		{still, "manner", mannerWords}, {fair, "sky", skyWords}, {active, "status", statusWords},
		{opening, "phase", phaseWords}, {listing, "step", stepWords},
		{campaign.Morning, "period", campaign.PeriodWords}, {campaign.NoWork, "work-on-map", campaign.WorkWords}, {unharmed, "effect", effectWords},
	}
)

// troopWords are the words of the types of elements.
func troopWords() []string {
	all := make([]string, troopsEnd)
	for t := range all {
		all[t] = troops[t].word
	}
	return all
}

// teach teaches a codec the words of files.
func teach(c *play.Codec) *play.Codec {
	for _, w := range wordKinds {
		c.Things(w.sample, play.Things{Kind: w.kind, IDs: w.words[1:], First: 1, Words: true})
	}
	for _, w := range plainKinds {
		c.Things(w.sample, play.Things{Kind: w.kind, IDs: w.words, Words: true})
	}
	var nodes []string
	for _, n := range campaign.TwoValleys().Nodes {
		nodes = append(nodes, n.ID)
	}
	c.Things(campaign.Node(0), play.Things{Kind: "node", IDs: nodes, First: 1})
	return c
}

// taught is a codec that knows what is the same in every setting.
var taught = sync.OnceValue(func() *play.Codec { return teach(play.NewCodec()) })

// scenarioCodec reads a scenario file, and writes and reads the setting of a position.
func scenarioCodec() *play.Codec {
	c := teach(play.NewScenarioCodec())
	c.Things(side(0), play.Things{Kind: "side", First: 1})
	c.Things(areaID(0), play.Things{Kind: "area", First: 1})
	c.Things(lineID(0), play.Things{Kind: "line", First: 1})
	c.Things(commandID(0), play.Things{Kind: "command", First: 1})
	c.Things(elementID(0), play.Things{Kind: "element", First: 1})
	return c
}

// newCodec makes a codec that knows the ids of a setting and everything that a position
// holds.
func (s *setting) newCodec() *play.Codec {
	c := taught().Copy()
	c.Things(side(0), play.Things{Kind: "side", First: 1, IDs: idsOf(s.sides, func(d *sideDef) string { return d.id })})
	c.Things(areaID(0), play.Things{Kind: "area", First: 1, IDs: idsOf(s.areas, func(d *areaDef) string { return d.id })})
	c.Things(lineID(0), play.Things{Kind: "line", First: 1, IDs: idsOf(s.lines, func(d *lineDef) string { return d.id })})
	c.Things(commandID(0), play.Things{Kind: "command", First: 1, IDs: idsOf(s.commands, func(d *commandDef) string { return d.id })})
	c.Things(elementID(0), play.Things{Kind: "element", First: 1, IDs: idsOf(s.roster, func(d *elementDef) string { return d.id })})
	return c
}

func idsOf[T any](all []T, id func(*T) string) []string {
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = id(&all[i])
	}
	return ids
}

// placed sets up the field as the file has it.
func (s *scenario) placed(o options) *game {
	g := newGame(&s.set, o)
	g.scenario = s
	g.Sky, g.Wind = s.Weather, s.Wind
	for i := range s.set.roster {
		d := &s.set.roster[i]
		x := &g.Elements[i+1]
		x.At, x.Facing, x.Holds = d.at, d.facing, d.holds
		if x.At == (place{}) && x.Holds == 0 {
			x.Fate = due
		}
	}
	for c := range s.set.commands {
		a := s.set.commands[c].arrival
		if a == nil {
			continue
		}
		g.Commands[c+1].Status = delayed
		if a.historical > 0 && o.prussians == prussiansHistorical {
			g.Commands[c+1].Arrives = 2 * a.historical
			if s.set.commands[c].side == s.set.attacker() {
				g.Commands[c+1].Arrives--
			}
		}
	}
	return g
}

// newGame is the first turn on a setting, without any element placed yet.
func newGame(s *setting, o options) *game {
	return &game{setting: s, options: o, Turn: 1, Elements: make([]element, len(s.roster)+1),
		Commands: make([]command, len(s.commands)+1), Bridges: slices.Clone(s.bridges), Fords: slices.Clone(s.fords)}
}

// begun sets a game up, or says what is wrong with the options.
func begun(s *scenario, chosen map[string]string) (*game, orders.Problems) {
	o, faults := s.menu().Read(chosen)
	if len(faults) > 0 {
		return nil, faults
	}
	if s.Letters {
		return s.opened(o)
	}
	g := s.placed(o)
	if o.prussians == prussiansNever {
		for c := range s.set.commands {
			if d := &s.set.commands[c]; d.arrival != nil && d.arrival.historical > 0 {
				g.Commands[c+1].Status = absent
			}
		}
	}
	return g, nil
}

func elementArg(name string, d *elementDef) phrase.Arg { return phrase.Name(name, "element", d.id) }

func skyArg(s sky) phrase.Arg { return phrase.Name("sky", "sky", skyWords[s]) }

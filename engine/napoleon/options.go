package napoleon

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A choice is one of the values of an option: the index in its list.
type choice int8

// Values of the options, in the order of their lists (section 8.1 of the
// digest). The first is what the rules say. Those of setup are looked up by
// their word, for a scenario says what they mean.
const (
	terrainPieces choice = iota
	terrainNone
)
const (
	fogStandard choice = iota
	fogFull
)
const (
	corpsOn choice = iota
	corpsOff
)
const (
	interleaveByBattle choice = iota
	interleaveBySide
)
const (
	commandPairwise choice = iota
	commandChain
	commandOff
)
const (
	shockFirstFire choice = iota
	shockNextTurn
)
const (
	leaderFirePrinted choice = iota
	leaderFire1
	leaderFire2
)
const (
	simultaneousState choice = iota
	simultaneousSameTurn
)
const (
	regroupDisrupted choice = iota
	regroupNotDisrupted
)
const (
	lossesIdentity choice = iota
	lossesNumber
)

const (
	horseOn choice = iota
	horseOff
)
const (
	ratingsUnit choice = iota
	ratingsType
)
const (
	squaresStay choice = iota
	squaresMove
)
const (
	sectorOwnOrForward choice = iota
	sectorOwnOnly
)
const (
	lastTurnCounts choice = iota
	lastTurnLate
)
const (
	jointPosition choice = iota
	jointBoard
)
const (
	revealMax choice = iota
	revealFree
)
const (
	stalemateGradual choice = iota
	stalemateAtOnce
)
const (
	rehideAlways choice = iota
	rehideAsk
)

const (
	cadenceAll choice = iota
	cadencePlans
)

const (
	sidesAssigned choice = iota
	sidesBid
)
const (
	stepExact choice = iota
	stepAny
)
const (
	bidsOpen choice = iota
	bidsSecret
)

const (
	playersTwo choice = iota
	playersThree
)
const (
	visionFull choice = iota
	visionNone
)
const (
	orderAlternate choice = iota
	orderSequential
)
const (
	leadLarger choice = iota
	leadAngloDutch
	leadPrussian
)
const (
	talkRulebook choice = iota
	talkFree
)

// options are the choices made when the game was set up.
type options struct {
	players          choice // NAP-0.2, NAP-11.1
	jointLead        choice // NAP-R17
	alliedOrder      choice // NAP-R09
	allyVision       choice // NAP-R57
	talk             choice // NAP-R58
	sides            choice // NAP-12.0
	bidStep          choice // NAP-R53
	bids             choice // NAP-R88
	setup            choice // NAP-4.1 to 4.3
	terrain          choice // NAP-6.21
	fogOfBattle      choice // NAP-6.24d
	corpsIntegrity   choice // NAP-6.23
	interleave       choice // NAP-R11
	commandControl   choice // NAP-5.2
	shockLasts       choice // NAP-R28
	leaderFire       choice // NAP-R30
	simultaneous     choice // NAP-R49
	disruptedRegroup choice // NAP-R44
	lossesPublic     choice // NAP-R55
	horseArtillery   choice // NAP-R33
	ratings          choice // NAP-R34
	squareMoves      choice // NAP-R59
	routTest         choice // NAP-R60
	lastTurn         choice // NAP-R51
	jointCorps       choice // NAP-R19
	skirmishReveal   choice // NAP-R12
	stalemate        choice // NAP-R40
	rehide           choice // NAP-R69

	cadence choice // which decisions open a stop

	pool  [hill + 1]int8 // terrain_pool: how many of each piece (NAP-R21)
	zones []zoneChoice   // NAME_zone: who may deploy in a town of doubtful allegiance
}

// A zoneChoice gives a town to an army for deployment.
type zoneChoice struct {
	town townID
	zone army
}

// An optionDef is an option whose values are a list of words.
type optionDef struct {
	name   string
	clause string
	values []string
	field  func(*options) *choice
}

// optionDefs are in the order of section 8.1 of the digest.
var optionDefs = []optionDef{
	{"players", "NAP-11.1", []string{"2", "3"}, func(o *options) *choice { return &o.players }},
	{"setup", "NAP-4.1", []string{"free", "historical", "gambit"}, func(o *options) *choice { return &o.setup }},
	{"sides", "NAP-12.0", []string{"assigned", "bid"}, func(o *options) *choice { return &o.sides }},
	{"bid_step", "NAP-R53", []string{"exact", "any"}, func(o *options) *choice { return &o.bidStep }},
	{"bids", "NAP-R88", []string{"open", "secret"}, func(o *options) *choice { return &o.bids }},
	{"terrain", "NAP-6.21", []string{"pieces", "none"}, func(o *options) *choice { return &o.terrain }},
	{"fog_of_battle", "NAP-6.24d", []string{"standard", "full"}, func(o *options) *choice { return &o.fogOfBattle }},
	{"rehide", "NAP-R69", []string{"always", "ask"}, func(o *options) *choice { return &o.rehide }},
	{"corps_integrity", "NAP-6.23", []string{"on", "off"}, func(o *options) *choice { return &o.corpsIntegrity }},
	{"joint_corps", "NAP-R19", []string{"position", "board"}, func(o *options) *choice { return &o.jointCorps }},
	{"interleave", "NAP-R11", []string{"by-battle", "by-side"}, func(o *options) *choice { return &o.interleave }},
	{"skirmish_reveal", "NAP-R12", []string{"max", "free"}, func(o *options) *choice { return &o.skirmishReveal }},
	{"command_control", "NAP-R07", []string{"pairwise", "chain", "off"}, func(o *options) *choice { return &o.commandControl }},
	{"stalemate", "NAP-R40", []string{"gradual", "rout-limits"}, func(o *options) *choice { return &o.stalemate }},
	{"shock_lasts", "NAP-R28", []string{"first-fire", "next-turn"}, func(o *options) *choice { return &o.shockLasts }},
	{"leader_fire", "NAP-R30", []string{"sc-or-F2", "F1", "F2"}, func(o *options) *choice { return &o.leaderFire }},
	{"horse_artillery", "NAP-R33", []string{"on", "off"}, func(o *options) *choice { return &o.horseArtillery }},
	{"ratings", "NAP-R34", []string{"unit", "type"}, func(o *options) *choice { return &o.ratings }},
	{"square_moves", "NAP-R59", []string{"off", "on"}, func(o *options) *choice { return &o.squareMoves }},
	{"rout_test_3e", "NAP-R60", []string{"own-or-forward", "own-only"}, func(o *options) *choice { return &o.routTest }},
	{"simultaneous", "NAP-R49", []string{"state", "same-turn"}, func(o *options) *choice { return &o.simultaneous }},
	{"last_turn_counts", "NAP-R51", []string{"on", "off"}, func(o *options) *choice { return &o.lastTurn }},
	{"disrupted_regroup", "NAP-R44", []string{"on", "off"}, func(o *options) *choice { return &o.disruptedRegroup }},
	{"losses_public", "NAP-R55", []string{"identity", "number"}, func(o *options) *choice { return &o.lossesPublic }},
	{"ally_vision", "NAP-R57", []string{"full", "none"}, func(o *options) *choice { return &o.allyVision }},
	{"allied_order", "NAP-R09", []string{"alternate", "sequential"}, func(o *options) *choice { return &o.alliedOrder }},
	{"joint_lead", "NAP-R17", []string{"larger", "anglo-dutch", "prussian"}, func(o *options) *choice { return &o.jointLead }},
	{"press", "NAP-R58", []string{"rulebook", "free"}, func(o *options) *choice { return &o.talk }},
	{"cadence", "", []string{"every-decision", "plans-first"}, func(o *options) *choice { return &o.cadence }},
}

const poolOption = "terrain_pool"

// zoneSuffix ends the name of an option that gives a town to an army:
// laneffe_zone.
const zoneSuffix = "_zone"

// aboutOptions lists the options of a scenario with their values, its own
// default first.
func aboutOptions(s *scenario) []engine.Option {
	all := []engine.Option{{Name: editionOption, Clause: "NAP-0.1", Values: s.sisters()}}
	for _, d := range optionDefs {
		if !s.offers(d.name) {
			continue
		}
		all = append(all, engine.Option{Name: d.name, Clause: d.clause, Values: first(s.usual(d), s.valuesOf(d))})
		if d.name == "terrain" {
			all = append(all, engine.Option{Name: poolOption, Clause: "NAP-R21", Values: []string{poolText(poolOf(s.terrain))}})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.values)) {
		if strings.HasSuffix(name, zoneSuffix) {
			all = append(all, engine.Option{Name: name, Clause: "NAP-4.1", Values: first(s.values[name], armyWords[:])})
		}
	}
	return all
}

// first puts one of the values before the others.
func first(value string, values []string) []string {
	i := slices.Index(values, value)
	if i < 0 {
		return slices.Clone(values)
	}
	return append([]string{value}, slices.Delete(slices.Clone(values), i, i+1)...)
}

// readOptions makes the options of a game: what was chosen, else what the
// scenario says, else the rules. All faults come at once.
func readOptions(s *scenario, chosen map[string]string) (options, orders.Problems) {
	o := options{pool: poolOf(s.terrain)}
	var faults orders.Problems
	refuse := func(clause, code string, args ...phrase.Arg) {
		faults = append(faults, orders.Problem{Clause: clause, Why: phrase.Say(code, args...)})
	}
	known := map[string]bool{editionOption: true, poolOption: true}
	if edition, ok := chosen[editionOption]; ok && edition != s.edition {
		refuse("NAP-0.1", "nap.option-value", phrase.Literal("option", editionOption), phrase.Literal("value", edition), phrase.Literals("values", s.sisters()))
	}
	for _, d := range optionDefs {
		if !s.offers(d.name) {
			continue
		}
		known[d.name] = true
		value, ok := chosen[d.name]
		if !ok {
			value = s.usual(d)
		}
		i := slices.Index(d.values, value)
		if i < 0 || !s.offers(d.name+": "+value) {
			refuse(d.clause, "nap.option-value", phrase.Literal("option", d.name), phrase.Literal("value", value), phrase.Literals("values", s.valuesOf(d)))
			continue
		}
		*d.field(&o) = choice(i)
	}
	if value, ok := chosen[poolOption]; ok {
		pool, ok := readPool(value)
		if !ok {
			refuse("NAP-R21", "nap.option-pool", phrase.Literal("value", value))
		}
		o.pool = pool
	}
	for _, name := range slices.Sorted(maps.Keys(s.values)) {
		if !strings.HasSuffix(name, zoneSuffix) {
			continue
		}
		known[name] = true
		value, ok := chosen[name]
		if !ok {
			value = s.values[name]
		}
		a, ok := armyNamed(value)
		if !ok {
			refuse("NAP-4.1", "nap.option-value", phrase.Literal("option", name), phrase.Literal("value", value), phrase.Literals("values", armyWords[:]))
			continue
		}
		t, _ := s.townNamed(strings.TrimSuffix(name, zoneSuffix))
		o.zones = append(o.zones, zoneChoice{t, a})
	}
	for _, name := range slices.Sorted(maps.Keys(chosen)) {
		if !known[name] {
			var names []string
			for _, opt := range aboutOptions(s) {
				names = append(names, opt.Name)
			}
			refuse("", "nap.option-unknown", phrase.Literal("option", name), phrase.Literals("names", names))
		}
	}
	if o.sides == sidesBid && o.players == playersThree {
		refuse("NAP-12.0", "nap.option-bid-three")
	}
	if len(faults) == 0 {
		if _, ok := s.setup(o.setup.of("setup")); !ok {
			refuse("NAP-4.3", "nap.option-setup", phrase.Literal("setup", o.setup.of("setup")), phrase.Literal("scenario", s.name))
		}
	}
	return o, faults
}

// of gives the word of a choice.
func (c choice) of(option string) string {
	for _, d := range optionDefs {
		if d.name == option {
			return d.values[c]
		}
	}
	return ""
}

// words gives the options that differ from the scenario's own, by name, as
// [readOptions] takes them.
func (o *options) words(s *scenario) map[string]string {
	plain, _ := readOptions(s, nil)
	all := map[string]string{}
	for _, d := range optionDefs {
		if c := *d.field(o); c != *d.field(&plain) {
			all[d.name] = d.values[c]
		}
	}
	if o.pool != plain.pool {
		all[poolOption] = poolText(o.pool)
	}
	for i, z := range o.zones {
		if z != plain.zones[i] {
			all[s.towns[z.town].id+zoneSuffix] = z.zone.String()
		}
	}
	return all
}

// poolOf counts the pieces of a pool.
func poolOf(pieces []piece) [hill + 1]int8 {
	var pool [hill + 1]int8
	for _, p := range pieces {
		pool[p]++
	}
	return pool
}

// poolText writes a pool as wood/farm/stream/hill.
func poolText(pool [hill + 1]int8) string {
	return fmt.Sprintf("%d/%d/%d/%d", pool[wood], pool[farm], pool[stream], pool[hill])
}

// readPool reads wood/farm/stream/hill, eight in all (NAP-6.21).
func readPool(text string) ([hill + 1]int8, bool) {
	var pool [hill + 1]int8
	parts := strings.Split(text, "/")
	if len(parts) != int(hill) {
		return pool, false
	}
	sum := 0
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || n > 8 || strconv.Itoa(n) != part {
			return pool, false
		}
		pool[wood+piece(i)] = int8(n)
		sum += n
	}
	return pool, sum == 8
}

// freshPool is the terrain of a battle phase, before any is drawn (NAP-6.21b).
func (g *game) freshPool() []piece {
	var all []piece
	if g.options.terrain == terrainNone {
		return nil
	}
	for p := wood; p <= hill; p++ {
		for range g.options.pool[p] {
			all = append(all, p)
		}
	}
	return all
}

// zone tells whose deployment a town is in (NAP-4.1, NAP-4.2).
func (g *game) zone(t townID) army {
	for _, z := range g.options.zones {
		if z.town == t {
			return z.zone
		}
	}
	return g.towns[t].zone
}

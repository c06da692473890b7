package napoleon

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Values of the options, in the order of their lists (section 8.1 of the
// digest). The first is the value in the rules. The values of setup are looked up by
// their words, since a scenario says what they mean.
const (
	terrainPieces play.Setting = iota
	terrainNone
)
const (
	fogStandard play.Setting = iota
	fogFull
)
const (
	corpsOn play.Setting = iota
	corpsOff
)
const (
	interleaveByBattle play.Setting = iota
	interleaveBySide
)
const (
	commandPairwise play.Setting = iota
	commandChain
	commandOff
)
const (
	shockFirstFire play.Setting = iota
	shockNextTurn
)
const (
	leaderFirePrinted play.Setting = iota
	leaderFire1
	leaderFire2
)
const (
	simultaneousState play.Setting = iota
	simultaneousSameTurn
)
const (
	regroupDisrupted play.Setting = iota
	regroupNotDisrupted
)
const (
	lossesIdentity play.Setting = iota
	lossesNumber
)

const (
	horseOn play.Setting = iota
	horseOff
)
const (
	ratingsUnit play.Setting = iota
	ratingsType
)
const (
	squaresStay play.Setting = iota
	squaresMove
)
const (
	sectorOwnOrForward play.Setting = iota
	sectorOwnOnly
)
const (
	lastTurnCounts play.Setting = iota
	lastTurnLate
)
const (
	jointPosition play.Setting = iota
	jointBoard
)
const (
	revealMax play.Setting = iota
	revealFree
)
const (
	stalemateGradual play.Setting = iota
	stalemateAtOnce
)
const (
	rehideAlways play.Setting = iota
	rehideAsk
)

const (
	cadenceAll play.Setting = iota
	cadencePlans
)

const (
	sidesAssigned play.Setting = iota
	sidesBid
)
const (
	stepExact play.Setting = iota
	stepAny
)
const (
	bidsOpen play.Setting = iota
	bidsSecret
)

const (
	playersTwo play.Setting = iota
	playersThree
)
const (
	visionFull play.Setting = iota
	visionNone
)
const (
	orderAlternate play.Setting = iota
	orderSequential
)
const (
	leadLarger play.Setting = iota
	leadAngloDutch
	leadPrussian
)
const (
	talkRulebook play.Setting = iota
	talkFree
)

// options are the choices made when the game was set up.
type options struct {
	players          play.Setting // NAP-0.2, NAP-11.1
	jointLead        play.Setting // NAP-R17
	alliedOrder      play.Setting // NAP-R09
	allyVision       play.Setting // NAP-R57
	talk             play.Setting // NAP-R58
	sides            play.Setting // NAP-12.0
	bidStep          play.Setting // NAP-R53
	bids             play.Setting // NAP-R88
	setup            play.Setting // NAP-4.1 to 4.3
	terrain          play.Setting // NAP-6.21
	fogOfBattle      play.Setting // NAP-6.24d
	corpsIntegrity   play.Setting // NAP-6.23
	interleave       play.Setting // NAP-R11
	commandControl   play.Setting // NAP-5.2
	shockLasts       play.Setting // NAP-R28
	leaderFire       play.Setting // NAP-R30
	simultaneous     play.Setting // NAP-R49
	disruptedRegroup play.Setting // NAP-R44
	lossesPublic     play.Setting // NAP-R55
	horseArtillery   play.Setting // NAP-R33
	ratings          play.Setting // NAP-R34
	squareMoves      play.Setting // NAP-R59
	routTest         play.Setting // NAP-R60
	lastTurn         play.Setting // NAP-R51
	jointCorps       play.Setting // NAP-R19
	skirmishReveal   play.Setting // NAP-R12
	stalemate        play.Setting // NAP-R40
	rehide           play.Setting // NAP-R69

	cadence play.Setting // which decisions open a stop

	pool  [hill + 1]int8 // terrain-pool: how many of each piece (NAP-R21)
	zones []zoneChoice   // NAME-zone: who may deploy in a town of doubtful allegiance
}

// A zoneChoice gives a town to an army for deployment.
type zoneChoice struct {
	town townID
	zone army
}

// setupWords are the values of the option setup.
var setupWords = []string{"free", "historical", "gambit"}

// optionDefs are in the order of section 8.1 of the digest.
var optionDefs = play.Options[options]{
	{Name: "players", Clause: "NAP-11.1", Values: []string{"2", "3"}, Field: func(o *options) *play.Setting { return &o.players }},
	{Name: "setup", Clause: "NAP-4.1", Values: setupWords, Field: func(o *options) *play.Setting { return &o.setup }},
	{Name: "sides", Clause: "NAP-12.0", Values: []string{"assigned", "bid"}, Field: func(o *options) *play.Setting { return &o.sides }},
	{Name: "bid-step", Clause: "NAP-R53", Values: []string{"exact", "any"}, Field: func(o *options) *play.Setting { return &o.bidStep }},
	{Name: "bids", Clause: "NAP-R88", Values: []string{"open", "secret"}, Field: func(o *options) *play.Setting { return &o.bids }},
	{Name: "terrain", Clause: "NAP-6.21", Values: []string{"pieces", "none"}, Field: func(o *options) *play.Setting { return &o.terrain }},
	{Name: "fog-of-battle", Clause: "NAP-6.24d", Values: []string{"standard", "full"}, Field: func(o *options) *play.Setting { return &o.fogOfBattle }},
	{Name: "rehide", Clause: "NAP-R69", Values: []string{"always", "ask"}, Field: func(o *options) *play.Setting { return &o.rehide }},
	{Name: "corps-integrity", Clause: "NAP-6.23", Values: []string{"on", "off"}, Field: func(o *options) *play.Setting { return &o.corpsIntegrity }},
	{Name: "joint-corps", Clause: "NAP-R19", Values: []string{"position", "board"}, Field: func(o *options) *play.Setting { return &o.jointCorps }},
	{Name: "interleave", Clause: "NAP-R11", Values: []string{"by-battle", "by-side"}, Field: func(o *options) *play.Setting { return &o.interleave }},
	{Name: "skirmish-reveal", Clause: "NAP-R12", Values: []string{"max", "free"}, Field: func(o *options) *play.Setting { return &o.skirmishReveal }},
	{Name: "command-control", Clause: "NAP-R07", Values: []string{"pairwise", "chain", "off"}, Field: func(o *options) *play.Setting { return &o.commandControl }},
	{Name: "stalemate", Clause: "NAP-R40", Values: []string{"gradual", "rout-limits"}, Field: func(o *options) *play.Setting { return &o.stalemate }},
	{Name: "shock-lasts", Clause: "NAP-R28", Values: []string{"first-fire", "next-turn"}, Field: func(o *options) *play.Setting { return &o.shockLasts }},
	{Name: "leader-fire", Clause: "NAP-R30", Values: []string{"sc-or-F2", "F1", "F2"}, Field: func(o *options) *play.Setting { return &o.leaderFire }},
	{Name: "horse-artillery", Clause: "NAP-R33", Values: []string{"on", "off"}, Field: func(o *options) *play.Setting { return &o.horseArtillery }},
	{Name: "ratings", Clause: "NAP-R34", Values: []string{"unit", "type"}, Field: func(o *options) *play.Setting { return &o.ratings }},
	{Name: "square-moves", Clause: "NAP-R59", Values: []string{"off", "on"}, Field: func(o *options) *play.Setting { return &o.squareMoves }},
	{Name: "rout-test-3e", Clause: "NAP-R60", Values: []string{"own-or-forward", "own-only"}, Field: func(o *options) *play.Setting { return &o.routTest }},
	{Name: "simultaneous", Clause: "NAP-R49", Values: []string{"state", "same-turn"}, Field: func(o *options) *play.Setting { return &o.simultaneous }},
	{Name: "last-turn-counts", Clause: "NAP-R51", Values: []string{"on", "off"}, Field: func(o *options) *play.Setting { return &o.lastTurn }},
	{Name: "disrupted-regroup", Clause: "NAP-R44", Values: []string{"on", "off"}, Field: func(o *options) *play.Setting { return &o.disruptedRegroup }},
	{Name: "losses-public", Clause: "NAP-R55", Values: []string{"identity", "number"}, Field: func(o *options) *play.Setting { return &o.lossesPublic }},
	{Name: "ally-vision", Clause: "NAP-R57", Values: []string{"full", "none"}, Field: func(o *options) *play.Setting { return &o.allyVision }},
	{Name: "allied-order", Clause: "NAP-R09", Values: []string{"alternate", "sequential"}, Field: func(o *options) *play.Setting { return &o.alliedOrder }},
	{Name: "joint-lead", Clause: "NAP-R17", Values: []string{"larger", "anglo-dutch", "prussian"}, Field: func(o *options) *play.Setting { return &o.jointLead }},
	{Name: "press", Clause: "NAP-R58", Values: []string{"rulebook", "free"}, Field: func(o *options) *play.Setting { return &o.talk }},
	{Name: "cadence", Clause: "", Values: []string{"every-decision", "plans-first"}, Field: func(o *options) *play.Setting { return &o.cadence }},
}

const poolOption = "terrain-pool"

// zoneSuffix ends the name of an option that gives a town to an army:
// laneffe-zone.
const zoneSuffix = "-zone"

// menu is what a set-up on a scenario may choose.
func (s *scenario) menu() play.Menu[options] {
	m := play.Menu[options]{Usual: map[string]string{}}
	maps.Copy(m.Usual, editionValues[s.edition])
	maps.Copy(m.Usual, s.values)
	edition := play.Option[options]{Name: editionOption, Clause: "NAP-0.1", Values: s.sisters(), Write: func(*options) string { return s.edition }}
	edition.Read = func(_ *options, value string) *fault {
		if value != s.edition {
			return edition.NotA(value)
		}
		return nil
	}
	m.Options = append(m.Options, edition)
	for _, d := range optionDefs {
		if !s.offers(d.Name) {
			continue
		}
		if d.Name == "setup" {
			d.Values, d.Offered = s.setupValues()
		}
		m.Options = append(m.Options, d)
		if d.Name == "terrain" {
			m.Options = append(m.Options, s.poolOption())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.values)) {
		if strings.HasSuffix(name, zoneSuffix) {
			m.Options = append(m.Options, s.zoneOption(name))
		}
	}
	return m
}

// setupValues are the ways to set up that have a meaning in the scenario's
// edition, and those of them that the scenario gives.
func (s *scenario) setupValues() (known, told []string) {
	told = []string{}
	for _, value := range setupWords {
		if !s.offers("setup: " + value) {
			continue
		}
		known = append(known, value)
		if _, ok := s.setup(value); ok {
			told = append(told, value)
		}
	}
	return known, told
}

// poolOption is how many of each piece of terrain there are; the scenario's own numbers are
// always right.
func (s *scenario) poolOption() play.Option[options] {
	own := poolOf(s.terrain)
	text := poolText(own)
	return play.Option[options]{
		Name: poolOption, Clause: "NAP-R21", Values: []string{text},
		Read: func(o *options, value string) *fault {
			if value == text {
				o.pool = own
				return nil
			}
			pool, ok := readPool(value)
			if !ok {
				return refusal("NAP-R21", "nap.option-pool", phrase.Literal("value", value))
			}
			o.pool = pool
			return nil
		},
		Write: func(o *options) string { return poolText(o.pool) },
	}
}

// zoneOption gives a town of doubtful allegiance to an army.
func (s *scenario) zoneOption(name string) play.Option[options] {
	town, _ := s.townNamed(strings.TrimSuffix(name, zoneSuffix))
	zone := play.Option[options]{Name: name, Clause: "NAP-4.1", Values: armyWords[:]}
	zone.Read = func(o *options, value string) *fault {
		a, ok := armyNamed(value)
		if !ok {
			return zone.NotA(value)
		}
		o.zones = append(o.zones, zoneChoice{town, a})
		return nil
	}
	zone.Write = func(o *options) string {
		for _, z := range o.zones {
			if z.town == town {
				return z.zone.String()
			}
		}
		return ""
	}
	return zone
}

// readOptions makes the options of a game. All faults come at once.
func (s *scenario) readOptions(chosen map[string]string) (options, orders.Problems) {
	o, faults := s.menu().Read(chosen)
	if o.sides == sidesBid && o.players == playersThree {
		faults = append(faults, orders.Problem{Clause: "NAP-12.0", Why: phrase.Say("nap.option-bid-three")})
	}
	if len(faults) == 0 {
		if _, ok := s.setup(setupWords[o.setup]); !ok {
			faults = append(faults, orders.Problem{Clause: "NAP-4.3", Why: phrase.Say("nap.option-setup",
				phrase.Literal("setup", setupWords[o.setup]), phrase.Literal("scenario", s.name))})
		}
	}
	return o, faults
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

package mistakes

import (
	"slices"
	"strconv"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// options are the choices made when the game was set up (section 8.1 of the digest).
type options struct {
	game             play.Setting // index of scenario.lengths (chapter 18)
	ney              play.Setting // EM-1.2: off, on
	hillStacks       play.Setting // EM-R9: no, yes
	bridgeFord       play.Setting // EM-R12: no, yes
	wheelLimit       play.Setting // EM-R4: 90 less its value
	ownArea          play.Setting // EM-R50: no, yes
	players          play.Setting // 2, 3
	substituteOn     play.Setting // EM-R22: high, low
	entryOn          play.Setting // EM-R21: high, low
	leaderTest       play.Setting // EM-R24: 2 and 3, 3 and 2
	oneSubstitute    play.Setting // EM-R29: no, yes
	footEither       play.Setting // EM-R53: no, yes
	garrisonOrange   play.Setting // EM-R19: no, yes
	testFormation    play.Setting // EM-R57: no, yes
	reinforceAll     play.Setting // EM-R46: no, yes
	pursuitOn        play.Setting // EM-R23: 5 or more, 3 or less
	rerollFrom       play.Setting // EM-R44: guard, elite
	meleeBonus       play.Setting // EM-R44: veterans, elite
	rearFirm         play.Setting // EM-R43: no, yes
	terrainInCounter play.Setting // EM-R52: no, yes

	lastTurn           play.Setting // EM-18.3: the scenario's, or the turn
	routStrict         play.Setting // EM-R7: no, yes
	splitPoints        play.Setting // EM-R8: level-3, nobody
	coverFromFire      play.Setting // EM-R15: no, yes
	smokedSupport      play.Setting // EM-R18: no, yes
	damageOn           play.Setting // EM-R20: high, low
	entryFree          play.Setting // EM-R31: no, yes
	strictSight        play.Setting // EM-R33: no, yes
	freeGenerals       play.Setting // EM-R49: no, yes
	neyFrom            play.Setting // EM-R55: the corps of the file, or another of blue's
	ownFormation       play.Setting // EM-R62: no, yes
	garrisonWithdraw   play.Setting // EM-R60: combat, melee
	garrisonHoldsAlone play.Setting // EM-R69: no, yes
	separateScores     play.Setting // EM-R49: no, yes
	segmentLong        length       // EM-R1: 0: the scenario's
}

// noYes are the values of switches that the rules leave off.
var noYes = []string{"no", "yes"}

// mostWheel is the greatest turn of a manoeuvre, in degrees (EM-3.12).
const mostWheel = 90

// menu is what a set-up on a scenario may choose.
func (s *scenario) menu() play.Menu[options] {
	var games, wheels []string
	turns := []string{"scenario"}
	for n := range s.times {
		turns = append(turns, strconv.Itoa(n+1))
	}
	for _, d := range s.lengths {
		games = append(games, d.id)
	}
	for n := mostWheel; n > 0; n-- {
		wheels = append(wheels, strconv.Itoa(n))
	}
	return play.Menu[options]{Options: play.Options[options]{
		{Name: "game", Clause: "EM-18.1", Values: games, Field: func(o *options) *play.Setting { return &o.game }},
		{Name: "players", Clause: "EM-18.1", Values: []string{"2", "3"}, Field: func(o *options) *play.Setting { return &o.players }},
		{Name: "ney", Clause: "EM-1.2", Values: []string{"off", "on"}, Field: func(o *options) *play.Setting { return &o.ney }},
		{Name: "last-turn", Clause: "EM-18.3", Values: turns, Field: func(o *options) *play.Setting { return &o.lastTurn }},
		{Name: "segment-um", Clause: "EM-R1", Values: []string{"scenario", segmentRange}, Read: readSegment, Write: writeSegment},
		{Name: "wheel-limit", Clause: "EM-R4", Values: wheels, Field: func(o *options) *play.Setting { return &o.wheelLimit }},
		{Name: "rout-strict", Clause: "EM-R7", Values: noYes, Field: func(o *options) *play.Setting { return &o.routStrict }},
		{Name: "split-points", Clause: "EM-R8", Values: []string{"level-3", "nobody"}, Field: func(o *options) *play.Setting { return &o.splitPoints }},
		{Name: "hill-stacks", Clause: "EM-R9", Values: noYes, Field: func(o *options) *play.Setting { return &o.hillStacks }},
		{Name: "bridge-still-stream", Clause: "EM-R12", Values: noYes, Field: func(o *options) *play.Setting { return &o.bridgeFord }},
		{Name: "terrain-vs-bombardment", Clause: "EM-R15", Values: noYes, Field: func(o *options) *play.Setting { return &o.coverFromFire }},
		{Name: "gb-smoked-support", Clause: "EM-R18", Values: noYes, Field: func(o *options) *play.Setting { return &o.smokedSupport }},
		{Name: "damage-on", Clause: "EM-R20", Values: []string{"high", "low"}, Field: func(o *options) *play.Setting { return &o.damageOn }},
		{Name: "entry-on", Clause: "EM-R21", Values: []string{"high", "low"}, Field: func(o *options) *play.Setting { return &o.entryOn }},
		{Name: "substitute-on", Clause: "EM-R22", Values: []string{"high", "low"}, Field: func(o *options) *play.Setting { return &o.substituteOn }},
		{Name: "leader-test", Clause: "EM-R24", Values: []string{"2 and 3", "3 and 2"}, Field: func(o *options) *play.Setting { return &o.leaderTest }},
		{Name: "one-substitute", Clause: "EM-R29", Values: noYes, Field: func(o *options) *play.Setting { return &o.oneSubstitute }},
		{Name: "entry-free-move", Clause: "EM-R31", Values: noYes, Field: func(o *options) *play.Setting { return &o.entryFree }},
		{Name: "strict-visibility", Clause: "EM-R33", Values: noYes, Field: func(o *options) *play.Setting { return &o.strictSight }},
		{Name: "separate-scores", Clause: "EM-R49", Values: noYes, Field: func(o *options) *play.Setting { return &o.separateScores }},
		{Name: "free-generals", Clause: "EM-R49", Values: noYes, Field: func(o *options) *play.Setting { return &o.freeGenerals }},
		{Name: "ney-barred", Clause: "EM-R55", Values: s.neyCorps(), Field: func(o *options) *play.Setting { return &o.neyFrom }},
		{Name: "garrison-withdraw", Clause: "EM-R60", Values: []string{"combat", "melee"}, Field: func(o *options) *play.Setting { return &o.garrisonWithdraw }},
		{Name: "attached-general-own-only", Clause: "EM-R62", Values: noYes, Field: func(o *options) *play.Setting { return &o.ownFormation }},
		{Name: "garrison-uncontested", Clause: "EM-R69", Values: noYes, Field: func(o *options) *play.Setting { return &o.garrisonHoldsAlone }},
		{Name: "own-area-blocks", Clause: "EM-R50", Values: noYes, Field: func(o *options) *play.Setting { return &o.ownArea }},
		{Name: "terrain-in-counter", Clause: "EM-R52", Values: noYes, Field: func(o *options) *play.Setting { return &o.terrainInCounter }},
		{Name: "rear-not-shaken", Clause: "EM-R43", Values: noYes, Field: func(o *options) *play.Setting { return &o.rearFirm }},
		{Name: "melee-bonus", Clause: "EM-R44", Values: []string{"veterans", "elite"}, Field: func(o *options) *play.Setting { return &o.meleeBonus }},
		{Name: "reroll-from", Clause: "EM-R44", Values: []string{"guard", "elite"}, Field: func(o *options) *play.Setting { return &o.rerollFrom }},
		{Name: "pursuit-on", Clause: "EM-R23", Values: []string{"5 or more", "3 or less"}, Field: func(o *options) *play.Setting { return &o.pursuitOn }},
		{Name: "reinforce-all", Clause: "EM-R46", Values: noYes, Field: func(o *options) *play.Setting { return &o.reinforceAll }},
		{Name: "test-formation", Clause: "EM-R57", Values: noYes, Field: func(o *options) *play.Setting { return &o.testFormation }},
		{Name: "garrison-orange", Clause: "EM-R19", Values: noYes, Field: func(o *options) *play.Setting { return &o.garrisonOrange }},
		{Name: "foot-unlimber-either", Clause: "EM-R53", Values: noYes, Field: func(o *options) *play.Setting { return &o.footEither }},
	}}
}

// The segment may be as long as this, in micrometres (EM-R1).
const (
	segmentLeast = 20_000
	segmentMost  = 60_000
	segmentRange = "20000 to 60000"
)

// readSegment reads the length of the segment.
func readSegment(o *options, value string) *play.Fault {
	n, err := strconv.Atoi(value)
	switch {
	case value == "scenario":
		o.segmentLong = 0
	case err != nil || n < segmentLeast || n > segmentMost || strconv.Itoa(n) != value:
		return &play.Fault{Clause: "EM-R1", Why: phrase.Say("em.option-segment", phrase.Literal("value", value))}
	default:
		o.segmentLong = length(n)
	}
	return nil
}

// writeSegment writes the length of the segment.
func writeSegment(o *options) string {
	if o.segmentLong == 0 {
		return "scenario"
	}
	return strconv.Itoa(int(o.segmentLong))
}

// segment is how long a segment is: the scenario's, or what was agreed (EM-R1).
func (g *game) segment() length {
	if g.segmentLong != 0 {
		return g.segmentLong
	}
	return g.measures.segment
}

// wheelMost is the greatest turn that this game allows (EM-R4).
func (o *options) wheelMost() int { return mostWheel - int(o.wheelLimit) }

// length is which of the scenario's games is played.
func (g *game) length() *lengthDef { return &g.lengths[g.game] }

// neyCorps are the signs of the corps that Ney may be barred from, the one of the file first
// (EM-R55).
func (s *scenario) neyCorps() []string {
	var all []string
	if s.neyBarred != 0 {
		all = append(all, s.corps[s.neyBarred-1].sign)
	}
	for i, d := range s.corps {
		if d.army == blue && corpsID(i+1) != s.neyBarred {
			all = append(all, d.sign)
		}
	}
	return all
}

// barsNey says whether Ney may not join a corps (EM-13.6, EM-R55).
func (g *game) barsNey(c corpsID) bool {
	return c != 0 && g.army(c) == blue && g.corps[c-1].sign == g.neyCorps()[g.neyFrom]
}

// last is the last turn of the game: that of the scenario, or the one that was agreed
// (EM-18.3).
func (g *game) last() int {
	if g.options.lastTurn > 0 {
		return int(g.options.lastTurn)
	}
	return g.length().turns[1]
}

// begun sets a game up, or says what is wrong with the options.
func begun(s *scenario, chosen map[string]string) (*game, orders.Problems) {
	o, faults := s.menu().Read(chosen)
	if len(faults) > 0 {
		return nil, faults
	}
	if d := &s.lengths[o.game]; o.ney != 0 && !slices.ContainsFunc(s.leaders, func(l leaderDef) bool { return l.role == ney }) {
		return nil, orders.Problems{{Clause: "EM-1.2", Why: phrase.Say("em.option-ney", phrase.Literal("game", d.id))}}
	}
	if d := &s.lengths[o.game]; !slices.Contains(d.players, int(o.players)+2) {
		return nil, orders.Problems{{Clause: "EM-18.1", Why: phrase.Say("em.option-players", phrase.Literal("game", d.id), phrase.Number("players", int(o.players)+2))}}
	}
	if d := &s.lengths[o.game]; o.lastTurn > 0 && (!d.agreed || int(o.lastTurn) < d.turns[0]) {
		return nil, orders.Problems{{Clause: "EM-18.3", Why: phrase.Say("em.option-last-turn", phrase.Literal("game", d.id), phrase.Number("first", d.turns[0]))}}
	}
	if o.separateScores != 0 && o.players == 0 {
		return nil, orders.Problems{{Clause: "EM-R49", Why: phrase.Say("em.option-separate")}}
	}
	return s.placed(o), nil
}

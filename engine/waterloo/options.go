package waterloo

import (
	"fmt"
	"strings"

	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Values of the options, in the order of their lists (section 8.1 of the digest).
// The first is the value in the rules. The values of length and setup are looked up by
// their words, since a scenario says what they mean.
const (
	playersTwo play.Setting = iota
	playersThree
)
const (
	exclusiveEveryRound play.Setting = iota
	exclusiveOwnRound
)

// The values of switches that are off, or on, unless said otherwise.
const (
	off play.Setting = iota
	on
)
const (
	yes play.Setting = iota
	no
)
const (
	triggerAny play.Setting = iota
	triggerMove
)

// options are the choices made when the game was set up.
type options struct {
	length        play.Setting // WAT-1.4: index of scenario.lengths
	players       play.Setting // WAT-1.3
	setup         play.Setting // WAT-3.1: index of scenario.setups
	exclusive     play.Setting // WAT-R10
	bank          play.Setting // WAT-R06: off, on
	zeroMP        play.Setting // WAT-R48: yes, no
	afterReveal   play.Setting // WAT-R14: off, on
	acrossPond    play.Setting // WAT-R18: yes, no
	cavalryImmune play.Setting // WAT-R20: yes, no
	chateauAttack play.Setting // WAT-R22: off, on
	bridgeCancels play.Setting // WAT-R04: off, on
	commandStack  play.Setting // WAT-R38: off, on
	entryShift    play.Setting // WAT-R34: off, on
	healthShown   play.Setting // WAT-R36: off, on
	shareHands    play.Setting // WAT-R47: off, on
	loneTrigger   play.Setting // WAT-R31
	commands      [wellington + 1]commandValue
}

// A commandValue is what a commander adds (WAT-R01).
type commandValue struct{ attack, defence int }

var (
	falseTrue = []string{"false", "true"}
	trueFalse = []string{"true", "false"}
)

// menu is what a set-up on a scenario may choose.
func (s *scenario) menu() play.Menu[options] {
	var lengths, setups []string
	for _, l := range s.lengths {
		lengths = append(lengths, l.id)
	}
	for _, v := range s.setups {
		setups = append(setups, v.id)
	}
	return play.Menu[options]{
		Usual: s.values,
		Options: play.Options[options]{
			{Name: "scenario-length", Clause: "WAT-1.4", Values: lengths, Field: func(o *options) *play.Setting { return &o.length }},
			{Name: "players", Clause: "WAT-1.3", Values: []string{"2", "3"}, Field: func(o *options) *play.Setting { return &o.players }},
			{Name: "setup", Clause: "WAT-3.1", Values: setups, Field: func(o *options) *play.Setting { return &o.setup }},
			{Name: "allied-exclusive", Clause: "WAT-R10", Values: []string{"every-round", "own-round"}, Field: func(o *options) *play.Setting { return &o.exclusive }},
			{Name: "attack-bank", Clause: "WAT-R06", Values: falseTrue, Field: func(o *options) *play.Setting { return &o.bank }},
			{Name: "zero-mp-play", Clause: "WAT-R48", Values: trueFalse, Field: func(o *options) *play.Setting { return &o.zeroMP }},
			{Name: "artillery-after-reveal", Clause: "WAT-R14", Values: falseTrue, Field: func(o *options) *play.Setting { return &o.afterReveal }},
			{Name: "artillery-across-pond", Clause: "WAT-R18", Values: trueFalse, Field: func(o *options) *play.Setting { return &o.acrossPond }},
			{Name: "chateau-cavalry-immune", Clause: "WAT-R20", Values: trueFalse, Field: func(o *options) *play.Setting { return &o.cavalryImmune }},
			{Name: "chateau-doubles-attack", Clause: "WAT-R22", Values: falseTrue, Field: func(o *options) *play.Setting { return &o.chateauAttack }},
			{Name: "bridge-cancels-malus", Clause: "WAT-R04", Values: falseTrue, Field: func(o *options) *play.Setting { return &o.bridgeCancels }},
			{Name: "command-stack", Clause: "WAT-R38", Values: falseTrue, Field: func(o *options) *play.Setting { return &o.commandStack }},
			{Name: "entry-shift", Clause: "WAT-R34", Values: falseTrue, Field: func(o *options) *play.Setting { return &o.entryShift }},
			{Name: "health-shown", Clause: "WAT-R36", Values: falseTrue, Field: func(o *options) *play.Setting { return &o.healthShown }},
			{Name: "allied-share-hands", Clause: "WAT-R47", Values: falseTrue, Field: func(o *options) *play.Setting { return &o.shareHands }},
			{Name: "lone-commander-trigger", Clause: "WAT-R31", Values: []string{"any-entry", "move-only"}, Field: func(o *options) *play.Setting { return &o.loneTrigger }},
			{
				Name: commandOption, Clause: "WAT-R01", Values: []string{s.commandText(s.commandValues())},
				Read:  func(o *options, value string) *fault { return s.readCommands(o, value) },
				Write: func(o *options) string { return s.commandText(o.commands) },
			},
		},
	}
}

const commandOption = "command-values"

// commandValues are the values of the commanders in the scenario.
func (s *scenario) commandValues() [wellington + 1]commandValue {
	var all [wellington + 1]commandValue
	for i := range s.commanders {
		all[i+1] = commandValue{s.commanders[i].attack, s.commanders[i].defence}
	}
	return all
}

// commandText writes them as "napoleon 2/2 wellington 1/4": attack, then defence.
func (s *scenario) commandText(values [wellington + 1]commandValue) string {
	var parts []string
	for i := range s.commanders {
		parts = append(parts, fmt.Sprintf("%s %d/%d", s.commanders[i].id, values[i+1].attack, values[i+1].defence))
	}
	return strings.Join(parts, " ")
}

// readCommands reads what commandText wrote.
func (s *scenario) readCommands(o *options, value string) *fault {
	words := strings.Fields(value)
	got := s.commandValues()
	for len(words) >= 2 {
		at := 0
		for i := range s.commanders {
			if s.commanders[i].id == words[0] {
				at = i + 1
			}
		}
		var v commandValue
		if _, err := fmt.Sscanf(words[1], "%d/%d", &v.attack, &v.defence); at == 0 || err != nil ||
			words[1] != fmt.Sprintf("%d/%d", v.attack, v.defence) || min(v.attack, v.defence) < 0 || max(v.attack, v.defence) > 9 {
			break
		}
		got[at] = v
		words = words[2:]
	}
	if len(words) > 0 {
		return &fault{Clause: "WAT-R01", Why: phrase.Say("wat.option-commands", phrase.Literal("value", value)),
			Remedy: phrase.Say("order.write", phrase.Literal("text", s.commandText(s.commandValues())))}
	}
	o.commands = got
	return nil
}

// shared tells whether two seats see each other's hands (WAT-R47).
func (g *game) shared(a, b army) bool {
	return a == b || g.seatOf(a) == g.seatOf(b) || a.camp() == b.camp() && g.options.shareHands == on
}

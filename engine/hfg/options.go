package hfg

import (
	"fmt"
	"slices"
	"strconv"

	"berthier/engine/play"
)

// options are the choices made when the game was set up (section 8.1 of the digest).
type options struct {
	fog            play.Setting // HFG-R25: side, command, open
	openPips       play.Setting // no, yes
	navalBase      play.Setting // HFG-2.1: small, medium, large
	shallowMounts  play.Setting // HFG-R6: dismountables are 400 or 300 deep
	woodSlow       play.Setting // HFG-R18: woods are difficult or slow going
	spRecapture    play.Setting // HFG-R27: no, yes
	redoubtSilent  play.Setting // HFG-R28: guns in redoubts shoot or are silent
	rainEnd        play.Setting // HFG-R38: either, attacker, defender
	measureEnds    play.Setting // HFG-R41: path, ends
	eliteCloseLess play.Setting // HFG-R58: no, yes
	pressGuns      play.Setting // HFG-R64: no, yes
	repulseTotal   play.Setting // HFG-R75: after, total
	spearsArriving play.Setting // HFG-R69: always, arriving
	slowBegun      play.Setting // HFG-R97: completed, begun
	routChain      play.Setting // HFG-R101: once, chain
	nextDay        play.Setting // HFG-17.7: no, yes
	seated         play.Setting // one player a side, or the seats of the scenario
	prussians      play.Setting // HFG-6.13: dice, historical, never
	pair           play.Setting // HFG-3.1: which two lists meet; the last: none of the book's pairs
	ownLists       play.Setting // HFG-S1: standard, own
	campaign       play.Setting // HFG-20.1: no, yes
	native         play.Setting // HFG-20.9: none, the first side, the second
	chosenYear     int          // HFG-3.1: where there is no pair
	points         int          // HFG-3.2
	fieldSize      place        // none: the scenario's
	enfilade       int          // HFG-R4: degrees
	barricades     int          // HFG-R29: at most so many
	trains         int          // HFG-R11: at most so many
	sunset         int          // HFG-17.7: after so many pairs of turns
}

// The values of option fog (HFG-R25).
const (
	fogSide = iota
	fogCommand
	fogOpen
)

// The values of option prussians.
const (
	prussiansDice = iota
	prussiansHistorical
	prussiansNever
)

// noYes are the values of switches that the rules leave off.
var noYes = []string{"no", "yes"}

// menu is what a set-up on a scenario may choose.
func (s *scenario) menu() play.Menu[options] {
	word := func(name, clause string, field func(*options) *play.Setting, values ...string) play.Option[options] {
		return play.Option[options]{Name: name, Clause: clause, Values: values, Field: field}
	}
	all := play.Options[options]{
		word("fog", "HFG-R25", func(o *options) *play.Setting { return &o.fog }, "side", "command", "open"),
		word("open-pips", "", func(o *options) *play.Setting { return &o.openPips }, noYes...),
		word("naval-base", "HFG-2.1", func(o *options) *play.Setting { return &o.navalBase }, "small", "medium", "large"),
		word("dismountable-depth", "HFG-R6", func(o *options) *play.Setting { return &o.shallowMounts }, "400", "300"),
		number("enfilade-tolerance", "HFG-R4", 10, 0, 45, func(o *options) *int { return &o.enfilade }),
		word("wood", "HFG-R18", func(o *options) *play.Setting { return &o.woodSlow }, "difficult", "slow"),
		word("sp-recapture", "HFG-R27", func(o *options) *play.Setting { return &o.spRecapture }, noYes...),
		word("redoubt-guns", "HFG-R28", func(o *options) *play.Setting { return &o.redoubtSilent }, "shoot", "silent"),
		number("max-barricades", "HFG-R29", 6, 0, 20, func(o *options) *int { return &o.barricades }),
		number("max-train", "HFG-R11", 1, 0, 4, func(o *options) *int { return &o.trains }),
		word("rain-end", "HFG-R38", func(o *options) *play.Setting { return &o.rainEnd }, "either", "attacker", "defender"),
		word("measure", "HFG-R41", func(o *options) *play.Setting { return &o.measureEnds }, "path", "ends"),
		word("elite-close-less", "HFG-R58", func(o *options) *play.Setting { return &o.eliteCloseLess }, noYes...),
		word("press-v-guns", "HFG-R64", func(o *options) *play.Setting { return &o.pressGuns }, noYes...),
		word("repulse-distance", "HFG-R75", func(o *options) *play.Setting { return &o.repulseTotal }, "after", "total"),
		word("spearmen-destroy", "HFG-R69", func(o *options) *play.Setting { return &o.spearsArriving }, "always", "arriving"),
		word("slow-allies", "HFG-R97", func(o *options) *play.Setting { return &o.slowBegun }, "completed", "begun"),
		word("rout-spreads", "HFG-R101", func(o *options) *play.Setting { return &o.routChain }, "once", "chain"),
		number("sunset-pairs", "HFG-17.7", s.lastPair(), 1, 99, func(o *options) *int { return &o.sunset }),
		word("next-day", "HFG-17.7", func(o *options) *play.Setting { return &o.nextDay }, noYes...),
	}
	if len(s.set.seats) > 0 {
		all = append(all, word("seats", "", func(o *options) *play.Setting { return &o.seated }, "one", "several"))
	}
	if s.Letters {
		all = append(all, s.byLetter()...)
	}
	if slices.ContainsFunc(s.set.commands, func(d commandDef) bool { return d.arrival != nil && d.arrival.historical > 0 }) {
		all = append(all, word("prussians", "HFG-6.13", func(o *options) *play.Setting { return &o.prussians }, "dice", "historical", "never"))
	}
	return play.Menu[options]{Options: all}
}

// number is an option that is a whole number.
func number(name, clause string, usual, low, high int, field func(*options) *int) play.Option[options] {
	o := play.Option[options]{Name: name, Clause: clause, Values: []string{strconv.Itoa(usual), fmt.Sprintf("%d..%d", low, high)}}
	o.Write = func(all *options) string { return strconv.Itoa(*field(all)) }
	o.Read = func(all *options, value string) *play.Fault {
		n, err := strconv.Atoi(value)
		if err != nil || n < low || n > high || strconv.Itoa(n) != value {
			return o.NotA(value)
		}
		*field(all) = n
		return nil
	}
	return o
}

package engine

import (
	"maps"
	"slices"

	"berthier/orders"
	"berthier/orders/phrase"
)

// The paces of a game: how much its seats are asked when it begins. Every seat may change
// each of its policies at any time.
const (
	Postal        = "postal"         // minor decisions are answered by policies
	EveryDecision = "every-decision" // nothing is
	ByPlan        = "by-plan"        // as Postal, and battles are fought by plans and rules
)

// Paces lists the paces.
var Paces = []string{Postal, EveryDecision, ByPlan}

// A Policied is an [Instructor] whose sides have policies. A policy is a standing order
// in a layer of its own beneath those of the player: where no standing order answers a
// stop, the policy of the stop does. It answers all of its stops or none, whatever is
// hidden from the others, so that a pause tells them nothing. [Instructor.ReadStanding]
// judges policies too, [Instructed.Instruct] puts them in force, and a game begins with
// those of [Setup.Policies].
type Policied interface {
	Instructor
	// Pace gives what a game at a pace begins with: the policies of each seat, as an order
	// file writes them, and the options of a set-up that the pace decides. These may not
	// be chosen beside any pace.
	Pace(pace string) (policies string, options map[string]string)
	// Policies lists the policies of the side of a view, in the order of the rules.
	Policies(View) []Policy
}

// A Policy is what a side has said of some kinds of stops.
type Policy struct {
	Key   string   // as order files write it
	Stops []string // the kinds of stops that it answers; none if it says how others are answered, or read
	Bears []string // the kinds of stops before which it is worth a thought
	Value string   // what is in force, as an order file writes it: "ask", "{fire: best}"
	Later string   // what comes into force later, when the rules let it; "" if nothing does
	Words []string // what may be written, an example each
	// Idle: by default nothing is done by it, and no stop is answered.
	Idle bool
	// What says what it decides, where the kinds of stops do not tell; without a code they do.
	What phrase.Phrase
	// Why says why a change waits until the rules let it count; without a code it counts
	// at once.
	Why phrase.Phrase
}

// Asks tells whether the side is asked.
func (p Policy) Asks() bool { return p.Value == "ask" }

// About gives the kinds of stops of which it speaks: those that it answers, or else those
// upon which it bears.
func (p Policy) About() []string {
	if len(p.Stops) > 0 {
		return p.Stops
	}
	return p.Bears
}

// Answering lists the policies of a side that would answer stops which may come of a stop,
// as they are once an answer counts that may change them.
func Answering(rules Ruleset, view View, d Decision, answer Answer) []Policy {
	policied, ok := rules.(Policied)
	if !ok {
		return nil
	}
	said := answer.Orders().Get("policies")
	var all []Policy
	for _, p := range policied.Policies(view) {
		if said != nil && p.Why.Code == "" { // what waits changes nothing yet
			if value := said; value.Kind != orders.Map {
				p.Value = value.OneLine()
			} else if value = value.Get(p.Key); value != nil {
				p.Value = value.OneLine()
			}
		}
		if len(p.Stops) > 0 && !p.Asks() && slices.Contains(p.Bears, d.Kind) {
			all = append(all, p)
		}
	}
	return all
}

// PolicyUsed is the code of what a side is told when a policy has answered for it: stop,
// key and value.
const PolicyUsed = "play.policy-used"

// StandingUsed ends the code of what a side is told when a standing order has answered for it.
const StandingUsed = ".standing-used"

// Causal is a ruleset that knows what comes of an answer: reports tell there who has given it.
type Causal interface {
	// ComesOf tells whether an event may come of an answer to a stop of a kind.
	ComesOf(event phrase.Phrase, stop string) bool
}

// AtPace gives a set-up in which each of the seats begins at a pace, with the options that
// the pace decides; these are of the whole game, so that it is enough if one seat has them.
func AtPace(rules Policied, setup Setup, paces map[Side]string) Setup {
	setup.Options, setup.Policies = maps.Clone(setup.Options), map[Side]string{}
	for side, pace := range paces {
		policies, options := rules.Pace(pace)
		setup.Policies[side] = policies
		if setup.Options == nil {
			setup.Options = map[string]string{}
		}
		maps.Copy(setup.Options, options)
	}
	return setup
}

package mistakes

import (
	"slices"

	"berthier/engine/play"
	"berthier/orders/phrase"
)

// What standing orders answer at a stop, from what the seat sees. They fill the form of the stop.

// instruction is a standing order that answers stops.
type instruction = play.Instruction[*View]

// word is a standing order that is one word: say fills the form with it.
func word[W any](kind string, f *form[W], say func(*draft[W], string) bool) instruction {
	return play.Prefer(kind, f, func(x *draft[W]) bool {
		said := x.View.standings[seatArmy(x.View.side)].of(kind)
		return said != "" && say(x, said)
	}, kind)
}

// usual fills the form as the deadline does.
func usual[W any](f *form[W]) func(*draft[W], string) bool {
	return func(x *draft[W], _ string) bool {
		f.Usual(x)
		return true
	}
}

// instructions are the standing orders that answer stops.
var instructions = []instruction{
	play.Prefer(stopBid, bidForm, preferBid, stopBid),
	play.Prefer(stopReroll, rerollForm, preferReroll, stopReroll),
	word(stopEntry, entryForm, usual(entryForm)),
	word(stopShelled, shelledForm, func(x *draft[*stand], said string) bool { return x.Try("", said == "stand") }),
	word(stopOrders, ordersForm, preferKeep),
	word(stopInterrupt, interruptForm, func(x *draft[*reacting], _ string) bool { return x.Try("react", reaction{}) }),
	word(stopLimberedGun, limberedGunForm, func(x *draft[*duel[bool]], said string) bool { return x.Try("", said == "back") }),
	word(stopUnlimberedGun, unlimberedGunForm, func(x *draft[*duel[unitID]], _ string) bool { return x.Try("", unitID(0)) }),
	word(stopSide, sideForm, preferSide),
	word(stopUnlimber, unlimberForm, func(x *draft[*duel[[]unitID]], said string) bool {
		return preferUnits(x, "unlimber", said, x.View.unlimbering(x.View.acting()))
	}),
	word(stopSupport, supportForm, func(x *draft[*duel[[]unitID]], said string) bool {
		return preferUnits(x, "support", said, x.View.mayBack(x.View.inMelee(x.World.army)))
	}),
	word(stopPursue, pursueForm, preferPursuit),
	word(stopCounter, counterForm, preferCounter),
	word(stopReinforce, reinforceForm, func(x *draft[*duel[relief]], _ string) bool { return x.Try("reinforce", relief{}) }),
	word(stopOutcome, outcomeForm, preferOutcome),
	word(stopWithdrawLoss, withdrawLossForm, usual(withdrawLossForm)),
	word(stopEscape, escapeForm, usual(escapeForm)),
}

// preferBid keeps some of what was drawn, or bids a number.
func preferBid(x *draft[*bids]) bool {
	n := x.View.standings[seatArmy(x.View.side)].bid
	for _, a := range x.World.armies {
		low, high := x.View.bidRange(a)
		bid := n
		if n < 0 {
			bid = high + n
		}
		if n == 0 || !x.Try("bid", armyBid{a, min(max(bid, low), high)}) {
			return false
		}
	}
	return n != 0
}

// preferReroll rolls again where the side is so far behind.
func preferReroll(x *draft[*duel[bool]]) bool {
	n := x.View.standings[seatArmy(x.View.side)].behind
	if n == 0 {
		return false
	}
	i := x.View.inMelee(x.World.army)
	total := func(i int) int { return x.View.Combat.Melee.Dice[i] + sum(x.View.meleeModifiers(i)) }
	return x.Try("reroll", total(1-i)-total(i) >= n)
}

// preferKeep keeps every moving formation moving, the cheapest first, while points last.
func preferKeep(x *draft[*ordered], _ string) bool {
	var all []order
	for o := range x.World.next {
		if o.does == keepsMoving {
			all = append(all, x.World.whole(o))
		}
	}
	price := func(o order) int { return x.World.price(x.World.formationNamed(o.of), o) }
	slices.SortStableFunc(all, func(a, b order) int { return price(a) - price(b) })
	for _, o := range all {
		x.Try("", o)
	}
	return true
}

// preferSide takes the side that is named if it is offered, else the front, else a flank.
func preferSide(x *draft[*duel[string]], said string) bool {
	return slices.ContainsFunc(append([]string{said}, sideWords...), func(side string) bool { return x.Try("side", side) })
}

// preferUnits names all units that may be named, or none.
func preferUnits(x *draft[*duel[[]unitID]], key, said string, units []unitID) bool {
	for _, u := range units {
		if said == "all" {
			x.Try(key, u)
		}
	}
	return true
}

// preferPursuit puts the signs up for the arms that are to pursue, and down for others; cavalry
// comes first.
func preferPursuit(x *draft[*duel[hunt]], said string) bool {
	left := slices.Clone(x.View.Combat.Chase.Left)
	slices.SortFunc(left, func(a, b arm) int { return int(b) - int(a) })
	for _, of := range left {
		sign := -1
		if said == "always" || said == armWords[of] {
			sign = 1
		}
		if x.Try("", hunt{kind: of, target: sign, general: sign}) {
			return true
		}
	}
	return false
}

// preferCounter counterattacks with the pair of the best balance, or not at all.
func preferCounter(x *draft[*duel[blow]], said string) bool {
	best := blow{}
	if said == "always" {
		if best = x.View.usualCounter(); best == (blow{}) {
			best = blows(x.View.counters())[0]
		}
	}
	return x.Try("", best)
}

// preferOutcome keeps the lowest or the highest die; the level of a leader is subtracted.
func preferOutcome(x *draft[*duel[tally]], said string) bool {
	role := x.View.roleOf(x.World.army)
	k := x.View.usualKeep(role)
	if said == "highest" {
		k.Die = slices.Max(x.View.Combat.Dice[role])
	}
	return x.Try("", tally{k.Die, k.Sign, k.Leader})
}

// standingArgs name the stop, and the standing order that has answered it.
func standingArgs(kind, key string) []phrase.Arg {
	return []phrase.Arg{phrase.Name("stop", "stop", kind), phrase.Literal("order", key)}
}

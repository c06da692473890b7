package napoleon

// The actions of units in a battle turn (section 5.2 of the digest): what each
// may do at the moment, and what changes on the board when it does. Both read a
// game, so the same code judges an order file from the view and carries it out on the
// position.

// A verb is one kind of action.
type verb int8

const (
	doNothing verb = iota
	doMove         // one or two steps (NAP-6.32)
	doFire         // (NAP-6.33)
	doForm         // form square (NAP-6.5)
	doBreak        // break square
	doShelter      // in a square (NAP-6.52)
	doLeave        // leave shelter (NAP-R38)
	doOccupy       // a farm or hill (NAP-6.21k)
	doSwap         // change places on a farm or hill (NAP-6.21j)
	doRetreat      // to the map (NAP-7.0)
)

// A group is what a shot is aimed at (NAP-6.51).
type group int8

const (
	anyGroup group = iota // there is only one
	others
	squares
)

// An action is what one unit is to do.
type action struct {
	verb  verb     `pos:"do,required"`
	unit  unitID   `pos:"unit,required"`
	path  [2]field `pos:"path,trim=1"` // of a move; the second is offBoard for a move of one step
	group group    `pos:"at"`          // of a shot
	with  unitID   `pos:"with"`        // the other unit of a swap, the square of a shelter
	what  piece    `pos:"what"`        // to occupy
	to    townID   `pos:"to"`          // of a retreat
}

// Why an action is refused.
var (
	faultNotHere    = refusal("NAP-6.30", "nap.act-not-here")
	faultSpent      = refusal("NAP-6.30", "nap.act-spent")
	faultActed      = refusal("NAP-6.32i", "nap.act-acted")
	faultSquare     = refusal("NAP-6.5d", "nap.act-in-square")
	faultSheltered  = refusal("NAP-6.52b", "nap.act-sheltered")
	faultNoWay      = refusal("NAP-6.30c", "nap.step-no-way")
	faultNoSteps    = refusal("NAP-6.32", "nap.step-no-steps")
	faultStopsWood  = refusal("NAP-6.21c", "nap.step-stops-wood")
	faultThrough    = refusal("NAP-6.32f", "nap.step-through")
	faultBehind     = refusal("NAP-6.32c", "nap.step-behind")
	faultBothWays   = refusal("NAP-6.32e", "nap.step-both-ways")
	faultFootGuns   = refusal("NAP-6.32b", "nap.step-foot-guns")
	faultGunsWood   = refusal("NAP-6.21c", "nap.step-guns-wood")
	faultGunsStream = refusal("NAP-6.21i", "nap.step-guns-stream")
	faultStreamFull = refusal("NAP-6.21h", "nap.step-stream-full")
	faultMovedFire  = refusal("NAP-6.32i", "nap.fire-moved")
	faultFired      = refusal("NAP-6.33", "nap.fire-again")
	faultReserve    = refusal("NAP-6.30b", "nap.fire-reserve")
	faultNoContact  = refusal("NAP-6.33b", "nap.fire-no-contact")
	faultNoTarget   = refusal("NAP-6.33e", "nap.fire-no-target")
	faultFriend     = refusal("NAP-6.33e", "nap.fire-friend")
	faultFireWood   = refusal("NAP-6.21c", "nap.fire-wood")
	faultGroup      = refusal("NAP-6.33j", "nap.fire-group")
	faultNoGroup    = refusal("NAP-6.51", "nap.fire-no-group")
	faultFarmOnly   = refusal("NAP-6.21e", "nap.fire-farm")
	faultNoFire     = refusal("NAP-R29", "nap.fire-f0")
	faultNotFoot    = refusal("NAP-6.5", "nap.square-kind")
	faultSquareAt   = refusal("NAP-6.5b", "nap.square-where")
	faultSquareWood = refusal("NAP-6.5c", "nap.square-wood")
	faultSquareFarm = refusal("NAP-6.5c", "nap.square-farm")
	faultSquareIs   = refusal("NAP-6.5", "nap.square-already")
	faultSquareNot  = refusal("NAP-6.5", "nap.square-none")
	faultShelter    = refusal("NAP-6.52", "nap.shelter-kind")
	faultShelterIn  = refusal("NAP-6.52", "nap.shelter-where")
	faultShelterTwo = refusal("NAP-6.52", "nap.shelter-taken")
	faultShelterNot = refusal("NAP-6.52", "nap.shelter-none")
	faultNoPiece    = refusal("NAP-6.21k", "nap.occupy-none")
	faultHeld       = refusal("NAP-6.21k", "nap.occupy-held")
	faultFarmFoot   = refusal("NAP-6.21e", "nap.occupy-farm")
	faultSwap       = refusal("NAP-6.21j", "nap.swap-where")
	faultSwapActed  = refusal("NAP-6.21j", "nap.swap-acted")
	faultRetreated  = refusal("NAP-7.0", "nap.retreat-acted")
	faultSideways   = refusal("NAP-6.32g", "nap.step-sideways")
	faultLeaderFire = refusal("NAP-6.33i", "nap.fire-leader")
	faultLate       = refusal("NAP-6.30", "nap.retreat-late")
	faultNotNext    = refusal("NAP-7.1", "nap.retreat-far")
	faultEnemyTown  = refusal("NAP-7.1", "nap.retreat-enemy")
	faultBattleTown = refusal("NAP-7.1", "nap.retreat-battle")
	faultNotEntered = refusal("NAP-7.1", "nap.retreat-attacker")
	faultNotOurs    = refusal("NAP-7.1", "nap.retreat-not-ours")
	faultWasEntered = refusal("NAP-7.1", "nap.retreat-defender")
	faultRoadFull   = refusal("NAP-7.2", "nap.retreat-full")
)

// judge tells why a unit of the acting side may not do something now; nil if it
// may.
func (g *game) judge(b *battle, a action) *fault {
	u := g.unit(a.unit)
	if u == nil || !b.fights(u) || u.army.camp() != b.acting {
		return faultNotHere
	}
	if u.spent {
		return faultSpent
	}
	switch a.verb {
	case doMove:
		return g.mayMove(b, u, a.path)
	case doFire:
		_, f := g.aim(b, u, a.group)
		return f
	case doForm:
		return g.mayFormSquare(b, u)
	case doBreak:
		if !u.square {
			return faultSquareNot
		}
		if u.acted() {
			return faultActed
		}
		return nil
	case doShelter:
		return g.mayShelter(b, u, g.unit(a.with))
	case doLeave:
		if u.shelter == noUnit {
			return faultShelterNot
		}
		return nil
	case doOccupy:
		return g.mayOccupy(b, u, a.what)
	case doSwap:
		return g.maySwap(b, u, g.unit(a.with))
	case doRetreat:
		return g.mayRetreat(b, u, a.to)
	}
	return faultNotHere
}

// manage carries out an action that changes only the state of units: every action except
// moves, fire and retreats.
func (g *game) manage(u *unit, a action) {
	u.spent = true
	switch a.verb {
	case doForm:
		u.square = true
	case doBreak:
		g.breakSquare(u)
	case doShelter:
		u.shelter, u.holds = a.with, noPiece
	case doLeave:
		u.shelter = noUnit
	case doOccupy:
		u.holds = a.what
	case doSwap:
		with := g.unit(a.with)
		with.spent = true
		u.holds, with.holds = with.holds, u.holds
	}
}

// choices calls yes for each action that a unit may do now, until yes returns false.
// Whatever is offered comes from here: to templates, to random play, and to the
// question whether there is anything to decide.
func (g *game) choices(b *battle, u *unit, yes func(action) bool) bool {
	if !b.fights(u) || u.army.camp() != b.acting || u.spent {
		return true
	}
	try := func(a action) bool {
		a.unit = u.id
		return g.judge(b, a) != nil || yes(a)
	}
	c := u.army.camp()
	if (!u.square || g.options.squareMoves == squaresMove) && u.shelter == noUnit {
		for _, one := range g.steps(b, u.field, c) {
			if one == offBoard {
				break
			}
			if !try(action{verb: doMove, path: [2]field{one}}) {
				return false
			}
			if u.kind.moves() < 2 || u.steps > 0 {
				continue
			}
			for _, two := range g.steps(b, one, c) {
				if two != offBoard && two != u.field && !try(action{verb: doMove, path: [2]field{one, two}}) {
					return false
				}
			}
		}
	}
	if u.field > reserve && u.shelter == noUnit && !u.fired {
		if f := g.judge(b, action{verb: doFire, unit: u.id}); f == faultGroup {
			if !try(action{verb: doFire, group: others}) || !try(action{verb: doFire, group: squares}) {
				return false
			}
		} else if f == nil && !yes(action{verb: doFire, unit: u.id}) {
			return false
		}
	}
	if u.acted() {
		return true
	}
	switch {
	case u.square:
		return try(action{verb: doBreak}) && g.retreats(b, u, c, try)
	case u.shelter != noUnit:
		return try(action{verb: doLeave})
	}
	if u.kind == infantry && !try(action{verb: doForm}) {
		return false
	}
	if what := b.terrain[u.field]; what == farm || what == hill {
		if !try(action{verb: doOccupy, what: what}) {
			return false
		}
	}
	for i := range g.units {
		o := &g.units[i]
		if o.field != u.field || o.field == reserve || !b.fights(o) || o.army.camp() != c || o == u {
			continue
		}
		if o.square && !try(action{verb: doShelter, with: o.id}) {
			return false
		}
		if o.holds != noPiece && !try(action{verb: doSwap, with: o.id}) {
			return false
		}
	}
	return g.retreats(b, u, c, try)
}

// retreats tries the towns to which a unit of a camp may retreat, until one is not wanted any more.
func (g *game) retreats(b *battle, u *unit, c camp, try func(action) bool) bool {
	for _, r := range g.towns[b.town].roads {
		if !try(action{verb: doRetreat, to: g.roads[r].from(b.town)}) {
			return false
		}
	}
	if g.goesFar(u) {
		for _, t := range g.farTowns(b, c) {
			if !try(action{verb: doRetreat, to: t}) {
				return false
			}
		}
	}
	return true
}

// steps gives the fields next to a field for a camp, in the order of the board;
// unused places of the array are offBoard.
func (g *game) steps(b *battle, f field, c camp) [4]field {
	own := b.ownFields(c)
	switch {
	case f == reserve:
		return [4]field{own[0], own[1], own[2]}
	case !b.own(f, c):
		return [4]field{f.opposite()}
	case !g.reading.lateral:
		return [4]field{reserve, f.opposite()}
	case f == own[1]:
		return [4]field{reserve, f.opposite(), own[0], own[2]}
	}
	return [4]field{reserve, f.opposite(), own[1]}
}

// canAct tells whether any unit of the acting side has something to choose.
func (g *game) canAct(b *battle) bool {
	for i := range g.units {
		if !g.choices(b, &g.units[i], func(action) bool { return false }) {
			return true
		}
	}
	return false
}

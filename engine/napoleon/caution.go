package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Kinds of orders that are legal but odd.
const (
	oddSupply     = "supply-emptied"       // the last unit leaves a supply town
	oddAttack     = "attack-outnumbered"   // fewer units attack than blocks stand there
	oddLeader     = "leader-alone"         // a leader goes or stands without troops
	oddSquare     = "square-of-one"        // a unit of strength one forms square
	oddEmpty      = "position-emptied"     // a position is left open to the enemy
	oddContradict = "contradiction"        // units leave a battle to which others are sent
	oddMoved      = "moved-away"           // a unit is to regroup although the file sends it elsewhere
	oddLoss       = "leader-lost"          // a leader is given up although others could be
	oddForced     = "forced-may-die"       // a unit of strength one marches by force
	oddCutOff     = "retreat-into-nothing" // a unit retreats where enemies stand on every road on
)

// oddHolds are the kinds at which a player had better look again.
var oddHolds = []string{oddAttack, oddSupply, oddLeader, oddLoss, oddContradict, oddMoved, oddForced, oddCutOff}

// Cautions implements [engine.Cautious].
func (r Ruleset) Cautions(view engine.View, d engine.Decision, given engine.Answer) []engine.Caution {
	v := view.(*View)
	if given.Orders().Get("orders").Encode() == r.Default(view, d).Orders().Get("orders").Encode() {
		return nil
	}
	if w, ok := saidTo[*listing](given.(play.Answer).Reply); ok && d.Kind == "supply" {
		return v.oddLosses("NAP-8.3", w.units, v.livingUnits())
	}
	if w, ok := saidTo[*boarding](given.(play.Answer).Reply); ok {
		return v.oddDeployment(w.answer())
	}
	if w, ok := saidTo[*turning](given.(play.Answer).Reply); ok {
		return v.oddTurn(d, w.said)
	}
	if w, ok := saidTo[*taking](given.(play.Answer).Reply); ok {
		return v.oddLosses("NAP-8.3", w.units, v.volley(w.b, d.Side).next())
	}
	if w, ok := saidTo[*leaving](given.(play.Answer).Reply); ok {
		return v.oddRetreats(w.places)
	}
	if w, ok := saidTo[*marching](given.(play.Answer).Reply); ok {
		return v.oddMoves(w.answer)
	}
	return nil
}

func caution(kind, clause string, args ...argument) engine.Caution {
	return engine.Caution{Kind: kind, Clause: clause, Say: phrase.Say("nap.odd-"+kind, args...), Holds: slices.Contains(oddHolds, kind)}
}

// oddMoves checks a movement order.
func (v *View) oddMoves(a moveAnswer) []engine.Caution {
	var list []engine.Caution
	ends := map[unitID]townID{}
	for _, id := range v.livingUnits() {
		ends[id] = v.unit(id).town
	}
	attackers := make([]int, len(v.towns))
	for _, way := range a.marches {
		to := way.path[len(way.path)-1]
		for _, id := range way.units {
			ends[id] = to
		}
		attackers[to] += len(way.units)
	}
	stays := make([]bool, len(v.towns))
	for _, t := range ends {
		stays[t] = true
	}
	for i := range v.units { // a unit of the ally may stay, too
		if u := &v.units[i]; u.town != noTown && !u.dead && u.army.camp() == v.camp() && !v.own[u.army] {
			stays[u.town] = true
		}
	}
	for t := range v.towns {
		if town := &v.towns[t]; town.loss > 0 && !stays[t] && len(v.group(townID(t))) > 0 {
			list = append(list, caution(oddSupply, "NAP-9.0", v.townArg("town", townID(t)), phrase.Number("loss", town.loss), armyArg("army", town.supply)))
		}
	}
	enemy := v.camp().enemy()
	for t, n := range attackers {
		if there := v.blocks(townID(t), enemy); n > 0 && n < there {
			list = append(list, caution(oddAttack, "", v.townArg("town", townID(t)), phrase.Number("n", n), phrase.Number("there", there)))
		}
	}
	for _, way := range a.marches {
		to := way.path[len(way.path)-1]
		for _, id := range way.units {
			if v.unit(id).kind == leader && !v.troopsIn(to, ends) {
				list = append(list, caution(oddLeader, "NAP-8.3", v.idArg("unit", id), v.townArg("town", to)))
			}
		}
	}
	for _, id := range a.forced {
		if u := v.unit(id); u.strength == 1 && (u.kind != leader || !v.reading.hardyLeaders) {
			list = append(list, caution(oddForced, "NAP-5.6", v.idArg("unit", id)))
		}
	}
	return list
}

// oddRetreats checks where units go that leave a battle.
func (v *View) oddRetreats(places []place) []engine.Caution {
	var list []engine.Caution
	enemy := v.camp().enemy()
	for _, pl := range places {
		free := false
		for _, r := range v.towns[pl.town].roads {
			next := v.roads[r].from(pl.town)
			free = free || next != v.unit(pl.unit).town && v.blocks(next, enemy) == 0
		}
		if !free {
			list = append(list, caution(oddCutOff, "NAP-7.0", v.idArg("unit", pl.unit), v.townArg("town", pl.town)))
		}
	}
	return list
}

// troopsIn tells whether any unit except leaders will stand in a town.
func (v *View) troopsIn(t townID, ends map[unitID]townID) bool {
	for id, at := range ends {
		if at == t && v.unit(id).kind != leader {
			return true
		}
	}
	return slices.ContainsFunc(v.units, func(u unit) bool {
		return u.town == t && !u.dead && u.army.camp() == v.camp() && !v.own[u.army] && u.kind != leader
	})
}

// oddDeployment checks where a side's units begin a battle.
func (v *View) oddDeployment(a battleDeployAnswer) []engine.Caution {
	var list []engine.Caution
	for _, l := range a.places {
		if v.unit(l.unit).kind != leader || l.field == reserve {
			continue
		}
		spare, troops := false, false
		for _, o := range a.places {
			fights := v.unit(o.unit).kind != leader
			spare = spare || fights && o.field == reserve
			troops = troops || fights && o.field == l.field
		}
		if spare && !troops {
			k := slices.Index(a.own[:], l.field)
			list = append(list, engine.Caution{Kind: oddLeader, Clause: "NAP-8.3", Holds: true, Say: phrase.Say("nap.odd-leader-position",
				v.idArg("unit", l.unit), phrase.Name("field", "field", placeWords[max(k, 0)]))})
		}
	}
	return list
}

// oddTurn checks the orders of a battle turn.
func (v *View) oddTurn(d engine.Decision, a turnAnswer) []engine.Caution {
	b := v.battleOf(d)
	if b == nil || a.plan {
		return nil
	}
	var list []engine.Caution
	var leave []unitID
	w := v.try(b)
	held := func(f field) bool { return w.game.held(w.b, f, a.acting) }
	var before [3]bool
	own := b.ownFields(a.acting)
	for i, f := range own {
		before[i] = held(f)
	}
	for _, act := range a.orders.actions {
		u := w.game.unit(act.unit)
		switch act.verb {
		case doForm:
			if u.strength == 1 {
				list = append(list, caution(oddSquare, "NAP-6.5", v.idArg("unit", act.unit)))
			}
		case doRetreat:
			leave = append(leave, act.unit)
		}
		if w.game.judge(w.b, act) == nil {
			w.do(act, w.spared)
		}
	}
	for i, f := range own {
		if before[i] && !held(f) && !w.game.held(w.b, f, a.acting.enemy()) {
			list = append(list, caution(oddEmpty, "NAP-7.4", phrase.Name("field", "field", placeWords[i])))
		}
	}
	if a.orders.reinforce == nil {
		return list
	}
	come := a.orders.reinforce.places
	if len(leave) > 0 && len(come) > 0 {
		var coming []unitID
		for _, pl := range come {
			coming = append(coming, pl.unit)
		}
		list = append(list, caution(oddContradict, "NAP-6.34", v.unitNames("leave", leave), v.unitNames("come", coming)))
	}
	if so := a.orders.regroup; so != nil {
		for _, pl := range so.in {
			if slices.ContainsFunc(come, func(o place) bool { return o.unit == pl.unit }) {
				list = append(list, caution(oddMoved, "NAP-7.5", v.idArg("unit", pl.unit), v.townArg("town", pl.town)))
			}
		}
	}
	return list
}

// oddLosses warns of leaders who are given up although others could be.
func (v *View) oddLosses(clause string, lost, among []unitID) []engine.Caution {
	var list []engine.Caution
	for _, id := range lost {
		if v.unit(id).kind != leader {
			continue
		}
		for _, o := range among {
			if v.unit(o).kind != leader && v.roster[o].army == v.roster[id].army && !containsUnit(lost, o) {
				list = append(list, caution(oddLoss, clause, v.idArg("unit", id)))
				break
			}
		}
	}
	return list
}

package mistakes

import (
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"berthier/engine/play"
	"berthier/orders"
)

// What stands in the templates of the stops of a combat: what the player sees besides the field, as section 5 of the
// digest lists it.

// modifierWords are the names of modifiers by language and code. Events tell them by their codes; a template, which is
// no phrase, has them in both languages.
var modifierWords = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, language := range []string{"en", "it"} {
		file := "words/combat." + language + ".yaml"
		data, err := fs.ReadFile(files, file)
		if err != nil {
			panic("mistakes: " + err.Error())
		}
		var words map[string]string
		if err := orders.Unmarshal(data, &words); err != nil {
			panic("mistakes: " + file + ": " + err.Error())
		}
		all[language] = words
	}
	return all
})

// counted writes what counts for somebody: the sum, and what it is made of.
func counted(who string, all []modifier) []string {
	parts := []string{who + " " + play.Signed(sum(all))}
	for i, m := range all {
		words := modifierWords()
		one := orders.Tongues(words["en"][m.why], words["it"][m.why]) + " " + play.Signed(m.n)
		if i == 0 {
			parts[0] += ": " + one
		} else {
			parts = append(parts, one)
		}
	}
	return parts
}

// noteMelee tells what counts for either side of a melee, as far as it is known.
func noteMelee[T any](x *draft[*duel[T]], n *orders.Node) {
	s, g := &play.Jotter{Words: vocabulary}, x.View.game
	for i, u := range g.Combat.Melee.fighters() {
		s.Say(counted(x.View.unitText(u), g.meleeModifiers(i))...)
	}
	n.Above = s.Remarks()
}

// noteThrows tells both dice and totals of a melee.
func noteThrows(x *draft[*duel[bool]], n *orders.Node) {
	s, m := &play.Jotter{Words: vocabulary}, x.View.Combat.Melee
	for i, u := range m.fighters() {
		all := x.View.meleeModifiers(i)
		s.Say(counted(x.View.unitText(u)+orders.Tongues(": die ", ": dado ")+strconv.Itoa(m.Dice[i])+orders.Tongues(", total ", ", totale ")+
			strconv.Itoa(m.Dice[i]+sum(all))+";", all)...)
	}
	n.Above = s.Remarks()
}

// noteSides tells what counts for both with each side that may be struck.
func noteSides(x *draft[*duel[string]], n *orders.Node) {
	s := &play.Jotter{Words: vocabulary}
	for _, side := range x.View.corners() {
		g := x.View.trial()
		g.Combat.Melee.strike(side)
		for i, u := range g.Combat.Melee.fighters() {
			s.Say(counted(sideWord(side)+": "+x.View.unitText(u), g.meleeModifiers(i))...)
		}
	}
	n.Above = s.Remarks()
}

// noteContacts tells of each unit that may begin a combat whom its front touches, and over how much.
func noteContacts(x *draft[*duel[blow]], n *orders.Node) {
	s, v := &play.Jotter{Words: vocabulary}, x.View
	for _, one := range v.openings(x.World.army) {
		parts := []string{v.unitText(one.attacker) + orders.Tongues(" touches", " tocca")}
		for i, e := range v.touchedBy(one.attacker) {
			part := v.unitText(e) + " " + millimetres(v.frontOn(one.attacker, e)) + " mm"
			if i == 0 {
				parts[0] += " " + part
			} else {
				parts = append(parts, part)
			}
		}
		s.Say(parts...)
	}
	n.Above = s.Remarks()
}

// noteHunt tells who was beaten, and what counts at the die of each type; what the player may add or take away stands
// with both signs.
func noteHunt(x *draft[*duel[hunt]], n *orders.Node) {
	s, v := &play.Jotter{Words: vocabulary}, x.View
	s.Say(orders.Tongues("beaten: ", "battuta: ") + v.unitText(v.Combat.Chase.Beaten))
	for _, of := range v.Combat.Chase.Left {
		if len(v.pursuers(of)) == 0 || len(v.quarry(of)) == 0 {
			continue
		}
		target := v.pursued(&pursuit{Type: of}, v.reached)
		fixed := v.pursuitModifiers(&pursuit{Type: of}, target)
		parts := counted(armWords[of], fixed)
		for _, m := range v.pursuitModifiers(&pursuit{Type: of, Target: 1, General: 1}, target) {
			if m.why == "em.pursuit-quality" || m.why == "em.pursuit-leader" {
				key := "target-mod"
				if m.why == "em.pursuit-leader" {
					key = "general-mod"
				}
				parts = append(parts, key+" +"+strconv.Itoa(m.n)+" | -"+strconv.Itoa(m.n))
			}
		}
		s.Say(parts...)
	}
	s.Say(strings.Split(huntLegend, ", ")...)
	n.Above = s.Remarks()
}

// noteGun tells who charges a gun, and how far he may go.
func noteGun[T any](x *draft[*duel[T]], n *orders.Node) {
	s, v, m := &play.Jotter{Words: vocabulary}, x.View, x.View.rush()
	factor := factorOf(v.width(m.Units))
	if m.Chase > 0 {
		factor = m.Chase
	}
	s.Say(orders.Tongues("charged by ", "caricata da ")+v.unitsText(m.Units), orders.Tongues("up to ", "fino a ")+
		millimetres(int64(factor)*int64(v.segment()))+orders.Tongues(" mm, less what terrain takes", " mm, meno ciò che toglie il terreno"))
	n.Above = s.Remarks()
}

// noteOutcome tells the dice and what counts for both sides, and the levels that the player may add or subtract.
func noteOutcome(x *draft[*duel[tally]], n *orders.Node) {
	s, v := &play.Jotter{Words: vocabulary}, x.View
	for role := range v.Combat.Dice {
		dice := make([]string, len(v.Combat.Dice[role]))
		for i, die := range v.Combat.Dice[role] {
			dice[i] = strconv.Itoa(die)
		}
		s.Say(counted(v.armyIn(role).String()+orders.Tongues(": dice ", ": dadi ")+strings.Join(dice, " ")+";", v.outcomeMarks(role))...)
	}
	for _, l := range v.ledIn(v.roleOf(x.World.army)) {
		s.Say(orders.Tongues("level of ", "livello di ") + v.lead(l).id + ": " + strconv.Itoa(v.level(l)))
	}
	s.Say(outcomeLegend)
	n.Above = s.Remarks()
}

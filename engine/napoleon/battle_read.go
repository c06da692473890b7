package napoleon

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// What the stops of the battle phase have in common when order files are read and written.

// battleOf finds the battle that a decision is about.
func (g *game) battleOf(d engine.Decision) *battle {
	for i := range g.battles {
		if b := &g.battles[i]; b.stage != finished && g.towns[b.town].id == d.At {
			return b
		}
	}
	return nil
}

// unitsOf reads a list of units among those that may be named; all and rest stand for
// those that the list has not named. Each may be named once.
func (v *View) unitsOf(r *orders.Reader, n *orders.Node, among []unitID) (ids []unitID, places []*orders.Node) {
	for _, item := range r.List(n) {
		if r.Is(item, "all") || r.Is(item, "rest") {
			for _, id := range among {
				if !containsUnit(ids, id) {
					ids, places = append(ids, id), append(places, item)
				}
			}
			continue
		}
		id, ok := v.pickUnit(r, item, among)
		if !ok {
			continue
		}
		if containsUnit(ids, id) {
			r.Refuse(item, "", phrase.Say("nap.named-twice", v.idArg("unit", id)))
			continue
		}
		ids, places = append(ids, id), append(places, item)
	}
	return ids, places
}

// townNodes writes {TOWN: [units], ...} in the order in which the towns come.
func (s *scenario) townNodes(list []place) *orders.Node {
	n := orders.Inline()
	for i, pl := range list {
		if slices.ContainsFunc(list[:i], func(o place) bool { return o.town == pl.town }) {
			continue
		}
		units := orders.Texts()
		for _, o := range list[i:] {
			if o.town == pl.town {
				units.Add(orders.Text(s.roster[o.unit].id))
			}
		}
		n.Set(s.towns[pl.town].name, units)
	}
	return n
}

// orNone writes a map, or none if it is empty.
func orNone(n *orders.Node) *orders.Node {
	if len(n.Pairs) == 0 {
		return orders.Text("none")
	}
	return n
}

// listed writes texts as a list for a comment.
func listed(texts []string) string { return strings.Join(texts, ", ") }

// briefs describes units in a few letters each.
func (v *View) briefs(ids []unitID) string {
	var text strings.Builder
	text.Grow(24 * len(ids))
	for i, id := range ids {
		if i > 0 {
			text.WriteString(", ")
		}
		v.writeBrief(&text, id)
	}
	return text.String()
}

// above puts lines of comment before a node.
func above(n *orders.Node, lines []string) *orders.Node {
	n.Above = strings.Join(lines, "\n")
	return n
}

// shuffled gives a list in a random order.
func shuffled[T any](list []T, chance *rand.Rand) []T {
	list = slices.Clone(list)
	chance.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// exitNames says where a camp may retreat to: "Laneffe 2, Thuin 1".
func (g *game) exitNames(exits []exit) string {
	var texts []string
	for _, e := range exits {
		if e.free > 0 {
			texts = append(texts, g.towns[e.town].name+" "+strconv.Itoa(e.free))
		}
	}
	return listed(texts)
}

// awaits tells whether the battle phase has reached the point where a decision belongs.
// In a position that was edited by hand it may not have.
func (g *game) awaits(d engine.Decision) bool {
	c := g.campOf(d.Side)
	if d.Kind == "battle-order" {
		return d.At == "" && c == g.turns[g.turn].camp && len(g.unordered()) > 1 && g.ordersBattles(c, g.unordered()) == d.Side
	}
	b := g.battleOf(d)
	if b == nil || g.shared(c) && !g.concerns(b, d) {
		return false
	}
	attacks := c == b.attacker
	turn := b.stage == fighting && c == b.acting
	switch d.Kind {
	case "skirmish":
		return b.stage == revealing && g.picksShown(len(g.unitsIn(b.town, c)), maxShown)
	case "hits":
		return b.hits != nil && b.hits.victims == c
	case "terrain-attacker":
		return b.stage == drawing && attacks && len(b.drawn) == attackerDraws
	case "terrain-defender":
		return b.stage == answering && !attacks && len(b.drawn) == defenderDraws
	case "deploy-defender":
		return b.stage == deployingDefender && !attacks
	case "deploy-attacker":
		return b.stage == deployingAttacker && attacks
	case "morale-order":
		return turn && b.step == moraleStep && len(b.morale) > 1
	case "battle-turn":
		return turn && b.step == combatStep && b.orders == nil && b.hits == nil
	case "reinforce":
		return turn && b.step == reinforceStep
	case "stalemate":
		return turn && b.step == retreatStep && attacks
	case "skirmish-retreat":
		return b.stage == withdrawing && c != b.won
	case "rout":
		return b.stage == routing && c != b.won
	case "regroup":
		return b.stage == regrouping && c == b.won
	}
	return false
}

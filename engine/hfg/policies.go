package hfg

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// What players decide beforehand (section 5.3 of the digest, HFG-R107): policies are lists of cases
// of which the first that fits counts.

// A policyKey is one of the decisions of a turn that may be settled beforehand.
type policyKey int8

const (
	policyFace policyKey = iota + 1
	policyCharge
	policyPress
	policyRepulse
	policyGuns
	policyPursue
	policyJoin
	policyRout
	policyAid
	policyDismount
	policyOrder
	policyFound
	policyReply
	policyFire
	policyDice
	policyRally
	policyMarch
	policyMap
)

var policyWords = []string{"", "face", "charge", "press", "repulse", "guns", "pursue", "join", "rout", "aid", "dismount", "order", "found", "reply", "fire", "dice", "rally", "march", "map"}

// policyDecides are the codes of the sentences that say what policies decide.
var policyDecides = []string{"", "hfg.policy.face", "hfg.policy.charge", "hfg.policy.press", "hfg.policy.repulse", "hfg.policy.guns", "hfg.policy.pursue", "hfg.policy.join",
	"hfg.policy.rout", "hfg.policy.aid", "hfg.policy.dismount", "hfg.policy.order", "hfg.policy.found", "hfg.policy.reply", "hfg.policy.fire", "hfg.policy.dice", "hfg.policy.rally",
	"hfg.policy.march", "hfg.policy.map"}

// policyOf is the policy that settles a decision.
var policyOf = [...]policyKey{askCharge: policyCharge, askPress: policyPress, askRepulse: policyRepulse, askGuns: policyGuns,
	askPursue: policyPursue, askJoin: policyJoin, askFace: policyFace, askAid: policyAid, askRout: policyRout}

// policyAnswers are the words that a policy may answer, besides ask, default, an enemy and paces.
var policyAnswers = [...][]string{
	policyFace: {"least-moved", "most-dangerous"}, policyCharge: {"nearest", "weakest"}, policyPress: {"yes", "no"},
	policyRepulse: {"min", "max"}, policyGuns: {"silenced", "repulsed"}, policyPursue: {"min", "max"}, policyJoin: {"yes", "no"}, policyRout: {"straight", "nearest-feature"},
	policyAid: {"shoot-later", "aid"}, policyDismount: {"best", "mounted", "dismounted"},
	policyOrder: {"west-to-east", "best-first", "flanks-first"}, policyFound: {"go"}, policyReply: {"standing"},
	policyFire: {"nearest", "hold"}, policyDice: {"none", "double", "exchange", "double-exchange"}, policyRally: {"cheapest-first", "elite-first"},
	policyMarch: nil, policyMap: {"rest"},
}

// besideWords are examples of what a policy may answer that isn't a word.
var besideWords = map[policyKey][]string{policyFire: {"{prefer: [artillery, foot]}", "{counter-battery: yes}"}, policyRally: {"{keep-pips: 2}"}}

// A policyCase is one case of a policy. Lists are words with spaces between them.
type policyCase struct {
	Key     policyKey `pos:"key,required"`
	Seat    string    `pos:"seat,name"`     // who has said it
	Of      string    `pos:"of"`            // elements, types, classes; "": all
	Against string    `pos:"against"`       // the same, of the enemy
	After   string    `pos:"after"`         // shot or close
	Beaten  string    `pos:"beaten"`        // what has become of the enemy
	Leaves  string    `pos:"leaves"`        // what a press forward would give up: uphill, works, wood, bua
	Next    string    `pos:"next"`          // the distance to the next enemy ahead, compared
	Grade   string    `pos:"grade"`         // the element has one of these grades
	Going   string    `pos:"going"`         // it stands on such ground: good, slow, difficult
	Turn    string    `pos:"turn"`          // the number of its side's turns, this one counted, compared
	Exposes string    `pos:"exposes"`       // yes or no: where a press forward ends, an enemy stands beside an uncovered flank
	Range   string    `pos:"range"`         // paces to the target of a shot, compared
	Target  string    `pos:"target"`        // elements, types and classes of targets, and places
	Odds    string    `pos:"odds"`          // the total less the target's before the dice, compared
	Die     string    `pos:"die"`           // the unmodified PIP die of the general, compared
	Road    string    `pos:"road"`          // roads along which a column marches
	Near    int       `pos:"near,max=9999"` // so near to a known enemy it marches no further, in paces
	Spot    string    `pos:"spot"`          // the place up to which it marches
	Until   int       `pos:"until,max=999"` // the turn of its side from which on it doesn't march
	Do      string    `pos:"do,required"`
	Prefer  string    `pos:"prefer"`       // classes of targets, the first to be shot at first
	Far     int       `pos:"far,max=9999"` // paces, in place of a word
	Rough   bool      `pos:"rough"`        // into slow or difficult going
	Off     bool      `pos:"off"`          // off the field
}

// decided answers a question by what its owner has said beforehand; false: he is to be asked, as is who has
// said nothing that fits. Of whom the enemy doesn't know nobody is asked, lest the pause tell of him, but of those who have just been in
// close combat, and nobody whether he aids a shot (HFG-R158): there the deadline answers.
func (p *battlefield) decided(q *question) (answer, bool) {
	a, by, ok := p.settled(q)
	if ok {
		p.creditsSaid(p.owner(q.Of), p.stopFor(q), by)
	}
	if !ok && (q.What == askAid || (q.By == 0 || !q.Close) && !p.known(p.def(q.Of).side.enemy(), q.Of)) {
		return p.usual(q), true
	}
	return a, ok
}

// standingUsed is the sentence of [engine.StandingUsed].
const standingUsed = "hfg.standing-used"

// creditsSaid tells an owner that his standing order or his policy has decided; what does so as the
// deadline would, is not told.
func (p *battlefield) creditsSaid(seat engine.Side, at string, by policyCase) {
	stop, value := phrase.Name("stop", "stop", at), by.answerNode()
	if by.Key == policyMap {
		value = casesNode(p.casesOf(seat, policyMap))
	}
	switch {
	case by.Do == "default" || slices.Contains(p.Policies[p.sideOf(seat)], by):
	case slices.Contains(p.Standing, by):
		p.Tell("", play.To([]engine.Side{seat}, standingUsed, stop, phrase.Literal("order", policyWords[by.Key])))
	default:
		p.Tell("", play.To([]engine.Side{seat}, engine.PolicyUsed, stop, phrase.Literal("key", policyWords[by.Key]), phrase.Literal("value", value.OneLine())))
	}
}

// settled answers a question by the first case of its owner that fits, and gives that case; false: none
// does, or he wants to be asked.
func (g *game) settled(q *question) (answer, policyCase, bool) {
	for _, c := range g.casesOf(g.owner(q.Of), policyOf[q.What]) {
		if !g.applies(&c, q) {
			continue
		}
		switch c.Do {
		case "ask":
			return answer{}, policyCase{}, false
		case "default":
			return g.usual(q), c, true
		}
		if a, ok := g.says(&c, q); ok {
			return a, c, true
		}
	}
	return answer{}, policyCase{}, false
}

// applies says whether a case fits a question.
func (g *game) applies(c *policyCase, q *question) bool {
	switch {
	case !g.suits(c, q.Of), c.Against != "" && (q.By == 0 || !g.among(q.By, c.Against)):
		return false
	case c.After == "shot" && q.Close, c.After == "close" && !q.Close:
		return false
	case c.Beaten != "" && !slices.Contains(strings.Fields(c.Beaten), g.became(q)):
		return false
	case c.Leaves != "" && !g.givesUp(q.Of, q.By, c.Leaves):
		return false
	case c.Exposes != "" && (c.Exposes == "yes") != g.exposesFlank(q):
		return false
	}
	return holds(c.Next, func() int { return g.nextAhead(q.Of) })
}

// suits says whether a case speaks of an element as it stands now.
func (g *game) suits(c *policyCase, e elementID) bool {
	switch {
	case c.Of != "" && !g.among(e, c.Of):
		return false
	case c.Grade != "" && !slices.ContainsFunc(strings.Fields(c.Grade), func(w string) bool { return g.def(e).is(grade(slices.Index(gradeWords, w))) }):
		return false
	case c.Going != "" && !slices.Contains(strings.Fields(c.Going), goingWords[g.standsIn(e)]):
		return false
	}
	return holds(c.Turn, func() int { return g.ownTurns(g.def(e).side) })
}

// holds says whether a comparison holds of a number; one that nobody wrote always does.
func holds(text string, of func() int) bool {
	if text == "" {
		return true
	}
	by, ok := play.ReadBounded(text, -mostFar, mostFar)
	return ok && by.Holds(of(), 1)
}

// standsIn is the worst ground under an element; of one that holds a BUA or an SP slow going.
func (g *game) standsIn(e elementID) going {
	if g.Elements[e].Holds != 0 {
		return slow
	}
	b := g.body(e)
	return min(g.worst(&b), hard)
}

// ownTurns is how many turns a side has had, one under way counted.
func (g *game) ownTurns(of side) int {
	if of == g.attacker() {
		return (g.Turn + 1) / 2
	}
	return g.Turn / 2
}

// among says whether an element is named, or its type or class is.
func (g *game) among(e elementID, list string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(w string) bool {
		return w == g.def(e).id || w == g.def(e).troop.String() || w == classWords[g.class(e)]
	})
}

// became is what has become of the enemy whom an element has beaten.
func (g *game) became(q *question) string {
	switch {
	case q.By == 0 || !g.on(q.By):
		return "destroyed"
	case g.Elements[q.By].Spirit == routed:
		return "routed"
	case g.Elements[q.By].Spirit == repulsed:
		return "repulsed"
	}
	return "recoiled"
}

// givesUp says whether an element that goes forward would leave one of some advantages.
func (g *game) givesUp(e, enemy elementID, list string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(w string) bool {
		switch w {
		case "uphill":
			return g.uphill(e, enemy)
		case "works":
			return g.worksIn(e) != 0
		case "wood":
			return g.inWood(e)
		}
		return g.inBUA(e)
	})
}

// nextAhead is the least distance to an enemy straight ahead whom the element's seat knows, in paces; the
// most that is compared if there is none.
func (g *game) nextAhead(e elementID) int {
	least := farthestAsked
	if g.Elements[e].Holds != 0 {
		return least
	}
	b := g.body(e)
	for _, o := range g.standing() {
		x := g.body(o)
		if a := areaOf(&x); g.enemies(e, o) && !g.Elements[o].Concealed && inFront(&b, &a, endless) && g.seatKnows(g.owner(e), o) {
			least = min(least, paces(between(&b, &x)))
		}
	}
	return least
}

// says is the answer of a case to a question; false: it names what isn't there.
func (g *game) says(c *policyCase, q *question) (answer, bool) {
	a := g.usual(q)
	a.Rough, a.Off = c.Rough, c.Off
	if q.What == askRout && c.Do != "straight" && c.Do != "nearest-feature" {
		a.Way = c.Do
		return a, slices.Contains(q.Ways, c.Do)
	}
	if e, ok := g.elementNamed(c.Do); ok {
		a.Enemy = e
		return a, slices.Contains(q.Enemies, e)
	}
	switch c.Do {
	case "nearest-feature":
		a.Way = q.Ways[0]
	case "yes", "repulsed", "aid":
		a.Yes = true
	case "no", "silenced", "shoot-later":
		a.Yes = false
	case "min":
		a.Far = q.Low
	case "max":
		a.Far = q.High
	case "least-moved":
		a.Enemy = g.leastMoved(q.Enemies)
	case "most-dangerous":
		a.Enemy = g.strongest(q.Enemies, q.Of, 1)
	case "weakest":
		a.Enemy = g.strongest(q.Enemies, q.Of, -1)
	}
	if c.Far > 0 {
		a.Far = min(max(c.Far, q.Low), q.High)
	}
	if q.What == askGuns && a.Yes {
		a.Far = max(a.Far, q.Low)
	}
	return a, true
}

// strongest is the enemy with the greatest combat factor against an element, or with sign -1 the
// least; of equal ones the one with the lowest id.
func (g *game) strongest(all []elementID, against elementID, sign int) elementID {
	factor := func(e elementID) int { return sign * g.factorsOf(fighter{Element: e}).against(g.class(against)) }
	return slices.MaxFunc(all, func(a, b elementID) int {
		if d := factor(a) - factor(b); d != 0 {
			return d
		}
		return int(b - a)
	})
}

// standsDown settles what dismountables in contact count as in phase 3: as their owner has said, or
// as the deadline does (HFG-2.6, HFG-S11).
func (p *battlefield) standsDown() {
	for _, e := range p.declarable() {
		onFoot, said := p.saysOnFoot(p.declaring(e))
		p.Elements[e].OnFoot = said && onFoot || !said && p.declares(e)
	}
}

// bestOnFoot says whether a dismountable has the greater factor dismounted.
func (g *game) bestOnFoot(e elementID) bool {
	all := g.fronting(e)
	if len(all) == 0 {
		return g.declares(e)
	}
	c := g.class(all[0])
	return dismountedFactors.against(c) > troops[g.def(e).troop].vs.against(c)
}

// inTurn is the order in which the phasing side has its combats fought: what it has named first,
// then by its word (HFG-13.8). Of the pairs none is left out.
func (p *battlefield) inTurn() []elementID {
	var named []elementID
	var all []policyCase
	for _, seat := range p.seatsOf(p.phasing()) {
		all = append(all, p.casesOf(seat, policyOrder)...)
	}
	for _, c := range all {
		if c.Do == "ask" { // who was asked and said nothing has the usual order
			continue
		}
		for _, w := range strings.Fields(c.Do) {
			if e, ok := p.elementNamed(w); ok {
				named = append(named, e)
			}
		}
		switch c.Do {
		case "best-first":
			return p.bestFirst()
		case "flanks-first":
			return p.flanksFirst()
		}
		return named
	}
	return nil
}

// bestFirst orders pairs by how much the phasing side's total before dice is the greater, then by
// the lowest id.
func (p *battlefield) bestFirst() []elementID {
	type bet struct {
		e    elementID
		odds int
	}
	var all []bet
	for _, d := range p.duels() {
		if d.B == 0 {
			continue
		}
		b := &bout{A: fighter{Element: d.A}, B: fighter{Element: d.B}}
		odds := p.seen(b, true).scored(0).before - p.seen(b, false).scored(0).before
		e := d.A
		if p.def(d.A).side != p.phasing() {
			e, odds = d.B, -odds
		}
		all = append(all, bet{e, odds})
	}
	slices.SortStableFunc(all, func(a, b bet) int {
		if d := b.odds - a.odds; d != 0 {
			return d
		}
		return int(a.e - b.e)
	})
	ids := make([]elementID, len(all))
	for i := range all {
		ids[i] = all[i].e
	}
	return ids
}

// flanksFirst orders pairs so that those at the ends of the line come first: by the distance from
// the middle of all pairs, the furthest first.
func (p *battlefield) flanksFirst() []elementID {
	all := p.duels()
	if len(all) == 0 {
		return nil
	}
	x := func(d duel) int64 { return p.body(d.A).At.X }
	low, high := x(all[0]), x(all[0])
	for _, d := range all {
		low, high = min(low, x(d)), max(high, x(d))
	}
	far := func(d duel) int64 { return max(2*x(d)-low-high, low+high-2*x(d)) }
	slices.SortStableFunc(all, func(a, b duel) int { return paces(far(b)) - paces(far(a)) })
	ids := make([]elementID, len(all))
	for i := range all {
		ids[i] = all[i].A
	}
	return ids
}

// farWord is a number of paces, as an answer writes it.
func farWord(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n > 0 && n <= 9999
}

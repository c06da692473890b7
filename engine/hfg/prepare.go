package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/hfg/campaign"
	"berthier/orders/phrase"
)

// How two armies come to the field: the sequence of preparation (HFG-4, HFG-6), stop by stop,
// from the lists to the first turn.

// A step of the preparation: the stop that is open.
type step int8

const (
	listing   step = iota // HFG-S1
	marching              // HFG-S15: the moves on a map
	meeting               // HFG-S16: at contact
	grounding             // HFG-S2
	placing               // HFG-S3
	choosing              // HFG-S4
	planning              // HFG-S5
	deploying             // HFG-S6
	ready                 // nothing is left to prepare
)

var stepWords = []string{"list", "map", "night", "terrain", "place", "edge", "plan", "deploy", "ready"}

// The stops of the preparation by the kind of their decision (section 5 of the digest).
const (
	stopList    = "list"
	stopMap     = "map"
	stopNight   = "night"
	stopTerrain = "terrain"
	stopPlace   = "place"
	stopEdge    = "edge"
	stopPlan    = "plan"
	stopDeploy  = "deploy"
)

// A preparation is what has been settled before the first turn, and what is being asked.
type preparation struct {
	Step    step            `pos:"step"`
	Bases   []string        `pos:"bases,items=2,most=2"`  // the lists of the book on which the armies stand, by side
	Buys    [sides]wares    `pos:"buys,by=side"`          // what they would buy
	Numbers []section       `pos:"numbers,most=6"`        // of the sections, by die
	Pieces  []terrainPiece  `pos:"pieces,most=60"`        // that are still to be placed
	Dice    []section       `pos:"dice,most=2"`           // what they have shown for the first of them
	Dry     bool            `pos:"dry"`                   // streams are gullies
	Chooser side            `pos:"chooser"`               // who chooses the base edge
	Hidden  [sides]int      `pos:"hidden,by=side,max=9"`  // concealed positions in use
	Feature [sides]int      `pos:"feature,by=side,max=6"` // the defender's die for a linear feature; 0: none was rolled
	Dug     [sides]wares    `pos:"dug,by=side"`           // works that were made in a campaign
	Map     *campaign.State `pos:"campaign"`
	Spared  [sides]int      `pos:"spared,by=side,max=9"` // dawns in a row that the policy map has answered

	terrain [sides]*terrainOrder `pos:"-"` // what has been said at the stop that is being answered
	plans   [sides]*deployment   `pos:"-"`
	flight  [sides]campaign.Node `pos:"-"` // where a side goes that avoids a battle
	day     [sides]bool          `pos:"-"` // who has ordered the day himself
}

// wares are preparations that a side would buy in each role.
type wares struct {
	Defending []ware `pos:"defending,most=9"`
	Attacking []ware `pos:"attacking,most=9"`
}

// A ware is a preparation with its number.
type ware struct {
	What   provision `pos:"what,required"`
	Number int       `pos:"number,required,min=1,max=99"`
}

// waresOf are purchases as a position has them.
func waresOf(all []purchase) []ware {
	var list []ware
	for _, p := range all {
		list = append(list, ware{p.what, p.number})
	}
	return list
}

// countOf is how many of a preparation there are.
func countOf(all []ware, what provision) int {
	n := 0
	for _, w := range all {
		if w.What == what {
			n += w.Number
		}
	}
	return n
}

// has is how many of a preparation a side may place in its role: what it has bought, and what its
// army has dug in the campaign, as many as there may be (HFG-3.6, HFG-20.6). A linear feature costs nothing, and hangs on
// a die (HFG-6.8); of an attacker concealed positions alone count.
func (p *preparation) has(of side, as role, what provision) int {
	switch {
	case as == attacker && what != buysConcealed:
		return 0
	case as == attacker:
		return countOf(p.Buys[of].Attacking, what)
	case what == buysELF:
		return p.feature(of)
	}
	buys := countOf(p.Buys[of].Defending, what)
	return buys + min(countOf(p.Dug[of].Defending, what), max(provisions[what].defender-buys, 0))
}

// feature is how many linear features the defending side may exploit: one, if its die was high enough (HFG-6.8).
func (p *preparation) feature(of side) int {
	if p.Feature[of] < featureDie {
		return 0
	}
	return 1
}

// A prologue is a game that is being prepared.
type prologue struct{ field *battlefield }

// opening is the game before its first turn.
func (p *battlefield) opening() *prologue { return &prologue{p} }

// sideID is how the engine calls a side while it is prepared: by itself, not by its seats.
func (s *setting) sideID(of side) engine.Side { return engine.Side(s.sides[of-1].id) }

// asks lists the decisions of the preparation that are owed now.
func (g *game) asks() []engine.Decision {
	p := g.Prepare
	one := func(of side, kind, at string) []engine.Decision {
		return []engine.Decision{{Side: g.sideID(of), Kind: kind, At: at}}
	}
	both := func(kind string) []engine.Decision {
		return append(one(first, kind, ""), one(second, kind, "")...)
	}
	switch p.Step {
	case listing:
		return both(stopList)
	case marching:
		var all []engine.Decision
		for of := first; of < sides; of++ {
			if g.asksMap(of) {
				all = append(all, one(of, stopMap, "")...)
			}
		}
		return all
	case meeting:
		return both(stopNight)
	case grounding:
		return both(stopTerrain)
	case placing:
		x := &p.Pieces[0]
		return one(x.By, stopPlace, g.plot().nextID(x.Kind))
	case choosing:
		return one(p.Chooser, stopEdge, "")
	case planning:
		return both(stopPlan)
	case deploying:
		return one(g.attacker(), stopDeploy, "")
	}
	return nil
}

// plot is the ground that is being made.
func (g *game) plot() *plot {
	p := &plot{setting: g.setting}
	copy(p.sections[:], g.Prepare.Dice)
	return p
}

// carryOn goes on from the answers that have come in, to the next stop or to the first turn.
func (p *prologue) carryOn() {
	switch p.field.Prepare.Step {
	case listing:
		if p.field.game.campaign != 0 {
			p.marches()
		} else {
			p.roles(noSide)
		}
	case marching:
		p.marchesBeforehand()
		p.marchOn()
	case meeting:
		p.met()
	case grounding:
		p.grounds()
	case placing:
		p.pieces()
	case choosing:
		p.field.Prepare.Step = planning
		p.feature()
	case planning:
		p.plan()
	case deploying:
		p.begin()
	}
}

// roles settles who attacks: each commander-in-chief rolls a die and adds his army's
// aggression; ties are rolled again (HFG-4.1). In a campaign who was first defends (HFG-20.10).
func (p *prologue) roles(defends side) {
	s := *p.field.setting
	s.sides = slices.Clone(s.sides)
	for defends == noSide {
		var total [sides]int
		for of := first; of <= second; of++ {
			die := p.field.roll("hfg.roll-attack", p.field.sideArg("side", of))
			total[of] = die + p.field.boldness(of)
		}
		switch {
		case total[first] == total[second]:
			p.field.tell("HFG-4.1", "hfg.roles-again", phrase.Number("n", total[first]))
			continue
		case total[first] > total[second]:
			defends = second
		default:
			defends = first
		}
		p.field.tell("HFG-4.1", "hfg.roles", p.field.sideArg("attacker", defends.enemy()), p.field.sideArg("defender", defends),
			phrase.Number("one", total[defends.enemy()]), phrase.Number("other", total[defends]))
	}
	s.sides[defends-1].role, s.sides[defends.enemy()-1].role = defender, attacker
	s.complete()
	p.field.setting = &s
	p.field.Prepare.Step = grounding
}

// defends is the side that defends.
func (g *game) defends() side { return g.attacker().enemy() }

// stock is the list of the book on which the army of a side stands.
func (g *game) stock(of side) *bookList {
	l, _ := book().list(g.Prepare.Bases[of-1])
	return l
}

// grounds queues what both sides have ordered of the ground, and places the first of it.
func (p *prologue) grounds() {
	d, a := p.field.Prepare.terrain[p.field.defends()], p.field.Prepare.terrain[p.field.attacker()]
	p.field.Prepare.Numbers, p.field.Prepare.Dry = d.numbers[1:], p.field.stock(p.field.defends()).terrain.dry
	p.field.Prepare.Pieces = together(d, a, &p.field.stock(p.field.defends()).terrain, p.field.size)
	p.field.Prepare.terrain = [sides]*terrainOrder{}
	p.field.Prepare.Dice = nil
	p.pieces()
}

// pieces places pieces one after the other, until the owner of one is to be asked, or none is left
// (HFG-4.5).
func (p *prologue) pieces() {
	for len(p.field.Prepare.Pieces) > 0 {
		x := &p.field.Prepare.Pieces[0]
		p.throw(x)
		plot, dry := p.field.plot(), p.field.dry()
		w, ok := plot.wished(x, dry)
		if !ok {
			if !x.Any { // its owner may know a place that the search for the first one passes over
				p.field.Prepare.Step = placing
				return
			}
			if w, ok = plot.first(x, dry); !ok {
				p.leavesOut(x)
				continue
			}
		}
		p.laid(plot, x, &w)
	}
	p.edges()
}

// leavesOut leaves out a piece for which no place was found.
func (p *prologue) leavesOut(x *terrainPiece) {
	p.field.tell(pieceDefs[x.Kind].clause, "hfg.not-laid", pieceText(x.Kind))
	p.laid(nil, x, nil)
}

// throw rolls the dice of a piece (HFG-4.2, HFG-4.5).
func (p *prologue) throw(x *terrainPiece) {
	p.field.Prepare.Dice = nil
	for range pieceDefs[x.Kind].dice {
		die := p.field.roll("hfg.roll-piece", pieceText(x.Kind))
		p.field.Prepare.Dice = append(p.field.Prepare.Dice, p.field.Prepare.Numbers[die-1])
	}
}

// dry says whether streams are gullies: the defender's army fights in a dry country (HFG-4.9).
func (g *game) dry() bool { return g.Prepare.Dry }

// laid puts the first piece of the queue on the field, on the ground that is made so far, or leaves it out.
func (p *prologue) laid(plot *plot, x *terrainPiece, w *siting) {
	if w != nil {
		l, fault := plot.lay(x, w, p.field.dry())
		if fault == nil {
			plot.add(l)
			p.field.setting = plot.setting
			p.field.Bridges = slices.Clone(p.field.setting.bridges)
			p.field.tell(pieceDefs[x.Kind].clause, "hfg.laid", phrase.Literal("piece", l.id()), pieceText(x.Kind))
		}
	}
	p.field.Prepare.Pieces, p.field.Prepare.Dice = p.field.Prepare.Pieces[1:], nil
}

// id is how the piece is called.
func (l *laid) id() string {
	if l.area != nil {
		return l.area.id
	}
	return l.line.id
}

// edges settles who chooses his base edge: both roll a die, the attacker adds 2; ties are rolled
// again (HFG-4.23).
func (p *prologue) edges() {
	for {
		var total [sides]int
		for of := first; of <= second; of++ {
			total[of] = p.field.roll("hfg.roll-edge", p.field.sideArg("side", of))
		}
		total[p.field.attacker()] += attackerEdge
		if total[first] == total[second] {
			p.field.tell("HFG-4.23", "hfg.roles-again", phrase.Number("n", total[first]))
			continue
		}
		won := first
		if total[second] > total[first] {
			won = second
		}
		p.field.Prepare.Chooser, p.field.Prepare.Step = won, choosing
		p.field.tell("HFG-4.23", "hfg.edge-won", p.field.sideArg("side", won), phrase.Number("one", total[won]), phrase.Number("other", total[won.enemy()]))
		return
	}
}

// attackerEdge is what the attacker adds to his die for the base edge (HFG-4.23).
const attackerEdge = 2

// takesEdge gives the side that chooses its base edge, and the other the opposite one.
func (p *prologue) takesEdge(e edge) {
	s := *p.field.setting
	s.sides = slices.Clone(s.sides)
	own, other := &s.sides[p.field.Prepare.Chooser-1], &s.sides[p.field.Prepare.Chooser.enemy()-1]
	own.base, other.base = e, north+south-e
	s.complete()
	p.field.setting = &s
	p.field.tell("HFG-4.23", "hfg.edge-taken", p.field.sideArg("side", p.field.Prepare.Chooser), edgeText("edge", e))
}

// feature rolls for whether the defender may exploit a linear feature (HFG-6.8): before he plans, so that he posts nobody at one
// that isn't there (HFG-R165). His side alone is told. There is no die for an inert commander-in-chief, nor where the field
// has no such line.
func (p *prologue) feature() {
	of := p.field.defends()
	if p.field.inert(of) || !slices.ContainsFunc(p.field.lines, func(l lineDef) bool { return l.featured() }) {
		return
	}
	die, code := p.field.roll("hfg.roll-feature", p.field.sideArg("side", of)), "hfg.feature"
	if die < featureDie {
		code = "hfg.no-feature"
	}
	p.field.Prepare.Feature[of] = die
	p.field.tellSide(of, "HFG-6.8", code, phrase.Number("die", die))
}

// featureDie is the least die with which a linear feature can be exploited (HFG-6.8).
const featureDie = 5

// plan puts down what both sides have planned: the defender's troops and works, and the commands
// of both that come later; the attacker draws up when he has seen that (HFG-6.2, HFG-6.4).
func (p *prologue) plan() {
	d, a := p.field.Prepare.plans[p.field.defends()], p.field.Prepare.plans[p.field.attacker()]
	p.comesLater()
	p.put(d)
	p.sets(a)
	p.field.Prepare.plans = [sides]*deployment{}
	p.field.Prepare.Step = deploying
}

// put carries a deployment out, and draws up in line whoever isn't posted.
func (p *prologue) put(d *deployment) { p.sets(p.field.filled(d)) }

// sets carries out what a deployment says. What was judged when it was filed is legal still.
func (p *prologue) sets(d *deployment) {
	g, _ := p.field.deployed(d)
	for _, x := range d.posts {
		p.field.Prepare.Hidden[d.side] = max(p.field.Prepare.Hidden[d.side], x.hidden)
	}
	*p.field.game = *g
}

// begin begins the battle: the attacker's first turn (HFG-7.1). What is nowhere is due.
func (p *prologue) begin() {
	p.put(p.field.Prepare.plans[p.field.attacker()])
	p.field.Prepare.plans = [sides]*deployment{}
	p.field.Prepare.Step = ready
	p.field.Turn, p.field.Phase = 1, opening
}

// boldness is the aggression of a side's commander-in-chief.
func (s *setting) boldness(of side) int {
	for i := range s.commands {
		if d := &s.commands[i]; d.side == of && d.rank == chief {
			return d.aggression
		}
	}
	return 0
}

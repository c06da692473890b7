package hfg

import (
	"fmt"
	"slices"

	"berthier/engine/geometry"
	"berthier/orders/phrase"
)

// Scores: chapter 14.

// A fighter is one of the two of a combat: an element, a BUA or SP that guns or ships shoot
// at, or a bridge.
type fighter struct {
	Element elementID `pos:"element"`
	Area    areaID    `pos:"area"`
	Bridge  string    `pos:"bridge,name"`

	// Of a point of a line, which only the rules of arrival ask about (HFG-R130).
	Line  bool  `pos:"-"`
	Spot  place `pos:"-"`
	Looks int   `pos:"-"`
}

// A bout is one combat (HFG-14.1): A shoots at B, or A and B are in contact.
type bout struct {
	Distant bool        `pos:"distant"`
	A       fighter     `pos:"a,required"` // the principal shooter, of several
	B       fighter     `pos:"b,required"`
	Aids    []elementID `pos:"aids,most=99"`  // who shoot at B besides A (HFG-12.11)
	Reply   bool        `pos:"reply"`         // B shoots at A (HFG-12.12)
	Backs   []elementID `pos:"backs,most=99"` // who shoot at A besides B, if it replies
	Pursuer elementID   `pos:"pursuer"`       // which of the two came by pursuit (HFG-16.12)
	Again   bool        `pos:"again"`         // the pursuer has come upon whom he has just beaten: neither is new to the other (HFG-14.3)
	Flank   bool        `pos:"flank"`         // A fights with its front on a flank or the rear of B (HFG-13.2)
	Dice    []int       `pos:"dice,most=2"`   // of A and B, as far as they are rolled
}

// A standpoint is a combat as one of the two sees it.
type standpoint struct {
	game     *game
	bout     *bout
	own, foe fighter
	as       elementID   // whose tactical factors and outcomes own has: itself, or who stands behind its command party (HFG-14.2)
	shot     bool        // own is shot at
	shoots   bool        // own shoots
	shooters []elementID // who shoot at own
	aids     int         // friends who aid own's shooting, or own as the target
}

// seen gives a combat as A or B sees it.
func (g *game) seen(b *bout, byA bool) *standpoint {
	s := &standpoint{game: g, bout: b, own: b.B, foe: b.A, shot: b.Distant, shoots: b.Distant && b.Reply,
		shooters: append([]elementID{b.A.Element}, b.Aids...), aids: len(b.Backs)}
	if byA {
		s.own, s.foe, s.shot, s.shoots = b.A, b.B, b.Distant && b.Reply, b.Distant
		s.shooters, s.aids = append([]elementID{b.B.Element}, b.Backs...), len(b.Aids)
	}
	if !s.shot {
		s.shooters = nil
	}
	s.as = s.own.Element
	if e := g.escort(s.own.Element); e != 0 {
		s.as = e
	}
	return s
}

// escort is the mounted or foot element contiguous to the rear of a command party, with which
// it fights (HFG-14.2); 0: none.
func (g *game) escort(e elementID) elementID {
	if e == 0 || g.def(e).troop != commandParty || g.Elements[e].Holds != 0 {
		return 0
	}
	b := g.body(e)
	for _, f := range g.standing() {
		if g.enemies(e, f) || g.Elements[f].Holds != 0 || g.Elements[f].Facing != g.Elements[e].Facing {
			continue
		}
		o := g.body(f)
		if c := g.class(f); (c == mounted || c == foot || c == dismounted) && coincide(b.Corner[3], o.Corner[0]) && coincide(b.Corner[2], o.Corner[1]) {
			return f
		}
	}
	return 0
}

// A mark is one number of a score: what it is for, and how much.
type mark struct {
	code string
	n    int
	how  string // of T9, which counts two things: overlapping or aiding
}

// What T9 is for: flanks overlapped in close combat, or friends who aid a shot (HFG-14.3).
const (
	overlapping = "overlap"
	aiding      = "aid"
)

// say tells a number with its sign, but for the combat factor, which is counted from.
func (m mark) say() phrase.Phrase {
	if m.code == "hfg.mark-factor" {
		return phrase.Say(m.code, phrase.Number("n", m.n))
	}
	args := []phrase.Arg{phrase.Literal("n", fmt.Sprintf("%+d", m.n))}
	if m.how != "" {
		args = append(args, phrase.Number(m.how, 1))
	}
	return phrase.Say(m.code, args...)
}

// A score is what one of the two has in a combat.
type score struct {
	die    int
	marks  []mark
	before int // the total before it is adjusted
	total  int
	rolled []phrase.Arg // whose luck the die is, if it was rolled for this combat
}

// say tells a score factor by factor, for the report.
func (s *score) say(who phrase.Arg) phrase.Phrase {
	parts := []phrase.Phrase{phrase.Say("hfg.mark-die", phrase.Number("n", s.die))}
	for _, m := range s.marks {
		parts = append(parts, m.say())
	}
	args := []phrase.Arg{who, phrase.Number("total", s.total), phrase.Phrases("marks", parts)}
	return phrase.Say("hfg.score", append(args, s.rolled...)...)
}

// ofClass is what a fighter counts as.
func (g *game) ofClass(f fighter) class {
	if f.Element == 0 {
		return 0
	}
	return g.class(f.Element)
}

// against gives the factor for a class of opponents (HFG-14.2); 0 is a BUA, SP or bridge.
func (f factors) against(c class) int {
	switch c {
	case staff, mounted:
		return f.mounted
	case foot, dismounted:
		return f.foot
	}
	return f.others
}

// matched says whether two may fight each other at all: the table has a factor for each of them against the other (HFG-14.2).
func (g *game) matched(a, b fighter) bool {
	return g.factorsOf(a).against(g.ofClass(b)) != 0 && g.factorsOf(b).against(g.ofClass(a)) != 0
}

// factorsOf are the combat factors of a fighter (HFG-14.2).
func (g *game) factorsOf(f fighter) factors {
	switch {
	case f.Bridge != "":
		if i := slices.IndexFunc(g.Bridges, func(b bridge) bool { return b.ID == f.Bridge }); i >= 0 && g.Bridges[i].Temporary {
			return temporaryBridge
		}
		return permanentBridge
	case f.Element == 0:
		return buaFactors
	}
	d := g.def(f.Element)
	switch {
	case g.class(f.Element) == dismounted && d.troop == dragoons:
		return dragoonsOnFoot
	case g.class(f.Element) == dismounted:
		return dismountedFactors
	case troops[d.troop].class == artillery && d.is(heavy):
		return heavyFactors
	}
	return troops[d.troop].vs
}

// scored is the score of one of the two, before it is adjusted.
func (s *standpoint) scored(die int) score {
	x := score{die: die, marks: []mark{{code: "hfg.mark-factor", n: s.game.factorsOf(s.own).against(s.game.ofClass(s.foe))}}}
	if s.as != s.own.Element {
		x.marks = append(x.marks, mark{code: "hfg.mark-escort", n: s.game.factorsOf(fighter{Element: s.as}).against(s.game.ofClass(s.foe))})
	}
	for _, t := range tactics {
		if n := t.times(s); n > 0 {
			x.marks = append(x.marks, mark{t.code, t.adj * n, t.how(s)})
		}
	}
	x.before = die
	for _, m := range x.marks {
		x.before += m.n
	}
	x.total = x.before
	return x
}

// A tactic is a tactical factor (HFG-14.3): how often it applies.
type tactic struct {
	code  string
	adj   int
	times func(s *standpoint) int
}

// how says which of the two things that T9 counts it is for; of all others "".
func (t *tactic) how(s *standpoint) string {
	switch {
	case t.code != "hfg.mark-t9":
		return ""
	case s.close():
		return overlapping
	}
	return aiding
}

// once makes a tactical factor that applies once or not at all.
func once(code string, adj int, when func(s *standpoint) bool) tactic {
	return tactic{code, adj, func(s *standpoint) int {
		if when(s) {
			return 1
		}
		return 0
	}}
}

// tactics are the tactical factors T1 to T17 (HFG-14.3).
var tactics = []tactic{
	once("hfg.mark-t1", 3, func(s *standpoint) bool {
		return s.close() && s.foe.Element != 0 && s.game.Commands[s.game.command(s.foe.Element)].Status == defeated
	}),
	once("hfg.mark-t2", 2, func(s *standpoint) bool { return (s.shot || s.close()) && s.behindWork(redoubt) }),
	once("hfg.mark-t3", 1, func(s *standpoint) bool {
		return s.onFoot() && (s.behindWork(entrenchment) || s.behindWork(feature))
	}),
	once("hfg.mark-t4", 1, (*standpoint).holdsEdge),
	once("hfg.mark-t5", 1, (*standpoint).covered),
	once("hfg.mark-t6", 1, func(s *standpoint) bool { return s.close() && s.onFoot() && s.behindWork(barricade) }),
	once("hfg.mark-t7", 1, (*standpoint).farOff),
	once("hfg.mark-t8", 1, (*standpoint).shotOver),
	{"hfg.mark-t9", 1, (*standpoint).helped},
	once("hfg.mark-t10", -1, func(s *standpoint) bool { return s.close() && s.game.uphill(s.foe.Element, s.as) }),
	once("hfg.mark-t11", -1, (*standpoint).caughtMoving),
	once("hfg.mark-t12", -1, (*standpoint).endOn),
	once("hfg.mark-t13", -1, func(s *standpoint) bool {
		if !s.close() || s.as == 0 {
			return false
		}
		t := s.game.def(s.as).troop
		return (t == firelocks || t == muskets || t == stoicFoot) && (s.game.footing(s.as) >= hard || s.game.Elements[s.as].Holds == 0 && s.game.inBUA(s.as))
	}),
	once("hfg.mark-t14", -2, func(s *standpoint) bool {
		if !s.close() || s.as == 0 {
			return false
		}
		c := s.game.class(s.as)
		return (c == mounted || c == artillery || s.game.def(s.as).troop == laager) && s.game.footing(s.as) != good
	}),
	once("hfg.mark-t15", -2, func(s *standpoint) bool {
		if s.as == 0 {
			return false
		}
		return s.game.Elements[s.as].Damaged || s.close() && s.game.class(s.as) != naval && s.game.silenced(s.as)
	}),
	once("hfg.mark-t16", -2, func(s *standpoint) bool {
		if !s.close() || s.as == 0 || s.bout.Again || s.game.ofClass(s.foe) != mounted {
			return false
		}
		return s.game.Elements[s.as].Spirit == routed || s.bout.Pursuer == s.own.Element && s.game.class(s.as) == mounted
	}),
	{"hfg.mark-t17", -3, (*standpoint).flanked},
}

// close says whether the two are in contact.
func (s *standpoint) close() bool { return !s.bout.Distant }

// onFoot says whether own is foot or dismounted.
func (s *standpoint) onFoot() bool {
	return s.as != 0 && (s.game.class(s.as) == foot || s.game.class(s.as) == dismounted)
}

// threats are the enemies from whom a work would have to protect.
func (s *standpoint) threats() []elementID {
	if s.shot {
		return s.shooters
	}
	return []elementID{s.foe.Element}
}

// behindWork says whether a work of a kind protects own against all whom it fights.
func (s *standpoint) behindWork(kind work) bool {
	if s.as == 0 {
		return false
	}
	w := s.game.shelter(s.as)
	if w == nil || w.Kind != kind {
		return false
	}
	return !slices.ContainsFunc(s.threats(), func(e elementID) bool { return e != 0 && !s.game.protects(s.as, w, e) })
}

// protects says whether the work in which an element stands protects it from an enemy: a
// redoubt from all who aren't directly behind it, the others from all who aren't wholly or
// partly behind the line of its front (HFG-6.6, HFG-6.7).
func (g *game) protects(e elementID, w *placedWork, from elementID) bool {
	b, o := g.body(e), g.body(from)
	if w.Kind == redoubt {
		a := areaOf(&o)
		return !behind(&b, &a, endless)
	}
	return beyond(&o, &b, geometry.Front)
}

// holdsEdge is T4: own defends the edge of a BUA or SP that isn't on fire.
func (s *standpoint) holdsEdge() bool {
	if !s.onFoot() {
		return false
	}
	held := s.game.Elements[s.as].Holds
	return held != 0 && !slices.Contains(s.game.Burning, held)
}

// covered is T5: own is shot at while wholly in difficult going that gives cover.
func (s *standpoint) covered() bool {
	if !s.shot || !s.onFoot() || s.game.Elements[s.as].Holds != 0 {
		return false
	}
	b := s.game.body(s.as)
	var all []areaID
	for a := areaID(1); int(a) <= len(s.game.areas); a++ {
		d := s.game.area(a)
		if s.game.goingOf(a) == hard && d.kind != marsh && d.kind != bua && s.game.stands(&b, a) {
			if s.game.wholly(&b, a) {
				return true
			}
			all = append(all, a)
		}
	}
	return len(all) > 1 && s.game.whollyIn(&b, all)
}

// farOff is T7: all who shoot at own are so far off that their fire tells less.
func (s *standpoint) farOff() bool {
	if !s.shot {
		return false
	}
	return !slices.ContainsFunc(s.shooters, func(e elementID) bool {
		far := s.game.rangeTo(e, s.own)
		d := s.game.def(e)
		switch c := s.game.class(e); {
		case c == foot || c == dismounted || d.troop == laager:
			return within(far, 200)
		case c == naval:
			return within(far, s.game.reaches(e, s.own)/2)
		case d.troop == smoothbore || d.troop == mixed:
			return s.own.Area != 0 || s.game.ofClass(s.own) == artillery || s.as != 0 && s.game.Elements[s.as].Holds != 0 || within(far, 400)
		}
		return true
	})
}

// shotOver is T8: only artillery shoots at own, and over a crest or over its own troops.
func (s *standpoint) shotOver() bool {
	if !s.shot {
		return false
	}
	return !slices.ContainsFunc(s.shooters, func(e elementID) bool {
		if s.game.class(e) != artillery {
			return true
		}
		l, ok := s.game.laneTo(e, s.own)
		return !ok || !l.crest && !l.troops
	})
}

// helped is T9: the flanks of the opponent that friends overlap, or the friends who aid.
func (s *standpoint) helped() int {
	if !s.close() {
		return s.aids
	}
	a, b := s.game.ofClass(fighter{Element: s.as}), s.game.ofClass(s.foe)
	if (a == foot || a == dismounted) && b == mounted || a == mounted && (b == foot || b == dismounted) {
		return 0 // HFG-R57
	}
	return s.game.overlapped(s.foe.Element)
}

// uphill says whether an element began the turn higher than another (HFG-4.12).
func (g *game) uphill(e, than elementID) bool {
	if e == 0 || than == 0 {
		return false
	}
	low, _ := g.heights(e)
	_, high := g.heights(than)
	return low > high && g.nearestEdge(e, than)
}

// nearestEdge says whether who came into contact this turn touches that edge of the other which was
// nearest to where it began the turn, in whole paces (HFG-4.12). Of enemies one has seen only where
// they are: then the front counts.
func (g *game) nearestEdge(e, than elementID) bool {
	x := &g.Elements[e]
	if !x.Arrived || g.Elements[than].Holds != 0 || x.Holds != 0 {
		return true
	}
	b, o := g.body(e), g.body(than)
	if x.Began == (place{}) {
		return frontal(&o, &b)
	}
	start := g.bodyAt(e, geometry.Frame{At: point(x.Began), Heading: geometry.Heading(x.Looked)})
	far := func(side geometry.Flank) int {
		edge := sideOf(&o, side)
		return paces(geometry.Distance(geometry.Figure{P: edge[:]}, outlineOf(&start)))
	}
	met := far(sideMet(&b, &o))
	for side := geometry.Front; side <= geometry.Rear; side++ {
		if far(side) < met {
			return false
		}
	}
	return true
}

// caughtMoving is T11: own is shot at after a move of this turn.
func (s *standpoint) caughtMoving() bool {
	if !s.shot || s.as == 0 || s.game.class(s.as) == naval {
		return false
	}
	x, t := &s.game.Elements[s.as], s.game.def(s.as).troop
	switch x.Manner {
	case march:
		return true
	case tactical:
		c := s.game.class(s.as)
		return c == artillery || t == rifles || t == breechloaders || c == dismounted && t != dragoons
	}
	return false
}

// endOn is T12: a ship under sail shoots from, or is shot at on, its front or rear edge.
func (s *standpoint) endOn() bool {
	if !s.bout.Distant || s.as == 0 || s.game.def(s.as).troop != sail && s.game.def(s.as).troop != bombs {
		return false
	}
	end := func(f geometry.Flank) bool { return f == geometry.Front || f == geometry.Rear }
	if s.shoots {
		if l, ok := s.game.laneTo(s.as, s.foe); ok && end(l.from) {
			return true
		}
	}
	return s.shot && slices.ContainsFunc(s.shooters, func(e elementID) bool {
		l, ok := s.game.laneTo(e, s.own)
		return ok && end(l.on)
	})
}

// flanked is T17: the enemies, staff excepted, with their front on a flank or the rear of own, or the flanks
// that are enfiladed by those who shoot at it (HFG-R62).
func (s *standpoint) flanked() int {
	if s.as == 0 || s.game.Elements[s.as].Holds != 0 {
		return 0
	}
	if s.close() {
		return len(slices.DeleteFunc(s.game.onFlanks(s.as), func(e elementID) bool { return s.game.class(e) == staff })) // HFG-13.4
	}
	if w := s.game.shelter(s.as); !s.shot || w != nil && w.Kind == redoubt {
		return 0
	}
	b := s.game.body(s.as)
	var flanks [4]bool
	for _, e := range s.shooters {
		l, ok := s.game.laneTo(e, s.own)
		if !ok {
			continue
		}
		shooter := s.game.body(e)
		if side, yes := s.game.enfilades(outward(&shooter, l.from), sideOf(&shooter, l.from), &b); yes {
			flanks[side] = true
		}
	}
	n := 0
	for _, yes := range flanks {
		if yes {
			n++
		}
	}
	return n
}

// adjust adjusts both totals for elite and inferior elements, from the totals as they are
// before (HFG-14.4, HFG-R59).
func adjust(a, b *standpoint, x, y *score) {
	n, m := a.adjusts(x.before, y.before), b.adjusts(y.before, x.before)
	x.add(n)
	y.add(m)
}

// add adds an adjustment to a score.
func (s *score) add(m mark) {
	if m.n != 0 {
		s.marks = append(s.marks, m)
		s.total += m.n
	}
}

// adjusts is the adjustment of own's total (HFG-14.4).
func (s *standpoint) adjusts(own, foe int) mark {
	if s.as == 0 {
		return mark{}
	}
	d := s.game.def(s.as)
	other := s.game.ofClass(s.foe)
	switch {
	case d.is(elite) && s.close():
		riding := s.game.class(s.as) == mounted && (other == foot || other == artillery)
		if own == foe && !riding || own < foe && s.game.eliteCloseLess != 0 {
			return mark{code: "hfg.mark-elite", n: 1}
		}
	case d.is(elite):
		if own < foe && s.shot && other != artillery && other != naval {
			return mark{code: "hfg.mark-elite", n: 1}
		}
	case d.is(inferior) && s.close():
		if own < foe {
			return mark{code: "hfg.mark-inferior", n: -1}
		}
	case d.is(inferior):
		if own >= foe && (s.shoots || s.shotByGuns()) {
			return mark{code: "hfg.mark-inferior", n: -1}
		}
	}
	return mark{}
}

// shotByGuns says whether artillery is among those who shoot at own, as principal shooter or as an aid.
func (s *standpoint) shotByGuns() bool {
	return slices.ContainsFunc(s.shooters, func(e elementID) bool { return s.game.class(e) == artillery })
}

// A result is how a total compares with the other (HFG-14.5).
type result int8

const (
	more result = iota + 1
	equal
	less // but more than half
	half // or less
)

// compare compares a total with the other's (HFG-14.5).
func compare(own, other int) result {
	switch {
	case own > other:
		return more
	case own == other:
		return equal
	case 2*own > other:
		return less
	}
	return half
}

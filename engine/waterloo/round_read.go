package waterloo

import (
	"slices"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// How the steps of a round are read: what a file says is given to the judge of the stop,
// act by act, each with its place.

// mostSteps is how many steps a file may have. A round needs far fewer: five cards, as
// many attacks, and the end.
const mostSteps = 40

// A roundReader reads one step.
type roundReader struct {
	*orders.Reader
	x *saying[*rounding]
	w *rounding
}

// take gives an act to the judge, who refuses it at a node. It tells whether the act
// may come.
func (r roundReader) take(at *orders.Node, a act) bool {
	since := len(r.Problems)
	r.x.Judge(r.Reader, at, "", a, true, since)
	return len(r.Problems) == since
}

// readRound reads the value of the orders key.
func readRound(x *saying[*rounding], reader *orders.Reader, body *orders.Node) {
	r, w := roundReader{reader, x, x.World}, x.World
	if play.Nothing(reader, body) {
		r.Refuse(body, "WAT-4.20", phrase.Say("wat.steps-none"))
		return
	}
	items := r.List(body)
	if len(items) > mostSteps {
		r.Refuse(body, "WAT-4.4", phrase.Say("wat.steps-many", number("most", mostSteps)))
		return
	}
	for _, item := range items {
		f := w.lastFault()
		if f != nil && w.open != nil && !w.open.End && item.Kind == orders.Map && endsRound(item) {
			x.Add("", act{does: goAfter}) // this is what the key says
			f = nil
		}
		if f.Refuse(reader, item) {
			continue
		}
		if w.open != nil {
			w.finish()
		}
		since := len(r.Problems)
		if r.readStep(item); len(r.Problems) > since { // the other steps are judged without this one
			w.open = nil
			w.forget()
		}
	}
}

// endsRound tells whether a step holds the end of the round and nothing else.
func endsRound(n *orders.Node) bool {
	r := orders.NewReader(vocabulary)
	return r.Fields(n, "end").Get("end") != nil && len(r.Problems) == 0
}

// The keys of a step.
var (
	moveKeys = []string{"move", "enter", "on-reaction"}
	cardKeys = append([]string{"action"}, append(keysOfActions, moveKeys...)...)
	stepKeys = []string{"card", "move", "enter", "action", "by", "side", "unit", "target", "cards", "advance", "rally", "flip", "attack", "on-reaction", "end"}
)

// readStep reads one step of the round.
func (r roundReader) readStep(n *orders.Node) {
	f := r.Fields(n, stepKeys...)
	if n.Kind != orders.Map {
		return
	}
	card, attack := f.Get("card"), f.Get("attack")
	if end := f.Get("end"); end != nil {
		r.Word(end, "round")
		for _, p := range n.Pairs {
			if p.Value != end {
				r.Refuse(p.Key, "WAT-4.20", phrase.Say("wat.end-alone"))
			}
		}
		r.take(n, act{does: endRound})
		return
	}
	if card == nil {
		for _, key := range cardKeys {
			if extra := f.Get(key); extra != nil {
				refusal("WAT-4.20", "wat.step-no-card", phrase.Literal("key", key)).Refuse(r.Reader, extra)
			}
		}
		if attack == nil {
			r.Require(f, "card")
			return
		}
	} else {
		c, ok := r.x.View.nameCard(r.Reader, card)
		if !ok || r.w.before().cardFault(c).Refuse(r.Reader, card) {
			return
		}
		since := len(r.Problems)
		if r.readUse(f, c, card); len(r.Problems) > since { // the attack is still judged
			if r.w.spoilt = true; r.w.open == nil {
				r.w.open = &step{Card: c}
			}
		}
	}
	switch {
	case attack == nil:
	case r.Is(attack, "none") && card != nil:
		r.take(attack, act{does: leaveAttack, card: r.w.open.Card})
	case card == nil && r.w.before().rightFault().Refuse(r.Reader, attack):
	default:
		r.readAttack(attack)
	}
}

// readUse reads what a card is played for (WAT-6.1).
func (r roundReader) readUse(f orders.Fields, c cardID, at *orders.Node) {
	v := r.x.View
	acts, moves, enters, reacts := f.Get("action"), f.Get("move"), f.Get("enter"), f.Get("on-reaction")
	if acts != nil {
		if moves != nil || enters != nil {
			refusal("WAT-6.1", "wat.card-one-use", v.cardArg("card", c)).Refuse(r.Reader, acts)
			return
		}
		word, ok := r.Word(acts, slices.DeleteFunc(slices.Clone(stepWords[:]), func(w string) bool { return w == "" })...)
		if !ok {
			return
		}
		a := action(slices.Index(stepWords[:], word))
		if a != v.card(c).action {
			refusal("WAT-6.1", "wat.card-no-action", v.cardArg("card", c), phrase.Name("action", "action", a.String())).Refuse(r.Reader, acts)
			return
		}
		if reacts != nil {
			refusal("WAT-6.1", "wat.card-one-use", v.cardArg("card", c)).Refuse(r.Reader, reacts)
		}
		r.readAction(f, c, a, acts)
		return
	}
	for _, key := range keysOfActions {
		if extra := f.Get(key); extra != nil {
			refusal("WAT-6.1", "wat.step-key", phrase.Literal("key", key)).Refuse(r.Reader, extra)
		}
	}
	if moves == nil && enters == nil {
		r.Require(f, "move")
		return
	}
	word := reactionWords[reactionAsk]
	if reacts != nil {
		word, _ = r.Word(reacts, reactionWords[:]...)
	}
	if !r.take(at, act{does: playForMP, card: c}) {
		return
	}
	r.readMoves(enters, true)
	r.readMoves(moves, false)
	if r.w.unspent() {
		if moves == nil {
			moves = enters
		}
		refusal("WAT-R48", "wat.card-unspent", v.cardArg("card", c)).Refuse(r.Reader, moves)
	} else if word == reactionWords[reactionContinue] {
		r.take(reacts, act{does: goOnAfter, card: c})
	}
}

// readMoves reads the moves of the open card, each judged on the board as the moves before
// it left it.
func (r roundReader) readMoves(n *orders.Node, entering bool) {
	if n == nil || r.Is(n, "none") {
		return
	}
	for _, item := range r.List(n) {
		since := len(r.Problems)
		m, nodes := r.x.View.readMove(r.Reader, item, entering)
		if len(r.Problems) > since {
			continue
		}
		t, f := r.w.moves()
		made := r.w.open.Moves
		t.takeMove(f, &m, item, nodes, func(at *orders.Node, s stride) bool { return r.take(at, act{does: makeStride, stride: s}) })
		if len(r.Problems) > since {
			r.w.open.Moves = made // a move that can't be made to its end does not count
		}
	}
}

// keysOfActions are all keys of action steps, actionKeys those of each action.
var (
	keysOfActions = []string{"by", "side", "unit", "target", "cards", "advance", "rally", "flip"}
	actionKeys    = [...][]string{noAction: nil, artilleryFire: {"by", "side"}, commandBonus: nil, eliteBonus: nil,
		cavalryCharge: {"unit", "target", "cards", "advance"}, mustCharge: {"unit", "target", "cards"},
		reorganise: {"rally", "flip"}, napoleonsHealth: nil}
)

// readAction reads the keys of an action step: by, side, unit, target, cards,
// advance, rally, flip. Keys that the action does not use are faults.
func (r roundReader) readAction(f orders.Fields, c cardID, a action, at *orders.Node) {
	v := r.x.View
	for _, key := range keysOfActions {
		if n := f.Get(key); n != nil && !slices.Contains(actionKeys[a], key) {
			r.Refuse(n, "", phrase.Say("wat.action-key", phrase.Literal("key", key), phrase.Name("action", "action", a.String())))
		}
	}
	begin := func(at *orders.Node, d startOfAction) bool {
		d.action = a
		return r.take(at, act{does: playAsAction, card: c, start: d})
	}
	switch a {
	case artilleryFire:
		by := r.Require(f, "by")
		if id, ok := v.nameUnit(r.Reader, by, v.ofArmies()); ok {
			s := shot{id, readFace(r.Reader, f.Get("side"))}
			if _, fires, f := r.w.before().aimed(s); f == nil {
				s = fires
			}
			begin(by, startOfAction{shot: s})
		}
	case cavalryCharge, mustCharge:
		riders, targets := v.ofArmies(), v.ofCamp(v.camp().enemy())
		if a == mustCharge {
			riders, targets = append(targets, v.ofCamp(v.camp())...), v.ofCamp(v.camp())
		}
		unit := r.Require(f, "unit")
		id, ok := v.nameUnit(r.Reader, unit, riders)
		target, known := v.nameUnit(r.Reader, r.Require(f, "target"), targets)
		if ok && known && begin(unit, startOfAction{unit: id, target: target}) {
			r.readCommits(f.Get("cards"))
			if advance := f.Get("advance"); advance != nil && a == cavalryCharge {
				r.take(advance, act{does: sayAdvance, advance: v.readAdvance(r.Reader, advance, []unitID{id})})
			}
		}
	case reorganise:
		r.readReorganise(f, c, begin)
	default:
		begin(at, startOfAction{})
	}
}

func (r roundReader) readReorganise(f orders.Fields, c cardID, begin func(*orders.Node, startOfAction) bool) {
	v, rally, flip := r.x.View, f.Get("rally"), f.Get("flip")
	items := r.List(rally)
	if (rally == nil) == (flip == nil) {
		r.Refuse(f.Node, "WAT-11.6", phrase.Say("wat.reorganise-one"))
		return
	}
	if flip != nil {
		if id, ok := v.nameUnit(r.Reader, flip, v.ofArmies()); ok {
			begin(flip, startOfAction{flip: id})
		}
		return
	}
	if len(items) > rallied {
		r.Refuse(rally, "WAT-11.6", phrase.Say("wat.rally-many", phrase.Number("most", rallied)))
	}
	if len(items) == 0 {
		r.Refuse(rally, "WAT-11.6", phrase.Say("wat.reorganise-one"))
	}
	for i, item := range items {
		id, ok := v.nameUnit(r.Reader, item, v.ofArmies())
		switch {
		case !ok:
		case i >= rallied:
			r.w.before().mayRally(c, id).Refuse(r.Reader, item)
		case r.w.open == nil:
			begin(item, startOfAction{rally: id})
		default:
			r.take(item, act{does: rallyMore, card: c, unit: id})
		}
	}
}

// readCommits reads the cards that are filed with the battle of the open step.
func (r roundReader) readCommits(n *orders.Node) {
	if n == nil {
		return
	}
	items := r.List(n)
	if r.Is(n, "none") || len(items) == 0 {
		r.take(n, act{does: commitNone})
		return
	}
	v, b := r.w.fought()
	cards := r.w.filing().cards
	r.w.counted = false
	for _, item := range items {
		if c, ok := v.readCommit(r.Reader, item, b, b.phasing()); ok {
			r.take(item, act{does: commitCard, commit: v.settled(c)})
		}
	}
	r.w.counted = true
	v.limitFault(b, b.phasing(), len(*cards)).Refuse(r.Reader, n)
}

// readAttack reads an attack: {target, with, cards, advance, after}.
func (r roundReader) readAttack(n *orders.Node) {
	v, does := r.w.strikes(), attackAfter
	if r.w.open == nil {
		does = attackAlone
	}
	f := r.Fields(n, "target", "with", "cards", "advance", "after")
	if n.Kind != orders.Map {
		return
	}
	target, ok := v.readTarget(r.Reader, r.Require(f, "target"), v.camp())
	if !ok {
		target = 0
	}
	with := r.Require(f, "with")
	var who []unitID
	whole := true
	for _, item := range r.List(with) {
		id, ok := v.nameUnit(r.Reader, item, v.ofArmies())
		switch {
		case !ok:
		case target == 0:
			ok = !v.strikeFault(who, 0, id).Refuse(r.Reader, item)
		default:
			ok = r.take(item, act{does: does, target: target, unit: id})
		}
		if ok {
			who, does = append(who, id), joinAttack
		}
		whole = whole && ok
	}
	if with != nil && len(r.List(with)) == 0 {
		r.Refuse(with, "WAT-9.2", phrase.Say("wat.attack-nobody"))
	}
	word, _ := r.Word(f.Get("after"), "go", "ask")
	if target == 0 || len(who) == 0 {
		return // what depends on them can't be judged
	}
	r.readCommits(f.Get("cards"))
	if advance := f.Get("advance"); advance != nil {
		if o := v.readAdvance(r.Reader, advance, who); whole {
			r.take(advance, act{does: sayAdvance, advance: o})
		}
	}
	if word == "go" {
		r.take(f.Get("after"), act{does: goAfter})
	}
}

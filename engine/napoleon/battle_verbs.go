package napoleon

import (
	"slices"

	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The verbs of a battle turn: how files write what units do (section 5.2 of the digest).

// A filedAction is what a file says of an action, apart from the units that do it.
type filedAction struct {
	group  group
	path   []string
	column int // of the player; -1 if it is not said
	far    bool
	with   unitID
	what   piece
}

// A verbKey is one key of a verb. It tells whether its value could be read.
type verbKey struct {
	shape.Key
	read func(x *turnReader, n *orders.Node, d *filedAction) bool
}

// A turnVerb is one way to write what units do.
type turnVerb struct {
	word string
	bare bool // the units may stand in place of the keys
	one  bool // the units stand under the key unit
	keys []verbKey
	does func(d *filedAction) []intent // one after the other, unit by unit
}

// The keys of verbs besides those of the units.
var (
	aimedAt  = verbKey{shape.May("at", groupShape), (*turnReader).group}
	twoSteps = verbKey{shape.Need("path", pathShape), func(x *turnReader, n *orders.Node, d *filedAction) (ok bool) {
		d.path, ok = x.path(n, 2)
		return ok
	}}
	oneStep = verbKey{shape.Need("path", pathShape), func(x *turnReader, n *orders.Node, d *filedAction) (ok bool) {
		d.path, ok = x.path(n, 1)
		return ok
	}}
	inColumn = verbKey{shape.May("pos", columnShape), func(x *turnReader, n *orders.Node, d *filedAction) bool {
		word, ok := x.Word(n, placeWords[:]...)
		d.column = slices.Index(placeWords[:], word)
		return ok
	}}
	backTo = verbKey{shape.May("to", shape.Words(backWords...)), func(x *turnReader, n *orders.Node, d *filedAction) bool {
		word, ok := x.Word(n, backWords...)
		d.far = word == "reserve"
		return ok
	}}
	inSquareOf = verbKey{shape.Need("in", unitShape), func(x *turnReader, n *orders.Node, d *filedAction) (ok bool) {
		friends := x.x.World.own
		if v := x.x.View; v.shared(v.camp()) { // if there are two players, the unit may be the other's
			friends = v.unitsIn(x.x.World.b.town, v.camp())
		}
		d.with, ok = x.x.View.pickUnit(x.Reader, n, friends)
		return ok
	}}
	swapWith = verbKey{shape.Need("with", unitShape), func(x *turnReader, n *orders.Node, d *filedAction) (ok bool) {
		d.with, ok = x.x.View.pickUnit(x.Reader, n, x.x.World.own)
		return ok
	}}
	placeOf = verbKey{shape.Need("what", shape.Words("farm", "hill")), func(x *turnReader, n *orders.Node, d *filedAction) bool {
		word, ok := x.Word(n, "farm", "hill")
		d.what, _ = pieceNamed(word)
		return ok
	}}
)

// backWords say where a unit that disengages may go.
var backWords = []string{"reserve", "left", "center", "right"}

// turnVerbs are the verbs of a battle turn. Their reader, and their part of the schema and
// of the order reference, are made from this table.
var turnVerbs = []turnVerb{
	{word: "fire", bare: true, keys: []verbKey{aimedAt}, does: func(d *filedAction) []intent { return []intent{d.fires()} }},
	{word: "move", keys: []verbKey{twoSteps}, does: func(d *filedAction) []intent { return []intent{along(d.path)} }},
	{word: "engage", bare: true, keys: []verbKey{inColumn}, does: func(d *filedAction) []intent { return []intent{engage(d.column)} }},
	{word: "disengage", bare: true, keys: []verbKey{backTo}, does: func(d *filedAction) []intent {
		return []intent{func(w world, u *unit) (action, *fault) { return w.disengage(u, d.far) }}
	}},
	{word: "fire-move", keys: []verbKey{oneStep, aimedAt}, does: func(d *filedAction) []intent { return []intent{d.fires(), along(d.path)} }},
	{word: "move-fire", keys: []verbKey{oneStep, aimedAt}, does: func(d *filedAction) []intent { return []intent{along(d.path), d.fires()} }},
	{word: "square", does: does(action{verb: doForm})},
	{word: "break", does: does(action{verb: doBreak})},
	{word: "shelter", one: true, keys: []verbKey{inSquareOf}, does: func(d *filedAction) []intent { return []intent{always(action{verb: doShelter, with: d.with})} }},
	{word: "leave", does: does(action{verb: doLeave})},
	{word: "occupy", one: true, keys: []verbKey{placeOf}, does: func(d *filedAction) []intent { return []intent{always(action{verb: doOccupy, what: d.what})} }},
	{word: "swap", one: true, keys: []verbKey{swapWith}, does: func(d *filedAction) []intent { return []intent{always(action{verb: doSwap, with: d.with})} }},
	{word: "retreat"}, // a map of towns
}

// wordsOfVerbs are the words of the verbs.
var wordsOfVerbs = func() (words []string) {
	for i := range turnVerbs {
		words = append(words, turnVerbs[i].word)
	}
	return words
}()

// does always gives the same action.
func does(a action) func(*filedAction) []intent {
	return func(*filedAction) []intent { return []intent{always(a)} }
}

// fires is a shot.
func (d *filedAction) fires() intent { return always(action{verb: doFire, group: d.group}) }

// actionShape is how one action of a battle turn is written.
var actionShape = func() shape.Shape {
	keys := make([]shape.Key, len(turnVerbs))
	for i := range turnVerbs {
		keys[i] = shape.May(turnVerbs[i].word, turnVerbs[i].shape())
	}
	return shape.InShort(shape.Verbs(keys...),
		"[move] {move.units} {move.path}",
		"fire {fire.units} at {fire.at}",
		"engage {engage.units} {engage.pos}",
		"disengage {disengage.units} {disengage.to}",
		"fire-move {fire-move.units} {fire-move.path} [at {fire-move.at}]",
		"move-fire {move-fire.units} {move-fire.path} [at {move-fire.at}]",
		"shelter {shelter.unit} in {shelter.in}",
		"occupy {occupy.unit} {occupy.what}",
		"swap {swap.unit} with {swap.with}",
	)
}()

// names are the keys of a verb, those of its units first.
func (v *turnVerb) names() []string {
	names := []string{"unit", "units"}
	if v.one {
		names = names[:1]
	}
	for _, k := range v.keys {
		names = append(names, k.Key.Key)
	}
	return names
}

// shape is how a verb is written.
func (v *turnVerb) shape() shape.Shape {
	if v.does == nil {
		return shape.Map(townShape, unitsShape)
	}
	keys := []shape.Key{shape.May("unit", unitsShape), shape.May("units", unitsShape)}
	if v.one {
		keys = []shape.Key{shape.Need("unit", unitsShape)}
	}
	for _, k := range v.keys {
		keys = append(keys, k.Key)
	}
	switch {
	case len(v.keys) == 0:
		return unitsShape
	case v.one:
		return shape.Record(keys...)
	case v.bare:
		return shape.Either(unitsShape, shape.RecordOf([]string{"unit", "units"}, keys...))
	}
	return shape.RecordOf([]string{"unit", "units"}, keys...)
}

// action reads one item of the list.
func (x *turnReader) action(n *orders.Node) {
	word, value := x.Only(n, wordsOfVerbs...)
	i := slices.Index(wordsOfVerbs, word)
	if i < 0 {
		return
	}
	v := &turnVerbs[i]
	if v.does == nil {
		x.retreat(value)
		return
	}
	who, d := value, &filedAction{column: -1}
	if len(v.keys) > 0 && !(v.bare && value.Kind != orders.Map) {
		f := x.Fields(value, v.names()...)
		ok := true
		for _, k := range v.keys {
			switch at := f.Get(k.Key.Key); {
			case at != nil:
				ok = k.read(x, at, d) && ok
			case k.Need:
				x.Require(f, k.Key.Key)
				ok = false
			}
		}
		if !ok && v.keys[len(v.keys)-1].Need { // everything depends on this key
			return
		}
		if who = x.who(v, f); !ok || who == nil {
			return
		}
	}
	x.do(who, v.does(d))
}

// do lets units do something, or several things each, in their order.
func (x *turnReader) do(who *orders.Node, intents []intent) {
	if len(intents) == 1 {
		x.each(who, intents[0])
		return
	}
	for _, item := range x.List(who) {
		for _, one := range intents {
			x.each(item, one)
		}
	}
}

// who gives the units of an action written as a map: unit: or units:.
func (x *turnReader) who(v *turnVerb, f orders.Fields) *orders.Node {
	one, more := f.Get("unit"), f.Get("units")
	switch {
	case one != nil && more != nil:
		x.Refuse(more, "", phrase.Say("nap.act-unit-units"))
		return nil
	case one != nil:
		return one
	case v.one:
		return x.Require(f, "unit")
	}
	return x.Require(f, "units")
}

// group reads at which group a shot is aimed. What can't be read is refused, and the shot
// is judged as if it had been aimed at any group.
func (x *turnReader) group(n *orders.Node, d *filedAction) bool {
	switch word, _ := x.Word(n, "squares", "others"); word {
	case "squares":
		d.group = squares
	case "others":
		d.group = others
	}
	return true
}

// engage lets units enter a position with enemies: of a column, or opposite to where
// they stand.
func engage(column int) intent {
	return func(w world, u *unit) (action, *fault) {
		c := u.army.camp()
		a := action{verb: doMove}
		at := u.field
		if column >= 0 {
			at = w.b.ownFields(c)[column]
		}
		switch {
		case w.game.inContact(w.b, u):
			return a, faultThrough
		case at == reserve:
			return a, refusal("NAP-6.32b", "nap.engage-where")
		case at == u.field:
			a.path[0] = at.opposite()
		case w.game.held(w.b, at, c.enemy()):
			a.path[0] = at
		default:
			a.path[0], a.path[1] = at, at.opposite()
		}
		for i := len(a.path) - 1; i >= 0; i-- {
			if f := a.path[i]; f != offBoard {
				if !w.game.held(w.b, f, c.enemy()) {
					return a, refusal("NAP-6.32b", "nap.engage-nobody")
				}
				break
			}
		}
		return a, nil
	}
}

// retreat reads {TOWN: [units], ...}.
func (x *turnReader) retreat(n *orders.Node) {
	if n.Kind != orders.Map {
		x.Refuse(n, "", phrase.Say("order.want-map", phrase.Literals("keys", []string{"TOWN"})))
		return
	}
	for _, pair := range n.Pairs {
		if t, ok := x.x.View.pickTown(x.Reader, pair.Key); ok {
			x.each(pair.Value, always(action{verb: doRetreat, to: t}))
		}
	}
}

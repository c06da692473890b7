package hfg

import (
	"slices"
	"strings"
	"sync"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// A View is what one seat sees (section 7 of the digest): a position in which enemies that it
// doesn't know are not on the field, and of the others nothing is said that can't be seen.
type View struct {
	*game
	seat engine.Side
	of   side // none for the game master
}

// view is what a seat sees, made of copies.
func (g *game) view(seat engine.Side) *View {
	v := &View{game: g.trial(), seat: seat, of: g.sideOf(seat)}
	if v.of == noSide {
		return v
	}
	g = g.trial() // who sees whom is remembered there: the position itself never changes
	v.owed = slices.DeleteFunc(v.owed, func(d engine.Decision) bool { return d.Side != seat })
	for e := elementID(1); int(e) < len(v.Elements); e++ {
		if g.def(e).side != v.of {
			v.Elements[e] = g.seenBy(seat, e)
		}
	}
	v.setting = g.masked(seat, v.Elements)
	v.Prepare = g.Prepare.seenBy(v.of)
	if v.Prepare != nil {
		v.Prepare.Map = campaignSeen(v.Prepare.Map, v.of, func(force int) bool { return g.commands[force].side == v.of })
	}
	for c := commandID(1); int(c) < len(v.Commands); c++ {
		if g.lead(c).side != v.of {
			v.Commands[c] = g.strange(c)
		}
	}
	v.Seen[v.of.enemy()] = nil
	v.Works = slices.DeleteFunc(v.Works, func(w placedWork) bool { return w.Side != v.of && w.Hidden })
	v.Fords = slices.DeleteFunc(v.Fords, func(f ford) bool { return f.Hidden == v.of })
	v.Barren = slices.DeleteFunc(v.Barren, func(s search) bool { return s.By != noSide && s.By != v.of })
	v.Moves, v.Fray = nil, fray{Asks: g.askedOf(seat)}
	v.Policies[v.of.enemy()] = nil
	v.Policies[v.of] = slices.DeleteFunc(slices.Clone(v.Policies[v.of]), func(c policyCase) bool { return c.Seat != string(seat) })
	foreign := func(c policyCase) bool { return c.Seat != string(seat) }
	v.Standing, v.Ruled = slices.DeleteFunc(slices.Clone(g.Standing), foreign), slices.DeleteFunc(slices.Clone(g.Ruled), foreign)
	v.Aimed = slices.DeleteFunc(v.Aimed, func(s shot) bool { return g.def(s.By).side != v.of || g.owner(s.By) != seat })
	v.Targets = slices.DeleteFunc(v.Targets, func(t ranked) bool { return t.Seat != string(seat) })
	v.Held = slices.DeleteFunc(v.Held, func(e elementID) bool { return g.def(e).side != v.of || g.owner(e) != seat })
	if seats := g.seatsOf(v.of); g.phasing() == v.of && len(seats) > 0 {
		v.Moves = slices.DeleteFunc(slices.Clone(g.Moves), func(o order) bool { return g.giver(&o) != seat })
	}
	if v.of != g.phasing() || !g.thinks(seat) { // nor is it told that another player of its side is asked again
		v.More, v.Again = false, false
	}
	v.Thinking = slices.DeleteFunc(v.Thinking, func(s string) bool { return s != string(seat) })
	if v.of != g.attacker() {
		v.Surprise = min(v.Surprise, 1) // that it is surprised, not how long (HFG-6.14)
	}
	v.Columns = slices.DeleteFunc(v.Columns, func(c column) bool { return g.def(c.Members[0]).side != v.of })
	v.friendsMasked(g)
	return v
}

// askedOf is the question that is put to a seat; nil: none is.
func (g *game) askedOf(seat engine.Side) *question {
	if q := g.Fray.Asks; q != nil && g.owner(q.Of) == seat {
		return q
	}
	return nil
}

// giver is who has given an order.
func (g *game) giver(o *order) engine.Side {
	if o.Verb == verbEnter {
		return g.seatOf(g.commandNamed(o.Of))
	}
	return g.owner(g.who(o)[0])
}

// seenBy is what a seat sees of an enemy: where he stands and in what state, if it knows him.
func (g *game) seenBy(seat engine.Side, e elementID) element {
	x := &g.Elements[e]
	if !g.on(e) || !g.seatKnows(seat, e) {
		return element{}
	}
	return element{At: x.At, Facing: x.Facing, Holds: x.Holds, Inside: x.Inside, Spirit: x.Spirit, Since: x.Since,
		Silenced: x.Silenced, Damaged: x.Damaged, Manner: x.Manner, Moved: x.Moved, Marches: x.Marches, Shot: x.Shot,
		Pressed: x.Pressed, Faced: x.Faced, Height: slices.Clone(x.Height)}
}

// masked is the setting as a seat sees it: of the enemy neither grades, nor whom an element
// belongs to, nor how commands come; and of elements that it never knew nothing.
func (g *game) masked(seat engine.Side, seen []element) *setting {
	s, of := *g.setting, g.sideOf(seat)
	s.roster, s.commands = slices.Clone(g.roster), slices.Clone(g.commands)
	first := commandID(0)
	for i := range s.commands {
		if d := &s.commands[i]; d.side != of {
			if first == 0 {
				first = commandID(i + 1)
			}
			s.commands[i] = commandDef{id: "?", side: d.side, rank: subordinate}
		}
	}
	for i := range s.roster {
		d := &s.roster[i]
		if d.side == of {
			continue
		}
		e := elementID(i + 1)
		known := seen[e].At != place{} || seen[e].Holds != 0 ||
			slices.ContainsFunc(g.Seen[of], func(x sighting) bool { return x.Element == e && (x.Seat == "" || x.Seat == string(seat)) })
		if known {
			d.grades, d.command, d.at, d.facing, d.holds, d.what = nil, first, place{}, 0, 0, ""
		} else {
			s.roster[i] = elementDef{id: "?", command: first, side: d.side}
		}
	}
	s.codec = sync.OnceValue(s.newCodec) // few views are written
	return &s
}

// seenBy is what a side sees of the preparation: what it has said itself, and the ground.
func (p *preparation) seenBy(of side) *preparation {
	if p == nil {
		return nil
	}
	c := play.Clone(*p)
	other := of.enemy()
	c.Buys[other], c.Hidden[other], c.Feature[other], c.Dug[other], c.Spared[other] = wares{}, 0, 0, wares{}, 0
	if len(c.Bases) == int(sides)-1 {
		c.Bases[other-1] = ""
	}
	c.Pieces = slices.DeleteFunc(c.Pieces, func(x terrainPiece) bool { return x.By != of })
	c.terrain, c.plans = [sides]*terrainOrder{}, [sides]*deployment{}
	return &c
}

// seen implements [seer].
func (v *View) seen() (*game, side) { return v.game, v.of }

// Side implements [engine.View].
func (v *View) Side() engine.Side { return v.seat }

// Marshal implements [engine.View]: the form of a position, with the seat above it.
func (v *View) Marshal() ([]byte, error) {
	n := orders.Mapping().Set("side", orders.Text(string(v.seat)))
	c := *v.game
	if !slices.ContainsFunc(v.roster, func(d elementDef) bool { return d.id != "?" }) || v.of == noSide {
		c.node(n)
		v.withoutLists(n)
		return []byte(n.Encode()), nil
	}
	shown := *v.setting
	shown.roster = slices.DeleteFunc(slices.Clone(v.roster), func(d elementDef) bool { return d.id == "?" })
	c.node(n)
	if at := n.Get("setting"); at != nil {
		*at = *shown.codec().Write(&shown)
	}
	v.withoutLists(n)
	return []byte(n.Encode()), nil
}

// withoutLists takes out of a view what the list of the enemy's army would tell: how many commands he has, and which elements stand side by
// side in one, since the list has them command by command. Enemies stand in the order of their names.
func (v *View) withoutLists(n *orders.Node) {
	stranger := func(id *orders.Node) bool { return id != nil && id.Text == "?" }
	if s := n.Get("setting"); s != nil {
		if list := s.Get("commands"); list != nil && list.Kind == orders.List {
			seen := false
			list.Items = slices.DeleteFunc(list.Items, func(c *orders.Node) bool {
				is, again := stranger(c.Get("id")), seen
				seen = seen || is
				return is && again
			})
		}
		if list := s.Get("elements"); list != nil && list.Kind == orders.List {
			sortThose(list.Items, func(d *orders.Node) string { return d.Get("id").Text }, v.foreign)
		}
	}
	if states := n.Get("elements"); states != nil && states.Kind == orders.Map {
		sortThose(states.Pairs, func(p orders.Pair) string { return p.Key.Text }, v.foreign)
	}
	if states := n.Get("commands"); states != nil && states.Kind == orders.Map {
		states.Pairs = slices.DeleteFunc(states.Pairs, func(p orders.Pair) bool { return stranger(p.Key) })
	}
}

// foreign says whether an id is that of an element of another side.
func (v *View) foreign(id string) bool {
	e, ok := v.elementNamed(id)
	return ok && v.of != noSide && v.def(e).side != v.of
}

// sortThose sorts by their ids those things of a list whose ids are picked, in the places in which such things stand.
func sortThose[T any](all []T, id func(T) string, picked func(string) bool) {
	var at []int
	var some []T
	for i, x := range all {
		if picked(id(x)) {
			at, some = append(at, i), append(some, x)
		}
	}
	slices.SortStableFunc(some, func(a, b T) int { return strings.Compare(id(a), id(b)) })
	for i, x := range some {
		all[at[i]] = x
	}
}

// Spell implements [engine.View].
func (v *View) Spell(kind, id, language string) string {
	switch kind {
	case "area":
		if a, ok := v.areaNamed(id); ok && v.area(a).name != "" {
			return called(v.area(a).name, language)
		}
	case "element":
		if a, ok := v.areaNamed(strings.TrimSuffix(id, "-garrison")); ok { // a garrison is called as what it holds
			of, _ := names.Of("garrison", "of", language)
			return of + v.Spell("area", v.area(a).id, language)
		}
	case "article.area":
		if a, ok := v.areaNamed(id); ok {
			return article(v.area(a).name, language)
		}
		return ""
	case "article.called":
		return article(id, language)
	case "gender.element": // all elements are masculine but garrisons
		if _, ok := v.areaNamed(strings.TrimSuffix(id, "-garrison")); !ok {
			return "m"
		}
	case "at": // what a question is about
		if _, ok := v.elementNamed(id); ok {
			return v.Spell("element", id, language)
		}
		kind, number, _ := strings.Cut(id, "-")
		if name, ok := names.Of("piece", kind, language); ok {
			return strings.TrimSpace(name + " " + number)
		}
	case "battle":
		return play.InLanguage(v.Title, language, id)
	case "called":
		return called(id, language)
	case "on-map":
		return onMap(id, language)
	case "corps":
		for i := range v.commands {
			if v.commands[i].id == id && v.commands[i].name != "" {
				return called(v.commands[i].name, language)
			}
		}
	}
	if name, ok := names.Of(kind, id, language); ok {
		return name
	}
	if kind == "element" || kind == "area" || kind == "corps" || kind == "bridge" {
		return spelt(id)
	}
	return id
}

// called is a name that a scenario gives, in a language if words/names.*.yaml have it.
func called(name, language string) string {
	if words, ok := names.Of("called", name, language); ok {
		return words
	}
	return name
}

// onMap is such a name as a map has it: without what stands in brackets.
func onMap(name, language string) string {
	short, _, _ := strings.Cut(called(name, language), " (")
	return short
}

// article is the article of a name that a scenario gives; names that are said without one have none.
func article(name, language string) string {
	word, _ := names.Of("article", name, language)
	return word
}

// owns says whether the view's seat leads an element.
func (v *View) owns(e elementID) bool {
	return v.of != noSide && v.def(e).side == v.of && v.owner(e) == v.seat
}

// leads says whether the view's seat leads a command.
func (v *View) leads(c commandID) bool {
	return v.of != noSide && v.lead(c).side == v.of && v.seatOf(c) == v.seat
}

// trial is a copy of the game on which orders are tried. It shares nothing that changes.
func (g *game) trial() *game {
	c := *g
	c.Elements, c.Commands = slices.Clone(g.Elements), slices.Clone(g.Commands)
	for i := range c.Elements {
		x := &c.Elements[i]
		x.Passers, x.Through, x.Height = slices.Clone(x.Passers), slices.Clone(x.Through), slices.Clone(x.Height)
	}
	c.Works, c.Bridges, c.Fords, c.Barren = slices.Clone(g.Works), slices.Clone(g.Bridges), slices.Clone(g.Fords), slices.Clone(g.Barren)
	c.Burning, c.Columns = slices.Clone(g.Burning), slices.Clone(g.Columns)
	for i := range c.Columns {
		c.Columns[i].Members, c.Columns[i].Track = slices.Clone(c.Columns[i].Members), slices.Clone(c.Columns[i].Track)
	}
	for s := range c.Seen {
		c.Seen[s] = slices.Clone(g.Seen[s])
	}
	c.Moves, c.Aimed, c.Held, c.owed = slices.Clone(g.Moves), slices.Clone(g.Aimed), slices.Clone(g.Held), slices.Clone(g.owed)
	c.Targets, c.Thinking = slices.Clone(g.Targets), slices.Clone(g.Thinking)
	c.Fray, c.Prepare = play.Clone(g.Fray), g.Prepare.copied()
	c.sights, c.bodies = g.sights.copied(), slices.Clone(g.bodies)
	return &c
}

// copied is what is remembered of sight, for another game.
func (s *sights) copied() *sights {
	if s == nil {
		return nil
	}
	c := &sights{sky: s.sky, where: slices.Clone(s.where), seen: make([][]int8, len(s.seen))}
	for i, row := range s.seen {
		c.seen[i] = slices.Clone(row)
	}
	return c
}

// copied is a copy of the preparation that shares nothing that changes.
func (p *preparation) copied() *preparation {
	if p == nil {
		return nil
	}
	c := play.Clone(*p)
	c.terrain, c.plans = p.terrain, p.plans
	return &c
}

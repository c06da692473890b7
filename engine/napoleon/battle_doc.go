package napoleon

import (
	"fmt"
	"slices"
)

// A battleDoc is a battle as the YAML of a position writes it. Whatever
// interrupted it, hits to be shared out in the middle of a list of actions or
// roads to be chosen in a rout, it goes on exactly there when it is read back.
type battleDoc struct {
	Town      string            `yaml:"town"`
	Attacker  string            `yaml:"attacker"`
	Skirmish  bool              `yaml:"skirmish,omitempty"`
	Entries   []string          `yaml:"entries,omitempty,flow"`
	Stage     string            `yaml:"stage,omitempty"`
	Ordered   bool              `yaml:"ordered,omitempty"`
	Terrain   map[string]string `yaml:"terrain,omitempty,flow"`
	Streams   []string          `yaml:"streams,omitempty,flow"`
	Drawn     []string          `yaml:"drawn,omitempty,flow"`
	Turn      int               `yaml:"turn,omitempty"`   // battle turn
	Acting    string            `yaml:"acting,omitempty"` // if it is not the attacker in odd turns, the defender in even ones
	Lead      string            `yaml:"lead,omitempty"`   // which of two Allied players leads
	Second    bool              `yaml:"second,omitempty"` // the other acts now
	Brought   map[string]int8   `yaml:"brought,omitempty,flow"`
	Step      string            `yaml:"step,omitempty"`
	Retreated map[string]int8   `yaml:"retreated,omitempty,flow"` // in this battle turn, by the town at the other end of the road
	Crossed   []int8            `yaml:"crossed,omitempty,flow"`   // streams in this battle turn, from the attacker's left
	Morale    []string          `yaml:"morale,omitempty,flow"`
	Idle      int               `yaml:"idle,omitempty"`
	Stalemate bool              `yaml:"stalemate,omitempty"`
	Busy      bool              `yaml:"busy,omitempty"`
	Activated bool              `yaml:"activated,omitempty"`
	Vacant    []string          `yaml:"vacant,omitempty,flow"`  // could not be filled
	Guide     string            `yaml:"guide,omitempty"`        // of this battle turn
	Planned   []int             `yaml:"planned,omitempty,flow"` // battle turns led by plans, by camp
	Came      int               `yaml:"reinforced,omitempty"`   // last battle turn with reinforcements
	Orders    *ordersDoc        `yaml:"orders,omitempty"`
	Hits      *shotDoc          `yaml:"hits,omitempty,flow"`
	Won       string            `yaml:"won,omitempty"`
	Empty     bool              `yaml:"empty,omitempty"`
}

type ordersDoc struct {
	Actions   []actionDoc          `yaml:"actions,omitempty"`
	Ask       bool                 `yaml:"ask,omitempty"`
	Continue  bool                 `yaml:"continue,omitempty"`
	Stay      []string             `yaml:"stay,omitempty,flow"` // shown
	Reinforce *map[string][]string `yaml:"reinforce,omitempty"`
	Regroup   *regroupDoc          `yaml:"regroup,omitempty"`
}

type regroupDoc struct {
	In  map[string][]string `yaml:"in,omitempty,flow"`
	Out map[string][]string `yaml:"out,omitempty,flow"`
}

type actionDoc struct {
	Do   string   `yaml:"do"`
	Unit string   `yaml:"unit"`
	Path []string `yaml:"path,omitempty,flow"`
	At   string   `yaml:"at,omitempty"`
	With string   `yaml:"with,omitempty"`
	What string   `yaml:"what,omitempty"`
	To   string   `yaml:"to,omitempty"`
}

type shotDoc struct {
	Victims string `yaml:"victims"`
	Field   string `yaml:"field,omitempty"`
	Squares bool   `yaml:"squares,omitempty"`
	Long    bool   `yaml:"long,omitempty"`
	Cavalry bool   `yaml:"cavalry,omitempty"`
	Left    int8   `yaml:"left"`

	Settled []string `yaml:"settled,omitempty,flow"` // armies
}

// Words of stages, steps and actions, in the order of their constants.
var (
	stageWords = []string{"opened", "revealing", "skirmishing", "withdrawing", "drawing", "answering",
		"deploying-defender", "deploying-attacker", "fighting", "routing", "regrouping", "finished"}
	stepWords  = []string{"due", "morale", "combat", "reinforce", "retreat", "over"}
	verbWords  = []string{"", "move", "fire", "square", "break", "shelter", "leave", "occupy", "swap", "retreat"}
	groupWords = []string{"", "others", "squares"}
)

func (s stage) String() string { return stageWords[s] }

func (s step) String() string { return stepWords[s] }

// battleDoc writes a battle.
func (g *game) battleDoc(b *battle) battleDoc {
	d := battleDoc{
		Town: g.towns[b.town].id, Attacker: b.attacker.String(), Skirmish: b.skirmish, Ordered: b.ordered,
		Turn: b.number, Idle: b.idle, Stalemate: b.stalemate, Busy: b.busy, Activated: b.activated, Empty: b.empty,
	}
	d.Guide, d.Planned, d.Came = guideWords[b.guide], plannedDoc(b.planned), b.reinforced
	if b.stage != opened {
		d.Stage = b.stage.String()
	}
	if b.step != turnDue {
		d.Step = b.step.String()
	}
	for _, t := range b.entries {
		d.Entries = append(d.Entries, g.towns[t].id)
	}
	for f, what := range b.terrain {
		if what != noPiece {
			if d.Terrain == nil {
				d.Terrain = map[string]string{}
			}
			d.Terrain[field(f).String()] = what.String()
		}
	}
	for f, yes := range b.streams {
		if yes {
			d.Streams = append(d.Streams, field(f).String())
		}
	}
	for f, yes := range b.vacant {
		if yes {
			d.Vacant = append(d.Vacant, field(f).String())
		}
	}
	for _, what := range b.drawn {
		d.Drawn = append(d.Drawn, what.String())
	}
	if b.acting != b.usualActing() {
		d.Acting = b.acting.String()
	}
	for _, u := range b.roadUse {
		if d.Retreated == nil {
			d.Retreated = map[string]int8{}
		}
		d.Retreated[g.awayName(b, u.road)] = u.n
	}
	for _, u := range b.brought {
		if d.Brought == nil {
			d.Brought = map[string]int8{}
		}
		d.Brought[g.awayName(b, u.road)] = u.n
	}
	if d.Second = b.second; b.lead != french {
		d.Lead = b.lead.String()
	}
	if b.crossed != [3]int8{} {
		d.Crossed = b.crossed[:]
	}
	d.Morale = g.unitIDs(b.morale)
	if b.orders != nil {
		d.Orders = g.ordersDoc(b.orders)
	}
	if s := b.hits; s != nil {
		d.Hits = &shotDoc{Victims: s.victims.String(), Field: s.field.String(), Squares: s.squares, Long: s.long, Cavalry: s.cavalry, Left: s.left}
		for a, settled := range s.settled {
			if settled {
				d.Hits.Settled = append(d.Hits.Settled, army(a).String())
			}
		}
	}
	if b.settled() {
		d.Won = b.won.String()
	}
	return d
}

// awayName is how a battle names a road by which units leave it: by the town at
// the other end, or by both if it is one farther on.
func (g *game) awayName(b *battle, road int) string {
	if r := g.roads[road]; r.a == b.town || r.b == b.town {
		return g.towns[r.from(b.town)].id
	}
	return g.roadName(road)
}

// usualActing is whose battle turn a number is, and who is acting when there is
// none.
func (b *battle) usualActing() camp {
	if b.number > 0 && b.number%2 == 0 {
		return b.attacker.enemy()
	}
	return b.attacker
}

// settled tells whether it is known who won.
func (b *battle) settled() bool { return b.stage >= routing || b.stage == withdrawing }

func (g *game) unitIDs(ids []unitID) []string {
	var all []string
	for _, id := range ids {
		all = append(all, g.unitName(id))
	}
	return all
}

func (g *game) ordersDoc(o *battleOrders) *ordersDoc {
	d := &ordersDoc{Ask: o.again, Continue: o.press, Stay: g.unitIDs(o.stay)}
	for _, a := range o.actions {
		one := actionDoc{Do: verbWords[a.verb], Unit: g.unitName(a.unit), At: groupWords[a.group], What: a.what.String()}
		switch a.verb {
		case doMove:
			for _, f := range a.path {
				if f != offBoard {
					one.Path = append(one.Path, f.String())
				}
			}
		case doShelter, doSwap:
			one.With = g.unitName(a.with)
		case doRetreat:
			one.To = g.towns[a.to].id
		}
		d.Actions = append(d.Actions, one)
	}
	if o.reinforce != nil {
		places := g.placesDoc(o.reinforce.places)
		d.Reinforce = &places
	}
	if o.regroup != nil {
		d.Regroup = &regroupDoc{In: g.placesDoc(o.regroup.in), Out: g.placesDoc(o.regroup.out)}
	}
	return d
}

func (g *game) placesDoc(list []place) map[string][]string {
	d := map[string][]string{}
	for _, pl := range list {
		t := g.towns[pl.town].id
		d[t] = append(d[t], g.unitName(pl.unit))
	}
	return d
}

// A docReader reads the names of a battleDoc and keeps the first that is wrong.
type docReader struct {
	*game
	err error
}

func (x *docReader) fail(what, name string) {
	if x.err == nil {
		x.err = fmt.Errorf("read a battle: no %s %q", what, name)
	}
}

func (x *docReader) town(name string) townID {
	for t := range x.towns {
		if x.towns[t].id == name {
			return townID(t)
		}
	}
	x.fail("town", name)
	return 0
}

func (x *docReader) unitNamed(name string) unitID {
	for i := range x.roster {
		if x.roster[i].id == name {
			return unitID(i)
		}
	}
	x.fail("unit", name)
	return 0
}

func (x *docReader) unitsNamed(names []string) []unitID {
	var all []unitID
	for _, name := range names {
		all = append(all, x.unitNamed(name))
	}
	return all
}

func (x *docReader) camp(name string) camp {
	c, ok := campNamed(name)
	if !ok {
		x.fail("camp", name)
	}
	return c
}

func (x *docReader) word(what string, words []string, name string) int {
	i := slices.Index(words, name)
	if i < 0 {
		x.fail(what, name)
		return 0
	}
	return i
}

// position reads a field that is not the reserve.
func (x *docReader) position(name string) field {
	f, ok := fieldNamed(name)
	if !ok || f <= reserve {
		x.fail("position", name)
		return attackerLeft
	}
	return f
}

func (x *docReader) piece(name string) piece {
	p, ok := pieceNamed(name)
	if !ok || p == noPiece {
		x.fail("piece of terrain", name)
	}
	return p
}

func (x *docReader) places(towns map[string][]string) []place {
	var list []place
	for t := range x.towns { // in the order of the board, whatever the map's
		for _, name := range towns[x.towns[t].id] {
			list = append(list, place{x.unitNamed(name), townID(t)})
		}
	}
	n := 0
	for _, units := range towns {
		n += len(units)
	}
	if n != len(list) {
		x.fail("town among those of a list of units", "")
	}
	return list
}

// battleFrom reads a battle. The error names what is not known.
func (g *game) battleFrom(d battleDoc) (battle, error) {
	x := &docReader{game: g}
	b := battle{
		town: x.town(d.Town), attacker: x.camp(d.Attacker), skirmish: d.Skirmish, ordered: d.Ordered,
		number: d.Turn, idle: d.Idle, stalemate: d.Stalemate, busy: d.Busy, activated: d.Activated, empty: d.Empty,
	}
	x.progress(&b, &d)
	for _, t := range d.Entries {
		b.enters(x.town(t))
	}
	x.ground(&b, &d)
	x.roadUses(&b, &d)
	x.leader(&b, &d)
	if len(d.Crossed) > len(b.crossed) {
		x.fail("stream", "")
	} else {
		copy(b.crossed[:], d.Crossed)
	}
	b.morale = x.unitsNamed(d.Morale)
	if d.Orders != nil {
		b.orders = x.orders(d.Orders)
	}
	if d.Hits != nil {
		b.hits = x.shot(d.Hits)
	}
	if d.Won != "" && b.settled() { // else an edit has set the battle back
		b.won = x.camp(d.Won)
	}
	return b, x.err
}

// progress reads how far a battle has come: its stage and step, how many of its
// battle turns plans have led, and who acts.
func (x *docReader) progress(b *battle, d *battleDoc) {
	if d.Stage != "" {
		b.stage = stage(x.word("stage", stageWords, d.Stage))
	}
	if d.Step != "" {
		b.step = step(x.word("step", stepWords, d.Step))
	}
	if ofSkirmish := b.stage == revealing || b.stage == skirmishing || b.stage == withdrawing; b.stage != opened && b.stage != finished && ofSkirmish != b.skirmish &&
		!(b.skirmish && b.stage == routing && x.numbers.minAttack > 0) { // (NAP-6.6z)
		x.fail("such stage of a battle or skirmish", d.Stage)
	}
	if b.number < 1 && b.stage >= fighting && !b.skirmish {
		b.number = 1
	}
	for i := range x.battles {
		if x.battles[i].town == b.town {
			x.fail("second battle", d.Town)
		}
	}
	if len(d.Planned) > len(b.planned) || d.Came < 0 {
		x.fail("such count of planned battle turns", "")
	}
	b.guide, b.reinforced = guide(x.word("guide", guideWords, d.Guide)), d.Came
	copy(b.planned[:], d.Planned)
	b.acting = b.usualActing()
	if d.Acting != "" {
		b.acting = x.camp(d.Acting)
	}
}

// ground reads the pieces of terrain, those on the board and those drawn, and
// which positions could not be filled.
func (x *docReader) ground(b *battle, d *battleDoc) {
	for name, what := range d.Terrain {
		b.terrain[x.position(name)] = x.piece(what)
	}
	for _, name := range d.Streams {
		b.streams[x.position(name)] = true
	}
	for _, name := range d.Vacant {
		b.vacant[x.position(name)] = true
	}
	for _, what := range d.Drawn {
		b.drawn = append(b.drawn, x.piece(what))
	}
}

// roadUses reads how many units have left over each road, and then how many came
// by each.
func (x *docReader) roadUses(b *battle, d *battleDoc) {
	for r := range x.roads {
		if n := d.Retreated[x.awayName(b, r)]; n > 0 {
			for range n {
				b.uses(r)
			}
		}
	}
	for r := range x.roads {
		for range min(d.Brought[x.awayName(b, r)], mostNumber) {
			b.brings(r)
		}
	}
}

// leader reads which of two Allied players leads, and whether the other acts now.
func (x *docReader) leader(b *battle, d *battleDoc) {
	if b.second = d.Second; d.Lead != "" {
		lead, ok := armyNamed(d.Lead)
		if !ok {
			x.fail("army", d.Lead)
		}
		b.lead = lead
	}
	if x.three() && b.lead == french {
		b.lead = x.leadOf(b.town)
	}
}

// shot reads hits that are to be shared out.
func (x *docReader) shot(d *shotDoc) *shot {
	s := &shot{victims: x.camp(d.Victims), squares: d.Squares, long: d.Long, cavalry: d.Cavalry, left: d.Left}
	for _, name := range d.Settled {
		a, ok := armyNamed(name)
		if !ok {
			x.fail("army", name)
			continue
		}
		s.settled[a] = true
	}
	if d.Field != "" {
		s.field = x.position(d.Field)
	}
	return s
}

func (x *docReader) orders(d *ordersDoc) *battleOrders {
	o := &battleOrders{again: d.Ask, press: d.Continue, stay: x.unitsNamed(d.Stay)}
	for _, one := range d.Actions {
		a := action{
			verb: verb(x.word("action", verbWords, one.Do)), unit: x.unitNamed(one.Unit),
			group: group(x.word("group", groupWords, one.At)),
		}
		if len(one.Path) > len(a.path) {
			x.fail("path", one.Unit)
			continue
		}
		switch { // what does not belong to an action would be lost when it is written
		case len(one.Path) > 0 && a.verb != doMove:
			x.fail("path of such an action", one.Unit)
		case one.With != "" && a.verb != doShelter && a.verb != doSwap:
			x.fail("other unit of such an action", one.Unit)
		case one.To != "" && a.verb != doRetreat:
			x.fail("town of such an action", one.Unit)
		}
		for i, name := range one.Path {
			if name == reserve.String() {
				a.path[i] = reserve
			} else {
				a.path[i] = x.position(name)
			}
		}
		if one.With != "" {
			a.with = x.unitNamed(one.With)
		}
		if one.What != "" {
			a.what = x.piece(one.What)
		}
		if one.To != "" {
			a.to = x.town(one.To)
		}
		o.actions = append(o.actions, a)
	}
	if d.Reinforce != nil {
		o.reinforce = &allotment{places: x.places(*d.Reinforce)}
	}
	if d.Regroup != nil {
		o.regroup = &regroupAnswer{s: x.scenario, in: x.places(d.Regroup.In), out: x.places(d.Regroup.Out)}
	}
	return o
}

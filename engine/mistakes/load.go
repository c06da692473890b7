package mistakes

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/engine/sheet"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A loader judges as a whole what a scenario file says.
type loader struct {
	play.Loader
	s    *scenario
	root *orders.Node
}

// readScenario reads a scenario file, strictly: every fault is reported with its line and
// column.
func readScenario(data []byte) (*scenario, orders.Problems) {
	s := &scenario{source: slices.Clone(data), chart: new(sheet.Chart)}
	faults := play.ReadScenario(data, func(r play.Loader, root *orders.Node) {
		if !r.Of(root, "enemy-mistakes") {
			return
		}
		scenarioCodec().Read(r.Reader, root, s, "ruleset")
		if len(r.Problems) > 0 {
			return // ids may be missing
		}
		l := &loader{Loader: r, s: s, root: root}
		l.complete()
	})
	if len(faults) > 0 {
		return nil, faults
	}
	s.codec = s.newCodec()
	return s, nil
}

// wordKinds are the types that files write as words.
var wordKinds = []struct {
	sample any
	kind   string
	words  []string
}{
	{noArmy, "army", armyWords[1:]}, {arm(0), "arm", armWords[1:]}, {weight(0), "weight", weightWords[1:]},
	{mount(0), "mount", mountWords[1:]}, {quality(0), "quality", qualityWords[1:]},
	{ground(0), "ground", groundWords[1:]}, {track(0), "track", trackWords[1:]}, {role(0), "role", roleWords[1:]},
}

// scenarioCodec reads a scenario file.
func scenarioCodec() *play.Codec {
	c := play.NewScenarioCodec()
	for _, w := range wordKinds {
		c.Things(w.sample, play.Things{Kind: w.kind, IDs: w.words, First: 1, Words: true})
	}
	c.List(play.Things{Kind: "scoring", IDs: scoringWords[1:], First: 1, Words: true})
	c.List(play.Things{Kind: "towns", IDs: townsWords[1:], First: 1, Words: true})
	c.Things(areaID(0), play.Things{Kind: "area", First: 1})
	c.Things(lineID(0), play.Things{Kind: "line", First: 1})
	c.Things(corpsID(0), play.Things{Kind: "corps", First: 1})
	c.Things(unitID(0), play.Things{Kind: "unit", First: 1})
	c.Things(leaderID(0), play.Things{Kind: "leader", First: 1})
	return c
}

func (l *loader) say(n *orders.Node, clause, code string, args ...phrase.Arg) {
	l.Refuse(n, clause, phrase.Say(code, args...))
}

// at finds an item of one of the lists of the file.
func (l *loader) at(list string, i int, keys ...string) *orders.Node {
	return play.At(l.root, append([]string{list, strconv.Itoa(i)}, keys...)...)
}

// complete works out what follows from what the file says, and judges what no single part
// of the file can judge.
func (l *loader) complete() {
	l.sizes()
	l.ground()
	l.units()
	l.leaders()
	l.garrisons()
	l.s.nameUnits()
	l.objectives()
	l.games()
	if len(l.Problems) == 0 {
		l.formations()
	}
}

// sizes refuses measures that can't be, and a field that is too large to be measured.
func (l *loader) sizes() {
	n := l.root.Get("measures")
	m := &l.s.measures
	for _, one := range []struct {
		key   string
		value length
	}{
		{"segment", m.segment}, {"tile", m.tile}, {"counter", m.counter}, {"fire_length", m.fireLength},
		{"fire_width", m.fireWidth}, {"contact", m.contact}, {"slack", m.slack}, {"corner", m.corner},
		{"ruler", m.ruler}, {"road", m.road}, {"step", m.step},
	} {
		if one.value <= 0 {
			l.say(n.Get(one.key), "EM-3.1", "em.scenario-positive")
		}
	}
	if l.s.size.X <= 0 || l.s.size.Y <= 0 {
		l.say(l.root.Get("size"), "EM-3.1", "em.scenario-positive")
	}
	if l.s.limit < 0 {
		l.say(l.root.Get("french_limit"), "EM-10.10", "em.scenario-positive")
	}
}

// ground makes the outlines of the areas and the paths of the lines, and refuses those that
// are none, or leave the field.
func (l *loader) ground() {
	s := l.s
	for i := range s.areas {
		s.outlines = append(s.outlines, l.polygon(l.at("areas", i, "outline"), s.areas[i].outline))
	}
	for i := range s.lines {
		s.lines[i].points = points(s.lines[i].path)
		l.within(l.at("lines", i, "path"), s.lines[i].path)
		if flaw, at := geometry.Path(s.lines[i].points); flaw != geometry.Sound {
			l.say(play.At(l.at("lines", i, "path"), strconv.Itoa(at)), "EM-3.16", "em.scenario-path")
		}
	}
	for i, b := range s.bridges {
		s.outlines = append(s.outlines, l.polygon(l.at("bridges", i, "outline"), b.outline))
		if s.lines[b.stream-1].kind != stream {
			l.say(l.at("bridges", i, "stream"), "EM-4.9", "em.scenario-stream")
		}
		if s.lines[b.road-1].kind != road {
			l.say(l.at("bridges", i, "road"), "EM-4.9", "em.scenario-road")
		}
	}
	if len(s.entry) > 0 {
		l.polygon(l.root.Get("entry"), s.entry)
	}
	for a := blue; a < armies; a++ {
		if s.deployment[a] != nil {
			l.polygon(play.At(l.root, "deployment", a.String()), s.deployment[a])
		}
	}
}

// flaws say why points are no polygon.
var flaws = map[geometry.Flaw]string{
	geometry.TooFew: "em.scenario-corners", geometry.Repeated: "em.scenario-repeated",
	geometry.Straight: "em.scenario-straight", geometry.Knotted: "em.scenario-knotted",
}

// polygon makes an area of an outline.
func (l *loader) polygon(n *orders.Node, outline []place) geometry.Area {
	p := points(outline)
	l.within(n, outline)
	if flaw, at := geometry.Polygon(p); flaw != geometry.Sound {
		l.say(play.At(n, strconv.Itoa(at)), "EM-3.16", flaws[flaw])
	}
	return geometry.NewArea(p)
}

// within refuses places off the field.
func (l *loader) within(n *orders.Node, places []place) {
	for i, p := range places {
		if p.X < 0 || p.Y < 0 || p.X > l.s.size.X || p.Y > l.s.size.Y {
			l.say(play.At(n, strconv.Itoa(i)), "EM-3.1", "em.scenario-off-field")
		}
	}
}

// units works out armies and numbers, and refuses what no unit can be.
func (l *loader) units() {
	s := l.s
	var next [armies]int
	for i := range s.roster {
		d := &s.roster[i]
		wrong := func(is bool, key, clause, code string) {
			if is {
				l.say(l.at("units", i, key), clause, code, phrase.Literal("unit", d.id))
			}
		}
		d.army = s.army(d.corps)
		next[d.army]++
		d.no = next[d.army]
		want := d.army.String() + "-" + strconv.Itoa(d.no)
		if d.id != want {
			l.say(l.at("units", i, "id"), "EM-1.1", "em.scenario-number", phrase.Literal("unit", d.id), phrase.Literal("wanted", want))
		}
		wrong((d.arm == cavalry) != (d.weight != 0), "arm", "EM-11.8", "em.scenario-weight")
		wrong((d.arm == artillery) != (d.mount != 0), "arm", "EM-15.1", "em.scenario-mount")
		wrong(d.fire > 0 && d.arm != infantry, "fire", "EM-11.8", "em.scenario-fire")
		wrong(d.limbered && d.arm != artillery, "limbered", "EM-15.1", "em.scenario-limbered")
		wrong(d.heading != 0 && d.at == place{}, "heading", "EM-1.1", "em.scenario-nowhere")
	}
}

// leaders refuses leaders that the rules have no place for.
func (l *loader) leaders() {
	s := l.s
	var chiefs [armies]int
	led := make([]bool, len(s.corps))
	for i := range s.leaders {
		d := &s.leaders[i]
		name := phrase.Literal("leader", d.id)
		switch {
		case (d.role == general) != (d.corps != 0), d.corps != 0 && (s.army(d.corps) != d.army || led[d.corps-1]):
			l.say(l.at("leaders", i), "EM-2.1", "em.scenario-leader-corps", name)
		case d.corps != 0:
			led[d.corps-1] = true
		}
		if d.role == commander {
			chiefs[d.army]++
		}
		if d.attached != 0 && s.def(d.attached).army != d.army {
			l.say(l.at("leaders", i, "attached"), "EM-2.1", "em.scenario-leader-army", name)
		}
		if d.attached != 0 && d.at != (place{}) {
			l.say(l.at("leaders", i, "at"), "EM-8.4", "em.scenario-leader-place", name)
		}
	}
	for a := blue; a < armies; a++ {
		if chiefs[a] != 1 {
			l.say(l.root.Get("leaders"), "EM-2.6", "em.scenario-chiefs", phrase.Name("army", "army", a.String()))
		}
	}
	if i := slices.Index(led, false); i >= 0 {
		l.say(l.at("corps", i), "EM-2.1", "em.scenario-unled", phrase.Literal("corps", s.corps[i].id))
	}
}

// garrisons puts the garrisons behind the units: they are units for every clause that does
// not say otherwise (EM-3.9, EM-14.1).
func (l *loader) garrisons() {
	s := l.s
	for i, d := range s.garrisons {
		if s.area(d.town).kind != town {
			l.say(l.at("garrisons", i, "id"), "EM-14.4", "em.scenario-town")
			continue
		}
		s.roster = append(s.roster, unitDef{id: s.area(d.town).id, arm: infantry, fire: d.fire, quality: d.quality,
			capacity: d.capacity, vp: d.vp, name: s.area(d.town).name, at: d.at, heading: d.heading,
			army: d.army, home: d.town, hold: d.hold, frail: d.frail})
	}
}

// objectives are towns, and a garrison that they ask for is there.
func (l *loader) objectives() {
	for i, o := range l.s.objectives {
		if l.s.area(o.town).kind != town {
			l.say(l.at("objectives", i, "town"), "EM-17.2", "em.scenario-town")
		}
		is := func(d garrisonDef) bool { return d.town == o.town && d.army == o.army }
		if o.garrison && !slices.ContainsFunc(l.s.garrisons, is) {
			l.say(l.at("objectives", i, "garrison"), "EM-17.2", "em.scenario-garrison")
		}
	}
	for _, key := range []string{"plus", "three_player_plus"} {
		for _, p := range play.Entries(l.Reader, l.root.Get(key)) {
			i := slices.IndexFunc(l.s.areas, func(d areaDef) bool { return strings.EqualFold(d.id, p.Key.Text) })
			if i >= 0 && l.s.areas[i].kind != town {
				l.say(p.Key, "EM-18.4", "em.scenario-town")
			}
		}
	}
}

// games refuses games without turns, and towns that nothing scores.
func (l *loader) games() {
	n := l.root.Get("scenarios")
	if len(l.s.lengths) == 0 {
		l.say(n, "EM-18.1", "em.scenario-games")
	}
	for _, d := range l.s.lengths {
		of := n.Get(d.id)
		if d.turns[0] > d.turns[1] || d.turns[1] > len(l.s.times) {
			l.say(of.Get("turns"), "EM-18.1", "em.scenario-turns", phrase.Number("last", len(l.s.times)))
		}
		if d.towns != 0 && d.scoring != scoreFree {
			l.say(of.Get("towns"), "EM-18.4", "em.scenario-towns")
		}
		if d.stands && d.black == 0 {
			l.say(of.Get("black_stands"), "EM-18.5", "em.scenario-black")
		}
		if slices.Contains(d.players, 3) && d.black == 0 {
			l.say(of.Get("players"), "EM-18.5", "em.scenario-black")
		}
		if d.deploy && (l.s.deployment[blue] == nil || l.s.deployment[red] == nil) {
			l.say(of.Get("deploy"), "EM-18.6", "em.scenario-deployment")
		}
		if d.deploy && d.garrisons {
			l.say(of.Get("garrisons"), "EM-18.6", "em.scenario-no-garrisons")
		}
		l.adjusted(of, &d)
	}
}

// adjusted refuses points of a game by which a unit would count less than nothing, or that nothing scores, garrisons
// that take more losses than in their list, or are not there, and places of units that stand nowhere when the game begins.
func (l *loader) adjusted(of *orders.Node, d *lengthDef) {
	for a := blue; a < armies; a++ {
		at := play.At(of, "points", a.String())
		if d.points[a] != 0 && d.scoring == scoreShort {
			l.say(at, "EM-18.2", "em.scenario-unscored")
		}
		for i := range l.s.roster {
			if u := &l.s.roster[i]; u.army == a && !u.garrison() && u.vp+d.points[a] < 0 {
				l.say(at, "EM-17.1", "em.scenario-points", phrase.Literal("unit", u.id))
				break
			}
		}
	}
	for a, most := range d.holds {
		is := func(x garrisonDef) bool { return x.town == areaID(a) && x.capacity >= most }
		if most > 0 && (!d.garrisons || !slices.ContainsFunc(l.s.garrisons, is)) {
			l.say(play.At(of, "capacity", l.s.area(areaID(a)).id), "EM-12.7", "em.scenario-holds")
		}
	}
	for i, x := range d.places {
		if u := l.s.def(x.unit); d.deploy || u.at == (place{}) {
			l.say(play.At(of, "places", strconv.Itoa(i), "unit"), "EM-1.1", "em.scenario-later", phrase.Literal("unit", u.id))
		}
	}
}

// formations says that the units which stand at the start are each in one formation, and
// that the position they make is one that can be.
func (l *loader) formations() {
	s := l.s
	in := make([]bool, len(s.roster)+1)
	for i, f := range s.formations {
		for j, u := range f.units {
			n := l.at("formations", i, "units", strconv.Itoa(j))
			name := phrase.Literal("unit", s.def(u).id)
			switch {
			case in[u]:
				l.say(n, "EM-1.1", "em.scenario-two-formations", name)
			case s.def(u).at == place{}:
				l.say(n, "EM-1.1", "em.scenario-nowhere", name)
			case s.def(u).army != f.army:
				l.say(n, "EM-R54", "em.formation-army", name)
			}
			in[u] = true
		}
	}
	for i := range s.roster {
		if d := &s.roster[i]; !in[i+1] && !d.garrison() && d.at != (place{}) {
			l.say(l.at("units", i), "EM-1.1", "em.scenario-no-formation", phrase.Literal("unit", d.id))
		}
	}
	if len(l.Problems) > 0 {
		return
	}
	for i := range s.lengths {
		b := &breaches{game: s.placed(options{game: play.Setting(i), ney: 1})}
		b.impossible()
		for _, one := range b.All {
			l.RefuseWith(l.origin(&s.lengths[i], one.Keys), one.Clause, one.Why, one.Remedy)
		}
		if len(b.All) > 0 {
			return
		}
	}
}

// origin finds where the file says what the first position of a game says under some keys.
func (l *loader) origin(d *lengthDef, keys []string) *orders.Node {
	if len(keys) < 2 {
		return l.root
	}
	if i := slices.IndexFunc(d.places, func(x placeDef) bool { return orders.Fold(l.s.def(x.unit).id) == orders.Fold(keys[1]) }); i >= 0 && keys[0] == "units" {
		return play.At(l.root, "scenarios", d.id, "places", strconv.Itoa(i))
	}
	for _, list := range []string{keys[0], "garrisons"} {
		n := l.root.Get(list)
		if n == nil {
			continue
		}
		for _, item := range n.Items {
			if id := item.Get("id"); id != nil && orders.Fold(id.Text) == orders.Fold(keys[1]) {
				return item
			}
		}
	}
	return l.root
}

// newCodec makes a codec that knows the ids of the scenario and everything that a position
// holds.
func (s *scenario) newCodec() *play.Codec {
	c := play.NewCodec()
	for _, w := range wordKinds {
		c.Things(w.sample, play.Things{Kind: w.kind, IDs: w.words, First: 1, Words: true})
	}
	c.Things(unlimbered, play.Things{Kind: "limber", IDs: limberWords, Words: true})
	c.Things(manner(0), play.Things{Kind: "manner", IDs: mannerWords[1:], First: 1, Words: true})
	c.Things(opening, play.Things{Kind: "phase", IDs: phaseWords, Words: true})
	c.Things(straight, play.Things{Kind: "bearing", IDs: bearingWords, Words: true})
	c.Things(present, play.Things{Kind: "fate", IDs: fateWords, Words: true})
	var units, leaders, corps []string
	for i := range s.roster {
		units = append(units, s.roster[i].id)
	}
	for i := range s.leaders {
		leaders = append(leaders, s.leaders[i].id)
	}
	for i := range s.corps {
		corps = append(corps, s.corps[i].id)
	}
	c.Things(unitID(0), play.Things{Kind: "unit", IDs: units, First: 1})
	c.Things(leaderID(0), play.Things{Kind: "leader", IDs: leaders, First: 1})
	c.Things(corpsID(0), play.Things{Kind: "corps", IDs: corps, First: 1})
	return c
}

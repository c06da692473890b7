package napoleon

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/playout"
	"berthier/orders"
)

// marchSetups are the set-ups whose rules of movement differ: both editions, each rule
// of command, one and two Allied players.
var marchSetups = func() []engine.Setup {
	var all []engine.Setup
	for _, scenario := range []string{"drill", "drill-3e", "campaign-1815", "campaign-1815-3e"} {
		for _, command := range []string{"pairwise", "chain", "off"} {
			for _, players := range []map[string]string{{}, {"players": "3"}, {"players": "3", "allied_order": "sequential"}} {
				options := map[string]string{"command_control": command}
				for key, value := range players {
					options[key] = value
				}
				all = append(all, engine.Setup{Scenario: scenario, Options: options})
			}
		}
	}
	return all
}()

// faceToFace gives positions in which a side has to move and the enemy is near, by day
// or by night, with some roads already used. Where two players move one after the
// other, there is also a position in which the second has to move.
func faceToFace(t testing.TB, seed uint64) []engine.Position {
	t.Helper()
	chance := rand.New(rand.NewPCG(seed, 6))
	position, err := New().New(marchSetups[seed%uint64(len(marchSetups))])
	if err != nil {
		t.Fatal(err)
	}
	g := position.(*game)
	g.asks, g.phase, g.turn = nil, movement, chance.IntN(len(g.turns))
	if g.turns[g.turn].night && chance.IntN(2) == 0 { // more days than nights
		g.turn = (g.turn + 1) % len(g.turns)
	}
	var free []townID
	for t := range g.towns {
		if len(g.towns[t].roads) > 0 {
			free = append(free, townID(t))
		}
	}
	near := []townID{free[chance.IntN(len(free))]}
	for i := 0; i < len(near) && len(near) < 5+chance.IntN(8); i++ {
		for _, r := range g.towns[near[i]].roads {
			if to := g.roads[r].from(near[i]); !slices.Contains(near, to) {
				near = append(near, to)
			}
		}
	}
	held := map[townID]camp{}
	for i := range g.units {
		u := &g.units[i]
		u.came, u.moved, u.strength = noTown, false, int8(1+chance.IntN(int(g.roster[i].strength)))
		at := near[chance.IntN(len(near))]
		if c, taken := held[at]; chance.IntN(10) == 0 || taken && c != u.army.camp() {
			at = free[chance.IntN(len(free))]
		}
		if c, taken := held[at]; taken && c != u.army.camp() {
			u.dead, u.strength, u.town = true, 0, noTown
			g.losses[u.army]++
			continue
		}
		held[at], u.town = u.army.camp(), at
	}
	for i := range g.roadUse {
		if chance.IntN(5) == 0 {
			g.roadUse[i] = int8(chance.IntN(g.numbers.road.of(g.roads[i]) + 1))
		}
	}
	p := &campaign{game: g, Story: play.Story{Dice: playout.NewDice(seed)}}
	p.movementPhase()
	if len(g.asks) == 0 || g.asks[0].Kind != "move" {
		return nil
	}
	all := []engine.Position{g}
	if g.byTurns() {
		next := g.Clone()
		d := next.Owed()[0]
		if _, err := next.Advance(map[engine.Side]engine.Answer{d.Side: New().Random(next.View(d.Side), d, chance)}, playout.NewDice(seed)); err != nil {
			t.Fatal(err)
		}
		if owed := next.Owed(); len(owed) > 0 && owed[0].Kind == "move" && owed[0].Side != d.Side {
			all = append(all, next)
		}
	}
	return all
}

// A scribe writes movement orders that fit the map but need not follow the rules.
type scribe struct {
	v      *View
	chance *rand.Rand
	lines  []string
	force  []unitID // whom the lines take farther than their rate
	goal   townID   // whom they attack, if anybody
	plain  bool     // the lines are right, as far as each can be by itself
}

// marchesByChance writes order files at random: attacks by few units from many towns,
// marches that go too far, marches by night, each with or without the lines that it
// needs, and some nonsense.
func marchesByChance(view engine.View, _ engine.Decision, chance *rand.Rand) []string {
	var files []string
	for range 16 {
		s := &scribe{v: view.(*View), chance: chance, goal: noTown, plain: chance.IntN(2) == 0}
		var foes []townID
		for i := range s.v.units {
			if u := &s.v.units[i]; !u.dead && u.town != noTown && u.army.camp() != s.v.camp() && len(s.v.towns[u.town].roads) > 0 {
				foes = append(foes, u.town)
			}
		}
		if len(foes) > 0 && chance.IntN(3) > 0 {
			s.goal = foes[chance.IntN(len(foes))]
		}
		for range 1 + chance.IntN(4) {
			s.march()
		}
		if !s.plain || chance.IntN(3) == 0 {
			s.besides()
		}
		chance.Shuffle(len(s.lines), func(i, j int) { s.lines[i], s.lines[j] = s.lines[j], s.lines[i] })
		files = append(files, "orders:\n"+strings.Join(s.lines, "\n")+"\n")
	}
	return files
}

// some draws one item of a list.
func some[T any](chance *rand.Rand, things []T) T { return things[chance.IntN(len(things))] }

// march writes a line that moves units out of a town, mostly out of one near the goal.
func (s *scribe) march() {
	v := s.v
	own := v.livingUnits()
	from := v.unit(some(s.chance, own)).town
	for range 8 {
		if _, joined := v.roadBetween(from, s.goal); s.goal == noTown || joined {
			break
		}
		from = v.unit(some(s.chance, own)).town
	}
	var path []townID
	at := from
	for n := []int{1, 1, 1, 2, 2, 2, 3, 4}[s.chance.IntN(8)]; n > 0 && len(v.towns[at].roads) > 0; n-- {
		at = v.roads[some(s.chance, v.towns[at].roads)].from(at)
		if _, joined := v.roadBetween(from, s.goal); len(path) == 0 && joined && s.goal != noTown && s.chance.IntN(3) > 0 {
			path = append(path, s.goal)
			break
		}
		path = append(path, at)
	}
	if s.plain && len(path) > 0 && (s.chance.IntN(3) > 0 || slices.Contains(path[:len(path)-1], s.goal)) {
		path = path[:1]
	} else if len(path) == 0 || s.chance.IntN(25) == 0 {
		path = append(path, townID(s.chance.IntN(len(v.towns))))
	}
	units := v.group(from)
	s.chance.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
	units = units[:min(len(units), 1+s.chance.IntN(4))]
	if s.chance.IntN(6) == 0 {
		units = v.group(from)
	}
	if !s.plain && s.chance.IntN(15) == 0 {
		units = append(units, some(s.chance, own))
	}
	for _, id := range units {
		if len(path) > v.unit(id).kind.rate() {
			s.force = append(s.force, id)
		}
	}
	text := play.OneLine(v.unitTexts(units))
	switch k := s.chance.IntN(14); {
	case k == 0:
		text = "all"
	case k == 1:
		text = "[" + v.unitName(units[0]) + ", rest]"
	case k == 2:
		text = "rest"
	case k == 3 && !s.plain:
		text = []string{"[]", v.unitName(units[0]), "F-99", "[[all]]"}[s.chance.IntN(4)]
	}
	line := "from: " + v.towns[from].name
	if n := len(path) - 1; n > 0 {
		names := make([]string, n)
		for i, t := range path[:n] {
			names[i] = v.towns[t].name
		}
		line += ", via: [" + strings.Join(names, ", ") + "]"
	}
	if line += ", to: " + v.towns[path[len(path)-1]].name; s.chance.IntN(30) > 0 {
		line += ", units: " + text
	}
	s.lines = append(s.lines, "- move: {"+line+"}")
}

// besides writes the lines that say which units are forced, which leader shows himself
// and who permits forced marches. They are right or wrong at random.
func (s *scribe) besides() {
	own := s.v.livingUnits()
	line := func(key string, units []unitID) {
		s.lines = append(s.lines, fmt.Sprintf("- %s: %s", key, play.OneLine(s.v.unitTexts(units))))
	}
	switch s.chance.IntN(8) {
	case 0:
		s.lines = append(s.lines, "- forced: all")
	case 1:
		s.lines = append(s.lines, "- forced: none")
	case 2: // nothing
	case 3:
		line("forced", append(s.force, some(s.chance, own)))
	case 4:
		for i, id := range s.force {
			line("forced", []unitID{id})
			if i == 1 {
				break
			}
		}
	default:
		if slices.Reverse(s.force); len(s.force) > 0 {
			line("forced", s.force)
		}
	}
	leaders := slices.DeleteFunc(slices.Clone(own), func(id unitID) bool { return s.v.unit(id).kind != leader })
	var permit []unitID
	for _, key := range []string{"night-march", "reveal"} {
		if s.chance.IntN(3) > 0 {
			continue
		}
		who := []unitID{some(s.chance, own)}
		if len(leaders) > 0 && s.chance.IntN(4) > 0 {
			who[0] = some(s.chance, leaders)
		}
		if s.chance.IntN(8) == 0 {
			who = append(who, who[0])
		}
		if permit == nil {
			permit = who
		} else if s.chance.IntN(3) == 0 {
			who = permit
		}
		line(key, who)
	}
	if s.chance.IntN(20) == 0 {
		s.lines = append(s.lines, []string{"- none", "- march: 3", "- {forced: none, reveal: none}", "- night-march: []", "- move: Ligny"}[s.chance.IntN(5)])
	}
}

// Whatever movement a file may order can also be chosen, part by part in the order of
// the file. That holds for attacks that an ally might strengthen, and for the groups of
// a chain of command, which the file may name in any order.
func TestMovementsThatAreAcceptedCanBeChosen(t *testing.T) {
	taken := 0
	for seed := range uint64(len(marchSetups)) {
		for _, p := range faceToFace(t, 9000+seed) {
			for _, d := range p.Owed() {
				view := p.View(d.Side)
				for _, file := range marchesByChance(view, d, chance(seed)) {
					doc, faults := orders.Parse(file, nil)
					if len(faults) > 0 {
						continue
					}
					a, faults := New().Read(view, d, doc)
					if len(faults) > 0 {
						continue
					}
					taken++
					if _, err := playout.TakesApart(New(), view, d, a); err != nil {
						t.Errorf("seed %d, %s: %v", seed, d.Side, err)
					}
				}
			}
		}
	}
	if taken < 100 {
		t.Errorf("only %d files were accepted", taken)
	}
}

// The groups of a chain of command may be chosen in any order. The group at the far end
// is offered as long as the group between can still be chosen; if nobody chooses that
// group, it is filled in.
func TestChainOfGroupsCanBeChosenInAnyOrder(t *testing.T) {
	p, err := New().New(engine.Setup{Scenario: "campaign-1815-3e", Options: map[string]string{"command_control": "chain"}})
	if err != nil {
		t.Fatal(err)
	}
	g := p.(*game)
	near, goal := g.chained()
	stand := func(between int) (*View, engine.Decision) {
		g := g.Clone().(*game)
		g.asks, g.phase, g.turn = nil, movement, 0
		for g.turns[g.turn].camp != frenchCamp || g.turns[g.turn].night {
			g.turn++
		}
		n := 0
		for i := range g.units {
			u := &g.units[i]
			switch u.town = noTown; {
			case u.army == prussian && u.kind == infantry:
				u.town = goal
			case u.army == french && u.kind == infantry && n < 6+between:
				u.town = near[n/3]
				n++
			}
		}
		(&campaign{game: g}).movementPhase()
		return g.view("french"), g.Owed()[0]
	}
	v, d := stand(3)
	name := func(t townID) string { return v.towns[t].name }
	var lines []string
	for _, from := range near {
		lines = append(lines, "- move: {from: "+name(from)+", to: "+name(goal)+", units: ["+v.unitName(v.group(from)[0])+"]}")
	}
	file := "orders:\n" + strings.Join(lines, "\n") + "\n"
	doc, _ := orders.Parse(file, nil)
	a, faults := New().Read(v, d, doc)
	if len(faults) > 0 {
		t.Fatalf("%v\n%s", faults, file)
	}
	made, err := playout.TakesApart(New(), v, d, a)
	if err != nil {
		t.Fatal(err)
	}
	filled := New().Compose(v, d, made[:2])
	if marches := marchesOf(filled).marches; len(marches) != 3 || marches[2].from != near[2] {
		t.Errorf("the group between is not filled in:\n%s", filled.Orders().Encode())
	}
	doc, _ = orders.Parse(filled.Orders().Encode(), nil)
	if _, faults := New().Read(v, d, doc); len(faults) > 0 {
		t.Errorf("what is filled in is refused: %v", faults)
	}
	v, d = stand(0)
	if list := New().Choices(v, d, made[:1]); engine.Offered(list, made[1]) {
		t.Error("the far end is offered where nobody can join both")
	}
	if a := New().Compose(v, d, made[:2]); len(marchesOf(a).marches) != 1 {
		t.Errorf("it is chosen all the same:\n%s", a.Orders().Encode())
	}
}

// chained finds a town and three that are near it: one, another that no road joins to it, and one
// between them.
func (g *game) chained() (near []townID, goal townID) {
	goal = noTown
	joined := func(a, b townID) bool {
		_, yes := g.roadBetween(a, b)
		return yes
	}
	neighbours := func(t townID) (all []townID) {
		for _, r := range g.towns[t].roads {
			all = append(all, g.roads[r].from(t))
		}
		return all
	}
	for t := range g.towns {
		for _, a := range neighbours(townID(t)) {
			for _, c := range neighbours(townID(t)) {
				for _, b := range neighbours(townID(t)) {
					if goal == noTown && a != c && !joined(a, c) && joined(a, b) && joined(b, c) {
						near, goal = []townID{a, c, b}, townID(t)
					}
				}
			}
		}
	}
	return near, goal
}

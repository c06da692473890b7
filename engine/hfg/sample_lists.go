package hfg

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
)

// What the enemy may have in a game whose armies are made of lists. A view names those of his elements alone that it has seen. They are taken
// to be of an army of the book: of the list that the pair gives him, or where lists may be one's own, of one of those of the year, as chance
// has it. Whoever is in no such army has the place of another of his kind.

// A levy is the enemy's army as it may be.
type levy struct {
	commands []commandDef
	roster   []elementDef
	seen     []bool // of the roster: the view names it
}

// levied makes up the enemy's army of a view.
func (v *View) levied(chance *rand.Rand) *levy {
	foe := v.of.enemy()
	l, list := &levy{}, v.listOf(foe, chance)
	l.commands, l.roster = list.army.called(v.sides[foe-1].id, foe, 0, list.aggression)
	l.seen = make([]bool, len(l.roster))
	var named, strangers []elementDef
	for _, d := range v.roster {
		if d.side == foe && d.id != "?" {
			named = append(named, d)
		}
	}
	slices.SortFunc(named, func(a, b elementDef) int { return strings.Compare(a.id, b.id) })
	for _, d := range named {
		if d.troop == spGarrison {
			d.holds, _ = v.areaNamed(strings.TrimSuffix(d.id, "-garrison"))
		}
		switch i := slices.IndexFunc(l.roster, func(x elementDef) bool { return x.id == d.id }); {
		case i < 0:
			strangers = append(strangers, d)
		case l.roster[i].troop == d.troop:
			l.seen[i] = true
		default: // the name is taken by another
			l.roster[i].id += "-other"
			strangers = append(strangers, d)
		}
	}
	for _, d := range strangers {
		l.takes(d, chance)
	}
	return l
}

// listOf is the list on which the army of a side stands, as far as the other can know.
func (v *View) listOf(of side, chance *rand.Rand) *bookList {
	b := book()
	if v.ownLists == 0 {
		return &b.lists[b.pairs[v.options.pair].lists[of-1]]
	}
	var all []*bookList
	for i := range b.lists {
		if b.lists[i].year == v.year {
			all = append(all, &b.lists[i])
		}
	}
	return all[chance.IntN(len(all))]
}

// takes brings one whom the view names into the army: in the place of one of his type, else of his class, who hasn't been seen; a general
// leads a command whose own hasn't been, or a new one. Others are added to a command that chance has.
func (l *levy) takes(d elementDef, chance *rand.Rand) {
	d.grades = nil
	leads := troops[d.troop].class == staff
	free := func(fits func(x *elementDef) bool) int {
		for i := range l.roster {
			if x := &l.roster[i]; !l.seen[i] && l.leads(x) == leads && fits(x) {
				return i
			}
		}
		return -1
	}
	i := -1
	if d.troop != spGarrison {
		i = free(func(x *elementDef) bool { return x.troop == d.troop })
		if i < 0 {
			i = free(func(x *elementDef) bool { return leads || troops[x.troop].class == troops[d.troop].class })
		}
	}
	switch {
	case i >= 0:
		d.command = l.roster[i].command
		l.roster[i], l.seen[i] = d, true
		return
	case leads:
		l.commands = append(l.commands, commandDef{id: d.id + "-command", side: d.side, rank: subordinate})
		d.command = commandID(len(l.commands))
	default:
		d.command = commandID(chance.IntN(len(l.commands)) + 1)
	}
	l.roster, l.seen = append(l.roster, d), append(l.seen, true)
}

// leads says whether an element of the army leads a command.
func (*levy) leads(x *elementDef) bool { return troops[x.troop].class == staff || x.is(flagship) }

// mustered is the view's game with such an army of the enemy, none of whom stands on the field but those whom the view sees. It is read from
// what the view writes, and so from nothing else.
func (v *View) mustered(chance *rand.Rand) (*game, error) {
	text, err := v.Marshal()
	if err != nil {
		return nil, err
	}
	root, faults := orders.ParseNode(text)
	if len(faults) > 0 {
		return nil, faults
	}
	s := *v.setting
	s.commands, s.roster = nil, nil
	l, foe := v.levied(chance), v.of.enemy()
	calls := make([]commandID, len(v.commands)+1) // the own commands, as they are numbered now
	enlists := func() {
		first := commandID(len(s.commands))
		s.commands = append(s.commands, l.commands...)
		for _, d := range l.roster {
			d.command += first
			s.roster = append(s.roster, d)
		}
	}
	if foe == first {
		enlists()
	}
	for i := range v.commands {
		if v.commands[i].side == v.of {
			s.commands = append(s.commands, v.commands[i])
			calls[i+1] = commandID(len(s.commands))
		}
	}
	for i := range v.roster {
		if d := v.roster[i]; d.side == v.of {
			d.command = calls[d.command]
			s.roster = append(s.roster, d)
		}
	}
	if foe == second {
		enlists()
	}
	s.complete()
	g := &game{scenario: v.scenario, setting: &s, options: v.options}
	r := orders.NewReader(nil)
	s.codec().Read(r, root, g, append(slices.Clone(otherKeys), "side")...)
	if len(r.Problems) > 0 {
		return nil, fmt.Errorf("make up a position: no army of the book fits the view: %w", r.Problems)
	}
	g.Elements, g.Commands = play.Resized(g.Elements, len(g.roster)+1), play.Resized(g.Commands, len(g.commands)+1)
	return g, nil
}

// draws says of the enemy's commands of which none has been seen which come later: those who may, as chance has it, and by the road by which
// his troops come on (HFG-6.13).
func (g *game) draws(foe side, chance *rand.Rand) {
	way := (&prologue{&battlefield{game: g}}).wayIn(foe)
	s := *g.setting
	s.commands = slices.Clone(s.commands)
	for i := range s.commands {
		d := &s.commands[i]
		if d.side != foe || d.rank != ally && (d.rank != subordinate || g.year < delayedSince) || way == nil || chance.IntN(2) == 0 {
			continue
		}
		met := slices.ContainsFunc(d.elements, func(e elementID) bool {
			return g.on(e) || g.Elements[e].Fate != present || slices.ContainsFunc(g.Seen[foe.enemy()], func(x sighting) bool { return x.Element == e })
		})
		if !met {
			d.arrival = way
		}
	}
	s.complete()
	g.setting = &s
}

// lurks puts an enemy who was never seen where chance has it on his half of the field, if nobody sees him there.
func (g *game) lurks(e elementID, from side, chance *rand.Rand) {
	foe := g.def(e).side
	for range lurkingPlaces {
		at := place{X: chance.Int64N(g.size.X), Y: chance.Int64N(g.size.Y / 2)}
		if g.base(foe) == north {
			at.Y = g.size.Y - at.Y
		}
		if g.standsUnseen(e, element{At: place(wholePaces(point(at))), Facing: g.toEnemy(foe)}, from) {
			return
		}
	}
}

// lurkingPlaces is how many places are tried for an enemy who was never seen.
const lurkingPlaces = 3

package campaign

import (
	"embed"
	"slices"
	"strconv"
	"sync"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Node is the number of a place on the map: a village, a crossroads, a defile.
type Node int8

// A Stage is the number of a road between two nodes, 12 kilometres long (HFG-20.1).
type Stage int8

// A Map is the country over which the armies march. It never changes.
type Map struct {
	ID     string     `pos:"map,required,name"`
	Title  play.Title `pos:"title"`
	Nodes  []NodeDef  `pos:"nodes,required,items=2,most=60,ids=node"`
	Stages []StageDef `pos:"stages,required,items=1,most=120"`
	// Bases are where the forces of each side begin, and to which they may always withdraw.
	Bases []Node `pos:"bases,required,items=2,most=2"`
}

// A NodeDef is a place with where it stands on the picture of the map, in kilometres from the
// west and from the south.
type NodeDef struct {
	ID   string `pos:"id,required,name"`
	Name string `pos:"name,required,name"`
	X    int    `pos:"x,required,max=999"`
	Y    int    `pos:"y,required,max=999"`
}

// A StageDef is a road from one node to another.
type StageDef struct {
	From  Node   `pos:"from,required"`
	To    Node   `pos:"to,required"`
	Bad   bool   `pos:"bad"`        // it is muddy after rain (HFG-20.5)
	River string `pos:"river,name"` // a big river lies across it, by this name; there is a bridge at the start
}

// PosNames implements [play.PosNamer].
func (d *NodeDef) PosNames() []string { return []string{d.ID} }

// ReadMap reads a map, strictly: every fault is told with its place.
func ReadMap(data []byte) (*Map, orders.Problems) {
	m := &Map{}
	faults := play.ReadScenario(data, func(l play.Loader, root *orders.Node) {
		if !l.Of(root, "hfg") {
			return
		}
		c := play.NewScenarioCodec()
		c.Things(Node(0), play.Things{Kind: "node", First: 1})
		c.Read(l.Reader, root, m, "ruleset")
		if len(l.Problems) > 0 {
			return
		}
		m.judge(l, root)
	})
	if len(faults) > 0 {
		return nil, faults
	}
	return m, nil
}

// judge refuses what is no map: a road from a node to itself, two between the same nodes, a node
// that no road leads to, and two bases that are one.
func (m *Map) judge(l play.Loader, root *orders.Node) {
	say := func(n *orders.Node, code string, args ...phrase.Arg) {
		l.Refuse(n, "HFG-20.1", phrase.Say(code, args...))
	}
	for i, s := range m.Stages {
		n := play.At(root, "stages", strconv.Itoa(i))
		if s.From == s.To {
			say(n, "hfg.map-loop")
		}
		if other, _ := m.Between(s.From, s.To); int(other) != i+1 {
			say(n, "hfg.map-twice")
		}
	}
	seen := m.reach(1)
	for i := range m.Nodes {
		if !seen[i+1] {
			say(play.At(root, "nodes", strconv.Itoa(i)), "hfg.map-apart", phrase.Literal("node", m.Nodes[i].ID))
		}
	}
	if m.Bases[0] == m.Bases[1] {
		say(play.At(root, "bases", "1"), "hfg.map-bases")
	}
}

// reach marks all nodes to which roads lead from one.
func (m *Map) reach(from Node) []bool {
	seen := make([]bool, len(m.Nodes)+1)
	seen[from] = true
	for todo := []Node{from}; len(todo) > 0; todo = todo[1:] {
		for _, n := range m.Beside(todo[0]) {
			if !seen[n] {
				seen[n] = true
				todo = append(todo, n)
			}
		}
	}
	return seen
}

// Between gives the road between two nodes; false if there is none.
func (m *Map) Between(a, b Node) (Stage, bool) {
	i := slices.IndexFunc(m.Stages, func(s StageDef) bool { return s.From == a && s.To == b || s.From == b && s.To == a })
	return Stage(i + 1), i >= 0
}

// Beside lists the nodes one stage away from a node, in the order of the map's roads.
func (m *Map) Beside(n Node) []Node {
	var all []Node
	for _, s := range m.Stages {
		switch n {
		case s.From:
			all = append(all, s.To)
		case s.To:
			all = append(all, s.From)
		}
	}
	return all
}

// Node finds a node by its id or its name, without regard to capitals and accents.
func (m *Map) Node(text string) (Node, bool) {
	i := slices.IndexFunc(m.Nodes, func(d NodeDef) bool {
		return orders.Fold(d.ID) == orders.Fold(text) || orders.Fold(d.Name) == orders.Fold(text)
	})
	return Node(i + 1), i >= 0
}

// Def is what the map says of a node.
func (m *Map) Def(n Node) *NodeDef { return &m.Nodes[n-1] }

// Stage is what the map says of a road.
func (m *Map) Stage(s Stage) *StageDef { return &m.Stages[s-1] }

// Distance is how many stages two nodes are apart by the shortest way; -1 if there is none.
func (m *Map) Distance(a, b Node) int {
	far := make([]int, len(m.Nodes)+1)
	far[a] = 1
	for todo := []Node{a}; len(todo) > 0; todo = todo[1:] {
		for _, n := range m.Beside(todo[0]) {
			if far[n] == 0 {
				far[n] = far[todo[0]] + 1
				todo = append(todo, n)
			}
		}
	}
	return far[b] - 1
}

//go:embed scenarios/*.yaml
var files embed.FS

// TwoValleys is the built-in map.
var TwoValleys = sync.OnceValue(func() *Map {
	data, err := files.ReadFile("scenarios/two-valleys.yaml")
	if err != nil {
		panic("campaign: " + err.Error())
	}
	m, faults := ReadMap(data)
	if len(faults) > 0 {
		panic("campaign: " + faults.Error())
	}
	return m
})

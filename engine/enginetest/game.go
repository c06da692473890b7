package enginetest

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Game is a position of lots.
type Game struct {
	Round, Rounds int
	Players       []Player    `pos:"sides"`
	Discard       engine.Side // who must discard; "": all bid
	Over          bool
}

// A Player is what there is of a side.
type Player struct {
	Side  engine.Side
	Units []Unit
	Won   int    // rounds
	Coins int    // that it has left
	Bid   string // last unit bid
	Laid  int    // coins laid with it
}

// A Unit is one that can be bid.
type Unit struct {
	ID       string `pos:"id"`
	Strength int
}

// codec writes positions and views: all fields of the types above.
var codec = play.NewCodec()

// Marshal implements [engine.Position].
func (g *Game) Marshal() ([]byte, error) { return []byte(codec.Write(g).Encode()), nil }

// Load implements [engine.Ruleset]. What no game can be without is refused at its
// place; [Game.Check] finds the rest.
func (Lots) Load(data []byte) (engine.Position, error) {
	return play.ReadPosition(data, func(r *orders.Reader, root *orders.Node) engine.Position {
		g := &Game{}
		codec.Read(r, root, g)
		if len(r.Problems) > 0 {
			return nil
		}
		for i, p := range g.Players {
			if p.Side == "" || slices.Contains(g.Sides()[:i], p.Side) {
				r.Refuse(root.Get("sides").Items[i], "", phrase.Say("lots.no-such-side"))
			}
		}
		if len(g.Players) == 0 {
			r.Refuse(root, "LOT-1.1", phrase.Say("lots.two-sides"))
		}
		return g
	})
}

// Clone implements [engine.Position].
func (g *Game) Clone() engine.Position {
	c := play.Clone(*g)
	return &c
}

// Sides implements [engine.Position].
func (g *Game) Sides() []engine.Side {
	var all []engine.Side
	for _, p := range g.Players {
		all = append(all, p.Side)
	}
	return all
}

// player finds a side; nil if it is not at the table.
func (g *Game) player(side engine.Side) *Player {
	i := slices.IndexFunc(g.Players, func(p Player) bool { return p.Side == side })
	if i < 0 {
		return nil
	}
	return &g.Players[i]
}

// Owed implements [engine.Position].
func (g *Game) Owed() []engine.Decision {
	var all []engine.Decision
	for _, side := range g.Sides() {
		switch {
		case g.Over:
		case g.Discard == side:
			all = append(all, engine.Decision{Side: side, Kind: Discard})
		case g.Discard == "":
			all = append(all, engine.Decision{Side: side, Kind: Bid})
		}
	}
	return all
}

// TurnNumber implements [engine.Turned]: a round is a turn.
func (g *Game) TurnNumber() int { return g.Round }

// LastTurn implements [engine.Ending].
func (g *Game) LastTurn() int { return g.Rounds }

// Alternates implements [engine.Alternating]: what is filed ahead waits to the end of the
// next round.
func (g *Game) Alternates() bool { return true }

// Asked implements [engine.Announcer]: all bid at once, and know it.
func (g *Game) Asked(by engine.Side) []engine.Side {
	if g.Over || g.Discard != "" {
		return nil
	}
	return play.Others(g.Sides(), by)
}

// Outcome implements [engine.Position].
func (g *Game) Outcome() (engine.Outcome, bool) {
	if !g.Over {
		return engine.Outcome{}, false
	}
	most := 0
	for _, p := range g.Players {
		most = max(most, p.Won)
	}
	o := engine.Outcome{Reason: phrase.Say("lots.most", phrase.Number("n", most)), Clause: "LOT-4.1"}
	for _, p := range g.Players {
		if p.Won == most && most > 0 {
			o.Winners = append(o.Winners, p.Side)
		}
	}
	return o, true
}

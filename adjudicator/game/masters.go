package game

import (
	"slices"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail/mailbox"
	"berthier/orders/phrase"
)

// mostMasters is how many may look after one game.
const mostMasters = 4

// Mastered is that a game has other game masters, or in another order. The first one gets what waits
// for a game master; all of them read what he reads, and each may do what he may, with a key of his own.
type Mastered struct {
	Masters []log.Person // in their order
	By      string       // [log.ByGM], or "office": the rota of a league
}

// MayMaster tells why a game can't have some game masters.
func MayMaster(g *State, masters []log.Person) error {
	if g.Phase == Closed && len(masters) == 0 || len(masters) == 0 || len(masters) > mostMasters {
		return Refuse("office.masters.how-many", phrase.Number("most", mostMasters))
	}
	for i, p := range masters {
		if p.Address == "" || p.Bot != "" {
			return Refuse("office.masters.no-address")
		}
		if slices.ContainsFunc(masters[:i], func(q log.Person) bool { return mailbox.Same(q.Address, p.Address) }) {
			return Refuse("office.masters.twice", phrase.Literal("address", p.Address))
		}
		if g.Plays(p.Address) && !g.GMPlays && !slices.ContainsFunc(g.MastersOf(), func(q log.Person) bool { return q.Address == p.Address }) {
			return Refuse("office.masters.plays", phrase.Literal("address", p.Address))
		}
	}
	return nil
}

func (m Mastered) happen(t *Turn) error {
	g := t.Game
	masters := slices.Clone(m.Masters)
	for i := range masters {
		masters[i].Address = mailbox.Clean(masters[i].Address)
		if masters[i].Zone == "" {
			masters[i].Zone = g.Timing.Zone
		}
	}
	if err := MayMaster(g, masters); err != nil {
		return err
	}
	was := g.MastersOf()
	has := func(all []log.Person, p log.Person) bool {
		return slices.ContainsFunc(all, func(q log.Person) bool { return q.Address == p.Address })
	}
	if masters[0].Address != g.GM.Address { // the key of who was first is worth nothing from now on
		g.Epoch++
		g.Keys = 0
	}
	first := g.GM.Address
	before := *g
	g.GM, g.Also, g.AlsoKeys = masters[0], masters[1:], nil
	if len(g.Also) == 0 {
		g.Also = nil
	}
	for _, p := range g.Also {
		g.AlsoKeys = append(g.AlsoKeys, before.KeyOf(p.Address))
	}
	for _, p := range g.Also {
		if before.Master(p.Address) == nil { // he was none, or the first: what he had as a further one before is worth nothing
			g.newKeyFor(p.Address)
		}
	}
	for _, p := range masters {
		if !has(was, p) {
			t.Joined = append(t.Joined, p.Address)
		}
	}
	if err := t.Log(log.Entry{Kind: log.KindMasters, By: m.By, Data: map[string]any{"masters": len(masters)}, Private: map[string]any{"masters": masters}}); err != nil {
		return err
	}
	subject := phrase.Say("office.masters.subject")
	for i, p := range masters {
		switch fresh := !has(was, p); {
		case i == 0 && p.Address != first:
			t.Tell(engine.GM, p, Notice{Subject: subject, Lines: []phrase.Phrase{phrase.Say("office.masters.first")}, Key: true})
		case i > 0 && (fresh || p.Address == first):
			t.Tell(engine.GM, p, Notice{Subject: subject, Lines: []phrase.Phrase{phrase.Say("office.masters.further")}, Key: true})
		}
	}
	for _, p := range was {
		if has(masters, p) {
			continue
		}
		t.TellWarden(p, subject, phrase.Say("office.masters.left"))
		if !g.takesPart(p.Address) {
			t.Left = append(t.Left, p.Address)
		}
	}
	if g.League == "" { // a league finds another umpire where one is silent about a dispute, of which other players are not to know
		t.TellSeats(subject, phrase.Say("office.masters.players", phrase.Number("n", len(masters))))
	}
	return nil
}

package game

import (
	"slices"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/course"
	"berthier/orders/phrase"
)

// Exchange of players between two seats, as after bidding for sides
// ([engine.Event.Exchange]).
//
// All that a seat's record holds belongs to the player and goes with him: his
// name and address, what he was told, how he counts stops, templates and
// reports, his missed deadlines, lost letters and resignation. What belongs to
// the seat is its side, the number of its key, what it owes, and the policies that
// are to be in force again. Both keys are renewed: a key that was given for one seat must not give orders for the other.

// Exchange lets the players of two seats change places.
func Exchange(t *Turn, sides []engine.Side) error {
	all := t.Game.Seats
	if err := course.MayExchange(sides, t.Position.Sides()); err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(s *Seat) bool { return s.Side == sides[0] })
	j := slices.IndexFunc(all, func(s *Seat) bool { return s.Side == sides[1] })
	for _, s := range []*Seat{all[i], all[j]} { // about what they sent from the seats that they had
		if err := TellVerdicts(t, s, true); err != nil {
			return err
		}
	}
	// The records themselves change places: whoever holds one, as to confirm a
	// letter, goes on with the same player.
	all[i], all[j] = all[j], all[i]
	a, b := all[i], all[j]
	a.Book, b.Book = a.BookOf(), b.BookOf()
	a.Side, b.Side = b.Side, a.Side
	a.Owes, b.Owes = b.Owes, a.Owes
	a.Once, b.Once = b.Once, a.Once // the policies are those of the side
	ForgetSoon(t)
	a.Spoken, b.Spoken = nil, nil
	a.Ahead, b.Ahead = nil, nil // it was for the stops of the other seat
	a.Epoch, b.Epoch = b.Epoch+1, a.Epoch+1
	t.Views = map[engine.Side]engine.View{}
	x := log.Exchange{Entry: t.Last.Seq, Sides: [2]engine.Side(sides), Epochs: [2]int{a.Epoch, b.Epoch}, Now: [2]log.Person{a.Person, b.Person}}
	// Letters between players are from persons and for persons, too.
	for _, s := range all {
		for i := range s.From {
			s.From[i].Side = x.Other(s.From[i].Side)
		}
	}
	for i := range t.Game.Held {
		h := &t.Game.Held[i]
		h.From, h.To = x.Other(h.From), othersOf(x, h.To)
	}
	exchangeDelayed(t.Game, x)
	for _, s := range []*Seat{a, b} {
		s.Moved = true
		s.Told = append(s.Told, SayExchanged(s.Side))
	}
	t.Game.Exchanges = append(t.Game.Exchanges, x)
	return nil
}

// exchangeDelayed gives letters that go later to the new seats of their writers and readers. They wait as long as they did: how often
// a player was asked goes with him.
func exchangeDelayed(g *State, x log.Exchange) {
	g.Delayed = slices.Clone(g.Delayed)
	for i := range g.Delayed {
		d := &g.Delayed[i]
		d.From, d.Press.To = x.Other(d.From), othersOf(x, d.Press.To)
	}
}

// othersOf are the seats that the players of some seats have after an exchange.
func othersOf(x log.Exchange, sides []engine.Side) []engine.Side {
	now := slices.Clone(sides)
	for i := range now {
		now[i] = x.Other(now[i])
	}
	return now
}

// SayExchanged tells a player about his new seat.
func SayExchanged(side engine.Side) News {
	return News{Say: phrase.Say("office.exchanged", SideName(side))}
}

// TellEvents gives the events of a stop to the seats, and lets players change
// places where an event says so. It must come right after the entry of the log
// that has the events.
func TellEvents(t *Turn, events []engine.Event) error {
	known := len(t.Game.Exchanges)
	for _, event := range events {
		for _, s := range t.Game.Seats {
			if say, ok := event.For(s.Side); ok {
				s.Events++
				s.Told = append(s.Told, News{Clause: event.Clause, Say: say, Number: s.Events})
			}
		}
		if len(event.Exchange) > 0 {
			if err := Exchange(t, event.Exchange); err != nil {
				return err
			}
		}
	}
	var lines []phrase.Phrase
	for _, x := range t.Game.Exchanges[known:] {
		if err := t.Log(log.Entry{Kind: log.KindExchanged, By: "office", Data: x}); err != nil {
			return err
		}
		for i, side := range x.Sides {
			lines = append(lines, phrase.Say("office.exchanged.gm", SideName(side), phrase.Literal("address", x.Now[i].Address)))
		}
	}
	if len(lines) > 0 {
		t.TellGM(phrase.Say("office.exchanged.subject"), lines...)
	}
	return nil
}

// SideAt is the seat that the player who has a seat now had before a log entry.
func (t *Turn) SideAt(s *Seat, entry uint64) engine.Side {
	side := s.Side
	for i := len(t.Game.Exchanges) - 1; i >= 0 && t.Game.Exchanges[i].Entry >= entry; i-- {
		side = t.Game.Exchanges[i].Other(side)
	}
	return side
}

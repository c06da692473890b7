package adjudicator

import (
	"slices"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
)

// Exchange of players between two seats, as after bidding for sides
// ([engine.Event.Exchange]).
//
// All that a seat's record holds belongs to the player and goes with him: his
// name and address, what he was told, how he counts stops, templates and
// reports, his missed deadlines, lost letters and resignation. What belongs to
// the seat is its side, the number of its key, and what it owes. Both keys are
// renewed: a key that was given for one seat must not give orders for the other.

// exchange lets the players of two seats change places.
func (t *turn) exchange(sides []engine.Side) error {
	all := t.game.Seats
	if err := log.MayExchange(sides, t.position.Sides()); err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(s *seat) bool { return s.Side == sides[0] })
	j := slices.IndexFunc(all, func(s *seat) bool { return s.Side == sides[1] })
	for _, s := range []*seat{all[i], all[j]} { // about what they sent from the seats that they had
		if err := t.tellVerdicts(s, true); err != nil {
			return err
		}
	}
	// The records themselves change places: whoever holds one, as to confirm a
	// letter, goes on with the same player.
	all[i], all[j] = all[j], all[i]
	a, b := all[i], all[j]
	a.Book, b.Book = a.book(), b.book()
	a.Side, b.Side = b.Side, a.Side
	a.Owes, b.Owes = b.Owes, a.Owes
	a.Epoch, b.Epoch = b.Epoch+1, a.Epoch+1
	t.views = map[engine.Side]engine.View{}
	x := log.Exchange{Entry: t.last.Seq, Sides: [2]engine.Side(sides), Epochs: [2]int{a.Epoch, b.Epoch}, Now: [2]log.Person{a.Person, b.Person}}
	// Letters between players are from persons and for persons, too.
	for _, s := range all {
		for i := range s.From {
			s.From[i].Side = x.Other(s.From[i].Side)
		}
	}
	for i := range t.game.Held {
		h := &t.game.Held[i]
		h.From, h.To = x.Other(h.From), slices.Clone(h.To)
		for j := range h.To {
			h.To[j] = x.Other(h.To[j])
		}
	}
	for _, s := range []*seat{a, b} {
		s.Moved = true
		s.Told = append(s.Told, sayExchanged(s.Side))
	}
	t.game.Exchanges = append(t.game.Exchanges, x)
	return nil
}

// sayExchanged tells a player about his new seat.
func sayExchanged(side engine.Side) told {
	return told{Say: phrase.Say("office.exchanged", sideName(side))}
}

// tellEvents gives the events of a stop to the seats, and lets players change
// places where an event says so. It must come right after the entry of the log
// that has the events.
func (t *turn) tellEvents(events []engine.Event) error {
	known := len(t.game.Exchanges)
	for _, event := range events {
		for _, s := range t.game.Seats {
			if say, ok := event.For(s.Side); ok {
				s.Events++
				s.Told = append(s.Told, told{Clause: event.Clause, Say: say, Number: s.Events})
			}
		}
		if len(event.Exchange) > 0 {
			if err := t.exchange(event.Exchange); err != nil {
				return err
			}
		}
	}
	var lines []phrase.Phrase
	for _, x := range t.game.Exchanges[known:] {
		if err := t.note(log.Entry{Kind: log.KindExchanged, By: "office", Data: x}); err != nil {
			return err
		}
		for i, side := range x.Sides {
			lines = append(lines, phrase.Say("office.exchanged.gm", sideName(side), phrase.Literal("address", x.Now[i].Address)))
		}
	}
	if len(lines) > 0 {
		t.tellGM(phrase.Say("office.exchanged.subject"), lines...)
	}
	return nil
}

// sideAt is the seat that the player who has a seat now had before a log entry.
func (t *turn) sideAt(s *seat, entry uint64) engine.Side {
	side := s.Side
	for i := len(t.game.Exchanges) - 1; i >= 0 && t.game.Exchanges[i].Entry >= entry; i-- {
		side = t.game.Exchanges[i].Other(side)
	}
	return side
}

// ofSeat calls f for what the player of a seat was told by a stop that was
// resolved, whatever seat he had then. Events are numbered from 1 on.
func (t *turn) ofSeat(s *seat, entry uint64, r *log.Resolved, answered func(log.Given), heard func(told)) {
	side, n := t.sideAt(s, entry), 0
	for _, a := range r.Answers {
		if a.Decision.Side == side {
			answered(a)
		}
	}
	for _, event := range r.Events {
		if say, ok := event.For(side); ok {
			n++
			heard(told{Clause: event.Clause, Say: say, Number: n})
		}
		if len(event.Exchange) != 2 {
			continue
		}
		if now := (&log.Exchange{Sides: [2]engine.Side(event.Exchange)}).Other(side); now != side {
			side = now
			heard(sayExchanged(side))
		}
	}
}

// holder is the seat of the player to whom a letter went: if he has changed
// seats since then, it is the one that he has now. It is nil if the letter was
// the game master's, or to a player who has gone.
func (t *turn) holder(p mailed) *seat {
	side, epoch := p.seat, p.epoch
	for _, x := range t.game.Exchanges {
		for i := range x.Sides {
			if x.Sides[i] == side && x.Epochs[i] == epoch+1 {
				side, epoch = x.Sides[1-i], x.Epochs[1-i]
				break
			}
		}
	}
	s := t.game.seat(side)
	if s == nil || s.Epoch != epoch || s.Person.Address != p.address {
		return nil
	}
	return s
}

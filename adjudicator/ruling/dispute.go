package ruling

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/past"
	"berthier/orders/phrase"
)

// mostDisputes is how many disputes of one player may be open at once.
const mostDisputes = 20

// Disputed finds the event that a player disputes, by its number, as the log keeps it, and
// what he was told of it. The error is a [game.RefusedError] if there is no such event, or if
// he may not dispute it now.
func Disputed(t *game.Turn, kept past.Kept, s *game.Seat, event int, reason string) (log.Disputed, game.News, error) {
	about := log.Disputed{Event: event, Reason: reason}
	stop, told, err := past.Of(t, kept).Event(s, event)
	if err != nil {
		return about, told, err
	}
	open, err := disputedBy(t, s)
	n := phrase.Number("n", event)
	switch {
	case err != nil:
		return about, told, err
	case stop.Seq == 0:
		return about, told, game.Refuse("office.dispute.no-such", n)
	case slices.Contains(open, event):
		return about, told, game.Refuse("office.dispute.already", n)
	case len(open) >= mostDisputes:
		return about, told, game.Refuse("office.dispute.many", phrase.Number("most", mostDisputes))
	}
	about.Resolved, about.Clause = stop.Seq, told.Clause
	return about, told, nil
}

// disputedBy lists the events that a player disputes, whatever seat he had when he did.
func disputedBy(t *game.Turn, s *game.Seat) (events []int, err error) {
	for _, seq := range t.Game.Disputes {
		var about log.Disputed
		e, err := t.Entry(seq, &about)
		if err != nil {
			return nil, err
		}
		if t.SideAt(s, seq) == e.Seat {
			events = append(events, about.Event)
		}
	}
	return events, nil
}

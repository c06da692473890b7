package past

import (
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
)

// Told is what the player of a seat answered and was told when a stop was resolved,
// whatever seat he had at that time.
type Told struct {
	Seq    uint64 // of the entry that resolved it
	Stop   int    // its number, counting all sides'
	Orders string // hash of the answers
	Rolls  []engine.Roll
	Given  []log.Given
	News   []game.News

	alone bool // nobody else had to answer
}

// All is what a report tells about the stop: answers for his side that he did not give himself, and the news.
func (t Told) All() []game.News {
	var all []game.News
	for _, a := range t.Given {
		stop := phrase.Within("stop", SayGiven(a))
		switch a.By {
		case log.ByDefault:
			all = append(all, game.News{Say: phrase.Say("office.defaulted", stop)})
		case log.ByBot:
			all = append(all, game.News{Say: phrase.Say("office.bot-answered", stop)})
		case log.ByAhead:
			all = append(all, game.News{Say: game.SayByAhead(a, t.alone)})
		case log.ByGM:
			all = append(all, game.News{Say: phrase.Say("office.gm-answered", stop)})
		}
	}
	return append(all, t.News...)
}

// SayGiven names the stop that was answered.
func SayGiven(g log.Given) phrase.Phrase {
	return game.SayStop(&game.Owes{Stop: g.SeatStop, Decision: g.Decision})
}

// Told lists what the player of a seat was told by the stops of a branch, from a log entry
// on.
func (h *History) Told(s *game.Seat, branch []log.Checkpoint, from uint64) ([]Told, error) {
	var all []Told
	for _, m := range branch {
		if m.Kind != log.KindResolved || m.Seq < from {
			continue
		}
		var r log.Resolved
		e, err := h.Entry(m.Seq, &r)
		if err != nil {
			return nil, err
		}
		one := h.ofSeat(s, m.Seq, &r)
		one.Stop, one.Orders, one.Rolls = e.Stop, r.Orders, r.Rolls
		number(one.News, m, s.BookOf())
		all = append(all, one)
	}
	return all, nil
}

// ofSeat is what the player of a seat was told by a stop, with its events numbered from 1
// on.
func (h *History) ofSeat(s *game.Seat, entry uint64, r *log.Resolved) Told {
	side, n, told := h.turn.SideAt(s, entry), 0, Told{Seq: entry}
	for _, a := range r.Answers {
		if a.Decision.Side == side {
			told.Given, told.alone = append(told.Given, a), len(r.Answers) == 1
		}
	}
	for _, event := range r.Events {
		if say, ok := event.For(side); ok {
			n++
			told.News = append(told.News, game.News{Clause: event.Clause, Say: say, Number: n})
		}
		if len(event.Exchange) != 2 {
			continue
		}
		if now := (&log.Exchange{Sides: [2]engine.Side(event.Exchange)}).Other(side); now != side {
			side = now
			told.News = append(told.News, game.SayExchanged(side))
		}
	}
	return told
}

// number gives to events, numbered from 1 on, the numbers by which their player knows them:
// the numbers that a ruling gave them, or else numbers that end with the one that is kept.
func number(news []game.News, m log.Checkpoint, book engine.Side) {
	last, known := m.Events[book]
	given, n := m.Numbers[book], 0
	for _, t := range news {
		n = max(n, t.Number)
	}
	for i := range news {
		switch {
		case len(given) == len(news):
			news[i].Number = given[i]
		case !known:
			news[i].Number = 0
		case news[i].Number > 0:
			news[i].Number += last - n
		}
	}
}

// Event finds an event that the player of a seat was told on the way to the present
// position, by its number, and the stop that brought it; nothing if there is none.
func (h *History) Event(s *game.Seat, n int) (Told, game.News, error) {
	branch, err := h.Branch()
	if err != nil {
		return Told{}, game.News{}, err
	}
	told, err := h.Told(s, branch, 0)
	for _, one := range told {
		for _, t := range one.News {
			if t.Number == n && n > 0 {
				return one, t, nil
			}
		}
	}
	return Told{}, game.News{}, err
}

// A Page is what a report showed and told a seat, before it was put into a language: the
// seat's next player may read another.
type Page struct {
	At       time.Time   `json:"at"`
	Side     engine.Side `json:"side,omitempty"` // whose view it is; "": a page of an older program, of which only the pictures tell
	SeatStop int         `json:"seat_stop"`      // number of the last stop that it was asked at
	Head     uint64      `json:"head,omitempty"` // log entry that led to the position shown
	Told     []game.News `json:"told,omitempty"`
	Page     engine.Page `json:"page"`
	Grounds  []string    `json:"grounds,omitempty"` // of the pictures in their order, kept apart; hex
}

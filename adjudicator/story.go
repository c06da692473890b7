package adjudicator

import (
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/orders/phrase"
)

// What happened in a game, as it stands now: undone branches are left out.

// trail lists the milestones that led to the present position, the oldest first,
// without the positions themselves.
func (d *desk) trail() ([]log.Checkpoint, error) { return d.trailTo(d.Game.Head) }

// trailTo lists the milestones that led to one of them.
func (d *desk) trailTo(seq uint64) ([]log.Checkpoint, error) {
	return log.BranchTo(d.Game.ID, seq, d.moment)
}

// moment reads a checkpoint without its position.
func (d *desk) moment(seq uint64) (log.Checkpoint, error) {
	for _, m := range d.Checkpoints { // not yet committed
		if m.Seq == seq {
			m.Snapshot = nil
			return m, nil
		}
	}
	var m log.Checkpoint
	err := d.office.read(func(tx store.Reader) error {
		packed := tx.History(d.Game.ID, seq)
		if packed == nil {
			return fmt.Errorf("read position of %s after entry %d: none is kept", d.Game.ID, seq)
		}
		var err error
		if m, err = log.UnpackHead(packed); err != nil {
			return fmt.Errorf("read position of %s after entry %d: %w", d.Game.ID, seq, err)
		}
		return nil
	})
	return m, err
}

// A chapter is what the player of a seat answered and was told when a stop was
// resolved.
type chapter struct {
	seq    uint64 // of the entry that resolved it
	stop   int    // its number, counting all sides'
	orders string // hash of the answers
	rolls  []engine.Roll
	given  []log.Given
	told   []game.News
}

// all is what a report tells of a chapter.
func (c chapter) all() []game.News {
	var all []game.News
	for _, a := range c.given {
		switch a.By {
		case log.ByDefault:
			all = append(all, game.News{Say: phrase.Say("office.defaulted", phrase.Within("stop", sayGiven(a)))})
		case log.ByBot:
			all = append(all, game.News{Say: phrase.Say("office.bot-answered", phrase.Within("stop", sayGiven(a)))})
		case log.ByGM:
			all = append(all, game.News{Say: phrase.Say("office.gm-answered", phrase.Within("stop", sayGiven(a)))})
		}
	}
	return append(all, c.told...)
}

// chapters lists what the player of a seat was told by the stops of a trail, from a
// log entry on.
func (d *desk) chapters(s *game.Seat, trail []log.Checkpoint, from uint64) ([]chapter, error) {
	var all []chapter
	for _, m := range trail {
		if m.Kind != log.KindResolved || m.Seq < from {
			continue
		}
		var r log.Resolved
		e, err := d.Entry(m.Seq, &r)
		if err != nil {
			return nil, err
		}
		c, n := chapter{seq: m.Seq, stop: e.Stop, orders: r.Orders, rolls: r.Rolls}, 0
		d.OfSeat(s, m.Seq, &r, func(a log.Given) { c.given = append(c.given, a) }, func(t game.News) {
			n = max(n, t.Number)
			c.told = append(c.told, t)
		})
		last, known := m.Events[s.BookOf()]
		numbers := m.Numbers[s.BookOf()]
		for i := range c.told {
			switch {
			case len(numbers) == len(c.told):
				c.told[i].Number = numbers[i]
			case !known:
				c.told[i].Number = 0
			case c.told[i].Number > 0:
				c.told[i].Number += last - n
			}
		}
		all = append(all, c)
	}
	return all, nil
}

// sayTold is something told, with its number if it is an event.
func sayTold(t game.News) phrase.Phrase {
	if t.Number == 0 {
		return t.Say
	}
	return phrase.Say("office.event", phrase.Number("n", t.Number), phrase.Within("what", t.Say))
}

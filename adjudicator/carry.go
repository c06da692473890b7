package adjudicator

import (
	"encoding/binary"
	"errors"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/past"
	"berthier/engine"
)

// carry does what follows from what has happened so far: letters are written, each of the
// game as it stood then.
func (d *desk) carry() {
	for ; d.carried < len(d.Effects); d.carried++ {
		switch e := d.Effects[d.carried].(type) {
		case game.Told:
			letters, err := d.letters.Tell(e)
			d.unwritten = errors.Join(d.unwritten, err)
			for _, l := range letters {
				d.queue(l)
			}
		case game.Later:
			d.queueLater(e)
		case game.Remark:
			if e.Err == nil {
				d.office.log.Info(e.What, "game", d.Game.ID, "stop", e.Stop)
			} else { // it may tell what is hidden
				d.office.log.Error(e.What, "game", d.Game.ID, "stop", e.Stop, "see", "berthier game show")
			}
		}
	}
}

// Do lets something happen to the game.
func (d *desk) Do(in game.Input) error {
	if d.office.step != nil {
		return d.office.step(d.Turn, in)
	}
	return d.Turn.Do(in)
}

// reference is the letter, as what happens by it refers to it.
func (it *arrival) reference() game.Reference {
	return game.Reference{Digest: log.HexOf(it.Mail.Digest), MessageID: it.Mail.MessageID, References: it.Mail.References}
}

// desk is where a change of a game is prepared.
func (o *Office) desk(t *game.Table, now time.Time) *desk {
	return o.deskOf(&game.Turn{Table: t, Around: game.Around{
		Now: now, ReadUpTo: o.watch.until(now), Grace: o.opt.Grace, Masters: o.opt.GMs, Draw: o.draw, Past: kept{o, t.Game.ID}, Digest: o.digest(t.Game.System),
		OldBot: func(side engine.Side, stop int) [32]byte {
			return [32]byte(o.keys.Derive("bot", t.Game.ID, string(side), string(binary.BigEndian.AppendUint64(nil, uint64(stop)))))
		},
	}})
}

// deskOf is a desk at which a turn is worked on.
func (o *Office) deskOf(t *game.Turn) *desk {
	k := kept{o, t.Game.ID}
	p := past.Of(t, k)
	return &desk{Turn: t, office: o, kept: k, past: p, letters: o.house.Of(t, p)}
}

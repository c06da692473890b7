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

// carry does what follows from what has happened so far: it writes letters, each about the
// game as it stood then.
func (tr *transaction) carry() {
	for ; tr.carried < len(tr.Effects); tr.carried++ {
		switch e := tr.Effects[tr.carried].(type) {
		case game.Told:
			letters, err := tr.letters.Tell(e)
			tr.unwritten = errors.Join(tr.unwritten, err)
			for _, l := range letters {
				tr.queue(l)
			}
		case game.Later:
			tr.queueLater(e)
		case game.Remark:
			if e.Err == nil {
				tr.office.log.Info(e.What, "game", tr.Game.ID, "stop", e.Stop)
			} else { // it may tell what is hidden
				tr.office.log.Error(e.What, "game", tr.Game.ID, "stop", e.Stop, "see", "berthier game show")
			}
		}
	}
}

// Do lets something happen to the game.
func (tr *transaction) Do(in game.Input) error {
	if tr.office.step != nil {
		return tr.office.step(tr.Turn, in)
	}
	return tr.Turn.Do(in)
}

// reference is how what happens because of the letter refers to the letter.
func (it *arrival) reference() game.Reference {
	return game.Reference{Digest: log.HexOf(it.Mail.Digest), MessageID: it.Mail.MessageID, References: it.Mail.References}
}

// transaction begins a change of a game.
func (o *Office) transaction(t *game.Loaded, now time.Time) *transaction {
	return o.transactionOf(&game.Turn{Loaded: t, Around: game.Around{
		Now: now, ReadUpTo: o.watch.until(now), Grace: o.opt.Grace, Quiet: o.opt.Quiet, Masters: o.opt.GMs, Draw: o.draw, Past: kept{o, t.Game.ID}, Digest: o.digest(t.Game.System),
		OldBot: func(side engine.Side, stop int) [32]byte {
			return [32]byte(o.keys.Derive("bot", t.Game.ID, string(side), string(binary.BigEndian.AppendUint64(nil, uint64(stop)))))
		},
	}})
}

// transactionOf is the transaction of a turn.
func (o *Office) transactionOf(t *game.Turn) *transaction {
	k := kept{o, t.Game.ID}
	p := past.Of(t, k)
	return &transaction{Turn: t, office: o, kept: k, past: p, letters: o.letters.Of(t, p), ended: t.Game.Phase != game.Running}
}

package adjudicator

import (
	"context"
	"errors"
	"sync"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
)

// Ills is what is wrong with an office, apart from what its mailbox knows: the log says it
// once, Ills says it as long as it lasts.
type Ills struct {
	Clock error // why deadlines were not kept when it was time to
	Read  error // why the mailbox was read, but that could not be noted
	Post  error // why letters could not be taken from the outbox, or noted as sent
	Write error // why the last write to the database failed
	Swap  error // the database is no longer the file at its path

	Unknown int // letters in the inbox for games that no database here has ever had
	Stopped int // games that stand still since their rules could not go on
	Stuck   int // letters that wait since they could not be sent
	Since   time.Time
	Broken  int // games whose record can't be read
}

// ills are the faults that the loops of [Office.Run] have met.
type ills struct {
	mu                sync.Mutex
	clock, read, post error
	unknown           map[[32]byte]time.Time // letters, by when they were offered last
}

func (l *ills) set(which *error, err error) {
	if errors.Is(err, context.Canceled) {
		return // we stop
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	*which = err
}

// Ills tells what is wrong now.
func (o *Office) Ills() (Ills, error) {
	now := o.now()
	l := &o.ills
	l.mu.Lock()
	i := Ills{Clock: l.clock, Read: l.read, Post: l.post}
	for _, at := range l.unknown {
		if now.Sub(at) < unknownLasts {
			i.Unknown++
		}
	}
	l.mu.Unlock()
	i.Write, i.Swap = o.store.LastWrite(), o.store.Ready()
	err := o.read(func(tx store.Reader) error {
		// A record that can't be read has no tags.
		if err := errors.Join(
			tx.Tagged(game.TagFault, game.TagFault+"!", func(string, string) error { i.Stopped++; return nil }),
			tx.Untagged(func(_ string, record []byte) error {
				switch g, err := game.Read(record); {
				case err != nil:
					i.Broken++
				case g.Phase == game.Running && g.Fault != "":
					i.Stopped++
				}
				return nil
			})); err != nil {
			return err
		}
		var err error
		i.Stuck, i.Since, err = outbox.Stuck(tx, now)
		return err
	})
	return i, err
}

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
	DeadlinesNotKept error // when it was time to
	ReadingNotNoted  error // the mailbox was read, but that could not be written
	OutboxNotSent    error // letters could not be taken from the outbox, or noted as sent
	WriteFailed      error // the last one to the database
	FileSwapped      error // the database is no longer the file at its path

	UnknownGames  int // letters in the inbox for games that no database here has ever had
	StoppedGames  int // games that stand still since their rules could not go on
	StuckLetters  int // letters that wait since they could not be sent
	StuckSince    time.Time
	BrokenRecords int // games whose record can't be read
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

// IllsHere tells what is wrong with this process of an office. It reads nothing.
func IllsHere(o *Office) Ills {
	now := o.now()
	l := &o.ills
	l.mu.Lock()
	defer l.mu.Unlock()
	i := Ills{DeadlinesNotKept: l.clock, ReadingNotNoted: l.read, OutboxNotSent: l.post, WriteFailed: o.store.LastWrite()}
	for _, at := range l.unknown {
		if now.Sub(at) < unknownLasts {
			i.UnknownGames++
		}
	}
	return i
}

// Ills tells what is wrong now.
func (o *Office) Ills() (Ills, error) {
	now := o.now()
	i := IllsHere(o)
	i.FileSwapped = o.store.Ready()
	err := o.read(func(tx store.Reader) error {
		// A record that can't be read has no tags.
		if err := errors.Join(
			tx.Tagged(game.TagFault, game.TagFault+"!", func(string, string) error { i.StoppedGames++; return nil }),
			tx.Untagged(func(_ string, record []byte) error {
				switch g, err := game.Read(record); {
				case err != nil:
					i.BrokenRecords++
				case g.Phase == game.Running && g.Fault != "":
					i.StoppedGames++
				}
				return nil
			})); err != nil {
			return err
		}
		var err error
		i.StuckLetters, i.StuckSince, err = outbox.Stuck(tx, now)
		return err
	})
	return i, err
}

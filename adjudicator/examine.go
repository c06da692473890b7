package adjudicator

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/member"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/shelf"
	"berthier/adjudicator/store"
	"berthier/engine"
)

// An Examined database is one whose records were all read.
type Examined struct {
	Games      int
	Entries    int      // of the logs, whose chains were followed
	Letters    int      // of the outbox
	Away       int      // games of which something was put away
	AwayFaults []string // files on the shelf that are missing or damaged
	Strays     []string // files on the shelf to which nothing in the database leads
	Faults     []string // what can't be read, or does not fit: the first of them; none of what is hidden in a game
	Number     string   // of the database
	Heads      int      // of the file that are sound; see [store.Info]
}

// mostExamined is how many faults are told.
const mostExamined = 20

// An Examinable is a store that can search what it keeps for damage.
type Examinable interface {
	store.Store
	// Check tells what can't be read, or does not fit: an error that is [store.ErrDamaged].
	Check() error
	Number() string
	Heads() int
}

// Examine reads every record of a database and follows the chain of every log. It
// changes nothing. If it is told in which folder what was put away lies, it reads that, too.
func Examine(st Examinable, systems []engine.Ruleset, folder ...string) (*Examined, error) {
	e := &examiner{systems: map[string]engine.Ruleset{}, Examined: Examined{Number: st.Number(), Heads: st.Heads()}}
	for _, s := range systems {
		e.systems[s.About().ID] = s
	}
	if err := st.Check(); err != nil {
		if !errors.Is(err, store.ErrDamaged) {
			return nil, err
		}
		e.fault("%v", err)
	}
	err := st.Read(context.Background(), func(tx store.Reader) error {
		if err := tx.Games(func(id string, record []byte) error {
			e.Games++
			return e.game(tx, id, record)
		}); err != nil {
			return err
		}
		if err := e.tags(tx); err != nil {
			return err
		}
		if err := rollFits(tx); err != nil {
			e.fault("members: %v", err)
		}
		if len(folder) > 0 {
			if err := e.shelf(tx, shelf.New(folder[0]).Of(st.Number())); err != nil {
				return err
			}
		}
		return tx.Letters(func(id uint64, body []byte) error {
			e.Letters++
			if err := outbox.Sound(tx, id, body); err != nil {
				e.fault("letter %d: %v", id, err)
			}
			return nil
		})
	})
	return &e.Examined, err
}

// rollFits follows the log of all members, and tells whether their records are what follows
// from it.
func rollFits(tx store.Reader) error {
	if err := store.Verify(tx, rollLog); err != nil {
		return err
	}
	roll, err := entriesOf(tx, rollLog)
	if err != nil {
		return err
	}
	want, err := member.Replay(roll)
	if err != nil {
		return err
	}
	records := 0
	err = tx.Values(memberPrefix, func(name string, _ []byte) error {
		records++
		id := strings.TrimPrefix(name, memberPrefix)
		m, err := readMember(tx, id)
		if w := want[id]; err == nil && (w == nil || !m.Same(w)) {
			err = fmt.Errorf("the record of %s is not what follows from the roll", id)
		}
		return err
	})
	if err == nil && records != len(want) {
		err = fmt.Errorf("the roll has %d members, and there are the records of %d", len(want), records)
	}
	return err
}

// shelf reads the files on a shelf.
func (e *examiner) shelf(tx store.Reader, s shelf.Shelf) error {
	all, err := Away(tx)
	if err != nil {
		e.fault("%v", err)
		return nil
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		e.Away++
		if err := s.Check(all[id]); errors.Is(err, shelf.ErrUnmarked) { // the same of each file
			e.AwayFaults = []string{err.Error()}
			e.Away = len(all)
			break
		} else if err != nil {
			e.AwayFaults = append(e.AwayFaults, fmt.Sprintf("game %s: %v", id, err))
		}
	}
	e.Strays, err = s.Strays(slices.Collect(maps.Values(all)))
	return err
}

type examiner struct {
	Examined
	systems map[string]engine.Ruleset
}

func (e *examiner) fault(format string, args ...any) {
	if len(e.Faults) < mostExamined {
		e.Faults = append(e.Faults, fmt.Sprintf(format, args...))
	}
}

// tags compares the tags by which games are found with what their records say. A record without tags is read whenever games are looked for,
// and is no fault.
func (e *examiner) tags(tx store.Reader) error {
	want, untagged := map[string]bool{}, map[string]bool{}
	if err := tx.Untagged(func(id string, _ []byte) error { untagged[id] = true; return nil }); err != nil {
		return err
	}
	if err := tx.Games(func(id string, record []byte) error {
		tags, err := tagsIn(record)
		if err != nil || untagged[id] {
			return nil // [examiner.game] has told it
		}
		for _, tag := range tags {
			want[tag+"\x00"+id] = true
		}
		return nil
	}); err != nil {
		return err
	}
	if err := tx.Tagged("", behindAll(""), func(tag, id string) error {
		if !want[tag+"\x00"+id] {
			e.fault("game %s: it is found by %q, which its record does not say", id, tag)
		}
		delete(want, tag+"\x00"+id)
		return nil
	}); err != nil {
		return err
	}
	for _, missing := range slices.Sorted(maps.Keys(want)) {
		tag, id, _ := strings.Cut(missing, "\x00")
		e.fault("game %s: it is not found by %q, which its record says", id, tag)
	}
	return nil
}

// game reads all of one game.
func (e *examiner) game(tx store.Reader, id string, record []byte) error {
	g, err := game.Read(record)
	if err != nil {
		e.fault("game %s: %v", id, err)
		return nil
	}
	if g.ID != id {
		e.fault("game %s: its record is that of %s", id, g.ID)
		return nil
	}
	if rules := e.systems[g.System]; rules == nil {
		e.fault("game %s: the program has no ruleset %q", id, g.System)
	} else if loads(rules, tx.Snapshot(id)) != nil { // the reason may tell what is hidden
		e.fault("game %s: its position can't be read", id)
	}
	heads, standing, positions := 0, false, positionsOf(tx, id)
	err = tx.Entries(id, 0, func(one chain.Entry) error {
		e.Entries++
		kind := e.entry(positions, id, one)
		if one.Seq == g.Head {
			heads++
		}
		standing = standing || one.Seq > g.Head && (kind == log.KindStanding || kind == log.KindTaken)
		return nil
	})
	if err != nil {
		e.fault("game %s: %v", id, err)
	}
	if g.Head > 0 && heads == 0 {
		e.fault("game %s: entry %d, which led to its position, is missing", id, g.Head)
	}
	if packed, err := positions(g.Head); err != nil {
		e.fault("game %s: the position after entry %d can't be read: %v", id, g.Head, err)
	} else if m, err := log.Unpack(packed); err == nil && !standing && !bytes.Equal(m.Snapshot, tx.Snapshot(id)) {
		e.fault("game %s: its position is not the one after entry %d, which led to it", id, g.Head)
	}
	for _, s := range g.Seats {
		if err := pagesOf(tx, id, string(s.BookOf()), 0, func(n uint64, body []byte) error {
			if _, err := unpackPage(body); err != nil {
				e.fault("game %s: report %d of %s can't be read: %v", id, n, s.Side, err)
			}
			return nil
		}); err != nil {
			return err
		}
		if s.Owes != nil && s.Owes.Answer != nil && tx.Answer(id, string(s.Side)) == nil {
			e.fault("game %s: the answer of %s is missing", id, s.Side)
		}
	}
	return nil
}

// entry reads an entry of a log, and the position that was kept after it. It gives
// the entry's kind.
func (e *examiner) entry(positions func(uint64) ([]byte, error), id string, one chain.Entry) (kind string) {
	var data json.RawMessage
	read, err := log.Decode(one.Body, &data)
	if err != nil {
		e.fault("game %s, entry %d: %v", id, one.Seq, err)
		return ""
	}
	packed, err := positions(one.Seq)
	if packed == nil && err == nil {
		return read.Kind
	}
	var m log.Checkpoint
	if err == nil {
		m, err = log.Unpack(packed)
	}
	switch {
	case err != nil:
		e.fault("game %s: the position after entry %d can't be read: %v", id, one.Seq, err)
	case read.Kind == log.KindResolved:
		var r log.Resolved
		if json.Unmarshal(data, &r) != nil {
			break // the check of its chain says what is wrong
		}
		if sum := sha256.Sum256(m.Snapshot); r.Position != "" && hex.EncodeToString(sum[:]) != r.Position {
			e.fault("game %s: the position after entry %d is not the one that the log tells of", id, one.Seq)
		}
	}
	return read.Kind
}

// loads tells whether a ruleset can read a position.
func loads(rules engine.Ruleset, snapshot []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New(faultText(p))
		}
	}()
	_, err = rules.Load(snapshot)
	return err
}

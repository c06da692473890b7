package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"
	"sync"
	"time"

	"berthier/adjudicator/log/chain"
)

// ErrNotEmpty: an office can only move into a store in which nothing is.
var ErrNotEmpty = errors.New("something is in the database already")

// Everything reads all that a store keeps, kind by kind, in an order that is the same for every
// store. The bytes are good only during a call.
type Everything interface {
	Reader
	// Logs calls f for every id under which something is kept as of a game, in their order: games, and
	// what is no game and has a log.
	Logs(f func(id string) error) error
	// Positions calls f for the positions that a game had, by the numbers of their entries.
	Positions(game string, f func(seq uint64, position []byte) error) error
	// Answers calls f for the pending answers of a game, by their names.
	Answers(game string, f func(name string, answer []byte) error) error
	// AllPages calls f for what the seats of a game saw, by seat and number.
	AllPages(game string, f func(seat string, n uint64, page []byte) error) error
	// TagsOf gives the tags of a game, in their order, and whether its record was committed with tags.
	TagsOf(game string) (tags []string, tagged bool)
	// Addresses calls f for each address and each game in which it takes part.
	Addresses(f func(address, game string) error) error
	// Wakes calls f for the moments at which games want to be looked at, by game.
	Wakes(f func(game string, at time.Time) error) error
	// Blobs calls f for what letters share, by digest.
	Blobs(f func(digest [sha256.Size]byte, data []byte) error) error
	// Names calls f for the SHA-256 of each name of a letter, with what came under it.
	Names(f func(key, content [sha256.Size]byte) error) error
	// Reserved gives the last number of a letter that was given out.
	Reserved() uint64
}

// Moved tells what a move has brought over.
type Moved struct {
	Games, Entries, Letters int
	Digest                  string // of everything; the same in both stores
}

// mostMoved is about how many bytes are committed together.
const mostMoved = 1 << 20

// Move copies everything from one store into another one that is empty, as of one moment, and reads
// both to the end afterwards: everything is the same, and the chain of each log holds. Claims on letters
// are not moved: nobody may be sending. If it breaks off, the other store is of no use: it holds a
// part. Values of the names in except stay where they are.
func Move(ctx context.Context, from, to Store, except ...string) (m Moved, err error) {
	if err := everything(ctx, to, func(r Everything) error {
		if sum, err := digest(r, &Moved{}, nil); err != nil || sum != nothing {
			return errors.Join(ErrNotEmpty, err)
		}
		return nil
	}); err != nil {
		return m, fmt.Errorf("move: %w", err)
	}
	err = everything(ctx, from, func(r Everything) error {
		c := &carrier{ctx: ctx, from: r, to: to, except: except}
		if err := c.carry(); err != nil {
			return err
		}
		m.Digest, err = digest(r, &m, except)
		return err
	})
	if err != nil {
		return m, fmt.Errorf("move: %w", err)
	}
	err = everything(ctx, to, func(r Everything) error {
		sum, err := digest(r, &Moved{}, nil)
		if err == nil && sum != m.Digest {
			err = fmt.Errorf("%w: what was written is not what was read", ErrDamaged)
		}
		return err
	})
	if err != nil {
		return m, fmt.Errorf("move: %w", err)
	}
	return m, nil
}

// CheckAll reads everything and follows the chain of every log. What does not fit is an error that is
// [ErrDamaged].
func CheckAll(r Everything) error {
	_, err := digest(r, &Moved{}, nil)
	return err
}

// everything reads a store that can be read in full.
func everything(ctx context.Context, s Store, f func(Everything) error) error {
	return s.Read(ctx, func(r Reader) error {
		all, ok := r.(Everything)
		if !ok {
			return errors.New("the store can't be read in full")
		}
		return f(all)
	})
}

// A carrier brings everything over, in changes of about [mostMoved] bytes.
type carrier struct {
	ctx  context.Context
	from Everything
	to   Store
	// except are the names of values that are not brought over.
	except []string

	c    Change
	held int // bytes in it
	last chain.Link
	was  Version
}

// carry commits everything, game by game, and then what is of no game.
func (c *carrier) carry() error {
	// The same numbers are never given out again: a letter's number makes its Message-ID.
	if _, err := c.to.Reserve(c.ctx, int(c.from.Reserved())); err != nil {
		return err
	}
	if err := c.to.Commit(c.ctx, Change{Reserved: c.from.Reserved()}); err != nil {
		return err
	}
	addresses := map[string][]string{}
	if err := c.from.Addresses(func(address, game string) error {
		addresses[game] = append(addresses[game], address)
		return nil
	}); err != nil {
		return err
	}
	if err := c.from.Logs(func(id string) error { return c.game(id, addresses[id]) }); err != nil {
		return err
	}
	c.begin("")
	if err := c.shared(); err != nil {
		return err
	}
	return c.flush()
}

// begin begins changes of a game; "": of none.
func (c *carrier) begin(game string) {
	c.c, c.held, c.last, c.was = Change{Game: game}, 0, chain.Link{}, Version{}
}

// hold flushes if there is enough in the change.
func (c *carrier) hold(n int) error {
	if c.held += n + 64; c.held < mostMoved {
		return nil
	}
	return c.flush()
}

// flush commits what is held, and goes on with the same game.
func (c *carrier) flush() error {
	c.c.After, c.c.Was = c.last, c.was
	if err := c.to.Commit(c.ctx, c.c); err != nil {
		return err
	}
	if n := len(c.c.Entries); n > 0 {
		c.last = c.c.Entries[n-1].Link
	}
	if c.c.Record != nil {
		c.was = VersionOf(c.c.Record)
	}
	c.c, c.held = Change{Game: c.c.Game}, 0
	return nil
}

// game brings over what is kept of a game.
func (c *carrier) game(id string, addresses []string) error {
	c.begin(id)
	c.c.Join = addresses
	// A record that is empty is not the same as none.
	if record := c.from.Game(id); record != nil {
		c.c.Record = append([]byte{}, record...)
		if tags, tagged := c.from.TagsOf(id); tagged {
			c.c.Tags = append([]string{}, tags...)
		}
	}
	if snapshot := c.from.Snapshot(id); snapshot != nil {
		c.c.Snapshot = append([]byte{}, snapshot...)
	}
	if err := c.hold(len(c.c.Record) + len(c.c.Snapshot)); err != nil {
		return err
	}
	if err := c.from.Entries(id, 0, func(e chain.Entry) error {
		c.c.Entries = append(c.c.Entries, e)
		return c.hold(len(e.Body) + len(e.Private))
	}); err != nil {
		return err
	}
	if err := c.from.Positions(id, func(seq uint64, position []byte) error {
		c.c.History = append(c.c.History, Position{Seq: seq, Data: bytes.Clone(position)})
		return c.hold(len(position))
	}); err != nil {
		return err
	}
	if err := c.from.Answers(id, func(name string, answer []byte) error {
		if c.c.Answers == nil {
			c.c.Answers = map[string][]byte{}
		}
		c.c.Answers[name] = append([]byte{}, answer...)
		return c.hold(len(answer))
	}); err != nil {
		return err
	}
	if err := c.from.AllPages(id, func(seat string, n uint64, page []byte) error {
		c.c.Pages = append(c.c.Pages, Page{Seat: seat, N: n, Data: bytes.Clone(page)})
		return c.hold(len(page))
	}); err != nil {
		return err
	}
	return c.flush()
}

// shared brings over what is of no game.
func (c *carrier) shared() error {
	if err := c.from.Wakes(func(game string, at time.Time) error {
		if c.c.Wake == nil {
			c.c.Wake = map[string]time.Time{}
		}
		c.c.Wake[game] = at
		return c.hold(len(game))
	}); err != nil {
		return err
	}
	if err := c.from.Blobs(func(digest [sha256.Size]byte, data []byte) error {
		c.c.Blobs = append(c.c.Blobs, Blob{Digest: digest, Data: bytes.Clone(data)})
		return c.hold(len(data))
	}); err != nil {
		return err
	}
	if err := c.from.Letters(func(id uint64, _ []byte) error {
		o, _ := c.from.Outgoing(id)
		c.c.Outgoing = append(c.c.Outgoing, o)
		return c.hold(len(o.Body))
	}); err != nil {
		return err
	}
	if err := c.from.Values("", func(name string, data []byte) error {
		if slices.Contains(c.except, name) {
			return nil
		}
		c.c.PutValue(name, Value{Data: append([]byte{}, data...)})
		return c.hold(len(name) + len(data))
	}); err != nil {
		return err
	}
	if err := c.from.Names(func(key, content [sha256.Size]byte) error {
		if c.c.Mark == nil {
			c.c.Mark = &Mark{}
		}
		c.c.Mark.Names = append(c.c.Mark.Names, Name{Key: key, Content: content})
		return c.hold(len(key) + len(content))
	}); err != nil {
		return err
	}
	if err := c.flush(); err != nil {
		return err
	}
	return c.marks()
}

// marksTogether is how many letters that were taken in are marked at the same time: a change
// marks one, and stores commit together what comes together.
const marksTogether = 24

// marks brings over which letters were taken in.
func (c *carrier) marks() error {
	marks, failed := make(chan Mark), make(chan error, marksTogether)
	var wg sync.WaitGroup
	for range marksTogether {
		wg.Go(func() {
			var first error
			for m := range marks {
				if first == nil {
					first = c.to.Commit(c.ctx, Change{Mark: &m})
				}
			}
			failed <- first
		})
	}
	err := c.from.Marks(func(digest [sha256.Size]byte, result []byte) error {
		marks <- Mark{Digest: digest, Result: bytes.Clone(result)}
		return c.ctx.Err()
	})
	close(marks)
	wg.Wait()
	for range marksTogether {
		err = errors.Join(err, <-failed)
	}
	return err
}

// nothing is the digest of a store in which nothing is.
var nothing = hex.EncodeToString(sha256.New().Sum(nil))

// A summer makes a digest of everything: each piece is written with its length, so that no two
// stores that differ give the same bytes.
type summer struct{ hash.Hash }

func (s summer) pieces(kind byte, pieces ...[]byte) error {
	s.Write([]byte{kind})
	for _, p := range pieces {
		s.Write(binary.BigEndian.AppendUint64(nil, uint64(len(p))))
		s.Write(p)
	}
	return nil
}

func eight(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// digest reads everything, follows the chain of each log, and gives the digest of it, but for some values.
func digest(r Everything, m *Moved, except []string) (string, error) {
	s := summer{sha256.New()}
	err := r.Logs(func(id string) error { return s.game(r, id, m) })
	steps := []func() error{
		func() error {
			return r.Addresses(func(address, game string) error { return s.pieces('a', []byte(address), []byte(game)) })
		},
		func() error {
			return r.Wakes(func(game string, at time.Time) error {
				return s.pieces('w', []byte(game), eight(uint64(at.UnixNano())))
			})
		},
		func() error {
			return r.Blobs(func(d [sha256.Size]byte, data []byte) error { return s.pieces('b', d[:], data) })
		},
		func() error {
			return r.Letters(func(id uint64, _ []byte) error {
				m.Letters++
				o, _ := r.Outgoing(id)
				v := o.Version()
				return s.pieces('o', eight(id), v[:])
			})
		},
		func() error {
			return r.Values("", func(name string, data []byte) error {
				if slices.Contains(except, name) {
					return nil
				}
				return s.pieces('v', []byte(name), data)
			})
		},
		func() error {
			return r.Names(func(key, content [sha256.Size]byte) error { return s.pieces('n', key[:], content[:]) })
		},
		func() error {
			return r.Marks(func(d [sha256.Size]byte, result []byte) error { return s.pieces('m', d[:], result) })
		},
	}
	for _, step := range steps {
		if err == nil {
			err = step()
		}
	}
	if n := r.Reserved(); n > 0 {
		s.pieces('r', eight(n))
	}
	return hex.EncodeToString(s.Sum(nil)), err
}

// game adds what is kept of a game; nothing is added if that is nothing.
func (s summer) game(r Everything, id string, m *Moved) error {
	of := summer{sha256.New()}
	if err := of.within(r, id, m); err != nil {
		return err
	}
	if sum := of.Sum(nil); hex.EncodeToString(sum) != nothing {
		return s.pieces('i', []byte(id), sum)
	}
	return nil
}

func (s summer) within(r Everything, id string, m *Moved) error {
	if record := r.Game(id); record != nil {
		m.Games++
		s.pieces('g', record)
		if tags, tagged := r.TagsOf(id); tagged {
			s.pieces('f', []byte(strings.Join(tags, "\x00")))
		}
	}
	if err := Verify(r, id); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if snapshot := r.Snapshot(id); snapshot != nil {
		s.pieces('t', snapshot)
	}
	if err := r.Entries(id, 0, func(e chain.Entry) error {
		m.Entries++
		return s.pieces('e', eight(e.Seq), e.Hash[:], e.Salt[:], e.Body, e.Private, e.Was)
	}); err != nil {
		return err
	}
	if err := r.Positions(id, func(seq uint64, position []byte) error { return s.pieces('p', eight(seq), position) }); err != nil {
		return err
	}
	if err := r.Answers(id, func(name string, answer []byte) error { return s.pieces('q', []byte(name), answer) }); err != nil {
		return err
	}
	return r.AllPages(id, func(seat string, n uint64, page []byte) error { return s.pieces('s', []byte(seat), eight(n), page) })
}

package postgres

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"berthier/adjudicator/packed"
	"berthier/adjudicator/store"
)

// The methods by which everything is read, when an office moves.
var _ store.Everything = reader{}

// Logs implements [store.Everything].
func (r reader) Logs(f func(id string) error) error {
	return walk(func(behind *string) []string {
		after := ""
		if behind != nil {
			after = *behind
		}
		return all(r, pgx.RowTo[string], `select id from games where id > $1 order by id limit $2`, after, perPage)
	}, f)
}

// Positions implements [store.Everything].
func (r reader) Positions(game string, f func(seq uint64, position []byte) error) error {
	return walk(func(behind *pair[int64]) []pair[int64] {
		after := int64(-1)
		if behind != nil {
			after = behind.key
		}
		return all(r, pairOf[int64], `select seq, position from history where game = $1 and seq > $2 order by seq limit $3`, game, after, perPage)
	}, func(p pair[int64]) error { return f(uint64(p.key), p.value) })
}

// Answers implements [store.Everything].
func (r reader) Answers(game string, f func(name string, answer []byte) error) error {
	for _, p := range all(r, pairOf[[]byte], `select name, answer from answers where game = $1 order by name`, game) {
		if err := f(string(p.key), p.value); err != nil {
			return err
		}
	}
	return nil
}

// AllPages implements [store.Everything].
func (r reader) AllPages(game string, f func(seat string, n uint64, page []byte) error) error {
	for _, seat := range all(r, pgx.RowTo[[]byte], `select distinct seat from pages where game = $1 order by seat`, game) {
		if err := r.Pages(game, string(seat), func(n uint64, page []byte) error { return f(string(seat), n, page) }); err != nil {
			return err
		}
	}
	return nil
}

// TagsOf implements [store.Everything].
func (r reader) TagsOf(game string) (tags []string, tagged bool) {
	r.one([]any{&tagged}, `select not (`+untagged+`) from games where id = $1 and record is not null`, game)
	if tagged {
		tags = all(r, pgx.RowTo[string], `select tag from tags where game = $1 order by tag`, game)
	}
	return tags, tagged
}

// Addresses implements [store.Everything].
func (r reader) Addresses(f func(address, game string) error) error {
	type row struct {
		Address []byte
		Game    string
	}
	return walk(func(behind *row) []row {
		from := row{Address: []byte{}}
		if behind != nil {
			from = *behind
		}
		return all(r, pgx.RowToStructByPos[row], `select address, game from addresses where (address, game) > ($1, $2 collate "C") order by address, game limit $3`, from.Address, from.Game, perPage)
	}, func(got row) error { return f(string(got.Address), got.Game) })
}

// Wakes implements [store.Everything].
func (r reader) Wakes(f func(game string, at time.Time) error) error {
	type row struct {
		Game string
		At   int64
	}
	return walk(func(behind *row) []row {
		after := ""
		if behind != nil {
			after = behind.Game
		}
		return all(r, pgx.RowToStructByPos[row], `select game, at from wake where game > $1 order by game limit $2`, after, perPage)
	}, func(got row) error { return f(got.Game, moment(got.At)) })
}

// Blobs implements [store.Everything].
func (r reader) Blobs(f func(digest [sha256.Size]byte, data []byte) error) error {
	return r.digests(`select digest, data from blobs where digest > $1 order by digest limit $2`, func(digest [sha256.Size]byte, kept []byte) error {
		data := packed.OpenBlob(digest, kept)
		if data == nil {
			return fmt.Errorf("%w: %x, which letters share", store.ErrDamaged, digest)
		}
		return f(digest, data)
	})
}

// Names implements [store.Everything].
func (r reader) Names(f func(key, content [sha256.Size]byte) error) error {
	return r.digests(`select name, content from names where name > $1 order by name limit $2`, func(key [sha256.Size]byte, content []byte) error {
		if len(content) != sha256.Size {
			return fmt.Errorf("%w: the name of a letter", store.ErrDamaged)
		}
		return f(key, [sha256.Size]byte(content))
	})
}

// digests calls f for rows whose keys are digests.
func (r reader) digests(query string, f func(key [sha256.Size]byte, value []byte) error) error {
	return walk(func(behind *pair[[]byte]) []pair[[]byte] {
		after := []byte{}
		if behind != nil {
			after = behind.key
		}
		return all(r, pairOf[[]byte], query, after, perPage)
	}, func(p pair[[]byte]) error {
		if len(p.key) != sha256.Size {
			return fmt.Errorf("%w: a key has %d bytes", store.ErrDamaged, len(p.key))
		}
		return f([sha256.Size]byte(p.key), p.value)
	})
}

// Reserved implements [store.Everything].
func (r reader) Reserved() (last uint64) {
	r.one([]any{(*number)(&last)}, `select last from numbers`)
	return last
}

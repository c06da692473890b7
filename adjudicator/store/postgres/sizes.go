package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"berthier/adjudicator/store"
)

// kinds are what [Store.Sizes] tells apart, in the order of their names: the kind as every store calls it, the table,
// and those of its columns that hold it.
var kinds = []struct {
	kind, table string
	columns     []string
}{
	{"addresses", "addresses", []string{"address", "game"}},
	{"answers", "answers", []string{"game", "name", "answer"}},
	{"blobs", "blobs", []string{"digest", "data"}},
	{"games", "games", []string{"id", "seq", "hash", "record", "tagged"}},
	{"history", "history", []string{"game", "seq", "position"}},
	{"intake", "marks", []string{"digest", "result"}},
	{"log", "log", []string{"game", "seq", "salt", "hash", "body", "private", "was", "word"}},
	{"messageids", "names", []string{"name", "content"}},
	{"meta", "notes", []string{"name", "data"}},
	{"outbox", "outbox", []string{"id", "due", "body", "claimed", "claimer"}},
	{"pages", "pages", []string{"game", "seat", "n", "page"}},
	{"snapshots", "games", []string{"snapshot"}},
	{"tags", "tags", []string{"game", "tag"}},
	{"wake", "wake", []string{"game", "at"}},
}

// Sizes tells how much is kept of each kind, in the order of their names, and how much room the tables take on the
// server's disk with their indexes.
func (s *Store) Sizes() (all []store.Size, disk int64, err error) {
	ctx := context.Background()
	err = s.again(ctx, func(ctx context.Context) error {
		return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
			all, disk = nil, 0
			seen := map[string]bool{}
			for _, k := range kinds {
				var columns []string
				for _, c := range k.columns {
					columns = append(columns, "coalesce(pg_column_size("+c+"), 0)")
				}
				one, room := store.Size{Kind: k.kind}, int64(0)
				if err := tx.QueryRow(ctx, fmt.Sprintf(`select count(*), coalesce(sum(%s), 0)::bigint, pg_total_relation_size('%s') from %[2]s`, strings.Join(columns, " + "), k.table)).Scan(&one.N, &one.Bytes, &room); err != nil {
					return err
				}
				if all = append(all, one); !seen[k.table] {
					disk += room
				}
				seen[k.table] = true
			}
			return nil
		})
	})
	if err != nil {
		return nil, 0, fmt.Errorf("measure database: %w", err)
	}
	return all, disk, nil
}

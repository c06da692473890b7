package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"berthier/adjudicator/store"
)

// Schema is the version of the tables that this program writes.
func Schema() int { return len(migrations) }

// migrations each bring the tables one schema further: the first one from nothing to 1. They run
// in one transaction together with the new number. A migration that was released is never
// changed. What an older program of the same office still needs is dropped by a later one
// than that which stopped using it: a member that begins at the very moment of the migration works on with
// the program of before.
var migrations = [][]string{
	{
		// What the database is: its schema, and what tells the secret that belongs to it.
		`create table berthier (name text primary key, value bytea not null)`,
		// A game, or what is no game and has a log, with the end of that log. A row is the lock of all
		// that is of the game.
		`create table games (id text collate "C" primary key, seq bigint not null default 0, hash bytea not null default ''::bytea, record bytea, snapshot bytea)`,
		`create table log (game text collate "C" not null, seq bigint not null, salt bytea not null, hash bytea not null, body bytea not null, private bytea not null, was bytea, primary key (game, seq))`,
		`create table history (game text collate "C" not null, seq bigint not null, position bytea not null, primary key (game, seq))`,
		`create table answers (game text collate "C" not null, name bytea not null, answer bytea not null, primary key (game, name))`,
		`create table pages (game text collate "C" not null, seat bytea not null, n bigint not null, page bytea not null, primary key (game, seat, n))`,
		`create table addresses (address bytea not null, game text collate "C" not null, primary key (address, game))`,
		`create table wake (game text collate "C" primary key, at bigint not null)`,
		`create index wake_at on wake (at, game)`,
		// A letter. Who sends it has it until a moment; after that anybody may take it.
		`create table outbox (id bigint primary key, due bigint not null, body bytea not null, claimed bigint not null default 0, claimer text collate "C" not null default '')`,
		`create index outbox_claimed on outbox (claimer) where claimed > 0`,
		`create index outbox_due on outbox (due, id) where due > 0`,
		`create table numbers (last bigint not null)`,
		`insert into numbers values (0)`,
		`create table blobs (digest bytea primary key, data bytea not null)`,
		`create table notes (name bytea primary key, data bytea not null)`,
		`create table marks (digest bytea primary key, result bytea not null)`,
		`create table names (name bytea primary key, content bytea not null)`,
		// Members of the office. A member that begins anew gets another epoch, and whoever
		// still writes in an earlier one is refused.
		`create table members (name text collate "C" primary key, epoch bigint not null)`,
	},
	{
		// Where it is not null the entry lies in a block: body and word are what package packed makes of it.
		`alter table log add column word bigint`,
	},
	{
		// By what games are found. Tagged is the SHA-256 of the record with which tags were written, so that a record is known
		// that an older program of the same office has written without any.
		`create table tags (game text collate "C" not null, tag text collate "C" not null, primary key (game, tag))`,
		`create index tags_tag on tags (tag, game)`,
		`alter table games add column tagged bytea`,
		`create index games_untagged on games (tagged) where ` + untagged,
		// Without the setting the planner would read all records and work out their sums: it takes it that most are distinct.
		`create function untagged() returns setof text language sql stable set enable_seqscan = off as $$ ` + selectUntagged + ` $$`,
	},
}

// untagged is what is true of games whose record was committed without tags. The index games_untagged holds these alone.
const (
	untagged       = `record is not null and sha256(record) is distinct from tagged`
	selectUntagged = `select id from games where ` + untagged
)

// Create makes the tables of a new office in an empty database. Secret is the server's secret,
// of 32 bytes, which is kept elsewhere: of it the database holds only what tells whether another one
// is the same. Keys of seats are made of the secret, so a copy of the database gives none away.
// If there is an office already it is [ErrExists], and nothing is changed.
func Create(ctx context.Context, at Address, secret [32]byte) error {
	config, err := at.config()
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return fmt.Errorf("make office: %w", plain(err))
	}
	defer conn.Close(ctx)
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if err := newEnough(ctx, tx); err != nil {
			return err
		}
		var tables int
		var ours bool
		if err := tx.QueryRow(ctx, `select count(*), coalesce(bool_or(c.relname = 'berthier'), false) from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = current_schema() and c.relkind in ('r', 'p')`).Scan(&tables, &ours); err != nil {
			return err
		}
		switch {
		case ours:
			return ErrExists
		case tables > 0:
			return fmt.Errorf("%w: it has %d tables of something else", ErrForeign, tables)
		}
		if err := migrate(ctx, tx, 0); err != nil {
			return err
		}
		var id [16]byte
		if _, err := rand.Read(id[:]); err != nil {
			return err
		}
		home, err := homeOf(ctx, tx)
		if err != nil {
			return err
		}
		if _, err = tx.Exec(ctx, `insert into berthier (name, value) values ('id', $1), ('secret', $2), ('home', $3)`, id[:], proofOf(secret, id[:]), []byte(home)); err != nil {
			return err
		}
		return stay(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("make office: %w", plain(err))
	}
	return nil
}

// migrate brings the tables from a schema to the present one.
func migrate(ctx context.Context, tx pgx.Tx, from int) error {
	for version, statements := range migrations[from:] {
		for _, statement := range statements {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return fmt.Errorf("migrate from schema %d: %w", from+version, err)
			}
		}
	}
	_, err := tx.Exec(ctx, `insert into berthier (name, value) values ('schema', $1) on conflict (name) do update set value = excluded.value`, strconv.AppendInt(nil, int64(Schema()), 10))
	return err
}

// proofOf is what a database keeps of the secret. From it nobody learns the secret.
func proofOf(secret [32]byte, id []byte) []byte {
	mac := hmac.New(sha256.New, secret[:])
	mac.Write([]byte("secret of the database "))
	mac.Write(id)
	return mac.Sum(nil)
}

// prepare looks at what database it is, and brings an older one up to date, if [Options.Upgrade] lets it. Of
// members that begin together one does so; the others wait for it.
func prepare(ctx context.Context, tx pgx.Tx, opt Options) error {
	secret, readOnly := opt.Secret, opt.ReadOnly
	if err := newEnough(ctx, tx); err != nil {
		return err
	}
	var known bool
	if err := tx.QueryRow(ctx, `select to_regclass('berthier') is not null`).Scan(&known); err != nil {
		return err
	}
	if !known {
		return fmt.Errorf("%w: no office was made in it", ErrForeign)
	}
	if !readOnly {
		if _, err := tx.Exec(ctx, `lock table berthier in share row exclusive mode`); err != nil {
			return err
		}
	}
	kept := map[string][]byte{}
	rows, err := tx.Query(ctx, `select name, value from berthier`)
	if err != nil {
		return err
	}
	var name string
	var value []byte
	if _, err := pgx.ForEachRow(rows, []any{&name, &value}, func() error { kept[name] = append([]byte(nil), value...); return nil }); err != nil {
		return err
	}
	version, err := strconv.Atoi(string(kept["schema"]))
	switch {
	case err != nil || version < 1:
		return fmt.Errorf("%w: its table berthier names no schema", ErrForeign)
	case version > Schema():
		return fmt.Errorf("%w (its schema is %d, this one knows %d)", ErrNewer, version, Schema())
	case !hmac.Equal(kept["secret"], proofOf(secret, kept["id"])):
		return ErrSecret
	case version < Schema() && readOnly:
		return fmt.Errorf("%w (its schema is %d)", ErrOlder, version)
	}
	if err := atHome(ctx, tx, kept, opt.Least); err != nil || readOnly {
		return err
	}
	if version < Schema() {
		if opt.Upgrade != nil {
			r := reader{ctx, tx}
			if err := safely(func() error { return opt.Upgrade(r.Values) }); err != nil {
				return err
			}
		}
		if err := migrate(ctx, tx, version); err != nil {
			return err
		}
	}
	if kept["timeline"] == nil { // a program of before made it, or wrote last
		return stay(ctx, tx)
	}
	return nil
}

// atHome tells whether a database is the one in which the office was, and not a copy of it: [ErrCopied]. A copy that the server made of
// its files is known by its timeline, if it was rolled forward, or by the numbers of letters that it has lost.
func atHome(ctx context.Context, tx pgx.Tx, kept map[string][]byte, least uint64) error {
	home, err := homeOf(ctx, tx)
	if err != nil {
		return err
	}
	if home != string(kept["home"]) {
		return ErrCopied
	}
	timeline, err := timelineOf(ctx, tx)
	if err != nil {
		return err
	}
	if was := string(kept["timeline"]); timeline != "" && was != "" && timeline != was {
		return fmt.Errorf("%w (the server's timeline is %s, and was %s)", ErrCopied, timeline, was)
	}
	var last number
	if err := tx.QueryRow(ctx, `select last from numbers`).Scan(&last); err != nil {
		return err
	}
	if uint64(last) < least {
		return fmt.Errorf("%w (letters up to number %d went out, and it knows of %d)", ErrCopied, least, last)
	}
	return nil
}

// stay notes the timeline on which the server is. Older programs know nothing of it, and find what they know as it was.
func stay(ctx context.Context, tx pgx.Tx) error {
	timeline, err := timelineOf(ctx, tx)
	if err != nil || timeline == "" {
		return err
	}
	_, err = tx.Exec(ctx, `insert into berthier (name, value) values ('timeline', $1) on conflict (name) do update set value = excluded.value`, []byte(timeline))
	return err
}

// timelineOf is the timeline on which the server writes: a standby that is promoted, and a copy of the server's files that is rolled forward to a
// moment, begin another one. "": the server is a standby, and writes on none; or it does not tell.
func timelineOf(ctx context.Context, tx pgx.Tx) (timeline string, err error) {
	err = pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `select case when pg_is_in_recovery() then '' else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end`).Scan(&timeline)
	})
	var said *pgconn.PgError
	if errors.As(err, &said) && !lost(err) {
		return "", nil
	}
	return timeline, err
}

// leastServer is the least version of a server that has what is asked of it (sha256 of bytes is the youngest), as the server itself writes it.
const leastServer = 11_00_00

// newEnough looks whether the server is.
func newEnough(ctx context.Context, tx pgx.Tx) error {
	var version int
	if err := tx.QueryRow(ctx, `select current_setting('server_version_num')::int`).Scan(&version); err != nil {
		return err
	}
	return versionFits(version)
}

func versionFits(version int) error {
	if version < leastServer {
		return fmt.Errorf("%w (%d.%d)", ErrOldServer, version/10000, version/100%100)
	}
	return nil
}

// homeOf tells the place where the tables were made from any other: a copy that was put back, here or
// elsewhere, has another one.
func homeOf(ctx context.Context, tx pgx.Tx) (home string, err error) {
	err = tx.QueryRow(ctx, `select system_identifier::text || '/' || 'berthier'::regclass::oid::text from pg_control_system()`).Scan(&home)
	return home, err
}

// Restored makes a database that was put back from a copy go on: since the copy was made letters went
// out whose numbers it does not know, so its letters are numbered from elsewhere on, and it knows that it
// was restored. Members of before write no more. Least is what [Options] has. It fails with [ErrHome] if no copy was put back.
func Restored(ctx context.Context, at Address, secret [32]byte, least uint64, now time.Time) error {
	config, err := at.config()
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return fmt.Errorf("restore: %w", plain(err))
	}
	defer conn.Close(ctx)
	leap, restored, err := store.Restore(now)
	if err != nil {
		return err
	}
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		switch err := prepare(ctx, tx, Options{Secret: secret, Least: least}); {
		case err == nil:
			return ErrHome
		case !errors.Is(err, ErrCopied):
			return err
		}
		home, err := homeOf(ctx, tx)
		if err != nil {
			return err
		}
		batch := &pgx.Batch{}
		batch.Queue(`update members set epoch = epoch + 1`) // first, as in every write
		batch.Queue(`update berthier set value = $1 where name = 'home'`, []byte(home))
		batch.Queue(`update numbers set last = greatest(last, $2) + $1`, int64(leap), int64(least))
		batch.Queue(`insert into notes (name, data) values ($1, $2) on conflict (name) do update set data = excluded.data`, []byte(store.RestoredValue), restored)
		batch.Queue(`delete from notes where name >= $1 and name < $2`, []byte(store.SignPrefix), after(store.SignPrefix))
		batch.Queue(`update outbox set claimed = 0, claimer = '' where claimed > 0`)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return err
		}
		return stay(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("restore: %w", plain(err))
	}
	return nil
}

// enter makes a member begin anew, and gives its epoch.
func enter(ctx context.Context, tx pgx.Tx, member string) (epoch int64, err error) {
	if member == "" {
		return 0, ErrMember
	}
	// First, as a write of the process before does: so neither waits for the other.
	if err := tx.QueryRow(ctx, `insert into members as m (name, epoch) values ($1, 1) on conflict (name) do update set epoch = m.epoch + 1 returning epoch`, member).Scan(&epoch); err != nil {
		return 0, err
	}
	return epoch, unclaim(ctx, tx, member)
}

// unclaim gives up what a member has claimed, since that member writes nothing any more.
func unclaim(ctx context.Context, tx pgx.Tx, member string) error {
	_, err := tx.Exec(ctx, `update outbox set claimed = 0, claimer = '' where claimer = $1 and claimed > 0`, member)
	return err
}

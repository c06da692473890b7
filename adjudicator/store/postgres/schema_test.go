package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
)

// grow adds entries to a game's log, and settles it.
func grow(t *testing.T, s *Store, game string, n int, settle bool) {
	t.Helper()
	l, err := s.Load(t.Context(), game)
	if err != nil {
		t.Fatal(err)
	}
	c := store.Change{Game: game, After: l.End, Was: store.VersionOf(l.Record), Record: []byte("record"), Settle: settle}
	end := l.End
	for i := range n {
		e := chain.Follow(end, chain.Salt{byte(i), 31: 1}, fmt.Appendf(nil, "%d: %s", i, strings.Repeat("moves to Ligny; ", 20)), []byte("of ada@x"))
		c.Entries, end = append(c.Entries, e), e.Link
	}
	if err := s.Commit(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

// logOf gives all entries of a log, how many lie in no block, and how many bytes it takes.
func logOf(t *testing.T, s *Store, game string) (text string, loose int, size int64) {
	t.Helper()
	var b bytes.Buffer
	if err := s.Read(t.Context(), func(r store.Reader) error {
		loose = r.Loose(game)
		if err := store.Verify(r, game); err != nil {
			return err
		}
		return r.Entries(game, 0, func(e chain.Entry) error {
			_, err := fmt.Fprintf(&b, "%+v\n", e)
			return err
		})
	}); err != nil {
		t.Fatal(err)
	}
	all, disk, err := s.Sizes()
	if err != nil || disk == 0 {
		t.Fatal(disk, err)
	}
	for _, one := range all {
		if one.Kind == "log" {
			size = one.Bytes
		}
	}
	return b.String(), loose, size
}

// asOlder makes the tables those of schema 1.
func asOlder(do func(string)) {
	do(`alter table log drop column word`)
	do(`drop table tags`)
	do(`drop function untagged()`)
	do(`alter table games drop column tagged cascade`)
	do(`update berthier set value = '1' where name = 'schema'`)
}

// TestOfAnOlderSchema brings the tables of schema 1 over while a member with the older program still writes: its log is read
// as before, then packed, and takes a third of the room; who only reads is told to wait.
func TestOfAnOlderSchema(t *testing.T) {
	url, do := empty(t)
	if err := Create(t.Context(), Address{URL: url}, secret); err != nil {
		t.Fatal(err)
	}
	s := reopen(t, url, Options{Secret: secret, Member: "one"})
	grow(t, s, "a", 200, false)
	want, loose, before := logOf(t, s, "a")
	if loose != 200 {
		t.Errorf("%d entries lie in no block", loose)
	}
	s.Close()
	asOlder(do)
	if _, err := Open(t.Context(), Address{URL: url}, Options{Secret: secret, ReadOnly: true}); err == nil || !strings.Contains(err.Error(), "older schema") {
		t.Errorf("opened to be read: %v", err)
	}
	refused := errors.New("a member works with an older program")
	var signs []string
	no := func(values func(string, func(string, []byte) error) error) error {
		return errors.Join(refused, values("member/", func(name string, data []byte) error { signs = append(signs, name+" "+string(data)); return nil }))
	}
	do(`insert into notes (name, data) values ('member/one', 'lives'), ('mess', 'other')`)
	if _, err := Open(t.Context(), Address{URL: url}, Options{Secret: secret, Member: "two", Upgrade: no}); !errors.Is(err, refused) || fmt.Sprint(signs) != "[member/one lives]" {
		t.Errorf("opened while another member works: %v, %q", err, signs)
	}
	if _, err := Open(t.Context(), Address{URL: url}, Options{Secret: secret, ReadOnly: true}); err == nil || !strings.Contains(err.Error(), "older schema") {
		t.Errorf("the refused one has changed the schema: %v", err)
	}
	s = reopen(t, url, Options{Secret: secret, Member: "two", Upgrade: func(func(string, func(string, []byte) error) error) error { return nil }})
	// What the older program writes, which began before.
	do(`insert into log (game, seq, salt, hash, body, private, was) values ('b', 1, sha256('salt'), sha256('hash'), 'body', '', null)`)
	if got, _, _ := logOf(t, s, "a"); got != want {
		t.Error("the log reads otherwise")
	}
	if err := s.Read(t.Context(), func(r store.Reader) error {
		if e, ok, err := r.Entry("b", 1); err != nil || !ok || string(e.Body) != "body" {
			t.Errorf("%+v, %v, %v", e, ok, err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	do(`delete from log where game = 'b'`)
	grow(t, s, "a", 0, true)
	got, loose, after := logOf(t, s, "a")
	if got != want || loose > 1 || after*3 > before {
		t.Errorf("the same: %v; %d entries lie in no block; %d bytes, %d before", got == want, loose, after, before)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

// TestDamagedBlock: what lies in a block that was changed on the server is named as damage, and nothing falls over it.
func TestDamagedBlock(t *testing.T) {
	url, do := empty(t)
	if err := Create(t.Context(), Address{URL: url}, secret); err != nil {
		t.Fatal(err)
	}
	s := reopen(t, url, Options{Secret: secret, Member: "one"})
	grow(t, s, "a", 200, true)
	for _, harm := range []string{
		`set body = '\x06ff' where seq = 1`, `set body = '' where seq = 1`, `set word = null where seq = 1`, `set word = word - 1 where seq = 7`,
		`set body = '\x0e7f01' where seq = 7`, `set word = -1 where seq = 7`,
	} {
		do(`create table sound as select * from log`)
		do(`update log ` + harm)
		if err := s.Check(); err == nil {
			t.Errorf("%s: nothing is found", harm)
		}
		_ = s.Read(context.Background(), func(r store.Reader) error {
			for seq := range uint64(9) {
				_, _, _ = r.Entry("a", seq) // must not panic
			}
			return nil
		})
		do(`delete from log`)
		do(`insert into log select * from sound`)
		do(`drop table sound`)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

// TestAnOlderProgramWritesNoTags: a member with an older program, which knows of no tags, writes a record beside one that does. The
// game is then found without tags, not by those of the record of before, until a member that knows of them writes it.
func TestAnOlderProgramWritesNoTags(t *testing.T) {
	url, do := empty(t)
	if err := Create(t.Context(), Address{URL: url}, secret); err != nil {
		t.Fatal(err)
	}
	s := reopen(t, url, Options{Secret: secret, Member: "one"})
	put := func(game, record string, tags ...string) {
		t.Helper()
		l, err := s.Load(t.Context(), game)
		if err == nil {
			err = s.Commit(t.Context(), store.Change{Game: game, After: l.End, Was: store.VersionOf(l.Record), Record: []byte(record), Tags: tags})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	look := func(tagged, untagged string) {
		t.Helper()
		var by, without []string
		if err := s.Read(t.Context(), func(r store.Reader) error {
			return errors.Join(r.Tagged("", "\x7f", func(tag, game string) error { by = append(by, tag+" "+game); return nil }),
				r.Untagged(func(game string, record []byte) error { without = append(without, game+" "+string(record)); return nil }))
		}); err != nil {
			t.Fatal(err)
		}
		if strings.Join(by, ", ") != tagged || strings.Join(without, ", ") != untagged {
			t.Errorf("by tags %q, want %q; without %q, want %q", by, tagged, without, untagged)
		}
	}
	put("a", "1", "x", "y")
	put("b", "1", "x")
	look("x a, x b, y a", "")
	do(`update games set record = '2' where id = 'a'`)
	do(`insert into games (id, record) values ('c', '1')`)
	look("x b", "a 2, c 1")
	put("a", "3", "z")
	look("x b, z a", "c 1")
	put("c", "1", "z")
	look("x b, z a, z c", "")
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

// TestUntaggedAreFoundByTheirIndex: however few or many games there are, and whatever the server knows of them, nobody reads all
// records to find those without tags.
func TestUntaggedAreFoundByTheirIndex(t *testing.T) {
	url, do := empty(t)
	if err := Create(t.Context(), Address{URL: url}, secret); err != nil {
		t.Fatal(err)
	}
	s := reopen(t, url, Options{Secret: secret, Member: "one"})
	for _, step := range []string{`analyze`, `insert into games (id, record, tagged) select 'g' || n, 'record', sha256('record') from generate_series(1, 3000) n`, `analyze games`} {
		do(step)
		err := pgx.BeginFunc(t.Context(), s.pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(t.Context(), `set local enable_seqscan = off`); err != nil {
				return err
			}
			rows, err := tx.Query(t.Context(), `explain `+selectUntagged)
			if err != nil {
				return err
			}
			plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if text := strings.Join(plan, " "); !strings.Contains(text, "games_untagged") || strings.Contains(text, "Seq Scan") {
				t.Errorf("after %s: %s", step, text)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestOldServers: a server that lacks what is asked of it is refused by its version, and not by what it lacks.
func TestOldServers(t *testing.T) {
	for version, old := range map[int]bool{90624: true, 100023: true, 110000: false, 150018: false} {
		if err := versionFits(version); errors.Is(err, ErrOldServer) != old {
			t.Errorf("%d: %v", version, err)
		}
	}
}

package postgres

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"berthier/adjudicator/store"
	"berthier/adjudicator/store/postgres/postgrestest"
	"berthier/adjudicator/store/storetest"
)

// server is the address of the server of all tests; "": the machine has none.
var server string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if server = os.Getenv(postgrestest.URLEnv); server != "" {
		return storetest.Main(m, open) // started by a test, which has the server
	}
	s, err := postgrestest.Start()
	switch {
	case err == nil:
		server = s.URL
		os.Setenv(postgrestest.URLEnv, server)
		defer s.Stop()
	case !errors.Is(err, postgrestest.ErrAbsent) || postgrestest.Required():
		fmt.Fprintln(os.Stderr, err)
		return 1
	default:
		fmt.Fprintln(os.Stderr, "all tests of the store in PostgreSQL are left out:", err)
	}
	// Each question to the server is a round trip, and the model asks very many.
	checks := "8"
	if os.Getenv("BERTHIER_SAMPLES") == "full" {
		checks = "40"
	}
	if err := flag.Set("rapid.checks", checks); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return storetest.Main(m, open)
}

func needed(t testing.TB) {
	if server == "" {
		t.Skip("left out: ", postgrestest.ErrAbsent)
	}
}

var secret = sha256.Sum256([]byte("secret"))

// open opens the store of a folder: a schema of the server's database that is named for it.
func open(folder string, quick bool) (store.Store, error) {
	url, err := schemaFor(server, folder)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	if err := Create(ctx, Address{URL: url}, secret); err != nil && !errors.Is(err, ErrExists) {
		return nil, err
	}
	return Open(ctx, Address{URL: url}, Options{Secret: secret, Member: "one", NoSync: quick})
}

// schemaFor makes the schema of a folder, and gives its address.
func schemaFor(server, folder string) (string, error) {
	name := fmt.Sprintf("t%x", sha256.Sum256([]byte(filepath.Clean(folder))))[:40]
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, `create schema if not exists `+name)
	return postgrestest.Schema(server, name), err
}

func TestContract(t *testing.T) {
	needed(t)
	storetest.Run(t, open)
}

func BenchmarkCommit(b *testing.B) {
	needed(b)
	storetest.Bench(b, open)
}

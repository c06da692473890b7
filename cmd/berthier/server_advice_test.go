package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"berthier/adjudicator/store/postgres"
	"berthier/adjudicator/store/postgres/postgrestest"
)

// TestServersThatRefuse: of a server that takes no writes, or this user's, or that is too old, it is said what to do.
func TestServersThatRefuse(t *testing.T) {
	for err, want := range map[error]string{
		postgres.ErrOldServer:              "PostgreSQL 11",
		&pgconn.PgError{Code: "25006"}:     "not a standby",
		&pgconn.PgError{Code: "42501"}:     "owner of the database",
		&pgconn.ConnectError{}:             "pg_hba.conf",
		&pgconn.PgError{Code: "XX000"}:     "",
		errors.New("something unheard of"): "",
	} {
		if got := serverAdvice(fmt.Errorf("open database: %w", err), config{}); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%T %v: %q", err, err, got)
		}
	}
}

// TestARealServerThatRefuses opens offices on a server that takes no writes, as a standby does, and as a user without rights.
func TestARealServerThatRefuses(t *testing.T) {
	server := postgrestest.Need(t)
	folder := t.TempDir()
	_, file, _ := site(t, "")
	at := func(url string) (do func(...string) string, fails func(string, ...string)) {
		return sited(t, withDatabase(t, file, "{url: '"+url+"', secret-file: "+filepath.Join(folder, "office.secret")+", member: alpha, folder: "+folder+"}"))
	}
	conn, err := pgconn.Connect(t.Context(), server.URL)
	if err == nil {
		_, err = conn.Exec(t.Context(), "create role stranger login; revoke create on schema public from public").ReadAll()
	}
	if err != nil {
		t.Fatal(errors.Join(err, conn.Close(t.Context())))
	}
	defer conn.Close(t.Context())
	stranger := strings.Replace(server.URL, "berthier@", "stranger@", 1)
	readOnly := server.URL + "&options=-c%20default_transaction_read_only%3Don"
	_, fails := at(stranger)
	fails("owner of the database", "init")
	_, fails = at(readOnly)
	fails("not a standby", "init")
	do, _ := at(server.URL)
	do("init")
	_, fails = at(stranger)
	fails("owner of the database", "game", "list")
	_, fails = at(readOnly)
	fails("not a standby", "game", "list")
}

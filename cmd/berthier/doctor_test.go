package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"berthier/mail"
	"berthier/mail/local"
)

// Every finding of doctor, made to happen: its grade, what it says, and what to do.
func TestDoctorFindings(t *testing.T) {
	key, keyText := dkimKey(t, "club.example")
	_, otherText := dkimKey(t, "club.example")
	other, err := mail.NewDKIMKey("club.example", "post", []byte(otherText))
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		host           *local.Server
		file, database string
		dir            string
	}
	config := func(p place, old, now string) {
		t.Helper()
		text, err := os.ReadFile(p.file)
		if err != nil || !strings.Contains(string(text), old) {
			t.Fatalf("no %q in the configuration: %v", old, err)
		}
		if err := os.WriteFile(p.file, []byte(strings.Replace(string(text), old, now, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put := func(path, text string, mode os.FileMode) {
		t.Helper()
		if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		spoil func(p place) (args []string)
		grade string
		says  []string
	}{
		{"all is well", func(place) []string { return nil }, "", nil},
		{"a password that others may read", func(p place) []string { put(filepath.Join(p.dir, "password"), "secret\n", 0o644); return nil },
			"warn  secrets", []string{"can be read by other users", "chmod 600 "}},
		{"a database that others may read", func(p place) []string {
			if err := os.Chmod(p.database, 0o644); err != nil {
				t.Fatal(err)
			}
			return nil
		}, "warn  secrets", []string{"b.db can be read", "chmod 600 "}},
		{"a database of an older program", func(p place) []string {
			put(p.database, unzipped(t, "../../adjudicator/testdata/schema1.db.gz"), 0o600)
			return nil
		},
			"warn  database", []string{"schema 1", "keeps a copy as", "older programs can't read it"}},
		{"a database of a newer program", func(p place) []string {
			withSchema(t, p.database, "99")
			return nil
		}, "fail  database", []string{"install the newer program"}},
		{"no database", func(p place) []string { put(p.database, strings.Repeat("no database ", 10000), 0o600); return nil },
			"fail  database", []string{"berthier restore FILE puts a backup in its place"}},
		{"a database that is not there", func(p place) []string {
			if err := os.Remove(p.database); err != nil {
				t.Fatal(err)
			}
			return nil
		}, "fail  database", []string{"does not exist", "make one: berthier init"}},
		{"a mailbox that another office reads", func(p place) []string {
			letter := "X-Berthier-Holder: others\r\nX-Berthier-Name: the office elsewhere\r\n\r\n"
			keepIn(t, p.host, "Berthier", letter)
			return nil
		}, "fail  mailbox", []string{"is read by the office elsewhere", "a mailbox can have only one office"}},
		{"a mailbox of another database", func(p place) []string {
			keepIn(t, p.host, "Berthier", "X-Berthier-Database: 0123\r\nX-Berthier-Name: the office elsewhere\r\n\r\n")
			return nil
		}, "fail  mailbox", []string{"another database has worked on this mailbox", "berthier claim gives the mailbox to this database"}},
		{"no folder for the database", func(p place) []string { config(p, p.database, filepath.Join(p.dir, "nowhere", "b.db")); return nil },
			"fail  database", []string{"make the folder"}},
		{"a mailbox without its server", func(p place) []string { p.host.StopIMAP(); return nil },
			"fail  mailbox", []string{"look at host, port and security under imap (127.0.0.1:"}},
		{"a mailbox that must be asked for news", func(p place) []string {
			_, port, err := net.SplitHostPort(p.host.IMAPAddr())
			if err != nil {
				t.Fatal(err)
			}
			config(p, "imap: {host: 127.0.0.1, port: "+port, "imap: {poll: 45s, host: 127.0.0.1, port: "+withoutIdle(t, p.host.IMAPAddr()))
			return nil
		}, "warn  mailbox", []string{"ok    mailbox", "the server does not know IDLE", "the mailbox is then looked at only every 45s; shorten poll under imap"}},
		{"a wrong password", func(p place) []string { put(filepath.Join(p.dir, "password"), "wrong\n", 0o600); return nil },
			"fail  mailbox", []string{"look at user and password-file under imap", "fail  sending", "look at user and password-file under smtp"}},
		{"nobody who sends", func(p place) []string {
			config(p, "smtp: {host: 127.0.0.1, port: ", "smtp: {host: 127.0.0.1, port: 1}\n#")
			return nil
		}, "fail  sending", []string{"look at host, port and security under smtp (127.0.0.1:1, starttls)"}},
		{"a sender that is refused", func(p place) []string {
			p.host.Fail("office@club.example", local.Fault{At: "mail", Code: 550, Text: "5.7.1 not you"})
			return nil
		}, "fail  sending", []string{"the login may have to be allowed to send as office@club.example"}},
		{"a key, and nothing to compare it with", func(p place) []string {
			put(filepath.Join(p.dir, "dkim.pem"), keyText, 0o600)
			config(p, "smtp:", "dkim: {selector: post, key-file: dkim.pem}\nsmtp:")
			return nil
		}, "ok    signing", []string{key.Record(), "post._domainkey.club.example"}},
		{"a key that fits", func(p place) []string {
			put(filepath.Join(p.dir, "dkim.pem"), keyText, 0o600)
			config(p, "smtp:", "dkim: {selector: post, key-file: dkim.pem}\nsmtp:")
			put(filepath.Join(p.dir, "record"), "\""+key.Record()[:20]+"\" \""+key.Record()[20:]+"\"\n", 0o600)
			return []string{"--dkim-record", filepath.Join(p.dir, "record")}
		}, "ok    signing", []string{"the key matches the record"}},
		{"a key that does not fit", func(p place) []string {
			put(filepath.Join(p.dir, "dkim.pem"), keyText, 0o600)
			config(p, "smtp:", "dkim: {selector: post, key-file: dkim.pem}\nsmtp:")
			put(filepath.Join(p.dir, "record"), other.Record(), 0o600)
			return []string{"--dkim-record", filepath.Join(p.dir, "record")}
		}, "fail  signing", []string{"does not match the record", "put at post._domainkey.club.example the TXT record: " + key.Record()}},
		{"a record without a key", func(p place) []string {
			put(filepath.Join(p.dir, "record"), other.Record(), 0o600)
			return []string{"--dkim-record", filepath.Join(p.dir, "record")}
		}, "fail  signing", []string{"no key is configured", "name a key under dkim"}},
		{"a configuration with a fault", func(p place) []string { config(p, "office:", "ofice:"); return nil }, "fail  configuration", []string{"ofice"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			host, file, database := site(t, "")
			p := place{host, file, database, filepath.Dir(file)}
			args := c.spoil(p)
			var out bytes.Buffer
			code := run(t.Context(), append([]string{"doctor", "-c", file, "--timeout", "5s"}, args...), &out, &out)
			text := out.String()
			if c.grade == "" {
				for line := range strings.Lines(text) {
					if strings.HasPrefix(line, gradeFail) || strings.HasPrefix(line, gradeWarn) && !strings.Contains(line, "clock") && !strings.Contains(line, "disk") {
						t.Errorf("all is well, and: %s", line)
					}
				}
			}
			for _, want := range append(c.says, c.grade) {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in:\n%s", want, text)
				}
			}
			if failed := strings.HasPrefix(c.grade, gradeFail); failed != (code != 0) {
				t.Errorf("ends with %d:\n%s", code, text)
			}
			if strings.Contains(text, "secret\n") || strings.Contains(text, "PRIVATE KEY") {
				t.Errorf("a secret is shown:\n%s", text)
			}
		})
	}
	for _, c := range []struct {
		free, size uint64
		err        error
		grade, do  string
	}{
		{1 << 40, 1 << 30, nil, gradeOK, ""},
		{63 << 20, 0, nil, gradeFail, "make room: while the disk is full no letter is taken in"},
		{500 << 20, 0, nil, gradeWarn, "make room for backups"},
		{3 << 30, 2 << 30, nil, gradeWarn, "twice the size of the database"},
		{0, 0, errors.New("no disk"), gradeWarn, "df"},
	} {
		if f := gradeDisk(c.free, c.size, c.err); f.grade != c.grade || !strings.Contains(f.do, c.do) || (f.do == "") != (c.do == "") {
			t.Errorf("%d free of %d: %+v", c.free, c.size, f)
		}
	}
	for what, do := range map[string]string{
		"connect to mailbox: refused": "look at host, port and security under imap", "log in: no": "look at user and password-file",
		"make folder Rejected: no": "name existing folders as processed and rejected", "something else": "the mail server's own log",
	} {
		if got := mailboxAdvice(errors.New(what), defaults()); !strings.Contains(got, do) {
			t.Errorf("%s: %s", what, got)
		}
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		now, newest time.Time
		grade       string
	}{
		{now, now.Add(clockSlack + time.Second), gradeFail}, {now.AddDate(-3, 0, 0), time.Time{}, gradeFail},
	} {
		if f := checkClock(c.now, c.newest); f.grade != c.grade || !strings.Contains(f.do, "set the clock") {
			t.Errorf("at %s, the newest letter of %s: %+v", c.now, c.newest, f)
		}
	}
	if f := checkClock(now, now.Add(-time.Hour)); f.grade == gradeFail {
		t.Errorf("a clock that is right: %+v", f)
	}
}

// withoutIdle is the port of a connection to an IMAP server that hides that the server
// knows IDLE.
func withoutIdle(t *testing.T, server string) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", server)
			if err != nil {
				in.Close()
				return
			}
			go func() {
				_, _ = io.Copy(out, in) // it ends with the conversation
				out.Close()
			}()
			go func() {
				defer in.Close()
				lines := bufio.NewReader(out)
				for {
					line, err := lines.ReadString('\n')
					if strings.Contains(line, "CAPABILITY") {
						line = strings.ReplaceAll(line, " IDLE", "")
						line = strings.ReplaceAll(line, " IMAP4rev2", "") // of which IDLE is a part
					}
					if _, e := io.WriteString(in, line); e != nil || err != nil {
						return
					}
				}
			}()
		}
	}()
	_, port, err = net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// unzipped is the content of a compressed file.
func unzipped(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// withSchema makes a database look like one of another version of the program.
func withSchema(t *testing.T, path, schema string) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Update(func(tx *bbolt.Tx) error { return tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte(schema)) }); err != nil {
		t.Fatal(err)
	}
}

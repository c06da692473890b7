package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berthier/orders"
)

const twoBoxes = `office: {address: orders@club.example}
database: games.db
imap:
  host: 127.0.0.1
  user: orders
  password-file: password
  processed: Done
  mailboxes:
    - {address: orders-2@club.example, user: orders-2, password-file: password-2}
    - {address: orders-3@club.example, user: orders-3, password-file: password-2, processed: Read, rejected: Bad}
smtp: {host: 127.0.0.1}
`

// A configuration may name further mailboxes: their folders are called as those of the first, unless it says otherwise, their
// passwords are no less secret, and what is printed is read again.
func TestFurtherMailboxes(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"password": "one\n", "password-2": "two\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := parseConfig([]byte(twoBoxes), folder)
	if err != nil {
		t.Fatal(err)
	}
	if want := []extraBox{{"orders-2@club.example", "orders-2", "two", "Done", "Rejected"}, {"orders-3@club.example", "orders-3", "two", "Read", "Bad"}}; !slices.Equal(c.IMAP.Also, want) {
		t.Errorf("%+v", c.IMAP.Also)
	}
	if !slices.Contains(secrets(c), "two") || !slices.Contains(c.secretFiles, filepath.Join(folder, "password-2")) {
		t.Error("the password of a further mailbox is no secret")
	}
	boxes, err := c.mailboxes("", c.logger(discard{}))
	if err != nil || len(boxes) != 3 || boxes[0].Config.Processed != "Done" || boxes[2].Config.Username != "orders-3" || boxes[2].Config.Rejected != "Bad" {
		t.Errorf("%d mailboxes, %v", len(boxes), err)
	}
	var printed bytes.Buffer
	c.print(&printed)
	for _, want := range []string{"orders-2@club.example", "orders-3", "Read"} {
		if !strings.Contains(printed.String(), want) {
			t.Errorf("not printed: %s", want)
		}
	}
	if strings.Contains(printed.String(), "two") {
		t.Error("a password is printed")
	}
	for what, change := range map[string][2]string{
		"the office's own address":     {"orders-2@club.example", "Orders@club.example"},
		"an address twice":             {"orders-3@club.example", "orders-2@club.example"},
		"a user twice":                 {"user: orders-3", "user: orders-2"},
		"the first mailbox's user":     {"user: orders-2", "user: orders"},
		"no address":                   {"address: orders-2@club.example, ", ""},
		"a password file that is none": {"password-file: password-2", "password-file: nowhere"},
		"a key that there is not":      {"user: orders-2,", "user: orders-2, host: elsewhere,"},
	} {
		_, err := parseConfig([]byte(strings.Replace(twoBoxes, change[0], change[1], 1)), folder)
		var faults orders.Problems
		if !errors.As(err, &faults) || faults[0].Line < 9 {
			t.Errorf("%s: %v", what, err)
		}
	}
}

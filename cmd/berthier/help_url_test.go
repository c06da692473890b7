package main

import (
	"bytes"
	"strings"
	"testing"
)

// Letters name the page of help-url, so nothing may stand there that isn't the address of
// one: neither another kind of address, nor a password, nor marks that end a link.
func TestHelpURLIsTheAddressOfAPage(t *testing.T) {
	with := func(page string) []byte {
		return []byte("office: {address: office@club.example, help-url: '" + page + "'}\ndatabase: b.db\n" +
			"imap: {host: localhost, security: none, user: u, password-file: /dev/null}\nsmtp: {host: localhost, security: none}\n")
	}
	c, err := parseConfig(with("https://club.example/berthier"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	c.print(&printed)
	if c.Office.HelpURL != "https://club.example/berthier" || !strings.Contains(printed.String(), "https://club.example/berthier") {
		t.Errorf("read as %q, printed as\n%s", c.Office.HelpURL, printed.String())
	}
	for _, bad := range []string{"javascript:alert(1)", "club.example", "https://", "https://me:secret@club.example/", "https://club.example/\"><b>",
		"https://club.example/a b", "https://club.example/" + strings.Repeat("a", 60), "https://clüb.example/"} {
		if _, err := parseConfig(with(bad), t.TempDir()); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

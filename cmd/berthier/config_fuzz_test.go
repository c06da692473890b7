package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"berthier/orders"
)

// FuzzConfig: a configuration is read, or every fault in it is told with its
// place; what was read and is printed reads the same, and holds no password.
func FuzzConfig(f *testing.F) {
	folder := f.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "password"), []byte("Sesame-Password\n"), 0o600); err != nil {
		f.Fatal(err)
	}
	example, err := os.ReadFile("../../docs/berthier.example.yaml")
	if err != nil {
		f.Fatal(err)
	}
	small := "office: {address: a@b.example}\ndatabase: x.db\nimap: {host: h.example, user: u, password-file: password}\nsmtp: {host: localhost, security: none}\n"
	f.Add(example)
	f.Add([]byte(small))
	f.Add([]byte(strings.Replace(small, "}\ndatabase", ", name: \"B\\nx\", answers-per-hour: 3, strangers: answer, administrators: [{address: c@d.example, zone: Europe/Rome}]}\ndatabase", 1)))
	f.Add([]byte(small + "dkim: {selector: s, key-file: password}\nlog: {level: debug, format: json}\nwatch: {listen: \"127.0.0.1:80\"}\n"))
	f.Add([]byte(small + "watch: {listen: \"0.0.0.0:80\"}\nlog: [a]\noffice: *x\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, word := range []string{"-file", "/", ".."} {
			if bytes.Contains(data, []byte(word)) && !bytes.Contains(data, []byte("password-file: password")) {
				return // the test must not open files that happen to exist on this machine
			}
		}
		if n := bytes.Count(data, []byte("-file")); n != bytes.Count(data, []byte("password-file: password}"))+bytes.Count(data, []byte("key-file: password}")) {
			return
		}
		c, err := parseConfig(data, folder)
		if err != nil {
			var problems orders.Problems
			if !errors.As(err, &problems) || len(problems) == 0 {
				t.Fatalf("%T %v", err, err)
			}
			lines := bytes.Count(data, []byte("\n")) + bytes.Count(data, []byte("\r")) + strings.Count(string(data), "\u2028") + strings.Count(string(data), "\u2029") +
				strings.Count(string(data), "\u0085") + bytes.Count(data, []byte("\v")) + 2
			for _, p := range problems {
				if p.Why.IsZero() || p.Line < 0 || p.Line > lines {
					t.Fatalf("%+v", p)
				}
			}
			return
		}
		if c.Watch.Listen != "" && !strings.HasPrefix(c.Watch.Listen, "127.") && !strings.HasPrefix(c.Watch.Listen, "localhost:") && !strings.HasPrefix(c.Watch.Listen, "[::") {
			t.Fatalf("listens at %q", c.Watch.Listen)
		}
		for _, s := range []server{c.IMAP.server, c.SMTP.server} {
			if s.Security == "none" && !loopback(s.Host) {
				t.Fatalf("plain text to %q", s.Host)
			}
		}
		var printed bytes.Buffer
		c.print(&printed)
		if strings.Contains(printed.String(), "Sesame-Password") || !utf8.Valid(printed.Bytes()) ||
			strings.ContainsFunc(printed.String(), func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
			t.Fatalf("printed:\n%q", printed.String())
		}
		if _, problems := orders.ParseNode(printed.Bytes()); len(problems) > 0 {
			t.Fatalf("%v of what was printed:\n%s", problems, printed.String())
		}
	})
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"berthier/mail/local"
)

var (
	findingsField  = regexp.MustCompile(`(?im)^authentication-results[ \t]*:.*\r\n([ \t].*\r\n)*`)
	plainFindings  = regexp.MustCompile(`(?m)^Authentication-Results: mx\.club\.example;.*\r\n([ \t].*\r\n)*`)
	authservBelow  = regexp.MustCompile(`authserv-below: (probed-[0-9a-f]+)`)
	trustedServers = "authserv-id: [mx.club.example], "
)

// A server's word below its own Received is believed only after a letter with forged
// findings, sent to the office itself, has come back without one of them.
func TestDoctorProbe(t *testing.T) {
	own := func(raw []byte) []byte {
		return append([]byte("Received: from [127.0.0.1] by mx.club.example\r\nAuthentication-Results: mx.club.example; spf=none\r\n"), raw...)
	}
	for _, c := range []struct {
		name    string
		receive func(raw []byte) []byte
		says    string
		granted bool
	}{
		{"a server that takes all away", func(raw []byte) []byte { return own(findingsField.ReplaceAll(raw, nil)) }, "ok    findings: forged findings were removed; the server's own stand below its Received", true},
		{"a server that leaves them", own, "warn  findings: forged findings came back, 16 of them", false},
		{"a server that takes the plain ones away", func(raw []byte) []byte { return own(plainFindings.ReplaceAll(raw, nil)) }, "warn  findings: forged findings came back", false},
		{"a server that takes them away at the top only", func(raw []byte) []byte {
			head, rest, _ := bytes.Cut(raw, []byte("Received:"))
			return own(append(findingsField.ReplaceAll(head, nil), append([]byte("Received:"), rest...)...))
		}, "warn  findings: forged findings came back", false},
		{"a server that loses it", nil, "fail  findings: the letter that was sent to the office itself has not come back", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			options := local.Options{Receive: c.receive}
			if c.receive == nil {
				options.Receive = func([]byte) []byte { return []byte("Subject: something else\r\n\r\nx\r\n") }
			}
			host, file, _ := siteWith(t, options, "")
			change := func(old, now string) {
				t.Helper()
				text, err := os.ReadFile(file)
				if err != nil || !strings.Contains(string(text), old) {
					t.Fatalf("no %q: %v", old, err)
				}
				if err := os.WriteFile(file, []byte(strings.Replace(string(text), old, now, 1)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			change("imap: {", "imap: {"+trustedServers)
			doctor := func(args ...string) (int, string) {
				var out bytes.Buffer
				code := run(t.Context(), append([]string{"doctor", "-c", file, "--timeout", "3s"}, args...), &out, &out)
				return code, out.String()
			}
			if _, text := doctor(); strings.Contains(text, "findings") || host.Count("office@club.example", "INBOX") != 0 {
				t.Errorf("a letter went out unasked: %s", text)
			}
			_, text := doctor("--probe")
			if !strings.Contains(text, c.says) {
				t.Errorf("no %q in\n%s", c.says, text)
			}
			found := authservBelow.FindStringSubmatch(text)
			if (found != nil) != c.granted {
				t.Fatalf("granted %v:\n%s", found != nil, text)
			}
			if found == nil {
				found = []string{"", "probed-0123456789ab"}
			}
			change(trustedServers, trustedServers+"authserv-below: "+found[1]+", ")
			var out bytes.Buffer
			code := run(t.Context(), []string{"config", "check", "-c", file}, &out, &out)
			if granted := code == 0; granted != c.granted || !strings.Contains(out.String(), "probed-") {
				t.Errorf("the key is taken: %v\n%s", granted, out.String())
			}
			if !c.granted {
				return
			}
			if code, text := doctor("--probe"); code != 0 || authservBelow.MatchString(text) {
				t.Errorf("probed again: %d\n%s", code, text)
			}
			change("[mx.club.example]", "[mx.club.example, mail.club.example]")
			if code, text := doctor("--probe"); code == 0 || !strings.Contains(text, "is not the code that a probe") {
				t.Errorf("the code holds for another server: %s", text)
			}
		})
	}
}

// The public key of an administrator, for games whose letters are to be signed, is read
// from its file; a file that holds no such key is refused with its line.
func TestAdministratorsPublicKey(t *testing.T) {
	_, file, _ := site(t, "")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(filepath.Dir(file), "anna.asc")
	config := strings.Replace(string(text), "address: office@club.example}", "address: office@club.example, administrators: [{address: anna@club.example, pgp-key-file: anna.asc}]}", 1)
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	_, public, _ := strings.Cut(newPGP(t, "anna@club.example").public(t, ""), "|\n")
	for name, c := range map[string]struct {
		text string
		good bool
	}{"a key": {strings.ReplaceAll(public, "\n  ", "\n")[2:], true}, "no key": {"-----BEGIN PGP PUBLIC KEY BLOCK-----\n", false}} {
		if err := os.WriteFile(key, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		conf, err := loadConfig(file)
		switch {
		case c.good && (err != nil || conf.Office.Administrators[0].PGP != c.text):
			t.Errorf("%s: %v", name, err)
		case !c.good && (err == nil || !strings.Contains(err.Error(), "config.pgp-key") && !strings.Contains(err.Error(), "OpenPGP public key")):
			t.Errorf("%s: %v", name, err)
		}
	}
}

package mail_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

// floodingServer is an IMAP server, or somebody in its place, whose answer to one
// command never ends.
func floodingServer(t *testing.T, command, flood string) (dial mail.Dialer) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				out, lines := bufio.NewWriter(conn), bufio.NewScanner(conn)
				say := func(format string, args ...any) { fmt.Fprintf(out, format+"\r\n", args...); out.Flush() }
				say("* OK [CAPABILITY IMAP4rev1 IDLE MOVE UIDPLUS] ready")
				for lines.Scan() {
					tag, rest, _ := strings.Cut(lines.Text(), " ")
					rest = strings.ToUpper(rest)
					if strings.HasPrefix(rest, command) {
						if command == "IDLE" {
							say("+ idling")
						}
						for {
							if _, err := io.WriteString(conn, flood); err != nil {
								return
							}
						}
					}
					switch {
					case rest == "CAPABILITY":
						say("* CAPABILITY IMAP4rev1 IDLE MOVE UIDPLUS")
					case strings.HasPrefix(rest, "LIST"):
						name := strings.Trim(rest[strings.LastIndex(rest, " ")+1:], `"`)
						say(`* LIST () "/" %s`, strings.ToUpper(name[:1])+strings.ToLower(name[1:]))
					case strings.HasPrefix(rest, "SELECT"):
						say("* 1 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 2] x\r\n* FLAGS ()")
					case strings.HasPrefix(rest, "UID SEARCH"):
						say("* SEARCH 1")
					case strings.HasPrefix(rest, "UID FETCH") && strings.Contains(rest, "RFC822.SIZE"):
						say(`* 1 FETCH (UID 1 RFC822.SIZE 100 INTERNALDATE "02-Mar-2026 09:00:00 +0000")`)
					}
					say("%s OK done", tag)
				}
			}()
		}
	}()
	return func(ctx context.Context) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", l.Addr().String())
	}
}

// An answer without an end costs no more memory than one that a server may give: the
// connection is given up, and the reason told.
func TestMailboxEndlessAnswers(t *testing.T) {
	list := strings.Repeat("* LIST () \"/\" \"A folder among many others\"\r\n", 500)
	for name, c := range map[string]struct{ command, flood string }{
		"a list":        {"LIST", list},
		"a search":      {"UID SEARCH", "* SEARCH" + strings.Repeat(" 4294967295", 5000) + "\r\n"},
		"a line":        {"UID SEARCH", strings.Repeat("9", 1<<16)},
		"sizes":         {"UID FETCH", strings.Repeat("* 1 FETCH (UID 1 RFC822.SIZE 100)\r\n", 500)},
		"letters":       {"UID FETCH 1 (UID BODY", "* 1 FETCH (UID 1 BODY[] {1000000}\r\n" + strings.Repeat("a", 1000000) + ")\r\n"},
		"while waiting": {"IDLE", strings.Repeat("* 1 EXISTS\r\n", 500)},
		"a login":       {"LOGIN", "* OK " + strings.Repeat("x", 1<<16)},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			limit := 5 * time.Minute // on a busy machine the flood comes slowly
			if name == "while waiting" {
				limit = 8 * time.Second // it never ends
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			told := make(chan error, 100)
			box := &mail.Mailbox{Config: mail.IMAPConfig{
				Security: mail.SecurityNone, Dial: floodingServer(t, c.command, c.flood), Username: "office", Password: "x", Timeout: 4 * time.Minute, RetryMin: time.Hour,
				OnHealth: func(h mail.Health) {
					if h.LastError != nil {
						select {
						case told <- h.LastError:
						default:
						}
					}
				},
			}}
			go box.Run(ctx, func(context.Context, mail.Incoming) (mail.Folder, error) { return mail.Processed, nil })
			select {
			case err := <-told:
				if text := err.Error(); !strings.Contains(text, "longer than anything") && name != "letters" && name != "while waiting" {
					t.Errorf("told %q", text)
				}
			case <-ctx.Done():
				if name != "while waiting" { // what comes then is only looked at
					t.Error("the connection is not given up")
				}
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 400<<20 {
				t.Errorf("the heap grew by %d MiB", grown>>20)
			}
		})
	}
}

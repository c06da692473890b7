package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"slices"
	"strings"
	"testing"
)

// A scripted is an SMTP server that says what the test wants, and writes down what it hears: for
// letters their text in one piece.
type scripted struct {
	offers  []string          // extensions
	answers map[string]string // by the first word of a command, or "." for the end of a letter
	heard   chan string
}

// dial is a connection to the server.
func (s *scripted) dial(context.Context) (net.Conn, error) {
	ours, its := net.Pipe()
	go s.serve(textproto.NewConn(its))
	return ours, nil
}

func (s *scripted) serve(c *textproto.Conn) {
	defer c.Close()
	say := func(text string) { _ = c.PrintfLine("%s", text) }
	say("220 here")
	for {
		line, err := c.ReadLine()
		if err != nil {
			return
		}
		word, _, _ := strings.Cut(line, " ")
		answer := s.answers[word]
		s.heard <- line
		switch {
		case word == "EHLO":
			say("250-here")
			for _, o := range s.offers {
				say("250-" + o)
			}
			say("250 8BITMIME")
		case word == "DATA" && answer == "":
			say("354 go on")
			text, err := c.ReadDotBytes()
			if err != nil {
				return
			}
			s.heard <- fmt.Sprintf("%q", text)
			if answer = s.answers["."]; answer == "" {
				answer = "250 taken"
			}
			say(answer)
		case answer != "":
			say(answer)
		default:
			say("250 fine")
		}
	}
}

// What is refused is told with its place, whether the commands go out one by one or at once; a letter
// that is refused before its text is never said; and the next one goes over the same connection.
func TestPipelining(t *testing.T) {
	for _, offers := range [][]string{nil, {"PIPELINING"}, {"PIPELINING", "DSN", "SIZE 1000000"}} {
		for _, c := range []struct {
			name, at, answer string
			stage            string
			code             int
			enhanced         string
		}{
			{name: "taken"},
			{name: "writer refused", at: "MAIL", answer: "550 5.7.1 not you", stage: "mail", code: 550, enhanced: "5.7.1"},
			{name: "recipient refused, letter awaited", at: "RCPT", answer: "450 4.2.0 not now", stage: "rcpt", code: 450, enhanced: "4.2.0"},
			{name: "recipient refused, letter refused", at: "RCPT DATA", answer: "550 nobody", stage: "rcpt", code: 550},
			{name: "command refused", at: "DATA", answer: "451 4.3.0 busy", stage: "data", code: 451, enhanced: "4.3.0"},
			{name: "letter refused", at: ".", answer: "554 5.6.0 spam", stage: "data", code: 554, enhanced: "5.6.0"},
			{name: "mailbox elsewhere", at: "RCPT", answer: "251 forwarded"},
		} {
			t.Run(fmt.Sprintf("%d extensions, %s", len(offers), c.name), func(t *testing.T) {
				server := &scripted{offers: offers, answers: map[string]string{}, heard: make(chan string, 1000)}
				for _, word := range strings.Fields(c.at) {
					server.answers[word] = c.answer
				}
				dials := 0
				out := &SMTP{Config: SMTPConfig{Dial: func(ctx context.Context) (net.Conn, error) { dials++; return server.dial(ctx) }, Security: SecurityNone}}
				defer out.Close()
				send := func(text string) (heard []string, err error) {
					err = out.Send(t.Context(), "a@play.example", "b@play.example", []byte("Subject: s\r\n\r\n"+text+"\r\n"))
					for len(server.heard) > 0 {
						heard = append(heard, <-server.heard)
					}
					return heard, err
				}
				heard, err := send(".one\r\ntwo")
				var e *SendError
				switch {
				case c.stage == "":
					if want := `"Subject: s\n\n.one\ntwo\n"`; err != nil || heard[len(heard)-1] != want {
						t.Fatalf("%v, heard %q", err, heard)
					}
				case !errors.As(err, &e) || e.Stage != c.stage || e.Code != c.code || e.Enhanced != c.enhanced:
					t.Fatalf("%v, heard %q", err, heard)
				case c.at != "." && slices.ContainsFunc(heard, func(line string) bool { return strings.Contains(line, "one") }):
					t.Errorf("the letter is said: %q", heard)
				}
				clear(server.answers)
				if heard, err := send("again"); err != nil || dials != 1 || heard[len(heard)-1] != `"Subject: s\n\nagain\n"` {
					t.Errorf("the next letter: %v, %d connections, heard %q", err, dials, heard)
				}
			})
		}
	}
}

// Where the server offers it, what stands before a letter goes out in one packet.
func TestPipelinedAtOnce(t *testing.T) {
	server := &scripted{offers: []string{"PIPELINING"}, heard: make(chan string, 1000)}
	var counted *countedConn
	out := &SMTP{Config: SMTPConfig{Security: SecurityNone, Dial: func(ctx context.Context) (net.Conn, error) {
		c, err := server.dial(ctx)
		counted = &countedConn{Conn: c}
		return counted, err
	}}}
	defer out.Close()
	for range 2 {
		if err := out.Send(t.Context(), "a@play.example", "b@play.example", []byte("Subject: s\r\n\r\nfine\r\n")); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"EHLO", "MAIL RCPT DATA", "Subject:", ".", "MAIL RCPT DATA", "Subject:", "."}; !slices.Equal(counted.written, want) {
		t.Errorf("written %q, want %q", counted.written, want)
	}
}

// A countedConn writes down the first words of what is written at once: all of commands, one of a letter.
type countedConn struct {
	net.Conn
	written []string
}

// Write implements [net.Conn].
func (c *countedConn) Write(b []byte) (int, error) {
	var words []string
	for line := range strings.SplitSeq(strings.TrimSpace(string(b)), "\r\n") {
		word, _, _ := strings.Cut(line, " ")
		if words = append(words, word); word == "Subject:" {
			break
		}
	}
	c.written = append(c.written, strings.Join(words, " "))
	return c.Conn.Write(b)
}

package adjudicator

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/tally"
	"berthier/mail"
)

// machineMarks are the fields by which a letter is known to be a machine's.
var machineMarks = regexp.MustCompile(`(?im)^(auto-submitted|x-auto-response-suppress|x-berthier-loop|precedence|list-[a-z]+|return-path|message-id):.*\r?\n([ \t].*\r?\n)*`)

// unmarked is a letter as a relay leaves it that takes every such field away, and
// gives it another Message-ID.
func unmarked(raw []byte, id string) []byte {
	head, body, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
	head = machineMarks.ReplaceAll(append(bytes.Clone(head), "\r\n"...), nil)
	return append(append([]byte("Message-ID: <"+id+">\r\n"), head...), append([]byte("\r\n"), body...)...)
}

// Robots answer every letter, without any mark, in all the ways in which programs
// do: the exchange ends after a set number of letters, and the players' next orders
// are answered.
func TestRobotsWithoutMarks(t *testing.T) {
	withoutRace(t)
	quoted := func(text string) string { return "> " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n> ") }
	for name, say := range map[string]func(p posted) string{
		"vacation":      func(posted) string { return "I am away until Easter.\n" },
		"empty":         func(posted) string { return "" },
		"quotes":        func(p posted) string { return "I am away until Easter.\n\n" + quoted(p.letter.Parts[0].Text) + "\n" },
		"echoes":        func(p posted) string { return p.letter.Parts[0].Text },
		"echoes a file": func(p posted) string { return file(p.letter) },
		"asks": func(p posted) string {
			if at := strings.Index(p.letter.Parts[0].Text, "key: "); at >= 0 {
				return "game: lot-1\n" + p.letter.Parts[0].Text[at:][:len("key: AAAA-AAAA")] + "\ncommand: status\n"
			}
			return "command: status\n"
		},
		"needs help": func(posted) string { return "command: help\n" },
	} {
		for _, threads := range []bool{true, false}[:unraced(2)] {
			robots(t, fmt.Sprintf("%s, threads %t", name, threads), threads, say)
		}
	}
}

// robots plays a game in which all who take part are robots.
func robots(t *testing.T, name string, threads bool, say func(p posted) string) {
	t.Run(name, func(t *testing.T) {
		h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 6 })
		h.newGame(strings.Replace(twoSides, "deadline: 3d", "deadline: none", 1))
		read, got, lately := 0, map[string]int{}, map[string]int{}
		for poll := range 3000 { // five months
			h.clock.move(time.Hour + 13*time.Minute)
			h.flush()
			for _, p := range h.post.sent[read:] {
				read++
				got[p.to]++
				if poll > 2000 {
					lately[p.to]++
				}
				head := map[string]string{"Subject": "Re: " + p.letter.Subject, "Date": h.clock.Now().Format(time.RFC1123Z),
					"Message-ID": fmt.Sprintf("<%d.%d@robot.example>", poll, read)}
				if threads {
					head["In-Reply-To"] = "<" + p.letter.MessageID + ">"
				}
				h.arrive(rawLetter(p.to, head, say(p)))
			}
		}
		t.Log(got)
		for to, n := range lately {
			t.Errorf("%s still gets letters after months: %d of %d", to, n, got[to])
		}
		// A player has an exchange for each letter with his key and one
		// without, and the games' own letters; the game master five times that.
		for to, most := range map[string]int{redAt: 40, blueAt: 40, gmAt: 130} {
			if got[to] > most {
				t.Errorf("%s got %d letters", to, got[to])
			}
		}
		if h.record("lot-1").Phase != game.Running {
			return // the robots have played it to its end, by defaults
		}
		h.write(redAt, fill(h.template(redAt), "{bid: R-3}"), mail.Processed)
		if l := h.deliver(redAt); len(l) == 0 || !strings.Contains(wordsOf(l[len(l)-1]), "R-3") {
			t.Error("orders are not answered any more")
		}
	})
}

// Two offices have each other as player, and what lies between them takes every
// mark of a machine away: they stop writing to each other.
func TestTwoOfficesWithoutMarks(t *testing.T) {
	const other = "orders@other.example"
	first := newTestOffice(t)
	second := newTestOffice(t, func(h *testOffice) { h.opt.From.Addr, h.clock = other, first.clock; h.opt.Clock = first.clock })
	first.newGame(strings.Replace(strings.Replace(twoSides, redAt, other, 1), "deadline: 3d", "deadline: none", 1))
	second.newGame(strings.Replace(strings.Replace(twoSides, redAt, "orders@club.example", 1), "deadline: 3d", "deadline: none", 1))
	offices := map[string]*testOffice{"orders@club.example": first, other: second}
	read, got, lately := map[*testOffice]int{}, 0, 0
	for poll := range 2000 {
		first.clock.move(7 * time.Minute)
		for from, h := range offices {
			h.flush()
			for _, p := range h.post.sent[read[h]:] {
				read[h]++
				to := offices[p.to]
				if to == nil {
					continue
				}
				got++
				if poll > 1000 {
					lately++
				}
				to.arrive(unmarked(p.raw, fmt.Sprintf("%d.%d@%s", poll, read[h], from)))
			}
		}
	}
	if lately > 0 || got > 60 {
		t.Errorf("%d letters between the offices, %d of them after days", got, lately)
	}
	t.Logf("%d letters between the offices", got)
}

// A player who only asks, again and again, is told that he gets no more answers, and so is the
// game master. New orders are answered, and after them everything else is answered again.
func TestExchangeEnds(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 6 })
	h.newGame(twoSides)
	h.deliver(redAt)
	h.deliver(gmAt)
	ask := func() int {
		h.clock.move(time.Hour)
		h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
		return len(h.deliver(redAt))
	}
	for n := range tally.LongestTalk * 6 {
		if got := ask(); got != 1 {
			t.Fatalf("letter %d has %d answers", n, got)
		}
	}
	h.silent(gmAt)
	h.clock.move(time.Hour)
	h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
	h.says(h.one(h.deliver(redAt)), "No more answers")
	h.says(h.one(h.deliver(gmAt)), "No more answers", "letters of red")
	for range 5 {
		if n := ask(); n != 0 {
			t.Fatalf("%d answers", n)
		}
	}
	h.silent(gmAt)
	h.write(redAt, fill(h.template(redAt), "{bid: R-2}"), mail.Processed)
	h.says(h.one(h.deliver(redAt)), "bid: R-2")
	if n := ask(); n != 1 {
		t.Errorf("%d answers after new orders", n)
	}
	h.silent(gmAt)
}

//go:build e2e

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/engine"
	"berthier/mail"
)

// A leaguePlayer is somebody of the club, with a mailbox at Dovecot.
type leaguePlayer struct {
	*remotePlayer
	key string
}

// says sends a letter through Exim.
func (p *leaguePlayer) says(text string) {
	p.t.Helper()
	p.sent++
	p.submit(p.address, onTop.write(envelope{from: p.address, name: string(p.side), to: "office@" + domain, subject: "league",
		messageID: fmt.Sprintf("%s.%d@club.%s", p.side, p.sent, domain), date: time.Now()}, text, ""))
}

// gets waits for a letter that says something, in its subject or its text.
func (p *leaguePlayer) gets(what string) *mail.Letter {
	p.t.Helper()
	for _, l := range p.all {
		if strings.Contains(l.Subject+"\n"+quotedText(l), what) {
			return l
		}
	}
	for {
		if l := p.nextLetter(); strings.Contains(l.Subject+"\n"+quotedText(l), what) {
			return l
		}
	}
}

// back sends back the lines that a letter asks for, from its first line that begins with some word on.
func (p *leaguePlayer) back(l *mail.Letter, from string) {
	p.t.Helper()
	text := quotedText(l)
	i := strings.Index(text, from)
	if i < 0 {
		p.t.Fatalf("%s: no %q in\n%s", p.side, from, text)
	}
	var lines []string
	for _, line := range strings.Split(text[i:], "\n") {
		if line = strings.TrimSpace(line); !strings.Contains(line, ": ") {
			break
		}
		lines = append(lines, line)
	}
	p.says(strings.Join(lines, "\n") + "\n")
}

var (
	memberKey = regexp.MustCompile(`key: ([A-Z2-9]{4}-[A-Z2-9]{4})`)
	leagueOf  = `league: aquila
title: The league of the test
secretaries: [ben@` + domain + `]
open: anybody
seasons: {start: 2030-01-10, enter-until: 2030-01-05}
deadlines: {steady: 4d}
divisions:
  - {id: first, size: 2, system: napoleon, template: games.yaml}
  - {id: second, size: 2, system: enemy-mistakes, template: short.yaml}
withdraw: {under: 0}
umpires: {of: [umpire@` + domain + `]}
`
)

// A league through Dovecot and Exim: members join and enter by letter and confirm their addresses, the secretary begins
// the season by letter, the round of one division is played to its result by letters of its players; in the other one somebody withdraws and a substitute takes over, the umpire rules, the table has
// the result, also after the daemon was killed, and the week's letter comes.
func TestEndToEndLeague(t *testing.T) {
	s := startServers(t, "office", "gm", "ben", "ada", "bea", "cara", "dora", "eva", "umpire")
	e := newEndToEnd(t, s)
	text, err := os.ReadFile(e.config)
	if err != nil {
		t.Fatal(err)
	}
	e.write("berthier.yaml", strings.Replace(string(text), "  answers-per-hour: 1000\n", "  answers-per-hour: 1000\n  members: anybody\n", 1))
	e.write("league.yaml", leagueOf)
	e.write("games.yaml", "options: {setup: free}\nsecond-thoughts: none\n")
	e.write("short.yaml", "options: {game: free, last-turn: 1}\nsecond-thoughts: none\n")
	e.berthier("league", "check", e.file("league.yaml"))
	e.serve()
	e.berthier("league", "new", "-c", e.config, e.file("league.yaml"))
	e.berthier("league", "announce", "-c", e.config, "aquila", "--yes")
	e.berthier("league", "open", "-c", e.config, "aquila", "--yes")
	people := map[string]*leaguePlayer{}
	for _, name := range []string{"ben", "ada", "bea", "cara", "dora", "eva", "umpire"} {
		people[name] = &leaguePlayer{remotePlayer: e.player(engine.Side(name))}
	}
	ben, ada, bea, cara := people["ben"], people["ada"], people["bea"], people["cara"]
	ben.says("command: join\nname: Ben\n")
	for _, name := range []string{"ada", "bea", "cara"} {
		people[name].says("command: enter\nleague: aquila\nname: " + strings.ToUpper(name[:1]) + name[1:] + "\n")
	}
	dora, eva := people["dora"], people["eva"]
	for _, p := range []*leaguePlayer{dora, eva} {
		p.says("command: enter\nleague: aquila\nsystem: enemy-mistakes\nname: " + string(p.side) + "\n")
	}
	for _, p := range []*leaguePlayer{ben, ada, bea, cara, dora, eva} {
		p.back(p.nextLetter(), "command: ")
		welcome := p.gets("key: ")
		p.key = "key: " + memberKey.FindStringSubmatch(quotedText(welcome))[1] + "\n"
		if p != ben {
			p.gets("You have entered")
		}
	}
	for _, act := range []string{"close", "start"} {
		ben.says(ben.key + "command: secretary\nleague: aquila\nact: " + act + "\n")
		shown := ben.gets("act: " + act)
		ben.back(shown, "key: ")
		ben.gets("Done: " + act)
	}
	e.playsOut("aquila-1-2-1", dora, eva)
	e.tableHas("aquila", "second", `1 +M-\d+ (dora|eva) +[12] +1 `)
	e.playsFirstStop(people)
	players, waits := []*leaguePlayer{}, cara // who has no place waits
	for _, p := range []*leaguePlayer{ada, bea, cara} {
		if strings.Contains(quotedText(p.gets("The season of the league aquila begins")), "You wait as a substitute") {
			waits = p
		} else {
			players = append(players, p)
		}
	}
	leaver, stays := players[0], players[1]
	leaver.says(leaver.key + "command: withdraw\nleague: aquila\n")
	leaver.gets("no longer take part")
	offer := waits.gets("is offered to you")
	waits.back(offer, "command: accept")
	if report := waits.gets("[aquila-1-1-1]"); waits.template(report) == nil && !strings.Contains(quotedText(report), "key") {
		t.Errorf("the substitute has no position: %s", report.Subject)
	}
	umpire := people["umpire"]
	made := umpire.gets("[aquila-1-1-1]")
	umpire.key = "key: " + memberKey.FindStringSubmatch(quotedText(made))[1] + "\n"
	umpire.says("game: aquila-1-1-1\n" + umpire.key + "command: rule\noutcome: french\nreason: they hold the field\n")
	umpire.back(umpire.gets("confirm: "), "game: ")
	stays.gets("decided the outcome")
	e.kill() // whether or not the league has taken the result
	e.serve()
	e.tableHas("aquila", "first", `1 +M-\d+ \w+ +2 +1 +1 +0 +0`)
	if out := string(e.berthier("league", "verify", "-c", e.config, "aquila")); !strings.Contains(out, "each result is what the log of its game said") {
		t.Error(out)
	}
	e.kill()
	e.nextWeek()
	e.serve()
	stays.gets("Your week in the league")
	e.opensLetters()
}

// opensLetters opens one letter of each kind that the club has got in a browser, and looks at it as at the letters of games.
func (e *endToEnd) opensLetters() {
	e.t.Helper()
	names, err := filepath.Glob(e.file("got-*.eml"))
	if err != nil {
		e.t.Fatal(err)
	}
	pages, _ := openedKinds(e.t, names)
	if len(pages) < 12 {
		e.t.Errorf("only %d kinds of letters: %q", len(pages), pages)
	}
	(*drawings)(nil).look(e.t, openAll(e.t, pages))
	e.t.Logf("%d kinds of letters: %q", len(pages), pages)
}

// playsFirstStop has whoever owes the first stop of the league's game answer it.
func (e *endToEnd) playsFirstStop(people map[string]*leaguePlayer) {
	e.t.Helper()
	for _, name := range []string{"ada", "bea", "cara"} {
		p := people[name]
		if strings.Contains(quotedText(p.gets("The season of the league aquila begins")), "You wait as a substitute") {
			continue
		}
		for {
			doc := p.template(p.gets("[aquila-1-1-1]"))
			if doc == nil {
				break // the other side is asked first
			}
			file := doc.Root.Clone()
			key := ""
			for _, pair := range file.Pairs {
				if pair.Key.Text == "key" {
					key = pair.Value.Text
				}
			}
			p.says(fmt.Sprintf("game: aquila-1-1-1\nkey: %s\nstop: %d\norders: default\n", key, doc.Stop))
			break
		}
	}
}

// playsOut has members play a game to its end by letters: whoever is asked answers with the default, to each stop once.
func (e *endToEnd) playsOut(id string, players ...*leaguePlayer) {
	e.t.Helper()
	answered, over, began := map[string]bool{}, map[*leaguePlayer]bool{}, time.Now()
	for len(over) < len(players) {
		if time.Since(began) > 2*time.Minute {
			e.t.Fatalf("%s is not over; %d files were sent", id, len(answered))
		}
		for _, p := range players {
			var l *mail.Letter
			select {
			case l = <-p.in:
				p.all = append(p.all, l)
			case <-time.After(20 * time.Millisecond):
				continue
			}
			if !strings.Contains(l.Subject, "["+id+"]") {
				continue
			}
			if strings.Contains(l.Subject, "the game is over") {
				over[p] = true
			}
			doc := p.template(l)
			if doc == nil || answered[fmt.Sprint(p.side, doc.Stop)] {
				continue
			}
			answered[fmt.Sprint(p.side, doc.Stop)] = true
			key := ""
			for _, pair := range doc.Root.Pairs {
				if pair.Key.Text == "key" {
					key = pair.Value.Text
				}
			}
			p.says(fmt.Sprintf("game: %s\nkey: %s\nstop: %d\norders: default\n", id, key, doc.Stop))
		}
	}
	e.t.Logf("%s was played out by %d files in %s", id, len(answered), time.Since(began).Round(100*time.Millisecond))
}

// tableHas waits until the table of a division has a line that begins in some way.
func (e *endToEnd) tableHas(league, division, begins string) {
	e.t.Helper()
	line := regexp.MustCompile("(?m)^" + begins)
	table := func() []byte {
		return e.berthier("league", "table", "-c", e.config, "--division", division, league)
	}
	for began := time.Now(); time.Since(began) < 30*time.Second; <-time.After(200 * time.Millisecond) {
		if line.Match(table()) {
			return
		}
	}
	e.t.Fatalf("the table of %s has no result:\n%s", division, table())
}

// nextWeek has the letters of the week begin now: their time is moved while no daemon runs.
func (e *endToEnd) nextWeek() {
	e.t.Helper()
	st, err := bolt.Open(e.file("berthier.db"), bolt.Options{})
	if err != nil {
		e.t.Fatal(err)
	}
	if err := st.Commit(context.Background(), store.Change{Wake: map[string]time.Time{"=weekly": time.Now().Add(-time.Second)}}); err != nil {
		e.t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		e.t.Fatal(err)
	}
}

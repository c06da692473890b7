package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"berthier/adjudicator"
	"berthier/adjudicator/store/bolt"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/templates"
)

// The league of the demo, which bots play on a clock of its own: a season takes a few seconds.
const (
	demoLeague   = "demo"
	demoTemplate = "games.yaml"
	demoHours    = 6  // between two rounds of letters
	demoRounds   = 16 // days after the last game until its result is final, with some to spare
)

// demoMembers are those of the demo's league, with their languages.
var demoMembers = [][2]string{{"Anna Ferri", "it"}, {"Bernard Clay", "en"}, {"Carla Monti", "it"}, {"David Hill", "en"}}

// A demoClock is a clock that stands still until somebody moves it.
type demoClock struct{ now time.Time }

// Now implements [adjudicator.Clock].
func (c *demoClock) Now() time.Time { return c.now }

// A leagueDemo is an office in this process with a league whose members are bots.
type leagueDemo struct {
	demo
	clock   demoClock
	letters int
	keys    map[string]string // of members, by their addresses
}

// playLeague plays a season of a league and leaves its pages.
func (cmd demoCommand) playLeague(ctx context.Context, c *console) error {
	if cmd.Serve || cmd.Turns > 0 {
		return hinted{errors.New("--league with --serve or --turns"), "leave them out: a season is played to its end"}
	}
	folder, err := demoFolder(cmd.Out)
	if err != nil {
		return err
	}
	d := &leagueDemo{demo: demo{demoCommand: cmd, folder: folder, progress: newProgress(c.err), rules: rulesets[cmd.Game]}, keys: map[string]string{},
		clock: demoClock{time.Date(2027, 1, 10, 9, 0, 0, 0, time.UTC)}}
	if err := d.open(); err != nil {
		return err
	}
	if err = d.season(ctx); err == nil {
		err = d.pages()
	}
	err = errors.Join(err, d.office.close())
	d.progress.end()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, `A season of %d members was played to its end, with %d letters by its players.

The folder %s holds
  pages/       the pages of the league: open pages/index.html in a browser
  league.yaml  what the league was made of, with %s for its games
  berthier.db  the office's database

Play it again: berthier demo --league --seed %d%s
`, len(demoMembers), d.letters, folder, demoTemplate, cmd.Seed, cmd.flags())
	return err
}

// open makes the office.
func (d *leagueDemo) open() error {
	words, err := catalogue()
	if err != nil {
		return err
	}
	chance := d.chance("office")
	base := filepath.Join(d.folder, "berthier.db")
	if err := bolt.Create(base, bolt.Options{Entropy: chance}); err != nil {
		return err
	}
	st, err := bolt.Open(base, bolt.Options{NoSync: true})
	if err != nil {
		return err
	}
	inner, err := adjudicator.New(st, words, []engine.Ruleset{d.rules}, adjudicator.Options{
		From: mail.Address{Name: "Berthier", Addr: demoOffice}, Secret: st.Secret(), Entropy: chance, Clock: &d.clock,
		Version: version(), Log: d.logger(), AnswersPerHour: 1 << 30, JoinByLetter: true,
	})
	if err != nil {
		return errors.Join(err, st.Close())
	}
	d.office = &office{Office: inner, Clerk: inner.Clerk(), store: st, words: words}
	return nil
}

// season plays a season, from the list of members to the seed that is told at its end.
func (d *leagueDemo) season(ctx context.Context) error {
	s := d.office.Secretary()
	var list strings.Builder
	for i, m := range demoMembers {
		fmt.Fprintf(&list, "- {name: %s, address: %s, language: %s, zone: %s}\n", m[0], demoMember(i), m[1], "Europe/Rome")
	}
	people, problems := s.ReadMembers(list.String())
	if len(problems) > 0 {
		return problems
	}
	if _, err := s.AddMembers(ctx, people); err != nil {
		return err
	}
	for i := range demoMembers {
		m, err := s.ShowMember(demoMember(i))
		if err != nil {
			return err
		}
		d.keys[demoMember(i)] = m.Key
	}
	if err := d.makeLeague(ctx); err != nil {
		return err
	}
	if _, err := s.Announce(ctx, demoLeague); err != nil {
		return err
	}
	if err := s.OpenEntries(ctx, demoLeague); err != nil {
		return err
	}
	for i := range demoMembers {
		if err := d.write(ctx, demoMember(i), "key: "+d.keys[demoMember(i)]+"\ncommand: enter\nleague: "+demoLeague+"\n"); err != nil {
			return err
		}
	}
	if err := d.write(ctx, demoMember(0), "key: "+d.keys[demoMember(0)]+"\ncommand: member\npublic-name: yes\n"); err != nil {
		return err
	}
	if _, err := s.CloseEntries(ctx, demoLeague); err != nil {
		return err
	}
	if err := s.Start(ctx, demoLeague); err != nil {
		return err
	}
	if err := d.games(ctx); err != nil {
		return err
	}
	d.clock.now = d.clock.now.AddDate(0, 0, demoRounds)
	if err := d.office.Tick(ctx); err != nil {
		return err
	}
	if _, err := s.End(ctx, demoLeague); err != nil {
		return err
	}
	faults, err := s.VerifyLeague(demoLeague)
	return errors.Join(append(faults, err)...)
}

// demoMember is the address of a member of the demo's league.
func demoMember(i int) string {
	name, _, _ := strings.Cut(strings.ToLower(demoMembers[i][0]), " ")
	return name + "@" + demoDomain
}

// makeLeague makes the league of a set-up, which it leaves in the folder.
func (d *leagueDemo) makeLeague(ctx context.Context) error {
	var template strings.Builder
	fmt.Fprintf(&template, "system: %s\n", d.Game)
	if len(d.Option) > 0 {
		template.WriteString("options:\n")
		for _, name := range sortedKeys(d.Option) {
			fmt.Fprintf(&template, "  %s: %s\n", name, d.Option[name])
		}
	}
	text := fmt.Sprintf(`league: %s
title: A league of the demo
secretaries: [%s]
language: [en, it]
zone: Europe/Rome
open: anybody
seasons: {start: 2027-01-15, enter-until: 2027-01-12, length: 52w}
deadlines: {steady: {usual: 4d}}
divisions:
  - {id: first, size: %d, system: %s, template: %s}
games: {most-at-once: 1}
umpires: {of: [%s]}
ratings: {system: glicko-2, period: 20d}
`, demoLeague, demoGM, len(demoMembers), d.Game, demoTemplate, demoGM)
	for name, content := range map[string]string{"league.yaml": text, demoTemplate: template.String()} {
		if err := os.WriteFile(filepath.Join(d.folder, name), []byte(content), 0o644); err != nil {
			return fmt.Errorf("save set-up: %w", err)
		}
	}
	_, err := d.office.Secretary().NewLeague(ctx, text, map[string]string{demoTemplate: template.String()})
	return err
}

// games plays all games of the season: whoever owes something writes, and then some hours pass.
func (d *leagueDemo) games(ctx context.Context) error {
	for {
		if err := d.office.Tick(ctx); err != nil {
			return err
		}
		v, err := d.office.Secretary().ShowLeague(demoLeague)
		if err != nil {
			return err
		}
		playing, wrote := 0, false
		for _, division := range v.Divisions {
			playing += len(division.Playing)
			for _, id := range division.Playing {
				did, err := d.turn(ctx, id)
				if err != nil {
					return fmt.Errorf("play %s: %w", id, err)
				}
				wrote = wrote || did
			}
			d.progress.count(division.Decided, division.Decided+len(division.Playing), "games")
		}
		if playing == 0 {
			return nil
		}
		if !wrote {
			return fmt.Errorf("nobody owes anything in %d games, and they go on", playing)
		}
		d.clock.now = d.clock.now.Add(demoHours * time.Hour)
	}
}

// turn has each side of a game that owes something write, and tells whether somebody did.
func (d *leagueDemo) turn(ctx context.Context, id string) (wrote bool, err error) {
	details, err := d.office.Show(id)
	if err != nil {
		return false, err
	}
	if details.Fault != "" {
		return false, fmt.Errorf("it stands still: %s", details.Fault)
	}
	for _, seat := range details.Seats {
		if seat.Owes == nil || seat.Answered {
			continue
		}
		looked, err := d.office.Position(id, seat.Side)
		if err != nil {
			return wrote, err
		}
		if looked.Owes == nil {
			continue // the stop has been resolved by what another side wrote
		}
		bot := &player{demo: &d.demo, side: seat.Side}
		answer := bot.decide(looked.View, *looked.Owes, rand.New(d.chance(fmt.Sprintf("%s %s %d", id, seat.Side, looked.Stop))))
		form := orderFile(looked.Template, answer)
		if bot.odd(looked.View, *looked.Owes, answer) {
			form.Set("now", orders.Text("yes"))
		}
		if err := d.write(ctx, seat.Person.Address, form.Encode()); err != nil {
			return wrote, err
		}
		wrote = true
	}
	return wrote, nil
}

// write takes a letter of a member in.
func (d *leagueDemo) write(ctx context.Context, from, file string) error {
	d.letters++
	name, _, _ := strings.Cut(from, "@")
	e := envelope{from: from, name: name, to: demoOffice, subject: "orders", messageID: fmt.Sprintf("%d@%s", d.letters, demoDomain), date: d.clock.now}
	folder, err := d.office.Handle(ctx, mail.Incoming{Raw: onTop.write(e, file, "")})
	if err == nil && folder != mail.Processed {
		err = fmt.Errorf("a letter of %s was not taken in:\n%s", from, file)
	}
	return err
}

// pages writes the pages of the league into the folder.
func (d *leagueDemo) pages() error {
	out := filepath.Join(d.folder, "pages")
	pages, games, err := d.office.Secretary().LeagueSite(demoLeague)
	if err != nil {
		return err
	}
	pages[siteMark] = []byte(demoLeague + "\n")
	for _, id := range games {
		for _, language := range templates.Languages {
			if pages[templates.ArchiveFile(language, id)], err = d.office.PublicArchive(id, language); err != nil {
				return err
			}
		}
	}
	for path, page := range pages {
		if err := putPage(out, path, page); err != nil {
			return err
		}
	}
	return nil
}

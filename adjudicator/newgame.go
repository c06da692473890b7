package adjudicator

import (
	"context"
	"errors"
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/setup"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// ErrExists: there is a game of that id already.
var ErrExists = errors.New("there is a game of that id already")

// ReadSetup reads a set-up file. All faults are reported at once. A file
// without a gm gets the one given, if any.
func (c *Clerk) ReadSetup(text string, gm *log.Person) (*setup.Setup, orders.Problems) {
	return c.office.setReader().Read(text, gm)
}

// setReader reads set-ups for the office.
func (o *Office) setReader() *setup.Reader {
	return &setup.Reader{Systems: o.systems, Names: o.names, Languages: templates.Languages, Repeatable: o.opt.Repeatable, Now: o.now(),
		DKIM: len(o.opt.TrustedServers) > 0 || o.opt.LookupTXT != nil}
}

// NewGame starts a game: every seat gets its first report.
func (c *Clerk) NewGame(ctx context.Context, s *setup.Setup) error {
	return c.office.newGame(ctx, s, nil, store.Change{})
}

func (o *Office) newGame(ctx context.Context, s *setup.Setup, letter *mail.Letter, with store.Change) error {
	release := o.hold(s.Game)
	defer release()
	err := o.read(func(tx store.Reader) error {
		if tx.Game(s.Game) != nil {
			return fmt.Errorf("make game %s: %w", s.Game, ErrExists)
		}
		return nil
	})
	if err != nil {
		return err
	}
	rules := o.systems[s.System]
	if rules == nil {
		return fmt.Errorf("make game %s: the program has no ruleset %q", s.Game, s.System)
	}
	position, err := rules.New(s.Rules)
	if err != nil {
		return fmt.Errorf("make game %s: %w", s.Game, err)
	}
	g, err := o.recordOf(s)
	if err != nil {
		return err
	}
	d := o.desk(&game.Table{Game: g, Rules: rules, Position: position, Views: map[engine.Side]engine.View{}}, g.Created)
	d.Who = operatorOf(ctx).who()
	d.opened, d.also = &opened{Table: d.Table}, with
	people := map[engine.Side]log.Person{}
	for _, side := range position.Sides() {
		p, ok := s.Seats[side]
		if !ok {
			return fmt.Errorf("make game %s: nobody plays %s", s.Game, side)
		}
		g.Seats = append(g.Seats, &game.Seat{Side: side, Person: p})
		people[side] = p
		d.Joined = append(d.Joined, p.Address)
	}
	d.Joined = append(d.Joined, s.GM.Address)
	entry := log.Entry{Kind: log.KindSetup, By: "gm", Data: log.Made{
		Game: g.ID, Title: g.Title, System: g.System, Scenario: g.Scenario, Data: string(s.Rules.Data), Options: g.Options, Timing: g.Timing,
		Silence: g.Silence, Absence: g.Absence, GMPlays: g.GMPlays, Commitment: log.Commitment(g.Seed),
		Scheme: g.Scheme, Words: g.Spelling, Fixed: g.Fixed, Luck: g.Luck != nil, Rules: g.Rules, Program: o.opt.Version,
	}, Private: map[string]any{"seats": people, "gm": g.GM, "reserves": g.Reserves}}
	if letter != nil {
		d.Who = mailbox.Clean(letter.From.Addr)
		entry.Letter = log.HexOf(letter.Digest)
	}
	if err := d.Log(entry); err != nil {
		return err
	}
	if err := d.Do(game.Begun{}); err != nil {
		return err
	}
	d.postGM("notice", letter, o.words.Notice(templates.Notice{
		Heading: d.letters.GMHeading(), Subject: phrase.Say("office.new.subject"),
		Lines:  []phrase.Phrase{phrase.Say("office.new.what"), phrase.Say("office.new.key"), phrase.Say("office.new.commands", phrase.Keywords("commands", gmCommands))},
		Tables: d.letters.Master().Seats(),
		Texts:  []string{orders.Mapping().Set("game", orders.Text(g.ID)).Set("key", orders.Text(o.gmKey(g))).Set("command", orders.Text("show")).Encode()},
	}))
	d.carry()
	last := len(d.rows) - 1
	d.rows = append([]*outbox.Outgoing{d.rows[last]}, d.rows[:last]...) // the game master's goes first
	if err := d.commit(ctx); err != nil {
		return err
	}
	o.cache.Put(g.ID, d.opened)
	o.log.Info("game made", "game", g.ID, "system", g.System)
	return nil
}

// recordOf is the record of a game as a set-up has it, with its seed drawn.
func (o *Office) recordOf(s *setup.Setup) (*game.State, error) {
	g := &game.State{
		ID: s.Game, Title: s.Title, System: s.System, Scenario: s.Rules.Scenario, Options: s.Rules.Options,
		Phase: game.Running, Created: o.now(), GM: s.GM, Timing: s.Timing, Press: s.Press, Seed: s.Seed,
		Silence: s.Silence, Reserves: s.Reserves, Absence: s.Absence, Proof: s.Proof, GMPlays: s.GMPlays,
		Scheme: log.Scheme, Spelling: log.Words, Fixed: s.Seed != nil || o.opt.Repeatable, Rules: o.digest(s.System),
	}
	if s.Luck {
		g.Luck = &game.Luck{}
	}
	if g.Seed == nil {
		g.Seed = make([]byte, 32)
		if err := o.draw(g.Seed); err != nil {
			return nil, err
		}
	}
	return g, nil
}

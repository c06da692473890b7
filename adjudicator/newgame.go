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
	"berthier/templates"
)

// ErrExists: there is a game of that id already.
var ErrExists = errors.New("there is a game of that id already")

// ReadSetup reads a set-up file. All faults are reported at once. A file
// without a gm gets the one given, if any.
func (c *Clerk) ReadSetup(text string, gm *log.Person) (*setup.Setup, orders.Problems) {
	return c.setReader().Read(text, gm)
}

// NewGame starts a game: every seat gets its first report.
func (c *Clerk) NewGame(ctx context.Context, s *setup.Setup) error {
	return c.newGame(ctx, s, nil, store.Change{})
}

func (c *Clerk) newGame(ctx context.Context, s *setup.Setup, letter *mail.Letter, with store.Change) error {
	o := c.office
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
	g, err := s.Record(o.now(), o.opt.Repeatable, o.digest(s.System), o.draw)
	if err != nil {
		return err
	}
	tr := o.transaction(&game.Loaded{Game: g, Rules: rules, Position: position, Views: map[engine.Side]engine.View{}}, g.Created)
	tr.Who = operatorOf(ctx).who()
	tr.opened, tr.also = &opened{Loaded: tr.Loaded}, with
	if err := (club{o}).await(&tr.also, s.Seats); err != nil {
		return err
	}
	for _, side := range position.Sides() {
		p, ok := s.Seats[side]
		if !ok {
			return fmt.Errorf("make game %s: nobody plays %s", s.Game, side)
		}
		g.Seats = append(g.Seats, &game.Seat{Side: side, Person: p})
	}
	begun := game.Begun{Data: string(s.Rules.Data), Program: o.opt.Version}
	if letter != nil {
		tr.Who = mailbox.Clean(letter.From.Addr)
		begun.Letter = log.HexOf(letter.Digest)
	}
	if err := tr.Do(begun); err != nil {
		return err
	}
	if !g.Solo { // whoever plays alone has nobody to look after
		tr.postGM("notice", letter, tr.letters.Master().Made(gmCommands))
		tr.carry()
		last := len(tr.outgoing) - 1
		tr.outgoing = append([]*outbox.Outgoing{tr.outgoing[last]}, tr.outgoing[:last]...) // the game master's goes first
	}
	if err := tr.commit(ctx); err != nil {
		return err
	}
	o.cache.Put(g.ID, tr.opened)
	o.log.Info("game made", "game", g.ID, "system", g.System)
	return nil
}

// setReader reads set-ups for the office.
func (c *Clerk) setReader() *setup.Reader {
	o := c.office
	return &setup.Reader{Systems: o.systems, Names: o.names, Languages: templates.Languages, Repeatable: o.opt.Repeatable, Now: o.now(),
		DKIM: len(o.opt.TrustedServers) > 0 || o.opt.LookupTXT != nil}
}

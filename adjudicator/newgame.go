package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A Made is what a game was made of, as the log keeps it: enough to play it
// again.
type Made struct {
	Game       string            `json:"game"`
	Title      string            `json:"title,omitempty"`
	System     string            `json:"system"`
	Scenario   string            `json:"scenario,omitempty"`
	Data       string            `json:"data,omitempty"` // a scenario file of the user's own
	Options    map[string]string `json:"options,omitempty"`
	Timing     Timing            `json:"timing"`
	Silence    Silence           `json:"silence,omitzero"`
	Absence    time.Duration     `json:"absence,omitempty"`  // how long one player may be away in all
	GMPlays    bool              `json:"gm_plays,omitempty"` // the game master may play in it, and see all the same
	Commitment string            `json:"commitment"`         // SHA-256 of the seed of the dice, hex

	Scheme  int    `json:"dice,omitempty"`    // by which the dice come from the seed; 0: the first
	Words   int    `json:"words,omitempty"`   // what words mean and how answers are written; 0: as before there was a number
	Fixed   bool   `json:"fixed,omitempty"`   // the seed was not drawn by chance: a demo or a test
	Luck    bool   `json:"luck,omitempty"`    // the players' words go into every roll
	Rules   string `json:"rules,omitempty"`   // digest of what decides ([engine.Digest])
	Program string `json:"program,omitempty"` // the version that made the game
}

// ErrExists: there is a game of that id already.
var ErrExists = errors.New("there is a game of that id already")

// NewGame starts a game: every seat gets its first report.
func (o *Office) NewGame(ctx context.Context, s *Setup) error { return o.newGame(ctx, s, nil, nil) }

func (o *Office) newGame(ctx context.Context, s *Setup, letter *mail.Letter, also func(*store.Tx) error) error {
	release := o.hold(s.Game)
	defer release()
	err := o.store.View(func(tx *store.Tx) error {
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
	d := &desk{now: g.Created, who: operatorOf(ctx).who(), table: &table{office: o, game: g, rules: rules, position: position, views: map[engine.Side]engine.View{}}}
	people := map[engine.Side]Person{}
	for _, side := range position.Sides() {
		p, ok := s.Seats[side]
		if !ok {
			return fmt.Errorf("make game %s: nobody plays %s", s.Game, side)
		}
		g.Seats = append(g.Seats, &seat{Side: side, Person: p})
		people[side] = p
		d.joined = append(d.joined, p.Address)
	}
	d.joined = append(d.joined, s.GM.Address)
	entry := Entry{Kind: LogSetup, By: "gm", Data: Made{
		Game: g.ID, Title: g.Title, System: g.System, Scenario: g.Scenario, Data: string(s.Rules.Data), Options: g.Options, Timing: g.Timing,
		Silence: g.Silence, Absence: g.Absence, GMPlays: g.GMPlays, Commitment: commitment(g.Seed),
		Scheme: g.Scheme, Words: g.Words, Fixed: g.Fixed, Luck: g.Luck != nil, Rules: g.Rules, Program: o.opt.Version,
	}, Private: map[string]any{"seats": people, "gm": g.GM, "reserves": g.Reserves}}
	if letter != nil {
		d.who = foldAddress(letter.From.Addr)
		entry.Letter = hexOf(letter.Digest)
	}
	if err := d.note(entry); err != nil {
		return err
	}
	if err := d.start(); err != nil {
		return err
	}
	d.postGM("notice", letter, o.words.Notice(templates.Notice{
		Heading: d.gmHeading(), Subject: phrase.Say("office.new.subject"),
		Lines:  []phrase.Phrase{phrase.Say("office.new.what"), phrase.Say("office.new.key"), phrase.Say("office.new.commands", phrase.Keywords("commands", gmCommands))},
		Tables: d.firstTable(),
		Texts:  []string{orders.Mapping().Set("game", orders.Text(g.ID)).Set("key", orders.Text(o.gmKey(g))).Set("command", orders.Text("show")).Encode()},
	}))
	last := len(d.rows) - 1
	d.rows = append([]*row{d.rows[last]}, d.rows[:last]...) // the game master's goes first
	if err := d.commit(ctx, func(tx *store.Tx) error {
		if tx.Game(g.ID) != nil {
			return fmt.Errorf("make game %s: %w", g.ID, ErrExists)
		}
		if also != nil {
			return also(tx)
		}
		return nil
	}); err != nil {
		return err
	}
	o.cache.put(g.ID, d.table)
	o.log.Info("game made", "game", g.ID, "system", g.System)
	return nil
}

// recordOf is the record of a game as a set-up has it, with its seed drawn.
func (o *Office) recordOf(s *Setup) (*game, error) {
	g := &game{
		ID: s.Game, Title: s.Title, System: s.System, Scenario: s.Rules.Scenario, Options: s.Rules.Options,
		Phase: running, Created: o.now(), GM: s.GM, Timing: s.Timing, Press: s.Press, Seed: s.Seed,
		Silence: s.Silence, Reserves: s.Reserves, Absence: s.Absence, Proof: s.Proof, GMPlays: s.GMPlays,
		Scheme: schemeNow, Words: wordsNow, Fixed: s.Seed != nil || o.opt.Repeatable, Rules: o.digest(s.System),
	}
	if s.Luck {
		g.Luck = &luck{}
	}
	if g.Seed == nil {
		g.Seed = make([]byte, 32)
		if err := o.draw(g.Seed); err != nil {
			return nil, err
		}
	}
	return g, nil
}

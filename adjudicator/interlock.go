package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/report"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/orders/phrase"
)

// The interlocks keep games from being played on by defaults when the fault may
// be the office's: it was down, its mailbox could not be read, its clock jumped,
// or so many players are silent at once that their letters, or the office's, may
// be lost. Nothing is then resolved by default until one whole grace has passed
// since everything was in order again and the mailbox was read. The game masters are told
// the reason, in one letter each, and may release a game at once.
//
// They work in an office that watches a mailbox, as [Office.Run] does, and in
// every process that opens its store later: a command on the command line must
// not pass deadlines while the daemon is down.

// Reasons why defaults are held back.
const (
	heldDown    = "down"    // the office was not running
	heldMailbox = "mailbox" // the mailbox could not be read
	heldClock   = "clock"   // the clock jumped
	heldSilence = "silence" // too many players were silent at once
)

// alert writes to a game master about more than one game.
func (o *Office) alert(p log.Person, subject phrase.Phrase, texts []string, lines ...phrase.Phrase) *outbox.Outgoing {
	letter := o.letters.Outside(p, o.now()).Alert(subject, texts, lines...)
	r := &outbox.Outgoing{Kind: "alert", Name: p.Name, Address: p.Address, Written: o.now(), Letter: &letter}
	r.Answers(nil, o.box.Thread("", engine.Side(p.Address), 0))
	return r
}

// queue commits a change of no game, with letters.
func (o *Office) queue(ctx context.Context, c store.Change, outgoing ...*outbox.Outgoing) error {
	if err := o.box.Enqueue(ctx, &c, o.now(), outgoing...); err != nil {
		return err
	}
	if err := o.store.Commit(ctx, c); err != nil {
		return fmt.Errorf("queue letters of no game: %w", err)
	}
	if len(outgoing) > 0 {
		signal(o.post)
	}
	return nil
}

// whoReleases gives who is told that defaults of a game are held back, and the key with which he lets them go: the game master
// or, if he plays and may not know who is late, the first who may; nobody if there is none.
func (tr *transaction) whoReleases() (log.Person, string, error) {
	if _, blind := tr.Blind(tr.Game.GM.Address); !blind {
		return tr.Game.GM, tr.office.keys.GM(tr.Game), nil
	}
	for _, p := range game.Wardens(tr.Game, tr.Masters) {
		key, err := tr.keyOf(&p)
		return p, key, err
	}
	return log.Person{}, "", nil
}

// holdAll holds back the defaults of all games that are at risk, or of those that are
// named, and tells each game master in one letter.
func (w *watch) holdAll(ctx context.Context, why string, since, well time.Time, only []string) error {
	o := w.office
	masters := map[string]log.Person{}
	ids, err := w.atRisk(well, only)
	if err != nil {
		return err
	}
	type held struct {
		id, key string
		until   time.Time
	}
	games := map[string][]held{}
	var errs []error
	for _, id := range ids {
		var until time.Time
		var master log.Person
		var key string
		err := o.guarded(func() error {
			return o.changeAgain(ctx, id, func(tr *transaction) error {
				until = time.Time{}
				risky := slices.DeleteFunc(slices.Clone(tr.Game.Seats), func(s *game.Seat) bool { return !game.AtRisk(tr.Game, s, well, tr.Grace) })
				if err := tr.Do(game.HeldBack{Why: why, Since: since, Well: well}); err != nil {
					return err
				}
				for _, s := range risky {
					if s.Owes.Held == why && s.Owes.Late.After(until) {
						until = s.Owes.Late
					}
				}
				var err error
				master, key, err = tr.whoReleases()
				return err
			})
		})
		switch {
		case errors.Is(err, store.ErrClosed), ctx.Err() != nil:
			return err
		case errors.Is(err, game.ErrUnfit), errors.Is(err, game.ErrPanic): // a game that can't be taken up can't be resolved either
			o.log.Error("default not held back", "game", id, "error", err)
		case err != nil: // another moment it could be resolved
			errs = append(errs, fmt.Errorf("hold back the defaults of %s: %w", id, err))
		case !until.IsZero() && master.Address != "":
			masters[master.Address] = master
			games[master.Address] = append(games[master.Address], held{id, key, until})
		}
	}
	var outgoing []*outbox.Outgoing
	for _, address := range slices.Sorted(maps.Keys(masters)) {
		p := masters[address]
		lines := []phrase.Phrase{phrase.Say("office.held."+why, phrase.Within("since", o.letters.Moment(p, since)), phrase.Within("well", o.letters.Moment(p, well))),
			phrase.Say("office.held.what")}
		var texts []string
		for _, g := range games[address] {
			lines = append(lines, phrase.Say("office.held.game", phrase.Literal("game", g.id), phrase.Within("until", o.letters.Moment(p, g.until))))
			texts = append(texts, report.ReleaseForm(p.Language, g.id, g.key))
		}
		lines = append(lines, phrase.Say("office.held.do"))
		outgoing = append(outgoing, o.alert(p, phrase.Say("office.held.subject", phrase.Number("n", len(games[address]))), texts, lines...))
	}
	if len(outgoing) > 0 {
		errs = append(errs, o.queue(ctx, store.Change{}, outgoing...))
	}
	return errors.Join(append(errs, ctx.Err())...)
}

// Release lets a game go on that an interlock holds back, or whose deadlines
// have passed while the mailbox can't be read: what was due is resolved at once,
// by default where no answer is in.
func (c *Clerk) Release(ctx context.Context, id string) error {
	return c.act(ctx, id, func(tr *transaction) error { return tr.Do(game.Released{}) })
}

// Bounds of the interlock against many silent players.
const (
	silenceSpan   = 24 * time.Hour // silence is "at once" within this time
	fewestSilent  = 2              // sides of one game
	fewestOverall = 3              // sides of several games
)

// massSilence holds back games in which more than the set share of the sides is
// silent at once, and games that would be resolved by default while that is so in the
// whole office, before deadlines pass up to a moment.
func (w *watch) massSilence(ctx context.Context, upto time.Time) error {
	o := w.office
	w.mu.Lock()
	on := w.on
	w.mu.Unlock()
	if !on {
		return nil
	}
	now := o.now()
	due, err := w.dueByDefault(upto)
	if err != nil || len(due) == 0 {
		return err
	}
	// A game that can't be taken up stays due, and this is checked at each letter: all
	// games must not be counted again because of it.
	ids := make([]string, len(due))
	for i, g := range due {
		ids[i] = g.ID
	}
	games := strings.Join(ids, " ")
	w.mu.Lock()
	age, held := now.Sub(w.counted), w.silent
	same := games == w.due && age >= 0 && age < countAgain
	w.mu.Unlock()
	if !same {
		if held, err = w.tooSilent(upto, due); err != nil {
			return err
		}
		w.mu.Lock()
		w.counted, w.due, w.silent = now, games, held
		w.mu.Unlock()
	}
	if len(held) == 0 {
		return nil
	}
	o.log.Warn("defaults held back", "why", heldSilence, "games", strings.Join(held, " "))
	return w.holdAll(ctx, heldSilence, upto.Add(-silenceSpan), upto, held)
}

// countAgain is how long a count of the silent holds for the same games.
const countAgain = time.Minute

package adjudicator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
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

// A watch is what an office knows about whether it works.
type watch struct {
	office  *Office
	mu      sync.Mutex
	on      bool      // the office watches a mailbox, or did
	read    time.Time // the mailbox was read to its end
	alerted bool      // the game masters know that it can't be read

	// Of this process alone.
	begun  time.Time // since when it has tried to read
	fresh  bool      // it has not read yet
	ticked time.Time // it looked at the clock last
	jumped bool      // the clock jumped since the mailbox was read

	counted time.Time // when the silent players were last counted
	due     string    // games that were then due by default
	silent  []string  // games that were then to be held back
}

// A pulse is the part of a watch that the store keeps.
type pulse struct {
	Read    time.Time `json:"read"`
	Alerted bool      `json:"alerted,omitempty"`
}

// pulseName is the name of the value of the store that holds the pulse.
const pulseName = "pulse"

// until is the moment up to which it is known what has come in.
func (w *watch) until(now time.Time) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.on && w.read.Before(now) {
		return w.read
	}
	return now
}

// load reads the pulse of an office that watched a mailbox before.
func (w *watch) load() error {
	o := w.office
	var data []byte
	if err := o.read(func(tx store.Reader) error { data = tx.Value(pulseName); return nil }); err != nil {
		return err
	}
	if data == nil {
		return nil
	}
	var p pulse
	if err := json.Unmarshal(data, &p); err != nil {
		return fmt.Errorf("read pulse: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.on, w.read, w.alerted, w.fresh = true, p.Read, p.Alerted, true
	return nil
}

// attend begins to watch a mailbox: from now on no deadline passes before the mailbox was
// read.
func (w *watch) attend() {
	o := w.office
	w.mu.Lock()
	defer w.mu.Unlock()
	w.on, w.begun, w.fresh, w.ticked, w.jumped = true, o.now(), true, time.Time{}, false
}

// mailboxRead notes that the mailbox has just been read to its end. If the last time
// was long ago, nothing that was due in between is resolved by default yet.
func (w *watch) mailboxRead(ctx context.Context) error {
	o := w.office
	now := o.now()
	w.mu.Lock()
	since, why := w.read, ""
	last := w.ticked
	w.mu.Unlock()
	if since.IsZero() { // never before, though games may have been made
		oldest := now
		if err := w.eachGame(nil, func(g *game.State) error {
			if g.Created.Before(oldest) {
				oldest = g.Created
			}
			return nil
		}); err != nil {
			return err
		}
		since = oldest
	}
	w.mu.Lock()
	if !last.IsZero() && now.Sub(last) > o.opt.Outage {
		w.jumped = true // the clock has not been looked at since
	}
	gap := now.Sub(since)
	switch {
	case gap < -o.opt.Outage:
		why = heldClock
	case gap > o.opt.Outage && w.fresh:
		why = heldDown
	case gap > o.opt.Outage && w.jumped:
		why = heldClock
	case gap > o.opt.Outage:
		why = heldMailbox
	}
	w.mu.Unlock()
	if why != "" {
		o.log.Warn("defaults held back", "why", why, "since", since, "until", now)
		if err := w.holdAll(ctx, why, since, now, nil); err != nil {
			return err // no deadline passes before this has succeeded
		}
		if err := (leagueClock{o}).holdBack(ctx, since, now); err != nil {
			return err
		}
	}
	if _, err := w.keepPulse(ctx, pulse{Read: now}); err != nil {
		return fmt.Errorf("note that the mailbox was read: %w", err)
	}
	w.mu.Lock()
	w.on, w.read, w.alerted, w.fresh, w.jumped = true, now, false, false, false
	w.mu.Unlock()
	signal(o.wake)
	return nil
}

// clock checks whether the clock has jumped since the last time, and whether the
// mailbox could not be read for so long that the game masters should know.
func (w *watch) clock(ctx context.Context) error {
	o := w.office
	now := o.now()
	w.mu.Lock()
	if !w.on || w.begun.IsZero() {
		w.mu.Unlock()
		return nil
	}
	if last := w.ticked; !last.IsZero() && (now.Sub(last) > o.opt.Outage || last.Sub(now) > o.opt.Outage) {
		w.jumped, w.begun = true, now
	}
	w.ticked = now
	since := w.read
	blind := !since.IsZero() && !w.alerted && now.Sub(since) > o.opt.Blind && now.Sub(w.begun) > o.opt.Blind
	w.mu.Unlock()
	if !blind {
		return nil
	}
	o.log.Error("mailbox not read for long", "since", since)
	people, err := w.gameMasters()
	if err != nil {
		return err
	}
	var outgoing []*outbox.Outgoing
	for _, p := range people {
		outgoing = append(outgoing, o.alert(p, phrase.Say("office.blind.subject"), nil,
			phrase.Say("office.blind.what", phrase.Within("since", o.letters.Moment(p, since))), phrase.Say("office.blind.do")))
	}
	if kept, err := w.keepPulse(ctx, pulse{Read: since, Alerted: true}, outgoing...); err != nil || !kept {
		return err
	}
	w.mu.Lock()
	w.alerted = true
	w.mu.Unlock()
	return nil
}

// keepPulse writes the pulse, with letters to game masters. If the mailbox was read in the
// meantime, it neither notes that it can't be read nor tells anybody.
func (w *watch) keepPulse(ctx context.Context, p pulse, outgoing ...*outbox.Outgoing) (kept bool, err error) {
	o := w.office
	data, err := json.Marshal(p)
	if err != nil {
		return false, fmt.Errorf("write pulse: %w", err)
	}
	err = store.Again(ctx, func() error {
		var c store.Change
		was, err := o.valueOf(&c, pulseName)
		if err != nil {
			return err
		}
		var before pulse
		if p.Alerted && json.Unmarshal(was.Data, &before) == nil && !before.Read.Equal(p.Read) {
			return nil
		}
		was.Data = data
		c.PutValue(pulseName, was)
		kept = true
		return o.queue(ctx, c, outgoing...)
	})
	return kept && err == nil, err
}

// valueOf gives the value that a change is about to write, or else the one that is kept.
func (o *Office) valueOf(c *store.Change, name string) (n store.Value, err error) {
	err = o.read(func(tx store.Reader) error {
		n = c.ValueIn(tx, name)
		return nil
	})
	return n, err
}

// gameMasters are the game masters of all running games and those who may make
// games, each address once, by address.
func (w *watch) gameMasters() ([]log.Person, error) {
	o := w.office
	all := map[string]log.Person{}
	err := w.eachGame(nil, func(g *game.State) error {
		all[g.GM.Address] = g.GM
		return nil
	})
	for _, p := range o.opt.GMs {
		all[p.Address] = p
	}
	var people []log.Person
	for _, address := range slices.Sorted(maps.Keys(all)) {
		people = append(people, all[address])
	}
	return people, err
}

// eachGame calls f with the record of every game whose clock runs, or of those that are
// named. A game that can't be read is left out: it must not keep the others waiting.
func (w *watch) eachGame(only []string, f func(*game.State) error) error {
	o := w.office
	return o.read(func(tx store.Reader) error {
		each := func(id string, record []byte) error {
			g, err := game.Read(record)
			if err != nil {
				o.log.Error("record not readable", "game", id, "error", err)
				return nil
			}
			if g.Phase != game.Running || !g.Paused.IsZero() {
				return nil
			}
			return f(g)
		}
		if only == nil {
			return tx.Games(each)
		}
		for _, id := range only {
			if err := each(id, tx.Game(id)); err != nil {
				return err
			}
		}
		return nil
	})
}

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

// holdAll holds back the defaults of all games that are at risk, or of those that are
// named, and tells each game master in one letter.
func (w *watch) holdAll(ctx context.Context, why string, since, well time.Time, only []string) error {
	o := w.office
	var ids []string
	masters := map[string]log.Person{}
	err := w.eachGame(only, func(g *game.State) error {
		if slices.ContainsFunc(g.Seats, func(s *game.Seat) bool { return game.AtRisk(g, s, well, o.opt.Grace) }) {
			ids = append(ids, g.ID)
		}
		return nil
	})
	if err != nil {
		return err
	}
	type held struct {
		id, key string
		until   time.Time
	}
	games := map[string][]held{}
	for _, id := range ids {
		var until time.Time
		err := o.guarded(func() error {
			return o.change(ctx, id, func(tr *transaction) error {
				risky := slices.DeleteFunc(slices.Clone(tr.Game.Seats), func(s *game.Seat) bool { return !game.AtRisk(tr.Game, s, well, tr.Grace) })
				if err := tr.Do(game.HeldBack{Why: why, Since: since, Well: well}); err != nil {
					return err
				}
				for _, s := range risky {
					if s.Owes.Held == why && s.Owes.Late.After(until) {
						until = s.Owes.Late
					}
				}
				if until.IsZero() {
					return nil
				}
				masters[tr.Game.GM.Address] = tr.Game.GM
				games[tr.Game.GM.Address] = append(games[tr.Game.GM.Address], held{id, o.keys.GM(tr.Game), until})
				return nil
			})
		})
		switch {
		case errors.Is(err, store.ErrClosed), ctx.Err() != nil:
			return err
		case err != nil: // a game that can't be taken up can't be resolved either
			o.log.Error("default not held back", "game", id, "error", err)
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
	if len(outgoing) == 0 {
		return ctx.Err()
	}
	return o.queue(ctx, store.Change{}, outgoing...)
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
// whole office.
func (w *watch) massSilence(ctx context.Context) error {
	o := w.office
	w.mu.Lock()
	on := w.on
	w.mu.Unlock()
	if !on {
		return nil
	}
	now := o.now()
	upto := w.until(now)
	var due []string
	err := o.read(func(tx store.Reader) error {
		for _, id := range tx.Waking(upto, mostWaking) {
			g, err := game.Read(tx.Game(id))
			if err != nil {
				continue // taking the game up tells this
			}
			if slices.ContainsFunc(g.Seats, func(s *game.Seat) bool { return s.Defaults(upto) }) {
				due = append(due, id)
			}
		}
		return nil
	})
	if err != nil || len(due) == 0 {
		return err
	}
	// A game that can't be taken up stays due, and this is checked at each letter: all
	// games must not be counted again because of it.
	games := strings.Join(due, " ")
	w.mu.Lock()
	age, held := now.Sub(w.counted), w.silent
	same := games == w.due && age >= 0 && age < countAgain
	w.mu.Unlock()
	if !same {
		if held, err = w.tooSilent(upto); err != nil {
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

// tooSilent gives the games to hold back, after a look at all games.
func (w *watch) tooSilent(upto time.Time) (held []string, err error) {
	silent, heard, in := 0, 0, 0
	var games []*game.State
	err = w.eachGame(nil, func(g *game.State) error {
		here := 0
		for _, s := range g.Seats {
			w := s.Owes
			switch {
			case !s.Played(), s.Stands():
			case w != nil && w.Answer == nil && !w.Deadline.IsZero() && !w.Deadline.After(upto):
				if w.Deadline.After(upto.Add(-silenceSpan)) || s.Defaults(upto) {
					here++
				}
			case s.Heard.After(upto.Add(-silenceSpan)), w != nil && w.Answer != nil:
				heard++
			}
		}
		if here > 0 {
			silent, in = silent+here, in+1
			games = append(games, g)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, g := range games {
		share := g.Silence.Percent()
		if share >= 100 || !slices.ContainsFunc(g.Seats, func(s *game.Seat) bool { return s.Defaults(upto) && s.Owes.Held == "" }) {
			continue
		}
		quiet, owing := 0, 0
		for _, s := range g.Seats {
			if s.Owes == nil || !s.Played() || s.Stands() {
				continue
			}
			owing++
			if s.Owes.Answer == nil && !s.Owes.Deadline.After(upto) {
				quiet++
			}
		}
		here := quiet >= fewestSilent && quiet*100 > share*owing
		overall := silent >= fewestOverall && in > 1 && silent*100 > share*(silent+heard)
		if here || overall {
			held = append(held, g.ID)
		}
	}
	return held, nil
}

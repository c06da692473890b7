package adjudicator

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
)

// wereSilent counts the stop just resolved against the seats for which no answer
// was in force, and takes the next rung of the ladder where its time has come.
func (d *desk) wereSilent(silent []*seat) error {
	for _, s := range silent {
		if s.Resigned {
			continue
		}
		if !s.Bot {
			s.Missed++
		} else if every := d.game.Timing.Usual.Usual; every == 0 || d.now.Sub(s.Counted) < every {
			continue // the bot is quick: its player must have had time to come back
		}
		s.Row++
		s.Counted = d.now
		l := d.game.Silence
		if l.Replace > 0 && s.Row >= l.Replace {
			took, err := d.reserve(s)
			if err != nil {
				return err
			}
			if took {
				continue
			}
		}
		if l.Bot > 0 && s.Row >= l.Bot && !s.Bot {
			if err := d.botPlays(s); err != nil {
				return err
			}
		}
	}
	if len(silent) > 0 && !slices.ContainsFunc(d.game.Seats, (*seat).played) {
		return d.nobodyPlays()
	}
	return nil
}

// botPlays has the bot play for a seat until its player writes again.
func (d *desk) botPlays(s *seat) error {
	s.Bot = true
	if err := d.note(log.Entry{Kind: log.KindBot, Seat: s.Side, By: "office", Data: map[string]int{"missed": s.Row}}); err != nil {
		return err
	}
	n := phrase.Number("n", s.Row)
	d.tell(s, phrase.Say("office.bot.subject", sideName(s.Side)), phrase.Say("office.bot.you", n), phrase.Say("office.bot.back"))
	d.tellOthers(s, phrase.Say("office.bot.subject", sideName(s.Side)), phrase.Say("office.bot.other", sideName(s.Side)))
	d.tellGM(phrase.Say("office.bot.subject", sideName(s.Side)),
		phrase.Say("office.bot.gm", sideName(s.Side), n, phrase.Literal("address", s.Person.Address)))
	return nil
}

// tellOthers sends a notice to all players but one.
func (d *desk) tellOthers(than *seat, subject phrase.Phrase, lines ...phrase.Phrase) {
	for _, s := range d.game.Seats {
		if s != than && !s.Resigned {
			d.tell(s, subject, lines...)
		}
	}
}

// nobodyPlays stops a game that bots and defaults would play to its end by
// themselves.
func (d *desk) nobodyPlays() error {
	if !d.game.Paused.IsZero() {
		return nil
	}
	d.game.Paused = d.now
	if err := d.note(log.Entry{Kind: log.KindPaused, By: "office"}); err != nil {
		return err
	}
	d.tellGM(phrase.Say("office.paused.subject"), phrase.Say("office.nobody.gm"))
	return nil
}

// botAnswer is what the bot answers for a seat, if it has an answer. It looks at
// the seat's view alone, and its chance comes from the game's seed, so that whoever
// has that can ask it again. A fault of the bot must not cost the player his letter
// whose answer has set it off.
func (d *desk) botAnswer(s *seat) (answer engine.Answer, ok bool) {
	seed := engine.BotChance(d.game.Seed, d.game.ID, d.game.Stop, log.HashWords(d.game.words()), s.Side)
	if d.game.scheme() == log.FirstScheme { // as that game's bot was led from its beginning
		seed = [32]byte(d.office.derive("bot", d.game.ID, string(s.Side), string(binary.BigEndian.AppendUint64(nil, uint64(d.game.Stop)))))
	}
	chance := rand.New(rand.NewChaCha8(seed))
	err := d.office.guarded(func() error {
		answer = d.rules.Sensible(d.view(s.Side), s.Owes.Decision, chance)
		return nil
	})
	return answer, err == nil && answer != nil
}

// heard notes that a player has written with his key: he is there.
func (d *desk) heard(s *seat) error {
	s.Failures, s.Dead, s.Heard = 0, false, d.now // whoever writes can read
	d.goOn(s)
	if !s.Bot {
		return nil
	}
	s.Bot, s.Row = false, 0
	if err := d.note(log.Entry{Kind: log.KindReturned, Seat: s.Side, By: "player"}); err != nil {
		return err
	}
	d.tell(s, phrase.Say("office.returned.subject", sideName(s.Side)), phrase.Say("office.returned.you"))
	d.tellOthers(s, phrase.Say("office.returned.subject", sideName(s.Side)), phrase.Say("office.returned.other", sideName(s.Side)))
	return nil
}

// reserve gives a seat to the first of the reserves who does not take part yet.
// If there is none the game master is told, once.
func (d *desk) reserve(s *seat) (bool, error) {
	for i, p := range d.game.Reserves {
		if d.game.takesPart(p.Address) || d.office.mayTake(d.game, s, p.Address) != nil {
			continue
		}
		d.game.Reserves = slices.Delete(slices.Clone(d.game.Reserves), i, i+1)
		row, resigned := s.Row, s.Resigned
		if err := d.giveSeat(s, p, "office"); err != nil {
			return false, err
		}
		code := "office.replaced.gm"
		if resigned {
			code = "office.replaced.gm-resigned"
		}
		d.tellGM(phrase.Say("office.replaced.subject-other", sideName(s.Side)),
			phrase.Say(code, sideName(s.Side), phrase.Number("n", row), phrase.Literal("name", p.Name), phrase.Literal("address", p.Address)))
		return true, nil
	}
	if s.Wanted || s.Resigned {
		return false, nil
	}
	s.Wanted = true
	d.tellGM(phrase.Say("office.wanted.subject", sideName(s.Side)),
		phrase.Say("office.wanted.gm", sideName(s.Side), phrase.Number("n", s.Row)))
	return false, nil
}

// giveSeat gives a seat to another player, with a key of his own. His briefing
// and his first report go out when all that is due is done.
func (d *desk) giveSeat(s *seat, to log.Person, by string) error {
	to.Address = foldAddress(to.Address)
	if to.Zone == "" {
		to.Zone = d.game.Timing.Zone
	}
	old := s.Person
	if err := d.tellVerdicts(s, true); err != nil { // he leaves, and learns what came of his letters
		return err
	}
	if old.Address != to.Address {
		code := "office.replaced.old"
		if by == "office" {
			code = "office.replaced.old-silent"
		}
		if s.Resigned && by == "office" {
			code = "office.replaced.old-resigned"
		}
		d.tell(s, phrase.Say("office.replaced.subject"), phrase.Say(code))
	}
	s.Person = to
	s.Replied = time.Time{}
	s.Resigned, s.Bot, s.Wanted, s.Dead, s.Back, s.Stood = false, false, false, false, false, false
	s.Failures, s.Missed, s.Row, s.Heard, s.Absences = 0, 0, 0, time.Time{}, nil
	s.Epoch++
	d.joined = append(d.joined, to.Address)
	if !d.game.takesPart(old.Address) {
		d.left = append(d.left, old.Address)
	}
	if err := d.note(log.Entry{Kind: log.KindReplaced, Seat: s.Side, By: by, Private: map[string]any{"old": old, "new": to}}); err != nil {
		return err
	}
	if err := d.takeWordBack(s); err != nil {
		return err
	}
	d.tellOthers(s, phrase.Say("office.replaced.subject-other", sideName(s.Side)), phrase.Say("office.replaced.other", sideName(s.Side)))
	s.Reports = 0 // his first report names the commitment of the dice
	d.goOn(s)
	if s.Owes != nil && s.Owes.Answer == nil && !s.Owes.Deadline.IsZero() {
		// Nobody can answer at once for a side that he has not seen before.
		if fresh := d.game.Timing.Of(s.Owes.Decision.Kind).Deadline(d.now); fresh.After(s.Owes.Deadline) {
			d.postpone(s, fresh)
		}
	}
	if d.fresh == nil {
		d.fresh = map[engine.Side]bool{}
	}
	d.fresh[s.Side] = true
	return nil
}

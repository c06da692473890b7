package adjudicator

import (
	"math/rand/v2"
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail/mailbox"
	"berthier/orders/phrase"
)

// WereSilent counts the stop just resolved against the seats for which no answer
// was in force, and takes the next rung of the ladder where its time has come.
func WereSilent(t *turn, silent []*seat) error {
	for _, s := range silent {
		if s.Resigned {
			continue
		}
		if !s.Bot {
			s.Missed++
		} else if every := t.game.Timing.Usual.Usual; every == 0 || t.now.Sub(s.Counted) < every {
			continue // the bot is quick: its player must have had time to come back
		}
		s.Row++
		s.Counted = t.now
		l := t.game.Silence
		if l.Replace > 0 && s.Row >= l.Replace {
			took, err := Reserve(t, s)
			if err != nil {
				return err
			}
			if took {
				continue
			}
		}
		if l.Bot > 0 && s.Row >= l.Bot && !s.Bot {
			if err := BotPlays(t, s); err != nil {
				return err
			}
		}
	}
	if len(silent) > 0 && !slices.ContainsFunc(t.game.Seats, (*seat).played) {
		return NobodyPlays(t)
	}
	return nil
}

// BotPlays has the bot play for a seat until its player writes again.
func BotPlays(t *turn, s *seat) error {
	s.Bot = true
	if err := t.note(log.Entry{Kind: log.KindBot, Seat: s.Side, By: "office", Data: map[string]int{"missed": s.Row}}); err != nil {
		return err
	}
	n := phrase.Number("n", s.Row)
	t.tell(s, phrase.Say("office.bot.subject", sideName(s.Side)), phrase.Say("office.bot.you", n), phrase.Say("office.bot.back"))
	t.tellOthers(s, phrase.Say("office.bot.subject", sideName(s.Side)), phrase.Say("office.bot.other", sideName(s.Side)))
	t.tellGM(phrase.Say("office.bot.subject", sideName(s.Side)),
		phrase.Say("office.bot.gm", sideName(s.Side), n, phrase.Literal("address", s.Person.Address)))
	return nil
}

// NobodyPlays stops a game that bots and defaults would play to its end by
// themselves.
func NobodyPlays(t *turn) error {
	if !t.game.Paused.IsZero() {
		return nil
	}
	t.game.Paused = t.now
	if err := t.note(log.Entry{Kind: log.KindPaused, By: "office"}); err != nil {
		return err
	}
	t.tellGM(phrase.Say("office.paused.subject"), phrase.Say("office.nobody.gm"))
	return nil
}

// BotAnswer is what the bot answers for a seat, if it has an answer. It looks at
// the seat's view alone, and its chance comes from the game's seed, so that whoever
// has that can ask it again. A fault of the bot must not cost the player his letter
// whose answer has set it off.
func BotAnswer(t *turn, s *seat) (answer engine.Answer, ok bool) {
	seed := engine.BotChance(t.game.Seed, t.game.ID, t.game.Stop, log.HashWords(t.game.words()), s.Side)
	if t.game.scheme() == log.FirstScheme { // as that game's bot was led from its beginning
		seed = t.oldBot(s.Side, t.game.Stop)
	}
	chance := rand.New(rand.NewChaCha8(seed))
	defer func() {
		if fault := recover(); fault != nil {
			t.remark("the bot panicked", panicked(fault))
			answer, ok = nil, false
		}
	}()
	answer = t.rules.Sensible(t.view(s.Side), s.Owes.Decision, chance)
	return answer, answer != nil
}

// Heard notes that a player has written with his key: he is there.
func Heard(t *turn, s *seat) error {
	s.Failures, s.Dead, s.Heard = 0, false, t.now // whoever writes can read
	GoOn(t, s)
	if !s.Bot {
		return nil
	}
	s.Bot, s.Row = false, 0
	if err := t.note(log.Entry{Kind: log.KindReturned, Seat: s.Side, By: "player"}); err != nil {
		return err
	}
	t.tell(s, phrase.Say("office.returned.subject", sideName(s.Side)), phrase.Say("office.returned.you"))
	t.tellOthers(s, phrase.Say("office.returned.subject", sideName(s.Side)), phrase.Say("office.returned.other", sideName(s.Side)))
	return nil
}

// Reserve gives a seat to the first of the reserves who does not take part yet.
// If there is none the game master is told, once.
func Reserve(t *turn, s *seat) (bool, error) {
	for i, p := range t.game.Reserves {
		if t.game.takesPart(p.Address) || mayTake(t.game, s, p.Address, t.masters) != nil {
			continue
		}
		t.game.Reserves = slices.Delete(slices.Clone(t.game.Reserves), i, i+1)
		row, resigned := s.Row, s.Resigned
		if err := GiveSeat(t, s, p, "office"); err != nil {
			return false, err
		}
		code := "office.replaced.gm"
		if resigned {
			code = "office.replaced.gm-resigned"
		}
		t.tellGM(phrase.Say("office.replaced.subject-other", sideName(s.Side)),
			phrase.Say(code, sideName(s.Side), phrase.Number("n", row), phrase.Literal("name", p.Name), phrase.Literal("address", p.Address)))
		return true, nil
	}
	if s.Wanted || s.Resigned {
		return false, nil
	}
	s.Wanted = true
	t.tellGM(phrase.Say("office.wanted.subject", sideName(s.Side)),
		phrase.Say("office.wanted.gm", sideName(s.Side), phrase.Number("n", s.Row)))
	return false, nil
}

// GiveSeat gives a seat to another player, with a key of his own. His briefing
// and his first report go out when all that is due is done.
func GiveSeat(t *turn, s *seat, to log.Person, by string) error {
	to.Address = mailbox.Clean(to.Address)
	if to.Zone == "" {
		to.Zone = t.game.Timing.Zone
	}
	old := s.Person
	if err := TellVerdicts(t, s, true); err != nil { // he leaves, and learns what came of his letters
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
		t.tell(s, phrase.Say("office.replaced.subject"), phrase.Say(code))
	}
	s.Person = to
	s.Replied = time.Time{}
	s.Resigned, s.Bot, s.Wanted, s.Dead, s.Back, s.Stood = false, false, false, false, false, false
	s.Failures, s.Missed, s.Row, s.Heard, s.Absences = 0, 0, 0, time.Time{}, nil
	s.Epoch++
	t.joined = append(t.joined, to.Address)
	if !t.game.takesPart(old.Address) {
		t.left = append(t.left, old.Address)
	}
	if err := t.note(log.Entry{Kind: log.KindReplaced, Seat: s.Side, By: by, Private: map[string]any{"old": old, "new": to}}); err != nil {
		return err
	}
	if err := TakeWordBack(t, s); err != nil {
		return err
	}
	t.tellOthers(s, phrase.Say("office.replaced.subject-other", sideName(s.Side)), phrase.Say("office.replaced.other", sideName(s.Side)))
	s.Reports = 0 // his first report names the commitment of the dice
	GoOn(t, s)
	if s.Owes != nil && s.Owes.Answer == nil && !s.Owes.Deadline.IsZero() {
		// Nobody can answer at once for a side that he has not seen before.
		if fresh := t.game.Timing.Of(s.Owes.Decision.Kind).Deadline(t.now); fresh.After(s.Owes.Deadline) {
			Postpone(t, s, fresh)
		}
	}
	if t.fresh == nil {
		t.fresh = map[engine.Side]bool{}
	}
	t.fresh[s.Side] = true
	return nil
}

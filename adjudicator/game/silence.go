package game

import (
	"math/rand/v2"
	"slices"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
)

// wereSilent counts the stop that was just resolved against the seats for which no answer
// was in force, and takes the next step against silence where its time has come.
// ByBot tells whether a bot has answered it.
func wereSilent(t *Turn, silent []*Seat, byBot bool) error {
	for _, s := range silent {
		if s.Resigned {
			continue
		}
		if !s.Bot {
			s.Missed++
		} else if every := t.Game.Timing.Usual.Usual; every == 0 || t.Now.Sub(s.Counted) < every {
			continue // the bot is quick: its player must have had time to come back
		}
		s.Streak++
		s.Counted = t.Now
		l := t.Game.Silence
		if l.Replace > 0 && s.Streak >= l.Replace {
			took, err := reserve(t, s)
			if err != nil {
				return err
			}
			if took {
				continue
			}
		}
		if l.Bot > 0 && s.Streak >= l.Bot && !s.Bot {
			if err := botPlays(t, s); err != nil {
				return err
			}
		}
	}
	if (len(silent) > 0 || byBot) && !slices.ContainsFunc(t.Game.Seats, (*Seat).Played) {
		return nobodyPlays(t)
	}
	return nil
}

// botPlays has the bot play for a seat until its player writes again.
func botPlays(t *Turn, s *Seat) error {
	s.Bot = true
	if err := t.Log(log.Entry{Kind: log.KindBot, Seat: s.Side, By: "office", Data: map[string]int{"missed": s.Streak}}); err != nil {
		return err
	}
	n := phrase.Number("n", s.Streak)
	lines := []phrase.Phrase{phrase.Say("office.bot.you", n), phrase.Say("office.bot.back")}
	if l := t.Game.Silence; l.Forfeit > s.Streak {
		lines = append(lines, phrase.Say("office.bot.forfeit", phrase.Number("replace", l.Replace), phrase.Number("stops", l.Forfeit)))
	}
	t.TellSeat(s, phrase.Say("office.bot.subject", SideName(s.Side)), lines...)
	t.tellOthers(s, phrase.Say("office.bot.subject", SideName(s.Side)), phrase.Say("office.bot.other", SideName(s.Side)))
	t.TellGM(phrase.Say("office.bot.subject", SideName(s.Side)),
		phrase.Say("office.bot.gm", SideName(s.Side), n, phrase.Literal("address", s.Person.Address)))
	return nil
}

// sayBot says that a bot has a seat, and how well it plays.
func sayBot(s *Seat) phrase.Phrase {
	return phrase.Say("office.bot.seat-"+s.Person.Bot, SideName(s.Side))
}

// tellBots tells the people in their first report which seats bots have.
func tellBots(t *Turn) {
	for _, bot := range t.Game.Seats {
		if bot.Person.Bot == "" {
			continue
		}
		for _, s := range t.Game.Seats {
			if s.Person.Bot == "" {
				s.Told = append(s.Told, News{Say: sayBot(bot)})
			}
		}
	}
}

// nobodyPlays stops a game that would be played to its end by bots and defaults alone.
func nobodyPlays(t *Turn) error {
	if !t.Game.Paused.IsZero() {
		return nil
	}
	t.Game.Paused = t.Now
	if err := t.Log(log.Entry{Kind: log.KindPaused, By: "office"}); err != nil {
		return err
	}
	t.TellGM(phrase.Say("office.paused.subject"), phrase.Say("office.nobody.gm"))
	return nil
}

// botAnswer is what the bot answers for a seat, if it has an answer. It looks at
// the seat's view alone, and its random numbers come from the game's seed, so that whoever
// has that can ask it again. A fault of the bot must not make a player lose the letter
// that has caused the bot to be asked.
func botAnswer(t *Turn, s *Seat) (answer engine.Answer, ok bool) {
	seed := engine.BotChance(t.Game.Seed, t.Game.ID, t.Game.Stop, log.HashWords(t.Game.Words()), s.Side)
	if t.Game.DiceScheme() == log.FirstScheme { // as that game's bot was led from its beginning
		seed = t.OldBot(s.Side, t.Game.Stop)
	}
	chance := rand.New(rand.NewChaCha8(seed))
	defer func() {
		if fault := recover(); fault != nil {
			t.remark("the bot panicked", panicked(fault))
			answer, ok = nil, false
		}
	}()
	if s.Person.Bot == log.RandomBot {
		answer = t.Rules.Random(t.View(s.Side), s.Owes.Decision, chance)
	} else {
		answer = t.Rules.Sensible(t.View(s.Side), s.Owes.Decision, chance)
	}
	return answer, answer != nil
}

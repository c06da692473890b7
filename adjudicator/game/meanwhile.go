package game

import (
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// While one seat decides whether it does something that it mostly declines, others may be
// asked meanwhile what they would owe if it declined ([engine.Foresee]). What they answer is
// kept sealed. If it comes as foreseen, the stop opens and the file is its answer, taken
// and judged as any other; if not, they are asked anew. No deadline runs for such a stop,
// and the seat owes nothing until it opens.

// A Soon is what a seat is asked meanwhile.
type Soon struct {
	Stop     int             `json:"stop"` // as the seat counts, if it opens
	Decision engine.Decision `json:"decision"`
	Of       engine.Decision `json:"of"` // at which the other seat is asked; its kind and place only if others may know them
	Filed    *Filed          `json:"filed,omitempty"`
}

// A Filed is a file that waits for its stop to open.
type Filed struct {
	Text   string    `json:"text"` // as it was read
	Sent   time.Time `json:"sent"`
	Serial int       `json:"serial,omitempty"`
	Letter string    `json:"letter,omitempty"`
	Taken  log.Taken `json:"taken"`
	Files  *Stamp    `json:"files,omitempty"` // as in [File]
}

// openSoon asks seats what they would owe if the one that is asked now declined.
func openSoon(t *Turn) {
	if !t.Game.Meanwhile {
		return
	}
	f, ok := engine.Foresee(t.Rules, t.Position)
	if !ok {
		return
	}
	of := engine.Decision{Side: f.Asked.Side}
	if f.Public {
		of = f.Asked
	}
	for _, d := range f.Owed {
		if s := t.Game.Seat(d.Side); s != nil && s.Played() && !s.Dead && s.Person.Bot == "" {
			s.Soon = &Soon{Stop: s.Stops + 1, Decision: d, Of: of}
		}
	}
}

// Foreseen is the game as a seat is asked about it meanwhile: as it would stand if what the
// other seat is asked were declined. It is nil if the seat is asked nothing meanwhile.
func (t *Loaded) Foreseen(side engine.Side) *Loaded {
	s := t.Game.Seat(side)
	if s == nil || s.Soon == nil || s.Owes != nil {
		return nil
	}
	f, ok := engine.Foresee(t.Rules, t.Position)
	if d, owed := f.Of(side); !ok || !owed || d != s.Soon.Decision {
		return nil
	}
	then := t.AsItStands()
	then.Position, then.Views = f.Position, map[engine.Side]engine.View{}
	c := then.Game.Seat(side)
	c.Owes, c.Soon = &Owes{Stop: s.Soon.Stop, Decision: s.Soon.Decision}, nil
	return then
}

// Kept lets a seat of the game as it is foreseen have answered by the file that is kept for it, if one is: none that was sent before it
// takes its place.
func Kept(then *Seat, kept *Filed) {
	if kept != nil {
		then.Owes.Answer = &InForce{Sent: kept.Sent, Serial: kept.Serial}
	}
}

// Beforehand says that a good file is kept for the stop that a seat is asked about
// meanwhile, in place of an earlier one.
type Beforehand struct {
	File
	Text   string
	Sent   time.Time
	Serial int
}

func (b Beforehand) happen(t *Turn) error {
	s := t.Game.Seat(b.Side)
	if s.Soon == nil {
		return Refuse("office.nothing-owed")
	}
	taken := b.Taken
	taken.SeatStop = s.Soon.Stop
	if err := b.log(t, log.KindBeforehand, taken); err != nil {
		return err
	}
	s.Soon.Filed = &Filed{Text: b.Text, Sent: b.Sent, Serial: b.Serial, Letter: b.Letter, Taken: taken, Files: b.Files}
	return nil
}

// ToldOfFile says that a player is to be told what came of a file that he sent beforehand.
type ToldOfFile struct {
	Side   engine.Side
	Re     *Reference
	Lines  []phrase.Phrase
	Normal string // form of the file
}

func (o ToldOfFile) happen(t *Turn) error {
	s := t.Game.Seat(o.Side)
	t.toSeat(s, Notice{Kind: "accepted", Re: o.Re, Subject: phrase.Say("office.meanwhile.subject"), Lines: o.Lines, Normal: o.Normal})
	return nil
}

// takeSoon takes up what seats were asked meanwhile, when the other seat has answered and
// the next stop is open: where it came as foreseen the file that was kept is the answer,
// else its player is asked anew and has his file back.
func takeSoon(t *Turn, were map[engine.Side]*Soon, f engine.Foreseen, events []engine.Event) error {
	for _, s := range t.Game.Seats {
		was := were[s.Side]
		if was == nil {
			continue
		}
		if !f.Came(s.Side, t.Position, events) || s.Owes == nil {
			s.Anew, s.AnewAt = s.Serial, t.Now
			if was.Filed != nil {
				s.Draft = was.Filed.Text
				s.Told = append(s.Told, News{Say: phrase.Say("office.meanwhile.anew", phrase.Within("stop", SayStop(&Owes{Stop: was.Stop, Decision: was.Decision})))})
			}
			continue
		}
		if was.Filed == nil {
			continue
		}
		doc, problems := orders.ParseAccepted(was.Filed.Text)
		var answer engine.Answer
		if len(problems) == 0 {
			answer, problems = t.Rules.Read(t.View(s.Side), s.Owes.Decision, Dated(t, doc))
		}
		if len(problems) > 0 {
			continue
		}
		taken := was.Filed.Taken
		taken.SeatStop = s.Owes.Stop
		if err := t.Do(Answered{File: File{Side: s.Side, Letter: was.Filed.Letter, Taken: taken, Files: was.Filed.Files}, Text: was.Filed.Text, Sent: was.Filed.Sent,
			Serial: was.Filed.Serial, Answer: answer}); err != nil {
			return err
		}
	}
	return nil
}

// endSoon forgets what seats were asked meanwhile, and gives it.
func endSoon(t *Turn) map[engine.Side]*Soon {
	var were map[engine.Side]*Soon
	for _, s := range t.Game.Seats {
		if s.Soon != nil {
			if were == nil {
				were = map[engine.Side]*Soon{}
			}
			were[s.Side], s.Soon = s.Soon, nil
		}
	}
	return were
}

// ForgetSoon forgets what seats were asked meanwhile, and the files that they sent: the game
// goes another way.
func ForgetSoon(t *Turn) {
	endSoon(t)
	for _, s := range t.Game.Seats {
		s.Draft = ""
	}
}

package game

import (
	"maps"
	"strings"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail/mailbox"
	"berthier/orders/phrase"
)

// SendReport sends a seat its report. A bot reads none: what it was told is forgotten.
func SendReport(t *Turn, s *Seat) {
	if s.Person.Bot != "" {
		s.Told, s.Moved = nil, false
		s.Since, s.Upto = s.Upto, t.Last.Seq
		return
	}
	t.Seal(s)
	s.NewSerial()
	t.toSeat(s, Report{Happened: s.Told, Taken: s.Taken})
	s.Taken = nil
	s.Pages++
	s.Ruled = rulingsIn(s.Told)
	s.Told, s.Moved = nil, false
	if s.Owes != nil {
		s.Draft = ""
	}
	s.Since, s.Upto = s.Upto, t.Last.Seq
	s.Reports++
}

// NewSerial numbers the next template that the seat gets, if it owes anything.
func (s *Seat) NewSerial() {
	if s.Owes != nil || s.Soon != nil {
		s.Serial++
	}
}

// SideName fills a place with the name of a side.
func SideName(side engine.Side) phrase.Arg { return phrase.Name("side", "side", string(side)) }

// SayStop names what is owed: its number, as the seat counts, and what it is about.
func SayStop(o *Owes) phrase.Phrase {
	return phrase.Say("office.stop", phrase.Number("stop", o.Stop), phrase.Name("name", "stop", o.Decision.Kind), phrase.Name("at", "at", o.Decision.At))
}

// TellWarden queues news for somebody who looks after the game and does not play in
// it.
func (t *Turn) TellWarden(p log.Person, subject phrase.Phrase, lines ...phrase.Phrase) {
	t.Tell(engine.GM, p, Notice{Subject: subject, Lines: lines})
}

// TellOf tells of a seat what other players may not know: its own player if he is the game master, else who may know it.
func (t *Turn) TellOf(s *Seat, subject phrase.Phrase, lines ...phrase.Phrase) {
	if mailbox.Same(s.Person.Address, t.Game.GM.Address) {
		t.TellGM(subject, lines...)
		return
	}
	t.TellWhoMayKnow(subject, lines...)
}

// TellWhoMayKnow queues news of what is hidden for the game master or, if he plays
// and may not know it, for the administrators who do not. It tells to how many.
func (t *Turn) TellWhoMayKnow(subject phrase.Phrase, lines ...phrase.Phrase) int {
	if _, blind := t.Blind(t.Game.GM.Address); !blind {
		t.TellGM(subject, lines...)
		return 1
	}
	wardens := Wardens(t.Game, t.Masters)
	for _, p := range wardens {
		t.TellWarden(p, subject, lines...)
	}
	return len(wardens)
}

// SomebodyMayKnow tells whether there is anybody who may be told what is hidden.
func (t *Turn) SomebodyMayKnow() bool {
	_, blind := t.Blind(t.Game.GM.Address)
	return !blind || len(Wardens(t.Game, t.Masters)) > 0
}

// rulingsIn finds what a report says of a ruling.
func rulingsIn(all []News) []News {
	var some []News
	for _, t := range all {
		if strings.HasPrefix(t.Say.Code, "office.ruled.") {
			some = append(some, t)
		}
	}
	return some
}

// Numbered is the news, with its number if it is an event.
func (n News) Numbered() phrase.Phrase {
	if n.Number == 0 {
		return n.Say
	}
	return phrase.Say("office.event", phrase.Number("n", n.Number), phrase.Within("what", n.Say))
}

// A Message is what somebody is told, before it is put into words.
type Message interface{ message() }

// A Notice is a message in a few sentences.
type Notice struct {
	Kind     string     // of the letter; "": notice
	Re       *Reference // the letter that it answers; nil: none
	Subject  phrase.Phrase
	Lines    []phrase.Phrase
	Texts    []string // set as they are
	Normal   string   // an order file in normal form, set in the reader's language; "": none
	Owed     bool     // it has what the seat owes
	Template bool     // with the order file for it
	Release  bool     // it has the letter that releases the game
	Reply    bool     // it is a letter of another player's, with the one that replies to it
	Again    bool     // it has the letter that asks for a rematch
	Pass     int      // it has the letter that passes on the one so numbered; 0: none
	Key      bool     // it tells a new key, with what shows that if nothing is owed
}

// Report is the message that shows a seat its position and tells it what happened.
type Report struct {
	Happened []News
	Taken    *Taken // the file of his that resolved a stop, if it is told here
}

// Briefing is the message that tells a seat's new player what his side has seen.
type Briefing struct{}

// WordAsked is the message that asks a player for his word for luck.
type WordAsked struct{}

// Judged is the message that tells a player what came of his letters.
type Judged struct {
	Others []Verdict
	Last   Verdict
	Open   bool // the stop is
}

// Farewell is the message that tells a seat that the game master has ended the game.
type Farewell struct{ Reason string }

// Onlooking is a message to an observer.
type Onlooking struct {
	Delay   time.Duration
	Since   int // [Observer.Since]
	Subject phrase.Phrase
	Lines   []phrase.Phrase
	Page    *engine.Page
	Side    engine.Side // whose page it is
}

func (Notice) message() {}

func (Report) message() {}

func (Briefing) message() {}

func (WordAsked) message() {}

func (Judged) message() {}

func (Farewell) message() {}

func (Onlooking) message() {}

// Tell tells somebody something.
func (t *Turn) Tell(to engine.Side, p log.Person, m Message) {
	t.Effects = append(t.Effects, Told{
		To: to, Person: p, Message: m, At: t.AsItStands(), Entries: len(t.Entries), Kept: len(t.Checkpoints),
		Answers: maps.Clone(t.Answers), Readings: maps.Clone(t.Readings),
	})
	if s := t.Game.Seat(to); s != nil && s.Failures < MostBounces {
		s.Restored = time.Time{} // each letter tells of it, and one is enough
	}
}

// toSeat tells a seat something. A bot is told nothing, nor who has lost the seat.
func (t *Turn) toSeat(s *Seat, m Message) {
	if s.Person.Bot == "" && !s.Vacated {
		t.Tell(s.Side, s.Person, m)
	}
}

// TellGM tells the game master something.
func (t *Turn) TellGM(subject phrase.Phrase, lines ...phrase.Phrase) {
	t.Tell(engine.GM, t.Game.GM, Notice{Subject: subject, Lines: lines})
	for _, p := range t.Game.Also {
		if _, blind := t.Blind(p.Address); !blind {
			t.TellWarden(p, subject, lines...)
		}
	}
}

// TellSeat tells a seat something.
func (t *Turn) TellSeat(s *Seat, subject phrase.Phrase, lines ...phrase.Phrase) {
	t.toSeat(s, Notice{Subject: subject, Lines: lines})
}

// TellOwing tells a seat something, and with it what it owes.
func (t *Turn) TellOwing(s *Seat, kind string, subject phrase.Phrase, template bool, lines ...phrase.Phrase) {
	if template {
		s.NewSerial()
	}
	t.toSeat(s, Notice{Kind: kind, Subject: subject, Lines: lines, Owed: true, Template: template})
}

// tellOthers tells all players but one something.
func (t *Turn) tellOthers(than *Seat, subject phrase.Phrase, lines ...phrase.Phrase) {
	for _, s := range t.Game.Seats {
		if s != than && !s.Resigned {
			t.TellSeat(s, subject, lines...)
		}
	}
}

// TellSeats tells all players something.
func (t *Turn) TellSeats(subject phrase.Phrase, lines ...phrase.Phrase) {
	for _, s := range t.Game.Seats {
		if !s.Resigned {
			t.TellOwing(s, "", subject, false, lines...)
		}
	}
}

// KindMoment is the kind of a moment in a phrase. Letters write it by their reader's clock.
const KindMoment = "moment"

// Moment is a moment, for whoever reads it to see by his clock.
func Moment(t time.Time) phrase.Phrase {
	return phrase.Say("office.moment", phrase.Arg{Name: "at", Value: phrase.Value{Kind: KindMoment, Text: t.Format(time.RFC3339Nano)}})
}

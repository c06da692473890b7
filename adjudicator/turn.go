package adjudicator

import (
	"maps"
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/engine"
	"berthier/orders/phrase"
)

// A table is a game at one instant: its record, its position, and where its log ends.
type table struct {
	game     *game
	rules    engine.Ruleset
	position engine.Position
	views    map[engine.Side]engine.View // of the position, as far as they were needed
	last     chain.Link                  // of the log
}

func (t *table) view(side engine.Side) engine.View {
	v, ok := t.views[side]
	if !ok {
		v = t.position.View(side)
		t.views[side] = v
	}
	return v
}

// asItStands is the game as it stands, whatever becomes of it. Positions are never
// changed in place, so that two may share one.
func (t *table) asItStands() *table {
	copied := *t
	copied.game = t.game.clone()
	return &copied
}

// around is what a turn is given from outside: the hour, chance, the past, and who may
// do what. With the same of it a turn does the same.
type around struct {
	now      time.Time
	readUpTo time.Time            // up to when it is known what has come in: nothing is due after it
	byClock  bool                 // time may pass a deadline without an answer
	who      string               // who acts as game master: an address, or "command line"
	grace    time.Duration        // for which an interlock holds stops back whose rule has no grace
	masters  []log.Person         // who look after every game of the office
	draw     func(b []byte) error // chance
	oldBot   func(side engine.Side, stop int) [32]byte
	past     past
}

// The past is what a turn may look up of what was before it.
type past interface {
	// entryAt gives an entry of the game's log.
	entryAt(seq uint64) (chain.Entry, error)
	// answerOf gives the file of the answer of a seat that is in force.
	answerOf(side engine.Side) ([]byte, error)
}

// A turn is what happens to a game at once, while it happens: the game as it has become by
// now, and what follows from it for the office, in order. Nothing outside is written.
type turn struct {
	*table
	around
	effects []effect

	entries    []chain.Entry
	notes      []string         // kinds of these
	milestones []log.Checkpoint // positions to keep
	moved      bool             // the position is another
	joined     []string         // addresses that now take part
	left       []string         // addresses that may no longer

	hushed   bool                        // reports wait until all is done
	ruled    map[int]map[int]int         // by stop: rolls that a ruling replaces
	repeats  map[int]uint64              // by stop: the entry of the past that is done again
	answers  map[engine.Side][]byte      // files to keep; nil: to forget
	fresh    map[engine.Side]bool        // seats that have a new player, who has had no report yet
	readings map[engine.Side]readAnswers // answers in force, as read
}

// An effect is what the office has to do about what happened.
type effect interface{ effect() }

// tells is that somebody is to be told something. At is the game as it stood then: a letter
// is made of nothing else, whatever comes after.
type tells struct {
	to      engine.Side // a seat; [engine.GM]; [engine.Public] for an observer
	person  log.Person
	message content

	at       *table
	entries  int // how many were new by then
	kept     int // so too the positions
	answers  map[engine.Side][]byte
	readings map[engine.Side]readAnswers
}

// remarks is what the office itself may want to know.
type remarks struct {
	what string
	stop int
	err  error // what went wrong, which may tell what is hidden; nil: nothing
}

func (tells) effect()   {}
func (remarks) effect() {}

// A content is what somebody is told, before it is put into words.
type content interface{ message() }

// A notice is a message in a few sentences.
type notice struct {
	kind     string // of the letter; "": notice
	subject  phrase.Phrase
	lines    []phrase.Phrase
	owed     bool // it has what the seat owes
	template bool // with the order file for it
	release  bool // it has the letter that releases the game
}

// newReport is the message that shows a seat its position and tells it what happened.
type newReport struct{ happened []told }

// briefed is the message that tells a seat's new player what his side has seen.
type briefed struct{}

// wordAsked is the message that asks a player for his word for luck.
type wordAsked struct{}

// judged is the message that tells a player what came of his letters.
type judged struct {
	others []verdict
	last   verdict
	open   bool // the stop is
}

// onlooking is a message to an observer.
type onlooking struct {
	delay   time.Duration
	subject phrase.Phrase
	lines   []phrase.Phrase
	page    *engine.Page
	side    engine.Side // whose page it is
}

func (notice) message()    {}
func (newReport) message() {}
func (briefed) message()   {}
func (wordAsked) message() {}
func (judged) message()    {}
func (onlooking) message() {}

// remark lets the office know something.
func (t *turn) remark(what string, err error) {
	t.effects = append(t.effects, remarks{what: what, stop: t.game.Stop, err: err})
}

// says tells somebody something.
func (t *turn) says(to engine.Side, p log.Person, m content) {
	t.effects = append(t.effects, tells{
		to: to, person: p, message: m, at: t.asItStands(), entries: len(t.entries), kept: len(t.milestones),
		answers: maps.Clone(t.answers), readings: maps.Clone(t.readings),
	})
	if s := t.game.seat(to); s != nil && s.Failures < mostBounces {
		s.Restored = time.Time{} // each letter tells of it, and one is enough
	}
}

// toSeat tells a seat something.
func (t *turn) toSeat(s *seat, m content) { t.says(s.Side, s.Person, m) }

// tellGM tells the game master something.
func (t *turn) tellGM(subject phrase.Phrase, lines ...phrase.Phrase) {
	t.says(engine.GM, t.game.GM, notice{subject: subject, lines: lines})
}

// tell tells a seat something.
func (t *turn) tell(s *seat, subject phrase.Phrase, lines ...phrase.Phrase) {
	t.toSeat(s, notice{subject: subject, lines: lines})
}

// tellOwing tells a seat something, and with it what it owes.
func (t *turn) tellOwing(s *seat, kind string, subject phrase.Phrase, template bool, lines ...phrase.Phrase) {
	if template && s.Owes != nil {
		s.Serial++
	}
	t.toSeat(s, notice{kind: kind, subject: subject, lines: lines, owed: true, template: template})
}

// tellOthers tells all players but one something.
func (t *turn) tellOthers(than *seat, subject phrase.Phrase, lines ...phrase.Phrase) {
	for _, s := range t.game.Seats {
		if s != than && !s.Resigned {
			t.tell(s, subject, lines...)
		}
	}
}

// tellSeats tells all players something.
func (t *turn) tellSeats(subject phrase.Phrase, lines ...phrase.Phrase) {
	for _, s := range t.game.Seats {
		if !s.Resigned {
			t.tellOwing(s, "", subject, false, lines...)
		}
	}
}

// clone copies a record, so that neither changes with the other.
func (g *game) clone() *game {
	c := *g
	c.Seats = make([]*seat, len(g.Seats))
	for i, s := range g.Seats {
		c.Seats[i] = s.clone()
	}
	c.Held = slices.Clone(g.Held)
	c.Observers = slices.Clone(g.Observers)
	for i, o := range c.Observers {
		copied := *o
		c.Observers[i] = &copied
	}
	if g.Luck != nil {
		copied := *g.Luck
		copied.Words = maps.Clone(g.Luck.Words)
		c.Luck = &copied
	}
	return &c
}

func (s *seat) clone() *seat {
	c := *s
	c.Absences, c.Verdicts, c.From = slices.Clone(s.Absences), slices.Clone(s.Verdicts), slices.Clone(s.From)
	if s.Owes != nil {
		owes := *s.Owes
		if owes.Answer != nil {
			answer := *owes.Answer
			owes.Answer = &answer
		}
		c.Owes = &owes
	}
	return &c
}

// kindMoment is the kind of a moment in a phrase. Letters write it by their reader's clock.
const kindMoment = "moment"

// sayTime is a moment, for whoever reads it to see by his clock.
func sayTime(t time.Time) phrase.Phrase {
	return phrase.Say("office.moment", phrase.Arg{Name: "at", Value: phrase.Value{Kind: kindMoment, Text: t.Format(time.RFC3339Nano)}})
}

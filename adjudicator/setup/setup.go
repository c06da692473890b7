// Package setup reads set-ups: the files that say what a new game is made of. It judges them
// as a whole, by the rulesets of the office for which it reads, and knows nothing else about it.
package setup

import (
	"crypto/sha256"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Setup is what a new game is made of, as a set-up file says it.
type Setup struct {
	Game   string // id: "ligny-7"
	Title  string
	System string // id of the ruleset
	Rules  engine.Setup
	Seats  map[engine.Side]log.Person
	GM     log.Person
	Timing timing.Timing
	Pace   map[engine.Side]string // at which each seat begins; none: as before there were paces
	Seed   []byte                 // of the dice; nil: drawn
	Luck   bool                   // the players' words go into every roll
	// Press: which kinds of letters players may write to each other.
	Press    []string
	Silence  log.Silence
	Reserves []log.Person  // people who take over from players that stay silent
	Proof    string        // what is demanded before a letter is believed: address, key, dkim, signed; "": key
	Absence  time.Duration // how long a player may be away in all; 0: no absences
	Keep     time.Duration // how long reports are kept once the game is over, apart from the database; 0: in the database, for good; see [game.KeptForGood]
	Lending  bool          // players may lend their seats to the bot
	// GMPlays: a game master who plays in the game still sees what is hidden, and may make
	// rulings.
	GMPlays bool
	Solo    bool   // one player asked for it by letter, against bots
	League  string // whose pairing it plays; "": no league's
	Again   string // the game of which it is the rematch; "": of none

	position engine.Position
}

// PlayedAlone makes the set-up that of a game against bots, which its one person asked for.
func (s *Setup) PlayedAlone(by log.Person) {
	s.Solo = true
	for side, person := range s.Seats {
		if person.Bot == "" {
			s.Seats[side] = by
		}
	}
}

// Bounds of set-ups.
const (
	mostReminders = 10
	usualAbsence  = 14 * 24 * time.Hour // for one player in all, in a game that does not set it
)

// A Reader reads set-ups for an office.
type Reader struct {
	Systems    map[string]engine.Ruleset // that the office has, by their ids
	Names      []string                  // of these, sorted
	Languages  []string                  // that it writes
	DKIM       bool                      // it can have an address's domain proven
	Repeatable bool                      // set-ups may fix the seed of the dice
	Now        time.Time
}

// Read reads a set-up file. All faults are reported at once. A file
// without a gm gets the one given, if any.
func (rd *Reader) Read(text string, gm *log.Person) (*Setup, orders.Problems) {
	root, problems := orders.ParseNode([]byte(text))
	if root == nil {
		if len(problems) == 0 {
			problems = orders.Problems{{Why: phrase.Say("office.setup.empty")}}
		}
		return nil, problems
	}
	return rd.ReadNode(root, problems, gm)
}

// ReadNode reads a set-up that has been parsed already, with the faults found in parsing.
func (rd *Reader) ReadNode(root *orders.Node, problems orders.Problems, gm *log.Person) (*Setup, orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	r.Problems = append(r.Problems, problems...)
	f := r.Fields(root, "game", "title", "system", "scenario", "options", "seats", "gm", "deadline", "reminders",
		"early", "second-thoughts", "seed", "luck", "press", "zone", "silence", "reserves", "absence", "proof", "gm-plays", "pace", "bots", "keep")
	s := &Setup{Rules: engine.Setup{Options: map[string]string{}}, Absence: usualAbsence}

	if id, ok := r.Text(r.Require(f, "game")); ok {
		s.Game = strings.ToLower(strings.TrimSpace(id))
		if !intake.GameID.MatchString(s.Game) {
			r.Refuse(f.Get("game"), "", phrase.Say("office.setup.game-id", phrase.Literal("id", id)))
		}
	}
	s.Title = intake.ReadName(r, f.Get("title"))
	rules := rd.readSystem(r, f, s)
	rd.readPace(r, f, s, rules)
	rd.readSeats(r, f, s, rules)
	if n := f.Get("gm"); n != nil {
		s.GM, _ = rd.readPerson(r, n)
	} else if gm != nil {
		s.GM = *gm
	} else {
		r.Require(f, "gm")
	}
	rd.readProof(r, f, s)
	rd.readTiming(r, f, s, rules)
	rd.readSilence(r, f, s)
	if n := f.Get("absence"); n != nil {
		s.Absence, _ = intake.ReadWait(r, n)
	}
	if n := f.Get("keep"); n != nil && r.Is(n, "always") {
		s.Keep = game.KeptForGood
	} else if n != nil {
		s.Keep, _ = intake.ReadDuration(r, n)
	}
	s.atHome()
	if n := f.Get("gm-plays"); n != nil {
		word, _ := r.Word(n, "open", "blind")
		s.GMPlays = word == "open"
	}
	if n := f.Get("bots"); n != nil {
		word, _ := r.Word(n, "allowed", "none")
		s.Lending = word == "allowed"
	}
	if n := f.Get("press"); n != nil {
		s.Press = readPress(r, n)
	}
	if n := f.Get("seed"); n != nil && gm != nil {
		r.Refuse(n, "", phrase.Say("office.setup.seed-by-letter"))
	}
	if n := f.Get("seed"); n != nil && gm == nil && !rd.Repeatable {
		r.RefuseWith(n, "", phrase.Say("office.setup.seed-fixed"), phrase.Say("office.setup.seed-drawn"))
	}
	if n := f.Get("luck"); n != nil {
		word, _ := r.Word(n, "asked")
		s.Luck = word == "asked"
	}
	if text, ok := r.Text(f.Get("seed")); ok && text != "" {
		sum := sha256.Sum256([]byte(text))
		s.Seed = sum[:]
	}
	if len(r.Problems) > 0 {
		r.Problems.Sort()
		return nil, r.Problems
	}
	return s, nil
}

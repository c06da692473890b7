package log

import (
	"time"

	"berthier/adjudicator/timing"
	"berthier/engine"
)

// The bots that a set-up may give a seat to.
const (
	SensibleBot = "sensible" // plays as [engine.Ruleset.Sensible] does
	RandomBot   = "random"   // plays as [engine.Ruleset.Random] does
)

// A Person takes part in a game, or looks after it. In the place of a person a seat may have
// a bot, which has neither an address nor a key, and gets no letters.
type Person struct {
	Name     string `json:"name,omitempty"`
	Address  string `json:"address"`            // folded: lower case; "" of a bot
	Bot      string `json:"bot,omitempty"`      // which bot it is; "": a person
	Language string `json:"language,omitempty"` // "en", "it"
	Zone     string `json:"zone,omitempty"`     // IANA name; "" is UTC
	PGP      string `json:"pgp,omitempty"`      // armoured OpenPGP public key, if letters are to be signed
}

// DiceScheme is the scheme of a game's dice: the first, if its set-up names none.
func (m *Made) DiceScheme() int { return max(m.Scheme, FirstScheme) }

// Former tells whether a game began with other words than those in use now ([Words]).
func (m *Made) Former() bool { return m.Words < Words }

// A Rematch is what an entry [KindRematch] says: that the player of its seat wants one, or no
// longer does; or that it is made, or can't be.
type Rematch struct {
	Cancel bool   `json:"cancel,omitempty"`
	Game   string `json:"game,omitempty"`
	Failed string `json:"failed,omitempty"`
}

// A LuckWord is a player's word, as the log keeps it.
type LuckWord struct {
	Side engine.Side `json:"side"`
	Word string      `json:"word"`
}

// LuckTold is how the words went into the dice, as the log has it.
type LuckTold struct {
	Words []LuckWord `json:"words"`
}

// A Made is what a game was made from, as the log keeps it: enough to play it
// again.
type Made struct {
	Game       string            `json:"game"`
	Title      string            `json:"title,omitempty"`
	System     string            `json:"system"`
	Scenario   string            `json:"scenario,omitempty"`
	Data       string            `json:"data,omitempty"` // a scenario file of the user's own
	Options    map[string]string `json:"options,omitempty"`
	Timing     timing.Timing     `json:"timing"`
	Silence    Silence           `json:"silence,omitzero"`
	Absence    time.Duration     `json:"absence,omitempty"`  // how long one player may be away in all
	Keep       time.Duration     `json:"keep,omitempty"`     // how long reports are kept once it is over, apart from the database; -1: for good; 0: in it, for good
	Lending    bool              `json:"lending,omitempty"`  // players may lend their seats to the bot
	GMPlays    bool              `json:"gm_plays,omitempty"` // the game master may play in it, and see all the same
	Commitment string            `json:"commitment"`         // SHA-256 of the seed of the dice, hex

	Scheme  int    `json:"dice,omitempty"`    // by which the dice come from the seed; 0: the first
	Words   int    `json:"words,omitempty"`   // what words mean and how answers are written; 0: as before there was a number
	Fixed   bool   `json:"fixed,omitempty"`   // the seed was not drawn by chance: a demo or a test
	Luck    bool   `json:"luck,omitempty"`    // the players' words go into every roll
	Rules   string `json:"rules,omitempty"`   // digest of what decides ([engine.Digest])
	Program string `json:"program,omitempty"` // the version that made the game

	// Pace is how much each seat was to be asked, and Policies are those with which it
	// began, as an order file writes them: a later program never changes them. None: the
	// game began without.
	Pace     map[engine.Side]string `json:"pace,omitempty"`
	Policies map[engine.Side]string `json:"policies,omitempty"`
	// Meanwhile: seats are asked what follows while another decides whether it does something
	// that it mostly declines.
	Meanwhile bool `json:"meanwhile,omitempty"`

	Bots map[engine.Side]string `json:"bots,omitempty"` // seats that bots had from the beginning, and which
}

// A Leaving is what an entry [KindReplaced], [KindVacated] or [KindResigned] says of a player who
// leaves his seat.
type Leaving struct {
	Bot string `json:"bot,omitempty"` // which bot has the seat from then on; "": none has
	// Ends: nothing that he has filed ahead waits any more, not even what his answer in force
	// files. Where an entry of before does not say so, that waited once its stop was resolved.
	Ends bool `json:"ends,omitempty"`
}

// An Adoption says into which league's season a game was taken, and with how many stops missed in a row it is
// lost from then on, in an entry [KindAdopted].
type Adoption struct {
	League  string `json:"league"`
	Forfeit int    `json:"forfeit,omitempty"`
}

// A Restoration is what the log says about a restore, in an entry [KindRestored].
type Restoration struct {
	At   time.Time `json:"at"`   // when the copy was put in place
	Mark string    `json:"mark"` // tells this restore from all others
}

// Silence says what happens in a game when a side stays silent. What a standing order
// answers is never asked. A decision that is asked and not answered is resolved by the
// default of the rules; after so many such stops in a row the bot plays for the side, and
// after so many another player takes it over. Stops that the bot answers count once in each
// usual interval: the bot is quick, and the player must have time to come back. Zero leaves
// a step out.
type Silence struct {
	Bot     int `json:"bot,omitempty"`
	Replace int `json:"replace,omitempty"`
	// Share is how many of a hundred sides may be silent at once before defaults
	// are held back for a grace. 0: fifty; 100: any number.
	Share int `json:"share,omitempty"`
	// Forfeit is after how many such stops in a row the game is lost to a side of a league's
	// game. The league reads it in the log; the game itself goes on.
	Forfeit int `json:"forfeit,omitempty"`
}

// usualShare is the share of a game that does not set it.
const usualShare = 50

// Percent is the share in force: that of the game, or the usual one.
func (l Silence) Percent() int {
	if l.Share == 0 {
		return usualShare
	}
	return l.Share
}

// A RulesChanged says how a game went on under other rules, as its log has it.
type RulesChanged struct {
	Digest   string `json:"digest"`
	Program  string `json:"program,omitempty"`
	Stops    int    `json:"stops"`              // that were played again
	Alike    bool   `json:"alike,omitempty"`    // all of them came out as before
	Accepted bool   `json:"accepted,omitempty"` // a game master accepted them all the same
	Position string `json:"position,omitempty"` // with which the game goes on, if they were accepted
	Where    string `json:"where,omitempty"`    // the first that came out otherwise
}

// Say tells why the game went on under other rules.
func (c RulesChanged) Say() string {
	if c.Alike {
		return "all stops up to there come out the same"
	}
	return "which its game master accepted, though they play otherwise"
}

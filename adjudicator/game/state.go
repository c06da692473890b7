package game

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/mail/mailbox"
)

// Former tells whether the game began with other words than those in use now ([log.Words]).
func (g *State) Former() bool { return g.Spelling < log.Words }

// DiceScheme is the scheme of the game's dice.
func (g *State) DiceScheme() int { return max(g.Scheme, log.FirstScheme) }

// A Phase of a game's life.
type Phase string

const (
	Running Phase = "running"
	Over    Phase = "over"   // the rules have ended it
	Closed  Phase = "closed" // a game master has
)

// KeptForGood is how long reports are kept that are kept for good, apart from the database.
const KeptForGood time.Duration = -1

// A State is the record of a game in progress, as the store keeps it. With the
// snapshot of its position and its pending answers it is all that is needed to
// go on; all of it follows from the log.
type State struct {
	ID        string                 `json:"id"`
	Title     string                 `json:"title,omitempty"`
	System    string                 `json:"system"`
	Scenario  string                 `json:"scenario,omitempty"`
	Options   map[string]string      `json:"options,omitempty"`
	Pace      map[engine.Side]string `json:"pace,omitempty"`      // at which the seats began; none: as before there were paces
	Policies  map[engine.Side]string `json:"policies,omitempty"`  // with which they began, as order files write them
	Meanwhile bool                   `json:"meanwhile,omitempty"` // seats are asked what follows while another decides whether it declines
	Phase     Phase                  `json:"phase"`
	Paused    time.Time              `json:"paused,omitzero"` // since when its clock stands still
	Fault     string                 `json:"fault,omitempty"` // why the ruleset could not go on; the game is then paused
	Created   time.Time              `json:"created"`
	GM        log.Person             `json:"gm"`
	Also      []log.Person           `json:"masters,omitempty"`      // further game masters, in their order: each has a key of his own
	AlsoKeys  []int                  `json:"masters_keys,omitempty"` // the numbers of their keys, in their order ([State.KeyOf])
	KeysGiven int                    `json:"keys_given,omitempty"`   // the last of these numbers: none is given twice
	Epoch     int                    `json:"epoch,omitempty"`        // of the GM's key
	Keys      int                    `json:"keys,omitempty"`         // how often the GM has changed it
	Proof     string                 `json:"proof,omitempty"`        // what is asked for before a letter is believed; "": the key
	Seats     []*Seat                `json:"seats"`                  // in the order of the rules
	Timing    timing.Timing          `json:"timing"`
	Silence   log.Silence            `json:"silence,omitzero"`
	Reserves  []log.Person           `json:"reserves,omitempty"` // who take over from players that stay silent, in their order
	Absence   time.Duration          `json:"absence,omitempty"`  // how long one player may be away in all
	Keep      time.Duration          `json:"keep,omitempty"`     // how long reports are kept once it is over, apart from the database; 0: in it, for good
	NoPress   bool                   `json:"no_press,omitempty"` // of games made before there were kinds: players may not write to each other
	Press     []string               `json:"press,omitempty"`    // kinds of letters between players; none: signed
	Held      []HeldPress            `json:"held,omitempty"`     // letters that the game master is to pass on
	Observers []*Observer            `json:"observers,omitempty"`
	Shown     *publicPage            `json:"shown,omitempty"`   // for observers, once all sides have had a report as new
	Delayed   []DelayedPress         `json:"delayed,omitempty"` // letters that go later
	Saw       []Saw                  `json:"saw,omitempty"`     // who had a seat, or looked on in full, and does no longer
	HeldUpTo  int                    `json:"held_up_to,omitempty"`
	Seed      []byte                 `json:"seed"`             // of the dice: secret until the end
	Spelling  int                    `json:"words,omitempty"`  // what words mean and how answers are written; 0: as before there was a number
	Scheme    int                    `json:"dice,omitempty"`   // by which dice come from the seed; 0: the first
	Fixed     bool                   `json:"fixed,omitempty"`  // the seed was not drawn: a demo or a test
	Rules     string                 `json:"rules,omitempty"`  // digest of the rules that the game was last found to fit
	Unlike    string                 `json:"unlike,omitempty"` // digest of rules under which it plays otherwise; it is paused
	Luck      *Luck                  `json:"luck,omitempty"`   // the players' words for luck; nil: none are asked for
	Stop      int                    `json:"stop"`             // number of the present stop, counting all sides'
	Head      uint64                 `json:"head,omitempty"`   // log entry that led to the present position
	Since     time.Time              `json:"since,omitzero"`   // when it was last rewound
	Resolve   time.Time              `json:"resolve,omitzero"` // second thoughts: when to resolve

	Decided   *engine.Outcome `json:"decided,omitempty"`    // by the game master
	DecidedBy uint64          `json:"decided_by,omitempty"` // log entry of that ruling
	Disputes  []uint64        `json:"disputes,omitempty"`   // log entries of those that are open
	Lending   bool            `json:"lending,omitempty"`    // players may lend their seats to the bot
	Solo      bool            `json:"solo,omitempty"`       // its one player asked for it, against bots
	GMPlays   bool            `json:"gm_plays,omitempty"`   // the game master may play in it, and see all the same

	Rematch *Rematch `json:"rematch,omitempty"` // nil: no player of the finished game has asked for one
	Again   string   `json:"again,omitempty"`   // the game of which this is the rematch

	League string `json:"league,omitempty"` // whose pairing it plays; "": no league's

	Exchanges []log.Exchange `json:"exchanges,omitempty"` // players who changed seats, in order

	Restored string `json:"restored,omitempty"` // mark of the last restore of the database that the log tells of
}

// ErrUnfit: what is kept of a game can't be taken up by this program. It is not so for a moment only.
var ErrUnfit = errors.New("what is kept of the game does not fit the program")

// unfit is an error that is [ErrUnfit] and says what does not fit.
type unfit struct{ error }

// Is implements the interface of [errors.Is].
func (unfit) Is(target error) bool { return target == ErrUnfit }

// Unwrap gives what does not fit.
func (e unfit) Unwrap() error { return e.error }

// Unfit gives an error that says what does not fit, and is [ErrUnfit].
func Unfit(err error) error { return unfit{err} }

// Read reads a record as the store keeps it. Its error is [ErrUnfit].
func Read(record []byte) (*State, error) {
	g := &State{}
	if err := json.Unmarshal(record, g); err != nil {
		return nil, Unfit(fmt.Errorf("read record: %w", err))
	}
	return g, nil
}

// Seat is the seat of a side; nil: there is none.
func (g *State) Seat(side engine.Side) *Seat {
	for _, s := range g.Seats {
		if s.Side == side {
			return s
		}
	}
	return nil
}

// Player is the seat that a player has now, by his book ([Seat.BookOf]); nil: there is none.
func (g *State) Player(book engine.Side) *Seat {
	for _, s := range g.Seats {
		if s.BookOf() == book {
			return s
		}
	}
	return nil
}

// A Saw is somebody who has seen what a side sees, or (without a side) all sides, and may have no other side.
type Saw struct {
	Address string      `json:"address"`
	Side    engine.Side `json:"side,omitempty"`
}

// saw notes that somebody has seen what a side sees, or (without a side) all sides.
func (g *State) saw(address string, side engine.Side) {
	if one := (Saw{address, side}); !slices.Contains(g.Saw, one) {
		g.Saw = append(slices.Clip(g.Saw), one)
	}
}

// takesPart tells whether an address is one of a game's.
func (g *State) takesPart(address string) bool {
	return slices.ContainsFunc(g.MastersOf(), func(p log.Person) bool { return p.Address == address }) || slices.ContainsFunc(g.Seats, func(s *Seat) bool { return s.Has(address) })
}

// MastersOf gives the game masters of the game in their order.
func (g *State) MastersOf() []log.Person { return append([]log.Person{g.GM}, g.Also...) }

// Master gives the further game master who has an address; nil: there is none.
func (g *State) Master(address string) *log.Person {
	for i := range g.Also {
		if g.Also[i].Address == address {
			return &g.Also[i]
		}
	}
	return nil
}

// KeyOf is the number of the key of a further game master; 0: he had it before there were numbers.
func (g *State) KeyOf(address string) int {
	for i, n := range g.AlsoKeys {
		if i < len(g.Also) && g.Also[i].Address == address {
			return n
		}
	}
	return 0
}

// newKeyFor gives a further game master a key that nobody has had.
func (g *State) newKeyFor(address string) {
	keys := make([]int, len(g.Also))
	for i, p := range g.Also {
		keys[i] = g.KeyOf(p.Address)
		if p.Address == address {
			g.KeysGiven++
			keys[i] = g.KeysGiven
		}
	}
	g.AlsoKeys = keys
}

// Clock is when the game's clock shows now: it stands still while paused.
func (g *State) Clock(now time.Time) time.Time {
	if !g.Paused.IsZero() {
		return g.Paused
	}
	return now
}

// Wake is when the game must be looked at next; zero: only when a letter comes.
func (g *State) Wake() time.Time {
	if g.Agreed() {
		return g.Rematch.Wishes[len(g.Rematch.Wishes)-1].At
	}
	if g.Phase != Running || !g.Paused.IsZero() {
		return time.Time{}
	}
	first := g.Resolve
	if g.AsksLuck() {
		return g.Luck.Until
	}
	sooner := func(t time.Time) {
		if first.IsZero() || t.Before(first) {
			first = t
		}
	}
	for _, s := range g.Seats {
		o := s.Owes
		if o != nil && s.Stands() && !o.GoesOn.IsZero() {
			sooner(o.GoesOn)
		}
		if o == nil || o.Passed || o.Deadline.IsZero() || s.Stands() {
			continue
		}
		if !s.waitedFor() {
			sooner(s.Ends())
		}
		if o.Answer != nil || !s.Played() {
			continue
		}
		if o.Warned {
			if next := s.nextNotice(); !next.IsZero() {
				sooner(next)
			}
			continue
		}
		if o.Waits {
			sooner(o.Deadline)
		}
		sooner(o.Deadline)
		if due := g.Timing.Of(o.Decision.Kind).Reminders; o.Reminded < len(due) {
			sooner(o.Deadline.Add(-due[o.Reminded]))
		}
	}
	return first
}

// StateName is the state of the game in one word.
func (g *State) StateName() string {
	if g.Phase == Running && !g.Paused.IsZero() {
		return "paused"
	}
	return string(g.Phase)
}

// SignsFor is the public key with which letters of a game master or an administrator about
// a game are signed; "" if none is known. A key that is registered in the game for its
// game master counts before the key that the configuration has.
func (g *State) SignsFor(p *log.Person) string {
	if p == nil || p.Address == g.GM.Address && g.GM.PGP != "" {
		return g.GM.PGP
	}
	return p.PGP
}

// What a game asks for before it believes who sent a letter (proof: in a
// set-up). The game master's letters need his key at every level.
const (
	ProofAddress = "address" // it comes from the player's address
	ProofKey     = "key"     // and holds the player's key; the usual
	ProofDKIM    = "dkim"    // and the address's domain is proven
	ProofSigned  = "signed"  // key and an OpenPGP signature of the player over the orders
)

// ProofLevel is what the game asks for before a letter is believed.
func (g *State) ProofLevel() string {
	if g.Proof == "" {
		return ProofKey
	}
	return g.Proof
}

// Plays tells whether an address is that of a player's mailbox.
func (g *State) Plays(address string) bool {
	return slices.ContainsFunc(g.Seats, func(s *Seat) bool { return mailbox.Same(s.Person.Address, address) })
}

// Clone copies a record, so that neither changes with the other.
func (g *State) Clone() *State {
	c := *g
	c.Seats = make([]*Seat, len(g.Seats))
	for i, s := range g.Seats {
		c.Seats[i] = s.clone()
	}
	c.Reserves, c.Press, c.Disputes, c.Exchanges = slices.Clip(g.Reserves), slices.Clip(g.Press), slices.Clip(g.Disputes), slices.Clip(g.Exchanges)
	c.Held, c.Also, c.Delayed = slices.Clone(g.Held), slices.Clip(g.Also), slices.Clip(g.Delayed)
	c.AlsoKeys = slices.Clone(g.AlsoKeys)
	c.Observers = slices.Clone(g.Observers)
	for i, o := range c.Observers {
		copied := *o
		copied.Told = slices.Clip(o.Told)
		c.Observers[i] = &copied
	}
	if g.Luck != nil {
		copied := *g.Luck
		copied.Words = maps.Clone(g.Luck.Words)
		c.Luck = &copied
	}
	return &c
}

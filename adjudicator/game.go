package adjudicator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/templates"
)

// A Person takes part in a game, or looks after it.
type Person struct {
	Name     string `json:"name,omitempty"`
	Address  string `json:"address"`            // folded: lower case
	Language string `json:"language,omitempty"` // "en", "it"
	Zone     string `json:"zone,omitempty"`     // IANA name; "" is UTC
	PGP      string `json:"pgp,omitempty"`      // armoured OpenPGP public key, if letters are to be signed
}

func (p Person) reader() templates.Reader {
	return templates.Reader{Name: p.Name, Language: p.Language, Zone: zone(p.Zone)}
}

// A phase of a game's life.
type phase string

const (
	running phase = "running"
	over    phase = "over"   // the rules have ended it
	closed  phase = "closed" // a game master has
)

// A game is the record of a game in progress, as the store keeps it. With the
// snapshot of its position and its pending answers it is all that is needed to
// go on; all of it follows from the log.
type game struct {
	ID        string            `json:"id"`
	Title     string            `json:"title,omitempty"`
	System    string            `json:"system"`
	Scenario  string            `json:"scenario,omitempty"`
	Options   map[string]string `json:"options,omitempty"`
	Phase     phase             `json:"phase"`
	Paused    time.Time         `json:"paused,omitzero"` // since when its clock stands still
	Fault     string            `json:"fault,omitempty"` // why the ruleset could not go on; the game is then paused
	Created   time.Time         `json:"created"`
	GM        Person            `json:"gm"`
	Epoch     int               `json:"epoch,omitempty"` // of the GM's key
	Keys      int               `json:"keys,omitempty"`  // how often the GM has changed it
	Proof     string            `json:"proof,omitempty"` // what is asked for before a letter is believed; "": the key
	Seats     []*seat           `json:"seats"`           // in the order of the rules
	Timing    Timing            `json:"timing"`
	Silence   Silence           `json:"silence,omitzero"`
	Reserves  []Person          `json:"reserves,omitempty"` // who take over from players that stay silent, in their order
	Absence   time.Duration     `json:"absence,omitempty"`  // how long one player may be away in all
	NoPress   bool              `json:"no_press,omitempty"` // of games made before there were kinds: players may not write to each other
	Press     []string          `json:"press,omitempty"`    // kinds of letters between players; none: signed
	Held      []heldPress       `json:"held,omitempty"`     // letters that the game master is to pass on
	Observers []*observer       `json:"observers,omitempty"`
	Shown     *publicPage       `json:"shown,omitempty"` // for observers, once all sides have had a report as new
	HeldUpTo  int               `json:"held_up_to,omitempty"`
	Seed      []byte            `json:"seed"`             // of the dice: secret until the end
	Words     int               `json:"words,omitempty"`  // what words mean and how answers are written; 0: as before there was a number
	Scheme    int               `json:"dice,omitempty"`   // by which dice come from the seed; 0: the first
	Fixed     bool              `json:"fixed,omitempty"`  // the seed was not drawn: a demo or a test
	Rules     string            `json:"rules,omitempty"`  // digest of the rules that the game was last found to fit
	Unlike    string            `json:"unlike,omitempty"` // digest of rules under which it plays otherwise; it is paused
	Luck      *luck             `json:"luck,omitempty"`   // the players' words for luck; nil: none are asked for
	Stop      int               `json:"stop"`             // number of the present stop, counting all sides'
	Head      uint64            `json:"head,omitempty"`   // log entry that led to the present position
	Since     time.Time         `json:"since,omitzero"`   // when it was last rewound
	Resolve   time.Time         `json:"resolve,omitzero"` // second thoughts: when to resolve

	Decided   *engine.Outcome `json:"decided,omitempty"`    // by the game master
	DecidedBy uint64          `json:"decided_by,omitempty"` // log entry of that ruling
	Disputes  []uint64        `json:"disputes,omitempty"`   // log entries of those that are open
	GMPlays   bool            `json:"gm_plays,omitempty"`   // the game master may play in it, and see all the same

	Exchanges []Exchange `json:"exchanges,omitempty"` // players who changed seats, in order

	Restored string `json:"restored,omitempty"` // mark of the last restore of the database that the log tells of
}

// A seat is a side of a game and who plays it.
type seat struct {
	Side     engine.Side `json:"side"`
	Person   Person      `json:"person"`
	Epoch    int         `json:"epoch,omitempty"` // of its key: how often it was replaced
	Keys     int         `json:"keys,omitempty"`  // how often its player has changed the key
	Resigned bool        `json:"resigned,omitempty"`
	Stops    int         `json:"stops"`              // how many it was asked at
	Serial   int         `json:"serial"`             // of the last template sent
	Reports  int         `json:"reports"`            // sent
	Missed   int         `json:"missed,omitempty"`   // stops that were resolved without an answer
	Row      int         `json:"row,omitempty"`      // of these, in a row up to now
	Counted  time.Time   `json:"counted,omitzero"`   // when the last of these was resolved
	Bot      bool        `json:"bot,omitempty"`      // the bot plays until the player writes again
	Wanted   bool        `json:"wanted,omitempty"`   // the game master knows that it needs a player
	Heard    time.Time   `json:"heard,omitzero"`     // when the player last wrote
	Absences []Absence   `json:"absences,omitempty"` // that the player booked
	Pages    uint64      `json:"pages,omitempty"`    // reports kept for the player's history
	Book     engine.Side `json:"book,omitempty"`     // the side under whose name they are kept; "": that of the seat
	Events   int         `json:"events,omitempty"`   // number of the last event that the player was told
	Ruled    []told      `json:"ruled,omitempty"`    // what his last report said of a ruling
	Told     []told      `json:"told,omitempty"`     // since its last report
	Floor    int         `json:"floor,omitempty"`    // templates up to this serial were made before the game was rewound
	Hash     string      `json:"hash,omitempty"`     // of the log, when an entry was last about this seat or it had its report
	Entry    uint64      `json:"entry,omitempty"`    // number of that entry, once the game is over and it tells nothing any more; else 0
	Since    uint64      `json:"since,omitempty"`    // log entry after which the last report tells what happened
	Upto     uint64      `json:"upto,omitempty"`     // last log entry that the last report tells of
	Failures int         `json:"failures,omitempty"` // letters lost for good, since the player last wrote
	Dead     bool        `json:"dead,omitempty"`     // its address does not work
	Back     bool        `json:"back,omitempty"`     // a letter could not be delivered, and that is believed
	Stood    bool        `json:"stood,omitempty"`    // its clock has stood still because of that, which it does once
	Moved    bool        `json:"moved,omitempty"`    // its player came from another seat, and has had no report since
	Owes     *owes       `json:"owes,omitempty"`

	Replied  time.Time `json:"replied,omitzero"`      // when the last answer to an order file went out
	ForStop  int       `json:"replied_to,omitempty"`  // the stop that it was about
	Verdicts []verdict `json:"verdicts,omitempty"`    // on letters since then, of which he was not told yet
	Due      time.Time `json:"verdicts_due,omitzero"` // when he is to be told
	Before   string    `json:"before,omitempty"`      // normal form of the answer that was in force before the first of them

	Restored time.Time `json:"restored,omitzero"` // when the database was restored, of which his next letter tells him

	Letters int         `json:"letters,omitempty"` // from other players that it got
	From    []heardFrom `json:"from,omitempty"`    // who wrote the last of them
}

type told = templates.Told

// owes is a decision that a seat must answer.
type owes struct {
	Stop     int             `json:"stop"` // as the seat counts
	Decision engine.Decision `json:"decision"`
	Opened   time.Time       `json:"opened"`
	Deadline time.Time       `json:"deadline,omitzero"`
	Passed   bool            `json:"passed,omitempty"`   // the deadline has
	Late     time.Time       `json:"late,omitzero"`      // end of the grace: the default is not taken before
	Warned   bool            `json:"warned,omitempty"`   // the player knows that the grace runs
	Held     string          `json:"held,omitempty"`     // why an interlock made Late later
	Was      time.Time       `json:"was,omitzero"`       // the deadline before that
	Moves    int             `json:"moves,omitempty"`    // how often the deadline was moved
	Reminded int             `json:"reminded,omitempty"` // reminders of the timing that are behind
	Stands   time.Time       `json:"stands,omitzero"`    // since when its clock stands still: the player could not be reached
	Unsent   bool            `json:"unsent,omitempty"`   // it stands still until the report has left
	GoesOn   time.Time       `json:"goes_on,omitzero"`   // else, when it goes on by itself
	Answer   *inForce        `json:"answer,omitempty"`
}

// played tells whether a person plays the seat.
func (s *seat) played() bool { return !s.Resigned && !s.Bot }

// ends is when a seat's time is up: at its deadline if an answer is in, else at
// the end of the grace.
func (s *seat) ends() time.Time {
	if s.Owes.Answer != nil || !s.played() || s.Owes.Late.Before(s.Owes.Deadline) {
		return s.Owes.Deadline
	}
	return s.Owes.Late
}

// inForce is an answer that counts unless a newer one comes. Its file is among
// the store's answers.
type inForce struct {
	Serial int       `json:"serial,omitempty"` // of the template it was made from
	Sent   time.Time `json:"sent"`
	Final  bool      `json:"final"`
	By     string    `json:"by,omitempty"`     // as [Given] has it, if the answer was given before a rewind
	GM     bool      `json:"gm,omitempty"`     // the game master answered
	Entry  uint64    `json:"entry,omitempty"`  // log entry of the file, if it is known
	Number int       `json:"number,omitempty"` // of the good files of the stop
	Print  string    `json:"print,omitempty"`  // begin of the SHA-256 of its normal form
}

// book is the name under which the reports of a seat's player are kept: that of the
// side with which he began.
func (s *seat) book() engine.Side {
	if s.Book != "" {
		return s.Book
	}
	return s.Side
}

func readGame(record []byte) (*game, error) {
	g := &game{}
	if err := json.Unmarshal(record, g); err != nil {
		return nil, fmt.Errorf("read record: %w", err)
	}
	return g, nil
}

func (g *game) seat(side engine.Side) *seat {
	for _, s := range g.Seats {
		if s.Side == side {
			return s
		}
	}
	return nil
}

// takesPart tells whether an address is one of a game's.
func (g *game) takesPart(address string) bool {
	return g.GM.Address == address || slices.ContainsFunc(g.Seats, func(s *seat) bool { return s.Person.Address == address })
}

func (o *Office) seatKey(g *game, s *seat) string {
	return o.key(g.ID, string(s.Side), s.Epoch, s.Keys)
}
func (o *Office) gmKey(g *game) string { return o.key(g.ID, string(engine.GM), g.Epoch, g.Keys) }

// A desk is where one change of a game is prepared: the game, and what is to be
// written when the change is committed.
type desk struct {
	*table
	now      time.Time
	reading  bool
	resent   bool      // a letter is sent again
	byClock  bool      // time may pass a deadline without an answer
	dry      bool      // a rehearsal: nothing of it is kept
	hushed   bool      // reports wait until all is done
	who      string    // who acts as game master: an address, or "command line"
	operator *Operator // who acts on the command line; nil: it is a letter, or the office
	reader   *Person   // who gets the answers to the game master's letter; nil: the game master

	entries    []store.Entry
	notes      []string // kinds of these
	rows       []*row
	milestones []milestone                 // positions to keep
	archives   map[string][]byte           // pages of the finished game, by language
	ruled      map[int]map[int]int         // by stop: rolls that a ruling replaces
	repeats    map[int]uint64              // by stop: the entry of the past that is done again
	kept       []packedPage                // of reports sent, for the history of their seats
	moved      bool                        // the position is another
	answers    map[engine.Side][]byte      // files to keep; nil: to forget
	fresh      map[engine.Side]bool        // seats that have a new player, who has had no report yet
	joined     []string                    // addresses that now take part
	left       []string                    // addresses that may no longer
	writes     []func(tx *store.Tx) error  // whatever else
	readings   map[engine.Side]readAnswers // answers in force, as read
}

// An Entry of a game's log is what happened, as JSON. Kinds may be added; who
// reads a log keeps what it does not know.
type Entry struct {
	Kind   string      `json:"kind"` // one of the Log constants
	At     time.Time   `json:"at"`
	Seat   engine.Side `json:"seat,omitempty"`   // whom it is about
	By     string      `json:"by,omitempty"`     // who did it: "player", "gm", "office"
	Letter string      `json:"letter,omitempty"` // digest of the letter that did it, hex
	Stop   int         `json:"stop,omitempty"`   // number of the stop, counting all sides'
	Data   any         `json:"data,omitempty"`   // by kind

	// Private is what other players may not learn even when the game is over and
	// the log is published: persons with their addresses.
	Private any `json:"-"`
}

// Kinds of log entries.
const (
	LogSetup     = "setup"    // the game was made
	LogTaken     = "taken"    // an order file counts
	LogRefused   = "refused"  // an order file does not count
	LogStanding  = "standing" // standing orders came without an answer, and are in force
	LogDeadline  = "deadline" // a deadline passed without an answer
	LogResolved  = "resolved" // a stop was resolved
	LogOver      = "over"     // the game ended; holds the seed
	LogPaused    = "paused"
	LogResumed   = "resumed"
	LogExtended  = "extended"
	LogReminded  = "reminded"
	LogReplaced  = "replaced"  // a seat has another player
	LogExchanged = "exchanged" // the players of two seats changed places
	LogResigned  = "resigned"
	LogLate      = "late"      // a deadline passed without an answer, and the grace has begun
	LogBot       = "bot"       // the bot plays for a seat that stays silent
	LogReturned  = "returned"  // the player is back, and the bot no longer plays
	LogAbsence   = "absence"   // a player has booked an absence, or withdrawn it
	LogHeld      = "held"      // an interlock holds the default back
	LogReleased  = "released"  // a game master let go on what was held back
	LogObserver  = "observer"  // somebody looks on, sees something else now, or no longer looks on
	LogPress     = "press"     // a letter of a player was passed on
	LogClosed    = "closed"    // a game master ended the game; holds the seed
	LogLost      = "lost"      // a letter could not be delivered
	LogFault     = "fault"     // the ruleset could not go on
	LogRuling    = "ruling"    // a game master overruled something
	LogKey       = "key"       // somebody has another key, or another public key
	LogPreview   = "previewed" // a game master looked at what a ruling would do
	LogDispute   = "dispute"   // a player disputes an event
	LogRewound   = "rewound"   // a game master went back to an earlier stop
	LogWord      = "word"      // a player's word for luck
	LogLuck      = "luck"      // the players' words for luck are in, and the game begins
	LogRules     = "rules"     // the program has other rules than the game began with
	LogRefiled   = "refiled"   // a game master filed a letter again that could not be read when it came
	LogRestored  = "restored"  // the database was restored from a copy: what came after that copy is lost
	LogLooked    = "looked"    // somebody asked at the office's machine for what is hidden, in a game that is closed to some of its game masters
)

// note adds an entry to the log.
func (d *desk) note(e Entry) error {
	e.At = d.now
	if e.By == "gm" && d.who != "" {
		if e.Private == nil {
			e.Private = map[string]any{}
		}
		if also, ok := e.Private.(map[string]any); ok {
			also["by"] = d.who
		}
	}
	if e.Stop == 0 {
		e.Stop = d.game.Stop
	}
	hidden, _ := e.Private.(map[string]any)
	if hidden == nil {
		hidden = map[string]any{}
	}
	open, err := d.sealEntry(&e, hidden)
	if err != nil {
		return err
	}
	if len(hidden) > 0 {
		e.Private = hidden
	}
	body, err := json.Marshal(open)
	if err != nil {
		return fmt.Errorf("write log entry %s: %w", e.Kind, err)
	}
	var private []byte
	if e.Private != nil {
		if private, err = json.Marshal(e.Private); err != nil {
			return fmt.Errorf("write log entry %s: %w", e.Kind, err)
		}
	}
	var salt store.Salt
	if err := d.office.draw(salt[:]); err != nil {
		return err
	}
	entry := store.Follow(d.last, salt, body, private)
	d.entries = append(d.entries, entry)
	d.notes = append(d.notes, e.Kind)
	d.last = entry.Link
	if s := d.game.seat(e.Seat); s != nil {
		d.seal(s)
	}
	return nil
}

// seal keeps where the log stands, for the foot of a seat's letters: its hash and,
// once the game is over and the whole log is told, its number too. While the game
// runs the number would tell how often the others have written.
func (d *desk) seal(s *seat) {
	s.Hash, s.Entry = d.hash(), 0
	if d.game.Phase != running {
		s.Entry = d.last.Seq
	}
}

// A packedChange is a change as the store keeps it. It is packed before the transaction,
// for which others wait.
type packedChange struct {
	record   []byte
	snapshot []byte // nil: the position is the same
	rows     []packedRow
	history  [][]byte // by milestone
	wake     time.Time
}

// commit writes the change, with what else belongs to the transaction.
func (d *desk) commit(ctx context.Context, also func(*store.Tx) error) error {
	d.hideKeys()
	packed, err := d.packChange()
	if err != nil {
		return err
	}
	err = d.office.store.Apply(ctx, func(tx *store.Tx) error {
		if also != nil {
			if err := also(tx); err != nil {
				return err
			}
		}
		return d.putChange(tx, packed)
	})
	if err != nil {
		return fmt.Errorf("commit %s: %w", d.game.ID, err)
	}
	if len(packed.rows) > 0 || d.resent {
		signal(d.office.post)
	}
	signal(d.office.wake)
	return nil
}

// packChange packs all that the change writes.
func (d *desk) packChange() (p packedChange, err error) {
	if p.record, err = json.Marshal(d.game); err != nil {
		return p, fmt.Errorf("write record of %s: %w", d.game.ID, err)
	}
	if d.moved {
		if p.snapshot, err = d.position.Marshal(); err != nil {
			return p, fmt.Errorf("write snapshot of %s: %w", d.game.ID, err)
		}
	}
	p.rows = make([]packedRow, len(d.rows))
	for i, r := range d.rows {
		if p.rows[i], err = r.pack(); err != nil {
			return p, err
		}
	}
	p.history = make([][]byte, len(d.milestones))
	for i, m := range d.milestones {
		if p.history[i], err = m.pack(); err != nil {
			return p, err
		}
	}
	for i := range d.kept {
		if err := d.kept[i].pack(); err != nil {
			return p, err
		}
	}
	p.wake = d.game.wake()
	return p, nil
}

// putChange writes the change in a transaction.
func (d *desk) putChange(tx *store.Tx, p packedChange) error {
	id := d.game.ID
	if err := tx.Append(id, d.entries...); err != nil {
		return err
	}
	if err := tx.PutGame(id, p.record); err != nil {
		return err
	}
	if d.moved {
		if err := tx.PutSnapshot(id, p.snapshot); err != nil {
			return err
		}
	}
	for i, m := range d.milestones {
		if err := tx.PutHistory(id, m.Seq, p.history[i]); err != nil {
			return err
		}
	}
	for side, file := range d.answers {
		if err := tx.PutAnswer(id, string(side), file); err != nil {
			return err
		}
	}
	for _, address := range d.left {
		if err := tx.Leave(address, id); err != nil {
			return err
		}
	}
	for _, address := range d.joined {
		if err := tx.Join(address, id); err != nil {
			return err
		}
	}
	for _, r := range p.rows {
		if err := r.queue(tx, d.now); err != nil {
			return err
		}
	}
	for i := range d.kept {
		if err := d.kept[i].put(tx, id); err != nil {
			return err
		}
	}
	for _, write := range d.writes {
		if err := write(tx); err != nil {
			return err
		}
	}
	return tx.Wake(id, p.wake)
}

// keepAnswer keeps the file of an answer in force; nil forgets it.
func (d *desk) keepAnswer(side engine.Side, file []byte) {
	if d.answers == nil {
		d.answers = map[engine.Side][]byte{}
	}
	d.answers[side] = file
	delete(d.readings, side)
}

// answerFile gives the file of an answer in force.
func (d *desk) answerFile(side engine.Side) ([]byte, error) {
	if file, ok := d.answers[side]; ok {
		return file, nil
	}
	var file []byte
	err := d.office.store.View(func(tx *store.Tx) error {
		file = tx.Answer(d.game.ID, string(side))
		return nil
	})
	return file, err
}

// hash is the present end of the log, shortened for letters.
func (d *desk) hash() string { return shortHash(d.last.Hash) }

// shortHash is the part of a hash that letters tell: enough that nobody finds two logs
// that share it, whatever salts he draws.
func shortHash(hash [32]byte) string { return hex.EncodeToString(hash[:16]) }

func hexOf(digest [32]byte) string {
	if digest == ([32]byte{}) {
		return ""
	}
	return hex.EncodeToString(digest[:])
}

func commitment(seed []byte) string {
	sum := sha256.Sum256(seed)
	return hex.EncodeToString(sum[:])
}

// clock is when the game's clock shows now: it stands still while paused.
func (g *game) clock(now time.Time) time.Time {
	if !g.Paused.IsZero() {
		return g.Paused
	}
	return now
}

// wake is when the game must be looked at next; zero: only when a letter comes.
func (g *game) wake() time.Time {
	if g.Phase != running || !g.Paused.IsZero() {
		return time.Time{}
	}
	first := g.Resolve
	if g.asksLuck() {
		return g.Luck.Until
	}
	sooner := func(t time.Time) {
		if first.IsZero() || t.Before(first) {
			first = t
		}
	}
	for _, s := range g.Seats {
		o := s.Owes
		if o != nil && s.stands() && !o.GoesOn.IsZero() {
			sooner(o.GoesOn)
		}
		if o == nil || o.Passed || o.Deadline.IsZero() || s.stands() {
			continue
		}
		sooner(s.ends())
		if o.Answer != nil || !s.played() {
			continue
		}
		if o.Warned {
			continue
		}
		sooner(o.Deadline)
		if due := g.Timing.of(o.Decision.Kind).Reminders; o.Reminded < len(due) {
			sooner(o.Deadline.Add(-due[o.Reminded]))
		}
	}
	return first
}

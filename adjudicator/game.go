package adjudicator

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// readerOf is a person as the reader of a letter.
func readerOf(p log.Person) templates.Reader {
	return templates.Reader{Name: p.Name, Language: p.Language, Zone: timing.Zone(p.Zone)}
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
	GM        log.Person        `json:"gm"`
	Epoch     int               `json:"epoch,omitempty"` // of the GM's key
	Keys      int               `json:"keys,omitempty"`  // how often the GM has changed it
	Proof     string            `json:"proof,omitempty"` // what is asked for before a letter is believed; "": the key
	Seats     []*seat           `json:"seats"`           // in the order of the rules
	Timing    timing.Timing     `json:"timing"`
	Silence   log.Silence       `json:"silence,omitzero"`
	Reserves  []log.Person      `json:"reserves,omitempty"` // who take over from players that stay silent, in their order
	Absence   time.Duration     `json:"absence,omitempty"`  // how long one player may be away in all
	NoPress   bool              `json:"no_press,omitempty"` // of games made before there were kinds: players may not write to each other
	Press     []string          `json:"press,omitempty"`    // kinds of letters between players; none: signed
	Held      []heldPress       `json:"held,omitempty"`     // letters that the game master is to pass on
	Observers []*observer       `json:"observers,omitempty"`
	Shown     *publicPage       `json:"shown,omitempty"` // for observers, once all sides have had a report as new
	HeldUpTo  int               `json:"held_up_to,omitempty"`
	Seed      []byte            `json:"seed"`             // of the dice: secret until the end
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

	Exchanges []log.Exchange `json:"exchanges,omitempty"` // players who changed seats, in order

	Restored string `json:"restored,omitempty"` // mark of the last restore of the database that the log tells of
}

// A seat is a side of a game and who plays it.
type seat struct {
	Side     engine.Side `json:"side"`
	Person   log.Person  `json:"person"`
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

// A told is an event as its reader learns it, or what else his next report tells.
type told struct {
	Clause string        `json:"Clause"`
	Say    phrase.Phrase `json:"Say"`
	Number int           `json:"n,omitempty"` // of the event, counting all that the reader was told in the game; 0: it is no event
}

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
	*turn
	office   *Office
	reading  bool
	resent   bool        // a letter is sent again
	dry      bool        // a rehearsal: nothing of it is kept
	operator *Operator   // who acts on the command line; nil: it is a letter, or the office
	reader   *log.Person // who gets the answers to the game master's letter; nil: the game master

	carried   int   // effects of the turn that were carried out
	unwritten error // of letters that could not be written

	opened    *opened      // what the change is made from; nil: nothing is written
	also      store.Change // what else is written: the mark of the letter, notes, letters of before
	rows      []*outbox.Outgoing
	archives  map[string][]byte // pages of the finished game, by language
	pagesSent []sentPage        // of reports, for the history of their seats
}

// note adds an entry to the log.
func (t *turn) note(e log.Entry) error {
	e.At = t.now
	if e.By == "gm" && t.who != "" {
		if e.Private == nil {
			e.Private = map[string]any{}
		}
		if also, ok := e.Private.(map[string]any); ok {
			also["by"] = t.who
		}
	}
	if e.Stop == 0 {
		e.Stop = t.game.Stop
	}
	body, private, err := log.Encode(e, t.game.scheme())
	if err != nil {
		return err
	}
	var salt chain.Salt
	if err := t.draw(salt[:]); err != nil {
		return err
	}
	entry := chain.Follow(t.last, salt, body, private)
	t.entries = append(t.entries, entry)
	t.notes = append(t.notes, e.Kind)
	t.last = entry.Link
	if s := t.game.seat(e.Seat); s != nil {
		t.seal(s)
	}
	return nil
}

// seal keeps where the log stands, for the foot of a seat's letters: its hash and,
// once the game is over and the whole log is told, its number too. While the game
// runs the number would tell how often the others have written.
func (t *turn) seal(s *seat) {
	s.Hash, s.Entry = t.hash(), 0
	if t.game.Phase != running {
		s.Entry = t.last.Seq
	}
}

// commit writes the change, with what else belongs to it.
func (d *desk) commit(ctx context.Context) error {
	if d.carry(); d.unwritten != nil {
		return fmt.Errorf("commit %s: %w", d.game.ID, d.unwritten)
	}
	d.hideKeys()
	c, err := d.packChange(ctx)
	if err != nil {
		return err
	}
	if err := d.office.store.Commit(ctx, c); err != nil {
		return fmt.Errorf("commit %s: %w", d.game.ID, err)
	}
	d.opened.end, d.opened.record = d.last, store.VersionOf(c.Record)
	if len(d.rows) > 0 || d.resent {
		signal(d.office.post)
	}
	signal(d.office.wake)
	return nil
}

// packChange packs all that the change writes. It is done before the store is entered,
// where others wait.
func (d *desk) packChange(ctx context.Context) (c store.Change, err error) {
	c = d.also.Clone()
	c.Game, c.After, c.Was, c.Entries = d.game.ID, d.opened.end, d.opened.record, d.entries
	c.Leave, c.Join, c.Wake = d.left, d.joined, map[string]time.Time{d.game.ID: d.game.wake()}
	if c.Record, err = json.Marshal(d.game); err != nil {
		return c, fmt.Errorf("write record of %s: %w", d.game.ID, err)
	}
	if d.moved {
		if c.Snapshot, err = d.position.Marshal(); err != nil {
			return c, fmt.Errorf("write snapshot of %s: %w", d.game.ID, err)
		}
	}
	for _, m := range d.milestones {
		data, err := m.Pack()
		if err != nil {
			return c, err
		}
		c.History = append(c.History, store.Position{Seq: m.Seq, Data: data})
	}
	if len(d.answers) > 0 {
		c.Answers = map[string][]byte{}
	}
	for side, file := range d.answers {
		c.Answers[string(side)] = file
	}
	for _, p := range d.pagesSent {
		page, blobs, err := p.pack()
		if err != nil {
			return c, err
		}
		c.Pages, c.Blobs = append(c.Pages, page), append(c.Blobs, blobs...)
	}
	return c, d.office.box.Enqueue(ctx, &c, d.now, d.rows...)
}

// keepAnswer keeps the file of an answer in force; nil forgets it.
func (t *turn) keepAnswer(side engine.Side, file []byte) {
	if t.answers == nil {
		t.answers = map[engine.Side][]byte{}
	}
	t.answers[side] = file
	delete(t.readings, side)
}

// answerFile gives the file of an answer in force.
func (t *turn) answerFile(side engine.Side) ([]byte, error) {
	if file, ok := t.answers[side]; ok {
		return file, nil
	}
	return t.past.answerOf(side)
}

// hash is the present end of the log, shortened for letters.
func (t *turn) hash() string { return log.ShortHash(t.last.Hash) }

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
		if due := g.Timing.Of(o.Decision.Kind).Reminders; o.Reminded < len(due) {
			sooner(o.Deadline.Add(-due[o.Reminded]))
		}
	}
	return first
}

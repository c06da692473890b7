package game

import (
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
)

// A Set tells which of the order files of a stop is meant, so that a player and the
// office speak of the same one.
type Set struct {
	Number int    // counting the good files of this stop
	Serial int    // of the template that it was made from; 0: not told
	Print  string // begin of the SHA-256 of its normal form: files that say the same have the same
}

// Which tells which set of orders an answer in force is.
func (a *InForce) Which() Set {
	return Set{Number: a.Number, Serial: a.Serial, Print: a.Print}
}

// A Seat is a side of a game and who plays it.
type Seat struct {
	Side     engine.Side `json:"side"`
	Person   log.Person  `json:"person"`
	Epoch    int         `json:"epoch,omitempty"` // of its key: how often it was replaced
	Keys     int         `json:"keys,omitempty"`  // how often its player has changed the key
	Resigned bool        `json:"resigned,omitempty"`
	Vacated  bool        `json:"vacated,omitempty"`  // a game master has taken it from its player; it counts as resigned, too
	Stops    int         `json:"stops"`              // how many it was asked at
	Serial   int         `json:"serial"`             // of the last template sent
	Reports  int         `json:"reports"`            // sent
	Missed   int         `json:"missed,omitempty"`   // stops that were resolved without an answer
	Streak   int         `json:"row,omitempty"`      // of these, in a row up to now
	Counted  time.Time   `json:"counted,omitzero"`   // when the last of these was resolved
	Bot      bool        `json:"bot,omitempty"`      // the bot plays until the player writes again
	Lent     *Lent       `json:"lent,omitempty"`     // for how long, if its player has lent it to the bot
	Wanted   bool        `json:"wanted,omitempty"`   // the game master knows that it needs a player
	Heard    time.Time   `json:"heard,omitzero"`     // when the player last wrote
	Absences []Absence   `json:"absences,omitempty"` // that the player booked
	Full     bool        `json:"full,omitempty"`     // its player wants the whole position in the text of each report
	Attach   bool        `json:"attach,omitempty"`   // and attached for programs
	Pages    uint64      `json:"pages,omitempty"`    // reports kept for the player's history
	Book     engine.Side `json:"book,omitempty"`     // the side under whose name they are kept; "": that of the seat
	Events   int         `json:"events,omitempty"`   // number of the last event that the player was told
	Ruled    []News      `json:"ruled,omitempty"`    // what his last report said of a ruling
	Told     []News      `json:"told,omitempty"`     // since its last report
	Filed    *Stamp      `json:"filed,omitempty"`    // the last file with standing orders, policies or something filed ahead
	Alone    *Stamp      `json:"alone,omitempty"`    // the last of them that filed something ahead without an answer, or took it back
	Spoken   []Spoken    `json:"spoken,omitempty"`   // of what its letters since its last stop was resolved have changed standing orders or policies
	AnewAt   time.Time   `json:"anew_at,omitzero"`   // when it was asked anew after it had been asked meanwhile
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
	Owes     *Owes       `json:"owes,omitempty"`
	Soon     *Soon       `json:"soon,omitempty"`  // what it is asked meanwhile, while it owes nothing
	Anew     int         `json:"anew,omitempty"`  // templates up to this serial were for a stop that did not come
	Draft    string      `json:"draft,omitempty"` // the file for that, which stands in the next template if it is still legal
	Ahead    *log.Ahead  `json:"ahead,omitempty"` // what it has filed ahead and what waits

	Replied  time.Time `json:"replied,omitzero"`      // when the last answer to an order file went out
	ForStop  int       `json:"replied_to,omitempty"`  // the stop that it was about
	Verdicts []Verdict `json:"verdicts,omitempty"`    // on letters since then, of which he was not told yet
	Due      time.Time `json:"verdicts_due,omitzero"` // when he is to be told
	Taken    *Taken    `json:"taken,omitempty"`       // the file with which a stop was resolved, of which his next report tells him
	Before   string    `json:"before,omitempty"`      // normal form of the answer that was in force before the first of them

	Overnight bool `json:"overnight,omitempty"` // an odd answer that comes by night waits for the morning

	Once string `json:"once,omitempty"` // the policies that are in force again when it is asked next

	Restored time.Time `json:"restored,omitzero"` // when the database was restored, of which his next letter tells him

	Letters int         `json:"letters,omitempty"` // from other players that it got
	From    []HeardFrom `json:"from,omitempty"`    // who wrote the last of them
}

// A News is an event as its reader learns it, or something else that his next report tells.
type News struct {
	Clause string        `json:"Clause"`
	Say    phrase.Phrase `json:"Say"`
	Number int           `json:"n,omitempty"` // of the event, counting all that the reader was told in the game; 0: it is no event
}

// Owes is a decision that a seat must answer.
type Owes struct {
	Stop     int             `json:"stop"` // as the seat counts
	Decision engine.Decision `json:"decision"`
	Opened   time.Time       `json:"opened"`
	Deadline time.Time       `json:"deadline,omitzero"`
	Passed   bool            `json:"passed,omitempty"`   // the deadline has
	Excused  bool            `json:"excused,omitempty"`  // a game master has not waited for it: to be silent counts for nothing
	Late     time.Time       `json:"late,omitzero"`      // end of the grace: the default is not taken before
	Warned   bool            `json:"warned,omitempty"`   // the player knows that the grace runs
	Waits    bool            `json:"waits,omitempty"`    // no default is taken: the game waits for him
	Notices  int             `json:"notices,omitempty"`  // how often since then he was told that he is late
	Held     string          `json:"held,omitempty"`     // why an interlock made Late later
	Was      time.Time       `json:"was,omitzero"`       // the deadline before that
	Rested   time.Time       `json:"rested,omitzero"`    // the deadline is a moment that a game master has given in a pause; before that it was this, to which the pause is added
	Moves    int             `json:"moves,omitempty"`    // how often the deadline was moved
	Gained   time.Duration   `json:"gained,omitempty"`   // by how much absences of the player have made the deadline later
	Reminded int             `json:"reminded,omitempty"` // reminders of the timing that are behind
	Stands   time.Time       `json:"stands,omitzero"`    // since when its clock stands still: the player could not be reached
	Unsent   bool            `json:"unsent,omitempty"`   // it stands still until the report has left
	GoesOn   time.Time       `json:"goes_on,omitzero"`   // else, when it goes on by itself
	Answer   *InForce        `json:"answer,omitempty"`
	Tried    bool            `json:"tried,omitempty"` // what was filed ahead has answered it, or could not
}

// Has tells whether the player at an address has the seat: nobody has one that a game master has taken from its player.
func (s *Seat) Has(address string) bool {
	return !s.Vacated && s.Person.Bot == "" && s.Person.Address == address
}

// Played tells whether a person plays the seat.
func (s *Seat) Played() bool { return !s.Resigned && !s.Bot && s.Person.Bot == "" }

// Ends is when a seat's time is up: at its deadline if an answer is in, else at
// the end of the grace.
func (s *Seat) Ends() time.Time {
	if s.Owes.Answer != nil || !s.Played() || s.Owes.Late.Before(s.Owes.Deadline) {
		return s.Owes.Deadline
	}
	return s.Owes.Late
}

// InForce is an answer that counts unless a newer one comes. Its file is among
// the store's answers.
type InForce struct {
	Serial int        `json:"serial,omitempty"` // of the template it was made from
	Sent   time.Time  `json:"sent"`
	Final  bool       `json:"final"`
	By     string     `json:"by,omitempty"`     // as [Given] has it, if the answer was given before a rewind
	GM     bool       `json:"gm,omitempty"`     // the game master answered
	Entry  uint64     `json:"entry,omitempty"`  // log entry of the file, if it is known
	Number int        `json:"number,omitempty"` // of the good files of the stop
	Files  *log.Ahead `json:"files,omitempty"`  // what its file files ahead; nil: nothing is said of that
	Part   string     `json:"part,omitempty"`   // which answer it is, if it was filed ahead
	Late   bool       `json:"late,omitempty"`   // what its file files ahead counts for nothing, as [log.Taken] has it: what waits stays
	Print  string     `json:"print,omitempty"`  // begin of the SHA-256 of its normal form
	Until  time.Time  `json:"until,omitzero"`   // something about it is odd: the stop is not resolved before
}

// Says tells whether two answers in force say the same.
func (a *InForce) Says(other *InForce) bool {
	files := func(x *InForce) string {
		if x.Files == nil {
			return ""
		}
		return x.Files.Text
	}
	return a.Print == other.Print && a.Final == other.Final && files(a) == files(other) &&
		a.Until.IsZero() == other.Until.IsZero()
}

// BookOf is the name under which the reports of a seat's player are kept: that of the
// side with which he began.
func (s *Seat) BookOf() engine.Side {
	if s.Book != "" {
		return s.Book
	}
	return s.Side
}

// Defaults tells whether what a seat owes would be resolved by default if
// nothing else prevented it.
func (s *Seat) Defaults(upto time.Time) bool {
	w := s.Owes
	return w != nil && w.Answer == nil && !w.Waits && s.Played() && !s.Stands() && !w.Deadline.IsZero() && !w.Passed && !w.Deadline.After(upto) && !w.Late.After(upto)
}

func (s *Seat) clone() *Seat {
	c := *s
	c.Absences, c.Verdicts, c.From = slices.Clone(s.Absences), slices.Clone(s.Verdicts), slices.Clone(s.From)
	c.Ahead = s.Ahead.Clone()
	c.Ruled, c.Told = slices.Clip(s.Ruled), slices.Clip(s.Told)
	if s.Lent != nil {
		lent := *s.Lent
		c.Lent = &lent
	}
	if s.Soon != nil {
		soon := *s.Soon
		c.Soon = &soon
	}
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

// Runs lets the clock run.
func (o *Owes) Runs() { o.Stands, o.Unsent, o.GoesOn = time.Time{}, false, time.Time{} }

package log

import (
	"time"

	"berthier/engine"
	"berthier/orders"
)

// A Refiled is a letter that could not be read when it came and that a game master filed
// again, as the log keeps it. The letter itself is kept as it came, by its digest, which
// is the entry's.
type Refiled struct {
	Came time.Time `json:"came"`           // when the office took it in; when it was written, if that is not known
	Stop int       `json:"stop,omitempty"` // that its player owed then, as his side counts
	// Number is the one under which the office had kept it; 0: the game master gave it
	// from his own disk.
	Number int `json:"number,omitempty"`
}

// Of finds the answer of a side with which a stop was resolved.
func (r *Resolved) Of(side engine.Side) Given {
	for _, g := range r.Answers {
		if g.Decision.Side == side {
			return g
		}
	}
	return Given{}
}

// A Given is an answer with which a stop was resolved.
type Given struct {
	Decision engine.Decision `json:"decision"`
	SeatStop int             `json:"seat_stop"` // number of the stop, as the side counts
	By       string          `json:"by"`        // player, gm, ahead, bot, default
	Orders   string          `json:"orders"`    // normal form

	// Entry is the log entry of the file, if the answer has one, and Salt opens the seal
	// in it. Bot is the digest of the rules with which the bot answered.
	Entry uint64 `json:"entry,omitempty"`
	Salt  string `json:"salt,omitempty"`
	Bot   string `json:"bot,omitempty"`
	// Part is what of that file has answered, if it was filed ahead; Salt then opens the
	// seal of all that the file filed ahead.
	Part *Part `json:"part,omitempty"`
	// Files is the log entry of what its player filed ahead, without an answer, after the file
	// of this answer: it waits once the stop is resolved, and not what that file files ahead.
	Files uint64 `json:"files,omitempty"`
	// Aside are the answers of what its file, or Files, files ahead that count no more, since
	// standing orders or policies of a later letter speak of their stops. Logs of before have none:
	// there they counted.
	Aside []string `json:"aside,omitempty"`
	// Heard: a letter of its player filed it ahead after the last stop that he had missed in a row:
	// he is there, and the row is broken. In logs of before nothing that was filed ahead broke it.
	Heard bool `json:"heard,omitempty"`
	// Early: the default was taken since a game master had the stop resolved while its side had time
	// left. That is no silence.
	Early bool `json:"early,omitempty"`
}

// Values of [Given.By] when no answer counted.
const (
	ByDefault = "default"
	ByBot     = "bot"
	// ByAhead is no silence: the player filed the answer before its stop had come. It breaks a
	// row of missed stops if it is [Given.Heard].
	ByAhead = "ahead"
)

// ByGM stands in the log for the game master, where it says who answered or did
// something.
const ByGM = "gm"

// A Resolved is how a stop was resolved, as the log keeps it.
type Resolved struct {
	Answers  []Given         `json:"answers"`
	Orders   string          `json:"orders_hash"` // of the answers, from which the dice come
	Rolls    []engine.Roll   `json:"rolls,omitempty"`
	Ruled    map[int]int     `json:"ruled,omitempty"` // rolls that a ruling replaced: their number from 1 on, and the result
	Events   []engine.Event  `json:"events"`
	Position string          `json:"position_hash"` // SHA-256 of the snapshot after it
	Outcome  *engine.Outcome `json:"outcome,omitempty"`
	// Again is the log entry of the stop that this one repeats with the same answers, after
	// the game went back to before that stop: rulings on its dice stay in force.
	Again uint64 `json:"again,omitempty"`
	// Asked are the stops that opened for each side, if they came, whatever its standing
	// orders and policies said, since it had filed something ahead of them.
	Asked map[engine.Side][]string `json:"asked,omitempty"`
}

// A Taken is an order file as the log keeps it.
type Taken struct {
	SeatStop  int             `json:"seat_stop"` // number of the stop, as the side counts
	File      string          `json:"file"`      // as it was read
	MessageID string          `json:"message_id,omitempty"`
	Sent      time.Time       `json:"sent,omitzero"`
	Final     bool            `json:"final"`
	Note      string          `json:"note,omitempty"`
	Seal      string          `json:"seal,omitempty"`       // of the orders in normal form, for those who may not read the file
	Salt      string          `json:"salt,omitempty"`       // that opens it
	Ahead     string          `json:"ahead,omitempty"`      // what it files ahead, in normal form
	AheadSeal string          `json:"ahead_seal,omitempty"` // of that
	AheadSalt string          `json:"ahead_salt,omitempty"` // that opens it
	Late      bool            `json:"late,omitempty"`       // what it files ahead counts for nothing: a letter that was written later has filed something ahead, or taken it back. In logs of before it counted
	Since     []string        `json:"since,omitempty"`      // stops of which standing orders or policies of a letter that was written later speak: what it files ahead of them is set aside. Logs of before have none
	Aside     bool            `json:"aside,omitempty"`      // standing orders that are given again set aside what they set aside when they came; in logs of before they don't
	Problems  orders.Problems `json:"problems,omitempty"`   // why it was refused
	Refiled   *Refiled        `json:"refiled,omitempty"`    // a game master filed it again
}

// An Exchange is two players who changed seats, as the log and the record keep
// it. It took place while the stop of a log entry was resolved: what that entry
// and those before it say about one of the seats, up to the event that tells of the
// exchange, was about the player who has the other seat now.
type Exchange struct {
	Entry  uint64         `json:"entry"`  // log entry that resolved the stop
	Sides  [2]engine.Side `json:"sides"`  // the seats
	Epochs [2]int         `json:"epochs"` // of their keys since then
	Now    [2]Person      `json:"now"`    // who has them since then
}

// Other gives the seat for which a seat was exchanged; the seat itself if it was
// not.
func (x *Exchange) Other(side engine.Side) engine.Side {
	switch side {
	case x.Sides[0]:
		return x.Sides[1]
	case x.Sides[1]:
		return x.Sides[0]
	}
	return side
}

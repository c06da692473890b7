package log

import (
	"time"

	"berthier/engine/ahead"
)

// Ahead is what a seat has filed ahead, as the record and the checkpoints keep it: in which
// file it came, and what is left of it.
type Ahead struct {
	ahead.Filed
	Entry uint64    `json:"entry"` // log entry of the file
	Sent  time.Time `json:"sent"`
	// Serial is that of the template from which the file was made; 0: it has none, or a program of
	// before kept it.
	Serial int `json:"serial,omitempty"`
	Epoch  int `json:"epoch,omitempty"` // of the seat: a later one has another player
}

// Clone copies it; nil stays nil.
func (a *Ahead) Clone() *Ahead {
	if a == nil {
		return nil
	}
	c := *a
	c.Filed = *a.Filed.Clone()
	return &c
}

// A Part is what of a file that was filed ahead has answered a stop, as the log keeps it.
type Part struct {
	Text string    `json:"text"` // all that the file filed ahead; its seal is in the entry of the file
	Mark string    `json:"mark"` // the answer of it that counted
	Sent time.Time `json:"sent"` // when the file was
}

package log

import "berthier/engine"

// Press is a letter of a player to others, as the log keeps it: as its readers
// saw it.
type Press struct {
	To        []engine.Side `json:"to"`
	Text      string        `json:"text"`
	Anonymous bool          `json:"anonymous,omitempty"` // the readers do not know who wrote it
	Passed    string        `json:"passed,omitempty"`    // "": at once; "waits": for the game master; "gm": he passed it on; "dropped": he did not
	Number    int           `json:"number,omitempty"`    // of a letter that waited
	Reply     int           `json:"reply,omitempty"`     // the letter without a name that it answers: its writer does not know whom it is for
}

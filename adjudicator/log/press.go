package log

import "berthier/engine"

// Press is a letter of a player to others, as the log keeps it: as its readers
// saw it.
type Press struct {
	To        []engine.Side `json:"to"`
	Text      string        `json:"text"`
	Anonymous bool          `json:"anonymous,omitempty"` // the readers do not know who wrote it
	Passed    string        `json:"passed,omitempty"`    // "": at once; "waits": for the game master; "gm": he passed it on; "dropped": he did not; "later", "came": see Delay
	Sender    engine.Side   `json:"sender,omitempty"`    // under whose name it goes, if not the writer's
	Delay     int           `json:"delay,omitempty"`     // after how many stops it is passed on: it goes "later", and then has come ("came")
	Number    int           `json:"number,omitempty"`    // of a letter that waited
	Reply     int           `json:"reply,omitempty"`     // the letter without a name that it answers: its writer does not know whom it is for
}

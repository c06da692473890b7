package log

// A Disputed is an event that a player disputes, as the log keeps it. The other
// side learns nothing of it: the event may be one that it knows nothing of.
type Disputed struct {
	Event    int    `json:"event"`    // as the player counts them
	Resolved uint64 `json:"resolved"` // log entry of the stop in which it happened
	Clause   string `json:"clause,omitempty"`
	Reason   string `json:"reason"`
}

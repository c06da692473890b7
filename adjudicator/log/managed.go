package log

import (
	"berthier/adjudicator/timing"
	"berthier/engine"
)

// Processed is what an entry [KindProcessed] says: for which sides the default is taken though they had time
// left, with the number of their stop as each counts.
type Processed struct {
	Waiting map[engine.Side]int `json:"waiting,omitempty"`
}

// Changed is what an entry [KindChanged] says of the set-up; what it does not name is as before. Who the
// reserves are stands in the entry's private part.
type Changed struct {
	Timing   *timing.Timing `json:"timing,omitempty"`
	Press    []string       `json:"press,omitempty"`
	Silence  *Silence       `json:"silence,omitempty"`
	Reserves *int           `json:"reserves,omitempty"` // how many there are now
}

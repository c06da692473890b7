package season

import (
	"reflect"
	"time"

	"berthier/adjudicator/league/glicko"
)

// A Rating is how the games of a season are rated. A season keeps the one with which it was announced, whatever the
// set-up of its league says later.
type Rating struct {
	glicko.System
	Period time.Duration // how long one is; 0: nothing is rated
	// SetUps names the set-ups of the games, by the places of the divisions, so that games of the same set-up count together
	// when playing a side may be worth something; "": its sides are not told apart. None: no sides are.
	SetUps []string `json:",omitempty"`
}

// SetUp names the set-up of the division that has a place in the season; "": its sides are not told apart.
func (r *Rating) SetUp(place int) string {
	if place < 0 || place >= len(r.SetUps) {
		return ""
	}
	return r.SetUps[place]
}

// Same tells whether two seasons are rated in the same way. Either may be nil: its log does not say how.
func (r *Rating) Same(other *Rating) bool { return reflect.DeepEqual(r, other) }

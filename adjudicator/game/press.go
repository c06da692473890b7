package game

import (
	"slices"

	"berthier/engine"
)

// Kinds of letters that players may write to each other, as a set-up names them.
const (
	PressNone      = "none"      // none at all
	PressOpen      = "open"      // to everybody, signed; the game master gets them too
	PressSigned    = "signed"    // to whom the writer likes, under the name of his side
	PressAnonymous = "anonymous" // without the name of the side
	PressGM        = "gm"        // the game master reads them, and passes them on or not
	PressAllies    = "allies"    // between players of one camp only
)

// HeardFrom is who wrote a letter that a seat got.
type HeardFrom struct {
	Letter int         `json:"letter"` // as the seat counts
	Side   engine.Side `json:"side"`

	Anonymous bool `json:"anonymous,omitempty"` // the seat does not know who it was
}

// HeldPress is a letter that waits for the game master.
type HeldPress struct {
	Number    int           `json:"number"`
	From      engine.Side   `json:"from"`
	To        []engine.Side `json:"to"`
	Text      string        `json:"text"`
	Anonymous bool          `json:"anonymous,omitempty"`
	Reply     int           `json:"reply,omitempty"`
}

// MayWrite tells whether a kind of letters is written in a game.
func (g *State) MayWrite(kind string) bool {
	switch {
	case g.NoPress:
		return kind == PressNone
	case len(g.Press) == 0:
		return kind == PressSigned
	}
	return slices.Contains(g.Press, kind)
}

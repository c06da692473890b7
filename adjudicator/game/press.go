package game

import (
	"slices"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
)

// Kinds of letters that players may write to each other, as a set-up names them.
const (
	PressNone      = "none"      // none at all
	PressOpen      = "open"      // to everybody, signed; the game master gets them too
	PressSigned    = "signed"    // to whom the writer likes, under the name of his side
	PressAnonymous = "anonymous" // without the name of the side
	PressGM        = "gm"        // the game master reads them, and passes them on or not
	PressAllies    = "allies"    // between players of one camp only
	PressDelayed   = "delayed"   // a letter goes when its writer has been asked so often more, if he says so
	PressFaked     = "faked"     // under the name of another side, if its writer says so
)

// HeardFrom says who wrote a letter that a seat got.
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
	Sender    engine.Side   `json:"sender,omitempty"`
	Delay     int           `json:"delay,omitempty"`
}

// A DelayedPress is a letter that goes when its writer has been asked so often. His own stops alone count: those of others would tell
// him, and its readers, when others are asked.
type DelayedPress struct {
	From  engine.Side `json:"from"`
	Asked int         `json:"asked,omitempty"` // the stop of its writer with which it goes
	Stop  int         `json:"stop,omitempty"`  // the stop of the game, of a letter of before: those of all counted
	Press log.Press   `json:"press"`
}

// Rewound lets a letter that waits wait as long as before, where the stops of its writer, or of the game, are fewer by some.
func (d *DelayedPress) Rewound(stops, game int) {
	if d.Asked > 0 {
		d.Asked = max(d.Asked-stops, 1)
	} else {
		d.Stop -= game
	}
}

// due tells whether the letter is to go now.
func (d *DelayedPress) due(g *State) bool {
	s := g.Seat(d.From)
	return g.Phase != Running || d.Asked > 0 && s != nil && s.Stops >= d.Asked || d.Asked == 0 && d.Stop <= g.Stop
}

// What [log.Press] says of a delayed letter: that it goes later, and that it has come.
const (
	PressLater = "later"
	PressCame  = "came"
)

// Bounds of letters between players.
const (
	mostFrom  = 200 // letters that can still be replied to
	mostHeld  = 100 // letters that wait for the game master
	mostLater = 20  // letters of one seat that go later
	MostDelay = 9   // stops
)

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

// MayTalk tells whether the rules let a side write to others now, and if not the
// clause and the reason. Whether a letter without a name may be answered must
// not depend on who wrote it: it may be if the side may write to everybody who
// could have.
func MayTalk(t *Loaded, s *Seat, to []engine.Side, reply int) (clause string, why phrase.Phrase, ok bool) {
	talker, is := t.Position.(engine.Talker)
	if !is || len(to) == 0 {
		return "", phrase.Phrase{}, true
	}
	if reply == 0 {
		return talker.Talk(s.Side, to)
	}
	for _, other := range t.Game.Seats {
		if other == s {
			continue
		}
		if _, _, may := talker.Talk(s.Side, []engine.Side{other.Side}); !may {
			return "", phrase.Say("office.press.not-unsigned"), false
		}
	}
	return "", phrase.Phrase{}, true
}

// Readers are those to whom a seat may write at all.
func Readers(t *Loaded, s *Seat) []engine.Side {
	var list []engine.Side
	for _, other := range t.Game.Seats {
		if other != s && (!t.Game.MayWrite(PressAllies) || allied(t, s.Side, other.Side)) {
			list = append(list, other.Side)
		}
	}
	return list
}

// allied tells whether two sides fight together.
func allied(t *Loaded, a, b engine.Side) bool {
	p, ok := t.Position.(engine.Allied)
	return ok && slices.Contains(p.Allies(a), b)
}

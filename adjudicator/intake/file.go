package intake

import (
	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
	"time"
)

// A File is an order file or a command of a letter, with the game that it is for. Its methods read
// what it says there, and refuse what the game does not allow. They change nothing.
type File struct {
	*game.Loaded
	Doc       *orders.Document
	Letter    *Letter
	Now       time.Time
	Seat      engine.Side              // whose letter it is; "": the game master's
	Languages []string                 // that the office writes
	Clean     func(line string) string // a line as its readers will see it
}

// Fault is a problem at a key of the file.
func (f *File) Fault(key string, why phrase.Phrase) orders.Problem {
	p := orders.Problem{Why: why}
	if n := f.Value(key); n != nil {
		p.Line, p.Column = n.Line, n.Column
	}
	return p
}

// Value gives the value of a key of the file, nil if it has none.
func (f *File) Value(key string) *orders.Node { return f.Doc.Field(key) }

// Means tells whether a text names a side, by id or name in any language.
func (f *File) Means(text string, side engine.Side) bool {
	if orders.Fold(text) == orders.Fold(string(side)) {
		return true
	}
	for _, language := range f.Languages {
		if orders.Fold(text) == orders.Fold(f.View(side).Spell("side", string(side), language)) {
			return true
		}
	}
	return false
}

// Sent is when the letter was sent, by the sender's clock, unless that clock is
// ahead of ours.
func (f *File) Sent() time.Time {
	if date := f.Letter.Written(); !date.IsZero() && date.Before(f.Now) {
		return date.UTC()
	}
	return f.Now
}

package engine

import "berthier/orders/phrase"

// A Recounter is a [Ruleset] whose events can be recounted: reports then tell a story before
// they list the events, and add up what lies between two of them.
type Recounter interface {
	// Recount says what an event, as a side was told it, is to a story. It knows nothing
	// but what was told.
	Recount(told Side, say phrase.Phrase) Fact
}

// A Progressing is a [Ruleset] that can say who is ahead and what each side needs.
type Progressing interface {
	// Progress says it in a few sentences. All in it is public: every side reads the same,
	// but that a phrase may fill the place "you" for the side whose view it is.
	Progress(View) []phrase.Phrase
}

// A Scored is a [Progressing] that can count how a running game stands, for leagues whose
// season ends before the game does.
type Scored interface {
	Progressing
	// Score counts it, one number for each side in the order of the position's sides; none
	// before play begins and after its end. It tells no more than Progress does: all in it is
	// public, and every side's view gives the same.
	Score(View) []Score
}

// A Score is how a side of a running game stands.
type Score struct {
	Side Side
	// Points are compared between the sides of one game: whoever has more is ahead. Sides
	// that win together have the same.
	Points int
	// Inflicted is the enemy's losses in the unit in which the ruleset counts them towards
	// victory, and no more than victory needs. Sides that win together have the same.
	Inflicted int
}

// A Fact is what an event is to the story of a report.
type Fact struct {
	At    phrase.Value // where it happened; empty: wherever the event before it did
	Opens bool         // a part of the story begins with it, such as a battle turn
	Same  bool         // it begins one that is about the same place as the part before
	Over  bool         // what comes after it happens elsewhere
	Ends  bool         // a part of the story ends with it

	Say    phrase.Phrase // a clause for the story: "the French attack with 7 blocks"; no code: none
	Weight int           // the more, the sooner the story tells of its place

	By   phrase.Value // whose dice were rolled
	Dice int          // how many
	Need int          // each hits on so much or less, of Faces
	Hits int

	Of   phrase.Value // who lost strength
	Lost int          // how much of it

	Marched phrase.Value // whose units marched
	Units   int          // how many

	Tests  []Test // other dice by which somebody has luck
	Begins Hour   // the turn that begins with it; zero: none does

	Own bool // a loss of the side that was told: reports mark it

	Traces []Trace // what it leaves on pictures
}

// A Trace is what an event leaves on the pictures of a report. It calls places and pieces by
// the names of spots ([Scene.Spots]). A picture that has none of the names does not show it.
type Trace struct {
	Kind TraceKind
	// Of is what it is about: of several names the first counts that the picture has. An army
	// may stand for a piece that was not named, then it is what the army has at the place of
	// the event.
	Of []string
	// Way is where something went, from place to place, or whom it attacked. A way of one place
	// begins where the same piece was last told to be, by an event or by the last report.
	Way []string
	N   int  // how many went; 0: one
	Own bool // the pieces of the side that was told

	At string // the place of the event, if it is known; filled in by the story
}

// TraceKind tells what a trace shows.
type TraceKind string

// Kinds of traces, in the order in which legends explain them.
const (
	Moved    TraceKind = "moved"    // an arrow, full for own pieces, dashed for others
	Attacked TraceKind = "attacked" // an arrow at who was attacked
	Fired    TraceKind = "fired"    // a flash
	Hit      TraceKind = "hit"      // a red pip
	Gone     TraceKind = "gone"     // what was lost: a ghost where it stood
	Seen     TraceKind = "seen"     // what was shown: a ghost where it was, if it is out of sight again
)

// Faces is how many a die has.
const Faces = 6

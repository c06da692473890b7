// Package templates holds every word and picture that a person reads: the
// catalogues of phrases by language, the letters of the office as text and
// HTML, and the drawing of maps.
//
// It decides nothing. What a letter may tell was decided before, by the view it
// is made from.
package templates

import (
	"time"

	"berthier/engine"
	pages "berthier/engine/sheet"
	"berthier/engine/story"
	"berthier/engine/whatif"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Letter is what a person gets, before it is packed as mail.
type Letter struct {
	Subject string
	Text    string // stands alone in a plain-text reader
	HTML    string // refers to pictures as cid:NAME
	Scenes  []Scene
	Files   []File
	Foot    *Foot `json:",omitempty"` // what its foot says, for programs; nil: it names no entry of a log
}

// A Foot is what a letter says of the log and of the dice, kept apart from its text: in the
// text there may be something that looks like a foot and that a player wrote.
type Foot struct {
	Game  string   // id
	Hash  string   // of the last log entry, shortened
	Entry int      // its number; 0: not told
	Dice  []string `json:",omitempty"` // seeds, and SHA-256 of seeds, that the letter publishes, hex
}

// A Scene is a picture of a letter: drawn when the letter is packed.
type Scene struct {
	Name  string // file name without ending, and content id
	Alt   string
	Scene *engine.Scene
	// Labels are the texts of the scene's labels in the reader's language, in
	// the order in which they stand in Ground and then Marks.
	Labels []string
}

// A File goes with a letter as an attachment.
type File struct {
	Name string // ASCII
	Type string // media type
	Data []byte
}

// A Reader is whom a letter is for.
type Reader struct {
	Name     string
	Language string         // "en", "it"
	Zone     *time.Location // of every time in the letter
}

// Heading is what all letters of a game have on top.
type Heading struct {
	Reader Reader
	Game   string      // id
	Title  string      // what the GM called it
	System string      // id of the ruleset
	Side   engine.Side // whose letter it is; engine.GM for the GM's
	Spell  func(kind, id, language string) string
	Words  *orders.Words // in which the reader's language spells keywords of the game's order files; nil: they stay as they are
	Entry  int           // number of the last log entry; 0: not told. It would tell players how busy the others are, so they don't get it while the game runs
	Hash   string        // of the last log entry, shortened
	// Help is the address of a page with the guide and the rules; "": there is none.
	Help string
	// News is what the letter says before all else, whatever it is about.
	News []phrase.Phrase
	// Now is when the letter is written; deadlines are told as dates and as a distance
	// from it. Zero: as dates only.
	Now time.Time
}

// Owed is a decision that a side must answer.
type Owed struct {
	Stop     int // number of the stop, as this side counts its stops
	Decision engine.Decision
	Deadline time.Time    // zero: none
	Answered bool         // an answer is in
	Waits    bool         // without one no default is taken
	Template *orders.Node // whole order file, ready to fill in
	Names    []string     // of the units that stand in it, each behind its id
	Calendar Calendar     // by which a calendar knows the deadline
	// Meanwhile is what another side is asked, if the stop opens only when that declines it;
	// without a kind the reader may not know that. Nil: the stop is open.
	Meanwhile *engine.Decision
	// Joined is the question that follows at once, if the stop is answered as it stands: its
	// answer stands in the same file. Idle tells that it says nothing unless it is filled in.
	Joined *engine.Decision
	Idle   bool
	// Again tells that it is the same question, which comes again if something is done at this one.
	Again bool
}

// A Calendar has what a calendar program knows the deadline of a stop by, so that letters
// about the same stop change the same entry. Without a UID no letter has a calendar file.
type Calendar struct {
	UID       string // the same for the stop's whole life, and for no other stop
	Organizer string // address of the office
	Sequence  int    // raised whenever the deadline has moved
}

// Report tells a side what happened, where it stands, and what it owes.
type Report struct {
	Heading
	Progress []phrase.Phrase // who is ahead, and what each side needs
	Taken    *Taken          // what came of the file with which a stop was resolved; nil: of none
	Happened []Told          // since the last report
	Notes    []phrase.Phrase // what stands behind each of these; without a code nothing does
	Story    story.Story     // of what happened
	Page     engine.Page
	// Was is what the last report to the reader showed, and Since its number: only what has
	// changed since stands in the letter, and the whole is attached. Nil: there is none, or
	// none that could be compared.
	Was     *engine.Page
	Number  int // of the report, as its reader counts; 0: it is no new one
	Since   int
	Full    bool   // the whole position stands in the letter: the reader asked for it, or knows nothing of it
	First   bool   // the letter is the first of its reader: it also says how to answer, and what never changes
	Data    []byte // the view for programs, to be attached; nil: it is not
	Owed    *Owed  // nil if the side owes nothing
	Waiting bool   // another side owes something
	// Contact is a command file with the reader's key, for a first report that
	// has no order file with it; nil otherwise.
	Contact *orders.Node
	Outcome *engine.Outcome
	// Intro says what the game is, in a first letter; then it takes the place of Progress.
	Intro []phrase.Phrase
	// Last is how the game went, in its last report: days, losses, turning points, luck. What
	// a section has besides its gist goes into the attachment.
	Last []engine.Section
	// Again is the letter that asks for the game once more with sides changed; nil: nobody may.
	Again  *orders.Node
	Rolled string          // the commitment of the dice, in the first report; their seed, in the last
	Scheme int             // by which the dice come from the seed; in the first report
	Fixed  bool            // the seed was not drawn by chance
	Luck   bool            // the players' words go into every roll
	Looked []phrase.Phrase // in the last report: what else must be told of the log
	Whole  *Whole          // the whole game, with the last report; nil: none

	changes []pages.Change // since Was, which the letter and its attachment tell
}

// Told is an event as the reader learns it.
type Told struct {
	Clause string        `json:"Clause"`
	Say    phrase.Phrase `json:"Say"`
	Number int           `json:"n,omitempty"` // of the event, counting all that the reader was told in the game; 0: it is no event
}

// Accepted confirms an order file in normal form.
type Accepted struct {
	Heading
	Owed     Owed
	Draft    bool            // judged only
	Normal   *orders.Node    // what was understood
	Replaces *orders.Node    // normal form of the file it replaces, or nil
	Differ   []phrase.Phrase // what it orders differently, where the rules can tell; none: the lines are compared
	Repairs  []orders.Repair
	Set      Set              // which set of orders of the stop it is; zero for a draft
	Cautions []engine.Caution // what is legal but odd
	Asked    []engine.Side    // the other sides of which the reader may know that they are asked, whether they have answered or not
	Waiting  bool             // the stop is still open; false: it was resolved
	Held     phrase.Phrase    // that something about it is odd, and how long the stop waits because of it; none: it does not
	Again    *orders.Node     // then the file, to be answered by a word
	Remarks  []phrase.Phrase  // what else the player should know: why the stop still waits
	Sketched []engine.Section // where the pieces of the answer come to stand; none: it moves nothing, or nobody can tell
	WhatIf   *whatif.Spread   // of a draft that was tried out, what might follow; nil: it was not
}

// A Set tells which of the order files of a stop is meant, so that a player and
// the office speak of the same one.
type Set struct {
	Number int    // counting the good files of this stop
	Serial int    // of the template that it was made from; 0: not told
	Print  string // begin of the SHA-256 of its normal form: files that say the same have the same
}

// A Whole is a finished game, packed into one file.
type Whole struct {
	File
	Page string // name of the page in it; "": none
	Log  string // name of the log in it, by which the game can be verified; "": none
}

// Say tells what is in the file.
func (w *Whole) Say() phrase.Phrase {
	args := []phrase.Arg{phrase.Literal("file", w.Name)}
	if w.Log != "" {
		args = append(args, phrase.Literal("log", w.Log))
	}
	if w.Page == "" {
		return phrase.Say("letter.archive.log", args...)
	}
	return phrase.Say("letter.archive.what", append(args, phrase.Literal("page", w.Page))...)
}

// Refused tells what is wrong with an order file, and that nothing was lost.
type Refused struct {
	Heading
	Source   string // the text as it was read, for showing the lines at fault
	Problems orders.Problems
	Mended   *orders.Mended // the file as it is given back; nil: it is not
	Asked    bool           // the letter is a command, and holds no orders
	Command  string         // its keyword, "" if that is none
	InForce  *orders.Node   // normal form of the answer that still counts, or nil
	Set      Set            // which set of orders that is
	Remarks  []phrase.Phrase
	Owed     *Owed // what the side owes, with its template
}

// Notice is a short letter: a reminder, the answer to a command, news for the
// GM. It is made of phrases, tables and texts in their order.
type Notice struct {
	Heading
	Subject phrase.Phrase
	Lines   []phrase.Phrase
	Tables  []engine.Table
	Course  []engine.Section // how the game went
	Page    *engine.Page     // a position, for the GM or for command: status
	Short   bool             // of the page stands here what a report tells; the whole position is attached
	Texts   []string         // set as they are, in fixed width: files, logs
	Normal  []*orders.Node   // order files in normal form, set in the reader's language
	Owed    *Owed
	Files   []File
	Form    string // a letter to fill in and send back; "" for none
}

// Package orders knows the text of an order file: finding it in a letter,
// reading it strictly with the place of every fault, and writing one.
//
// It knows the envelope of a file (game, side, stop, key and the like) and no
// rule of any game. What stands under orders: and standing: is handed on as
// [Node]s, which a ruleset takes apart with a [Reader].
//
// YAML is read and written here and nowhere else.
package orders

// A Document is an order file, or a letter with a command, as it was read.
type Document struct {
	Source   string // the text that was read, after repairs; lines count from its start
	Game     string
	Side     string
	Stop     int    // number of the stop it answers; 0 if it does not say
	StopName string // name written behind the number
	Key      string // the seat's secret
	Serial   int    // of the template it was made from; 0 if it does not say
	Command  string // canonical keyword of a command letter, "" for orders
	Draft    bool   // judge it, tell me, but don't count it
	Final    bool   // false: don't resolve the stop early on my account
	Note     string // for the GM's eyes
	Orders   *Node  // nil if the file has none
	Standing *Node  // nil if the file has none
	Root     *Node  // the whole file
	Repairs  []Repair
}

// A Repair is a place where an editor had mangled the text and only one reading
// was possible.
type Repair struct {
	Line   int
	Was    string
	ReadAs string
}

package log

// A Foot is what a letter says about the game's log: the end of the log when the letter was
// written, and what the letter publishes about the dice.
type Foot struct {
	Game  string
	Hash  string   // begin of that of the last entry, hex
	Entry int      // number of that entry; 0: it is not told
	Dice  []string // seeds, or their SHA-256
}

// LeastFoot is how many digits of a hash a foot has at least.
const LeastFoot = 16

package engine

import (
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Lister is a [Ruleset] whose armies come from lists, which a player may have judged before he
// sends one.
type Lister interface {
	// JudgeList judges a file with an army list, or with a whole book of them: what is told of each
	// army, remarks on what is legal but odd, and all faults at once. Base names the list of the
	// book on which an army of one's own stands; "" leaves that to the file's year.
	JudgeList(data []byte, base string) (told []phrase.Phrase, remarks, faults orders.Problems)
}

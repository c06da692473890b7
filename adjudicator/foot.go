package adjudicator

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/verify"
	"berthier/mail"
	"berthier/templates"
)

// The foot of a letter says where the log stood. It is written twice: for people below the
// last line of the text, and for programs in a field of the header. A letter may hold
// what somebody else wrote, such as a player's letter that is passed on, and that may look
// like a foot; so no other part of a letter is ever read as a foot.

// writeFoot is a foot as the header has it: lot-1; hash=0123...; entry=214; dice=4567...
func writeFoot(f *templates.Foot) string {
	if f == nil {
		return ""
	}
	words := []string{f.Game, "hash=" + f.Hash}
	if f.Entry > 0 {
		words = append(words, "entry="+strconv.Itoa(f.Entry))
	}
	for _, sum := range f.Dice {
		words = append(words, "dice="+sum)
	}
	return strings.Join(words, "; ")
}

// VerifyLetters compares the letters that a player got, as raw mail by the name of
// their file, with an export ([verify.Letters]).
func VerifyLetters(x *log.Export, letters map[string][]byte) verify.Check {
	var all []verify.Letter
	for _, name := range slices.Sorted(maps.Keys(letters)) {
		one := verify.Letter{Name: name}
		letter, err := mail.ReadKept(letters[name])
		if err != nil {
			one.Unread = err
		} else {
			one.Date = letter.Date
			one.Foot, one.Fault = intake.Logged(letter, x.Game)
		}
		all = append(all, one)
	}
	return verify.Letters(x, all)
}

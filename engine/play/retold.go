package play

import (
	"reflect"

	"berthier/orders/phrase"
)

// SaysMore tells whether a telling of now says what one of a former program said, and may
// say more: since tells of a place of a sentence whether former programs left it out. Every
// other place must be filled alike, and in the same order.
func SaysMore(now, then phrase.Phrase, since func(code, place string) bool) bool {
	if now.Code != then.Code {
		return false
	}
	i := 0
	for _, arg := range now.Args {
		switch {
		case i < len(then.Args) && reflect.DeepEqual(then.Args[i], arg):
			i++
		case !since(now.Code, arg.Name):
			return false
		}
	}
	return i == len(then.Args)
}

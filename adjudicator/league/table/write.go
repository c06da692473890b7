package table

import "fmt"

// Write writes points, which are counted in twelfths: 2, 1 1/2, 1/3.
func Write(twelfths int64) string {
	whole, part := twelfths/Twelfths, twelfths%Twelfths
	if part == 0 {
		return fmt.Sprint(whole)
	}
	for _, by := range []int64{2, 3, 4, 6, 12} {
		if part*by%Twelfths == 0 {
			text := fmt.Sprintf("%d/%d", part*by/Twelfths, by)
			if whole > 0 {
				text = fmt.Sprintf("%d %s", whole, text)
			}
			return text
		}
	}
	panic("table: twelfths that are none")
}

package geometry

import (
	"errors"
	"strconv"
	"strings"
)

// What may be wrong with the text of a length.
var (
	ErrNotLength = errors.New("no length: digits, and if need be a point with digits behind it")
	ErrTooFine   = errors.New("more decimals than are measured")
	ErrTooLong   = errors.New("longer than any field")
)

// ReadLength reads a length as a file gives it, such as "12", "-3.5" or "0.250", into
// the units of a field that measures the given number of decimals. There is no sign but
// "-", no exponent, no leading zero, no "-0", and there are digits both before and behind
// the point; only 0 to 9 are digits, and zeros at the end change nothing. The error is
// [ErrNotLength], [ErrTooFine] or [ErrTooLong].
func ReadLength(text string, decimals int) (int64, error) {
	body, negative := strings.CutPrefix(text, "-")
	whole, part, pointed := strings.Cut(body, ".")
	if !digits(whole) || pointed && !digits(part) || len(whole) > 1 && whole[0] == '0' {
		return 0, ErrNotLength
	}
	part = strings.TrimRight(part, "0")
	if len(part) > decimals {
		return 0, ErrTooFine
	}
	n, err := strconv.ParseInt(whole+part+strings.Repeat("0", decimals-len(part)), 10, 64)
	switch {
	case err != nil || n > Limit:
		return 0, ErrTooLong
	case negative && n == 0:
		return 0, ErrNotLength
	case negative:
		n = -n
	}
	return n, nil
}

// WriteLength writes units as [ReadLength] reads them, without zeros at the end.
func WriteLength(n int64, decimals int) string {
	text := strconv.FormatUint(magnitude(n), 10)
	if short := decimals + 1 - len(text); short > 0 {
		text = strings.Repeat("0", short) + text
	}
	at := len(text) - decimals
	whole, part := text[:at], strings.TrimRight(text[at:], "0")
	if part != "" {
		whole += "." + part
	}
	if n < 0 {
		return "-" + whole
	}
	return whole
}

// digits says whether a text is one or more of 0 to 9.
func digits(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

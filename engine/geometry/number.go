package geometry

import "math/bits"

// Unit is the number that stands for the sine of a quarter turn: see [Sine].
const Unit = 1_000_000_000

// rnd divides a sum of products with sines by [Unit], to the nearest whole number.
func rnd(n int64) int64 {
	s := n >> 63 // -1 for a negative sum, else 0
	return (n + (Unit/2 ^ s) - s) / Unit
}

// RDiv gives n / d to the nearest whole number, halves away from zero. Either may
// be negative; d is not 0.
func RDiv(n, d int64) int64 {
	q, r := n/d, n%d
	if r == 0 {
		return q
	}
	a, b := magnitude(r), magnitude(d)
	if a < b-a {
		return q
	}
	if (n < 0) != (d < 0) {
		return q - 1
	}
	return q + 1
}

// CeilDiv gives n / d rounded up; d is greater than 0. Only prices are rounded up.
func CeilDiv(n, d int64) int64 {
	q := n / d
	if n%d > 0 {
		q++
	}
	return q
}

// MulDiv gives a × b / c to the nearest whole number, halves away from zero. The
// product has 128 bits. It is false if the result is too large for an int64, or c
// is 0.
func MulDiv(a, b, c int64) (int64, bool) {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	d := magnitude(c)
	if hi >= d {
		return 0, false
	}
	q, r := bits.Div64(hi, lo, d)
	if r >= d-r {
		q++
	}
	if q > 1<<62 {
		return 0, false
	}
	if (a < 0) != (b < 0) != (c < 0) {
		return -int64(q), true
	}
	return int64(q), true
}

// Isqrt gives the root of n, rounded down.
func Isqrt(n uint64) uint64 {
	if n == 0 {
		return 0
	}
	// It begins with a power of two that is not below the root, so that Newton's steps
	// only go down.
	x := uint64(1) << ((bits.Len64(n) + 1) / 2)
	if x == 1<<32 {
		x-- // the root of the greatest n fits 32 bits
	}
	for {
		y := (x + n/x) / 2
		if y >= x {
			return x
		}
		x = y
	}
}

// Root gives the root of n, which is not negative, to the nearest whole number.
func Root(n int64) int64 {
	r := Isqrt(uint64(n))
	if uint64(n)-r*r > r {
		r++
	}
	return int64(r)
}

// DivRoot gives n divided by the root of square, to the nearest whole number, halves
// away from zero, exactly; square is greater than 0.
func DivRoot(n, square int64) int64 {
	hi, lo := bits.Mul64(magnitude(n), magnitude(n))
	l := uint64(square)
	if hi >= l {
		panic("geometry: the quotient of DivRoot needs more than 64 bits")
	}
	q, rest := bits.Div64(hi, lo, l)
	r := Isqrt(q)
	// The exact result v has v² = q + rest/square; it is r + 1/2 or more where
	// v² - r² - r is a quarter or more.
	if over := q - r*r; over > r || over == r && atLeastAQuarter(rest, l) {
		r++
	}
	if n < 0 {
		return -int64(r)
	}
	return int64(r)
}

// atLeastAQuarter says whether rest, which is less than whole, is a quarter of it or
// more; four times rest may not fit.
func atLeastAQuarter(rest, whole uint64) bool {
	return rest >= (whole+3)/4
}

// magnitude gives n without its sign.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

func sign(n int64) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}

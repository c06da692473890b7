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

// roots are the roots of n+1 in 64ths, rounded up.
var roots = func() (all [1 << 10]uint16) {
	root := 0
	for n := range all {
		for root*root < (n+1)<<12 {
			root++
		}
		all[n] = uint16(root)
	}
	return all
}()

// Isqrt gives the root of n, rounded down.
func Isqrt(n uint64) uint64 {
	var x uint64
	if n < uint64(len(roots)) {
		x = uint64(roots[n]) >> 6
	} else {
		// The root of the highest nine or ten bits is off by less than a thirtieth, and by less than a
		// 300th where the root has more than 12 bits. A step of Newton's makes a share e that is too much, or too little,
		// a share of at most e²/2 that is too much: after two it is less than one.
		shift := (bits.Len64(n) - 9) &^ 1
		x = uint64(roots[n>>shift]) << (shift / 2) >> 6
		x = (x + n/x) / 2
		x = min((x+n/x)/2, 1<<32-1)
	}
	if x*x > n {
		x--
	}
	return x
}

// Root gives the root of n, which is not negative, to the nearest whole number.
func Root(n int64) int64 {
	r := Isqrt(uint64(n))
	if uint64(n)-r*r > r {
		r++
	}
	return int64(r)
}

// divSquare gives the square of n, divided by square and rounded down; it must have no more than 64 bits.
func divSquare(n, square int64) uint64 {
	hi, lo := bits.Mul64(magnitude(n), magnitude(n))
	q, _ := bits.Div64(hi, lo, uint64(square))
	return q
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

package glicko

import "math"

// Go may fuse a product and a sum into one operation that rounds once, and does so on
// arm64 but not on amd64. An explicit conversion to float64 forbids it, so every product
// here stands in one (TestNoProductIsFused). The square root is rounded correctly on every
// machine; exp and log of package math are assembly on some, so they are made here of
// sums, products and quotients alone.

// ln2High and ln2Low are the natural logarithm of 2 in two parts. The first ends in zeros,
// so that its product with a whole number below 2^11 is exact.
const (
	ln2High = 0x1.62e42feep-1
	ln2Low  = 0x1.a39ef35793c76p-33
)

// exp gives e to the power x, for |x| of at most 700.
func exp(x float64) float64 {
	n := math.Floor(float64(x/math.Ln2) + 0.5)
	r := x - float64(n*ln2High) - float64(n*ln2Low)
	// |r| is at most ln(2)/2, where 14 terms of the series leave less than 2^-60.
	sum := 0.0
	for _, c := range inverseFactorials {
		sum = c + float64(r*sum)
	}
	return math.Ldexp(sum, int(n))
}

// inverseFactorials are 1/14! to 1/0!.
var inverseFactorials = [15]float64{
	1.0 / 87178291200, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
	1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1, 1,
}

// log gives the natural logarithm of x, which is positive.
func log(x float64) float64 {
	m, e := math.Frexp(x) // x = m 2^e with m from 0.5 to 1
	if m < math.Sqrt2/2 {
		m += m
		e--
	}
	// ln m = 2 artanh s, with |s| below 0.172: 12 terms leave less than 2^-60.
	s := (m - 1) / (m + 1)
	s2 := float64(s * s)
	sum := 0.0
	for k := 23; k >= 1; k -= 2 {
		sum = 1/float64(k) + float64(s2*sum)
	}
	return float64(float64(e)*ln2High) + (float64(float64(e)*ln2Low) + float64(float64(2*s)*sum))
}

// round gives x times unit as a whole number, halves away from zero.
func round(x, unit float64) int64 {
	return int64(math.Round(float64(x * unit)))
}

// Package lots draws the lots of a season so that nobody has to be trusted. The office draws
// a secret seed and tells its commitment when the season is announced, before the first
// entry, so that it can't choose the seed to fit the entries. Lots are drawn over the list
// of entries as it was closed, so that nobody can choose his entry to fit a seed that has
// leaked without changing all lots. When the season closes the seed is told, and anybody
// can draw again.
package lots

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
)

// A Seed is 32 random bytes, secret until the season closes.
type Seed [32]byte

// ParseSeed reads a seed as String writes it: 64 hexadecimal digits.
func ParseSeed(text string) (Seed, error) {
	var s Seed
	data, err := hex.DecodeString(text)
	if err != nil || len(data) != len(s) {
		return s, errors.New("a seed is 64 hexadecimal digits")
	}
	copy(s[:], data)
	return s, nil
}

// String gives the seed as 64 hexadecimal digits.
func (s Seed) String() string { return hex.EncodeToString(s[:]) }

// Commitment gives the SHA-256 of the seed, in hexadecimal digits: what is told when the
// season is announced.
func (s Seed) Commitment() string {
	sum := sha256.Sum256(s[:])
	return hex.EncodeToString(sum[:])
}

// Keeps tells whether the seed is the one that was committed to.
func (s Seed) Keeps(commitment string) bool {
	return subtle.ConstantTimeCompare([]byte(s.Commitment()), []byte(commitment)) == 1
}

// A List is the closed list of a season's entries.
type List struct{ digest [32]byte }

// Close gives the list of a season's entries, by members' ids, whatever their order. It
// gives an error if somebody is there twice.
func Close(league, season string, entries []string) (List, error) {
	sorted := slices.Sorted(slices.Values(entries))
	h := sha256.New()
	for _, text := range slices.Concat([]string{league, season}, sorted) {
		// Lengths keep ["ab", "c"] apart from ["a", "bc"].
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
		h.Write([]byte(text))
	}
	for i := range sorted {
		if i > 0 && sorted[i] == sorted[i-1] {
			return List{}, fmt.Errorf("%s is entered twice", sorted[i])
		}
	}
	return List{[32]byte(h.Sum(nil))}, nil
}

// String gives the digest of the list, in hexadecimal digits: what is told when it is closed.
func (l List) String() string { return hex.EncodeToString(l.digest[:]) }

// Draws are the numbers of one drawing of lots, one after the other.
type Draws struct {
	key     [32]byte
	purpose string
	block   uint64
	left    []byte
}

// For begins the drawing for a purpose, such as "sides of division first". The same seed, list and
// purpose always give the same numbers; another purpose gives others.
func (s Seed) For(list List, purpose string) *Draws {
	mac := hmac.New(sha256.New, s[:])
	mac.Write(list.digest[:])
	return &Draws{key: [32]byte(mac.Sum(nil)), purpose: purpose}
}

// Draw gives a number from 0 to n-1, all equally likely; n is from 1 to 2^31.
func (d *Draws) Draw(n int) int {
	if n < 1 || n > 1<<31 {
		panic("lots: a lot of " + fmt.Sprint(n))
	}
	// What lies above the last whole multiple of n would favour the small numbers.
	limit := uint64(1) << 32 / uint64(n) * uint64(n)
	for {
		if len(d.left) < 4 {
			mac := hmac.New(sha256.New, d.key[:])
			mac.Write(binary.BigEndian.AppendUint64(nil, d.block))
			mac.Write([]byte(d.purpose))
			d.left = mac.Sum(nil)
			d.block++
		}
		v := uint64(binary.BigEndian.Uint32(d.left))
		d.left = d.left[4:]
		if v < limit {
			return int(v % uint64(n))
		}
	}
}

// Order gives the numbers from 0 to n-1 in an order drawn by lot, all equally likely.
func (d *Draws) Order(n int) []int {
	order := make([]int, n)
	for i := range order {
		j := d.Draw(i + 1)
		order[i] = order[j]
		order[j] = i
	}
	return order
}

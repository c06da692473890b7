package log

import (
	"crypto/sha256"
	"encoding/hex"
)

// SealOf is what stands in the log for an answer as long as only its writer may read its
// words: SHA-256 over a salt and the answer in normal form. Salt and answer are told
// when the stop is resolved, so that everybody can compare.
func SealOf(salt, normal string) string {
	sum := HashParts(salt, normal)
	return hex.EncodeToString(sum[:])
}

// ShortHash is the part of a hash that letters tell: it is so long that nobody can find two
// logs that share it, whatever salts he draws.
func ShortHash(hash [32]byte) string { return hex.EncodeToString(hash[:16]) }

// HexOf writes a digest; a zero digest is "".
func HexOf(digest [32]byte) string {
	if digest == ([32]byte{}) {
		return ""
	}
	return hex.EncodeToString(digest[:])
}

// Commitment is what is published about a seed in advance.
func Commitment(seed []byte) string {
	sum := sha256.Sum256(seed)
	return hex.EncodeToString(sum[:])
}

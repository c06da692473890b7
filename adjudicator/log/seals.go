package log

import (
	"crypto/sha256"
	"encoding/hex"
)

// SealOf is what stands in the log for an answer while its words are for its writer
// alone: SHA-256 over a salt and the answer in normal form. Salt and answer are told
// where the stop is resolved, so that everybody can compare.
func SealOf(salt, normal string) string {
	sum := HashParts(salt, normal)
	return hex.EncodeToString(sum[:])
}

// ShortHash is the part of a hash that letters tell: enough that nobody finds two logs
// that share it, whatever salts he draws.
func ShortHash(hash [32]byte) string { return hex.EncodeToString(hash[:16]) }

// HexOf writes a digest; none is "".
func HexOf(digest [32]byte) string {
	if digest == ([32]byte{}) {
		return ""
	}
	return hex.EncodeToString(digest[:])
}

// Commitment is what is told of a seed in advance.
func Commitment(seed []byte) string {
	sum := sha256.Sum256(seed)
	return hex.EncodeToString(sum[:])
}

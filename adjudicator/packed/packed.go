// Package packed is how stores keep what takes less room packed: entries of logs, in blocks or each by
// itself, and what letters share. Every store has a place of its own for an entry's salt and hash; what
// else there is of it is a [Kept].
package packed

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"

	"berthier/adjudicator/deflate"
	"berthier/adjudicator/log/chain"
)

// A Kept is what is kept of an entry besides its salt and hash: body, digest of the private part as it was before
// something was taken out of it, and private part, one after the other. They may be compressed, or lie in a
// block together with other entries: then the rest is a value of [deflate.Bundle].
type Kept struct {
	Word uint32 // the length of the body, with flags
	Rest []byte
}

// Flags of the word.
const (
	redacted = 1 << 31 // there is a digest
	flated   = 1 << 30
	inBlock  = 1 << 29
	lengths  = inBlock - 1
)

// MostInBlock is how many entries lie in one block.
const MostInBlock = 128

// InBlock tells whether an entry lies in a block.
func (k Kept) InBlock() bool { return k.Word&inBlock != 0 }

func wordOf(e chain.Entry) (uint32, error) {
	if uint64(len(e.Body)) > lengths {
		return 0, fmt.Errorf("entry %d is too long", e.Seq)
	}
	word := uint32(len(e.Body))
	if e.Was != nil {
		word |= redacted
	}
	return word, nil
}

// Alone gives how an entry is kept by itself.
func Alone(e chain.Entry) (Kept, error) {
	word, err := wordOf(e)
	if err != nil {
		return Kept{}, err
	}
	shorter, err := deflate.Append(nil, e.Body, e.Was, e.Private)
	if err != nil {
		return Kept{}, fmt.Errorf("pack entry %d: %w", e.Seq, err)
	}
	if len(shorter) < len(e.Body)+len(e.Was)+len(e.Private) {
		return Kept{word | flated, shorter}, nil
	}
	return Kept{word, slices.Concat(e.Body, e.Was, e.Private)}, nil
}

// Blocks gives how entries are kept in blocks. The last one may be left over: then it is kept as it is, and there is
// one less.
func Blocks(of []chain.Entry) (all []Kept, err error) {
	for block := range slices.Chunk(of, MostInBlock) {
		if len(block) < 2 {
			break
		}
		parts := make([]deflate.Part, len(block))
		for i, e := range block {
			parts[i] = deflate.Part{Number: e.Seq, Data: slices.Concat(e.Body, e.Was, e.Private)}
		}
		values, err := deflate.Bundle(parts)
		if err != nil {
			return nil, err
		}
		for i, e := range block {
			word, err := wordOf(e)
			if err != nil {
				return nil, err
			}
			all = append(all, Kept{word | inBlock, values[i]})
		}
	}
	return all, nil
}

// A Reader reads the entries of one game. It remembers the block that was read last.
type Reader struct{ blocks deflate.Reader }

// NewReader gives a reader; at gives how an entry is kept, in whose place a block lies.
func NewReader(at func(seq uint64) Kept) *Reader {
	return &Reader{deflate.Reader{At: func(seq uint64) []byte {
		if k := at(seq); k.InBlock() {
			return k.Rest
		}
		return nil
	}}}
}

// Entry gives an entry of which link and salt are known.
func (r *Reader) Entry(link chain.Link, salt chain.Salt, k Kept) (chain.Entry, error) {
	e := chain.Entry{Link: link, Salt: salt}
	rest, err := r.rest(link.Seq, k)
	if err != nil {
		return chain.Entry{}, fmt.Errorf("read entry %d: %w", link.Seq, err)
	}
	length, was := uint64(k.Word&lengths), uint64(0)
	if k.Word&redacted != 0 {
		was = sha256.Size
	}
	if length+was > uint64(len(rest)) {
		return chain.Entry{}, fmt.Errorf("read entry %d: too short", link.Seq)
	}
	e.Body, e.Private = rest[:length:length], rest[length+was:]
	if was > 0 {
		e.Was = rest[length : length+was : length+was]
	}
	return e, nil
}

// rest gives what is kept of an entry, unpacked.
func (r *Reader) rest(seq uint64, k Kept) ([]byte, error) {
	switch {
	case k.InBlock():
		parts, i, err := r.blocks.Together(seq, k.Rest)
		if err != nil {
			return nil, err
		}
		return parts[i].Data, nil // of which nobody else has a part
	case k.Word&flated != 0:
		return deflate.All(k.Rest)
	}
	return bytes.Clone(k.Rest), nil
}

// Block gives the numbers of all entries that lie in one block with an entry.
func (r *Reader) Block(seq uint64, k Kept) (seqs []uint64, err error) {
	parts, _, err := r.blocks.Together(seq, k.Rest)
	for _, p := range parts {
		seqs = append(seqs, p.Number)
	}
	return seqs, err
}

// Blob gives how bytes that letters share are kept: compressed, if they are shorter so.
func Blob(data []byte) []byte {
	if kept, err := deflate.Append(nil, data); err == nil && len(kept) < len(data) {
		return kept
	}
	return data
}

// OpenBlob gives the bytes that have a digest, of how they are kept; nil if they have another.
func OpenBlob(digest [sha256.Size]byte, kept []byte) []byte {
	if kept == nil || sha256.Sum256(kept) == digest {
		return kept
	}
	if data, err := deflate.All(kept); err == nil && sha256.Sum256(data) == digest {
		return data
	}
	return nil
}

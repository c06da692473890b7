package bolt

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"berthier/adjudicator/deflate"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
)

// An entry is kept as salt ‖ hash ‖ length of the body ‖ body ‖ private part. If something was taken
// out of the private part, the highest bit of the length is set, and the digest of that part as it was
// stands before it. If what follows the head is compressed, the next bit is set; if it lies in a block
// together with other entries, the bit after that: then a value of [deflate.Bundle] follows.
const (
	hashAt    = len(chain.Salt{})
	lengthAt  = hashAt + sha256.Size
	entryHead = lengthAt + 4
	redacted  = 1 << 31
	flated    = 1 << 30
	inBlock   = 1 << 29
)

// mostInBlock is how many entries lie in one block.
const mostInBlock = 128

// valueOf writes an entry as it is kept by itself.
func valueOf(e chain.Entry) ([]byte, error) {
	value, err := headOf(e)
	if err != nil {
		return nil, err
	}
	plain := len(value) + len(e.Body) + len(e.Was) + len(e.Private)
	packed, err := deflate.Append(flag(value, flated), e.Body, e.Was, e.Private)
	if err != nil {
		return nil, fmt.Errorf("pack entry %d: %w", e.Seq, err)
	}
	if len(packed) < plain {
		return packed, nil
	}
	return slices.Concat(value, e.Body, e.Was, e.Private), nil
}

// headOf writes the head of an entry that lies in no block, and is not compressed.
func headOf(e chain.Entry) ([]byte, error) {
	if uint64(len(e.Body)) >= inBlock {
		return nil, fmt.Errorf("entry %d is too long", e.Seq)
	}
	length := uint32(len(e.Body))
	if e.Was != nil {
		length |= redacted
	}
	return binary.BigEndian.AppendUint32(slices.Concat(e.Salt[:], e.Hash[:]), length), nil
}

// flag gives a copy of a head with a flag set.
func flag(head []byte, bit uint32) []byte {
	head = bytes.Clone(head[:entryHead])
	word := head[lengthAt:]
	binary.BigEndian.PutUint32(word, binary.BigEndian.Uint32(word)|bit)
	return head
}

// blocked tells whether an entry as it is kept lies in a block.
func blocked(value []byte) bool {
	return len(value) >= entryHead && binary.BigEndian.Uint32(value[lengthAt:])&inBlock != 0
}

// An entries reads the entries of a game; it remembers the block that was read last.
type entries struct{ blocks deflate.Reader }

func (r reader) entries(game string) *entries {
	return &entries{deflate.Reader{At: func(seq uint64) []byte {
		if v := r.tx.Bucket(bucketLog).Get(within(game, number(seq)...)); blocked(v) {
			return v[entryHead:]
		}
		return nil
	}}}
}

// of reads an entry as it is kept under a key.
func (all *entries) of(key, value []byte) (chain.Entry, error) {
	if len(key) < 8 || len(value) < entryHead {
		return chain.Entry{}, fmt.Errorf("read entry %q: too short", key)
	}
	e := chain.Entry{Link: chain.Link{Seq: binary.BigEndian.Uint64(key[len(key)-8:])}}
	copy(e.Salt[:], value)
	copy(e.Hash[:], value[hashAt:])
	word := binary.BigEndian.Uint32(value[lengthAt:])
	rest, err := all.rest(e.Seq, word, value[entryHead:])
	if err != nil {
		return chain.Entry{}, fmt.Errorf("read entry %q: %w", key, err)
	}
	length, was := uint64(word&^(redacted|flated|inBlock)), uint64(0)
	if word&redacted != 0 {
		was = sha256.Size
	}
	if length+was > uint64(len(rest)) {
		return chain.Entry{}, fmt.Errorf("read entry %q: too short", key)
	}
	e.Body, e.Private = rest[:length:length], rest[length+was:]
	if was > 0 {
		e.Was = rest[length : length+was : length+was]
	}
	return e, nil
}

// rest gives what follows the head of an entry, unpacked.
func (all *entries) rest(seq uint64, word uint32, kept []byte) ([]byte, error) {
	switch {
	case word&inBlock != 0:
		parts, i, err := all.blocks.Together(seq, kept)
		if err != nil {
			return nil, err
		}
		return parts[i].Data, nil // of which nobody else has a part
	case word&flated != 0:
		return deflate.All(kept)
	}
	return bytes.Clone(kept), nil
}

// Loose implements [store.Reader].
func (r reader) Loose(game string) (n int) {
	prefix := within(game)
	c := r.tx.Bucket(bucketLog).Cursor()
	after := append(bytes.Clone(prefix[:len(prefix)-1]), 1)
	before := c.Prev
	if next, _ := c.Seek(after); next == nil {
		before = c.Last
	}
	for k, v := before(); bytes.HasPrefix(k, prefix) && !blocked(v); k, v = c.Prev() {
		n++
	}
	return n
}

// putLog writes the entries of a change, and puts the log into blocks if it says so.
func (w *writer) putLog(c *store.Change) error {
	for _, e := range c.Redact { // what is taken out must not stay in a block
		if err := w.apart(c.Game, e.Seq); err != nil {
			return err
		}
	}
	for i, e := range slices.Concat(c.Entries, c.Redact) {
		if err := w.put(bucketLog, within(c.Game, number(e.Seq)...), w.values[i]); err != nil {
			return err
		}
	}
	if !c.Settle {
		return nil
	}
	prefix, all, log := within(c.Game), w.entries(c.Game), w.tx.Bucket(bucketLog)
	var loose [][]byte // keys: what a cursor stands on must not be written
	cursor := log.Cursor()
	for k, v := cursor.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = cursor.Next() {
		if !blocked(v) {
			loose = append(loose, bytes.Clone(k))
		}
	}
	for keys := range slices.Chunk(loose, mostInBlock) {
		var of []chain.Entry
		for _, k := range keys {
			e, err := all.of(k, log.Get(k))
			if err != nil {
				return err
			}
			of = append(of, e)
		}
		if err := w.block(c.Game, of); err != nil {
			return err
		}
	}
	return nil
}

// block puts entries into one block.
func (w *writer) block(game string, of []chain.Entry) error {
	if len(of) < 2 {
		return nil
	}
	parts := make([]deflate.Part, len(of))
	for i, e := range of {
		parts[i] = deflate.Part{Number: e.Seq, Data: slices.Concat(e.Body, e.Was, e.Private)}
	}
	values, err := deflate.Bundle(parts)
	if err != nil {
		return err
	}
	for i, e := range of {
		head, err := headOf(e)
		if err != nil {
			return err
		}
		if err := w.put(bucketLog, within(game, number(e.Seq)...), append(flag(head, inBlock), values[i]...)); err != nil {
			return err
		}
	}
	return nil
}

// apart keeps all entries that lie in one block with an entry each by itself again.
func (w *writer) apart(game string, seq uint64) error {
	log := w.tx.Bucket(bucketLog)
	value := log.Get(within(game, number(seq)...))
	if !blocked(value) {
		return nil
	}
	all := w.entries(game)
	parts, _, err := all.blocks.Together(seq, value[entryHead:])
	if err != nil {
		return err
	}
	for _, p := range parts {
		key := within(game, number(p.Number)...)
		e, err := all.of(key, log.Get(key))
		if err != nil {
			return err
		}
		alone, err := valueOf(e)
		if err != nil {
			return err
		}
		if err := w.put(bucketLog, key, alone); err != nil {
			return err
		}
	}
	return nil
}

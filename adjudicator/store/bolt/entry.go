package bolt

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/packed"
	"berthier/adjudicator/store"
)

// An entry is kept as salt ‖ hash ‖ word ‖ rest, of which the last two are a [packed.Kept].
const (
	hashAt    = len(chain.Salt{})
	wordAt    = hashAt + sha256.Size
	entryHead = wordAt + 4
)

// valueOf writes an entry as it is kept by itself.
func valueOf(e chain.Entry) ([]byte, error) {
	k, err := packed.Alone(e)
	return valueWith(e, k), err
}

// valueWith writes an entry as it is kept.
func valueWith(e chain.Entry, k packed.Kept) []byte {
	return append(binary.BigEndian.AppendUint32(slices.Concat(e.Salt[:], e.Hash[:]), k.Word), k.Rest...)
}

// keptIn gives what a value says of an entry besides its salt and hash.
func keptIn(value []byte) (k packed.Kept) {
	if len(value) >= entryHead {
		k = packed.Kept{Word: binary.BigEndian.Uint32(value[wordAt:]), Rest: value[entryHead:]}
	}
	return k
}

// An entries reads the entries of a game.
type entries struct{ *packed.Reader }

func (r reader) entries(game string) entries {
	return entries{packed.NewReader(func(seq uint64) packed.Kept {
		return keptIn(r.tx.Bucket(bucketLog).Get(within(game, number(seq)...)))
	})}
}

// of reads an entry as it is kept under a key.
func (all entries) of(key, value []byte) (chain.Entry, error) {
	if len(key) < 8 || len(value) < entryHead {
		return chain.Entry{}, fmt.Errorf("read entry %q: too short", key)
	}
	link := chain.Link{Seq: binary.BigEndian.Uint64(key[len(key)-8:]), Hash: [sha256.Size]byte(value[hashAt:])}
	e, err := all.Entry(link, chain.Salt(value), keptIn(value))
	if err != nil {
		return chain.Entry{}, fmt.Errorf("log %q: %w", key[:len(key)-8], err)
	}
	return e, nil
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
	for k, v := before(); bytes.HasPrefix(k, prefix) && !keptIn(v).InBlock(); k, v = c.Prev() {
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
	prefix, all := within(c.Game), w.entries(c.Game)
	var loose []chain.Entry // what a cursor stands on must not be written
	cursor := w.tx.Bucket(bucketLog).Cursor()
	for k, v := cursor.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = cursor.Next() {
		if keptIn(v).InBlock() {
			continue
		}
		e, err := all.of(k, v)
		if err != nil {
			return err
		}
		loose = append(loose, e)
	}
	blocks, err := packed.Blocks(loose)
	if err != nil {
		return err
	}
	for i, k := range blocks {
		if err := w.put(bucketLog, within(c.Game, number(loose[i].Seq)...), valueWith(loose[i], k)); err != nil {
			return err
		}
	}
	return nil
}

// apart keeps all entries that lie in one block with an entry each by itself again.
func (w *writer) apart(game string, seq uint64) error {
	log := w.tx.Bucket(bucketLog)
	k := keptIn(log.Get(within(game, number(seq)...)))
	if !k.InBlock() {
		return nil
	}
	all := w.entries(game)
	seqs, err := all.Block(seq, k)
	if err != nil {
		return err
	}
	for _, seq := range seqs {
		key := within(game, number(seq)...)
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

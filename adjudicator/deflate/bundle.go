package deflate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Values of which much is the same, such as the reports of one seat, take far less room
// together: they are put into a bundle. The bundle lies in the place of the first of them, and the
// others say where it is and which part of it they are.
//
// The first byte of such a value is one with which nothing that was packed begins: its
// second and third bit are set, which in deflate is no kind of block.
const (
	bundled  = 0x06 // a bundle follows
	inBundle = 0x0e // the number of the value in whose place the bundle lies follows, and which part it is
	bare     = 0x16 // the bytes follow as they are
	columned = 0x1e // a bundle follows whose parts have several pieces
)

// Largest bundle that is read, unpacked, and the most pieces of a part: a damaged one may claim any number.
const (
	largestBundle = 256 << 20
	mostPieces    = 1000
)

// window is how far back a bundle refers to what it holds: a larger one makes the largest bundles no shorter.
const window = 16 << 20

// ErrBundle: a bundle can't be read.
var ErrBundle = errors.New("what was put together with others can't be read")

// A Part is one value of a bundle: bytes that are not packed, under the number of the value.
type Part struct {
	Number uint64
	Data   []byte
	// More are further pieces of the value. In a bundle the pieces of one place lie together, those of all
	// its values, since they are more alike than what stands beside them in one value.
	More [][]byte
}

// pieces gives the pieces of a part, all of them.
func (p Part) pieces() [][]byte { return append([][]byte{p.Data}, p.More...) }

// Bytes is the length of a part.
func (p Part) Bytes() (n int) {
	for _, piece := range p.pieces() {
		n += len(piece)
	}
	return n
}

// Bundle gives what is to be kept in the place of some values: each finds its bytes again by
// [Reader.Value].
func Bundle(parts []Part) ([][]byte, error) {
	if len(parts) == 0 {
		return nil, nil
	}
	form, plain := byte(bundled), []byte(nil)
	if slices.ContainsFunc(parts, func(p Part) bool { return len(p.More) > 0 }) {
		form, plain = columned, inColumns(parts)
	} else {
		plain = inRows(parts)
	}
	pack := smallBundles
	if len(plain) > small {
		pack = func() (*zstd.Encoder, error) { return newPacker(zstd.SpeedBestCompression, window) }
	}
	w, err := pack()
	if err != nil {
		return nil, fmt.Errorf("make bundle: %w", err)
	}
	values := make([][]byte, len(parts))
	values[0] = w.EncodeAll(plain, []byte{form})
	for i := range parts[1:] {
		values[i+1] = binary.AppendUvarint(binary.AppendUvarint([]byte{inBundle}, parts[0].Number), uint64(i+1))
	}
	return values, nil
}

// small is the longest content that is packed with little memory: a block of a log, which an office makes every few letters. What gets the
// last hundredth out of the others needs 66 MB.
const small = 1 << 18

// smallBundles packs small bundles, one at a time. Its 5 MB are kept, since to clear them anew takes longer than to pack a block of a log.
// Large bundles are made seldom: nothing is kept for the next one.
var smallBundles = sync.OnceValues(func() (*zstd.Encoder, error) { return newPacker(zstd.SpeedBetterCompression, small) })

func newPacker(level zstd.EncoderLevel, window int) (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(level), zstd.WithWindowSize(window))
}

// inRows writes parts of one piece each, one after the other.
func inRows(parts []Part) []byte {
	size := binary.MaxVarintLen64 * (1 + 2*len(parts))
	for _, p := range parts {
		size += len(p.Data)
	}
	plain := binary.AppendUvarint(make([]byte, 0, size), uint64(len(parts)))
	for _, p := range parts {
		plain = binary.AppendUvarint(binary.AppendUvarint(plain, p.Number), uint64(len(p.Data)))
	}
	for _, p := range parts {
		plain = append(plain, p.Data...)
	}
	return plain
}

// inColumns writes parts of several pieces: of each part its number, and the lengths of its pieces; then
// the first pieces of all parts, the second ones, and so on.
func inColumns(parts []Part) []byte {
	size, columns := binary.MaxVarintLen64, 0
	for _, p := range parts {
		size += binary.MaxVarintLen64 * (3 + len(p.More))
		for _, piece := range p.pieces() {
			size += len(piece)
		}
		columns = max(columns, 1+len(p.More))
	}
	plain := binary.AppendUvarint(make([]byte, 0, size), uint64(len(parts)))
	for _, p := range parts {
		plain = binary.AppendUvarint(binary.AppendUvarint(plain, p.Number), uint64(1+len(p.More)))
		for _, piece := range p.pieces() {
			plain = binary.AppendUvarint(plain, uint64(len(piece)))
		}
	}
	for column := range columns {
		for _, p := range parts {
			if pieces := p.pieces(); column < len(pieces) {
				plain = append(plain, pieces[column]...)
			}
		}
	}
	return plain
}

// Bundled tells whether a value lies in a bundle.
func Bundled(value []byte) bool { return Holds(value) || len(value) > 0 && value[0] == inBundle }

// Holds tells whether a value is the one in whose place a bundle lies.
func Holds(value []byte) bool { return HoldsRows(value) || len(value) > 0 && value[0] == columned }

// HoldsRows tells whether a value is the one in whose place a bundle of parts of one piece lies.
func HoldsRows(value []byte) bool { return len(value) > 0 && value[0] == bundled }

// A Reader reads values that may lie in bundles. It remembers the bundle that was read last,
// so that values that lie together are best read one after the other.
type Reader struct {
	// At gives the value that is kept under a number, in whose place a bundle lies.
	At func(number uint64) []byte

	known bool
	first uint64
	parts []Part
}

// Value gives the value of one piece that is kept under a number, in a form that [All] and [Line] read: a value
// that lies in no bundle as it is.
func (r *Reader) Value(number uint64, value []byte) ([]byte, error) {
	if !Bundled(value) {
		return value, nil
	}
	parts, i, err := r.Together(number, value)
	if err != nil {
		return nil, err
	}
	if len(parts[i].More) > 0 {
		return nil, fmt.Errorf("%w: number %d has several pieces", ErrBundle, number)
	}
	return append(append(make([]byte, 0, 1+len(parts[i].Data)), bare), parts[i].Data...), nil
}

// Together gives everything that lies in the bundle with a value, and which part the value is.
func (r *Reader) Together(number uint64, value []byte) (parts []Part, i int, err error) {
	first, at := number, uint64(0)
	if len(value) > 0 && value[0] == inBundle {
		n, rest := value[1:], 0
		if first, rest = binary.Uvarint(n); rest <= 0 {
			return nil, 0, ErrBundle
		}
		if at, rest = binary.Uvarint(n[rest:]); rest <= 0 {
			return nil, 0, ErrBundle
		}
		value = nil
	}
	if !r.known || r.first != first {
		if value == nil {
			value = r.At(first)
		}
		if r.parts, err = unbundle(value); err != nil {
			r.known = false
			return nil, 0, err
		}
		r.known, r.first = true, first
	}
	if at >= uint64(len(r.parts)) || r.parts[at].Number != number {
		return nil, 0, fmt.Errorf("%w: number %d is not where it should be", ErrBundle, number)
	}
	return r.parts, int(at), nil
}

var unpacker = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(largestBundle))
})

// unbundle gives the parts of a bundle.
func unbundle(value []byte) ([]Part, error) {
	if !Holds(value) {
		return nil, fmt.Errorf("%w: there is no bundle", ErrBundle)
	}
	z, err := unpacker()
	if err != nil {
		return nil, err
	}
	plain, err := z.DecodeAll(value[1:], nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	c := &cutter{rest: plain}
	parts := make([]Part, c.count(2))
	for i := range parts {
		parts[i].Number = c.number()
		if value[0] == columned {
			n := c.count(1)
			if n == 0 || n > mostPieces {
				return nil, ErrBundle
			}
			parts[i].More = make([][]byte, n-1)
		}
		for range 1 + len(parts[i].More) {
			c.lengths = append(c.lengths, c.number())
		}
	}
	for column, left := 0, len(parts); left > 0 && !c.bad; column++ {
		left = 0
		for at, i := 0, 0; i < len(parts); at, i = at+1+len(parts[i].More), i+1 {
			switch n := len(parts[i].More); {
			case column == 0:
				parts[i].Data = c.piece(c.lengths[at])
			case column <= n:
				parts[i].More[column-1] = c.piece(c.lengths[at+column])
			}
			if len(parts[i].More) > column {
				left++
			}
		}
	}
	if c.bad {
		return nil, ErrBundle
	}
	return parts, nil
}

// A cutter cuts a bundle into its pieces.
type cutter struct {
	rest    []byte
	lengths []uint64 // of the pieces, part by part
	bad     bool     // there is less than it says
}

func (c *cutter) number() uint64 {
	n, size := binary.Uvarint(c.rest)
	if size <= 0 {
		c.bad, c.rest = true, nil
		return 0
	}
	c.rest = c.rest[size:]
	return n
}

// count reads a number of things each of which takes so many bytes at least.
func (c *cutter) count(bytes uint64) uint64 {
	n := c.number()
	if n > uint64(len(c.rest))/bytes {
		c.bad = true
		return 0
	}
	return n
}

func (c *cutter) piece(n uint64) []byte {
	if n > uint64(len(c.rest)) {
		c.bad, n = true, 0
	}
	piece := c.rest[:n:n]
	c.rest = c.rest[n:]
	return piece
}

package deflate

import (
	"encoding/binary"
	"errors"
	"fmt"
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
)

// Largest bundle that is read, unpacked: a damaged one may claim any size.
const largestBundle = 256 << 20

// ErrBundle: a bundle can't be read.
var ErrBundle = errors.New("what was put together with others can't be read")

// A Part is one value of a bundle: bytes that are not packed, under the number of the value.
type Part struct {
	Number uint64
	Data   []byte
}

// Bundle gives what is to be kept in the place of some values: each finds its bytes again by
// [Reader.Value].
func Bundle(parts []Part) ([][]byte, error) {
	if len(parts) == 0 {
		return nil, nil
	}
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
	// Bundles are made seldom, and each at a time of its own: nothing is kept for the next one.
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(8<<20))
	if err != nil {
		return nil, fmt.Errorf("make bundle: %w", err)
	}
	values := make([][]byte, len(parts))
	values[0] = w.EncodeAll(plain, []byte{bundled})
	for i := range parts[1:] {
		values[i+1] = binary.AppendUvarint(binary.AppendUvarint([]byte{inBundle}, parts[0].Number), uint64(i+1))
	}
	return values, w.Close()
}

// Bundled tells whether a value lies in a bundle.
func Bundled(value []byte) bool {
	return len(value) > 0 && (value[0] == bundled || value[0] == inBundle)
}

// Holds tells whether a value is the one in whose place a bundle lies.
func Holds(value []byte) bool { return len(value) > 0 && value[0] == bundled }

// A Reader reads values that may lie in bundles. It remembers the bundle that was read last,
// so that values that lie together are best read one after the other.
type Reader struct {
	// At gives the value that is kept under a number, in whose place a bundle lies.
	At func(number uint64) []byte

	known bool
	first uint64
	parts []Part
}

// Value gives the value kept under a number in a form that [All] and [Line] read: a value that lies
// in no bundle as it is.
func (r *Reader) Value(number uint64, value []byte) ([]byte, error) {
	if !Bundled(value) {
		return value, nil
	}
	parts, i, err := r.Together(number, value)
	if err != nil {
		return nil, err
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
	if len(value) == 0 || value[0] != bundled {
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
	next := func() uint64 {
		n, size := binary.Uvarint(plain)
		if size <= 0 {
			err = ErrBundle
			return 0
		}
		plain = plain[size:]
		return n
	}
	count := next()
	if count > uint64(len(plain)) {
		return nil, ErrBundle
	}
	parts, lengths := make([]Part, count), make([]uint64, count)
	for i := range parts {
		parts[i].Number, lengths[i] = next(), next()
	}
	for i, n := range lengths {
		if err != nil || n > uint64(len(plain)) {
			return nil, ErrBundle
		}
		parts[i].Data, plain = plain[:n:n], plain[n:]
	}
	return parts, nil
}

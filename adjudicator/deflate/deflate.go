// Package deflate packs what the office keeps: letters, pages and positions.
package deflate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
)

// JSON writes a value that is kept. It is that of [json.Marshal], except that the signs of HTML stand as they are: nobody shows it as
// HTML, and in a letter each of its hundreds of tags would take ten bytes more.
func JSON(value any) ([]byte, error) {
	var b bytes.Buffer
	err := writeJSON(&b, value)
	return b.Bytes(), err
}

func writeJSON(to *bytes.Buffer, value any) error {
	w := json.NewEncoder(to)
	w.SetEscapeHTML(false)
	if err := w.Encode(value); err != nil {
		return err
	}
	to.Truncate(to.Len() - 1) // the end of the line
	return nil
}

// writers are kept for use again: a new one costs more than packing a letter.
var writers = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

// scratch is memory for what is packed or unpacked, and not kept itself.
var scratch = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Append packs parts, one after the other, and adds them at the end of to.
func Append(to []byte, parts ...[]byte) ([]byte, error) {
	b := scratch.Get().(*bytes.Buffer)
	defer scratch.Put(b)
	b.Reset()
	w := writers.Get().(*flate.Writer)
	defer writers.Put(w)
	w.Reset(b)
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return append(to, b.Bytes()...), nil
}

// PackJSON packs [JSON] of a value.
func PackJSON(value any) ([]byte, error) {
	b := scratch.Get().(*bytes.Buffer)
	defer scratch.Put(b)
	b.Reset()
	if err := writeJSON(b, value); err != nil {
		return nil, err
	}
	return Append(nil, b.Bytes())
}

// UnpackJSON reads what [PackJSON] packed, or [Reader.Value] gave of it.
func UnpackJSON(packed []byte, value any) error {
	if len(packed) > 0 && packed[0] == bare {
		return json.Unmarshal(packed[1:], value)
	}
	b := scratch.Get().(*bytes.Buffer)
	defer scratch.Put(b)
	b.Reset()
	if err := unpack(b, packed); err != nil {
		return err
	}
	return json.Unmarshal(b.Bytes(), value)
}

// readers are kept for use again: a new one takes more memory than most of what is unpacked.
var readers = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// All unpacks what was packed, or what [Reader.Value] gave.
func All(packed []byte) ([]byte, error) {
	if len(packed) > 0 && packed[0] == bare {
		return packed[1:], nil
	}
	out := bytes.NewBuffer(make([]byte, 0, 4*len(packed)+bytes.MinRead))
	err := unpack(out, packed)
	return out.Bytes(), err
}

// unpack unpacks what was packed.
func unpack(to *bytes.Buffer, packed []byte) error {
	if Bundled(packed) {
		return fmt.Errorf("%w: it lies in a bundle", ErrBundle)
	}
	r := readers.Get().(io.ReadCloser)
	defer readers.Put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(packed), nil); err != nil {
		return err
	}
	_, err := to.ReadFrom(r)
	return err
}

// Line unpacks the first line, its end included, and no more.
func Line(packed []byte) ([]byte, error) {
	if len(packed) > 0 && packed[0] == bare {
		return bufio.NewReader(bytes.NewReader(packed[1:])).ReadBytes('\n')
	}
	return bufio.NewReader(flate.NewReader(bytes.NewReader(packed))).ReadBytes('\n')
}

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
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	if err := w.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// writers are kept for use again: a new one costs more than packing a letter.
var writers = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

// Append packs parts, one after the other, and adds them at the end of to.
func Append(to []byte, parts ...[]byte) ([]byte, error) {
	b := bytes.NewBuffer(to)
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
	return b.Bytes(), nil
}

// readers are kept for use again: a new one takes more memory than most of what is unpacked.
var readers = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// All unpacks what was packed, or what [Reader.Value] gave.
func All(packed []byte) ([]byte, error) {
	if len(packed) > 0 && packed[0] == bare {
		return packed[1:], nil
	}
	if Bundled(packed) {
		return nil, fmt.Errorf("%w: it lies in a bundle", ErrBundle)
	}
	r := readers.Get().(io.ReadCloser)
	defer readers.Put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(packed), nil); err != nil {
		return nil, err
	}
	out := bytes.NewBuffer(make([]byte, 0, 4*len(packed)+bytes.MinRead))
	_, err := out.ReadFrom(r)
	return out.Bytes(), err
}

// Line unpacks the first line, its end included, and no more.
func Line(packed []byte) ([]byte, error) {
	if len(packed) > 0 && packed[0] == bare {
		return bufio.NewReader(bytes.NewReader(packed[1:])).ReadBytes('\n')
	}
	return bufio.NewReader(flate.NewReader(bytes.NewReader(packed))).ReadBytes('\n')
}

// Package deflate packs what the office keeps: letters, pages and positions.
package deflate

import (
	"bufio"
	"bytes"
	"compress/flate"
	"io"
	"sync"
)

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

// All unpacks what was packed.
func All(packed []byte) ([]byte, error) {
	return io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
}

// Line unpacks the first line, its end included, and no more.
func Line(packed []byte) ([]byte, error) {
	return bufio.NewReader(flate.NewReader(bytes.NewReader(packed))).ReadBytes('\n')
}

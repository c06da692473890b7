package deflate

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
)

// A Dictionary packs short values that are much alike: each is packed as if the dictionary's text
// stood before it, and is read with the same dictionary alone. So the text of one that was released
// is never changed. It may be used by many goroutines.
type Dictionary struct {
	text             []byte
	writers, readers sync.Pool
}

// dictionaryLevel is the least at which values of less than 128 bytes are looked up in the dictionary, too.
const dictionaryLevel = 7

// NewDictionary gives the dictionary of a text: of what the values have in common; what is most common
// is best put last.
func NewDictionary(text string) *Dictionary {
	d := &Dictionary{text: []byte(text)}
	d.writers.New = func() any {
		w, err := flate.NewWriterDict(nil, dictionaryLevel, d.text)
		if err != nil {
			panic(err) // the level is a constant
		}
		return w
	}
	d.readers.New = func() any { return flate.NewReaderDict(bytes.NewReader(nil), d.text) }
	return d
}

// Append packs a value, and adds it at the end of to.
func (d *Dictionary) Append(to, value []byte) ([]byte, error) {
	b := bytes.NewBuffer(to)
	w := d.writers.Get().(*flate.Writer)
	defer d.writers.Put(w)
	w.Reset(b)
	if _, err := w.Write(value); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// All unpacks what [Dictionary.Append] packed, if it has no more bytes than most.
func (d *Dictionary) All(packed []byte, most int) ([]byte, error) {
	r := d.readers.Get().(io.ReadCloser)
	defer d.readers.Put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(packed), d.text); err != nil {
		return nil, err
	}
	out := bytes.NewBuffer(make([]byte, 0, 4*len(packed)+bytes.MinRead))
	if _, err := out.ReadFrom(io.LimitReader(r, int64(most)+1)); err != nil {
		return nil, err
	}
	if out.Len() > most {
		return nil, fmt.Errorf("unpack: it has more than %d bytes", most)
	}
	return out.Bytes(), nil
}

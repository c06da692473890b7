package deflate

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
)

// Values that were put into a bundle are read as they were, each by itself and in any order, and
// take less room than alone.
func TestBundle(t *testing.T) {
	kept := map[uint64][]byte{}
	var parts []Part
	alone := 0
	for i := range uint64(9) {
		data := fmt.Appendf(nil, "the %dth of many reports\n%s", i, bytes.Repeat([]byte("so it is said again; "), 200))
		packed, err := Append(nil, data)
		if err != nil {
			t.Fatal(err)
		}
		kept[3*i], alone = packed, alone+len(packed)
		parts = append(parts, Part{3 * i, data})
	}
	loose := kept[24]
	values, err := Bundle(parts[:8])
	if err != nil {
		t.Fatal(err)
	}
	together := 0
	for i, v := range values {
		kept[parts[i].Number], together = v, together+len(v)
		if !Bundled(v) {
			t.Errorf("value %d does not say that it is bundled", i)
		}
		if _, err := All(v); !errors.Is(err, ErrBundle) {
			t.Errorf("value %d is read without its bundle: %v", i, err)
		}
	}
	if together*2 > alone || Bundled(loose) {
		t.Errorf("%d bytes together, %d alone", together, alone)
	}
	r := Reader{At: func(n uint64) []byte { return kept[n] }}
	for _, i := range []int{5, 0, 8, 7, 1} {
		value, err := r.Value(parts[i].Number, kept[parts[i].Number])
		if err != nil {
			t.Fatal(err)
		}
		data, err := All(value)
		if err != nil || !bytes.Equal(data, parts[i].Data) {
			t.Errorf("part %d: %v", i, err)
		}
		line, err := Line(value)
		if err != nil || string(line) != fmt.Sprintf("the %dth of many reports\n", i) {
			t.Errorf("line of part %d: %q, %v", i, line, err)
		}
	}
	if values, err := Bundle(nil); len(values) != 0 || err != nil {
		t.Errorf("nothing: %v, %v", values, err)
	}
}

// A bundle that was damaged, or is not where a value says, is an error.
func TestDamagedBundle(t *testing.T) {
	values, err := Bundle([]Part{{4, []byte("one")}, {7, []byte("two")}})
	if err != nil {
		t.Fatal(err)
	}
	read := func(number uint64, value, holder []byte) {
		t.Helper()
		r := Reader{At: func(uint64) []byte { return holder }}
		if got, err := r.Value(number, value); !errors.Is(err, ErrBundle) {
			t.Errorf("%q, %v", got, err)
		}
	}
	read(7, values[1], nil)
	read(7, values[1], values[1])
	read(7, values[1], values[0][:len(values[0])-1])
	read(7, values[1][:2], values[0])
	read(9, values[1], values[0])
	for i := range values[0] {
		damaged := bytes.Clone(values[0])
		damaged[i] ^= 0xff
		r := Reader{At: func(uint64) []byte { return damaged }}
		_, _ = r.Value(7, values[1]) // must not panic
	}
}

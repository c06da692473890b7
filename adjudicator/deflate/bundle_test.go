package deflate

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
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
		parts = append(parts, Part{Number: 3 * i, Data: data})
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
	values, err := Bundle([]Part{{Number: 4, Data: []byte("one")}, {Number: 7, Data: []byte("two")}})
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

// TestPieces: values of several pieces, of some more than of others, are read piece by piece as they were,
// and a bundle of them of which any byte was changed is an error or gives something, and ends.
func TestPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SliceOfN(rapid.Byte(), 0, 40)
		var parts []Part
		for i := range rapid.IntRange(1, 8).Draw(t, "parts") {
			p := Part{Number: uint64(10 + i), Data: piece.Draw(t, "first")}
			if rapid.IntRange(0, 3).Draw(t, "more") > 0 || i == 0 {
				p.More = rapid.SliceOfN(piece, 1, 5).Draw(t, "pieces")
			}
			parts = append(parts, p)
		}
		values, err := Bundle(parts)
		if err != nil || HoldsRows(values[0]) || !Holds(values[0]) {
			t.Fatalf("%v, %x", err, values)
		}
		r := Reader{At: func(uint64) []byte { return values[0] }}
		for i := range parts {
			got, at, err := r.Together(parts[i].Number, values[i])
			if err != nil || at != i || got[i].Bytes() != parts[i].Bytes() || len(got[i].More) != len(parts[i].More) {
				t.Fatalf("part %d: %+v, %v", i, got, err)
			}
			for n, want := range parts[i].pieces() {
				if !bytes.Equal(got[i].pieces()[n], want) {
					t.Errorf("part %d, piece %d: %x, want %x", i, n, got[i].pieces()[n], want)
				}
			}
			if _, err := r.Value(parts[i].Number, values[i]); (err != nil) != (len(parts[i].More) > 0) {
				t.Errorf("part %d of %d pieces as one value: %v", i, 1+len(parts[i].More), err)
			}
		}
		at := rapid.IntRange(0, len(values[0])-1).Draw(t, "damaged")
		values[0][at] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
		_, _, _ = (&Reader{At: r.At}).Together(parts[0].Number, values[0])
	})
}

// TestNumbersThatLie: what a bundle says of numbers and lengths is believed only as far as there are bytes.
func TestNumbersThatLie(t *testing.T) {
	for name, plain := range map[string][]byte{
		"nothing": {}, "parts": {0xff, 0xff, 0xff, 0x7f}, "pieces": {1, 7, 0xff, 0xff, 0xff, 0x7f}, "no pieces": {1, 7, 0, 0}, "a length": {1, 7, 1, 9, 'x'},
		"cut in a number": {1, 7, 2, 0x80}, "a later length": {2, 7, 1, 1, 8, 2, 0, 0xff, 0xff, 0x7f, 'x'},
	} {
		if got, err := unbundle(pack(t, columned, plain)); !errors.Is(err, ErrBundle) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	many := append([]byte{1, 7, 0xea, 0x07}, make([]byte, 1002)...) // 1002 pieces
	if _, err := unbundle(pack(t, columned, many)); !errors.Is(err, ErrBundle) {
		t.Errorf("too many pieces: %v", err)
	}
}

// pack gives a bundle of bytes that need not be one.
func pack(t *testing.T, form byte, plain []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(plain, []byte{form})
}

// TestDictionary: short values that are like the dictionary are read as they were and take less than half the room,
// by many at once; another dictionary, or more bytes than expected, is an error.
func TestDictionary(t *testing.T) {
	d := NewDictionary(`{"game":"","seat":"","kind":"report","address":"@club.example"}`)
	value := []byte(`{"game":"lot-1","seat":"red","kind":"report","address":"red@club.example"}`)
	t.Run("many at once", func(t *testing.T) {
		for range 8 {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				for range 50 {
					packed, err := d.Append([]byte("x"), value)
					if err != nil || packed[0] != 'x' || len(packed) > len(value)/2 {
						t.Fatalf("%d bytes of %d, %v", len(packed), len(value), err)
					}
					if got, err := d.All(packed[1:], len(value)); err != nil || !bytes.Equal(got, value) {
						t.Fatalf("%s, %v", got, err)
					}
					if _, err := d.All(packed[1:], len(value)-1); err == nil {
						t.Fatal("more bytes than expected are read")
					}
				}
			})
		}
	})
	packed, err := d.Append(nil, value)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := NewDictionary("x").All(packed, 1000); err == nil {
		t.Errorf("with another dictionary it is %q", got)
	}
}

// The packer of small bundles is used again: what it packed before leaves no trace in what it packs next, for a log that is packed once
// more has to give the same bytes.
func TestSmallBundlesAreAlikeWhateverCameBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"red marches to Ligny; ", "blue stands; ", "\"side\": \"red\", ", "0123", "x"})
		var data []byte
		for _, w := range rapid.SliceOfN(word, 0, 3000).Draw(t, "words") {
			data = append(data, w...)
		}
		parts := []Part{{Number: 1, Data: data}, {Number: 2, Data: data[len(data)/3:]}}
		values, err := Bundle(parts)
		if err != nil {
			t.Fatal(err)
		}
		w, err := newPacker(zstd.SpeedBetterCompression, small)
		if err != nil {
			t.Fatal(err)
		}
		if fresh := w.EncodeAll(inRows(parts), []byte{bundled}); !bytes.Equal(values[0], fresh) {
			t.Fatalf("%d bytes packed by a packer that was used before, %d by a new one, not the same", len(values[0]), len(fresh))
		}
	})
}

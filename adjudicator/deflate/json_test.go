package deflate

import (
	"bytes"
	"errors"
	"testing"
)

// What is kept as JSON comes back as it was, and doesn't hang on the memory in which it was packed and read.
func TestJSON(t *testing.T) {
	type letter struct {
		HTML string
		Data []byte
	}
	said := letter{HTML: `<p class="soft">Ligny & Wavre` + "\u2028</p>", Data: []byte("\x00\xff")}
	plain, err := JSON(said)
	if err != nil || !bytes.HasPrefix(plain, []byte(`{"HTML":"<p class=\"soft\">Ligny & Wavre\u2028</p>"`)) || !bytes.HasSuffix(plain, []byte("}")) {
		t.Errorf("%s, %v", plain, err)
	}
	packed, err := PackJSON(said)
	if want, _ := Append(nil, plain); err != nil || !bytes.Equal(packed, want) {
		t.Errorf("packed as %q, want %q, %v", packed, want, err)
	}
	var first, again letter
	if err := UnpackJSON(packed, &first); err != nil {
		t.Fatal(err)
	}
	if err := UnpackJSON(append([]byte{bare}, plain...), &again); err != nil {
		t.Fatal(err)
	}
	if _, err := PackJSON(letter{HTML: "something else, which may lie where the letter lay while it was read"}); err != nil {
		t.Fatal(err)
	}
	for _, got := range []letter{first, again} {
		if got.HTML != said.HTML || !bytes.Equal(got.Data, said.Data) {
			t.Errorf("read as %+v, want %+v", got, said)
		}
	}
	if err := UnpackJSON([]byte{inBundle, 1, 1}, &first); !errors.Is(err, ErrBundle) {
		t.Errorf("without its bundle: %v", err)
	}
	if err := UnpackJSON(packed[:len(packed)/2], &first); err == nil {
		t.Error("half of it is read")
	}
	if _, err := PackJSON(func() {}); err == nil {
		t.Error("a function is packed")
	}
}

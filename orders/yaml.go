package orders

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"
)

// Marshal writes plain data as YAML, by the yaml tags of its types. It is for
// the program's own files: positions, views, exports.
func Marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("write yaml: %w", err)
	}
	if err := enc.Close(); err != nil {
		return nil, fmt.Errorf("write yaml: %w", err)
	}
	return out.Bytes(), nil
}

// Unmarshal reads what [Marshal] wrote into typed data. Keys that the type does
// not have are errors with their line, and so is a second document. Files that
// a person edits are better read by [ParseNode], which tells every fault with
// its column.
func Unmarshal(data []byte, into any) error {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(into); err != nil {
		return fmt.Errorf("read yaml: %w", err)
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return errors.New("read yaml: more than one document")
	}
	return nil
}

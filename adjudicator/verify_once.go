package adjudicator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// once checks that an entry says one thing to all its readers: that nothing in it is said
// twice, of which programs may read the one or the other, and that no private part takes
// the place of what the body tells.
func (e ExportedEntry) once() error { return readsOnce(e.Body, e.Private) }

// readsOnce checks that an entry says one thing to all its readers: that nothing in it is said
// twice, of which programs may read the one or the other, and that no private part takes
// the place of what the body tells.
func readsOnce(body, private string) error {
	for _, text := range []string{body, private} {
		if !json.Valid([]byte(text)) { // what can't be read is told elsewhere
			continue
		}
		d := json.NewDecoder(bytes.NewReader([]byte(text)))
		d.UseNumber()
		if err := noTwins(d); err != nil {
			return err
		}
	}
	if body == "" || private == "" {
		return nil
	}
	var shows struct {
		Kind string          `json:"kind"`
		Data json.RawMessage `json:"data"`
	}
	var hides struct {
		Sealed *sealedEntry `json:"sealed"`
	}
	if json.Unmarshal([]byte(body), &shows) != nil || json.Unmarshal([]byte(private), &hides) != nil || hides.Sealed == nil {
		return nil // what can't be read is told elsewhere
	}
	switch {
	case shows.Kind == LogSealed:
	case shows.Kind != LogTaken:
		return fmt.Errorf("its data are in it twice, and only some read those of its private part")
	default:
		var shown shownTaken
		var whole Taken
		if json.Unmarshal(shows.Data, &shown) != nil || json.Unmarshal(hides.Sealed.Data, &whole) != nil {
			return nil
		}
		if shown != (shownTaken{SeatStop: whole.SeatStop, Final: whole.Final, Seal: whole.Seal}) {
			return errors.New("its data are in it twice, and its body tells others than its private part")
		}
	}
	return nil
}

// noTwins reads a value of JSON, and finds keys of one object that some programs take for
// the same.
func noTwins(d *json.Decoder) error {
	token, err := d.Token()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return nil // what can't be read is told elsewhere
	}
	switch token {
	case json.Delim('{'):
		var keys []string
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil
			}
			name, _ := key.(string)
			if slices.ContainsFunc(keys, func(k string) bool { return strings.EqualFold(k, name) }) {
				return fmt.Errorf("the key %q is there twice", name)
			}
			keys = append(keys, name)
			if err := noTwins(d); err != nil {
				return err
			}
		}
		_, _ = d.Token()
	case json.Delim('['):
		for d.More() {
			if err := noTwins(d); err != nil {
				return err
			}
		}
		_, _ = d.Token()
	}
	return nil
}

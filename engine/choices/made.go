package choices

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Made choice is one that was read from a file, with its place there.
type Made struct {
	engine.Choice
	Next         int // of which of the questions that follow at once; 0 for the one that is owed
	Line, Column int
}

func (m Made) fault(why, remedy phrase.Phrase) orders.Problem {
	return orders.Problem{Line: m.Line, Column: m.Column, Why: why, Remedy: remedy}
}

// Read reads choices that were made: JSON objects as they stand in a [Sheet], one after
// the other, or lists of them. An empty file holds no choices. All faults come at once;
// but where the text is not JSON at all the reading ends.
func Read(text string) ([]Made, orders.Problems) {
	r := &reader{text: text}
	for {
		r.at += len(r.text[r.at:]) - len(strings.TrimLeft(r.text[r.at:], " \t\r\n"))
		if r.at == len(r.text) {
			break
		}
		if !r.value() {
			break
		}
	}
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	return r.made, nil
}

// A reader reads choices.
type reader struct {
	text   string
	at     int // in bytes
	made   []Made
	faults orders.Problems
}

// place gives the line and the column of a byte.
func (r *reader) place(at int) (line, column int) {
	before := r.text[:min(at, len(r.text))]
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[1+strings.LastIndexByte(before, '\n'):])
}

func (r *reader) refuse(at int, why, remedy phrase.Phrase) {
	m := Made{}
	m.Line, m.Column = r.place(at)
	r.faults = append(r.faults, m.fault(why, remedy))
}

// value reads a choice or a list of them, and tells whether what follows can be read.
func (r *reader) value() bool {
	start := r.at
	dec := json.NewDecoder(strings.NewReader(r.text[start:]))
	list := r.text[start] == '['
	if list {
		if _, err := dec.Token(); err != nil {
			return r.noJSON(start, dec, err)
		}
	}
	for !list || dec.More() {
		at := start + after(r.text[start:], dec)
		var one json.RawMessage
		if err := dec.Decode(&one); err != nil {
			return r.noJSON(start, dec, err)
		}
		r.choice(at, one)
		if !list {
			break
		}
	}
	if list {
		if _, err := dec.Token(); err != nil {
			return r.noJSON(start, dec, err)
		}
	}
	r.at = start + int(dec.InputOffset())
	return true
}

// after gives where the next value begins in the text that a decoder reads.
func after(text string, dec *json.Decoder) int {
	return len(text) - len(strings.TrimLeft(text[dec.InputOffset():], ", \t\r\n"))
}

// noJSON refuses a text that can't be read as JSON.
func (r *reader) noJSON(start int, dec *json.Decoder, err error) bool {
	at := start + int(dec.InputOffset())
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = start + max(0, int(syntax.Offset)-1)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at = len(r.text)
		err = io.ErrUnexpectedEOF
	}
	r.refuse(at, phrase.Say("choices.no-json", phrase.Literal("error", err.Error())), phrase.Say("choices.form"))
	return false
}

// choice reads one choice.
func (r *reader) choice(at int, text json.RawMessage) {
	before := len(r.faults)
	var m Made
	m.Line, m.Column = r.place(at)
	var low, high, value, next *int
	var shown, what *string
	keys := map[string]any{"of": &m.Of, "what": &what, "low": &low, "high": &high, "value": &value, "text": &shown, "next": &next}
	dec := json.NewDecoder(bytes.NewReader(text))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		r.refuse(at, phrase.Say("choices.no-choice"), phrase.Say("choices.form"))
		return
	}
	for dec.More() {
		here := after(string(text), dec)
		t, err := dec.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			panic(fmt.Sprintf("choices: an object that was read is none: %v", err))
		}
		here += at
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			panic("choices: an object that was read is none: " + err.Error())
		}
		into, known := keys[name]
		switch {
		case !known:
			r.refuse(here, phrase.Say("choices.key", phrase.Literal("key", name)), phrase.Say("choices.form"))
		case into == nil:
			r.refuse(here, phrase.Say("choices.key-twice", phrase.Literal("key", name)), phrase.Say("choices.form"))
		case json.Unmarshal(raw, into) != nil && (name == "of" || name == "what" || name == "text"):
			r.refuse(here, phrase.Say("choices.no-text", phrase.Literal("key", name)), phrase.Say("choices.form"))
		case json.Unmarshal(raw, into) != nil:
			r.refuse(here, phrase.Say("choices.no-number", phrase.Literal("key", name)), phrase.Say("choices.form"))
		}
		if known {
			keys[name] = nil
		}
	}
	if what == nil && len(r.faults) == before {
		r.refuse(at, phrase.Say("choices.no-what"), phrase.Say("choices.form"))
	}
	if len(r.faults) > before {
		return
	}
	m.What = *what
	if value != nil {
		m.Choice = engine.Choice{Of: m.Of, What: m.What, Measure: true}.At(*value)
	}
	if next != nil {
		m.Next = *next
	}
	r.made = append(r.made, m)
}

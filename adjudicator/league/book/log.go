package book

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"berthier/adjudicator/log/chain"
)

// Around is what an act is given from outside.
type Around struct {
	Now    time.Time
	Draw   func([]byte) error // chance, for the salt of an entry
	After  chain.Link         // the end of the league's log
	By     string             // who did it: a member, "secretary", "office"
	Letter string             // digest of the letter that did it, hex; "": none did
}

// An Entry is an entry of a league's log, as everybody may read it.
type Entry struct {
	Kind   string          `json:"kind"`
	At     time.Time       `json:"at"`
	By     string          `json:"by,omitempty"`
	Letter string          `json:"letter,omitempty"`
	Data   json.RawMessage `json:"data"`
}

// Do lets one thing happen, and gives the entry for the log. If it can't happen nothing has
// changed; the error is a [game.RefusedError] if it may not. A book whose entry is not
// committed must not be used any more.
func (b *Book) Do(around Around, in Input) (chain.Entry, error) {
	var none chain.Entry
	open, hidden := split(in)
	data, err := json.Marshal(open)
	if err != nil {
		return none, fmt.Errorf("write %s: %w", in.kind(), err)
	}
	body, err := json.Marshal(Entry{Kind: in.kind(), At: around.Now, By: around.By, Letter: around.Letter, Data: data})
	if err != nil {
		return none, fmt.Errorf("write %s: %w", in.kind(), err)
	}
	var private []byte
	if hidden != nil {
		if private, err = json.Marshal(hidden); err != nil {
			return none, fmt.Errorf("write %s: %w", in.kind(), err)
		}
	}
	var salt chain.Salt
	if err := around.Draw(salt[:]); err != nil {
		return none, err
	}
	if err := stamped(in, around.Now).happen(b); err != nil {
		return none, err
	}
	return chain.Follow(around.After, salt, body, private), nil
}

// split parts an input into what everybody may read and what is private: the seed until the
// season ends, addresses, who decided something, reasons, which may name people, and what a running game does not tell.
func split(in Input) (open Input, private map[string]any) {
	switch a := in.(type) {
	case Announced:
		private = map[string]any{"seed": a.Seed}
		a.Seed = ""
		return a, private
	case Playing:
		private = map[string]any{"umpire": a.Umpire}
		a.Umpire = ""
		return a, private
	case Umpired:
		private = map[string]any{"umpire": a.Umpire, "second": a.Second, "left": a.Left}
		a.Umpire, a.Second, a.Left = "", "", ""
		return a, private
	case Ruled:
		private = map[string]any{"By": a.By, "Reason": a.Reason}
		a.By, a.Reason = "", ""
		return a, private
	case Overruled:
		private = map[string]any{"By": a.By, "Reason": a.Reason}
		a.By, a.Reason = "", ""
		return a, private
	case Corrected:
		private = map[string]any{"By": a.By, "Reason": a.Reason}
		a.By, a.Reason = "", ""
		return a, private
	case Postponed:
		private = map[string]any{"by": a.By, "reason": a.Reason}
		a.By, a.Reason = "", ""
		return a, private
	case Imported:
		private = map[string]any{"By": a.By, "Reason": a.Reason}
		a.By, a.Reason = "", ""
		return a, private
	case Extended:
		private = map[string]any{"By": a.By, "Reason": a.Reason}
		a.By, a.Reason = "", ""
		return a, private
	case Prolonged: // how long a running game's log is would tell when others wrote
		private = map[string]any{"By": a.By, "Reason": a.Reason, "Head": a.Head}
		a.By, a.Reason, a.Head = "", "", 0
		return a, private
	case Protested:
		private = map[string]any{"reason": a.Reason}
		a.Reason = ""
		return a, private
	case Dismissed:
		private = map[string]any{"by": a.By, "reason": a.Reason}
		a.By, a.Reason = "", ""
		return a, private
	case Reversed:
		private = map[string]any{"by": a.By, "reason": a.Reason}
		a.By, a.Reason = "", ""
		return a, private
	case Merged:
		private = map[string]any{"by": a.By, "reason": a.Reason}
		a.By, a.Reason = "", ""
		return a, private
	case Changed:
		private = map[string]any{"by": a.By, "reason": a.Reason}
		a.By, a.Reason = "", ""
		return a, private
	}
	return in, nil
}

// inputs are all of them, each without content.
var inputs = []Input{Made{}, Announced{}, Opened{}, Asked{}, Entered{}, Withdrew{}, Closed{}, Started{}, Paired{}, Shortened{}, Playing{}, Resulted{}, Settled{}, PlayedOff{}, Appealed{}, Challenged{}, Brought{}, Ended{},
	Counted{}, Lapsed{}, Extended{}, Prolonged{}, Imported{}, Ruled{}, Overruled{}, Final{}, Contested{}, Corrected{},
	Vacant{}, Back{}, Offered{}, Replied{}, Abandoned{}, Umpired{}, Waiting{}, Reminded{}, Postponed{}, Dropped{},
	Rested{}, Protested{}, Dismissed{}, Changed{}, Merged{}, Rated{}, TakenOut{}, Reversed{}}

// stamped gives an input with the moment of its entry, where the season hangs on it.
func stamped(in Input, at time.Time) Input {
	switch a := in.(type) {
	case Started:
		a.Rounds.At = at
		return a
	case Postponed:
		a.At = at
		return a
	case Protested:
		a.At = at
		return a
	case Dismissed:
		a.At = at
		return a
	case Reversed:
		a.At = at
		return a
	case Resulted:
		a.At = at
		return a
	case Counted:
		a.At = at
		return a
	case Lapsed:
		a.At = at
		return a
	case Imported:
		a.At = at
		return a
	case Prolonged:
		a.At = at
		return a
	case Ruled:
		a.At = at
		return a
	case Overruled:
		a.At = at
		return a
	case Final:
		a.At = at
		return a
	case Corrected:
		a.At = at
		return a
	case Vacant:
		a.At = at
		return a
	case Offered:
		a.At = at
		return a
	case Replied:
		a.At = at
		return a
	case Abandoned:
		a.At = at
		return a
	}
	return in
}

// Read reads what an entry of a league's log says. The data of the entry is the input, and is not given twice.
func Read(e chain.Entry) (Entry, Input, error) {
	var head struct {
		Entry
		Data any `json:"data"`
	}
	kind, err := kindOf(e.Body)
	if err != nil {
		return head.Entry, nil, fmt.Errorf("read entry %d of a league: %w", e.Seq, err)
	}
	for _, blank := range inputs {
		if blank.kind() != kind {
			continue
		}
		in := reflect.New(reflect.TypeOf(blank))
		head.Data = in.Interface()
		if err := json.Unmarshal(e.Body, &head); err != nil {
			return head.Entry, nil, fmt.Errorf("read entry %d of a league: %w", e.Seq, err)
		}
		if head.Kind != kind {
			return head.Entry, nil, fmt.Errorf("entry %d of a league says twice of what kind it is", e.Seq)
		}
		if len(e.Private) > 0 {
			if err := json.Unmarshal(e.Private, in.Interface()); err != nil {
				return head.Entry, nil, fmt.Errorf("read entry %d of a league: %w", e.Seq, err)
			}
		}
		return head.Entry, stamped(in.Elem().Interface().(Input), head.At), nil
	}
	return head.Entry, nil, fmt.Errorf("entry %d of a league is of the kind %q, which this program does not know", e.Seq, kind)
}

// kindOf reads of what kind an entry is. As entries are written that comes first, so that the rest is read only once: a league
// may have more than a million.
func kindOf(body []byte) (string, error) {
	if rest, ok := bytes.CutPrefix(body, []byte(`{"kind":"`)); ok {
		if kind, _, ok := bytes.Cut(rest, []byte(`"`)); ok {
			return string(kind), nil
		}
	}
	var head struct {
		Kind string `json:"kind"`
	}
	err := json.Unmarshal(body, &head)
	return head.Kind, err
}

// Follow lets happen what an entry of the log says. If it can't have happened the error says why, and
// nothing changes.
func (b *Book) Follow(in Input) error { return in.happen(b) }

// Take reads an entry of the log and lets happen what it says.
func (b *Book) Take(e chain.Entry) (Entry, Input, error) {
	head, in, err := Read(e)
	if err != nil {
		return head, nil, err
	}
	if err := in.happen(b); err != nil {
		return head, nil, fmt.Errorf("entry %d, %s, can't have happened: %w", e.Seq, in.kind(), err)
	}
	return head, in, nil
}

// Replay makes a book again from the entries of its log. Everything is checked as when it
// happened: what the rules give, such as lots and rounds, is worked out once more, and an entry
// that says otherwise is an error.
func Replay(entries []chain.Entry) (*Book, error) {
	b := &Book{}
	for _, e := range entries {
		if _, _, err := b.Take(e); err != nil {
			return nil, err
		}
	}
	return b, nil
}

package member

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/log/chain"
)

// Around is what a turn is given from outside. Given the same, a turn does the same.
type Around struct {
	Now    time.Time
	Draw   func([]byte) error // chance, for the salt of an entry
	After  chain.Link         // the end of the roll
	By     string             // who did it: "member", "secretary"
	Letter string             // digest of the letter that did it, hex; "": none did
}

// A Turn is a member as he has become, and what is new.
type Turn struct {
	Member  *Member
	Entry   chain.Entry // for the roll
	Gained  []string    // addresses that are his from now on
	Lost    []string    // addresses that are his no longer
	Spreads bool        // his games must hear of it
}

// Step lets one thing happen to a member; nil becomes the member with the given id, and only
// [Made] may happen to him. What it is given stays as it is. The error is a
// [game.RefusedError] if it may not happen.
func Step(was *Member, id string, around Around, in Input) (*Turn, error) {
	m, before := &Member{ID: id}, []string(nil)
	if was != nil {
		m, before = was.clone(), was.Addresses
	}
	if err := happen(m, around.Now, in); err != nil {
		return nil, err
	}
	t := &Turn{Member: m}
	switch in.(type) {
	case WentAway, Absorbed:
		t.Spreads = true
	}
	t.Gained = without(m.Addresses, before)
	t.Lost = without(before, m.Addresses)
	body, err := json.Marshal(entry{Kind: in.kind(), At: around.Now, Member: m.ID, By: around.By, Letter: around.Letter})
	if err != nil {
		return nil, fmt.Errorf("write entry of the roll: %w", err)
	}
	// What happened to a person is nobody else's: names, addresses and absences are private.
	private, err := json.Marshal(in)
	if err != nil {
		return nil, fmt.Errorf("write entry of the roll: %w", err)
	}
	var salt chain.Salt
	if err := around.Draw(salt[:]); err != nil {
		return nil, err
	}
	t.Entry = chain.Follow(around.After, salt, body, private)
	return t, nil
}

// happen lets something happen to a member who may be changed.
func happen(m *Member, at time.Time, in Input) error {
	if _, made := in.(Made); made != (m.Entries == 0) {
		return fmt.Errorf("%s happens to member %s, who has %d entries", in.kind(), m.ID, m.Entries)
	}
	if err := in.happen(m, at); err != nil {
		return err
	}
	m.Entries++
	return nil
}

// without gives the texts of a list that another does not have.
func without(all, others []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(a string) bool { return slices.Contains(others, a) })
}

// entry is an entry of the roll, as everybody may read it.
type entry struct {
	Kind   string    `json:"kind"`
	At     time.Time `json:"at"`
	Member string    `json:"member"`
	By     string    `json:"by,omitempty"`
	Letter string    `json:"letter,omitempty"`
}

// blank gives an empty input by its kind.
func blank(kind string) Input {
	for _, in := range []Input{&Made{}, &Described{}, &Published{}, &Tied{}, &Weekly{}, &Forgotten{}, &AddressAdded{}, &AddressDropped{}, &AddressFirst{}, &Proven{}, &KeyChanged{}, &WentAway{}, &Gone{}, &Absorbed{}} {
		if in.kind() == kind {
			return in
		}
	}
	return nil
}

// value gives the input to which another points.
func value(in Input) Input {
	switch in := in.(type) {
	case *Made:
		return *in
	case *Described:
		return *in
	case *Forgotten:
		return *in
	case *Published:
		return *in
	case *Tied:
		return *in
	case *Weekly:
		return *in
	case *AddressAdded:
		return *in
	case *AddressDropped:
		return *in
	case *AddressFirst:
		return *in
	case *Proven:
		return *in
	case *KeyChanged:
		return *in
	case *WentAway:
		return *in
	case *Gone:
		return *in
	case *Absorbed:
		return *in
	}
	return in
}

// Replay makes the members again from the entries of the roll, by their ids.
func Replay(roll []chain.Entry) (map[string]*Member, error) {
	all := map[string]*Member{}
	for _, e := range roll {
		var head entry
		if err := json.Unmarshal(e.Body, &head); err != nil {
			return nil, fmt.Errorf("read entry %d of the roll: %w", e.Seq, err)
		}
		in := blank(head.Kind)
		if in == nil {
			return nil, fmt.Errorf("entry %d of the roll is of the kind %q, which this program does not know", e.Seq, head.Kind)
		}
		if err := json.Unmarshal(e.Private, in); err != nil {
			return nil, fmt.Errorf("read entry %d of the roll: %w", e.Seq, err)
		}
		m := all[head.Member]
		if m == nil {
			m = &Member{ID: head.Member}
		}
		if err := happen(m, head.At, value(in)); err != nil {
			return nil, fmt.Errorf("entry %d of the roll can't have happened: %w", e.Seq, err)
		}
		all[head.Member] = m
	}
	return all, nil
}

// About tells whether an entry of the roll is about a member.
func About(e chain.Entry, id string) bool {
	var head entry
	return json.Unmarshal(e.Body, &head) == nil && head.Member == id
}

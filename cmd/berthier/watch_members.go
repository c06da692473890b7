package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator"
	"berthier/adjudicator/leader"
)

// A monitor that asks any member of an office learns how all of them are doing: each tells the others with
// its sign of life what it would tell a monitor of itself.

// A saying is what a member tells the others of its state.
type saying struct {
	Faults    []string    `json:"faults,omitempty"`    // of its own, as its monitor tells them
	Mailboxes []saidState `json:"mailboxes,omitempty"` // that it reads
}

// A saidState is how a mailbox is doing.
type saidState struct {
	Address   string        `json:"address"`
	By        string        `json:"-"` // who reads it; "": nobody
	Read      time.Duration `json:"-"` // how long ago it was last read to its end; negative: not known
	Connected bool          `json:"connected,omitempty"`
	Failures  int           `json:"failures,omitempty"`
	Waiting   int           `json:"waiting,omitempty"` // letters that could not be taken in yet
}

// mostSaid and longestSaid bound what a member tells of its faults.
const (
	mostSaid    = 20
	longestSaid = 300
)

// readersGone is how long nobody may read a mailbox until that is a fault: as long as others need to take it over.
const readersGone = 2 * leader.DeadAfter

// says is what this member tells the others.
func (w *watch) says() json.RawMessage {
	w.everyMailbox() // notes who reads what, whether or not a monitor asks
	s := w.here(time.Now())
	s.Faults = s.Faults[:min(len(s.Faults), mostSaid)]
	for i, f := range s.Faults {
		if text := []rune(f); len(text) > longestSaid {
			s.Faults[i] = string(text[:longestSaid]) + " ..."
		}
	}
	data, err := json.Marshal(s)
	if err != nil {
		return nil
	}
	return data
}

// here is the state of this member.
func (w *watch) here(now time.Time) (s saying) {
	s.Faults = w.illHere(adjudicator.IllsHere(w.office.Office), now)
	for _, box := range w.boxes {
		if w.office.Seat.Reads(box.Address) {
			h := box.Health()
			s.Mailboxes = append(s.Mailboxes, saidState{Address: box.Address, Connected: h.Connected, Failures: h.Failures, Waiting: h.Waiting})
		}
	}
	return s
}

// said is what a member has said of itself.
func (w *watch) said(m leader.Member) (s saying) {
	if m.Name == w.member {
		return w.here(time.Now())
	}
	_ = json.Unmarshal(m.Says, &s) // a member of another version may say something else, or nothing
	return s
}

// everyMailbox tells how each mailbox of the office is doing, whoever reads it.
func (w *watch) everyMailbox() (all []saidState) {
	now, members := time.Now(), w.office.Seat.Members()
	for _, box := range w.boxes {
		state := saidState{Address: box.Address, Read: -1}
		for _, m := range members {
			if ago, ok := m.Read[box.Address]; ok && (state.Read < 0 || ago < state.Read) {
				state.Read = ago
			}
		}
		for _, m := range members {
			if m.Silent > leader.DeadAfter || !slices.Contains(m.Mailboxes, box.Address) {
				continue
			}
			w.readers.Store(box.Address, now)
			state.By = m.Name
			for _, said := range w.said(m).Mailboxes {
				if said.Address == box.Address {
					state.Connected, state.Failures, state.Waiting = said.Connected, said.Failures, said.Waiting
				}
			}
		}
		all = append(all, state)
	}
	return all
}

// illElsewhere lists what other living members have said to be wrong with them, and the mailboxes that nobody reads.
func (w *watch) illElsewhere() (faults []string) {
	members := w.office.Seat.Members()
	for _, m := range members {
		if m.Name == w.member || m.Silent > leader.DeadAfter {
			continue
		}
		for _, f := range w.said(m).Faults {
			faults = append(faults, fmt.Sprintf("member %s: %s", m.Name, f))
		}
	}
	if len(members) == 0 {
		return faults
	}
	for _, box := range w.everyMailbox() {
		seen := w.begun
		if at, ok := w.readers.Load(box.Address); ok {
			seen = at.(time.Time)
		}
		if box.By == "" && time.Since(seen) > readersGone {
			faults = append(faults, fmt.Sprintf("mailbox %s: no member reads it", box.Address))
		}
	}
	return faults
}

// ofMembers writes what is known of each member and of each mailbox of the office, whoever reads it.
func (w *watch) ofMembers(family func(name, kind, help string), sample func(name, labels string, value float64)) {
	members := w.office.Seat.Members()
	if len(members) == 0 {
		return
	}
	for _, m := range members {
		if m.Name == w.member {
			family("shares", "gauge", "Shares of the games and letters of the office that this member has.")
			sample("shares", "", float64(m.Shares))
		}
	}
	for _, of := range []struct {
		name, help string
		value      func(leader.Member) float64
	}{
		{"member_alive", "1 while a member says that it lives.", func(m leader.Member) float64 { return oneIf(m.Silent <= leader.DeadAfter) }},
		{"member_silent_seconds", "How long ago a member last said that it lives.", func(m leader.Member) float64 { return m.Silent.Seconds() }},
		{"member_shares", "Shares of the games and letters of the office that a member has.", func(m leader.Member) float64 { return float64(m.Shares) }},
		{"member_clock_ahead_seconds", "By how much the clock of a member is ahead of this one's.", func(m leader.Member) float64 { return m.Ahead.Seconds() }},
		{"member_faults", "How many faults a member has said that it has.", func(m leader.Member) float64 { return float64(len(w.said(m).Faults)) }},
	} {
		family(of.name, "gauge", of.help)
		for _, m := range members {
			sample(of.name, fmt.Sprintf("{member=%q}", m.Name), of.value(m))
		}
	}
	boxes := w.everyMailbox()
	for _, of := range []struct {
		name, help string
		value      func(saidState) float64
	}{
		{"office_mailbox_connected", "1 while the member that reads the mailbox has the inbox open.", func(s saidState) float64 { return oneIf(s.Connected) }},
		{"office_mailbox_waiting", "Letters that could not be taken in yet, by whoever reads the mailbox.", func(s saidState) float64 { return float64(s.Waiting) }},
		{"office_mailbox_read_age_seconds", "How long ago the mailbox was last read to its end, by any member.", func(s saidState) float64 { return s.Read.Seconds() }},
	} {
		family(of.name, "gauge", of.help)
		for _, box := range boxes {
			sample(of.name, fmt.Sprintf("{mailbox=%q,member=%q}", box.Address, box.By), of.value(box))
		}
	}
}

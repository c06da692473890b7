// Package member is the people whom an office knows across games, as a state machine: what a
// person is told and asked in his games stands in their logs, and who he is stands here. A
// member is what has happened to him: [Step] lets one thing happen and gives a [Turn], with the
// member as he has become and the entry for the roll, the one log that all members have in
// common; [Replay] makes all members again from that log. It reads no store and no clock, knows
// no letter, and draws no chance of its own.
package member

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/mail/mailbox"
	"berthier/orders/phrase"
)

// A Member is a person whom the office knows.
type Member struct {
	ID        string         `json:"id"` // "M-0041"
	Name      string         `json:"name,omitempty"`
	Language  string         `json:"language,omitempty"`  // "en", "it"
	Zone      string         `json:"zone,omitempty"`      // IANA name; "" is UTC
	Addresses []string       `json:"addresses"`           // the first gets his letters
	Former    []Former       `json:"former,omitempty"`    // addresses that were his
	Public    bool           `json:"public,omitempty"`    // he agrees that everybody reads his name
	NoWeekly  bool           `json:"no_weekly,omitempty"` // he wants no weekly letters of leagues
	Forgotten bool           `json:"forgotten,omitempty"` // on his request: of him there is only the id
	Is        string         `json:"is,omitempty"`        // the member whom this one is: of him there is only the id
	Was       []string       `json:"was,omitempty"`       // ids under which he was a member, too
	Club      string         `json:"club,omitempty"`      // to which he belongs: its members rule on his games only if nobody else is there
	Family    []string       `json:"family,omitempty"`    // members who are his family, and never rule on his games
	Unproven  bool           `json:"unproven,omitempty"`  // no letter from his address has shown his key yet
	Keys      int            `json:"keys,omitempty"`      // how often his key was changed
	Joined    time.Time      `json:"joined"`
	Absences  []game.Absence `json:"absences,omitempty"` // in all his games
	Entries   int            `json:"entries"`            // of the roll that are about him
}

// Former is an address that was a member's: what he did there stays his.
type Former struct {
	Address string    `json:"address"`
	Until   time.Time `json:"until"`
}

// Bounds of members.
const (
	MostAddresses = 3
	// MostAway is how long a member may be away within a year, over all his games.
	MostAway = 30 * 24 * time.Hour
	year     = 365 * 24 * time.Hour
	// farthest is how far ahead an absence may end.
	farthest = 366 * 24 * time.Hour
)

// IDOf is the id of the n-th member.
func IDOf(n int) string {
	digits := strconv.Itoa(n)
	return "M-" + strings.Repeat("0", max(0, 4-len(digits))) + digits
}

// Person is the member as a game or a letter takes him.
func (m *Member) Person() log.Person {
	p := log.Person{Name: m.Name, Language: m.Language, Zone: m.Zone}
	if len(m.Addresses) > 0 {
		p.Address = m.Addresses[0]
	}
	return p
}

// Has tells whether an address is one of the member's.
func (m *Member) Has(address string) bool {
	return slices.ContainsFunc(m.Addresses, func(a string) bool { return mailbox.Same(a, address) })
}

// Had tells whether an address was the member's at a moment. An address of his counts for the
// time before he became a member, too.
func (m *Member) Had(address string, at time.Time) bool {
	return m.Has(address) || slices.ContainsFunc(m.Former, func(f Former) bool { return mailbox.Same(f.Address, address) && at.Before(f.Until) })
}

// Away gives how long absences keep a member away within the year that ends at a moment.
func (m *Member) Away(until time.Time) time.Duration {
	since := until.Add(-year)
	var sum time.Duration
	for _, a := range m.Absences {
		from, to := a.From, a.Until
		if from.Before(since) {
			from = since
		}
		if to.After(until) {
			to = until
		}
		sum += max(to.Sub(from), 0)
	}
	return sum
}

// Same tells whether two records say the same of a member.
func (m *Member) Same(other *Member) bool {
	a, err1 := json.Marshal(m)
	b, err2 := json.Marshal(other)
	return err1 == nil && err2 == nil && bytes.Equal(a, b)
}

// clone copies a member, so that neither changes with the other.
func (m *Member) clone() *Member {
	c := *m
	c.Addresses, c.Former, c.Absences, c.Family, c.Was = slices.Clone(m.Addresses), slices.Clone(m.Former), slices.Clone(m.Absences), slices.Clone(m.Family), slices.Clone(m.Was)
	return &c
}

// An Input is something that can happen to a member.
type Input interface {
	// kind names it in the roll.
	kind() string
	// happen lets it happen at a moment. The error is a [game.RefusedError] if it may not.
	happen(m *Member, at time.Time) error
}

// Made is that somebody becomes a member. Whether an address is another member's already,
// only the office knows, which has all of them.
type Made struct {
	Person   log.Person `json:"person"`
	Unproven bool       `json:"unproven,omitempty"` // he is from a list, and no letter of his has come
}

// Described is that a member is called otherwise, or wants another language or time zone. What is
// "" stays.
type Described struct {
	Name     string `json:"name,omitempty"`
	Language string `json:"language,omitempty"`
	Zone     string `json:"zone,omitempty"`
}

// Published is that a member agrees that everybody reads his name on the pages of a league, or
// wants to be there by his initials again.
type Published struct {
	Name bool `json:"name"`
}

// Weekly is that a member wants no weekly letters of leagues any more, or wants them again.
type Weekly struct {
	Stopped bool `json:"stopped,omitempty"`
}

// Tied is that the member says to which club he belongs, and which members are his family. What is
// not said stays.
type Tied struct {
	Club   *string   `json:"club,omitempty"`
	Family *[]string `json:"family,omitempty"`
}

// AddressAdded is that a letter from an address has shown that it is the member's, too.
type AddressAdded struct {
	Address string `json:"address"`
}

// AddressDropped is that an address is the member's no longer. His last one stays.
type AddressDropped struct {
	Address string `json:"address"`
}

// AddressFirst is that the member wants his letters at an address of his from now on.
type AddressFirst struct {
	Address string `json:"address"`
}

// Proven is that a letter from the member's address has shown his key.
type Proven struct{}

// KeyChanged is that the member has another key.
type KeyChanged struct{}

// WentAway is that the member has booked an absence for all his games, or has withdrawn
// what he had booked.
type WentAway struct {
	Booked game.Absence `json:"booked"`
	Cancel bool         `json:"cancel,omitempty"`
}

// Forgotten is that a member wanted to be forgotten. What he was called and where he was reached has been
// taken out of the roll; the id stays, and stands for him in tables.
type Forgotten struct{}

// Gone is that a member turned out to be another one: his id stands for that one from now on, and his key is worth nothing.
type Gone struct {
	Into string `json:"into"`
}

// Absorbed is the other half of that: what was the other's is this member's, and what the other did he has done.
type Absorbed struct {
	Gone      string         `json:"gone"`
	Was       []string       `json:"was,omitempty"` // ids that the other one had, too
	Addresses []string       `json:"addresses"`
	Former    []Former       `json:"former,omitempty"`
	Absences  []game.Absence `json:"absences,omitempty"`
	Club      string         `json:"club,omitempty"`
	Family    []string       `json:"family,omitempty"`
}

// AbsorbedFrom is what becomes of a member when he turns out to be another one.
func AbsorbedFrom(m *Member) Absorbed {
	c := m.clone()
	return Absorbed{Gone: c.ID, Was: c.Was, Addresses: c.Addresses, Former: c.Former, Absences: c.Absences, Club: c.Club, Family: c.Family}
}

func (Gone) kind() string           { return "gone" }
func (Absorbed) kind() string       { return "absorbed" }
func (Forgotten) kind() string      { return "forgotten" }
func (Made) kind() string           { return "made" }
func (Described) kind() string      { return "described" }
func (Published) kind() string      { return "published" }
func (Tied) kind() string           { return "tied" }
func (Weekly) kind() string         { return "weekly" }
func (AddressAdded) kind() string   { return "address-added" }
func (AddressDropped) kind() string { return "address-dropped" }
func (AddressFirst) kind() string   { return "address-first" }
func (Proven) kind() string         { return "proven" }
func (KeyChanged) kind() string     { return "key" }
func (WentAway) kind() string       { return "absence" }

func (in Made) happen(m *Member, at time.Time) error {
	p := in.Person
	m.Name, m.Language, m.Zone, m.Addresses, m.Unproven, m.Joined = p.Name, p.Language, p.Zone, []string{mailbox.Clean(p.Address)}, in.Unproven, at
	return nil
}

func (in Described) happen(m *Member, _ time.Time) error {
	if in == (Described{}) {
		return game.Refuse("club.describe-how")
	}
	for _, field := range []struct {
		to   *string
		text string
	}{{&m.Name, in.Name}, {&m.Language, in.Language}, {&m.Zone, in.Zone}} {
		if field.text != "" {
			*field.to = field.text
		}
	}
	return nil
}

func (in Published) happen(m *Member, _ time.Time) error {
	m.Public = in.Name
	return nil
}

func (in Weekly) happen(m *Member, _ time.Time) error {
	m.NoWeekly = in.Stopped
	return nil
}

func (in Tied) happen(m *Member, _ time.Time) error {
	if in.Club != nil {
		m.Club = *in.Club
	}
	if in.Family != nil {
		m.Family = slices.Clone(*in.Family)
	}
	return nil
}

// Related tells whether two members are one family, as either of them says.
func (m *Member) Related(other *Member) bool {
	return m.ID == other.ID || slices.ContainsFunc(m.Family, other.Known) || slices.ContainsFunc(other.Family, m.Known)
}

func (in AddressAdded) happen(m *Member, _ time.Time) error {
	if m.Has(in.Address) {
		return game.Refuse("club.address-yours", phrase.Literal("address", in.Address))
	}
	if len(m.Addresses) >= MostAddresses {
		return game.Refuse("club.addresses-many", phrase.Number("most", MostAddresses))
	}
	m.Addresses = append(m.Addresses, mailbox.Clean(in.Address))
	return nil
}

func (in AddressDropped) happen(m *Member, at time.Time) error {
	switch {
	case !m.Has(in.Address):
		return game.Refuse("club.address-not-yours", phrase.Literal("address", in.Address))
	case len(m.Addresses) == 1:
		return game.Refuse("club.address-last", phrase.Literal("address", in.Address))
	}
	m.Addresses = slices.DeleteFunc(m.Addresses, func(a string) bool { return mailbox.Same(a, in.Address) })
	m.Former = append(m.Former, Former{mailbox.Clean(in.Address), at})
	return nil
}

func (in AddressFirst) happen(m *Member, _ time.Time) error {
	i := slices.IndexFunc(m.Addresses, func(a string) bool { return mailbox.Same(a, in.Address) })
	if i < 0 {
		return game.Refuse("club.address-not-yours", phrase.Literal("address", in.Address))
	}
	first := m.Addresses[i]
	m.Addresses = slices.Insert(slices.Delete(m.Addresses, i, i+1), 0, first)
	return nil
}

func (Forgotten) happen(m *Member, _ time.Time) error {
	*m = Member{ID: m.ID, Keys: m.Keys, Joined: m.Joined, Entries: m.Entries, Was: m.Was, Forgotten: true}
	return nil
}

func (in Gone) happen(m *Member, _ time.Time) error {
	if m.Is != "" || m.Forgotten || in.Into == m.ID {
		return game.Refuse("club.merge.gone", phrase.Literal("member", m.ID))
	}
	*m = Member{ID: m.ID, Keys: m.Keys + 1, Joined: m.Joined, Entries: m.Entries, Is: in.Into}
	return nil
}

func (in Absorbed) happen(m *Member, _ time.Time) error {
	if m.Is != "" || m.Forgotten || in.Gone == m.ID {
		return game.Refuse("club.merge.gone", phrase.Literal("member", m.ID))
	}
	m.Was = append(append(m.Was, in.Gone), in.Was...)
	for _, a := range in.Addresses {
		if !m.Has(a) {
			m.Addresses = append(m.Addresses, a)
		}
	}
	m.Former = append(m.Former, in.Former...)
	for _, a := range in.Absences {
		if !slices.ContainsFunc(m.Absences, func(b game.Absence) bool { return a.From.Before(b.Until) && b.From.Before(a.Until) }) {
			m.Absences = append(m.Absences, a)
		}
	}
	if m.Club == "" {
		m.Club = in.Club
	}
	for _, id := range in.Family {
		if id != m.ID && !slices.Contains(m.Family, id) {
			m.Family = append(m.Family, id)
		}
	}
	m.Family = slices.DeleteFunc(m.Family, func(id string) bool { return slices.Contains(m.Was, id) })
	m.Unproven = false
	return nil
}

// Known tells whether an id is a member's, or was.
func (m *Member) Known(id string) bool { return m.ID == id || slices.Contains(m.Was, id) }

func (Proven) happen(m *Member, _ time.Time) error {
	m.Unproven = false
	return nil
}

func (KeyChanged) happen(m *Member, _ time.Time) error {
	m.Keys++
	return nil
}

func (in WentAway) happen(m *Member, at time.Time) error {
	if in.Cancel {
		return m.comeBack(at)
	}
	a := in.Booked
	switch {
	case a.From.Before(at), !a.Until.After(a.From):
		return game.Refuse("office.absence.order")
	case a.Until.Sub(at) > farthest:
		return game.Refuse("office.absence.far")
	}
	for _, b := range m.Absences {
		if a.From.Before(b.Until) && b.From.Before(a.Until) {
			return game.Refuse("office.absence.twice")
		}
	}
	with := m.clone()
	with.Absences = append(with.Absences, a)
	// Within a year of each end, so that nobody is away for long over the turn of a year.
	for _, b := range with.Absences {
		if with.Away(b.Until) > MostAway {
			return game.Refuse("club.absence-cap", phrase.Number("days", int(MostAway/(24*time.Hour))),
				phrase.Number("left", int(max(MostAway-m.Away(a.Until), 0)/(24*time.Hour))))
		}
	}
	m.Absences = slices.DeleteFunc(with.Absences, func(b game.Absence) bool { return at.Sub(b.Until) > 2*year })
	return nil
}

// comeBack withdraws what of the absences has not passed.
func (m *Member) comeBack(at time.Time) error {
	if !slices.ContainsFunc(m.Absences, func(a game.Absence) bool { return a.Until.After(at) }) {
		return game.Refuse("office.absence.nothing")
	}
	m.Absences = slices.DeleteFunc(m.Absences, func(a game.Absence) bool { return !a.From.Before(at) })
	for i := range m.Absences {
		if m.Absences[i].Until.After(at) {
			m.Absences[i].Until = at
		}
	}
	return nil
}

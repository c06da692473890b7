package book

import (
	"errors"

	"berthier/adjudicator/league/season"
)

// A SetUp is what a league is made of, as its file says it.
type SetUp struct {
	Title string            `json:"title,omitempty"`
	Text  string            `json:"text"`
	Files map[string]string `json:"files"` // that the text names, by their names
}

// Changed is that a secretary gives the league another set-up. Of it Now counts at once: during a season that is what
// changes no result. Later is the whole of it, which counts from the next season on; nil: Now is all.
type Changed struct {
	Now    SetUp  `json:"now"`
	Later  *SetUp `json:"later,omitempty"`
	By     string `json:"by,omitempty"` // a member, or an address; in the private part of the entry, like the next
	Reason string `json:"reason,omitempty"`
}

func (Changed) kind() string { return "changed" }

func (in Changed) happen(b *Book) error {
	if b.League == "" || in.Now.Text == "" {
		return errors.New("there is no league, or no set-up")
	}
	if in.Later != nil && !b.Bound() {
		return errors.New("no season is being played: all of a set-up counts at once")
	}
	b.Title, b.Text, b.Files, b.Later = in.Now.Title, in.Now.Text, in.Now.Files, in.Later
	return nil
}

// Bound tells whether the league is bound by its set-up: from the moment when a season is announced until it is closed.
func (b *Book) Bound() bool { return b.Season != nil && b.Season.Phase != season.Closed }

package adjudicator

import (
	"context"
	"slices"
	"testing"

	"berthier/mail"
)

// A letter may name the season that it is about: the table and the games of one that is over, and a withdrawal from the one that is
// meant, however late the letter comes.
func TestALetterNamesItsSeason(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea"}
	h := aLeague(t, aquila, names...)
	h.playSeason(names)
	h.must(h.office.Secretary().Announce(context.Background(), "aquila"))
	h.must("", h.office.Secretary().OpenEntries(context.Background(), "aquila"))
	at := "ada@play.example"
	h.deliver(at)
	h.enter("ada")
	says := func(text, want string, folder mail.Folder) *mail.Letter {
		t.Helper()
		h.asMember(at, h.keyOf("ada"), text+"league: aquila\n", folder)
		l := h.last(at)
		h.says(l, want)
		return l
	}
	says("command: table\nseason: 1\n", "Division first", mail.Processed)
	says("command: schedule\nseason: 1\n", "aquila-1-1-1", mail.Processed)
	h.lacks(says("command: schedule\nseason: 2\n", "aquila", mail.Processed), "aquila-1-1-1")
	says("command: table\nseason: 3\n", "here has been no season 3 yet", mail.Rejected)
	says("command: table\nseason: first\n", "season", mail.Rejected)
	says("command: withdraw\nseason: 1\n", "eason 1 is not the one that is played", mail.Rejected)
	if v := h.league(); !slices.Equal(v.Entries, []string{"M-0001"}) {
		t.Errorf("entries %v", v.Entries)
	}
	says("command: withdraw\nseason: 2\n", "aquila", mail.Processed)
	if v := h.league(); !slices.Equal(v.Withdrawn, []string{"M-0001"}) {
		t.Errorf("withdrawn %v", v.Withdrawn)
	}
}

package outbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/store"
	"berthier/mail"
)

// slowReportOf queues a report of a seat which can't leave now.
func (d *toyOffice) slowReportOf(to string) (id uint64) {
	report := d.letter(to, "report")
	report.Report = 3
	d.refuse = func(string, string) error { return errors.New("busy") }
	return d.queue(report)
}

// Whichever write fails while a report is slow to leave, whether it wrote something or not: the last that its game hears is that
// it has left, if it has heard that it waits.
func TestAnIllStoreAroundASlowReport(t *testing.T) {
	for _, unclear := range []bool{false, true} {
		for tries := 2; tries <= 4; tries++ {
			for commits := 1; commits <= 8; commits++ {
				t.Run(fmt.Sprintf("unclear %v, %d tries, commit %d", unclear, tries, commits), func(t *testing.T) { illAround(t, unclear, tries, commits) })
			}
		}
	}
}

func illAround(t *testing.T, unclear bool, tries, commits int) {
	d := newToyOffice(t)
	id := d.slowReportOf(redAt)
	d.ill.commits, d.ill.unclear = commits, unclear
	for range tries {
		_, _ = d.box.Send(t.Context(), d, store.AllLanes, nil) // it may fail
		d.now = d.now.Add(2 * time.Hour)
	}
	if tries > 2 && !slices.Contains(d.heard, "waits "+redAt) {
		t.Error("the game was not told that the report waits")
	}
	d.refuse = nil
	for range 2 {
		_, _ = d.box.Send(t.Context(), d, store.AllLanes, nil)
	}
	if n := len(d.heard); n == 0 || d.heard[n-1] != "left "+redAt {
		t.Errorf("told %q", d.heard)
	}
	if r, due := d.kept(id); r.State != StateSent || !due.IsZero() || d.box.Owes() || len(d.sent) != 1 {
		t.Errorf("%q, due %v, sent %q, owes %v", r.State, due, d.sent, d.box.Owes())
	}
}

// A game that can't hear that a report has left keeps nobody else's letters waiting, and its player gets no second copy.
func TestAnIllGameAroundASlowReport(t *testing.T) {
	d := newToyOffice(t)
	d.slowReportOf(redAt)
	for range 3 {
		d.send()
		d.now = d.now.Add(time.Hour)
	}
	d.refuse, d.deaf = nil, errors.New("the ruleset is ill")
	d.queue(d.letter(blueAt, "two"))
	for range 3 {
		_, _ = d.box.Send(t.Context(), d, store.AllLanes, nil)
	}
	slices.Sort(d.sent)
	if !slices.Equal(d.sent, []string{blueAt + " two", redAt + " report"}) || d.box.Owes() {
		t.Errorf("sent %q, owes %v", strings.Join(d.sent, ", "), d.box.Owes())
	}
}

// A slow report that comes back before it is noted as sent has left all the same: if nobody believes that it came back, nothing
// else would let the clock of its reader go on.
func TestASlowReportBackBeforeItIsNoted(t *testing.T) {
	d := newToyOffice(t)
	id := d.slowReportOf(redAt)
	for range 3 {
		d.send()
		d.now = d.now.Add(time.Hour)
	}
	d.refuse = func(_, messageID string) error {
		return d.box.Bounced(t.Context(), &mail.Bounce{MessageID: messageID, Permanent: true}, store.Change{})
	}
	d.send()
	if want := []string{"waits " + redAt, "lost " + redAt + " bounced false", "left " + redAt}; !slices.Equal(d.heard, want) {
		t.Errorf("told %q", d.heard)
	}
	if r, due := d.kept(id); r.State != StateBounced || !due.IsZero() {
		t.Errorf("%q, due %v", r.State, due)
	}
}

package adjudicator

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/mail"
)

// TestReportsAsTheirReaderWants: a report tells what has changed since the one before and
// attaches the whole position; a player may have all of it in the text, and the view for
// programs, and end that again. The other player's reports stay as they are.
func TestReportsAsTheirReaderWants(t *testing.T) {
	withoutRace(t)
	h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn)
	next := func(side engine.Side) (text string, files []string) {
		t.Helper()
		for range 20 {
			h.playOn(1)
			for _, l := range h.deliver(mailboxOf(side)) {
				if !strings.Contains(l.Subject, "Report (") && !strings.Contains(l.Subject, "Rapporto (") {
					continue
				}
				files = nil
				for _, part := range l.Parts[1:] {
					files = append(files, part.Name)
				}
				text = l.Parts[0].Text
			}
			if text != "" {
				return text, files
			}
		}
		t.Fatalf("no report came to %s", side)
		return "", nil
	}
	hold := func(what string, side engine.Side, whole, data bool) {
		t.Helper()
		text, files := next(side)
		all := strings.Join(files, " ")
		if got := strings.Contains(text, "Your units\n=") || strings.Contains(text, "Le tue unità\n="); got != whole {
			t.Errorf("%s: the whole position in the text: %v\n%s", what, got, text)
		}
		if !strings.Contains(all, "position.txt") || strings.Contains(all, "position.yaml") != data {
			t.Errorf("%s: the report brings %v", what, files)
		}
		if !strings.Contains(text, "since report") && !strings.Contains(text, "dal rapporto") {
			t.Errorf("%s: the report does not tell what has changed:\n%s", what, text)
		}
	}
	next("french") // the first has nothing to be compared with
	hold("as it is", "french", false, false)
	h.write(mailboxOf("french"), command(h.testOffice, h.id, "french", "command: report\ndetail: full\nattach: position"), mail.Processed)
	h.deliver(mailboxOf("french"))
	hold("as he wants it", "french", true, true)
	hold("the other side's", "allied", false, false)
	h.write(mailboxOf("french"), command(h.testOffice, h.id, "french", "command: report\ndetail: changes\nattach: none"), mail.Processed)
	h.deliver(mailboxOf("french"))
	hold("as it was", "french", false, false)
	h.write(mailboxOf("french"), command(h.testOffice, h.id, "french", "command: report\ndetail: everything"), mail.Rejected)
}

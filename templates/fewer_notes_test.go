package templates

import (
	"slices"
	"strings"
	"testing"

	"berthier/orders"
	"berthier/orders/phrase"
)

// An order file that is cut short keeps an example of each verb, and the remark that explains
// the line of the policies.
func TestAFileCutShortKeepsAnExampleOfEachVerb(t *testing.T) {
	var body strings.Builder
	body.WriteString("orders:\n  ## what the signs mean\n")
	for _, one := range []string{"fire: F-1", "fire: F-2", "fire: F-3", "fire: F-4", "fire: F-5", "move: {units: F-1, path: [left]}", "square: F-3", "retreat: {Ligny: [F-4]}"} {
		body.WriteString("  # - " + one + "\n")
	}
	body.WriteString("  - end\n## a remark\n## answered for you: casualties\n# policies: {casualties: ask}\n")
	s := sampleWords(t).sheet(Heading{})
	short := s.fewerNotes(orders.Frame("en", body.String()), 4)
	for _, want := range []string{"fire: F-1", "move: ", "square: ", "retreat: ", "answered for you", "# policies: "} {
		if !strings.Contains(short, want) {
			t.Errorf("%q is left out of\n%s", want, short)
		}
	}
	if strings.Contains(short, "fire: F-5") || !strings.Contains(short, "more lines of notes") {
		t.Errorf("nothing is left out of\n%s", short)
	}
}

// What stands above an example that is kept tells of it, not of one that is left out; a list of remarks
// is no heading. A word such as none is no example of what may be ordered.
func TestAFileCutShortKeepsWhatAnExampleIsAbout(t *testing.T) {
	var body strings.Builder
	body.WriteString("orders:\n  ## a list of cards: one\n  ## two\n  ## three\n  # - bid: none  # default\n")
	for _, card := range []string{"C-1", "C-2", "C-3"} {
		body.WriteString("  # - bid: " + card + "\n")
	}
	for _, unit := range []string{"F-1", "F-2", "F-3"} {
		body.WriteString("  ## " + unit + " Ney\n  # - move: {units: [" + unit + "], path: [left]}\n")
		if unit == "F-2" {
			body.WriteString("  # - square: [F-2]\n")
		}
	}
	body.WriteString("  - end\n")
	s := sampleWords(t).sheet(Heading{})
	short := s.fewerNotes(orders.Frame("en", body.String()), 40)
	for _, want := range []string{"bid: none", "bid: C-1", "## F-1 Ney\n  # - move: {units: [F-1]", "## F-2 Ney\n  # - square: [F-2]"} {
		if !strings.Contains(short, want) {
			t.Errorf("%q is left out of\n%s", want, short)
		}
	}
	for _, other := range []string{"three", "C-2", "F-3"} {
		if strings.Contains(short, other) {
			t.Errorf("%q is not left out of\n%s", other, short)
		}
	}
}

// Each heading that has an example below it stays in a file that is cut short, with the first of them;
// of what stands between there is as much as there is room for. A heading with no example goes.
func TestAFileCutShortKeepsAnExampleBelowEachHeading(t *testing.T) {
	var body strings.Builder
	body.WriteString("orders:\n  ## how it is read\n")
	for i, command := range []string{"reille", "derlon", "lobau"} {
		body.WriteString("  ## == " + command + ": 3 PIP; +1 each, out of reach:\n  ##   a, b\n  ## fire: a > b 3:4\n")
		if i == 0 {
			body.WriteString("  # - fire: [{element: a}]\n")
		}
		for _, unit := range []string{"1", "2", "3", "4"} {
			body.WriteString("  # - moves: [{element: " + command + "-" + unit + ", forward: 300}]\n  ## contact: no\n")
		}
	}
	body.WriteString("  ## == guard: 1 PIP\n  ## == legend\n  # - dice: {double: [napoleon]}\n  - end\n")
	s := sampleWords(t).sheet(Heading{})
	short := s.fewerNotes(orders.Frame("en", body.String()), 60)
	for _, want := range []string{"## == reille: 3 PIP; +1 each, out of reach:\n  ##   a, b\n  ## fire: a > b 3:4\n  # - fire", "reille-1",
		"## == derlon: 3 PIP; +1 each, out of reach:\n  ##   a, b\n  ## fire: a > b 3:4\n  # - moves: [{element: derlon-1,",
		"## == lobau: 3 PIP; +1 each, out of reach:\n  ##   a, b\n  ## fire: a > b 3:4\n  # - moves: [{element: lobau-1,", "## == legend\n  # - dice"} {
		if !strings.Contains(short, want) {
			t.Errorf("%q is left out of\n%s", want, short)
		}
	}
	for _, other := range []string{"reille-2", "derlon-2", "lobau-2", "guard", "contact: no"} {
		if strings.Contains(short, other) {
			t.Errorf("%q is not left out of\n%s", other, short)
		}
	}
}

// TestAShortNoticeTellsWhatAReportTells: its text has the pictures of a page and no table that a report leaves out,
// and the whole position is attached.
func TestAShortNoticeTellsWhatAReportTells(t *testing.T) {
	w := sampleWords(t)
	r := sampleReport("en")
	long := w.Notice(Notice{Heading: r.Heading, Subject: phrase.Say("office.status.subject"), Page: &r.Page})
	short := w.Notice(Notice{Heading: r.Heading, Subject: phrase.Say("office.status.subject"), Page: &r.Page, Short: true})
	if a, b := strings.Count(short.Text, "\n"), strings.Count(long.Text, "\n"); a >= b {
		t.Errorf("the short one has %d lines, the long one %d", a, b)
	}
	attached := func(l Letter) bool {
		return slices.ContainsFunc(l.Files, func(f File) bool { return f.Name == positionFile })
	}
	if !attached(short) || attached(long) {
		t.Errorf("the position is attached to the short one: %t, to the long one: %t", attached(short), attached(long))
	}
}

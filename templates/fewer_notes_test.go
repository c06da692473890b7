package templates

import (
	"strings"
	"testing"

	"berthier/orders"
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

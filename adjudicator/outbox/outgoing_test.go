package outbox

import (
	"testing"
	"time"

	"berthier/templates"
)

// TestTheAddressIsReadWithoutTheRest: a queue is made by addresses alone, and a letter whose
// head can't be read is told apart from one that can.
func TestTheAddressIsReadWithoutTheRest(t *testing.T) {
	body, _, err := (&Outgoing{Game: "address", Kind: "report", Name: `"address":"no"`, Address: "red@play.example",
		Written: time.Unix(1, 0), Letter: &templates.Letter{Text: "what comes last"}}).Pack()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		body []byte
		want string
	}{
		"whole":              {body, "red@play.example"},
		"cut in the text":    {body[:len(body)-10], "red@play.example"},
		"cut in the head":    {body[:20], ""},
		"without an address": {[]byte("\x00{}"), ""},
		"empty":              {nil, ""},
	} {
		got, err := addressOf(test.body)
		if got != test.want || (err != nil) != (name == "empty" || name == "cut in the head") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

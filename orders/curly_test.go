package orders

import (
	"strings"
	"testing"
)

// A text with curly quotation marks anywhere is written so that it reads back the
// same, with nothing to repair, however its lines are broken.
func TestCurlyQuotationMarks(t *testing.T) {
	behind := []string{"", " b", "#b", " # b", ": b", " : b", "：b", "] b", ", b", "} b"}
	for _, mark := range doubleQuotes + singleQuotes {
		for _, rest := range behind {
			for n := 0; n < 45; n++ {
				text := strings.Repeat("x ", n) + string(mark) + "a" + string(mark) + rest + ", and more: words"
				for _, value := range []*Node{Text(text), Texts(text, text), {Kind: List, Flow: true, Items: []*Node{Text(text), Text("x")}}} {
					file := Mapping().Set("game", Text("x")).Set("orders", Mapping().Set("say", value)).Encode()
					d, problems := Parse(file, nil)
					if len(problems) > 0 || len(d.Repairs) > 0 || !Equal(d.Root.Get("orders").Get("say"), value) {
						t.Fatalf("%s\n%+v\n%s", tell(problems), d.Repairs, file)
					}
				}
			}
		}
	}
}

package orders

import (
	"strings"
	"testing"
)

// FuzzQuoted: an order file between its marks is never lost, whatever words
// stand around it, however often it is quoted: it is found as it is, or the
// writer is told what is wrong. Words that could be an order file themselves, or
// marks of one, are left out of what stands around.
func FuzzQuoted(f *testing.F) {
	f.Add("Hello,\nhere are my orders.\n", "Regards\nBob\n", uint8(0), false)
	f.Add("On Friday X wrote\n", "-- \nBob\nSent from my phone\n", uint8(1), true)
	f.Add("", "> > old words\n>>> older\n", uint8(3), false)
	f.Add("-----Original Message-----\n\t\n", "- a\n  - b\n_____\n", uint8(2), true)
	harmless := strings.NewReplacer(":", ".", "：", ".", "=", "", "`", "", "~", "", "#", "", "\v", " ", "\f", " ", "\r", " ", "\u0085", " ", "\u2028", " ", "\u2029", " ")
	want, faults := Parse(sampleFile, nil)
	if len(faults) > 0 {
		f.Fatal(tell(faults))
	}
	f.Fuzz(func(t *testing.T, above, below string, depth uint8, wrap bool) {
		above, below = harmless.Replace(strings.ToValidUTF8(above, "")), harmless.Replace(strings.ToValidUTF8(below, ""))
		if len(above)+len(below) > longestPart/2 {
			return
		}
		file := strings.Replace(Frame("en", sampleFile), "\n", "\n# filled in\n", 1) // so that it is not the template as it was sent
		if wrap {
			file = mangle(file)
		}
		for range depth % 5 {
			file = quoteMail(file, "> ")
		}
		text := above + "\n" + file + "\n" + below
		found, problems := Find([]Part{{Kind: Plain, Text: strings.ReplaceAll(text, "\r\n", "\n")}})
		if len(problems) > 0 {
			for _, p := range problems {
				if p.Why.IsZero() || p.Remedy.IsZero() {
					t.Fatalf("%+v", p)
				}
			}
			return
		}
		got, faults := Parse(found.Text, nil)
		checkProblems(t, got.Source, faults)
		if len(faults) == 0 && !Equal(got.Root, want.Root) {
			t.Fatalf("in %q found\n%s\nwith repairs %+v", text, dump(got.Root), got.Repairs)
		}
	})
}

package orders

import (
	"strings"
	"testing"
)

// What editors mangle is read as it was meant, and marked.
func TestRepairs(t *testing.T) {
	for _, c := range []struct {
		name, text, want string // want: the source after repairs
		lines            []int
	}{
		{"sound", "game: x\nnote: l’Alleud – 5 “men”\n", "", nil},
		{"smart quotes", "orders:\n  - at: “Quatre Bras”\n  - in: [‘Ligny’, „Wavre“, «Hal»]\n", "orders:\n  - at: \"Quatre Bras\"\n  - in: ['Ligny', \"Wavre\", \"Hal\"]\n", []int{2, 3}},
		{"half smart", "game: \"Ligny”\nside: “x\"\n", "game: \"Ligny\"\nside: \"x\"\n", []int{1, 2}},
		{"smart key", "orders: {“Quatre Bras”: all}\n", "orders: {\"Quatre Bras\": all}\n", []int{1}},
		{"apostrophe stays", "orders: {at: Braine-l’Alleud}\n", "", nil},
		{"quotes inside a text stay", "orders: {say: the “guard” dies}\n", "", nil},
		{"no-break spaces", "game:\u00a0x\norders:\n\u00a0\u00a0- at:\u2009y\n", "game: x\norders:\n  - at: y\n", []int{1}},
		{"zero width", "ga\u200bme: x\ufeff\n", "game: x\n", []int{1}},
		{"byte order mark and CRLF", "\ufeffgame: x\r\nside: y\r\n", "game: x\nside: y\n", nil},
		{"line separators", "game: x\u2028side: y\u0085stop: 3\vfinal: no", "game: x\nside: y\nstop: 3\nfinal: no\n", nil},
		{"dashes in names", "orders: [F–03, F—04, A‑05, P−06]\n", "orders: [F-03, F-04, A-05, P-06]\n", []int{1}},
		{"dash between words stays", "orders: {say: Ligny – at once}\n", "", nil},
		{"dash in quotes stays", "orders: [\"F–03\"]\n", "", nil},
		{"bullets", "orders:\n  • a\n  * b\n  – c\n  · d\n  —e\n", "orders:\n  - a\n  - b\n  - c\n  - d\n  - e\n", []int{2, 3, 4, 5, 6}},
		{"dash without space", "orders:\n  -move: {to: A}\n  -F-03\n", "orders:\n  - move: {to: A}\n  - F-03\n", []int{2, 3}},
		{"wide signs", "game：x\nstop：１２\norders：［Ｆ－０３，Ｆ－０４］\n", "game: x\nstop: 12\norders: [F-03, F-04]\n", []int{1, 2, 3}},
		{"wide in braces", "orders: {from：A，to：B}\n", "orders: {from: A, to: B}\n", []int{1}},
		{"wide signs repaired in turn", "game: x＼\nside: y＜br＞\norders:\n  ＊ a\n  －b\n", "game: x\nside: y\norders:\n  - a\n  - b\n", []int{1, 2, 4, 5}},
		{"tabs", "orders:\n\t- at: x\n\t- at: y\nstanding:\n\t- in: [a]\n", "orders:\n  - at: x\n  - at: y\nstanding:\n  - in: [a]\n", []int{2}},
		{"tabs behind a colon", "game:\tx\nside:\t\ty\n", "game: x\nside:  y\n", []int{1, 2}},
		{"backslashes and breaks", "game: x\\\nside: y<br>\nkey: z<br/>\nstop: 3<BR>\\\n", "game: x\nside: y\nkey: z\nstop: 3\n", []int{1, 2, 3, 4}},
		{"entity", "game:&nbsp;x\n", "game: x\n", []int{1}},
		{"colon in the note", "note: remember: attack\nnota: [so] \"what\"\n", "note: \"remember: attack\"\nnota: \"[so] \\\"what\\\"\"\n", []int{1, 2}},
		{"note is left alone", "note: ciao – “bello” F–03\n  and F–04 – so\ngame: x\n", "", nil},
		{"note of several lines", "note: two things\n  first: \"so\"\n\n  * then so\ngame: x\n", "note: \"two things\n  first: \\\"so\\\"\n\n  * then so\"\ngame: x\n", []int{1, 2, 4}},
		{"note under its key", "note:\n  one: a\n  two: b\ngame: x\n", "note:\n  \"one: a\n  two: b\"\ngame: x\n", []int{2, 3}},
		{"text block is left alone", "orders:\n  - say: |\n      * “x”\n      F–03\\\n  - at: y\n", "", nil},
		{"wrapped comment", "# units at Charleroi: F-01 leader, F-02 infantry 3, F-03 infantry 3, F-04\ninfantry 2: F-05\ngame: x\n",
			"# units at Charleroi: F-01 leader, F-02 infantry 3, F-03 infantry 3, F-04\n# infantry 2: F-05\ngame: x\n", []int{2}},
		{"wrapped comment behind", "orders:\n  - at: x  # the road from Charleroi to Ligny takes eight units\nin all, or four\n  - at: y\n",
			"orders:\n  - at: x  # the road from Charleroi to Ligny takes eight units\n# in all, or four\n  - at: y\n", []int{3}},
		{"wrapped twice", "# units at Charleroi: F-01 leader, F-02 infantry 3, F-03 infantry 3, F-04\ninfantry 2, F-05 infantry, F-06 infantry, F-07 infantry, F-08 infantry,\nF-09 too\ngame: x\n",
			"# units at Charleroi: F-01 leader, F-02 infantry 3, F-03 infantry 3, F-04\n# infantry 2, F-05 infantry, F-06 infantry, F-07 infantry, F-08 infantry,\n# F-09 too\ngame: x\n", []int{2, 3}},
		{"a key behind a long comment stays", "game: x # the road from Charleroi to Ligny takes eight units\nside: y\n", "", nil},
		{"wrapped note", "note: I shall be away on Monday and on Tuesday, please don't wait for\nme\ngame: x\n", "note: I shall be away on Monday and on Tuesday, please don't wait for\n  me\ngame: x\n", []int{2}},
		{"value on its own line", "orders:\n[a, b]\nstanding:\n{c: d}\n", "orders:\n  [a, b]\nstanding:\n  {c: d}\n", []int{2, 4}},
		{"wrapped brackets", "orders:\n  - move: {from: Charleroi, to: Ligny, units: [F-01, F-02, F-03,\nF-04, F-05],\nvia: Fleurus}\n  - at: x\n", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.text
			}
			d, problems := Parse(c.text, nil)
			for _, p := range problems {
				switch p.Why.Code {
				case "order.key-twice", "order.want-text", "order.unknown-key":
				default:
					t.Errorf("problems: %s", tell(problems))
				}
			}
			if d.Source != c.want {
				t.Errorf("got\n%s\nwant\n%s", d.Source, c.want)
			}
			var lines []int
			for _, r := range d.Repairs {
				lines = append(lines, r.Line)
				if r.Why.IsZero() || r.Was == r.ReadAs {
					t.Errorf("says nothing: %+v", r)
				}
			}
			if !equalInts(lines, c.lines) {
				t.Errorf("repaired lines %v, want %v: %+v", lines, c.lines, d.Repairs)
			}
			again, _ := Parse(d.Source, nil)
			if len(again.Repairs) > 0 {
				t.Errorf("repaired again: %+v", again.Repairs)
			}
		})
	}
}

func equalInts(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Where more than one reading is possible nothing is touched.
func TestNoGuessing(t *testing.T) {
	for _, text := range []string{
		"orders:\n  - at: x\n\tthen: y\n",           // how wide is a tab?
		"orders: [F-01, F-02\n",                     // where does it end?
		"orders: {say: “a, b}\n",                    // which word closes the quote?
		"game: x # a short remark\nand some more\n", // not wrapped: the line is short
		"side: french, stop: 3\n",
	} {
		d, problems := Parse(text, nil)
		if len(problems) == 0 {
			t.Errorf("%q is taken as\n%s", text, dump(d.Root))
		}
		for _, r := range d.Repairs {
			t.Errorf("%q: repaired: %+v", text, r)
		}
	}
}

// A file keeps its meaning through a word processor and a mail program.
func TestMangled(t *testing.T) {
	want, problems := Parse(sampleFile, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for name, text := range map[string]string{
		"word processor": mangle(sampleFile),
		"tabs":           strings.ReplaceAll(sampleFile, "\n  -", "\n\t-"),
		"wrapped at 60":  wrapMail(sampleFile, 60),
		"wrapped at 65":  wrapMail(sampleFile, 65),
		"wrapped at 72":  wrapMail(sampleFile, 72),
		"markdown":       strings.ReplaceAll(strings.ReplaceAll(sampleFile, "\n  - ", "\n  * "), "\n", "\\\n"),
	} {
		t.Run(name, func(t *testing.T) {
			d, problems := Parse(text, nil)
			if len(problems) > 0 {
				t.Fatalf("%s\n%s", tell(problems), d.Source)
			}
			if !Equal(d.Root, want.Root) {
				t.Errorf("reads as\n%s", dump(d.Root))
			}
		})
	}
}

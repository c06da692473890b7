package orders

import (
	"strings"
	"testing"

	"berthier/orders/phrase"
)

// judgeMoves reads a file of a small game: a list of moves of three units between two towns.
func judgeMoves(text string) (*Document, Problems) {
	d, problems := Parse(text, nil)
	r := NewReader(nil)
	r.Mends = true
	for _, item := range r.List(d.Orders) {
		if item.Kind == Broken {
			continue
		}
		_, value := r.Only(item, "move")
		f := r.Fields(value, "units", "to")
		if to := f.Get("to"); to != nil {
			r.Pick(to, "town", slipTowns)
		} else if value != nil {
			r.Require(f, "to")
		}
		for _, unit := range r.List(f.Get("units")) {
			if id, ok := r.Pick(unit, "unit", slipUnits); ok && id == "F-01" {
				r.Refuse(unit, "X-1", phrase.Say("order.want-text"))
			}
		}
	}
	d.Repaired(r.Repairs)
	problems = append(problems, r.Problems...)
	problems.Sort()
	return d, problems
}

var headOfMoves = []string{"game: x", "key: K7QF"}

func mendMoves(source string) *Mended {
	_, problems := judgeMoves(source)
	return Mend(source, headOfMoves, problems, judgeMoves)
}

// A file with faults comes back line by line: what can be put right in one way is, what can't
// is left aside, and the rest is legal as it stands. Line numbers stay.
func TestAFileWithFaultsIsGivenBackMended(t *testing.T) {
	const source = `game: x
key: K7QF
ordrs:
  - move: {to: Ligny, units: [F-03 F-07}
  - move: {to: Charleroy, units: [Kellerman]}
  # mine
  - move: {to: Paris, units: [F-03]}
  - move:
      to: Wavre
      units: [F-01]
  - move: {to: Wavre, units: [F-13}
note:my word
`
	m := mendMoves(source)
	const want = `game: x
key: K7QF
orders:
  - move: {to: Ligny, units: [F-03, F-07]}
  - move: {to: Charleroi, units: [Kellermann]}
  # mine
  # - move: {to: Paris, units: [F-03]}
  # - move:
      # to: Wavre
      # units: [F-01]
  - move: {to: Wavre, units: [F-13]}
note: my word
`
	if !m.Sound || m.Text() != want {
		t.Fatalf("sound %v:\n%s", m.Sound, m.Text())
	}
	if _, problems := judgeMoves(m.Text()); len(problems) > 0 {
		t.Errorf("what is given back is not legal: %v", problems)
	}
	told := 0
	for i, line := range m.Lines {
		told += len(line.Faults)
		if line.Out && i != 6 && i != 7 && i != 8 && i != 9 {
			t.Errorf("line %d is left aside", i+1)
		}
	}
	if lines, out := m.Counts(); lines != 7 || out != 2 || told == 0 {
		t.Errorf("%d lines, %d left aside, %d faults told", lines, out, told)
	}
	if got := m.Lines[4].Was; strings.Join(got, " ") != "Kellerman Charleroy" {
		t.Errorf("it was %q", got)
	}
}

// A key that no file has is left aside with what stands below it.
func TestAKeyThatNoFileHasIsLeftAside(t *testing.T) {
	m := mendMoves("game: x\nsto: p 11 terrain\norders:\n  - move: {to: Ligny, units: [F-03]}\nmood:\n  good: yes\nnote: a\n")
	const want = "game: x\nkey: K7QF\n# sto: p 11 terrain\norders:\n  - move: {to: Ligny, units: [F-03]}\n# mood:\n  # good: yes\nnote: a\n"
	if !m.Sound || m.Text() != want {
		t.Errorf("sound %v:\n%s", m.Sound, m.Text())
	}
	if m := mendMoves("game: x\nnothing: {move: {to: Ligny, units: [F-03]}}\n"); m.Sound {
		t.Errorf("a file that orders nothing is given back to be sent:\n%s", m.Text())
	}
}

// Where leaving something aside leaves no legal file, all lines stay, with what is wrong
// beneath them.
func TestAFileThatCannotBeMendedStaysWhole(t *testing.T) {
	for _, source := range []string{
		"game: x\norders:\n  - move: {to: Paris, units: [F-03]}\n",
		"game: x\nside: [a]\norders:\n  - move: {to: Ligny, units: [F-03]}\n",
		"game: x\norders: [{move: {to: Paris, units: [F-03]}}]\n",
	} {
		m := mendMoves(source)
		if m.Sound || m.Text() != "game: x\nkey: K7QF\n"+strings.TrimPrefix(source, "game: x\n") {
			t.Errorf("%q is given back as %v %q", source, m.Sound, m.Text())
		}
		told := 0
		for _, line := range m.Lines {
			told += len(line.Faults)
		}
		if told == 0 {
			t.Errorf("%q: no fault is told", source)
		}
	}
}

// Whatever is mended, what is given back as sound is legal, and no line of the sender is lost.
func FuzzMend(f *testing.F) {
	f.Add("game: x\norders:\n  - move: {to: Charleroy, units: [F3, F-01]}\n  - move: {to: Wavre, units: F-03}\n")
	f.Add("game:x\norders:\n - {move: {to: Ligny\n   - move: {to: Wavre}}\n")
	f.Add("orders:\n- move: {to: Ligny, units: F-03..F-07\n side: [\n")
	f.Fuzz(func(t *testing.T, text string) {
		d, _ := Parse(text, nil)
		if d.Root == nil {
			return
		}
		m := mendMoves(d.Source)
		for _, line := range strings.Split(d.Source, "\n") {
			if headOf(line) != "" || line == "" {
				continue
			}
			kept := strings.Contains(m.Text(), line)
			for _, now := range m.Lines {
				kept = kept || len(now.Was) > 0 || now.Out
			}
			if !kept {
				t.Errorf("%q is lost of %q: %q", line, d.Source, m.Text())
			}
		}
		if _, problems := judgeMoves(m.Text()); m.Sound != (len(problems) == 0) && m.Sound {
			t.Errorf("%q is given back as %q, which is wrong: %v", d.Source, m.Text(), problems)
		}
	})
}

// Orders on one line come back on lines of their own, so that what is wrong among them can be left
// aside; those of which nothing would be left, or that can't be read, come back as they are.
func TestOrdersOnOneLineAreSetApart(t *testing.T) {
	for source, want := range map[string]string{
		"orders: [{move: {to: Ligny, units: [F-03]}}, {move: {to: Paris, units: [F-03]}}] # mine\nnote: x\n": "orders:\n  - {move: {to: Ligny, units: [F-03]}}\n  # - {move: {to: Paris, units: [F-03]}}\nnote: x\n",
	} {
		m := mendMoves("game: x\nkey: K7QF\n" + source)
		if got := m.Text(); !m.Sound || got != "game: x\nkey: K7QF\n"+want {
			t.Errorf("sound %v:\n%s\nnot\n%s", m.Sound, got, want)
		}
	}
	for _, source := range []string{"orders: [{move: {to: Paris, units: [F-03]}}]\n", "orders: default\n", "orders:\n  - {move: {to: Paris}}\n"} {
		m := mendMoves("game: x\nkey: K7QF\n" + source)
		if got := m.Text(); m.Sound || got != "game: x\nkey: K7QF\n"+source {
			t.Errorf("sound %v:\n%s\nnot\n%s", m.Sound, got, source)
		}
	}
}

// TestAFileWithoutOrdersIsBlank: where nothing is ordered and no line is at fault, there is nothing to mend.
func TestAFileWithoutOrdersIsBlank(t *testing.T) {
	for source, want := range map[string]bool{
		"": true, "game: a\n": true, "# orders:\n": true,
		"orders:\n  - move: {from: a, to: b}\n": false, "command: status\n": false,
	} {
		if m := Mend(source, headOfMoves, nil, judgeMoves); m.Blank() != want {
			t.Errorf("%q is blank: %t", source, !want)
		}
	}
	if mendMoves("orders:\n  - move: {from: a, tp: b}\n").Blank() {
		t.Error("a file with a line at fault is blank")
	}
}

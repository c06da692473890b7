package templates

import (
	"regexp"
	"strings"
	"testing"

	"berthier/orders"
	"berthier/orders/phrase"
)

// TestARefusalHasOneNumber holds that a letter that gives a file back counts what is wrong in
// one way: beside the lines to mend no number of faults stands.
func TestARefusalHasOneNumber(t *testing.T) {
	w := sampleWords(t)
	for language, told := range map[string]struct{ lines, faults string }{
		"en": {"3 lines to mend", `(\d+ faults|one fault)\b`},
		"it": {"3 righe da correggere", `(\d+ errori|un errore)\b`},
	} {
		text := strings.ToLower(w.Refused(sampleMended(language)).Text)
		if n := strings.Count(text, told.lines); n != 2 { // in the title and in the box
			t.Errorf("%s: %q stands %d times, want 2, in\n%s", language, told.lines, n, text)
		}
		if found := regexp.MustCompile(told.faults).FindString(text); found != "" {
			t.Errorf("%s: beside the lines to mend stands %q", language, found)
		}
	}
}

// TestASubjectSaysWhatIsToBeMended holds that the subject of a refusal never gives a number of
// faults in place of what is to be mended, where the first fault is of the whole file.
func TestASubjectSaysWhatIsToBeMended(t *testing.T) {
	w := sampleWords(t)
	for language, want := range map[string][3]string{
		"en": {"Orders refused for stop 12 (battle turn): The line key: is missing", "and 3 more faults", "Not done: command status: The line key: is missing"},
		"it": {"Ordini respinti per la domanda 12 (turno di battaglia): Manca la riga key", "e altri 3 errori", "Non eseguito: comando stato: Manca la riga key"},
	} {
		whole := sampleRefused(language)
		whole.Problems.Sort()
		back := sampleMended(language)
		back.Problems = whole.Problems
		command := Refused{Heading: whole.Heading, Problems: whole.Problems[:1], Asked: true, Command: "status"}
		for name, c := range map[string]struct {
			refused Refused
			want    []string
		}{"whole": {whole, want[:2]}, "given back": {back, want[:2]}, "command": {command, want[2:]}} {
			subject := w.Refused(c.refused).Subject
			for _, part := range c.want {
				if !strings.Contains(subject, part) {
					t.Errorf("%s, %s: %q lacks %q", language, name, subject, part)
				}
			}
		}
	}
}

// TestAFileWithoutAnOrderHasOneFault holds that a file that is given back without a line to mend, since
// what is wrong is that it says nothing, counts the fault and not "0 lines".
func TestAFileWithoutAnOrderHasOneFault(t *testing.T) {
	w := sampleWords(t)
	for language, want := range map[string]string{"en": "One fault", "it": "Un errore"} {
		whole := sampleRefused(language)
		whole.Problems.Sort()
		whole.Problems = whole.Problems[:1]
		whole.Mended = &orders.Mended{Lines: []orders.MendedLine{{Text: "game: x"}}, Head: 1}
		if text := w.Refused(whole).Text; !strings.Contains(text, want+": ") || strings.Contains(text, "0 lines") || strings.Contains(text, "0 righe") {
			t.Errorf("%s: no %q in\n%s", language, want, text)
		}
	}
}

// TestFaultsOfALineStandInItsOrder holds that of a line with several faults the first is told first, though they
// are noted from behind; and that who sent no orders gets an order file, not his empty lines.
func TestFaultsOfALineStandInItsOrder(t *testing.T) {
	w := sampleWords(t)
	r := sampleRefused("en")
	fault := func(column int, name string) orders.Problem {
		return orders.Problem{Line: 1, Column: column, Why: phrase.Say("order.unknown-key", phrase.Literal("key", name), phrase.Literals("keys", []string{"x"}))}
	}
	r.Problems = orders.Problems{fault(3, "first"), fault(9, "second")}
	r.Mended = &orders.Mended{Lines: []orders.MendedLine{{Text: "orders: {first: x, second: y}", Faults: orders.Problems{r.Problems[1], r.Problems[0]}}}}
	text := w.Refused(r).Text
	if one, two := strings.Index(text, "no first here"), strings.Index(text, "no second here"); one < 0 || two < one {
		t.Errorf("the first fault stands at %d, the second at %d in\n%s", one, two, text)
	}
	r.Problems = orders.Problems{{Why: phrase.Say("office.orders-missing")}}
	r.Mended = &orders.Mended{Lines: []orders.MendedLine{{Text: "game: x"}}}
	r.Owed = sampleOwed()
	if text = w.Refused(r).Text; !strings.Contains(text, "serial:") && !strings.Contains(text, "\norders:") {
		t.Errorf("no order file to fill in is in\n%s", text)
	}
}

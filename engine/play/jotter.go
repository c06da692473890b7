package play

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"berthier/orders"
)

// A Jotter is a template in the making, for [Form.Note]: remarks, and examples each of which is
// a legal answer by itself. Nothing in it is wider than a line of a letter in any language.
type Jotter struct {
	// Words is the vocabulary of the ruleset.
	Words *orders.Words

	remarks, examples []string
}

// Say adds a remark of some parts. One that is too wide goes on in lines that are set in.
func (j *Jotter) Say(parts ...string) {
	line := ""
	for i, part := range parts {
		switch {
		case i == 0:
			line = part
		case j.Wide(line)+len(", ")+j.Wide(part) > Widest:
			j.remarks = append(j.remarks, line+",")
			line = "  " + part
		default:
			line += ", " + part
		}
	}
	j.remarks = append(j.remarks, line)
}

// Show adds an example, an answer on one line, with what stands behind it as a remark if there is room
// for that. It tells whether the example stands there: one that is too wide itself is left out.
func (j *Jotter) Show(answer, behind string) bool {
	line := "- " + answer
	if j.Wide(line) > Widest {
		return false
	}
	if behind != "" && j.Wide(line+"  # "+behind) <= Widest {
		line += "  # " + behind
	}
	if !slices.Contains(j.examples, line) {
		j.examples = append(j.examples, line)
	}
	return true
}

// Wide is how many columns a text has in the language in which it has most.
func (j *Jotter) Wide(text string) int {
	most := 0
	for _, language := range []string{"en", "it"} {
		one := j.Words.Respell(orders.InTongue(language, text), language)
		most = max(most, utf8.RuneCountInString(one))
	}
	return most
}

// Node is the template: a list that says nothing, below the remarks and the examples.
func (j *Jotter) Node() orders.Node {
	return orders.Node{Kind: orders.List, Above: strings.Join(j.remarks, "\n"), Spare: j.examples, Items: []*orders.Node{orders.Text("end")}}
}

// Lines are the remarks and then the examples, as [orders.Node.Spare] has both.
func (j *Jotter) Lines() []string {
	all := make([]string, 0, len(j.remarks)+len(j.examples))
	for _, line := range j.remarks {
		all = append(all, "# "+line)
	}
	return append(all, j.examples...)
}

// Remarks are the remarks, line by line.
func (j *Jotter) Remarks() string { return strings.Join(j.remarks, "\n") }

// Signed is a number with its sign.
func Signed(n int) string {
	if n > 0 {
		return "+" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

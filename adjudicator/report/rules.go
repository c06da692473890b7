package report

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Clauses lists the clauses of the rules, or those that are asked for; at most so many.
func (w *Writer) Clauses(h templates.Heading, asked []string, most int) (templates.Notice, error) {
	n := templates.Notice{Heading: h, Subject: phrase.Say("office.rules.subject", phrase.Literal("system", w.turn.Game.System))}
	t := engine.Table{Head: []engine.Column{{Head: phrase.Say("office.rules.clause")}, {Head: phrase.Say("office.rules.text")}}}
	add := func(clause string, text phrase.Value) {
		t.Rows = append(t.Rows, []phrase.Value{{Kind: phrase.KindLiteral, Text: clause}, text})
	}
	none := true
	if documented, ok := w.turn.Rules.(engine.Documented); ok {
		none = false
		digestRules(documented.Clauses(), asked, most, &n, add)
	} else {
		clauses, err := ruleClauses(w.turn.Rules)
		if err != nil {
			return n, err
		}
		for _, clause := range clauses {
			none = false
			fits := len(asked) == 0
			for _, id := range asked {
				fits = fits || strings.HasPrefix(orders.Fold(clause), orders.Fold(id))
			}
			if fits {
				say := phrase.Say("rule." + clause)
				add(clause, phrase.Value{Kind: phrase.KindPhrase, Say: &say})
			}
		}
		if len(t.Rows) == 0 && len(asked) > 0 {
			n.Lines = append(n.Lines, phrase.Say("office.rules.no-such", phrase.Literal("clause", strings.Join(asked, ", "))))
			none = false
		}
	}
	if len(t.Rows) > 0 {
		n.Tables = []engine.Table{t}
		if _, ok := w.turn.Rules.(engine.Documented); ok && templates.Language(h.Reader.Language) != digestLanguage {
			translated(w.turn.Rules, &n)
		}
	}
	if none {
		n.Lines = append(n.Lines, phrase.Say("office.rules.none"))
	}
	var options []string
	for _, name := range slices.Sorted(maps.Keys(w.turn.Game.Options)) {
		options = append(options, name+": "+w.turn.Game.Options[name])
	}
	if len(options) > 0 {
		n.Lines = append(n.Lines, phrase.Say("office.rules.options", phrase.Literals("options", options)))
	}
	return n, nil
}

// digestLanguage is the language in which the digests of rules are written.
const digestLanguage = "en"

// translated says to a reader of another language that clauses are not in his, and which words of the
// rulebook stand behind their terms.
func translated(rules engine.Ruleset, n *templates.Notice) {
	n.Lines = append(n.Lines, phrase.Say("office.rules.english"))
	glossed, ok := rules.(engine.Glossed)
	if !ok {
		return
	}
	var text strings.Builder
	for _, row := range n.Tables[0].Rows {
		fmt.Fprintf(&text, "%s\n%s\n", row[0].Text, row[1].Text)
	}
	words := engine.Table{Head: []engine.Column{{Head: phrase.Say("office.rules.term")}, {Head: phrase.Say("office.rules.printed")}}}
	for _, term := range glossed.Glossary() {
		if term.In(text.String()) {
			words.Rows = append(words.Rows, []phrase.Value{{Kind: phrase.KindLiteral, Text: term.Said}, {Kind: phrase.KindLiteral, Text: term.Printed}})
		}
	}
	if len(words.Rows) > 0 {
		n.Tables = append(n.Tables, words)
	}
}

// digestRules adds the clauses that are asked for, as the ruleset's digest has
// them. A letter that asks for none, or for more than a letter holds, gets the
// chapters with the clauses in each.
func digestRules(all []engine.Clause, asked []string, most int, n *templates.Notice, add func(string, phrase.Value)) {
	var chosen []engine.Clause
	for _, id := range asked {
		found := engine.FindClauses(all, id)
		if len(found) == 0 {
			n.Lines = append(n.Lines, phrase.Say("office.rules.no-such", phrase.Literal("clause", id)))
		}
		chosen = append(chosen, found...)
	}
	if len(asked) > 0 && len(chosen) <= most {
		for _, c := range chosen {
			add(c.ID, phrase.Value{Kind: phrase.KindLiteral, Text: c.Text})
		}
		return
	}
	if len(asked) == 0 {
		chosen = all
	}
	n.Lines = append(n.Lines, phrase.Say("office.rules.ask", phrase.Literal("example", chosen[0].ID)))
	for i := 0; i < len(chosen); {
		j := i
		var ids []string
		for ; j < len(chosen) && chosen[j].Chapter == chosen[i].Chapter; j++ {
			ids = append(ids, chosen[j].ID)
		}
		add(chosen[i].Chapter, phrase.Value{Kind: phrase.KindLiteral, Text: strings.Join(ids, ", ")})
		i = j
	}
}

// ruleClauses are the clauses that a ruleset has in words, in the order of
// their numbers: NAP-5.2 before NAP-5.10.
func ruleClauses(rules engine.Ruleset) ([]string, error) {
	data, err := fs.ReadFile(rules.Words(), templates.Languages[0]+".yaml")
	if err != nil {
		return nil, err
	}
	var sentences map[string]string
	if err := orders.Unmarshal(data, &sentences); err != nil {
		return nil, err
	}
	var all []string
	for code := range sentences {
		if clause, ok := strings.CutPrefix(code, "rule."); ok {
			all = append(all, clause)
		}
	}
	slices.SortFunc(all, compareClauses)
	return all, nil
}

// compareClauses orders texts by the numbers in them.
func compareClauses(a, b string) int {
	for a != "" && b != "" {
		x, restA := number(a)
		y, restB := number(b)
		if x >= 0 && y >= 0 {
			if x != y {
				return x - y
			}
			a, b = restA, restB
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

// number reads the whole number at the start of a text, -1 if there is none.
func number(text string) (int, string) {
	n, i := 0, 0
	for i < len(text) && text[i] >= '0' && text[i] <= '9' && n < 1e8 {
		n = n*10 + int(text[i]-'0')
		i++
	}
	if i == 0 {
		return -1, text
	}
	return n, text[i:]
}

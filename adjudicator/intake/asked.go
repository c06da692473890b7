package intake

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/orders"
	"berthier/orders/phrase"
	"strings"
	"unicode/utf8"
)

// MostClauses bounds a letter about the rules.
const MostClauses = 40

// Clauses are the clauses that a letter wants to see: clause: NAP-5.5, or
// a list of them; text: is understood, too. What is no text names no clause.
func (f *File) Clauses() []string {
	n := f.Value("clause")
	if n == nil {
		n = f.Value("text")
	}
	if n == nil {
		return nil
	}
	r := orders.NewReader(game.Vocabulary)
	var asked []string
	for _, item := range r.List(n) {
		if text, ok := r.Text(item); ok && strings.TrimSpace(text) != "" && len(asked) < MostClauses {
			asked = append(asked, phrase.Clip(phrase.OneLine(text), 60))
		}
	}
	return asked
}

// checkWhatIf refuses a file that wants to be tried out and can't: one that is
// no draft would count, against what its writer may have meant.
func (f *File) checkWhatIf() orders.Problems {
	if !f.Doc.Has("what-if") {
		return nil
	}
	var problems orders.Problems
	if !f.Doc.Draft {
		p := f.Fault("what-if", phrase.Say("office.what-if.draft"))
		p.Remedy = phrase.Say("office.what-if.draft-do")
		problems = append(problems, p)
	}
	if f.Doc.Orders == nil && (f.Doc.Instructs() || f.Doc.Ahead != nil) {
		problems = append(problems, f.Fault("what-if", phrase.Say("office.what-if.orders")))
	}
	return problems
}

// LongestWord is how many letters a word for luck may have.
const LongestWord = 80

// LuckWord reads a player's word for luck.
func (f *File) LuckWord() (string, orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	text, _ := r.Text(f.Value("word"))
	word := strings.Join(strings.Fields(text), " ")
	problems := r.Problems
	switch {
	case !f.Game.AsksLuck():
		problems = append(problems, f.Fault("command", phrase.Say("office.luck.none")))
	case word == "":
		p := f.Fault("word", phrase.Say("office.luck.empty"))
		p.Remedy = phrase.Say("office.luck.write")
		problems = append(problems, p)
	case utf8.RuneCountInString(word) > LongestWord:
		problems = append(problems, f.Fault("word", phrase.Say("office.luck.long", phrase.Number("most", LongestWord))))
	}
	return word, problems
}

// Dispute reads which event a player disputes, and why.
func (f *File) Dispute() (event int, reason string, problems orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	if node := f.Value("event"); node != nil {
		event, _ = r.Int(node, 1, 1<<30)
	} else {
		r.RefuseWith(f.Value("command"), "", phrase.Say("office.dispute.no-event"), phrase.Say("office.dispute.form"))
	}
	if node := f.Value("reason"); node != nil {
		text, _ := r.Text(node)
		reason = phrase.Clip(phrase.OneLine(text), log.LongestReason)
	}
	if reason == "" {
		r.RefuseWith(f.Value("command"), "", phrase.Say("office.dispute.no-reason"), phrase.Say("office.dispute.form"))
	}
	return event, reason, r.Problems
}

package adjudicator

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// playerCommands are those that a player may give.
var playerCommands = []string{"status", "report", "help", "rules", "history", "resend", "press", "vacation", "new-key", "resign", "dispute", "luck"}

// command does what a player's command letter says.
func (v *visit) command(s *game.Seat) error {
	if v.doc.Side != "" && !v.means(v.doc.Side, s.Side) {
		v.problems = append(v.problems, v.fault("side", phrase.Say("office.wrong-side", phrase.Literal("got", v.doc.Side), game.SideName(s.Side))))
	}
	if !slices.Contains(playerCommands, v.doc.Command) {
		p := v.fault("command", phrase.Say("office.not-your-command", phrase.Literal("command", v.doc.Command)))
		p.Remedy = phrase.Say("office.your-commands", phrase.Keywords("commands", playerCommands))
		v.problems = append(v.problems, p)
	}
	if len(v.problems) > 0 {
		v.problems.Sort()
		return v.refuse(s, false, v.problems)
	}
	v.done("command: "+v.doc.Command, mail.Processed)
	if v.doc.Command == "press" {
		return v.press(s)
	}
	if v.doc.Command == "resend" {
		return v.resend(s)
	}
	if v.doc.Command == "resign" {
		return v.resign(s)
	}
	if v.doc.Command == "dispute" {
		return v.dispute(s)
	}
	if v.doc.Command == "luck" {
		return v.luckWord(s)
	}
	if v.doc.Command == "vacation" {
		return v.vacation(s)
	}
	if v.doc.Command == "new-key" {
		return v.changeKey(s)
	}
	if v.doc.Command == "history" {
		return v.recall(s)
	}
	if !v.mayAnswer() {
		return nil
	}
	to := v.intake.Mail
	switch v.doc.Command {
	case "status":
		v.post(s, "notice", to, v.office.words.Notice(v.status(s)))
	case "report":
		happened, err := v.toldAgain(s)
		if err != nil {
			return err
		}
		v.post(s, "report", to, v.report(s, happened))
	case "help":
		v.post(s, "notice", to, v.office.words.Notice(helpNotice(v.heading(s), v.owed(s, false))))
	case "rules":
		n, err := v.ruleNotice(v.heading(s), s.Person.Language)
		if err != nil {
			return err
		}
		v.post(s, "notice", to, v.office.words.Notice(n))
	}
	return nil
}

// status says in short where a game stands, as far as a seat may know.
func (d *desk) status(s *game.Seat) templates.Notice {
	n := templates.Notice{Heading: d.heading(s), Subject: phrase.Say("office.status.subject"), Owed: d.owed(s, true)}
	page := d.View(s.Side).Page()
	n.Page = &page
	switch {
	case d.Game.Phase == game.Over:
		n.Lines = append(n.Lines, phrase.Say("office.status.over"))
	case d.Game.Phase == game.Closed:
		n.Lines = append(n.Lines, phrase.Say("office.status.closed"))
	case !d.Game.Paused.IsZero():
		n.Lines = append(n.Lines, phrase.Say("office.status.paused"))
	case s.Owes != nil && s.Owes.Answer != nil:
		n.Lines = append(n.Lines, phrase.Say("office.status.answered"))
	case s.Owes == nil:
		n.Lines = append(n.Lines, phrase.Say("office.status.nothing"))
	}
	if d.waits(s) {
		n.Lines = append(n.Lines, phrase.Say("office.status.waiting"))
	}
	return n
}

// helpNotice says how to write to the office.
func helpNotice(h templates.Heading, owed *templates.Owed) templates.Notice {
	n := templates.Notice{Heading: h, Subject: phrase.Say("office.help.subject"), Owed: owed}
	for _, code := range []string{"orders", "answer", "again", "draft", "what-if", "final", "command", "deadline", "lost"} {
		n.Lines = append(n.Lines, phrase.Say("office.help."+code))
	}
	t := engine.Table{Head: []engine.Column{{Head: phrase.Say("office.help.word")}, {Head: phrase.Say("office.help.does")}}}
	for _, name := range playerCommands {
		say := phrase.Say("office.help.does-" + name)
		t.Rows = append(t.Rows, []phrase.Value{{Kind: phrase.KindKeyword, Text: name}, {Kind: phrase.KindPhrase, Say: &say}})
	}
	n.Tables = []engine.Table{t}
	return n
}

// ruleNotice lists the clauses of the rules, or those that the letter asks for.
func (v *visit) ruleNotice(h templates.Heading, language string) (templates.Notice, error) {
	n := templates.Notice{Heading: h, Subject: phrase.Say("office.rules.subject", phrase.Literal("system", v.Game.System))}
	asked := v.clausesAsked()
	t := engine.Table{Head: []engine.Column{{Head: phrase.Say("office.rules.clause")}, {Head: phrase.Say("office.rules.text")}}}
	add := func(clause string, text phrase.Value) {
		t.Rows = append(t.Rows, []phrase.Value{{Kind: phrase.KindLiteral, Text: clause}, text})
	}
	none := true
	if documented, ok := v.Rules.(engine.Documented); ok {
		none = false
		v.digestRules(documented.Clauses(), asked, &n, add)
	} else {
		clauses, err := ruleClauses(v.Rules)
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
	}
	if none {
		n.Lines = append(n.Lines, phrase.Say("office.rules.none"))
	}
	var options []string
	for _, name := range slices.Sorted(maps.Keys(v.Game.Options)) {
		options = append(options, name+": "+v.Game.Options[name])
	}
	if len(options) > 0 {
		n.Lines = append(n.Lines, phrase.Say("office.rules.options", phrase.Literals("options", options)))
	}
	return n, nil
}

// mostClauses bounds a letter about the rules.
const mostClauses = 40

// clausesAsked are the clauses that a letter wants to see: clause: NAP-5.5, or
// a list of them; text: is understood, too. What is no text names no clause.
func (v *visit) clausesAsked() []string {
	n := v.value("clause")
	if n == nil {
		n = v.value("text")
	}
	if n == nil {
		return nil
	}
	r := orders.NewReader(game.Vocabulary)
	var asked []string
	for _, item := range r.List(n) {
		if text, ok := r.Text(item); ok && strings.TrimSpace(text) != "" && len(asked) < mostClauses {
			asked = append(asked, phrase.Clip(oneLine(text), 60))
		}
	}
	return asked
}

// digestRules adds the clauses that are asked for, as the ruleset's digest has
// them. A letter that asks for none, or for more than a letter holds, gets the
// chapters with the clauses in each.
func (v *visit) digestRules(all []engine.Clause, asked []string, n *templates.Notice, add func(string, phrase.Value)) {
	var chosen []engine.Clause
	for _, id := range asked {
		found := engine.FindClauses(all, id)
		if len(found) == 0 {
			n.Lines = append(n.Lines, phrase.Say("office.rules.no-such", phrase.Literal("clause", id)))
		}
		chosen = append(chosen, found...)
	}
	if len(asked) > 0 && len(chosen) <= mostClauses {
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

// history is the game as a seat saw it: report by report with its maps, what it
// answered, the letters of other players, and which reports it can have again.
func (d *desk) history(s *game.Seat) ([]templates.Notice, error) {
	letters, err := d.chronicle(s)
	if err != nil {
		return nil, err
	}
	press, err := d.pressOf(s)
	if err != nil {
		return nil, err
	}
	table, any, err := d.reportTable(s)
	if err != nil {
		return nil, err
	}
	if len(s.Told) > 0 {
		since := engine.Section{Heading: phrase.Say("office.history.since")}
		for _, t := range s.Told {
			since.Lines = append(since.Lines, t.Numbered())
		}
		if len(letters) == 0 {
			letters = append(letters, nil)
		}
		last := len(letters) - 1
		letters[last] = append(letters[last], since)
	}
	if len(press) > 0 {
		letters = append(letters, []engine.Section{{Heading: phrase.Say("office.history.press"), Lines: press}})
	}
	var list []templates.Notice
	for i, sections := range letters {
		list = append(list, templates.Notice{Heading: d.heading(s), Page: &engine.Page{Sections: sections},
			Subject: phrase.Say("office.history.subject", phrase.Number("n", i+1), phrase.Number("of", len(letters)))})
	}
	if len(list) == 0 {
		list = []templates.Notice{{Heading: d.heading(s), Subject: phrase.Say("office.history.subject", phrase.Number("n", 1), phrase.Number("of", 1)),
			Lines: []phrase.Phrase{phrase.Say("office.history.none")}}}
	}
	if any {
		list[0].Lines = append(list[0].Lines, phrase.Say("office.resend.how"))
		list[0].Tables = append(list[0].Tables, table)
	}
	return list, nil
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// resign takes a player out of a game: from now on the defaults play for him,
// until the game master finds another.
func (v *visit) resign(s *game.Seat) error {
	err := v.Do(game.Resigned{Side: s.Side, Letter: v.intake.reference()})
	var refused *game.RefusedError
	if errors.As(err, &refused) {
		return v.refuse(s, false, orders.Problems{v.fault("command", refused.Why)})
	}
	return err
}

package main

import (
	"fmt"
	"strings"

	"berthier/engine"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A reference describes in Markdown how the order files of a game system are written.
type reference struct {
	strings.Builder
	words    *templates.Words
	language string
	sheet    shape.Sheet
	spell    templates.Spell
}

// orderReference is the order reference of a game system in a language.
func orderReference(rules engine.Ruleset, language string) (string, error) {
	id := rules.About().ID
	shaped, ok := rules.(engine.Shaped)
	if !ok {
		return "", fmt.Errorf("%s does not say how its order files are written", id)
	}
	words, err := catalogue()
	if err != nil {
		return "", err
	}
	position, err := rules.New(engine.Setup{Scenario: rules.About().Scenarios[0]})
	if err != nil {
		return "", err
	}
	r := &reference{words: words, language: language, sheet: shaped.Shapes(), spell: position.View(engine.GM).Spell}
	stops, err := r.sheet.Shown()
	if err != nil {
		return "", err
	}
	system := phrase.Literal("system", id)
	fmt.Fprintf(r, "# %s\n\n", r.say("reference.title", system))
	for _, code := range []string{"reference.made", "reference.about", "reference.signs", "reference.lines"} {
		fmt.Fprintf(r, "%s\n", wrapped(r.say(code, system), "", 88))
	}
	for _, one := range stops {
		r.stop(one)
	}
	if r.sheet.Standing != nil {
		fmt.Fprintf(r, "## %s\n\n%s\n", r.say("reference.standing-title"), wrapped(r.say("reference.standing-about"), "", 88))
		r.rows(r.sheet.Standing)
		if r.sheet.Listed {
			fmt.Fprintf(r, "%s\n", wrapped(r.say("reference.cases-about"), "", 88))
		}
	}
	if r.sheet.Policies != nil {
		fmt.Fprintf(r, "\n## %s\n\n%s\n", r.say("reference.policies-title"), wrapped(r.say("reference.policies-about"), "", 88))
		r.rows(r.sheet.Policies)
	}
	r.ahead()
	return strings.TrimRight(r.String(), "\n") + "\n", nil
}

// ahead writes what may be filed ahead: the keys of policies are told with these.
func (r *reference) ahead() {
	fmt.Fprintf(r, "\n## %s\n\n%s\n", r.say("reference.ahead-title"), wrapped(r.say("reference.ahead-about"), "", 88))
	if how := r.sheet.Planned(); how != nil {
		fmt.Fprintf(r, "%s\n", wrapped(r.say("reference.ahead-plan"), "", 88))
		r.rows(how)
	}
	if r.sheet.Conditions != nil {
		fmt.Fprintf(r, "%s\n", wrapped(r.say("reference.ahead-if"), "", 88))
		r.rows(r.sheet.Conditions)
		fmt.Fprintf(r, "%s\n", wrapped(r.say("reference.ahead-asks"), "", 88))
		for _, key := range r.sheet.Asked() {
			r.WriteString(strings.TrimLeft(wrapped("- `"+r.sheet.Vocabulary.Spell(key, r.language)+"`: "+r.say("reference.if."+key), "  ", 88), " "))
		}
	}
}

func (r *reference) say(code string, args ...phrase.Arg) string {
	return r.words.Say(r.language, phrase.Say(code, args...), r.spell)
}

// stop writes the section of one kind of stop.
func (r *reference) stop(one shape.Evidence) {
	fmt.Fprintf(r, "## %s: %s\n\n", one.Stop, r.spell("stop", one.Stop, r.language))
	r.rows(r.sheet.Stops[one.Stop])
	if forms := shape.Forms(r.sheet.Stops[one.Stop], r.sheet.Vocabulary, r.language); len(forms) > 0 {
		fmt.Fprintf(r, "%s\n", wrapped(r.say("reference.short"), "", 88))
		for _, f := range forms {
			fmt.Fprintf(r, "- `%s`\n", f)
		}
		r.WriteByte('\n')
	}
	fmt.Fprintf(r, "%s\n\n```yaml\n%s```\n\n", r.say("reference.example"), one.Example)
	r.inShort(one)
	if len(one.Clauses) > 0 {
		fmt.Fprintf(r, "%s\n", wrapped(r.say("reference.clauses")+" "+strings.Join(one.Clauses, ", ")+".", "", 88))
	}
	if keys := r.sheet.Answered[one.Stop]; len(keys) > 0 {
		var spelt []string
		for _, key := range keys {
			spelt = append(spelt, r.sheet.Vocabulary.Spell(key, r.language))
		}
		fmt.Fprintf(r, "%s\n\n", r.say("reference.standing", phrase.Literals("keys", spelt)))
	}
}

// inShort writes the example of a stop once more, as short lines.
func (r *reference) inShort(one shape.Evidence) {
	doc, faults := orders.Parse(one.Example, r.sheet.Vocabulary)
	if len(faults) > 0 || doc.Orders == nil {
		return
	}
	lines := shape.Lines(doc.Orders, r.sheet.Stops[one.Stop], r.sheet.Vocabulary, r.language)
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(r, "%s\n\n```yaml\norders:\n", r.say("reference.in-short"))
	for _, line := range lines {
		fmt.Fprintf(r, "  - %s\n", line)
	}
	r.WriteString("```\n\n")
}

// rows writes a shape, a line for each key.
func (r *reference) rows(s shape.Shape) {
	kind := func(kind string) string { return r.say("reference.kind." + kind) }
	for _, row := range shape.Rows(s, r.sheet.Vocabulary, r.language, kind) {
		r.WriteString(strings.Repeat("  ", row.Deep) + "-")
		if row.Key != "" {
			r.WriteString(" `" + row.Key + ":`")
		}
		if row.Value != "" {
			r.WriteString(" `" + row.Value + "`")
		}
		r.WriteByte('\n')
	}
	r.WriteByte('\n')
}

package cases

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// mostShown bounds the lines of what is seen that a failure prints.
const mostShown = 300

// A part is one of the things that a side looks at.
type part struct {
	name string // "the view"
	text string
	// of has the texts of which the part consists, if it is not a single text.
	of []string
}

// templates are the order files that a side would be sent now.
func (r *run) templates(side engine.Side) []part {
	var all []part
	view := r.position.View(side)
	for _, d := range r.position.Owed() {
		if d.Side == side {
			all = append(all, part{name: "the order file of " + strings.TrimSpace(d.Kind+" "+d.At), text: r.rules.Template(view, d).Encode()})
		}
	}
	return all
}

// shown is all that a side can look at now: its view, its page with the texts of
// pictures, and the order file of what it owes.
func (r *run) shown(side engine.Side) ([]part, error) {
	view := r.position.View(side)
	text, err := view.Marshal()
	if err != nil {
		return nil, fmt.Errorf("write the view: %w", err)
	}
	page := view.Page()
	return append([]part{
		{name: "the view", text: string(text)},
		{name: "the page", text: strings.Join(pageLines(page), "\n"), of: pageLeaves(nil, page)},
	}, r.templates(side)...), nil
}

// holds tells whether a text stands in the part, without regard to case.
func (p part) holds(want string) bool {
	if p.of != nil {
		return within(p.of, want)
	}
	return within([]string{p.text}, want)
}

// seen checks that texts are somewhere, or nowhere, in what a side gets to see: its view,
// its page with pictures, and the template of what it owes. For a check of "template" only
// the template counts.
func (p *parser) seen(n *orders.Node, kind string) check {
	f := p.Fields(n, "side", "says", "lacks")
	p.Require(f, "side")
	text, _ := p.Text(f.Get("side"))
	side := engine.Side(text)
	says, lacks := p.says(f.Get("says")), p.says(f.Get("lacks"))
	if kind == "unseen" {
		says, lacks = lacks, append(lacks, says...)
	}
	return check{sides: []engine.Side{side}, test: func(r *run) []string {
		parts := r.templates(side)
		if kind == "template" && len(parts) == 0 {
			return []string{text + " owes nothing"}
		}
		if kind != "template" {
			var err error
			if parts, err = r.shown(side); err != nil {
				return []string{err.Error()}
			}
		}
		var faults []string
		missing := false
		for _, want := range says {
			if !slices.ContainsFunc(parts, func(p part) bool { return p.holds(want) }) {
				faults, missing = append(faults, fmt.Sprintf("%s sees no %q", text, want)), true
			}
		}
		for _, want := range lacks {
			faults = append(faults, found(parts, text, want)...)
		}
		if missing {
			faults = append(faults, text+" sees:")
			faults = append(faults, printed(parts)...)
		}
		return faults
	}}
}

// found tells where a text is seen that should not be.
func found(parts []part, side, unwanted string) []string {
	var all []string
	for _, p := range parts {
		if !p.holds(unwanted) {
			continue
		}
		if all == nil {
			all = append(all, fmt.Sprintf("%s sees %q", side, unwanted))
		}
		all = append(all, "  "+p.name+":")
		for line := range strings.Lines(p.text) {
			if within([]string{line}, unwanted) {
				all = append(all, "    "+strings.TrimRight(line, "\n"))
			}
		}
	}
	return all
}

// printed writes out what the side sees.
func printed(parts []part) []string {
	var all []string
	for _, p := range parts {
		all = append(all, "  "+p.name+":")
		for line := range strings.Lines(p.text) {
			all = append(all, "    "+strings.TrimRight(line, "\n"))
		}
	}
	if len(all) > mostShown {
		all = append(all[:mostShown], fmt.Sprintf("  and %d lines more; berthier case show prints them", len(all)-mostShown))
	}
	return all
}

func within(texts []string, want string) bool {
	want = strings.ToLower(want)
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(strings.ToLower(text), want) })
}

// pageLines writes what a page says, before it is put into words, with one line for each
// phrase, for each row of a table, and for the texts of each picture.
func pageLines(page engine.Page) []string {
	lines := []string{Plain(page.Title)}
	add := func(indent string, say phrase.Phrase) {
		if !say.IsZero() {
			lines = append(lines, indent+Plain(say))
		}
	}
	for _, s := range page.Sections {
		add("", s.Heading)
		for _, line := range s.Lines {
			add("  ", line)
		}
		for _, table := range s.Tables {
			add("  ", table.Caption)
			var head []string
			for _, column := range table.Head {
				head = append(head, Plain(column.Head))
			}
			lines = append(lines, "  "+strings.Join(head, " | "))
			for _, row := range table.Rows {
				lines = append(lines, "  "+cells(row, " | "))
			}
		}
		if s.Picture == nil {
			continue
		}
		lines = append(lines, "  picture "+s.Picture.Name+" "+Plain(s.Picture.Alt))
		for _, marks := range [][]engine.Mark{s.Picture.Ground, s.Picture.Marks} {
			var labels []phrase.Value
			for _, mark := range marks {
				if mark.Text.Kind != "" {
					labels = append(labels, mark.Text)
				}
			}
			if len(labels) > 0 {
				lines = append(lines, "    "+cells(labels, ", "))
			}
		}
	}
	return lines
}

// cells writes values one behind the other.
func cells(values []phrase.Value, between string) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteString(between)
		}
		plainValue(&b, v)
	}
	return b.String()
}

func pageLeaves(texts []string, page engine.Page) []string {
	texts = leaves(texts, page.Title)
	for _, s := range page.Sections {
		texts = leaves(texts, s.Heading)
		for _, line := range s.Lines {
			texts = leaves(texts, line)
		}
		for _, table := range s.Tables {
			texts = leaves(texts, table.Caption)
			for _, column := range table.Head {
				texts = leaves(texts, column.Head)
			}
			for _, row := range table.Rows {
				for _, cell := range row {
					texts = valueLeaves(texts, cell)
				}
			}
		}
		if s.Picture == nil {
			continue
		}
		texts = leaves(append(texts, s.Picture.Name), s.Picture.Alt)
		for _, marks := range [][]engine.Mark{s.Picture.Ground, s.Picture.Marks} {
			for _, mark := range marks {
				texts = valueLeaves(texts, mark.Text)
			}
		}
	}
	return texts
}

// letters gives everything that a side has got until now, as text to be compared byte for
// byte: what it sees, what it was told in this case, how its files were judged, and
// how the game ended.
func (r *run) letters(side engine.Side) ([]part, error) {
	all, err := r.shown(side)
	if err != nil {
		return nil, err
	}
	page, err := json.MarshalIndent(r.position.View(side).Page(), "", " ")
	if err != nil {
		return nil, fmt.Errorf("write the page: %w", err)
	}
	all[1] = part{name: "the page", text: string(page)}
	var told, judged strings.Builder
	for _, e := range r.told {
		if say, ok := e.For(side); ok {
			fmt.Fprintf(&told, "%s [%s]\n", Plain(say), e.Clause)
		}
	}
	for _, f := range r.judged {
		if f.act.side != side {
			continue
		}
		if f.answer != nil {
			judged.WriteString("accepted\n")
		}
		for _, fault := range f.problems { // columns are those of the case file
			fmt.Fprintf(&judged, "line %d: %s\n", fault.Line, aboutFault(fault))
		}
	}
	end := ""
	if o, over := r.position.Outcome(); over {
		end = fmt.Sprintf("%v %s [%s]", o.Winners, Plain(o.Reason), o.Clause)
	}
	return append(all, part{name: "what was told", text: told.String()},
		part{name: "the verdicts on its order files", text: judged.String()},
		part{name: "the end of the game", text: end}), nil
}

// unlike says in what two sides' letters differ; "" if they don't.
func unlike(here, there []part) string {
	for i := range max(len(here), len(there)) {
		switch {
		case i >= len(here):
			return there[i].name + " is only there"
		case i >= len(there):
			return here[i].name + " is only here"
		case here[i].name != there[i].name:
			return fmt.Sprintf("here is %s, there %s", here[i].name, there[i].name)
		case here[i].text != there[i].text:
			return here[i].name + ": " + differing(here[i].text, there[i].text)
		}
	}
	return ""
}

func differing(here, there string) string {
	x, y := strings.Split(here, "\n"), strings.Split(there, "\n")
	for i := range max(len(x), len(y)) {
		a, b := "nothing more", "nothing more"
		if i < len(x) {
			a = x[i]
		}
		if i < len(y) {
			b = y[i]
		}
		if a != b {
			return fmt.Sprintf("line %d\n  here:  %s\n  there: %s", i+1, a, b)
		}
	}
	return "alike"
}

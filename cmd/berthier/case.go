package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"berthier/engine"
	"berthier/engine/cases"
	"berthier/templates"
)

type caseCommands struct {
	Run      caseRunCommand      `cmd:"" help:"Run case files and say which fail and why."`
	Show     caseShowCommand     `cmd:"" help:"Print what a seat sees after each step of a case: page, view, order file."`
	Position casePositionCommand `cmd:"" help:"Explain the form of a position, or print the position after a set-up."`
}

type caseRunCommand struct {
	Files   []string `arg:"" type:"existingfile" help:"Case files (docs/cases.md)."`
	Quiet   bool     `short:"q" xor:"much" help:"Name only the cases that fail."`
	Verbose bool     `short:"v" xor:"much" help:"Print what happened in every case, with the codes that checks compare."`
}

func (cmd caseRunCommand) Run(c *console) error {
	words, err := catalogue()
	if err != nil {
		return err
	}
	passed, failed := 0, 0
	for _, file := range cmd.Files {
		all, problems := cases.Load(rulesets, file)
		if len(problems) > 0 {
			fmt.Fprintf(c.err, "%s can't be read:\n%s\n", file, explain(problems))
			failed++
			continue
		}
		for _, one := range all {
			result := cases.Run(rulesets, one)
			switch {
			case !result.OK():
				failed++
				told := result
				if cmd.Verbose {
					told.Log = nil
				}
				fmt.Fprintf(c.out, "FAIL  %s\n", told)
			case !cmd.Quiet:
				fmt.Fprintf(c.out, "ok    %s: %s\n", one.Place(one.Line), one.Name)
			}
			if result.OK() {
				passed++
			}
			if cmd.Verbose {
				happened(c.out, words, result.Log, result.Spell, len(one.Steps) > 1)
			}
		}
	}
	fmt.Fprintf(c.out, "%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		return errTold
	}
	return nil
}

// happened prints what happened in a case: each line in the form that checks compare, and
// below it the sentence.
func happened(out io.Writer, words *templates.Words, log []cases.Happening, spell templates.Spell, steps bool) {
	if spell == nil {
		spell = plainName
	}
	step := 0
	for _, h := range log {
		if steps && h.Step != step {
			step = h.Step
			fmt.Fprintf(out, "  step %d\n", step)
		}
		fmt.Fprintf(out, "    %s\n", strings.ReplaceAll(h.Text, "\n", "\n    "))
		if !h.Say.IsZero() && words.Has(h.Say.Code) {
			fmt.Fprint(out, wrapped(words.Say("en", h.Say, spell), "        ", 78))
		}
	}
}

type caseShowCommand struct {
	File string   `arg:"" type:"existingfile" help:"A case file (docs/cases.md)."`
	Case string   `help:"Show only the case of this name, or the case in which this line stands; by default all cases of the file."`
	Side []string `name:"seat" aliases:"side" placeholder:"SEAT" help:"Seat whose view is shown; may be given more than once. Without it, everything is shown, as the game master sees it."`
	HTML string   `help:"Write the pages with their pictures into this folder."`
}

func (cmd caseShowCommand) Run(c *console) error {
	words, err := catalogue()
	if err != nil {
		return err
	}
	all, problems := cases.Load(rulesets, cmd.File)
	if len(problems) > 0 {
		fmt.Fprintf(c.err, "%s can't be read:\n%s\n", cmd.File, explain(problems))
		return errTold
	}
	chosen, err := cmd.chosen(all)
	if err != nil {
		return err
	}
	stuck := false
	for i, one := range chosen {
		s := caseSheet{console: c, words: words, of: one, html: cmd.HTML, number: i + 1, many: len(chosen) > 1}
		for _, side := range cmd.Side {
			s.sides = append(s.sides, engine.Side(side))
		}
		if len(s.sides) == 0 {
			s.sides = []engine.Side{engine.GM}
		}
		fmt.Fprintf(c.out, "%s: %s\n", one.Place(one.Line), one.Name)
		result, err := cases.Show(rulesets, one, s.show)
		if err != nil {
			return err
		}
		if !result.OK() {
			result.Log = nil
			fmt.Fprintf(c.err, "the case can't be played to its end\n%s", result)
			stuck = true
		}
	}
	if stuck {
		return errTold
	}
	return nil
}

// chosen finds the cases that are to be shown.
func (cmd caseShowCommand) chosen(all []cases.Case) ([]cases.Case, error) {
	if cmd.Case == "" {
		return all, nil
	}
	var names []string
	for _, one := range all {
		if one.Name == cmd.Case {
			return []cases.Case{one}, nil
		}
		names = append(names, fmt.Sprintf("%d: %s", one.Line, one.Name))
	}
	if line, err := strconv.Atoi(cmd.Case); err == nil {
		for i := len(all) - 1; i >= 0; i-- {
			if all[i].Line <= line {
				return all[i : i+1], nil
			}
		}
	}
	return nil, hinted{fmt.Errorf("there is no case %q in %s", cmd.Case, cmd.File), "its cases are\n  " + strings.Join(names, "\n  ")}
}

// A caseSheet prints what sides see of a case.
type caseSheet struct {
	*console
	words  *templates.Words
	of     cases.Case
	sides  []engine.Side
	html   string
	number int  // of the case
	many   bool // more than one case is shown
}

// show prints one moment.
func (s caseSheet) show(m cases.Moment) error {
	fmt.Fprintf(s.out, "\n==== step %d (%s)\n", m.Step, s.of.Place(m.Line))
	happened(s.out, s.words, m.Log, m.Position.View(engine.GM).Spell, false)
	for _, side := range s.sides {
		if side != engine.GM && !slices.Contains(m.Position.Sides(), side) {
			return hinted{fmt.Errorf("there is no side %q in this case", side), "the seats are " + listed(m.Position.Sides()) + ", and gm, who sees everything"}
		}
		if err := s.shownTo(m, side); err != nil {
			return err
		}
	}
	return nil
}

// shownTo prints what one side sees: its page, its view, and the order file that
// it would be sent.
func (s caseSheet) shownTo(m cases.Moment, side engine.Side) error {
	view := m.Position.View(side)
	page := view.Page()
	letter := s.words.Notice(templates.Notice{
		Heading: templates.Heading{
			Reader: templates.Reader{Language: "en", Zone: time.UTC},
			Game:   "case", System: s.of.Ruleset, Side: side, Spell: view.Spell,
		},
		Subject: page.Title,
		Page:    &page,
	})
	fmt.Fprintf(s.out, "\n---- %s, page\n", side)
	if s.html == "" {
		fmt.Fprint(s.out, letter.Text)
	} else {
		name := fmt.Sprintf("step-%d-%s", m.Step, side)
		if s.many {
			name = fmt.Sprintf("case-%d-%s", s.number, name)
		}
		if err := saveLetter(s.console, s.html, name, letter); err != nil {
			return err
		}
		fmt.Fprintln(s.out, filepath.Join(s.html, name+".html"))
	}
	text, err := view.Marshal()
	if err != nil {
		return fmt.Errorf("write the view of %s: %w", side, err)
	}
	fmt.Fprintf(s.out, "\n---- %s, view\n%s", side, text)
	for _, d := range m.Position.Owed() {
		if d.Side == side {
			fmt.Fprintf(s.out, "\n---- %s, order file of %s\n%s", side, strings.TrimSpace(d.Kind+" "+d.At), m.Rules.Template(view, d).Encode())
		}
	}
	return nil
}

type casePositionCommand struct {
	System   string            `arg:"" enum:"${rulesets}" help:"Game system: ${rulesets}."`
	Start    bool              `help:"Print the position after a set-up, instead of the form that all positions have."`
	Scenario string            `help:"The scenario of that set-up."`
	Option   map[string]string `help:"An option of that set-up, NAME=VALUE; may be given more than once."`
}

func (cmd casePositionCommand) Run(c *console) error {
	rules := rulesets[cmd.System]
	if cmd.Start || cmd.Scenario != "" || len(cmd.Option) > 0 {
		position, err := rules.New(engine.Setup{Scenario: cmd.Scenario, Options: cmd.Option})
		if err != nil {
			return err
		}
		text, err := position.Marshal()
		if err != nil {
			return err
		}
		_, err = c.out.Write(text)
		return err
	}
	former, ok := rules.(cases.Former)
	if !ok {
		return hinted{errors.New(cmd.System + " does not describe the form of its positions"),
			"berthier case position " + cmd.System + " --start prints one"}
	}
	_, err := io.WriteString(c.out, former.PositionForm())
	return err
}

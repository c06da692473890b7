package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"berthier/engine"
	"berthier/templates"
)

type rulesCommand struct {
	System   string   `arg:"" enum:"${rulesets}" help:"Game system: ${rulesets}."`
	Orders   bool     `help:"Print how the order files are written, stop by stop, instead of the clauses."`
	Language string   `enum:"en,it" default:"en" help:"The language of --orders: en or it."`
	List     string   `type:"existingfile" placeholder:"FILE" help:"Judge the army list of a file, or a whole book of lists, instead: what it costs, and all that is wrong with it. Beside the keys of an army it may have ap, max-train and max-barricades, as they were agreed."`
	StandsOn string   `placeholder:"LIST" help:"With --list: the list of the program's book on which the army stands, which says what it may prepare."`
	Clause   []string `arg:"" optional:"" help:"Clauses, such as NAP-5.5 or 5.5; 6.3 gives all clauses that begin with it. By default all are printed."`
}

func (cmd rulesCommand) Run(c *console) error {
	if cmd.List != "" {
		lister, ok := rulesets[cmd.System].(engine.Lister)
		if !ok {
			return fmt.Errorf("the armies of %s are not chosen from lists", cmd.System)
		}
		words, err := catalogue()
		if err != nil {
			return err
		}
		return judgeList(c.out, lister, words, cmd.List, cmd.StandsOn)
	}
	if cmd.Orders {
		if len(cmd.Clause) > 0 {
			return hinted{errors.New("--orders is about all stops, not about clauses"), "berthier rules " + cmd.System + " --orders"}
		}
		text, err := orderReference(rulesets[cmd.System], cmd.Language)
		if err != nil {
			return err
		}
		_, err = io.WriteString(c.out, text)
		return err
	}
	documented, ok := rulesets[cmd.System].(engine.Documented)
	if !ok {
		return fmt.Errorf("%s has no digest of its rules", cmd.System)
	}
	all := documented.Clauses()
	chosen := all
	if len(cmd.Clause) > 0 {
		chosen = nil
	}
	for _, id := range cmd.Clause {
		found := engine.FindClauses(all, id)
		if len(found) == 0 {
			return hinted{fmt.Errorf("there is no clause %q", id), "berthier rules " + cmd.System + " prints all clauses"}
		}
		chosen = append(chosen, found...)
	}
	chapter := ""
	for _, clause := range chosen {
		if clause.Chapter != chapter {
			if chapter != "" {
				fmt.Fprintln(c.out)
			}
			chapter = clause.Chapter
			fmt.Fprintf(c.out, "%s\n", chapter)
		}
		if _, err := fmt.Fprintf(c.out, "\n%s\n%s", clause.ID, wrapped(clause.Text, "  ", 78)); err != nil {
			return err
		}
	}
	return nil
}

// judgeList prints what an army list costs, and what is odd about it. The error holds all that is
// wrong with it.
func judgeList(out io.Writer, lister engine.Lister, words *templates.Words, file, base string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	told, remarks, faults := lister.JudgeList(data, base)
	for _, p := range told {
		fmt.Fprintln(out, words.Say("en", p, plainName))
	}
	for _, p := range remarks {
		line := words.Say("en", p.Why, plainName)
		if p.Line > 0 {
			line = fmt.Sprintf("line %d, column %d: %s", p.Line, p.Column, line)
		}
		fmt.Fprintf(out, "odd: %s [%s]\n", line, p.Clause)
	}
	if len(faults) > 0 {
		return faults
	}
	return nil
}

// wrapped breaks a text between words into indented lines of at most so many letters, if
// the words are short enough.
func wrapped(text, indent string, width int) string {
	var out strings.Builder
	at := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case at == 0:
			out.WriteString(indent)
			at = len(indent)
		case at+1+n > width:
			out.WriteString("\n" + indent)
			at = len(indent)
		default:
			out.WriteByte(' ')
			at++
		}
		out.WriteString(word)
		at += n
	}
	if at > 0 {
		out.WriteByte('\n')
	}
	return out.String()
}

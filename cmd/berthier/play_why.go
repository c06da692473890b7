package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"berthier/mail"
	"berthier/orders/phrase"
)

// eventLine is the first line of an event in a report, and clauseMark what says by which rules
// it came about.
var (
	eventLine  = regexp.MustCompile(`^[ !]{0,5}(\d+)\. `)
	clauseMark = regexp.MustCompile(`\[([A-Z]{3}-[^\]]+)\]`)
)

// why tells a clause of the rules, or the rules behind an event of a report.
func (s *sitting) why(c *console, question string) error {
	clauses := strings.Fields(question)
	if n, err := strconv.Atoi(strings.TrimSpace(question)); err == nil {
		event, err := s.event(n)
		if err != nil {
			return err
		}
		if event == "" {
			_, err := fmt.Fprintln(c.out, s.say("no-event", phrase.Number("n", n)))
			return err
		}
		fmt.Fprintln(c.out, event)
		clauses = nil
		for _, mark := range clauseMark.FindAllStringSubmatch(event, -1) {
			for _, clause := range strings.FieldsFunc(mark[1], func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }) {
				if !slices.Contains(clauses, clause) {
					clauses = append(clauses, clause)
				}
			}
		}
		if len(clauses) == 0 {
			_, err := fmt.Fprintln(c.out, s.say("no-rule"))
			return err
		}
	}
	if err := (rulesCommand{System: s.rules.About().ID, Clause: clauses}).Run(c); err != nil {
		fmt.Fprintln(c.out, explain(err))
	}
	return nil
}

// event is what the player's reports say of the event of that number; "" if none does.
func (s *sitting) event(number int) (string, error) {
	kept, err := filepath.Glob(filepath.Join(s.folder, "letters", "*-to-player.eml"))
	if err != nil {
		return "", err
	}
	for _, path := range slices.Backward(kept) {
		raw, err := os.ReadFile(path)
		if err != nil {
			return "", fmt.Errorf("read letter: %w", err)
		}
		letter, err := mail.ReadKept(raw)
		if err != nil {
			return "", fmt.Errorf("read letter %s: %w", path, err)
		}
		if event := eventIn(quotedText(letter), number); event != "" {
			return event, nil
		}
	}
	return "", nil
}

// eventIn finds an event in the text of a report: from its number to the next one, or to the
// end of its paragraph. An event that names no rule has that of the one before, which reports
// don't repeat; what stands before all rules, such as a step of how to answer, is none.
func eventIn(text string, number int) string {
	var event []string
	rule := "" // the last one that was named
	end := func() string {
		said := strings.Join(event, "\n")
		if event = nil; said == "" || rule == "" || clauseMark.MatchString(said) {
			return said
		}
		return said + " " + rule
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		found := eventLine.FindStringSubmatch(line)
		if len(event) > 0 && (found != nil || !strings.HasPrefix(line, "  ")) {
			if said := end(); clauseMark.MatchString(said) {
				return said
			}
		}
		switch {
		case found != nil && found[1] == strconv.Itoa(number):
			event = []string{line}
		case len(event) > 0:
			event = append(event, line)
		case !strings.HasPrefix(strings.TrimSpace(line), "#"): // no fault of an order file
			rule = firstOf(clauseMark.FindString(line), rule)
		}
	}
	if said := end(); clauseMark.MatchString(said) {
		return said
	}
	return ""
}

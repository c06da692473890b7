package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"berthier/engine"
)

// ask lets the player write his orders: in his editor, or line by line. It gives the order
// file; [errLeft] means that he leaves.
func (s *sitting) ask(ctx context.Context, c *console, in *bufio.Scanner, terminal bool) (string, error) {
	editor := firstOf(os.Getenv("VISUAL"), os.Getenv("EDITOR"))
	for {
		var file string
		var err error
		if editor != "" && terminal && len(s.ways) == 0 {
			file, err = s.edited(editor, c, in)
		} else {
			file, err = s.typed(ctx, c, in)
		}
		if err != nil {
			return "", err
		}
		sure, err := s.sure(ctx, c, in, file)
		if err != nil {
			return "", err
		}
		if sure {
			return file, nil
		}
	}
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// edited opens the order file in an editor. An empty file leaves the game, and one that was
// not changed is asked about once.
func (s *sitting) edited(editor string, c *console, in *bufio.Scanner) (string, error) {
	path := s.path(ordersName)
	command := strings.Fields(editor)
	edit := exec.Command(command[0], append(command[1:], path)...)
	edit.Stdin, edit.Stdout, edit.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := edit.Run(); err != nil {
		return "", hinted{fmt.Errorf("edit %s with %s: %w", path, editor, err), "set VISUAL or EDITOR to an editor, or unset both to write line by line"}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read orders: %w", err)
	}
	text := string(data)
	switch strings.TrimSpace(text) {
	case "", "quit":
		return "", errors.Join(errLeft, writeWhole(path, []byte(s.draft)))
	}
	if text == s.draft {
		question := "Nothing was changed: send the default? [Y/n] "
		faulty, err := s.faulty()
		if faulty {
			question = "Nothing was changed, and the file has faults still: open it again? [Y/n] "
		}
		if err != nil {
			return "", err
		}
		yes, err := confirmed(c, in, question, true)
		if err != nil {
			return "", err
		}
		if !yes {
			return "", errLeft
		}
		if faulty {
			return s.edited(editor, c, in)
		}
	}
	return text, nil
}

// typedHelp is what a question mark at the prompt tells.
const typedHelp = `Write orders as in the order file, one line or several, and end them with an empty line:
  ok              sends the order file as it stands, unless it has faults still
  A, B            sends one of two files of a refusal
  default         sends what the deadline would mean
  - move: {...}   an order: the office adds the rest of the file
  ?               this list
  ?file           the order file
  ?report         the report again
  ?help           how to write to the office
  ?policies       what is answered for you without asking
  ?map            where the pictures lie
  ?why 32         the rules behind event 32 of your reports
  ?why NAP-6.4    a clause of the rules
  undo            drops the last line that you have typed
  quit            leaves; the game is kept
`

// questions are what may be asked at the prompt, with a question mark or as the first line.
var questions = []string{"file", "report", "help", "policies", "map", "why"}

// asks tells what a line at the prompt asks, if it is no order: with a question mark anywhere,
// without one as the first line alone.
func asks(line string, first bool) (string, bool) {
	line = strings.TrimSpace(line)
	if question, ok := strings.CutPrefix(line, "?"); ok {
		return question, true
	}
	word, _, _ := strings.Cut(strings.ToLower(line), " ")
	switch {
	case first && (strings.EqualFold(line, "help") || strings.EqualFold(line, "aiuto")):
		return "", true // the list, which names ?help
	case first && slices.Contains(questions, word) && (word == "why" || strings.EqualFold(line, word)):
		return line, true
	}
	return "", false
}

// inItalian are the words of the prompt as who plays in Italian types them. None of them is an
// order of any ruleset.
var inItalian = map[string]string{"predefinito": "default", "annulla": "undo", "esci": "quit"}

// typed reads orders line by line, up to an empty line.
func (s *sitting) typed(ctx context.Context, c *console, in *bufio.Scanner) (string, error) {
	var lines []string
	for {
		if len(lines) == 0 {
			fmt.Fprintf(c.out, "orders for stop %d, %s (? for help, ?file for what you may order)> ", s.stop, s.owes.Kind)
		} else {
			fmt.Fprint(c.out, "one more, or an empty line to send> ")
		}
		if !in.Scan() {
			if err := in.Err(); err != nil {
				return "", err
			}
			if len(lines) == 0 {
				fmt.Fprintln(c.out)
				return "", errLeft
			}
			return s.asFile(lines), nil
		}
		line := strings.TrimRight(in.Text(), " \t\r")
		word := strings.ToLower(strings.TrimSpace(line))
		if english := inItalian[word]; english != "" {
			word = english
		}
		if question, ok := asks(line, len(lines) == 0); ok {
			if err := s.tell(ctx, c, question); err != nil {
				return "", err
			}
			continue
		}
		switch {
		case word == "undo" && len(lines) == 0:
			fmt.Fprintln(c.out, "Nothing is typed yet. Orders that were sent are carried out and can't be taken back.")
		case word == "undo":
			fmt.Fprintf(c.out, "Dropped: %s\n", strings.TrimSpace(lines[len(lines)-1]))
			lines = lines[:len(lines)-1]
		case len(lines) == 0 && word == "":
		case len(lines) == 0 && word == "default":
			return s.blank, nil
		case len(lines) == 0 && s.ways[strings.ToUpper(word)] != "":
			return s.ways[strings.ToUpper(word)], nil
		case len(lines) == 0 && word == "ok" && len(s.ways) > 0:
			fmt.Fprintf(c.out, "Your file costs a die in one of two ways: answer with %s.\n", strings.Join(sortedKeys(s.ways), " or "))
		case len(lines) == 0 && word == "ok":
			faulty, err := s.faulty()
			if err != nil || !faulty {
				return s.draft, err
			}
			fmt.Fprintln(c.out, unconfirmed)
		case word == "quit" || word == "exit":
			return "", errLeft
		case word == "":
			return s.asFile(lines), nil
		default:
			lines = append(lines, line)
		}
	}
}

// faulty tells whether the order file in the folder would be refused as it stands: it is a file
// of the player's that has faults still, and so neither ok nor leaving it as it is sends anything.
// What the player never wrote, such as the default, must not be sent in its place.
func (s *sitting) faulty() (bool, error) {
	text, err := s.addressed(s.draft)
	if err != nil {
		return false, err
	}
	_, _, problems, err := s.office.Check(s.game, s.side, text)
	return len(problems) > 0, err
}

// unconfirmed is said where ok would send a file that has faults still.
const unconfirmed = `There is nothing to confirm: your file has faults that can't be mended for you, and
nothing was sent. They stand beneath their lines (?file shows it). Write the orders again, or
default to send what the deadline would mean.`

// topKey finds a key at the beginning of a line that stands at the top of an order file.
var topKey = regexp.MustCompile(`(?i)^(orders|ordini|standing|policies|direttive|ahead|draft|game|partita)\s*:`)

// asFile makes an order file of lines that were typed: what names no part of a file are the
// orders.
func (s *sitting) asFile(lines []string) string {
	text := strings.Join(lines, "\n") + "\n"
	if topKey.MatchString(lines[0]) || strings.HasPrefix(lines[0], "# =====") {
		return text
	}
	return "orders:\n  " + strings.Join(lines, "\n  ") + "\n"
}

// tell answers a question.
func (s *sitting) tell(ctx context.Context, c *console, question string) error {
	word, rest, _ := strings.Cut(strings.TrimSpace(question), " ")
	switch strings.ToLower(word) {
	case "", "?":
		_, err := io.WriteString(c.out, typedHelp)
		return err
	case "file":
		_, err := io.WriteString(c.out, s.draft)
		return err
	case "map":
		_, err := fmt.Fprintf(c.out, "%s shows the report with its pictures.\n", s.path("report.html"))
		return err
	case "why":
		return s.why(c, rest)
	case "report", "help", "policies", "status", "history":
		draft, ways := s.draft, s.ways
		if _, err := s.handIn(ctx, "command: "+strings.ToLower(word)+"\n"); err != nil {
			return err
		}
		s.draft, s.ways = draft, ways
		for _, l := range s.fresh {
			fmt.Fprintln(c.out, paint(l.shown(false), isTerminal(c.out)))
		}
		s.fresh = nil
		return writeWhole(s.path(ordersName), []byte(s.draft))
	}
	_, err := fmt.Fprintf(c.out, "There is no ?%s.\n%s", word, typedHelp)
	return err
}

// sure asks the player again if his orders are legal but odd.
func (s *sitting) sure(ctx context.Context, c *console, in *bufio.Scanner, file string) (bool, error) {
	cautious, ok := s.rules.(engine.Cautious)
	if !ok || s.owes == nil {
		return true, nil
	}
	text, err := s.addressed(file)
	if err != nil {
		return false, err
	}
	answer, _, problems, err := s.office.Check(s.game, s.side, text)
	if err != nil || len(problems) > 0 || answer == nil {
		return true, err // the office says what is wrong
	}
	odd := cautious.Cautions(s.view, *s.owes, answer)
	if len(odd) == 0 {
		return true, nil
	}
	fmt.Fprintln(c.out, "Legal, but odd:")
	for _, caution := range odd {
		fmt.Fprintf(c.out, "  - %s\n", s.office.words.Say("en", caution.Say, s.view.Spell))
	}
	for {
		fmt.Fprint(c.out, "Go on? [y/N/draft] ")
		if !in.Scan() {
			return false, errors.Join(in.Err(), errLeft)
		}
		switch strings.ToLower(strings.TrimSpace(in.Text())) {
		case "y", "yes":
			return true, nil
		case "", "n", "no":
			return false, nil
		case "draft", "d":
			if _, err := s.handIn(ctx, "draft: yes\nwhat-if: 100\n"+ordersOf(text)); err != nil {
				return false, err
			}
			if err := s.show(c, false); err != nil {
				return false, err
			}
		}
	}
}

// ordersOf is an order file without what marks its beginning and its end.
func ordersOf(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "# =====") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// confirmed asks a question that is answered by yes or no.
func confirmed(c *console, in *bufio.Scanner, question string, otherwise bool) (bool, error) {
	fmt.Fprint(c.out, question)
	if !in.Scan() {
		return false, errors.Join(in.Err(), errLeft)
	}
	switch strings.ToLower(strings.TrimSpace(in.Text())) {
	case "":
		return otherwise, nil
	case "y", "yes":
		return true, nil
	}
	return false, nil
}

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
	"berthier/orders/phrase"
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
		question := s.say("unchanged")
		faulty, err := s.faulty()
		if faulty {
			question = s.say("unchanged-faulty")
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

// helpRows are the rows of what a question mark at the prompt tells.
var helpRows = []string{"ok", "ways", "default", "order", "list", "file", "report", "help", "policies", "map", "event", "clause", "undo", "quit"}

// questions are what may be asked at the prompt, with a question mark or as the first line.
var questions = []string{"file", "report", "help", "policies", "map", "why"}

// asks tells what a line at the prompt asks, if it is no order: with a question mark anywhere,
// without one as the first line alone.
func asks(line string, first bool) (string, bool) {
	line = strings.TrimSpace(line)
	if question, ok := strings.CutPrefix(line, "?"); ok {
		return question, true
	}
	word, rest, _ := strings.Cut(line, " ")
	switch word = inEnglish(word); {
	case first && word == "help" && rest == "":
		return "", true // the list, which names ?help
	case first && slices.Contains(questions, word) && (word == "why" || rest == ""):
		return line, true
	}
	return "", false
}

// inItalian are the words of the prompt as who plays in Italian types them. None of them is an
// order of any ruleset.
var inItalian = map[string]string{
	"predefinito": "default", "annulla": "undo", "esci": "quit",
	"rapporto": "report", "aiuto": "help", "direttive": "policies", "mappa": "map", "perché": "why", "perche": "why",
	"stato": "status", "storia": "history", "bozza": "draft", "s": "yes", "sì": "yes", "si": "yes",
}

// inEnglish is a word of the prompt in English, in small letters.
func inEnglish(word string) string {
	word = strings.ToLower(strings.TrimSpace(word))
	return firstOf(inItalian[word], word)
}

// typed reads orders line by line, up to an empty line.
func (s *sitting) typed(ctx context.Context, c *console, in *bufio.Scanner) (string, error) {
	var lines []string
	for {
		if len(lines) == 0 {
			fmt.Fprint(c.out, s.say("prompt", phrase.Number("stop", s.stop), phrase.Name("kind", "stop", s.owes.Kind))+" ")
		} else {
			fmt.Fprint(c.out, s.say("more")+" ")
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
		word := inEnglish(line)
		if question, ok := asks(line, len(lines) == 0); ok {
			if err := s.tell(ctx, c, question); err != nil {
				return "", err
			}
			continue
		}
		switch {
		case word == "undo" && len(lines) == 0:
			fmt.Fprintln(c.out, s.say("undo-none"))
		case word == "undo":
			fmt.Fprintln(c.out, s.say("undone", phrase.Literal("line", strings.TrimSpace(lines[len(lines)-1]))))
			lines = lines[:len(lines)-1]
		case len(lines) == 0 && word == "":
		case len(lines) == 0 && word == "default":
			return s.blank, nil
		case len(lines) == 0 && s.ways[strings.ToUpper(word)] != "":
			return s.ways[strings.ToUpper(word)], nil
		case len(lines) == 0 && word == "ok" && len(s.ways) > 0:
			fmt.Fprintln(c.out, s.say("two-ways", phrase.Literals("ways", sortedKeys(s.ways))))
		case len(lines) == 0 && word == "ok":
			faulty, err := s.faulty()
			if err != nil || !faulty {
				return s.draft, err
			}
			fmt.Fprintln(c.out, s.say("nothing-to-confirm"))
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
	switch inEnglish(word) {
	case "", "?":
		_, err := fmt.Fprint(c.out, s.list("help", helpRows))
		return err
	case "file":
		_, err := io.WriteString(c.out, s.draft)
		return err
	case "map":
		return s.tellOf(c, "pictures", s.path("report.html"))
	case "why":
		return s.why(c, rest)
	case "report", "help", "policies", "status", "history":
		draft, ways := s.draft, s.ways
		if _, err := s.handIn(ctx, "command: "+inEnglish(word)+"\n"); err != nil {
			return err
		}
		s.draft, s.ways = draft, ways
		for _, l := range s.fresh {
			fmt.Fprintln(c.out, paint(l.shown(false), isTerminal(c.out)))
		}
		s.fresh = nil
		return writeWhole(s.path(ordersName), []byte(s.draft))
	}
	_, err := fmt.Fprint(c.out, s.say("no-question", phrase.Literal("word", word))+"\n"+s.list("help", helpRows))
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
	fmt.Fprintln(c.out, s.say("odd"))
	for _, caution := range odd {
		fmt.Fprintf(c.out, "  - %s\n", s.office.words.Say(s.language, caution.Say, s.view.Spell))
	}
	for {
		fmt.Fprint(c.out, s.say("go-on")+" ")
		if !in.Scan() {
			return false, errors.Join(in.Err(), errLeft)
		}
		switch inEnglish(in.Text()) {
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
	fmt.Fprint(c.out, question+" ")
	if !in.Scan() {
		return false, errors.Join(in.Err(), errLeft)
	}
	switch inEnglish(in.Text()) {
	case "":
		return otherwise, nil
	case "y", "yes":
		return true, nil
	}
	return false, nil
}

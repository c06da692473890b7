package intake

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"berthier/adjudicator/log"
	"berthier/mail"
)

var (
	hashDigits  = regexp.MustCompile(`^[0-9a-f]{16,64}$`)
	entryDigits = regexp.MustCompile(`^[1-9][0-9]{0,18}$`)
	diceDigits  = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// errFoot: the field is not as the office writes it.
var errFoot = errors.New("the field " + mail.EntryHeader + " can't be read")

// ReadFoot reads what [writeFoot] wrote.
func ReadFoot(value string) (*log.Foot, error) {
	words := strings.Split(value, "; ")
	f := &log.Foot{Game: words[0]}
	if !GameID.MatchString(f.Game) {
		return nil, errFoot
	}
	for _, word := range words[1:] {
		name, text, _ := strings.Cut(word, "=")
		switch {
		case name == "hash" && f.Hash == "" && hashDigits.MatchString(text):
			f.Hash = text
		case name == "entry" && f.Entry == 0 && entryDigits.MatchString(text):
			n, err := strconv.Atoi(text)
			if err != nil {
				return nil, errFoot
			}
			f.Entry = n
		case name == "dice" && diceDigits.MatchString(text):
			f.Dice = append(f.Dice, text)
		default:
			return nil, errFoot
		}
	}
	if f.Hash == "" {
		return nil, errFoot
	}
	return f, nil
}

// footRule is the line above the foot of a text.
var footRule = strings.Repeat("-", 72)

// footLine is the first line of a foot, in any language.
var footLine = regexp.MustCompile(`^\S+ (\S+), \S+(?: · [^·]*?([0-9]+))?(?: · \S+ ([0-9a-f]{16,64}))( |$)`)

// FootOf reads the foot of a letter's text: what stands below its last rule or, if a
// program has kept only the HTML, its last line but one. It is nil if there is no foot.
func FootOf(l *mail.Letter) *log.Foot {
	text := func(kind mail.PartKind) (string, bool) {
		i := slices.IndexFunc(l.Parts, func(p mail.Part) bool { return p.Kind == kind })
		if i < 0 {
			return "", false
		}
		return l.Parts[i].Text, true
	}
	foot := ""
	if plain, ok := text(mail.Plain); ok {
		lines := strings.Split(plain, "\n")
		for i := len(lines) - 1; i >= 0; i-- {
			if strings.TrimRight(lines[i], " \r") == footRule {
				foot = strings.Join(strings.Fields(strings.Join(lines[i+1:], " ")), " ")
				break
			}
		}
	} else if html, ok := text(mail.HTML); ok {
		lines := slices.DeleteFunc(strings.Split(html, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
		if len(lines) > 1 {
			foot = strings.TrimSpace(lines[len(lines)-2])
		}
	}
	found := footLine.FindStringSubmatch(foot)
	if found == nil {
		return nil
	}
	f := &log.Foot{Game: found[1], Hash: found[3]}
	if found[2] != "" {
		n, err := strconv.Atoi(found[2])
		if err != nil {
			return nil
		}
		f.Entry = n
	}
	return f
}

// diceIn finds what a report from the time before the header field publishes about the dice:
// a seed, or its SHA-256, as a paragraph of its own. What players write never stands in such
// a paragraph.
func diceIn(l *mail.Letter) []string {
	var all []string
	for _, p := range l.Parts {
		if p.Kind != mail.Plain {
			continue
		}
		lines := strings.Split(p.Text, "\n")
		for i, line := range lines {
			sum, ok := strings.CutPrefix(strings.TrimRight(line, " \r"), "    ")
			if ok && diceDigits.MatchString(sum) && i > 0 && strings.TrimSpace(lines[i-1]) == "" {
				all = append(all, sum)
			}
		}
	}
	return all
}

// Logged reads what a letter says about a game's log and dice: from the field of the
// header if it has one, otherwise from its foot. It is nil if the letter says nothing about
// that game. The error says what does not fit in the letter itself.
func Logged(l *mail.Letter, game string) (*log.Foot, error) {
	below := FootOf(l)
	if below != nil && below.Game != game {
		below = nil
	}
	switch len(l.Entries) {
	case 0:
		if below != nil {
			below.Dice = diceIn(l)
		}
		return below, nil
	case 1:
	default:
		return nil, fmt.Errorf("it has %d fields %s", len(l.Entries), mail.EntryHeader)
	}
	f, err := ReadFoot(l.Entries[0])
	if err != nil {
		return nil, err
	}
	if below == nil && f.Game != game {
		return nil, nil
	}
	if below != nil && (below.Game != f.Game || below.Hash != f.Hash || below.Entry != f.Entry) {
		return f, fmt.Errorf("its foot and its field %s name other entries", mail.EntryHeader)
	}
	text := TextOf(l)
	for _, sum := range f.Dice {
		if !strings.Contains(text, sum) {
			return f, fmt.Errorf("its text does not have the %s… of its field %s", sum[:log.LeastFoot], mail.EntryHeader)
		}
	}
	return f, nil
}

// TextOf is the whole text of a letter.
func TextOf(l *mail.Letter) string {
	var all []string
	for _, p := range l.Parts {
		all = append(all, p.Text)
	}
	return strings.Join(all, "\n")
}

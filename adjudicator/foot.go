package adjudicator

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"berthier/adjudicator/log"
	"berthier/mail"
	"berthier/templates"
)

// The foot of a letter: where the log stood. It is written twice, for people below the
// last line of the text, and for programs in a field of the header. A letter may hold
// what somebody else wrote, as press does, and that may look like a foot; so nothing
// else of a letter is ever read for one.

// leastFoot is how many digits of a hash a foot has at least.
const leastFoot = 16

// writeFoot is a foot as the header has it: lot-1; hash=0123...; entry=214; dice=4567...
func writeFoot(f *templates.Foot) string {
	if f == nil {
		return ""
	}
	words := []string{f.Game, "hash=" + f.Hash}
	if f.Entry > 0 {
		words = append(words, "entry="+strconv.Itoa(f.Entry))
	}
	for _, sum := range f.Dice {
		words = append(words, "dice="+sum)
	}
	return strings.Join(words, "; ")
}

var (
	hashDigits  = regexp.MustCompile(`^[0-9a-f]{16,64}$`)
	entryDigits = regexp.MustCompile(`^[1-9][0-9]{0,18}$`)
	diceDigits  = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// errFoot: the field is not as the office writes it.
var errFoot = errors.New("the field " + mail.EntryHeader + " can't be read")

// readFoot reads what [writeFoot] wrote.
func readFoot(value string) (*templates.Foot, error) {
	words := strings.Split(value, "; ")
	f := &templates.Foot{Game: words[0]}
	if !gameID.MatchString(f.Game) {
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

// footOf reads the foot of a letter's text: what stands below its last rule or, where a
// program has kept nothing but the HTML, its last but one line. Nil: there is none.
func footOf(l *mail.Letter) *templates.Foot {
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
	f := &templates.Foot{Game: found[1], Hash: found[3]}
	if found[2] != "" {
		n, err := strconv.Atoi(found[2])
		if err != nil {
			return nil
		}
		f.Entry = n
	}
	return f
}

// diceIn finds what a report from before there was the field publishes of the dice: a
// seed, or its SHA-256, set apart as a paragraph of its own. What players write is never
// set so.
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

// logged reads of a letter what it says of a game's log and dice: from the field of the
// header if it has one, else from its foot. Nil: it says nothing of that game. The error
// says what does not fit in the letter itself.
func logged(l *mail.Letter, game string) (*templates.Foot, error) {
	below := footOf(l)
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
	f, err := readFoot(l.Entries[0])
	if err != nil {
		return nil, err
	}
	if below == nil && f.Game != game {
		return nil, nil
	}
	if below != nil && (below.Game != f.Game || below.Hash != f.Hash || below.Entry != f.Entry) {
		return f, fmt.Errorf("its foot and its field %s name other entries", mail.EntryHeader)
	}
	text := textOf(l)
	for _, sum := range f.Dice {
		if !strings.Contains(text, sum) {
			return f, fmt.Errorf("its text does not have the %s… of its field %s", sum[:leastFoot], mail.EntryHeader)
		}
	}
	return f, nil
}

// VerifyLetters compares the letters that a player got, as raw mail by the name of
// their file, with an export: the hash at the foot of each must be one of the log's,
// with its number where that is told, and what was published of the dice must be what
// the log says. So a log that was made up anew shows, whoever made it up. Letters of
// other games, and those that name no entry of a log, are passed over.
func VerifyLetters(x *Export, letters map[string][]byte) Check {
	c := Check{What: "letters whose hashes are in the log"}
	published := map[string]bool{x.Commitment: true}
	for _, seed := range x.Seeds {
		published[seed] = true
	}
	_, entries := checkChain(x)
	for _, sum := range commitments(entries) {
		published[sum] = true
	}
	var made log.Made // letters of games that were begun before tell sixteen digits
	seals := len(entries) > 0 && json.Unmarshal(entries[0].data, &made) == nil && made.DiceScheme() != log.FirstScheme
	lostTimes := lostTimesOf(x)
	for _, name := range sortedNames(letters) {
		letter, err := mail.Read(letters[name], mail.Own{})
		if err != nil {
			c.fault("%s can't be read: %v", name, err)
			continue
		}
		f, err := logged(letter, x.Game)
		if f == nil && err == nil {
			continue
		}
		c.Count++
		if err != nil {
			c.fault("%s: %v", name, err)
		}
		if f == nil {
			continue
		}
		if seals && len(f.Hash) < 2*leastFoot {
			c.fault("%s: its hash %s is too short to bind the office: letters of this game tell %d digits", name, f.Hash, 2*leastFoot)
		}
		n := x.entryOf(f.Hash)
		if n == 0 {
			if says, lost := lostLetter(lostTimes, name, letter, uint64(f.Entry)); lost {
				c.Lost = append(c.Lost, says)
				continue
			}
			c.fault("%s: its hash %s is not in the log", name, f.Hash)
		} else if f.Entry != 0 && uint64(f.Entry) != n {
			c.fault("%s: its hash %s is not that of entry %d", name, f.Hash, f.Entry)
		}
		for _, sum := range f.Dice {
			if !published[sum] {
				c.fault("%s: the log knows nothing of %s…", name, sum[:leastFoot])
			}
		}
	}
	return c
}

// entryOf finds the entry whose hash begins so; 0 if there is none.
func (x *Export) entryOf(hash string) uint64 {
	for _, e := range x.Entries {
		if strings.HasPrefix(e.Hash, hash) {
			return e.N
		}
	}
	return 0
}

// textOf is all text of a letter.
func textOf(l *mail.Letter) string {
	var all []string
	for _, p := range l.Parts {
		all = append(all, p.Text)
	}
	return strings.Join(all, "\n")
}

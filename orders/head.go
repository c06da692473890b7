package orders

import (
	"strings"

	"berthier/orders/phrase"
)

// The head of a file that its sender wrote above the letter that he quotes: what he left out of
// it stands in the quoted file.

// headOf names the lines of a head that a file takes from the one that the letter quotes. A
// command answers no stop, and where it names one it means to be stopped by it.
func (f Found) headOf() []string {
	if f.keys["command"] && !f.says() {
		return []string{"game", "side", "key"}
	}
	return []string{"game", "side", "stop", "key", "serial"}
}

// headed is a file with the lines of its head that its sender left out, as they stand in the
// file of the office that the letter quotes: for whoever writes `command: rules` above a report
// has said for which game, and the key below it proves as much as in a file that is quoted
// whole. Nothing is taken if the sender's own lines name a key, another game or another
// side, nor if the letter quotes files of several heads: which of them is meant is for the
// sender to say.
func (f Found) headed(all []Found) Found {
	if f.Quoted || f.How == Attached || f.keys["key"] || strings.HasPrefix(strings.TrimSpace(f.Text), "{") {
		return f
	}
	head := quotedHead(all)
	if head == nil {
		return f
	}
	own, _ := Parse(f.Text, nil)
	var lines []string
	for _, key := range f.headOf() {
		is, was := head.Field(key), own.Field(key)
		switch {
		case is == nil:
		case was == nil:
			lines = append(lines, key+": "+scalar(is.Text, false))
		case was.Text != is.Text:
			return f
		}
	}
	text := strings.TrimLeft(f.Text, "\n")
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	if len(lines) == 0 {
		return f
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	f.taken = &Repair{Line: 1, Was: short(first), ReadAs: told(lines) + short(first), Why: phrase.Say("order.repair-head")}
	f.Text = indent + strings.Join(lines, "\n"+indent) + "\n" + text
	return f
}

// told are the lines of a head as the confirmation shows them: the key is nobody's to repeat.
func told(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		if strings.HasPrefix(line, "key: ") {
			line = "key: ..."
		}
		b.WriteString(line + " / ")
	}
	return b.String()
}

// quotedHead reads the file of the office that a letter quotes; nil if it quotes none with a
// key, or several with different heads.
func quotedHead(all []Found) *Document {
	var head *Document
	for _, f := range all[:min(len(all), mostFound)] {
		if !f.Quoted || f.How != Marked || !f.keys["key"] {
			continue
		}
		d, _ := Parse(f.Text, nil)
		if head != nil && !sameHead(head, d) {
			return nil
		}
		head = d
	}
	return head
}

// sameHead tells whether two files are for the same stop of the same seat.
func sameHead(a, b *Document) bool {
	for _, key := range []string{"game", "side", "stop", "key", "serial"} {
		x, y := a.Field(key), b.Field(key)
		if (x == nil) != (y == nil) || x != nil && x.Text != y.Text {
			return false
		}
	}
	return true
}

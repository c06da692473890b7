package orders

import "strings"

// mangle does to a file what a word processor does.
func mangle(text string) string {
	return strings.NewReplacer("  - ", "  – ", "F-0", "F–0", ": ", ":\u00a0", "\n", "\r\n").Replace(text)
}

// quoteMail puts a mark of quoting before each line.
func quoteMail(text, mark string) string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	for i, l := range lines {
		if l == "\n" {
			lines[i] = strings.TrimRight(mark, " ") + l
		} else {
			lines[i] = mark + l
		}
	}
	return strings.Join(lines, "")
}

// wrapMail breaks lines at a width as a mail program does, at spaces, without
// indenting the rest.
func wrapMail(text string, width int) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		for len(line) > width {
			at := strings.LastIndexByte(line[:width+1], ' ')
			if at <= len(line)-len(strings.TrimLeft(line, " ")) {
				break
			}
			out = append(out, line[:at])
			line = line[at+1:]
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

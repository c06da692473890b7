package mail

import "strings"

// unflow undoes format=flowed (RFC 3676): a line that ends in a space goes on
// in the next one of the same quoting depth. With delsp, that space was put
// there by the sender's program and goes. Quote marks come out as "> ".
func unflow(s string, delsp bool) string {
	var out strings.Builder
	out.Grow(len(s))
	var para strings.Builder // the paragraph being joined
	open, depth := false, 0
	flush := func() {
		if !open {
			return
		}
		if depth > 0 {
			out.WriteString(strings.Repeat(">", depth))
			out.WriteByte(' ')
		}
		out.WriteString(para.String())
		out.WriteByte('\n')
		para.Reset()
		open = false
	}
	s = strings.TrimSuffix(s, "\n")
	for len(s) > 0 || open {
		if len(s) == 0 {
			flush()
			break
		}
		line, rest, more := strings.Cut(s, "\n")
		s = rest
		d := 0
		for d < len(line) && line[d] == '>' {
			d++
		}
		line = line[d:]
		line = strings.TrimPrefix(line, " ") // space-stuffing
		if d > 100 {
			d = 100
		}
		if open && d != depth {
			flush()
		}
		depth = d
		signature := line == "-- "
		if signature {
			flush()
		}
		flows := strings.HasSuffix(line, " ") && !signature
		if flows && delsp {
			line = line[:len(line)-1]
		}
		para.WriteString(line)
		open = true
		if !flows || !more {
			flush()
		}
		if !more {
			break
		}
	}
	return out.String()
}

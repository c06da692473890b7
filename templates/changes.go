package templates

import "strings"

// A changeLine is a line of a comparison: taken away '-', added '+', or kept ' '.
type changeLine struct {
	sign byte
	text string
}

// changes compares two texts line by line and gives what differs, with a line
// before and after; nothing if they are equal.
func changes(before, after string) []changeLine {
	if before == after {
		return nil
	}
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	// The common start and end need no comparing, and what lies between is
	// bounded: beyond the bound all of it is shown as replaced.
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	x, y := a[start:len(a)-end], b[start:len(b)-end]
	var all []changeLine
	for _, line := range a[:start] {
		all = append(all, changeLine{' ', line})
	}
	const most = 1 << 20
	if len(x)*len(y) > most {
		for _, line := range x {
			all = append(all, changeLine{'-', line})
		}
		for _, line := range y {
			all = append(all, changeLine{'+', line})
		}
	} else {
		all = append(all, longestCommon(x, y)...)
	}
	for _, line := range a[len(a)-end:] {
		all = append(all, changeLine{' ', line})
	}
	var out []changeLine
	for i, line := range all {
		near := i > 0 && all[i-1].sign != ' ' || i+1 < len(all) && all[i+1].sign != ' '
		if line.sign != ' ' || near {
			out = append(out, line)
		}
	}
	return out
}

// longestCommon compares line by line, keeping as many lines as can be kept.
func longestCommon(x, y []string) []changeLine {
	kept := make([][]int, len(x)+1) // kept[i][j]: most lines to keep of x[i:] and y[j:]
	for i := range kept {
		kept[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				kept[i][j] = kept[i+1][j+1] + 1
			} else {
				kept[i][j] = max(kept[i+1][j], kept[i][j+1])
			}
		}
	}
	var out []changeLine
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			out = append(out, changeLine{' ', x[i]})
			i, j = i+1, j+1
		case j == len(y) || i < len(x) && kept[i+1][j] >= kept[i][j+1]:
			out = append(out, changeLine{'-', x[i]})
			i++
		default:
			out = append(out, changeLine{'+', y[j]})
			j++
		}
	}
	return out
}

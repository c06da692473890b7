package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// progress shows how far long work is: one line that changes on a terminal,
// a line for each new turn otherwise.
type progress struct {
	mu       sync.Mutex
	out      io.Writer
	terminal bool
	turn     int
	width    int
	start    time.Time
}

func newProgress(out io.Writer) *progress {
	p := &progress{out: out, start: time.Now()}
	if f, ok := out.(*os.File); ok {
		if info, err := f.Stat(); err == nil {
			p.terminal = info.Mode()&os.ModeCharDevice != 0
		}
	}
	return p
}

// show tells the number of the turn, how many letters there are, and what the
// turn is called.
func (p *progress) show(turn, letters int, title string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := fmt.Sprintf("turn %d, %d letters, %s: %s", turn, letters, time.Since(p.start).Round(time.Second), title)
	if p.terminal {
		pad := max(0, p.width-len(line))
		p.width = len(line)
		fmt.Fprintf(p.out, "\r%s%s", line, strings.Repeat(" ", pad))
		return
	}
	if turn > p.turn {
		fmt.Fprintln(p.out, line)
	}
	p.turn = max(p.turn, turn)
}

// end leaves the line.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.terminal && p.width > 0 {
		fmt.Fprintln(p.out)
	}
}

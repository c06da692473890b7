package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// progress shows how far long work has got: on a terminal by one line that changes;
// elsewhere, for a game, by a line for each new turn.
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
		p.write(line)
		return
	}
	if turn > p.turn {
		fmt.Fprintln(p.out, line)
	}
	p.turn = max(p.turn, turn)
}

// count tells how many of some things are done, on a terminal only.
func (p *progress) count(done, all int, title string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.terminal {
		p.write(fmt.Sprintf("%d of %d, %s: %s", done, all, time.Since(p.start).Round(time.Second), title))
	}
}

// write puts a line in the place of the last one.
func (p *progress) write(line string) {
	pad := max(0, p.width-len(line))
	p.width = len(line)
	fmt.Fprintf(p.out, "\r%s%s", line, strings.Repeat(" ", pad))
}

// wipe removes the line, since what is printed next goes to the same terminal.
func (p *progress) wipe() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.terminal && p.width > 0 {
		p.write("")
		fmt.Fprint(p.out, "\r")
		p.width = 0
	}
}

// end leaves the line as it is.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.terminal && p.width > 0 {
		fmt.Fprintln(p.out)
	}
}

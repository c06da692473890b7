package adjudicator

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/playout"
	"berthier/mail"
)

// A heldAhead is what waits for each seat at a stop: all that its file says, and below that a
// line for each part of it that still waits.
type heldAhead map[engine.Side][]string

// waiting is what waits for each seat now, with what is left of it.
func (h *match) waiting() heldAhead {
	h.Helper()
	all := heldAhead{}
	sheet, _ := ahead.Sheet(h.rules)
	for _, s := range h.record(h.id).Seats {
		if s.Ahead != nil {
			all[s.Side] = append([]string{s.Ahead.Text}, s.Ahead.Shown(sheet)...)
		}
	}
	return all
}

// playAhead plays so many letters, each of which files ahead what its side may be asked in
// the row of its own stops, and gives what waited when each stop opened that somebody was
// asked by letter. It goes on until a stop has just opened: what half of those who are asked
// at once have answered is not kept when the game goes back.
func (h *match) playAhead(letters int) map[int]heldAhead {
	h.Helper()
	files, waited := playout.Ahead(engine.Ruleset.Sensible, nil), map[int]heldAhead{}
	for n := 0; ; n++ {
		g := h.record(h.id)
		if n >= letters && !slices.ContainsFunc(g.Seats, func(s *game.Seat) bool { return s.Owes != nil && s.Owes.Answer != nil }) {
			break
		}
		i := slices.IndexFunc(g.Seats, func(s *game.Seat) bool { return s.Owes != nil && s.Owes.Answer == nil })
		if g.Phase != game.Running || i < 0 {
			break
		}
		if waited[g.Stop] == nil {
			waited[g.Stop] = h.waiting()
		}
		o := g.Seats[i].Owes
		view := h.position().View(o.Decision.Side)
		a := h.rules.Sensible(view, o.Decision, h.chance)
		var head []string
		if filed := files(h.rules, view, o.Decision, a, h.chance); filed != "" {
			head = append(head, "ahead:\n  "+strings.ReplaceAll(strings.TrimSpace(filed), "\n", "\n  "))
		}
		h.clock.move(time.Minute)
		h.write(mailboxOf(o.Decision.Side), h.order(o.Decision.Side, a, head...), mail.Processed)
	}
	return waited
}

// checks verifies what the game master may export of a game.
func (h *match) checks() {
	h.Helper()
	v := h.verify(h.export(h.id, engine.GM))
	for _, c := range v.Checks {
		if len(c.Wrong) > 0 {
			h.Errorf("%s: %q", c.What, c.Wrong)
		}
	}
	if len(v.Differ) > 0 {
		h.Errorf("the log differs: %q", v.Differ)
	}
}

// TestAheadAndRewindInEachGame plays a game of every ruleset in which each file files ahead
// what may follow, and lets its game master go back to each stop. With the orders of then the
// game comes to the same dice, events and position, byte for byte, and what waits at its end
// waits again: parts that were filed before the stop and after it. With new orders what waited
// at the stop waits there again, its player is told so, and nothing has answered in his place.
func TestAheadAndRewindInEachGame(t *testing.T) {
	if raceEnabled {
		return // whole games by letter: the run without the race detector plays them
	}
	for _, m := range matches {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			h := sit(t, m.rules, m.options, m.sides, masterOfHisOwn+"pace: every-decision\nsecond-thoughts: none\n")
			waited := h.playAhead(m.stops + 8)
			end := h.waiting()
			_, all := h.resolutions(h.id)
			byAhead := 0
			for _, r := range all {
				for _, a := range r.Answers {
					if a.By == log.ByAhead {
						byAhead++
					}
				}
			}
			later := func(stop int) bool { // something waited when somebody was asked
				return len(waited[stop]) > 0
			}
			if byAhead == 0 {
				t.Fatalf("%d stops, and nothing that was filed ahead has answered one", len(all))
			}
			stops := []int{}
			for stop := range waited {
				if stop <= len(all) {
					stops = append(stops, stop)
				}
			}
			slices.Sort(stops)
			if !slices.ContainsFunc(stops, later) {
				t.Fatal("nothing waited at any stop")
			}
			slices.Reverse(stops)
			first, last, between := stops[0], stops[len(stops)-1], slices.DeleteFunc(slices.Clone(stops[1:len(stops)-1]), func(s int) bool { return !later(s) })
			stops = []int{first, between[0]}
			if fullSamples { // each fourth: what is played on from each grows with the game, and TestAheadAndRewindToEachStop goes back to each
				for i := 4; i < len(between); i += 4 {
					stops = append(stops, between[i])
				}
				stops = append(stops, last)
			}
			for _, stop := range stops {
				h.back(stop, "orders: same")
				h.sameAs(all, end, stop)
				h.checks()
			}
			for _, stop := range stops {
				h.back(stop)
				h.backAt(stop, waited[stop])
				h.checks()
			}
		})
	}
}

// sameAs holds that a game which was taken back to a stop with the orders of then has come to
// the same again.
func (h *match) sameAs(all []log.Resolved, end heldAhead, stop int) {
	h.Helper()
	_, again := h.resolutions(h.id)
	if len(again) != len(all) {
		h.Fatalf("back at stop %d the game came to %d stops and not to %d", stop, len(again), len(all))
	}
	for i := range all {
		one, _ := json.Marshal([]any{all[i].Rolls, all[i].Events, all[i].Orders, all[i].Position})
		two, _ := json.Marshal([]any{again[i].Rolls, again[i].Events, again[i].Orders, again[i].Position})
		if string(one) != string(two) {
			h.Fatalf("back at stop %d, stop %d went otherwise:\n%s\n%s", stop, i+1, one, two)
		}
		for j, a := range all[i].Answers {
			if b := again[i].Answers[j]; (a.By == log.ByAhead) != (b.By == log.ByAhead) {
				h.Errorf("back at stop %d, stop %d was answered by %q and not by %q", stop, i+1, b.By, a.By)
			}
		}
	}
	if got := h.waiting(); !reflect.DeepEqual(got, end) {
		h.Errorf("back at stop %d with the same orders there waits in the end\n%v\nand not\n%v", stop, got, end)
	}
}

// backAt holds that what waited at a stop waits there again, with what was found there not to
// fit; that nothing has answered it; and that whoever has something waiting is told so.
func (h *match) backAt(stop int, waited heldAhead) {
	h.Helper()
	got := h.waiting()
	for side, was := range waited {
		if len(got[side]) == 0 || got[side][0] != was[0] || slices.ContainsFunc(was[1:], func(part string) bool { return !slices.Contains(got[side], part) }) {
			h.Errorf("back at stop %d there waits for %s\n%q\nand not\n%q", stop, side, got[side], was)
		}
	}
	if len(got) != len(waited) {
		h.Errorf("back at stop %d there waits\n%v\nand not\n%v", stop, got, waited)
	}
	for _, s := range h.record(h.id).Seats {
		if s.Owes != nil && s.Owes.Answer != nil {
			h.Errorf("back at stop %d %s has answered by %q", stop, s.Side, s.Owes.Answer.By)
		}
		if s.Ahead == nil || s.Owes == nil {
			continue
		}
		if text := spaced(h.last(mailboxOf(s.Side))); !strings.Contains(text, "In force again of what you had filed ahead") && !strings.Contains(text, "Di nuovo in vigore") {
			h.Errorf("back at stop %d %s is not told what of his waits again:\n%s", stop, s.Side, text)
		}
	}
}

// aheadLine is an example of a question that follows, as it stands in an order file.
var aheadLine = regexp.MustCompile(`(?m)^      # (- do: .*)$`)

// TestTheSameQuestionAgainIsAnsweredByALine plays games of every ruleset in which each decision
// is asked. Where a question comes again as long as its player does something, such as a window
// of artillery after a shot, his order file has lines for the next time: each of them, uncommented
// alone, makes a legal file; with something done at this stop it answers the next one; and the
// file as it stands files nothing.
func TestTheSameQuestionAgainIsAnsweredByALine(t *testing.T) {
	if raceEnabled {
		return // whole games by letter: the run without the race detector plays them
	}
	found, most := map[string]int{}, 1
	if fullSamples {
		most = 2
	}
	for _, m := range slices.Backward(matches) {
		if len(found) > 0 && !fullSamples {
			break
		}
		h := sit(t, m.rules, m.options, m.sides, masterOfHisOwn+"pace: every-decision\nsecond-thoughts: none\n")
		for stop := 0; stop < 40 && found[m.name] < most; stop++ {
			position := h.position()
			for _, d := range position.Owed() {
				if !m.again(d) {
					h.write(mailboxOf(d.Side), h.order(d.Side, pondered(h, position.View(d.Side), d, stop)), mail.Processed)
					continue
				}
				file := h.template(mailboxOf(d.Side))
				lines := aheadLine.FindAllString(file, -1)
				if len(lines) == 0 {
					h.write(mailboxOf(d.Side), h.order(d.Side, pondered(h, position.View(d.Side), d, stop)), mail.Processed)
					continue
				}
				if found[m.name]++; found[m.name] > most {
					break
				}
				h.answersAgain(d, position.View(d.Side), file, lines)
			}
		}
	}
	if len(found) == 0 {
		t.Error("no question came again")
	}
	t.Logf("%v", found)
}

// again tells whether a stop may be followed by the same one.
func (m setting) again(d engine.Decision) bool {
	follower, ok := m.rules.(engine.Follower)
	return ok && d.At != "" && slices.Contains(follower.Follows(d), engine.Decision{Kind: d.Kind, At: d.At})
}

// answersAgain uncomments each of the lines of the next time, and sends the last of them with
// something done at this stop.
func (h *match) answersAgain(d engine.Decision, view engine.View, file string, lines []string) {
	h.Helper()
	for _, line := range lines {
		if _, _, faults, err := h.office.Clerk().Check(h.id, d.Side, strings.Replace(file, line, strings.Replace(line, "# ", "", 1), 1)); err != nil || len(faults) > 0 {
			h.Errorf("%v %v: uncommented %q, the file is refused:\n%s", err, faults, line, file)
		}
	}
	chooser := h.rules.(engine.Chooser)
	for _, c := range chooser.Choices(view, d, nil) {
		a := chooser.Compose(view, d, []engine.Choice{c})
		if next, ok := engine.Follow(h.rules, view, d, a); !ok || next.Decision != d {
			continue
		}
		line := lines[len(lines)-1]
		_, part, _ := strings.Cut(file, "\nahead:")
		part = strings.Replace("ahead:"+part, line, strings.Replace(line, "# ", "", 1), 1)
		part, _, _ = strings.Cut(part, "\n# =====")
		h.write(mailboxOf(d.Side), h.order(d.Side, a, part), mail.Processed)
		_, all := h.resolutions(h.id)
		if last := all[len(all)-1].Answers[0]; last.By != log.ByAhead || last.Decision != d {
			h.Errorf("%s %s: the second time was answered by %q\n%s", d.Kind, d.At, last.By, last.Orders)
		}
		return
	}
	h.Errorf("%s %s: lines stand ready for the next time, and there is none", d.Kind, d.At)
}

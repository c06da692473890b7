package playout

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/orders"
)

// Properties are what must hold at every stop of every game. Its Observe method
// is an [Observer].
type Properties struct {
	Rules engine.Ruleset
	// Conserved, if set, checks what the rules never break from one stop to the
	// next: no piece lost or doubled, nobody in two places.
	Conserved func(before, after engine.Position) error
	// Answers is how many more random answers are tried at each decision.
	Answers int
	// Broken is how many broken order files are read at each decision.
	Broken int
	// Choices is how many times, at each decision of a ruleset that is an
	// [engine.Chooser], an answer is put together of choices by chance: of one choice
	// and up to Deep more. 0 leaves choices unchecked.
	Choices int
	Deep    int
	// Long, if set, is how many choices of an answer are looked up where it has more, spread over it; those of an answer that was put
	// together of choices are looked up all the same.
	Long int
	// Apart, if set, keeps which answers have been taken apart, so that the same one isn't again in another game.
	Apart map[string]bool
	// Samples is how many positions an [engine.Sampler] makes up of each view of a
	// side that owes a decision. 0 makes up none.
	Samples int
	// Scramble, if set, changes what a side can't see.
	Scramble Scrambler
	// Leaks is how many times Scramble is done at each stop and for each side.
	Leaks int
	// Every checks only every so many stops; 0 checks all.
	Every int
}

// Observe checks a moment. The same moment is always checked in the same way.
func (c Properties) Observe(m Moment) error {
	if c.Every > 1 && m.Number%c.Every != 0 && len(m.Owed) > 0 {
		return nil
	}
	chance := rand.New(rand.NewPCG(uint64(m.Number), 3))
	text, err := c.readsBack(m.Position)
	if err != nil {
		return err
	}
	if err := owedOnce(m); err != nil {
		return err
	}
	if err := tellings(m); err != nil {
		return err
	}
	for _, side := range append(slices.Clone(m.Position.Sides()), engine.GM) {
		if err := wellFormed(m.Position.View(side)); err != nil {
			return fmt.Errorf("page of %s: %w", side, err)
		}
	}
	for _, d := range m.Owed {
		if err := c.decision(m, d, chance); err != nil {
			return fmt.Errorf("%s owes %s %s: %w", d.Side, d.Kind, d.At, err)
		}
		if rules, ok := c.Rules.(engine.Sampler); ok && c.Samples > 0 {
			if err := c.samples(m, rules, d, chance); err != nil {
				return fmt.Errorf("what was made up for %s, who owes %s %s: %w", d.Side, d.Kind, d.At, err)
			}
		}
	}
	if len(m.Owed) > 0 {
		if err := c.resolves(m, m.Answers, text); err != nil {
			return err
		}
	}
	if c.Scramble != nil {
		for _, side := range m.Position.Sides() {
			for range c.Leaks {
				if err := c.leaks(m.Position, c.Scramble(m.Position, side, chance), side, chance); err != nil {
					return fmt.Errorf("what %s can't see shows: %w", side, err)
				}
			}
		}
	}
	if after, err := m.Position.Marshal(); err != nil || !bytes.Equal(text, after) {
		return fmt.Errorf("looking at the position changed it: %s", Differ(text, after))
	}
	return nil
}

// readsBack writes a position, reads it, and finds all that can be seen of it
// unchanged.
func (c Properties) readsBack(p engine.Position) ([]byte, error) {
	text, err := p.Marshal()
	if err != nil {
		return nil, fmt.Errorf("write the position: %w", err)
	}
	again, err := c.Rules.Load(text)
	if err != nil {
		return nil, fmt.Errorf("read the position back: %w\n%s", err, text)
	}
	second, err := again.Marshal()
	if err != nil || !bytes.Equal(text, second) {
		return nil, fmt.Errorf("the position does not read back as it was written: %s", Differ(text, second))
	}
	if !slices.Equal(p.Owed(), again.Owed()) {
		return nil, fmt.Errorf("owed is %v, and %v when read back", p.Owed(), again.Owed())
	}
	for _, side := range append(slices.Clone(p.Sides()), engine.GM) {
		if err := sameView(p.View(side), again.View(side)); err != nil {
			return nil, fmt.Errorf("the view of %s of the position read back differs: %w", side, err)
		}
	}
	return text, nil
}

func owedOnce(m Moment) error {
	sides := m.Position.Sides()
	last := -1
	for _, d := range m.Owed {
		i := slices.Index(sides, d.Side)
		if i <= last {
			return fmt.Errorf("owed is %v: not in the order of %v, or twice", m.Owed, sides)
		}
		last = i
	}
	return nil
}

// tellings checks that events speak to seats that exist, to each at most once.
func tellings(m Moment) error {
	sides := m.Position.Sides()
	for _, e := range m.Events {
		heard := map[engine.Side]bool{}
		for _, t := range e.Tellings {
			if t.Say.Code == "" {
				return fmt.Errorf("an event of %s says nothing", e.Clause)
			}
			for _, side := range t.To {
				if !slices.Contains(sides, side) || heard[side] {
					return fmt.Errorf("event %s of %s is told to %q, who is nobody or has been told", t.Say.Code, e.Clause, side)
				}
				heard[side] = true
			}
		}
	}
	return nil
}

// wellFormed checks that a page can be drawn.
func wellFormed(v engine.View) error {
	page := v.Page()
	if page.Title.IsZero() {
		return errors.New("it has no title")
	}
	for _, s := range page.Sections {
		for _, table := range s.Tables {
			for _, row := range table.Rows {
				if len(row) != len(table.Head) {
					return fmt.Errorf("a table of %s has %d columns and a row of %d cells", s.Heading.Code, len(table.Head), len(row))
				}
			}
		}
		if s.Picture == nil {
			continue
		}
		if s.Picture.Width <= 0 || s.Picture.Height <= 0 || s.Picture.Name == "" {
			return fmt.Errorf("a picture of %s has no size or no name", s.Heading.Code)
		}
		for _, marks := range [][]engine.Mark{s.Picture.Ground, s.Picture.Marks} {
			for i, mark := range marks {
				need := points(mark.Shape)
				if need == 0 || len(mark.Points) < need {
					return fmt.Errorf("mark %d of picture %s is a %q of %d points", i, s.Picture.Name, mark.Shape, len(mark.Points))
				}
			}
		}
	}
	return nil
}

// points is how many points a shape needs; 0 if there is no such shape.
func points(shape engine.Shape) int {
	switch shape {
	case engine.Polygon:
		return 3
	case engine.Line, engine.Curve:
		return 2
	case engine.Disc, engine.Label:
		return 1
	}
	return 0
}

// decision checks what may be answered to one decision.
func (c Properties) decision(m Moment, d engine.Decision, chance *rand.Rand) error {
	view := m.Position.View(d.Side)
	deflt := c.Rules.Default(view, d)
	normal := deflt.Orders().Encode()
	if _, err := c.accepts(view, d, normal); err != nil {
		return fmt.Errorf("the default: %w", err)
	}
	template := c.Rules.Template(view, d).Encode()
	untouched, problems := c.read(view, d, template)
	if len(problems) > 0 {
		return fmt.Errorf("the untouched template is refused: %s\n%s", Explain(problems), template)
	}
	if got := untouched.Orders().Encode(); got != normal {
		return fmt.Errorf("the untouched template means\n%snot the default\n%s%s", got, normal, template)
	}
	if rules, ok := c.Rules.(engine.Cautious); ok {
		if odd := rules.Cautions(view, d, deflt); len(odd) > 0 {
			return fmt.Errorf("the default is odd: %s", odd[0].Say.Code)
		}
		for _, odd := range rules.Cautions(view, d, m.Answers[d.Side]) {
			if odd.Kind == "" || odd.Say.Code == "" {
				return fmt.Errorf("a caution has no kind or says nothing: %+v", odd)
			}
		}
	}
	files := []string{normal, m.Answers[d.Side].Orders().Encode()}
	answers := []engine.Answer{deflt, m.Answers[d.Side]}
	for range c.Answers {
		answers = append(answers, c.Rules.Random(view, d, chance))
		files = append(files, answers[len(answers)-1].Orders().Encode())
	}
	for _, file := range files[1:] {
		if _, err := c.accepts(view, d, file); err != nil {
			return fmt.Errorf("a random answer: %w", err)
		}
	}
	if rules, ok := c.Rules.(engine.Chooser); ok && c.Choices > 0 {
		answers = append(answers, c.Rules.Sensible(view, d, chance))
		if err := c.choices(rules, view, d, template, answers, chance); err != nil {
			return err
		}
	}
	for range c.Broken {
		broken := Break(files[chance.IntN(len(files))], chance)
		if err := c.Survives(m, view, d, broken); err != nil {
			return fmt.Errorf("a broken order file: %w\n%s", err, broken)
		}
	}
	return nil
}

// accepts reads an order file in normal form and finds the same normal form.
func (c Properties) accepts(view engine.View, d engine.Decision, file string) (engine.Answer, error) {
	answer, problems := c.read(view, d, file)
	if len(problems) > 0 {
		return nil, fmt.Errorf("its own normal form is refused: %s\n%s", Explain(problems), file)
	}
	if again := answer.Orders().Encode(); again != file {
		return nil, fmt.Errorf("the normal form\n%sreads as\n%s", file, again)
	}
	return answer, nil
}

func (c Properties) read(view engine.View, d engine.Decision, file string) (engine.Answer, orders.Problems) {
	doc, problems := orders.Parse(file, nil)
	if len(problems) > 0 {
		return nil, problems
	}
	return c.Rules.Read(view, d, doc)
}

// Survives reads a file that anyone may have sent as an answer to a decision of
// the moment: faults must lie inside it, and if it is good after all, its normal
// form must hold and the stop resolve with it.
func (c Properties) Survives(m Moment, view engine.View, d engine.Decision, file string) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
		}
	}()
	doc, problems := orders.Parse(file, nil)
	var answer engine.Answer
	if len(problems) == 0 {
		answer, problems = c.Rules.Read(view, d, doc)
	}
	if err := inside(doc.Source, problems); err != nil {
		return err
	}
	if len(problems) > 0 {
		return nil
	}
	answer, err = c.accepts(view, d, answer.Orders().Encode())
	if err != nil {
		return err
	}
	if rules, ok := c.Rules.(engine.Chooser); ok && c.Choices > 0 {
		if _, err := TakesApart(rules, view, d, answer); err != nil {
			return fmt.Errorf("it is accepted: %w", err)
		}
	}
	answers := map[engine.Side]engine.Answer{}
	for _, owed := range m.Owed {
		answers[owed.Side] = m.Answers[owed.Side]
	}
	answers[d.Side] = answer
	return c.resolves(m, answers, nil)
}

// inside checks that every problem has a cause, and a place that exists in the
// text as it was read.
func inside(file string, problems orders.Problems) error {
	lines := strings.Split(file, "\n")
	for _, p := range problems {
		switch {
		case p.Why.Code == "":
			return fmt.Errorf("problem at %d:%d has no cause", p.Line, p.Column)
		case p.Line == 0 && p.Column == 0:
		case p.Line < 1 || p.Line > len(lines):
			return fmt.Errorf("%s is in line %d of %d", p.Why.Code, p.Line, len(lines))
		case p.Column < 0 || p.Column > len([]rune(lines[p.Line-1]))+1:
			return fmt.Errorf("%s is in column %d of line %d, which is %q", p.Why.Code, p.Column, p.Line, lines[p.Line-1])
		}
	}
	return nil
}

// resolves plays the stop on two copies, one made by Clone, with the answers as given,
// and one by writing and reading, with the answers as read back. Both must come out the
// same, and neither may touch the position.
func (c Properties) resolves(m Moment, answers map[engine.Side]engine.Answer, text []byte) error {
	before := text
	if before == nil {
		var err error
		if before, err = m.Position.Marshal(); err != nil {
			return err
		}
	}
	loaded, err := c.Rules.Load(before)
	if err != nil {
		return err
	}
	reread := map[engine.Side]engine.Answer{}
	for _, d := range m.Owed {
		if reread[d.Side], err = c.accepts(loaded.View(d.Side), d, answers[d.Side].Orders().Encode()); err != nil {
			return fmt.Errorf("read back on the position read back: %w", err)
		}
	}
	clone := m.Position.Clone()
	events, err := clone.Advance(answers, NewDice(uint64(m.Number)))
	if err != nil {
		return fmt.Errorf("advance: %w", err)
	}
	again, err := loaded.Advance(reread, NewDice(uint64(m.Number)))
	if err != nil {
		return fmt.Errorf("advance the position read back: %w", err)
	}
	a, err := clone.Marshal()
	if err != nil {
		return err
	}
	b, err := loaded.Marshal()
	if err != nil || !bytes.Equal(a, b) {
		return fmt.Errorf("the same answers and dice lead to another position: %s", Differ(a, b))
	}
	if !reflect.DeepEqual(events, again) {
		return fmt.Errorf("the same answers and dice tell another story: %s", Differ(asJSON(events), asJSON(again)))
	}
	if after, err := m.Position.Marshal(); err != nil || !bytes.Equal(before, after) {
		return fmt.Errorf("a copy that moved on changed the position: %s", Differ(before, after))
	}
	if c.Conserved != nil {
		return c.Conserved(m.Position, clone)
	}
	return nil
}

func asJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		panic(err) // plain data of the engine's own types
	}
	return b.Bytes()
}

// Differ tells where two texts first differ.
func Differ(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d:\n  %s\n  %s", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d lines and %d", len(x), len(y))
}

// Explain writes problems for the log of a test.
func Explain(problems orders.Problems) string {
	var lines []string
	for _, p := range problems {
		args, _ := json.Marshal(p.Why.Args) // plain data
		lines = append(lines, fmt.Sprintf("%d:%d %s %s %s", p.Line, p.Column, p.Why.Code, p.Clause, args))
	}
	return strings.Join(lines, "; ")
}

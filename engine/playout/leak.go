package playout

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"

	"berthier/engine"
)

// A Scrambler gives a copy of a position in which everything that a side does not know
// may be different, but nothing that it knows: for all that the side can tell, the game
// could be in this position. To compare what the side gets from both positions is the
// strongest test of fog there is.
type Scrambler func(p engine.Position, side engine.Side, chance *rand.Rand) engine.Position

// leaks compares all that a side gets from two positions that differ only in what
// it can't see: view, page with pictures, what it owes and who else is asked, templates,
// defaults, and the answers to good and broken order files.
func (c Properties) leaks(p, q engine.Position, side engine.Side, chance *rand.Rand) error {
	v, w := p.View(side), q.View(side)
	if err := sameView(v, w); err != nil {
		return fmt.Errorf("in the view: %w", err)
	}
	if a, b := v.Page(), w.Page(); !reflect.DeepEqual(a, b) {
		return fmt.Errorf("on the page: %s", Differ(asJSON(a), asJSON(b)))
	}
	if open, ok := p.(engine.Open); ok { // what a side can't see is not public
		a, b := open.Public(), q.(engine.Open).Public()
		if err := sameView(a, b); err != nil {
			return fmt.Errorf("in the public view: %w", err)
		}
		if x, y := a.Page(), b.Page(); !reflect.DeepEqual(x, y) {
			return fmt.Errorf("on the public page: %s", Differ(asJSON(x), asJSON(y)))
		}
	}
	if a, b := owes(p, side), owes(q, side); len(a) != len(b) || len(a) > 0 && a[0] != b[0] {
		return fmt.Errorf("in what is owed: %v, %v", a, b)
	}
	if a, b := asked(p, side), asked(q, side); !slices.Equal(a, b) {
		return fmt.Errorf("in who is asked, too: %v, %v", a, b)
	}
	for _, d := range owes(p, side) {
		if err := c.leaksAnswers(v, w, d, chance); err != nil {
			return err
		}
		if err := c.leaksChoices(v, w, d, rand.New(rand.NewPCG(chance.Uint64(), 5))); err != nil {
			return err
		}
		if err := c.leaksSamples(v, w, d, chance); err != nil {
			return err
		}
	}
	return nil
}

// sameView compares two views as they are written down.
func sameView(v, w engine.View) error {
	if reflect.DeepEqual(v, w) {
		return nil // everything that is made of them will be the same, too
	}
	a, err := v.Marshal()
	if err != nil {
		return err
	}
	b, err := w.Marshal()
	if err != nil {
		return err
	}
	if !bytes.Equal(a, b) {
		return errors.New(Differ(a, b))
	}
	return nil
}

func (c Properties) leaksAnswers(v, w engine.View, d engine.Decision, chance *rand.Rand) error {
	if a, b := c.Rules.Template(v, d).Encode(), c.Rules.Template(w, d).Encode(); a != b {
		return fmt.Errorf("in the template: %s", Differ([]byte(a), []byte(b)))
	}
	files := []string{c.Rules.Default(v, d).Orders().Encode()}
	if other := c.Rules.Default(w, d).Orders().Encode(); other != files[0] {
		return fmt.Errorf("in the default: %s", Differ([]byte(files[0]), []byte(other)))
	}
	for range 1 + c.Answers {
		seed := chance.Uint64()
		file := c.Rules.Random(v, d, rand.New(rand.NewPCG(seed, 4))).Orders().Encode()
		other := c.Rules.Random(w, d, rand.New(rand.NewPCG(seed, 4))).Orders().Encode()
		if file != other {
			return fmt.Errorf("in a random answer: %s", Differ([]byte(file), []byte(other)))
		}
		files = append(files, file)
	}
	for range c.Broken {
		files = append(files, Break(files[chance.IntN(len(files))], chance))
	}
	for _, file := range files {
		answer, problems := c.read(v, d, file)
		other, otherwise := c.read(w, d, file)
		if !reflect.DeepEqual(problems, otherwise) {
			return fmt.Errorf("in the faults of an order file: %s\n%s", Differ(asJSON(problems), asJSON(otherwise)), file)
		}
		if len(problems) > 0 {
			continue
		}
		if a, b := answer.Orders().Encode(), other.Orders().Encode(); a != b {
			return fmt.Errorf("in the normal form of an order file: %s\n%s", Differ([]byte(a), []byte(b)), file)
		}
	}
	return nil
}

// leaksChoices compares what may be chosen and what comes of it, choice by choice.
func (c Properties) leaksChoices(v, w engine.View, d engine.Decision, chance *rand.Rand) error {
	rules, ok := c.Rules.(engine.Chooser)
	if !ok {
		return nil
	}
	var made []engine.Choice
	for range 2 + c.Deep {
		list, other := rules.Choices(v, d, made), rules.Choices(w, d, made)
		if !slices.Equal(list, other) {
			return fmt.Errorf("in what may be chosen: %s, %s", tell(list), tell(other))
		}
		if len(list) == 0 {
			return nil
		}
		made = append(made, drawn(list[chance.IntN(len(list))], chance))
		if a, b := choiceText(rules.Compose(v, d, made)), choiceText(rules.Compose(w, d, made)); a != b {
			return fmt.Errorf("in what comes of choices: %s\n%s", Differ([]byte(a), []byte(b)), tell(made))
		}
	}
	return nil
}

// asked are the other sides of which a side that owes a decision is told that they
// are asked.
func asked(p engine.Position, side engine.Side) []engine.Side {
	announcer, ok := p.(engine.Announcer)
	if !ok || len(owes(p, side)) == 0 {
		return nil
	}
	return announcer.Asked(side)
}

func owes(p engine.Position, side engine.Side) []engine.Decision {
	for _, d := range p.Owed() {
		if d.Side == side {
			return []engine.Decision{d}
		}
	}
	return nil
}

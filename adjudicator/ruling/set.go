package ruling

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/course"
	"berthier/orders"
	"berthier/orders/phrase"
)

// change plans that the position is changed, here or at an earlier stop.
func (m *maker) change() error {
	i, _, err := m.before(m.act.Stop)
	if err != nil {
		return err
	}
	if err := m.to(i); err != nil {
		return err
	}
	set := m.act.Set
	if m.act.Kind == log.ActOption {
		if set, err = m.optionSet(); err != nil {
			return err
		}
		m.ruling.Option, m.ruling.Value = m.act.Option, m.act.Value
	}
	m.stay = m.ruling.To == 0
	return m.set(set)
}

// optionSet is what changes an option in the YAML of a position.
func (m *maker) optionSet() (string, error) {
	a := m.act
	if rules, ok := m.turn.Rules.(engine.Optional); ok {
		n, err := rules.Option(a.Option, a.Value)
		if err != nil {
			return "", game.Refuse("office.rule.option-fixed", phrase.Literal("name", a.Option), phrase.Literal("value", a.Value))
		}
		return n.Encode(), nil
	}
	return orders.Mapping().Set("options", orders.Inline().Set(a.Option, orders.Text(a.Value))).Encode(), nil
}

// set plans a change of the position gone back to. Its faults are placed where the letter
// names the thing, if it does.
func (m *maker) set(set string) error {
	was, err := m.past.Position(m.back.Seq)
	if err != nil {
		return err
	}
	next, sum, err := checked(m.turn.Rules, was, set)
	var faults orders.Problems
	if errors.As(err, &faults) {
		return m.act.placed(faults, set)
	}
	if err != nil {
		return err
	}
	m.position, m.ruling.Set, m.ruling.Position = next, set, sum
	return nil
}

// checked merges a change into a position and checks the result. It also gives the SHA-256
// of the result.
func checked(rules engine.Ruleset, was engine.Position, set string) (engine.Position, string, error) {
	next, problems, err := course.Edited(rules, was, set)
	if len(problems) > 0 {
		return nil, "", problems
	}
	var faults orders.Problems
	if errors.As(err, &faults) {
		return nil, "", faults
	}
	if err != nil {
		return nil, "", game.Refuse("office.rule.not-read", phrase.Literal("error", phrase.Clip(err.Error(), 300)))
	}
	if !slices.Equal(next.Sides(), was.Sides()) {
		return nil, "", game.Refuse("office.rule.other-sides")
	}
	if _, ended := next.Outcome(); !ended && len(next.Owed()) == 0 {
		return nil, "", game.Refuse("office.rule.nothing-owed")
	}
	if c, ok := next.(engine.Checked); ok {
		if problems := c.Check(was); len(problems) > 0 {
			if overlay, wrong := orders.ParseNode([]byte(set)); len(wrong) == 0 {
				problems = course.Moved(problems, nil, overlay)
			}
			return nil, "", problems
		}
	}
	text, err := next.Marshal()
	if err != nil {
		return nil, "", err
	}
	again, err := rules.Load(text)
	if err != nil {
		return nil, "", game.Refuse("office.rule.not-read", phrase.Literal("error", phrase.Clip(err.Error(), 300)))
	}
	if copied, err := again.Marshal(); err != nil || !bytes.Equal(text, copied) {
		return nil, "", game.Refuse("office.rule.not-the-same")
	}
	if before, err := was.Marshal(); err == nil && bytes.Equal(before, text) {
		return nil, "", game.Refuse("office.rule.no-change")
	}
	sum := sha256.Sum256(text)
	return next, hex.EncodeToString(sum[:]), nil
}

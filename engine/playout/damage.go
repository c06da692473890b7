package playout

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/orders"
)

// damages are the ways in which [Damage] changes a position, with their names.
var damages = [Damages]struct {
	name string
	do   func(root *orders.Node, chance *rand.Rand) bool
}{
	{"a number", damageNumber},
	{"a word for another", damageWord},
	{"a value left out", damageLoss},
	{"a mark set", damageMark},
	{"a value from elsewhere", damageMove},
	{"an item twice", damageTwice},
	{"the order of a list", damageOrder},
	{"two things exchanged", damageExchange},
}

// Damages is how many kinds of damage there are.
const Damages = 8

// Damage changes one field of the YAML of a position as a hasty or hostile hand
// would: a number, a word, a key left out, an item twice. Kind counts from 0 to
// [Damages]. It gives the text and what was done; the text is "" if the position
// has nothing that can be damaged so.
func Damage(position []byte, kind int, chance *rand.Rand) (text, done string) {
	root, problems := orders.ParseNode(position)
	if len(problems) > 0 || root == nil {
		return "", ""
	}
	before := root.Encode()
	if !damages[kind].do(root, chance) {
		return "", ""
	}
	if text = root.Encode(); text == before {
		return "", ""
	}
	return text, damages[kind].name + ", " + Differ([]byte(before), []byte(text))
}

// spot is a value of a position with the key under which it stands; an item has the key
// of its list. What a user's own scenario file says is left out.
type spot struct {
	key  string
	in   *orders.Node
	node *orders.Node
}

func spots(all []spot, key string, n *orders.Node) []spot {
	for _, p := range n.Pairs {
		if p.Key.Text == "file" || p.Key.Text == "ruleset" {
			continue
		}
		all = append(all, spot{p.Key.Text, n, p.Value})
		all = spots(all, p.Key.Text, p.Value)
	}
	for _, item := range n.Items {
		all = append(all, spot{key, n, item})
		all = spots(all, key, item)
	}
	return all
}

// pick chooses one of the spots that will do.
func pick(all []spot, chance *rand.Rand, will func(spot) bool) (spot, bool) {
	all = slices.DeleteFunc(slices.Clone(all), func(s spot) bool { return !will(s) })
	if len(all) == 0 {
		return spot{}, false
	}
	return all[chance.IntN(len(all))], true
}

func isNumber(n *orders.Node) bool {
	_, err := strconv.Atoi(n.Text)
	return n.Kind == orders.Scalar && err == nil
}

func damageNumber(root *orders.Node, chance *rand.Rand) bool {
	s, ok := pick(spots(nil, "", root), chance, func(s spot) bool { return isNumber(s.node) })
	if ok {
		n, _ := strconv.Atoi(s.node.Text)
		s.node.Text = strconv.Itoa([]int{n + 1, n - 1, 0, n + 10, 127, 1}[chance.IntN(6)])
	}
	return ok
}

func damageWord(root *orders.Node, chance *rand.Rand) bool {
	all := spots(nil, "", root)
	word := func(s spot) bool { return s.node.Kind == orders.Scalar && !isNumber(s.node) }
	s, ok := pick(all, chance, word)
	if !ok {
		return false
	}
	other, ok := pick(all, chance, func(o spot) bool { // of the same kind if there is any
		return word(o) && o.node.Text != s.node.Text && (o.key == s.key || sameLook(o.node.Text, s.node.Text))
	})
	if !ok || chance.IntN(6) == 0 {
		other, ok = pick(all, chance, func(o spot) bool { return word(o) && o.node.Text != s.node.Text })
	}
	if ok {
		s.node.Text = other.node.Text
	}
	return ok
}

// sameLook tells whether two words look like ids of one kind, F-03 and P-11.
func sameLook(a, b string) bool {
	shape := func(text string) string {
		return strings.Map(func(r rune) rune {
			switch {
			case r >= '0' && r <= '9':
				return '0'
			case r >= 'A' && r <= 'Z':
				return 'A'
			case r == '-' || r == '/':
				return r
			}
			return -1
		}, text)
	}
	return shape(a) != "" && shape(a) == shape(b)
}

func damageLoss(root *orders.Node, chance *rand.Rand) bool {
	s, ok := pick(spots(nil, "", root), chance, func(s spot) bool { return true })
	if !ok {
		return false
	}
	s.in.Pairs = slices.DeleteFunc(s.in.Pairs, func(p orders.Pair) bool { return p.Value == s.node })
	s.in.Items = slices.DeleteFunc(s.in.Items, func(n *orders.Node) bool { return n == s.node })
	return true
}

// damageMark sets something that is not set, to what it is elsewhere in the position.
func damageMark(root *orders.Node, chance *rand.Rand) bool {
	all := spots(nil, "", root)
	from, ok := pick(all, chance, func(s spot) bool { return s.in.Kind == orders.Map && s.node.Kind == orders.Scalar })
	if !ok {
		return false
	}
	to, ok := pick(all, chance, func(s spot) bool {
		return s.node.Kind == orders.Map && s.node != from.in && s.node.Get(from.key) == nil && len(s.node.Pairs) > 0
	})
	if ok {
		to.node.Set(from.key, from.node.Clone())
	}
	return ok
}

// damageMove puts the value of a key where the same key stands in another place.
func damageMove(root *orders.Node, chance *rand.Rand) bool {
	all := spots(nil, "", root)
	s, ok := pick(all, chance, func(s spot) bool { return s.in.Kind == orders.Map })
	if !ok {
		return false
	}
	other, ok := pick(all, chance, func(o spot) bool { return o.key == s.key && o.node != s.node && o.node.Kind == s.node.Kind })
	if ok {
		*s.node = *other.node.Clone()
	}
	return ok
}

func damageTwice(root *orders.Node, chance *rand.Rand) bool {
	s, ok := pick(spots(nil, "", root), chance, func(s spot) bool { return s.in.Kind == orders.List })
	if ok {
		s.in.Items = append(s.in.Items, s.node.Clone())
	}
	return ok
}

func damageOrder(root *orders.Node, chance *rand.Rand) bool {
	s, ok := pick(spots(nil, "", root), chance, func(s spot) bool { return len(s.node.Items) > 1 })
	if ok {
		i := chance.IntN(len(s.node.Items) - 1)
		s.node.Items[i], s.node.Items[i+1] = s.node.Items[i+1], s.node.Items[i]
	}
	return ok
}

func damageExchange(root *orders.Node, chance *rand.Rand) bool {
	all := spots(nil, "", root)
	s, ok := pick(all, chance, func(s spot) bool { return s.node.Kind == orders.Scalar })
	if !ok {
		return false
	}
	other, ok := pick(all, chance, func(o spot) bool { return o.key == s.key && o.node.Kind == orders.Scalar && o.node.Text != s.node.Text })
	if ok {
		s.node.Text, other.node.Text = other.node.Text, s.node.Text
	}
	return ok
}

// Ruled reads a position that a game master has changed, as the office does
// before it takes a ruling: what can't be read or breaks an invariant is refused
// with its faults. Sound tells that it was accepted. An error means that it was neither
// accepted nor refused as it should be: a fault has no name, or a position does not read
// back.
func Ruled(rules engine.Ruleset, was engine.Position, text []byte) (p engine.Position, faults orders.Problems, err error) {
	p, err = rules.Load(text)
	if errors.As(err, &faults) {
		return nil, faults, named(faults)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("refused without a fault: %w", err)
	}
	if !slices.Equal(p.Sides(), was.Sides()) {
		return nil, nil, nil
	}
	if _, over := p.Outcome(); !over && len(p.Owed()) == 0 {
		return nil, nil, nil
	}
	if c, ok := p.(engine.Checked); ok {
		if faults = c.Check(was); len(faults) > 0 {
			return nil, faults, named(faults)
		}
	}
	if _, err := (Properties{Rules: rules}).readsBack(p); err != nil {
		return nil, nil, err
	}
	return p, nil, nil
}

// named finds a fault that says nothing.
func named(faults orders.Problems) error {
	for _, f := range faults {
		if f.Why.Code == "" {
			return errors.New("a fault has no name")
		}
	}
	return nil
}

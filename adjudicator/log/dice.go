package log

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/orders"
)

// FirstScheme and Scheme are the ways in which the dice of a game come from its seed. A
// game keeps the one that it began with (docs/dice.md).
const (
	FirstScheme = 1 // of games that name none: number of the stop and text of the orders as the log has them
	Scheme      = 2 // of games that begin now: place in the branch and normal form, which whoever verifies works out himself
)

// Words is the number of the present meaning of words in order files and of the present way
// to write answers. A game keeps the number with which it began, because the normal form is
// hashed into the dice, and because a file that the office holds must go on to mean what was
// confirmed. Games that name no number began with underscores in keys, and with {} for
// nothing in a battle turn (docs/dice.md).
const Words = 2

// HashParts is the SHA-256 over texts, each written as its length in bytes, a line
// end, the text, a line end.
func HashParts(parts ...string) [sha256.Size]byte {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d\n%s\n", len(part), part)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// NormalForm writes an answer in the one form on which dice depend: as the ruleset
// writes it, without comments, and with the entries of a map whose keys are names in
// the order of these names, since their own order means nothing. The first scheme left that
// order as it was. Rules are the rules of a game that began with former words, otherwise nil.
func NormalForm(scheme int, rules engine.Ruleset, a engine.Answer) string {
	n := a.Orders()
	if then, ok := rules.(engine.Reworded); ok {
		n = then.FormerWords(n)
	}
	if scheme == FirstScheme {
		return n.Encode()
	}
	n = n.Clone()
	withoutComments(n)
	sortNames(n)
	return n.Encode()
}

// sortNames puts the entries of maps whose keys are names in the order of the names.
func sortNames(n *orders.Node) {
	for _, item := range n.Items {
		sortNames(item)
	}
	names := false
	for _, p := range n.Pairs {
		names = names || strings.ContainsFunc(p.Key.Text, func(c rune) bool { return (c < 'a' || c > 'z') && c != '-' && c != '_' })
		if p.Value != nil {
			sortNames(p.Value)
		}
	}
	if names {
		slices.SortStableFunc(n.Pairs, func(a, b orders.Pair) int { return strings.Compare(a.Key.Text, b.Key.Text) })
	}
}

// IsPlain tells whether a text of orders is written as the program writes it: without
// comments, and without anything that has no meaning.
func IsPlain(text string) bool {
	n, problems := orders.ParseNode([]byte(text))
	if n == nil || len(problems) > 0 {
		return false
	}
	n = n.Clone()
	withoutComments(n)
	return n.Encode() == text
}

func withoutComments(n *orders.Node) {
	n.Above, n.Comment = "", ""
	for _, item := range n.Items {
		withoutComments(item)
	}
	for _, p := range n.Pairs {
		withoutComments(p.Key)
		if p.Value != nil {
			withoutComments(p.Value)
		}
	}
}

// HashWords is what the players' words for luck add to every roll; if no words were asked
// for, the hash of nothing.
func HashWords(words []LuckWord) [sha256.Size]byte {
	var parts []string
	for _, w := range words {
		parts = append(parts, string(w.Side), w.Word)
	}
	return HashParts(parts...)
}

// WordsInOrder gives the words of a game in the order of its seats' sides.
func WordsInOrder(words map[engine.Side]string, sides []engine.Side) []LuckWord {
	var all []LuckWord
	for _, side := range sides {
		if word, ok := words[side]; ok {
			all = append(all, LuckWord{Side: side, Word: word})
		}
	}
	return slices.Clip(all)
}

// HashOrders is the hash of the answers in normal form, on which the dice of a stop depend.
func HashOrders(answers []Given) [sha256.Size]byte {
	var parts []string
	for _, a := range answers {
		parts = append(parts, string(a.Decision.Side), a.Decision.Kind, a.Decision.At, a.Orders)
	}
	return HashParts(parts...)
}

// DiceOf are the dice of a stop of a game.
func DiceOf(scheme int, seed []byte, game string, place int, words []LuckWord, answers []Given) engine.Dice {
	if scheme == FirstScheme {
		return engine.NewSeededDice(seed, game, place, HashOrders(answers))
	}
	return engine.NewStopDice(seed, game, place, HashWords(words), HashOrders(answers))
}

package adjudicator

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/orders"
)

// Schemes by which the dice of a game come from its seed. A game keeps the one that
// it began with (docs/dice.md).
const (
	schemeOld = 1 // of games that name none: number of the stop and text of the orders as the log has them
	schemeNow = 2 // place in the branch and normal form, which whoever verifies works out himself
)

// wordsNow is what the words of order files mean and how answers are written, as a game
// keeps it from its beginning: the normal form is hashed into the dice, and a file that
// lies in the office must go on to mean what was confirmed. Games that name none began
// with underscores in keys, and with {} for nothing in a battle turn (docs/dice.md).
const wordsNow = 2

// former tells whether a game began with other words than those of now.
func (g *game) former() bool { return g.Words < wordsNow }

// former tells whether a game began with other words than those of now.
func (m *Made) former() bool { return m.Words < wordsNow }

// dated is a file as the words of the game take it.
func (d *desk) dated(doc *orders.Document) *orders.Document {
	doc.Former = d.game.former()
	return doc
}

// dated is a file as the words of the game take it.
func (r *replay) dated(doc *orders.Document) *orders.Document {
	doc.Former = r.made.former()
	return doc
}

// scheme is the one of a game.
func (g *game) scheme() int { return max(g.Scheme, schemeOld) }

// scheme is the one of a game.
func (m *Made) scheme() int { return max(m.Scheme, schemeOld) }

// hashParts is the SHA-256 over texts, each written as its length in bytes, a line
// end, the text, a line end.
func hashParts(parts ...string) [sha256.Size]byte {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d\n%s\n", len(part), part)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// hashOrders is what the dice of a stop depend on: the answers in normal form.
func hashOrders(answers []Given) [sha256.Size]byte {
	var parts []string
	for _, a := range answers {
		parts = append(parts, string(a.Decision.Side), a.Decision.Kind, a.Decision.At, a.Orders)
	}
	return hashParts(parts...)
}

// hashWords is what the players' words for luck give to every roll: nothing but the
// hash of nothing, if none were asked for.
func hashWords(words []LuckWord) [sha256.Size]byte {
	var parts []string
	for _, w := range words {
		parts = append(parts, string(w.Side), w.Word)
	}
	return hashParts(parts...)
}

// diceOf are the dice of a stop of a game.
func diceOf(scheme int, seed []byte, game string, place int, words []LuckWord, answers []Given) engine.Dice {
	if scheme == schemeOld {
		return engine.NewSeededDice(seed, game, place, hashOrders(answers))
	}
	return engine.NewStopDice(seed, game, place, hashWords(words), hashOrders(answers))
}

// normalForm writes an answer in the one form on which dice depend: as the ruleset
// writes it, without comments, and with the entries of a map whose keys are names in
// the order of these names, for theirs means nothing. The first scheme left that order
// as it came. Rules are those of a game that began with former words, else nil.
func normalForm(scheme int, rules engine.Ruleset, a engine.Answer) string {
	n := a.Orders()
	if then, ok := rules.(engine.Reworded); ok {
		n = then.FormerWords(n)
	}
	if scheme == schemeOld {
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

// normal is an answer in the form on which the dice of the game depend.
func (d *desk) normal(a engine.Answer) string {
	if d.game.former() {
		return normalForm(d.game.scheme(), d.rules, a)
	}
	return normalForm(d.game.scheme(), nil, a)
}

// asNormal is an answer as its normal form says it: what the log has is what is
// carried out, and nothing else that the answer might hold.
func (d *desk) asNormal(decision engine.Decision, a engine.Answer) (engine.Answer, string, error) {
	text := d.normal(a)
	if d.game.scheme() == schemeOld {
		return a, text, nil
	}
	doc, problems := orders.Parse(text, nil)
	if len(problems) == 0 {
		var again engine.Answer
		if again, problems = d.rules.Read(d.view(decision.Side), decision, d.dated(doc)); len(problems) == 0 {
			if d.normal(again) == text {
				return again, text, nil
			}
		}
	}
	return nil, "", fmt.Errorf("resolve %s: the answer of %s to %s does not read as itself", d.game.ID, decision.Side, decision.Kind)
}

// isPlain tells whether a text of orders is written as the program writes it: without
// a comment, and with nothing in it that means nothing.
func isPlain(text string) bool {
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

// sealOf is what stands in the log for an answer while its words are for its writer
// alone: SHA-256 over a salt and the answer in normal form. Salt and answer are told
// where the stop is resolved, so that everybody can compare.
func sealOf(salt, normal string) string {
	sum := hashParts(salt, normal)
	return hex.EncodeToString(sum[:])
}

// opening finds the entry of the file of an answer in force, and the salt that opens
// its seal; none if the answer has no file, or says something else by now.
func (d *desk) opening(entry uint64, side engine.Side, normal string) (uint64, string, error) {
	if entry == 0 || d.game.scheme() == schemeOld {
		return 0, "", nil
	}
	var t Taken
	e, err := d.entry(entry, &t)
	if err != nil {
		return 0, "", err
	}
	if e.Kind != LogTaken || e.Seat != side || t.Seal == "" || sealOf(t.Salt, normal) != t.Seal {
		return 0, "", nil
	}
	return entry, t.Salt, nil
}

// wordsInOrder gives the words of a game in the order of its seats' sides.
func wordsInOrder(words map[engine.Side]string, sides []engine.Side) []LuckWord {
	var all []LuckWord
	for _, side := range sides {
		if word, ok := words[side]; ok {
			all = append(all, LuckWord{Side: side, Word: word})
		}
	}
	return slices.Clip(all)
}

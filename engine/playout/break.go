package playout

import (
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/orders"
)

// oddities are what people and machines write where something else belongs.
var oddities = []string{
	"", "0", "-1", "1", "7", "3.5", "1e3", "99999999999999999999", "~", "null", "true", "no",
	"none", "all", "rest", "default", "end", "ask", "F-01", "F-99", "A-01", "P-01", "f 03", "unit", "Paris", "nowhere",
	"left", "center", "right", "reserve", "forward", "squares", "é", "F‑03", "“F-03”", "\u00a0", "a: b", "#", "- x", "{", "*a", "&a", "!!int 3", "'", "\"",
	strings.Repeat("x", 300), strings.Repeat("[", 50), "\t", "<<", "=", "2026-01-01",
}

// Break spoils an order file in one to three places, as hurried players, mail
// programs and enemies do. The result may by chance still be good.
func Break(file string, chance *rand.Rand) string {
	root, problems := orders.ParseNode([]byte(file))
	for range 1 + chance.IntN(3) {
		if chance.IntN(5) == 0 || len(problems) > 0 || root == nil {
			return breakText(file, chance)
		}
		breakTree(root, chance)
		file = root.Encode()
	}
	return file
}

// breakText spoils lines and letters.
func breakText(file string, chance *rand.Rand) string {
	lines := strings.Split(file, "\n")
	i := chance.IntN(len(lines))
	switch chance.IntN(8) {
	case 0:
		lines = slices.Delete(lines, i, i+1)
	case 1:
		lines = slices.Insert(lines, i, lines[i])
	case 2:
		j := chance.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
	case 3:
		lines[i] = "  " + lines[i]
	case 4:
		lines[i] = strings.TrimPrefix(lines[i], "  ")
	case 5:
		lines[i] += " " + oddities[chance.IntN(len(oddities))]
	default:
		letters := []rune(lines[i])
		if len(letters) == 0 {
			break
		}
		at := chance.IntN(len(letters))
		switch chance.IntN(3) {
		case 0:
			letters = slices.Delete(letters, at, at+1)
		case 1:
			letters = slices.Insert(letters, at, letters[at])
		default:
			odd := []rune("-:,[]{}#'\" \t&*!|>%@`~?xé0")
			letters[at] = odd[chance.IntN(len(odd))]
		}
		lines[i] = string(letters)
	}
	return strings.Join(lines, "\n")
}

// breakTree spoils one node of a tree, in place.
func breakTree(root *orders.Node, chance *rand.Rand) {
	nodes := every(nil, root)
	n := nodes[chance.IntN(len(nodes))]
	other := nodes[chance.IntN(len(nodes))]
	switch chance.IntN(14) {
	case 0: // something else of the file in its place
		*n = *other.Clone()
	case 1:
		*n = *orders.Text(oddities[chance.IntN(len(oddities))])
	case 2:
		*n = *orders.Items(n.Clone())
	case 3:
		if key := someKey(n, chance); key != "" {
			*n = *orders.Mapping().Set(key, n.Clone())
		}
	case 4:
		switch {
		case n.Kind == orders.Map && len(n.Pairs) > 0:
			i := chance.IntN(len(n.Pairs))
			n.Pairs = slices.Delete(n.Pairs, i, i+1)
		case n.Kind == orders.List && len(n.Items) > 0:
			i := chance.IntN(len(n.Items))
			n.Items = slices.Delete(n.Items, i, i+1)
		}
	case 5:
		switch {
		case n.Kind == orders.Map && len(n.Pairs) > 0:
			pair := n.Pairs[chance.IntN(len(n.Pairs))]
			n.Set(pair.Key.Text, pair.Value.Clone())
		case n.Kind == orders.List && len(n.Items) > 0:
			n.Add(n.Items[chance.IntN(len(n.Items))].Clone())
		}
	case 6:
		switch n.Kind {
		case orders.Map:
			n.Set(oddities[chance.IntN(len(oddities))], other.Clone())
		case orders.List:
			n.Add(orders.Text(oddities[chance.IntN(len(oddities))]))
		}
	case 7:
		switch n.Kind {
		case orders.Map:
			chance.Shuffle(len(n.Pairs), func(i, j int) { n.Pairs[i], n.Pairs[j] = n.Pairs[j], n.Pairs[i] })
		case orders.List:
			chance.Shuffle(len(n.Items), func(i, j int) { n.Items[i], n.Items[j] = n.Items[j], n.Items[i] })
		}
	case 8: // a key misspelt, or that of something else
		if n.Kind == orders.Map && len(n.Pairs) > 0 {
			key := n.Pairs[chance.IntN(len(n.Pairs))].Key
			key.Text = misspelt(key.Text, chance)
		}
	case 9:
		if n.Kind == orders.Scalar {
			n.Text = misspelt(n.Text, chance)
		}
	case 10: // another of the same kind: a unit for a unit, a town for a town
		var scalars []*orders.Node
		for _, node := range nodes {
			if node.Kind == orders.Scalar {
				scalars = append(scalars, node)
			}
		}
		if len(scalars) > 1 {
			a, b := scalars[chance.IntN(len(scalars))], scalars[chance.IntN(len(scalars))]
			a.Text, b.Text = b.Text, a.Text
		}
	default:
		neighbour(nodes, chance)
	}
}

// neighbour makes the next of one thing that ends in a digit: F-03 becomes F-04,
// 2 becomes 3.
func neighbour(nodes []*orders.Node, chance *rand.Rand) {
	var numbered []*orders.Node
	for _, node := range nodes {
		if t := node.Text; node.Kind == orders.Scalar && t != "" && t[len(t)-1] >= '0' && t[len(t)-1] < '9' {
			numbered = append(numbered, node)
		}
	}
	if len(numbered) > 0 {
		n := numbered[chance.IntN(len(numbered))]
		n.Text = n.Text[:len(n.Text)-1] + string(n.Text[len(n.Text)-1]+1)
	}
}

func misspelt(text string, chance *rand.Rand) string {
	letters := []rune(text)
	if len(letters) < 2 {
		return text + "x"
	}
	i := chance.IntN(len(letters) - 1)
	switch chance.IntN(3) {
	case 0:
		letters[i], letters[i+1] = letters[i+1], letters[i]
	case 1:
		letters = slices.Delete(letters, i, i+1)
	default:
		return strings.ToUpper(text) + "."
	}
	return string(letters)
}

// someKey is a key found in or under a node.
func someKey(n *orders.Node, chance *rand.Rand) string {
	var keys []string
	for _, node := range every(nil, n) {
		for _, pair := range node.Pairs {
			keys = append(keys, pair.Key.Text)
		}
	}
	if len(keys) == 0 {
		return ""
	}
	return keys[chance.IntN(len(keys))]
}

// every gathers the values of a tree.
func every(nodes []*orders.Node, n *orders.Node) []*orders.Node {
	nodes = append(nodes, n)
	for _, pair := range n.Pairs {
		nodes = every(nodes, pair.Value)
	}
	for _, item := range n.Items {
		nodes = every(nodes, item)
	}
	return nodes
}

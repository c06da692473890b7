package play

import (
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Breach is an invariant that a position breaks.
type Breach struct {
	Fault
	Keys []string // where it stands in the YAML of the position
}

// At tells where the breach stands in the YAML of the position, key by key; in a list
// the key is the number of the item.
func (b *Breach) At(keys ...string) *Breach {
	b.Keys = keys
	return b
}

// Write tells what to write in the position, where one thing would be right.
func (b *Breach) Write(text string) *Breach {
	b.Remedy = phrase.Say("order.write", phrase.Literal("text", text))
	return b
}

// Breaches gathers the breaches that [berthier/engine.Checked] finds.
type Breaches struct{ All []*Breach }

// Say notes a breach.
func (b *Breaches) Say(clause, code string, args ...phrase.Arg) *Breach {
	one := &Breach{Fault: Fault{Clause: clause, Why: phrase.Say(code, args...)}}
	b.All = append(b.All, one)
	return one
}

// Problems gives the breaches as the engine takes them.
func (b *Breaches) Problems() orders.Problems {
	var all orders.Problems
	for _, one := range b.All {
		all = append(all, orders.Problem{Clause: one.Clause, Why: one.Why, Remedy: one.Remedy})
	}
	return all
}

// Package play holds the parts of which every ruleset is made: stops and how they are
// read and answered, the events that are told, the options of a set-up, the library of
// scenarios, names in the players' languages, and positions in YAML.
//
// A ruleset has a game (everything that is known, by the engine or by a side), a view
// (a game that holds only what one side may see) and a play (a game moving on, with
// dice and events). The types here are generic over them: V is the ruleset's view, P its
// play.
package play

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"

	"berthier/engine"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Stop is one kind of decision: how its answer is read, made when a deadline passes or
// at random, written down, and carried out. All but Take work from the side's view. Each
// Stop is a [Form] with a world of its own.
type Stop[V engine.View, P any] interface {
	// Read takes the value of an order file's orders key apart. All faults go to
	// the reader; the reply counts only if there are none. A nil node, or the
	// word default, means the default.
	Read(v V, d engine.Decision, r *orders.Reader, body *orders.Node) Reply
	// Template is the value of the orders key, ready to be filled in: untouched it
	// reads as the default; the legal choices stand in comments.
	Template(v V, d engine.Decision) *orders.Node
	// Fallback is what the rules say when the deadline passes. It is always legal.
	Fallback(v V, d engine.Decision) Reply
	// Random is a legal reply made at random.
	Random(v V, d engine.Decision, chance *rand.Rand) Reply
	// Sensible is the reply of a fair player.
	Sensible(v V, d engine.Decision, chance *rand.Rand) Reply
	// Choices, Compose and Chosen are those of [engine.Chooser].
	Choices(v V, d engine.Decision, made []engine.Choice) []engine.Choice
	Compose(v V, d engine.Decision, made []engine.Choice) Reply
	Chosen(v V, d engine.Decision, a Reply) []engine.Choice
	// Take carries the reply out on the position, or keeps it until all replies
	// of the stop are in; the game goes on after the last one.
	Take(p P, d engine.Decision, a Reply)
}

// A Reply is what a side decided at a stop: the [Draft] of its form, when it is made.
type Reply interface {
	// Node is the reply in normal form: the value of the orders key.
	Node() *orders.Node
}

// Answer is a side's reply to a decision, as the engine hands it around.
type Answer struct {
	To       engine.Decision
	Reply    Reply
	Standing *orders.Node // in normal form; nil leaves those in force
	Policies *orders.Node // those that change, in normal form; nil: none does
}

// Orders implements [engine.Answer].
func (a Answer) Orders() *orders.Node {
	n := orders.Mapping().Set("orders", a.Reply.Node())
	if a.Standing != nil {
		n.Set("standing", a.Standing)
	}
	Put(n, "policies", a.Policies)
	return n
}

// Standing are standing orders and policies given by themselves. It implements
// [engine.Answer].
type Standing struct {
	Node     *orders.Node // nil leaves those in force
	Policies *orders.Node // those that change; nil: none does
}

// Orders implements [engine.Answer].
func (s Standing) Orders() *orders.Node {
	n := orders.Mapping()
	Put(n, "standing", s.Node)
	Put(n, "policies", s.Policies)
	return n
}

// A Stops answers the decisions of a ruleset. A ruleset embeds it, and so gets the parts
// of [engine.Ruleset] that read and answer.
type Stops[V engine.View, P any] struct {
	// Stops holds the stops by the kind of the decision.
	Stops map[string]Stop[V, P]
	// Vocabulary are the keywords of order files.
	Vocabulary *orders.Words
	// Instructions judges the value of a standing key and gives it in normal
	// form, or nil if the key is missing; nil for a ruleset without standing orders.
	Instructions func(V, *orders.Reader, *orders.Node) *orders.Node
	// InForce is how standing orders are written; nil for a ruleset that has none.
	InForce shape.Shape
	// Instructed are the standing orders, in the order in which they are asked at the stops
	// that they answer.
	Instructed []Instruction[V]
	// Conditions are those that may be asked about any decision; see [Asked].
	Conditions Asked[V]
	// Hollow lists the stops at which an empty map meant nothing, and not the default, in
	// games that began before an empty map meant the default everywhere.
	Hollow []string
	// Former are the keys of answers that were once written differently.
	Former FormerKeys
	// Layered is what policies may say, in the order of the rules; none for a ruleset
	// without policies.
	Layered []Policy[V]
	// Plans are keys of what is filed ahead under which several kinds of stops are answered
	// together.
	Plans []shape.Plan
	// Layer gives the policies of the view's side, and the view as it would be with them
	// in place of its standing orders. It goes with Layered.
	Layer func(V) (Policies, func() V)
	// Says gives the view as it would be if a policy said something, answering all of its
	// stops or not, in place of all standing orders and policies. It goes with Layered.
	Says func(v V, r *orders.Reader, key string, n *orders.Node) V
	// Standing writes the standing orders of the view's side; nil for a ruleset without.
	Standing func(V) *orders.Node
	// Heeding gives the view as it would be if its side had other policies, where how a file
	// is read hangs on them; nil where it does not.
	Heeding func(V, Policies) V
	// Insists tells whether standing orders say that the side is to be asked, so that no
	// policy answers. It may be nil.
	Insists func(V, engine.Decision) bool
	// Declines are the kinds of stops at which a side is asked whether it does something
	// small that it mostly declines, which is the default. The value tells whether others
	// may know that it is this kind at which the side is asked; see [engine.Meanwhile].
	Declines map[string]bool
	// Foretells are the codes of the sentences that others may be told before the side has
	// answered, as if it had declined.
	Foretells []string
	// Joins lists the stops that may follow a stop of a side with nothing in between, so that
	// one file answers both, and Idles those whose default does nothing where a side mostly
	// does something; see [engine.Follower]. Joins is nil where every stop stands alone.
	Joins func(engine.Decision) []engine.Decision
	Idles []string
	// Dice are those that a player may order, and that may cost him something.
	Dice []shape.Die
	// Evidence is what the conformance cases show about the stops, see [shape.Sheet].
	Evidence []byte
	// Remark adds to a template what stands in it besides the orders, such as
	// comments with the standing orders in force. It may be nil.
	Remark func(V, engine.Decision, *orders.Node)
}

// Read implements [engine.Ruleset].
func (k Stops[V, P]) Read(view engine.View, d engine.Decision, file *orders.Document) (engine.Answer, orders.Problems) {
	v := view.(V)
	r := orders.NewReader(k.Vocabulary)
	r.Accepted, r.Former, r.Mends = file.Accepted, file.Former, file.Mends && !file.Accepted
	a := Answer{To: d, Standing: k.instructions(v, r, file.Standing), Policies: k.readPolicies(v, r, file.Policies)}
	if k.Heeding != nil && a.Policies != nil && len(r.Problems) == 0 {
		said, _ := k.Layer(v)
		v = k.Heeding(v, k.Change(said, a.Policies))
	}
	a.Reply = k.Stops[d.Kind].Read(v, d, r, k.long(v, d, r, k.body(r, d, file.Orders)))
	file.Repaired(r.Repairs)
	if len(r.Problems) > 0 {
		r.Problems.Sort()
		return nil, r.Problems
	}
	return a, nil
}

// ReadStanding implements [engine.Instructor].
func (k Stops[V, P]) ReadStanding(view engine.View, file *orders.Document) (engine.Answer, orders.Problems) {
	r := orders.NewReader(k.Vocabulary)
	r.Accepted, r.Former, r.Mends = file.Accepted, file.Former, file.Mends && !file.Accepted
	given := Standing{k.instructions(view.(V), r, file.Standing), k.readPolicies(view.(V), r, file.Policies)}
	file.Repaired(r.Repairs)
	if len(r.Problems) > 0 {
		r.Problems.Sort()
		return nil, r.Problems
	}
	if given.Node == nil && given.Policies == nil {
		given.Node = orders.Text("none")
	}
	return given, nil
}

// Shapes implements [engine.Shaped].
func (k Stops[V, P]) Shapes() shape.Sheet {
	s := shape.Sheet{Vocabulary: k.Vocabulary, Standing: k.InForce, Conditions: k.Conditions.Shape, Policies: k.policyShape(), Layer: k.layerShape(), Plans: k.Plans, Listed: slices.ContainsFunc(k.Layered, func(p Policy[V]) bool { return p.Listed != nil }), Answered: k.answered(), Dice: k.Dice, Evidence: k.Evidence, Stops: map[string]shape.Shape{}}
	for kind, stop := range k.Stops {
		if how := shapeOf(stop); how != nil {
			s.Stops[kind] = how
		}
	}
	return s
}

// Keywords implements [engine.Shaped].
func (k Stops[V, P]) Keywords() *orders.Words { return k.Vocabulary }

// shapeOf is how answers to a stop are written; nil if nobody says.
func shapeOf[V engine.View, P any](stop Stop[V, P]) shape.Shape {
	if form, ok := stop.(interface{ Shape() shape.Shape }); ok {
		return form.Shape()
	}
	return nil
}

// long writes out the short lines of a file that a player has written, see [shape.Long].
func (k Stops[V, P]) long(v V, d engine.Decision, r *orders.Reader, n *orders.Node) *orders.Node {
	if !r.Mends || n == nil {
		return n
	}
	var names shape.Names
	if namer, ok := any(v).(engine.Namer); ok {
		names = namer.Names
	}
	return shape.Long(r, n, shapeOf(k.Stops[d.Kind]), k.Vocabulary, names)
}

// instructions judges the value of a standing key, which a ruleset without standing
// orders refuses.
func (k Stops[V, P]) instructions(v V, r *orders.Reader, n *orders.Node) *orders.Node {
	if k.Instructions != nil {
		return k.Instructions(v, r, n)
	}
	if n != nil {
		r.Refuse(n, "", phrase.Say("play.no-standing"))
	}
	return nil
}

// Template implements [engine.Ruleset].
func (k Stops[V, P]) Template(view engine.View, d engine.Decision) *orders.Node {
	v := view.(V)
	n := orders.Mapping().Set("orders", k.Stops[d.Kind].Template(v, d))
	if k.Remark != nil {
		k.Remark(v, d, n)
	}
	k.bearing(v, d, n)
	return n
}

// Default implements [engine.Ruleset].
func (k Stops[V, P]) Default(view engine.View, d engine.Decision) engine.Answer {
	return Answer{To: d, Reply: k.Stops[d.Kind].Fallback(view.(V), d)}
}

// Random implements [engine.Ruleset].
func (k Stops[V, P]) Random(view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
	return Answer{To: d, Reply: k.Stops[d.Kind].Random(view.(V), d, chance)}
}

// Sensible implements [engine.Ruleset].
func (k Stops[V, P]) Sensible(view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
	return Answer{To: d, Reply: k.Stops[d.Kind].Sensible(view.(V), d, chance)}
}

// Choices implements [engine.Chooser].
func (k Stops[V, P]) Choices(view engine.View, d engine.Decision, made []engine.Choice) []engine.Choice {
	return k.Stops[d.Kind].Choices(view.(V), d, made)
}

// Compose implements [engine.Chooser].
func (k Stops[V, P]) Compose(view engine.View, d engine.Decision, made []engine.Choice) engine.Answer {
	return Answer{To: d, Reply: k.Stops[d.Kind].Compose(view.(V), d, made)}
}

// Chosen implements [engine.Chooser].
func (k Stops[V, P]) Chosen(view engine.View, d engine.Decision, a engine.Answer) []engine.Choice {
	return k.Stops[d.Kind].Chosen(view.(V), d, a.(Answer).Reply)
}

// Collect finds the answer to each decision that was asked, in their order. The
// error says that an answer is missing or was made for another stop.
func Collect(asked []engine.Decision, answers map[engine.Side]engine.Answer) ([]Answer, error) {
	all := make([]Answer, len(asked))
	for i, d := range asked {
		a, ok := answers[d.Side].(Answer)
		if !ok || a.To != d {
			return nil, fmt.Errorf("advance: no answer of %s to %s %s", d.Side, d.Kind, d.At)
		}
		all[i] = a
	}
	return all, nil
}

// Resolve carries out the answers to what was asked: first the standing orders and the
// policies that came with them take effect, then the replies, each in the order of the
// asked. Adopt is nil in a ruleset without standing orders. The error is that of [Collect].
func Resolve[V engine.View, P any](p P, stops map[string]Stop[V, P], asked []engine.Decision, answers map[engine.Side]engine.Answer, adopt func(engine.Side, Standing)) error {
	all, err := Collect(asked, answers)
	if err != nil {
		return err
	}
	if adopt != nil {
		for i, d := range asked {
			adopt(d.Side, Standing{all[i].Standing, all[i].Policies})
		}
	}
	for i, d := range asked {
		stops[d.Kind].Take(p, d, all[i].Reply)
	}
	return nil
}

// Default tells whether the value of an orders key means the default: it is missing, or
// it is the word default alone.
func Default(r *orders.Reader, body *orders.Node) bool {
	return body == nil || body.Null || r.Is(body, "default")
}

// A Story is what happens between two stops: the dice, and the events so far.
// A ruleset's play embeds it.
type Story struct {
	Dice   engine.Dice
	Events []engine.Event
	// Asked lists for each side the kinds of stops that open whatever its standing orders
	// and policies would answer; see [engine.Asker].
	Asked map[engine.Side][]string
}

// Insists tells whether a side is asked at a kind of stop, whatever it has said before.
func (s *Story) Insists(side engine.Side, kind string) bool {
	return slices.Contains(s.Asked[side], kind)
}

// Tell notes an event.
func (s *Story) Tell(clause string, tellings ...engine.Telling) {
	s.Events = append(s.Events, engine.Event{Clause: clause, Tellings: tellings})
}

// To says something to some sides.
func To(sides []engine.Side, code string, args ...phrase.Arg) engine.Telling {
	return engine.Telling{To: sides, Say: phrase.Say(code, args...)}
}

// A Fault says why something may not be done, with its clause.
type Fault struct {
	Clause string
	Why    phrase.Phrase
	Remedy phrase.Phrase // what would be right, if that can be said
}

// Refuse notes the fault at a node of an order file and tells whether there is
// a fault: nil means that there is none.
func (f *Fault) Refuse(r *orders.Reader, at *orders.Node) bool {
	if f == nil {
		return false
	}
	r.RefuseWith(at, f.Clause, f.Why, f.Remedy)
	return true
}

// Error implements error, for tests and logs.
func (f *Fault) Error() string { return f.Clause + " " + f.Why.Code }

// Words gives the catalogues in a ruleset's folder "words". They are part of the
// program, so a fault in them is a programmer's mistake.
func Words(files fs.FS) fs.FS {
	sub, err := fs.Sub(files, "words")
	if err != nil {
		panic("play: " + err.Error())
	}
	return sub
}

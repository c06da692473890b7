package play

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"

	"berthier/engine"
	"berthier/engine/shape"
	"berthier/orders"
)

// A Form declares once how a stop may be answered, and everything else follows from
// that. It is a [Stop] like any other.
//
// An answer is made part by part: a card for a battle, a unit that retreats, one
// step of a move. Each part is judged in the world that the parts before it leave
// behind, by the same function, wherever the part comes from. So there can be no
// difference between what an order file is refused for, what a list of choices holds,
// and what defaults, bots and random answers may do.
//
// V is the ruleset's view and P its play, as everywhere in this package. W is the
// world of the form: a pointer to what is known of the answer so far, and to a copy
// of everything on the board that the answer changes.
type Form[V engine.View, P, W any] struct {
	// Begin makes the world in which nothing has been said yet. It may keep the view
	// but never changes it. False means that there is nothing to answer, as in a
	// position that was edited: every file then means the default, and the default
	// does nothing.
	Begin func(V, engine.Decision) (W, bool)
	// Fields are the keys of the answer, in the order of the file. A single field
	// without a key is the value of the orders key itself.
	Fields []Field[V, W]
	// Flow writes the answer in one line.
	Flow bool
	// Ends tells that the answer is a list, which the word end may close: alone it means the
	// default, behind others nothing. So a template needs no word that must be taken away.
	// In a field made by [List] the word does the same in any form.
	Ends bool
	// Stands tells that the template shows the default as it would be written, to be changed
	// in place, or what Note has made of it. Otherwise the template is a list that says
	// nothing, which means the default, below examples: first the default, then others.
	Stands bool
	// Gathers tells that a key that comes again in a list of lines goes on: lists are put behind
	// each other, and maps together.
	Gathers bool
	// Shows tells which parts that may come next are worth an example, where not all are.
	Shows func(W, any) bool
	// Besides are more examples, each on one line; nil if there are none. Each must be a
	// legal answer by itself.
	Besides func(*Draft[V, W]) []string
	// Clause is the rule by which something has to be said. It is named where the word
	// none is no answer and the fault has no clause of its own.
	Clause string
	// Misspelt tells that a missing key is not reported if the map has a key that is
	// unknown, for this may be the missing one, misspelt.
	Misspelt bool
	// Lacks tells why the parts so far do not make an answer yet; nil if they do. It may
	// be nil itself: then nothing is lacking but fields that must be written.
	Lacks func(W) *Fault

	// Usual is what the rules say at the deadline; nil says nothing.
	Usual func(*Draft[V, W])
	// Fill completes what somebody chose and then left; nil is Usual.
	Fill func(*Draft[V, W])
	// Chance says something at random; nil takes any legal part until nothing lacks.
	// If it says nothing, that is the default.
	Chance func(*Draft[V, W], *rand.Rand)
	// Sense answers as a fair player does; nil is the default. If it says nothing,
	// that is the default.
	Sense func(*Draft[V, W], *rand.Rand)

	// Note adds to a template what stands there as comments. The node is that of the
	// default, which the draft holds. What may be said it takes from [Offers] of
	// [Draft.Blank], or it asks the judges of the world themselves. It may be nil.
	Note func(*Draft[V, W], *orders.Node)
	// Do carries the answer out and is given its world. The same answer may be carried
	// out again on another copy of the game, so Do copies whatever it keeps of the world.
	Do func(P, engine.Decision, W)

	once sync.Once
	rest bool // the words of answers have rest among them; known after once
}

// A Part is one thing that an answer says.
type Part struct {
	Key   string // of its field
	Value any    // of the type that the field holds; it can be compared
}

// A Draft is an answer in the making and, once it is made, the [Reply]. Everything that
// makes answers goes through a Draft, so that nothing illegal can be made.
type Draft[V engine.View, W any] struct {
	View  V
	To    engine.Decision
	World W      // with all parts in it
	Parts []Part // in the order of the file, but for fields that take the world apart

	fields []Field[V, W]
	flow   bool
	begin  func(V, engine.Decision) (W, bool) // as in [Form]
	idle   bool                               // there is nothing to answer, and no world
	made   bool                               // the world says more than the parts
	making making[V, W]
}

// opened is a draft with the world in which nothing has been said.
func (x Draft[V, W]) opened() *Draft[V, W] {
	w, ok := x.begin(x.View, x.To)
	x.World, x.idle = w, !ok
	return &x
}

// field finds a field by its key.
func (x *Draft[V, W]) field(key string) *Field[V, W] {
	for i := range x.fields {
		if x.fields[i].Key == key {
			return &x.fields[i]
		}
	}
	return nil
}

// Of gives the parts of one field.
func (x *Draft[V, W]) Of(key string) []Part {
	if len(x.fields) == 1 {
		return x.Parts
	}
	all := make([]Part, 0, x.count(key))
	for _, p := range x.Parts {
		if p.Key == key {
			all = append(all, p)
		}
	}
	return all
}

// count is how many parts a field has.
func (x *Draft[V, W]) count(key string) int {
	n := 0
	for i := range x.Parts {
		if x.Parts[i].Key == key {
			n++
		}
	}
	return n
}

// can tells whether a value may be added to a field now.
func (x *Draft[V, W]) can(f *Field[V, W], value any) bool {
	if f.Can != nil {
		return f.Can(x.World, value)
	}
	return x.fault(f, value) == nil
}

// fault tells why a value may not be added to a field now.
func (x *Draft[V, W]) fault(f *Field[V, W], value any) *Fault {
	if f.May == nil {
		return nil
	}
	return f.May(x.World, value)
}

// room tells whether a field takes another part.
func (x *Draft[V, W]) room(f *Field[V, W]) bool {
	return f.Many == nil || f.Many(x.World, x.count(f.Key)+1) == nil
}

// put adds a part that may come.
func (x *Draft[V, W]) put(f *Field[V, W], value any) {
	if f.Apart == nil {
		x.Parts = append(x.Parts, Part{f.Key, value})
	}
	x.made = x.made || f.Apart != nil
	if f.Put != nil {
		f.Put(x.World, value)
	}
}

// Try adds a value to a field if it may come, and tells whether it did.
func (x *Draft[V, W]) Try(key string, value any) bool {
	f := x.field(key)
	if f == nil || !x.room(f) || !x.can(f, value) {
		return false
	}
	x.put(f, value)
	return true
}

// Add adds a value to a field without judging it. The caller has judged it already, by
// the same functions.
func (x *Draft[V, W]) Add(key string, value any) { x.put(x.field(key), value) }

// Made tells that the caller has put into the world what it holds, and has judged it by
// the same functions, in a form whose fields take their worlds apart.
func (x *Draft[V, W]) Made() { x.made = true }

// Judge adds a value that was read at a node to a field, or refuses it there: in a
// record at the key that [Field.Place] names. Whole tells whether all of the value could
// be read, and since is how many faults the reader had before it was.
func (x *Draft[V, W]) Judge(r *orders.Reader, at *orders.Node, key string, value any, whole bool, since int) {
	f := x.field(key)
	if !whole && !f.Partly {
		return
	}
	fault := x.fault(f, value)
	if fault == nil {
		if whole {
			x.put(f, value)
		}
		return
	}
	place := f.place(r, at, value, fault)
	told := slices.ContainsFunc(r.Problems[since:], func(p orders.Problem) bool { return p.Line == place.Line && p.Column == place.Column })
	if whole || place != at && !told {
		fault.Refuse(r, place)
	}
}

// place is where the fault of a value lies, given the node at which it was read.
func (f *Field[V, W]) place(r *orders.Reader, at *orders.Node, value any, fault *Fault) *orders.Node {
	if f.Place != nil {
		for _, key := range f.Place(value, fault) {
			if n := r.Under(at, key); n != nil {
				return n
			}
		}
	}
	return at
}

// may gives every part that may come next, field by field, with nothing said of it but what
// the rules want to be said.
func (x *Draft[V, W]) may(yield func(*Field[V, W], any) bool) {
	for h := range x.heads {
		if !yield(h.field, h.whole) {
			return
		}
	}
}

// A head is a part that may come next: with nothing said in its slots, and completed.
type head[V engine.View, W any] struct {
	field        *Field[V, W]
	value, whole any
}

// heads gives every part that may come next, field by field.
func (x *Draft[V, W]) heads(yield func(head[V, W]) bool) {
	for i := range x.fields {
		f := &x.fields[i]
		if f.Next == nil || !x.room(f) {
			continue
		}
		for value := range f.Next(x.World) {
			if whole := x.complete(f, value); x.fits(f, whole) && !yield(head[V, W]{f, value, whole}) {
				return
			}
		}
	}
}

// Blank is, for [Form.Note], the answer in which nothing has been said.
func (x *Draft[V, W]) Blank() *Draft[V, W] {
	if len(x.Parts) == 0 && !x.made { // it is blank itself
		return x
	}
	return Draft[V, W]{View: x.View, To: x.To, fields: x.fields, flow: x.flow, begin: x.begin}.opened()
}

// Offers gives the values that a field may take next, which are those that a list of
// choices offers: of a measure one that stands for all of them.
func Offers[T any, V engine.View, W any](x *Draft[V, W], key string) []T {
	if x.idle {
		return nil
	}
	var list []T
	for f, value := range x.may {
		if f.Key == key {
			list = append(list, value.(T))
		}
	}
	return list
}

// fits tells whether a value may come next, and the answer can still be completed then.
func (x *Draft[V, W]) fits(f *Field[V, W], value any) bool {
	return x.can(f, value) && (f.Fits == nil || f.Fits(x.World, value))
}

// Node implements [Reply]: the normal form.
func (x *Draft[V, W]) Node() *orders.Node {
	if x.idle {
		return orders.Text("default")
	}
	if len(x.fields) == 1 && x.fields[0].Key == "" {
		return x.fields[0].Write(x, x.Parts)
	}
	n := orders.Mapping()
	n.Flow = x.flow
	for i := range x.fields {
		f := &x.fields[i]
		if value := f.Write(x, x.Of(f.Key)); value != nil {
			n.Set(f.Key, value)
		}
	}
	return n
}

// done puts the parts of an answer in the order of the file.
func (x *Draft[V, W]) done() *Draft[V, W] {
	for i := range x.fields {
		f := &x.fields[i]
		if f.Arrange == nil {
			continue
		}
		parts := x.Of(f.Key)
		f.Arrange(x.World, parts)
		for k := range x.Parts {
			if x.Parts[k].Key == f.Key {
				x.Parts[k], parts = parts[0], parts[1:]
			}
		}
	}
	return x
}

// say is how a value is listed as a choice in a field that has so many parts before it.
func (f *Field[V, W]) say(v V, value any, before int) engine.Choice {
	c := f.Say(v, value)
	if f.Ranked {
		c.What = strconv.Itoa(before + 1)
	}
	return c
}

// Blank is the draft in which nothing has been said.
func (f *Form[V, P, W]) Blank(v V, d engine.Decision) *Draft[V, W] {
	return Draft[V, W]{View: v, To: d, fields: f.Fields, flow: f.Flow, begin: f.Begin}.opened()
}

// lacks tells whether the parts do not make an answer yet.
func (f *Form[V, P, W]) lacks(x *Draft[V, W]) bool {
	for i := range f.Fields {
		one, n := &f.Fields[i], x.count(f.Fields[i].Key)
		if one.Single && !one.Optional && n == 0 || one.End != nil && len(one.End(x.World, n, true)) > 0 {
			return true
		}
	}
	return f.Lacks != nil && f.Lacks(x.World) != nil
}

// Read implements [Stop].
func (f *Form[V, P, W]) Read(v V, d engine.Decision, r *orders.Reader, body *orders.Node) Reply {
	x := f.Blank(v, d)
	switch {
	case f.Ends:
		body = Ended(r, body)
	case f.onlyEnd(r, body):
		body = nil
	default:
		body = joined(r, body, f.Gathers)
	}
	switch {
	case x.idle || Default(r, body):
		return f.Fallback(v, d)
	case Nothing(r, body):
		return f.readNothing(x, r, body)
	}
	since := len(r.Problems)
	if len(f.Fields) == 1 && f.Fields[0].Key == "" {
		f.Fields[0].Read(x, r, body)
	} else {
		f.readKeys(x, r, body)
	}
	if len(r.Problems) > since {
		return nil
	}
	if f.Lacks != nil && body.Whole() {
		if fault := f.Lacks(x.World); fault != nil {
			fault.Refuse(r, body)
			return nil
		}
	}
	return x.done()
}

// readKeys reads the fields of a map, in their order.
func (f *Form[V, P, W]) readKeys(x *Draft[V, W], r *orders.Reader, body *orders.Node) {
	keys := make([]string, len(f.Fields))
	for i := range f.Fields {
		keys[i] = f.Fields[i].Key
	}
	since := len(r.Problems)
	fields, said := r.Fields(body, keys...), false
	unknown := len(r.Problems) > since
	missing := func(key string) {
		if !f.Misspelt || !unknown {
			r.Require(fields, key)
		}
		said = true
	}
	for _, early := range [2]bool{true, false} {
		for i := range f.Fields {
			one := &f.Fields[i]
			n := fields.Get(one.Key)
			switch {
			case one.Early != early:
			case n != nil:
				said = true
				if one.listed {
					n = closed(r, n)
				}
				one.Read(x, r, n)
			case !one.Optional:
				missing(one.Key)
			}
		}
	}
	if !said && !unknown { // an answer that says nothing lacks its first key; one with an unknown key has said what is wrong
		missing(keys[0])
	}
}

// Shape is how answers to the stop are written; in place of all keys the words default
// and none may stand.
func (f *Form[V, P, W]) Shape() shape.Shape {
	words := shape.Words("default", "none")
	if len(f.Fields) == 1 && f.Fields[0].Key == "" {
		if f.Ends {
			return shape.Either(words, f.Fields[0].Shape)
		}
		return shape.Either(words, shape.Closed(f.Fields[0].Shape))
	}
	return shape.Either(words, shape.Closed(f.record()))
}

// record is how the keys of answers are written.
func (f *Form[V, P, W]) record() shape.Shape {
	keys := make([]shape.Key, len(f.Fields))
	for i := range f.Fields {
		one := &f.Fields[i]
		keys[i] = shape.Key{Key: one.Key, Value: one.Shape, Need: !one.Optional}
	}
	return shape.Record(keys...)
}

// Fallback implements [Stop].
func (f *Form[V, P, W]) Fallback(v V, d engine.Decision) Reply { return f.usual(v, d) }

func (f *Form[V, P, W]) usual(v V, d engine.Decision) *Draft[V, W] {
	x := f.Blank(v, d)
	if f.Usual != nil && !x.idle {
		f.Usual(x)
	}
	return x.done()
}

// Template implements [Stop].
func (f *Form[V, P, W]) Template(v V, d engine.Decision) *orders.Node {
	x := f.usual(v, d)
	n := x.Node()
	if f.Note != nil && !x.idle {
		n.Flow = n.Flow && n.Kind != orders.Map // room for the comments
		f.Note(x, n)
	}
	if x.idle || f.Ends || f.Stands {
		return n
	}
	return f.shown(x, n)
}

// Random implements [Stop].
func (f *Form[V, P, W]) Random(v V, d engine.Decision, chance *rand.Rand) Reply {
	x := f.Blank(v, d)
	switch {
	case x.idle:
	case f.Chance != nil:
		f.Chance(x, chance)
	default:
		f.walk(x, chance)
	}
	return f.orUsual(x)
}

// walk takes one legal part after another, and stops at random once nothing lacks.
func (f *Form[V, P, W]) walk(x *Draft[V, W], chance *rand.Rand) {
	for {
		list := slices.Collect(x.heads)
		if len(list) == 0 || !f.lacks(x) && chance.IntN(3) == 0 {
			return
		}
		one := list[chance.IntN(len(list))]
		x.starts(one.field, one.value)
		x.ramble(chance)
	}
}

// Sensible implements [Stop].
func (f *Form[V, P, W]) Sensible(v V, d engine.Decision, chance *rand.Rand) Reply {
	x := f.Blank(v, d)
	if f.Sense != nil && !x.idle {
		f.Sense(x, chance)
	}
	return f.orUsual(x)
}

// orUsual is the default if nothing was said.
func (f *Form[V, P, W]) orUsual(x *Draft[V, W]) Reply {
	if len(x.Parts) == 0 && !x.made {
		return f.Fallback(x.View, x.To)
	}
	return x.done()
}

// Take implements [Stop].
func (f *Form[V, P, W]) Take(p P, d engine.Decision, a Reply) {
	if x := a.(*Draft[V, W]); !x.idle {
		f.Do(p, d, x.World)
	}
}

// follow makes choices one after the other; false if one of them can't be made.
func (x *Draft[V, W]) follow(made []engine.Choice) bool {
	for _, c := range made {
		if !x.choose(c) {
			return false
		}
	}
	return true
}

func (x *Draft[V, W]) choose(c engine.Choice) bool {
	if x.adds(c) {
		return true
	}
	x.finish()
	for i := range x.fields {
		f := &x.fields[i]
		if f.Next == nil || !x.room(f) {
			continue
		}
		for value := range f.Next(x.World) {
			o := f.say(x.View, value, x.count(f.Key))
			if o.Measure && c.Measure && engine.Offered([]engine.Choice{o}, c) {
				value, o = f.At(value, c.Value), c
			}
			if o.Same(c) && x.fits(f, x.complete(f, value)) {
				x.starts(f, value)
				return true
			}
		}
	}
	return false
}

// Choices implements [Stop].
func (f *Form[V, P, W]) Choices(v V, d engine.Decision, made []engine.Choice) []engine.Choice {
	x := f.Blank(v, d)
	if x.idle || !x.follow(made) {
		return nil
	}
	var list []engine.Choice
	for o := range x.more {
		list = append(list, o.Choice)
	}
	x.finish()
	for h := range x.heads {
		c := h.field.say(v, h.value, x.count(h.field.Key))
		if c.Value = 0; len(made) > 0 {
			c.Shown = "" // it was opened by other choices
		}
		list = append(list, c)
	}
	return list
}

// Compose implements [Stop]. What can't be chosen ends the choices.
func (f *Form[V, P, W]) Compose(v V, d engine.Decision, made []engine.Choice) Reply {
	x := f.Blank(v, d)
	if x.idle || len(made) == 0 {
		return f.Fallback(v, d)
	}
	x.follow(made)
	x.finish()
	if fill := f.filling(); fill != nil {
		fill(x)
	}
	return x.done()
}

// filling completes what was chosen and then left; nil if nothing does.
func (f *Form[V, P, W]) filling() func(*Draft[V, W]) {
	if f.Fill != nil {
		return f.Fill
	}
	return f.Usual
}

// Chosen implements [Stop]: the reply is its parts.
func (f *Form[V, P, W]) Chosen(v V, _ engine.Decision, a Reply) []engine.Choice {
	var list []engine.Choice
	x := a.(*Draft[V, W])
	before := map[string]int{}
	for _, p := range x.Parts {
		one := x.field(p.Key)
		c := one.say(v, p.Value, before[p.Key])
		before[p.Key]++
		c.Shown = ""
		list = append(list, c)
		for _, s := range one.slots {
			list = append(list, s.says(v, p.Value)...)
		}
	}
	for i := range x.fields {
		if x.idle || x.fields[i].Apart == nil {
			continue
		}
		for _, value := range x.fields[i].Apart(x.World) {
			c := x.fields[i].Say(v, value)
			c.Shown = ""
			list = append(list, c)
		}
	}
	return list
}

// Make makes a reply: the function say is given a draft, and adds to it what may be said.
func (f *Form[V, P, W]) Make(v V, d engine.Decision, say func(*Draft[V, W])) Reply {
	x := f.Blank(v, d)
	if !x.idle {
		say(x)
	}
	return x.done()
}

// World gives the world of a reply, which holds what the reply says. It is false for a
// reply of another form, and where there was nothing to answer.
func World[V engine.View, W any](a Reply) (W, bool) {
	x, ok := a.(*Draft[V, W])
	if !ok || x.idle {
		var none W
		return none, false
	}
	return x.World, true
}

// A Field is one key of an answer. Most are made by [One] or [List]; a field with a
// syntax of its own is written out.
type Field[V engine.View, W any] struct {
	Key string
	// Optional fields may be left out of a file.
	Optional bool
	// Early fields are read before the others.
	Early bool
	// Single fields hold one part.
	Single bool
	listed bool // made by [List]

	// Shape is how the value of the key is written, whatever is legal: see [Form.Shape].
	Shape shape.Shape
	// Read takes the value of the key apart and gives what it says to [Draft.Judge].
	Read func(x *Draft[V, W], r *orders.Reader, n *orders.Node)
	// Write writes the field's parts in normal form; nil leaves the key out.
	Write func(x *Draft[V, W], parts []Part) *orders.Node

	// Next gives the values that are worth trying now, each once, in an order that
	// the world alone decides; nil for a field in which nothing can be chosen.
	Next func(W) iter.Seq[any]
	// May tells why a value may not be said now; nothing else judges that. It never changes
	// the world. Nil allows everything that can be written.
	May func(W, any) *Fault
	// Can tells without any words whether May has no fault, where that is much cheaper; nil
	// asks May.
	Can func(W, any) bool
	// Place tells at which key of a record a fault of May lies: the first of these keys that
	// the file has. It may be nil: faults are then placed at the whole value.
	Place func(any, *Fault) []string
	// Partly tells that May also judges records some keys of which could not be read; these
	// keys are zero. A fault at a key that could be read is then told, too.
	Partly bool
	// Fits tells whether an answer can still be completed if a value that may come is added.
	// It is nil where every legal beginning can be completed, which is nearly always. Only
	// a value that fits is offered as a choice.
	Fits func(W, any) bool
	// Many tells why there may not be so many parts; nil allows any number. A fault without
	// words ends what is offered; End then tells it in other words.
	Many func(w W, n int) *Fault
	// At is a value with another number in it; it may be nil. A value of Next that Say
	// lists as a measure stands for all numbers of its bounds.
	At func(value any, n int) any
	// Apart lists the parts that the world holds, in the order of the file, where that is
	// cheaper than to keep every part that was said: then no parts are kept. It may be nil.
	Apart func(W) []any
	// Arrange puts the parts of the field in the order of the file when the answer is
	// made; it may be nil.
	Arrange func(W, []Part)
	// Ranked fields hold an order: what is chosen for a value is its place.
	Ranked bool
	// End tells what is wrong with the field as a whole, see [Rule]; it may be nil.
	End func(w W, items int, whole bool) []*Fault
	// Put makes a value that may come take effect in the world.
	Put func(W, any)
	// Say is how a value is listed as a choice.
	Say func(V, any) engine.Choice

	slots []slot[V, W]     // see [Rule.Slots]
	whole func(W, any) any // see [Rule.Whole]
}

package play

import (
	"maps"
	"reflect"
	"slices"
	"sync"

	"berthier/orders"
)

// A Codec writes plain data as YAML nodes and reads it back strictly, with the
// place of every fault. Rulesets write their positions with it and read their
// scenario files with it. So no field that is added to the model can be forgotten in
// writing or in reading, and two values are the same if and only if their bytes are.
//
// All exported fields of a struct that are not zero are written, under their names in
// lower case, "LeftOver" as "left_over"; a key that is missing is read as zero. The tag
// pos gives another key and says more, see [tagWords]:
//
//	Turn   int     `pos:"turn,max=7"`    // the greatest number (else 999)
//	Units  []unit  `pos:"units,by=unit"` // a map by the ids of things, see Things
//	secret int                           // not exported: never written
//	wind   int     `pos:"wind,min=-3"`   // not exported, but written
//	board  *board  `pos:"-"`             // never written
//
// If one field of a struct that is not exported has a tag, all must have one, so that
// none can be forgotten. A field without the tag that has a tag yaml, as types of other
// packages do, is written as [orders.Marshal] writes it.
//
// Types that number things or words are written by the ids of these. What a type can't
// say by its tags it says by methods: [PosMarshaler], [PosUnmarshaler], [PosHaver],
// [PosSettler].
type Codec struct {
	things map[reflect.Type]*Things
	byName map[string]*Things
	bounds map[string]int
	unions map[reflect.Type]map[string]reflect.Type
	notes  []string
	shapes sync.Map // of reflect.Type to *layout: types are looked through once
}

// Things are what a whole-number type counts: First is the number of the first of
// the ids, and First-1 means no thing.
type Things struct {
	Kind  string     // "unit"; for the fault order.unknown-KIND, and for pos:"…,by=unit"
	IDs   []string   // in the order of their numbers
	First int        // number of the first
	Names [][]string // other spellings, parallel to IDs; may be nil
	// Words tells that they are keywords and not things of the game: stages, armies.
	// No number then means "no word".
	Words bool
	// Find reads an id that is not one of the IDs as written, such as a road named by
	// its ends in any order, and refuses what it does not find.
	Find func(r *orders.Reader, n *orders.Node) (number int, ok bool)

	choices []orders.Choice
	at      map[string]int
}

// NewCodec makes a codec that does not know any things yet.
func NewCodec() *Codec {
	return &Codec{things: map[reflect.Type]*Things{}, byName: map[string]*Things{}, bounds: map[string]int{},
		unions: map[reflect.Type]map[string]reflect.Type{}}
}

// Copy gives a codec that knows the same things, and may be taught others.
func (c *Codec) Copy() *Codec {
	return &Codec{things: maps.Clone(c.things), byName: maps.Clone(c.byName), bounds: maps.Clone(c.bounds),
		unions: maps.Clone(c.unions), notes: slices.Clone(c.notes)}
}

// Things teaches the codec the ids of a type, of which sample is a value.
func (c *Codec) Things(sample any, t Things) { c.things[reflect.TypeOf(sample)] = c.List(t) }

// List teaches the codec things that have no type of their own: a type counts them
// under some keys only.
func (c *Codec) List(t Things) *Things {
	all := &t
	all.index()
	c.byName[t.Kind] = all
	return all
}

// Notes lets every map have these keys, which nobody reads.
func (c *Codec) Notes(keys ...string) { c.notes = append(c.notes, keys...) }

// Bound gives a name to a number that tags use as a bound: pos:"turn,max=turns".
func (c *Codec) Bound(name string, n int) { c.bounds[name] = n }

// Union teaches the codec what an interface may hold: pointers to structs, by the key
// under which each is written. Iface is a nil pointer to the interface type.
func (c *Codec) Union(iface any, members map[string]any) {
	all := map[string]reflect.Type{}
	for key, m := range members {
		all[key] = reflect.TypeOf(m).Elem()
	}
	c.unions[reflect.TypeOf(iface).Elem()] = all
}

// Write writes the fields of the struct that v points to.
func (c *Codec) Write(v any) *orders.Node {
	of := reflect.ValueOf(v)
	if of.Kind() != reflect.Pointer {
		p := reflect.New(of.Type())
		p.Elem().Set(of)
		of = p
	}
	n := orders.Mapping()
	x := &Scribe{codec: c, Whole: of.Interface()}
	x.writeFields(n, of.Elem(), c.shape(of.Type().Elem()))
	return n
}

// Read reads a map into the struct that into points to. A field whose key is not in the
// map stays as it is there, except that ids become "no thing". Keys that the codec does
// not know go to the reader as faults, unless they are among the others, which the
// caller reads.
func (c *Codec) Read(r *orders.Reader, n *orders.Node, into any, others ...string) {
	v := reflect.ValueOf(into).Elem()
	x := &Scribe{Reader: r, codec: c, Whole: into}
	x.readFields(n, v, c.shape(v.Type()), others)
}

// A Scribe writes or reads one file. Types that write themselves are given it.
type Scribe struct {
	*orders.Reader     // nil if it writes
	Whole          any // a pointer to all that is written or read
	Holder         any // a pointer to the struct whose field is written or read
	codec          *Codec
}

// A PosMarshaler is a type that writes itself; nil means that there is nothing to
// write. A pointer to it must also be a [PosUnmarshaler] if it is to be read.
type PosMarshaler interface {
	MarshalPos(x *Scribe) *orders.Node
}

// A PosUnmarshaler is a type that reads itself, telling what is wrong at its node.
type PosUnmarshaler interface {
	UnmarshalPos(x *Scribe, n *orders.Node)
}

// A PosHaver is a struct some of whose keys mean something only if other keys have
// certain values: HasPos tells whether a key is to be written.
type PosHaver interface {
	HasPos(key string) bool
}

// A PosSettler is a struct that judges as a whole what was read into it, and completes
// it: at has the nodes of its keys. It is asked only if nothing is wrong with the parts.
type PosSettler interface {
	SettlePos(x *Scribe, at orders.Fields)
}

// A PosNamer is an item of a list whose items are the ids of a kind of things, see the
// tag ids. It gives its id, and its other names. No two items have a name in common.
type PosNamer interface {
	PosNames() []string
}

// Pick reads the id of one of the things of a kind; "no thing" is refused.
func (x *Scribe) Pick(kind string, n *orders.Node) (number int, ok bool) {
	return x.codec.kind(kind).pick(x.Reader, n, false)
}

// At follows some keys from a root and gives the node that it finds, as the place of a
// fault; in a list the key is the number of the item. Where a key is not there, At gives
// the node that would hold it.
func At(root *orders.Node, keys ...string) *orders.Node {
	n := root
	for _, key := range keys {
		if n == nil {
			return nil
		}
		next := n.Get(key)
		if n.Kind == orders.List {
			if i := number(key); i >= 0 && i < len(n.Items) {
				next = n.Items[i]
			}
		}
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

func (c *Codec) kind(name string) *Things {
	t, ok := c.byName[name]
	if !ok {
		panic("play: no things called " + name)
	}
	return t
}

// index prepares the ids for being looked up.
func (t *Things) index() {
	t.at = make(map[string]int, len(t.IDs))
	t.choices = make([]orders.Choice, len(t.IDs))
	for i, id := range t.IDs {
		t.choices[i].ID = id
		if t.Names != nil {
			t.choices[i].Names = t.Names[i]
		}
		if _, twice := t.at[id]; !twice {
			t.at[id] = t.First + i
		}
	}
}

// id is how a number is written.
func (t *Things) id(number int) (string, bool) {
	if i := number - t.First; i >= 0 && i < len(t.IDs) {
		return t.IDs[i], true
	}
	return "", false
}

// nothing is the number that means no thing; also where the type itself has no such value.
func (t *Things) nothing() int { return t.First - 1 }

// pick reads the id of one of the things.
func (t *Things) pick(r *orders.Reader, n *orders.Node, none bool) (int, bool) {
	if n.Kind == orders.Scalar && !n.Null {
		if i, ok := t.at[n.Text]; ok {
			return i, true
		}
	}
	if t.Words {
		word, ok := r.Word(n, t.IDs...)
		return t.First + slices.Index(t.IDs, word), ok
	}
	if none && r.Is(n, "none") {
		return t.nothing(), true
	}
	if t.Find != nil {
		return t.Find(r, n)
	}
	id, ok := r.Pick(n, t.Kind, t.choices)
	if !ok {
		return t.nothing(), false
	}
	return t.at[id], true
}

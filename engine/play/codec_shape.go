package play

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// tagWords are what the tag pos may say about a field after its key:
//
//	min=N, max=N  bounds of a number, or the name of one, see Codec.Bound; else 0 and 999
//	from=N        an index, written as a number that is higher by N
//	by=KIND       a list by numbers of things, written as a map by their ids
//	set=KIND      a list of true and false by numbers of things, written as a list of
//	              the ids of those that are true
//	as=KIND       of a number: it counts things of this kind, not those that its type counts;
//	              of a text: it is the id of one;
//	              of true and false: they are written as the ids of the second and of the first
//	each          with by: every thing must be there
//	under=KEY     the value stands in a map under this key, beside notes
//	name          a text, or a list of them, of 1 to 80 letters, as names have
//	key=FIELD     a list of structs, written as a map by one of their fields
//	ids=KIND      a list: from now on its items are the ids of a kind
//	abc           a map in the order of its keys, not of the things
//	sorted        a list whose order means nothing: it is put in order
//	trim=N        zeros at the end of an array are left out, but for the first N
//	items=N, most=N  a list has at least and at most so many items; else 0 and 999
//	required      must be there, and is written even if zero
//	always        is written even if zero
//	unique        no two items of a list say the same; at a field: no two items of
//	              the list in which its struct stands say the same there
//	flow, block   on one line, or one key or item to a line; of several structs, each
//	long          never broken at the end of a line, nor anything in it
var tagWords = []string{"min", "max", "from", "by", "set", "as", "each", "under", "name", "key", "ids", "abc", "sorted", "trim", "items", "most",
	"required", "always", "unique", "flow", "block", "long"}

// A field is how a field of a struct is written.
type field struct {
	index  int
	sealed bool // not exported
	key    string
	shape  *layout

	by, set, things     *Things
	keyed               *layout // the items without the field that is their key
	keyField            *field
	ids                 *Things
	under               string
	each, name          bool
	low, high, from     int
	items, most         int
	trim                int
	abc, sorted, unique bool
	required, always    bool
	flow, block, long   bool
	bounded             bool
}

// A layout is what is known about a type.
type layout struct {
	t      reflect.Type
	things *Things
	elem   *layout // of a pointer, a slice or an array
	fields []field
	keys   []string
	notes  []string // keys that nobody reads
	plain  bool     // one word
	flat   bool     // a struct whose fields are words or lists of words
	unique bool     // a field of the struct is unique

	marshals, unmarshals, has, settles bool
}

// greatest is the greatest number of a field, and of the items of a list, that has no
// bound of its own.
const greatest = 999

var (
	marshalerType   = reflect.TypeFor[PosMarshaler]()
	unmarshalerType = reflect.TypeFor[PosUnmarshaler]()
	haverType       = reflect.TypeFor[PosHaver]()
	settlerType     = reflect.TypeFor[PosSettler]()
)

// shape looks through a type and all types that it is made of.
func (c *Codec) shape(t reflect.Type) *layout {
	if known, ok := c.shapes.Load(t); ok {
		return known.(*layout)
	}
	found := map[reflect.Type]*layout{}
	s := c.look(t, found)
	for t, s := range found { // only now is each layout whole
		c.shapes.Store(t, s)
	}
	return s
}

// look looks through a type, which may contain itself, and notes the layouts that it
// finds, whole or not yet.
func (c *Codec) look(t reflect.Type, found map[reflect.Type]*layout) *layout {
	if known, ok := c.shapes.Load(t); ok {
		return known.(*layout)
	}
	if s := found[t]; s != nil {
		return s
	}
	s := &layout{t: t, things: c.things[t]}
	found[t] = s
	p := reflect.PointerTo(t)
	s.marshals, s.unmarshals = p.Implements(marshalerType), p.Implements(unmarshalerType)
	s.has, s.settles = p.Implements(haverType), p.Implements(settlerType)
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		s.elem = c.look(t.Elem(), found)
	case reflect.Struct:
		if !s.marshals {
			s.fields, s.notes = c.fields(t, found)
			s.finish()
		}
	}
	s.plain = plain(t)
	return s
}

// finish works out what follows from the fields.
func (s *layout) finish() {
	s.flat = true
	for i := range s.fields {
		f := &s.fields[i]
		s.keys = append(s.keys, f.key)
		s.unique = s.unique || f.unique
		ft := f.shape.t
		if ft.Kind() == reflect.Slice {
			ft = ft.Elem()
		}
		s.flat = s.flat && plain(ft)
	}
}

// plain tells whether each value of a type is one word.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct, reflect.Slice, reflect.Array, reflect.Pointer, reflect.Interface, reflect.Map:
		return false
	}
	return true
}

// A Remark is the type of a field without a name, of which the tag lists keys that
// the struct's map may have, and that nobody reads:
//
//	_ play.Remark `pos:"why,source"`
type Remark struct{}

// fields reads the tags of a struct.
func (c *Codec) fields(t reflect.Type, found map[reflect.Type]*layout) (all []field, notes []string) {
	sealed, forgotten := "", ""
	for i := range t.NumField() {
		sf := t.Field(i)
		tag, tagged := sf.Tag.Lookup("pos")
		switch {
		case sf.Type == reflect.TypeFor[Remark]():
			notes = append(notes, strings.Split(tag, ",")...)
			continue
		case tagged && !sf.IsExported():
			sealed = sf.Name
		case !tagged && !sf.IsExported():
			forgotten = sf.Name
			continue
		}
		if tag == "-" {
			continue
		}
		f := field{index: i, sealed: !sf.IsExported(), high: greatest, most: greatest, trim: -1}
		f.shape = c.look(sf.Type, found)
		c.tag(t, sf, &f, tag, found)
		all = append(all, f)
	}
	if sealed != "" && forgotten != "" {
		panic(fmt.Sprintf("play: field %s of %s has no tag pos, as %s has", forgotten, t, sealed))
	}
	return all, notes
}

// tag reads the tag of a field.
func (c *Codec) tag(t reflect.Type, sf reflect.StructField, f *field, tag string, found map[reflect.Type]*layout) {
	parts := strings.Split(tag, ",")
	named, _, _ := strings.Cut(sf.Tag.Get("yaml"), ",")
	switch f.key = parts[0]; {
	case f.key == "" && named != "":
		f.key, f.block, f.low, f.high = named, true, math.MinInt, math.MaxInt
		f.always = !strings.Contains(sf.Tag.Get("yaml"), "omitempty")
	case f.key == "":
		f.key = snake(sf.Name)
	}
	leaf := f.shape
	for leaf.elem != nil {
		leaf = leaf.elem
	}
	f.things = leaf.things
	for _, part := range parts[1:] {
		name, value, _ := strings.Cut(part, "=")
		if !slices.Contains(tagWords, name) {
			panic(fmt.Sprintf("play: field %s of %s: no tag %s", sf.Name, t, part))
		}
		switch name {
		case "min":
			f.low, f.bounded = c.bound(value), true
		case "max":
			f.high = c.bound(value)
		case "from":
			f.from = c.bound(value)
			if !f.bounded {
				f.low = f.from
			}
		case "by":
			f.by = c.kind(value)
		case "set":
			f.set = c.kind(value)
		case "as":
			f.things = c.kind(value)
		case "each":
			f.each = true
		case "under":
			f.under = value
		case "name":
			f.name = true
		case "key":
			c.keyedBy(f, value, found)
		case "ids":
			f.ids = c.kind(value)
		case "abc":
			f.abc = true
		case "sorted":
			f.sorted = true
		case "trim":
			f.trim = c.bound(value)
		case "items":
			f.items = c.bound(value)
		case "most":
			f.most = c.bound(value)
		case "required":
			f.required, f.always = true, true
		case "always":
			f.always = true
		case "unique":
			f.unique = true
		case "flow":
			f.flow = true
		case "block":
			f.block = true
		case "long":
			f.long = true
		}
	}
}

// keyedBy makes a list one that is written as a map, keyed by a field of its items.
func (c *Codec) keyedBy(f *field, name string, found map[reflect.Type]*layout) {
	items := f.shape
	for items.t.Kind() != reflect.Struct {
		items = items.elem
	}
	f.keyed = &layout{t: items.t, has: items.has, settles: items.settles}
	var all []field
	all, f.keyed.notes = c.fields(items.t, found)
	for i := range all {
		if items.t.Field(all[i].index).Name == name {
			f.keyField = &all[i]
		} else {
			f.keyed.fields = append(f.keyed.fields, all[i])
		}
	}
	if f.keyField == nil {
		panic(fmt.Sprintf("play: %s has no field %s", items.t, name))
	}
	f.keyed.finish()
}

// bound gives the number that a tag names.
func (c *Codec) bound(text string) int {
	if n, ok := c.bounds[text]; ok {
		return n
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		panic("play: no bound called " + text)
	}
	return n
}

// of is the field's value in a struct. It opens a field that is not exported: whoever
// tags such a field lets the codec use it.
func (f *field) of(v reflect.Value) reflect.Value {
	fv := v.Field(f.index)
	if f.sealed {
		return reflect.NewAt(fv.Type(), fv.Addr().UnsafePointer()).Elem()
	}
	return fv
}

// snake writes LeftOver as left_over and MP as mp.
func snake(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// number reads the number of an item; -1 for a text that is no number.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

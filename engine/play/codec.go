package play

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"berthier/orders"
	"berthier/orders/phrase"
)

// A Codec writes plain data as YAML nodes and reads it back strictly, with the
// place of every fault. Rulesets write their positions and views with it, so
// that a field added to the model can be forgotten in neither, and two values
// are the same if and only if their bytes are.
//
// Of a struct all exported fields are written under their names in lower case,
// "LeftOver" as "left_over", that are not zero; zero is what a missing key means
// when it is read. The tag pos changes that:
//
//	Turn   int     `pos:"turn,max=7"`   // another key; the greatest number (else 999)
//	Units  []unit  `pos:"units,by=unit"` // a map by the ids of things, see Things
//	secret int                           // not exported: never written
//	Board  *board  `pos:"-"`             // never written
//
// Numbers are whole and not negative. Types that number things or words are
// written by their ids; their zero is nothing at all.
type Codec struct {
	things map[reflect.Type]Things
	byName map[string]Things
	unions map[reflect.Type]map[string]reflect.Type
}

// Things are what a whole-number type counts: 1 is the first of the ids, 0 is
// nothing.
type Things struct {
	Kind string   // "unit"; for the fault order.unknown-KIND, and for pos:"…,by=unit"
	IDs  []string // from 1: IDs[0] is the id of 1
	Name []string // other spellings, parallel to IDs; may be nil
}

// NewCodec makes a codec that knows no things.
func NewCodec() *Codec {
	return &Codec{things: map[reflect.Type]Things{}, byName: map[string]Things{}, unions: map[reflect.Type]map[string]reflect.Type{}}
}

// Things teaches the ids of a type, of which sample is a value.
func (c *Codec) Things(sample any, t Things) {
	c.things[reflect.TypeOf(sample)] = t
	c.byName[t.Kind] = t
}

// Union teaches what an interface may hold: pointers to structs, by the key
// under which each is written. Iface is a nil pointer to the interface type.
func (c *Codec) Union(iface any, members map[string]any) {
	all := map[string]reflect.Type{}
	for key, m := range members {
		all[key] = reflect.TypeOf(m).Elem()
	}
	c.unions[reflect.TypeOf(iface).Elem()] = all
}

// field is how a field of a struct is written.
type field struct {
	index int
	key   string
	by    string
	max   int
}

// greatest number of a field without a bound of its own.
const greatest = 999

func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldLists.Load(t); ok {
		return known.([]field)
	}
	var all []field
	for i := range t.NumField() {
		sf := t.Field(i)
		tag := sf.Tag.Get("pos")
		if !sf.IsExported() || tag == "-" {
			continue
		}
		f := field{index: i, key: snake(sf.Name), max: greatest}
		for j, part := range strings.Split(tag, ",") {
			name, value, _ := strings.Cut(part, "=")
			switch {
			case j == 0 && part != "":
				f.key = part
			case name == "by":
				f.by = value
			case name == "max":
				n, err := strconv.Atoi(value)
				if err != nil {
					panic("play: field " + sf.Name + ": " + err.Error())
				}
				f.max = n
			}
		}
		all = append(all, f)
	}
	fieldLists.Store(t, all)
	return all
}

// fieldLists keeps what fieldsOf has found.
var fieldLists sync.Map // of reflect.Type to []field

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

// Write writes the fields of a struct, or of what a pointer points to.
func (c *Codec) Write(v any) *orders.Node {
	n := orders.Mapping()
	c.writeFields(n, reflect.Indirect(reflect.ValueOf(v)))
	return n
}

func (c *Codec) writeFields(n *orders.Node, v reflect.Value) {
	for _, f := range fieldsOf(v.Type()) {
		fv := v.Field(f.index)
		if blank(fv) {
			continue
		}
		if f.by != "" {
			if m := c.writeBy(fv, f.by); len(m.Pairs) > 0 {
				n.Set(f.key, m)
			}
			continue
		}
		n.Set(f.key, c.value(fv))
	}
}

// blank tells whether a value need not be written.
func blank(v reflect.Value) bool {
	return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

// writeBy writes what is listed by a number of things as a map by their ids.
func (c *Codec) writeBy(v reflect.Value, kind string) *orders.Node {
	ids := c.kind(kind).IDs
	n := orders.Mapping()
	n.Flow = plain(v.Type().Elem())
	for i := 1; i < v.Len(); i++ {
		if !blank(v.Index(i)) {
			n.Set(ids[i-1], c.value(v.Index(i)))
		}
	}
	return n
}

func (c *Codec) kind(name string) Things {
	t, ok := c.byName[name]
	if !ok {
		panic("play: no things called " + name)
	}
	return t
}

func (c *Codec) value(v reflect.Value) *orders.Node {
	if t, ok := c.things[v.Type()]; ok {
		i := int(v.Int())
		switch {
		case i == 0:
			return orders.Text("none")
		case i > 0 && i <= len(t.IDs):
			return orders.Text(t.IDs[i-1])
		}
		return orders.Text("?" + strconv.Itoa(i))
	}
	switch v.Kind() {
	case reflect.Bool:
		return orders.Text(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return orders.Text(strconv.FormatInt(v.Int(), 10))
	case reflect.String:
		return orders.Text(v.String())
	case reflect.Pointer:
		return c.value(v.Elem())
	case reflect.Interface:
		key, ok := c.key(v)
		if !ok {
			panic(fmt.Sprintf("play: %s holds an unknown %s", v.Type(), v.Elem().Type()))
		}
		return orders.Mapping().Set(key, c.value(v.Elem().Elem()))
	case reflect.Struct:
		n := orders.Mapping()
		n.Flow = flatStruct(v.Type())
		c.writeFields(n, v)
		return n
	case reflect.Slice, reflect.Array:
		n := orders.Items()
		for i := range v.Len() {
			n.Add(c.value(v.Index(i)))
		}
		n.Flow = v.Len() == 0 || plain(v.Type().Elem())
		return n
	}
	panic("play: a position can't hold a " + v.Type().String())
}

// key finds the word by which a member of a union is written.
func (c *Codec) key(v reflect.Value) (string, bool) {
	for key, t := range c.unions[v.Type()] {
		if v.Elem().Type() == reflect.PointerTo(t) {
			return key, true
		}
	}
	return "", false
}

// plain tells whether values of a type are one word each.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct, reflect.Slice, reflect.Array, reflect.Pointer, reflect.Interface:
		return false
	}
	return true
}

// flatStruct tells whether a struct is written on one line: its fields are words
// or lists of words.
func flatStruct(t reflect.Type) bool {
	for i := range t.NumField() {
		ft := t.Field(i).Type
		if ft.Kind() == reflect.Slice {
			ft = ft.Elem()
		}
		if !plain(ft) {
			return false
		}
	}
	return true
}

// Read reads a map into what a pointer to a struct points to, which should be
// zero. Keys that it does not know go to the reader as faults, unless they are
// among the others, which the caller reads.
func (c *Codec) Read(r *orders.Reader, n *orders.Node, into any, others ...string) {
	c.readFields(r, n, reflect.ValueOf(into).Elem(), others)
}

func (c *Codec) readFields(r *orders.Reader, n *orders.Node, v reflect.Value, others []string) {
	fields := fieldsOf(v.Type())
	keys := slices.Clone(others)
	for _, f := range fields {
		keys = append(keys, f.key)
	}
	values := r.Fields(n, keys...)
	for _, f := range fields {
		m := values.Get(f.key)
		switch {
		case m == nil:
		case f.by != "":
			c.readBy(r, m, v.Field(f.index), f)
		default:
			c.read(r, m, v.Field(f.index), f.max)
		}
	}
}

// readBy reads a map by ids of things. A slice is made as long as there are
// things, and one.
func (c *Codec) readBy(r *orders.Reader, n *orders.Node, v reflect.Value, f field) {
	t := c.kind(f.by)
	if v.Kind() == reflect.Slice && v.Len() == 0 {
		v.Set(reflect.MakeSlice(v.Type(), len(t.IDs)+1, len(t.IDs)+1))
	}
	said := make([]bool, len(t.IDs)+1)
	for _, p := range Entries(r, n) {
		i, ok := t.pick(r, p.Key)
		switch {
		case !ok || p.Value.Null:
		case said[i]:
			r.Refuse(p.Key, "", phrase.Say("order.key-twice", phrase.Literal("key", p.Key.Text)))
		case i < v.Len():
			said[i] = true
			c.read(r, p.Value, v.Index(i), f.max)
		}
	}
}

// pick reads the id of one of the things.
func (t Things) pick(r *orders.Reader, n *orders.Node) (int, bool) {
	if r.Is(n, "none") {
		return 0, true
	}
	choices := make([]orders.Choice, len(t.IDs))
	for i, id := range t.IDs {
		choices[i].ID = id
		if t.Name != nil {
			choices[i].Names = []string{t.Name[i]}
		}
	}
	id, ok := r.Pick(n, t.Kind, choices)
	if !ok {
		return 0, false
	}
	return slices.Index(t.IDs, id) + 1, true
}

func (c *Codec) read(r *orders.Reader, n *orders.Node, v reflect.Value, most int) {
	if t, ok := c.things[v.Type()]; ok {
		if i, ok := t.pick(r, n); ok {
			v.SetInt(int64(i))
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		if yes, ok := r.Bool(n); ok {
			v.SetBool(yes)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if v.Kind() == reflect.Int8 {
			most = min(most, 127)
		}
		if i, ok := r.Int(n, 0, most); ok {
			v.SetInt(int64(i))
		}
	case reflect.String:
		if text, ok := r.Text(n); ok {
			v.SetString(text)
		}
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		c.read(r, n, p.Elem(), most)
		v.Set(p)
	case reflect.Interface:
		members := c.unions[v.Type()]
		var keys []string
		for key := range members {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		key, value := r.Only(n, keys...)
		if key == "" {
			return
		}
		p := reflect.New(members[key])
		c.readFields(r, value, p.Elem(), nil)
		v.Set(p)
	case reflect.Struct:
		c.readFields(r, n, v, nil)
	case reflect.Slice:
		items := r.List(n)
		if len(items) > greatest {
			r.Refuse(n, "", phrase.Say("play.position-long", phrase.Number("most", greatest)))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
		for i, item := range items {
			c.read(r, item, v.Index(i), most)
		}
		if len(items) == 0 {
			v.SetZero()
		}
	case reflect.Array:
		items := r.List(n)
		if len(items) > v.Len() {
			r.Refuse(n, "", phrase.Say("play.position-long", phrase.Number("most", v.Len())))
			return
		}
		for i, item := range items {
			c.read(r, item, v.Index(i), most)
		}
	default:
		panic("play: a position can't hold a " + v.Type().String())
	}
}

// Clone copies plain data: nothing that changes is shared. Fields that are not
// exported, or never written, are copied as they are.
func Clone[T any](v T) T {
	out := reflect.New(reflect.TypeFor[T]()).Elem()
	out.Set(reflect.ValueOf(&v).Elem())
	deepen(out)
	return out.Interface().(T)
}

// deepen replaces what a value shares with others by copies.
func deepen(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for _, i := range sharing(v.Type()) {
			deepen(v.Field(i))
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		v.Set(c)
		deepenAll(v)
	case reflect.Array:
		deepenAll(v)
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(v.Elem())
		deepen(p.Elem())
		v.Set(p)
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		p := reflect.New(v.Elem().Type()).Elem()
		p.Set(v.Elem())
		deepen(p)
		v.Set(p)
	}
}

func deepenAll(v reflect.Value) {
	if shares(v.Type().Elem()) {
		for i := range v.Len() {
			deepen(v.Index(i))
		}
	}
}

// sharers keeps which fields of a struct can share something: types are looked
// through once.
var sharers sync.Map // of reflect.Type to []int

// sharing lists the fields of a struct that can share something with a copy.
func sharing(t reflect.Type) []int {
	if known, ok := sharers.Load(t); ok {
		return known.([]int)
	}
	var fields []int
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && f.Tag.Get("pos") != "-" && shares(f.Type) {
			fields = append(fields, i)
		}
	}
	sharers.Store(t, fields)
	return fields
}

// shares tells whether values of a type can share something with their copies.
func shares(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer, reflect.Interface:
		return true
	case reflect.Array:
		return shares(t.Elem())
	case reflect.Struct:
		return len(sharing(t)) > 0
	}
	return false
}

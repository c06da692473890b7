package play

import (
	"reflect"
	"slices"
	"sort"

	"berthier/orders"
	"berthier/orders/phrase"
)

func (x *Scribe) readFields(n *orders.Node, v reflect.Value, s *layout, others []string) {
	x.readStruct(n, v, s, others, true)
}

// readStruct is readFields for a struct whose key may already be known to be unsound.
func (x *Scribe) readStruct(n *orders.Node, v reflect.Value, s *layout, others []string, sound bool) {
	keys := s.keys
	if len(others)+len(x.codec.notes)+len(s.notes) > 0 {
		keys = slices.Concat(others, s.keys, s.notes, x.codec.notes)
	}
	at := x.Fields(n, keys...)
	before := len(x.Problems) // a key that is none makes no other unsound
	if n.Kind != orders.Map {
		if n.Null { // an item of a list
			x.Refuse(n, "", phrase.Say("order.want-map", phrase.Keywords("keys", keys)))
		}
		return
	}
	var has PosHaver
	if s.has {
		has = v.Addr().Interface().(PosHaver)
	}
	for i := range s.fields {
		f := &s.fields[i]
		fv := f.of(v)
		switch m := at.Get(f.key); {
		case m != nil:
			if f.shape.unmarshals || f.shape.elem != nil && f.shape.elem.unmarshals {
				x.Holder = v.Addr().Interface()
			}
			x.readField(f, m, fv)
		case f.required:
			x.Require(at, f.key)
			fallthrough
		default:
			if f.things != nil && !f.things.Words && fv.CanInt() && (has == nil || has.HasPos(f.key)) {
				fv.SetInt(int64(f.things.nothing()))
			}
		}
	}
	if s.settles && sound && len(x.Problems) == before {
		v.Addr().Interface().(PosSettler).SettlePos(x, at)
	}
}

// readField reads the value of a field.
func (x *Scribe) readField(f *field, n *orders.Node, v reflect.Value) {
	if f.under != "" {
		if n = x.Require(x.Fields(n, append([]string{f.under}, x.codec.notes...)...), f.under); n == nil {
			return
		}
	}
	switch {
	case f.by != nil:
		x.readBy(f, n, v)
	case f.set != nil:
		x.readSet(f, n, v)
	case f.keyed != nil:
		x.readKeyed(f, n, v)
	default:
		x.read(f, f.shape, n, v, !f.required)
	}
}

// readBy reads a map by ids of things. A slice is made as long as there are things.
func (x *Scribe) readBy(f *field, n *orders.Node, v reflect.Value) {
	f.by.room(v)
	said := make([]bool, v.Len())
	for _, p := range x.entries(n) {
		i, ok := f.by.pick(x.Reader, p.Key, false)
		switch {
		case !ok || p.Value.Null || i >= v.Len():
		case said[i]:
			x.Refuse(p.Key, "", phrase.Say("order.key-twice", phrase.Literal("key", p.Key.Text)))
		default:
			said[i] = true
			if f.keyed != nil {
				x.readKeyed(f, p.Value, v.Index(i))
			} else {
				x.read(f, f.shape.elem, p.Value, v.Index(i), true)
			}
		}
	}
	for i, yes := range said {
		if id, ok := f.by.id(i); ok && f.each && !yes && n.Kind == orders.Map {
			x.Refuse(n, "", phrase.Say("order.missing-key", phrase.Name("key", phrase.KindKeyword, id)))
		}
	}
}

// entries gives the pairs of a map, without its notes.
func (x *Scribe) entries(n *orders.Node) []orders.Pair {
	all := Entries(x.Reader, n)
	if len(x.codec.notes) == 0 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(p orders.Pair) bool { return slices.Contains(x.codec.notes, p.Key.Text) })
}

// room makes an empty slice as long as there are things.
func (t *Things) room(v reflect.Value) {
	if v.Kind() == reflect.Slice && v.Len() == 0 {
		v.Set(reflect.MakeSlice(v.Type(), t.First+len(t.IDs), t.First+len(t.IDs)))
	}
}

// readSet reads a list of things into a list of true and false.
func (x *Scribe) readSet(f *field, n *orders.Node, v reflect.Value) {
	f.set.room(v)
	for _, item := range x.List(n) {
		if i, ok := f.set.pick(x.Reader, item, false); ok && i < v.Len() {
			v.Index(i).SetBool(true)
		}
	}
}

// readKeyed reads a map into structs, of which one field is the key.
func (x *Scribe) readKeyed(f *field, n *orders.Node, v reflect.Value) {
	all := reflect.MakeSlice(v.Type(), 0, 0)
	said := map[any]bool{}
	for _, p := range x.entries(n) {
		item := reflect.New(f.keyed.t).Elem()
		before := len(x.Problems)
		key := f.keyField.of(item)
		x.read(f.keyField, f.keyField.shape, p.Key, key, false)
		switch {
		case p.Value.Null:
			continue
		case len(x.Problems) == before && said[key.Interface()]:
			x.Refuse(p.Key, "", phrase.Say("order.key-twice", phrase.Literal("key", p.Key.Text)))
			continue
		}
		said[key.Interface()] = true
		x.readStruct(p.Value, item, f.keyed, nil, len(x.Problems) == before)
		if len(x.Problems) == before {
			all = reflect.Append(all, item)
		}
	}
	if all.Len() > 0 {
		v.Set(all)
	}
	if f.sorted {
		sortBy(v, func(item reflect.Value) reflect.Value { return f.keyField.of(item) })
	}
}

// read reads a value; if the value is alone, and not in a list, it may be none.
func (x *Scribe) read(f *field, s *layout, n *orders.Node, v reflect.Value, alone bool) {
	if s.unmarshals {
		v.Addr().Interface().(PosUnmarshaler).UnmarshalPos(x, n)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		if f.things != nil {
			i, _ := f.things.pick(x.Reader, n, false)
			v.SetBool(i == f.things.First+1)
		} else if yes, ok := x.Bool(n); ok {
			v.SetBool(yes)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x.readNumber(f, n, v, alone)
	case reflect.String:
		x.readText(f, n, v)
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		x.read(f, s.elem, n, p.Elem(), alone)
		v.Set(p)
	case reflect.Interface:
		x.readUnion(n, v)
	case reflect.Struct:
		x.readFields(n, v, s, nil)
	case reflect.Slice, reflect.Array:
		x.readList(f, s, n, v)
	default:
		panic("play: a position can't hold a " + v.Type().String())
	}
}

func (x *Scribe) readNumber(f *field, n *orders.Node, v reflect.Value, alone bool) {
	if f.things != nil {
		i, ok := f.things.pick(x.Reader, n, alone)
		if ok || !f.things.Words {
			v.SetInt(int64(i))
		}
		return
	}
	most := f.high
	if v.Kind() == reflect.Int8 {
		most = min(most, 127)
	}
	if i, ok := x.Int(n, f.low, most); ok {
		v.SetInt(int64(i - f.from))
	}
}

func (x *Scribe) readText(f *field, n *orders.Node, v reflect.Value) {
	switch {
	case f.things != nil:
		i, _ := f.things.pick(x.Reader, n, false)
		id, _ := f.things.id(i)
		v.SetString(id)
	case f.name:
		v.SetString(Loader{x.Reader}.Name(n))
	default:
		if text, ok := x.Text(n); ok {
			v.SetString(text)
		}
	}
}

// readUnion reads what an interface may hold, by its key.
func (x *Scribe) readUnion(n *orders.Node, v reflect.Value) {
	members := x.codec.unions[v.Type()]
	var keys []string
	for key := range members {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	key, value := x.Only(n, keys...)
	if key == "" {
		return
	}
	p := reflect.New(members[key])
	x.readFields(value, p.Elem(), x.codec.shape(members[key]), nil)
	v.Set(p)
}

func (x *Scribe) readList(f *field, s *layout, n *orders.Node, v reflect.Value) {
	items := x.List(n)
	most := f.most
	if v.Kind() == reflect.Array {
		most = v.Len()
	}
	if len(items) > most {
		x.Refuse(n, "", phrase.Say("play.position-long", phrase.Number("most", most)))
		return
	}
	if len(items) < f.items {
		x.Refuse(n, "", phrase.Say("play.position-short", phrase.Number("least", f.items)))
		return
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
		if len(items) == 0 {
			v.SetZero()
		}
	}
	for i, item := range items {
		x.read(f, s.elem, item, v.Index(i), false)
	}
	if f.unique {
		x.unlike(v, items, func(item reflect.Value) reflect.Value { return item }, func(n *orders.Node) *orders.Node { return n })
	}
	for i := range s.elem.fields {
		if g := &s.elem.fields[i]; g.unique {
			x.unlike(v, items, g.of, func(n *orders.Node) *orders.Node { return x.Under(n, g.key) })
		}
	}
	if f.sorted && v.Kind() == reflect.Slice {
		sortBy(v, func(item reflect.Value) reflect.Value { return item })
	}
	if f.ids != nil {
		x.learn(f.ids, v, items)
	}
}

// learn takes the names of the items of a list as the ids of a kind of things.
func (x *Scribe) learn(t *Things, v reflect.Value, items []*orders.Node) {
	said := map[string]bool{}
	t.IDs, t.Names = nil, nil
	for i, item := range items {
		names := v.Index(i).Addr().Interface().(PosNamer).PosNames()
		t.IDs, t.Names = append(t.IDs, names[0]), append(t.Names, names[1:])
		own := map[string]bool{}
		for _, name := range names {
			folded := orders.Fold(name)
			if said[folded] && folded != "" {
				x.Refuse(item, "", phrase.Say("play.twice", phrase.Literal("name", name)))
			}
			own[folded] = true
		}
		for name := range own {
			said[name] = true
		}
	}
	t.index()
}

// unlike refuses items that say the same as another item.
func (x *Scribe) unlike(v reflect.Value, items []*orders.Node, of func(reflect.Value) reflect.Value, at func(*orders.Node) *orders.Node) {
	said := map[any]bool{}
	for i, item := range items {
		n := at(item)
		if n == nil || n.Kind != orders.Scalar || slices.ContainsFunc(x.Problems, func(p orders.Problem) bool { return p.Line == n.Line && p.Column == n.Column }) {
			continue
		}
		value := of(v.Index(i)).Interface()
		if said[value] {
			x.Refuse(n, "", phrase.Say("play.twice", phrase.Literal("name", n.Text)))
		}
		said[value] = true
	}
}

// sortBy sorts a list by what a function gives for each item, lowest first.
func sortBy(v reflect.Value, of func(reflect.Value) reflect.Value) {
	sort.SliceStable(v.Interface(), func(i, j int) bool {
		a, b := of(v.Index(i)), of(v.Index(j))
		if a.CanInt() {
			return a.Int() < b.Int()
		}
		return a.String() < b.String()
	})
}

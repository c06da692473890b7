package play

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"berthier/orders"
)

func (x *Scribe) writeFields(n *orders.Node, v reflect.Value, s *layout) {
	var has PosHaver
	if s.has {
		has = v.Addr().Interface().(PosHaver)
	}
	for i := range s.fields {
		f := &s.fields[i]
		fv := f.of(v)
		if !f.always && f.blank(fv) || has != nil && !has.HasPos(f.key) {
			continue
		}
		if f.shape.marshals || f.shape.elem != nil && f.shape.elem.marshals {
			x.Holder = v.Addr().Interface()
		}
		if value := x.field(f, fv); value != nil {
			n.Set(f.key, value)
		}
	}
}

// blank tells whether a value need not be written.
func (f *field) blank(v reflect.Value) bool {
	if f.things != nil && !f.things.Words && v.CanInt() {
		return int(v.Int()) == f.things.nothing()
	}
	return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

// field writes the value of a field; nil if there is nothing to write after all.
func (x *Scribe) field(f *field, v reflect.Value) *orders.Node {
	var n *orders.Node
	switch {
	case f.by != nil:
		if n = x.writeBy(f, v); len(n.Pairs) == 0 {
			return nil
		}
	case f.set != nil:
		if n = writeSet(f.set, v); len(n.Items) == 0 {
			return nil
		}
	case f.keyed != nil:
		n = x.writeKeyed(f, v)
	default:
		n = x.value(f, f.shape, v)
	}
	if n == nil {
		return nil
	}
	if f.flow || f.block {
		restyle(n, f.flow, f.keyed != nil || f.by != nil && f.shape.elem.t.Kind() == reflect.Struct)
	}
	if f.long {
		lengthen(n)
	}
	if f.under != "" {
		n = orders.Inline().Set(f.under, n)
	}
	return n
}

// restyle writes a node on one line or on several; if the node holds several structs,
// each of them.
func restyle(n *orders.Node, flow, structs bool) {
	switch {
	case structs:
		for _, p := range n.Pairs {
			p.Value.Flow = flow
		}
	case n.Kind == orders.List && len(n.Items) > 0 && n.Items[0].Kind != orders.Scalar:
		for _, item := range n.Items {
			item.Flow = flow
		}
	default:
		n.Flow = flow
	}
}

// lengthen lets a node, and everything in it, stand on lines as long as they need.
func lengthen(n *orders.Node) {
	n.Long = true
	for _, p := range n.Pairs {
		lengthen(p.Value)
	}
	for _, item := range n.Items {
		lengthen(item)
	}
}

// writeBy writes a list that is indexed by numbers of things as a map by their ids.
func (x *Scribe) writeBy(f *field, v reflect.Value) *orders.Node {
	n := orders.Mapping()
	n.Flow = f.shape.elem.plain
	for i := f.by.First; i < v.Len(); i++ {
		if item := v.Index(i); !f.blank(item) {
			id, _ := f.by.id(i)
			if f.keyed != nil {
				n.Set(id, x.writeKeyed(f, item))
			} else {
				n.Set(id, x.value(f, f.shape.elem, item))
			}
		}
	}
	if f.abc {
		slices.SortStableFunc(n.Pairs, func(a, b orders.Pair) int { return strings.Compare(a.Key.Text, b.Key.Text) })
	}
	return n
}

// writeSet writes a list of true and false as the ids of the things that are true.
func writeSet(t *Things, v reflect.Value) *orders.Node {
	n := orders.Texts()
	for i := t.First; i < v.Len(); i++ {
		if v.Index(i).Bool() {
			id, _ := t.id(i)
			n.Add(orders.Text(id))
		}
	}
	return n
}

// writeKeyed writes structs as a map by one of their fields.
func (x *Scribe) writeKeyed(f *field, v reflect.Value) *orders.Node {
	n := orders.Mapping()
	for i := range v.Len() {
		item := v.Index(i)
		of := orders.Mapping()
		of.Flow = f.keyed.flat
		x.writeFields(of, item, f.keyed)
		n.Set(x.value(f.keyField, f.keyField.shape, f.keyField.of(item)).Text, of)
	}
	return n
}

func (x *Scribe) value(f *field, s *layout, v reflect.Value) *orders.Node {
	if s.marshals {
		return v.Addr().Interface().(PosMarshaler).MarshalPos(x)
	}
	switch v.Kind() {
	case reflect.Bool:
		if id, ok := f.choice(v.Bool()); ok {
			return orders.Text(id)
		}
		return orders.Text(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return f.word(int(v.Int()))
	case reflect.String:
		return orders.Text(v.String())
	case reflect.Pointer:
		return x.value(f, s.elem, v.Elem())
	case reflect.Interface:
		key, ok := x.codec.key(v)
		if !ok {
			panic(fmt.Sprintf("play: %s holds an unknown %s", v.Type(), v.Elem().Type()))
		}
		of := v.Elem().Elem()
		return orders.Mapping().Set(key, x.structure(of, x.codec.shape(of.Type())))
	case reflect.Struct:
		return x.structure(v, s)
	case reflect.Slice, reflect.Array:
		n := orders.Items()
		last := v.Len()
		if f.trim >= 0 {
			for last > f.trim && v.Index(last-1).IsZero() {
				last--
			}
		}
		for i := range last {
			n.Add(x.value(f, s.elem, v.Index(i)))
		}
		n.Flow = v.Len() == 0 || s.elem.plain
		return n
	}
	panic("play: a position can't hold a " + v.Type().String())
}

func (x *Scribe) structure(v reflect.Value, s *layout) *orders.Node {
	n := orders.Mapping()
	n.Flow = s.flat
	x.writeFields(n, v, s)
	return n
}

// choice is how true or false is written, if there are words for it.
func (f *field) choice(yes bool) (string, bool) {
	switch {
	case f.things == nil:
		return "", false
	case yes:
		return f.things.id(f.things.First + 1)
	}
	return f.things.id(f.things.First)
}

// word is how a number is written: by the id of the thing that it counts, if it counts
// things.
func (f *field) word(i int) *orders.Node {
	t := f.things
	if t == nil {
		return orders.Number(i + f.from)
	}
	if id, ok := t.id(i); ok {
		return orders.Text(id)
	}
	if i == t.nothing() {
		return orders.Text("none")
	}
	return orders.Text("?" + strconv.Itoa(i))
}

// key finds the keyword under which a member of a union is written.
func (c *Codec) key(v reflect.Value) (string, bool) {
	for key, t := range c.unions[v.Type()] {
		if v.Elem().Type() == reflect.PointerTo(t) {
			return key, true
		}
	}
	return "", false
}

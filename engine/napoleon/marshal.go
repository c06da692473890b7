package napoleon

import (
	"reflect"
	"slices"
	"strconv"

	"berthier/orders"
)

// Marshal implements [engine.View]. It writes every field of the view's game
// that is not zero, found by reflection, so that a field added to the model
// can't be forgotten here: two views are the same if and only if their bytes
// are. The scenario, which never changes and hides nothing, is given by its
// name.
func (v *View) Marshal() ([]byte, error) {
	n := orders.Mapping().Set("side", orders.Text(string(v.side)))
	n.Set("scenario", orders.Text(v.scenario.name+" "+v.scenario.edition))
	own := orders.Texts()
	for a, yes := range v.own {
		if yes {
			own.Add(orders.Text(armyWords[a]))
		}
	}
	n.Set("own", own)
	d := dumper{v.scenario}
	d.fields(n, reflect.ValueOf(v.game).Elem())
	return []byte(n.Encode()), nil
}

// A dumper writes values as nodes, with the ids of the scenario where the model
// has indices.
type dumper struct{ scenario *scenario }

var (
	scenarioType = reflect.TypeFor[*scenario]()
	townType     = reflect.TypeFor[townID]()
	unitIDType   = reflect.TypeFor[unitID]()
	unitType     = reflect.TypeFor[unit]()
	nodeType     = reflect.TypeFor[*orders.Node]()
	useType      = reflect.TypeFor[use]()
	wordTypes    = map[reflect.Type][]string{
		reflect.TypeFor[army]():  armyWords[:],
		reflect.TypeFor[camp]():  campWords[:],
		reflect.TypeFor[kind]():  kindWords[:],
		reflect.TypeFor[piece](): pieceWords[:],
		reflect.TypeFor[field](): fieldWords[:],
		reflect.TypeFor[phase](): phaseWords[:],
	}
)

// fields adds the fields of a struct that are not zero.
func (d dumper) fields(n *orders.Node, v reflect.Value) {
	for i := range v.NumField() {
		f, t := v.Field(i), v.Type().Field(i)
		if t.Type == scenarioType || d.empty(f) {
			continue
		}
		n.Set(t.Name, d.value(f))
	}
}

// empty tells whether a value need not be written: a town 0 or a unit 0 is a
// thing, every other zero means nothing.
func (d dumper) empty(v reflect.Value) bool {
	switch v.Type() {
	case townType, unitIDType:
		return false
	}
	return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

func (d dumper) value(v reflect.Value) *orders.Node {
	if words, ok := wordTypes[v.Type()]; ok {
		if n := int(v.Int()); n >= 0 && n < len(words) {
			return orders.Text(words[n])
		}
	}
	switch v.Type() {
	case nodeType: // orders of a later stop
		return bare((*orders.Node)(v.UnsafePointer()))
	case townType:
		if n := int(v.Int()); n >= 0 && n < len(d.scenario.towns) {
			return orders.Text(d.scenario.towns[n].id)
		}
	case unitIDType:
		if n := int(v.Int()); n >= 0 && n < len(d.scenario.roster) {
			return orders.Text(d.scenario.roster[n].id)
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		return orders.Text(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return orders.Text(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return orders.Text(strconv.FormatUint(v.Uint(), 10))
	case reflect.String:
		return orders.Text(v.String())
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return orders.Text("none")
		}
		return d.value(v.Elem())
	case reflect.Struct:
		n := orders.Mapping()
		n.Flow = v.Type() == unitType || v.Type() == useType
		d.fields(n, v)
		return n
	case reflect.Slice, reflect.Array:
		n := orders.Items()
		for i := range v.Len() {
			n.Add(d.value(v.Index(i)))
		}
		n.Flow = v.Len() == 0 || flat(v.Type().Elem())
		return n
	case reflect.Map:
		n := orders.Mapping()
		for _, key := range slices.SortedFunc(slices.Values(v.MapKeys()), compareKeys) {
			n.Set(d.value(key).Text, d.value(v.MapIndex(key)))
		}
		return n
	}
	return orders.Text(v.Type().String()) // a function or channel: the model has none
}

// flat tells whether values of a type are written on one line.
func flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct, reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		return false
	case reflect.Array:
		return false
	}
	return true
}

// compareKeys orders the keys of a map: numbers by size, texts by letters.
func compareKeys(a, b reflect.Value) int {
	switch {
	case a.CanInt() && b.CanInt():
		return int(max(-1, min(1, a.Int()-b.Int())))
	case a.Kind() == reflect.String && b.Kind() == reflect.String:
		if a.String() < b.String() {
			return -1
		}
		if a.String() > b.String() {
			return 1
		}
	}
	return 0
}

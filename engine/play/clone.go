package play

import (
	"reflect"
	"sync"
)

// Clone copies plain data: the copy shares nothing that can change. Fields that are not
// exported, or never written, are copied as they are.
func Clone[T any](v T) T {
	deepen(reflect.ValueOf(&v).Elem())
	return v
}

// deepen replaces by copies what a value shares with others.
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
		if of := v.Elem(); of.Kind() == reflect.Pointer && !of.IsNil() {
			p := reflect.New(of.Type().Elem())
			p.Elem().Set(of.Elem())
			deepen(p.Elem())
			v.Set(p)
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

// sharers remembers which fields of a struct can share something, so that each type is
// looked through once.
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

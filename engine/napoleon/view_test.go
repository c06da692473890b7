package napoleon

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// notWritten are the fields of a view's game that its bytes do not hold, each with the
// reason why nothing is lost by that.
var notWritten = map[string]string{
	"game.scenario":       "never changes and hides nothing: the bytes name it, and the options its edition",
	"regroupAnswer.s":     "the scenario",
	"game.options":        "never changes; it is worked out from the options chosen, which are written",
	"game.ruled":          "worked out from the policies, which are written",
	"unit.army":           "of the unit with this id; of a block it is written",
	"unit.kind":           "of the unit with this id; of a block it is written",
	"unit.fire":           "of the unit with this id; of a block it is written",
	"origin.army":         "all are of vanguard.army",
	"bid.pass":            "is there only without a camp and points, and then the bid is the word pass",
	"standing.elseFree":   "only policies say so: of game.ruled",
	"standing.worstFirst": "only policies say so: of game.ruled",
	"standing.bestFirst":  "only policies say so: of game.ruled",
	"standing.ends":       "only policies say so: of game.ruled",
}

// idle tells whether a field means nothing beside the others of its struct, and is then not
// written.
func idle(name string, of any) bool {
	switch name {
	case "auction.bids": // there are none before it is known who is the first bidder
		return of.(*auction).bidder == 0
	case "standing.showUnits":
		return of.(*standing).show != showListed
	}
	return false
}

// A wholeness tries every field of the games of views.
type wholeness struct {
	t     *testing.T
	v     *View
	plain string
	tries map[string]int // by TYPE.FIELD
}

func (w *wholeness) written() string {
	out, err := w.v.Marshal()
	if err != nil {
		w.t.Fatal(err)
	}
	return string(out)
}

// Two views are the same if and only if their bytes are. Every field of the games of views
// at every kind of stop is changed, one at a time, and the bytes must show it. There is no
// exception but the fields named above, and those that mean nothing beside the others of
// their struct (its HasPos, and idle), such as where an eliminated unit stands.
func TestMarshalIsWhole(t *testing.T) {
	w := &wholeness{t: t, tries: map[string]int{}}
	look := func(v *View) {
		w.v = v
		if w.plain = w.written(); w.plain != w.written() {
			t.Fatal("a view is not written the same twice")
		}
		w.fields(reflect.ValueOf(v.game).Elem())
	}
	look(sixteenthOfJune(t).view("french"))
	v := sixteenthOfJune(t).view(engine.GM)
	v.standing.set(int(alliedCamp), standing{show: showListed, showUnits: []unitID{v.units[0].id}})
	v.policies[alliedCamp].Said = []play.Said{{Key: "regroup", Value: orders.Text("none")}}
	v.answered = []play.Left{{To: engine.Decision{Side: "allied", Kind: "move"}, Body: orders.Text("default")}}
	look(v)
	for _, text := range past(t) {
		p, err := New().Load([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range append(p.Sides(), engine.GM) {
			look(p.(*game).view(side))
		}
	}
	for _, name := range fieldsOf(reflect.TypeFor[game](), map[reflect.Type]bool{}) {
		if notWritten[name] == "" && w.tries[name] == 0 {
			t.Errorf("%s was never tried", name)
		}
	}
}

// ours tells whether a type is a struct of the model.
func ours(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == reflect.TypeFor[game]().PkgPath()
}

// inner tells whether what is in a value is tried too. What is in a standing order is not:
// it writes itself by the keys by which it is read, see TestStandingOrdersSurvive.
func inner(t reflect.Type) bool {
	return ours(t) && !slices.Contains([]reflect.Type{reflect.TypeFor[quarry](), reflect.TypeFor[retreatOrder](), reflect.TypeFor[bringOrder](),
		reflect.TypeFor[deployOrder](), reflect.TypeFor[plan](), reflect.TypeFor[movesOrder]()}, t)
}

// fieldsOf names the fields of a struct and of all structs of the model in it.
func fieldsOf(t reflect.Type, known map[reflect.Type]bool) (all []string) {
	if known[t] {
		return nil
	}
	known[t] = true
	for i := range t.NumField() {
		name := t.Name() + "." + t.Field(i).Name
		if all = append(all, name); notWritten[name] != "" {
			continue
		}
		of := t.Field(i).Type
		for of.Kind() == reflect.Slice || of.Kind() == reflect.Array || of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if inner(of) {
			all = append(all, fieldsOf(of, known)...)
		}
	}
	return all
}

// fields tries the fields of a struct and everything in them.
func (w *wholeness) fields(v reflect.Value) {
	for i := range v.NumField() {
		name := v.Type().Name() + "." + v.Type().Field(i).Name
		if notWritten[name] != "" && !(v.Type() == reflect.TypeFor[unit]() && v.Addr().Interface().(*unit).id == noUnit) {
			continue
		}
		f := v.Field(i)
		f = reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()                           // fields that are not exported too
		if f.Kind() == reflect.Array && (name == "game.standing" || name == "game.policies") { // by seat
			f = f.Index(len(w.v.Sides()) - 1)
		}
		w.within(f)
		if w.tries[name] >= 3 {
			continue
		}
		key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("pos"), ",")
		has := func() bool {
			haver, ok := v.Addr().Interface().(play.PosHaver)
			return (!ok || haver.HasPos(key)) && !idle(name, v.Addr().Interface())
		}
		was := reflect.New(f.Type()).Elem()
		was.Set(f)
		had := has()
		if !change(f) || !had && !has() {
			f.Set(was)
			continue
		}
		w.tries[name]++
		if w.written() == w.plain {
			w.t.Errorf("%s is not written, %v", name, was)
		}
		f.Set(was)
	}
}

// within tries what is in a value.
func (w *wholeness) within(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if inner(v.Type()) {
			w.fields(v)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			w.within(v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			w.within(v.Elem())
		}
	}
}

// change gives a value another value, without changing what it shares with others, and
// tells whether it can. What is not of the model, such as a decision, is only taken away.
func change(f reflect.Value) bool {
	switch f.Kind() {
	case reflect.Bool:
		f.SetBool(!f.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		f.SetInt(f.Int() ^ 1)
	case reflect.String:
		f.SetString(f.String() + "x")
	case reflect.Array:
		return change(f.Index(f.Len() - 1))
	case reflect.Slice:
		of := f.Type().Elem()
		switch {
		case f.Len() > 0 && of.Kind() == reflect.Int8:
			f.Set(reflect.AppendSlice(reflect.Zero(f.Type()), f))
			return change(f.Index(f.Len() - 1))
		case f.Len() > 0:
			f.Set(f.Slice(0, f.Len()-1))
		case of.Kind() == reflect.Struct && !ours(of):
			return false
		default:
			f.Set(reflect.Append(f, reflect.Zero(of)))
		}
	case reflect.Pointer:
		switch {
		case !f.IsNil():
			f.SetZero()
		case !ours(f.Type().Elem()):
			return false
		case f.Type() == reflect.TypeFor[*standing](): // empty ones are none
			f.Set(reflect.ValueOf(&standing{noRegroup: true}))
		default:
			f.Set(reflect.New(f.Type().Elem()))
		}
	case reflect.Struct:
		inner := f.Field(0)
		return change(reflect.NewAt(inner.Type(), inner.Addr().UnsafePointer()).Elem())
	default:
		panic("a " + f.Type().String())
	}
	return true
}

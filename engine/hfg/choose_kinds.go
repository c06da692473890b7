package hfg

import "strings"

// The kinds of ways that moves may be, and how a way of which not all is said is completed.

// The kinds of ways, as they are chosen: straight on and to a place, to look for a ford there, too.
const (
	kindGo      = "go"
	kindTo      = "to"
	kindContact = "contact"
	kindAlong   = "along"
	fordPrefix  = "ford "
)

var (
	formKinds = []string{"line left", "line right", "file left", "file right"}
	wayKinds  = append([]string{kindGo, kindTo, kindContact, kindAlong, fordPrefix + kindGo, fordPrefix + kindTo}, formKinds...)
)

// kind is the kind of an order's way; "" while it is open.
func (o *order) kind() string {
	switch o.Verb {
	case verbGo, verbAdvance, verbFord:
		if o.To != "" {
			return kindTo
		}
		return kindGo
	case verbContact:
		return kindContact
	case verbAlong:
		return kindAlong
	case verbForm:
		i := 0
		if o.Right {
			i = 1
		}
		if o.Deep == 0 {
			i += 2
		}
		return formKinds[i]
	}
	return ""
}

// becomes gives an order the kind of its way.
func (o *order) becomes(kind string) {
	kind, ford := strings.CutPrefix(kind, fordPrefix)
	switch kind {
	case kindGo:
		o.straightens()
	case kindTo:
		o.Verb, o.To = verbGo, anyPlace
	case kindContact:
		o.Verb = verbContact
	case kindAlong:
		o.Verb, o.Far = verbAlong, mostFar
	default:
		o.Verb, o.Right = verbForm, strings.HasSuffix(kind, "right")
		if strings.HasPrefix(kind, "line") {
			o.Deep = 1
		}
	}
	if ford {
		o.Verb = verbFord
	}
}

// straightens gives a way straight on the verb with which it is read.
func (o *order) straightens() {
	switch {
	case o.Verb == verbFord:
	case o.single() && o.Wheel == 0 && o.Side == 0:
		o.Verb = verbGo
	default:
		o.Verb = verbAdvance
	}
}

// fills completes a way of which not all is said.
func (w *turnWorld) fills(x *order) {
	all := w.board.who(x)
	if len(all) == 0 {
		return
	}
	switch x.kind() {
	case kindTo:
		x.To = w.completed(x.To, all[0])
		via := x.via()
		for i := range via {
			via[i] = w.completed(via[i], all[0])
		}
		x.Via = strings.Join(via, viaBetween)
	case kindContact:
		if x.Enemy == "" {
			w.fillsEnemy(x, all[0])
		}
	case kindGo:
		x.straightens()
		if x.Far == 0 && (x.Wheel == 0 && x.Side == 0 && !x.Turns || !w.legal(byItself(x))) {
			w.fillsFar(x)
		}
	}
}

// byItself is an order without what is done in its place.
func byItself(x *order) order {
	o := *x
	o.Else = nil
	return o
}

// fillsEnemy has it contact the nearest enemy whom it may, else the nearest.
func (w *turnWorld) fillsEnemy(x *order, e elementID) {
	all := append(w.foesOf(e), w.contactable()...)
	for _, foe := range all {
		if x.Enemy = w.v.def(foe).id; w.legal(byItself(x)) {
			return
		}
	}
	if len(all) > 0 {
		x.Enemy = w.v.def(all[0]).id
	}
}

// fillsFar has it go as far as it may: ahead, else back, else ahead whatever comes of it if it must say something.
func (w *turnWorld) fillsFar(x *order) {
	was := *x
	to := []bearing{ahead, toRear}
	if x.Column || x.Then != nil {
		to = to[:1]
	}
	if x.single() && x.Wheel == 0 && x.Side == 0 {
		to = append(to, toLeft, toRight)
	}
	for _, x.Toward = range to {
		if x.Far = mostFar; w.legal(byItself(x)) {
			return
		}
	}
	*x = was
	if x.Wheel == 0 && x.Side == 0 && !x.Turns {
		x.Far = mostFar
	}
}

package hfg

import (
	"strconv"
	"strings"

	"berthier/orders"
)

// How the moves of the stop turn are written.

// inline is a list on one line.
func inline(n *orders.Node) string {
	n.Flow = true
	return n.OneLine()
}

// moveTexts are moves as files have them.
var moveTexts = kind[order]{
	Shape: moveShape,
	Write: func(_ *View, o order) *orders.Node {
		n := writeHead(&o)
		if o.Else != nil {
			other := orders.Inline()
			writePayload(other, o.Else)
			n.Set("else", other)
		}
		return n
	},
}

// writeHead writes an order without what is done in its place.
func writeHead(o *order) *orders.Node {
	n := orders.Inline()
	switch o.Verb {
	case verbEnter:
		return n.Set("enter", orders.Text(o.Of)).Set("along", farNode(o.Far))
	case verbBuild:
		return n.Set("build", orders.Text(o.Of))
	case verbWreck:
		return n.Set("destroy-bridge", orders.Inline().Set("element", orders.Text(o.Of)).Set("bridge", orders.Text(o.To)))
	case verbRally:
		n.Set("rally", orders.Text(o.Of))
		writePayer(n, o)
		return n
	}
	ids := strings.Fields(o.Of)
	switch {
	case o.Column:
		n.Set("column", flow(orders.Texts(ids...)))
	case len(ids) > 1:
		n.Set("group", flow(orders.Texts(ids...)))
	default:
		n.Set("element", orders.Text(o.Of))
	}
	writePayer(n, o)
	writePayload(n, o)
	switch {
	case o.March:
		return orders.Inline().Set("march", n)
	case o.Verb == verbFord:
		return orders.Inline().Set("ford", n)
	}
	return n
}

// writePayer writes the general of another command who pays.
func writePayer(n *orders.Node, o *order) {
	if o.Payer != "" {
		n.Set("by", orders.Text(o.Payer))
	}
}

func flow(n *orders.Node) *orders.Node {
	n.Flow = true
	return n
}

// writePayload writes what a move is.
func writePayload(n *orders.Node, o *order) {
	switch o.Verb {
	case verbContact:
		n.Set("contact", orders.Text(o.Enemy))
		if o.Edge > 0 {
			n.Set("edge", orders.Text(edgeSides[o.Edge-1]))
		}
	case verbForm:
		side := "left"
		if o.Right {
			side = "right"
		}
		if o.Deep > 0 {
			n.Set("line", orders.Text(side)).Set("deep", orders.Number(o.Deep))
		} else {
			n.Set("file", orders.Text(side))
		}
	case verbAlong:
		if o.Road != "" {
			n.Set("road", flow(orders.Texts(strings.Fields(o.Road)...)))
		}
		n.Set("along", farNode(o.Far))
	default:
		writeStraight(n, o)
	}
	if o.Turns {
		n.Set("facing", orders.Number(o.Facing))
	}
}

// writeStraight writes a move to a place, or straight on.
func writeStraight(n *orders.Node, o *order) {
	if o.To != "" {
		n.Set("to", placeNode(o.To))
		if o.Via != "" {
			list := orders.Items()
			for _, text := range o.via() {
				list.Add(placeNode(text))
			}
			n.Set("via", flow(list))
		}
		if o.Short > 0 {
			n.Set("stop-short", orders.Number(o.Short-1))
		}
		return
	}
	if o.Side != 0 {
		n.Set("sidestep", orders.Text(sidedText(o.Side)))
	}
	if o.Wheel != 0 {
		n.Set("wheel", orders.Text(sidedText(o.Wheel)))
	}
	switch {
	case o.Far == 0:
	case o.Verb == verbAdvance && o.Toward == ahead:
		n.Set("advance", farNode(o.Far))
	default:
		n.Set(bearingWords[o.Toward], farNode(o.Far))
	}
	if o.Then == nil {
		return
	}
	list := orders.Items()
	for x := o.Then; x != nil; x = x.Then {
		one := orders.Inline()
		if x.Wheel != 0 {
			one.Set("wheel", orders.Text(sidedText(x.Wheel)))
		}
		if x.Far != 0 {
			one.Set("advance", orders.Number(x.Far))
		}
		list.Add(one)
	}
	n.Set("then", flow(list))
}

// sidedText writes what [sided] reads.
func sidedText(n int) string {
	if n < 0 {
		return "left " + strconv.Itoa(-n)
	}
	return "right " + strconv.Itoa(n)
}

func farNode(far int) *orders.Node {
	if far == mostFar {
		return orders.Text("max")
	}
	return orders.Number(far)
}

// placeNode writes a place from its text.
func placeNode(text string) *orders.Node {
	if strings.HasPrefix(text, "[") {
		if n, faults := orders.ParseNode([]byte("at: " + text + "\n")); len(faults) == 0 {
			return flow(n.Get("at"))
		}
	}
	return orders.Text(text)
}

package hfg

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/orders"
	"berthier/orders/phrase"
)

// How works are written in a deployment.

// worksWritten are the works as a deployment writes them: by what they are, with their names.
var worksWritten = []string{"strong-point", "redoubt", "entrenchment", "elf", "barricade", "naval-minefield", "pontoon"}

// work reads a work: {redoubt: r1, at: [6000, 3800], facing: s, holds: art-2}, {entrenchment: e1, from:
// [6400, 3800], to: [7200, 3800]}, {pontoon: pon-1, over: river-1, at: [5000, 2000]}.
func (x *deployReader) work(n *orders.Node) {
	f := x.Fields(n, append([]string{"at", "facing", "from", "to", "on", "over", "holds", "command", "size"}, worksWritten...)...)
	if n.Kind != orders.Map {
		return
	}
	w := workOrder{node: nodes{"": n, "at": f.Get("at")}}
	for _, word := range worksWritten {
		value := f.Get(word)
		if value == nil {
			continue
		}
		if w.id != "" || w.pontoon != 0 {
			x.Refuse(value, "HFG-6.2", phrase.Say("hfg.work-one", phrase.Keywords("words", worksWritten)))
			return
		}
		if word == "pontoon" {
			w.pontoon, _ = x.element(value)
			continue
		}
		w.what = provisionOf(word)
		w.id, _ = readID(x.Reader, value)
	}
	if w.id == "" && w.pontoon == 0 {
		x.Refuse(n, "HFG-6.2", phrase.Say("hfg.work-one", phrase.Keywords("words", worksWritten)))
		return
	}
	since := len(x.Problems)
	x.workPlace(&w, f)
	if len(x.Problems) == since {
		x.d.works = append(x.d.works, w)
	}
}

// workPlace reads where a work stands.
func (x *deployReader) workPlace(w *workOrder, f orders.Fields) {
	switch w.what {
	case 0:
		w.at = x.place(f, "at")
		w.on, _ = x.line(x.Require(f, "over"))
	case buysEntrenchment, buysBarricade:
		x.stretch(w, f)
	case buysELF:
		w.on, _ = x.line(x.Require(f, "on"))
		x.stretch(w, f)
		if w.on != 0 {
			x.bank(w)
		}
	case buysStrongPoint:
		w.at, w.facing, w.width = x.place(f, "at"), x.facing(f)%90, strongPointSize*pace
		if n := f.Get("size"); n != nil {
			v, _ := x.Int(n, 1, 9999)
			w.width = length(v) * pace
		}
		if n := f.Get("command"); n != nil {
			w.command, _ = x.command(n)
		} else {
			w.command = x.chief()
		}
	default:
		w.at, w.facing = x.place(f, "at"), x.facing(f)
		if n := f.Get("holds"); n != nil {
			w.holds, _ = x.element(n)
		}
	}
}

// chief is the command of the side's commander-in-chief.
func (x *deployReader) chief() commandID {
	return commandID(slices.IndexFunc(x.g.setting.commands, func(c commandDef) bool { return c.side == x.d.side && c.rank == chief }) + 1)
}

// stretch reads a straight work from its ends. It looks to the side on which the enemy's base
// edge is, or the way that is given.
func (x *deployReader) stretch(w *workOrder, f orders.Fields) {
	from, to := point(x.place(f, "from")), point(x.place(f, "to"))
	if from == to {
		x.Refuse(f.Node, provisions[w.what].clause, phrase.Say("hfg.work-ends"))
		return
	}
	w.at = place(point{X: (from.X + to.X) / 2, Y: (from.Y + to.Y) / 2})
	w.width = length(geometry.Dist(from, to))
	along := geometry.Toward(from, to)
	look := geometry.Heading(x.facing(f))
	left, right := along.Plus(-90), along.Plus(90)
	w.facing = int(left)
	if turnBetween(right, look) < turnBetween(left, look) {
		w.facing = int(right)
	}
}

// bank moves a feature along a river to the bank on the enemy's side (HFG-6.8).
func (x *deployReader) bank(w *workOrder) {
	if d := x.g.line(w.on); d.kind == river {
		f := geometry.Frame{At: point(w.at), Heading: geometry.Heading(w.facing)}
		w.at = place(f.World(point{Y: int64(d.width) / 2}))
	}
}

// write writes a work on one line.
func (w *workOrder) write(g *game, of side) *orders.Node {
	n := orders.Inline()
	f := geometry.Frame{At: point(w.at), Heading: geometry.Heading(w.facing)}
	switch w.what {
	case 0:
		return n.Set("pontoon", orders.Text(g.short(g.def(w.pontoon).id, of))).Set("over", orders.Text(g.line(w.on).id)).Set("at", scale.WritePoint(point(w.at)))
	case buysEntrenchment, buysBarricade, buysELF:
		n.Set(w.what.String(), orders.Text(w.id))
		if w.what == buysELF {
			line := g.line(w.on)
			n.Set("on", orders.Text(line.id))
			if line.kind == river {
				f.At = f.World(point{Y: -int64(line.width) / 2})
			}
		}
		half := int64(w.width) / 2
		return n.Set("from", scale.WritePoint(f.World(point{X: -half}))).Set("to", scale.WritePoint(f.World(point{X: half}))).Set("facing", orders.Number(w.facing))
	}
	n.Set(w.what.String(), orders.Text(w.id)).Set("at", scale.WritePoint(point(w.at))).Set("facing", orders.Number(w.facing))
	if w.holds != 0 {
		n.Set("holds", orders.Text(g.short(g.def(w.holds).id, of)))
	}
	if w.what == buysStrongPoint {
		n.Set("size", orders.Number(paces(int64(w.width)))).Set("command", orders.Text(g.short(g.lead(w.command).id, of)))
	}
	return n
}

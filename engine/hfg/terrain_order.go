package hfg

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine/geometry"
	"berthier/orders"
	"berthier/orders/phrase"
)

// What a side orders at the stop terrain: the numbers of the sections, and pieces with their
// sizes and wishes (HFG-4.2 to HFG-4.22).

// A terrainOrder is what a side orders of the ground.
type terrainOrder struct {
	by      side
	numbers numbering
	pieces  []terrainPiece

	at nodes   // "numbering", "pieces"
	of []nodes // of each piece: "", and its keys
}

// mostSaid is how many pieces a file may name at all.
const mostSaid = 60

// The words of a wish: any legal place will do, and what holds for sections that aren't named.
const (
	firstLegal = "first-legal"
	restWord   = "rest"
)

// readNumbering reads {w: 1, nw: 2, ne: 3, e: 4, se: 5, sw: 6}: each section once (HFG-4.2).
func readNumbering(r *orders.Reader, n *orders.Node) numbering {
	if n == nil {
		return usualNumbering
	}
	var all numbering
	f := r.Fields(n, sectionWords[1:]...)
	for s := sectionW; s < sectionsEnd; s++ {
		value := r.Require(f, s.String())
		die, ok := r.Int(value, 1, int(sectionsEnd)-1)
		switch {
		case !ok:
		case all[die] != 0:
			r.Refuse(value, "HFG-4.2", phrase.Say("hfg.numbering-twice", phrase.Number("n", die)))
		default:
			all[die] = s
		}
	}
	return all
}

// writeNumbering writes what [readNumbering] reads.
func writeNumbering(all numbering) *orders.Node {
	n := orders.Inline()
	for s := sectionW; s < sectionsEnd; s++ {
		n.Set(s.String(), orders.Number(slices.Index(all[:], s)))
	}
	return n
}

// pieceKeys are those by which a piece is ordered.
var pieceKeys = []string{"kind", "size", "reach", "width", "outline", "slope", "good", "bridges", "upstream", "where"}

// readPieces reads a list of pieces.
func (o *terrainOrder) readPieces(r *orders.Reader, n *orders.Node) {
	items := r.List(n)
	if len(items) > mostSaid {
		r.Refuse(n, "HFG-4.3", phrase.Say("hfg.pieces-many", phrase.Number("n", len(items)), phrase.Number("most", mostSaid)))
		return
	}
	for _, item := range items {
		f := r.Fields(item, pieceKeys...)
		if item.Kind != orders.Map {
			continue
		}
		word, ok := r.Word(r.Require(f, "kind"), pieceWords[1:]...)
		if !ok {
			continue
		}
		x := terrainPiece{Kind: pieceKind(slices.Index(pieceWords, word)), By: o.by}
		at := nodes{"": item}
		for _, key := range pieceKeys {
			at[key] = f.Get(key)
		}
		readPiece(r, &x, at)
		o.pieces, o.of = append(o.pieces, x), append(o.of, at)
	}
}

// readPiece reads what goes with the kind of a piece, and refuses what doesn't.
func readPiece(r *orders.Reader, x *terrainPiece, at nodes) {
	may := map[pieceKind][]string{
		waterwayPiece: {"reach", "upstream"}, riverPiece: {"width", "upstream"}, streamPiece: nil,
		marshPiece: {"size", "outline"}, hillPiece: {"size", "outline", "slope"}, roadPiece: {"good", "bridges"},
		railwayPiece: nil, buaPiece: {"size"}, woodPiece: {"size", "outline"}, slowPiece: {"size", "outline"},
	}[x.Kind]
	for _, key := range pieceKeys[1 : len(pieceKeys)-1] {
		if at[key] != nil && !slices.Contains(may, key) {
			r.Refuse(at[key], pieceDefs[x.Kind].clause, phrase.Say("hfg.piece-key", phrase.Keywords("key", []string{key}), pieceText(x.Kind)))
		}
	}
	def := pieceDefs[x.Kind]
	switch x.Kind {
	case waterwayPiece:
		x.Size = readSizes(r, at["reach"], def.least)
		if n := at["upstream"]; n != nil {
			if p, ok := scale.ReadPoint(r, n); ok {
				x.Source = place(wholePaces(p))
			}
		}
	case riverPiece:
		x.Size = readSizes(r, at["width"], def.most)
		if word, ok := r.Word(at["upstream"], "first", "last"); ok {
			x.Up = word == "last"
		}
	case roadPiece:
		x.Good = readFlag(r, at["good"])
		x.Bridges = readFlag(r, at["bridges"])
	case hillPiece:
		if word, ok := r.Word(at["slope"], slopeWords...); ok {
			x.Slope = slope(slices.Index(slopeWords, word))
		}
	}
	if x.Kind.area() {
		readExtent(r, x, at)
	}
	readWishes(r, x, at["where"])
}

func readFlag(r *orders.Reader, n *orders.Node) bool {
	if n == nil {
		return false
	}
	yes, _ := r.Bool(n)
	return yes
}

// readSizes reads a number of paces, or the usual one.
func readSizes(r *orders.Reader, n *orders.Node, usual int) []int {
	if n == nil {
		return []int{usual}
	}
	v, _ := r.Int(n, 1, 9999)
	return []int{v}
}

// readExtent reads the size of an area, or its outline about its middle.
func readExtent(r *orders.Reader, x *terrainPiece, at nodes) {
	switch {
	case at["outline"] != nil && x.Kind != buaPiece:
		if at["size"] != nil {
			r.Refuse(at["size"], "HFG-4.22", phrase.Say("hfg.piece-size-outline"))
		}
		for _, item := range r.List(at["outline"]) {
			if p, ok := scale.ReadPoint(r, item); ok {
				x.Outline = append(x.Outline, place(wholePaces(p)))
			}
		}
	case at["size"] == nil:
		r.Refuse(at[""], pieceDefs[x.Kind].clause, phrase.Say("order.missing-key", phrase.Name("key", phrase.KindKeyword, "size")))
	default:
		items := r.List(at["size"])
		if len(items) > 2 || x.Kind == buaPiece && len(items) > 1 {
			r.Refuse(at["size"], pieceDefs[x.Kind].clause, phrase.Say("hfg.piece-sizes"))
			return
		}
		for _, item := range items {
			if v, ok := r.Int(item, 1, 9999); ok {
				x.Size = append(x.Size, v)
			}
		}
	}
}

// readWishes reads where a piece is to stand: first-legal, or a map by what the dice may show,
// with the word first-legal for the rest.
func readWishes(r *orders.Reader, x *terrainPiece, n *orders.Node) {
	if n == nil {
		return
	}
	if r.Is(n, firstLegal) {
		x.Any = true
		return
	}
	if n.Kind != orders.Map {
		r.Refuse(n, "HFG-4.5", phrase.Say("hfg.wish-map"))
		return
	}
	for _, p := range n.Pairs {
		key := strings.ToLower(p.Key.Text)
		if (orders.NewReader(vocabulary)).Is(p.Key, restWord) {
			word, _ := r.Word(p.Value, firstLegal)
			x.Any = word != ""
			continue
		}
		if !wishKey(x.Kind, key) {
			r.Refuse(p.Key, "HFG-4.5", phrase.Say("hfg.wish-key", phrase.Literal("text", p.Key.Text)))
			continue
		}
		if slices.ContainsFunc(x.Where, func(w wish) bool { return w.For == key }) {
			r.Refuse(p.Key, "HFG-4.5", phrase.Say("order.key-twice", phrase.Literal("key", p.Key.Text)))
			continue
		}
		if s, ok := readSiting(r, p.Value); ok {
			x.Where = append(x.Where, wish{For: key, Siting: s})
		}
	}
}

// wishKey says whether a key is what the dice of a kind may show: a section, or of a line two.
func wishKey(k pieceKind, key string) bool {
	one, other, two := strings.Cut(key, "-")
	named := func(w string) bool { return slices.Contains(sectionWords[1:], w) }
	if !two {
		return named(one)
	}
	return k.line() && k != railwayPiece && named(one) && named(other)
}

// readSiting reads a place of a piece: {at: [3000, 4500], facing: 90}, or of a line {from: [0,
// 3000], to: [6000, 6000], bends: [[3000, 3500]]}.
func readSiting(r *orders.Reader, n *orders.Node) (siting, bool) {
	since := len(r.Problems)
	f := r.Fields(n, "at", "facing", "from", "to", "bends")
	var w siting
	for _, one := range []struct {
		key string
		to  *place
	}{{"at", &w.At}, {"from", &w.From}, {"to", &w.To}} {
		if value := f.Get(one.key); value != nil {
			if p, ok := scale.ReadPoint(r, value); ok {
				*one.to = place(wholePaces(p))
			}
		}
	}
	if value := f.Get("facing"); value != nil {
		w.Facing, _ = readFacing(r, value)
	}
	for _, item := range r.List(f.Get("bends")) {
		if p, ok := scale.ReadPoint(r, item); ok {
			w.Bends = append(w.Bends, place(wholePaces(p)))
		}
	}
	if len(w.Bends) > mostBends {
		r.Refuse(f.Get("bends"), "HFG-4.7", phrase.Say("hfg.wish-bends", phrase.Number("most", mostBends)))
	}
	return w, len(r.Problems) == since && n.Kind == orders.Map
}

// mostBends is how many bends a line may have.
const mostBends = 30

// facings are the words for headings (HFG-1.2).
var facings = []string{"n", "ne", "e", "se", "s", "sw", "w", "nw"}

// readFacing reads a heading: whole degrees, or a word (HFG-1.2).
func readFacing(r *orders.Reader, n *orders.Node) (int, bool) {
	if i := slices.Index(facings, strings.ToLower(n.Text)); n.Kind == orders.Scalar && i >= 0 {
		return i * 45, true
	}
	return r.Int(n, 0, 359)
}

// writeSiting writes what [readSiting] reads.
func writeSiting(w siting) *orders.Node {
	n := orders.Inline()
	for _, one := range []struct {
		key string
		at  place
	}{{"at", w.At}, {"from", w.From}, {"to", w.To}} {
		if one.at != (place{}) {
			n.Set(one.key, scale.WritePoint(point(one.at)))
		}
	}
	if w.Facing != 0 {
		n.Set("facing", orders.Number(w.Facing))
	}
	if len(w.Bends) > 0 {
		n.Set("bends", writePlaces(w.Bends))
	}
	return n
}

// writePlaces writes a list of places on one line.
func writePlaces(all []place) *orders.Node {
	list := &orders.Node{Kind: orders.List, Flow: true}
	for _, p := range all {
		list.Add(scale.WritePoint(point(p)))
	}
	return list
}

// write writes a piece on one line.
func (x *terrainPiece) write() *orders.Node {
	n := orders.Inline().Set("kind", orders.Text(x.Kind.String()))
	switch {
	case x.Kind == waterwayPiece:
		n.Set("reach", orders.Number(x.Size[0]))
		if x.Source != (place{}) {
			n.Set("upstream", scale.WritePoint(point(x.Source)))
		}
	case x.Kind == riverPiece:
		n.Set("width", orders.Number(x.Size[0]))
		if x.Up {
			n.Set("upstream", orders.Text("last"))
		}
	case len(x.Outline) > 0:
		n.Set("outline", writePlaces(x.Outline))
	case len(x.Size) == 1:
		n.Set("size", orders.Number(x.Size[0]))
	case len(x.Size) == 2:
		n.Set("size", orders.Texts(strconv.Itoa(x.Size[0]), strconv.Itoa(x.Size[1])))
	}
	if x.Slope != gentle {
		n.Set("slope", orders.Text(slopeWords[x.Slope]))
	}
	for _, one := range []struct {
		key string
		yes bool
	}{{"good", x.Good}, {"bridges", x.Bridges}} {
		if one.yes {
			n.Set(one.key, orders.Text("yes"))
		}
	}
	where := orders.Inline()
	for _, w := range x.Where {
		where.Set(w.For, writeSiting(w.Siting))
	}
	switch {
	case len(where.Pairs) == 0 && x.Any:
		n.Set("where", orders.Text(firstLegal))
	case len(where.Pairs) > 0:
		if x.Any {
			where.Set(restWord, orders.Text(firstLegal))
		}
		n.Set("where", where)
	}
	return n
}

// pieceText names a kind of piece.
func pieceText(k pieceKind) phrase.Arg { return phrase.Name("kind", "piece", k.String()) }

// bounds says what is wrong with the size and the outline of a piece (HFG-4.6 to HFG-4.22).
func (x *terrainPiece) bounds(at nodes) (faults []listFault) {
	def := pieceDefs[x.Kind]
	say := func(clause, code string, n *orders.Node, args ...phrase.Arg) {
		j := listJudge{}
		j.refuse(clause, code, where(n, at[""]), args...)
		faults = append(faults, j.faults...)
	}
	if x.Kind == waterwayPiece || x.Kind == riverPiece {
		key := map[pieceKind]string{waterwayPiece: "reach", riverPiece: "width"}[x.Kind]
		if n := x.Size[0]; n < def.least || n > def.most {
			say(def.clause, "hfg.piece-size", at[key], phrase.Number("n", n), phrase.Number("least", def.least), phrase.Number("most", def.most))
		}
	}
	if !x.Kind.area() {
		return faults
	}
	key := "size"
	if len(x.Outline) > 0 {
		key = "outline"
		flaw, corner := geometry.Polygon(points(x.Outline))
		switch {
		case len(x.Outline) < roundCorners:
			say("HFG-4.22", "hfg.piece-corners", at[key], phrase.Number("n", len(x.Outline)), phrase.Number("least", roundCorners))
		case len(x.Outline) > mostCorners:
			say("HFG-4.22", "hfg.piece-many-corners", at[key], phrase.Number("most", mostCorners))
		case flaw != geometry.Sound:
			say("HFG-4.22", flaws[flaw], at[key].Items[corner])
		}
	}
	long, deep := x.extent()
	for _, n := range []int64{long, deep} {
		if v := paces(n); v < def.least || v > def.most {
			say(def.clause, "hfg.piece-size", at[key], phrase.Number("n", v), phrase.Number("least", def.least), phrase.Number("most", def.most))
			return faults
		}
	}
	if v := paces(min(long, deep)); def.narrow > 0 && v > def.narrow {
		say(def.clause, "hfg.piece-narrow", at[key], phrase.Number("n", v), phrase.Number("most", def.narrow))
	}
	return faults
}

// Corners of outlines (HFG-4.22).
const (
	roundCorners = 8
	mostCorners  = 60
)

// A groundLimit is how many pieces a field takes (HFG-4.3).
type groundLimit struct{ least, most, big int }

// limitOf is how many pieces a field of a size takes: for each nine square miles, four to six.
func limitOf(size place) groundLimit {
	times := max(1, int((size.X/pace)*(size.Y/pace)/(squareMiles*mile*mile)))
	return groundLimit{least: leastPieces * times, most: mostPieces * times, big: mostBig * times}
}

// faults says what is wrong with an order of terrain: sizes, and how many there are of each
// kind, and together (HFG-4.3, HFG-4.4).
func (o *terrainOrder) faults(as role, year int, size place, list *listTerrain) []listFault {
	j := &listJudge{}
	limit := limitOf(size)
	var count [pieceKindsEnd]int
	big, good := 0, 0
	for i := range o.pieces {
		x, at := &o.pieces[i], o.of[i]
		j.faults = append(j.faults, x.bounds(at)...)
		count[x.Kind]++
		if x.Kind == railwayPiece && year < railwaysSince {
			j.refuse("HFG-4.15", "hfg.piece-early", where(at["kind"], at[""]), phrase.Number("year", railwaysSince))
		}
		if most := list.most(x.Kind); count[x.Kind] == most+1 {
			j.refuse("HFG-4.3", "hfg.pieces-kind", where(at["kind"], at[""]), pieceText(x.Kind), phrase.Number("most", most))
		}
		if x.big() {
			if big++; big == limit.big+1 {
				j.refuse("HFG-4.3", "hfg.pieces-big", where(at["size"], at["outline"], at[""]), phrase.Number("most", limit.big), phrase.Number("size", bigPiece))
			}
		}
		if x.Good {
			if good++; good == 2 {
				j.refuse("HFG-4.14", "hfg.pieces-good", where(at["good"], at[""]))
			}
		}
	}
	n, all := len(o.pieces), where(o.at["pieces"], o.at[""])
	if as == attacker {
		if n > attackerLays {
			j.refuse("HFG-4.4", "hfg.pieces-attacker", all, phrase.Number("n", n), phrase.Number("most", attackerLays))
		}
		return j.faults
	}
	if n < limit.least || n > limit.most {
		j.refuse("HFG-4.3", "hfg.pieces-number", all, phrase.Number("n", n), phrase.Number("least", limit.least), phrase.Number("most", limit.most))
	}
	for _, one := range []struct {
		kind  pieceKind
		least int
	}{{roadPiece, leastRoads}, {buaPiece, leastBUA}} {
		if least := min(one.least, list.most(one.kind)); count[one.kind] < least {
			j.refuse("HFG-4.3", "hfg.pieces-few", all, pieceText(one.kind), phrase.Number("least", least))
		}
	}
	return j.faults
}

// most is how many pieces of a kind there may be (HFG-4.3). Streams and gullies are one kind.
func (t *listTerrain) most(k pieceKind) int {
	n := pieceDefs[k].atMost
	if m, ok := t.atMost[k]; ok {
		n = min(n, m)
	}
	return n
}

// usualTerrain is what is placed if the defender says nothing (section 5 of the digest).
func usualTerrain(by side) terrainOrder {
	o := terrainOrder{by: by, numbers: usualNumbering}
	for _, x := range []terrainPiece{
		{Kind: roadPiece}, {Kind: roadPiece}, {Kind: buaPiece, Size: []int{500}}, {Kind: buaPiece, Size: []int{500}},
		{Kind: hillPiece, Size: []int{1500, 900}}, {Kind: hillPiece, Size: []int{1500, 900}},
		{Kind: woodPiece, Size: []int{1500, 900}}, {Kind: slowPiece, Size: []int{1500, 900}},
	} {
		x.By, x.Any = by, true
		o.pieces = append(o.pieces, x)
	}
	return o
}

// together joins what both sides have ordered, in the order in which it is placed, without what
// is too much. Of a kind, and of big ones, the attacker's fall away, for the defender places
// first; of all together those that the defender has named last, but for roads and BUA that
// must be there (HFG-R140).
func together(defends, attacks *terrainOrder, list *listTerrain, size place) []terrainPiece {
	limit := limitOf(size)
	var count [pieceKindsEnd]int
	var all []terrainPiece
	big, good := 0, false
	take := func(x terrainPiece) {
		if count[x.Kind] >= list.most(x.Kind) || x.big() && big >= limit.big {
			return
		}
		count[x.Kind]++
		if x.big() {
			big++
		}
		x.Good, good = x.Good && !good, good || x.Good
		all = append(all, x)
	}
	for _, x := range defends.pieces {
		take(x)
	}
	for _, x := range attacks.pieces {
		take(x)
	}
	for i := len(all) - 1; i >= 0 && len(all) > limit.most; i-- {
		k := all[i].Kind
		if all[i].By != defends.by || k == roadPiece && count[k] <= leastRoads || k == buaPiece && count[k] <= leastBUA {
			continue
		}
		count[k]--
		all = slices.Delete(all, i, i+1)
	}
	return pieceOrder(all, defends.by)
}

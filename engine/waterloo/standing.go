package waterloo

import (
	"slices"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Standing orders (section 5.3 of the digest): they answer a stop before the seat
// is asked, as far as they say exactly what is to be done. Where they don't fit,
// the seat is asked; never is the default taken instead.

// standing are a seat's standing orders. The zero value is none. They are put in
// force as a whole and never changed.
type standing struct {
	Bid          bidOrder
	Army         []army // of the active army, in order of preference
	Artillery    *gunOrders
	Cavalry      *cavalryOrders
	Battle       *battleOrders
	Loss         *lossOrders
	Advance      *followOrders
	AttackerLoss []unitID // who is reduced, in order of preference
	Commander    []unitID // with whom he is placed, in order of preference
}

// A bidOrder is the standing order initiative.
type bidOrder struct {
	How   bidHow
	Card  cardID   // bidCard
	MinMP int      // bidAtLeast
	Keep  []action // bidAtLeast: cards with these actions are not bid
}

type bidHow int8

const (
	bidAsk bidHow = iota
	bidNone
	bidLowest
	bidHighest
	bidCard
	bidAtLeast
)

// A windowPolicy says what is done in an artillery window that no rule has
// answered.
type windowPolicy int8

const (
	windowAsk windowPolicy = iota
	windowHold
)

// gunOrders are the standing order artillery.
type gunOrders struct {
	Windows [atRevealed + 1]windowPolicy
	Keep    int // so many artillery cards stay in hand
	Rules   []gunRule
}

// A gunRule fires a card where it fits.
type gunRule struct {
	At    []unitID // none: at any
	State unitState
	By    []unitID // none: by any
	When  window   // 0: any
}

// A unitState is what a rule may ask of a unit.
type unitState int8

const (
	anyState unitState = iota
	stateOrdered
	stateDisordered
	stateFull
	stateReduced
)

var stateWords = [...]string{anyState: "any", stateOrdered: "ordered", stateDisordered: "disordered", stateFull: "full", stateReduced: "reduced"}

// A retreatHow is what cavalry does before battle.
type retreatHow int8

const (
	retreatAsk retreatHow = iota
	retreatStay
	retreatGo
)

var retreatWords = [...]string{retreatAsk: "ask", retreatStay: "stay", retreatGo: "retreat"}

// cavalryOrders are the standing order cavalry-retreat.
type cavalryOrders struct {
	Default retreatHow
	Rules   []cavalryRule
}

type cavalryRule struct {
	Unit unitID
	Do   retreatHow
	To   []facing // directions, in order of preference; none: as the default takes them
	Face facing   // none: kept
}

// battleOrders are the standing order battle.
type battleOrders struct {
	None  bool // without a rule: commit nothing; else ask
	Rules []battleRule
}

// A battleRule chooses cards for a battle of a unit.
type battleRule struct {
	Unit     unitID
	Margin   int // to be reached over the enemy's base; 0: a tie
	MaxCards int // 0: no bound
	MaxBP    int // 0: no bound
	Use      []use
	Weakest  bool // artillery fires at the weakest attacker instead of the strongest
	All      bool // if it can't be reached: commit all that is allowed, else nothing
}

// A lossKind is one way to take a defeat.
type lossKind int8

const (
	takeCDP lossKind = iota
	takeRetreat
	takeReduce
)

var lossWords = [...]string{takeCDP: "cdp", takeRetreat: "retreat", takeReduce: "reduce"}

// lossOrders are the standing order loss.
type lossOrders struct {
	Default []lossKind
	Rules   []lossRule
}

type lossRule struct {
	Unit   unitID // 0: any, in Square
	Square square // 0: any
	Order  []lossKind
	To     []facing // directions of a retreat, in order of preference
	Face   facing
}

// followOrders are the standing order advance.
type followOrders struct {
	Prefer []unitID
	Face   facing // none: kept
}

// adopt puts standing orders in force in place of the old.
func (g *game) adopt(side engine.Side, n *orders.Node) {
	if n == nil {
		return
	}
	g.standing[armyOfSeat(side)] = g.view(side).parseStanding(orders.NewReader(vocabulary), n)
}

// readStanding judges the standing key of an order file and gives it in normal
// form; nil if the file has none.
func readStanding(v *View, r *orders.Reader, n *orders.Node) *orders.Node {
	if n == nil || n.Null {
		return nil
	}
	s := v.parseStanding(r, n)
	if normal := s.node(v.scenario); normal != nil {
		return normal
	}
	return orders.Text("none")
}

// mostRules of a kind are read.
const mostRules = 100

// parseStanding reads standing orders: a map, or none.
func (v *View) parseStanding(r *orders.Reader, n *orders.Node) standing {
	var s standing
	if n == nil || r.Is(n, "none") {
		return s
	}
	f := r.Fields(n, "initiative", "army", "artillery", "cavalry-retreat", "battle", "loss", "advance", "attacker-loss", "commander")
	if m := f.Get("initiative"); m != nil {
		s.Bid = v.readBidOrder(r, m)
	}
	if m := f.Get("army"); m != nil {
		s.Army = v.readArmyOrder(r, m)
	}
	if m := f.Get("artillery"); m != nil {
		s.Artillery = v.readGunOrders(r, m)
	}
	if m := f.Get("cavalry-retreat"); m != nil {
		s.Cavalry = v.readCavalryOrders(r, m)
	}
	if m := f.Get("battle"); m != nil {
		s.Battle = v.readBattleOrders(r, m)
	}
	if m := f.Get("loss"); m != nil {
		s.Loss = v.readLossOrders(r, m)
	}
	if m := f.Get("advance"); m != nil {
		g := r.Fields(m, "prefer", "face")
		s.Advance = &followOrders{Prefer: v.readUnits(r, g.Get("prefer"), v.ofArmies()), Face: readFace(r, g.Get("face"))}
	}
	s.AttackerLoss = v.readUnits(r, f.Get("attacker-loss"), v.ofArmies())
	if m := f.Get("commander"); m != nil {
		g := r.Fields(m, "to")
		s.Commander = v.readUnits(r, r.Require(g, "to"), v.ofCamp(v.camp()))
	}
	return s
}

// readUnits reads a list of units, each once.
func (v *View) readUnits(r *orders.Reader, n *orders.Node, among []unitID) []unitID {
	var all []unitID
	for _, item := range r.List(n) {
		if id, ok := v.nameUnit(r, item, among); ok && !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all
}

// readSome reads a list of units, or any, which is none.
func (v *View) readSome(r *orders.Reader, n *orders.Node, among []unitID) []unitID {
	if n == nil || r.Is(n, "any") {
		return nil
	}
	return v.readUnits(r, n, among)
}

func (v *View) readBidOrder(r *orders.Reader, n *orders.Node) bidOrder {
	var o bidOrder
	bid := r.Require(r.Fields(n, "bid"), "bid")
	switch {
	case bid == nil:
	case bid.Kind == orders.Map:
		f := r.Fields(bid, "min-mp", "keep")
		o.How = bidAtLeast
		if m := r.Require(f, "min-mp"); m != nil {
			o.MinMP, _ = r.Int(m, 1, 99)
		}
		for _, item := range r.List(f.Get("keep")) {
			if word, ok := r.Word(item, keptWords[1:]...); ok {
				if a := action(slices.Index(keptWords, word)); !slices.Contains(o.Keep, a) {
					o.Keep = append(o.Keep, a)
				}
			}
		}
	case r.Is(bid, "none"):
		o.How = bidNone
	case r.Is(bid, "lowest"):
		o.How = bidLowest
	case r.Is(bid, "highest"):
		o.How = bidHighest
	case r.Is(bid, "ask"):
	default:
		if c, ok := v.nameCard(r, bid); ok {
			o.How, o.Card = bidCard, c
		}
	}
	return o
}

// keptWords are the keywords of actions, by action.
var keptWords = []string{noAction: "none", artilleryFire: "artillery", commandBonus: "command", eliteBonus: "elite",
	cavalryCharge: "charge", mustCharge: "must-charge", reorganise: "reorganise", napoleonsHealth: "health"}

func (v *View) readArmyOrder(r *orders.Reader, n *orders.Node) []army {
	if v.camp() != alliedCamp {
		r.Refuse(n, "WAT-6.6", phrase.Say("wat.standing-army"))
		return nil
	}
	var list []army
	for _, item := range r.List(r.Require(r.Fields(n, "prefer"), "prefer")) {
		if word, ok := r.Word(item, "anglo", "prussian"); ok {
			if a, _ := armyNamed(word); !slices.Contains(list, a) {
				list = append(list, a)
			}
		}
	}
	return list
}

func (v *View) readGunOrders(r *orders.Reader, n *orders.Node) *gunOrders {
	o := &gunOrders{}
	f := r.Fields(n, "windows", "keep", "rules")
	readWindows(r, f.Get("windows"), o)
	if m := f.Get("keep"); m != nil {
		o.Keep, _ = r.Int(m, 0, 99)
	}
	for _, item := range v.rules(r, f.Get("rules")) {
		g := r.Fields(item, "at", "state", "by", "when")
		rule := gunRule{At: v.readSome(r, g.Get("at"), v.ofCamp(v.camp().enemy())), By: v.readSome(r, g.Get("by"), v.ofArmies())}
		if m := g.Get("state"); m != nil {
			if word, ok := r.Word(m, stateWords[:]...); ok {
				rule.State = unitState(slices.Index(stateWords[:], word))
			}
		}
		if m := g.Get("when"); m != nil && !r.Is(m, "any") {
			if word, ok := r.Word(m, windowWords[atRoundStart:]...); ok {
				rule.When = window(slices.Index(windowWords[:], word))
			}
		}
		o.Rules = append(o.Rules, rule)
	}
	return o
}

// readWindows reads what is done in which window, or one word for all of them.
func readWindows(r *orders.Reader, n *orders.Node, o *gunOrders) {
	hold := func(n *orders.Node) bool {
		word, ok := r.Word(n, "hold", "ask")
		return ok && word == "hold"
	}
	var w orders.Fields
	all := n != nil && n.Kind == orders.Scalar && hold(n)
	if n != nil && n.Kind != orders.Scalar {
		w = r.Fields(n, windowWords[atRoundStart:]...)
	}
	for i := atRoundStart; i <= atRevealed; i++ {
		if policy := w.Get(windowWords[i]); all || policy != nil && hold(policy) {
			o.Windows[i] = windowHold
		}
	}
}

// rules gives the items of a list of rules, not more than are read.
func (v *View) rules(r *orders.Reader, n *orders.Node) []*orders.Node {
	items := r.List(n)
	if len(items) > mostRules {
		r.Refuse(n, "", phrase.Say("wat.standing-many", phrase.Number("most", mostRules)))
		return nil
	}
	return items
}

// readFacings reads a list of directions.
func readFacings(r *orders.Reader, n *orders.Node) []facing {
	var list []facing
	for _, item := range r.List(n) {
		if f := readFace(r, item); f != noFacing && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

func (v *View) readCavalryOrders(r *orders.Reader, n *orders.Node) *cavalryOrders {
	o := &cavalryOrders{}
	f := r.Fields(n, "default", "rules")
	how := func(n *orders.Node) retreatHow {
		word, ok := r.Word(n, retreatWords[:]...)
		if !ok {
			return retreatAsk
		}
		return retreatHow(slices.Index(retreatWords[:], word))
	}
	if m := f.Get("default"); m != nil {
		o.Default = how(m)
	}
	for _, item := range v.rules(r, f.Get("rules")) {
		g := r.Fields(item, "unit", "do", "to", "face")
		var rule cavalryRule
		unit := r.Require(g, "unit")
		id, ok := v.nameUnit(r, unit, v.ofArmies())
		if ok && v.def(id).arm != cavalry {
			r.Refuse(unit, "WAT-9.50", phrase.Say("wat.standing-cavalry", v.unitArg("unit", id)))
		}
		rule.Unit = id
		if m := r.Require(g, "do"); m != nil {
			rule.Do = how(m)
		}
		rule.To, rule.Face = readFacings(r, g.Get("to")), readFace(r, g.Get("face"))
		if ok {
			o.Rules = append(o.Rules, rule)
		}
	}
	return o
}

func (v *View) readBattleOrders(r *orders.Reader, n *orders.Node) *battleOrders {
	o := &battleOrders{}
	f := r.Fields(n, "default", "rules")
	if m := f.Get("default"); m != nil {
		if word, ok := r.Word(m, "none", "ask"); ok {
			o.None = word == "none"
		}
	}
	for _, item := range v.rules(r, f.Get("rules")) {
		g := r.Fields(item, "unit", "reach", "max-cards", "max-bp", "use", "artillery", "if-short")
		var rule battleRule
		id, ok := v.nameUnit(r, r.Require(g, "unit"), v.ofArmies())
		rule.Unit = id
		if m := r.Require(g, "reach"); m != nil {
			if m.Kind == orders.Map {
				if k := r.Require(r.Fields(m, "margin"), "margin"); k != nil {
					rule.Margin, _ = r.Int(k, 0, 99)
				}
			} else {
				r.Word(m, "tie")
			}
		}
		if m := g.Get("max-cards"); m != nil {
			rule.MaxCards, _ = r.Int(m, 1, 99)
		}
		if m := g.Get("max-bp"); m != nil {
			rule.MaxBP, _ = r.Int(m, 1, 99)
		}
		for _, item := range r.List(g.Get("use")) {
			if word, ok := r.Word(item, useWords[:]...); ok {
				if u := use(slices.Index(useWords[:], word)); !slices.Contains(rule.Use, u) {
					rule.Use = append(rule.Use, u)
				}
			}
		}
		if len(rule.Use) == 0 {
			rule.Use = []use{asBattle}
		}
		if m := g.Get("artillery"); m != nil {
			word, _ := r.Word(m, "strongest", "weakest")
			rule.Weakest = word == "weakest"
		}
		if m := g.Get("if-short"); m != nil {
			word, _ := r.Word(m, "none", "all")
			rule.All = word == "all"
		}
		if ok {
			o.Rules = append(o.Rules, rule)
		}
	}
	return o
}

func (v *View) readLossOrders(r *orders.Reader, n *orders.Node) *lossOrders {
	o := &lossOrders{}
	f := r.Fields(n, "default", "rules")
	kinds := func(n *orders.Node) []lossKind {
		var list []lossKind
		for _, item := range r.List(n) {
			if word, ok := r.Word(item, lossWords[:]...); ok {
				if k := lossKind(slices.Index(lossWords[:], word)); !slices.Contains(list, k) {
					list = append(list, k)
				}
			}
		}
		return list
	}
	if m := f.Get("default"); m != nil && !r.Is(m, "ask") {
		o.Default = kinds(m)
	}
	for _, item := range v.rules(r, f.Get("rules")) {
		g := r.Fields(item, "unit", "square", "order", "to", "face")
		var rule lossRule
		ok := true
		unit, at := g.Get("unit"), g.Get("square")
		if unit != nil {
			rule.Unit, ok = v.nameUnit(r, unit, v.ofArmies())
		}
		if at != nil {
			var known bool
			rule.Square, known = v.nameSquare(r, at)
			ok = ok && known
		}
		if unit == nil && at == nil && item.Kind == orders.Map {
			r.Require(g, "unit")
		}
		rule.Order = kinds(r.Require(g, "order"))
		rule.To, rule.Face = readFacings(r, g.Get("to")), readFace(r, g.Get("face"))
		if ok && (rule.Unit != 0 || rule.Square != 0) {
			o.Rules = append(o.Rules, rule)
		}
	}
	return o
}

// nameSquare reads a square of the board: G-9.
func (s *scenario) nameSquare(r *orders.Reader, n *orders.Node) (square, bool) {
	text, ok := r.Text(n)
	if !ok {
		return 0, false
	}
	q, ok := s.squareNamed(text)
	if !ok {
		r.Refuse(n, "", phrase.Say("wat.no-square", phrase.Literal("name", text)))
	}
	return q, ok
}

// node is the standing orders in normal form; nil if there are none.
func (s *standing) node(sc *scenario) *orders.Node {
	n := orders.Mapping()
	if s.Bid.How != bidAsk {
		n.Set("initiative", orders.Inline().Set("bid", s.Bid.node(sc)))
	}
	if len(s.Army) > 0 {
		list := orders.Texts()
		for _, a := range s.Army {
			list.Add(orders.Text(a.String()))
		}
		n.Set("army", orders.Inline().Set("prefer", list))
	}
	if s.Artillery != nil {
		n.Set("artillery", s.Artillery.node(sc))
	}
	if s.Cavalry != nil {
		n.Set("cavalry-retreat", s.Cavalry.node(sc))
	}
	if s.Battle != nil {
		n.Set("battle", s.Battle.node(sc))
	}
	if s.Loss != nil {
		n.Set("loss", s.Loss.node(sc))
	}
	if o := s.Advance; o != nil {
		m := orders.Inline()
		if len(o.Prefer) > 0 {
			m.Set("prefer", sc.unitTexts(o.Prefer))
		}
		n.Set("advance", keptFace(m, o.Face))
	}
	if len(s.AttackerLoss) > 0 {
		n.Set("attacker-loss", sc.unitTexts(s.AttackerLoss))
	}
	if len(s.Commander) > 0 {
		n.Set("commander", orders.Inline().Set("to", sc.unitTexts(s.Commander)))
	}
	if len(n.Pairs) == 0 {
		return nil
	}
	return n
}

// keptFace writes a facing; none is written as keep.
func keptFace(n *orders.Node, f facing) *orders.Node {
	if f == noFacing {
		return n.Set("face", orders.Text("keep"))
	}
	return faceNode(n, f)
}

func (o *bidOrder) node(sc *scenario) *orders.Node {
	switch o.How {
	case bidLowest:
		return orders.Text("lowest")
	case bidHighest:
		return orders.Text("highest")
	case bidCard:
		return orders.Text(sc.card(o.Card).id)
	case bidAtLeast:
		n := orders.Inline().Set("min-mp", orders.Number(o.MinMP))
		if len(o.Keep) > 0 {
			list := orders.Texts()
			for _, a := range o.Keep {
				list.Add(orders.Text(keptWords[a]))
			}
			n.Set("keep", list)
		}
		return n
	}
	return orders.Text("none")
}

// some writes units, or any.
func (s *scenario) some(ids []unitID) *orders.Node {
	if len(ids) == 0 {
		return orders.Text("any")
	}
	return s.unitTexts(ids)
}

// lines is a list with an item a line, empty ones on one.
func lines(items []*orders.Node) *orders.Node {
	return &orders.Node{Kind: orders.List, Items: items, Flow: len(items) == 0}
}

// windows writes what is done in each window.
func (o *gunOrders) windows() *orders.Node {
	n := orders.Inline()
	for i := atRoundStart; i <= atRevealed; i++ {
		word := "ask"
		if o.Windows[i] == windowHold {
			word = "hold"
		}
		n.Set(windowWords[i], orders.Text(word))
	}
	return n
}

func (o *gunOrders) node(sc *scenario) *orders.Node {
	n := orders.Mapping().Set("windows", o.windows())
	if o.Keep > 0 {
		n.Set("keep", orders.Number(o.Keep))
	}
	var rules []*orders.Node
	for i := range o.Rules {
		rule := &o.Rules[i]
		m := orders.Inline().Set("at", sc.some(rule.At))
		if rule.State != anyState {
			m.Set("state", orders.Text(stateWords[rule.State]))
		}
		m.Set("by", sc.some(rule.By))
		if rule.When != 0 {
			m.Set("when", orders.Text(windowWords[rule.When]))
		}
		rules = append(rules, m)
	}
	if len(rules) > 0 {
		n.Set("rules", lines(rules))
	}
	return n
}

// facingTexts writes a list of directions.
func facingTexts(list []facing) *orders.Node {
	n := orders.Texts()
	for _, f := range list {
		n.Add(faceNode(orders.Mapping(), f).Get("face"))
	}
	return n
}

func (o *cavalryOrders) node(sc *scenario) *orders.Node {
	n := orders.Mapping().Set("default", orders.Text(retreatWords[o.Default]))
	var rules []*orders.Node
	for i := range o.Rules {
		rule := &o.Rules[i]
		m := orders.Inline().Set("unit", orders.Text(sc.def(rule.Unit).id)).Set("do", orders.Text(retreatWords[rule.Do]))
		if len(rule.To) > 0 {
			m.Set("to", facingTexts(rule.To))
		}
		rules = append(rules, faceNode(m, rule.Face))
	}
	if len(rules) > 0 {
		n.Set("rules", lines(rules))
	}
	return n
}

func (o *battleOrders) node(sc *scenario) *orders.Node {
	word := "ask"
	if o.None {
		word = "none"
	}
	n := orders.Mapping().Set("default", orders.Text(word))
	var rules []*orders.Node
	for i := range o.Rules {
		rule := &o.Rules[i]
		m := orders.Inline().Set("unit", orders.Text(sc.def(rule.Unit).id))
		if rule.Margin == 0 {
			m.Set("reach", orders.Text("tie"))
		} else {
			m.Set("reach", orders.Inline().Set("margin", orders.Number(rule.Margin)))
		}
		if rule.MaxCards > 0 {
			m.Set("max-cards", orders.Number(rule.MaxCards))
		}
		if rule.MaxBP > 0 {
			m.Set("max-bp", orders.Number(rule.MaxBP))
		}
		uses := orders.Texts()
		for _, u := range rule.Use {
			uses.Add(orders.Text(useWords[u]))
		}
		m.Set("use", uses)
		if rule.Weakest {
			m.Set("artillery", orders.Text("weakest"))
		}
		short := "none"
		if rule.All {
			short = "all"
		}
		rules = append(rules, m.Set("if-short", orders.Text(short)))
	}
	if len(rules) > 0 {
		n.Set("rules", lines(rules))
	}
	return n
}

// kindTexts writes ways to take a defeat.
func kindTexts(list []lossKind) *orders.Node {
	n := orders.Texts()
	for _, k := range list {
		n.Add(orders.Text(lossWords[k]))
	}
	return n
}

func (o *lossOrders) node(sc *scenario) *orders.Node {
	n := orders.Mapping()
	if len(o.Default) == 0 {
		n.Set("default", orders.Text("ask"))
	} else {
		n.Set("default", kindTexts(o.Default))
	}
	var rules []*orders.Node
	for i := range o.Rules {
		rule := &o.Rules[i]
		m := orders.Inline()
		if rule.Unit != 0 {
			m.Set("unit", orders.Text(sc.def(rule.Unit).id))
		}
		if rule.Square != 0 {
			m.Set("square", orders.Text(sc.squareID(rule.Square)))
		}
		m.Set("order", kindTexts(rule.Order))
		if len(rule.To) > 0 {
			m.Set("to", facingTexts(rule.To))
		}
		rules = append(rules, faceNode(m, rule.Face))
	}
	if len(rules) > 0 {
		n.Set("rules", lines(rules))
	}
	return n
}

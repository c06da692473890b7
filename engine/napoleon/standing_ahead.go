package napoleon

import (
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/sheet"
	"berthier/orders"
	"berthier/orders/phrase"
)

// deployment makes the answer to a deployment stop by an order for it; units that are not
// there are left out.
func (o *deployOrder) deployment(v *View, d engine.Decision) (play.Reply, bool) {
	b, c := v.battleOf(d), v.camp()
	there := map[string]bool{"rest": true}
	for _, id := range v.unitsIn(b.town, c) {
		there[v.roster[id].id] = true
	}
	body := orders.Mapping()
	for _, p := range play.Bare(o.body).Pairs {
		value := &orders.Node{Kind: p.Value.Kind, Flow: true}
		for _, item := range p.Value.Items {
			if there[item.Text] {
				value.Add(item)
			}
		}
		for i, held := range p.Value.Pairs { // a farm or hill that does not lie in the position is held by nobody
			place := slices.Index(placeWords[:], p.Value.Pairs[i].Key.Text)
			if place >= 0 && there[held.Value.Text] && b.terrain[b.ownFields(c)[place]].String() == p.Key.Text {
				value.Pairs = append(value.Pairs, held)
			}
		}
		body.Set(p.Key.Text, value)
	}
	r := orders.NewReader(vocabulary)
	a := stops[d.Kind].Read(v, d, r, body)
	return a, len(r.Problems) == 0 && a != nil
}

// movement makes the answer to a movement stop by an order for its turn.
func (o *movesOrder) movement(v *View, d engine.Decision) (play.Reply, bool) {
	r := orders.NewReader(vocabulary)
	r.Accepted = true
	a := stops[d.Kind].Read(v, d, r, play.Bare(o.body))
	return a, len(r.Problems) == 0 && a != nil
}

// answerUnasked answers the decisions for which standing orders say what to do and, in
// a game played plans first, those for which section 5 of the digest has a default where a
// plan leads.
func (p *campaign) answerUnasked() {
	if len(p.asks) == 0 || p.options.cadence == cadenceAll && p.standing == (bySeat{}) {
		return
	}
	for i := 0; i < len(p.asks); {
		d := p.asks[i]
		if gathers(d.Kind) && p.shared(p.campOf(d.Side)) {
			if !p.bothQuiet() {
				i++
				continue
			}
			for _, d := range p.asks {
				if a, ok := p.foreseen(d); ok {
					stops[d.Kind].Take(p, d, a)
				}
			}
			p.asks = nil
			p.together()
			continue
		}
		a, ok := p.foreseen(d)
		if !ok {
			i++
			continue
		}
		p.asks = append(slices.Clone(p.asks[:i]), p.asks[i+1:]...)
		stops[d.Kind].Take(p, d, a)
		p.together()
	}
}

// bothQuiet tells whether the plans of all who are asked lead on, so that none of
// them has to be asked: what two players decide together is asked of both, or of
// neither (NAP-R17).
func (p *campaign) bothQuiet() bool {
	for _, d := range p.asks {
		if !p.quiet(d, p.campOf(d.Side)) {
			return false
		}
	}
	return true
}

// foreseen makes the answer to a decision that nobody need be asked for.
func (p *campaign) foreseen(d engine.Decision) (play.Reply, bool) {
	c := p.campOf(d.Side)
	var v *View
	if s := p.says(d); s.any() {
		v = p.view(d.Side)
		if a, order, ok := declared.Ordered(v, d); ok {
			if w, hits := saidTo[*taking](a); !hits || len(w.units) > 0 { // a share of no hits is not worth a word
				p.useStanding(d, order)
			}
			return a, true
		}
		if order := s.speaksOf(v, d); order != "" {
			args := []argument{phrase.Name("stop", "stop", d.Kind), phrase.Literal("order", order)}
			if d.At != "" {
				args = append(args, phrase.Name("at", "town", d.At))
			}
			p.Tell("", to([]engine.Side{d.Side}, "nap.standing-misfit", args...))
			return nil, false
		}
	}
	if !p.quiet(d, c) {
		return nil, false
	}
	if v == nil {
		v = p.view(d.Side)
	}
	args := []argument{phrase.Name("stop", "stop", d.Kind)}
	if d.At != "" {
		args = append(args, phrase.Name("at", "town", d.At))
	}
	p.Tell("", to([]engine.Side{d.Side}, "nap.plan-default", args...))
	return stops[d.Kind].Fallback(v, d), true
}

// quietStops are the decisions of a battle that open no stop while a plan
// leads, in a game played plans first.
var quietStops = []string{"battle-order", "hits", "morale-order", "reinforce", "rout", "stalemate", "regroup"}

// quiet tells whether a decision opens no stop because the game is played plans
// first, and the side's plan for the battle has neither ended nor asked.
func (p *campaign) quiet(d engine.Decision, c camp) bool {
	if p.options.cadence != cadencePlans || p.Insists(d.Side, d.Kind) || !slices.Contains(quietStops, d.Kind) {
		return false
	}
	b := p.battleOf(d)
	if b == nil {
		return d.Kind == "battle-order" && !slices.ContainsFunc(p.battles, func(b battle) bool { return b.number == 0 && b.stage != finished })
	}
	if b.skirmish || b.acting == c && b.guide == guideHand {
		return false
	}
	used := b.planned[p.seatOf(d.Side)]
	if b.acting == c && b.guide == guidePlan {
		used-- // the turn that it leads is still its own
	}
	_, over := p.standing.of(p.seatOf(d.Side)).planFor(b, c, used)
	return !over
}

// instruct puts standing orders in force without a stop.
func (g *game) instruct(side engine.Side, given play.Standing) {
	p := &campaign{game: g}
	p.adopt(side, given)
}

// Instruct implements [engine.Instructed].
func (g *game) Instruct(side engine.Side, a engine.Answer) error {
	given, err := play.StandingOf(a, side, g.Sides())
	if err == nil {
		g.instruct(side, given)
	}
	return err
}

// inForce lists the side's standing orders, each on one line as a file writes it.
func (v *View) inForce() []string {
	if v.side == engine.GM {
		return nil
	}
	n := standingKeys.Normal(v.scenario, v.standing.of(v.seatOf(v.side)))
	if n == nil {
		return nil
	}
	var lines []string
	for _, item := range n.Items {
		lines = append(lines, strings.TrimPrefix(strings.TrimSuffix(play.OneLine(item), "}"), "{"))
	}
	return lines
}

// standingSection lists the standing orders in force in a report.
func (v *View) standingSection() (engine.Section, bool) {
	s, shown := sheet.Lines("nap.page.standing", "nap.page.standing-order", "order", v.inForce())
	s.Told = engine.Changes
	return s, shown
}

// remark mentions the standing orders in force in a template.
func (v *View) remark(_ engine.Decision, n *orders.Node) {
	lines := v.inForce()
	for i := range lines {
		lines[i] = "- " + lines[i]
	}
	play.RemarkStanding(n, lines)
}

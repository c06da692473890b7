package cases

import (
	"fmt"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// talk checks whether a side may write to others now: {from, to, clause, code}.
// Without a clause or code it may.
func (p *parser) talk(n *orders.Node) check {
	f := p.Fields(n, "from", "to", "clause", "code")
	from, _ := p.Text(p.Require(f, "from"))
	var to []engine.Side
	for _, side := range p.says(p.Require(f, "to")) {
		to = append(to, engine.Side(side))
	}
	clause := p.clause(f.Get("clause"))
	code, _ := p.Text(f.Get("code"))
	return check{sides: append([]engine.Side{engine.Side(from)}, to...), test: func(r *run) []string {
		have, ok := "", true
		var why phrase.Phrase
		if talker, is := r.position.(engine.Talker); is {
			c, say, may := talker.Talk(engine.Side(from), to)
			have, why, ok = c, say, may
		}
		switch {
		case ok && clause == "" && code == "":
			return nil
		case ok:
			return []string{fmt.Sprintf("%s may write to %v", from, to)}
		case clause == "" && code == "":
			return []string{fmt.Sprintf("%s may not write to %v: %s [%s]", from, to, Plain(why), have)}
		}
		var faults []string
		if clause != "" && clause != have {
			faults = append(faults, fmt.Sprintf("want the clause %s, have %s", clause, have))
		}
		if code != "" && !(wanted{code: code}).meets("", why) {
			faults = append(faults, fmt.Sprintf("want the reason %s, have %s", code, Plain(why)))
		}
		return faults
	}}
}

package napoleon

import "berthier/engine"

// says gives the standing orders of the side of a decision, as far as they may answer it:
// none where it is to be asked whatever they say.
func (p *campaign) says(d engine.Decision) *standing {
	if p.Insists(d.Side, d.Kind) {
		return &noOrders
	}
	return p.standing.of(p.seatOf(d.Side))
}

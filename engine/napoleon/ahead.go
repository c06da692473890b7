package napoleon

import "berthier/engine"

// says gives the standing orders of the side of a decision, as far as they may answer it:
// none where it is to be asked whatever they say.
func (p *campaign) says(d engine.Decision) *standing {
	if p.Insists(d.Side, d.Kind) {
		return &standing{}
	}
	return &p.standing[p.seatOf(d.Side)]
}

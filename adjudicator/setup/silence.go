package setup

import (
	"berthier/orders"
	"berthier/orders/phrase"
)

// Bounds of the steps against silence.
const (
	mostMissed   = 100
	mostReserves = 20
)

// readSilence reads the steps against silence, and the reserves.
func (rd *Reader) readSilence(r *orders.Reader, f orders.Fields, s *Setup) {
	if n := f.Get("silence"); n != nil && !r.Is(n, "none") {
		g := r.Fields(n, "bot", "replace", "share")
		rung := func(key string) int {
			n := g.Get(key)
			if n == nil || r.Is(n, "none") {
				return 0
			}
			count, _ := r.Int(n, 1, mostMissed)
			return count
		}
		s.Silence.Bot, s.Silence.Replace = rung("bot"), rung("replace")
		if n := g.Get("share"); n != nil {
			if r.Is(n, "none") {
				s.Silence.Share = 100
			} else {
				s.Silence.Share, _ = r.Int(n, 1, 100)
			}
		}
	}
	if s.Silence.Bot+s.Silence.Replace > 0 && s.Timing.Waits() {
		at := f.Get("silence")
		if at == nil {
			at = f.Get("deadline")
		}
		r.Refuse(at, "", phrase.Say("office.setup.late-wait"))
	}
	if n := f.Get("reserves"); n != nil && !r.Is(n, "none") {
		for _, item := range r.List(n) {
			if p, ok := rd.readPerson(r, item); ok {
				s.Reserves = append(s.Reserves, p)
			}
		}
		switch {
		case len(s.Reserves) > mostReserves:
			r.Refuse(n, "", phrase.Say("office.setup.reserves", phrase.Number("most", mostReserves)))
		case len(s.Reserves) > 0 && s.Silence.Replace == 0:
			r.Refuse(n, "", phrase.Say("office.setup.reserves-when"))
		}
	}
}

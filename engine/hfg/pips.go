package hfg

// Easy command distances: HFG-7.5, in paces.
const (
	hqReach = 2400
	cpReach = 800
)

package adjudicator

import "berthier/engine"

// digest is that of what decides in games of a system.
func (o *Office) digest(system string) string {
	if known, ok := o.digests.Load(system); ok {
		return known.(string)
	}
	sum := engine.Digest(o.systems[system])
	o.digests.Store(system, sum)
	return sum
}

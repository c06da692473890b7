package leader

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
)

// What can't be read stops nobody. A sign of life is that of a living member of another version, as long as it changes; so is a
// lease. A plan stays as it is while others live, since nobody knows what they have: each goes on with what it has.

// unreadable is the version of a member whose sign of life can't be read.
const unreadable = "of no known version"

// signIn reads a sign of life.
func signIn(data []byte) (is sign) {
	if json.Unmarshal(data, &is) != nil {
		is = sign{Run: digest(data), Version: unreadable}
	}
	return is
}

// leaseIn reads a lease.
func leaseIn(data []byte) (is lease) {
	if data != nil && json.Unmarshal(data, &is) != nil {
		is = lease{Member: "somebody", Run: digest(data), Version: unreadable}
	}
	return is
}

// digest stands for the run of who has written what can't be read: it changes as often as he writes.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "digest " + hex.EncodeToString(sum[:])
}

// planAnew gives a plan in the place of one that can't be read, and whom to depose before it is written: everybody else. As long
// as somebody else lives there is none. The caller holds the lock.
func planAnew(s *Seat, torn plan) (next plan, dead map[string]string) {
	number := max(s.plan.Number, s.done)
	dead = map[string]string{}
	for name, h := range s.heard {
		if s.looked.Sub(h.since) < DeadAfter {
			return torn, dead
		}
		number = max(number, h.Plan)
		dead[name] = h.Run
	}
	next, more := s.assign(plan{Number: number})
	maps.Copy(dead, more)
	return next, dead
}

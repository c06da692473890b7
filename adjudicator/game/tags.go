package game

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Tags are by what the interlocks find a game, and who watches over the office, without a look at all games: short texts
// that the store keeps with the record, and finds in their order. A game whose clock does not run has none but
// that of its fault. Whoever changes what they say has to let the stores' next schema forget those of before.
//
// Each begins with its kind. Moments come next, so that what happened, or will, within a span lies together.
const (
	TagMaster  = "gm "      // and the address of its game master
	TagCreated = "created " // and when it was made
	TagFault   = "fault"    // its rules could not go on
	TagSilent  = "silent "  // a seat owes an answer and has sent none: its deadline, and the seat
	TagHeard   = "heard "   // a seat's player wrote: when, or [TagAnswered]; the deadline for which no answer is in; and the seat
	TagRisk    = "risk "    // a seat may be resolved by default: the end of its grace, less the grace of its stop's rule; and the seat
	TagLate    = "late "    // the same, of a stop whose rule has no grace: the end of its grace; and the seat
)

// TagAnswered is in the place of the moment of a seat whose answer is in.
var TagAnswered = strings.Repeat("f", moments)

// moments is how many digits a moment has in a tag.
const moments = 16

// TagMoment writes a moment in a tag, so that the order of tags is that of moments. What is before 1970 is as early as
// can be, as is the zero time.
func TagMoment(t time.Time) string {
	const most = math.MaxInt64 / int64(time.Second)
	ns := int64(0)
	switch sec := t.Unix(); {
	case sec >= most:
		ns = math.MaxInt64
	case sec >= 0:
		ns = t.UnixNano()
	}
	return fmt.Sprintf("%0*x", moments, ns)
}

// TagAfter is the first of the moments after one, in a tag.
func TagAfter(t time.Time) string { return TagMoment(t) + "+" }

// TagUpTo bounds what tags of a kind say of moments up to one, from above: no tag of a later moment comes before it.
func TagUpTo(kind string, t time.Time) string { return kind + TagMoment(t) + "~" }

// TagTime reads the moment that follows the kind in a tag.
func TagTime(tag, kind string) time.Time {
	var ns int64
	if _, err := fmt.Sscanf(strings.TrimPrefix(tag, kind), "%16x", &ns); err != nil {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}

// TagHeardOf tells whether a tag of [TagHeard] says of a seat that it is heard of, and not silent, at a moment: no deadline has passed for
// which it owes an answer.
func TagHeardOf(tag string, upto time.Time) bool {
	_, deadline, _ := strings.Cut(strings.TrimPrefix(tag, TagHeard), " ")
	return len(deadline) >= moments && (deadline[:moments] == TagMoment(time.Time{}) || deadline[:moments] > TagMoment(upto))
}

// Tags gives the tags of a game.
func Tags(g *State) []string {
	tags := []string{} // not nil: the store is told that there are no more
	if g.Phase == Running && g.Fault != "" {
		tags = append(tags, TagFault)
	}
	if g.Phase != Running || !g.Paused.IsZero() {
		return tags
	}
	tags = append(tags, TagMaster+g.GM.Address, TagCreated+TagMoment(g.Created))
	for _, s := range g.Seats {
		if s.Played() && !s.Stands() {
			tags = append(tags, tagsOf(g, s)...)
		}
	}
	return tags
}

// tagsOf gives the tags of a seat that a person plays and whose clock runs.
func tagsOf(g *State, s *Seat) (tags []string) {
	o, of := s.Owes, " "+string(s.Side)
	if o != nil && o.Answer != nil {
		return []string{TagHeard + TagAnswered + " " + TagMoment(time.Time{}) + of}
	}
	asked := o != nil && !o.Deadline.IsZero()
	if !s.Heard.IsZero() {
		deadline := time.Time{}
		if asked {
			deadline = o.Deadline
		}
		tags = append(tags, TagHeard+TagMoment(s.Heard)+" "+TagMoment(deadline)+of)
	}
	if !asked {
		return tags
	}
	tags = append(tags, TagSilent+TagMoment(o.Deadline)+of)
	switch grace := g.Timing.Of(o.Decision.Kind).Grace; {
	case o.Waits:
		return tags
	case o.Passed:
		return append(tags, TagRisk+TagMoment(time.Time{})+of)
	case grace <= 0:
		return append(tags, TagLate+TagMoment(o.Late)+of)
	default:
		return append(tags, TagRisk+TagMoment(o.Late.Add(-grace))+of)
	}
}

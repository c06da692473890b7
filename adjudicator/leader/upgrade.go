package leader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// GoneAfter is how long a member with an older program may be silent before it holds up an upgrade no more: whoever watches
// over it has started it again by then, if that can be done.
const GoneAfter = 5 * time.Minute

// An OlderError says that members of the office work with an older program, which could not be started again
// if the database were brought up to date.
type OlderError struct {
	Members []string // their names, each with its version: "beta (berthier v1.2.0)"
}

func (e *OlderError) Error() string {
	return "members of this office work with an older program: " + strings.Join(e.Members, ", ")
}

// A Farewell watches, for a member whose program needs a newer form of the database, whether members with an older program
// are still there. It goes by signs of life and by its own ticks alone, as a [Seat] does. The zero value
// is that of a process which looks only once: any sign of another member is one of a living one.
type Farewell struct {
	Member string // whose process this is: a process of before with that name has ended

	asked time.Time // when it last could look
	seen  map[string]lastSeen
}

// lastSeen is a sign of life, and when it was first seen so.
type lastSeen struct {
	run   string
	beat  uint64
	since time.Time
}

// Ask looks at all signs of life, as values gives them. As long as there is one of a member that has not been silent for
// [GoneAfter] it fails with an [OlderError]. While the database could not be reached nobody could give a sign, so
// that time counts as nobody's silence.
func (f *Farewell) Ask(values func(prefix string, f func(name string, data []byte) error) error) error {
	now := time.Now()
	if f.seen == nil || now.Sub(f.asked) > GiveUpAfter {
		f.seen = map[string]lastSeen{}
	}
	f.asked = now
	var there []string
	err := values(signPrefix, func(name string, data []byte) error {
		name = strings.TrimPrefix(name, signPrefix)
		is := signIn(data)
		if name == f.Member {
			return nil
		}
		was, known := f.seen[name]
		if !known || was.run != is.Run || was.beat != is.Beat {
			was = lastSeen{is.Run, is.Beat, now}
			f.seen[name] = was
		}
		if now.Sub(was.since) < GoneAfter {
			there = append(there, named(name, is))
		}
		return nil
	})
	if err == nil && len(there) > 0 {
		err = &OlderError{sorted(there)}
	}
	return err
}

// named names a member with its version.
func named(name string, is sign) string {
	return fmt.Sprintf("%s (%s)", name, cmp.Or(is.Version, unreadable))
}

func sorted(names []string) []string {
	slices.Sort(names)
	return names
}

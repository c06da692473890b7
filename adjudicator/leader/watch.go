package leader

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"time"

	"berthier/adjudicator/store"
)

// WatchFor is how long a process that is no member watches whether others say that they live: two beats, and what a write may take.
const WatchFor = 2*Beat + Beat/2

// Beating watches the signs of life of some members, and gives the names of those who have changed theirs meanwhile, each with its version. If
// there is no such sign it does not watch. Soon says that one that is older than two beats, by the clock of who wrote it, need not be
// watched: a process of before has ended, as a service starts it again only after some seconds.
func Beating(ctx context.Context, st store.Store, of func(member string) bool, soon bool) (beat []string, err error) {
	first, err := signsOf(ctx, st, of)
	if err != nil {
		return nil, err
	}
	for name, data := range first {
		var is sign
		if json.Unmarshal(data, &is) == nil && soon && time.Since(is.Clock) > 2*Beat {
			delete(first, name)
		}
	}
	if len(first) == 0 {
		return nil, nil
	}
	select {
	case <-time.After(WatchFor):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	now, err := signsOf(ctx, st, of)
	for name, data := range now {
		if was, there := first[name]; there && !bytes.Equal(was, data) {
			beat = append(beat, named(name, signIn(data)))
		}
	}
	return sorted(beat), err
}

// signsOf are the signs of life of some members.
func signsOf(ctx context.Context, st store.Store, of func(member string) bool) (all map[string][]byte, err error) {
	all = map[string][]byte{}
	err = st.Read(ctx, func(r store.Reader) error {
		return r.Values(signPrefix, func(name string, data []byte) error {
			if name = strings.TrimPrefix(name, signPrefix); of(name) {
				all[name] = bytes.Clone(data)
			}
			return nil
		})
	})
	return all, err
}

// Package grounds packs the grounds of pictures: the parts of a game's map that never change,
// and that are kept once for all letters and pages that show them.
package grounds

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"berthier/adjudicator/cache"
	"berthier/adjudicator/store"
	"berthier/engine"
)

// packed are the grounds packed last. Scenes of one map share their
// ground, which never changes, and to pack it takes longer than everything else in a
// report.
var packed = cache.New[groundID, store.Blob](16)

// A groundID tells the grounds in memory apart. As long as it is held, its memory is not
// used for another ground.
type groundID struct {
	first *engine.Mark
	n     int
}

// Pack gives a ground as the store keeps it.
func Pack(ground []engine.Mark) (store.Blob, error) {
	id := groundID{n: len(ground)}
	if id.n > 0 {
		id.first = &ground[0]
		if p, ok := packed.Get(id); ok {
			return p, nil
		}
	}
	data, err := json.Marshal(ground)
	if err != nil {
		return store.Blob{}, fmt.Errorf("pack ground: %w", err)
	}
	p := store.Blob{Digest: sha256.Sum256(data), Data: data}
	if id.n > 0 {
		packed.Put(id, p)
	}
	return p, nil
}

package templates

import (
	"container/list"
	"crypto/sha256"
	"sync"
)

// mostGroundBytes is how much memory kept grounds may take: ten maps of 900 by
// 700.
const mostGroundBytes = 25 << 20

// grounds keeps the pixels of grounds that were drawn; the least used give way.
type grounds struct {
	mu    sync.Mutex
	most  int
	bytes int
	used  *list.List // of *ground, the last used in front
	byKey map[[sha256.Size]byte]*list.Element
}

type ground struct {
	key [sha256.Size]byte
	pix []byte
}

func newGrounds(most int) *grounds {
	return &grounds{most: most, used: list.New(), byKey: map[[sha256.Size]byte]*list.Element{}}
}

// get gives the pixels of a ground, which must not be changed, or nil.
func (g *grounds) get(key [sha256.Size]byte) []byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	e := g.byKey[key]
	if e == nil {
		return nil
	}
	g.used.MoveToFront(e)
	return e.Value.(*ground).pix
}

// put keeps the pixels of a ground, if there is room for them at all.
func (g *grounds) put(key [sha256.Size]byte, pix []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(pix) > g.most || g.byKey[key] != nil {
		return
	}
	for g.bytes+len(pix) > g.most {
		oldest := g.used.Remove(g.used.Back()).(*ground)
		g.bytes -= len(oldest.pix)
		delete(g.byKey, oldest.key)
	}
	g.byKey[key] = g.used.PushFront(&ground{key, pix})
	g.bytes += len(pix)
}

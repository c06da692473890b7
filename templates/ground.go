package templates

import (
	"container/list"
	"crypto/sha256"
	"sync"
)

// mostGroundBytes is how much memory kept grounds may take: ten maps of 900 by
// 700.
const mostGroundBytes = 34 << 20

// grounds keeps grounds that were drawn; the least used give way.
type grounds struct {
	mu    sync.Mutex
	most  int
	bytes int
	used  *list.List // of *ground, the last used in front
	byKey map[[sha256.Size]byte]*list.Element
}

type ground struct {
	key [sha256.Size]byte
	*backdrop
}

func newGrounds(most int) *grounds {
	return &grounds{most: most, used: list.New(), byKey: map[[sha256.Size]byte]*list.Element{}}
}

// get gives a ground, which must not be changed, or nil.
func (g *grounds) get(key [sha256.Size]byte) *backdrop {
	g.mu.Lock()
	defer g.mu.Unlock()
	e := g.byKey[key]
	if e == nil {
		return nil
	}
	g.used.MoveToFront(e)
	return e.Value.(*ground).backdrop
}

// put keeps a ground, if there is room for it at all.
func (g *grounds) put(key [sha256.Size]byte, p *backdrop) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.bytes > g.most || g.byKey[key] != nil {
		return
	}
	for g.bytes+p.bytes > g.most {
		oldest := g.used.Remove(g.used.Back()).(*ground)
		g.bytes -= oldest.backdrop.bytes
		delete(g.byKey, oldest.key)
	}
	g.byKey[key] = g.used.PushFront(&ground{key, p})
	g.bytes += p.bytes
}

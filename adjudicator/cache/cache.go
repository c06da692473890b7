// Package cache keeps in memory what takes long to make.
package cache

import "sync"

// A Cache keeps a bounded number of things, dropping the one not used longest. It may be
// used by many goroutines.
type Cache[K comparable, V any] struct {
	mu    sync.Mutex
	most  int
	tick  uint64
	items map[K]*item[V]
}

type item[V any] struct {
	value V
	used  uint64
}

// New makes a cache for so many things.
func New[K comparable, V any](most int) *Cache[K, V] {
	return &Cache[K, V]{most: most, items: map[K]*item[V]{}}
}

// Get gives what is kept under a key, and whether something is.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	item, ok := c.items[key]
	if !ok {
		var none V
		return none, false
	}
	c.tick++
	item.used = c.tick
	return item.value, true
}

// Put keeps something under a key.
func (c *Cache[K, V]) Put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tick++
	c.items[key] = &item[V]{value, c.tick}
	if len(c.items) <= c.most {
		return
	}
	var oldest K
	least := c.tick + 1
	for k, item := range c.items {
		if item.used < least {
			oldest, least = k, item.used
		}
	}
	delete(c.items, oldest)
}

// Drop forgets what is kept under a key.
func (c *Cache[K, V]) Drop(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.items, key)
}

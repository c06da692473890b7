package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"berthier/adjudicator/store"
)

// bbolt maps the file into memory and trusts what stands there: a page that is missing,
// or that points to a place where nothing is, ends the process, and can't be turned into
// an error. So every page that can be reached is first read here, from copies of its bytes,
// and nothing is mapped before all of them are sound. No page is followed twice, so
// that the time depends on the length of the file alone, whatever is in it. Of a value that goes on over further pages
// no more is read than where it lies: bbolt finds nothing in it that it could fall over, and most of a file
// in which games were played are such values.

// The layout of a bbolt file, version 2. Numbers have the byte order of the machine, as
// bbolt writes them.
const (
	pageHead    = 16 // id (8), kind (2), count (2), further pages (4)
	elementHead = 16
	bucketHead  = 16 // root page (8), sequence (8)
	metaSize    = 64 // after the head of its page
	metaSummed  = metaSize - 8
	metaMagic   = 0xED0CDAED
	metaVersion = 2
	noFreelist  = ^uint64(0)

	kindBranch   = 0x01
	kindLeaf     = 0x02
	kindFreelist = 0x10

	leastPage  = 1 << 10
	mostPage   = 16 << 20
	mostFaults = 10 // as many are told
	mostDepth  = 64 // of a tree: a deeper one would hold more keys than there are bytes
)

var native = binary.NativeEndian

// A head is what a meta page says about the file.
type head struct {
	pageSize uint32
	root     uint64 // page
	freelist uint64 // page, or noFreelist
	pages    uint64 // in use, from 0 on
	tx       uint64
}

// readHead reads a meta page that begins with these bytes.
func readHead(page []byte) (head, bool) {
	m := page[pageHead:]
	h := head{pageSize: native.Uint32(m[8:]), root: native.Uint64(m[16:]), freelist: native.Uint64(m[32:]), pages: native.Uint64(m[40:]), tx: native.Uint64(m[48:])}
	sum := fnv.New64a()
	sum.Write(m[:metaSummed])
	sound := native.Uint32(m) == metaMagic && native.Uint32(m[4:]) == metaVersion && native.Uint64(m[metaSummed:]) == sum.Sum64()
	return h, sound && bits.OnesCount32(h.pageSize) == 1 && h.pageSize >= leastPage && h.pageSize <= mostPage
}

// marked tells whether bytes are the beginning of what was a meta page once, sound or not.
func marked(page []byte) bool { return native.Uint32(page[pageHead:]) == metaMagic }

// A pageWalk reads the pages of one file.
type pageWalk struct {
	file  io.ReaderAt
	size  int64 // of the file
	head  head
	whole bool // values are read through, too
	heads int  // meta pages that are sound
	used  []uint64
	free  sync.Pool // of *[]byte, memory for a page

	hands   chan struct{} // for who reads beside the others; nil: page after page
	reading sync.WaitGroup
	mu      sync.Mutex // of what follows
	faults  []error
}

// readers is how many pages are read at once: a disk gives out many together in the time of a few one after the other.
const readers = 64

// walkPages reads every page of a file that can be reached, and names what is
// wrong with them: an error that is [ErrForeign] or [store.ErrDamaged]. Heads tells how
// many of the two meta pages are sound; one is enough to go on, as after a death
// in the middle of a write.
func walkPages(file io.ReaderAt, size int64) (heads int, err error) {
	w := &pageWalk{file: file, size: size}
	if err := w.findHead(); err != nil {
		return w.heads, err
	}
	return w.heads, w.walk()
}

// walk reads all that the head leads to.
func (w *pageWalk) walk() error {
	if most := uint64(w.size / int64(w.head.pageSize)); w.head.pages > most || w.head.pages < 3 {
		return fmt.Errorf("%w: it is cut short: %d pages are in use, %d are there", store.ErrDamaged, w.head.pages, most)
	}
	w.hands = make(chan struct{}, readers)
	faults := w.pages()
	if len(faults) == 0 {
		return nil
	}
	w.hands = nil
	if again := w.pages(); len(again) > 0 { // in their order, so that the same ones are told each time
		faults = again
	}
	return fmt.Errorf("%w: %w", store.ErrDamaged, errors.Join(faults...))
}

// pages reads all pages, and gives what is wrong with them.
func (w *pageWalk) pages() []error {
	w.used, w.faults = make([]uint64, w.head.pages/64+1), nil
	w.take(0, 2)
	w.tree(w.head.root, nil, nil, 0, 0)
	w.reading.Wait()
	if w.head.freelist != noFreelist {
		w.freelist()
	}
	return w.faults
}

// findHead looks for the meta page that counts: if both are sound, the later
// one. The second one lies where the first one says or, if the first is damaged, at
// one of the lengths that a page may have.
func (w *pageWalk) findHead() error {
	if w.size == 0 {
		return fmt.Errorf("%w (it is empty)", ErrForeign)
	}
	const bytes = pageHead + metaSize
	var page [bytes]byte
	known := false
	if _, err := w.file.ReadAt(page[:], 0); err == nil {
		known = marked(page[:])
		if h, ok := readHead(page[:]); ok {
			w.head, w.heads = h, 1
		}
	} else if !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: page 0 can't be read: %w", store.ErrDamaged, err)
	}
	for at := int64(leastPage); at <= mostPage && at+bytes <= w.size; at *= 2 {
		if w.heads == 1 && at != int64(w.head.pageSize) {
			continue
		}
		if _, err := w.file.ReadAt(page[:], at); err != nil {
			continue // said below, if there is no other
		}
		known = known || marked(page[:])
		if h, ok := readHead(page[:]); ok && int64(h.pageSize) == at {
			if w.heads++; w.heads == 1 || h.tx > w.head.tx {
				w.head = h
			}
			break
		}
	}
	switch {
	case w.heads > 0:
		return nil
	case known:
		return fmt.Errorf("%w: both of its heads are", store.ErrDamaged)
	}
	return ErrForeign
}

func (w *pageWalk) fault(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.faults) < mostFaults {
		w.faults = append(w.faults, fmt.Errorf(format, args...))
	}
}

// enough tells that no more faults would be told.
func (w *pageWalk) enough() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.faults) >= mostFaults
}

// take notes pages as read; false if one of them was before, or is beyond the end.
func (w *pageWalk) take(id, n uint64) bool {
	if id >= w.head.pages || n > w.head.pages-id {
		return false
	}
	for i := id; i < id+n; i++ {
		if bit := uint64(1) << (i % 64); atomic.OrUint64(&w.used[i/64], bit)&bit != 0 {
			return false
		}
	}
	return true
}

// A page is a page with the further ones that belong to it, or a bucket that lies in its page's value.
type page struct {
	file   io.ReaderAt
	id     uint64
	at     int64  // in the file
	start  []byte // what of it is in memory: all, or its first part
	memory *[]byte
	size   int64
	bucket string // for one that lies in a value: what is told of its place
}

// place tells where a page is.
func (p page) place() string {
	if p.bucket != "" {
		return p.bucket
	}
	return fmt.Sprintf("page %d", p.id)
}

// kind is what a page holds, as its head says.
func (p page) kind() uint16 { return native.Uint16(p.start[8:]) }

// count is how many elements a page has, as its head says.
func (p page) count() int { return int(native.Uint16(p.start[10:])) }

// piece gives bytes that lie in the page; an error if they can't be read.
func (p page) piece(from, length int64) ([]byte, error) {
	if end := from + length; end <= int64(len(p.start)) {
		return p.start[from:end:end], nil
	}
	data := make([]byte, length)
	_, err := p.file.ReadAt(data, p.at+from)
	return data, err
}

// read reads a page of one of some kinds, and takes those that belong to it. It gives false if
// the page is not sound, which it has then noted.
func (w *pageWalk) read(id uint64, kinds ...uint16) (p page, sound bool) {
	if id < 2 || id >= w.head.pages {
		w.fault("a page refers to page %d, which is none", id)
		return p, false
	}
	size := int64(w.head.pageSize)
	memory, ok := w.free.Get().(*[]byte)
	if !ok {
		memory = new(make([]byte, size))
	}
	p = page{file: w.file, id: id, at: int64(id) * size, start: *memory, memory: memory}
	if _, err := w.file.ReadAt(p.start, p.at); err != nil {
		w.fault("page %d can't be read: %w", id, err)
		return p, false
	}
	if said := native.Uint64(p.start); said != id {
		w.fault("page %d says that it is page %d", id, said)
		return p, false
	}
	further := uint64(native.Uint32(p.start[12:]))
	if !slices.Contains(kinds, p.kind()) {
		w.fault("page %d is of the wrong kind (%#x)", id, p.kind())
		return p, false
	}
	if !w.take(id, 1+further) {
		w.fault("page %d is used twice, or goes on beyond the end", id)
		return p, false
	}
	p.size = int64(1+further) * size
	return p, true
}

// tree reads a page and all pages below it. Its keys must not be below low and, unless high
// is nil, must be below high.
func (w *pageWalk) tree(id uint64, low, high []byte, depth, buckets int) {
	if depth > mostDepth {
		w.fault("page %d lies too deep", id)
		return
	}
	if w.enough() {
		return
	}
	p, sound := w.read(id, kindBranch, kindLeaf)
	if !sound {
		return
	}
	if p.kind() == kindLeaf {
		w.leaf(p, low, high, buckets)
		w.free.Put(p.memory)
		return
	}
	elements, sound := w.elements(p)
	if !sound {
		return
	}
	count := p.count()
	if count == 0 {
		w.fault("%s is empty", p.place())
		return
	}
	keys, children := make([][]byte, count), make([]uint64, count)
	for i := range count {
		e := elements[i*elementHead:][:elementHead]
		if keys[i] = w.key(p, i, native.Uint32(e), native.Uint32(e[4:]), 0); keys[i] == nil {
			return
		}
		children[i] = native.Uint64(e[8:])
	}
	if !w.order(p, keys, low, high) {
		return
	}
	for i, child := range children {
		below := high
		if i+1 < count {
			below = keys[i+1]
		}
		select {
		case w.hands <- struct{}{}:
			w.reading.Go(func() {
				w.tree(child, keys[i], below, depth+1, buckets)
				<-w.hands
			})
		default:
			w.tree(child, keys[i], below, depth+1, buckets)
		}
	}
}

// elements are the heads of what lies in a page, one after the other; false if they can't be read, which is then noted.
func (w *pageWalk) elements(p page) (heads []byte, sound bool) {
	length := int64(p.count()) * elementHead
	if pageHead+length > p.size {
		w.fault("%s is cut short", p.place())
		return nil, false
	}
	heads, err := p.piece(pageHead, length)
	if err != nil {
		w.fault("%s can't be read: %w", p.place(), err)
		return nil, false
	}
	return heads, true
}

// key gives the key of an element, whose value follows it. It gives nil if both do
// not lie in their page, which it has then noted.
func (w *pageWalk) key(p page, i int, at, key, value uint32) []byte {
	begin := pageHead + int64(i)*elementHead + int64(at)
	if end := begin + int64(key) + int64(value); begin < pageHead+int64(p.count())*elementHead || end > p.size {
		w.fault("%s: element %d lies outside", p.place(), i+1)
		return nil
	}
	data, err := p.piece(begin, int64(key))
	if err != nil {
		w.fault("%s can't be read: %w", p.place(), err)
		return nil
	}
	return data
}

// order tells whether keys stand in their order and within their bounds.
func (w *pageWalk) order(p page, keys [][]byte, low, high []byte) bool {
	for i, key := range keys {
		switch {
		case i == 0 && low != nil && bytes.Compare(key, low) < 0,
			i > 0 && bytes.Compare(keys[i-1], key) >= 0,
			high != nil && bytes.Compare(key, high) >= 0:
			w.fault("%s: element %d stands in the wrong place", p.place(), i+1)
			return false
		}
	}
	return true
}

// leaf reads a page of keys and values, and the buckets among them.
func (w *pageWalk) leaf(p page, low, high []byte, buckets int) {
	elements, sound := w.elements(p)
	if !sound {
		return
	}
	keys := make([][]byte, p.count())
	var inside map[int][]byte // values that are buckets
	for i := range keys {
		e := elements[i*elementHead:][:elementHead]
		kind, at, length, value := native.Uint32(e), native.Uint32(e[4:]), native.Uint32(e[8:]), native.Uint32(e[12:])
		if keys[i] = w.key(p, i, at, length, value); keys[i] == nil {
			return
		}
		switch kind {
		case 0:
			if w.whole {
				if _, err := p.piece(pageHead+int64(i)*elementHead+int64(at)+int64(length), int64(value)); err != nil {
					w.fault("%s can't be read: %w", p.place(), err)
					return
				}
			}
		case 1:
			data, err := p.piece(pageHead+int64(i)*elementHead+int64(at)+int64(length), int64(value))
			if err != nil {
				w.fault("%s can't be read: %w", p.place(), err)
				return
			}
			if inside == nil {
				inside = map[int][]byte{}
			}
			inside[i] = data
		default:
			w.fault("%s: element %d is of the wrong kind (%#x)", p.place(), i+1, kind)
			return
		}
	}
	if !w.order(p, keys, low, high) {
		return
	}
	for i := range keys {
		if value, there := inside[i]; there {
			w.bucket(fmt.Sprintf("%s, bucket %q", p.place(), keys[i]), value, buckets+1)
		}
	}
}

// bucket reads a bucket: from its root page on or, if it is small, from its value.
func (w *pageWalk) bucket(place string, value []byte, buckets int) {
	switch {
	case len(value) < bucketHead || buckets > mostDepth:
		w.fault("%s is none", place)
	case native.Uint64(value) != 0:
		w.tree(native.Uint64(value), nil, nil, 0, buckets)
	case len(value) < bucketHead+pageHead || native.Uint16(value[bucketHead+8:]) != kindLeaf:
		w.fault("%s is none", place)
	default:
		w.leaf(page{start: value[bucketHead:], size: int64(len(value) - bucketHead), bucket: place}, nil, nil, buckets)
	}
}

// freelist reads the list of free pages, where a file has one.
func (w *pageWalk) freelist() {
	p, sound := w.read(w.head.freelist, kindFreelist)
	if !sound {
		return
	}
	ids, err := p.piece(pageHead, p.size-pageHead)
	if err != nil {
		w.fault("%s can't be read: %w", p.place(), err)
		return
	}
	count := uint64(p.count())
	if count == 0xffff {
		count, ids = native.Uint64(ids), ids[8:]
	}
	if count > uint64(len(ids)/8) {
		w.fault("the list of free pages is cut short")
		return
	}
	for i := range count {
		if id := native.Uint64(ids[8*i:]); !w.take(id, 1) {
			w.fault("page %d is in use, and in the list of free pages", id)
		}
	}
}

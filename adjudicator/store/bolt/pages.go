package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/bits"

	"berthier/adjudicator/store"
)

// bbolt maps the file into memory and trusts what stands there: a page that is missing,
// or that points to a place where nothing is, ends the process, and can't be turned into
// an error. So every page that can be reached is first read here, from copies of its bytes,
// and nothing is mapped before all of them are sound. Each page is read once at most, so
// that the time depends on the length of the file alone, whatever is in it.

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
	file   io.ReaderAt
	size   int64 // of the file
	head   head
	heads  int // meta pages that are sound
	used   []uint64
	faults []error
}

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
	w.used = make([]uint64, w.head.pages/64+1)
	w.take(0, 2)
	w.tree(w.head.root, nil, nil, 0, 0)
	if w.head.freelist != noFreelist {
		w.freelist()
	}
	if len(w.faults) > 0 {
		return fmt.Errorf("%w: %w", store.ErrDamaged, errors.Join(w.faults...))
	}
	return nil
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
	if len(w.faults) < mostFaults {
		w.faults = append(w.faults, fmt.Errorf(format, args...))
	}
}

// take notes pages as read; false if one of them was before, or is beyond the end.
func (w *pageWalk) take(id, n uint64) bool {
	if id >= w.head.pages || n > w.head.pages-id {
		return false
	}
	for i := id; i < id+n; i++ {
		if w.used[i/64]&(1<<(i%64)) != 0 {
			return false
		}
		w.used[i/64] |= 1 << (i % 64)
	}
	return true
}

// read reads a page of one of some kinds, with the pages that belong to it. It gives nil if
// the page is not sound, which it has then noted.
func (w *pageWalk) read(id uint64, kinds ...uint16) []byte {
	if id < 2 || id >= w.head.pages {
		w.fault("a page refers to page %d, which is none", id)
		return nil
	}
	size := int64(w.head.pageSize)
	var start [pageHead]byte
	if _, err := w.file.ReadAt(start[:], int64(id)*size); err != nil {
		w.fault("page %d can't be read: %w", id, err)
		return nil
	}
	if said := native.Uint64(start[:]); said != id {
		w.fault("page %d says that it is page %d", id, said)
		return nil
	}
	kind, further := native.Uint16(start[8:]), uint64(native.Uint32(start[12:]))
	right := false
	for _, k := range kinds {
		right = right || k == kind
	}
	if !right {
		w.fault("page %d is of the wrong kind (%#x)", id, kind)
		return nil
	}
	if !w.take(id, 1+further) {
		w.fault("page %d is used twice, or goes on beyond the end", id)
		return nil
	}
	page := make([]byte, int64(1+further)*size)
	if _, err := w.file.ReadAt(page, int64(id)*size); err != nil {
		w.fault("page %d can't be read: %w", id, err)
		return nil
	}
	return page
}

// tree reads a page and all pages below it. Its keys must not be below low and, unless high
// is nil, must be below high.
func (w *pageWalk) tree(id uint64, low, high []byte, depth, buckets int) {
	if depth > mostDepth || len(w.faults) >= mostFaults {
		if depth > mostDepth {
			w.fault("page %d lies too deep", id)
		}
		return
	}
	page := w.read(id, kindBranch, kindLeaf)
	if page == nil {
		return
	}
	place := fmt.Sprintf("page %d", id)
	if native.Uint16(page[8:]) == kindLeaf {
		w.leaf(place, page, low, high, buckets)
		return
	}
	count := int(native.Uint16(page[10:]))
	if count == 0 {
		w.fault("%s is empty", place)
		return
	}
	keys, children := make([][]byte, count), make([]uint64, count)
	for i := range count {
		e := page[pageHead+i*elementHead:][:elementHead:elementHead]
		keys[i] = w.piece(place, page, i, count, native.Uint32(e), native.Uint32(e[4:]), 0)
		children[i] = native.Uint64(e[8:])
		if keys[i] == nil {
			return
		}
	}
	if !w.order(place, keys, low, high) {
		return
	}
	for i, child := range children {
		below := high
		if i+1 < count {
			below = keys[i+1]
		}
		w.tree(child, keys[i], below, depth+1, buckets)
	}
}

// piece gives the bytes of an element: its key, or key and value. It gives nil if they do
// not lie in its page, which it has then noted.
func (w *pageWalk) piece(place string, page []byte, i, count int, at, key, value uint32) []byte {
	begin := int64(pageHead) + int64(i)*elementHead + int64(at)
	end := begin + int64(key) + int64(value)
	if int64(pageHead)+int64(count)*elementHead > int64(len(page)) || begin < int64(pageHead)+int64(count)*elementHead || end > int64(len(page)) {
		w.fault("%s: element %d lies outside", place, i+1)
		return nil
	}
	return page[begin:end:end]
}

// order tells whether keys stand in their order and within their bounds.
func (w *pageWalk) order(place string, keys [][]byte, low, high []byte) bool {
	for i, key := range keys {
		switch {
		case i == 0 && low != nil && bytes.Compare(key, low) < 0,
			i > 0 && bytes.Compare(keys[i-1], key) >= 0,
			high != nil && bytes.Compare(key, high) >= 0:
			w.fault("%s: element %d stands in the wrong place", place, i+1)
			return false
		}
	}
	return true
}

// leaf reads a page of keys and values, and the buckets among them.
func (w *pageWalk) leaf(place string, page []byte, low, high []byte, buckets int) {
	if len(page) < pageHead {
		w.fault("%s is cut short", place)
		return
	}
	count := int(native.Uint16(page[10:]))
	if pageHead+count*elementHead > len(page) {
		w.fault("%s is cut short", place)
		return
	}
	keys, inside := make([][]byte, count), make([][]byte, count)
	for i := range count {
		e := page[pageHead+i*elementHead:][:elementHead:elementHead]
		kind, key := native.Uint32(e), native.Uint32(e[8:])
		both := w.piece(place, page, i, count, native.Uint32(e[4:]), key, native.Uint32(e[12:]))
		if both == nil {
			return
		}
		if kind > 1 {
			w.fault("%s: element %d is of the wrong kind (%#x)", place, i+1, kind)
			return
		}
		keys[i] = both[:key]
		if kind == 1 {
			inside[i] = both[key:]
		}
	}
	if !w.order(place, keys, low, high) {
		return
	}
	for i, value := range inside {
		if value != nil {
			w.bucket(fmt.Sprintf("%s, bucket %q", place, keys[i]), value, buckets+1)
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
		w.leaf(place, value[bucketHead:], nil, nil, buckets)
	}
}

// freelist reads the list of free pages, where a file has one.
func (w *pageWalk) freelist() {
	page := w.read(w.head.freelist, kindFreelist)
	if page == nil {
		return
	}
	ids, count := page[pageHead:], uint64(native.Uint16(page[10:]))
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

package swissoracle

import "math/bits"

// weight is a failure of the criteria C10 to C21 as one whole number, the criteria of
// higher priority in its higher digits, so that weights add up and compare as the
// failures do.
type weight struct {
	hi int64
	lo uint64
}

// forbidden is more than any pairing weighs. 64 times it still fits a weight.
var forbidden = weight{hi: 1 << 54}

const weightBits = 64 + 50

func (a weight) plus(b weight) weight {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	return weight{a.hi + b.hi + int64(carry), lo}
}

func (a weight) minus(b weight) weight {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	return weight{a.hi - b.hi - int64(borrow), lo}
}

func (a weight) less(b weight) bool {
	return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo
}

// half is half of the weight, rounded up.
func (a weight) half() weight {
	a = a.plus(weight{lo: 1})
	return weight{a.hi >> 1, a.lo>>1 | uint64(a.hi)<<63}
}

func digit(n, place int) weight {
	if place >= 64 {
		return weight{hi: int64(n) << (place - 64)}
	}
	w := weight{lo: uint64(n) << place}
	if place > 0 {
		w.hi = int64(uint64(n) >> (64 - place))
	}
	return w
}

// assign weighs the cheapest way to give each of the n rows a column of its own, by the
// Hungarian method, and says which column each row has.
func assign(n int, cost func(row, column int) weight) (weight, []int) {
	most := weight{hi: 1 << 62}
	u, v := make([]weight, n+1), make([]weight, n+1)
	row, way := make([]int, n+1), make([]int, n+1)
	least, used := make([]weight, n+1), make([]bool, n+1)
	for i := 1; i <= n; i++ {
		row[0] = i
		at := 0
		for j := range least {
			least[j], used[j] = most, false
		}
		for row[at] != 0 {
			used[at] = true
			from, delta, next := row[at], most, 0
			for j := 1; j <= n; j++ {
				if used[j] {
					continue
				}
				if c := cost(from-1, j-1).minus(u[from]).minus(v[j]); c.less(least[j]) {
					least[j], way[j] = c, at
				}
				if least[j].less(delta) {
					delta, next = least[j], j
				}
			}
			for j := range used {
				if used[j] {
					u[row[j]], v[j] = u[row[j]].plus(delta), v[j].minus(delta)
				} else {
					least[j] = least[j].minus(delta)
				}
			}
			at = next
		}
		for at != 0 {
			row[at] = row[way[at]]
			at = way[at]
		}
	}
	columns, total := make([]int, n), weight{}
	for j := 1; j <= n; j++ {
		columns[row[j]-1] = j - 1
		total = total.plus(cost(row[j]-1, j-1))
	}
	return total, columns
}

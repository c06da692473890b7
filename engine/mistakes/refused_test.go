package mistakes

import (
	"slices"
	"strings"
	"testing"

	"berthier/orders"
)

// A spoilt is a good file with a part of it replaced, and the fault that must be told.
type spoilt struct{ old, new, want string }

// refused reads a good file with each of some parts spoilt: the fault must be told, and have its
// line.
func refused(t *testing.T, good string, all []spoilt, read func([]byte) orders.Problems) {
	t.Helper()
	for _, test := range all {
		if !strings.Contains(good, test.old) {
			t.Errorf("the file has no %q", test.old)
			continue
		}
		faults := read([]byte(strings.Replace(good, test.old, test.new, 1)))
		i := slices.IndexFunc(faults, func(p orders.Problem) bool { return p.Why.Code == test.want })
		if i < 0 {
			t.Errorf("%q: want %s, got %v", test.new, test.want, faults)
			continue
		}
		if faults[i].Line == 0 {
			t.Errorf("%q: %s has no line", test.new, test.want)
		}
	}
}

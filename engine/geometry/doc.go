// Package geometry measures fields in whole numbers: where pieces stand, how far
// they are apart, what lies between them, and where a move is stopped.
//
// It knows points, headings, boxes, polygons and lines, and nothing of games: no
// units, no terrain, no millimetres, no paces. What it can't know it takes as an argument:
// margins, where on a piece its point lies, which outline counts. It keeps no
// state, and the functions that a search calls in its inner loop don't allocate.
//
// Four things hold throughout:
//
//   - Nothing is a floating-point number, drawing included. The same question has
//     the same answer on every machine.
//   - Every division rounds to the nearest whole number, and a half away from
//     zero. So a field in a mirror, or turned by a quarter, gives exactly the same
//     answers as the field itself.
//   - One number, [Gap], says how two pieces stand to each other. Contact, overlap
//     and "entered" are comparisons of it with a margin.
//   - The outline belongs to the figure. "By more than t" is "drawn in by t + 1".
//
// # Bounds
//
// A coordinate is an int64 that counts the smallest step of the field. The figures
// of a field lie within [Reach] of each other; with that, every sum of [Local] and
// [World] stays below 2^53, so that the numbers of a browser hold it exactly, too.
// Coordinates of up to [Limit] in either direction overflow nothing.
//
// # Ties
//
// No choice may depend on a single unit: lengths that are equal on the table differ by
// some units after a turn. Rulesets compare lengths and edges within a margin of their own
// and settle ties by side, then by number.
package geometry

// Reach bounds the difference of any two coordinates of a field.
const Reach = 4_000_000

// Limit bounds the coordinates that the functions of this package take without
// an overflow, in either direction.
const Limit = 500_000_000

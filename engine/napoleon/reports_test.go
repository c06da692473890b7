package napoleon

import (
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
)

// TestReportsTellNoMore plays games and compares what reports say of who is ahead, of what
// happened and of what has changed.
func TestReportsTellNoMore(t *testing.T) { rulestest.Reports(t, New(), setups, 4) }

// TestPicturesShowNoMore plays games and compares what pictures of reports show, their marks too;
// no counter stands over the name of a place or over another.
func TestPicturesShowNoMore(t *testing.T) {
	rulestest.Pictures(t, New(), setups, 4, engine.Moved, engine.Fired, engine.Hit, engine.Gone, engine.Seen)
}

// TestTheCourseOfAGameTellsNoMore plays games and checks what is told of how they went.
// Pieces of terrain and the coin bring nobody luck that could be counted.
func TestTheCourseOfAGameTellsNoMore(t *testing.T) {
	rulestest.Course(t, New(), setups, 6, "nap.roll-terrain", "nap.roll-coin")
}

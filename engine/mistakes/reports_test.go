package mistakes

import (
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
)

// TestReportsTellNoMore plays games and compares what reports say of who is ahead, of what
// happened and of what has changed.
func TestReportsTellNoMore(t *testing.T) { rulestest.Reports(t, New(), setups[1:3], 2) }

// TestTheCourseOfAGameTellsNoMore plays games and checks what is told of how they went. Markers,
// tests of leaders, pursuits and who comes when are not counted as luck.
func TestTheCourseOfAGameTellsNoMore(t *testing.T) {
	rulestest.Course(t, New(), setups[1:3], 2, "em.roll-markers", "em.roll-entry", "em.roll-substitute", "em.roll-leader", "em.roll-caught", "em.roll-pursuit")
}

// TestPicturesShowNoMore plays games and compares what pictures of reports show, their marks too;
// no label lies on another or under what is drawn.
func TestPicturesShowNoMore(t *testing.T) {
	rulestest.Pictures(t, New(), setups[1:3], 2, engine.Moved, engine.Attacked, engine.Fired, engine.Hit, engine.Gone)
}

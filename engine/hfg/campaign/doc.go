// Package campaign moves armies on a map before a battle (chapter 20 of the digest): from the
// dawn of the first day until hostile forces meet.
//
// A map has nodes, joined by roads of one stage each. A day has three periods: morning,
// afternoon and night. At dawn every side orders the whole day; then all marches are made
// together, period by period, and where enemies meet they stop and there is a battle.
//
// The package knows forces, how fast they march, and nothing of how they fight. It says where
// forces meet, who was there first, who is near enough to come later, and what has been dug in.
// In all types that number things, 0 means "none" and 1 is the first.
//
//	map.go      nodes, stages, rivers with bridges
//	rates.go    how fast elements march (HFG-20.4)
//	state.go    what changes: where forces are, what they are at, the weather
//	order.go    what may be ordered for a day (HFG-20.4 to HFG-20.9)
//	day.go      how a day is played (HFG-20.2, HFG-20.3)
//	meeting.go  where forces meet, and who may get away (HFG-20.10 to HFG-20.12)
package campaign

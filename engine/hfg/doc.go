// Package hfg is the ruleset of Horse, Foot and Guns: battles of 1701 to 1914 between armies
// of elements on a field that is measured with a ruler.
//
// Each rule names its clause of docs/rules/hfg.md, and the tests have an example of each
// clause.
//
// Everything that is measured is a whole number of hundredths of a pace, by package geometry.
// Files say paces with at most two decimals. The numbers of the types of elements stand in
// troops.go; those of a battle in its scenario file.
//
// In all types that number things, 0 means "none" and 1 is the first.
//
// # Which file holds which chapter
//
//	kinds.go       the words of files: types, classes, grades, terrain, states
//	troops.go      chapters 2 and 3 of the model: bases, years, moves, ranges, factors, equivalents
//	setting.go     what never changes in a battle: the ground, the commands, the elements
//	model.go       what changes: the position
//	scenario.go    a file that sets up a battle; load.go judges it, check.go what can't be
//	measure.go     chapter 1: bodies, distances, contact, in front, behind, heights
//	corridor.go    chapter 1: gaps and corridors; group.go: groups, wheels; column.go: columns
//	lists.go       chapter 3: army lists; lists_book.go: what they cost; lists_judge.go: what is
//	               wrong with one
//	terrain_*.go   chapter 4: ground piece by piece, by dice
//	sight.go       chapter 5
//	deploy*.go     chapter 6: deployment, works, delayed commands, surprise; prepare.go: the
//	               sequence of preparation, from the lists to the first turn
//	turn.go        chapter 7: the order of a turn; pips.go: scores and prices
//	weather.go     chapter 8
//	going.go       chapter 9: distances and ground; move.go: single elements and groups
//	join.go        groups that must end in column
//	crossing.go    chapter 10; toil.go: fords that are looked for, bridges built and destroyed
//	arrive.go      delayed commands that come on, surprise, mines
//	contact.go     chapter 11; conform.go: conformed places
//	distant.go     chapter 12; distant_lanes.go: lanes, and what is shot over
//	close.go       chapter 13
//	scores.go      chapter 14
//	outcomes.go    chapter 15
//	recoil.go      chapter 16: recoil with pushing; rout.go: repulse and rout; pursuit.go: press
//	               forward, charge, pursuit
//	morale.go      chapter 17: losses, defeat, victory
//	               chapter 18, ships, has no file: crossing.go has where they go, contact.go whom they touch
//	train.go       chapter 19
//	flow_jobs.go   how combats are fought out, job by job; flow_fights.go: dice and scores;
//	               flow_results.go: results; flow_shots.go: phase 2; flow_melee.go: phase 3
//	orders.go      orders of a turn and the plans they lead to; places.go: places by name;
//	               moves_read.go: how they are written; choose_*.go: what may be chosen of them
//	flow.go        how chapters follow each other; play.go: answers, dice, events
//	policies.go    what is decided beforehand, policies_cases.go: how; stop_results.go: the stops
//	               at which an owner decides in the middle of a turn
//	stop_*.go      the stops; standing.go, policies.go: what is decided beforehand
//
// The moves on a map before a battle (chapter 20) are package campaign.
package hfg

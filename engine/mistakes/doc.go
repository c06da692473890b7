// Package mistakes is the ruleset of Waterloo: Enemy Mistakes, the battle of 18 June
// 1815 on a field that is measured with a ruler.
//
// It is being built from the ground up, chapter by chapter in the order of the rulebook,
// and is not registered until it plays a whole game. What is here is whole: the scenario
// file, the position, how the field is measured, and the chapters that have a file of
// their own. Each rule names its clause of docs/rules/enemy-mistakes.md, and
// conform_test.go has an example of each clause.
//
// Everything that is measured is a whole number of micrometres, by package geometry.
// Files say millimetres with at most three decimals. Numbers stand in the scenario file.
//
// In all types that number things, 0 means "none" and 1 is the first.
package mistakes

import "embed"

//go:embed scenarios/*.yaml words/*.yaml
var files embed.FS

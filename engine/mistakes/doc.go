// Package mistakes is the ruleset of Waterloo: Enemy Mistakes, the battle of 18 June
// 1815 on a field that is measured with a ruler.
//
// Each rule names its clause of docs/rules/enemy-mistakes.md, and the tests have an example of
// each clause.
//
// Everything that is measured is a whole number of micrometres, by package geometry.
// Files say millimetres with at most three decimals. Numbers stand in the scenario file.
//
// In all types that number things, 0 means "none" and 1 is the first.
package mistakes

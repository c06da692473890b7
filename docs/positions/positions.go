// Package positions holds the form of each ruleset's positions, as it stands in
// this folder, so that the program can print it.
package positions

import _ "embed"

// EnemyMistakes is the form of a position of ruleset enemy-mistakes, in YAML.
//
//go:embed enemy-mistakes.yaml
var EnemyMistakes string

// HorseFootGuns is the form of a position of ruleset hfg, in YAML.
//
//go:embed hfg.yaml
var HorseFootGuns string

// Napoleon is the form of a position of ruleset napoleon, in YAML.
//
//go:embed napoleon.yaml
var Napoleon string

// Waterloo is the form of a position of ruleset waterloo, in YAML.
//
//go:embed waterloo.yaml
var Waterloo string

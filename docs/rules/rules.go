// Package rules holds the digests of the rules that the rulesets implement, as
// they stand in this folder, so that the program can print and mail them.
package rules

import _ "embed"

// Napoleon is the digest of ruleset napoleon, in Markdown.
//
//go:embed napoleon.md
var Napoleon string

// Waterloo is the digest of ruleset waterloo, in Markdown.
//
//go:embed waterloo.md
var Waterloo string

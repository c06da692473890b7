// Package rules holds the digests of the rules that the rulesets implement, as
// they stand in this folder, so that the program can print and mail them.
package rules

import _ "embed"

// Napoleon is the digest of ruleset napoleon, in Markdown.
//
//go:embed napoleon.md
var Napoleon string

// NapoleonOrders is what the order reference of ruleset napoleon shows besides its
// syntax, as JSON: see [berthier/engine/shape.Evidence].
//
//go:embed napoleon-orders.json
var NapoleonOrders []byte

// WaterlooOrders is that of ruleset waterloo.
//
//go:embed waterloo-orders.json
var WaterlooOrders []byte

// Waterloo is the digest of ruleset waterloo, in Markdown.
//
//go:embed waterloo.md
var Waterloo string

// EnemyMistakesOrders is that of ruleset enemy-mistakes.
//
//go:embed enemy-mistakes-orders.json
var EnemyMistakesOrders []byte

// EnemyMistakes is the digest of ruleset enemy-mistakes, in Markdown.
//
//go:embed enemy-mistakes.md
var EnemyMistakes string

// HorseFootGuns is the digest of ruleset hfg, in Markdown.
//
//go:embed hfg.md
var HorseFootGuns string

// HorseFootGunsOrders is that of ruleset hfg.
//
//go:embed hfg-orders.json
var HorseFootGunsOrders []byte

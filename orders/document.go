// Package orders knows the text of an order file: finding it in a letter,
// reading it strictly with the place of every fault, and writing one.
//
// [Find] looks for the file in the parts of a letter. [Parse] repairs what an
// editor mangled where one reading is possible, reads the rest strictly, and
// gives every fault at once. It knows the envelope of a file (game, side, stop,
// key and the like) and no rule of any game: what stands under orders:,
// standing:, policies: and ahead: is handed on as [Node]s, which a ruleset takes apart with a
// [Reader]. [Node.Encode] writes files, [ParseNode] reads the program's own files
// that a person edits.
//
// The language is a part of YAML: maps, lists and texts. Every scalar is text as
// it is written, so that "no" is no boolean and 010 no eight. Anchors, aliases,
// tags, merges and second documents are refused. What is accepted here means
// the same to any YAML reader.
//
// YAML is read and written in this package and nowhere else.
package orders

import (
	"slices"

	"berthier/orders/phrase"
)

// A Document is an order file, or a letter with a command, as it was read.
type Document struct {
	Source   string // the text that was read, after repairs; lines count from its start
	Game     string
	Side     string
	Stop     int    // number of the stop it answers; 0 if it does not say
	StopName string // name written behind the number
	Key      string // the seat's secret
	Serial   int    // of the template it was made from; 0 if it does not say
	Command  string // canonical keyword of a command letter, "" for orders
	Draft    bool   // judge it, tell me, but don't count it
	WhatIf   int    // how often to try the draft out, up to MostTries; 0: not at all
	Final    bool   // false: don't resolve the stop early on my account
	Now      bool   // resolve it although something about it is odd
	Reply    Reply  // the word with which the letter answered the file; set by [Found.Parse]
	Note     string // for the GM's eyes
	Orders   *Node  // nil if the file has none
	Standing *Node  // nil if the file has none
	Policies *Node  // nil if the file has none
	Ahead    *Node  // answers to stops that will come; nil if the file has none
	Root     *Node  // the whole file; nil if nothing could be read
	Repairs  []Repair

	// Mends marks a file of a player's own, in which names and words that are misspelt, but can
	// mean one thing only, are taken; see [Reader.Mends].
	Mends bool
	// Accepted marks a file that was accepted before and is read once more from
	// where it is kept: it means what it meant then, even where such a file would
	// have to say more today.
	Accepted bool
	// Former marks a file of a game that began when some words meant something else: in
	// that game they keep their old meaning (docs/dice.md).
	Former bool

	fields map[string]*Node
}

// Instructs tells whether the file gives standing orders or changes policies.
func (d *Document) Instructs() bool { return d.Standing != nil || d.Policies != nil }

// Says tells whether the file orders anything at all: now, standing, or ahead.
func (d *Document) Says() bool { return d.Orders != nil || d.Instructs() || d.Ahead != nil }

// MostTries is the highest number that the key what-if takes.
const MostTries = 500

// Guessed tells whether the name of a unit, a town or the like in the file was read from a
// misspelling.
func (d *Document) Guessed() bool {
	return slices.ContainsFunc(d.Repairs, func(r Repair) bool { return r.Kind != "" && r.Kind != "remark" })
}

// A Repair is a place that was mangled or misspelt, where only one reading was possible.
type Repair struct {
	Line   int
	Column int           `json:",omitempty"` // of what was read otherwise; 0: the whole line was
	Kind   string        `json:",omitempty"` // of the thing whose name was misspelt: "unit", "town"; "remark": words that were left aside; "" for all that weighs less
	Was    string        // the line or the words as they were, with signs that can't be seen made visible
	ReadAs string        // as they were read
	Why    phrase.Phrase // what was repaired, and in how many lines if this is the first of several
}

// Field gives the value of a key at the top of the file by its canonical
// keyword: one of the envelope, or, in a letter with a command, one of what goes
// with commands ("by", "until", "reason"). It is nil if the file does not have
// it.
func (d *Document) Field(key string) *Node { return d.fields[key] }

// Has tells whether the file has a key of the envelope, or of a command.
func (d *Document) Has(key string) bool { return d.fields[key] != nil }

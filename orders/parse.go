package orders

import (
	"slices"
	"strconv"
	"strings"

	"berthier/orders/phrase"
)

// Parse reads an order file. The document is never nil: with problems it holds
// what could be read, so that a ruleset may look for further faults in it, but
// it must not count. Places refer to [Document.Source].
//
// Words are the keywords of the game, made with [Common]; nil stands for Common
// alone. Values of the envelope are checked for their form only: this package does not
// know whether there is such a game, side or stop.
func Parse(text string, words *Words) (*Document, Problems) {
	if words == nil {
		words = common
	}
	d := &Document{Final: true}
	if len(text) > letterBounds.bytes {
		return d, Problems{{Why: phrase.Say("order.too-long", phrase.Number("size", (len(text)+1023)>>10), phrase.Number("limit", letterBounds.bytes>>10))}}
	}
	var c cleaner
	text = c.clean(text)
	if len(c.spaced) > 0 {
		d.Repairs = append(d.Repairs, Repair{Line: c.spaced[0], Was: c.was, ReadAs: c.is,
			Why: phrase.Say("order.repair-spaces", phrase.Number("n", len(c.spaced)))})
	}
	text, repairs := mend(text, words)
	d.Source, d.Repairs = text, append(d.Repairs, repairs...)
	root, repairs, problems := parseMending(text, words, letterBounds)
	d.Repaired(repairs)
	problems = append(problems, c.places(text)...)
	switch {
	case root == nil:
		if len(problems) == 0 {
			problems = append(problems, Problem{Why: phrase.Say("order.empty-file"), Remedy: phrase.Say("order.use-template")})
		}
		return d, problems.finish()
	case root.Kind == List:
		problems = append(problems, Problem{Line: root.Line, Column: root.Column,
			Why: phrase.Say("order.want-envelope"), Remedy: phrase.Say("order.use-template")})
		return d, problems.finish()
	case root.Kind != Map || !hasKeys(root):
		return d, Problems{{Line: root.Line, Column: root.Column, Why: phrase.Say("order.want-envelope"), Remedy: phrase.Say("order.use-template")}}
	}
	d.Root = root
	r := NewReader(words)
	r.Problems = problems
	d.envelope(r)
	return d, r.Problems.finish()
}

// ParseAccepted reads a file that was accepted before and is read once more from
// where it is kept, see [Document.Accepted].
func ParseAccepted(text string) (*Document, Problems) {
	d, problems := Parse(text, nil)
	d.Accepted = true
	return d, problems
}

// finish sorts the problems and caps them; if there are none, they are nil.
func (ps Problems) finish() Problems {
	if len(ps) == 0 {
		return nil
	}
	ps.Sort()
	return ps.capped()
}

// hasKeys tells whether a map has any key that could be read.
func hasKeys(n *Node) bool {
	for _, p := range n.Pairs {
		if p.Key.Kind == Scalar {
			return true
		}
	}
	return false
}

// ParseNode reads a file of the program that a person edits: a configuration, a
// set-up, a scenario, a case. It is read as strictly as an order file, but
// nothing is repaired, it may be longer, and a value may be null. With problems
// the node holds what could be read; it is nil if that is nothing.
func ParseNode(data []byte) (*Node, Problems) {
	if len(data) > ownBounds.bytes {
		return nil, Problems{{Why: phrase.Say("order.too-long", phrase.Number("size", len(data)>>10), phrase.Number("limit", ownBounds.bytes>>10))}}
	}
	var c cleaner
	text := c.clean(string(data))
	root, problems := parse(text, nil, ownBounds)
	return root, append(problems, c.places(text)...).finish()
}

// envelope takes the top of the file apart.
func (d *Document) envelope(r *Reader) {
	allowed := envelope
	for _, p := range d.Root.Pairs {
		if key, ok := r.words.Key(p.Key.Text, []string{"command"}); ok && key == "command" {
			allowed = append(append([]string(nil), envelope...), arguments...)
			break
		}
	}
	r.noNulls(d.Root, allowed)
	d.misspelt(r, allowed)
	f := r.Fields(d.Root, allowed...)
	d.fields = f.values
	for key, value := range f.values {
		if value.Kind == Broken && !slices.Contains(Bodies, key) {
			delete(f.values, key)
		}
	}
	d.Game, _ = r.Text(f.Get("game"))
	d.Side, _ = r.Text(f.Get("side"))
	d.stop(r, f.Get("stop"), f.Get("command") != nil)
	d.Key, _ = r.Text(f.Get("key"))
	d.Serial, _ = r.Int(f.Get("serial"), 0, 999_999_999)
	d.Draft, _ = r.Bool(f.Get("draft"))
	d.WhatIf, _ = r.Int(f.Get("what-if"), 1, MostTries)
	if final, ok := r.Bool(f.Get("final")); ok {
		d.Final = final
	}
	d.Now, _ = r.Bool(f.Get("now"))
	d.Note = note(r, f.Get("note"))
	d.Orders, d.Standing, d.Policies, d.Ahead = f.Get("orders"), f.Get("standing"), f.Get("policies"), f.Get("ahead")
	if n := f.Get("command"); n != nil {
		d.command(r, n)
	}
}

// misspelt reads the key of what is ordered, and that of the stop, as what it can only mean, where
// game and key of the file are spelt right. Of two that are meant to be the same none is.
func (d *Document) misspelt(r *Reader, allowed []string) {
	if r.Under(d.Root, "game") == nil || r.Under(d.Root, "key") == nil {
		return
	}
	guess := &Reader{words: r.words, Mends: true}
	meant := map[string][]int{}
	for i, p := range d.Root.Pairs {
		if p.Key.Kind == Broken {
			continue
		}
		key, ok := r.words.Key(p.Key.Text, allowed)
		if !ok {
			key, ok = guess.word(p.Key, allowed, nil)
		}
		if ok {
			meant[key] = append(meant[key], i)
		}
	}
	for _, key := range append([]string{"stop"}, Bodies...) {
		if len(meant[key]) != 1 {
			continue
		}
		p := &d.Root.Pairs[meant[key][0]]
		for _, repair := range guess.Repairs {
			if repair.Line == p.Key.Line && repair.Column == p.Key.Column {
				k := *p.Key
				k.Text, p.Key = repair.ReadAs, &k
				d.Repaired([]Repair{repair})
			}
		}
	}
}

// stop reads the number and the name of a stop, written as "12", "12 battle-turn", "12,
// battle turn" or "#12". A command may name stop 0, which is what happens before the
// first stop; no orders can be for it.
func (d *Document) stop(r *Reader, n *Node, command bool) {
	text, ok := r.Text(n)
	if !ok {
		return
	}
	text = strings.TrimLeft(text, "# ")
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	number, err := strconv.Atoi(text[:digits])
	name := text[digits:]
	if err != nil || number < 1 && !command || number > 999_999 || name != "" && strings.IndexByte(" ,.:;-(", name[0]) < 0 {
		r.RefuseWith(n, "", phrase.Say("order.stop-form", phrase.Literal("got", short(n.Text))), phrase.Say("order.stop-example"))
		return
	}
	d.Stop, d.StopName = number, strings.Trim(name, " ,.:;-()")
}

func (d *Document) command(r *Reader, n *Node) {
	text, ok := r.Text(n)
	if !ok {
		return
	}
	if d.Command, ok = r.words.Key(text, Commands); !ok {
		remedy := phrase.Say("order.command-help") // of all commands there are most are not for a player
		for _, meant := range []string{text, strings.Fields(text + " -")[0]} {
			if near := r.didYouMean(meant, r.words.spellings(Commands)); !near.IsZero() {
				remedy = near
				break
			}
		}
		r.RefuseWith(n, "", phrase.Say("order.unknown-command", phrase.Literal("word", short(text)), phrase.Keywords("words", Commands)), remedy)
	}
}

// note reads a note: a text, or several lines written as a list.
func note(r *Reader, n *Node) string {
	var all []string
	for _, item := range r.List(n) {
		if text, ok := r.Text(item); ok {
			all = append(all, strings.TrimSpace(text))
		}
	}
	return strings.Join(all, "\n")
}

// noNulls refuses values that are missing: in an order file a missing value says nothing.
// Only a note may be empty; it then counts as no note. Allowed has the keys of the
// envelope, and is nil further down.
func (r *Reader) noNulls(n *Node, allowed []string) {
	for i, p := range n.Pairs {
		if !p.Value.Null {
			// In a tree that is laid over a position, a key without a value is taken away.
			if key, ok := r.words.Key(p.Key.Text, allowed); !ok || key != "set" {
				r.noNulls(p.Value, nil)
			}
			continue
		}
		if key, ok := r.words.Key(p.Key.Text, allowed); ok && key == "note" {
			continue
		} else if allowed != nil && !ok && p.Key.Kind == Scalar {
			if strings.Count(p.Key.Text, " ") >= 2 { // a sentence with a colon at its end
				r.RefuseWith(p.Key, "", phrase.Say("order.stray-line"), phrase.Say("order.delete-or-comment"))
				p.Key.Kind = Broken
			}
		} else {
			remedy := phrase.Say("order.write-value", phrase.Literal("key", p.Key.Text))
			if slices.Contains(Bodies, key) && i+1 < len(n.Pairs) {
				remedy = phrase.Say("order.indent-under")
			}
			r.RefuseWith(p.Key, "", phrase.Say("order.empty-value", phrase.Literal("key", short(p.Key.Text))), remedy)
		}
		p.Value.Kind, p.Value.Null = Broken, false
	}
	for _, item := range n.Items {
		if item.Null {
			r.RefuseWith(item, "", phrase.Say("order.empty-item"), phrase.Say("order.delete-dash"))
			item.Kind, item.Null = Broken, false
			continue
		}
		r.noNulls(item, nil)
	}
}

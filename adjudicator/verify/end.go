package verify

import (
	"encoding/json"
	"fmt"
	"slices"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
)

// decides notes what the ruling in an entry says about the outcome.
func (r *replay) decides(n uint64, g *log.Ruling) {
	first, holds := g, true
	for first.Kind == log.ActOverrule {
		next := r.rulings[first.About]
		if next == nil || first.About >= n {
			return // it overrules nothing that was before it
		}
		n, first, holds = first.About, next, !holds
	}
	if first.Kind != log.ActOutcome {
		return
	}
	if r.decided = nil; holds {
		r.decided = &engine.Outcome{Winners: first.Winners, Reason: phrase.Say("office.decided")}
	}
}

// outcome compares how the game ended at a stop with what the log says.
func (r *replay) outcome(e numbered, p engine.Position, s *log.Resolved) {
	o, ended := p.Outcome()
	var want *engine.Outcome
	if ended {
		want = &o
	}
	if !sameOutcome(want, s.Outcome) && (r.same() || !endedFormerly(r.rules, want, s.Outcome)) {
		r.otherwise(&r.end, e, "the game would have ended otherwise")
	}
}

func sameOutcome(a, b *engine.Outcome) bool {
	if a == nil || b == nil {
		return a == b
	}
	return alike(a, b)
}

// endedFormerly tells whether a log that was kept with other rules says the same of the end of its
// game, except for what the reason has come to say since, as toldFormerly does.
func endedFormerly(ruleset engine.Ruleset, now, then *engine.Outcome) bool {
	rules, ok := ruleset.(engine.Retold)
	if !ok || now == nil || then == nil || !rules.Formerly(now.Reason, then.Reason) {
		return false
	}
	was := *now
	was.Reason = then.Reason
	return sameOutcome(&was, then)
}

// closes checks the last entry of a game.
func (r *replay) closes(e numbered) {
	r.end.Count++
	defer func() { r.over, r.seed = true, r.seed+1 }()
	m := r.now()
	switch {
	case m == nil:
		r.end.fault("entry %d: the log does not begin with a set-up", e.n)
		return
	case r.over:
		r.end.fault("entry %d: the game is over for the second time", e.n)
	}
	if e.kind == log.KindClosed {
		return
	}
	var told struct {
		Outcome *engine.Outcome `json:"outcome"`
	}
	if err := json.Unmarshal(e.data, &told); err != nil {
		r.end.fault("entry %d can't be read: %v", e.n, err)
		return
	}
	want := r.decided
	if want == nil {
		switch {
		case m.position != nil:
			if o, ended := m.position.Outcome(); ended {
				want = &o
			}
		case m.resolved != nil:
			want = m.resolved.Outcome
		default:
			r.unchecked("how the game ended: the position there is not known")
			return
		}
	}
	if want == nil && told.Outcome == nil {
		r.end.fault("entry %d: the game is said to be over, and neither the rules nor a ruling have ended it", e.n)
	}
	if !sameOutcome(want, told.Outcome) {
		r.end.fault("entry %d: the game ended otherwise than it says", e.n)
	}
}

// withheld tells what a finished game must not withhold: an entry whose body is not
// shown might be anything.
func (r *replay) withheld() {
	n := 0
	for _, e := range r.entries {
		if e.kind == "" {
			n++
		}
	}
	if n > 0 {
		r.unchecked("%d entries are withheld here: they might be files that count, or more", n)
	}
}

// remarks says what a reader should know about a game that nothing speaks against.
func (r *replay) remarks() {
	ended := slices.ContainsFunc(r.entries, func(e numbered) bool { return e.kind == log.KindOver || e.kind == log.KindClosed })
	switch {
	case !ended:
		r.unchecked("the end: the game is still being played")
	case r.dice.Count == 0:
		r.unchecked("dice: none were rolled in all the game")
	}
	if r.made.Fixed {
		r.Notes = append(r.Notes, "the seed was not drawn by chance: a demo or a test; whoever made the game knew all dice")
	}
	switch {
	case r.made.DiceScheme() == log.FirstScheme:
		r.Notes = append(r.Notes, "its dice are of the first scheme: that log has neither the digest of the rules nor seals of the files, so that normal forms are those of today's rules, and each player alone can hold the answers against his files")
	case r.made.Rules == "":
		r.Notes = append(r.Notes, "the log does not have the digest of the rules")
	case r.made.Rules != r.digest && r.rules != nil:
		r.Notes = append(r.Notes, fmt.Sprintf("the game began with other rules (%.12s) than those of this program (%.12s)", r.made.Rules, r.digest))
	}
	if !r.made.Luck && r.early > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d rolls fell before anybody had ordered: an office that draws many seeds can choose those (luck: asked in a set-up prevents it)", r.early))
	}
}

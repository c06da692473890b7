package verify

import (
	"encoding/json"
	"fmt"
	"slices"

	"berthier/adjudicator/log"
	"berthier/engine"
)

// word reads a player's word for luck.
func (r *replay) word(e numbered) {
	var w log.LuckWord
	if err := json.Unmarshal(e.data, &w); err != nil || w.Side != e.seat {
		r.dice.fault("entry %d can't be read as a word of %s", e.n, e.seat)
		return
	}
	if r.words != nil {
		r.dice.fault("entry %d: a word for luck comes after the game has begun", e.n)
	}
	if w.Word == "" { // his seat is somebody else's now
		i := slices.IndexFunc(r.entries, func(other numbered) bool { return other.n == e.n })
		if i < 1 || r.entries[i-1].kind != log.KindReplaced || r.entries[i-1].seat != e.seat {
			r.dice.fault("entry %d: the word of %s is dropped, and nobody has taken the seat over", e.n, e.seat)
		}
		delete(r.said, e.seat)
		return
	}
	if r.said == nil {
		r.said = map[engine.Side]string{}
	}
	r.said[e.seat] = w.Word
}

// luck reads how the players' words went into the dice.
func (r *replay) luck(e numbered) {
	var told log.LuckTold
	if err := json.Unmarshal(e.data, &told); err != nil {
		r.dice.fault("entry %d can't be read: %v", e.n, err)
		return
	}
	switch m := r.now(); {
	case !r.made.Luck:
		r.dice.fault("entry %d has words for luck, and the set-up asks for none", e.n)
	case r.words != nil:
		r.dice.fault("entry %d has words for luck for the second time", e.n)
	case len(r.moments) != 1:
		r.dice.fault("entry %d: the words for luck come after the first stop", e.n)
	case m.position != nil:
		want := log.WordsInOrder(r.said, m.position.Sides())
		if fmt.Sprint(want) != fmt.Sprint(told.Words) || len(want) != len(told.Words) {
			r.dice.fault("entry %d: these are not the words that the players have sent", e.n)
		}
		r.luckWaited(e, m.position.Sides())
		for _, side := range m.position.Sides() {
			if _, ok := r.said[side]; !ok {
				r.Notes = append(r.Notes, fmt.Sprintf("%s gave no word for luck", side))
			}
		}
	}
	r.words = append([]log.LuckWord{}, told.Words...)
	r.openAt(e.at)
}

package verify

import (
	"encoding/json"
	"fmt"
	"slices"

	"berthier/adjudicator/log"
	"berthier/engine"
)

// word reads a player's word for luck.
func (rd *rolled) word(e numbered) {
	var w log.LuckWord
	if err := json.Unmarshal(e.data, &w); err != nil || w.Side != e.seat {
		rd.r.dice.fault("entry %d can't be read as a word of %s", e.n, e.seat)
		return
	}
	if rd.words != nil {
		rd.r.dice.fault("entry %d: a word for luck comes after the game has begun", e.n)
	}
	if w.Word == "" { // another player has the seat now
		i := slices.IndexFunc(rd.r.entries, func(other numbered) bool { return other.n == e.n })
		if i < 1 || rd.r.entries[i-1].kind != log.KindReplaced || rd.r.entries[i-1].seat != e.seat {
			rd.r.dice.fault("entry %d: the word of %s is dropped, and nobody has taken the seat over", e.n, e.seat)
		}
		delete(rd.said, e.seat)
		return
	}
	if rd.said == nil {
		rd.said = map[engine.Side]string{}
	}
	rd.said[e.seat] = w.Word
}

// luck reads how the players' words went into the dice.
func (rd *rolled) luck(e numbered) {
	var told log.LuckTold
	if err := json.Unmarshal(e.data, &told); err != nil {
		rd.r.dice.fault("entry %d can't be read: %v", e.n, err)
		return
	}
	switch m := rd.r.now(); {
	case !rd.r.made.Luck:
		rd.r.dice.fault("entry %d has words for luck, and the set-up asks for none", e.n)
	case rd.words != nil:
		rd.r.dice.fault("entry %d has words for luck for the second time", e.n)
	case len(rd.r.moments) != 1:
		rd.r.dice.fault("entry %d: the words for luck come after the first stop", e.n)
	case m.position != nil:
		want := log.WordsInOrder(rd.said, m.position.Sides())
		if fmt.Sprint(want) != fmt.Sprint(told.Words) || len(want) != len(told.Words) {
			rd.r.dice.fault("entry %d: these are not the words that the players have sent", e.n)
		}
		rd.luckWaited(e, m.position.Sides())
		for _, side := range m.position.Sides() {
			if _, ok := rd.said[side]; !ok {
				rd.r.Notes = append(rd.r.Notes, fmt.Sprintf("%s gave no word for luck", side))
			}
		}
	}
	rd.words = append([]log.LuckWord{}, told.Words...)
	rd.r.openAt(e.at)
}

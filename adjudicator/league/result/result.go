// Package result says what the log of a game is worth in a league. A result is never typed
// over: it is what this function gives for the log as it stands. After a rewind or a ruling the same
// function gives another answer.
package result

import (
	"encoding/hex"
	"fmt"
	"slices"

	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/engine"
)

// Of gives the result of a game whose players began on the given sides, in their order, and the
// entry of the log on which it rests: the last one. The entries are those from the first to that
// one. A game that was closed without a winner being decided is open: a secretary decides what
// becomes of it. Players who have changed seats are found on the side on which they are at the end.
func Of(entries []chain.Entry, sides []engine.Side) (season.Outcome, season.Link, error) {
	f := &fold{sides: slices.Clone(sides), missed: make([]int64, len(sides))}
	var link season.Link
	for _, e := range entries {
		if err := f.read(e); err != nil {
			return season.Outcome{}, link, fmt.Errorf("read entry %d: %w", e.Seq, err)
		}
		link = season.Link{Number: int(e.Seq), Hash: hex.EncodeToString(e.Hash[:])}
	}
	return f.outcome(), link, nil
}

// A fold is a log as far as it was read.
type fold struct {
	sides   []engine.Side // on which the players are now
	own     *engine.Outcome
	decided *[]engine.Side // winners that a game master decided on; none: a draw
	missed  []int64        // stops, by players
}

func (f *fold) read(e chain.Entry) error {
	head, err := log.Decode(e.Body, nil)
	if err != nil {
		return err
	}
	switch head.Kind {
	case log.KindResolved:
		return f.resolved(e)
	case log.KindOver:
		var over struct {
			Outcome engine.Outcome `json:"outcome"`
		}
		if _, err := log.Read(e, &over); err != nil {
			return err
		}
		if f.decided == nil {
			f.own = &over.Outcome
		}
	case log.KindRewound:
		f.own, f.decided = nil, nil
	case log.KindRuling:
		return f.ruled(e)
	}
	if head, err = log.Read(e, nil); err == nil && head.Kind == log.KindExchanged {
		var x log.Exchange
		if _, err = log.Read(e, &x); err == nil {
			for i, side := range f.sides {
				f.sides[i] = x.Other(side)
			}
		}
	}
	return err
}

func (f *fold) resolved(e chain.Entry) error {
	var r log.Resolved
	if _, err := log.Read(e, &r); err != nil {
		return err
	}
	f.own = r.Outcome
	if r.Again != 0 {
		return nil
	}
	for _, given := range r.Answers {
		if i := slices.Index(f.sides, given.Decision.Side); i >= 0 && given.By == log.ByDefault {
			f.missed[i]++
		}
	}
	return nil
}

// ruled follows a game master's ruling: one that decides the outcome, or one after which the game
// goes on from elsewhere.
func (f *fold) ruled(e chain.Entry) error {
	var r log.Ruling
	if _, err := log.Read(e, &r); err != nil {
		return err
	}
	switch {
	case r.Kind == log.ActStands:
	case r.Kind == log.ActOutcome:
		winners := slices.Clone(r.Winners)
		f.decided = &winners
	case r.Kind == log.ActOverrule && r.To == 0 && r.Set == "":
		f.decided = nil
	case r.To != 0 || r.Set != "":
		f.own, f.decided = nil, nil
	}
	return nil
}

func (f *fold) outcome() season.Outcome {
	o := season.Outcome{Kind: table.Open}
	var winners []engine.Side
	switch {
	case f.decided != nil:
		o.Kind, winners = table.Adjudicated, *f.decided
	case f.own != nil:
		o.Kind, winners = table.Played, f.own.Winners
	default:
		return o
	}
	o.Missed = slices.Clone(f.missed)
	for _, side := range f.sides {
		place := table.Lost
		switch {
		case len(winners) == 0, len(winners) > 1 && slices.Contains(winners, side):
			place = table.Drew
		case slices.Contains(winners, side):
			place = table.Won
		}
		o.Places = append(o.Places, place)
	}
	return o
}

// Package result says what the log of a game is worth in a league. A result is never typed
// over: it is what this function gives for the log as it stands. After a rewind or a ruling the same
// function gives another answer.
package result

import (
	"encoding/hex"
	"fmt"
	"slices"
	"time"

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
	f := &fold{sides: slices.Clone(sides), missed: make([]int64, len(sides)), silent: make([]silence, len(sides)), bots: make([]int64, len(sides))}
	for range sides {
		f.answered = append(f.answered, []int64{0})
	}
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

	answered [][]int64 // stops, by sides and by who sat there, one after the other
	bots     []int64   // stops that the bot answered, by sides

	most   int           // stops missed in a row with which a game is forfeited; 0: it never is
	usual  time.Duration // in which stops that the bot answers count once
	silent []silence     // by players
}

// silence is how long a player has been silent.
type silence struct {
	row      int       // stops missed in a row
	counted  time.Time // when the last of them was
	bot      bool      // the bot answers for him, since he is silent
	lent     bool      // he has lent it his seat
	resigned bool
	forfeit  bool // the game is lost to him
}

func (f *fold) read(e chain.Entry) error {
	head, err := log.Decode(e.Body, nil)
	if err != nil {
		return err
	}
	switch head.Kind {
	case log.KindSetup:
		return f.setup(e)
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
		f.again()
	case log.KindRuling:
		return f.ruled(e)
	case log.KindAdopted:
		var a log.Adoption
		if _, err := log.Read(e, &a); err != nil {
			return err
		}
		f.most = a.Forfeit
	}
	f.seat(e)
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

// setup reads when a game is forfeited.
func (f *fold) setup(e chain.Entry) error {
	var made log.Made
	if _, err := log.Read(e, &made); err != nil {
		return err
	}
	f.most, f.usual = made.Silence.Forfeit, made.Timing.Usual.Usual
	return nil
}

// again lets the game go on from an earlier stop: nothing is decided, nothing forfeited.
func (f *fold) again() {
	f.own, f.decided = nil, nil
	for i := range f.silent {
		f.silent[i].row, f.silent[i].forfeit = 0, false
	}
}

// seat follows what happens to a seat: who answers there.
func (f *fold) seat(e chain.Entry) {
	head, err := log.Read(e, nil)
	i := slices.Index(f.sides, head.Seat)
	if err != nil || i < 0 {
		return
	}
	s := &f.silent[i]
	switch head.Kind {
	case log.KindReplaced:
		*s = silence{}
		f.answered[i] = append(f.answered[i], 0)
	case log.KindBot:
		s.bot, s.lent = head.By != "player", head.By == "player"
	case log.KindReturned:
		s.bot, s.lent, s.row = false, false, 0
	case log.KindResigned, log.KindVacated:
		s.resigned = true
	}
}

// count counts a stop at which a player was asked, as the game itself does against silence.
func (s *silence) count(by string, at time.Time, most int, usual time.Duration) {
	switch by {
	case log.ByDefault, log.ByBot:
	case "", "player":
		s.row = 0
		return
	default:
		return
	}
	if s.resigned || s.lent || by == log.ByBot && !s.bot || s.bot && (usual == 0 || at.Sub(s.counted) < usual) {
		return
	}
	s.row++
	s.counted = at
	s.forfeit = s.forfeit || most > 0 && s.row >= most
}

func (f *fold) resolved(e chain.Entry) error {
	var r log.Resolved
	head, err := log.Read(e, &r)
	if err != nil {
		return err
	}
	f.own = r.Outcome
	if r.Again != 0 {
		return nil
	}
	for _, given := range r.Answers {
		i := slices.Index(f.sides, given.Decision.Side)
		if i < 0 {
			continue
		}
		if given.Early {
			continue // its umpire has not waited for it
		}
		switch given.By {
		case log.ByDefault:
			f.missed[i]++
		case log.ByBot:
			f.bots[i]++
		case log.ByGM:
		default:
			f.answered[i][len(f.answered[i])-1]++
		}
		if given.Heard {
			f.silent[i].row = 0
		}
		f.silent[i].count(given.By, head.At, f.most, f.usual)
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
		f.again()
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
		return f.forfeited()
	}
	o.Missed, o.Bots = slices.Clone(f.missed), slices.Clone(f.bots)
	for _, all := range f.answered {
		o.Answered = append(o.Answered, slices.Clone(all))
	}
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

// forfeited is the outcome of a game that the rules have not ended: open, unless somebody has been
// silent for so long that it is lost to him.
func (f *fold) forfeited() season.Outcome {
	gone := 0
	for _, s := range f.silent {
		if s.forfeit {
			gone++
		}
	}
	switch gone {
	case 0:
		return season.Outcome{Kind: table.Open}
	case len(f.sides):
		return season.Outcome{Kind: table.DoubleForfeit, Missed: slices.Clone(f.missed)}
	}
	o := season.Outcome{Kind: table.Forfeit, Missed: slices.Clone(f.missed)}
	for _, s := range f.silent {
		switch {
		case s.forfeit:
			o.Places = append(o.Places, table.Lost)
		case gone == len(f.sides)-1:
			o.Places = append(o.Places, table.Won)
		default:
			o.Places = append(o.Places, table.Drew)
		}
	}
	return o
}

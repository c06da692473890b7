package ruling

import (
	"cmp"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/engine"
	"berthier/engine/ahead"
)

// What was filed ahead is of a game's state and of its log: it goes back with the game, and
// comes again where what was done is done again: but not what somebody filed who has left his
// seat since.

// FileAhead says that what was filed ahead without an answer waits again, in place of what
// waits where the game stands.
type FileAhead struct {
	Entry uint64 // of the log, that has the file
}

func (f FileAhead) apply(r *run) error {
	if !r.goesOn() {
		r.leave()
		return nil
	}
	t := r.turn
	var file log.Taken
	e, err := t.Entry(f.Entry, &file)
	if err != nil {
		return err
	}
	s := t.Game.Seat(e.Seat)
	if s == nil || file.Ahead == "" || !r.filedBy(s, f.Entry, file) {
		return nil
	}
	if err := t.Log(log.Entry{Kind: log.KindAhead, Seat: s.Side, By: "office", Data: file}); err != nil {
		return err
	}
	game.TakeAhead(s, filedIn(t, s.Side, file, t.Last.Seq))
	snapshot, err := t.Position.Marshal()
	if err != nil {
		return err
	}
	t.Remember(t.Last.Seq, log.KindAhead, snapshot)
	return nil
}

// filedIn is what a file of an entry files ahead, as it waits where the game stands.
func filedIn(t *game.Turn, side engine.Side, file log.Taken, entry uint64) *log.Ahead {
	return &log.Ahead{Filed: ahead.File(t.Rules, t.Position, side, file.Ahead), Entry: entry, Sent: file.Sent}
}

// filedAgain lets an answer that counts again do what it did with what is filed ahead: its
// own file may have held such a thing, or it came itself from such a file, and is used up.
func (r *run) filedAgain(s *game.Seat, given log.Given) {
	a := s.Owes.Answer
	var file log.Taken
	from := cmp.Or(given.Files, given.Entry)
	if from > 0 {
		if _, err := r.turn.Entry(from, &file); err != nil {
			return // it is of a game whose log lacks it; nothing was filed ahead then
		}
	}
	switch {
	case given.Part != nil:
		a.Entry, a.Part = given.Entry, given.Part.Mark
		if s.Ahead != nil && s.Ahead.Text == given.Part.Text {
			s.Ahead.Use(r.turn.Rules, given.Part.Mark)
		}
	case file.Late && given.Files == 0:
		a.Entry, a.Late = given.Entry, true
	case file.Ahead != "":
		if a.Entry = given.Entry; r.filedBy(s, from, file) {
			a.Files = filedIn(r.turn, s.Side, file, from)
			a.Files.Used = slices.Clone(given.Aside)
		}
	}
}

// usedUp notes that an answer that stays in force at a stop that is open again after others were done again has come from what
// waits there: that answer waits no more.
func (r *run) usedUp(s *game.Seat, a *game.InForce) {
	var file log.Taken
	if a.By != log.ByAhead || s.Owes.Tried || s.Ahead == nil {
		return
	}
	if _, err := r.turn.Entry(a.Entry, &file); err == nil && file.Ahead == s.Ahead.Text {
		s.Ahead.Use(r.turn.Rules, a.Part)
	}
}

// filesAgain lets what an answer that is put in force files ahead wait with it.
func (r *run) filesAgain(s *game.Seat, a *PutAnswer) error {
	if a.Files == 0 {
		return nil
	}
	if err := r.readFilers(); err != nil {
		return err
	}
	var file log.Taken
	if _, err := r.turn.Entry(a.Files, &file); err != nil {
		return err
	}
	if file.Ahead != "" && r.filedBy(s, a.Files, file) {
		a.As.Files = filedIn(r.turn, s.Side, file, a.Files)
		a.As.Files.Used = slices.Clone(a.Aside)
	}
	return nil
}

// filers tell who has filed something ahead.
type filers struct {
	left  []log.Entry       // that say that a player has left a seat
	at    []uint64          // their numbers
	first map[string]uint64 // entries of files by the seals of what they file ahead; one that was filed again has the same
}

// readFilers reads in the log, once, who has filed something ahead, and who has left since.
func (r *run) readFilers() error {
	if r.own != nil {
		return nil
	}
	r.own = &filers{first: map[string]uint64{}}
	return r.past.Each(func(e chain.Entry) error {
		var file log.Taken
		head, err := log.Decode(e.Body, nil)
		if err != nil {
			return err
		}
		switch head.Kind {
		case log.KindReplaced, log.KindVacated, log.KindResigned:
			r.own.left, r.own.at = append(r.own.left, head), append(r.own.at, e.Seq)
		case log.KindTaken, log.KindAhead, log.KindStanding:
			if _, err = log.Read(e, &file); err != nil {
				return err
			}
			if _, again := r.own.first[file.AheadSeal]; file.AheadSeal != "" && !again {
				r.own.first[file.AheadSeal] = e.Seq
			}
		}
		return nil
	})
}

// stillHis tells whether the player who has a seat now has filed what the file of an entry files ahead, and has not left since.
func (r *run) stillHis(s *game.Seat, entry uint64) bool {
	var file log.Taken
	_, err := r.turn.Entry(entry, &file)
	return err == nil && r.filedBy(s, entry, file)
}

// filedBy tells whether the player who has a seat now has filed what the file of an entry
// files ahead, and has not left since.
func (r *run) filedBy(s *game.Seat, entry uint64, file log.Taken) bool {
	if first, ok := r.own.first[file.AheadSeal]; ok {
		entry = first
	}
	e, err := r.turn.Entry(entry, nil)
	if err != nil || e.Seat != r.turn.SideAt(s, entry) {
		return false
	}
	for i, left := range r.own.left {
		if n := r.own.at[i]; n > entry && left.Seat == r.turn.SideAt(s, n) {
			return false
		}
	}
	return true
}

package verify

import (
	"encoding/json"
	"fmt"
	"time"

	"berthier/adjudicator/log"
)

// A Letter is what a letter that a player got says about the log of a game.
type Letter struct {
	Name   string    // of its file
	Date   time.Time // when it was written
	Foot   *log.Foot // nil: it says nothing of that game
	Fault  error     // what does not fit in the letter itself
	Unread error     // why it can't be read at all
}

// Letters compares the letters that a player got with an export: the hash at the
// foot of each must be one of the log's, with its number where that is told, and what was
// published about the dice must be what the log says. So a log that was made up anew is
// found out, whoever made it up. Letters of other games, and those that name no entry of a
// log, are passed over.
func Letters(x *log.Export, letters []Letter) Check {
	c := Check{What: "letters whose hashes are in the log"}
	published := map[string]bool{x.Commitment: true}
	for _, seed := range x.Seeds {
		published[seed] = true
	}
	_, entries := checkChain(x)
	for _, sum := range commitments(entries) {
		published[sum] = true
	}
	var made log.Made // letters of games that began before this rule tell sixteen digits
	seals := len(entries) > 0 && json.Unmarshal(entries[0].data, &made) == nil && made.DiceScheme() != log.FirstScheme
	lostTimes := lostTimesOf(x)
	for _, l := range letters {
		if l.Unread != nil {
			c.fault("%s can't be read: %v", l.Name, l.Unread)
			continue
		}
		if l.Foot == nil && l.Fault == nil {
			continue
		}
		c.Count++
		if l.Fault != nil {
			c.fault("%s: %v", l.Name, l.Fault)
		}
		if l.Foot != nil {
			c.letter(x, &l, seals, lostTimes, published)
		}
	}
	return c
}

// letter compares what a letter says about the log with an export.
func (c *Check) letter(x *log.Export, l *Letter, seals bool, lostTimes []lostTime, published map[string]bool) {
	f := l.Foot
	if seals && len(f.Hash) < 2*log.LeastFoot {
		c.fault("%s: its hash %s is too short to bind the office: letters of this game tell %d digits", l.Name, f.Hash, 2*log.LeastFoot)
	}
	n := x.EntryOf(f.Hash)
	if n == 0 {
		if says, lost := lostLetter(lostTimes, l); lost {
			c.Lost = append(c.Lost, says)
			return
		}
		c.fault("%s: its hash %s is not in the log", l.Name, f.Hash)
	} else if f.Entry != 0 && uint64(f.Entry) != n {
		c.fault("%s: its hash %s is not that of entry %d", l.Name, f.Hash, f.Entry)
	}
	for _, sum := range f.Dice {
		if !published[sum] {
			c.fault("%s: the log knows nothing of %s…", l.Name, sum[:log.LeastFoot])
		}
	}
}

// A lostTime is a period of which a log says that a restore has lost it.
type lostTime struct {
	entry    uint64 // that says so
	from, to time.Time
}

// lostTimesOf reads the restores from a log: what was written between the last
// entry before one and the moment of the restore may be lost. Entries that are
// withheld have no time.
func lostTimesOf(x *log.Export) []lostTime {
	var all []lostTime
	var last time.Time
	for _, e := range x.Entries {
		if e.Body == "" {
			continue
		}
		var body struct {
			Kind string          `json:"kind"`
			At   time.Time       `json:"at"`
			Data json.RawMessage `json:"data"`
		}
		if json.Unmarshal([]byte(e.Body), &body) != nil {
			continue // the check of the chain tells this
		}
		if body.Kind == log.KindRestored {
			var r log.Restoration
			if json.Unmarshal(body.Data, &r) == nil {
				all = append(all, lostTime{entry: e.N, from: last, to: r.At})
			}
		}
		last = body.At
	}
	return all
}

// lostLetter tells, for a letter whose hash is in no entry, whether it may be from the time
// that a restore has lost, and says so. If the letter names an entry, that entry must not be
// one from before that time.
func lostLetter(times []lostTime, l *Letter) (says string, lost bool) {
	entry := uint64(l.Foot.Entry)
	for _, t := range times {
		if !l.Date.Before(t.from.Truncate(time.Second)) && !l.Date.After(t.to) && (entry == 0 || entry >= t.entry) {
			return fmt.Sprintf("%s is from before the restore of entry %d: no log has its hash, and what it tells can't be checked", l.Name, t.entry), true
		}
	}
	return "", false
}

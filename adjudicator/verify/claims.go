package verify

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
)

// What an entry claims, and what must be in the log for that: an office that writes its log
// as it likes may say that a deadline has passed, that a player is silent, or that the rules
// have changed.

// openAt notes when the open stop was opened.
func (r *replay) openAt(at time.Time) { r.opened = at }

// owedBy finds what a side owes at the open stop.
func (r *replay) owedBy(side engine.Side) (d engine.Decision, ok bool) {
	m := r.now()
	if m == nil || m.position == nil || m.ended {
		return d, false
	}
	owed := m.position.Owed()
	i := slices.IndexFunc(owed, func(d engine.Decision) bool { return d.Side == side })
	if i < 0 {
		return d, false
	}
	return owed[i], true
}

// earliest is the first moment at which the deadline of a side can be, by the set-up; whatever
// moves a deadline makes it later. Zero means that the side has no deadline; not ok, that
// the moment is not known.
func (r *replay) earliest(side engine.Side) (at time.Time, ok bool) {
	d, ok := r.owedBy(side)
	if !ok || r.made.DiceScheme() == log.FirstScheme || r.opened.IsZero() {
		return at, false
	}
	return r.made.Timing.Of(d.Kind).Deadline(r.opened), true
}

// passed reads that a deadline passed without an answer.
func (fd *filed) passed(e numbered) {
	var t struct {
		SeatStop int       `json:"seat_stop"`
		Deadline time.Time `json:"deadline"`
	}
	if err := json.Unmarshal(e.data, &t); err != nil {
		fd.r.answers.fault("entry %d can't be read: %v", e.n, err)
		return
	}
	fd.silent[e.seat] = t.SeatStop
	switch first, ok := fd.r.earliest(e.seat); {
	case t.Deadline.After(e.at):
		fd.r.answers.fault("entry %d: the deadline of %s, %s, has not passed at %s", e.n, e.seat, t.Deadline.Format(time.RFC3339), e.at.Format(time.RFC3339))
	case !ok:
	case first.IsZero():
		fd.r.answers.fault("entry %d: by the set-up what %s owes has no deadline", e.n, e.seat)
	case t.Deadline.Before(first):
		fd.r.answers.fault("entry %d: the deadline of %s is said to be %s, and by the set-up it is %s or later", e.n, e.seat, t.Deadline.Format(time.RFC3339), first.Format(time.RFC3339))
	}
}

// processed reads that a game master had the open stop resolved before its time: defaults may stand there, and
// files that are not final.
func (fd *filed) processed(e numbered) {
	var p log.Processed
	if err := json.Unmarshal(e.data, &p); err != nil {
		fd.r.answers.fault("entry %d can't be read: %v", e.n, err)
		return
	}
	if e.by != log.ByGM {
		fd.r.answers.fault("entry %d: nobody but a game master has a stop resolved before its time", e.n)
		return
	}
	for side, stop := range p.Waiting {
		fd.silent[side] = stop
	}
	fd.hurried = e.stop
	fd.r.Notes = append(fd.r.Notes, fmt.Sprintf("entry %d: the game master had stop %d resolved before its time", e.n, e.stop))
}

// madeAnew reads that a game master changed the set-up of the running game.
func (fd *filed) madeAnew(e numbered) {
	r := fd.r
	var c log.Changed
	if err := json.Unmarshal(e.data, &c); err != nil {
		r.end.fault("entry %d can't be read: %v", e.n, err)
		return
	}
	if e.by != log.ByGM {
		r.end.fault("entry %d: nobody but a game master changes the set-up of a running game", e.n)
		return
	}
	if c.Timing != nil {
		r.made.Timing = *c.Timing
		r.opened = time.Time{} // the open stop has its deadline by the rule before
	}
	if c.Silence != nil {
		r.made.Silence = *c.Silence
	}
	r.Notes = append(r.Notes, fmt.Sprintf("entry %d: the game master changed the set-up of the running game", e.n))
}

// secondThoughts checks that a stop was not resolved while a player whose file was not
// final still had time.
func (fd *filed) secondThoughts(e numbered, side engine.Side, p *pending) {
	if p.final || p.by != "player" || !fd.r.plays(side) || fd.hurried == e.stop {
		return
	}
	if first, ok := fd.r.earliest(side); ok && (first.IsZero() || e.at.Before(first)) {
		fd.r.answers.fault("entry %d, stop %d, %s: it has said that its file of entry %d is not final, and its time was not up", e.n, e.stop, side, p.entry)
	}
}

// countSilence counts how often each player was silent, in a row.
func (fd *filed) countSilence(e numbered, s *log.Resolved) {
	for _, g := range s.Answers {
		n := fd.r.player(g.Decision.Side)
		switch p := fd.pending[g.Decision.Side]; {
		case p != nil && p.by == "player":
			fd.row[n] = 0
		case g.Heard:
			if file := fd.ahead[g.Entry]; g.By != log.ByAhead || file.by != "player" || !file.at.After(fd.missed[n]) {
				fd.r.answers.fault("entry %d: %s is said to have filed its answer ahead since it was last silent, and has not", e.n, g.Decision.Side)
			}
			fd.row[n] = 0
		case g.By == log.ByDefault:
			if fd.row[n]++; !g.Early {
				fd.missed[n] = e.at
			}
		}
	}
}

// botPlays reads that the bot plays for a side. It may do so when the player was silent as
// often in a row as the set-up says.
func (r *replay) botPlays(e numbered) {
	n := r.player(e.seat)
	if e.by == "player" { // he has lent his seat
		if !r.made.Lending {
			r.answers.fault("entry %d: %s is lent to the bot, which the set-up does not allow", e.n, e.seat)
		}
		r.bots[n] = true
		return
	}
	if least := r.made.Silence.Bot; least == 0 || r.files.row[n] < least {
		r.answers.fault("entry %d: the bot plays for %s, which has not been silent for as long as the set-up says", e.n, e.seat)
	}
	r.bots[n] = true
}

// replaced reads that a seat has another player from then on, who may be a bot.
func (r *replay) replaced(e numbered) {
	n := r.player(e.seat)
	delete(r.bots, n)
	delete(r.gone, n)
	delete(r.files.row, n)
	delete(r.seated, n)
	var to log.Leaving
	if len(e.data) > 0 && json.Unmarshal(e.data, &to) == nil && to.Bot != "" {
		r.seated[n] = to.Bot
	}
}

// resigned reads that a player gives up.
func (r *replay) resigned(e numbered) {
	if e.by != "player" {
		r.answers.fault("entry %d: nobody resigns for %s but its player", e.n, e.seat)
	}
	n := r.player(e.seat)
	r.gone[n] = true
	delete(r.bots, n)
}

// sentBy checks who sent standing orders. The office itself gives them again where the game
// went back, but only orders that were given before.
func (r *replay) sentBy(e numbered, file string) {
	switch {
	case e.by == "player" || e.by == log.ByGM:
	case e.by == "office" && r.back != 0 && e.at.Equal(r.atOf(r.back)) && slices.Contains(r.stood, file):
	default:
		r.answers.fault("entry %d: standing orders of %s that nobody has sent", e.n, e.seat)
	}
	r.stood = append(r.stood, file)
}

// otherRules reads that the program that kept the game had other rules from there on. If
// its rules are those of this program, it has compared as this program does.
func (r *replay) otherRules(e numbered) {
	var c log.RulesChanged
	if err := json.Unmarshal(e.data, &c); err != nil {
		r.end.fault("entry %d can't be read: %v", e.n, err)
		return
	}
	switch {
	case c.Alike && c.Digest == r.digest && r.differing > 0:
		r.stops.fault("entry %d: these rules play otherwise what came before, though the log says that all comes out alike by them", e.n)
	case c.Accepted && r.unlike != c.Digest:
		r.end.fault("entry %d: rules (%.12s) are accepted that nobody had found to play otherwise", e.n, c.Digest)
	}
	if !c.Accepted && !c.Alike {
		r.unlike = c.Digest
		return
	}
	r.inForce, r.unlike = c.Digest, ""
	r.goesOn(e, &c)
	r.Notes = append(r.Notes, fmt.Sprintf("entry %d: from here on the game was played with other rules than it began with (%s)", e.n, c.Say()))
}

// asAccepted notes that a file fits only because it was accepted before, by rules that are
// not those of this program: whether those rules accepted it can't be told here.
func (fd *filed) asAccepted(p *pending) {
	fd.r.unchecked("whether the file of entry %d was taken rightly: it would be refused today, and the rules of its day are not those of this program", p.entry)
}

// ownFile notes that the content of a file is withheld from the reader of this export, though
// the file is his own, or he may read everything.
func (fd *filed) ownFile(side engine.Side, p *pending) {
	if p.by == "player" || fd.r.x.For == string(engine.GM) {
		fd.unshown = append(fd.unshown, unshownFile{fd.r.player(side), p.entry})
	}
}

// An unshownFile is a file that counted, and whose words are withheld.
type unshownFile struct {
	player int
	entry  uint64
}

// ownFiles tells of files that an export withholds from the player who sent them.
func (fd *filed) ownFiles() {
	reader := engine.Side(fd.r.x.For)
	for _, f := range fd.unshown {
		if reader == engine.GM || fd.r.now() != nil && f.player == fd.r.player(reader) {
			fd.r.unchecked("the file of entry %d: it is withheld from %s, who may read it", f.entry, reader)
		}
	}
}

// ruledOn names what a game master has changed by his power, and a restore: that this is in
// the log does not mean that the players were told.
func (r *replay) ruledOn(e numbered, kind, reason string) {
	text := fmt.Sprintf("entry %d: a ruling (%s) by the game master", e.n, kind)
	if kind == log.ActRewind {
		text = fmt.Sprintf("entry %d: the game master took the game back", e.n)
	}
	if reason != "" {
		text += fmt.Sprintf(": %q", phrase.Clip(reason, 200))
	}
	r.Notes = append(r.Notes, text)
}

// restores reads an entry that says that the database was restored.
func (r *replay) restores(e numbered) {
	var c log.Restoration
	if err := json.Unmarshal(e.data, &c); err != nil {
		r.end.fault("entry %d can't be read: %v", e.n, err)
		return
	}
	r.Notes = append(r.Notes, fmt.Sprintf("entry %d: the office says that its database was restored, and that what came in before is lost: hold your letters of that time against the log", e.n))
}

// luckWaited checks that the office waited for missing words for luck as long as the set-up
// says.
func (rd *rolled) luckWaited(e numbered, sides []engine.Side) {
	until := rd.r.made.Timing.Of("").Deadline(rd.r.opened)
	for _, side := range sides {
		if _, ok := rd.said[side]; !ok && rd.r.plays(side) && (until.IsZero() || e.at.Before(until)) {
			rd.r.dice.fault("entry %d: the words of %s for luck were not waited for", e.n, side)
		}
	}
}

package game

import (
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/orders/phrase"
)

// What is filed ahead belongs to the file in which it came, and waits once that file has
// resolved its stop. While it waits its stops open, whatever standing orders and policies
// say, and the game answers them at once. So an answer that was filed ahead has a number
// and stands in the log as one that came by letter.

// FiledAhead says that a seat files something ahead without an answer, or takes back what
// waits. What is owed stays owed; if what was filed speaks of it, it is answered when the
// game is settled.
type FiledAhead struct{ File }

func (f FiledAhead) happen(t *Turn) error {
	s := t.Game.Seat(f.Side)
	taken := f.Taken
	taken.SeatStop, taken.Final = 0, false
	taken, err := t.sealedAhead(taken)
	if err != nil {
		return err
	}
	if err := f.log(t, log.KindAhead, taken); err != nil {
		return err
	}
	f.stamp(s)
	takeAlone(t, s, f.filed(t, taken, t.Last.Seq))
	s.Alone = f.Files
	snapshot, err := t.Position.Marshal()
	if err != nil {
		return fmt.Errorf("file ahead in %s: %w", t.Game.ID, err)
	}
	t.Remember(t.Last.Seq, log.KindAhead, snapshot)
	return nil
}

// filed is what a file files ahead, as it is kept: of the entry of the file in the log.
func (f File) filed(t *Turn, taken log.Taken, entry uint64) log.Ahead {
	files := log.Ahead{Filed: ahead.File(t.Rules, t.Position, f.Side, taken.Ahead), Entry: entry, Sent: taken.Sent}
	if f.Files != nil {
		files.Sent, files.Serial = f.Files.Sent, f.Files.Serial
	}
	return files
}

// overtaken notes on the file of an answer what of that which it files ahead a letter that was written later speaks of: of
// all, if that filed something ahead itself or took it back; or of some stops, if it changed standing orders or policies for them.
func (f File) overtaken(s *Seat, taken log.Taken) log.Taken {
	if taken.Late, taken.Since = false, nil; taken.Ahead == "" || f.Files == nil {
		return taken
	}
	if taken.Late = s.Alone != nil && f.Files.Before(*s.Alone); taken.Late {
		return taken
	}
	for _, spoken := range s.Spoken {
		if f.Files.Before(spoken.Stamp) {
			taken.Since = append(taken.Since, spoken.Kind)
		}
	}
	return taken
}

// A Spoken is a kind of stop of which a letter has changed the standing orders or policies, and when that was written.
type Spoken struct {
	Kind string `json:"kind"`
	Stamp
}

// speaks notes of which stops a file has changed the standing orders or policies of a seat.
func (f File) speaks(s *Seat, kinds []string) {
	if f.Files == nil {
		return
	}
	s.Spoken = slices.DeleteFunc(slices.Clone(s.Spoken), func(was Spoken) bool {
		return slices.Contains(kinds, was.Kind) && !f.Files.Before(was.Stamp)
	})
	for _, kind := range kinds {
		if !slices.ContainsFunc(s.Spoken, func(was Spoken) bool { return was.Kind == kind }) {
			s.Spoken = append(s.Spoken, Spoken{kind, *f.Files})
		}
	}
}

// TakeAhead lets something that a seat has filed ahead wait, in place of all that waited.
func TakeAhead(s *Seat, filed *log.Ahead) {
	if s.Ahead = filed; filed == nil || filed.None() {
		s.Ahead = nil
		return
	}
	filed.Epoch = s.Epoch
}

// endAhead ends what a seat has filed ahead, since its player leaves: also what its answer in
// force files. That answer itself stays in force, as all answers do.
func endAhead(s *Seat) {
	if s.Ahead = nil; s.Owes != nil && s.Owes.Answer != nil {
		s.Owes.Answer.Files = nil
	}
}

// takeAlone lets something wait that a seat has filed ahead without an answer. It takes the
// place of all that waited, and of what the answer in force files ahead; an answer to the open
// stop that came from what waited is taken back.
func takeAlone(t *Turn, s *Seat, filed log.Ahead) {
	if o := s.Owes; o != nil {
		if a := o.Answer; a != nil && a.By == log.ByAhead {
			t.KeepAnswer(s.Side, nil)
			o.Answer = nil
			owesAgain(t, s)
		} else if a != nil {
			a.Files = filed.Clone()
		}
		o.Tried = false // what is filed now may speak of the stop that is open
	}
	TakeAhead(s, &filed)
}

// sealedAhead puts a seal of what a file files ahead beside it.
func (t *Turn) sealedAhead(f log.Taken) (log.Taken, error) {
	if f.Ahead == "" || t.Game.DiceScheme() == log.FirstScheme {
		return f, nil
	}
	salt, err := t.salt()
	if err != nil {
		return f, err
	}
	f.AheadSalt, f.AheadSeal = salt, log.SealOf(salt, f.Ahead)
	return f, nil
}

// SetAside sets aside what a seat had filed ahead of stops of which later standing orders or
// policies say something else: what waits, and what its answer in force files. It gives the kinds of those stops.
func SetAside(t *Turn, s *Seat, given engine.Answer) (kinds []string) {
	kinds = ahead.Changed(t.Rules, t.View(s.Side), given)
	keys := aside(t, &s.Ahead, kinds)
	if s.Owes != nil && s.Owes.Answer != nil {
		keys = append(keys, aside(t, &s.Owes.Answer.Files, kinds)...)
	}
	tellAside(s, keys)
	return kinds
}

// aside sets aside what was filed ahead of some kinds of stops, and tells of which keys.
func aside(t *Turn, filed **log.Ahead, kinds []string) []string {
	if *filed == nil {
		return nil
	}
	sheet, _ := ahead.Sheet(t.Rules)
	left := (*filed).Clone()
	keys := left.Aside(sheet, kinds)
	if len(keys) > 0 {
		*filed = left
	}
	return keys
}

// tellAside tells a seat what was set aside, each key once.
func tellAside(s *Seat, keys []string) {
	if slices.Sort(keys); len(keys) > 0 {
		s.Told = append(s.Told, News{Say: phrase.Say("office.ahead.aside", phrase.Literals("keys", slices.Compact(keys)))})
	}
}

// void sets aside what a seat had filed for the stops that were to follow at once, since it
// has answered one itself.
func void(t *Turn, s *Seat) {
	if s.Ahead == nil {
		return
	}
	sheet, _ := ahead.Sheet(t.Rules)
	left := s.Ahead.Clone()
	if keys := left.Void(sheet); len(keys) > 0 {
		s.Ahead = left
		s.Told = append(s.Told, sayVoid(keys))
	}
}

// WouldWait is what a seat would have filed ahead once an answer had resolved its stop, if the
// file of the answer said text of that, as [ahead.Read] gives it. Nothing is changed.
func (t *Turn) WouldWait(s *Seat, answer engine.Answer, text string) *ahead.Filed {
	if text != "" {
		f := ahead.File(t.Rules, t.Position, s.Side, text)
		return &f
	}
	if s.Ahead == nil {
		return nil
	}
	sheet, _ := ahead.Sheet(t.Rules)
	left := s.Ahead.Filed.Clone()
	left.Aside(sheet, ahead.Changed(t.Rules, t.View(s.Side), answer))
	left.Void(sheet)
	return left
}

// sayVoid tells that what was filed for the stop that follows at once counts no more.
func sayVoid(keys []string) News {
	return News{Say: phrase.Say("office.ahead.void", phrase.Literals("keys", keys))}
}

// filesLater is the log entry of what was filed ahead after the file of an answer and in place
// of what that files, or which the log does not name as that file; 0 if nothing was. (A log of
// the first scheme names no files.)
func filesLater(t *Turn, a *InForce, file uint64) uint64 {
	if a == nil || a.Files == nil || a.Files.Entry == a.Entry && (a.Entry == file || t.Game.DiceScheme() == log.FirstScheme) {
		return 0
	}
	return a.Files.Entry
}

// waits takes up what the files of the seats that resolve a stop file ahead, and gives the
// stops that open for each seat because something waits for them.
func waits(t *Turn, answers map[engine.Side]engine.Answer) map[engine.Side][]string {
	var asked map[engine.Side][]string
	sheet, ok := ahead.Sheet(t.Rules)
	if !ok {
		return nil
	}
	for _, s := range t.Game.Seats {
		if o := s.Owes; o != nil && o.Answer != nil {
			if o.Answer.Files != nil {
				TakeAhead(s, o.Answer.Files.Clone())
			} else if answer := answers[s.Side]; answer != nil && !o.Answer.Late && o.Answer.By != log.ByAhead {
				tellAside(s, aside(t, &s.Ahead, ahead.Changed(t.Rules, t.View(s.Side), answer)))
				void(t, s)
			}
		}
		if s.Ahead == nil {
			continue
		}
		if kinds := s.Ahead.Kinds(sheet); len(kinds) > 0 {
			if asked == nil {
				asked = map[engine.Side][]string{}
			}
			asked[s.Side] = kinds
		}
	}
	return asked
}

// lapse lets what was filed ahead lapse where its time is over, and tells what was not
// needed.
func lapse(t *Turn) {
	sheet, _ := ahead.Sheet(t.Rules)
	for _, s := range t.Game.Seats {
		if s.Ahead == nil {
			continue
		}
		var keys []string
		for _, p := range s.Ahead.Waiting(sheet) {
			keys = append(keys, p.Key)
		}
		if len(keys) > 0 && !s.Ahead.Lapsed(t.Position) {
			continue
		}
		if s.Ahead = nil; len(keys) > 0 {
			s.Told = append(s.Told, News{Say: phrase.Say("office.ahead.lapsed", phrase.Literals("keys", keys))})
		}
	}
}

// answerAhead answers the open stop for the seats that have filed something ahead that
// speaks of it and fits. Where something no longer fits, the seat is told why.
func answerAhead(t *Turn) {
	for _, s := range t.Game.Seats {
		o := s.Owes
		if o == nil || o.Answer != nil || o.Tried || s.Ahead == nil || s.Resigned {
			continue
		}
		left := s.Ahead.Clone()
		found := tried(t, s, left)
		o.Tried = true
		s.Ahead = left
		for _, m := range found.Misfit {
			s.Told = append(s.Told, sayMisfit(t, m)...)
		}
		if len(found.Void) > 0 {
			s.Told = append(s.Told, sayVoid(found.Void))
		}
		if found.Answer == nil {
			continue
		}
		text := Normal(t, found.Answer)
		t.KeepAnswer(s.Side, []byte(text))
		sent := left.Sent
		if sent.After(t.Now) { // what a ruling has filed again has its writer's date, whose clock may be ahead
			sent = t.Now
		}
		o.Answer = &InForce{Sent: sent, Serial: left.Serial, Final: true, By: log.ByAhead, Entry: left.Entry, Part: found.Mark, Number: 1, Print: PrintOf(found.Answer)}
	}
}

// tried looks what something that was filed ahead comes to. A fault of the ruleset must not
// make a player lose the letter that has caused it to be looked at.
func tried(t *Turn, s *Seat, left *log.Ahead) (found ahead.Outcome) {
	defer func() {
		if fault := recover(); fault != nil {
			t.remark("the ruleset panicked at what was filed ahead", panicked(fault))
			found = ahead.Outcome{}
		}
	}()
	return left.Answer(t.Rules, t.View(s.Side), s.Owes.Decision, t.Game.Former())
}

// sayMisfit tells what that was filed ahead no longer fits, why, and what would be right.
func sayMisfit(t *Turn, m ahead.Misfit) []News {
	all := []News{{Say: phrase.Say("office.ahead.misfit", phrase.Name("key", phrase.KindOrders, m.Key), phrase.Name("says", phrase.KindOrders, phrase.Clip(m.Says, 200)))}}
	for _, p := range m.Problems {
		all = append(all, News{Clause: p.Clause, Say: p.Why})
		if p.Remedy.Code != "" {
			all = append(all, News{Say: phrase.Say("office.ahead.remedy", phrase.Within("what", p.Remedy))})
		}
	}
	return all
}

// byAhead notes how an answer that was filed ahead came about, and tells its player. Whoever has
// filed it by a letter since he last missed a stop is there; what he filed before tells nothing
// of that.
func byAhead(t *Turn, s *Seat, given *log.Given) error {
	a := s.Owes.Answer
	given.By, given.Entry = log.ByAhead, a.Entry
	var f log.Taken
	e, err := t.Entry(a.Entry, &f)
	if err != nil {
		return err
	}
	if s.Streak > 0 && e.By == "player" && e.At.After(s.Counted) {
		s.Streak, given.Heard = 0, true
	}
	given.Salt, given.Part = f.AheadSalt, &log.Part{Text: f.Ahead, Mark: a.Part, Sent: f.Sent}
	s.Told = append(s.Told, News{Say: SayByAhead(*given, len(t.Position.Owed()) == 1)})
	return nil
}

// AheadAgain notes that the game has gone back to the open stop. There nothing that was filed
// ahead answers by itself: who goes back wants another answer, or may want one.
func AheadAgain(t *Turn) {
	for _, s := range t.Game.Seats {
		if s.Owes != nil {
			s.Owes.Tried = true
		}
	}
}

// SayAheadAgain tells a seat which of its answers filed ahead still wait after the game went back.
func SayAheadAgain(t *Turn, s *Seat) {
	if s.Ahead == nil {
		return
	}
	sheet, _ := ahead.Sheet(t.Rules)
	var keys []string
	for _, p := range s.Ahead.Waiting(sheet) {
		keys = append(keys, p.Key)
	}
	s.Told = append(s.Told, News{Say: phrase.Say("office.ahead.again", phrase.Literals("keys", keys))})
}

// SayFiled tells what is filed ahead, a line for each part of it.
func SayFiled(shown []string) []phrase.Phrase {
	lines := make([]phrase.Phrase, len(shown))
	for i, line := range shown {
		lines[i] = phrase.Say("office.ahead.filed", phrase.Literal("line", line))
	}
	return lines
}

// SayLate tells that what an answer files ahead counts for nothing, since it was written before a letter that
// filed something ahead or took it back.
func SayLate(sent time.Time) phrase.Phrase {
	return phrase.Say("office.ahead.late", phrase.Within("sent", Moment(sent)))
}

// SayByAhead tells that an answer was filed ahead, and in which letter it came. Alone says
// that nobody else had to answer: then all that happens next happens by it.
func SayByAhead(given log.Given, alone bool) phrase.Phrase {
	var sent time.Time
	if given.Part != nil {
		sent = given.Part.Sent
	}
	args := []phrase.Arg{phrase.Within("stop", SayStop(&Owes{Stop: given.SeatStop, Decision: given.Decision})), phrase.Within("sent", Moment(sent))}
	if alone {
		args = append(args, phrase.Number("alone", 1))
	}
	return phrase.Say("office.ahead.answered", args...)
}

// Filed lists what a seat has filed ahead and what waits, a line each.
func (t *Loaded) Filed(s *Seat) []string {
	if s.Ahead == nil {
		return nil
	}
	sheet, _ := ahead.Sheet(t.Rules)
	return slices.Clip(s.Ahead.Shown(sheet))
}

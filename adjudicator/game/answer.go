package game

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A File is an order file of a seat that has been judged.
type File struct {
	Side   engine.Side
	ByGM   bool      // the game master wrote it
	Letter string    // digest of the letter that it came with, hex
	Taken  log.Taken // as the log keeps it, but for the seal
	Files  *Stamp    // of a file with standing orders, policies or something filed ahead; nil: it has none
}

// A Stamp is when a file was sent, by the clock of who wrote it unless that is ahead, and the serial number of its template; 0: it has none.
type Stamp struct {
	Sent   time.Time `json:"sent"`
	Serial int       `json:"serial,omitempty"`
}

// Before tells whether a file was sent before another, or made from an older template.
func (a Stamp) Before(b Stamp) bool {
	if a.Serial > 0 && b.Serial > a.Serial {
		return true
	}
	return (a.Serial == 0 || b.Serial == 0 || a.Serial == b.Serial) && a.Sent.Before(b.Sent)
}

// stamp notes on a seat that a file has changed what it filed ahead, so that none that was sent before does.
func (f File) stamp(s *Seat) {
	if f.Files != nil && (s.Filed == nil || !f.Files.Before(*s.Filed)) {
		s.Filed = f.Files
	}
}

// entry is the file as the log has it.
func (f File) entry(kind string, taken log.Taken) log.Entry {
	e := log.Entry{Kind: kind, Seat: f.Side, By: "player", Letter: f.Letter, Data: taken}
	if f.ByGM {
		e.By = log.ByGM
	}
	return e
}

// log writes the file into the log.
func (f File) log(t *Turn, kind string, taken log.Taken) error {
	return t.Log(f.entry(kind, taken))
}

// Refused says that a file has faults: what was in force stays in force.
type Refused struct{ File }

func (r Refused) happen(t *Turn) error { return r.log(t, log.KindRefused, r.Taken) }

// Answered says that a good file is the answer of its seat from now on. What is due because
// of it is done when it is settled.
type Answered struct {
	File
	Text   string    // the file as it was read
	Sent   time.Time // by the clock of who wrote it, unless that is ahead
	Serial int       // of the template
	Answer engine.Answer
	Now    bool // it is meant although something about it is odd
	Guess  bool // a name in it was read from a misspelling
}

func (a Answered) happen(t *Turn) error {
	s := t.Game.Seat(a.Side)
	if a.ByGM { // what the player sent before is told before it counts no more
		if err := TellVerdicts(t, s, true); err != nil {
			return err
		}
	}
	taken, err := t.sealed(a.Taken, a.Answer)
	if err != nil {
		return err
	}
	if taken, err = t.sealedAhead(a.overtaken(s, taken)); err != nil {
		return err
	}
	if err := a.log(t, log.KindTaken, taken); err != nil {
		return err
	}
	var files *log.Ahead
	switch {
	case taken.Late:
		s.Told = append(s.Told, News{Say: SayLate(a.Sent)})
	case taken.Ahead != "":
		filed := a.filed(t, taken, t.Last.Seq)
		files = &filed
		tellAside(s, aside(t, &files, taken.Since))
	}
	a.stamp(s)
	number := 1
	if s.Owes.Answer != nil {
		number = s.Owes.Answer.Number + 1
	}
	t.KeepAnswer(s.Side, []byte(a.Text))
	t.read(s.Side, Reading{a.Answer, true})
	s.Owes.Answer = &InForce{Serial: a.Serial, Sent: a.Sent, Final: a.Taken.Final, GM: a.ByGM, Entry: t.Last.Seq, Number: number, Files: files, Late: taken.Late, Print: PrintOf(a.Answer)}
	s.Owes.Answer.Until = held(t, s, a)
	t.Game.Resolve = time.Time{} // second thoughts start anew
	return nil
}

// PrintOf is a short mark of what an answer says: the same for the same.
func PrintOf(answer engine.Answer) string {
	sum := sha256.Sum256([]byte(answer.Orders().Encode()))
	return hex.EncodeToString(sum[:4])
}

// sealed puts the seal of what a file orders beside it.
func (t *Turn) sealed(f log.Taken, answer engine.Answer) (log.Taken, error) {
	if t.Game.DiceScheme() == log.FirstScheme {
		return f, nil
	}
	salt, err := t.salt()
	if err != nil {
		return f, err
	}
	f.Salt = salt
	f.Seal = log.SealOf(f.Salt, Normal(t, answer))
	return f, nil
}

// salt draws what opens a seal.
func (t *Turn) salt() (string, error) {
	var salt [16]byte
	err := t.Draw(salt[:])
	return hex.EncodeToString(salt[:]), err
}

// Instructed says that standing orders of a seat are in force from now on. What is owed stays
// owed. What is due because of them is done when it is settled.
type Instructed struct {
	File
	Given engine.Answer
	Once  bool // until the seat is asked next; then its policies are again what they were
}

func (i Instructed) happen(t *Turn) error {
	if i.ByGM { // what the player sent before is told before it counts no more
		if err := TellVerdicts(t, t.Game.Seat(i.Side), true); err != nil {
			return err
		}
	}
	switch s := t.Game.Seat(i.Side); {
	case !i.Once:
		s.Once = "" // what he writes himself meanwhile stays
	case s.Once == "":
		s.Once = policiesNow(t, i.Side)
	}
	s := t.Game.Seat(i.Side)
	i.speaks(s, SetAside(t, s, i.Given))
	i.stamp(s)
	taken, err := t.sealedAhead(i.Taken)
	if err != nil {
		return err
	}
	if taken.Ahead != "" { // the entry is the next of the log
		takeAlone(t, s, i.filed(t, taken, t.Last.Seq+1))
		s.Alone = i.Files
	}
	e := i.entry(log.KindStanding, t.played(i, taken))
	e.Private = map[string]any{log.WholeFile: taken}
	return instruct(t, i.Side, i.Given, e)
}

// played is what everybody may read of a file with standing orders when the game is over: that by which it can be played again. The
// rest, as a note to the game master or a remark of the player's, is his and the game master's.
func (t *Turn) played(i Instructed, taken log.Taken) log.Taken {
	taken.MessageID, taken.Note, taken.Refiled = "", "", nil
	doc, problems := orders.Parse(taken.File, nil)
	if len(problems) > 0 {
		return taken
	}
	file := orders.Mapping()
	for _, part := range []struct {
		key   string
		value *orders.Node
	}{{"standing", doc.Standing}, {"policies", doc.Policies}, {"ahead", doc.Ahead}} {
		if part.value != nil {
			file.Set(part.key, part.value.Plain())
		}
	}
	text := file.Encode()
	if !t.readsAs(i, text, taken.Ahead) {
		return taken
	}
	taken.File = text
	return taken
}

// readsAs tells whether a text gives the standing orders of a file, and files ahead what it files ahead.
func (t *Turn) readsAs(i Instructed, text, files string) bool {
	rules, ok := t.Rules.(engine.Instructor)
	doc, problems := orders.Parse(text, nil)
	if !ok || len(problems) > 0 {
		return false
	}
	view := t.View(i.Side)
	given, problems := rules.ReadStanding(view, Dated(t, doc))
	if len(problems) > 0 || given == nil || i.Given == nil || given.Orders().Encode() != i.Given.Orders().Encode() {
		return false
	}
	says, problems := ahead.Read(t.Rules, view, doc.Ahead)
	return len(problems) == 0 && says == files
}

// MissingOrders refuses a file without a word about orders. It may be the head
// of one whose rest was lost on the way, and must not count as the default.
func MissingOrders(doc *orders.Document) orders.Problems {
	if doc.Says() {
		return nil
	}
	return orders.Problems{{Why: phrase.Say("office.orders-missing"), Remedy: phrase.Say("office.orders-write")}}
}

package intake

import (
	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/orders"
	"berthier/orders/phrase"
	"slices"
)

// Orders judges the orders of a file for a seat. Envelope are the faults that were found
// around them. All faults are given at once.
func (f *File) Orders(s *game.Seat, envelope orders.Problems) (engine.Answer, orders.Problems) {
	problems := f.whole(s, envelope)
	stop, sound := f.checkStop(s)
	problems = append(problems, stop...)
	if missing := game.MissingOrders(f.Doc); sound && len(envelope) == 0 && len(missing) > 0 {
		problems, sound = append(problems, missing...), false
	}
	var answer engine.Answer
	if sound {
		var faults orders.Problems
		answer, faults = f.Rules.Read(f.View(s.Side), s.Owes.Decision, f.dated())
		problems = append(problems, faults...)
	}
	problems.Sort()
	return answer, problems
}

// Judged tells whether the file is one for what the seat owes, or gives standing orders, so
// that what it says is judged by the rules.
func (f *File) Judged(s *game.Seat) bool {
	_, sound := f.checkStop(s)
	return f.Standing() || sound
}

// Standing tells whether a file holds standing orders, or something filed ahead, and no
// orders, and the game knows such:
// they count whether anything is owed or not.
func (f *File) Standing() bool {
	_, ok := f.Rules.(engine.Instructor)
	return ok && f.Game.Phase == game.Running && f.Doc.Orders == nil && (f.Doc.Instructs() || f.Doc.Ahead != nil)
}

// Ahead is what a file files ahead for a seat, in normal form; "" if it says nothing of that.
func (f *File) Ahead(s *game.Seat) (string, orders.Problems) {
	return ahead.Read(f.Rules, f.View(s.Side), f.Doc.Ahead)
}

// Instructions judges the standing orders of a file for a seat, and what it files ahead. It
// gives nothing if there are no standing orders in it.
func (f *File) Instructions(s *game.Seat, envelope orders.Problems) (engine.Answer, orders.Problems) {
	problems := append(f.whole(s, envelope), filedLate(f, s)...)
	if f.Doc.Ahead != nil && !f.Doc.Instructs() {
		problems.Sort()
		return nil, problems
	}
	given, faults := f.Rules.(engine.Instructor).ReadStanding(f.View(s.Side), f.dated())
	problems = append(problems, faults...)
	problems.Sort()
	return given, problems
}

// whole are the faults of a file whatever it orders, with those that were found already.
func (f *File) whole(s *game.Seat, envelope orders.Problems) orders.Problems {
	problems := append(slices.Clone(envelope), f.Sided(s)...)
	_, faults := f.Ahead(s)
	return append(append(problems, faults...), f.checkWhatIf()...)
}

// Sided refuses a file that says that it is another side's.
func (f *File) Sided(s *game.Seat) orders.Problems {
	if f.Doc.Side == "" || f.Means(f.Doc.Side, s.Side) {
		return nil
	}
	p := f.Fault("side", phrase.Say("office.wrong-side", phrase.Literal("got", f.Doc.Side), game.SideName(s.Side)))
	p.Remedy = phrase.Say("office.wrong-side-do", phrase.Literal("got", f.Doc.Side), phrase.Literal("is", string(s.Side)))
	return orders.Problems{p}
}

// dated is the file as the words of the game take it: one that a person wrote.
func (f *File) dated() *orders.Document {
	f.Doc.Mends = true
	f.Doc.Former = f.Game.Former()
	return f.Doc
}

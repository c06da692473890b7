package intake

import (
	"berthier/adjudicator/game"
	"berthier/engine"
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

// Standing tells whether a file holds standing orders and no orders, and the game knows such:
// they count whether anything is owed or not.
func (f *File) Standing() bool {
	_, ok := f.Rules.(engine.Instructor)
	return ok && f.Game.Phase == game.Running && f.Doc.Orders == nil && f.Doc.Instructs()
}

// Instructions judges the standing orders of a file for a seat.
func (f *File) Instructions(s *game.Seat, envelope orders.Problems) (engine.Answer, orders.Problems) {
	problems := f.whole(s, envelope)
	given, faults := f.Rules.(engine.Instructor).ReadStanding(f.View(s.Side), f.dated())
	problems = append(problems, faults...)
	problems.Sort()
	return given, problems
}

// whole are the faults of a file whatever it orders, with those that were found already.
func (f *File) whole(s *game.Seat, envelope orders.Problems) orders.Problems {
	problems := append(slices.Clone(envelope), f.Sided(s)...)
	return append(problems, f.checkWhatIf()...)
}

// Sided refuses a file that says that it is another side's.
func (f *File) Sided(s *game.Seat) orders.Problems {
	if f.Doc.Side == "" || f.Means(f.Doc.Side, s.Side) {
		return nil
	}
	return orders.Problems{f.Fault("side", phrase.Say("office.wrong-side", phrase.Literal("got", f.Doc.Side), game.SideName(s.Side)))}
}

// dated is the file as the words of the game take it.
func (f *File) dated() *orders.Document {
	f.Doc.Former = f.Game.Former()
	return f.Doc
}

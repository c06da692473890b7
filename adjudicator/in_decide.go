package adjudicator

import (
	"slices"

	"berthier/orders"
	"berthier/orders/phrase"
)

// A decision is what is to be done with a letter, as far as that can be said before a game
// is touched.
type decision struct {
	do       do
	doc      *orders.Document // its order file, as far as it can be read
	problems orders.Problems
	source   string // what was found of a file, where none can be used
}

// A do is what can be done with a letter.
type do int

const (
	doBounce   do = iota // somebody's server gives one of ours back
	doIgnore             // a program wrote it
	doWait               // it is for a game, and there has never been one here
	doStranger           // its writer takes part in nothing
	doNoFile             // it holds no order file
	doUnread             // nothing of its order file can be read
	doHelp               // it asks how to write
	doCommand            // it shows the office's key
	doOrder              // it is for a game: that which it names, or which its key opens
)

// A writer is what an office knows of who wrote a letter, asked in this order and only as
// far as it matters.
type writer interface {
	WaitsForGame() (bool, error) // whether the letter waits until there is a game here
	Plays() (bool, error)        // whether its address takes part in a game
	Makes() bool                 // whether it may make games
	HasKey(key string) (bool, error)
}

// decide tells what is to be done with a letter.
func (it *incoming) decide(w writer) (decision, error) {
	if it.letter.Bounce != nil {
		return decision{do: doBounce}, nil
	}
	if it.letter.Automatic != "" {
		return decision{do: doIgnore}, nil
	}
	if waits, err := w.WaitsForGame(); err != nil || waits {
		return decision{do: doWait}, err
	}
	plays, err := w.Plays()
	if err != nil {
		return decision{}, err
	}
	if !plays && !w.Makes() {
		return decision{do: doStranger, doc: it.readFile()}, nil
	}
	file, problems := orders.Find(partsOf(it.letter.Parts))
	if len(problems) > 0 {
		it.unread = true
		return decision{do: doNoFile, source: file.Text, problems: it.withLeftOut(problems)}, nil
	}
	doc, problems := orders.Parse(file.Text, nil)
	d := decision{do: doOrder, doc: doc, problems: problems, source: doc.Source}
	switch {
	case doc.Root == nil:
		it.unread, d.do = true, doUnread
	case doc.Command == "help" && doc.Key == "":
		d.do = doHelp
	case w.Makes() && doc.Key != "":
		his, err := w.HasKey(doc.Key)
		if err != nil {
			return decision{}, err
		}
		if his {
			d.do = doCommand
		}
	}
	return d, nil
}

// withLeftOut adds to what is wrong with a letter without a file what of it could not be
// read.
func (it *incoming) withLeftOut(problems orders.Problems) orders.Problems {
	if len(it.letter.LeftOut) > 0 && problems[0].Why.Code == "order.empty-letter" {
		problems[0].Why = phrase.Say("order.no-file") // it is not: some of it could not be read
	}
	for i, left := range it.letter.LeftOut {
		if slices.Contains(it.letter.LeftOut[:i], left) {
			continue
		}
		problems = append(problems, orders.Problem{
			Why:    phrase.Say("office.left-out", phrase.Literal("name", left.Name)),
			Remedy: phrase.Say("office.left-out-" + left.Reason),
		})
	}
	return problems
}

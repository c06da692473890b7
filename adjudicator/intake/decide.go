package intake

import (
	"slices"
	"strings"

	"berthier/orders"
	"berthier/orders/phrase"
)

// A Decision is what is to be done with a letter, as far as that can be said before any game
// is touched.
type Decision struct {
	Do       Do
	Doc      *orders.Document // its order file, as far as it can be read
	Problems orders.Problems
	Source   string // what was found of a file, if no file can be used
}

// A Do is what can be done with a letter.
type Do int

const (
	Bounce      Do = iota // a mail server returns one of the office's letters
	Unsubscribe           // its writer's mail program asks that weekly letters of leagues stop
	Ignore                // a program wrote it
	Wait                  // it is for a game, and this database has never held one
	Stranger              // its writer takes part in nothing
	NoFile                // it holds no order file
	Unreadable            // nothing of its order file can be read
	Help                  // it asks how to write
	Command               // it shows the office's key
	Solo                  // it asks for a game against the bot
	Join                  // its writer wants to become a member, or shows that an address is a member's
	Member                // it shows the key of the member who wrote it
	Order                 // it is for a game: for the one that it names, or that its key opens
)

// A Writer is what an office knows about the writer of a letter. It is asked in this order,
// and only as far as the answers matter.
type Writer interface {
	HasStopCode(code string) (bool, error) // whether a code is that of the member's weekly letters who has its address
	WaitsForGame() (bool, error)           // whether the letter waits until there is a game here
	Plays() (bool, error)                  // whether its address takes part in a game
	Makes() bool                           // whether it may make games
	HasKey(key string) (bool, error)
	Solos(plays bool) bool // whether it may ask for a game against the bot
	Joins() bool           // whether anybody may become a member by letter
	IsMember() (bool, error)
	HasMemberKey(key string) (bool, error)
}

// Decide tells what is to be done with a letter.
func (it *Letter) Decide(w Writer) (Decision, error) {
	if it.Mail.Bounce != nil {
		return Decision{Do: Bounce}, nil
	}
	if code, ok := unsubscribes(it.Mail.Subject); ok {
		if his, err := w.HasStopCode(code); err != nil || his {
			return Decision{Do: Unsubscribe}, err
		}
	}
	if it.Mail.Automatic != "" {
		return Decision{Do: Ignore}, nil
	}
	if waits, err := w.WaitsForGame(); err != nil || waits {
		return Decision{Do: Wait}, err
	}
	plays, err := w.Plays()
	if err != nil {
		return Decision{}, err
	}
	member, err := w.IsMember()
	if err != nil {
		return Decision{}, err
	}
	joins := func(doc *orders.Document) bool { return w.Joins() && asksToJoin(doc) || showsAddress(doc) }
	file, missing := orders.Find(PartsOf(it.Mail.Parts))
	var doc *orders.Document // nil: there is no file
	var problems orders.Problems
	if len(missing) == 0 {
		doc, problems = file.Parse(nil)
	}
	if !plays && !member && !w.Makes() && !(w.Solos(plays) && asksForSolo(doc)) && !joins(doc) {
		return Decision{Do: Stranger, Doc: doc}, nil
	}
	if doc == nil {
		it.Unread = true
		return Decision{Do: NoFile, Source: file.Text, Problems: it.withLeftOut(missing)}, nil
	}
	d := Decision{Do: Order, Doc: doc, Problems: problems, Source: doc.Source}
	switch {
	case doc.Root == nil:
		it.Unread, d.Do = true, Unreadable
	case doc.Command == "help" && doc.Key == "":
		d.Do = Help
	case w.Solos(plays) && asksForSolo(doc):
		d.Do = Solo
	case joins(doc):
		d.Do = Join
	case w.Makes() && doc.Key != "":
		his, err := w.HasKey(doc.Key)
		if err != nil {
			return Decision{}, err
		}
		if his {
			d.Do = Command
		}
	}
	if member && d.Do == Order && doc.Key != "" {
		his, err := w.HasMemberKey(doc.Key)
		if err != nil {
			return Decision{}, err
		}
		if his {
			d.Do = Member
		}
	}
	return d, nil
}

// asksToJoin tells whether the writer of a file wants to become a member, who has no key yet.
func asksToJoin(doc *orders.Document) bool {
	return doc != nil && (doc.Command == "join" || doc.Command == "enter") && doc.Key == ""
}

// showsAddress tells whether a file shows by a code that its writer's address is a member's.
func showsAddress(doc *orders.Document) bool {
	return doc != nil && doc.Command == "address" && doc.Key == "" && doc.Has("confirm")
}

// asksForSolo tells whether a file asks for a game against the bot: for a new game, without a
// key, which only those have who make games of other kinds.
func asksForSolo(doc *orders.Document) bool {
	return doc != nil && doc.Command == "new" && doc.Key == ""
}

// withLeftOut adds to the faults of a letter without a file what could not be read in the
// letter.
func (it *Letter) withLeftOut(problems orders.Problems) orders.Problems {
	if len(it.Mail.LeftOut) > 0 && problems[0].Why.Code == "order.empty-letter" {
		problems[0].Why = phrase.Say("order.no-file") // the letter is not empty: some of it could not be read
	}
	for i, left := range it.Mail.LeftOut {
		if slices.Contains(it.Mail.LeftOut[:i], left) {
			continue
		}
		problems = append(problems, orders.Problem{
			Why:    phrase.Say("office.left-out", phrase.Literal("name", left.Name)),
			Remedy: phrase.Say("office.left-out-" + left.Reason),
		})
	}
	return problems
}

// StopSubject is the subject of a letter by which a member's mail program has weekly letters of leagues stop.
func StopSubject(code string) string { return stopWord + " " + code }

const stopWord = "unsubscribe"

// unsubscribes reads the code of such a subject. What else the letter holds is nothing: the program writes it.
func unsubscribes(subject string) (code string, ok bool) {
	word, code, ok := strings.Cut(strings.TrimSpace(subject), " ")
	return strings.TrimSpace(code), ok && strings.EqualFold(word, stopWord) && code != ""
}

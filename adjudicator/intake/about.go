package intake

import (
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/log"
	"berthier/adjudicator/timing"
	"berthier/orders"
	"berthier/orders/phrase"
)

// About is a letter that is about its writer, and about no game. Its methods read it and
// change nothing.
type About struct {
	Doc       *orders.Document
	Now       time.Time
	Languages []string
}

// Fault is a problem at a key of the letter.
func (f *About) Fault(key string, why phrase.Phrase) orders.Problem {
	return (&File{Doc: f.Doc}).Fault(key, why)
}

// Person reads who the writer says that he is; his name must be there.
func (f *About) Person() (log.Person, orders.Problems) {
	p, problems := f.Described()
	if p.Name == "" && len(problems) == 0 {
		fault := f.Fault("command", phrase.Say("club.join.no-name"))
		fault.Remedy = phrase.Say("club.join.do")
		problems = append(problems, fault)
	}
	return p, problems
}

// Described reads what of a person the letter says.
func (f *About) Described() (log.Person, orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	var p log.Person
	if n := f.Doc.Field("name"); n != nil {
		p.Name = ReadName(r, n)
	}
	if n := f.Doc.Field("language"); n != nil {
		p.Language = ReadLanguage(r, n, f.Languages)
	}
	if n := f.Doc.Field("zone"); n != nil {
		p.Zone = ReadZone(r, n)
	}
	return p, r.Problems
}

// Ties reads to which club the writer belongs, and which members are his family; nil: the letter does
// not say so.
func (f *About) Ties() (club *string, family *[]string, problems orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	if n := f.Doc.Field("club"); n != nil {
		text, _ := r.Text(n)
		text = phrase.Clip(phrase.OneLine(text), 60)
		if r.Is(n, "none") {
			text = ""
		}
		club = &text
	}
	if n := f.Doc.Field("family"); n != nil {
		all := []string{}
		if !r.Is(n, "none") {
			for _, item := range r.List(n) {
				text, _ := r.Text(item)
				all = append(all, FoldMember(text))
			}
		}
		family = &all
	}
	return club, family, r.Problems
}

// PublicName reads whether the writer agrees that everybody reads his name; said tells whether the
// letter says so at all.
func (f *About) PublicName() (agrees, said bool, problems orders.Problems) {
	return f.yesOrNo("public-name")
}

// Weekly reads whether the writer wants the weekly letters of leagues; said tells whether the letter says so at all.
func (f *About) Weekly() (wants, said bool, problems orders.Problems) { return f.yesOrNo("weekly") }

// yesOrNo reads a key whose value is yes or no, if the letter has it.
func (f *About) yesOrNo(key string) (yes, said bool, problems orders.Problems) {
	n := f.Doc.Field(key)
	if n == nil {
		return false, false, nil
	}
	r := orders.NewReader(game.Vocabulary)
	yes, _ = r.Bool(n)
	return yes, true, r.Problems
}

// Address reads which address the letter is about, and whether it is to be dropped.
func (f *About) Address() (address string, drop bool, problems orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	n := f.Doc.Field("address")
	if n == nil {
		r.Problems = append(r.Problems, f.Fault("command", phrase.Say("club.address.which")))
		return "", false, r.Problems
	}
	address = ReadAddress(r, n)
	drop, _ = r.Bool(f.Doc.Field("cancel"))
	return strings.TrimSpace(address), drop, r.Problems
}

// Absence reads from when until when the writer is away, by the clock of a time zone, or that
// he is not.
func (f *About) Absence(zone string) (booked game.Absence, cancel bool, problems orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	cancel, _ = r.Bool(f.Doc.Field("cancel"))
	if !cancel {
		booked = f.readSpan(r, timing.Zone(zone))
	}
	r.Problems.Sort()
	return booked, cancel, r.Problems
}

// League gives the id of the league that the letter names; "" if it names none.
func (f *About) League() string {
	if n := f.Doc.Field("league"); n != nil {
		return FoldGame(n.Text)
	}
	return ""
}

// Division gives the id of the division that the letter names; "" if it names none.
func (f *About) Division() string {
	if n := f.Doc.Field("division"); n != nil {
		return FoldGame(n.Text)
	}
	return ""
}

// Season reads the number of the season that the letter names; 0 if it names none.
func (f *About) Season() (number int, problems orders.Problems) {
	n := f.Doc.Field("season")
	if n == nil {
		return 0, nil
	}
	r := orders.NewReader(game.Vocabulary)
	number, _ = r.Int(n, 1, 9999)
	return number, r.Problems
}

// Offer gives the id of the game that was offered to the writer; "" if the letter names none.
func (f *About) Offer() string {
	if n := f.Doc.Field("offer"); n != nil {
		return FoldGame(n.Text)
	}
	return ""
}

// Against gives the id of the member whom the writer challenges; "" if the letter names none.
func (f *About) Against() string {
	if n := f.Doc.Field("against"); n != nil {
		return FoldMember(n.Text)
	}
	return ""
}

// Wish reads how the writer wants to play in a league.
func (f *About) Wish() (w book.Wish, problems orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	if n := f.Doc.Field("system"); n != nil {
		text, _ := r.Text(n)
		w.System = orders.Fold(text)
	}
	if n := f.Doc.Field("deadlines"); n != nil {
		text, _ := r.Text(n)
		w.Deadlines = orders.Fold(text)
	}
	if n := f.Doc.Field("games"); n != nil {
		w.Games, _ = r.Int(n, 1, 50)
	}
	return w, r.Problems
}

// FoldMember is the id of a member as it is kept, however it is written.
func FoldMember(text string) string { return strings.ToUpper(strings.TrimSpace(text)) }

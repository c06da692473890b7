package adjudicator

import (
	"slices"
	"strings"
	"unicode/utf8"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/orders"
	"berthier/orders/phrase"
)

// longestBack is how long a file may be that is given back line by line: far longer than any
// that a person writes, but for the remarks that stood in it when he got it.
const longestBack = 8 << 10

// mended is a player's file with faults as it is given back to him; nil for a letter that is
// no order file, or not one for what he owes. It is judged as his own file would be, and
// nothing else of it counts.
func (req *request) mended(s *game.Seat, problems orders.Problems) *orders.Mended {
	if req.doc.Root == nil || req.doc.Command != "" || req.doc.Has("command") || !req.form().Judged(s) {
		return nil
	}
	judge := func(text string) (*orders.Document, orders.Problems) {
		doc, problems := orders.Parse(text, nil)
		problems = append(problems, wrongGame(doc, req.Game.ID)...)
		file := req.form()
		file.Doc = doc
		if file.Standing() {
			_, problems = file.Instructions(s, problems)
		} else {
			_, problems = file.Orders(s, problems)
		}
		problems = slices.DeleteFunc(problems, func(p orders.Problem) bool { return p.Why.Code == "office.sent-earlier" }) // sent again, it is new
		return doc, req.inTongue(s, problems)
	}
	source, problems := req.doc.Source, req.inTongue(s, problems)
	if bare := withoutNotes(source, len(source) > longestBack); bare != source {
		source = bare
		_, problems = judge(source)
	}
	if len(source) > longestBack {
		return nil
	}
	return orders.Mend(source, req.letters.Head(s), problems, judge)
}

// withoutNotes is an order file without what was told beneath its lines when it was refused before, and, if it
// is too long, without the remarks with which it came to its player, of which a movement has hundreds.
func withoutNotes(source string, long bool) string {
	lines := slices.DeleteFunc(strings.Split(source, "\n"), func(line string) bool {
		line = strings.TrimLeft(line, " ")
		return strings.HasPrefix(line, "#   ") || long && strings.HasPrefix(line, "##")
	})
	return strings.Join(lines, "\n")
}

// inTongue are faults whose remedies are written into a file in its player's language.
func (req *request) inTongue(s *game.Seat, problems orders.Problems) orders.Problems {
	all := slices.Clone(problems)
	for i := range all {
		for j, remedy := range all[i].Either {
			if remedy == nil {
				continue
			}
			spelt := *remedy
			spelt.Entries = slices.Clone(remedy.Entries)
			for k, n := range spelt.Entries {
				spelt.Entries[k] = n.In(s.Person.Language, req.letters.Keywords())
			}
			all[i].Either[j] = &spelt
		}
	}
	return all
}

// wrongGame refuses a file that names another game than the one whose key it has.
func wrongGame(doc *orders.Document, id string) orders.Problems {
	if named := intake.FoldGame(doc.Game); named == "" || named == id {
		return nil
	}
	p := (&intake.File{Doc: doc}).Fault("game", phrase.Say("office.wrong-game", phrase.Literal("game", doc.Game), phrase.Literal("is", id)))
	p.Remedy = phrase.Say("office.wrong-game-do", phrase.Literal("game", doc.Game), phrase.Literal("is", id))
	if n := doc.Field("game"); n != nil && n.Text == doc.Game {
		p.Fix = &orders.Fix{Line: n.Line, From: n.Column, To: n.Column + utf8.RuneCountInString(n.Text), Text: id}
	}
	return orders.Problems{p}
}

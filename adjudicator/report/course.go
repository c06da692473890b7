package report

import (
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/past"
	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/engine/story"
	"berthier/orders/phrase"
)

// course tells a seat how the game went: when it is over, all of it, as nothing is hidden any
// more; while it goes on, what the reports to the seat showed and told, and what is public.
func course(w *Writer, s *game.Seat, shown []past.Page) ([]engine.Section, error) {
	rules, ok := w.turn.Rules.(engine.Chronicled)
	if !ok {
		return nil, nil
	}
	var began engine.Tally
	var moments []story.Moment
	var err error
	over := ended(w)
	if over {
		began, moments, err = wholeCourse(w, rules)
	} else {
		moments, err = ownCourse(w, rules, s, shown)
	}
	if err != nil {
		return nil, err
	}
	sections := story.Course(rules, s.Side, began, moments)
	seats := w.turn.Game.Seats
	if !over {
		seats = []*game.Seat{s}
	}
	answers, err := answersOf(w, seats)
	if err != nil {
		return nil, err
	}
	sections = append(sections, answers)
	if over {
		if hidden := rules.Hidden(w.turn.View(engine.GM), s.Side); len(hidden) > 0 {
			sections = append(sections, engine.Section{Heading: phrase.Say("letter.last.hidden"), Gist: hidden})
		}
	}
	return sections, nil
}

// ended tells whether the game is over: by the rules, or since a game master has ended it.
func ended(w *Writer) bool {
	_, over := w.turn.Outcome()
	return over || w.turn.Game.Phase == game.Closed
}

// wholeCourse is a finished game stop by stop, with the fullest telling of each event. It is
// read once for all letters.
func wholeCourse(w *Writer, rules engine.Chronicled) (engine.Tally, []story.Moment, error) {
	if known := w.finished.course; known != nil {
		return known.began, known.moments, nil
	}
	branch, err := w.past.Branch()
	if err != nil {
		return engine.Tally{}, nil, err
	}
	known := &told{}
	for i, m := range branch {
		position, err := w.past.Position(m.Seq)
		if err != nil {
			return engine.Tally{}, nil, err
		}
		tally := rules.Tally(position.View(engine.GM))
		if i == 0 {
			known.began = tally
			continue
		}
		moment := story.Moment{After: tally}
		if m.Kind == log.KindResolved {
			var r log.Resolved
			if _, err := w.past.Entry(m.Seq, &r); err != nil {
				return engine.Tally{}, nil, err
			}
			for _, event := range r.Events {
				if len(event.Tellings) > 0 {
					moment.Told = append(moment.Told, event.Tellings[0].Say) // the fullest stands first
				}
			}
		}
		known.moments = append(known.moments, moment)
	}
	w.finished.course = known
	return known.began, known.moments, nil
}

// told is what a course is made from.
type told struct {
	began   engine.Tally
	moments []story.Moment
}

// ownCourse is a game as the player of a seat knows it: report by report, since steps of any
// other length would tell when others were asked.
func ownCourse(w *Writer, rules engine.Chronicled, s *game.Seat, shown []past.Page) ([]story.Moment, error) {
	branch, err := w.past.Branch()
	if err != nil {
		return nil, err
	}
	happened := map[uint64]bool{}
	for _, m := range branch {
		happened[m.Seq] = true
	}
	var moments []story.Moment
	for _, p := range shown {
		if !happened[p.Head] {
			continue // it was undone, or is older than this is kept
		}
		position, err := w.past.Position(p.Head)
		if err != nil {
			return nil, err
		}
		moments = append(moments, story.Moment{Told: said(p.Told), After: rules.Tally(position.View(s.Side))})
	}
	return append(moments, story.Moment{Told: said(s.Told), After: rules.Tally(w.turn.View(s.Side))}), nil
}

func said(all []game.News) []phrase.Phrase {
	list := make([]phrase.Phrase, len(all))
	for i, n := range all {
		list[i] = n.Say
	}
	return list
}

// hands are those by which stops are answered, in the order of the table: the words of the log,
// then standing orders and policies, which answer before anybody is asked.
var hands = []string{"player", log.ByAhead, "policy", "standing", log.ByDefault, log.ByBot, log.ByGM}

// answersOf counts how the stops of seats were answered.
func answersOf(w *Writer, seats []*game.Seat) (engine.Section, error) {
	section := engine.Section{Heading: phrase.Say("letter.last.answers")}
	branch, err := w.past.Branch()
	if err != nil {
		return section, err
	}
	for _, s := range seats {
		all, err := w.past.Told(s, branch, 0)
		if err != nil {
			return section, err
		}
		counts := map[string]int{}
		for _, one := range all {
			for _, given := range one.Given {
				counts[given.By]++
			}
			for _, news := range one.News {
				switch {
				case news.Say.Code == engine.PolicyUsed:
					counts["policy"]++
				case strings.HasSuffix(news.Say.Code, engine.StandingUsed):
					counts["standing"]++
				}
			}
		}
		var some []phrase.Value
		for _, hand := range hands {
			if n := counts[hand]; n > 0 {
				some = append(some, sheet.Phrase("letter.last.by-"+hand, phrase.Number("n", n)))
			}
		}
		section.Gist = append(section.Gist, phrase.Say("letter.last.side", game.SideName(s.Side), sheet.Filled("answers", sheet.List(some...))))
	}
	return section, nil
}

// last is what the last letter of a game, which is over, tells of it besides how it ended. What can't be read
// is left out: the end of a game does not wait for it.
func last(w *Writer, s *game.Seat) []engine.Section {
	sections, err := course(w, s, nil)
	if err != nil {
		w.Logger.Error("course of a finished game not told", "game", w.turn.Game.ID, "error", err)
		return nil
	}
	others := make([]string, 0, len(w.turn.Game.Seats))
	for _, of := range w.turn.Game.Seats {
		if of != s && of.Person.Bot == "" {
			others = append(others, string(of.Side))
		}
	}
	thanks := engine.Section{Heading: phrase.Say("letter.last.thanks-heading"), Gist: []phrase.Phrase{phrase.Say("letter.last.thanks", phrase.Names("sides", "side", others))}}
	return append(sections, thanks)
}

package report

import (
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/timing"
	"berthier/orders/phrase"
	"berthier/templates"
)

// AtHis is a phrase with its moments by the clock of a person.
func (o *Office) AtHis(p log.Person, say phrase.Phrase) phrase.Phrase {
	args := make([]phrase.Arg, len(say.Args))
	for i, a := range say.Args {
		args[i] = phrase.Arg{Name: a.Name, Value: o.valueAtHis(p, a.Value)}
	}
	if say.Args == nil {
		args = nil
	}
	return phrase.Phrase{Code: say.Code, Args: args}
}

func (o *Office) valueAtHis(p log.Person, v phrase.Value) phrase.Value {
	switch {
	case v.Kind == game.KindMoment:
		t, err := time.Parse(time.RFC3339Nano, v.Text)
		if err != nil { // the office wrote it
			panic(err)
		}
		return phrase.Value{Kind: phrase.KindLiteral, Text: o.Words.Date(templates.Language(p.Language), t, timing.Zone(p.Zone))}
	case v.Say != nil:
		say := o.AtHis(p, *v.Say)
		v.Say = &say
	case v.List != nil:
		list := make([]phrase.Value, len(v.List))
		for i, item := range v.List {
			list[i] = o.valueAtHis(p, item)
		}
		v.List = list
	}
	return v
}

// Moment is a moment by the clock of a person.
func (o *Office) Moment(p log.Person, t time.Time) phrase.Phrase {
	return phrase.Say("office.moment", phrase.Literal("at", o.Words.Date(templates.Language(p.Language), t, timing.Zone(p.Zone))))
}

// restored is what the next letter to a seat says of a restore.
func (o *Office) restored(s *game.Seat) []phrase.Phrase {
	if s.Restored.IsZero() {
		return nil
	}
	return []phrase.Phrase{phrase.Say("office.restored.you", phrase.Within("at", o.Moment(s.Person, s.Restored)))}
}

// TellsRestore tells whether a letter to a seat says that there was a restore: one
// that is sent again, as it was, does not.
func (o *Office) TellsRestore(s *game.Seat, letter *templates.Letter) bool {
	for _, news := range o.restored(s) {
		text := strings.Join(strings.Fields(o.Words.Say(templates.Language(s.Person.Language), news, nil)), " ")
		if !strings.Contains(strings.Join(strings.Fields(letter.Text), " "), text) {
			return false
		}
	}
	return true
}

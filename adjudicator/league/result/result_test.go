package result

import (
	"testing"

	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/log/logtest"
	"berthier/engine"
)

func over(winners ...engine.Side) log.Entry {
	return log.Entry{Kind: log.KindOver, Data: map[string]any{"outcome": engine.Outcome{Winners: winners}, "seed": "00"}}
}

func ruling(r log.Ruling) log.Entry { return log.Entry{Kind: log.KindRuling, Data: r} }

// resolved is a stop at which red answered in a way.
func resolved(by string, outcome *engine.Outcome, again uint64) log.Entry {
	return log.Entry{Kind: log.KindResolved, Data: log.Resolved{Again: again, Outcome: outcome, Answers: []log.Given{{Decision: engine.Decision{Side: "red"}, By: by}}}}
}

// What a log says, up to each of its entries: the game's own outcome, a game master's ruling, a
// rewind, and what follows from it; players who changed seats; stops that were missed.
func TestOf(t *testing.T) {
	const (
		open  = "open"
		red   = "played won lost"
		blue  = "played lost won"
		draw  = "played drew drew"
		ruled = "adjudicated lost won"
		gone  = "forfeit lost won"
	)
	strict := log.Entry{Kind: log.KindSetup, Data: log.Made{Silence: log.Silence{Forfeit: 2}}}
	late := log.Entry{Kind: log.KindResolved, Data: log.Resolved{Answers: []log.Given{{Decision: engine.Decision{Side: "red"}, By: log.ByDefault}, {Decision: engine.Decision{Side: "blue"}, By: log.ByDefault}}}}
	missed := resolved(log.ByDefault, nil, 0)
	heard := log.Entry{Kind: log.KindResolved, Data: log.Resolved{Answers: []log.Given{{Decision: engine.Decision{Side: "red"}, By: log.ByAhead, Heard: true}}}}
	replaced := log.Entry{Kind: log.KindReplaced, Seat: "red"}
	setup, rewound := log.Entry{Kind: log.KindSetup}, log.Entry{Kind: log.KindRewound, Data: log.Rewound{From: 3, To: 1}}
	exchanged := log.Entry{Kind: log.KindExchanged, Data: log.Exchange{Sides: [2]engine.Side{"red", "blue"}}}
	won := &engine.Outcome{Winners: []engine.Side{"red"}}
	for name, c := range map[string]struct {
		log    []log.Entry
		want   []string // after each entry
		missed int64    // by the first player
	}{
		"its own end":              {[]log.Entry{setup, resolved("", nil, 0), resolved("", won, 0), over("red")}, []string{open, open, red, red}, 0},
		"a draw":                   {[]log.Entry{setup, over()}, []string{open, draw}, 0},
		"both win":                 {[]log.Entry{setup, over("red", "blue")}, []string{open, draw}, 0},
		"closed without a result":  {[]log.Entry{setup, {Kind: log.KindClosed, Data: map[string]string{"seed": "00"}}}, []string{open, open}, 0},
		"a rewind and another end": {[]log.Entry{setup, over("red"), rewound, resolved("", nil, 0), over("blue")}, []string{open, red, open, open, blue}, 0},
		"a ruling on the outcome":  {[]log.Entry{setup, ruling(log.Ruling{Kind: log.ActOutcome, Winners: []engine.Side{"blue"}}), over("blue")}, []string{open, ruled, ruled}, 0},
		"a ruling against its end, overruled": {[]log.Entry{setup, over("red"), ruling(log.Ruling{Kind: log.ActOutcome, Winners: []engine.Side{"blue"}}), ruling(log.Ruling{Kind: log.ActOverrule})},
			[]string{open, red, ruled, red}, 0},
		"a die ruled otherwise":          {[]log.Entry{setup, over("red"), ruling(log.Ruling{Kind: log.ActDie, To: 1}), resolved("", nil, 0)}, []string{open, red, open, open}, 0},
		"a position ruled on":            {[]log.Entry{setup, over("red"), ruling(log.Ruling{Kind: log.ActPosition, Set: "x"})}, []string{open, red, open}, 0},
		"a dispute that changes nothing": {[]log.Entry{setup, over("red"), ruling(log.Ruling{Kind: log.ActStands})}, []string{open, red, red}, 0},
		"a forfeit":                      {[]log.Entry{strict, missed, missed, resolved("player", nil, 0), {Kind: log.KindClosed, Data: map[string]string{"seed": "00"}}}, []string{open, open, gone, gone, gone}, 2},
		"an answer in between":           {[]log.Entry{strict, missed, resolved("player", nil, 0), missed}, []string{open, open, open, open}, 0},
		"filed ahead since":              {[]log.Entry{strict, missed, heard, missed}, []string{open, open, open, open}, 0},
		"filed ahead before":             {[]log.Entry{strict, missed, resolved(log.ByAhead, nil, 0), missed}, []string{open, open, open, gone}, 2},
		"a substitute in between":        {[]log.Entry{strict, missed, replaced, missed}, []string{open, open, open, open}, 0},
		"a forfeit, rewound":             {[]log.Entry{strict, missed, missed, rewound, missed}, []string{open, open, gone, open, open}, 0},
		"who has resigned":               {[]log.Entry{strict, {Kind: log.KindResigned, Seat: "red"}, missed, missed}, []string{open, open, open, open}, 0},
		"who has lent his seat":          {[]log.Entry{strict, {Kind: log.KindBot, Seat: "red", By: "player"}, resolved(log.ByBot, nil, 0), resolved(log.ByBot, nil, 0)}, []string{open, open, open, open}, 0},
		"all silent":                     {[]log.Entry{strict, late, late}, []string{open, open, "double-forfeit"}, 2},
		"its own end before a forfeit":   {[]log.Entry{strict, missed, missed, over("red")}, []string{open, open, gone, red}, 2},
		"changed seats":                  {[]log.Entry{setup, exchanged, over("red")}, []string{open, open, blue}, 0},
		"missed stops":                   {[]log.Entry{setup, resolved(log.ByDefault, nil, 0), resolved(log.ByDefault, nil, 2), resolved(log.ByBot, nil, 0), over("red")}, []string{open, open, open, open, red}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			entries := logtest.Entries(t, c.log...)
			var o season.Outcome
			for n := range entries {
				var link season.Link
				var err error
				if o, link, err = Of(entries[:n+1], []engine.Side{"red", "blue"}); err != nil || link.Number != n+1 {
					t.Fatalf("entry %d: %v %v", n+1, link, err)
				}
				got := string(o.Kind)
				for _, p := range o.Places {
					got += " " + string(p)
				}
				if got != c.want[n] {
					t.Errorf("after entry %d: %s, want %s", n+1, got, c.want[n])
				}
			}
			if o.Kind != table.Open && o.Missed[0] != c.missed {
				t.Errorf("missed %v", o.Missed)
			}
		})
	}
	if _, _, err := Of([]chain.Entry{{Body: []byte("?")}}, nil); err == nil {
		t.Error("a log that can't be read has a result")
	}
}

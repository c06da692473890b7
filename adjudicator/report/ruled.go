package report

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Pronounced is what came of an act of a game master when it was carried out on a copy of the
// game.
type Pronounced struct {
	Is      []phrase.Phrase // what the act is
	Anew    []int           // stops that were resolved anew
	Left    int             // how many of the past were not done again
	Fell    string          // why the ruleset fails at the stop that is open then; "": it does not
	After   *game.Turn      // the game afterwards
	Was     engine.Position // before; nil: it is not compared with
	Told    []ToldTo
	Changes []string // of the position
}

// ToldTo is what a side is told of a ruling.
type ToldTo struct {
	Side engine.Side
	News []game.News
}

// Confirm is how an act is confirmed by letter.
type Confirm struct{ Command, Code, Key string }

// Ruled tells that an act counts, and what it has done.
func (m Master) Ruled(p Pronounced, entry uint64) templates.Notice {
	n := m.pronounced(p)
	n.Subject = phrase.Say("office.rule.done")
	n.Lines = append([]phrase.Phrase{phrase.Say("office.rule.counts", phrase.Number("entry", int(entry)))}, n.Lines...)
	return n
}

// Previewed tells what an act would do, and how to confirm it; c is nil if that is told
// elsewhere. It is stale if a code was given that no longer fits.
func (m Master) Previewed(p Pronounced, c *Confirm, stale bool) templates.Notice {
	n := m.pronounced(p)
	lines := []phrase.Phrase{phrase.Say("office.rule.preview")}
	if stale {
		lines = []phrase.Phrase{phrase.Say("office.rule.stale"), phrase.Say("office.rule.preview")}
	}
	if c != nil {
		lines = append(lines, phrase.Say("office.rule.confirm", phrase.Literal("code", c.Code)))
		n.Texts = append([]string{m.form(c.Key, c.Command).Set("confirm", orders.Text(c.Code)).FormIn(m.turn.Game.GM.Language).Encode()}, n.Texts...)
	}
	n.Lines = append(lines, n.Lines...)
	n.Page = p.pictured()
	return n
}

// pictured are the pictures of the position afterwards, with marks for each piece that stands
// elsewhere or is gone; nil if none does, or is turned.
func (p Pronounced) pictured() *engine.Page {
	if p.Was == nil || len(p.Changes) == 0 {
		return nil
	}
	was, is := p.Was.View(engine.GM).Page(), p.After.Position.View(engine.GM).Page()
	var traces []engine.Trace
	for _, id := range slices.Sorted(maps.Keys(was.Stood)) {
		switch now, stands := is.Stood[id]; {
		case !stands:
			traces = append(traces, engine.Trace{Kind: engine.Gone, Of: []string{id}})
		case now != was.Stood[id]:
			traces = append(traces, engine.Trace{Kind: engine.Moved, Of: []string{id}, Way: []string{id}})
		}
	}
	is.Sections = slices.DeleteFunc(is.Sections, func(s engine.Section) bool { return s.Picture == nil })
	turned := !maps.Equal(was.Looks, is.Looks)
	if len(traces) == 0 && !turned || len(is.Sections) == 0 {
		return nil
	}
	sheet.Trace(&is, &was, traces, "")
	return &engine.Page{Sections: is.Sections}
}

// pronounced tells what an act does: the stops that are resolved anew, who owes
// what, what each side will be told, and the position as a difference.
func (m Master) pronounced(p Pronounced) templates.Notice {
	n := templates.Notice{Heading: m.GMHeading(), Subject: phrase.Say("office.rule.subject"), Lines: slices.Clone(p.Is)}
	if len(p.Anew) > 0 {
		var stops []string
		for _, stop := range p.Anew {
			stops = append(stops, strconv.Itoa(stop))
		}
		n.Lines = append(n.Lines, phrase.Say("office.rule.anew", phrase.Literals("stops", stops)))
	}
	if p.Left > 0 {
		n.Lines = append(n.Lines, phrase.Say("office.rule.left", phrase.Number("n", p.Left)))
	}
	if p.Fell != "" {
		n.Lines = append(n.Lines, phrase.Say("office.rule.falls", phrase.Number("stop", p.After.Game.Stop), phrase.Literal("error", phrase.Clip(p.Fell, 300))))
	}
	n.Lines = append(n.Lines, sayOwed(p.After)...)
	for _, to := range p.Told {
		for _, t := range to.News {
			n.Lines = append(n.Lines, phrase.Say("office.rule.tells", game.SideName(to.Side), phrase.Within("what", t.Numbered())))
		}
	}
	if len(p.Changes) == 0 {
		n.Lines = append(n.Lines, phrase.Say("office.rule.position-same"))
		return n
	}
	n.Lines = append(n.Lines, phrase.Say("office.rule.position", phrase.Number("n", len(p.Changes))))
	n.Texts = append(n.Texts, strings.Join(p.Changes, "\n")+"\n")
	return n
}

// sayOwed says who owes what in a game, or how it ended.
func sayOwed(t *game.Turn) (lines []phrase.Phrase) {
	if o, ended := t.Outcome(); ended {
		return []phrase.Phrase{phrase.Say("office.rule.ends", phrase.Within("reason", o.Reason))}
	}
	for _, s := range t.Game.Seats {
		if s.Owes == nil {
			continue
		}
		code := "office.rule.owes"
		if s.Owes.Answer != nil {
			code = "office.rule.answered"
		}
		lines = append(lines, phrase.Say(code, game.SideName(s.Side), phrase.Within("stop", game.SayStop(s.Owes))))
	}
	return lines
}

package report

import (
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/engine"
	"berthier/orders/phrase"
)

// Export gives the log as a side may see it; to [engine.GM] all of it.
func (w *Writer) Export(side engine.Side) (*log.Export, error) {
	g := w.turn.Game
	if side != engine.GM && g.Seat(side) == nil {
		return nil, fmt.Errorf("export game %s: there is no side %q", g.ID, side)
	}
	x := &log.Export{Format: log.ExportFormat, Game: g.ID, Title: g.Title, System: g.System, For: string(side), State: g.StateName()}
	made, err := w.past.Made()
	if err != nil {
		return nil, err
	}
	x.Commitment = made.Commitment
	ended := g.Phase != game.Running
	if side != engine.GM && !ended {
		x.Seen, err = w.seen(side)
		return x, err
	}
	err = w.past.Each(func(e chain.Entry) error {
		about := side
		if s := g.Seat(side); s != nil {
			about = w.turn.SideAt(s, e.Seq) // the player may have had another seat then
		}
		shown, err := log.Show(e, side, about, g.DiceScheme())
		if err != nil {
			return err
		}
		x.Entries = append(x.Entries, shown)
		if seed := log.SeedIn(e.Body); seed != "" {
			x.Seeds = append(x.Seeds, seed)
		}
		return nil
	})
	if err == nil && ended && len(x.Entries) > 0 && w.Sign != nil {
		w.Sign(x)
	}
	return x, err
}

// seen lists what a side has learnt so far, in its language.
func (w *Writer) seen(side engine.Side) ([]log.Seen, error) {
	s := w.turn.Game.Seat(side)
	spell := w.turn.View(side).Spell
	branch, err := w.past.Branch()
	if err != nil {
		return nil, err
	}
	told, err := w.past.Told(s, branch, 0)
	var all []log.Seen
	for _, t := range told {
		var one log.Seen
		for _, a := range t.Given {
			one.Stop, one.Name, one.Orders, one.By = a.SeatStop, a.Decision.Kind, a.Orders, a.By
		}
		for _, n := range t.News {
			one.Told = append(one.Told, w.Words.Say(s.Person.Language, n.Say, spell))
		}
		if one.Stop > 0 || len(one.Told) > 0 {
			all = append(all, one)
		}
	}
	return all, err
}

// sayPreviews tells how often a game master looked at what a ruling would do, for the
// last report: who tries rulings until the dice please him shows, though none counts.
func (w *Writer) sayPreviews() []phrase.Phrase {
	n, err := w.past.Count(log.KindPreview)
	if err != nil { // the game's end must not wait for it
		w.Logger.Error("previews of rulings not counted", "game", w.turn.Game.ID, "error", err)
		return nil
	}
	return []phrase.Phrase{phrase.Say("office.previews", phrase.Number("n", n))}
}

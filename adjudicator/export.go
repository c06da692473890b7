package adjudicator

import (
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/engine"
	"berthier/orders/phrase"
)

// Export gives a game as a file: to a side what it may see; to [engine.GM] all.
func (c *Clerk) Export(id string, side engine.Side) (*log.Export, error) {
	var out *log.Export
	err := c.office.look(intake.FoldGame(id), func(d *desk) error {
		var err error
		out, err = d.export(side)
		return err
	})
	return out, err
}

func (d *desk) export(side engine.Side) (*log.Export, error) {
	g := d.Game
	if side != engine.GM && g.Seat(side) == nil {
		return nil, fmt.Errorf("export game %s: there is no side %q", g.ID, side)
	}
	x := &log.Export{Format: log.ExportFormat, Game: g.ID, Title: g.Title, System: g.System, For: string(side), State: g.StateName()}
	made, err := d.past.Made()
	if err != nil {
		return nil, err
	}
	x.Commitment = made.Commitment
	ended := g.Phase != game.Running
	if side != engine.GM && !ended {
		x.Seen, err = d.seen(side)
		return x, err
	}
	err = d.past.Each(func(e chain.Entry) error {
		about := side
		if s := g.Seat(side); s != nil {
			about = d.SideAt(s, e.Seq) // the player may have had another seat then
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
	return x, err
}

// seen lists what a side has learnt so far, in its language.
func (d *desk) seen(side engine.Side) ([]log.Seen, error) {
	s := d.Game.Seat(side)
	spell := d.View(side).Spell
	trail, err := d.past.Branch()
	if err != nil {
		return nil, err
	}
	chapters, err := d.past.Told(s, trail, 0)
	var all []log.Seen
	for _, c := range chapters {
		var one log.Seen
		for _, a := range c.Given {
			one.Stop, one.Name, one.Orders, one.By = a.SeatStop, a.Decision.Kind, a.Orders, a.By
		}
		for _, t := range c.News {
			one.Told = append(one.Told, d.office.words.Say(s.Person.Language, t.Say, spell))
		}
		if one.Stop > 0 || len(one.Told) > 0 {
			all = append(all, one)
		}
	}
	return all, err
}

// sayPreviews tells how often a game master looked at what a ruling would do, for the
// last report: who tries rulings until the dice please him shows, though none counts.
func (d *desk) sayPreviews() []phrase.Phrase {
	n, err := d.past.Count(log.KindPreview)
	if err != nil { // the game's end must not wait for it
		d.office.log.Error("previews of rulings not counted", "game", d.Game.ID, "error", err)
		return nil
	}
	return []phrase.Phrase{phrase.Say("office.previews", phrase.Number("n", n))}
}

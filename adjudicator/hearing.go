package adjudicator

import (
	"encoding/json"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/report"
	"berthier/adjudicator/ruling"
	"berthier/engine"
	"berthier/templates"
)

// A hearing is where a game master sees what an act would do, and makes it count.
type hearing struct{ *transaction }

// code is the code that confirms an act: it holds for this act at this end of the log.
func (h hearing) code(a *ruling.Act) string {
	text, err := json.Marshal(a)
	if err != nil { // an act is plain data
		panic(err)
	}
	return h.office.keys.Code("ruling", h.Game.ID, string(h.Last.Hash[:]), string(text))
}

// pending gives the act of the last preview, if nothing came after it.
func (h hearing) pending() (*ruling.Act, error) {
	if h.Last.Seq == 0 {
		return nil, nil
	}
	var p ruling.Previewed
	e, err := h.Entry(h.Last.Seq, nil)
	if err != nil || e.Kind != log.KindPreview {
		return nil, err
	}
	if _, err := h.Entry(h.Last.Seq, &p); err != nil {
		return nil, err
	}
	return &p.Act, nil
}

// hear does an act if its code fits, otherwise it previews it. The notice is for the game
// master; hear tells whether the act was done. Both carry the act out on a copy of the game:
// the copy of a preview is dropped, and the copy of an act takes the game's place.
func (h hearing) hear(a *ruling.Act, confirm string, sure bool) (templates.Notice, bool, error) {
	stale := false
	if confirm != "" {
		waiting, err := h.pending()
		if err != nil {
			return templates.Notice{}, false, err
		}
		if a == nil {
			if waiting == nil {
				return templates.Notice{}, false, game.Refuse("office.rule.nothing-to-confirm")
			}
			a = waiting
		}
		sure = intake.SameKey(confirm, h.code(a)) && waiting != nil
		stale = !sure
	}
	r, err := h.carryOut(a)
	if err != nil {
		return templates.Notice{}, false, err
	}
	p, err := pronounced(a, h.Position, r)
	if err != nil {
		return templates.Notice{}, false, err
	}
	if sure {
		h.Become(r.Turn)
		return h.letters.Master().Ruled(p, r.Entry), true, nil
	}
	if err := h.Do(game.Previewed{Act: ruling.Previewed{Act: *a}}); err != nil {
		return templates.Notice{}, false, err
	}
	c, err := h.confirmation(a)
	return h.letters.Master().Previewed(p, c, stale), false, err
}

// carryOut carries an act out on a copy of the game.
func (h hearing) carryOut(a *ruling.Act) (*ruling.Ruled, error) {
	before := kept{h.office, h.Game.ID}
	p, err := ruling.Make(h.Turn, before, a)
	if err != nil {
		return nil, err
	}
	if h.operator != nil {
		name := h.operator.named()
		p.Machine = &name
	}
	if h.office.rule != nil {
		return h.office.rule(h.Turn, before, p)
	}
	return ruling.Carry(h.Turn, before, p)
}

// confirmation is how an act is confirmed by letter; nil: the program says how.
func (h hearing) confirmation(a *ruling.Act) (*report.Confirm, error) {
	if h.operator != nil {
		return nil, nil
	}
	c := &report.Confirm{Command: a.Command(), Code: h.code(a), Key: h.office.keys.GM(h.Game)}
	var err error
	c.Key, err = h.masterKey()
	return c, err
}

// pronounced is what a letter tells about an act that was carried out on a copy of the game.
func pronounced(a *ruling.Act, was engine.Position, r *ruling.Ruled) (report.Pronounced, error) {
	p := report.Pronounced{Is: a.Say(), Anew: r.Anew, Left: r.Left, Fell: r.Fell, After: r.Turn, Was: was}
	for _, s := range r.Turn.Game.Seats {
		p.Told = append(p.Told, report.ToldTo{Side: s.Side, News: r.ToldTo(s)})
	}
	var err error
	p.Changes, err = ruling.Differences(was, r.Turn.Position)
	return p, err
}

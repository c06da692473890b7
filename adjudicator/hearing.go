package adjudicator

import (
	"encoding/json"
	"strconv"
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/ruling"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A hearing is where a game master sees what an act would do, and makes it count.
type hearing struct{ *desk }

// code is what confirms an act: it holds for this act at this end of the log.
func (h hearing) code(a *ruling.Act) string {
	text, err := json.Marshal(a)
	if err != nil { // it is plain data
		panic(err)
	}
	sum := h.office.keys.Derive("ruling", h.Game.ID, string(h.Last.Hash[:]), string(text))
	code := intake.KeyLetters.EncodeToString(sum[:5])
	return code[:4] + "-" + code[4:]
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

// hear does an act if its code fits, else previews it. The notice is for the game
// master; it tells whether the act was done. Both carry the act out on a copy of the game:
// what is previewed is dropped, and what is done takes the game's place.
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
	n, err := noticeOf(a, h.Position, r)
	if err != nil {
		return n, false, err
	}
	if sure {
		h.Become(r.Turn)
		n.Heading = h.letters.GMHeading()
		n.Subject = phrase.Say("office.rule.done")
		n.Lines = append([]phrase.Phrase{phrase.Say("office.rule.counts", phrase.Number("entry", int(r.Entry)))}, n.Lines...)
		return n, true, nil
	}
	if err := h.Do(game.Previewed{Act: ruling.Previewed{Act: *a}}); err != nil {
		return n, false, err
	}
	return n, false, h.asPreview(&n, a, stale)
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

// asPreview says in a notice that it is a preview, and how the act is confirmed.
func (h hearing) asPreview(n *templates.Notice, a *ruling.Act, stale bool) error {
	n.Heading = h.letters.GMHeading()
	lines := []phrase.Phrase{phrase.Say("office.rule.preview")}
	if stale {
		lines = []phrase.Phrase{phrase.Say("office.rule.stale"), phrase.Say("office.rule.preview")}
	}
	if h.operator != nil { // the program says how
		n.Lines = append(lines, n.Lines...)
		return nil
	}
	code, key := h.code(a), h.office.keys.GM(h.Game)
	if h.reader != nil {
		var err error
		if key, err = h.office.OfficeKey(h.reader.Address); err != nil {
			return err
		}
	}
	n.Lines = append(append(lines, phrase.Say("office.rule.confirm", phrase.Literal("code", code))), n.Lines...)
	file := orders.Mapping().Set("game", orders.Text(h.Game.ID)).Set("key", orders.Text(key)).
		Set("command", orders.Text(a.Command())).Set("confirm", orders.Text(code))
	n.Texts = append([]string{file.Encode()}, n.Texts...)
	return nil
}

// noticeOf tells a game master what an act does: the stops that are resolved anew, who owes
// what, what each side will be told, and the position as a difference.
func noticeOf(a *ruling.Act, was engine.Position, r *ruling.Ruled) (templates.Notice, error) {
	n := templates.Notice{Subject: phrase.Say("office.rule.subject"), Lines: sayAct(a)}
	if len(r.Anew) > 0 {
		var stops []string
		for _, stop := range r.Anew {
			stops = append(stops, strconv.Itoa(stop))
		}
		n.Lines = append(n.Lines, phrase.Say("office.rule.anew", phrase.Literals("stops", stops)))
	}
	if r.Left > 0 {
		n.Lines = append(n.Lines, phrase.Say("office.rule.left", phrase.Number("n", r.Left)))
	}
	n.Lines = append(n.Lines, sayOwed(r.Turn)...)
	for _, s := range r.Turn.Game.Seats {
		for _, t := range r.ToldTo(s) {
			n.Lines = append(n.Lines, phrase.Say("office.rule.tells", game.SideName(s.Side), phrase.Within("what", t.Numbered())))
		}
	}
	changes, err := ruling.Differences(was, r.Turn.Position)
	switch {
	case err != nil:
		return n, err
	case len(changes) == 0:
		n.Lines = append(n.Lines, phrase.Say("office.rule.position-same"))
	default:
		n.Lines = append(n.Lines, phrase.Say("office.rule.position", phrase.Number("n", len(changes))))
		n.Texts = append(n.Texts, strings.Join(changes, "\n")+"\n")
	}
	return n, nil
}

// sayAct says what an act is.
func sayAct(a *ruling.Act) []phrase.Phrase {
	lines := []phrase.Phrase{phrase.Say("office.rule.is", phrase.Within("kind", phrase.Say("office.ruling.kind-"+a.Kind)), phrase.Literal("reason", a.Reason))}
	switch {
	case a.Kind == log.ActDie:
		lines = append(lines, phrase.Say("office.rule.roll", phrase.Number("stop", a.Stop), phrase.Number("roll", a.Roll), phrase.Number("result", a.Result)))
	case a.Kind == log.ActRewind && a.Same:
		lines = append(lines, phrase.Say("office.rule.back-same", phrase.Number("stop", a.Stop)))
	case a.Kind == log.ActRewind:
		lines = append(lines, phrase.Say("office.rule.back-new", phrase.Number("stop", a.Stop)))
	case a.Entry != 0:
		lines = append(lines, phrase.Say("office.rule.about", phrase.Number("entry", int(a.Entry))))
	}
	if a.Dispute != 0 {
		lines = append(lines, phrase.Say("office.rule.settles", phrase.Number("entry", int(a.Dispute))))
	}
	return lines
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

package adjudicator

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A Previewed is a ruling as the log keeps that a game master looked at what it
// would do. So nobody can try rulings until the dice please him, without its
// showing.
type Previewed struct {
	Act act `json:"act"`
}

// rehearsal is a copy of the game at which an act can be tried. Nobody carries out what
// follows from it.
func (d *desk) rehearsal() *desk {
	try := d.office.deskOf(d.Fork())
	try.reader, try.operator = d.reader, d.operator
	return try
}

// rehearse carries an act out on a copy of the game.
func (d *desk) rehearse(a *act) (try *desk, done *acted, err error) {
	carry := func() error {
		try = d.rehearsal()
		done, err = try.carryOut(a)
		return err
	}
	if d.office.beside == nil {
		err = carry()
	} else {
		err = d.office.beside(d, a, carry, func() (*game.Turn, *acted) { return try.Turn, done })
	}
	return try, done, err
}

// ruleCode is what confirms an act: it holds for this act at this end of the log.
func (d *desk) ruleCode(a *act) string {
	text, err := json.Marshal(a)
	if err != nil { // it is plain data
		panic(err)
	}
	sum := d.office.derive("ruling", d.Game.ID, string(d.Last.Hash[:]), string(text))
	code := intake.KeyLetters.EncodeToString(sum[:5])
	return code[:4] + "-" + code[4:]
}

// pending gives the act of the last preview, if nothing came after it.
func (d *desk) pending() (*act, error) {
	if d.Last.Seq == 0 {
		return nil, nil
	}
	var p Previewed
	e, err := d.Entry(d.Last.Seq, nil)
	if err != nil || e.Kind != log.KindPreview {
		return nil, err
	}
	if _, err := d.Entry(d.Last.Seq, &p); err != nil {
		return nil, err
	}
	return &p.Act, nil
}

// ruleOrPreview does an act if its code fits, else previews it. The notice is for
// the game master; it tells whether the act was done.
func (d *desk) ruleOrPreview(a *act, confirm string, sure bool) (templates.Notice, bool, error) {
	stale := false
	if confirm != "" {
		waiting, err := d.pending()
		if err != nil {
			return templates.Notice{}, false, err
		}
		if a == nil {
			if waiting == nil {
				return templates.Notice{}, false, game.Refuse("office.rule.nothing-to-confirm")
			}
			a = waiting
		}
		sure = intake.SameKey(confirm, d.ruleCode(a)) && waiting != nil
		stale = !sure
	}
	try, done, err := d.rehearse(a)
	if err != nil {
		return templates.Notice{}, false, err
	}
	n, err := d.previewNotice(a, try, done)
	if err != nil {
		return n, false, err
	}
	if sure {
		if _, err := d.carryOut(a); err != nil {
			return n, false, err
		}
		n.Heading = d.letters.GMHeading()
		n.Subject = phrase.Say("office.rule.done")
		n.Lines = append([]phrase.Phrase{phrase.Say("office.rule.counts", phrase.Number("entry", int(d.lastOf(log.KindRuling, log.KindRewound))))}, n.Lines...)
		return n, true, nil
	}
	if err := d.Log(log.Entry{Kind: log.KindPreview, By: "gm", Data: Previewed{*a}}); err != nil {
		return n, false, err
	}
	n.Heading = d.letters.GMHeading()
	lines := []phrase.Phrase{phrase.Say("office.rule.preview")}
	if stale {
		lines = []phrase.Phrase{phrase.Say("office.rule.stale"), phrase.Say("office.rule.preview")}
	}
	if d.operator != nil { // the program says how
		n.Lines = append(lines, n.Lines...)
		return n, false, nil
	}
	code, key := d.ruleCode(a), d.office.gmKey(d.Game)
	if d.reader != nil {
		var err error
		if key, err = d.office.OfficeKey(d.reader.Address); err != nil {
			return n, false, err
		}
	}
	n.Lines = append(append(lines, phrase.Say("office.rule.confirm", phrase.Literal("code", code))), n.Lines...)
	command := "rule"
	if a.Kind == log.ActRewind {
		command = "rewind"
	}
	file := orders.Mapping().Set("game", orders.Text(d.Game.ID)).Set("key", orders.Text(key)).
		Set("command", orders.Text(command)).Set("confirm", orders.Text(code))
	n.Texts = append([]string{file.Encode()}, n.Texts...)
	return n, false, nil
}

// lastOf finds the first entry of this change that is of one of the kinds.
func (d *desk) lastOf(kinds ...string) uint64 {
	for _, e := range d.Entries {
		if entry, err := log.Decode(e.Body, nil); err == nil && slices.Contains(kinds, entry.Kind) {
			return e.Seq
		}
	}
	return 0
}

// previewNotice tells a game master what an act does: the position as a difference,
// the stops that are resolved anew, and what each side will be told.
func (d *desk) previewNotice(a *act, after *desk, e *acted) (templates.Notice, error) {
	n := templates.Notice{Subject: phrase.Say("office.rule.subject")}
	n.Lines = append(n.Lines, phrase.Say("office.rule.is", phrase.Within("kind", phrase.Say("office.ruling.kind-"+a.Kind)), phrase.Literal("reason", a.Reason)))
	switch {
	case a.Kind == log.ActDie:
		n.Lines = append(n.Lines, phrase.Say("office.rule.roll", phrase.Number("stop", a.Stop), phrase.Number("roll", a.Roll), phrase.Number("result", a.Result)))
	case a.Kind == log.ActRewind && a.Same:
		n.Lines = append(n.Lines, phrase.Say("office.rule.back-same", phrase.Number("stop", a.Stop)))
	case a.Kind == log.ActRewind:
		n.Lines = append(n.Lines, phrase.Say("office.rule.back-new", phrase.Number("stop", a.Stop)))
	case a.Entry != 0:
		n.Lines = append(n.Lines, phrase.Say("office.rule.about", phrase.Number("entry", int(a.Entry))))
	}
	if a.Dispute != 0 {
		n.Lines = append(n.Lines, phrase.Say("office.rule.settles", phrase.Number("entry", int(a.Dispute))))
	}
	if len(e.anew) > 0 {
		n.Lines = append(n.Lines, phrase.Say("office.rule.anew", phrase.Literals("stops", stopList(e.anew))))
	}
	if e.left > 0 {
		n.Lines = append(n.Lines, phrase.Say("office.rule.left", phrase.Number("n", e.left)))
	}
	if o, ended := after.Outcome(); ended {
		n.Lines = append(n.Lines, phrase.Say("office.rule.ends", phrase.Within("reason", o.Reason)))
	} else {
		for _, s := range after.Game.Seats {
			if s.Owes != nil {
				code := "office.rule.owes"
				if s.Owes.Answer != nil {
					code = "office.rule.answered"
				}
				n.Lines = append(n.Lines, phrase.Say(code, game.SideName(s.Side), phrase.Within("stop", game.SayStop(s.Owes))))
			}
		}
	}
	for _, s := range after.Game.Seats {
		for _, t := range e.told[s] {
			n.Lines = append(n.Lines, phrase.Say("office.rule.tells", game.SideName(s.Side), phrase.Within("what", t.Numbered())))
		}
	}
	changes, err := differences(d.Position, after.Position)
	if err != nil {
		return n, err
	}
	if len(changes) == 0 {
		n.Lines = append(n.Lines, phrase.Say("office.rule.position-same"))
	} else {
		n.Lines = append(n.Lines, phrase.Say("office.rule.position", phrase.Number("n", len(changes))))
		n.Texts = append(n.Texts, strings.Join(changes, "\n")+"\n")
	}
	return n, nil
}

func stopList(stops []int) []string {
	var all []string
	for _, n := range stops {
		all = append(all, strconv.Itoa(n))
	}
	return all
}

// mostDifferences is how many places of a position a preview shows.
const mostDifferences = 200

// differences lists where two positions differ.
func differences(a, b engine.Position) ([]string, error) {
	tree := func(p engine.Position) (*orders.Node, error) {
		text, err := p.Marshal()
		if err != nil {
			return nil, fmt.Errorf("write position: %w", err)
		}
		n, problems := orders.ParseNode(text)
		if len(problems) > 0 {
			return nil, fmt.Errorf("read position: %w", problems)
		}
		return n, nil
	}
	old, err := tree(a)
	if err != nil {
		return nil, err
	}
	now, err := tree(b)
	if err != nil {
		return nil, err
	}
	shown := func(n *orders.Node) string {
		if n == nil {
			return "-"
		}
		return phrase.Clip(phrase.OneLine(n.Encode()), 120)
	}
	var all []string
	for _, c := range orders.Diff(old, now) {
		if len(all) == mostDifferences {
			all = append(all, "...")
			break
		}
		all = append(all, c.Path+": "+shown(c.Old)+" -> "+shown(c.New))
	}
	return all, nil
}

package adjudicator

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// press passes a player's words on to others.
func (v *visit) press(s *game.Seat) error {
	p, problems := v.form().Press(s)
	if len(problems) > 0 {
		return v.refuse(s, false, problems)
	}
	if !v.mayAnswer() {
		v.done("press, too much", mail.Rejected)
		return nil
	}
	v.done("press", mail.Processed)
	err := v.Do(game.SentPress{Side: s.Side, Press: p, Letter: v.intake.reference()})
	var refused *game.RefusedError
	if errors.As(err, &refused) {
		return v.refuse(s, false, orders.Problems{v.fault("command", refused.Why)})
	}
	if err != nil {
		return err
	}
	how := ""
	if v.Game.MayWrite(game.PressGM) {
		how = "-gm"
	}
	v.reply(s, v.intake.Mail, "notice", phrase.Say("office.press.sent.subject"+how), false, phrase.Say("office.press.sent"+how, game.SayReaders(p.To, p.Reply)))
	return nil
}

// passPress is the game master's word on a letter that waits for him.
func (c *gmCommand) passPress() error {
	h, cancel, problems := c.form().Passed()
	if len(problems) > 0 {
		return c.refuseGM(problems)
	}
	if err := c.Do(game.PassedPress{Number: h.Number, Cancel: cancel, Letter: c.intake.reference()}); err != nil {
		return err
	}
	code := "office.press.passed"
	if cancel {
		code = "office.press.dropped"
	}
	return c.sendGM(templates.Notice{Heading: c.letters.GMHeading(), Subject: phrase.Say(code + ".subject"),
		Lines: []phrase.Phrase{phrase.Say(code, phrase.Names("sides", "side", game.SideIDs(h.To)))}})
}

// saidInPress is a letter as the one of its history sees it; false if it is none
// of his.
func saidInPress(e log.Entry, p *log.Press, reader engine.Side) (phrase.Phrase, bool) {
	text := phrase.Literal("text", strings.ReplaceAll(p.Text, "\n", " / "))
	switch {
	case e.Seat == reader && p.Passed != "gm" && p.Passed != "dropped":
		return phrase.Say("office.history.you-wrote", game.SayReaders(p.To, p.Reply), text), true
	case e.Seat == reader || !slices.Contains(p.To, reader) || p.Passed == "waits" || p.Passed == "dropped":
		return phrase.Phrase{}, false
	case p.Anonymous:
		return phrase.Say("office.history.somebody-wrote", text), true
	}
	return phrase.Say("office.history.wrote", game.SideName(e.Seat), text), true
}

// pressOf lists the letters of players that a seat wrote or got, the oldest
// first.
func (d *desk) pressOf(s *game.Seat) (list []phrase.Phrase, err error) {
	err = d.office.read(func(tx store.Reader) error {
		return tx.Entries(d.Game.ID, 1, func(e chain.Entry) error {
			if !bytes.Contains(e.Body, []byte(`"kind":"`+log.KindPress+`"`)) && !bytes.Contains(e.Private, []byte(`"kind":"`+log.KindPress+`"`)) {
				return nil
			}
			var p log.Press
			entry, err := log.Read(e, &p)
			if err != nil || entry.Kind != log.KindPress {
				return err
			}
			if say, ok := saidInPress(entry, &p, d.SideAt(s, e.Seq)); ok {
				list = append(list, say)
			}
			return nil
		})
	})
	return list, err
}

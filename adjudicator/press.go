package adjudicator

import (
	"errors"

	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
)

// press passes a player's words on to others.
func (req *request) press(s *game.Seat) error {
	p, problems := req.form().Press(s)
	if len(problems) > 0 {
		return req.refuse(s, false, problems)
	}
	if !req.mayAnswer() {
		req.done("press, too much", mail.Rejected)
		return nil
	}
	req.done("press", mail.Processed)
	err := req.Do(game.SentPress{Side: s.Side, Press: p, Letter: req.intake.reference()})
	var refused *game.RefusedError
	if errors.As(err, &refused) {
		return req.refuse(s, false, orders.Problems{req.fault("command", refused.Why)})
	}
	if err != nil {
		return err
	}
	how := ""
	if p.Delay > 0 {
		how = "-later"
	}
	if req.Game.MayWrite(game.PressGM) {
		how = "-gm"
	}
	req.reply(s, req.intake.Mail, "notice", phrase.Say("office.press.sent.subject"+how), false, phrase.Say("office.press.sent"+how, game.SayReaders(p.To, p.Reply), phrase.Number("stops", p.Delay)))
	return nil
}

// writeToPlayers sends what a game master writes to the players, or to the side that he names.
func (c *gmCommand) writeToPlayers() (done bool, err error) {
	text, problems := c.form().MasterPress()
	if len(problems) > 0 {
		return false, c.refuseGM(problems)
	}
	in := game.MasterWrote{Text: text, Letter: c.intake.reference()}
	if c.side != "" {
		in.To = []engine.Side{c.side}
	}
	return true, c.Do(in)
}

// passPress does what the game master decides about a letter that waits for him.
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
	return c.sendGM(c.letters.Master().Short(phrase.Say(code+".subject"), phrase.Say(code, phrase.Names("sides", "side", game.SideIDs(h.To)))))
}

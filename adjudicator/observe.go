package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/timing"
	"berthier/orders/phrase"
)

// observe adds an observer, changes what he sees, or, with view: none, removes
// him.
func (c *gmCommand) observe() error {
	o, problems := c.form().Observer()
	if len(problems) > 0 {
		return c.refuseGM(problems)
	}
	if err := c.Do(game.Observed{Observer: o, Letter: c.intake.reference()}); err != nil {
		return err
	}
	said := phrase.Say("office.observe.is-"+o.View, phrase.Literal("address", o.Person.Address), phrase.Literal("delay", timing.WriteDuration(o.Delay)))
	return c.sendGM(c.letters.Master().Short(phrase.Say("office.observe.subject"), said))
}

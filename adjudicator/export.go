package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/engine"
)

// Export gives a game as a file: to a side what it may see; to [engine.GM] everything.
func (c *Clerk) Export(id string, side engine.Side) (*log.Export, error) {
	var out *log.Export
	err := c.office.look(intake.FoldGame(id), func(tr *transaction) error {
		var err error
		out, err = tr.letters.Export(side)
		return err
	})
	return out, err
}

// Archive gives a finished game as one page of HTML in a language: stop by stop
// what was ordered, rolled and told, with the maps of all sides.
func (c *Clerk) Archive(id, language string) ([]byte, error) {
	var page []byte
	err := c.office.look(intake.FoldGame(id), func(tr *transaction) error {
		if tr.Game.Phase == game.Running {
			return game.Refuse("office.archive.running")
		}
		h := tr.letters.GMHeading()
		h.Reader.Language = language
		var err error
		page, err = tr.letters.Archive(h)
		return err
	})
	return page, err
}

package adjudicator

import (
	"crypto/ed25519"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/report"
	"berthier/engine"
	"berthier/templates"
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

// signingKey is the key with which the office signs exports. It hangs on the secret of its database alone.
func signingKey(o *Office) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(o.keys.Derive("signature of exports")[:ed25519.SeedSize])
}

// Archive gives a finished game as one page of HTML in a language: stop by stop
// what was ordered, rolled and told, with the maps of all sides.
func (c *Clerk) Archive(id, language string) ([]byte, error) {
	return c.archive(id, language, (*report.Writer).Archive)
}

// PublicArchive gives a finished game as one page of HTML for everybody: without the reasons that
// people gave in their own words.
func (c *Clerk) PublicArchive(id, language string) ([]byte, error) {
	return c.archive(id, language, func(w *report.Writer, h templates.Heading) ([]byte, error) {
		h.Reader.Zone = time.UTC // and not the game master's own
		return w.PublicArchive(h)
	})
}

// archive gives a finished game as one page of HTML, as write writes it.
func (c *Clerk) archive(id, language string, write func(*report.Writer, templates.Heading) ([]byte, error)) ([]byte, error) {
	var page []byte
	err := c.office.look(intake.FoldGame(id), func(tr *transaction) error {
		if tr.Game.Phase == game.Running {
			return game.Refuse("office.archive.running")
		}
		h := tr.letters.GMHeading()
		h.Reader.Language = language
		var err error
		page, err = write(tr.letters, h)
		return err
	})
	return page, err
}

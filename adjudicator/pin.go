package adjudicator

import (
	"context"
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/verify"
	"berthier/engine"
)

// digest is the digest of what decides in games of a system.
func (o *Office) digest(system string) string {
	if known, ok := o.digests.Load(system); ok {
		return known.(string)
	}
	sum := engine.Digest(o.systems[system])
	o.digests.Store(system, sum)
	return sum
}

// otherRules tells whether the program has other rules than those that a game was
// last found to fit, and nobody has looked at that yet.
func (o *Office) otherRules(g *game.State) bool {
	sum := o.digest(g.System)
	return g.Phase == game.Running && sum != "" && sum != g.Rules && sum != g.Unlike
}

// pin plays a running game again from its log when it is first taken up by a program
// with other rules than it has been played with. If all its stops give the same result it
// goes on under the new rules; otherwise it stands still, and its game master decides. The log
// has either. The caller holds the game.
func (o *Office) pin(ctx context.Context, t *opened) error {
	tr := o.transaction(t.Loaded, o.now())
	tr.opened = t
	x, err := tr.letters.Export(engine.GM)
	if err != nil {
		return err
	}
	v, err := verify.Game(x, []engine.Ruleset{t.Rules})
	if err != nil {
		return fmt.Errorf("play %s again: %w", t.Game.ID, err)
	}
	c := log.RulesChanged{Digest: o.digest(t.Game.System), Program: o.opt.Version, Stops: v.Stops(), Where: v.Otherwise()}
	c.Alike = c.Where == ""
	if err := tr.Do(game.PlayedAgain{Found: c}); err != nil {
		return err
	}
	if c.Alike {
		o.log.Info("game plays the same under other rules", "game", t.Game.ID, "stops", c.Stops)
	} else {
		o.log.Warn("game would play otherwise under the rules of this program, paused", "game", t.Game.ID, "see", "berthier game show")
	}
	return tr.commit(ctx)
}

// AcceptRules lets a game that stands still because it would have gone differently under the
// program's rules go on under them.
func (c *Clerk) AcceptRules(ctx context.Context, id string) error {
	return c.act(ctx, id, func(tr *transaction) error {
		if err := tr.Do(game.RulesAccepted{Program: c.office.opt.Version}); err != nil {
			return err
		}
		return tr.Do(game.Resumed{})
	})
}

package adjudicator

import (
	"encoding/hex"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
)

// sealed puts the seal of what a file orders beside it.
func (d *desk) sealed(t log.Taken, answer engine.Answer) (log.Taken, error) {
	if d.Game.DiceScheme() == log.FirstScheme {
		return t, nil
	}
	var salt [16]byte
	if err := d.office.draw(salt[:]); err != nil {
		return t, err
	}
	t.Salt = hex.EncodeToString(salt[:])
	t.Seal = log.SealOf(t.Salt, game.Normal(d.Turn, answer))
	return t, nil
}

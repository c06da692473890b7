package setup

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/orders"
	"berthier/orders/phrase"
)

// readProof reads what a game asks for, once its people are known.
func (rd *Reader) readProof(r *orders.Reader, f orders.Fields, s *Setup) {
	n := f.Get("proof")
	if n == nil {
		return
	}
	level, ok := r.Word(n, intake.Levels...)
	if !ok {
		return
	}
	s.Proof = level
	switch {
	case level == game.ProofDKIM && !rd.DKIM:
		r.Refuse(n, "", phrase.Say("office.setup.no-dkim"))
	case level == game.ProofSigned && s.GM.PGP == "":
		r.Refuse(n, "", phrase.Say("office.setup.gm-unsigned"))
	}
}

// pressKinds are those of letters between players.
var pressKinds = []string{game.PressNone, game.PressOpen, game.PressSigned, game.PressAnonymous, game.PressGM, game.PressAllies, game.PressDelayed, game.PressFaked}

// readPress reads which kinds of letters a game has.
func readPress(r *orders.Reader, n *orders.Node) []string {
	var kinds []string
	for _, item := range r.List(n) {
		word, ok := r.Word(item, append([]string{"relay"}, pressKinds...)...)
		if word == "relay" {
			word = game.PressSigned
		}
		if ok && !slices.Contains(kinds, word) {
			kinds = append(kinds, word)
		}
	}
	modes := []string{game.PressDelayed, game.PressFaked} // of letters that are written anyhow
	if len(kinds) > 0 && !slices.ContainsFunc(kinds, func(kind string) bool { return !slices.Contains(modes, kind) }) {
		kinds = append(kinds, game.PressSigned)
	}
	if len(kinds) > 1 && slices.Contains(kinds, game.PressNone) {
		r.Refuse(n, "", phrase.Say("office.setup.press"))
	}
	return kinds
}

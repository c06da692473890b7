package adjudicator

import (
	"encoding/hex"
	"errors"
	"time"

	"berthier/adjudicator/game"
	"berthier/mail"
	"berthier/orders"
)

// prove checks what a game asks for besides the key; public is what the letter is to
// be signed with. Of a signed letter it gives the file that the signature covers, which
// alone counts.
func (it *incoming) prove(g *game.State, public string, doc *orders.Document, problems orders.Problems) (*orders.Document, orders.Problems, error) {
	switch g.ProofLevel() {
	case game.ProofDKIM:
		switch {
		case !it.asked:
			return nil, nil, errAskDomain
		case errors.Is(it.domain, mail.ErrNotNow):
			return nil, nil, &unprovenError{code: "dkim-later"}
		case it.domain != nil:
			return nil, nil, &unprovenError{code: "dkim"}
		}
		// Whose word the server's is may not cover the Message-ID: the same content
		// is the same letter, too.
		content := it.content()
		it.once = []string{"proven " + it.from + " " + it.letter.MessageID, "content " + hex.EncodeToString(content[:])}
	case game.ProofSigned:
		if public == "" {
			return nil, nil, &unprovenError{code: "no-public-key"}
		}
		// A clock that is a little ahead must not make a signature worthless.
		proof, err := it.letter.ProveSignature(public, it.now.Add(time.Hour))
		switch {
		case errors.Is(err, mail.ErrUnsigned):
			return nil, nil, &unprovenError{code: "unsigned"}
		case err != nil:
			return nil, nil, &unprovenError{code: "signature"}
		}
		file, faults := orders.Find(partsOf(proof.Parts))
		if len(faults) > 0 {
			return nil, nil, &unprovenError{code: "outside"}
		}
		covered, faults := orders.Parse(file.Text, nil)
		if covered.Root == nil || foldKey(covered.Key) != foldKey(doc.Key) || foldGame(covered.Game) != foldGame(doc.Game) {
			return nil, nil, &unprovenError{code: "outside"}
		}
		doc, problems = covered, faults
		it.made, it.covered = proof.Made, proof.Parts
		it.once = []string{"signed " + hex.EncodeToString(proof.Mark[:]) + " " + proof.Made.UTC().Format(time.RFC3339)}
	}
	return doc, problems, nil
}

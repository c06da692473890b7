package intake

import (
	"encoding/hex"
	"errors"
	"regexp"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/mail"
	"berthier/orders"
)

func partKind(k mail.PartKind) orders.PartKind {
	switch k {
	case mail.HTML:
		return orders.HTML
	case mail.Attachment:
		return orders.File
	}
	return orders.Plain
}

// FoldGame is the id of a game, given how somebody wrote it.
func FoldGame(id string) string { return strings.ToLower(strings.TrimSpace(id)) }

// ErrNotTheirs: the key is not one of the game's. A change that fails with it has
// changed nothing yet.
var ErrNotTheirs = errors.New("the key is none of this game's")

// Levels are what a game may ask for before it believes who sent a letter.
var Levels = []string{game.ProofAddress, game.ProofKey, game.ProofDKIM, game.ProofSigned}

// ErrAskDomain: it must first be found out whether the letter's domain is proven, which
// takes time. A change that fails with it has changed nothing yet.
var ErrAskDomain = errors.New("the letter's domain must be proven first")

// An UnprovenError says that a letter has the right key, but not the further proof that its
// game or league demands. A change that fails with it has changed nothing yet.
type UnprovenError struct{ Code string }

// Error names what is missing.
func (e *UnprovenError) Error() string { return "not proven: " + e.Code }

// PartsOf gives the parts of a letter in the form in which an order file is looked for in them.
func PartsOf(letter []mail.Part) []orders.Part {
	parts := make([]orders.Part, len(letter))
	for i, p := range letter {
		parts[i] = orders.Part{Kind: partKind(p.Kind), Name: p.Name, Text: p.Text}
	}
	return parts
}

var GameID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// Prove checks what is demanded besides the key, which is one of [Levels]; public is the key with
// which the letter must be signed. For a signed letter it gives the file that the signature covers,
// which alone counts.
func (it *Letter) Prove(level, public string, doc *orders.Document, problems orders.Problems) (*orders.Document, orders.Problems, error) {
	switch level {
	case game.ProofDKIM:
		switch {
		case !it.Asked:
			return nil, nil, ErrAskDomain
		case errors.Is(it.Domain, mail.ErrNotNow):
			return nil, nil, &UnprovenError{Code: "dkim-later"}
		case it.Domain != nil:
			return nil, nil, &UnprovenError{Code: "dkim"}
		}
		// What the server vouches for may not cover the Message-ID: so letters with the same
		// content count as the same letter, too.
		content := it.Content()
		it.Once = []string{"proven " + it.From + " " + it.Mail.MessageID, "content " + hex.EncodeToString(content[:])}
	case game.ProofSigned:
		if public == "" {
			return nil, nil, &UnprovenError{Code: "no-public-key"}
		}
		// A clock that is a little fast must not make a signature worthless.
		proof, err := it.Mail.ProveSignature(public, it.Now.Add(time.Hour))
		switch {
		case errors.Is(err, mail.ErrUnsigned):
			return nil, nil, &UnprovenError{Code: "unsigned"}
		case err != nil:
			return nil, nil, &UnprovenError{Code: "signature"}
		}
		file, faults := orders.Find(PartsOf(proof.Parts))
		if len(faults) > 0 {
			return nil, nil, &UnprovenError{Code: "outside"}
		}
		covered, faults := file.Parse(nil)
		if covered.Root == nil || foldKey(covered.Key) != foldKey(doc.Key) || FoldGame(covered.Game) != FoldGame(doc.Game) {
			return nil, nil, &UnprovenError{Code: "outside"}
		}
		doc, problems = covered, faults
		it.made, it.covered = proof.Made, proof.Parts
		it.Once = []string{"signed " + hex.EncodeToString(proof.Mark[:]) + " " + proof.Made.UTC().Format(time.RFC3339)}
	}
	return doc, problems, nil
}

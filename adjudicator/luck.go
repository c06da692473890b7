package adjudicator

import "berthier/engine"

// luck are the words that players gave against a seed chosen by the office.
type luck struct {
	Words map[engine.Side]string `json:"words,omitempty"`
}

// A LuckWord is a player's word, as the log keeps it.
type LuckWord struct {
	Side engine.Side `json:"side"`
	Word string      `json:"word"`
}

// sealedWords checks that each player has said in a letter what the log has as his
// word.
func (r *replay) sealedWords(numbered) {}

// words are those that go into every roll of the game.
func (g *game) words() []LuckWord { return nil }

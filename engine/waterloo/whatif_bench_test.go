package waterloo

import (
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/whatif"
)

// BenchmarkWhatIf asks a question with a hundred runs at each of some stops of a game.
func BenchmarkWhatIf(b *testing.B) {
	var asked []whatif.Question
	_, err := playout.Game{Rules: New(), Setup: engine.Setup{}, Seed: 5}.Play(func(m playout.Moment) error {
		for _, d := range m.Owed {
			if m.Number%5 == 0 && len(asked) < 60 {
				asked = append(asked, whatif.Question{Rules: New(), View: m.Position.View(d.Side), Decision: d, Answer: m.Answers[d.Side], Runs: 100})
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for i := range b.N {
		if _, err := asked[i%len(asked)].Ask(); err != nil {
			b.Fatal(err)
		}
	}
}

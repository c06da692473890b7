package waterloo

import (
	"testing"

	"berthier/engine/playout"
)

// Whatever may be chosen is accepted, and whatever is accepted could be chosen, at the
// stops of random games under all readings.
func TestChoices(t *testing.T) {
	for i, one := range setups {
		t.Run(one.Name, func(t *testing.T) {
			t.Parallel()
			check := playout.Properties{Rules: New(), Answers: 2, Broken: 3, Choices: 3, Deep: 6, Every: 19}
			if !fullSamples {
				check.Every = 97
			}
			if _, err := playout.Run(New(), one.Setup, uint64(3000+i), check.Observe); err != nil {
				t.Error(err)
			}
		})
	}
}

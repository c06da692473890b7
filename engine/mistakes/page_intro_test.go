package mistakes

import (
	"slices"
	"testing"

	"berthier/orders/phrase"
)

// The first letter of every game names each town that its score counts, with its points, and by option the leaders.
func TestFirstLetterNamesWhatCounts(t *testing.T) {
	for _, game := range []string{"historical", "free", "free-plus", "ready-3p", "free-deploy", "free-deploy-3p", "free-deploy-3p-plus"} {
		for _, generals := range []string{"no", "yes"} {
			g := begin(t, map[string]string{"game": game, "free-generals": generals})
			var named []string
			for _, say := range (Ruleset{}).Introduce(g.view("blue")).Game {
				named = append(named, pointsNamed(say)...)
			}
			for a, vp := range g.townValues() {
				if vp > 0 && !slices.Contains(named, g.area(areaID(a)).name) {
					t.Errorf("%s: %s, which counts %d, is not named in %v", game, g.area(areaID(a)).name, vp, named)
				}
			}
			if free := g.length().scoring == scoreFree; free && (generals == "yes") != slices.Contains(named, "Reille") {
				t.Errorf("%s, free-generals: %s names %v", game, generals, named)
			}
		}
	}
}

// pointsNamed are the names of what counts that a phrase lists.
func pointsNamed(say phrase.Phrase) []string {
	var all []string
	for _, a := range say.Args {
		for _, v := range a.Value.List {
			if v.Say != nil && v.Say.Code == "em.intro.points" {
				all = append(all, v.Say.Args[0].Value.Text)
			}
		}
	}
	return all
}

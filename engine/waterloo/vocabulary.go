package waterloo

import "slices"

// The keywords for the things of the model: in order files, positions and the arguments
// of sentences.
var (
	armyWords    = [armies]string{"", "french", "anglo", "prussian"}
	campWords    = [camps]string{"", "french", "allies"}
	facingWords  = [...]string{"", "N", "E", "S", "W"}
	terrainWords = [...]string{"clear", "wood", "village", "chateau", "hill"}
	armWords     = [...]string{"", "infantry", "cavalry"}
	weightWords  = [...]string{"", "light", "heavy"}
	actionWords  = [...]string{"none", "artillery-fire", "command-bonus", "elite-bonus", "cavalry-charge", "enemy-cavalry-must-charge", "reorganise", "napoleons-health"}
	windowWords  = [...]string{"", "round-start", "entered", "after-card", "after-battle", "round-end", "revealed"}
	entryWords   = [...]string{"move", "advance", "retreat", "charge"}

	turnStageWords   = [...]string{"deal", "bid", "rounds"}
	roundStageWords  = [...]string{"opening", "steps", "carded", "strike", "fought", "closing", "over"}
	battleStageWords = [...]string{"committing", "revealed", "judged", "advancing", "closing"}
	entryStageWords  = [...]string{"commander", "cavalry", "window", "done"}

	reactionWords = [...]string{"ask", "continue"}
)

func (a army) String() string    { return armyWords[a] }
func (c camp) String() string    { return campWords[c] }
func (f facing) String() string  { return facingWords[f] }
func (t terrain) String() string { return terrainWords[t] }
func (a arm) String() string     { return armWords[a] }
func (w weight) String() string  { return weightWords[w] }
func (a action) String() string  { return actionWords[a] }
func (u use) String() string     { return useWords[u] }
func (w window) String() string  { return windowWords[w] }

// armyNamed finds an army by its word.
func armyNamed(word string) (army, bool) {
	i := slices.Index(armyWords[1:], word)
	return army(i + 1), i >= 0
}

package napoleon

// The keywords for the things of the model: in order files, positions and the arguments of
// sentences.

func (a army) String() string { return armyWords[a] }

// armyNamed finds an army by its name.
func armyNamed(name string) (army, bool) {
	for a, n := range armyWords {
		if n == name {
			return army(a), true
		}
	}
	return 0, false
}

func (c camp) String() string { return campWords[c] }

// campNamed finds a camp by its name.
func campNamed(name string) (camp, bool) {
	for c, n := range campWords {
		if n == name {
			return camp(c), true
		}
	}
	return 0, false
}

func (k kind) String() string { return kindWords[k] }

func (p piece) String() string { return pieceWords[p] }

// pieceNamed finds a piece of terrain by its name.
func pieceNamed(name string) (piece, bool) {
	for p, n := range pieceWords {
		if n == name {
			return piece(p), true
		}
	}
	return noPiece, false
}

func (f field) String() string { return fieldWords[f] }

func (p phase) String() string { return phaseWords[p] }

// Words of positions, in the order of their constants.
var (
	stageWords = [...]string{"opened", "revealing", "skirmishing", "withdrawing", "drawing", "answering",
		"deploying-defender", "deploying-attacker", "fighting", "routing", "regrouping", "finished"}
	stepWords  = [...]string{"due", "morale", "combat", "reinforce", "retreat", "over"}
	verbWords  = [...]string{"", "move", "fire", "square", "break", "shelter", "leave", "occupy", "swap", "retreat"}
	groupWords = [...]string{"", "others", "squares"}
)

func (s stage) String() string { return stageWords[s] }

func (s step) String() string { return stepWords[s] }

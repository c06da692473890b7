package napoleon

import "slices"

// Examples of a battle turn that join two actions or name a place by its column: verbs that the
// lines of single units don't need.

// A joinedVerb is such an example; the first of the units that may do it says it.
type joinedVerb struct {
	words string // what stands behind the units
	verb  string
	says  filedAction
}

var joinedVerbs = []joinedVerb{
	{", pos: left", "engage", filedAction{column: 0}},
	{", pos: center", "engage", filedAction{column: 1}},
	{", pos: right", "engage", filedAction{column: 2}},
	{", to: reserve", "disengage", filedAction{far: true}},
	{", path: [forward]", "move-fire", filedAction{path: []string{"forward"}}},
	{", path: [reserve]", "fire-move", filedAction{path: []string{"reserve"}}},
}

// joinedLines are the examples that are legal now, one a verb, and one in which all fire.
func (v *View) joinedLines(b *battle) []string {
	var lines, said []string
	for i := range joinedVerbs {
		one := &joinedVerbs[i]
		if slices.Contains(said, one.verb) {
			continue
		}
		at := slices.IndexFunc(turnVerbs, func(verb turnVerb) bool { return verb.word == one.verb })
		acts := turnVerbs[at].does(&one.says)
		for j := range v.units {
			u := &v.units[j]
			if b.fights(u) && v.own[u.army] && v.does(b, u, acts) {
				said = append(said, one.verb)
				lines = append(lines, "- "+one.verb+": {units: ["+v.unitName(u.id)+"]"+one.words+"}")
				break
			}
		}
	}
	return lines
}

// does tells whether a unit may do the actions of a verb, one after the other, if no shot hits.
// The first is judged on the board as it stands; what follows it, on a copy.
func (v *View) does(b *battle, u *unit, all []intent) bool {
	w := world{v.game, b}
	for i, next := range all {
		a, f := next(w, w.game.unit(u.id))
		if a.unit = u.id; f != nil || w.game.judge(w.b, a) != nil {
			return false
		}
		if i == len(all)-1 {
			break
		}
		if i == 0 {
			w = v.try(b)
		}
		w.do(a, w.spared)
	}
	return true
}

package mistakes

import "slices"

// What manoeuvres make of formations that touch: those of two corps are united, and come apart when
// one is set in motion (EM-9.3); those of one corps may be joined in the next turn (EM-9.10).

// splitStarted splits, at the end of 3.2, formations that were set in motion from those united with
// them that do not move (EM-9.3, EM-R105).
func (g *game) splitStarted() {
	for i := range g.Formations {
		f := &g.Formations[i]
		if !f.Started || !f.Green {
			continue
		}
		for _, other := range g.united(f) {
			if !other.Green {
				g.cut(f.Units, other.Units)
			}
		}
	}
}

// link notes, at the end of 3.3, the units of different formations of one corps that touch after a
// manoeuvre of one of the two (EM-9.10, EM-R106).
func (g *game) link() {
	g.unlink()
	for i := range g.Formations {
		f := &g.Formations[i]
		for j := range g.Formations[:i] {
			other := &g.Formations[j]
			if f.Corps != other.Corps || !f.Manoeuvred && !other.Manoeuvred {
				continue
			}
			for _, u := range f.Units {
				for _, v := range other.Units {
					if x := pairOf(u, v); g.contact(u, v) && !slices.Contains(g.Joinable, x) {
						g.Joinable = append(g.Joinable, x)
					}
				}
			}
		}
	}
	slices.SortFunc(g.Joinable, byNumbers)
}

// unlink forgets the pairs that touch no more, or are of one formation now.
func (g *game) unlink() {
	g.Joinable = slices.DeleteFunc(slices.Clone(g.Joinable), func(x pair) bool {
		return !g.on(x.A) || !g.on(x.B) || !g.contact(x.A, x.B) || g.of(x.A) == g.of(x.B)
	})
}

// unlinked is the first of some formations that hangs together with the first of all by no manoeuvre
// that ended in contact, neither with it nor through the others (EM-R106); "" if there is none.
func (g *game) unlinked(ids []string) string {
	linked := ids[:1:1]
	for i := 0; i < len(linked); i++ {
		f := g.formationNamed(linked[i])
		for _, id := range ids {
			other := g.formationNamed(id)
			if !slices.Contains(linked, id) && slices.ContainsFunc(g.Joinable, func(x pair) bool {
				return g.contact(x.A, x.B) && (slices.Contains(f.Units, x.A) && slices.Contains(other.Units, x.B) ||
					slices.Contains(f.Units, x.B) && slices.Contains(other.Units, x.A))
			}) {
				linked = append(linked, id)
			}
		}
	}
	i := slices.IndexFunc(ids, func(id string) bool { return !slices.Contains(linked, id) })
	if i < 0 {
		return ""
	}
	return ids[i]
}

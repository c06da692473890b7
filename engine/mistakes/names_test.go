package mistakes

import "testing"

// What players read of has a name, and no two things of a kind have the same.
func TestNamesOfTheScenario(t *testing.T) {
	s := begin(t, nil).scenario
	for kind, names := range map[string]func(yield func(string)){
		"corps' signs, army by army": func(yield func(string)) {
			for _, c := range s.corps {
				yield(c.army.String() + " " + c.sign)
			}
		},
		"bridges": func(yield func(string)) {
			for _, b := range s.bridges {
				yield(b.id + ": " + b.name)
			}
		},
		"leaders": func(yield func(string)) {
			for _, l := range s.leaders {
				yield(l.name)
			}
		},
		"stretches": func(yield func(string)) {
			for _, p := range s.stretches {
				yield(p.id)
			}
		},
		"games": func(yield func(string)) {
			for _, l := range s.lengths {
				yield(l.id)
				if len(l.title) == 0 {
					t.Errorf("%s has no title", l.id)
				}
			}
		},
	} {
		known := map[string]bool{}
		names(func(name string) {
			if name == "" || known[name] {
				t.Errorf("%s: %q is no name, or comes twice", kind, name)
			}
			known[name] = true
		})
		if len(known) < 2 {
			t.Errorf("%s: %d names", kind, len(known))
		}
	}
	for _, l := range s.lines {
		if l.kind == road && l.name == "" {
			t.Errorf("road %s has no name", l.id)
		}
	}
	if s.title["en"] == "" || s.title["it"] == "" {
		t.Error("the scenario has no title in both languages")
	}
}

// The order of battle has units of every quality, and one game whose last turn may be agreed.
func TestQualitiesAndAgreement(t *testing.T) {
	s := begin(t, nil).scenario
	count := map[quality]int{}
	for _, u := range s.roster {
		count[u.quality]++
	}
	for _, q := range []quality{recruits, regulars, veterans, elite, guard} {
		if count[q] == 0 {
			t.Errorf("no %s", qualityWords[q])
		}
	}
	agreed := 0
	for _, l := range s.lengths {
		if l.agreed {
			agreed++
		}
	}
	if agreed == 0 {
		t.Error("no game ends by agreement")
	}
}

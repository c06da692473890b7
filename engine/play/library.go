package play

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A Scenario is a scenario as a [Library] keeps it.
type Scenario interface {
	// Name is what a set-up calls the scenario.
	Name() string
}

// A Library holds a ruleset's scenarios: the built-in ones, read once, and those of users
// that were read last, so that the scenario need not be read again with every position
// of a game. Scenarios never change once read.
type Library[S Scenario] struct {
	// Files hold the built-in scenarios, Built lists their paths; the first is the
	// default. They are part of the program, so a fault in them is a programmer's
	// mistake.
	Files fs.FS
	Built []string
	// Read reads a scenario file, strictly.
	Read func(data []byte) (S, orders.Problems)

	once  sync.Once
	built []S

	mutex sync.Mutex
	sums  [][sha256.Size]byte
	own   []S
}

// mostOwn is how many scenarios of users are kept.
const mostOwn = 16

// Scenarios gives the built-in scenarios.
func (s *Library[S]) Scenarios() []S {
	s.once.Do(func() {
		for _, file := range s.Built {
			data, err := fs.ReadFile(s.Files, file)
			if err != nil {
				panic("play: " + err.Error())
			}
			scenario, faults := s.Read(data)
			if len(faults) > 0 {
				panic(fmt.Sprintf("play: %s: %v", file, faults))
			}
			s.built = append(s.built, scenario)
		}
	})
	return s.built
}

// Names lists the names of the built-in scenarios.
func (s *Library[S]) Names() []string {
	var names []string
	for _, scenario := range s.Scenarios() {
		names = append(names, scenario.Name())
	}
	return names
}

// Named finds a built-in scenario by its name or by the name of its file; "" is the
// first.
func (s *Library[S]) Named(name string) (S, bool) {
	for i, scenario := range s.Scenarios() {
		if name == "" || name == scenario.Name() || name == strings.TrimSuffix(path.Base(s.Built[i]), ".yaml") {
			return scenario, true
		}
	}
	var none S
	return none, false
}

// Own reads a user's own scenario file.
func (s *Library[S]) Own(data []byte) (S, orders.Problems) {
	sum := sha256.Sum256(data)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if i := slices.Index(s.sums, sum); i >= 0 {
		return s.own[i], nil
	}
	scenario, faults := s.Read(data)
	if len(faults) > 0 {
		var none S
		return none, faults
	}
	if len(s.sums) >= mostOwn {
		s.sums, s.own = slices.Delete(s.sums, 0, 1), slices.Delete(s.own, 0, 1)
	}
	s.sums, s.own = append(s.sums, sum), append(s.own, scenario)
	return scenario, nil
}

// Of finds the scenario of a set-up: a user's own file, or a built-in one.
func (s *Library[S]) Of(setup engine.Setup) (S, orders.Problems) {
	var none S
	if len(setup.Data) == 0 {
		scenario, ok := s.Named(setup.Scenario)
		if !ok {
			return none, orders.Problems{{Why: s.Unknown(setup.Scenario)}}
		}
		return scenario, nil
	}
	scenario, faults := s.Own(setup.Data)
	if len(faults) > 0 {
		return none, faults
	}
	if setup.Scenario != "" && setup.Scenario != scenario.Name() {
		return none, orders.Problems{{Why: phrase.Say("play.scenario-other",
			phrase.Literal("scenario", scenario.Name()), phrase.Literal("wanted", setup.Scenario))}}
	}
	return scenario, nil
}

// Unknown says that there is no scenario of this name, and lists those that there are.
func (s *Library[S]) Unknown(name string) phrase.Phrase {
	return phrase.Say("play.scenario-unknown", phrase.Literal("scenario", name), phrase.Literals("names", s.Names()))
}

// Placed finds the scenario of a position that is read: a user's own file, which the
// position holds under the key file, or the built-in scenario that it names under the
// key scenario. Faults go to the reader.
func (s *Library[S]) Placed(r *orders.Reader, f orders.Fields) (S, bool) {
	var none S
	name, ok := r.Text(r.Require(f, "scenario"))
	if !ok {
		return none, false
	}
	if file := f.Get("file"); file != nil {
		text, ok := r.Text(file)
		if !ok {
			return none, false
		}
		scenario, faults := s.Own([]byte(text))
		for _, fault := range faults {
			r.RefuseWith(file, fault.Clause, fault.Why, fault.Remedy)
		}
		return scenario, len(faults) == 0
	}
	scenario, ok := s.Named(name)
	if !ok {
		r.Refuse(f.Get("scenario"), "", s.Unknown(name))
	}
	return scenario, ok
}

package season

import "fmt"

// Rested says that a member who has entered wants no side of others to play until he says otherwise, or that he takes such
// sides again. His own games go on.
type Rested struct {
	Member string
	Rests  bool
}

func (a Rested) apply(s *Season) error {
	e := s.entry(a.Member)
	if e == nil || e.Rests == a.Rests {
		return fmt.Errorf("%s has not entered, or has said so already", a.Member)
	}
	e.Rests = a.Rests
	return nil
}

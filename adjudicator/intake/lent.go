package intake

import (
	"slices"
	"strconv"
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/timing"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Lent reads for how long a player lends his seat to the bot: until: my next letter, until:
// stop 40, or until: a day, by his clock; without until: it is until his next letter. With
// cancel: yes he takes it back.
func (f *File) Lent(s *game.Seat) (lent game.Lent, cancel bool, problems orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	cancel, _ = r.Bool(f.Value("cancel"))
	until := f.Value("until")
	switch {
	case f.Game.Phase != game.Running || s.Resigned:
		r.Problems = append(r.Problems, f.Fault("command", phrase.Say("office.lent.not-now")))
	case cancel && !s.Bot:
		r.Problems = append(r.Problems, f.Fault("cancel", phrase.Say("office.lent.nothing")))
	case cancel:
	case !f.Game.Lending:
		r.Problems = append(r.Problems, f.Fault("command", phrase.Say("office.lent.forbidden")))
	case until == nil || r.Is(until, "my next letter"):
	default:
		text, _ := r.Text(until)
		word, number, _ := strings.Cut(strings.TrimSpace(text), " ")
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if !slices.Contains(append([]string{"stop"}, orders.Common["stop"]...), orders.Fold(word)) {
			lent.Until, _ = readMoment(r, until, timing.Zone(s.Person.Zone), true)
			if len(r.Problems) == 0 && !lent.Until.After(f.Now) {
				r.Refuse(until, "", phrase.Say("office.lent.past"))
			}
			break
		}
		if lent.Stop = n; err != nil || n <= s.Stops {
			r.Refuse(until, "", phrase.Say("office.lent.stop-past", phrase.Number("stop", s.Stops)))
		}
	}
	r.Problems.Sort()
	return lent, cancel, r.Problems
}

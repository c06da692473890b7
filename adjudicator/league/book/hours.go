package book

import "time"

// A large round begins over the hours of a day, so that its first reports are not all drawn and sent
// at once, nor all its deadlines end in one night.
const (
	// LeastAnHour is of how many pairings the games may begin in any hour. A round that has no more
	// begins at once.
	LeastAnHour = 200
	// RoundHours is over how many hours a larger round is spread.
	RoundHours = 24
)

// An hourOfGames counts the pairings whose games began within an hour, by the log.
type hourOfGames struct {
	at time.Time // when it began
	n  int
}

// count counts a pairing whose games begin.
func (h *hourOfGames) count(at time.Time) {
	if hour := at.Truncate(time.Hour); !hour.Equal(h.at) {
		*h = hourOfGames{at: hour}
	}
	h.n++
}

// MayBegin says of how many pairings the games may still begin in the hour of a moment, and when the
// next hour comes.
func (b *Book) MayBegin(now time.Time) (pairings int, next time.Time) {
	hour := now.Truncate(time.Hour)
	most := LeastAnHour
	if b.Season != nil { // two members at least meet in a pairing
		most = max(most, (len(b.Season.Entries)/2+RoundHours-1)/RoundHours)
	}
	if hour.Equal(b.hour.at) {
		most -= b.hour.n
	}
	return max(most, 0), hour.Add(time.Hour)
}

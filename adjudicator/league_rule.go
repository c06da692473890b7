package adjudicator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/season"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A LeagueRuling is what a secretary decides in a season. None of it types a result over: a side
// has forfeited, a game is cancelled, a ruling no longer holds, a final result stands or is what its
// game says by now, a protest is dismissed, the season has more time.
type LeagueRuling struct {
	Kind   string    `json:"kind"` // the name of one of [secretaryActs]
	Game   string    `json:"game,omitempty"`
	Of     []string  `json:"of,omitempty"`   // members whose sides are forfeited, or who are taken out of the season
	Until  time.Time `json:"until,omitzero"` // to which the season is extended, or on which it begins; a game alone gets its time by rule
	By     string    `json:"by"`             // address of the secretary, or of the second person; "": the only secretary
	Reason string    `json:"reason"`         // kept in the log, and not told

	Overrules string `json:"overrules,omitempty"` // what no longer holds, if not a ruling on the game: withdraw, extend, dismiss

	// Text and Files are another set-up of the league, or Text the export of a game of another office; in place of them a letter has the keys that are to change.
	Text  string            `json:"text,omitempty"`
	Files map[string]string `json:"files,omitempty"`
	keys  *orders.Node
}

// A PlaceChange is a member whose row of the table is another by a ruling.
type PlaceChange struct {
	Division, Member  string
	Place, Was        int   // 0: he has none
	Points, WasPoints int64 // in twelfths
}

// A LeagueRuled is what a ruling would do, or has done.
type LeagueRuled struct {
	Done    bool          // it counts
	Code    string        // what confirms it; "" if it counts
	Second  bool          // nothing changes until a second person wants the same
	Changes []PlaceChange // in the tables

	Prolonged *ProlongedGame // the game that gets more time than the season has

	Now, Later []string // keys of the set-up that are others: at once, and from the next season on

	Fresh []string // names of people in a list who become members first

	Step *SeasonStep // what the season comes to, if it is taken further
}

// A SeasonStep is how a season stands once it is taken a step further. Of what lots decide it tells nothing before that is done.
type SeasonStep struct {
	Season         string
	Entered, Asked []string  // who has entered, and who still waits for a yes
	Waiting        int       // who have no place in a division
	Closes, Starts time.Time // at which it goes on by itself; zero: it does not
	Divisions      []string  // with how many members, or for how many there is room
	Moves          []book.Move
	Told           string // once it is done: the digest of the seed, or of the list, or the seed
}

// stepOf tells how the season stands after a step.
func stepOf(t *leagueTurn, kind string) (*SeasonStep, error) {
	v := t.Season
	step := &SeasonStep{Season: v.Plan.Season, Asked: slices.Clone(t.Asked)}
	for _, e := range v.Entries {
		if !e.Withdrawn {
			step.Entered = append(step.Entered, e.Member)
		}
	}
	switch v.Phase {
	case season.Entering:
		step.Closes, step.Starts = t.Dates.Close, t.Dates.Start
	case season.Dividing:
		step.Starts = t.Dates.Start
	}
	for _, d := range v.Plan.Divisions {
		if v.Phase == season.Entering {
			step.Divisions = append(step.Divisions, fmt.Sprintf("%s (%d)", d.ID, d.Size))
		}
	}
	for _, d := range v.Divisions {
		if kind == "start" {
			step.Divisions = append(step.Divisions, fmt.Sprintf("%s (%d)", d.ID, len(d.Members)))
		}
	}
	var err error
	switch kind {
	case "announce":
		step.Told = v.Commitment
	case "close":
		step.Told = v.List.String()
	case "start":
		step.Waiting = len(v.Waiting())
	case "end":
		step.Told = v.Seed
		step.Moves, err = book.Moves(v, t.System)
	}
	return step, err
}

// A ProlongedGame is a game that is near its end, and goes on when the season's time has ended.
type ProlongedGame struct {
	Turn, Last int // that is being played, and that it can have
	Until      time.Time
}

// Rule previews what a secretary wants to decide, or does it, if the code of a preview confirms it or
// he is sure without one.
func (s *Secretary) Rule(ctx context.Context, id string, r LeagueRuling, confirm string, sure bool) (*LeagueRuled, error) {
	var out LeagueRuled
	act := actNamed(r.Kind)
	err := s.act(ctx, id, func(t *leagueTurn) error {
		by, err := t.decider(r)
		if err != nil {
			return err
		}
		out = LeagueRuled{Code: t.rulingCode(r, by)}
		before, err := t.places(r.Game)
		if err != nil {
			return err
		}
		if r.Kind == "change" {
			a, err := amend(t, r, by)
			if err != nil {
				return err
			}
			out.Now, out.Later = a.now, a.later
		}
		if err := t.rule(r, by); err != nil {
			return err
		}
		out.Prolonged = prolonged(t, r)
		after, err := t.places(r.Game)
		if err != nil {
			return err
		}
		if act.step {
			if out.Step, err = stepOf(t, r.Kind); err != nil {
				return err
			}
		} else {
			out.Changes = placeChanges(before, after)
		}
		if v := t.SeasonOf(r.Game); v != nil && act.umpires {
			out.Second = v.Game(r.Game).Claim != nil
		}
		switch {
		case confirm != "" && !intake.SameKey(confirm, out.Code):
			return game.Refuse("league.stale")
		case confirm == "" && !sure:
			if out.Step != nil {
				out.Step.Told = "" // the seed is drawn when that is done, and told when the season is over
			}
			return errOnlyShown
		}
		out.Done, out.Code = true, ""
		return t.tellRuled(r)
	})
	if errors.Is(err, errOnlyShown) {
		return &out, nil
	}
	if err != nil {
		return nil, err
	}
	return &out, nil
}

// decider gives who rules, as a member if he is one: a secretary, or for a final result an umpire as
// well, since that takes two.
func (t *leagueTurn) decider(r LeagueRuling) (string, error) {
	s, err := t.setupOf(t.openBook)
	if err != nil {
		return "", err
	}
	act := actNamed(r.Kind)
	late := r.Kind == "admit" && t.Season != nil && t.Season.Phase != season.Entering // it matters who says yes
	if r.Reason == "" && !act.silent && !act.step {
		return "", game.Refuse("league.no-reason")
	}
	if act.step && r.By == "" && !late {
		return "secretary", nil
	}
	may := slices.Clone(s.Secretaries)
	if act.umpires {
		may = append(may, s.Umpires.Of...)
	}
	if r.By == "" && len(s.Secretaries) == 1 {
		r.By = s.Secretaries[0]
	}
	if r.By == "" {
		return "", game.Refuse("league.which-secretary", phrase.Literals("secretaries", s.Secretaries))
	}
	return t.personIn(may, r.By)
}

// personIn gives somebody as the person he is: a member by his id, whatever address he uses, or an
// address. He must be one of those who may.
func (t *leagueTurn) personIn(may []string, address string) (string, error) {
	m, err := t.club().at(address)
	if err != nil {
		return "", err
	}
	if !slices.ContainsFunc(may, func(one string) bool { return mailbox.Same(one, address) || m != nil && m.Has(one) }) {
		return "", game.Refuse("league.no-secretary", phrase.Literal("address", address))
	}
	return t.person(address)
}

// person gives the member who has an address, by his id, or the address.
func (l leagues) person(address string) (string, error) {
	m, err := l.club().at(address)
	if err != nil || m == nil {
		return mailbox.Clean(address), err
	}
	return m.ID, nil
}

// rulingCode is the code that confirms a ruling: it holds for this one, as the league stands now.
func (t *leagueTurn) rulingCode(r LeagueRuling, by string) string {
	r.By = by
	text, err := json.Marshal(r)
	if err != nil { // a ruling is plain data
		panic(err)
	}
	return t.office.keys.Code("league ruling", t.League, string(t.end.Hash[:]), string(text))
}

// tellTwoSeasons tells something to all of a season that may be closed, and to all of the present one, each of them once.
func tellTwoSeasons(t *leagueTurn, v *season.Season, line phrase.Phrase) error {
	told := map[string]bool{}
	for _, e := range append(slices.Clone(v.Entries), t.Season.Entries...) {
		if e.Withdrawn || told[e.Member] {
			continue
		}
		told[e.Member] = true
		if err := t.tell(e.Member, line); err != nil {
			return err
		}
	}
	return nil
}

// places gives the rows of the tables of the season that has a game, or of the present one.
func (t *leagueTurn) places(id string) (all []PlaceChange, err error) {
	v := t.Season
	if id != "" {
		v = t.SeasonOf(id)
	}
	if v == nil {
		return nil, nil
	}
	for _, d := range v.Divisions {
		made, err := v.Table(d.ID)
		if err != nil {
			return nil, err
		}
		for _, row := range made.Rows {
			all = append(all, PlaceChange{Division: d.ID, Member: row.Entry, Place: row.Rank, Points: row.Points})
		}
	}
	return all, nil
}

// placeChanges gives the rows that are others than before.
func placeChanges(before, after []PlaceChange) (all []PlaceChange) {
	for _, now := range after {
		for _, was := range before {
			if was.Division == now.Division && was.Member == now.Member && (was.Place != now.Place || was.Points != now.Points) {
				now.Was, now.WasPoints = was.Place, was.Points
				all = append(all, now)
			}
		}
	}
	return all
}

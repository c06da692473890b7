package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/pair"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/store"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Leagues gives the ids of all leagues, sorted.
func (s *Secretary) Leagues() ([]string, error) { return leagues{s.club.office}.all() }

// CheckLeague reads a league's set-up, with the files that it names. All faults are reported at
// once.
func (s *Secretary) CheckLeague(text string, files map[string]string) (*league.Setup, orders.Problems) {
	rd := leagues{s.club.office}.reader(files)
	rd.Given = true
	return rd.Read(text)
}

// NewLeague makes a league of a set-up and the files that it names.
func (s *Secretary) NewLeague(ctx context.Context, text string, files map[string]string) (string, error) {
	l := leagues{s.club.office}
	read, problems := s.CheckLeague(text, files)
	if len(problems) > 0 {
		return "", problems
	}
	defer l.office.hold(leaguePrefix + read.League)()
	if _, err := l.open(read.League); err == nil {
		return "", game.Refuse("league.made-twice", phrase.Literal("league", read.League))
	} else if !errors.Is(err, ErrNoLeague) {
		return "", err
	}
	t := &leagueTurn{leagues: l, openBook: newBook(), by: "secretary"}
	t.change.PutValue(leagueValue+read.League, store.Value{Data: []byte("made")})
	return read.League, l.commit(ctx, read.League, t, func(t *leagueTurn) error {
		return t.Do(book.Made{League: read.League, Title: read.Title, Text: text, Files: files})
	})
}

// act lets the secretary do something with a league.
func (s *Secretary) act(ctx context.Context, id string, do func(*leagueTurn) error) error {
	return store.Again(ctx, func() error {
		return leagues{s.club.office}.act(ctx, id, "secretary", "", store.Change{}, do)
	})
}

// Announce begins a season of a league: the seed of its lots is drawn and told by its SHA-256,
// before anybody can enter.
func (s *Secretary) Announce(ctx context.Context, id string) (commitment string, err error) {
	err = s.act(ctx, id, func(t *leagueTurn) error {
		if err := t.announce(); err != nil {
			return err
		}
		commitment = t.Season.Commitment
		return nil
	})
	return commitment, err
}

// OpenEntries has a league take entries for its season.
func (s *Secretary) OpenEntries(ctx context.Context, id string) error {
	return s.act(ctx, id, func(t *leagueTurn) error { return t.Do(book.Opened{}) })
}

// Admit enters members, all or none: those who have asked for it, as they wish to play, and others as
// the set-up has it.
func (s *Secretary) Admit(ctx context.Context, id string, members []string) error {
	return s.act(ctx, id, func(t *leagueTurn) error { return t.admit(members) })
}

// admit enters members, all or none.
func (t *leagueTurn) admit(members []string) error {
	if t.Season == nil {
		return game.Refuse("league.no-season")
	}
	var faults []error
	for _, one := range members {
		m, err := t.club().get(one)
		if err == nil && (m.Forgotten || m.Is != "") {
			err = ErrNoMember
		}
		if err == nil {
			err = t.entered(m, t.Wishes[m.ID])
		}
		if err == nil {
			err = t.tell(m.ID, phrase.Say(t.enteredAs(), phrase.Literal("league", t.League)), phrase.Say("league.lots", phrase.Literal("commitment", t.Season.Commitment)))
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("admit %s: %w", one, err))
		}
	}
	return errors.Join(faults...)
}

// CloseEntries ends the time of entries; it gives the digest of the list over which lots are
// drawn.
func (s *Secretary) CloseEntries(ctx context.Context, id string) (list string, err error) {
	err = s.act(ctx, id, func(t *leagueTurn) error {
		if err := (seasonDates{t}).closeList(); err != nil {
			return err
		}
		list = t.Season.List.String()
		return nil
	})
	return list, err
}

// Start draws the divisions and begins play. Everybody is told where he plays.
func (s *Secretary) Start(ctx context.Context, id string) error {
	return s.act(ctx, id, func(t *leagueTurn) error { return t.begin() })
}

// begin draws the divisions and begins play.
func (t *leagueTurn) begin() error {
	if t.Season == nil {
		return game.Refuse("league.no-season")
	}
	if t.Season.Phase != season.Dividing {
		return game.Refuse("league.not-now", phrase.Within("phase", phrase.Say("league.phase."+string(t.Season.Phase))))
	}
	drawn, err := t.Draw()
	if err != nil {
		return err
	}
	if err := t.Do(drawn); err != nil {
		return err
	}
	for _, d := range t.Season.Divisions {
		for _, m := range d.Members {
			if err := t.tell(m, phrase.Say("league.begins", phrase.Literal("league", t.League), phrase.Literal("division", d.ID), phrase.Number("members", len(d.Members)))); err != nil {
				return err
			}
		}
	}
	for _, m := range t.Season.Waiting() {
		if err := t.tell(m, phrase.Say("league.waits", phrase.Literal("league", t.League))); err != nil {
			return err
		}
	}
	return nil
}

// End closes a season whose pairings are all decided, and tells the seed of its lots.
func (s *Secretary) End(ctx context.Context, id string) (seed string, err error) {
	err = s.act(ctx, id, func(t *leagueTurn) error {
		seed = t.Seed.String()
		return t.finish()
	})
	return seed, err
}

// finish closes a season, and tells the seed of its lots.
func (t *leagueTurn) finish() error {
	seed := t.Seed.String()
	if err := t.Do(book.Ended{Seed: seed}); err != nil {
		return err
	}
	moves, err := book.Moves(t.Season, t.System)
	if err != nil {
		return err
	}
	for _, m := range moves {
		say := "league.moves.down"
		if m.Up {
			say = "league.moves.up"
		}
		if err := t.tell(m.Member, phrase.Say(say, phrase.Literal("league", t.League), phrase.Literal("division", m.From))); err != nil {
			return err
		}
	}
	return t.tellAll(phrase.Say("league.ended", phrase.Literal("league", t.League), phrase.Literal("seed", seed)))
}

// VerifyLeague checks a league's log, draws its lots again, and reads its results again in the logs
// of its games. It gives all that is wrong.
func (s *Secretary) VerifyLeague(id string) ([]error, error) {
	return leagues{s.club.office}.verify(id)
}

// A LeagueShown is a league as the secretary sees it.
type LeagueShown struct {
	League     string          `json:"league"`
	Title      string          `json:"title,omitempty"`
	Season     string          `json:"season,omitempty"`
	Phase      season.Phase    `json:"phase,omitempty"`
	Opened     bool            `json:"opened,omitempty"`
	Commitment string          `json:"commitment,omitempty"`
	List       string          `json:"list,omitempty"` // digest of the list of entries, once it is closed
	Seed       string          `json:"seed,omitempty"` // once the season is over
	Asked      []string        `json:"asked,omitempty"`
	Entries    []string        `json:"entries,omitempty"`
	Withdrawn  []string        `json:"withdrawn,omitempty"`
	Waiting    []string        `json:"waiting,omitempty"`
	Closes     time.Time       `json:"closes,omitzero"` // when entries are closed by themselves
	Starts     time.Time       `json:"starts,omitzero"` // when play begins by itself
	Divisions  []DivisionShown `json:"divisions,omitempty"`
	Last       []DivisionShown `json:"last,omitempty"`        // of the season before, as long as this one has none
	Protests   []string        `json:"protests,omitempty"`    // games about which a protest waits for an answer
	OtherRules []string        `json:"other_rules,omitempty"` // systems whose rules are others in this program than when the season was announced
	Prolonged  []season.Game   `json:"-"`                     // games that have more time than the season
	Later      []string        `json:"later,omitempty"`       // keys of its set-up that are others from the next season on
	Log        uint64          `json:"log"`                   // entries
}

// A DivisionShown is a division of a season.
type DivisionShown struct {
	ID       string            `json:"id"`
	Members  []string          `json:"members"`
	Pairings int               `json:"pairings"`
	Playing  []string          `json:"playing,omitempty"` // games
	Decided  int               `json:"decided"`           // games
	Table    table.Table       `json:"table"`
	Evenness *pair.Deviation   `json:"evenness,omitempty"` // of a division of games of three
	Names    map[string]string `json:"names"`
}

// ShowLeague gives a league as it stands.
func (s *Secretary) ShowLeague(id string) (shown LeagueShown, err error) {
	l := leagues{s.club.office}
	err = l.look(id, func(b *openBook) error {
		shown = LeagueShown{League: b.League, Title: b.Title, Log: b.end.Seq, Asked: slices.Clone(b.Asked)}
		if b.Later != nil {
			now, _ := orders.ParseNode([]byte(b.Text))
			later, _ := orders.ParseNode([]byte(b.Later.Text))
			shown.Later = league.Differ(now, later, b.Files, b.Later.Files)
		}
		for _, p := range b.OpenProtests() {
			if !slices.Contains(shown.Protests, p.Game) {
				shown.Protests = append(shown.Protests, p.Game)
			}
		}
		if b.Season == nil {
			return nil
		}
		v := b.Season
		shown.Prolonged, shown.OtherRules = season.ProlongedOf(v), otherThan(l, b.Rules)
		shown.Season, shown.Phase, shown.Opened, shown.Commitment, shown.Seed = v.Plan.Season, v.Phase, b.Opened, v.Commitment, v.Seed
		if v.Phase != season.Entering {
			shown.List, shown.Waiting = v.List.String(), v.Waiting()
		}
		for _, e := range v.Entries {
			if e.Withdrawn {
				shown.Withdrawn = append(shown.Withdrawn, e.Member)
			} else {
				shown.Entries = append(shown.Entries, e.Member)
			}
		}
		if step, at := b.NextDate(); step == book.StepClose {
			shown.Closes, shown.Starts = at, b.Dates.Start
		} else {
			shown.Starts = at
		}
		if shown.Divisions, err = l.divisionsShown(v); err != nil {
			return err
		}
		if last := drawn(b.Book); last != v {
			shown.Last, err = l.divisionsShown(last)
		}
		return err
	})
	return shown, err
}

// divisionsShown gives the divisions of a season.
func (l leagues) divisionsShown(v *season.Season) (all []DivisionShown, err error) {
	names, err := l.names(v)
	if err != nil {
		return nil, err
	}
	for _, d := range v.Divisions {
		one := DivisionShown{ID: d.ID, Members: slices.Clone(d.Members), Pairings: len(d.Pairings), Names: names}
		for _, p := range d.Pairings {
			for _, g := range p.Games {
				if v.Value(&g).Kind == table.Open {
					one.Playing = append(one.Playing, g.ID)
				} else {
					one.Decided++
				}
			}
		}
		if even, ok := d.Evenness(); ok {
			one.Evenness = &even
		}
		if one.Table, err = v.Table(d.ID); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// tell tells a member something about the league.
func (t *leagueTurn) tell(id string, lines ...phrase.Phrase) error {
	m, err := t.club().now(id)
	if err != nil || m.Forgotten {
		return err
	}
	letter := t.office.letters.Outside(m.Person(), t.office.now()).Short(phrase.Say("league.subject", phrase.Literal("league", t.League)), lines...)
	t.outgoing = append(t.outgoing, t.club().notice(m.Person(), nil, letter))
	return nil
}

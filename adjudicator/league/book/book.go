// Package book is the book of a league, as a state machine: all that happens to a league, from
// its set-up to the end of a season, is an entry of its log, chained like that of a game.
// [Book.Do] lets one thing happen and gives the entry, [Replay] makes the book again from its
// entries, and [Book.Next] says what follows by the rules without anybody asking. The package
// reads no store and no clock, knows no letter and no rule of a game, and draws no chance of its
// own: lots come from the season's seed.
package book

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/lots"
	"berthier/adjudicator/league/season"
	"berthier/orders/phrase"
)

// A Book is a league as it stands.
type Book struct {
	League   string
	Title    string
	Text     string              // of its set-up
	Files    map[string]string   // that the set-up names, by their names
	Later    *SetUp              // its set-up from the next season on; nil: the same
	Season   *season.Season      // nil: none has been announced yet
	Number   int                 // of that season, from 1
	Opened   bool                // entries are taken
	Dates    Dates               // at which that season goes on by itself
	Seed     lots.Seed           // of its lots: secret until it ends
	Finished map[string]int      // games that the members who have entered had played to their end, where the plan asks for it
	Wishes   map[string]Wish     // of the members who have entered, or want to
	Asked    []string            // members who want to enter and wait for a secretary's yes, in their order
	System   []string            // of the divisions of that season, in their order
	Rules    map[string]string   // digests of the rules with which that season was announced, by systems; none: its log does not say so
	Umpire   map[string]string   // address of the umpire, by games
	Second   map[string]string   // address of a further umpire, by games
	Former   map[string][]string // addresses of those who were umpires of a game, and are not any more
	Turns    map[string]int      // when an umpire was last given a game, counting all that were given
	given    int                 // games that umpires were given
	hour     hourOfGames         // the last in which games began
	Waits    map[string]Wait     // games in which something waits for the umpire
	Brings   []Bring             // running games that players bring into that season
	Appeals  map[string]int      // how many rulings of a game an appeal has been made up to
	Protests []Protest           // of the present season, in their order
	Merged   map[string]string   // members who are another one, by their ids
	Resting  map[string]bool     // members who have paused their entries: they take part in no season, and take no side of others
	Past     []*season.Season    // seasons that are closed, the first one first
	PastOf   [][]string          // systems of the divisions of these seasons
}

// A Wish is how a member wants to play.
type Wish struct {
	System    string `json:"system,omitempty"`    // of the games; "": as the first division
	Deadlines string `json:"deadlines,omitempty"` // name of a pace; "": the first
	Games     int    `json:"games,omitempty"`     // most games at once; 0: as many as the league allows
}

// An Input is something that can happen to a league.
type Input interface {
	// kind names it in the log.
	kind() string
	// happen lets it happen. If it can't, the error says why, and nothing changes.
	happen(b *Book) error
}

// Made is that the league is there, with its set-up.
type Made struct {
	League string            `json:"league"`
	Title  string            `json:"title,omitempty"`
	Text   string            `json:"text"`
	Files  map[string]string `json:"files"`
}

// Announced is that a season is announced, with the commitment to the seed of its lots: nobody
// has entered yet.
type Announced struct {
	Plan       season.Plan       `json:"plan"`
	Systems    []string          `json:"systems"` // of its divisions, in their order
	Commitment string            `json:"commitment"`
	Rules      map[string]string `json:"rules,omitempty"` // digests of what decides in games of these systems ([berthier/engine.Digest]), by systems
	Dates      Dates             `json:"dates,omitzero"`  // at which it goes on by itself
	Seed       string            `json:"seed,omitempty"`  // in the private part of the entry
}

// Opened is that entries are taken from now on.
type Opened struct{}

// Asked is that a member wants to enter, and that a secretary is to say yes.
type Asked struct {
	Member string `json:"member"`
	Wish   Wish   `json:"wish"`
}

// Entered is that a member has entered.
type Entered struct {
	Member string `json:"member"`
	Start  int64  `json:"start"` // his rating, in hundredths of a point
	Wish   Wish   `json:"wish"`
	// Finished is how many games he has played to their end, where the season's plan asks for it.
	Finished int `json:"finished,omitempty"`
}

// Withdrew is that a member no longer takes part.
type Withdrew struct {
	Member string `json:"member"`
}

// Closed is that no more entries are taken. Lots are drawn over the list as it is now.
type Closed struct {
	List string `json:"list"` // digest of the list
}

// Started begins play, with the divisions and rounds that the lots give.
type Started struct {
	Divided season.Divided `json:"divided"`
	Rounds  season.Started `json:"rounds"`
}

// Paired is the next round of a Swiss division.
type Paired struct{ season.Paired }

// Shortened ends a Swiss division of which no further round can be paired.
type Shortened struct{ season.Shortened }

// Playing is that the games of a pairing have begun.
type Playing struct {
	season.Made
	Umpire string    `json:"umpire,omitempty"` // address; in the private part of the entry
	Hour   time.Time `json:"hour,omitzero"`    // in which they began
}

// Resulted is what the log of a game says now.
type Resulted struct{ season.Resulted }

// Counted is how a game stood when the season's time had ended.
type Counted struct{ season.Counted }

// Lapsed is that nothing new begins in a season whose time has ended.
type Lapsed struct{ season.Lapsed }

// Extended is that a secretary gives the season more time.
type Extended struct{ season.Extended }

// Prolonged is that a secretary gives one game more time than the season has.
type Prolonged struct{ season.Prolonged }

// Imported is that a game of another office counts in the place of one of the season.
type Imported struct{ season.Imported }

// Ruled is what a secretary rules on a game.
type Ruled struct{ season.Ruled }

// Overruled is that such a ruling no longer holds.
type Overruled struct{ season.Overruled }

// Final is that results are final.
type Final struct{ season.Final }

// Contested is that a game whose result is final says something else by now.
type Contested struct{ season.Contested }

// Corrected is what somebody wants to become of that.
type Corrected struct{ season.Corrected }

// Vacant is that a side of a running game needs a player.
type Vacant struct{ season.Vacant }

// Back is that its player has it again.
type Back struct{ season.Back }

// Offered is that the side is offered to the member whose turn it is.
type Offered struct{ season.Offered }

// Replied is that he takes it, or does not.
type Replied struct{ season.Replied }

// Abandoned is that nobody has taken it in time.
type Abandoned struct{ season.Abandoned }

// A Wait is that something waits for the umpire of a game.
type Wait struct {
	Since    time.Time
	Reminded bool
}

// Umpired is that a game has another umpire, or a further one.
type Umpired struct {
	Game   string `json:"game"`
	Umpire string `json:"umpire,omitempty"` // address; in the private part of the entry, like the next
	Second string `json:"second,omitempty"` // "": none
	Left   string `json:"left,omitempty"`   // who is umpire of the game no more
	Why    string `json:"why"`              // handed-over, stake, silent
}

// Waiting is that something waits for the umpire of a game since a moment, or (without one) that
// nothing does any more.
type Waiting struct {
	Game  string    `json:"game"`
	Since time.Time `json:"since,omitzero"`
}

// Reminded is that the umpire was reminded of that.
type Reminded struct {
	Game string `json:"game"`
}

// Settled is that every pairing is decided.
type Settled struct{}

// Ended closes the season and tells the seed.
type Ended struct {
	Seed string `json:"seed"`
}

func (Made) kind() string      { return "made" }
func (Announced) kind() string { return "announced" }
func (Opened) kind() string    { return "opened" }
func (Asked) kind() string     { return "asked" }
func (Entered) kind() string   { return "entered" }
func (Withdrew) kind() string  { return "withdrew" }
func (Closed) kind() string    { return "closed" }
func (Started) kind() string   { return "started" }
func (Paired) kind() string    { return "paired" }
func (Shortened) kind() string { return "shortened" }
func (Playing) kind() string   { return "playing" }
func (Resulted) kind() string  { return "resulted" }
func (Settled) kind() string   { return "settled" }
func (Ended) kind() string     { return "ended" }

func (Counted) kind() string   { return "counted" }
func (Lapsed) kind() string    { return "lapsed" }
func (Extended) kind() string  { return "extended" }
func (Prolonged) kind() string { return "prolonged" }
func (Imported) kind() string  { return "imported" }
func (Ruled) kind() string     { return "ruled" }
func (Overruled) kind() string { return "overruled" }
func (Final) kind() string     { return "final" }
func (Contested) kind() string { return "contested" }
func (Corrected) kind() string { return "corrected" }

func (Vacant) kind() string    { return "vacant" }
func (Back) kind() string      { return "back" }
func (Offered) kind() string   { return "offered" }
func (Replied) kind() string   { return "replied" }
func (Abandoned) kind() string { return "abandoned" }

func (Umpired) kind() string  { return "umpired" }
func (Waiting) kind() string  { return "waiting" }
func (Reminded) kind() string { return "reminded" }

// Appealed is that a member who plays in a game asks for another umpire's word on its last ruling.
type Appealed struct {
	Game   string `json:"game"`
	Member string `json:"member"`
	Ruling int    `json:"ruling"` // counting those of the game, from 1
}

func (Appealed) kind() string { return "appealed" }

func (in Appealed) happen(b *Book) error {
	if err := b.during(season.Running, season.Settling); err != nil {
		return err
	}
	g := b.Season.Game(in.Game)
	switch {
	case g == nil || !slices.Contains(g.Players, in.Member):
		return game.Refuse("league.no-game", phrase.Literal("game", in.Game))
	case g.Final:
		return game.Refuse("league.appeal.final")
	case in.Ruling < 1:
		return game.Refuse("league.appeal.no-ruling")
	case in.Ruling <= b.Appeals[in.Game]:
		return game.Refuse("league.appeal.twice")
	}
	b.Appeals[in.Game] = in.Ruling
	return nil
}

func (in Umpired) happen(b *Book) error {
	if b.Season == nil || b.Season.Game(in.Game) == nil {
		return game.Refuse("league.no-game", phrase.Literal("game", in.Game))
	}
	if in.Umpire == "" || in.Umpire == in.Second || in.Umpire == in.Left {
		return errors.New("a game has one umpire, or two of whom neither has left it")
	}
	b.gave(in.Game, in.Umpire)
	if in.Second != "" {
		b.gave(in.Game, in.Second)
	}
	b.Umpire[in.Game] = in.Umpire
	delete(b.Second, in.Game)
	if in.Second != "" {
		b.Second[in.Game] = in.Second
	}
	if in.Left != "" {
		b.Former[in.Game] = append(b.Former[in.Game], in.Left)
	}
	return nil
}

// gave counts that an umpire was given a game, if it was not his before.
func (b *Book) gave(id, umpire string) {
	if b.Umpire[id] != umpire && b.Second[id] != umpire {
		b.given++
		b.Turns[umpire] = b.given
	}
}

func (in Waiting) happen(b *Book) error {
	if b.Season == nil || b.Season.Game(in.Game) == nil {
		return game.Refuse("league.no-game", phrase.Literal("game", in.Game))
	}
	if in.Since.IsZero() {
		delete(b.Waits, in.Game)
	} else {
		b.Waits[in.Game] = Wait{Since: in.Since}
	}
	return nil
}

func (in Reminded) happen(b *Book) error {
	w, ok := b.Waits[in.Game]
	if !ok {
		return game.Refuse("league.no-game", phrase.Literal("game", in.Game))
	}
	w.Reminded = true
	b.Waits[in.Game] = w
	return nil
}

// How long something waits for an umpire until he is reminded, until a second one has the game with
// him, and until that one has it alone.
const (
	UmpireReminded = 72 * time.Hour
	UmpireSecond   = 120 * time.Hour
	UmpireOut      = 240 * time.Hour
)

// NextStep is when the next step against an umpire's silence in a game is due.
func (b *Book) NextStep(id string) time.Time {
	w := b.Waits[id]
	switch {
	case !w.Reminded:
		return w.Since.Add(UmpireReminded)
	case b.Second[id] == "":
		return w.Since.Add(UmpireSecond)
	}
	return w.Since.Add(UmpireOut)
}

func (in Made) happen(b *Book) error {
	if b.League != "" {
		return game.Refuse("league.made-twice", phrase.Literal("league", b.League))
	}
	b.League, b.Title, b.Text, b.Files = in.League, in.Title, in.Text, in.Files
	return nil
}

func (in Announced) happen(b *Book) error {
	if b.Season != nil && b.Season.Phase != season.Closed {
		return game.Refuse("league.season-runs", phrase.Literal("season", b.Season.Plan.Season))
	}
	seed, err := lots.ParseSeed(in.Seed)
	if err != nil {
		return err
	}
	if !seed.Keeps(in.Commitment) {
		return errors.New("the seed is not the one that is committed to")
	}
	if len(in.Systems) != len(in.Plan.Divisions) {
		return errors.New("a division without a system")
	}
	if in.Plan.Rating == nil && b.Season != nil && b.Season.Plan.Rating != nil {
		return errors.New("it does not say how the season is rated")
	}
	if b.Season != nil {
		b.Past, b.PastOf = append(b.Past, b.Season), append(b.PastOf, b.System)
	}
	b.Season, b.Seed, b.Opened, b.System = season.New(in.Plan, in.Commitment), seed, false, in.Systems
	b.Rules = in.Rules
	b.Number++
	b.Finished = map[string]int{}
	b.Wishes, b.Asked, b.Umpire = map[string]Wish{}, nil, map[string]string{}
	b.Second, b.Former, b.Turns, b.Waits = map[string]string{}, map[string][]string{}, map[string]int{}, map[string]Wait{}
	b.Appeals, b.Brings, b.Protests, b.Dates = map[string]int{}, nil, nil, in.Dates
	b.given = 0
	return nil
}

// during gives the error that something is not possible now.
func (b *Book) during(phases ...season.Phase) error {
	if b.Season == nil {
		return game.Refuse("league.no-season")
	}
	if !slices.Contains(phases, b.Season.Phase) {
		return notNow(b.Season.Phase)
	}
	return nil
}

// notNow is the error that something can't be done in a phase of the season.
func notNow(phase season.Phase) error {
	return game.Refuse("league.not-now", phrase.Within("phase", phrase.Say("league.phase."+string(phase))))
}

// happen takes entries. A list that is closed is opened again only if no division can be played with who is left on it:
// whoever can open it whenever he likes chooses the list over which the lots are drawn.
func (Opened) happen(b *Book) error {
	if err := b.during(season.Entering, season.Dividing); err != nil {
		return err
	}
	if b.Season.Phase == season.Dividing {
		_, err := b.Draw()
		var refused *game.RefusedError
		switch {
		case err == nil:
			return notNow(b.Season.Phase)
		case !errors.As(err, &refused) || refused.Why.Code != tooFew:
			return err
		}
		if err := b.Season.Apply(season.ListReopened{}); err != nil {
			return err
		}
	}
	b.Opened = true
	return nil
}

// mayEnter gives the error that a member can't enter now. Who enters after the list of entries was closed waits for a
// place, and is a substitute.
func (b *Book) mayEnter(member string) error {
	if err := b.during(season.Entering, season.Dividing, season.Running); err != nil {
		return err
	}
	switch into, gone := b.Merged[member]; {
	case gone:
		return game.Refuse("league.merge.twice", phrase.Literal("gone", member), phrase.Literal("into", into))
	case !b.Opened:
		return game.Refuse("league.not-open")
	case b.Has(member):
		return game.Refuse("league.entered-already")
	}
	return nil
}

// Has tells whether a member has entered the season, even if he has withdrawn.
func (b *Book) Has(member string) bool {
	return b.Season != nil && b.Season.Has(member)
}

func (in Asked) happen(b *Book) error {
	if err := b.mayEnter(in.Member); err != nil {
		return err
	}
	if slices.Contains(b.Asked, in.Member) {
		return game.Refuse("league.asked-already")
	}
	b.Asked = append(b.Asked, in.Member)
	b.Wishes[in.Member] = in.Wish
	return nil
}

func (in Entered) happen(b *Book) error {
	if err := b.mayEnter(in.Member); err != nil {
		return err
	}
	if b.Resting[in.Member] {
		return game.Refuse("league.rest.enters", phrase.Literal("member", in.Member))
	}
	if err := b.Season.Apply(season.Entered{Member: in.Member, Start: in.Start, AtOnce: in.Wish.Games}); err != nil {
		return err
	}
	b.Asked = slices.DeleteFunc(b.Asked, func(m string) bool { return m == in.Member })
	b.Wishes[in.Member] = in.Wish
	b.Finished[in.Member] = in.Finished
	return nil
}

func (in Withdrew) happen(b *Book) error { return b.withdraw(in.Member, season.Withdrew(in)) }

// withdraw takes a member out of the season, by an act of his or of a secretary's.
func (b *Book) withdraw(member string, act season.Act) error {
	if err := b.during(season.Entering, season.Dividing, season.Running); err != nil {
		return err
	}
	if at := slices.Index(b.Asked, member); at >= 0 {
		b.Asked = slices.Delete(b.Asked, at, at+1)
		delete(b.Wishes, member)
		return nil
	}
	for _, e := range b.Season.Entries {
		if e.Member == member && !e.Withdrawn {
			return b.Season.Apply(act)
		}
	}
	return game.Refuse("league.not-entered")
}

func (in Closed) happen(b *Book) error {
	if err := b.during(season.Entering); err != nil {
		return err
	}
	var members []string
	for _, e := range b.Season.Entries {
		if !e.Withdrawn {
			members = append(members, e.Member)
		}
	}
	list, err := lots.Close(b.League, b.Season.Plan.Season, members)
	if err != nil {
		return err
	}
	if in.List != "" && in.List != list.String() {
		return errors.New("the digest is not that of the list of entries")
	}
	return b.Season.Apply(season.ListClosed{})
}

func (in Started) happen(b *Book) error {
	if err := b.during(season.Dividing); err != nil {
		return err
	}
	want, err := b.Draw()
	if err != nil {
		return err
	}
	if !same(in, want) {
		return errors.New("the divisions are not those that the lots give")
	}
	if err := b.Season.Apply(in.Divided); err != nil {
		return err
	}
	return b.Season.Apply(in.Rounds)
}

func (in Paired) happen(b *Book) error    { return b.apply(in.Paired) }
func (in Shortened) happen(b *Book) error { return b.apply(in.Shortened) }
func (in Resulted) happen(b *Book) error  { return b.apply(in.Resulted) }
func (in Counted) happen(b *Book) error   { return b.apply(in.Counted) }
func (in Lapsed) happen(b *Book) error    { return b.apply(in.Lapsed) }
func (in Extended) happen(b *Book) error  { return b.refused(b.Season, b.apply(in.Extended)) }
func (in Prolonged) happen(b *Book) error { return b.decide(in.Game, in.By, in.Prolonged) }

func (in Imported) happen(b *Book) error {
	for _, s := range append(slices.Clone(b.Past), b.Season) {
		if s == nil {
			continue
		}
		if one := season.CountsAlready(s, in.Link.Hash); one != "" {
			return game.Refuse("league.import.twice", phrase.Literal("game", one))
		}
	}
	return b.answering(in.Game, in.At, b.decide(in.Game, in.By, in.Imported))
}

func (in Ruled) happen(b *Book) error {
	return b.answering(in.Game, in.At, b.decide(in.Game, in.By, in.Ruled))
}

func (in Overruled) happen(b *Book) error {
	return b.answering(in.Game, in.At, b.decide(in.Game, in.By, in.Overruled))
}

func (in Final) happen(b *Book) error {
	for _, id := range in.Games {
		if b.Protested(id) {
			return fmt.Errorf("a protest about game %s is open", id)
		}
	}
	return b.apply(in.Final)
}

func (in Contested) happen(b *Book) error { return b.applyTo(in.Game, in.Contested) }
func (in Corrected) happen(b *Book) error { return b.decide(in.Game, in.By, in.Corrected) }

func (Settled) happen(b *Book) error {
	if b.Season != nil {
		if all, err := b.playoffs(); err != nil || len(all) > 0 {
			return errors.Join(err, errors.New("the play-offs have not begun"))
		}
	}
	return b.apply(season.Settled{})
}

func (in Vacant) happen(b *Book) error    { return b.apply(in.Vacant) }
func (in Back) happen(b *Book) error      { return b.apply(in.Back) }
func (in Offered) happen(b *Book) error   { return b.apply(in.Offered) }
func (in Replied) happen(b *Book) error   { return b.apply(in.Replied) }
func (in Abandoned) happen(b *Book) error { return b.apply(in.Abandoned) }

func (in Ended) happen(b *Book) error {
	if err := b.during(season.Settling); err != nil {
		return err
	}
	if n := b.Season.Unsettled(); n > 0 {
		return game.Refuse("league.not-final", phrase.Number("games", n))
	}
	if err := b.apply(season.Ended{Seed: in.Seed}); err != nil || b.Later == nil {
		return err
	}
	b.Title, b.Text, b.Files, b.Later = b.Later.Title, b.Later.Text, b.Later.Files, nil
	return nil
}

// decide applies what a person decides about a game. Nobody decides where he gains or loses.
func (b *Book) decide(id, by string, act season.Act) error {
	if err := b.mayDecide(id, by); err != nil {
		return err
	}
	return b.refused(b.SeasonOf(id), b.applyTo(id, act))
}

// mayDecide gives the error that somebody gains or loses by what is decided about a game.
func (b *Book) mayDecide(id, by string) error {
	if s := b.SeasonOf(id); s != nil {
		var stake *season.StakeError
		if errors.As(s.MayDecide(id, by), &stake) {
			return game.Refuse("league.stake", phrase.Literal("who", by), phrase.Literal("division", stake.Division))
		}
	}
	return nil
}

// refused makes of the error that a decision brings what is told to who wants it.
func (b *Book) refused(s *season.Season, err error) error {
	var not *season.DecisionError
	var now *season.PhaseError
	var already *game.RefusedError
	switch {
	case err == nil, errors.As(err, &already), s == nil:
		return err
	case errors.As(err, &not):
		return game.Refuse("league.decide."+not.Why, phrase.Literal("game", not.Game), phrase.Literal("member", not.Member))
	case errors.As(err, &now):
		return notNow(now.Phase)
	}
	return err
}

// applyTo applies an act to the season that has a game.
func (b *Book) applyTo(id string, act season.Act) error {
	s := b.SeasonOf(id)
	if s == nil {
		return game.Refuse("league.no-game", phrase.Literal("game", id))
	}
	return s.Apply(act)
}

// SeasonOf gives the season that has a game, the present one or one that is closed; nil: none has.
func (b *Book) SeasonOf(id string) *season.Season {
	if b.Season != nil && b.Season.Game(id) != nil {
		return b.Season
	}
	for _, s := range b.Past {
		if s.Game(id) != nil {
			return s
		}
	}
	return nil
}

// Wake is when something follows by the rules at the latest: a date comes, a result is final, or the season's time
// ends; zero: never.
func (b *Book) Wake(now time.Time) (at time.Time) {
	s := b.Season
	if _, date := b.NextDate(); date.After(now) {
		at = date
	}
	if s == nil || s.Phase != season.Running && s.Phase != season.Settling {
		return at
	}
	if _, next := s.Ripe(now); !next.IsZero() {
		at = next
	}
	if s.Phase == season.Running && s.Until.After(now) && (at.IsZero() || s.Until.Before(at)) {
		at = s.Until
	}
	for _, g := range season.ProlongedOf(s) {
		if g.Until.After(now) && (at.IsZero() || g.Until.Before(at)) {
			at = g.Until
		}
	}
	for id := range b.Waits { // the earliest, in whatever order
		if next := b.NextStep(id); next.After(now) && (at.IsZero() || next.Before(at)) {
			at = next
		}
	}
	if next := s.NextVacancy(); s.Phase == season.Running && !next.IsZero() && (at.IsZero() || next.Before(at)) {
		at = next
	}
	return at
}

func (in Playing) happen(b *Book) error {
	if err := b.apply(in.Made); err != nil {
		return err
	}
	b.hour.count(in.Hour)
	for _, id := range in.Games {
		b.gave(id, in.Umpire)
		b.Umpire[id] = in.Umpire
	}
	return nil
}

func (b *Book) apply(act season.Act) error {
	if b.Season == nil {
		return game.Refuse("league.no-season")
	}
	return b.Season.Apply(act)
}

// same tells whether two inputs say the same in a log.
func same(a, b Input) bool {
	var x, y any
	one, err1 := json.Marshal(a)
	two, err2 := json.Marshal(b)
	if err1 != nil || err2 != nil || json.Unmarshal(one, &x) != nil || json.Unmarshal(two, &y) != nil {
		return false
	}
	return reflect.DeepEqual(x, y)
}

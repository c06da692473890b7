package main

import (
	"bytes"
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
)

// A paceSheet is what was counted in some games. Unless its comment says otherwise, each
// number is the sum over the games.
type paceSheet struct {
	Game     string            `json:"game"`
	Scenario string            `json:"scenario"`
	Options  map[string]string `json:"options,omitempty"`
	Games    int               `json:"games"`
	Seed     uint64            `json:"seed"`
	Minor    []string          `json:"minor,omitempty"`
	Policy   string            `json:"policy"`
	Standing string            `json:"standing,omitempty"`
	Pace     string            `json:"pace,omitempty"`
	Policies string            `json:"policies,omitempty"`
	File     string            `json:"file,omitempty"`
	Ahead    string            `json:"ahead,omitempty"`
	Write    string            `json:"write,omitempty"`
	Sides    []string          `json:"sides,omitempty"` // whom minor stops, standing orders, pace and policies are about; none: all

	Stops   paceSpread   `json:"stops"`           // at which anybody writes a letter
	Waits   paceSpread   `json:"waits"`           // rows of stops of the same seats
	AtOnce  paceSpread   `json:"at_once"`         // waits, if stops opened while another side is asked what it mostly declines
	Chain   *paceSpread  `json:"chain,omitempty"` // the most waits in one turn of a game; none: the ruleset knows no turns
	Turns   *paceSpread  `json:"turns,omitempty"` // the last turn of a game in which somebody was asked, as the ruleset numbers them
	Kinds   []paceKind   `json:"kinds"`
	Seats   []paceSeat   `json:"seats"`
	Pairs   []pacePair   `json:"pairs"`
	Endings []paceEnding `json:"endings"`
}

// A paceSpread is a number for each game: their sum, the least, the middle and the most.
type paceSpread struct {
	Sum    int `json:"sum"`
	Least  int `json:"least"`
	Median int `json:"median"`
	Most   int `json:"most"`
}

func spreadOf(each []int) paceSpread {
	each = slices.Sorted(slices.Values(each))
	s := paceSpread{Least: each[0], Median: each[(len(each)-1)/2], Most: each[len(each)-1]}
	for _, n := range each {
		s.Sum += n
	}
	return s
}

// A paceKind is a kind of stop, counted once for each seat that is asked.
type paceKind struct {
	Stop    string `json:"stop"`
	Asked   int    `json:"asked"`
	Games   int    `json:"games"`    // in how many games it happened
	Default int    `json:"default"`  // how often the answer was the default
	NoOther int    `json:"no_other"` // how often nothing but the default could be chosen
	Minor   int    `json:"minor"`    // how often it was no letter, being minor
	Filed   int    `json:"filed"`    // how often it was no letter, having been filed ahead
	Opened  int    `json:"opened"`   // how often another seat could be asked its next stop meanwhile
	Spared  int    `json:"spared"`   // how often that next stop then came, so that an answer to it counted
}

// A paceSeat is what one seat writes.
type paceSeat struct {
	Seat    string `json:"seat"`
	Letters int    `json:"letters"`
	Joined  int    `json:"joined"` // if each stop were asked together with the one before it where nothing happened between them
	Rows    int    `json:"rows"`   // if all stops of a row were one letter
}

// A pacePair is two stops in a row of one seat alone.
type pacePair struct {
	First   string `json:"first"`
	Then    string `json:"then"`
	Came    int    `json:"came"`
	NoDice  int    `json:"no_dice"` // no die was rolled between them
	Nothing int    `json:"nothing"` // nor did anything else happen between them: see [paceCount.nothingBetween]
}

type paceEnding struct {
	Winners string `json:"winners"`
	Games   int    `json:"games"`
}

// A paceCount counts games.
type paceCount struct {
	rules engine.Ruleset
	split []string                       // kinds that are counted apart by what they are about
	minor func(engine.Side, string) bool // whether a seat's stop of a kind counts as no letter
	kinds map[string]*paceKind
	seats map[engine.Side]*paceSeat
	pairs map[[2]string]*pacePair
	ends  map[string]int

	stops, waits, atOnce, chains, lasts []int // of each game
	turns                               bool

	// The fields below are about the game that is being counted.
	seed        uint64
	came        map[string]bool
	asked       []engine.Side    // at the last stop with a letter
	last        string           // the kind of that stop
	rolled      bool             // dice were rolled since then
	before      *paceMoment      // the stop before this one, if one seat alone wrote a letter
	foreseen    *engine.Foreseen // what opened meanwhile at the stop before
	beside      []engine.Side    // who wrote at the last stop with a letter, and at those that were open beside it
	turn        int
	stop, wait  int
	waitAtOnce  int
	chain, most int
}

// A paceMoment is a stop of one seat alone and its answer.
type paceMoment struct {
	position engine.Position
	owed     engine.Decision
	answer   engine.Answer
}

func newPaceCount(rules engine.Ruleset, split []string, minor func(engine.Side, string) bool) *paceCount {
	return &paceCount{
		rules: rules, split: split, minor: minor,
		kinds: map[string]*paceKind{}, seats: map[engine.Side]*paceSeat{}, pairs: map[[2]string]*pacePair{}, ends: map[string]int{},
	}
}

// play counts one game.
func (c *paceCount) play(g playout.Game) error {
	c.seed, c.came = g.Seed, map[string]bool{}
	c.asked, c.last, c.rolled, c.before, c.foreseen, c.beside = nil, "", false, nil, nil, nil
	c.turn, c.stop, c.wait, c.waitAtOnce, c.chain, c.most = 0, 0, 0, 0, 0, 0
	result, err := g.Play(c.observe)
	if err != nil {
		return err
	}
	for kind := range c.came {
		c.kinds[kind].Games++
	}
	c.stops, c.waits, c.chains = append(c.stops, c.stop), append(c.waits, c.wait), append(c.chains, c.most)
	c.atOnce, c.lasts = append(c.atOnce, c.waitAtOnce), append(c.lasts, c.turn)
	c.ends[winnersOf(result.Outcome)]++
	return nil
}

// observe is a [playout.Observer].
func (c *paceCount) observe(m playout.Moment) error {
	c.rolled = c.rolled || len(m.Rolls) > 0
	if t, ok := m.Position.(engine.Turned); ok {
		c.turns = true
		c.at(t.TurnNumber())
	}
	var letters []engine.Side
	label := ""
	for _, d := range m.Owed {
		kind := c.label(d)
		switch letter := c.answered(m.Position.View(d.Side), d, m.Answers[d.Side], kind); {
		case letter && m.Filed[d.Side]:
			c.kinds[kind].Filed++
		case letter:
			letters, label = append(letters, d.Side), kind
		}
	}
	var err error
	if len(letters) > 0 {
		err = c.letters(m, letters, label)
	}
	if len(letters) > 0 {
		c.meanwhile(m, letters)
	}
	if c.foreseen = nil; len(letters) == 1 && len(m.Owed) == 1 {
		if f, ok := engine.Foresee(c.rules, m.Position); ok {
			c.kinds[label].Opened++
			c.foreseen = &f
		}
	}
	c.before = nil
	if len(letters) == 1 && len(m.Owed) == 1 {
		c.before = &paceMoment{m.Position.Clone(), m.Owed[0], m.Answers[letters[0]]}
	}
	return err
}

// meanwhile counts the waits as they would be if each stop opened beside the one before it
// where that can be: what is written at both is written in one wait.
func (c *paceCount) meanwhile(m playout.Moment, sides []engine.Side) {
	if f := c.foreseen; f != nil && len(m.Owed) == len(f.Owed) && !slices.ContainsFunc(sides, func(side engine.Side) bool { return !f.Came(side, m.Position, m.Events) }) {
		c.kinds[c.label(f.Asked)].Spared++
		c.beside = append(slices.Clone(c.beside), sides...)
		return
	}
	if !slices.Equal(sides, c.beside) {
		c.waitAtOnce++
	}
	c.beside = sides
}

// at begins a new chain of waits with each turn.
func (c *paceCount) at(turn int) {
	if turn != c.turn {
		c.turn, c.chain = turn, 0
	}
}

// label names a kind of stop as it is counted.
func (c *paceCount) label(d engine.Decision) string {
	if d.At != "" && slices.Contains(c.split, d.Kind) {
		return d.Kind + " " + d.At
	}
	return d.Kind
}

// answered counts a decision, and tells whether its answer is a letter.
func (c *paceCount) answered(view engine.View, d engine.Decision, a engine.Answer, label string) bool {
	k := c.kinds[label]
	if k == nil {
		k = &paceKind{Stop: label}
		c.kinds[label] = k
	}
	k.Asked++
	c.came[label] = true
	byDefault := c.rules.Default(view, d)
	if orders.Equal(a.Orders(), byDefault.Orders()) {
		k.Default++
	}
	if rules, ok := c.rules.(engine.Chooser); ok {
		chosen := rules.Chosen(view, d, byDefault)
		if !slices.ContainsFunc(rules.Choices(view, d, nil), func(choice engine.Choice) bool { return !slices.ContainsFunc(chosen, choice.Same) }) {
			k.NoOther++
		}
	}
	if c.minor(d.Side, d.Kind) {
		k.Minor++
		return false
	}
	return true
}

// madeUp is how many positions are made up, in each of which a stop must follow in the same way.
const madeUp = 3

// nothingBetween tells whether nothing happened between the stop before and this one, which is
// owed by the same seat alone. That is so if no die was rolled, and if in positions that
// are made up from what the seat could see before, in which everything that it could not
// see is different, its answer leads to the same stop and the same view. Then the seat was
// told nothing that does not follow from its own answer, and both could have been asked
// at once.
func (c *paceCount) nothingBetween(m playout.Moment) (bool, error) {
	rules, ok := c.rules.(engine.Sampler)
	if !ok || c.rolled || c.before == nil || len(m.Owed) != 1 {
		return false, nil
	}
	side := c.before.owed.Side
	seen, err := m.Position.View(side).Marshal()
	if err != nil {
		return false, err
	}
	for i := range uint64(madeUp) {
		chance := rand.New(rand.NewPCG(c.seed, uint64(m.Number)*madeUp+i))
		p, err := rules.Sample(c.before.position.View(side), c.before.owed, chance)
		if err != nil {
			return false, err
		}
		if owed := p.Owed(); len(owed) != 1 || owed[0] != c.before.owed {
			return false, nil
		}
		if _, err := p.Advance(map[engine.Side]engine.Answer{side: c.before.answer}, playout.NewDice(chance.Uint64())); err != nil {
			return false, err
		}
		text, err := p.View(side).Marshal()
		if err != nil || !slices.Equal(p.Owed(), m.Owed) || !bytes.Equal(text, seen) {
			return false, err
		}
	}
	return true, nil
}

// letters counts a stop at which some seats write.
func (c *paceCount) letters(m playout.Moment, sides []engine.Side, label string) error {
	c.stop++
	row, nothing := slices.Equal(sides, c.asked), false
	if row && len(sides) == 1 {
		var err error
		if nothing, err = c.nothingBetween(m); err != nil {
			return err
		}
		c.pair(c.last, label, nothing)
	}
	for _, side := range sides {
		s := c.seats[side]
		if s == nil {
			s = &paceSeat{Seat: string(side)}
			c.seats[side] = s
		}
		s.Letters++
		if !nothing {
			s.Joined++
		}
		if !row {
			s.Rows++
		}
	}
	if !row {
		c.wait++
	}
	if !row || c.chain == 0 {
		c.chain++
		c.most = max(c.most, c.chain)
	}
	c.asked, c.last, c.rolled = sides, label, false
	return nil
}

// pair counts two stops in a row of one seat.
func (c *paceCount) pair(first, then string, nothing bool) {
	key := [2]string{first, then}
	p := c.pairs[key]
	if p == nil {
		p = &pacePair{First: first, Then: then}
		c.pairs[key] = p
	}
	p.Came++
	if !c.rolled {
		p.NoDice++
	}
	if nothing {
		p.Nothing++
	}
}

// sheet is what was counted, in an order that depends on nothing but the counts.
func (c *paceCount) sheet(sides []engine.Side) paceSheet {
	s := paceSheet{Games: len(c.stops), Stops: spreadOf(c.stops), Waits: spreadOf(c.waits), AtOnce: spreadOf(c.atOnce), Pairs: []pacePair{}}
	if c.turns {
		chain, last := spreadOf(c.chains), spreadOf(c.lasts)
		s.Chain, s.Turns = &chain, &last
	}
	for _, k := range c.kinds {
		s.Kinds = append(s.Kinds, *k)
	}
	slices.SortFunc(s.Kinds, func(a, b paceKind) int { return cmp.Or(b.Asked-a.Asked, cmp.Compare(a.Stop, b.Stop)) })
	for _, side := range sides {
		if seat := c.seats[side]; seat != nil {
			s.Seats = append(s.Seats, *seat)
		} else {
			s.Seats = append(s.Seats, paceSeat{Seat: string(side)})
		}
	}
	for _, p := range c.pairs {
		s.Pairs = append(s.Pairs, *p)
	}
	slices.SortFunc(s.Pairs, func(a, b pacePair) int {
		return cmp.Or(b.Came-a.Came, cmp.Compare(a.First, b.First), cmp.Compare(a.Then, b.Then))
	})
	for _, winners := range slices.Sorted(maps.Keys(c.ends)) {
		s.Endings = append(s.Endings, paceEnding{winners, c.ends[winners]})
	}
	return s
}

// chooser answers as a sensible bot does, or minor stops by the default.
func (c *paceCount) chooser(byDefault bool) playout.Chooser {
	return func(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
		if byDefault && c.minor(d.Side, d.Kind) {
			return rules.Default(view, d)
		}
		return rules.Sensible(view, d, chance)
	}
}

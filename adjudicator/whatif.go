package adjudicator

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/past"
	"berthier/engine"
	"berthier/engine/course"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A WhatIfQuestion asks what would have happened, or would happen, at a stop of a
// game with other orders or other dice.
type WhatIfQuestion struct {
	Stop     int                    // of the game's history, counting all sides' stops; 0: the present one
	Orders   map[engine.Side]string // order files, by side
	Defaults []engine.Side          // sides that take the default
	Dice     []int                  // results of the first rolls, in their order; 0 leaves a roll as it falls
}

// Where an answer or a roll of a [WhatIf] comes from.
const (
	FromGiven    = "given"    // by the question
	FromRecorded = "recorded" // the log has it: the stop was resolved with it
	FromInForce  = "in force" // it would count if the stop were resolved now
	FromDefault  = "default"
	FromDrawn    = "drawn" // by chance that has nothing to do with the game's dice
)

// A WhatIf is the answer to a question: the stop, played on a copy of the game.
type WhatIf struct {
	Game    string            `json:"game"`
	Stop    int               `json:"stop"`
	Answers []TriedAnswer     `json:"answers"`
	Rolls   []TriedRoll       `json:"rolls,omitempty"`
	Unused  int               `json:"unused_dice,omitempty"` // dice of the question that nothing rolled
	Events  []engine.Event    `json:"events"`
	Changes []PositionChange  `json:"changes"`
	Outcome *engine.Outcome   `json:"outcome,omitempty"`
	Owed    []engine.Decision `json:"owed,omitempty"` // at the next stop
	View    engine.View       `json:"-"`              // the game master's, of the position afterwards
}

// A TriedAnswer is an answer with which a stop was tried out.
type TriedAnswer struct {
	Decision engine.Decision `json:"decision"`
	From     string          `json:"from"`
	Orders   string          `json:"orders"` // normal form
}

// A TriedRoll is a roll of such a stop.
type TriedRoll struct {
	engine.Roll
	From string `json:"from"`
}

// A PositionChange is a place in which the position afterwards differs.
type PositionChange struct {
	Path string `json:"path"`
	Old  string `json:"old,omitempty"` // YAML; "" if it is new
	New  string `json:"new,omitempty"` // "" if it is gone
}

// WhatIf plays a stop of a game's history, or the present one, on a copy, with
// what the question gives. What it does not give is as it was when the stop was
// resolved, or as it is in force, or the default. Nothing is changed, nothing is
// logged, and nobody is told.
//
// The game's seed is not used either: dice that were neither given nor
// recorded for the same answers are drawn from other random numbers, which are the same for
// the same question. Otherwise a game master could look at rolls that are yet
// to come.
func (c *Clerk) WhatIf(id string, q WhatIfQuestion) (*WhatIf, error) {
	var out *WhatIf
	err := c.office.look(intake.FoldGame(id), func(tr *transaction) (err error) {
		out, err = trial{tr.Turn, tr.past}.play(q)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// A trial plays a stop on a copy of a game.
type trial struct {
	*game.Turn
	past *past.History
}

// stopOfThePast is a stop to be tried out.
type stopOfThePast struct {
	stop     int
	position engine.Position // a copy
	recorded *log.Resolved   // how it was resolved; nil if it was not
	present  bool
}

// pastStop finds a stop on the way to the present position.
func (t trial) pastStop(stop int) (stopOfThePast, error) {
	_, over := t.Position.Outcome()
	if stop == 0 && over {
		return stopOfThePast{}, game.Refuse("office.game.what-if.nothing")
	}
	if !over && (stop == 0 || stop == t.Game.Stop) {
		return stopOfThePast{stop: t.Game.Stop, position: t.Position.Clone(), present: true}, nil
	}
	branch, err := t.past.Branch()
	if err != nil {
		return stopOfThePast{}, err
	}
	for i, m := range slices.Backward(branch) {
		if m.Stop != stop {
			continue
		}
		p, err := t.past.Position(m.Seq)
		if err != nil {
			return stopOfThePast{}, err
		}
		if len(p.Owed()) == 0 {
			continue // the end
		}
		s := stopOfThePast{stop: stop, position: p}
		if i+1 < len(branch) && branch[i+1].Kind == log.KindResolved {
			s.recorded = &log.Resolved{}
			if _, err := t.Entry(branch[i+1].Seq, s.recorded); err != nil {
				return s, err
			}
		}
		return s, nil
	}
	return stopOfThePast{}, game.Refuse("office.game.what-if.no-stop", phrase.Number("stop", stop))
}

func (t trial) play(q WhatIfQuestion) (*WhatIf, error) {
	s, err := t.pastStop(q.Stop)
	if err != nil {
		return nil, err
	}
	owed := s.position.Owed()
	asked := append(sortedSides(q.Orders), q.Defaults...)
	for i, side := range asked {
		if slices.Contains(asked[:i], side) {
			return nil, game.Refuse("office.game.what-if.twice", phrase.Literal("side", string(side)))
		}
		if !slices.ContainsFunc(owed, func(o engine.Decision) bool { return o.Side == side }) {
			return nil, game.Refuse("office.game.what-if.not-owed", phrase.Literal("side", string(side)))
		}
	}
	before, err := s.position.Marshal()
	if err != nil {
		return nil, fmt.Errorf("write position of %s: %w", t.Game.ID, err)
	}
	out := &WhatIf{Game: t.Game.ID, Stop: s.stop}
	answers := map[engine.Side]engine.Answer{}
	asRecorded := s.recorded != nil
	for _, decision := range owed {
		answer, from, err := t.tried(q, s, decision)
		if err != nil {
			return nil, err
		}
		given := TriedAnswer{Decision: decision, From: from, Orders: answer.Orders().Encode()}
		answers[decision.Side] = answer
		out.Answers = append(out.Answers, given)
		asRecorded = asRecorded && slices.ContainsFunc(s.recorded.Answers, func(g log.Given) bool {
			return g.Decision == decision && g.Orders == given.Orders
		})
	}
	dice := &triedDice{given: q.Dice, chance: rand.New(rand.NewChaCha8(sha256.Sum256(fmt.Appendf(before, "%q %v", out.Answers, q.Dice))))}
	if asRecorded {
		dice.recorded = s.recorded.Rolls
	}
	events, after, err := course.Advance(s.position, answers, dice, nil)
	if err == nil {
		err = dice.fault
	}
	if err != nil {
		return nil, err
	}
	out.Rolls, out.Events = dice.rolls, events
	out.Unused = max(0, len(q.Dice)-len(dice.rolls))
	if outcome, over := s.position.Outcome(); over {
		out.Outcome = &outcome
	}
	out.Owed, out.View = s.position.Owed(), s.position.View(engine.GM)
	out.Changes, err = changesOf(before, after)
	return out, err
}

func sortedSides(files map[engine.Side]string) []engine.Side {
	var all []engine.Side
	for side := range files {
		all = append(all, side)
	}
	slices.Sort(all)
	return all
}

// tried gives the answer to a decision with which a stop is tried out, and where
// it comes from.
func (t trial) tried(q WhatIfQuestion, s stopOfThePast, decision engine.Decision) (engine.Answer, string, error) {
	view := s.position.View(decision.Side)
	read := func(doc *orders.Document, problems orders.Problems) (engine.Answer, orders.Problems) {
		if len(problems) > 0 {
			return nil, problems
		}
		if missing := game.MissingOrders(doc); len(missing) > 0 {
			return nil, missing
		}
		doc.Mends = true
		return t.Rules.Read(view, decision, game.Dated(t.Turn, doc))
	}
	if file, ok := q.Orders[decision.Side]; ok {
		answer, problems := read(orders.Parse(file, nil))
		if len(problems) > 0 {
			problems.Sort()
			return nil, "", problems
		}
		return answer, FromGiven, nil
	}
	if slices.Contains(q.Defaults, decision.Side) {
		return t.Rules.Default(view, decision), FromDefault, nil
	}
	if s.recorded != nil {
		for _, given := range s.recorded.Answers {
			if given.Decision != decision {
				continue
			}
			if answer, problems := read(orders.ParseAccepted(given.Orders)); len(problems) == 0 {
				return answer, FromRecorded, nil
			}
		}
	}
	if seat := t.Game.Seat(decision.Side); s.present && seat != nil && seat.Owes != nil && seat.Owes.Decision == decision {
		answer, ok, err := t.Answer(seat)
		if err != nil {
			return nil, "", err
		}
		if ok {
			return answer, FromInForce, nil
		}
	}
	return t.Rules.Default(view, decision), FromDefault, nil
}

// triedDice give the results of a question first, then those recorded, then results
// that are drawn.
type triedDice struct {
	given    []int
	recorded []engine.Roll
	chance   *rand.Rand
	rolls    []TriedRoll
	fault    error
}

// Roll implements [engine.Dice].
func (t *triedDice) Roll(sides int, purpose phrase.Phrase) int {
	i := len(t.rolls)
	result, from := t.chance.IntN(sides)+1, FromDrawn
	if i < len(t.recorded) && t.recorded[i].Sides == sides {
		result, from = t.recorded[i].Result, FromRecorded
	}
	if i < len(t.given) && t.given[i] != 0 {
		if t.given[i] < 1 || t.given[i] > sides {
			t.fault = errors.Join(t.fault, game.Refuse("office.game.what-if.die",
				phrase.Number("number", i+1), phrase.Number("result", t.given[i]), phrase.Number("sides", sides)))
		} else {
			result = t.given[i]
		}
		from = FromGiven
	}
	t.rolls = append(t.rolls, TriedRoll{Roll: engine.Roll{Sides: sides, Result: result, Purpose: purpose}, From: from})
	return result
}

// changesOf lists in what two positions differ.
func changesOf(before, after []byte) ([]PositionChange, error) {
	old, problems := orders.ParseNode(before)
	if len(problems) > 0 {
		return nil, fmt.Errorf("read position: %w", problems)
	}
	now, problems := orders.ParseNode(after)
	if len(problems) > 0 {
		return nil, fmt.Errorf("read position: %w", problems)
	}
	text := func(n *orders.Node) string {
		if n == nil {
			return ""
		}
		return strings.TrimSpace(n.Encode())
	}
	changes := []PositionChange{}
	for _, c := range orders.Diff(old, now) {
		changes = append(changes, PositionChange{Path: c.Path, Old: text(c.Old), New: text(c.New)})
	}
	return changes, nil
}

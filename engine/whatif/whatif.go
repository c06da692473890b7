// Package whatif tells a side what might follow from its orders: it plays them out
// many times on positions made up from the side's own view, with dice and enemy
// orders that are guessed, and counts what the side would be told.
//
// It never sees the position of the game, its dice, or what others have
// answered: it is given a view and needs nothing else. All chance comes from the
// question alone, so that the same question has the same answer.
package whatif

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Bounds of a question.
const (
	MostRuns = orders.MostTries // how often a question may be played out
	MaxStops = 12               // stops that one run may take until the side is asked again
	MostTold = 36               // lines of sentences that an answer lists
	MostLike = 4                // sentences of one kind among them
	MostNext = 8                // decisions that an answer lists as the next ones
)

// ErrNoSampler says that the game can't make up positions.
var ErrNoSampler = errors.New("the ruleset makes up no positions")

// A Question is what a side asks.
type Question struct {
	Rules    engine.Ruleset // an [engine.Sampler]
	View     engine.View    // of the side that asks
	Decision engine.Decision
	Answer   engine.Answer // that is tried out
	Runs     int           // how often, from 1 to MostRuns
	Files    *ahead.Filed  // what of the side waits once its answer has resolved the stop; nil: nothing
	Former   bool          // how its words are read, as in [orders.Document]
}

// A Spread is what might follow, counted over the runs.
type Spread struct {
	Runs  int     `json:"runs"`            // that were played; runs that could not be played are left out
	Told  []Tally `json:"told"`            // what the side would be told, kind by kind, the most frequent first
	Rest  int     `json:"rest"`            // how many sentences of rarer kinds there were
	Filed []Filed `json:"filed,omitempty"` // what became of that which the side files ahead, in its order
	Ends  []End   `json:"ends,omitempty"`
	Next  []Next  `json:"next,omitempty"` // what the side would be asked next
	Open  int     `json:"open,omitempty"` // runs that were broken off before the side was asked again
}

// A Tally is a sentence, and in how many runs the side is told it at least once.
// With Others it stands for that many more sentences of the same kind: each has the same
// code, says it of other units, cards or numbers, and is rare. If the answer lists
// sentences of that kind, they come before this line, and Say is empty.
type Tally struct {
	Clause string        `json:"clause,omitempty"`
	Say    phrase.Phrase `json:"say"`
	Others int           `json:"others,omitempty"`
	Times  int           `json:"times"`
}

// A Filed says in how many runs what was filed ahead under a key answered a stop at least
// once, and in how many it was meant for a stop and did not fit. In the others its stop did
// not come, or it says that the side is to be asked.
type Filed struct {
	Key      string `json:"key"`
	Answered int    `json:"answered"`
	Misfit   int    `json:"misfit,omitempty"`
}

// An End is an outcome and in how many runs the game ends with it.
type End struct {
	Outcome engine.Outcome `json:"outcome"`
	Times   int            `json:"times"`
}

// A Next is a decision and in how many runs the side would owe it next.
type Next struct {
	Decision engine.Decision `json:"decision"`
	Times    int             `json:"times"`
}

// Ask plays the question out. An error means that the game is no
// [engine.Sampler], or that no run could be played.
func (q Question) Ask() (Spread, error) {
	sampler, ok := q.Rules.(engine.Sampler)
	if !ok {
		return Spread{}, ErrNoSampler
	}
	key, err := q.key()
	if err != nil {
		return Spread{}, err
	}
	var (
		s     Spread
		told  tellings
		ends  counter[End]
		next  counter[Next]
		fault error
	)
	s.Filed = q.filed()
	for i := range min(max(q.Runs, 1), MostRuns) {
		r, err := q.run(sampler, chanceOf(key, i))
		if err != nil {
			fault = err
			continue
		}
		s.Runs++
		for i, key := range s.Filed {
			s.Filed[i].Answered += bit(slices.Contains(r.answered, key.Key))
			s.Filed[i].Misfit += bit(slices.Contains(r.misfit, key.Key))
		}
		for _, t := range r.told {
			if err := told.hear(t, s.Runs); err != nil {
				return Spread{}, err
			}
		}
		switch {
		case r.outcome != nil:
			err = ends.count("", r.outcome, End{Outcome: *r.outcome})
		case r.next != nil:
			err = next.count("", r.next, Next{Decision: *r.next})
		default:
			s.Open++
		}
		if err != nil {
			return Spread{}, err
		}
	}
	if s.Runs == 0 {
		return Spread{}, fmt.Errorf("try %s of %s out: %w", q.Decision.Kind, q.Decision.Side, fault)
	}
	s.Told, s.Rest = told.list(s.Runs)
	for _, c := range ends.sorted() {
		c.item.Times = c.times
		s.Ends = append(s.Ends, c.item)
	}
	for _, c := range next.sorted() {
		c.item.Times = c.times
		s.Next = append(s.Next, c.item)
	}
	s.Next = s.Next[:min(len(s.Next), MostNext)]
	return s, nil
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// filed lists the keys of what the side files ahead, each once, with nothing counted yet.
func (q Question) filed() (all []Filed) {
	sheet, _ := ahead.Sheet(q.Rules)
	for _, p := range q.Files.Waiting(sheet) {
		if !slices.ContainsFunc(all, func(f Filed) bool { return f.Key == p.Key }) {
			all = append(all, Filed{Key: p.Key})
		}
	}
	return all
}

// key is what all chance of a question comes from: the view, the decision and
// the answer, and nothing else. So a draft is tried out in the same worlds with what it files
// ahead and without, and the two can be compared.
func (q Question) key() ([sha256.Size]byte, error) {
	view, err := q.View.Marshal()
	if err != nil {
		return [sha256.Size]byte{}, fmt.Errorf("write the view of %s: %w", q.View.Side(), err)
	}
	h := sha256.New()
	for _, part := range []string{string(view), string(q.Decision.Side), q.Decision.Kind, q.Decision.At, q.Answer.Orders().Encode()} {
		fmt.Fprintf(h, "%d\n%s\n", len(part), part)
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// chanceOf is the source of chance for one run.
func chanceOf(key [sha256.Size]byte, run int) *rand.Rand {
	return rand.New(rand.NewChaCha8(sha256.Sum256(binary.BigEndian.AppendUint64(key[:], uint64(run)))))
}

// dice roll by chance that has nothing to do with the game's.
type dice struct{ *rand.Rand }

func (d dice) Roll(sides int, _ phrase.Phrase) int { return d.IntN(sides) + 1 }

// A run is how one try went.
type run struct {
	told    []Tally // each sentence once
	outcome *engine.Outcome
	next    *engine.Decision // nil: the game ended, or the run was broken off

	answered, misfit []string // keys of what was filed ahead, by what came of it
}

// run plays the answer out once. If the ruleset panics on a position that was made up,
// only that run is lost.
func (q Question) run(sampler engine.Sampler, chance *rand.Rand) (r run, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the ruleset panicked: %v", fault)
		}
	}()
	p, err := sampler.Sample(q.View, q.Decision, chance)
	if err != nil {
		return r, err
	}
	seat, own, waits := q.View.Side(), q.Answer, q.Files.Clone()
	for range MaxStops {
		owed := p.Owed()
		answers := make(map[engine.Side]engine.Answer, len(owed))
		for _, d := range owed {
			if d.Side == seat && own != nil {
				answers[d.Side], own = own, nil
				continue
			}
			answers[d.Side] = q.guess(p.View(d.Side), d, chance)
		}
		events, err := engine.AdvanceAsking(p, answers, dice{chance}, q.asked(seat, waits))
		if err != nil {
			return r, err
		}
		if seat = r.hear(events, seat); seat != q.View.Side() || waits.Lapsed(p) {
			waits = nil // it is for the stops of one seat, and for some time
		}
		if o, over := p.Outcome(); over {
			r.outcome = &o
			return r, nil
		}
		for _, d := range p.Owed() {
			if d.Side != seat {
				continue
			}
			if own = r.ahead(q, p.View(seat), d, waits); own == nil {
				r.next = &d
				return r, nil
			}
		}
	}
	return r, nil
}

// asked are the stops that open because the side has filed something ahead of them.
func (q Question) asked(seat engine.Side, waits *ahead.Filed) map[engine.Side][]string {
	if waits.None() {
		return nil
	}
	sheet, _ := ahead.Sheet(q.Rules)
	if kinds := waits.Kinds(sheet); len(kinds) > 0 {
		return map[engine.Side][]string{seat: kinds}
	}
	return nil
}

// ahead answers a decision by what was filed ahead of it; nil if the side is asked.
func (r *run) ahead(q Question, view engine.View, d engine.Decision, waits *ahead.Filed) engine.Answer {
	if waits.None() {
		return nil
	}
	o := waits.Answer(q.Rules, view, d, q.Former)
	for _, m := range o.Misfit {
		r.misfit = append(r.misfit, m.Key)
	}
	if o.Answer != nil {
		r.answered = append(r.answered, o.Key)
	}
	return o.Answer
}

// guess is what another side might answer: mostly what a fair player would, one
// time in four anything legal. That side knows no more than its view of the made-up
// position.
func (q Question) guess(view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
	if chance.IntN(4) == 0 {
		return q.Rules.Random(view, d, chance)
	}
	return q.Rules.Sensible(view, d, chance)
}

// hear notes what a seat is told, and gives where its player sits afterwards.
func (r *run) hear(events []engine.Event, seat engine.Side) engine.Side {
	for _, e := range events {
		if say, ok := e.For(seat); ok {
			t := Tally{Clause: e.Clause, Say: say}
			if !slices.ContainsFunc(r.told, func(o Tally) bool { return o.Clause == t.Clause && o.Say.Equal(t.Say) }) {
				r.told = append(r.told, t)
			}
		}
		if i := slices.Index(e.Exchange, seat); i >= 0 {
			seat = e.Exchange[1-i]
		}
	}
	return seat
}

// tellings are the sentences of all runs by their kinds, in the order in which they
// were first heard.
type tellings struct {
	at    map[string]int
	kinds []kindred
}

// A kindred is the sentences of one kind: of one clause and code.
type kindred struct {
	at        map[string]int // by what is said
	sentences []heard
	runs      []int // in which any of them was told
}

// A heard is a sentence with the runs in which it was told.
type heard struct {
	what Tally
	runs []int
}

// hear notes a sentence of a run. Each comes once a run.
func (t *tellings) hear(what Tally, run int) error {
	said, err := json.Marshal(what.Say)
	if err != nil {
		return fmt.Errorf("write what was told: %w", err)
	}
	kind := what.Clause + " " + what.Say.Code
	i, known := t.at[kind]
	if !known {
		if t.at == nil {
			t.at = map[string]int{}
		}
		i = len(t.kinds)
		t.at[kind] = i
		t.kinds = append(t.kinds, kindred{at: map[string]int{}})
	}
	k := &t.kinds[i]
	if len(k.runs) == 0 || k.runs[len(k.runs)-1] != run {
		k.runs = append(k.runs, run)
	}
	j, known := k.at[string(said)]
	if !known {
		j = len(k.sentences)
		k.at[string(said)] = j
		k.sentences = append(k.sentences, heard{what: what})
	}
	k.sentences[j].runs = append(k.sentences[j].runs, run)
	return nil
}

// list gives the lines of an answer over some runs, the kinds that are told most
// often first. Of each kind it lists the sentences that come in at least one run of
// twenty-five, and has one line for the rest of the kind. Kinds that come in less than
// one run of fifty are left out, and their sentences counted.
func (t *tellings) list(runs int) (lines []Tally, rest int) {
	slices.SortStableFunc(t.kinds, func(a, b kindred) int { return len(b.runs) - len(a.runs) })
	for _, k := range t.kinds {
		all := k.sentences
		if len(k.runs)*50 < runs || len(lines) >= MostTold {
			rest += len(all)
			continue
		}
		slices.SortStableFunc(all, func(a, b heard) int { return len(b.runs) - len(a.runs) })
		shown := 0
		for shown < min(len(all), MostLike) && len(all[shown].runs)*25 >= runs {
			shown++
		}
		if len(all)-shown == 1 { // the last one takes no more room than a line that says there is one more
			shown++
		}
		for _, s := range all[:shown] {
			s.what.Times = len(s.runs)
			lines = append(lines, s.what)
		}
		if left := all[shown:]; len(left) > 0 {
			in := map[int]bool{}
			for _, s := range left {
				for _, run := range s.runs {
					in[run] = true
				}
			}
			one := Tally{Clause: left[0].what.Clause, Others: len(left), Times: len(in)}
			if shown == 0 { // the first for all of them
				one.Say, one.Others = left[0].what.Say, len(left)-1
			}
			lines = append(lines, one)
		}
	}
	return lines, rest
}

// A counter counts things that say the same, in how many runs they occur, in
// the order in which they first did.
type counter[T any] struct {
	at  map[string]int
	all []counted[T]
}

type counted[T any] struct {
	item  T
	times int
}

func (c *counter[T]) count(clause string, what any, item T) error {
	text, err := json.Marshal(what)
	if err != nil {
		return fmt.Errorf("write what was found: %w", err)
	}
	if c.at == nil {
		c.at = map[string]int{}
	}
	key := clause + "\n" + string(text)
	i, known := c.at[key]
	if !known {
		i = len(c.all)
		c.at[key] = i
		c.all = append(c.all, counted[T]{item: item})
	}
	c.all[i].times++
	return nil
}

// sorted gives the most frequent first; of two alike, the one found first.
func (c *counter[T]) sorted() []counted[T] {
	slices.SortStableFunc(c.all, func(a, b counted[T]) int { return b.times - a.times })
	return c.all
}

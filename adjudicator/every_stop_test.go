package adjudicator

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/engine/cases"
	"berthier/engine/mistakes"
	"berthier/mail"
	"berthier/orders"
)

// An inMidst is Enemy Mistakes whose games begin at a position, with the policies that the set-up gives its seats.
type inMidst struct {
	mistakes.Ruleset
	at string
}

// New implements [engine.Ruleset].
func (b inMidst) New(setup engine.Setup) (engine.Position, error) {
	p, err := b.Ruleset.New(setup)
	if err != nil {
		return nil, err
	}
	text, err := p.Marshal()
	if err != nil {
		return nil, err
	}
	fresh, problems := orders.ParseNode(text)
	at, more := orders.ParseNode([]byte(b.at))
	if problems = append(problems, more...); len(problems) > 0 {
		return nil, problems
	}
	at.Pairs = slices.DeleteFunc(at.Pairs, func(p orders.Pair) bool {
		return slices.Contains([]string{"owed", "standing", "policies"}, p.Key.Text)
	})
	for _, key := range []string{"standing", "policies"} {
		if n := fresh.Get(key); n != nil {
			at.Set(key, n)
		}
	}
	return b.Ruleset.Load([]byte(at.Encode()))
}

// An openAt is a position at which a stop opens, as a conformance case comes to it.
type openAt struct {
	at      string
	options string
	sides   []string
}

// A listening ruleset tells of which decisions its judge is asked.
type listening struct {
	mistakes.Ruleset
	hear func(engine.View, engine.Decision)
}

// Read implements [engine.Ruleset].
func (l listening) Read(v engine.View, d engine.Decision, doc *orders.Document) (engine.Answer, orders.Problems) {
	l.hear(v, d)
	return l.Ruleset.Read(v, d, doc)
}

// stopsOfCases gives for each kind of stop a position at which it opens.
func stopsOfCases(t *testing.T) map[string]openAt {
	t.Helper()
	all := map[string]openAt{}
	rules := map[string]engine.Ruleset{"enemy-mistakes": listening{mistakes.New(), func(v engine.View, d engine.Decision) {
		if _, known := all[d.Kind]; known {
			return
		}
		p, err := mistakes.New().Sample(v, d, rand.New(rand.NewPCG(1, 19)))
		if err != nil {
			return // the case asks what a seat that isn't asked may say
		}
		text, err := p.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		one := openAt{at: string(text)}
		for _, side := range p.Sides() {
			one.sides = append(one.sides, string(side))
		}
		node, problems := orders.ParseNode(text)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if options := node.Get("options"); options != nil {
			one.options = strings.Trim(options.OneLine(), "{}")
		}
		all[d.Kind] = one
	}}}
	files, err := filepath.Glob(filepath.Join("..", "engine", "mistakes", "testdata", "cases", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(files, func(a, b string) int { return strings.Compare(filepath.Base(b), filepath.Base(a)) }) // that of the stops first
	for _, file := range files {
		list, faults := cases.Load(rules, file)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		for _, one := range list {
			cases.Run(rules, one)
		}
	}
	return all
}

// Under every-decision each kind of stop of Enemy Mistakes opens by itself, its seat is asked by letter and answers by letter, the
// game goes on, and its log verifies.
func TestEachStopOfEnemyMistakesByLetter(t *testing.T) {
	if raceEnabled {
		return // left to the run without the race detector: what happens here happens one after the other
	}
	all := stopsOfCases(t)
	for _, kind := range mistakes.New().About().Stops {
		one, ok := all[kind]
		if !ok {
			t.Errorf("no case comes to the stop %s", kind)
			continue
		}
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			rules := inMidst{mistakes.New(), one.at}
			h := sit(t, rules, one.options, one.sides, masterOfHisOwn+"pace: every-decision\nsecond-thoughts: none\n")
			opens := false
			for n := 0; n < 4 && h.record(h.id).Phase == game.Running; n++ {
				position := h.position()
				for _, d := range position.Owed() {
					opens = opens || n == 0 && d.Kind == kind
					h.write(mailboxOf(d.Side), h.order(d.Side, rules.Sensible(position.View(d.Side), d, h.chance)), mail.Processed)
					h.clock.move(time.Minute)
				}
				for _, side := range one.sides {
					h.deliver(mailboxOf(engine.Side(side)))
				}
			}
			if !opens {
				t.Errorf("the stop does not open")
			}
			for _, c := range h.verify(h.export(h.id, engine.GM)).Checks {
				if len(c.Wrong) > 0 {
					t.Errorf("%s: %q", c.What, c.Wrong)
				}
			}
		})
	}
}

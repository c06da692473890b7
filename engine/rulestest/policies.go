package rulestest

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
	"berthier/orders/phrase"
)

// AskedEverything holds that with every policy on ask the stops are those of a game
// without policies, one for one: the same is asked, told and rolled, and nothing of the
// positions differs but the policies themselves.
func AskedEverything(t *testing.T, rules engine.Ruleset, setups []engine.Setup, games int) {
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	policied := rules.(engine.Policied)
	for i, setup := range setups {
		for n := range games {
			seed := uint64(1000*i + n)
			p, q := begun(t, rules, setup), begun(t, rules, engine.AtPace(policied, setup, pacesOf(t, rules, setup, engine.EveryDecision)))
			chance := rand.New(rand.NewPCG(seed, 3))
			for range 60 {
				if !slices.Equal(p.Owed(), q.Owed()) {
					t.Fatalf("%v, game %d: %v is owed, and %v with every policy on ask", setup, n, p.Owed(), q.Owed())
				}
				if _, over := p.Outcome(); over {
					break
				}
				answers, others := map[engine.Side]engine.Answer{}, map[engine.Side]engine.Answer{}
				draw := chance.Uint64()
				for _, d := range p.Owed() {
					answers[d.Side] = rules.Sensible(p.View(d.Side), d, rand.New(rand.NewPCG(draw, 1)))
					others[d.Side] = rules.Sensible(q.View(d.Side), d, rand.New(rand.NewPCG(draw, 1)))
				}
				told, err := p.Advance(answers, playout.NewDice(draw))
				again, err2 := q.Advance(others, playout.NewDice(draw))
				if err := errors.Join(err, err2); err != nil {
					t.Fatal(err)
				}
				one, err := json.Marshal(told)
				two, err2 := json.Marshal(again)
				if err := errors.Join(err, err2); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(one, two) {
					t.Fatalf("%v, game %d: with every policy on ask something else happens", setup, n)
				}
			}
			one, two := marshalled(t, p), marshalled(t, q)
			if !bytes.Contains(two, []byte("policies:")) {
				t.Fatal("there are no policies")
			}
			if one, two = withoutKey(t, one, "policies"), withoutKey(t, two, "policies"); !bytes.Equal(one, two) {
				t.Errorf("%v, game %d: the positions differ by more than policies: %s", setup, n, playout.Differ(one, two))
			}
		}
	}
}

// PolicyPauses holds that whether a stop opens hangs on what everybody sees, and on the
// policies of its seat alone. For each thing that a policy may say, games are played in
// which all seats have that policy; what holds anyway makes no difference, as [AskedEverything]
// holds, and so is said together in one game. At each stop every player who is asked there and would
// read the pauses answers in two worlds that [Worlds] gives; others who are asked at the same
// stop give the default. As long as he is told the same, the same stops must open. Shows may
// tell that he was shown something different before, which is not told in words; it may be
// nil. The stops given must have opened for somebody whose enemy had answered before.
func PolicyPauses(t *testing.T, rules engine.Ruleset, setup engine.Setup, games int, worlds Worlds, shows func(p, q engine.Position, told []phrase.Phrase, err error) bool, kinds ...string) {
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	policied := rules.(engine.Policied)
	start := begun(t, rules, setup)
	together := [][]string{nil} // what is said in each game; in the first, what holds anyway
	for _, p := range policied.Policies(start.View(start.Sides()[0])) {
		for _, word := range p.Words {
			if line := p.Key + ": " + word; word == p.Value {
				together[0] = append(together[0], line)
			} else {
				together = append(together, []string{line})
			}
		}
	}
	opened, lock := map[string]int{}, sync.Mutex{}
	t.Cleanup(func() { // when all of them have been played
		for _, kind := range kinds {
			if opened[kind] == 0 {
				t.Errorf("no stop %s opened after the answer of an enemy: %v", kind, opened)
			}
		}
	})
	for i, lines := range together {
		name := "what holds anyway"
		if i > 0 {
			name = lines[0]
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			with := setup
			with.Policies = map[engine.Side]string{}
			for _, line := range lines {
				may := false
				for _, side := range start.Sides() {
					if _, faults := policied.ReadStanding(start.View(side), policyFile(t, line)); len(faults) == 0 {
						with.Policies[side] += line + "\n"
						may = true
					}
				}
				if !may {
					t.Fatalf("nobody may say %s", line)
				}
			}
			compared, met := 0, map[string]int{}
			for n := range games {
				compared += comparePauses(t, rules, with, uint64(n), worlds, shows, met)
			}
			if compared < games {
				t.Errorf("%d moments were compared", compared)
			}
			lock.Lock()
			defer lock.Unlock()
			for kind, n := range met {
				opened[kind] += n
			}
		})
	}
}

// Worlds gives two positions that a side can't tell from each other: the one given, and one in
// which everything that it can't see is drawn by chance, and all seats have the same standing
// orders and policies. What is under way by orders that it can't see ends in both. It may give
// none: nil.
type Worlds func(p engine.Position, side engine.Side, chance *rand.Rand) (one, other engine.Position)

// comparePauses plays a game, and compares at moments of it when stops open. It counts the
// stops that opened for others than the reader.
func comparePauses(t *testing.T, rules engine.Ruleset, setup engine.Setup, seed uint64, worlds Worlds, shows func(p, q engine.Position, told []phrase.Phrase, err error) bool, met map[string]int) int {
	t.Helper()
	const stops = 60 // each thing that a policy may say has a game of its own
	p, compared := begun(t, rules, setup), 0
	chance := rand.New(rand.NewPCG(seed, 9))
	for range stops {
		if _, over := p.Outcome(); over {
			break
		}
		owed, answers := p.Owed(), map[engine.Side]engine.Answer{}
		for _, d := range owed {
			answers[d.Side] = rules.Sensible(p.View(d.Side), d, chance)
		}
		for _, d := range owed {
			one, other := worlds(p, d.Side, chance)
			if one == nil {
				continue
			}
			dice := chance.Uint64()
			told, err := playout.Pauses(rules, one, other, d.Side, answers[d.Side], dice)
			if err != nil && (shows == nil || !shows(one, other, told, err)) {
				t.Errorf("seed %d, %s answers %s %s: %v", seed, d.Side, d.Kind, d.At, err)
			}
			compared++
		}
		if _, err := p.Advance(answers, playout.NewDice(chance.Uint64())); err != nil {
			t.Fatal(err)
		}
		for _, next := range p.Owed() {
			if slices.ContainsFunc(owed, func(d engine.Decision) bool { return d.Side != next.Side }) {
				met[next.Kind]++
			}
		}
	}
	return compared
}

// begun is a new game.
func begun(t *testing.T, rules engine.Ruleset, setup engine.Setup) engine.Position {
	t.Helper()
	p, err := rules.New(setup)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// pacesOf gives each seat of a set-up the same pace.
func pacesOf(t *testing.T, rules engine.Ruleset, setup engine.Setup, pace string) map[engine.Side]string {
	t.Helper()
	paces := map[engine.Side]string{}
	for _, side := range begun(t, rules, setup).Sides() {
		paces[side] = pace
	}
	return paces
}

// policyFile is a file that holds policies alone.
func policyFile(t *testing.T, text string) *orders.Document {
	t.Helper()
	node, faults := orders.ParseNode([]byte(text))
	if len(faults) > 0 {
		t.Fatalf("%s: %v", text, faults)
	}
	return &orders.Document{Policies: node}
}

func marshalled(t *testing.T, p engine.Position) []byte {
	t.Helper()
	text, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// withoutKey drops a key at the top of a position.
func withoutKey(t *testing.T, position []byte, key string) []byte {
	t.Helper()
	root, faults := orders.ParseNode(position)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	root.Pairs = slices.DeleteFunc(root.Pairs, func(p orders.Pair) bool { return p.Key.Text == key })
	return []byte(root.Encode())
}

// PolicyPositions holds that a position with policies reads back as itself at every stop,
// byte for byte, and plays on as if it had never been written.
func PolicyPositions(t *testing.T, rules engine.Ruleset, setup engine.Setup, policies string) {
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	with := setup
	with.Policies = map[engine.Side]string{}
	for _, side := range begun(t, rules, setup).Sides() {
		with.Policies[side] = policies
	}
	p := begun(t, rules, with)
	chance := rand.New(rand.NewPCG(4, 5))
	for n := range 80 {
		if _, over := p.Outcome(); over {
			break
		}
		text := marshalled(t, p)
		q, err := rules.Load(text)
		if err != nil {
			t.Fatalf("stop %d: %v\n%s", n, err, text)
		}
		if again := marshalled(t, q); !bytes.Equal(text, again) {
			t.Fatalf("stop %d: %s", n, playout.Differ(text, again))
		}
		answers := map[engine.Side]engine.Answer{}
		for _, d := range p.Owed() {
			answers[d.Side] = rules.Sensible(p.View(d.Side), d, chance)
		}
		seed := chance.Uint64()
		_, err = p.Advance(answers, playout.NewDice(seed))
		_, err2 := q.Advance(answers, playout.NewDice(seed))
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		if one, two := marshalled(t, p), marshalled(t, q); !bytes.Equal(one, two) {
			t.Fatalf("after stop %d: %s", n, playout.Differ(one, two))
		}
	}
}

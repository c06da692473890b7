package napoleon

import (
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A record is a game that was played, to be resolved again.
type record struct {
	setup   engine.Setup
	answers []map[engine.Side]engine.Answer
	rolls   [][]int
}

// rollsOf give the results of a list, with nothing that takes time.
type rollsOf struct {
	rolls []int
	next  int
}

func (r *rollsOf) Roll(int, phrase.Phrase) int {
	r.next++
	return r.rolls[r.next-1]
}

// play records a game by chance.
func playRecord(b *testing.B, setup engine.Setup, seed uint64) record {
	b.Helper()
	r := record{setup: setup}
	_, err := playout.Run(New(), setup, seed, func(m playout.Moment) error {
		if m.Number > 1 {
			var rolls []int
			for _, roll := range m.Rolls {
				rolls = append(rolls, roll.Result)
			}
			r.rolls = append(r.rolls, rolls)
		}
		if len(m.Owed) > 0 {
			r.answers = append(r.answers, m.Answers)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return r
}

func records(b *testing.B) []record {
	b.Helper()
	var all []record
	for i := range 8 {
		all = append(all, playRecord(b, setups[i%2].Setup, uint64(i)))
	}
	return all
}

// BenchmarkStops resolves the stops of recorded games, and builds the view of
// both sides after each: what the office does between the last answer and the
// reports.
func BenchmarkStops(b *testing.B) {
	all := records(b)
	rules := New()
	b.ReportAllocs()
	stops := 0
	for b.Loop() {
		r := all[stops%len(all)]
		p, err := rules.New(r.setup)
		if err != nil {
			b.Fatal(err)
		}
		for i, answers := range r.answers {
			if _, err := p.Advance(answers, &rollsOf{rolls: r.rolls[i]}); err != nil {
				b.Fatal(err)
			}
			for _, side := range p.Sides() {
				p.View(side)
			}
			stops++
		}
	}
	b.ReportMetric(float64(stops)/b.Elapsed().Seconds(), "stops/s")
}

// BenchmarkGames plays whole games by random answers.
func BenchmarkGames(b *testing.B) {
	b.ReportAllocs()
	games := 0
	for b.Loop() {
		if _, err := playout.Run(New(), setups[games%2].Setup, uint64(games)); err != nil {
			b.Fatal(err)
		}
		games++
	}
	b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
}

// middle is a position in a battle turn of a game, with its answer's text.
func middle(b *testing.B) (*game, engine.Decision, string) {
	b.Helper()
	var found *game
	var decision engine.Decision
	var text string
	_, err := playout.Run(New(), engine.Setup{}, 3, func(m playout.Moment) error {
		if found == nil || len(m.Owed) == 1 && m.Owed[0].Kind == "battle-turn" && m.Number < 200 {
			found = m.Position.Clone().(*game)
			decision = m.Owed[0]
			text = m.Answers[decision.Side].Orders().Encode()
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return found, decision, text
}

func BenchmarkView(b *testing.B) {
	g, d, _ := middle(b)
	b.ReportAllocs()
	for b.Loop() {
		g.View(d.Side)
	}
}

func BenchmarkMarshal(b *testing.B) {
	g, _, _ := middle(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.Marshal(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	g, _, _ := middle(b)
	text, err := g.Marshal()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New().Load(text); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRead judges an order file, from its text on.
func BenchmarkRead(b *testing.B) {
	g, d, text := middle(b)
	v := g.View(d.Side)
	b.ReportAllocs()
	for b.Loop() {
		root, problems := orders.ParseNode([]byte(text))
		if len(problems) > 0 {
			b.Fatal(problems)
		}
		if _, problems := New().Read(v, d, &orders.Document{Orders: root.Get("orders"), Root: root}); len(problems) > 0 {
			b.Fatal(problems)
		}
	}
}

func BenchmarkTemplate(b *testing.B) {
	g, d, _ := middle(b)
	v := g.View(d.Side)
	b.ReportAllocs()
	for b.Loop() {
		_ = New().Template(v, d).Encode()
	}
}

func BenchmarkRandom(b *testing.B) {
	g, d, _ := middle(b)
	v := g.View(d.Side)
	chance := rand.New(rand.NewPCG(1, 1))
	b.ReportAllocs()
	for b.Loop() {
		New().Random(v, d, chance)
	}
}

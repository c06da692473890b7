package napoleon

import (
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders"
)

// BenchmarkStops resolves the stops of recorded games.
func BenchmarkStops(b *testing.B) { rulestest.Stops(b, New(), setups[:2]...) }

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

// BenchmarkAnswers plays games and battles, and answers their stops.
func BenchmarkAnswers(b *testing.B) {
	games := []playout.Game{{Setup: setups[0].Setup, Seed: 1}, {Setup: setups[7].Setup, Seed: 2}}
	for i := range uint64(4) {
		games = append(games, playout.Game{Start: battleground(b, setups[0].Setup, i), Seed: i})
	}
	rulestest.Answering(b, New(), games...)
}

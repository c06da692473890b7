package rulestest

import (
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
)

// Answering measures how long a ruleset takes to play a random game and, at each stop of
// such games, to make a template, a random answer and an answer of a bot, and to read an
// order file.
func Answering(b *testing.B, rules engine.Ruleset, games ...playout.Game) {
	var all []playout.Moment
	for i, g := range games {
		g.Rules = rules
		_, err := g.Play(func(m playout.Moment) error {
			if m.Number%7 == i%7 && len(m.Owed) > 0 {
				m.Position = m.Position.Clone()
				all = append(all, m)
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("game", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			g := games[i%len(games)]
			g.Rules = rules
			if _, err := g.Play(); err != nil {
				b.Fatal(err)
			}
		}
	})
	each := func(name string, do func(view engine.View, d engine.Decision, file *orders.Document, chance *rand.Rand)) {
		b.Run(name, func(b *testing.B) {
			var views []engine.View
			var files []*orders.Document
			for _, m := range all {
				d := m.Owed[0]
				views = append(views, m.Position.View(d.Side))
				doc, _ := orders.Parse(m.Answers[d.Side].Orders().Encode(), nil)
				files = append(files, doc)
			}
			chance := rand.New(rand.NewPCG(18, 15))
			b.ReportAllocs()
			for b.Loop() {
				for i := range all {
					do(views[i], all[i].Owed[0], files[i], chance)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(all)), "ns/stop")
		})
	}
	each("template", func(v engine.View, d engine.Decision, _ *orders.Document, _ *rand.Rand) { rules.Template(v, d) })
	each("chance", func(v engine.View, d engine.Decision, _ *orders.Document, chance *rand.Rand) {
		rules.Random(v, d, chance)
	})
	each("bot", func(v engine.View, d engine.Decision, _ *orders.Document, chance *rand.Rand) {
		rules.Sensible(v, d, chance)
	})
	each("read", func(v engine.View, d engine.Decision, file *orders.Document, _ *rand.Rand) { rules.Read(v, d, file) })
}

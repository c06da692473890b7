package napoleon

import (
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/orders"
)

// BenchmarkMoves takes each stop at which one of two armies near each other has to
// move, and makes once: the template, a random answer, an answer of a bot, the verdict
// on an order file, and the choices.
func BenchmarkMoves(b *testing.B) {
	type stop struct {
		view engine.View
		d    engine.Decision
		file *orders.Document
	}
	var all []stop
	for seed := range uint64(len(marchSetups)) {
		for _, p := range faceToFace(b, 8000+seed) {
			for _, d := range p.Owed() {
				view := p.View(d.Side)
				file, _ := orders.Parse(New().Random(view, d, chance(seed)).Orders().Encode(), nil)
				all = append(all, stop{view, d, file})
			}
		}
	}
	dice := rand.New(rand.NewPCG(18, 15))
	for name, do := range map[string]func(stop){
		"template": func(s stop) { New().Template(s.view, s.d) },
		"chance":   func(s stop) { New().Random(s.view, s.d, dice) },
		"bot":      func(s stop) { New().Sensible(s.view, s.d, dice) },
		"read":     func(s stop) { New().Read(s.view, s.d, s.file) },
		"choices":  func(s stop) { engine.Ruleset(New()).(engine.Chooser).Choices(s.view, s.d, nil) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, s := range all {
					do(s)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(all)), "ns/stop")
		})
	}
}

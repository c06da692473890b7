package play_test

import (
	"reflect"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// The difference between two answers is told item by item: those that are new, those
// that are gone, and those that only stand in another order.
func TestDifferencesOfAnswers(t *testing.T) {
	to := func(of, what string) engine.Choice { return engine.Choice{Of: of, What: what, Shown: "whatever"} }
	number := func(n int) engine.Choice { return engine.Choice{Of: "allied", What: "minus", Measure: true, Value: n} }
	for _, test := range []struct {
		was, now []engine.Choice
		want     []phrase.Phrase
	}{
		{nil, nil, nil},
		{[]engine.Choice{to("F-07", "Ligny")}, []engine.Choice{{Of: "F-07", What: "Ligny"}}, nil},
		{[]engine.Choice{to("F-07", "Ligny"), to("F-03", "Hal")}, []engine.Choice{to("F-03", "Hal"), to("F-07", "Wavre")}, []phrase.Phrase{phrase.Say("play.change", phrase.Name("of", "unit", "F-07"), phrase.Literals("now", []string{"Wavre"}), phrase.Literals("was", []string{"Ligny"}))}},
		{[]engine.Choice{to("F-07", "Ligny")}, nil, []phrase.Phrase{phrase.Say("play.change-gone", phrase.Name("of", "unit", "F-07"), phrase.Literals("was", []string{"Ligny"}))}},
		{nil, []engine.Choice{to("", "then ask")}, []phrase.Phrase{phrase.Say("play.change", phrase.Literals("now", []string{"then ask"}))}},
		{[]engine.Choice{number(2)}, []engine.Choice{number(3)}, []phrase.Phrase{phrase.Say("play.change", phrase.Name("of", "unit", "allied"), phrase.Literals("now", []string{"minus 3"}), phrase.Literals("was", []string{"minus 2"}))}},
		{[]engine.Choice{to("F-07", "hit"), to("F-07", "hit")}, []engine.Choice{to("F-07", "hit")}, []phrase.Phrase{phrase.Say("play.change-gone", phrase.Name("of", "unit", "F-07"), phrase.Literals("was", []string{"hit"}))}},
		{[]engine.Choice{to("A", "fire"), to("B", "fire")}, []engine.Choice{to("B", "fire"), to("A", "fire")}, []phrase.Phrase{phrase.Say("play.change-order")}},
	} {
		if got := play.Differences(test.was, test.now); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v and %v differ by %+v, want %+v", test.was, test.now, got, test.want)
		}
	}
}

package story

import (
	"reflect"
	"testing"

	"berthier/engine"
	"berthier/orders/phrase"
)

// toy recounts events by their codes.
type toy map[string]engine.Fact

func (t toy) Recount(_ engine.Side, say phrase.Phrase) engine.Fact { return t[say.Code] }

func said(codes ...string) []phrase.Phrase {
	all := make([]phrase.Phrase, len(codes))
	for i, c := range codes {
		all[i] = phrase.Say(c)
	}
	return all
}

var (
	red, blue   = phrase.Value{Kind: "who", Text: "red"}, phrase.Value{Kind: "who", Text: "blue"}
	ford, mill  = phrase.Value{Kind: "town", Text: "ford"}, phrase.Value{Kind: "town", Text: "mill"}
	anywhere    = phrase.Value{}
	recountings = toy{
		"turn":  {Opens: true, Same: true, At: ford},
		"fight": {Opens: true, At: mill, Weight: 5, Say: phrase.Say("x.fight")},
		"shot":  {By: red, Dice: 4, Need: 2, Hits: 1},
		"sure":  {By: red, Dice: 1, Need: 9, Hits: 1},
		"hit":   {Of: blue, Lost: 1, Own: true},
		"won":   {At: mill, Over: true, Ends: true, Weight: 50, Say: phrase.Say("x.won")},
		"march": {Marched: blue, Units: 3, Over: true},
	}
)

// Hits to be expected are exact, to a tenth: four dice that hit on 2 and one that always
// hits are 2 and a third. A single event has no total.
func TestTotals(t *testing.T) {
	s := Of(recountings, "blue", said("turn", "shot", "sure", "hit", "turn", "shot"), anywhere)
	want := []phrase.Phrase{
		phrase.Say("story.total", phrase.Arg{Name: "who", Value: red}, phrase.Number("dice", 5), phrase.Number("hits", 2), phrase.Number("whole", 2), phrase.Number("tenth", 3)),
		phrase.Say("story.total", phrase.Arg{Name: "who", Value: blue}, phrase.Number("lost", 1)),
	}
	if len(s.Parts) != 2 || !reflect.DeepEqual(s.Parts[0].Total, want) || s.Parts[1].Total != nil {
		t.Errorf("the parts are %+v", s.Parts)
	}
	if !reflect.DeepEqual(s.Own, []bool{false, false, false, true, false, false}) {
		t.Errorf("own losses are %v", s.Own)
	}
}

// The weightiest place is told first. What comes before the first part happened where the
// next turn of the same battle does, and after a battle has ended at no place.
func TestPlaces(t *testing.T) {
	s := Of(recountings, "red", said("shot", "turn", "fight", "hit", "won", "hit", "march"), anywhere)
	var at []string
	for _, p := range s.Sentences {
		place := ""
		for _, a := range p.Args {
			if a.Name == "at" {
				place = a.Value.Text
			}
		}
		at = append(at, p.Code+" "+place)
	}
	if want := []string{"story.place mill", "story.place ford", "story.place ", "story.marches "}; !reflect.DeepEqual(at, want) {
		t.Errorf("the story is told of %q, not %q", at, want)
	}
}

// What comes several times at a place is said once: numbers are added up, and an attack that comes
// again with the same end is left out. What only sounds alike stays.
func TestWhatComesAgainIsSaidOnce(t *testing.T) {
	back := func(n int) phrase.Phrase {
		return phrase.Say("x.back", phrase.Arg{Name: "who", Value: red}, phrase.Number("n", n))
	}
	attack := func(who phrase.Value) phrase.Phrase {
		return phrase.Say("x.attack", phrase.Arg{Name: "who", Value: who})
	}
	fails := phrase.Say("x.fails")
	for name, c := range map[string]struct{ say, want []phrase.Phrase }{
		"numbers":          {[]phrase.Phrase{back(1), attack(red), back(2)}, []phrase.Phrase{back(3), attack(red)}},
		"another's number": {[]phrase.Phrase{back(1), phrase.Say("x.back", phrase.Arg{Name: "who", Value: blue}, phrase.Number("n", 1))}, nil},
		"the same again":   {[]phrase.Phrase{attack(red), fails, attack(red), fails}, []phrase.Phrase{attack(red), fails}},
		"another attack":   {[]phrase.Phrase{attack(red), fails, attack(blue), fails}, nil},
	} {
		facts := toy{}
		var events []phrase.Phrase
		for i, say := range c.say {
			code := string(rune('a' + i))
			facts[code] = engine.Fact{At: mill, Say: say}
			events = append(events, phrase.Say(code))
		}
		if c.want == nil {
			c.want = c.say
		}
		s := Of(facts, "red", events, anywhere)
		var got []phrase.Phrase
		for _, v := range s.Sentences[0].Args[0].Value.List {
			got = append(got, *v.Say)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, not %v", name, got, c.want)
		}
	}
}

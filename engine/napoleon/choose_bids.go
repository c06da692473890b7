package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
)

// bid

func (bidStop) choose(v *View, d engine.Decision, made []engine.Choice) []engine.Choice {
	if len(made) > 0 {
		return nil
	}
	var list []engine.Choice
	for c := range campWords {
		if low, high, ok := v.bidRange(camp(c)); ok {
			list = append(list, engine.Choice{Of: campWords[c], What: "minus", Measure: true, Low: low, High: high, Shown: bidText(camp(c), low, high)})
		}
	}
	if v.bidFault(bid{pass: true}) == nil {
		list = append(list, engine.Choice{What: "pass", Shown: "pass"})
	}
	return list
}

func (bidStop) compose(v *View, d engine.Decision, made []engine.Choice) play.Reply {
	if made[0].What == "pass" {
		return bidAnswer{pass: true}
	}
	c, _ := campNamed(made[0].Of)
	return bidAnswer{camp: c, minus: made[0].Value}
}

func (bidStop) chosen(v *View, d engine.Decision, a play.Reply) []engine.Choice {
	b := bid(a.(bidAnswer))
	if b.pass {
		return []engine.Choice{{What: "pass"}}
	}
	low, high, _ := v.bidRange(b.camp)
	return []engine.Choice{{Of: campWords[b.camp], What: "minus", Measure: true, Low: low, High: high, Value: b.minus}}
}

// handicap

func (handicapStop) choose(v *View, d engine.Decision, made []engine.Choice) []engine.Choice {
	return v.picked(v.reducible(v.camp()), v.handicapDue(v.camp()), "reduce", made)
}

func (s handicapStop) compose(v *View, d engine.Decision, made []engine.Choice) play.Reply {
	usual := s.Fallback(v, d).(handicapAnswer)
	units := filled(v.madeUnits(made), usual.units)[:len(usual.units)]
	slices.Sort(units)
	return handicapAnswer{v.scenario, units}
}

func (handicapStop) chosen(v *View, d engine.Decision, a play.Reply) []engine.Choice {
	return v.unitsChosen(a.(handicapAnswer).units, constant("reduce"))
}
